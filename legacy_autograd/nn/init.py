"""Ways to fill a weight before training (v0.1.10).

Each takes a Tensor or Variable, fills it in place from the package's generator and returns it. Every function has two
names: `xavier_uniform_`, today's, and `xavier_uniform`, that of v0.1.x.
"""

import math
import numbers

import numpy

from ..autograd.variable import Variable
from ..tensor._helpers import converted, wrap
from ..tensor.random import generator


def calculate_gain(nonlinearity, param=None):
    """The factor by which a weight is to be larger before `nonlinearity`, so that the variance stays the same.

    1 for linear, conv1d … and sigmoid, 5/3 for tanh, sqrt(2) for relu, sqrt(2 / (1 + slope²)) for leaky_relu, whose
    slope is `param` (0.01 by default). Raises ValueError for another name and for a slope that is no number.
    """
    if nonlinearity in ("linear", "sigmoid", *[f"conv{t}{d}d" for t in ("", "_transpose") for d in (1, 2, 3)]):
        return 1.0
    if nonlinearity == "tanh":
        return 5 / 3
    if nonlinearity == "relu":
        return math.sqrt(2)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, numbers.Real):
            raise ValueError(f"calculate_gain: the slope of leaky_relu must be a number, got {param!r}")
        return math.sqrt(2 / (1 + slope**2))
    raise ValueError(f"calculate_gain: no gain is known for the nonlinearity {nonlinearity!r}")


def _calculate_fan_in_and_fan_out(tensor):
    """How many inputs an output of the weight (out, in, …) depends on, and how many outputs an input reaches."""
    size = tensor.size()
    if len(size) < 2:
        raise ValueError(f"fan in and fan out need a weight of 2 dimensions or more, got the size {list(size)}")
    field = math.prod(size[2:])
    return size[1] * field, size[0] * field


def uniform_(tensor, a=0.0, b=1.0):
    """Numbers from the uniform distribution between a and b."""
    tensor.data.uniform_(a, b)
    return tensor


def normal_(tensor, mean=0.0, std=1.0):
    """Numbers from the normal distribution of that mean and standard deviation."""
    tensor.data.normal_(mean, std)
    return tensor


def constant_(tensor, val):
    """The number `val` everywhere."""
    tensor.data.fill_(val)
    return tensor


def ones_(tensor):
    """1 everywhere."""
    return constant_(tensor, 1)


def zeros_(tensor):
    """0 everywhere."""
    return constant_(tensor, 0)


def eye_(tensor):
    """1 on the diagonal of a matrix, 0 elsewhere. ValueError for what is no matrix."""
    if tensor.dim() != 2:
        raise ValueError(f"eye_: expected a matrix, got {tensor.dim()} dimensions")
    return _filled(tensor, numpy.eye(*tensor.size()))


def dirac_(tensor):
    """A convolution's weight (out, in, …) that lets its input pass: 1 at the middle of w[c, c], 0 elsewhere."""
    size = tensor.size()
    if not 3 <= len(size) <= 5:
        raise ValueError(f"dirac_: expected a weight of 3 to 5 dimensions, got the size {list(size)}")
    array = numpy.zeros(size)
    for channel in range(min(size[:2])):
        array[(channel, channel, *[length // 2 for length in size[2:]])] = 1
    return _filled(tensor, array)


def xavier_uniform_(tensor, gain=1):
    """Uniform between ±gain sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010)."""
    bound = gain * math.sqrt(6 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor, gain=1):
    """Normal with the standard deviation gain sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010)."""
    return normal_(tensor, 0, gain * math.sqrt(2 / sum(_calculate_fan_in_and_fan_out(tensor))))


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    """Uniform between ±gain sqrt(3 / fan), for a network of leaky rectifiers of slope `a` (He and others, 2015)."""
    bound = calculate_gain(nonlinearity, a) * math.sqrt(3 / _calculate_correct_fan(tensor, mode))
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    """Normal with the standard deviation gain / sqrt(fan), for rectifiers of slope `a` (He and others, 2015)."""
    return normal_(tensor, 0, calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode)))


def orthogonal_(tensor, gain=1):
    """gain times a random matrix whose rows, or columns if there are fewer, are orthonormal (Saxe and others, 2013).

    Dimensions after the first are taken as one. Raises ValueError for fewer than 2 dimensions.
    """
    if tensor.dim() < 2:
        raise ValueError(f"orthogonal_: expected 2 dimensions or more, got {tensor.dim()}")
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    q, r = numpy.linalg.qr(generator.standard_normal((max(rows, columns), min(rows, columns))))
    q = q * numpy.sign(numpy.diag(r))  # without it the distribution would not be uniform
    return _filled(tensor, gain * (q if rows >= columns else q.T))


def sparse_(tensor, sparsity, std=0.01):
    """Normal numbers in a matrix, of which a fraction `sparsity` of each column is 0 (Martens, 2010)."""
    if tensor.dim() != 2:
        raise ValueError(f"sparse_: expected a matrix, got {tensor.dim()} dimensions")
    rows, columns = tensor.size()
    array = generator.standard_normal((rows, columns)) * std
    for column in range(columns):
        array[generator.permutation(rows)[: math.ceil(sparsity * rows)], column] = 0
    return _filled(tensor, array)


def _calculate_correct_fan(tensor, mode):
    modes = ("fan_in", "fan_out")
    if mode not in modes:
        raise ValueError(f"kaiming: mode must be fan_in or fan_out, got {mode!r}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode)]


def _filled(tensor, array):
    data = tensor.data if isinstance(tensor, Variable) else tensor
    data.copy_(wrap(converted(array.reshape(data.array.shape), data.array.dtype, "init")))
    return tensor


for _name in [name for name in globals() if name.endswith("_") and not name.startswith("_")]:
    globals()[_name[:-1]] = globals()[_name]
