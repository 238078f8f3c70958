"""Activations as Modules (2016: `torch/nn/modules/activation.py`).

`inplace=True` writes the result into the input, which under `import` keeps its numbers (conventions.py).
"""

from ..tensor import Tensor
from ..tensor._helpers import checked_number
from . import functional as F
from .functional._inputs import check_variables
from .module import Module
from .parameter import Parameter


class Threshold(Module):
    """x where x > threshold, `value` elsewhere."""

    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self):
        return f"{self.threshold}, {self.value}"


class ReLU(Threshold):
    """max(x, 0), the threshold 0 with the value 0."""

    def __init__(self, inplace=False):
        super().__init__(0, 0, inplace)

    def forward(self, input):
        return F.relu(input, self.inplace)

    def extra_repr(self):
        return ""


class Hardtanh(Module):
    """x, but no less than `min_value` and no more than `max_value`. Raises ValueError unless the former is less."""

    def __init__(self, min_value=-1, max_value=1, inplace=False):
        super().__init__()
        checked_number(f"{self._name}: min_value", min_value)
        if not min_value < checked_number(f"{self._name}: max_value", max_value):
            raise ValueError(f"{self._name}: min_value must be below max_value, got {min_value} and {max_value}")
        self.min_val = min_value
        self.max_val = max_value
        self.inplace = inplace

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self):
        return f"{self.min_val}, {self.max_val}"


class ReLU6(Hardtanh):
    """x, but no less than 0 and no more than 6."""

    def __init__(self, inplace=False):
        super().__init__(0, 6, inplace)

    def extra_repr(self):
        return ""


class LeakyReLU(Module):
    """x where x > 0, negative_slope x elsewhere."""

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self):
        return str(self.negative_slope)


class RReLU(Module):
    """x where x > 0, s x elsewhere; in training s is drawn between `lower` and `upper`, otherwise it is their mean."""

    def __init__(self, lower=1 / 8, upper=1 / 3, inplace=False):
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self):
        return f"{self.lower}, {self.upper}"


class PReLU(Module):
    """x where x > 0, w x elsewhere; w is the parameter `weight`, one for each channel or one for all."""

    def __init__(self, num_parameters=1, init=0.25):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(Tensor(num_parameters).fill_(init))

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return str(self.num_parameters)


class ELU(Module):
    """x where x > 0, alpha (e^x - 1) elsewhere."""

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input):
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self):
        return f"alpha={self.alpha}"


class Softplus(Module):
    """ln(1 + e^(beta x)) / beta, and x itself where beta x > threshold."""

    def __init__(self, beta=1, threshold=20):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f"beta={self.beta}, threshold={self.threshold}"


class Sigmoid(Module):
    """1 / (1 + e^-x)."""

    def forward(self, input):
        return F.sigmoid(input)


class LogSigmoid(Module):
    """ln(1 / (1 + e^-x))."""

    def forward(self, input):
        return F.logsigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input):
        return F.tanh(input)


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input):
        return F.softsign(input)


class Softmax(Module):
    """e^x / Σ e^x along `dim`, where it is given; otherwise v0.1.x's choice: 0 for one and three dimensions, else 1."""

    _normalize = staticmethod(F.softmax)

    dim = None  # of a module that PyTorch v0.1.x pickled

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return self._normalize(input, self.dim)

    def extra_repr(self):
        return "" if self.dim is None else f"dim={self.dim}"


class LogSoftmax(Softmax):
    """The logarithm of Softmax."""

    _normalize = staticmethod(F.log_softmax)


class Softmin(Softmax):
    """Softmax of -x."""

    _normalize = staticmethod(F.softmin)


class Softmax2d(Module):
    """Softmax over the channels of an image: of an input (N, C, H, W), along dimension 1. ValueError for others."""

    def forward(self, input):
        check_variables(self._name, input)
        if input.dim() != 4:
            raise ValueError(f"{self._name}: expected an input of 4 dimensions, (N, C, H, W), got {input.dim()}")
        return F.softmax(input, 1)


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input):
        return F.tanhshrink(input)


class Softshrink(Module):
    """x moved by `lambd` towards 0, and 0 where that is nearer."""

    _shrink = staticmethod(F.softshrink)

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return self._shrink(input, self.lambd)

    def extra_repr(self):
        return f"{self.lambd}"


class Hardshrink(Softshrink):
    """x, but 0 where it is between -lambd and lambd."""

    _shrink = staticmethod(F.hardshrink)
