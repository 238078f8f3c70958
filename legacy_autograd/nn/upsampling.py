"""Layers that make larger images (2017: `torch/nn/modules/upsampling.py` and `pixelshuffle.py`)."""

from . import functional as F
from .module import Module


class UpsamplingNearest2d(Module):
    """An input (N, C, H, W) with each pixel `scale_factor` times in both directions, or in `size`.

    As in v0.1.12 the factor goes before the size where both are given. ValueError where neither is.
    """

    _enlarge = staticmethod(F.upsample_nearest)

    def __init__(self, size=None, scale_factor=None):
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
    """The same with straight lines between the pixels; the corners stay what they are."""

    _enlarge = staticmethod(F.upsample_bilinear)


class Upsample(Module):
    """UpsamplingNearest2d, or with the mode "bilinear" UpsamplingBilinear2d (0.2). ValueError for another mode."""

    def __init__(self, size=None, scale_factor=None, mode="nearest"):
        super().__init__()
        if size is None and scale_factor is None:
            raise ValueError(f"{self._name}: needs either size or scale_factor")
        if mode not in ("nearest", "bilinear"):
            raise ValueError(f"{self._name}: mode must be nearest or bilinear, got {mode!r}")
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode

    def forward(self, input):
        return F.upsample(input, self.size, self.scale_factor, self.mode)

    def extra_repr(self):
        size = f"scale_factor={self.scale_factor}" if self.size is None else f"size={self.size}"
        return f"{size}, mode={self.mode!r}"


class PixelShuffle(Module):
    """An input (N, C r², H, W) as (N, C, H r, W r), r being the `upscale_factor`: see F.pixel_shuffle."""

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return f"upscale_factor={self.upscale_factor}"
