"""Dropout with its constants first (v0.1.2: the same file)."""

from .. import functional as F
from ._operation import Operation


def Dropout(p=0.5, train=False, inplace=False):
    """Return `F.dropout`, as a function of the input."""
    return Operation(lambda input: F.dropout(input, p, train, inplace))


def FeatureDropout(p=0.5, train=False, inplace=False):
    """Return `F.dropout2d`, as a function of the input (N, C, …)."""
    return Operation(lambda input: F.dropout2d(input, p, train, inplace))
