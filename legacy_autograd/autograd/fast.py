"""The fast twin of the book: the same calls and the same walk as `function.py` and `engine.py`, written for speed.

The four files variable.py, function.py, leaf.py and engine.py define what happens. This file must be indistinguishable
from them: numbers to the bit, order of events, hooks, errors, and the record of a call. It differs in four ways:

- a call records its edges as two tuples, without ids and dictionaries; `previous_functions` and `output_ids` are
  properties that give 2016's form of them;
- the engine's loop has its methods written in, and counts in plain numbers, one a Function. It does not check the
  gradients that an operation of this package returns: in the tests the book checks them;
- saved tensors that were never written to need no list of counts;
- a gradient that nothing else refers to is not copied for a user's code, because the code could not tell.

Code that overrides or patches a method of the book gets the book's walk. For Function, Leaf and the operations this is
decided when a class is made or changed (`_observe`), for the engine in each backward. A graph in which a record was
assigned or read in 2016's form gets the book's walk too. What is no assignment of an attribute is not noticed: a write
into a `__dict__`, `type.__setattr__`, and a new `__class__` of an instance.
`LEGACY_AUTOGRAD_PLAIN=1` leaves this file out, and so does an edited book, with one warning (`MIRRORS`).
Compare PEP 399, `heapq.py` and `_heapq` in Python's library.
"""

import contextlib
import hashlib
import io
import itertools
import operator
import os
import pathlib
import sys
import tokenize
import types
import warnings
import weakref

import numpy

from ..tensor import Tensor
from ..tensor.base import wrap
from ..tensor.buffer_pool import Loan
from ..tensor.dtypes import FLOATING
from . import callbacks, function
from .called_again import CalledAgain
from .engine import ExecutionEngine
from .function import NOTHING_REGISTERED, Function
from .leaf import Leaf
from .observed_class import ObservedClass
from .saved_tensors import SavedTensors
from .variable import Variable

PLAIN = "LEGACY_AUTOGRAD_PLAIN"  # environment variable: "1" leaves the twin out, "0" forces it under a debugger
MIRRORED = ("variable.py", "function.py", "leaf.py", "engine.py", "saved_tensors.py")
MIRRORS = "c63fe3c81df63324"

_around_call, _around_backward = callbacks.around_call, callbacks.around_backward
_around_accumulate, _backward_ended = callbacks.around_accumulate, callbacks.backward_ended
_new = object.__new__
_add = numpy.add

# The book's methods that are written out below.
_book_call, _output_nr = Function.__call__, Function._output_nr
_check_count, _check_gradient = Function._check_count, Function._check_gradient
_save_for_backward = SavedTensors.save_for_backward
_saved_tensors = SavedTensors.saved_tensors.fget  # type: ignore[attr-defined]  # mypy sees a method
_checked, _sources, _id_of_output = SavedTensors._checked, SavedTensors._sources, SavedTensors._id_of_output
_rename_output, _link = SavedTensors._rename_output, SavedTensors._link
_variable_init = Variable.__init__
_run_backward, _starting_gradient = ExecutionEngine.run_backward, Function._starting_gradient
_methods_of_engine = operator.attrgetter(
    "_compute_dependencies", "_free_backward_dependency", "_is_ready_for_backward", "_begin", "_run", "_add",
    "_complete", "_zeros", "__getattribute__",
)  # fmt: skip
_names_of_engine = frozenset(vars(ExecutionEngine))
_begin_again = SavedTensors._begin_again
_leaf_init = Leaf.__init__
_own = function.own


# --- a call


class LongWay(tuple):
    """The edges of a Function that has hooks, or one of whose inputs is one of several outputs."""

    __slots__ = ()


_HOOKED_BEFORE_ITS_CALL = LongWay()


def _call_by_the_book(self, *input):
    if self._saved_positions:
        # Its class declares them for calls that the twin records. If this one fails, the next is not such a call.
        self._saved_positions, self._edges = (), _HOOKED_BEFORE_ITS_CALL
    return _book_call(self, *input)


