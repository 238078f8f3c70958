"""`Linear` (2016: `torch/nn/modules/linear.py`)."""

import math

from ..tensor import Tensor
from . import functional as F
from .module import Module
from .parameter import Parameter


class Linear(Module):
    """x (…, in_features) to x Wᵀ + b (…, out_features); W is `weight` (out, in), b is `bias` (out), if wanted.

    Both start from the uniform distribution between ±1 / sqrt(in_features).
    """

    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        for name, value in (("in_features", in_features), ("out_features", out_features)):
            if not isinstance(value, int) or value < 0:
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
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return f"{self.in_features} -> {self.out_features}" + ("" if self.bias is not None else ", bias=False")
