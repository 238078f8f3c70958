"""Initial values of weights (v0.1.10).

Each function fills a Tensor or Variable in place and returns it. Random numbers come from the package's generator.
Every function has two names: today's, for example `xavier_uniform_`, and that of v0.1.x, `xavier_uniform`. In a weight
(out, in, …), fan_in is the number of inputs that an output depends on, and fan_out the number of outputs that an input
reaches.
"""

import math
import numbers
from typing import TypeVar

import numpy

from ..autograd.variable import Variable
from ..tensor import Tensor
from ..tensor.arguments import converted
from ..tensor.random import randperm
from ..tensor.wrapping import wrap

Weight = TypeVar("Weight", Tensor, Variable)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the factor for the weights before `nonlinearity` that keeps the variance constant.

    It is 1 for linear, conv1d … and sigmoid, 5/3 for tanh, sqrt(2) for relu and sqrt(2 / (1 + slope²)) for leaky_relu.

    Args:
        nonlinearity: The name of the function.
        param: The slope of leaky_relu. Default: 0.01.

    Raises:
        ValueError: If the name is unknown, or the slope is not a number.
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
    raise ValueError(f"calculate_gain: unknown nonlinearity {nonlinearity!r}")


def _calculate_fan_in_and_fan_out(tensor):
    """Return fan_in and fan_out of a weight (out, in, …)."""
    size = tensor.size()
    if len(size) < 2:
        raise ValueError(f"fan_in and fan_out: expected a weight of 2 dimensions or more, got the size {tuple(size)}")
    field = math.prod(size[2:])
    return size[1] * field, size[0] * field


def uniform_(tensor: Weight, a: float = 0.0, b: float = 1.0) -> Weight:
    """Fill with numbers from the uniform distribution on [a, b).

    Args:
        tensor: A Tensor or Variable of any shape.
        a: The lower bound.
        b: The upper bound.
    """
    tensor.data.uniform_(a, b)
    return tensor


def normal_(tensor: Weight, mean: float = 0.0, std: float = 1.0) -> Weight:
    """Fill with numbers from a normal distribution.

    Args:
        tensor: A Tensor or Variable of any shape.
        mean: The mean.
        std: The standard deviation.
    """
    tensor.data.normal_(mean, std)
    return tensor


def constant_(tensor: Weight, val: float) -> Weight:
    """Fill with one number.

    Args:
        tensor: A Tensor or Variable of any shape.
        val: The number.
    """
    tensor.data.fill_(val)
    return tensor


def ones_(tensor: Weight) -> Weight:
    """Fill with 1.

    Args:
        tensor: A Tensor or Variable of any shape.
    """
    return constant_(tensor, 1)


def zeros_(tensor: Weight) -> Weight:
    """Fill with 0.

    Args:
        tensor: A Tensor or Variable of any shape.
    """
    return constant_(tensor, 0)


def eye_(tensor: Weight) -> Weight:
    """Fill with 1 on the diagonal and 0 elsewhere.

    Args:
        tensor: A matrix.

    Raises:
        ValueError: If `tensor` does not have two dimensions.
    """
    if tensor.dim() != 2:
        raise ValueError(f"eye_: expected a matrix, got {tensor.dim()} dimensions")
    return _filled(tensor, numpy.eye(*tensor.size()))


