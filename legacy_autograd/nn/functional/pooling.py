"""Pooling: the largest number, or the mean, of every window."""

from ...autograd.functions import pooling
from ...autograd.functions.im2col import tuple_of
from ...autograd.variable import Variable
from ...tensor._helpers import shown_size
from ._inputs import check_image, check_variables, constant, tensor_of


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


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the numbers of input (N, C, L) at the places that the indices of a max_pool1d name.

    `output_size`, one number or the whole size, may differ by less than the stride from the length that is assumed
    without it, (L - 1) stride - 2 padding + kernel_size; ValueError for others.
    """
    return _unpool("max_unpool1d", pooling.MaxUnpool1d, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the numbers of input (N, C, H, W) at the places that the indices name; see max_unpool1d."""
    return _unpool("max_unpool2d", pooling.MaxUnpool2d, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the numbers of input (N, C, D, H, W) at the places that the indices name; see max_unpool1d."""
    return _unpool("max_unpool3d", pooling.MaxUnpool3d, input, indices, kernel_size, stride, padding, output_size)


def _unpool(name, function, input, indices, kernel_size, stride, padding, output_size):
    dims = function.dims
    kernel = tuple_of(name, "kernel_size", kernel_size, dims, 1)
    stride = kernel if stride is None else tuple_of(name, "stride", stride, dims, 1)
    padding = tuple_of(name, "padding", padding, dims, 0)
    indices = constant(indices)
    check_variables(name, input, indices)
    if input.dim() != 2 + dims:
        raise ValueError(f"{name}: expected an input of {2 + dims} dimensions, got {input.dim()}")
    size = [(n - 1) * s - 2 * p + k for n, k, s, p in zip(input.size()[2:], kernel, stride, padding)]
    if output_size is not None:
        wanted = tuple(output_size)
        spatial = wanted[2:] if len(wanted) == dims + 2 else wanted
        if len(spatial) != dims or not all([n - s < w < n + s for n, s, w in zip(size, stride, spatial)]):
            least, most = [[n + sign * (s - 1) for n, s in zip(size, stride)] for sign in (-1, 1)]
            raise ValueError(
                f"{name}: an input of size {shown_size(input.size())} gives an output of {shown_size(least)} to "
                f"{shown_size(most)}, and not of {shown_size(wanted)}"
            )
        size = spatial
    return function(tuple(size))(input, indices)[0]


def fractional_max_pool2d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
):
    """The largest number of each of output_size windows at random places of input (N, C, H, W).

    `output_ratio` may be given instead, of the input's size. See the Function FractionalMaxPool2d.
    """
    function = pooling.FractionalMaxPool2d(
        kernel_size, output_size, output_ratio, return_indices, tensor_of(_random_samples)
    )
    outputs = function(input)
    return outputs if return_indices else outputs[0]


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """(Σ input^norm_type)^(1/norm_type) over every window of input (N, C, H, W).

    Where the sum is 0 a root has no derivative, and the gradient is 0, as in modern torch (v0.1.12: nan).
    """
    height, width = tuple_of("lp_pool2d", "kernel_size", kernel_size, 2, 1)
    sums = avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode).mul(height * width)
    if norm_type == 1:
        return sums
    nothing = sums.eq(0)
    return sums.masked_fill(nothing, 1).pow(1 / norm_type).masked_fill(nothing, 0)


def adaptive_avg_pool1d(input, output_size):
    """input (N, C, L) as (N, C, output_size): element i of n is the mean of elements iL/n to (i+1)L/n."""
    check_variables("adaptive_avg_pool1d", input)
    if input.dim() != 3:
        raise ValueError(f"adaptive_avg_pool1d: expected an input (N, C, L), got {input.dim()} dimensions")
    (count,) = tuple_of("adaptive_avg_pool1d", "output_size", output_size, 1, 1)
    return input.matmul(_means(input, 2, count).t())


def adaptive_avg_pool2d(input, output_size):
    """input (N, C, H, W) as (N, C, *output_size): element i of n is the mean of rows iH/n to (i+1)H/n."""
    check_image("adaptive_avg_pool2d", input)
    rows, columns = tuple_of("adaptive_avg_pool2d", "output_size", output_size, 2, 1)
    return _means(input, 2, rows).matmul(input).matmul(_means(input, 3, columns).t())


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """As adaptive_avg_pool1d, with the largest number in place of the mean; with `return_indices` its place too."""
    outputs = pooling.AdaptiveMaxPool1d(output_size, return_indices)(input)
    return outputs if return_indices else outputs[0]


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """As adaptive_avg_pool2d, with the largest number in place of the mean; with `return_indices` its place too."""
    outputs = pooling.AdaptiveMaxPool2d(output_size, return_indices)(input)
    return outputs if return_indices else outputs[0]


def _means(input, dim, count):
    """The matrix that takes the mean of each of `count` shares of dimension `dim`, a constant Variable."""
    length = input.size(dim)
    spans = pooling.adaptive_spans(length, count)
    rows = [[1 / (b - a) if a <= column < b else 0 for column in range(length)] for a, b in spans]
    return Variable(input.data.new(rows), requires_grad=False)
