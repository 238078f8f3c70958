"""Windows that slide over an input: the geometry that convolution and pooling share, and the way to a matrix and back.

Everything here works on bare numpy arrays of size (N, C, *size), with any number of spatial dimensions.
"""

import itertools
import math
import numbers

import numpy
from numpy.lib.stride_tricks import as_strided

from ...tensor import buffer_pool
from ...tensor._helpers import shown, shown_size


def tuple_of(name, what, value, dims, least):
    """`value`, an integer or a sequence of `dims` of them, as a tuple; each has to be `least` or more.

    Raises TypeError for what is neither, ValueError for the wrong number of integers and for one that is too small.
    """
    if type(value) is int and value >= least:
        return (value,) * dims
    if type(value) is tuple and len(value) == dims and all([type(v) is int and v >= least for v in value]):
        return value  # the usual cases first: a convolution and its gradients ask this a dozen times
    values = (value,) * dims if isinstance(value, numbers.Integral) else value
    if not isinstance(values, (tuple, list)) or not all([isinstance(v, numbers.Integral) for v in values]):
        raise TypeError(f"{name}: {what} must be an integer or a tuple of {dims}, got {value!r}")
    if len(values) != dims:
        raise ValueError(f"{name}: {what} must be an integer or a tuple of {dims}, got {value!r}")
    if min(values) < least:
        raise ValueError(f"{name}: {what} must be {least} or more, got {value!r}")
    return tuple([int(v) for v in values])


def check_images(name, x, dims):
    """Raise unless the Tensor `x` is (N, C, *size) with `dims` spatial dimensions, and holds floating-point numbers."""
    if x.array.ndim != 2 + dims:
        sizes = ("L", "H, W", "D, H, W")[dims - 1]
        raise ValueError(f"{name}: expected an input of {2 + dims} dimensions, (N, C, {sizes}), got {shown(x)}")
    if x.array.dtype.kind != "f":
        raise TypeError(f"{name}: expected floating-point numbers, got {shown(x)}")


class Windows:
    """Where the windows of a convolution or pooling lie: tuples of kernel size, stride, padding and dilation."""

    __slots__ = ("dilation", "kernel", "padding", "stride")

    def __init__(self, kernel, stride, padding, dilation):
        self.kernel = kernel
        self.stride = stride
        self.padding = padding
        self.dilation = dilation

    def reach(self):
        """From the first to the last element of a window, inclusive, in each dimension: dilation (kernel - 1) + 1."""
        return tuple([d * (k - 1) + 1 for k, d in zip(self.kernel, self.dilation)])

    def counts(self, name, size, ceil_mode=False):
        """How many windows fit into each dimension of an input of `size`; these are the sizes of the output.

        (size + 2 padding - reach) / stride + 1, rounded down, or up with `ceil_mode`; then a last window that would
        start beyond the input and its left padding is left out. Raises ValueError where there would be none.
        """
        counts = []
        for length, reach, stride, padding in zip(size, self.reach(), self.stride, self.padding):
            room = length + 2 * padding - reach
            count = (-(-room // stride) if ceil_mode else room // stride) + 1
            if ceil_mode and (count - 1) * stride >= length + padding:
                count -= 1
            counts.append(count)
        if min(counts) < 1:
            raise ValueError(
                f"{name}: a kernel of {shown_size(self.kernel)} with dilation {shown_size(self.dilation)} is larger "
                f"than the input of {shown_size(size)} with padding {shown_size(self.padding)}"
            )
        return tuple(counts)

    def view(self, array, counts, together):
        """Return a view of every window, `together` samples in each product.

        Its shape is (N / together, C, *kernel, *counts, together). With the samples last, the stretches of memory that
        are copied from it are long.
        """
        n, channels = array.shape[:2]
        array = padded(array, self.padding, 0)
        size = array.shape[2:]
        array = array.reshape(n // together, together, -1).swapaxes(1, 2)
        if together > 1:
            array = buffer_pool.copy(array)
        array = array.reshape(n // together, channels, *size, together)
        of_product, of_channel, *steps, of_sample = array.strides
        within, between = self._strides(steps)
        if together == 1 and len(counts) > 1 and self.stride[-2] == 1 and self.kernel[-2] > 2:
            # First the shifts along a row, once; then the rows of a window are whole stretches of memory.
            rows = buffer_pool.empty((n, channels, self.kernel[-1], *array.shape[2:-2], counts[-1]), array.dtype)
            shifts = (of_product, of_channel, within[-1], *steps[:-1], between[-1])
            numpy.copyto(rows, as_strided(array, rows.shape, shifts, writeable=False))
            of_product, of_channel, shift, *steps = rows.strides
            array = rows
            within, between = self._strides(steps)
            within[-1], between[-1] = shift, steps[-1]
        shape = (n // together, channels, *self.kernel, *counts, together)
        return as_strided(array, shape, (of_product, of_channel, *within, *between, of_sample), writeable=False)

    def _strides(self, steps):
        """From one element to the next, within a window and from window to window; `steps` are an array's strides."""
        return [d * step for d, step in zip(self.dilation, steps)], [s * step for s, step in zip(self.stride, steps)]

    def sums(self, columns, counts, size):
        """The way back: every element of an input of `size` is the sum of its places in the windows (col2im).

        `columns` has the size (C, *kernel, *counts, N): with the samples last, an addition runs over long stretches
        of memory, which halves the time. Returns (N, C, *size), in that layout.
        """
        padded_size = [s + 2 * p for s, p in zip(size, self.padding)]
        total = buffer_pool.zeros((columns.shape[0], *padded_size, columns.shape[-1]), columns.dtype)
        everything = slice(None)
        if math.prod(self.kernel) <= math.prod(counts):  # one addition for each place within a window
            each, origin, steps, lengths, before = self.kernel, self.dilation, self.stride, counts, 1
        else:  # one for each window
            each, origin, steps, lengths, before = counts, self.stride, self.dilation, self.kernel, 1 + len(counts)
        parts = columns.reshape(*columns.shape[:before], math.prod(each), *columns.shape[before + len(each) :])
        slices = [
            [slice(p * o, p * o + s * (n - 1) + 1, s) for p in range(places)]
            for places, o, s, n in zip(each, origin, steps, lengths)
        ]
        for where, part in zip(itertools.product(*slices), numpy.moveaxis(parts, before, 0)):
            target = total[(everything, *where)]
            target += part
        inner = total[(everything, *[slice(p, p + s) for s, p in zip(size, self.padding)])]
        return numpy.moveaxis(inner, -1, 0)


def padded(array, before, fill, after=None):
    """`array` of size (N, C, *size) with `before` elements of `fill` at each dimension's start, `after` at its end.

    `after` is `before` unless it is given. Returns the array itself where nothing is added.
    """
    after = before if after is None else after
    if not any(before) and not any(after):
        return array
    size = array.shape[2:]
    result = numpy.full((*array.shape[:2], *[b + s + a for b, s, a in zip(before, size, after)]), fill, array.dtype)
    result[(slice(None), slice(None), *[slice(b, b + s) for b, s in zip(before, size)])] = array
    return result
