"""Enlarging images."""

import numpy

from ...autograd.functions.im2col import tuple_of
from ...autograd.variable import Variable
from ._inputs import Sizes, check_image

__all__ = ["pixel_shuffle", "upsample", "upsample_bilinear", "upsample_nearest"]


def pixel_shuffle(input: Variable, upscale_factor: int) -> Variable:
    """Return `input` (N, C r², H, W) as (N, C, H r, W r): r² channels become the pixels of a square.

    Args:
        input: A Variable (N, C r², H, W).
        upscale_factor: The factor r.

    Raises:
        ValueError: If r² does not divide the number of channels.

    Source:
        Shi et al., "Real-time single image and video super-resolution using an efficient sub-pixel convolutional neural
        network", 2016.
    """
    check_image("pixel_shuffle", input)
    n, channels, height, width = input.size()
    r = upscale_factor
    if r < 1 or channels % (r * r):
        raise ValueError(f"pixel_shuffle: the number of channels must be divisible by {r} · {r}, got {channels}")
    squares = input.contiguous().view(n, channels // (r * r), r, r, height, width).permute(0, 1, 4, 2, 5, 3)
    return squares.contiguous().view(n, channels // (r * r), height * r, width * r)


def upsample_nearest(input: Variable, size: Sizes | None = None, scale_factor: Sizes | None = None) -> Variable:
    """Return `input` (N, C, H, W) enlarged by repeating its pixels.

    Args:
        input: A Variable (N, C, H, W).
        size: The height and width of the result, multiples of those of `input`.
        scale_factor: The number of repetitions in both directions. Given both, `size` is ignored.

    Raises:
        ValueError: If neither is given, or `size` is not a multiple.
    """
    check_image("upsample_nearest", input)
    n, channels, height, width = input.size()
    rows, columns = _enlarged("upsample_nearest", (height, width), size, scale_factor)
    if rows % height or columns % width:
        raise ValueError(f"upsample_nearest: size must be a multiple of ({height}, {width}), got ({rows}, {columns})")
    wide = input.contiguous().view(n, channels, height, 1, width, 1)
    wide = wide.expand(n, channels, height, rows // height, width, columns // width)
    return wide.contiguous().view(n, channels, rows, columns)


def upsample_bilinear(input: Variable, size: Sizes | None = None, scale_factor: Sizes | None = None) -> Variable:
    """Return `input` (N, C, H, W) resized by linear interpolation in both directions, with fixed corner pixels.

    Args:
        input: A Variable (N, C, H, W).
        size: The height and width of the result.
        scale_factor: Their ratio to those of `input`. Given both, `size` is ignored.

    Raises:
        ValueError: If neither is given.
    """
    check_image("upsample_bilinear", input)
    sizes = input.size()[2:]
    larger = _enlarged("upsample_bilinear", sizes, size, scale_factor)
    weights = [Variable(input.data.new(_lines(*pair)), requires_grad=False) for pair in zip(sizes, larger)]
    return weights[0].matmul(input).matmul(weights[1].t())


def upsample(
    input: Variable, size: Sizes | None = None, scale_factor: Sizes | None = None, mode: str = "nearest"
) -> Variable:
    """Return `upsample_nearest` or `upsample_bilinear` (0.2).

    Args:
        input: A Variable (N, C, H, W).
        size: The height and width of the result.
        scale_factor: Their ratio to those of `input`. Given both, `size` is ignored.
        mode: "nearest" or "bilinear".

    Raises:
        ValueError: If `mode` is another word, or neither size is given.
    """
    if mode not in ("nearest", "bilinear"):
        raise ValueError(f"upsample: mode must be nearest or bilinear, got {mode!r}")
    return (upsample_nearest if mode == "nearest" else upsample_bilinear)(input, size, scale_factor)


def _enlarged(name, sizes, size, scale_factor):
    if scale_factor is not None:  # as in v0.1.12, where it takes precedence over `size`
        return [n * k for n, k in zip(sizes, tuple_of(name, "scale_factor", scale_factor, 2, 1))]
    if size is None:
        raise ValueError(f"{name}: needs either size or scale_factor")
    return tuple_of(name, "size", size, 2, 1)


def _lines(length, count):
    """Return the matrix that interpolates `count` points, ends included, linearly from `length` points."""
    places = numpy.arange(count) * (length - 1) / max(count - 1, 1)
    distances = numpy.abs(places[:, None] - numpy.arange(length))
    return numpy.maximum(0, 1 - distances).tolist()
