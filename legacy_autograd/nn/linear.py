"""`Linear` and `Bilinear` (2016: `torch/nn/modules/linear.py`)."""

import math
import numbers

from ..autograd.functions import linear as products
from ..tensor import Tensor
from . import functional as F
from .functional._inputs import check_positive
from .module import Module
from .parameter import Parameter

__all__ = ["Bilinear", "Linear"]


class Linear(Module):
    """x Wᵀ + b for each row of the input.

    Both parameters are initialized from the uniform distribution between ±1 / sqrt(in_features).

    Args:
        in_features: The number of columns of the input.
        out_features: The number of columns of the output.
        bias: Whether there is a b.

    Raises:
        ValueError: If a number of features is not an integer of 0 or more.

    Shape:
        Input (…, in_features), output (…, out_features). `weight` W (out_features, in_features), `bias` b
        (out_features).

    Example:
        >>> layer = torch.nn.Linear(3, 2)
        >>> layer(Variable(torch.ones(5, 3))).size()
        torch.Size([5, 2])
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        for name, value in (("in_features", in_features), ("out_features", out_features)):
            if not isinstance(value, numbers.Integral) or value < 0:
                raise ValueError(f"{self._name}: {name} must be an integer of 0 or more, got {value!r}")
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(Tensor(out_features, in_features))
        self.register_parameter("bias", Parameter(Tensor(out_features)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize weight and bias again."""
        bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
        for parameter in self.parameters():
            parameter.data.uniform_(-bound, bound)

    def forward(self, input):
        parameters = self._parameters
        try:  # faster than attributes, which go through __getattr__
            weight, bias = parameters["weight"], parameters["bias"]
        except KeyError:
            weight, bias = self.weight, self.bias
        return products.Linear()(input, weight)[0] if bias is None else products.Linear()(input, weight, bias)[0]

    def extra_repr(self):
        return f"{self.in_features} -> {self.out_features}" + ("" if self.bias is not None else ", bias=False")


class Bilinear(Module):
    """x1ᵀ W[k] x2 + b[k] for each row of two inputs and each k.

    Both parameters are initialized from the uniform distribution between ±1 / sqrt(in1_features).

    Args:
        in1_features: The number of columns of the first input.
        in2_features: The number of columns of the second input.
        out_features: The number of columns of the output.
        bias: Whether there is a b.

    Raises:
        ValueError: If a number of features is not a positive integer.

    Shape:
        Inputs (N, in1_features) and (N, in2_features), output (N, out_features). `weight` W (out_features,
        in1_features, in2_features), `bias` b (out_features).
    """

    def __init__(self, in1_features: int, in2_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        check_positive(self._name, in1_features=in1_features, in2_features=in2_features, out_features=out_features)
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = Parameter(Tensor(out_features, in1_features, in2_features))
        self.register_parameter("bias", Parameter(Tensor(out_features)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize weight and bias again."""
        bound = 1 / math.sqrt(self.in1_features)
        for parameter in self.parameters():
            parameter.data.uniform_(-bound, bound)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        shown = f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}"
        return shown if self.bias is not None else shown + ", bias=False"
