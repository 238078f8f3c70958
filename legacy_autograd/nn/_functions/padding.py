"""Constant padding (v0.1.10: the same file)."""

from .. import functional as F
from ._operation import Operation


def ConstantPad2d(pad, value=0):
    """Return `F.pad` with `pad`, (left, right, top, bottom), as a function of the input (N, C, H, W)."""
    return Operation(lambda input: F.pad(input, pad, "constant", value))
