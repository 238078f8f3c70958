"""Products with a weight (2016: the same file)."""

from .. import functional as F
from ._operation import Operation


def Linear():
    """Return `F.linear`, as a function of the input, the weight and optionally the bias."""
    return Operation(F.linear)


def Bilinear():
    """Return `F.bilinear`, as a function of two inputs, the weight and optionally the bias."""
    return Operation(F.bilinear)