def call(self, *input):
    """`Function.__call__` and `_do_forward` in one, for any Function.

    An input that is no Variable has no creator or is no output of it: the book's call refuses it.
    """
    was_hooked = self._edges is not None
    if was_hooked and self._edges is not _HOOKED_BEFORE_ITS_CALL:  # called before, or a Leaf
        if self._first_outputs is None:
            self._first_outputs = {number: key for key, number in output_ids(self).items()}
        return _book_call(self, *input)
    if _around_call.callbacks or self._by_the_book or Variable.__init__ is not _variable_init:
        return _call_by_the_book(self, *input)
    try:
        edges = tuple([arg.creator for arg in input])
        numbers = ()
        if [arg for function, arg in zip(edges, input) if function._output_id != id(arg)]:
            numbers = _output_numbers(input)
            edges = LongWay(edges)
    except AttributeError:
        return _call_by_the_book(self, *input)
    self.needs_input_grad = needs = tuple([function.requires_grad for function in edges])
    tensors = [arg.data for arg in input]
    try:
        raw_output = self.forward(*tensors)
    except Exception:
        self._check_call(input)  # `data` might not be a Tensor
        raise
    self.needs_input_grad, self.requires_grad = needs, any(needs)
    is_plain = not (self._notes_itself or self._saved_positions)
    if isinstance(raw_output, Tensor):
        size = raw_output.array.shape
        same = edges[0]._size if edges else None
        self._size = same if same == size else size  # one object where possible
        variable = _new(Variable)
        variable.data = raw_output
        variable.creator = self
        variable._grad = None
        self._output_id = id(variable)
        output = (variable,)
        is_plain = is_plain and not (
            self._saved
            or self.non_differentiable
            or raw_output._base is not None
            or raw_output.array.dtype not in FLOATING
            or [tensor for tensor in tensors if tensor is raw_output]
        )
    else:
        if not isinstance(raw_output, tuple):
            self._check_call(input)
            raw_output = (raw_output,)
        output = tuple([Variable(tensor, self) for tensor in raw_output])
        self._output_id = tuple([id(variable) for variable in output])
        _set_output_sizes(self, [tensor.array.shape for tensor in raw_output])
        is_plain = False
    self._edges = edges
    if any(numbers):
        self._numbers = numbers
    if was_hooked:
        previous_functions(self)  # from now on the record is in 2016's form, and the book walks this graph
    if not is_plain:
        self._saved_positions = ()
        output = self._note_saved(input, output)
    return output if self._returns_tuple or len(output) > 1 else output[0]


# The same, written out for one, two and three inputs, for the operations that declare what they save
# (`functions/_utils.py`): their `forward` returns one Tensor, which it made itself.


def call_with_one(self, a):
    if _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
        return call(self, a)
    try:
        creator = a.creator
        if creator._output_id != id(a):  # one of several outputs, or none
            return call(self, a)
        needs = self.needs_input_grad = _SINGLE[creator.requires_grad]
    except (AttributeError, KeyError):
        return _call_by_the_book(self, a)
    try:
        raw_output = self._declared_forward(a.data)
    except Exception:
        self._check_call((a,))  # `data` might not be a Tensor
        raise
    self.requires_grad = needs[0]
    self._edges = (creator,)
    size = raw_output.array.shape
    same = creator._size
    self._size = same if same == size else size  # one object where possible
    variable = _new(Variable)
    variable.data = raw_output
    variable.creator = self
    variable._grad = None
    self._output_id = id(variable)
    try:
        if self._saved and self.save_for_backward.__func__ is not save_for_backward:
            return self._note_saved((a,), (variable,))
    except AttributeError:  # the instance was given a function
        return self._note_saved((a,), (variable,))
    return (variable,)


def call_with_two(self, a, b):
    if _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
        return call(self, a, b)
    try:
        first, second = edges = a.creator, b.creator
        if first._output_id != id(a) or second._output_id != id(b):
            return call(self, a, b)
        needs = self.needs_input_grad = _PAIRS[first.requires_grad, second.requires_grad]
    except (AttributeError, KeyError):
        return _call_by_the_book(self, a, b)
    try:
        raw_output = self._declared_forward(a.data, b.data)
    except Exception:
        self._check_call((a, b))
        raise
    self.requires_grad = True in needs
    self._edges = edges
    size = raw_output.array.shape
    same = first._size
    self._size = same if same == size else size
    variable = _new(Variable)
    variable.data = raw_output
    variable.creator = self
    variable._grad = None
    self._output_id = id(variable)
    try:
        if self._saved and self.save_for_backward.__func__ is not save_for_backward:
            return self._note_saved((a, b), (variable,))
    except AttributeError:  # the instance was given a function
        return self._note_saved((a, b), (variable,))
    return (variable,)


def call_with_three(self, a, b, c=None):
    if c is None:
        return call_with_two(self, a, b)
    if _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
        return call(self, a, b, c)
    try:
        first, second, third = edges = a.creator, b.creator, c.creator
        if first._output_id != id(a) or second._output_id != id(b) or third._output_id != id(c):
            return call(self, a, b, c)
    except AttributeError:
        return _call_by_the_book(self, a, b, c)
    needs = self.needs_input_grad = first.requires_grad, second.requires_grad, third.requires_grad
    try:
        raw_output = self._declared_forward(a.data, b.data, c.data)
    except Exception:
        self._check_call((a, b, c))
        raise
    self.requires_grad = any(needs)
    self._edges = edges
    self._size = raw_output.array.shape
    variable = _new(Variable)
    variable.data = raw_output
    variable.creator = self
    variable._grad = None
    self._output_id = id(variable)
    try:
        if self._saved and self.save_for_backward.__func__ is not save_for_backward:
            return self._note_saved((a, b, c), (variable,))
    except AttributeError:  # the instance was given a function
        return self._note_saved((a, b, c), (variable,))
    return (variable,)


