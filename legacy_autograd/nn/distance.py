"""Distances as Modules (2017: `torch/nn/modules/distance.py`)."""

from . import functional as F
from .module import Module

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class PairwiseDistance(Module):
    """The p-norm of each row of x1 - x2 + eps.

    Args:
        p: The order of the norm.
        eps: A number added to each difference.

    Shape:
        Inputs (N, D) and (N, D), output (N, 1), as in v0.1.x (since 0.2: (N)).
    """

    def __init__(self, p: float = 2, eps: float = 1e-6) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps)

    def extra_repr(self):
        return f"p={self.norm}"


class CosineSimilarity(Module):
    """Σ x1 x2 / (max(‖x1‖, eps) max(‖x2‖, eps)) along one dimension.

    Args:
        dim: The dimension, which the output does not have.
        eps: The lower limit of each norm.

    Shape:
        Two inputs of one shape, output without `dim`.
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)

    def extra_repr(self):
        return f"dim={self.dim}"
