"""`Dropout` and `Dropout2d` (v0.1.2: `torch/nn/modules/dropout.py`)."""

from . import functional as F
from .module import Module


class Dropout(Module):
    """In training each element is 0 with probability p and divided by 1 - p otherwise; else the input itself.

    `inplace=True` writes the result into the input, which under `import` keeps its numbers. Raises ValueError unless
    0 <= p <= 1.
    """

    _drop = staticmethod(F.dropout)

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"{self._name}: a probability is between 0 and 1, got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input):
        return self._drop(input, self.p, self.training, self.inplace)

    def extra_repr(self):
        return f"p={self.p}"


class Dropout2d(Dropout):
    """Dropout of whole channels: in training each x[n, c] of an input (N, C, …) is 0 with probability p."""

    _drop = staticmethod(F.dropout2d)


Dropout3d = Dropout2d  # which asks for no number of dimensions