_FOR_INPUTS = {1: call_with_one, 2: call_with_two, 3: call_with_three}
_SINGLE = {a: (a,) for a in (True, False)}
_PAIRS = {(a, b): (a, b) for a in (True, False) for b in (True, False)}


def _output_numbers(input):
    """Return the output number of each Variable; raise AttributeError if the book must record the call.

    One of them is no output of its creator, or its creator has its record in 2016's form. An instance that was called
    again has that form, so an edge without an id leads to an output of a first call: see `id_of_output`.
    """
    numbers = []
    for variable in input:
        creator, key = variable.creator, id(variable)
        output_id = creator._output_id
        if output_id == key:
            numbers.append(0)
        elif output_id.__class__ is tuple and key in output_id:
            numbers.append(output_id.index(key))
        else:
            raise AttributeError("creator")
    return tuple(numbers)


def save_for_backward(self, *tensors):
    """`SavedTensors.save_for_backward`, without a list of counts while all of them are 0."""
    if self._saved is not _NOTHING_SAVED:  # by an earlier call, or the book checks what is saved
        return _save_for_backward(self, *tensors)
    try:
        if len(tensors) == 2:
            a, b = tensors
            if a._writes or b._writes or a._base is not None or b._base is not None:
                first = a._writes if a._base is None else a._base._writes  # `writes`, inlined
                self._saved_versions = (first, b._writes if b._base is None else b._base._writes)
        else:
            for tensor in tensors:
                if tensor._writes or tensor._base is not None:
                    self._saved_versions = tuple([t._writes if t._base is None else t._base._writes for t in tensors])
                    break
    except AttributeError:  # something other than a Tensor
        return _save_for_backward(self, *tensors)
    self._saved = tensors


_NOTHING_SAVED = SavedTensors._saved


def saved_tensors(self):
    """`SavedTensors.saved_tensors`."""
    saved, versions = self._saved, self._saved_versions
    if not saved or _is_changed or versions.__class__ is list or self._unpack is not None:  # list: the book saved them
        return _saved_tensors(self)
    if len(versions) == 2:
        a, b = saved
        if (a._writes if a._base is None else a._base._writes) != versions[0]:
            return _saved_tensors(self)
        if (b._writes if b._base is None else b._base._writes) != versions[1]:
            return _saved_tensors(self)
    elif versions:
        for tensor, version in zip(saved, versions):
            if (tensor._writes if tensor._base is None else tensor._base._writes) != version:
                return _saved_tensors(self)
    else:
        for tensor in saved:
            if tensor._writes:
                return _saved_tensors(self)
    return saved


def checked(self):
    """`SavedTensors._checked`."""
    if self._saved and not self._saved_versions:
        self._saved_versions = [0] * len(self._saved)
    return _checked(self)


def check_count(self, grad_input, *source):
    """`Function._check_count`."""
    edges = self._edges
    if isinstance(edges, tuple) and len(grad_input) >= len(edges):
        count = len(edges)
        if grad_input[count:] == (None,) * (len(grad_input) - count):
            return grad_input[:count]
    return _check_count(self, grad_input, *source)


def check_gradient(self, grad, output_nr, like=None, source="got"):
    """`Function._check_gradient`. The `data` of a Leaf's Variable may have another shape by now."""
    if (
        like is not None
        or output_nr
        or not isinstance(grad, (Tensor, Variable))
        or grad.array.shape != self._size
        or isinstance(self, Leaf)
    ):
        _check_gradient(self, grad, output_nr, like, source)


def starting_gradient(self, data):
    """`Function._starting_gradient`."""
    one = _ONES.get(data.array.dtype) if data.array.shape == (1,) else None
    return _starting_gradient(self, data) if one is None else wrap(one.copy())


def own(gradients):
    """`function.own`, which does not copy the gradients in a list that nothing else refers to.

    The reference counts of such a tensor and of its array are two: that of the list or of the tensor, and that of the
    argument of `getrefcount`. A view refers to its base. No user's code has seen such a list, as it may have seen a
    tuple, and neither callers nor this function may keep a gradient or its array in a variable: Python 3.14 does not
    count the use of a variable as an argument, older versions do.
    """
    if gradients.__class__ is not list:
        return _own(gradients)
    for position in range(len(gradients)):
        if getrefcount(gradients[position]) == 2 and isinstance(gradients[position], Tensor):
            if getrefcount(gradients[position].array) == 2 and isinstance(gradients[position].array.base, _OWNERS):
                continue
        if gradients[position] is not None:
            gradients[position : position + 1] = _own(gradients[position : position + 1])
    return gradients


_OWNERS = (types.NoneType, Loan)  # the base of an array that views no other array


def tells_holders(count):
    """Return whether `count` is 2 for an object in one list or attribute, and 3 if a variable refers to it as well.

    Args:
        count: `sys.getrefcount`. Not all Pythons have it, or count what they borrow for a call.
    """
    held = wrap(numpy.zeros(1))
    array = held.array
    gradients = [wrap(numpy.zeros(1)), held]
    alone = count(gradients[0]), count(gradients[0].array)
    return alone == (2, 2) and (count(gradients[1]), count(gradients[1].array)) == (3, 3) and array is held.array