def dirac_(tensor: Weight) -> Weight:
    """Fill with 1 at the centre of w[c, c] and 0 elsewhere, so that a convolution returns its input.

    Args:
        tensor: The weight w of a convolution, (out, in, …).

    Raises:
        ValueError: If `tensor` does not have 3 to 5 dimensions.
    """
    size: tuple[int, ...] = tensor.size()
    if not 3 <= len(size) <= 5:
        raise ValueError(f"dirac_: expected a weight of 3 to 5 dimensions, got the size {tuple(size)}")
    array = numpy.zeros(size)
    for channel in range(min(size[:2])):
        array[(channel, channel, *[length // 2 for length in size[2:]])] = 1
    return _filled(tensor, array)


def xavier_uniform_(tensor: Weight, gain: float = 1) -> Weight:
    """Fill with uniform numbers between ±gain sqrt(6 / (fan_in + fan_out)).

    Args:
        tensor: A weight (out, in, …).
        gain: A factor, see `calculate_gain`.

    Raises:
        ValueError: If `tensor` has fewer than two dimensions.

    Source:
        Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010.
    """
    bound = gain * math.sqrt(6 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Weight, gain: float = 1) -> Weight:
    """Fill with normal numbers of standard deviation gain sqrt(2 / (fan_in + fan_out)).

    Args:
        tensor: A weight (out, in, …).
        gain: A factor, see `calculate_gain`.

    Raises:
        ValueError: If `tensor` has fewer than two dimensions.

    Source:
        Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010.
    """
    return normal_(tensor, 0, gain * math.sqrt(2 / sum(_calculate_fan_in_and_fan_out(tensor))))


def kaiming_uniform_(tensor: Weight, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Weight:
    """Fill with uniform numbers between ±gain sqrt(3 / fan), where gain is `calculate_gain(nonlinearity, a)`.

    Args:
        tensor: A weight (out, in, …).
        a: The slope of the leaky rectifiers that follow.
        mode: Which fan is used, "fan_in" or "fan_out".
        nonlinearity: The function that follows.

    Raises:
        ValueError: If `tensor` has fewer than two dimensions, or `mode` is another word.

    Source:
        He et al., "Delving deep into rectifiers", 2015.
    """
    bound = calculate_gain(nonlinearity, a) * math.sqrt(3 / _calculate_correct_fan(tensor, mode))
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor: Weight, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Weight:
    """Fill with normal numbers of standard deviation gain / sqrt(fan), where gain is `calculate_gain(nonlinearity, a)`.

    Args:
        tensor: A weight (out, in, …).
        a: The slope of the leaky rectifiers that follow.
        mode: Which fan is used, "fan_in" or "fan_out".
        nonlinearity: The function that follows.

    Raises:
        ValueError: If `tensor` has fewer than two dimensions, or `mode` is another word.

    Source:
        He et al., "Delving deep into rectifiers", 2015.
    """
    return normal_(tensor, 0, calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode)))


def orthogonal_(tensor: Weight, gain: float = 1) -> Weight:
    """Fill with a random matrix, times `gain`, whose rows (or columns, if there are fewer) are orthonormal.

    Args:
        tensor: A weight of at least two dimensions. All dimensions but the first count as one.
        gain: The factor.

    Raises:
        ValueError: If `tensor` has fewer than two dimensions.

    Source:
        Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks", 2013.
    """
    if tensor.dim() < 2:
        raise ValueError(f"orthogonal_: expected 2 dimensions or more, got {tensor.dim()}")
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    array = tensor.data.new(rows, columns).normal_().array
    q, r = numpy.linalg.qr((array if rows >= columns else array.T).astype(numpy.float64))
    q = q * numpy.sign(numpy.diag(r))  # makes the distribution uniform
    return _filled(tensor, gain * (q if rows >= columns else q.T))


def sparse_(tensor: Weight, sparsity: float, std: float = 0.01) -> Weight:
    """Fill with normal numbers, a fraction of each column being 0.

    Args:
        tensor: A matrix.
        sparsity: The fraction.
        std: The standard deviation.

    Raises:
        ValueError: If `tensor` does not have two dimensions.

    Source:
        Martens, "Deep learning via Hessian-free optimization", 2010.
    """
    if tensor.dim() != 2:
        raise ValueError(f"sparse_: expected a matrix, got {tensor.dim()} dimensions")
    rows, columns = tensor.size()
    normal_(tensor, 0, std)
    mask = numpy.ones((rows, columns))
    for column in range(columns):
        mask[randperm(rows).array[: math.ceil(sparsity * rows)], column] = 0
    tensor.data.mul_(wrap(mask.astype(tensor.data.array.dtype)))
    return tensor


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
