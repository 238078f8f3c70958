"""Convolutions and their transposes."""

from ...autograd.functions import conv
from ...autograd.functions.im2col import tuple_of
from ._inputs import check_variables, given
from .padding import pad


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """input (N, C, L) convolved with weight (O, C/groups, K), plus bias (O)."""
    return conv.Conv1d(stride, padding, dilation, groups)(*given(input, weight, bias))[0]


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """input (N, C, H, W) convolved with weight (O, C/groups, KH, KW), plus bias (O)."""
    return conv.Conv2d(stride, padding, dilation, groups)(*given(input, weight, bias))[0]


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """input (N, C, D, H, W) convolved with weight (O, C/groups, KD, KH, KW), plus bias (O)."""
    return conv.Conv3d(stride, padding, dilation, groups)(*given(input, weight, bias))[0]


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of conv1d: input (N, C, L), weight (C, O/groups, K), bias (O); returns (N, O, L').

    L' = (L - 1) stride - 2 padding + dilation (K - 1) + 1 + output_padding.
    """
    return _conv_transpose(
        "conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of conv2d: input (N, C, H, W), weight (C, O/groups, KH, KW), bias (O); see conv_transpose1d."""
    return _conv_transpose(
        "conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of conv3d: input (N, C, D, H, W), weight (C, O/groups, KD, KH, KW), bias (O).

    For the size of the result see conv_transpose1d.
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
            f"{name}: output_padding must be smaller than the stride or the dilation, got {output_padding!r}, {stride} "
            f"and {dilation}"
        )
    check_variables(name, input, weight)
    if input.dim() != 2 + dims or weight.dim() != 2 + dims:
        raise ValueError(
            f"{name}: expected an input and a weight of {2 + dims} dimensions, got {input.dim()} and {weight.dim()}"
        )
    parts = zip(input.size()[2:], weight.size()[2:], stride, padding, dilation, extra)
    size = [(n - 1) * s - 2 * p + d * (k - 1) + 1 + e for n, k, s, p, d, e in parts]
    if min(size) < 1:
        raise ValueError(f"{name}: a padding of {padding} leaves nothing of the output, its size would be {size}")
    more = [e // s for e, s in zip(extra, stride)]
    if any(more):  # as many inputs more, which are 0: a convolution over the larger output would give so many
        input = pad(input, [end for count in reversed(more) for end in (0, count)])
    return conv.ConvTranspose(size, stride, padding, dilation, groups)(*given(input, weight, bias))[0]