getrefcount = getattr(sys, "getrefcount", None)
if getrefcount is None or not tells_holders(getrefcount):
    getrefcount = lambda _: None  # noqa: E731  # every gradient is copied


_ONES = {dtype: numpy.ones(1, dtype) for dtype in map(numpy.dtype, ("float64", "float32"))}


# --- the record in 2016's form


def previous_functions(self):
    """Return the list [(creator, id)] of a call. Once read it is the record, so that an entry may be added to it."""
    if "previous_functions" not in self.__dict__:
        edges = self._edges
        if edges is None or edges is _HOOKED_BEFORE_ITS_CALL:
            return None
        if self.__class__ is Leaf:
            return []
        numbers = self._numbers or (0,) * len(edges)
        record = [(function, id_of_output(function, number)) for function, number in zip(edges, numbers)]
        self.__dict__["output_ids"] = output_ids(self)
        self.__dict__["previous_functions"] = record
        self._edges = False
    return self.__dict__["previous_functions"]


def _set_previous_functions(self, record):
    self.__dict__["previous_functions"] = record
    self._edges = False


def output_ids(self):
    """Return the dictionary {id: number} of a call. Once read it is the record, as above."""
    if "output_ids" not in self.__dict__:
        output_id = self._output_id
        if output_id is None:
            return None
        record = {key: i for i, key in enumerate(output_id if output_id.__class__ is tuple else (output_id,))}
        if self.__class__ is Leaf:
            return record
        self.__dict__["output_ids"] = record
        previous_functions(self)
        self._output_id = None
    return self.__dict__["output_ids"]


def _set_output_ids(self, record):
    if isinstance(self._edges, tuple) and self._edges is not _HOOKED_BEFORE_ITS_CALL:
        if self._first_outputs is None:  # by which the Functions behind it know its outputs
            self._first_outputs = {number: key for key, number in output_ids(self).items()}
        self.__dict__["previous_functions"] = previous_functions(self)
        self._edges = False
    self.__dict__["output_ids"] = record
    self._output_id = None


def _hooks(name):
    """Return a property that is kept in the attribute `name`. Setting it sends the walk the long way."""

    def set_hooks(self, hooks):
        setattr(self, name, hooks)
        if self._edges is None:
            self._edges = _HOOKED_BEFORE_ITS_CALL
        elif self._edges is not False:
            self._edges = LongWay(self._edges)

    return property(operator.attrgetter(name), set_hooks)


def output_nr(self, arg_id):
    """`Function._output_nr`."""
    output_id = self._output_id
    if output_id == arg_id:
        return 0
    if output_id.__class__ is tuple and arg_id in output_id:
        return output_id.index(arg_id)
    return _output_nr(self, arg_id)


def sources(self):
    """`SavedTensors._sources`."""
    edges = self._edges
    if not isinstance(edges, tuple) or _is_any_changed and [function for function in edges if function._by_the_book]:
        return _sources(self)
    return list(zip(edges, self._numbers or _FIRST_OUTPUTS))


_FIRST_OUTPUTS = itertools.repeat(0)


def link(self, sources, variable):
    """`SavedTensors._link`."""
    edges = tuple([function for function, _ in sources])
    if [function for function in (self, *edges) if function._by_the_book]:
        _link(self, sources, variable)
        return
    numbers = tuple([number for _, number in sources])
    self._edges = LongWay(edges) if [function for function in edges if function._size is None] else edges
    if any(numbers):
        self._numbers = numbers
    self._output_id, self._size = id(variable), variable.data.array.shape
    self.needs_input_grad = tuple([function.requires_grad for function in edges])
    self.requires_grad = True in self.needs_input_grad


def id_of_output(self, number):
    """`SavedTensors._id_of_output`."""
    output_id = self._output_id
    if self._first_outputs is not None:
        return self._first_outputs[number]
    if output_id is None:
        return _id_of_output(self, number)
    return output_id[number] if output_id.__class__ is tuple else output_id


def rename_output(self, key, new_key):
    """`CalledAgain._rename_output`."""
    output_id = self._output_id
    if output_id == key:
        self._output_id = new_key
    elif output_id.__class__ is tuple and key in output_id:
        self._output_id = tuple([new_key if own == key else own for own in output_id])
    else:
        _rename_output(self, key, new_key)


def output_sizes(self):
    """Return the shapes of the outputs of a call."""
    return self._sizes if self._size is None else [self._size]


def _set_output_sizes(self, sizes):
    self._size, self._sizes = (None, sizes) if self._by_the_book or len(sizes) != 1 else (sizes[0], ())


def leaf_init(self, variable, requires_grad):
    """`Leaf.__init__`."""
    if self._by_the_book:
        _leaf_init(self, variable, requires_grad)
        return
    self._variable = weakref.ref(variable)
    self.requires_grad = requires_grad
    self._size = variable.data.array.shape
    self._edges, self._output_id = (), id(variable)


