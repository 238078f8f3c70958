"""Pooling: the largest number, or the mean, of every window."""

from ...autograd.functions import cat, pooling
from ...autograd.functions.im2col import tuple_of
from ...autograd.variable import Variable
from ._inputs import check_image


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest number of every window of input (N, C, L); with `return_indices` also where it stands."""
    outputs = pooling.MaxPool1d(kernel_size, stride, padding, dilation, ceil_mode, return_indices)(input)
    return outputs if return_indices else outputs[0]


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest number of every window of input (N, C, H, W); with `return_indices` also where it stands."""
    outputs = pooling.MaxPool2d(kernel_size, stride, padding, dilation, ceil_mode, return_indices)(input)
    return outputs if return_indices else outputs[0]


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest number of every window of input (N, C, D, H, W); with `return_indices` also where it stands."""
    outputs = pooling.MaxPool3d(kernel_size, stride, padding, dilation, ceil_mode, return_indices)(input)
    return outputs if return_indices else outputs[0]


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of every window of input (N, C, L)."""
    return pooling.AvgPool1d(kernel_size, stride, padding, ceil_mode, count_include_pad)(input)[0]


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of every window of input (N, C, H, W)."""
    return pooling.AvgPool2d(kernel_size, stride, padding, ceil_mode, count_include_pad)(input)[0]


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of every window of input (N, C, D, H, W). v0.1.12 took only the kernel size and the stride."""
    return pooling.AvgPool3d(kernel_size, stride, padding, ceil_mode, count_include_pad)(input)[0]


def adaptive_avg_pool2d(input, output_size):
    """input (N, C, H, W) as (N, C, *output_size): element i of n is the mean of rows iH/n to (i+1)H/n."""
    rows, columns = _adaptive("adaptive_avg_pool2d", input, output_size)
    weights = [Variable(input.data.new(_means(spans)), requires_grad=False) for spans in (rows, columns)]
    return weights[0].matmul(input).matmul(weights[1].t())


def adaptive_max_pool2d(input, output_size):
    """As adaptive_avg_pool2d, with the largest number in place of the mean."""
    rows, columns = _adaptive("adaptive_max_pool2d", input, output_size)
    size = (*input.size()[:2], -1)
    parts = [input[:, :, a:b, c:d].contiguous().view(*size).max(2)[0] for a, b in rows for c, d in columns]
    return cat([part.contiguous().view(*size) for part in parts], 2).view(*size[:2], len(rows), len(columns))


def _adaptive(name, input, output_size):
    """For both dimensions the spans that the elements of the output stand for, as (first, last + 1)."""
    check_image(name, input)
    counts = tuple_of(name, "output_size", output_size, 2, 1)
    return [[(i * n // k, -(-(i + 1) * n // k)) for i in range(k)] for n, k in zip(input.size()[2:], counts)]


def _means(spans):
    """The matrix that takes the mean of each span."""
    return [[1 / (b - a) if a <= column < b else 0 for column in range(spans[-1][1])] for a, b in spans]
