"""`Function.__call__`, `_do_forward` and the record of a call in one.

A call for any number of inputs, and the same written out for one and for two. The written-out calls serve operations that
declare what they save (`functions/_utils.py`): their `forward` returns one Tensor, which it made itself. Without the
one for one input a chain with constants takes a fifth longer, without the one for two inputs a chain a third.
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

    An input that is no Variable has no creator or is no output of it: the book's call refuses it. A Function has edges
    already if it was called or hooked before, if it is a Leaf, or if it is left to the book.
    """
    if self._edges is not None or _around_call.callbacks or Variable.__init__ is not _variable_init:
        return _by_the_book(self, *input)
    edges, needs, tensors, numbers = [], [], [], ()
    try:
        for arg in input:
            creator = arg.creator
            if creator._output_id != id(arg):
                numbers = _output_numbers(input)
            edges.append(creator)
            needs.append(creator.requires_grad)
            tensors.append(arg.data)
    except AttributeError:
        return _by_the_book(self, *input)
    edges, needs = (LongWay if numbers else tuple)(edges), tuple(needs)
    self.needs_input_grad = needs
    declared = self._declared_forward
    try:
        raw_output = self.forward(*tensors) if declared is None else declared(*tensors)
    except Exception:
        self._check_call(input)  # `data` might not be a Tensor
        raise
    self.needs_input_grad, self.requires_grad = needs, any(needs)
    if numbers:
        self._numbers = numbers
    if not isinstance(raw_output, Tensor):
        if not isinstance(raw_output, tuple):
            self._check_call(input)
            raw_output = (raw_output,)
        output = tuple([Variable(tensor, self) for tensor in raw_output])
        self._output_id, self._edges = tuple(map(id, output)), edges
        self._output_sizes = [tensor.array.shape for tensor in raw_output]
        self._saved_positions = ()
        output = self._note_saved(input, output)
        return output if self._returns_tuple or len(output) > 1 else output[0]
    self._size = raw_output.array.shape
    variable = _new(Variable)
    variable.data, variable.creator, variable._grad = raw_output, self, None
    self._output_id, self._edges = id(variable), edges
    output = (variable,)
    if (
        self._saved and (declared is None or getattr(self.save_for_backward, "__func__", None) is not _save_for_backward)
        or declared is None
        and (
            self._notes_itself
            or self.non_differentiable
            or raw_output._base is not None
            or raw_output.array.dtype not in FLOATING
            or [tensor for tensor in tensors if tensor is raw_output]
        )
    ):
        self._saved_positions = ()
        output = self._note_saved(input, output)
    return output if self._returns_tuple or len(output) > 1 else output[0]


def _by_the_book(self, *input):
    if self.previous_functions is None:  # it was not called before
        self._saved_positions = ()  # not those that its class declares: the call may fail
    return _book_call(self, *input)


def call_with_one(self, a):
    if _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
        return call(self, a)
    try:
        creator = a.creator
        if creator._output_id != id(a):  # one of several outputs, or none
            return call(self, a)
        needs = self.needs_input_grad = _SINGLE[creator.requires_grad]
    except (AttributeError, KeyError):
        return _by_the_book(self, a)
    try:
        raw_output = self._declared_forward(a.data)
    except Exception:
        self._check_call((a,))  # `data` might not be a Tensor
        raise
    self.requires_grad = needs[0]
    self._edges = (creator,)
    size, same = raw_output.array.shape, creator._size
    self._size = same if same == size else size  # one object where possible
    variable = _new(Variable)
    variable.data, variable.creator, variable._grad = raw_output, self, None
    self._output_id = id(variable)
    try:
        if self._saved and self.save_for_backward.__func__ is not _save_for_backward:
            return self._note_saved((a,), (variable,))
    except AttributeError:
        return self._note_saved((a,), (variable,))  # the instance was given another
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
        return _by_the_book(self, a, b)
    try:
        raw_output = self._declared_forward(a.data, b.data)
    except Exception:
        self._check_call((a, b))
        raise
    self.requires_grad = True in needs
    self._edges = edges
    size, same = raw_output.array.shape, first._size
    self._size = same if same == size else size
    variable = _new(Variable)
    variable.data, variable.creator, variable._grad = raw_output, self, None
    self._output_id = id(variable)
    try:
        if self._saved and self.save_for_backward.__func__ is not _save_for_backward:
            return self._note_saved((a, b), (variable,))
    except AttributeError:
        return self._note_saved((a, b), (variable,))
    return (variable,)


def _output_numbers(input):
    """Return the output number of each Variable; raise AttributeError if the book must record the call.

    One of them is no output of its creator, or its creator has its record in 2016's form. An instance that was called
    again has that form, so an edge without an id leads to an output of a first call: see `_id_of_output`.
    """
    numbers = []
    for variable in input:
        output_id, key = variable.creator._output_id, id(variable)
        if output_id == key:
            numbers.append(0)
        elif output_id.__class__ is tuple and key in output_id:
            numbers.append(output_id.index(key))
        else:
            raise AttributeError("creator")
    return tuple(numbers)
