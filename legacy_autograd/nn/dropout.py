"""`Dropout` and `Dropout2d` (v0.1.2: `torch/nn/modules/dropout.py`)."""

from . import functional as F
from .module import Module

__all__ = ["AlphaDropout", "Dropout", "Dropout2d", "Dropout3d"]


class Dropout(Module):
    """In training, the input with each element set to 0 with probability p or divided by 1 - p; otherwise a copy.

    Args:
        p: The probability.
        inplace: Whether the output is written into the input. Under the conventions of `import` the input keeps its
            values.

    Raises:
        ValueError: If `p` is not between 0 and 1.

    Shape:
        Input of any shape, output the same.

    Source:
        Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", 2014.
    """

    _drop = staticmethod(F.dropout)

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"{self._name}: p must be a probability between 0 and 1, got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input):
        return self._drop(input, self.p, self.training, self.inplace)

    def extra_repr(self):
        return f"p={self.p}"


class Dropout2d(Dropout):
    """`Dropout` of whole channels x[n, c].

    Shape:
        Input (N, C, …), output the same.
    """

    _drop = staticmethod(F.dropout2d)


class AlphaDropout(Dropout):
    """`Dropout` for layers with `SELU`: dropped elements become its limit at -∞, and means and variances stay (0.2).

    Args:
        p: The probability.
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__(p)

    def forward(self, input):
        return F.alpha_dropout(input, self.p, self.training)


Dropout3d = Dropout2d  # accepts any number of dimensions
