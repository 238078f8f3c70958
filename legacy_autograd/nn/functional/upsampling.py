"""Enlarging images."""

from collections.abc import Sequence

import numpy

from ...autograd.functions.im2col import tuple_of
from ...autograd.variable import Variable
from ...tensor import from_numpy
from ._inputs import Sizes, check_image, check_variables

__all__ = ["affine_grid", "grid_sample", "pixel_shuffle", "upsample", "upsample_bilinear", "upsample_nearest"]


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
    """Return `input` (N, C, H, W) or (N, C, D, H, W) enlarged by repeating its elements.

    Args:
        input: A Variable of four or five dimensions.
        size: The height and width of the result (with five dimensions its depth before), multiples of those of `input`.
        scale_factor: The number of repetitions in every direction. Given both, `size` is ignored.

    Raises:
        ValueError: If neither is given, or `size` is not a multiple.
    """
    larger = _enlarged("upsample_nearest", input, size, scale_factor)
    n, channels, *sizes = input.size()
    if any([after % before for before, after in zip(sizes, larger)]):
        raise ValueError(f"upsample_nearest: size must be a multiple of {tuple(sizes)}, got {tuple(larger)}")
    apart = [part for before in sizes for part in (before, 1)]
    repeated = [part for before, after in zip(sizes, larger) for part in (before, after // before)]
    wide = input.contiguous().view(n, channels, *apart).expand(n, channels, *repeated)
    return wide.contiguous().view(n, channels, *larger)


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
    return _interpolated("upsample_bilinear", input, size, scale_factor)


def upsample(
    input: Variable, size: Sizes | None = None, scale_factor: Sizes | None = None, mode: str = "nearest"
) -> Variable:
    """Return `upsample_nearest`, or `input` resized by linear interpolation in every direction (0.2).

    Args:
        input: A Variable (N, C, H, W) or (N, C, D, H, W).
        size: The height and width of the result, with five dimensions its depth before.
        scale_factor: Their ratio to those of `input`. Given both, `size` is ignored.
        mode: "nearest"; "bilinear" for four dimensions; "trilinear" for five.

    Raises:
        ValueError: If `mode` is another word or does not fit `input`, or neither size is given.
    """
    if mode == "nearest":
        return upsample_nearest(input, size, scale_factor)
    if mode not in ("bilinear", "trilinear"):
        raise ValueError(f"upsample: mode must be nearest, bilinear or trilinear, got {mode!r}")
    if input.dim() != (4 if mode == "bilinear" else 5):
        raise ValueError(f"upsample: {mode} does not take an input of {input.dim()} dimensions")
    return _interpolated("upsample", input, size, scale_factor)


def affine_grid(theta: Variable, size: Sequence[int]) -> Variable:
    """Return the places (N, H, W, 2) to which affine maps take the pixels of an image, for `grid_sample` (0.2).

    Args:
        theta: The matrices of the maps, (N, 2, 3).
        size: The size (N, C, H, W) of the image that `grid_sample` will make.

    Source:
        Jaderberg et al., "Spatial transformer networks", 2015.
    """
    n, _, height, width = size
    y, x = numpy.meshgrid(*[numpy.linspace(-1, 1, length) for length in (height, width)], indexing="ij")
    places = numpy.stack([x, y, numpy.ones_like(x)], -1).reshape(1, height * width, 3)
    pixels = Variable(theta.data.new(places.tolist()), requires_grad=False).expand(n, height * width, 3)
    return pixels.bmm(theta.transpose(1, 2)).view(n, height, width, 2)


def grid_sample(input: Variable, grid: Variable, mode: str = "bilinear") -> Variable:
    """Return the values of `input` at the places of `grid`, between four pixels by linear interpolation (0.2).

    Args:
        input: Images (N, C, H, W).
        grid: Places (N, H', W', 2): first x, from -1 at the centre of the leftmost pixel to 1 at that of the rightmost,
            then y. Outside of the image all values are 0.
        mode: "bilinear".

    Returns:
        A Variable (N, C, H', W').

    Raises:
        ValueError: If `mode` is another word, or the shapes do not fit.

    Source:
        Jaderberg et al., "Spatial transformer networks", 2015.
    """
    check_image("grid_sample", input)
    if mode != "bilinear":
        raise ValueError(f"grid_sample: mode must be bilinear, got {mode!r}")
    n, channels, height, width = input.size()
    if grid.dim() != 4 or grid.size(3) != 2 or grid.size(0) != n:
        raise ValueError(f"grid_sample: expected a grid ({n}, H, W, 2), got {tuple(grid.size())}")
    rows, columns = grid.size()[1:3]
    pixels = input.contiguous().view(n, channels, height * width)
    x, y = [
        grid.select(3, axis).contiguous().view(n, rows * columns).add(1).mul((length - 1) / 2)
        for axis, length in enumerate((width, height))
    ]
    left, top = [numpy.floor(place.data.array) for place in (x, y)]
    result = Variable(input.data.new(n, channels, rows * columns).zero_(), requires_grad=False)
    for down in (0, 1):
        for right in (0, 1):
            column, row = left + right, top + down
            inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
            number = numpy.where(inside, row * width + column, 0).astype(numpy.int64)
            index = Variable(from_numpy(number), requires_grad=False).unsqueeze(1)
            values = pixels.gather(2, index.expand(n, channels, rows * columns).contiguous())
            # The share of a pixel falls linearly to 0 at the next one.
            shares = [
                place.sub(Variable(from_numpy(start), requires_grad=False)).mul(2 * far - 1).add(1 - far)
                for place, start, far in ((x, left, right), (y, top, down))
            ]
            share = (
                shares[0]
                .mul(shares[1])
                .masked_fill(Variable(from_numpy((~inside).view(numpy.uint8)), requires_grad=False), 0)
            )
            result = result.add(values.mul(share.unsqueeze(1).expand(n, channels, rows * columns)))
    return result.view(n, channels, rows, columns)


def _interpolated(name, input, size, scale_factor):
    """Return `input` resized by linear interpolation along every dimension behind the first two."""
    larger = _enlarged(name, input, size, scale_factor)
    for dim, (before, after) in enumerate(zip(input.size()[2:], larger), 2):
        weight = Variable(input.data.new(_lines(before, after)), requires_grad=False)
        input = input.transpose(dim, -1).matmul(weight.t()).transpose(dim, -1)
    return input


def _enlarged(name, input, size, scale_factor):
    check_variables(name, input)
    if input.dim() not in (4, 5):
        raise ValueError(f"{name}: expected an input (N, C, H, W) or (N, C, D, H, W), got {input.dim()} dimensions")
    sizes = input.size()[2:]
    if scale_factor is not None:  # as in v0.1.12, where it takes precedence over `size`
        return [n * k for n, k in zip(sizes, tuple_of(name, "scale_factor", scale_factor, len(sizes), 1))]
    if size is None:
        raise ValueError(f"{name}: needs either size or scale_factor")
    return tuple_of(name, "size", size, len(sizes), 1)


def _lines(length, count):
    """Return the matrix that interpolates `count` points, ends included, linearly from `length` points."""
    places = numpy.arange(count) * (length - 1) / max(count - 1, 1)
    distances = numpy.abs(places[:, None] - numpy.arange(length))
    return numpy.maximum(0, 1 - distances).tolist()