# --- the walk


def run_backward(self, variable, grad, retain_variables=True):
    """`ExecutionEngine.run_backward`, with the other methods of the engine written in.

    `ready` is a stack of nested tuples: (Function, the gradient of its output, the rest of the stack). The gradient is
    None if none came, and for several outputs: then `arrived` has the list of them.
    """
    if (
        _is_changed
        or _methods_of_engine(type(self)) != _engine_of_twin
        or not _names_of_engine.isdisjoint(self.__dict__)
        or (_is_watched or _gettrace() is not None or _monitoring is not None)
        and _is_debugged()
    ):
        return _run_backward(self, variable, grad, retain_variables)
    root = variable.creator
    waits_for = _count(root)
    if waits_for is None:
        return _run_backward(self, variable, grad, retain_variables)
    arrived = {}  # {Function: its gradient so far, or the list of them for several outputs}
    if root._output_id != id(variable):
        gradients = [None] * len(root._output_sizes)
        gradients[root._output_nr(id(variable))] = grad
        grad, arrived[root] = None, self._complete(root, gradients)
    ready = (root, grad, None)
    while ready:
        fn, grad, ready = ready
        edges, backward = fn._edges, _plain.get(type(fn))
        if backward is None or edges.__class__ is not tuple or grad is None or _around_backward.callbacks:
            container = [arrived.pop(fn, fn._if_no_gradient_came) if grad is None else [grad]]
            grad = grad_input = None  # only the list holds the gradients now: see `own`
            ready = _long_way(self, fn, container, waits_for, arrived, ready)
        elif type(fn) is Leaf:
            _add_to_leaf(fn, grad)
        else:  # an operation of this package, whose gradients are Tensors of the right shapes
            grad_input = backward(fn, grad)
            if grad_input.__class__ is not tuple:
                grad_input = (grad_input,)
            for prev_fn, grad in zip(edges, grad_input):
                if prev_fn.requires_grad:
                    if grad is None or prev_fn in waits_for:
                        ready = _arrive(self, prev_fn, 0, grad, waits_for, arrived, ready)
                    else:
                        ready = (prev_fn, grad, ready)
        if not retain_variables:
            fn._free_saved()
    for callback in _backward_ended.callbacks:
        callback(root)


def _long_way(engine, fn, container, waits_for, arrived, ready):
    """Run a Function that has hooks, callbacks, a user's code, several outputs or no gradient. Return `ready`."""
    grad_input = _run(fn, container)
    for position, ((prev_fn, number), grad) in enumerate(zip(sources(fn), grad_input)):
        if prev_fn.requires_grad:
            if grad is not None:
                source = f"{type(fn).__name__}.backward returned for input {position}"
                prev_fn._check_gradient(grad, number, None, source)
            ready = _arrive(engine, prev_fn, number, grad, waits_for, arrived, ready)
    return ready


def _add_to_leaf(leaf, grad):
    """`Leaf._do_backward` of a Leaf without hooks."""
    variable = leaf._variable()
    if variable is None:
        return
    if _around_accumulate.callbacks:
        _around_accumulate.run(leaf, leaf._accumulate, (variable, grad))
        return
    with leaf._lock:
        before = variable._grad
        if type(before) is type(grad) and before._base is None:
            total, added = before.array, grad.array
            if total.shape == added.shape == variable.data.array.shape == leaf._size:
                try:
                    if total.size == 1:
                        total[()] = _add(total, added)  # numpy takes twice as long to add one element in place
                    else:
                        _add(total, added, total)
                except ValueError:  # read-only
                    pass
                else:
                    before._writes += 1
                    return
        leaf._check_gradient(grad, 0)
        leaf._accumulate(variable, grad)


def _arrive(engine, prev_fn, number, grad, waits_for, arrived, ready):
    """Note a gradient of output `number` of `prev_fn`. Return `ready`, with `prev_fn` if that was its last gradient."""
    remaining = waits_for.get(prev_fn, 1) - 1
    waits_for[prev_fn] = remaining
    if prev_fn._size is None:
        gradients = arrived.setdefault(prev_fn, [None] * len(prev_fn._sizes))
        if grad is not None:
            engine._add(gradients, prev_fn, number, grad)
        if not remaining:
            arrived[prev_fn] = engine._complete(prev_fn, gradients)
        grad = None
    else:
        waiting = arrived.pop(prev_fn, None)
        if grad is None:
            grad = waiting
        elif waiting is not None:
            grad = waiting.add(grad)
        if remaining:
            arrived[prev_fn] = grad
    return ready if remaining else (prev_fn, grad, ready)


