"""Activations as functions.

`inplace=True` writes the result into the input. Under the conventions of `import` the input keeps its values and the
result is a new Variable (conventions.py).
"""

from ...autograd.functions import activation, pointwise
from ...autograd.variable import Variable
from ._inputs import applied

__all__ = [
    "elu", "glu", "hardshrink", "hardtanh", "leaky_relu", "log_softmax", "logsigmoid", "prelu", "relu", "relu6",
    "rrelu", "selu", "sigmoid", "softmax", "softmin", "softplus", "softshrink", "softsign", "tanh", "tanhshrink",
    "threshold",
]  # fmt: skip


def threshold(input: Variable, threshold: float, value: float, inplace: bool = False) -> Variable:
    """Return `input` where it is above `threshold`, and `value` elsewhere.

    Args:
        input: A Variable of any shape.
        threshold: The largest element that is replaced.
        value: What replaces it.
        inplace: Whether the result is written into `input`.
    """
    return applied(activation.Threshold(threshold, value), input, inplace)


def relu(input: Variable, inplace: bool = False) -> Variable:
    """Return max(input, 0).

    Args:
        input: A Variable of any shape.
        inplace: Whether the result is written into `input`.
    """
    function = activation.ReLU()
    return applied(function, input, True) if inplace else function(input)[0]


def hardtanh(input: Variable, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Variable:
    """Return min(max(input, min_val), max_val).

    Args:
        input: A Variable of any shape.
        min_val: The smallest element of the result.
        max_val: The largest element of the result.
        inplace: Whether the result is written into `input`.
    """
    return applied(activation.Hardtanh(min_val, max_val), input, inplace)


def relu6(input: Variable, inplace: bool = False) -> Variable:
    """Return min(max(input, 0), 6).

    Args:
        input: A Variable of any shape.
        inplace: Whether the result is written into `input`.
    """
    return hardtanh(input, 0, 6, inplace)


def elu(input: Variable, alpha: float = 1.0, inplace: bool = False) -> Variable:
    """Return `input` where it is above 0, and alpha (e^input - 1) elsewhere.

    Args:
        input: A Variable of any shape.
        alpha: Minus the limit of the result at -∞.
        inplace: Whether the result is written into `input`.
    """
    return applied(activation.ELU(alpha), input, inplace)


def selu(input: Variable, inplace: bool = False) -> Variable:
    """Return 1.0507 · elu(input, 1.6733): in a network of such layers, means stay near 0 and variances near 1 (0.2).

    Args:
        input: A Variable of any shape.
        inplace: Whether the result is written into `input`.

    Source:
        Klambauer et al., "Self-normalizing neural networks", 2017.
    """
    return applied(activation.SELU(), input, inplace)


def glu(input: Variable, dim: int = -1) -> Variable:
    """Return a · sigmoid(b), where a and b are the two halves of `input` along `dim` (0.2).

    Args:
        input: A Variable.
        dim: The dimension that is halved.

    Raises:
        ValueError: If the size of the dimension is odd.

    Source:
        Dauphin et al., "Language modeling with gated convolutional networks", 2016.
    """
    if input.size(dim) % 2:
        raise ValueError(f"glu: dimension {dim} must have an even size, got {input.size(dim)}")
    values, gates = input.chunk(2, dim)
    return values.mul(sigmoid(gates))


def leaky_relu(input: Variable, negative_slope: float = 0.01, inplace: bool = False) -> Variable:
    """Return `input` where it is above 0, and negative_slope · input elsewhere.

    Args:
        input: A Variable of any shape.
        negative_slope: The slope below 0.
        inplace: Whether the result is written into `input`.
    """
    return applied(activation.LeakyReLU(negative_slope), input, inplace)


def prelu(input: Variable, weight: Variable) -> Variable:
    """Return `input` where it is above 0, and weight · input elsewhere.

    Args:
        input: A Variable (N, C, …).
        weight: One slope for each channel, (C), or one for all, (1).
    """
    return activation.PReLU()(input, weight)[0]


def rrelu(
    input: Variable, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, inplace: bool = False
) -> Variable:
    """Return `input` where it is above 0, and s · input elsewhere.

    Args:
        input: A Variable of any shape.
        lower: The smallest slope s.
        upper: The largest slope s.
        training: Whether s is drawn for each element, uniformly between `lower` and `upper`. Otherwise it is their
            mean.
        inplace: Whether the result is written into `input`.
    """
    return applied(activation.RReLU(lower, upper, training), input, inplace)


def softplus(input: Variable, beta: float = 1, threshold: float = 20) -> Variable:
    """Return ln(1 + e^(beta · input)) / beta.

    Args:
        input: A Variable of any shape.
        beta: How sharply the result bends at 0.
        threshold: Where beta · input is above it, the result is `input` itself.
    """
    return activation.Softplus(beta, threshold)(input)[0]


def logsigmoid(input: Variable) -> Variable:
    """Return ln(1 / (1 + e^-input)).

    Args:
        input: A Variable of any shape.
    """
    return activation.LogSigmoid()(input)[0]


def sigmoid(input: Variable) -> Variable:
    """Return 1 / (1 + e^-input).

    Args:
        input: A Variable of any shape.
    """
    return pointwise.Sigmoid()(input)[0]


def tanh(input: Variable) -> Variable:
    """Return the hyperbolic tangent of `input`.

    Args:
        input: A Variable of any shape.
    """
    return pointwise.Tanh()(input)[0]


def softsign(input: Variable) -> Variable:
    """Return input / (1 + |input|).

    Args:
        input: A Variable of any shape.
    """
    return input.div(input.abs().add(1))


def tanhshrink(input: Variable) -> Variable:
    """Return input - tanh(input).

    Args:
        input: A Variable of any shape.
    """
    return input.sub(tanh(input))


def softshrink(input: Variable, lambd: float = 0.5) -> Variable:
    """Return `input` moved towards 0 by `lambd`: sign(input) · max(|input| - lambd, 0).

    Args:
        input: A Variable of any shape.
        lambd: The distance.

    Raises:
        ValueError: If `lambd` is below 0.
    """
    if lambd < 0:
        raise ValueError(f"softshrink: lambd must not be negative, got {lambd!r}")
    return relu(input.sub(lambd)).sub(relu(input.neg().sub(lambd)))


def hardshrink(input: Variable, lambd: float = 0.5) -> Variable:
    """Return `input` where |input| > lambd, and 0 elsewhere.

    Args:
        input: A Variable of any shape.
        lambd: The largest absolute value that becomes 0.
    """
    return input.masked_fill(input.abs().le(lambd), 0)


def softmax(input: Variable, dim: int | None = None) -> Variable:
    """Return e^input / Σ e^input along `dim`.

    Args:
        input: A Variable of any shape.
        dim: The dimension whose elements sum to 1. Default: 0 for inputs of one and three dimensions, 1 for two and
            four (v0.1.x).
    """
    return activation.Softmax(dim)(input)[0]


def softmin(input: Variable, dim: int | None = None) -> Variable:
    """Return the softmax of -input.

    Args:
        input: A Variable of any shape.
        dim: As for `softmax`.
    """
    return softmax(input.neg(), dim)


def log_softmax(input: Variable, dim: int | None = None) -> Variable:
    """Return ln(e^input / Σ e^input) along `dim`, computed without overflow.

    Args:
        input: A Variable of any shape.
        dim: As for `softmax`.
    """
    return activation.LogSoftmax(dim)(input)[0]
