"""Distances as Modules (2017: `torch/nn/modules/distance.py`)."""

from . import functional as F
from .module import Module


class PairwiseDistance(Module):
    """The p-norm of x1 - x2 + eps for each row of two (N, D); of size (N, 1), as in v0.1.x."""

    def __init__(self, p=2, eps=1e-6):
        super().__init__()
        self.norm = p
        self.eps = eps

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps)

    def extra_repr(self):
        return f"p={self.norm}"


class CosineSimilarity(Module):
    """x1 x2 / (max(|x1|, eps) max(|x2|, eps)) along `dim`."""

    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)

    def extra_repr(self):
        return f"dim={self.dim}"