def _run(fn, container):
    """`ExecutionEngine._run` where hooks, callbacks or a user's code take part; Leaf's, too.

    `container` is a list that alone holds the list of gradients, or what a Function runs with if none came.
    """
    if container[0] is None:
        return (None,) * len(fn.previous_functions if fn._edges is False else fn._edges)
    if fn._variable_hooks is not NOTHING_REGISTERED and fn._variable_hooks:
        container = [fn._run_variable_hooks(container.pop())]
    if _around_backward.callbacks or fn._by_the_book or isinstance(fn, Leaf):
        return _around_backward.run(fn, fn._do_backward, container.pop())
    grad_output = container.pop()
    runs_user_code = fn._runs_user_code or fn.backward_hooks is not NOTHING_REGISTERED
    if runs_user_code:
        grad_output = [*grad_output]
        grad_output = own(grad_output)
    grad_input = fn.backward(grad_output[0]) if len(grad_output) == 1 else fn.backward(*grad_output)
    if not isinstance(grad_input, tuple):
        grad_input = (grad_input,)
    if len(grad_input) != len(fn.previous_functions if fn._edges is False else fn._edges):
        grad_input = fn._check_count(grad_input)
    if runs_user_code:
        grad_input = [*grad_input]
        if fn.backward_hooks is NOTHING_REGISTERED:
            grad_output = None  # backward may return it
        grad_input = own(grad_input)
        for name, hook in list(fn.backward_hooks.items()):
            grad_input = [*fn._run_hook(name, hook, tuple(grad_input), tuple(grad_output))]
            grad_input = own(grad_input)
    return grad_input


def _count(root):
    """Return {Function: edges that lead to it from the root}, of those with several edges.

    Returns None if a Function has its record in 2016's form.
    """
    try:
        every = [root]
        for fn, _ in zip(every, _SMALL):
            every += fn._edges
        if len(every) <= len(_SMALL) and len(set(every)) == len(every):
            return {}  # a small tree
        several, seen, queue = {}, {root}, [root]
        for fn in queue:
            for prev_fn in fn._edges:
                if prev_fn.requires_grad:
                    if prev_fn in seen:
                        several[prev_fn] = several.get(prev_fn, 1) + 1
                    else:
                        seen.add(prev_fn)
                        if prev_fn.__class__ is not Leaf or prev_fn._edges is False:
                            queue.append(prev_fn)
    except TypeError:  # `_edges` is False
        return None
    return several


_SMALL = range(64)


def _is_debugged():
    """Return whether a debugger steps through the program, or another watcher; these find the book's lines."""
    if _is_watched or _forced:
        return _is_watched
    if sys.gettrace() is not None:
        return True
    return _monitoring is not None and _monitoring.get_tool(_monitoring.DEBUGGER_ID) is not None


_monitoring = getattr(sys, "monitoring", None)  # Python 3.12
_gettrace = sys.gettrace
_forced = os.environ.get(PLAIN) == "0"


# --- what a class, or an instance, may be called and walked with


class Watched:
    """A method that the twin does not look up on the instance. An instance that is given another is left to the book.

    Args:
        name: Its name.
        function: The method.
    """

    def __init__(self, name, function):
        self.name, self.function, self._was_assigned = name, function, False

    def __call__(self, *arguments, **keywords):
        """Run the method, for `vars(Mul)["forward"](…)`."""
        return self.function(*arguments, **keywords)

    def __get__(self, instance, owner=None):
        if instance is None:
            return self.function
        if self._was_assigned and self.name in instance.__dict__ and _found(type(instance), self.name) is self:
            return instance.__dict__[self.name]  # but `super()._do_backward(…)` in a subclass is the method
        return _Method(self.function, instance)

    def __set__(self, instance, method):
        self._was_assigned = True
        instance.__dict__[self.name] = method
        _leave_to_the_book(instance)

    def __delete__(self, instance):
        if self.name not in instance.__dict__:
            raise AttributeError(self.name)
        del instance.__dict__[self.name]


_Method = types.MethodType


def _found(cls, name):
    """Return an attribute of a class as it is stored there, not bound."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def _leave_to_the_book(function):
    """Let the book call a Function, and walk all graphs that it is part of: its record gets 2016's form."""
    global _is_any_changed
    _is_any_changed = True
    function._by_the_book = True
    edges = function._edges
    if edges is None or edges is _HOOKED_BEFORE_ITS_CALL:
        function._edges = _HOOKED_BEFORE_ITS_CALL
    elif edges is not False and isinstance(function, Leaf):
        function.__dict__.update(previous_functions=[], output_ids=output_ids(function))
        function._edges, function._output_id = False, None
    else:
        previous_functions(function)
        _set_output_sizes(function, output_sizes(function))
    if not function._saved:
        function._saved = [] if function._saved is not None else None  # a list: the book will save
    elif function._saved_versions.__class__ is tuple:
        function._saved_versions = list(function._saved_versions) or [0] * len(function._saved)


def begin_again(self):
    """`CalledAgain._begin_again`."""
    _begin_again(self)
    self._saved_positions = ()
    if self._by_the_book:
        _leave_to_the_book(self)


