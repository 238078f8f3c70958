"""`record()`: notes, while it is on, what each Function returned and which module was running.

The graph itself does not keep either: a Function knows only the ids of its outputs, and nothing of modules. Variables
and modules are held weakly, and of a tensor only its first numbers, its mean and its norm are noted, so recording keeps
nothing alive.
"""

import contextlib
import threading
import weakref
from dataclasses import dataclass

from ..autograd import callbacks
from ..autograd.leaf import Leaf
from .labels import tensor_record


@dataclass(slots=True)
class FunctionRecord:
    """What `record()` noted of one Function: weak references to its outputs, and the module call it ran in, or None.

    In place of an output that the graph does not link to the Function, `outputs` has None. `values` are the outputs'
    tensors as records (labels.py).
    """

    outputs: list
    module_call: object
    values: list


class ModuleCall:
    """One call of an nn.Module: its name, what it is, the call it was made from, and whether it called others."""

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
        """For instance 'conv1 Conv2d'; of the outermost module the class alone."""
        return f"{self.name} {self.class_name}".strip()

    def outer(self, depth):
        """The enclosing call that stands at `depth`, the outermost having 0; None if this one is not that deep."""
        call = self
        while call is not None and call.depth > depth:
            call = call.parent
        return call if call is not None and call.depth == depth else None


_records: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
_running = threading.local()
_lock = threading.Lock()
_recordings = 0


@contextlib.contextmanager
def record():
    """Within the block, note what drawings cannot learn later: outputs that may be gone by then, and modules.

        with drawing.record():
            loss = criterion(model(x), y)
        drawing.make_dot(loss, fold="modules")

    Without it a drawing shows the outputs that the caller still has names for, and cannot fold by module. A trace knows
    then every value of the forward, and not only those that are still alive. It may be nested.
    """
    global _recordings
    with _lock:
        _recordings += 1
        if _recordings == 1:
            callbacks.around_call.register(_note_call)
            callbacks.around_module.register(_note_module)
    try:
        yield
    finally:
        with _lock:
            _recordings -= 1
            if _recordings == 0:
                callbacks.around_call.remove(_note_call)
                callbacks.around_module.remove(_note_module)


def record_of(function):
    """The `FunctionRecord` of `function`, or None if it was not called under `record()`."""
    return _records.get(function)


def _note_call(function, proceed, *variables):
    outputs = proceed(*variables)
    if function._output_sizes:
        # An output marked non-differentiable is returned as a leaf, which the graph does not link to this Function.
        linked = [weakref.ref(v) if v.creator is function else None for v in outputs]
        values = [tensor_record(v.data) for v in outputs]
        _records[function] = FunctionRecord(linked, getattr(_running, "call", None), values)
        for variable in variables:
            if isinstance(variable.creator, Leaf) and variable.creator not in _records:
                _records[variable.creator] = FunctionRecord([], None, [tensor_record(variable.data)])
    return outputs


def _note_module(module, proceed, *input):
    parent = getattr(_running, "call", None)
    _running.call = ModuleCall(module, parent)
    try:
        return proceed(*input)
    finally:
        _running.call = parent


def _names_inside(module):
    """{id: path} of the modules inside of `module`, as far as it can tell."""
    if not hasattr(module, "named_modules"):
        return {}
    return {id(inner): name for name, inner in module.named_modules()}
