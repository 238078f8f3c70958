"""v0.1.1's `Variable` (2016: `torch/autograd/variable.py`)."""

import numpy

from ..autograd.variable import Variable
from ..modern_names import Absent
from ..tensor.base import wrap
from . import operations
from .engine import HalfRepairedEngine, HistoricalEngine
from .function import HistoricalLeaf


class HistoricalVariable(Variable):
    """A Variable of v0.1.1, with only the methods that it had. All operations on it are historical."""

    _execution_engine = HistoricalEngine()
    _fallthrough_methods = {"size", "stride", "nElement", "numel", "dim"}

    def __init__(self, tensor, creator=None, requires_grad=True):
        # Not checked: E5 wraps a number.
        self.data = tensor
        self._grad = None
        self.creator = HistoricalLeaf(self, requires_grad) if creator is None else creator

    __reduce__ = object.__reduce__
    __deepcopy__ = None  # type: ignore[assignment]  # that of any object

    def __setstate__(self, state):
        for attributes in state:
            for name, value in (attributes or {}).items():
                setattr(self, name, value)

    @property  # type: ignore[misc]  # cannot be set, as in v0.1.1
    def grad(self):
        """Zeros before the first backward; always zeros for the result of an operation (F4)."""
        if self._grad is None and self.creator.requires_grad:
            self._grad = self.data.new(self.data.size()).zero_()
        return self._grad

    def backward(self, gradient=None):
        """Run backward as today; the default gradient is a vector of one element, whatever the shape of `data` (E8)."""
        if gradient is None:
            if self.data.numel() != 1:
                raise RuntimeError(
                    "backward should be called only on a scalar (i.e. 1-element tensor) or with gradient w.r.t. "
                    "the variable"
                )
            gradient = wrap(numpy.ones(1, self.data.array.dtype))
        self._execution_engine.run_backward(self, gradient)

    def register_hook(self, name, hook):
        """Register `hook(grad_input, grad_output)` on the creator under `name`, which must be new."""
        self.creator.register_hook(name, hook, self)

    def add(self, other):
        return self._with(other, "Add")

    def sub(self, other):
        return self._with(other, "Sub")

    def mul(self, other):
        return self._with(other, "Mul")

    def div(self, other):
        return self._with(other, "Div")

    def pow(self, other):
        return self._with(other, "Pow")

    def _with(self, other, name):
        if isinstance(other, Variable):
            return getattr(operations, name)()(self, other)[0]
        return getattr(operations, name + "Constant")(other)(self)[0]  # E9: also for a Tensor

    def view(self, *sizes):
        return operations.View(*sizes)(self)[0]

    def t(self):
        return operations.Transpose(0, 1)(self)[0]

    def transpose(self, dim1, dim2):
        return operations.Transpose(dim1, dim2)(self)[0]

    def type(self, t):
        return self if t is type(self.data) else operations.Copy(t)(self)[0]

    def __getitem__(self, key):
        return operations.Index(key)(self)[0]

    def __iter__(self):
        # As Python does for a class without __iter__: index with 0, 1, 2, … until an IndexError, which is never raised.
        number = 0
        while True:
            yield self[number]
            number += 1

    def __rsub__(self, other):
        return operations.SubConstant(other, sub_tensor=True)(self)[0]

    def __rtruediv__(self, other):
        return operations.DivConstant(other, div_by_tensor=True)(self)[0]

    def __rpow__(self, other):
        return operations.PowConstant(other, tensor_power=True)(self)[0]

    def __neg__(self):
        return operations.Negate()(self)[0]

    def __bool__(self):
        return True  # as for every object without `__bool__` and `__len__`

    # These came later.
    __len__ = __lt__ = __le__ = __gt__ = __ge__ = __mod__ = __matmul__ = __abs__ = None  # type: ignore[assignment]
    __float__ = __int__ = __invert__ = __and__ = __or__ = __xor__ = __setitem__ = None  # type: ignore[assignment]
    __eq__ = object.__eq__  # identity
    __ne__ = object.__ne__
    __hash__ = object.__hash__


class HalfRepairedVariable(HistoricalVariable):
    """A HistoricalVariable whose backward runs v0.1.2's engine."""

    _execution_engine = HalfRepairedEngine()


_KEPT = {"contiguous_", "remove_hook", "creator", "data", "_grad", "_name"}
_KEPT |= {"array", "is_leaf", "name", "output_nr", "requires_grad", "volatile"}  # read by drawings

# Later methods are absent: they would continue the program with the fixed classes.
for _name in vars(Variable).keys() - vars(HistoricalVariable).keys() - HistoricalVariable._fallthrough_methods - _KEPT:
    if not _name.startswith("__"):
        setattr(HistoricalVariable, _name, Absent(_name))
