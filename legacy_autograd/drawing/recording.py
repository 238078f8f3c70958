"""`record()` notes what each Function returned and which module was running.

The graph keeps neither: a Function knows only the ids of its outputs, and no modules. Variables and modules are held by
weak references. Of a tensor only its first numbers, its mean and its norm are noted. So recording keeps no object
alive.
"""

import contextlib
import itertools
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..autograd import callbacks
from ..autograd.function import Function
from ..autograd.leaf import Leaf
from ..backends import cudnn
from .expressions import Caller, operand_names
from .labels import tensor_record
from .replaced import replaced


@dataclass(slots=True)
class FunctionRecord:
    """What `record()` noted for one Function: weak references to its outputs, and its module call or None.

    `outputs` contains None for an output that the graph does not link to the Function. `values` are the outputs'
    tensors as records (labels.py). `expression` is the program's text of the call, and `names` are {number of an
    output: the program's name for it where it was an operand}. `sequence` counts the recorded calls.
    """

    outputs: list
    module_call: object
    values: list
    expression: str | None = None
    names: dict = field(default_factory=dict)
    sequence: int = 0


class ModuleCall:
    """One call of an nn.Module: its name and class, the call that made it, and whether it made others."""

    def __init__(self, module, parent):
        self.module = weakref.ref(module)
        self.class_name = type(module).__name__
        self.parent = parent
        self.is_innermost = True
        if parent is None:
            self._names = _names_inside(module)
            self.depth = 0
        else:
            parent.is_innermost = False
            self._names = parent._names
            self.depth = parent.depth + 1
        self.name = self._names.get(id(module), "")

    @property
    def title(self):
        """For example 'conv1 Conv2d'; for the outermost module only the class."""
        return f"{self.name} {self.class_name}".strip()

    def outer(self, depth):
        """Return the enclosing call at `depth` (the outermost has 0), or None if this call is not that deep."""
        call = self
        while call is not None and call.depth > depth:
            call = call.parent
        return call if call is not None and call.depth == depth else None


_records: weakref.WeakKeyDictionary[Function, FunctionRecord] = weakref.WeakKeyDictionary()
_running = threading.local()
_calls = itertools.count(1)


@contextlib.contextmanager
def record() -> Iterator[None]:
    """Within the block, note what a later drawing needs: outputs that may be gone by then, and modules.

    Without `record`, a drawing shows only outputs that still have a name in the caller's code, and cannot fold modules.
    A trace then also contains all values of the forward pass, not only those that still exist. Recurrent layers run
    step by step, `torch.backends.cudnn.flags(enabled=False)`. Blocks may be nested.

    Example:
        >>> import legacy_autograd as torch
        >>> from legacy_autograd import drawing
        >>> x = torch.autograd.Variable(torch.DoubleTensor([[1, 2]]))
        >>> with drawing.record():
        ...     y = torch.nn.Linear(2, 1).double()(x)
        >>> drawing.make_dot(y, fold="modules").nodes
        5
    """
    reason = callbacks.Reason()
    try:
        for registration in _registrations:
            registration.add(reason)
        with cudnn.flags(enabled=False):
            yield
    finally:
        for registration in _registrations:
            registration.drop(reason)


def record_of(function):
    """Return the `FunctionRecord` of `function`, or None if it was not called under `record()`."""
    return _records.get(function)


def _note_call(function, proceed, *variables):
    outputs = proceed(*variables)
    if function._output_sizes:
        # An output marked non-differentiable is returned as a leaf, which the graph does not link to this Function.
        linked = [weakref.ref(v) if v.creator is function else None for v in outputs]
        values = [tensor_record(v.data) for v in outputs]
        caller = Caller()
        noted = FunctionRecord(
            linked, getattr(_running, "call", None), values, caller.expression(), sequence=next(_calls)
        )
        _records[function] = noted
        _forget_inner_expression(caller, noted)
        for variable in variables:
            if isinstance(variable.creator, Leaf) and variable.creator not in _records:
                _records[variable.creator] = FunctionRecord([], None, [tensor_record(variable.data)])
        _note_names(noted.expression, function, variables)
    return outputs


def _note_names(expression, function, variables):
    """Note the names of the operands in the text of a call, for those that have none yet."""
    names = operand_names(expression, type(function)) if expression is not None else ()
    if len(names) != len(variables):
        return
    for name, variable in zip(names, variables, strict=True):
        record, number = _records.get(variable.creator), (variable.creator.output_ids or {}).get(id(variable))
        if name is not None and record is not None and number is not None:
            record.names.setdefault(number, name)


def _forget_inner_expression(caller, noted):
    """The expression of a composite operation, such as `loss.mse(x)`, is the text of its last Function only."""
    before, path, last = getattr(_running, "expression", (None, [], None))
    if before == caller.place and path != caller.path and last is not None:
        last.expression = None
    _running.expression = (caller.place, caller.path, noted)


def _note_module(module, proceed, *input):
    call = ModuleCall(module, getattr(_running, "call", None))
    with replaced({(_running, "call"): call}):
        return proceed(*input)


def _names_inside(module):
    """Return {id: path} of the modules inside `module`, or {} if it has no `named_modules`."""
    if not hasattr(module, "named_modules"):
        return {}
    return {id(inner): name for name, inner in module.named_modules()}


_registrations = (
    callbacks.WhileNeeded(callbacks.around_call, _note_call),
    callbacks.WhileNeeded(callbacks.around_module, _note_module),
)
