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
_ABSENT = object()
_SINGLE = {a: (a,) for a in (True, False)}
_PAIRS = {(a, b): (a, b) for a in (True, False) for b in (True, False)}


def call(self, *input):
    """Call any Function. It has edges already if it was called or hooked before, or is a Leaf, or left to the book."""
    if _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
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
    self.needs_input_grad, self.requires_grad = needs, any(needs)
    edges = tuple(edges)
    if numbers:
        edges, self._numbers = LongWay(edges), numbers
    if declared is None and not isinstance(raw_output, Tensor):
        if not isinstance(raw_output, tuple):
            self._check_call(input)
            raw_output = (raw_output,)
        output = tuple([Variable(tensor, self) for tensor in raw_output])
        self._output_id = tuple(map(id, output))
        self._output_sizes = [tensor.array.shape for tensor in raw_output]
        is_noted = True
    else:
        variable = _new(Variable)
        variable.data, variable.creator, variable._grad = raw_output, self, None
        output = (variable,)
        self._output_id, self._size = id(variable), raw_output.array.shape
        is_noted = self._saved and not (declared and _saved_as_declared(self))
        is_noted = (
            is_noted
            or declared is None
            and (
                self._notes_itself
                or self.non_differentiable
                or raw_output._base is not None
                or raw_output.array.dtype not in FLOATING
                or [tensor for tensor in tensors if tensor is raw_output]
            )
        )
    self._edges = edges
    if is_noted:
        self._saved_positions = ()
        output = self._note_saved(input, output)
    return output if declared is not None or self._returns_tuple or len(output) > 1 else output[0]


def call_one_or_two(self, a=_ABSENT, b=_ABSENT, /, *others):
    """Call an operation that declares what it saves, with one input or two. `call` takes everything unusual."""
    if others or _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
        return _call_any(self, a, b, others)
    try:
        first = a.creator
        if first._output_id != id(a):  # one of several outputs, or none
            return _call_any(self, a, b, others)
        if b is _ABSENT:
            edges, needs = (first,), _SINGLE[first.requires_grad]
        else:
            second = b.creator
            if second._output_id != id(b):
                return _call_any(self, a, b, others)
            edges, needs = (first, second), _PAIRS[first.requires_grad, second.requires_grad]
    except (AttributeError, KeyError):
        return _call_any(self, a, b, others)
    self.needs_input_grad = needs
    try:
        raw_output = self._declared_forward(a.data) if b is _ABSENT else self._declared_forward(a.data, b.data)
    except Exception:
        input = (a,) if b is _ABSENT else (a, b)
        if self._declared_forward is None:  # a program's subclass, which called `super().__call__`
            return call(self, *input)
        self._check_call(input)
        raise
    self.requires_grad = True in needs
    self._edges = edges
    size, same = raw_output.array.shape, first._size
    self._size = same if same == size else size  # one object where possible
    variable = _new(Variable)
    variable.data, variable.creator, variable._grad = raw_output, self, None
    self._output_id = id(variable)
    if not self._saved or _saved_as_declared(self):
        return (variable,)
    return self._note_saved((a,) if b is _ABSENT else (a, b), (variable,))


def _call_any(self, a, b, others):
    return call(self, *[arg for arg in (a, b, *others) if arg is not _ABSENT])


def _saved_as_declared(self):
    """Return whether the class's `save_for_backward` saved: an instance may have another."""
    return getattr(self.save_for_backward, "__func__", None) is _save_for_backward


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
        ids = output_id if type(output_id) is tuple else (output_id,)
        if id(variable) not in ids:
            raise AttributeError("creator")
        numbers.append(ids.index(id(variable)))
    return tuple(numbers)
