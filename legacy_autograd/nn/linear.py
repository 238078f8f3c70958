"""`Linear` and `Bilinear` (2016: `torch/nn/modules/linear.py`)."""

import math
import numbers

from ..tensor import Tensor
from . import functional as F
from .functional._inputs import check_positive
from .module import Module
from .parameter import Parameter


class Linear(Module):
    """x (…, in_features) to x Wᵀ + b (…, out_features); W is `weight` (out, in), b is `bias` (out), if wanted.

    Both start from the uniform distribution between ±1 / sqrt(in_features).
    """

    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        for name, value in (("in_features", in_features), ("out_features", out_features)):
            if not isinstance(value, numbers.Integral) or value < 0:
                raise ValueError(f"{self._name}: {name} must be an integer that is not negative, got {value!r}")
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(Tensor(out_features, in_features))
        self.register_parameter("bias", Parameter(Tensor(out_features)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw weight and bias anew."""
        bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
        for parameter in self.parameters():
            parameter.data.uniform_(-bound, bound)

    def forward(self, input):
        parameters = self._parameters
        if "weight" in parameters and "bias" in parameters:  # the short way round __getattr__
            return F.linear(input, parameters["weight"], parameters["bias"])
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return f"{self.in_features} -> {self.out_features}" + ("" if self.bias is not None else ", bias=False")


class Bilinear(Module):
    """x1 (N, in1_features) and x2 (N, in2_features) to x1ᵀ W_k x2 + b_k, for each k of out_features; (N, out_features).

    `weight` is (out, in1, in2), `bias` (out), if wanted. Both start from the uniform distribution between
    ±1 / sqrt(in1_features).
    """

    def __init__(self, in1_features, in2_features, out_features, bias=True):
        super().__init__()
        check_positive(self._name, in1_features=in1_features, in2_features=in2_features, out_features=out_features)
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = Parameter(Tensor(out_features, in1_features, in2_features))
        self.register_parameter("bias", Parameter(Tensor(out_features)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw weight and bias anew."""
        bound = 1 / math.sqrt(self.in1_features)
        for parameter in self.parameters():
            parameter.data.uniform_(-bound, bound)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        shown = f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}"
        return shown if self.bias is not None else shown + ", bias=False"
