"""Layers that enlarge images (2017: `torch/nn/modules/upsampling.py` and `pixelshuffle.py`)."""

from . import functional as F
from .functional._inputs import Sizes
from .module import Module

__all__ = ["PixelShuffle", "Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]


class UpsamplingNearest2d(Module):
    """An image enlarged by repeating its pixels.

    Args:
        size: The height and width of the output, multiples of those of the input.
        scale_factor: The number of repetitions in both directions. Given both, `size` is ignored, as in v0.1.12.

    Raises:
        ValueError: If neither is given.

    Shape:
        Input (N, C, H, W), output (N, C, scale_factor H, scale_factor W).
    """

    _enlarge = staticmethod(F.upsample_nearest)

    def __init__(self, size: Sizes | None = None, scale_factor: Sizes | None = None) -> None:
        super().__init__()
        if size is None and scale_factor is None:
            raise ValueError(f"{self._name}: needs either size or scale_factor")
        self.size = size
        self.scale_factor = scale_factor

    def forward(self, input):
        return self._enlarge(input, self.size, self.scale_factor)

    def extra_repr(self):
        return f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"


class UpsamplingBilinear2d(UpsamplingNearest2d):
    """An image enlarged by linear interpolation in both directions, with fixed corner pixels.

    The arguments and shapes are those of `UpsamplingNearest2d`; `size` may be any size.
    """

    _enlarge = staticmethod(F.upsample_bilinear)


class Upsample(UpsamplingNearest2d):
    """An image enlarged by repeating or interpolating its pixels (0.2).

    Args:
        size: The height and width of the output.
        scale_factor: Their ratio to those of the input. Given both, `size` is ignored.
        mode: "nearest" for `UpsamplingNearest2d`, "bilinear" for `UpsamplingBilinear2d`, "trilinear" for the same with
            five dimensions.

    Raises:
        ValueError: If neither size is given, or `mode` is another word.

    Shape:
        Input (N, C, H, W), output (N, C, scale_factor H, scale_factor W); or both with a depth before the height.
    """

    def __init__(self, size: Sizes | None = None, scale_factor: Sizes | None = None, mode: str = "nearest") -> None:
        super().__init__(size, scale_factor)
        if mode not in ("nearest", "bilinear", "trilinear"):
            raise ValueError(f"{self._name}: mode must be nearest, bilinear or trilinear, got {mode!r}")
        self.mode = mode

    def forward(self, input):
        return F.upsample(input, self.size, self.scale_factor, self.mode)

    def extra_repr(self):
        size = f"scale_factor={self.scale_factor}" if self.size is None else f"size={self.size}"
        return f"{size}, mode={self.mode!r}"


class PixelShuffle(Module):
    """An image enlarged by turning r² channels into the pixels of a square; see `F.pixel_shuffle`.

    Args:
        upscale_factor: The factor r.

    Shape:
        Input (N, C r², H, W), output (N, C, H r, W r).
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return f"upscale_factor={self.upscale_factor}"
