"""Local response normalization (v0.1.12: `torch/nn/modules/normalization.py`)."""

from ..autograd.functions import normalization
from .module import Module


class CrossMapLRN2d(Module):
    """x / (k + alpha / size Σ x²)^beta for an input (N, C, H, W); the sum is over `size` neighbouring channels.

    See the Function CrossMapLRN2d for the channels that count as neighbours.
    """

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input):
        return normalization.CrossMapLRN2d(self.size, self.alpha, self.beta, self.k)(input)[0]

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
