"""Local response normalization (v0.1.12: `torch/nn/modules/normalization.py`)."""

from ..autograd.functions import normalization
from .module import Module

__all__ = ["CrossMapLRN2d"]


class CrossMapLRN2d(Module):
    """x / (k + alpha / size Σ x²)^beta, where the sum is over `size` neighbouring channels at the same position.

    See the Function CrossMapLRN2d for the channels that are neighbours.

    Args:
        size: The number of channels.
        alpha: The weight of the sum.
        beta: The power.
        k: The constant.

    Shape:
        Input (N, C, H, W), output the same.

    Source:
        Krizhevsky et al., "ImageNet classification with deep convolutional neural networks", 2012.
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input):
        return normalization.CrossMapLRN2d(self.size, self.alpha, self.beta, self.k)(input)[0]

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
