"""Padding layers (2017: `torch/nn/modules/padding.py`).

`padding` is one number for all sides or (left, right, top, bottom). Negative numbers remove elements.
"""

from collections.abc import Sequence

from . import functional as F
from .module import Module

__all__ = ["ConstantPad2d", "ReflectionPad2d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad2d"]


class ReflectionPad2d(Module):
    """An image extended by mirroring it at its edges. The edges themselves are not repeated.

    Args:
        padding: The number of elements added at each side.

    Raises:
        ValueError: If `padding` has another number of sides.

    Shape:
        Input (N, C, H, W), output (N, C, top + H + bottom, left + W + right).
    """

    mode = "reflect"
    _ends: tuple[str, ...] = ("left", "right", "top", "bottom")

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__()
        self.padding = (padding,) * len(self._ends) if isinstance(padding, int) else tuple(padding)
        if len(self.padding) != len(self._ends):
            raise ValueError(f"{self._name}: padding must be one number or ({', '.join(self._ends)}), got {padding!r}")

    def forward(self, input):
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self):
        return f"{self.padding}"


class ReplicationPad2d(ReflectionPad2d):
    """An image extended by repeating its edges. The arguments and shapes are those of `ReflectionPad2d`."""

    mode = "replicate"


class ReplicationPad3d(ReplicationPad2d):
    """A volume extended by repeating its edges. `padding` is one number or (left, right, top, bottom, front, back).

    Shape:
        Input (N, C, D, H, W), output (N, C, front + D + back, top + H + bottom, left + W + right).
    """

    _ends = ("left", "right", "top", "bottom", "front", "back")


class ConstantPad2d(ReflectionPad2d):
    """An image extended by one number. The shapes are those of `ReflectionPad2d`.

    Args:
        padding: The number of elements added at each side.
        value: The number.
    """

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ZeroPad2d(ConstantPad2d):
    """An image extended by zeros. The shapes are those of `ReflectionPad2d`.

    Args:
        padding: The number of elements added at each side.
    """

    value = 0  # for modules pickled by PyTorch v0.1.x

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0)
