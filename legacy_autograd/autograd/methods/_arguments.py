"""The arguments of several families: operands of operators, constants, and the numbers of v0.1.x's forms."""

import numbers

import numpy

from ...tensor import Tensor
from ...tensor.messages import shown
from ..variable import Variable

# An operator calls its method for these types. The method refuses some of them with a reason. For any other type the
# operator returns NotImplemented, so that `v == None` is False.
OPERANDS = (Variable, Tensor, numpy.ndarray, numbers.Real, numpy.bool_)


def constant(index):
    """Return an index or a mask as a Variable; a Tensor is wrapped, since an index has no gradient."""
    return Variable(index, requires_grad=False) if isinstance(index, Tensor) else index


def numbers_first(name, arguments, values):
    """Return the numbers before the last two `arguments`, completed from the defaults `values`, and those two."""
    first, operands = arguments[:-2], arguments[-2:]
    if len(operands) != 2 or len(first) > len(values):
        raise TypeError(
            f"{name}: expected two Variables, and before them at most {len(values)} numbers; got "
            f"({', '.join([shown(argument) for argument in arguments])})"
        )
    return (*first, *values[len(first) :]), operands
