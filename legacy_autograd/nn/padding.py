"""Padding layers (2017: `torch/nn/modules/padding.py`). Sizes are one number or (left, right, top, bottom)."""

from . import functional as F
from .module import Module


class ReflectionPad2d(Module):
    """The inner elements of an input (N, C, H, W) mirrored at its edges, which are not repeated."""

    mode = "reflect"
    _ends = ("left", "right", "top", "bottom")

    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * len(self._ends) if isinstance(padding, int) else tuple(padding)
        if len(self.padding) != len(self._ends):
            raise ValueError(f"{self._name}: padding is one number or ({', '.join(self._ends)}), got {padding!r}")

    def forward(self, input):
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self):
        return f"{self.padding}"


class ReplicationPad2d(ReflectionPad2d):
    """The edge of an input (N, C, H, W) repeated; where `padding` is negative, elements are left out."""

    mode = "replicate"


class ReplicationPad3d(ReplicationPad2d):
    """The edge of an input (N, C, D, H, W) repeated; sizes are one number or (left, …, bottom, front, back)."""

    _ends = ("left", "right", "top", "bottom", "front", "back")


class ConstantPad2d(ReflectionPad2d):
    """`value` around an input (N, C, H, W); where `padding` is negative, elements are left out."""

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ZeroPad2d(ConstantPad2d):
    """Zeros around an input (N, C, H, W)."""

    value = 0  # of a module that PyTorch v0.1.x pickled

    def __init__(self, padding):
        super().__init__(padding, 0)
