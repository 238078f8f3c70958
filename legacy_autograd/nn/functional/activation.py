"""Activations. `inplace=True` writes the result into the input, which under `import` keeps its numbers."""

from ...autograd.functions import activation, pointwise
from ._inputs import in_place


def threshold(input, threshold, value, inplace=False):
    """input where it is above the threshold, `value` elsewhere."""
    function = activation.Threshold(threshold, value)
    return in_place(function, input) if inplace else function(input)[0]


def relu(input, inplace=False):
    """max(input, 0)."""
    function = activation.ReLU()
    return in_place(function, input) if inplace else function(input)[0]


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """input, but no less than min_val and no more than max_val."""
    function = activation.Hardtanh(min_val, max_val)
    return in_place(function, input) if inplace else function(input)[0]


def relu6(input, inplace=False):
    """input, but no less than 0 and no more than 6."""
    return hardtanh(input, 0, 6, inplace)


def elu(input, alpha=1.0, inplace=False):
    """input where it is above 0, alpha (e^input - 1) elsewhere."""
    function = activation.ELU(alpha)
    return in_place(function, input) if inplace else function(input)[0]


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """input where it is above 0, negative_slope input elsewhere."""
    function = activation.LeakyReLU(negative_slope)
    return in_place(function, input) if inplace else function(input)[0]


def prelu(input, weight):
    """input (N, C, …) where it is above 0, weight input elsewhere; weight has the size C or 1."""
    return activation.PReLU()(input, weight)[0]


def rrelu(input, lower=1 / 8, upper=1 / 3, training=False, inplace=False):
    """input where it is above 0, s input elsewhere; in training s is drawn between lower and upper."""
    function = activation.RReLU(lower, upper, training)
    return in_place(function, input) if inplace else function(input)[0]


def softplus(input, beta=1, threshold=20):
    """ln(1 + e^(beta input)) / beta."""
    return activation.Softplus(beta, threshold)(input)[0]


def logsigmoid(input):
    """ln(1 / (1 + e^-input))."""
    return activation.LogSigmoid()(input)[0]


def sigmoid(input):
    """1 / (1 + e^-input)."""
    return pointwise.Sigmoid()(input)[0]


def tanh(input):
    """The hyperbolic tangent."""
    return pointwise.Tanh()(input)[0]


def softsign(input):
    """input / (1 + |input|)."""
    return input.div(input.abs().add(1))


def tanhshrink(input):
    """input - tanh(input)."""
    return input.sub(tanh(input))


def softshrink(input, lambd=0.5):
    """input moved by lambd towards 0, and 0 where that is nearer. ValueError for a lambd below 0."""
    if lambd < 0:
        raise ValueError(f"softshrink: lambd must not be negative, got {lambd!r}")
    return relu(input.sub(lambd)).sub(relu(input.neg().sub(lambd)))


def hardshrink(input, lambd=0.5):
    """input, but 0 where it is between -lambd and lambd."""
    return input.masked_fill(input.abs().le(lambd), 0)


def softmax(input, dim=None):
    """e^input / Σ e^input along `dim`, by default 0 for one and three dimensions, 1 for two and four (v0.1.x)."""
    return activation.Softmax(dim)(input)[0]


def softmin(input, dim=None):
    """softmax of -input."""
    return softmax(input.neg(), dim)


def log_softmax(input, dim=None):
    """The logarithm of softmax."""
    return activation.LogSoftmax(dim)(input)[0]
