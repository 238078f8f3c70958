"""Convolutions and transposed convolutions as functions.

A size such as `stride` is one integer, or a sequence with one for each spatial dimension.
"""

from ...autograd.functions import conv
from ...autograd.functions.im2col import tuple_of
from ...autograd.variable import Variable
from ._inputs import Sizes, check_variables, given
from .padding import pad

__all__ = ["conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]


def conv1d(
    input: Variable,
    weight: Variable,
    bias: Variable | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Variable:
    """Return the convolution of `input` (N, C, L) with `weight`, plus `bias`, as (N, O, L').

    Args:
        input: A Variable (N, C, L).
        weight: The kernels, (O, C / groups, K).
        bias: One number for each output channel, (O). Default: none.
        stride: The step of the kernel.
        padding: The number of zeros added at both ends.
        dilation: The distance between the elements of the kernel.
        groups: The number of groups into which the channels are divided. Each has its own kernels.
    """
    return conv.Conv1d(stride, padding, dilation, groups)(*given(input, weight, bias))[0]


def conv2d(
    input: Variable,
    weight: Variable,
    bias: Variable | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Variable:
    """Return the convolution of `input` (N, C, H, W) with `weight`, plus `bias`, as (N, O, H', W').

    Args:
        input: A Variable (N, C, H, W).
        weight: The kernels, (O, C / groups, KH, KW).
        bias: One number for each output channel, (O). Default: none.
        stride: The step of the kernel.
        padding: The number of zeros added at both ends.
        dilation: The distance between the elements of the kernel.
        groups: The number of groups into which the channels are divided. Each has its own kernels.
    """
    return conv.Conv2d(stride, padding, dilation, groups)(*given(input, weight, bias))[0]


def conv3d(
    input: Variable,
    weight: Variable,
    bias: Variable | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Variable:
    """Return the convolution of `input` (N, C, D, H, W) with `weight`, plus `bias`, as (N, O, D', H', W').

    Args:
        input: A Variable (N, C, D, H, W).
        weight: The kernels, (O, C / groups, KD, KH, KW).
        bias: One number for each output channel, (O). Default: none.
        stride: The step of the kernel.
        padding: The number of zeros added at both ends.
        dilation: The distance between the elements of the kernel.
        groups: The number of groups into which the channels are divided. Each has its own kernels.
    """
    return conv.Conv3d(stride, padding, dilation, groups)(*given(input, weight, bias))[0]


def conv_transpose1d(
    input: Variable,
    weight: Variable,
    bias: Variable | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Variable:
    """Return the transpose of `conv1d`, applied to `input` (N, C, L), as (N, O, L').

    L' = (L - 1) stride - 2 padding + dilation (K - 1) + 1 + output_padding.

    Args:
        input: A Variable (N, C, L).
        weight: The kernels, (C, O / groups, K).
        bias: One number for each output channel, (O). Default: none.
        stride: The step of the convolution that this transposes.
        padding: The number of elements removed at both ends.
        output_padding: The number of elements added at the end. Must be smaller than the stride or the dilation.
        groups: The number of groups into which the channels are divided. Each has its own kernels.
        dilation: The distance between the elements of the kernel.

    Raises:
        ValueError: If a shape does not fit, or nothing is left of the output.
    """
    return _conv_transpose(
        "conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def conv_transpose2d(
    input: Variable,
    weight: Variable,
    bias: Variable | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Variable:
    """Return the transpose of `conv2d`, applied to `input` (N, C, H, W), as (N, O, H', W').

    H' and W' follow from H and W as L' from L in `conv_transpose1d`.

    Args:
        input: A Variable (N, C, H, W).
        weight: The kernels, (C, O / groups, KH, KW).
        bias: One number for each output channel, (O). Default: none.
        stride: The step of the convolution that this transposes.
        padding: The number of elements removed at both ends.
        output_padding: The number of elements added at the end. Must be smaller than the stride or the dilation.
        groups: The number of groups into which the channels are divided. Each has its own kernels.
        dilation: The distance between the elements of the kernel.

    Raises:
        ValueError: If a shape does not fit, or nothing is left of the output.
    """
    return _conv_transpose(
        "conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def conv_transpose3d(
    input: Variable,
    weight: Variable,
    bias: Variable | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Variable:
    """Return the transpose of `conv3d`, applied to `input` (N, C, D, H, W), as (N, O, D', H', W').

    D', H' and W' follow from D, H and W as L' from L in `conv_transpose1d`.

    Args:
        input: A Variable (N, C, D, H, W).
        weight: The kernels, (C, O / groups, KD, KH, KW).
        bias: One number for each output channel, (O). Default: none.
        stride: The step of the convolution that this transposes.
        padding: The number of elements removed at both ends.
        output_padding: The number of elements added at the end. Must be smaller than the stride or the dilation.
        groups: The number of groups into which the channels are divided. Each has its own kernels.
        dilation: The distance between the elements of the kernel.

    Raises:
        ValueError: If a shape does not fit, or nothing is left of the output.
    """
    return _conv_transpose(
        "conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def _conv_transpose(name, dims, input, weight, bias, stride, padding, output_padding, groups, dilation):
    stride = tuple_of(name, "stride", stride, dims, 1)
    dilation = tuple_of(name, "dilation", dilation, dims, 1)
    padding = tuple_of(name, "padding", padding, dims, 0)
    extra = tuple_of(name, "output_padding", output_padding, dims, 0)
    if any([e >= max(s, d) for e, s, d in zip(extra, stride, dilation)]):
        raise ValueError(
            f"{name}: output_padding must be smaller than the stride or the dilation, got {output_padding!r} with the "
            f"stride {stride} and the dilation {dilation}"
        )
    check_variables(name, input, weight)
    if input.dim() != 2 + dims or weight.dim() != 2 + dims:
        raise ValueError(
            f"{name}: expected an input and a weight of {2 + dims} dimensions, got {input.dim()} and {weight.dim()}"
        )
    parts = zip(input.size()[2:], weight.size()[2:], stride, padding, dilation, extra)
    size = [(n - 1) * s - 2 * p + d * (k - 1) + 1 + e for n, k, s, p, d, e in parts]
    if min(size) < 1:
        raise ValueError(f"{name}: the padding {padding} is too large, the output would have the shape {tuple(size)}")
    more = [e // s for e, s in zip(extra, stride)]
    if any(more):  # the convolution of the larger output has more elements: zeros of `input`
        input = pad(input, [end for count in reversed(more) for end in (0, count)])
    return conv.ConvTranspose(size, stride, padding, dilation, groups)(*given(input, weight, bias))[0]
