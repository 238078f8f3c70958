"""Larger images."""

import numpy

from ...autograd.functions.im2col import tuple_of
from ...autograd.variable import Variable
from ._inputs import check_image


def pixel_shuffle(input, upscale_factor):
    """input (N, C r², H, W) as (N, C, H r, W r), r being the factor: r² channels are the pixels of a square.

    Shi et al., "Real-time single image and video super-resolution", 2016. ValueError if r² does not divide.
    """
    check_image("pixel_shuffle", input)
    n, channels, height, width = input.size()
    r = upscale_factor
    if r < 1 or channels % (r * r):
        raise ValueError(f"pixel_shuffle: {channels} channels cannot be shared out to squares of {r}x{r}")
    squares = input.contiguous().view(n, channels // (r * r), r, r, height, width).permute(0, 1, 4, 2, 5, 3)
    return squares.contiguous().view(n, channels // (r * r), height * r, width * r)


def upsample_nearest(input, size=None, scale_factor=None):
    """input (N, C, H, W) with each pixel `scale_factor` times in both directions, or to `size`, a multiple of it."""
    check_image("upsample_nearest", input)
    n, channels, height, width = input.size()
    rows, columns = _enlarged("upsample_nearest", (height, width), size, scale_factor)
    if rows % height or columns % width:
        raise ValueError(f"upsample_nearest: {rows}x{columns} is no multiple of the size {height}x{width}")
    wide = input.contiguous().view(n, channels, height, 1, width, 1)
    wide = wide.expand(n, channels, height, rows // height, width, columns // width)
    return wide.contiguous().view(n, channels, rows, columns)


def upsample_bilinear(input, size=None, scale_factor=None):
    """input (N, C, H, W) in another size, straight lines between its pixels; the corners stay what they are."""
    check_image("upsample_bilinear", input)
    sizes = input.size()[2:]
    larger = _enlarged("upsample_bilinear", sizes, size, scale_factor)
    weights = [Variable(input.data.new(_lines(*pair)), requires_grad=False) for pair in zip(sizes, larger)]
    return weights[0].matmul(input).matmul(weights[1].t())


def upsample(input, size=None, scale_factor=None, mode="nearest"):
    """upsample_nearest, or with the mode "bilinear" upsample_bilinear (0.2). ValueError for another mode."""
    if mode not in ("nearest", "bilinear"):
        raise ValueError(f"upsample: mode must be nearest or bilinear, got {mode!r}")
    return (upsample_nearest if mode == "nearest" else upsample_bilinear)(input, size, scale_factor)


def _enlarged(name, sizes, size, scale_factor):
    if scale_factor is not None:  # v0.1.12 ignores the size then
        return [n * k for n, k in zip(sizes, tuple_of(name, "scale_factor", scale_factor, 2, 1))]
    if size is None:
        raise ValueError(f"{name}: needs either size or scale_factor")
    return tuple_of(name, "size", size, 2, 1)


def _lines(length, count):
    """The matrix that reads `count` points, from end to end, off the straight lines between `length` of them."""
    places = numpy.arange(count) * (length - 1) / max(count - 1, 1)
    distances = numpy.abs(places[:, None] - numpy.arange(length))
    return numpy.maximum(0, 1 - distances).tolist()
