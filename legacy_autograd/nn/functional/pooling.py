"""Pooling as functions: the maximum or the mean of every window.

A size such as `kernel_size` is one integer, or a sequence with one for each spatial dimension.
"""

from collections.abc import Sequence

from ...autograd.functions import pooling
from ...autograd.functions.im2col import tuple_of
from ...autograd.variable import Variable
from ...tensor import Tensor
from ...tensor.messages import shown_size
from ._inputs import Sizes, check_image, check_variables, constant, tensor_of

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_max_pool1d", "adaptive_max_pool2d", "avg_pool1d",
    "avg_pool2d", "avg_pool3d", "fractional_max_pool2d", "lp_pool2d", "max_pool1d", "max_pool2d", "max_pool3d",
    "max_unpool1d", "max_unpool2d", "max_unpool3d",
]  # fmt: skip


def max_pool1d(
    input: Variable,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Variable | tuple[Variable, Variable]:
    """Return the maximum of every window of `input` (N, C, L), as (N, C, L').

    Args:
        input: A Variable (N, C, L).
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The number of elements added at both ends. They are never the maximum.
        dilation: The distance between the elements of a window.
        ceil_mode: Whether the size of the output is rounded up instead of down.
        return_indices: Whether the positions of the maxima are returned as well.

    Returns:
        The maxima. With `return_indices` also a LongTensor of their positions, counted through all spatial dimensions.
    """
    return _one_or_both(pooling.MaxPool1d(kernel_size, stride, padding, dilation, ceil_mode, return_indices)(input))


def max_pool2d(
    input: Variable,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Variable | tuple[Variable, Variable]:
    """Return the maximum of every window of `input` (N, C, H, W), as (N, C, H', W').

    Args:
        input: A Variable (N, C, H, W).
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The number of elements added at both ends. They are never the maximum.
        dilation: The distance between the elements of a window.
        ceil_mode: Whether the size of the output is rounded up instead of down.
        return_indices: Whether the positions of the maxima are returned as well.

    Returns:
        The maxima. With `return_indices` also a LongTensor of their positions, counted through all spatial dimensions.
    """
    return _one_or_both(pooling.MaxPool2d(kernel_size, stride, padding, dilation, ceil_mode, return_indices)(input))


def max_pool3d(
    input: Variable,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Variable | tuple[Variable, Variable]:
    """Return the maximum of every window of `input` (N, C, D, H, W), as (N, C, D', H', W').

    Args:
        input: A Variable (N, C, D, H, W).
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The number of elements added at both ends. They are never the maximum.
        dilation: The distance between the elements of a window.
        ceil_mode: Whether the size of the output is rounded up instead of down.
        return_indices: Whether the positions of the maxima are returned as well.

    Returns:
        The maxima. With `return_indices` also a LongTensor of their positions, counted through all spatial dimensions.
    """
    return _one_or_both(pooling.MaxPool3d(kernel_size, stride, padding, dilation, ceil_mode, return_indices)(input))


def avg_pool1d(
    input: Variable,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Variable:
    """Return the mean of every window of `input` (N, C, L), as (N, C, L').

    Args:
        input: A Variable (N, C, L).
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The number of zeros added at both ends.
        ceil_mode: Whether the size of the output is rounded up instead of down.
        count_include_pad: Whether a mean counts the zeros that `padding` adds.
    """
    return pooling.AvgPool1d(kernel_size, stride, padding, ceil_mode, count_include_pad)(input)[0]


def avg_pool2d(
    input: Variable,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Variable:
    """Return the mean of every window of `input` (N, C, H, W), as (N, C, H', W').

    Args:
        input: A Variable (N, C, H, W).
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The number of zeros added at both ends.
        ceil_mode: Whether the size of the output is rounded up instead of down.
        count_include_pad: Whether a mean counts the zeros that `padding` adds.
    """
    return pooling.AvgPool2d(kernel_size, stride, padding, ceil_mode, count_include_pad)(input)[0]


def avg_pool3d(
    input: Variable,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Variable:
    """Return the mean of every window of `input` (N, C, D, H, W), as (N, C, D', H', W').

    v0.1.12 took only `kernel_size` and `stride`.

    Args:
        input: A Variable (N, C, D, H, W).
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The number of zeros added at both ends.
        ceil_mode: Whether the size of the output is rounded up instead of down.
        count_include_pad: Whether a mean counts the zeros that `padding` adds.
    """
    return pooling.AvgPool3d(kernel_size, stride, padding, ceil_mode, count_include_pad)(input)[0]


def max_unpool1d(
    input: Variable,
    indices: Variable | Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Sequence[int] | None = None,
) -> Variable:
    """Return zeros (N, C, L') with the elements of `input` at the positions `indices`.

    Args:
        input: A Variable (N, C, L), the maxima of a `max_pool1d`.
        indices: Their positions, a LongTensor in the shape of `input`.
        kernel_size: The size of a window of the pooling.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The padding of the pooling.
        output_size: The shape of the result, or L' alone. May differ from the default by less than the stride. Default:
            L' = (L - 1) stride - 2 padding + kernel_size.

    Raises:
        ValueError: If `output_size` does not fit.
    """
    return _unpool("max_unpool1d", pooling.MaxUnpool1d, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(
    input: Variable,
    indices: Variable | Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Sequence[int] | None = None,
) -> Variable:
    """Return zeros (N, C, H', W') with the elements of `input` at the positions `indices`.

    Args:
        input: A Variable (N, C, H, W), the maxima of a `max_pool2d`.
        indices: Their positions, a LongTensor in the shape of `input`.
        kernel_size: The size of a window of the pooling.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The padding of the pooling.
        output_size: The shape of the result, or (H', W') alone. May differ from the default by less than the stride.
            Default: as for `max_unpool1d`.

    Raises:
        ValueError: If `output_size` does not fit.
    """
    return _unpool("max_unpool2d", pooling.MaxUnpool2d, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(
    input: Variable,
    indices: Variable | Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Sequence[int] | None = None,
) -> Variable:
    """Return zeros (N, C, D', H', W') with the elements of `input` at the positions `indices`.

    Args:
        input: A Variable (N, C, D, H, W), the maxima of a `max_pool3d`.
        indices: Their positions, a LongTensor in the shape of `input`.
        kernel_size: The size of a window of the pooling.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The padding of the pooling.
        output_size: The shape of the result, or (D', H', W') alone. May differ from the default by less than the
            stride. Default: as for `max_unpool1d`.

    Raises:
        ValueError: If `output_size` does not fit.
    """
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
                f"{name}: output_size must be between {shown_size(least)} and {shown_size(most)} for an input "
                f"of size {shown_size(input.size())}, got {shown_size(wanted)}"
            )
        size = spatial
    return function(tuple(size))(input, indices)[0]


def fractional_max_pool2d(
    input: Variable,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: float | Sequence[float] | None = None,
    return_indices: bool = False,
    _random_samples: Variable | Tensor | None = None,
) -> Variable | tuple[Variable, Variable]:
    """Return the maximum of every window of `input` (N, C, H, W), the windows being placed at random.

    Args:
        input: A Variable (N, C, H, W).
        kernel_size: The size of a window.
        output_size: The number of windows, (H', W').
        output_ratio: The number of windows as a fraction of (H, W), rounded down; to be given instead of `output_size`.
        return_indices: Whether the positions of the maxima are returned as well.

    Returns:
        The maxima. With `return_indices` also a LongTensor of their positions, counted through all spatial dimensions.

    Raises:
        ValueError: Unless exactly one of `output_size` and `output_ratio` is given.

    Source:
        Graham, "Fractional max-pooling", 2014.
    """
    function = pooling.FractionalMaxPool2d(
        kernel_size, output_size, output_ratio, return_indices, tensor_of(_random_samples)
    )
    return _one_or_both(function(input))


def lp_pool2d(
    input: Variable, norm_type: float, kernel_size: Sizes, stride: Sizes | None = None, ceil_mode: bool = False
) -> Variable:
    """Return (Σ input^p)^(1/p) over every window of `input` (N, C, H, W), as (N, C, H', W').

    Where the sum is 0 the root has no derivative. The gradient is 0 there, as in modern torch (v0.1.12: nan).

    Args:
        input: A Variable (N, C, H, W).
        norm_type: The power p.
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        ceil_mode: Whether the size of the output is rounded up instead of down.
    """
    height, width = tuple_of("lp_pool2d", "kernel_size", kernel_size, 2, 1)
    sums = avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode).mul(height * width)
    if norm_type == 1:
        return sums
    nothing = sums.eq(0)
    return sums.masked_fill(nothing, 1).pow(1 / norm_type).masked_fill(nothing, 0)


def adaptive_avg_pool1d(input: Variable, output_size: Sizes) -> Variable:
    """Return `input` (N, C, L) as (N, C, n), where element i is the mean of the elements iL/n to (i+1)L/n.

    Args:
        input: A Variable (N, C, L).
        output_size: The number n.

    Raises:
        ValueError: If `input` does not have three dimensions.
    """
    check_variables("adaptive_avg_pool1d", input)
    if input.dim() != 3:
        raise ValueError(f"adaptive_avg_pool1d: expected an input (N, C, L), got {input.dim()} dimensions")
    (count,) = tuple_of("adaptive_avg_pool1d", "output_size", output_size, 1, 1)
    return input.matmul(_means(input, 2, count).t())


def adaptive_avg_pool2d(input: Variable, output_size: Sizes) -> Variable:
    """Return `input` (N, C, H, W) as (N, C, n, m), where row i is the mean of the rows iH/n to (i+1)H/n.

    The columns are divided likewise.

    Args:
        input: A Variable (N, C, H, W).
        output_size: The numbers n and m, or one number for both.

    Raises:
        ValueError: If `input` does not have four dimensions.
    """
    check_image("adaptive_avg_pool2d", input)
    rows, columns = tuple_of("adaptive_avg_pool2d", "output_size", output_size, 2, 1)
    return _means(input, 2, rows).matmul(input).matmul(_means(input, 3, columns).t())


def adaptive_max_pool1d(
    input: Variable, output_size: Sizes, return_indices: bool = False
) -> Variable | tuple[Variable, Variable]:
    """Return `input` (N, C, L) as (N, C, n), where element i is the maximum of the elements iL/n to (i+1)L/n.

    Args:
        input: A Variable (N, C, L).
        output_size: The number n.
        return_indices: Whether the positions of the maxima are returned as well.

    Returns:
        The maxima. With `return_indices` also a LongTensor of their positions, counted through all spatial dimensions.
    """
    return _one_or_both(pooling.AdaptiveMaxPool1d(output_size, return_indices)(input))


def adaptive_max_pool2d(
    input: Variable, output_size: Sizes, return_indices: bool = False
) -> Variable | tuple[Variable, Variable]:
    """Return `input` (N, C, H, W) as (N, C, n, m), where row i is the maximum of the rows iH/n to (i+1)H/n.

    The columns are divided likewise.

    Args:
        input: A Variable (N, C, H, W).
        output_size: The numbers n and m, or one number for both.
        return_indices: Whether the positions of the maxima are returned as well.

    Returns:
        The maxima. With `return_indices` also a LongTensor of their positions, counted through all spatial dimensions.
    """
    return _one_or_both(pooling.AdaptiveMaxPool2d(output_size, return_indices)(input))


def _one_or_both(outputs):
    """Return the maxima, or a tuple of the maxima and their positions if there are two outputs."""
    return outputs[0] if len(outputs) == 1 else outputs


def _means(input, dim, count):
    """Return the constant matrix that takes the mean of each of `count` parts of dimension `dim`."""
    length = input.size(dim)
    spans = pooling.adaptive_spans(length, count)
    rows = [[1 / (b - a) if a <= column < b else 0 for column in range(length)] for a, b in spans]
    return Variable(input.data.new(rows), requires_grad=False)
