"""Losses that PyTorch wrote in Python (v0.1.5: the same file)."""

from .. import functional as F
from ._operation import Operation


def CosineEmbeddingLoss(margin=0, size_average=True):
    """Return `F.cosine_embedding_loss`, as a function of two inputs and the target."""
    return Operation(lambda input1, input2, y: F.cosine_embedding_loss(input1, input2, y, margin, size_average))


def HingeEmbeddingLoss(margin=1, size_average=True):
    """Return `F.hinge_embedding_loss`, as a function of the input and the target."""
    return Operation(lambda input, target: F.hinge_embedding_loss(input, target, margin, size_average))


def MarginRankingLoss(margin=1, size_average=True):
    """Return `F.margin_ranking_loss`, as a function of two inputs and the target."""
    return Operation(lambda input1, input2, y: F.margin_ranking_loss(input1, input2, y, margin, size_average))
