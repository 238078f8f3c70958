"""`Function.__call__`, `_do_forward` and the record of a call in one: for any number of inputs, and for one or two.

The second is for operations that declare what they save (`functions/_utils.py`): their `forward` returns one Tensor,
which it made itself. Without it a chain of scalar operations takes a third longer.
"""

from ...tensor import Tensor
from ...tensor.dtypes import FLOATING
from .. import callbacks
from ..function import Function
from ..variable import Variable
from .record import LongWay, TwinSavedTensors

_around_call = callbacks.around_call
_new = object.__new__
_book_call, _variable_init = Function.__call__, Variable.__init__
_save_for_backward = TwinSavedTensors.save_for_backward
_SINGLE = {a: (a,) for a in (True, False)}
_PAIRS = {(a, b): (a, b) for a in (True, False) for b in (True, False)}


def call(self, *input):
    """Call any Function.

    A Function has edges already if it was called or hooked before, if it is a Leaf, or if it is left to the book.
    """
    if self._edges is not None or _around_call.callbacks or Variable.__init__ is not _variable_init:
        return _by_the_book(self, input)
    edges, needs, tensors, numbers = [], [], [], ()
    try:
        for arg in input:
            creator = arg.creator
            edges.append(creator)
            needs.append(creator.requires_grad)
            tensors.append(arg.data)
            if creator._output_id != id(arg) and not numbers:
                numbers = _output_numbers(input)
    except AttributeError:  # an input is no Variable, or its creator has its record in 2016's form
        return _by_the_book(self, input)
    needs = self.needs_input_grad = tuple(needs)
    declared = self._declared_forward
    try:
        raw_output = self.forward(*tensors) if declared is None else declared(*tensors)
    except Exception:
        self._check_call(input)  # `data` might not be a Tensor
        raise
    if declared is None:
        self.needs_input_grad = needs
    self.requires_grad = any(needs)
    edges = tuple(edges)
    if numbers:
        edges, self._numbers = LongWay(edges), numbers
    if declared is not None or isinstance(raw_output, Tensor):
        variable = _new(Variable)
        variable.data, variable.creator, variable._grad = raw_output, self, None
        output = (variable,)
        self._output_id, self._size = id(variable), raw_output.array.shape
        if declared is not None and (not self._saved or _saves_as_declared(self)):
            self._edges = edges
            return output
        is_noted = (
            self._saved
            or self._notes_itself
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
        self._output_id = tuple(map(id, output))
        self._output_sizes = [tensor.array.shape for tensor in raw_output]
        is_noted = True
    self._edges = edges
    if is_noted:
        self._saved_positions = ()
        output = self._note_saved(input, output)
    return output if self._returns_tuple or len(output) > 1 else output[0]


def call_with_one(self, a):
    if _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
        return call(self, a)
    try:
        creator = a.creator
        if creator._output_id != id(a):  # one of several outputs, or none
            return call(self, a)
        needs = self.needs_input_grad = _SINGLE[creator.requires_grad]
    except (AttributeError, KeyError):
        return call(self, a)
    try:
        raw_output = self._declared_forward(a.data)
    except Exception:
        return _refused(self, (a,))
    self.requires_grad = needs[0]
    self._edges = (creator,)
    size, same = raw_output.array.shape, creator._size
    self._size = same if same == size else size  # one object where possible
    variable = _new(Variable)
    variable.data, variable.creator, variable._grad = raw_output, self, None
    self._output_id = id(variable)
    try:
        if not self._saved or self.save_for_backward.__func__ is _save_for_backward:  # `_saves_as_declared`, inlined
            return (variable,)
    except AttributeError:
        pass
    return self._note_saved((a,), (variable,))


def call_with_two(self, a, b):
    if _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
        return call(self, a, b)
    try:
        first, second = edges = a.creator, b.creator
        if first._output_id != id(a) or second._output_id != id(b):
            return call(self, a, b)
        needs = self.needs_input_grad = _PAIRS[first.requires_grad, second.requires_grad]
    except (AttributeError, KeyError):
        return call(self, a, b)
    try:
        raw_output = self._declared_forward(a.data, b.data)
    except Exception:
        return _refused(self, (a, b))
    self.requires_grad = True in needs
    self._edges = edges
    size, same = raw_output.array.shape, first._size
    self._size = same if same == size else size
    variable = _new(Variable)
    variable.data, variable.creator, variable._grad = raw_output, self, None
    self._output_id = id(variable)
    try:
        if not self._saved or self.save_for_backward.__func__ is _save_for_backward:
            return (variable,)
    except AttributeError:
        pass
    return self._note_saved((a, b), (variable,))


def _refused(self, input):
    """Raise the current exception, or that of an input whose `data` is no Tensor. Call a subclass of a program."""
    if self._declared_forward is None:  # a program's subclass, which called `super().__call__`
        return call(self, *input)
    self._check_call(input)
    raise  # noqa: PLE0704  # the exception of `forward`


def _saves_as_declared(function):
    """Return whether an instance was not given another `save_for_backward`."""
    return getattr(function.save_for_backward, "__func__", None) is _save_for_backward


def _by_the_book(self, input):
    if self.previous_functions is None:  # it was not called before
        self._saved_positions = ()  # not those that its class declares: the call may fail
    return _book_call(self, *input)


def _output_numbers(input):
    """Return the output number of each Variable; raise AttributeError if the book must record the call.

    One of them is no output of its creator, or its creator has its record in 2016's form: it was called again.
    """
    numbers = []
    for variable in input:
        output_id = variable.creator._output_id
        ids = output_id if output_id.__class__ is tuple else (output_id,)
        if id(variable) not in ids:
            raise AttributeError("creator")
        numbers.append(ids.index(id(variable)))
    return tuple(numbers)
