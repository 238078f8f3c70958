"""Activations of neural networks (2016: `torch/nn/functions/thnn/`, generated from the headers of a C library).

g stands for the gradient of the output, r for the result.
"""

import numpy

from ..function import Function
from ..tensor.base import wrap
from ..tensor.pointwise import refuses_integers
from ..tensor.wrapping import dimension, shown_size


class Softmax(Function):
    """e^x / Σ e^x along `dim`. Gradient: r (g - Σ g r).

    Where no dimension is said it is that of v0.1.x: 0 for one and three dimensions, 1 for two and four. ValueError for
    more; TypeError for integers.
    """

    saves = (-1,)

    def __init__(self, dim=None):
        self.dim = dim

    def forward(self, x):
        self.dim = _checked("softmax", self.dim, x.array)
        result = _shifted(x.array, self.dim)
        numpy.exp(result, result)
        result /= numpy.add.reduce(result, self.dim, keepdims=True)
        result = wrap(result)
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        return result.mul(grad_output.sub(grad_output.mul(result).sum(self.dim)))


class LogSoftmax(Function):
    """x - ln Σ e^x along `dim`, whose default is Softmax's. Gradient: g - e^r Σ g. Errors as of Softmax."""

    saves = (-1,)

    def __init__(self, dim=None):
        self.dim = dim

    def forward(self, x):
        self.dim = _checked("log_softmax", self.dim, x.array)
        result = _shifted(x.array, self.dim)
        result -= numpy.log(numpy.add.reduce(numpy.exp(result), self.dim, keepdims=True))
        result = wrap(result)
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        return grad_output.sub(result.exp().mul(grad_output.sum(self.dim)))


_CHANNELS = {1: 0, 2: 1, 3: 0, 4: 1}


def _checked(name, dim, array):
    """The dimension, counted from the front; `array` holds fractions."""
    if array.dtype.kind != "f":
        raise refuses_integers(name, array)
    if dim is None:
        dim = _CHANNELS.get(array.ndim)
        if dim is None:
            raise ValueError(f"{name}: a tensor of size {shown_size(array.shape)} has no default for dim; give one")
    return dimension(name, array.shape, dim)


def _shifted(array, dim):
    """x - max x along `dim`: e to the power of it cannot overflow, and the quotient is the same."""
    return array - numpy.maximum.reduce(array, dim, keepdims=True, initial=-numpy.inf)