def _observe(cls):
    """Decide how Functions of a class and of its subclasses are called and walked: the class was made or changed."""
    for (owner, name), watched in _watched.items():
        if owner is cls and vars(cls).get(name) is watched.function:
            type.__setattr__(cls, name, watched)  # put back after a change
    classes = [cls]
    for cls in classes:
        if issubclass(cls, Function):
            _decide(cls)
        classes += type.__subclasses__(cls)


_watched: dict = {}  # {(class, name): Watched}
_book_of_function: dict = {}  # {name: what Function has under it as long as it was not changed}, of all such methods
_book_of_leaf: dict = {}  # the same of Leaf
_plain: dict = {}  # {class: its backward, which the walk runs without further checks}
_as_made: dict = {}  # {class of this package: its public attributes when it was made}
_edited: set = set()  # those of which one was assigned since
_once_fast: weakref.WeakSet = weakref.WeakSet()  # classes with whose instances the twin may have recorded graphs
_changed: weakref.WeakSet = weakref.WeakSet()  # those that lost a method of the book since: the book walks all graphs
_is_changed = False
_is_any_changed = False  # whether some instance or class of a program was ever left to the book


_MARKS = ("_by_the_book", "_saved", "_notes_itself", "_saved_positions", "_declared_forward")  # of classes


def _decide(cls):
    global _is_changed, _is_any_changed
    book = _book_of_leaf if issubclass(cls, Leaf) else _book_of_function
    by_the_book = any([_found(cls, name) is not expected for name, expected in book.items()])
    if by_the_book != cls._by_the_book:
        type.__setattr__(cls, "_by_the_book", by_the_book)
        type.__setattr__(cls, "_saved", [] if by_the_book else _NOTHING_SAVED)
    _is_any_changed = _is_any_changed or by_the_book and cls._runs_user_code
    if not by_the_book:
        _once_fast.add(cls)
    (_changed.add if by_the_book and cls in _once_fast else _changed.discard)(cls)
    _is_changed = len(_changed) > 0
    type.__setattr__(cls, "_notes_itself", _found(cls, "_note_saved") is not _watched[SavedTensors, "_note_saved"])

    own = vars(cls).get("__call__")
    if own is call and cls is not Function or hasattr(own, "is_copy"):
        type.__delattr__(cls, "__call__")
    is_ours = not by_the_book and cls is not Function and not (cls._runs_user_code or issubclass(cls, Leaf))
    if not cls._runs_user_code and cls is not Function:
        attributes = {name: value for name, value in vars(cls).items() if name[0] != "_"}
        public = {name: value.function if type(value) is Watched else value for name, value in attributes.items()}
        made = _as_made.setdefault(cls, public)
        is_as_made = made.keys() == public.keys() and all([made[name] is value for name, value in public.items()])
        (_edited.discard if is_as_made else _edited.add)(cls)
        is_ours = is_ours and _edited.isdisjoint(cls.__mro__)
        for name in ("forward", "backward"):
            if is_ours and isinstance(public.get(name), types.FunctionType):
                type.__setattr__(cls, name, Watched(name, public[name]))
    _plain.pop(cls, None)
    if cls is Leaf or is_ours and isinstance(_found(cls, "backward"), Watched):
        _plain[cls] = cls.backward
    inherited = cls.__call__
    if inherited is not call and not hasattr(inherited, "is_copy"):
        return  # a user's, or patched
    wanted, saves = call, getattr(cls.forward, "saves", None) if is_ours else None
    is_noted_here = not cls._notes_itself and cls.save_for_backward is save_for_backward
    if saves is not None and is_noted_here and isinstance(_found(cls, "forward"), Watched):
        written_out = _FOR_INPUTS[cls.forward.__code__.co_argcount - 1]
        # A copy for each class: the interpreter remembers in the code where it found the attributes of a class.
        wanted = types.FunctionType(written_out.__code__.replace(), globals(), "__call__", written_out.__defaults__)
        wanted.is_copy, wanted.__wrapped__ = True, _book_call
        type.__setattr__(cls, "_saved_positions", saves)
        type.__setattr__(cls, "_declared_forward", cls.forward)
    if wanted is not inherited:
        type.__setattr__(cls, "__call__", wanted)


# --- putting it in place


def digest():
    """Return a digest of the code of the files that are mirrored here, without comments, docstrings and layout.

    None where the sources are absent.
    """
    state = hashlib.sha256()
    layout = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    for name in MIRRORED:
        try:
            source = pathlib.Path(__file__).with_name(name).read_text(encoding="utf-8")
        except OSError:
            return None
        previous = tokenize.NEWLINE
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            is_docstring = token.type == tokenize.STRING and previous in (tokenize.NEWLINE, tokenize.INDENT)
            if token.type not in layout and not is_docstring:
                # Python 3.12 divides an f-string into tokens. Without the spaces both give the same text.
                state.update("".join(token.string.split()).encode())
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                previous = token.type
    return state.hexdigest()[:16]


