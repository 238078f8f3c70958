"""Softsign (v0.1.6: the same file)."""

from .. import functional as F
from ._operation import Operation


def Softsign():
    """Return `F.softsign`, as a function of the input."""
    return Operation(F.softsign)
