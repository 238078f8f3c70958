"""Activations as Modules (2016: `torch/nn/modules/activation.py`).

The output has the shape of the input x, of any shape unless the class says otherwise. `inplace=True` writes it into the
input. Under the conventions of `import` the input keeps its values (conventions.py).
"""

from ..autograd.functions import activation
from ..tensor import Tensor
from ..tensor.arguments import checked_number
from . import functional as F
from .functional._inputs import check_variables
from .module import Module
from .parameter import Parameter

__all__ = [
    "ELU", "GLU", "Hardshrink", "Hardtanh", "LeakyReLU", "LogSigmoid", "LogSoftmax", "PReLU", "RReLU", "ReLU", "ReLU6",
    "SELU", "Sigmoid", "Softmax", "Softmax2d", "Softmin", "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink",
    "Threshold",
]  # fmt: skip


class Threshold(Module):
    """x where x > threshold, and `value` elsewhere.

    Args:
        threshold: The largest element that is replaced.
        value: What replaces it.
        inplace: Whether the output is written into the input.
    """

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self):
        return f"{self.threshold}, {self.value}"


class ReLU(Threshold):
    """max(x, 0).

    Args:
        inplace: Whether the output is written into the input.

    Example:
        >>> torch.nn.ReLU()(Variable(torch.Tensor([-1, 2]))).data.tolist()
        [0.0, 2.0]
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0, 0, inplace)

    def forward(self, input):
        return F.relu(input, True) if self.inplace else activation.ReLU()(input)[0]

    def extra_repr(self):
        return ""


class Hardtanh(Module):
    """min(max(x, min_val), max_val).

    Args:
        min_val: The smallest element of the output.
        max_val: The largest element of the output.
        inplace: Whether the output is written into the input.
        min_value: `min_val`, as it was called until v0.1.12.
        max_value: `max_val`, likewise.

    Raises:
        ValueError: Unless `min_val` is below `max_val`.
    """

    def __init__(
        self,
        min_val: float = -1,
        max_val: float = 1,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__()
        min_value = min_val if min_value is None else min_value
        max_value = max_val if max_value is None else max_value
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
    """min(max(x, 0), 6).

    Args:
        inplace: Whether the output is written into the input.
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0, 6, inplace)

    def extra_repr(self):
        return ""


class LeakyReLU(Module):
    """x where x > 0, and negative_slope · x elsewhere.

    Args:
        negative_slope: The slope below 0.
        inplace: Whether the output is written into the input.
    """

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self):
        return str(self.negative_slope)


class RReLU(Module):
    """x where x > 0, and s · x elsewhere.

    In training the slope s is drawn for each element, uniformly between `lower` and `upper`. Otherwise it is their
    mean.

    Args:
        lower: The smallest slope.
        upper: The largest slope.
        inplace: Whether the output is written into the input.
    """

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self):
        return f"{self.lower}, {self.upper}"


class PReLU(Module):
    """x where x > 0, and w · x elsewhere, with the parameter w.

    Args:
        num_parameters: The number of slopes: C, one for each channel, or 1 for all.
        init: The initial slope.

    Shape:
        Input (N, C, …), output the same. `weight` w (num_parameters).
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(Tensor(num_parameters).fill_(init))

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return str(self.num_parameters)


class ELU(Module):
    """x where x > 0, and alpha (e^x - 1) elsewhere.

    Args:
        alpha: Minus the limit of the output at -∞.
        inplace: Whether the output is written into the input.
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input):
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self):
        return f"alpha={self.alpha}"


class SELU(Module):
    """1.0507 · ELU with alpha = 1.6733, which keeps means near 0 and variances near 1 (0.2).

    Args:
        inplace: Whether the output is written into the input.
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.selu(input, self.inplace)


class GLU(Module):
    """a · sigmoid(b), where a and b are the two halves of the input along one dimension (0.2).

    Args:
        dim: The dimension that is halved.

    Shape:
        Input (…, 2 N, …), output (…, N, …).
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.glu(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class Softplus(Module):
    """ln(1 + e^(beta x)) / beta.

    Args:
        beta: How sharply the output bends at 0.
        threshold: Where beta x is above it, the output is x itself.
    """

    def __init__(self, beta: float = 1, threshold: float = 20) -> None:
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
    """The hyperbolic tangent of x."""

    def forward(self, input):
        return F.tanh(input)


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input):
        return F.softsign(input)


class Softmax(Module):
    """e^x / Σ e^x along one dimension.

    Args:
        dim: The dimension whose elements sum to 1. Default: 0 for inputs of one and three dimensions, 1 for two and
            four (v0.1.x).
    """

    _normalize = staticmethod(F.softmax)

    dim: int | None = None  # for modules pickled by PyTorch v0.1.x

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return self._normalize(input, self.dim)

    def extra_repr(self):
        return "" if self.dim is None else f"dim={self.dim}"


class LogSoftmax(Softmax):
    """The logarithm of `Softmax`, computed without overflow."""

    _normalize = staticmethod(F.log_softmax)


class Softmin(Softmax):
    """`Softmax` of -x."""

    _normalize = staticmethod(F.softmin)


class Softmax2d(Module):
    """`Softmax` over the channels of an image.

    Raises:
        ValueError: When called, if the input does not have four dimensions.

    Shape:
        Input (N, C, H, W), output the same.
    """

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
    """x moved towards 0 by `lambd`: sign(x) · max(|x| - lambd, 0).

    Args:
        lambd: The distance. It must not be negative.
    """

    _shrink = staticmethod(F.softshrink)

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return self._shrink(input, self.lambd)

    def extra_repr(self):
        return f"{self.lambd}"


class Hardshrink(Softshrink):
    """x where |x| > lambd, and 0 elsewhere."""

    _shrink = staticmethod(F.hardshrink)