_REPLACED = (
    (Function, "__call__", call),
    (Function, "_output_nr", output_nr),
    (Function, "_check_count", check_count),
    (Function, "_check_gradient", check_gradient),
    (Function, "_starting_gradient", starting_gradient),
    (SavedTensors, "save_for_backward", save_for_backward),
    (SavedTensors, "_checked", checked),
    (SavedTensors, "_sources", sources),
    (SavedTensors, "_link", link),
    (SavedTensors, "_id_of_output", id_of_output),
    (CalledAgain, "_rename_output", rename_output),
    (CalledAgain, "_begin_again", begin_again),
    (SavedTensors, "saved_tensors", property(saved_tensors, doc=SavedTensors.saved_tensors.__doc__)),
    (Function, "previous_functions", property(previous_functions, _set_previous_functions)),
    (Function, "output_ids", property(output_ids, _set_output_ids)),
    (Function, "_output_sizes", property(output_sizes, _set_output_sizes)),
    (Function, "backward_hooks", _hooks("_own_backward_hooks")),
    (Function, "_variable_hooks", _hooks("_own_variable_hooks")),
    (Function, "_own_backward_hooks", NOTHING_REGISTERED),
    (Function, "_own_variable_hooks", NOTHING_REGISTERED),
    (Function, "_edges", None),  # the creators of the inputs; False where the record is in 2016's form
    (Function, "_numbers", ()),  # which of their outputs the inputs are; () if all are output 0
    (Function, "_output_id", None),  # the id of the output, or a tuple of ids
    (Function, "_first_outputs", None),  # {number: id of the output} of the first call, once there was a second
    (Function, "_size", None),  # the shape of the output; None for several outputs
    (Function, "_sizes", ()),  # their shapes
    (Function, "_by_the_book", False),  # whether the book calls and walks it
    (Function, "_notes_itself", False),  # whether its class has a `_note_saved` of its own
    (Leaf, "__init__", leaf_init),
    (function, "own", own),
    (ExecutionEngine, "run_backward", run_backward),
)


# The methods that the twin writes out, or does not always call. A class that has others is left to the book.
_WATCHED = (
    (Function, "_do_forward"), (Function, "_check_call"), (SavedTensors, "_note_saved"), (SavedTensors, "_position"),
    (Function, "_do_backward"), (Function, "_check_count"), (Function, "_check_gradient"), (Function, "_own"),
    (Function, "_output_nr"), (SavedTensors, "_checked"), (Function, "_run_hook"), (Function, "_run_variable_hooks"),
    (SavedTensors, "_id_of_output"), (Leaf, "_do_backward"), (Leaf, "_accumulate"),
)  # fmt: skip


@contextlib.contextmanager
def the_books_walk():
    """Let backward take the book's walk within this context, so that its methods can be watched."""
    global _is_watched
    before, _is_watched = _is_watched, True
    try:
        yield
    finally:
        _is_watched = before


_is_watched = False
_ABSENT = object()
_engine_of_twin: tuple = ()  # the engine's methods, as long as none was replaced
_of_the_book: dict = {}  # {(class, name): what the twin replaced}


def install():
    """Put the twin in place of the book's methods, unless it was left out or the book was edited."""
    if os.environ.get(PLAIN) == "1" or _of_the_book:
        return
    if digest() not in (None, MIRRORS):
        warnings.warn(
            f"the files of the book ({', '.join(MIRRORED)}) were edited: legacy_autograd runs them as they are, "
            "without its fast twin (fast.py)",
            stacklevel=2,
        )
        return
    for owner, name, replacement in _REPLACED:
        _of_the_book[owner, name] = vars(owner).get(name, _ABSENT)
        if isinstance(replacement, property):
            replacement.__set_name__(owner, name)  # for its messages
        if callable(replacement):
            replacement.__wrapped__ = getattr(owner, name)  # inspect.getsource shows the book
            replacement.__doc__ = replacement.__wrapped__.__doc__
        setattr(owner, name, replacement)
    global _engine_of_twin
    _engine_of_twin = _methods_of_engine(ExecutionEngine)
    for owner, name in _WATCHED:
        _of_the_book.setdefault((owner, name), vars(owner)[name])
        _watched[owner, name] = Watched(name, vars(owner)[name])
        setattr(owner, name, _watched[owner, name])
    names = {name for _, name in _WATCHED} - {"_note_saved"}
    _book_of_function.update({name: _found(Function, name) for name in names if hasattr(Function, name)})
    _book_of_leaf.update({name: _found(Leaf, name) for name in (*names, "variable", "_output_sizes")})
    ObservedClass.observer = _observe
    _observe(Function)


def remove():
    """Put the book's methods back. Graphs that were made before must not be used afterwards."""
    Function.__call__ = _book_call  # which removes the copies of `call`
    ObservedClass.observer = None
    classes = type.__subclasses__(Function)
    for cls in classes:
        classes += type.__subclasses__(cls)
        for name, value in list(vars(cls).items()):
            if isinstance(value, Watched):
                type.__setattr__(cls, name, value.function)
            elif name in _MARKS:
                type.__delattr__(cls, name)
    for (owner, name), original in _of_the_book.items():
        if original is _ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, original)
    _of_the_book.clear()
