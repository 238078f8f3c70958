"""`Function.__call__`, `_do_forward` and the record of a call in one: for any Function, and for declared operations.

An operation that declares what it saves (`functions/_utils.py`) has a `forward` that returns new Tensors, or one view.
If it is one, the call has the first two inputs written out: else a chain of scalars takes a third longer.
"""

from ...tensor import Tensor
from ...tensor.dtypes import FLOATING
from .. import callbacks
from ..function import Function
from ..variable import Variable
from .record import LongWay, TwinSavedTensors

_around_call, _new = callbacks.around_call, object.__new__
_book_call, _variable_init = Function.__call__, Variable.__init__
_save_for_backward = TwinSavedTensors.save_for_backward
_ABSENT, _YES, _NO = object(), (True,), (False,)
_AFTER_YES, _AFTER_NO = ((True, True), (True, False)), ((False, True), (False, False))


def call(self, *input):
    """Call any Function. It has edges already if it was called or hooked before, or is a Leaf, or left to the book."""
    if _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
        return _by_the_book(self, input)
    edges, tensors, numbers = [], [], ()
    try:
        for arg in input:
            creator = arg.creator
            edges.append(creator)
            tensors.append(arg.data)
            if creator._output_id != id(arg) and not numbers:
                numbers = _output_numbers(input)
    except (AttributeError, ValueError):  # an input is no Variable, or its creator has its record in 2016's form
        return _by_the_book(self, input)
    needs = self.needs_input_grad = tuple([creator.requires_grad for creator in edges])
    try:
        raw_output = self.forward(*tensors)
    except Exception:
        self._check_call(input)  # `data` might not be a Tensor
        raise
    self.needs_input_grad, self.requires_grad, self._numbers = needs, any(needs), numbers
    if isinstance(raw_output, Tensor):
        variable = _new(Variable)
        variable.data, variable.creator, variable._grad = raw_output, self, None
        output = (variable,)
        self._output_id, self._size = id(variable), raw_output.array.shape
    else:
        if not isinstance(raw_output, tuple):
            self._check_call(input)
            raw_output = (raw_output,)
        output = tuple([Variable(tensor, self) for tensor in raw_output])
        self._output_id = tuple(map(id, output))
        self._output_sizes = [tensor.array.shape for tensor in raw_output]
    self._edges = LongWay(edges) if numbers else tuple(edges)
    declared = self._declared_forward and getattr(self.save_for_backward, "__func__", None) is _save_for_backward
    is_noted = False
    if not declared or (self._saved and not self._saved_positions):
        is_noted = type(raw_output) is tuple or self._saved or self._notes_itself or self.non_differentiable
        is_noted = is_noted or raw_output.array.dtype not in FLOATING or [x for x in tensors if x is raw_output]
    if is_noted:
        self._saved_positions = ()
        output = self._note_saved(input, output)
    elif type(raw_output) is not tuple and raw_output._base is not None:
        self._note_views(input, output)
    return output if self._returns_tuple or len(output) > 1 else output[0]


def call_declared(self, a=_ABSENT, b=_ABSENT, /, *others):
    """Call an operation that declares what it saves. One input or two are written out, further ones take a loop."""
    if _around_call.callbacks or self._edges is not None or Variable.__init__ is not _variable_init:
        return call(self, *_given(a, b, others))
    try:
        first = a.creator
        if first._output_id != id(a):  # one of several outputs, or none
            return call(self, *_given(a, b, others))
        if b is _ABSENT:
            edges, needs = (first,), _YES if first.requires_grad else _NO
            self.needs_input_grad = needs
            raw_output = self._declared_forward(a.data)
        else:
            second = b.creator
            if second._output_id != id(b):
                return call(self, a, b, *others)
            edges, pairs = (first, second), _AFTER_YES if first.requires_grad else _AFTER_NO
            needs = pairs[0] if second.requires_grad else pairs[1]
            for arg in others:
                creator = arg.creator
                if creator._output_id != id(arg):
                    return call(self, a, b, *others)
                edges, needs = edges + (creator,), needs + (creator.requires_grad,)
            self.needs_input_grad = needs
            if not others:
                raw_output = self._declared_forward(a.data, b.data)
            elif len(others) == 1:
                raw_output = self._declared_forward(a.data, b.data, arg.data)
            else:
                raw_output = self._declared_forward(a.data, b.data, *[arg.data for arg in others])
    except Exception:
        input = _given(a, b, others)
        if self.needs_input_grad is None or self._declared_forward is None:  # an input is no Variable; a subclass
            return call(self, *input)
        self._check_call(input)
        raise
    self.requires_grad, self._edges = True in needs, edges
    size, same = raw_output.array.shape, first._size
    self._size = same if same == size else size  # one object where possible
    variable = _new(Variable)
    variable.data, variable.creator, variable._grad = raw_output, self, None
    self._output_id = id(variable)
    if self._saved:
        if not self._saved_positions or getattr(self.save_for_backward, "__func__", None) is not _save_for_backward:
            return self._note_saved(_given(a, b, others), (variable,))
    elif raw_output._base is not None:
        self._note_views((a,) if b is _ABSENT else (a, b, *others), (variable,))
    return (variable,)


def _given(a, b, others):
    return tuple([arg for arg in (a, b, *others) if arg is not _ABSENT])


def _by_the_book(self, input):
    if self.previous_functions is None:  # it was not called before
        self._saved_positions, self._declared_forward = (), None  # not those of its class: the call may fail
    return _book_call(self, *input)


def _output_numbers(input):
    """Return the output number of each Variable; ValueError if one is no output, or has a record in 2016's form."""
    numbers = []
    for variable in input:
        output_id = variable.creator._output_id
        ids = output_id if type(output_id) is tuple else (output_id,)
        numbers.append(ids.index(id(variable)))
    return tuple(numbers)
