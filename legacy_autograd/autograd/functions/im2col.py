"""Sliding windows: the geometry of convolution and pooling, and the conversion to a matrix and back.

All functions of this file take numpy arrays of shape (N, C, *size), with any number of spatial dimensions.
"""

import itertools
import math
import numbers

import numpy
from numpy.lib.stride_tricks import as_strided

from ...tensor import buffer_pool
from ...tensor.messages import shown, shown_size

SHORT = 200  # With fewer windows in a sample, `Windows.shifts` copies stretches that are too short.
WASTE = 1.125  # With more places for each window, `Windows.shifts` takes longer than `Windows.view`.


def tuple_of(name, what, value, dims, least):
    """Return `value`, an integer or a sequence of `dims` integers, as a tuple.

    Args:
        name: The name of the operation, for messages.
        what: The name of the argument, for messages.
        value: The integer or sequence.
        dims: The length of the tuple.
        least: The smallest allowed integer.

    Raises:
        TypeError: If `value` is neither an integer nor a sequence of integers.
        ValueError: If there are not `dims` integers, or one is smaller than `least`.
    """
    if type(value) is int and value >= least:
        return (value,) * dims
    if type(value) is tuple and len(value) == dims and all([type(v) is int and v >= least for v in value]):
        return value  # the usual cases first: a convolution and its gradients check a dozen tuples
    values = (value,) * dims if isinstance(value, numbers.Integral) else value
    if not isinstance(values, (tuple, list)) or not all([isinstance(v, numbers.Integral) for v in values]):
        raise TypeError(f"{name}: {what} must be an integer or a tuple of {dims}, got {value!r}")
    if len(values) != dims:
        raise ValueError(f"{name}: {what} must be an integer or a tuple of {dims}, got {value!r}")
    if min(values) < least:
        raise ValueError(f"{name}: {what} must be {least} or more, got {value!r}")
    return tuple([int(v) for v in values])


def check_images(name, x, dims):
    """Raise unless the Tensor `x` is (N, C, *size) with `dims` spatial dimensions and holds floating-point numbers.

    Args:
        name: The name of the operation, for messages.
        x: The input.
        dims: The number of spatial dimensions.

    Raises:
        TypeError: If `x` holds integers.
        ValueError: If `x` has another number of dimensions.
    """
    if x.array.ndim != 2 + dims:
        sizes = ("L", "H, W", "D, H, W")[dims - 1]
        raise ValueError(f"{name}: expected an input of {2 + dims} dimensions, (N, C, {sizes}), got {shown(x)}")
    if x.array.dtype.kind != "f":
        raise TypeError(f"{name}: expected floating-point numbers, got {shown(x)}")


class Windows:
    """The geometry of the windows of a convolution or pooling. All arguments are tuples.

    Args:
        kernel: The size of a window.
        stride: The distance of two windows.
        padding: The number of elements that are added on each side.
        dilation: The distance of two elements of a window.
    """

    __slots__ = ("dilation", "kernel", "padding", "stride")

    def __init__(self, kernel, stride, padding, dilation):
        self.kernel = kernel
        self.stride = stride
        self.padding = padding
        self.dilation = dilation

    def reach(self):
        """Return the extent of a window in each dimension: dilation (kernel - 1) + 1."""
        return tuple([d * (k - 1) + 1 for k, d in zip(self.kernel, self.dilation)])

    def counts(self, name, size, ceil_mode=False):
        """Return the number of windows in each dimension of an input of `size`: the spatial shape of the output.

        It is (size + 2 padding - reach) / stride + 1, rounded down, or up with `ceil_mode`. A last window that would
        start beyond the input and its left padding is then left out.

        Args:
            name: The name of the operation, for messages.
            size: The spatial shape of the input.
            ceil_mode: Whether to round up.

        Raises:
            ValueError: If no window fits.
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
        """Return a view of every window, with the samples grouped `together`.

        Its shape is (N / together, C, *kernel, *counts, together). With the samples last, copies from it read long
        contiguous stretches of memory.

        Args:
            array: The input (N, C, *size).
            counts: The number of windows in each dimension.
            together: The number of samples in each product, a divisor of N.
        """
        n, channels = array.shape[:2]
        array = padded(array, self.padding, 0)
        size = array.shape[2:]
        array = array.reshape(n // together, together, -1)
        array = (array if together == 1 else turned(array)).reshape(n // together, channels, *size, together)
        of_product, of_channel, *steps, of_sample = array.strides
        within, between = self._strides(steps)
        if together == 1 and len(counts) > 1 and self.stride[-2] == 1 and self.kernel[-2] > 2:
            # Copy the shifts along a row once. The rows of a window then are contiguous.
            rows = buffer_pool.empty((n, channels, self.kernel[-1], *array.shape[2:-2], counts[-1]), array.dtype)
            shifts = (of_product, of_channel, within[-1], *steps[:-1], between[-1])
            numpy.copyto(rows, as_strided(array, rows.shape, shifts, writeable=False))
            of_product, of_channel, shift, *steps = rows.strides
            array = rows
            within, between = self._strides(steps)
            within[-1], between[-1] = shift, steps[-1]
        shape = (n // together, channels, *self.kernel, *counts, together)
        return as_strided(array, shape, (of_product, of_channel, *within, *between, of_sample), writeable=False)

    def shifts(self, array, counts):
        """Return a view of every window in which a place within the window is one stretch of memory for all windows.

        The padded input is stored by the remainders of its indices divided by the strides, r of s. Window i has place
        k = q s + r at index i + q of remainder r. With the rows of a sample one after the other, all windows of a place
        are the numbers from its offset on. Between the rows this includes places that are no windows, which `picked`
        leaves out. The kernel is a multiple of the stride, or the stride is 1 (`are_shifts`).

        Args:
            array: The input (N, C, *size).
            counts: The number of windows in each dimension.

        Returns:
            A view of shape (N, C, q, s, q, s, …, L).
        """
        n, channels, *size = array.shape
        taps, pitches, length = self._pitches(counts)
        rows = [c + d * (q - 1) for c, d, q in zip(counts, self.dilation, taps)]
        stored = [r * s for r, s in zip(rows, self.stride)]
        used = [min(m, t - p) for m, t, p in zip(size, stored, self.padding)]
        if stored == size and not any(self.padding):
            whole = array
        else:
            whole = buffer_pool.zeros((n, channels, *stored), array.dtype)
            inner = (..., *[slice(p, p + u) for p, u in zip(self.padding, used)])
            whole[inner] = array[(..., *[slice(u) for u in used])]
        dims = len(counts)
        if max(self.stride) > 1:
            split = whole.reshape(n, channels, *[number for pair in zip(rows, self.stride) for number in pair])
            remainders, places = range(3, 3 + 2 * dims, 2), range(2, 2 + 2 * dims, 2)
            whole = buffer_pool.copy(split.transpose(0, 1, *remainders, *places))
        elif not whole.flags.c_contiguous:
            whole = buffer_pool.copy(whole)
        item, plane = whole.itemsize, math.prod(rows) * whole.itemsize
        shape, strides = [n, channels], [channels * math.prod(self.stride) * plane, math.prod(self.stride) * plane]
        for number, (q, s, d, pitch) in enumerate(zip(taps, self.stride, self.dilation, pitches)):
            shape += [q, s]
            strides += [d * pitch * item, math.prod(self.stride[number + 1 :]) * plane]
        return as_strided(whole, (*shape, length), (*strides, item), writeable=False)

    def rows(self, images, counts):
        """Return a view of every window of two dimensions, by rows of windows.

        The shifts along a row are stored for each row of the images. The kernel's rows then are stored one after the
        other for each row of windows, and so are the windows of a row in all samples.

        Args:
            images: The input (C, H, W, N), with the samples last.
            counts: The number of windows in each dimension.

        Returns:
            A view (H', KH C KW, W' N).
        """
        (channels, height, width, n), (top, left) = images.shape, self.padding
        (kernel_rows, kernel_columns), columns, (down, step) = self.kernel, counts[1], self.stride
        stored = buffer_pool.empty((height + 2 * top, channels, kernel_columns, columns, n), images.dtype)
        stored[:top] = stored[top + height :] = 0
        for place in range(kernel_columns):
            part = stored[top : top + height, :, place].swapaxes(0, 1)
            first = place - left  # in the image, of the first window
            begin, end = max(0, -(first // step)), min(columns, -((first - width) // step))
            part[:, :, :begin] = part[:, :, end:] = 0
            part[:, :, begin:end] = images[:, :, first + step * begin : first + step * (end - 1) + 1 : step]
        length = columns * n
        shape, item = (counts[0], kernel_rows * channels * kernel_columns, length), stored.itemsize
        return as_strided(stored, shape, (down * stored.strides[0], length * item, item), writeable=False)

    def are_shifts(self, counts, needed=None):
        """Return whether `shifts` can be made, has long stretches, and few places beyond those `needed`.

        Args:
            counts: The number of windows in each dimension.
            needed: The number of all windows that are worth their time. Default: all.
        """
        if any([s > 1 and (k % s or d > 1) for k, s, d in zip(self.kernel, self.stride, self.dilation)]):
            return False
        windows = math.prod(counts)
        return windows >= SHORT and self._pitches(counts)[2] <= WASTE * (needed or windows)

    def picked(self, products, counts):
        """Return a view (…, *counts) of the windows among the places of `shifts`.

        Args:
            products: An array whose last dimension is that of `shifts`.
            counts: The number of windows in each dimension.
        """
        pitches = [pitch * products.itemsize for pitch in self._pitches(counts)[1]]
        return as_strided(products, (*products.shape[:-1], *counts), (*products.strides[:-1], *pitches))

    def _pitches(self, counts):
        """Return the kernel divided by the stride, the distances between windows in `shifts`, and its last length."""
        taps = [k // s for k, s in zip(self.kernel, self.stride)]
        pitches = [1]
        for count, q, d in zip(counts[:0:-1], taps[:0:-1], self.dilation[:0:-1]):
            pitches.insert(0, pitches[0] * (count + d * (q - 1)))
        return taps, pitches, 1 + sum([(count - 1) * pitch for count, pitch in zip(counts, pitches)])

    def _strides(self, steps):
        """Return the strides within a window and from window to window; `steps` are the strides of an array."""
        return [d * step for d, step in zip(self.dilation, steps)], [s * step for s, step in zip(self.stride, steps)]

    def sums(self, columns, counts, size):
        """Return an input whose every element is the sum of its places in the windows (col2im).

        With the samples last, an addition runs over long contiguous stretches of memory.

        Args:
            columns: The windows, of shape (C, *kernel, *counts, N).
            counts: The number of windows in each dimension.
            size: The spatial shape of the result.

        Returns:
            An array (N, C, *size), stored with N last.
        """
        if math.prod(self.kernel) <= math.prod(counts):  # one addition for each place within a window
            each, origin, steps, lengths, before = self.kernel, self.dilation, self.stride, counts, 1
        else:  # one for each window
            each, origin, steps, lengths, before = counts, self.stride, self.dilation, self.kernel, 1 + len(counts)
        parts = columns.reshape(*columns.shape[:before], math.prod(each), *columns.shape[before + len(each) :])
        # An index is step * row + remainder. With the remainders first, an addition takes whole rows.
        rows = [-(-(s + 2 * p) // step) for s, p, step in zip(size, self.padding, steps)]
        channels, samples = columns.shape[0], columns.shape[-1]
        total = buffer_pool.zeros((channels, *steps, *rows, samples), columns.dtype)
        starts = [[divmod(place * o, step) for place in range(places)] for places, o, step in zip(each, origin, steps)]
        for where, part in zip(itertools.product(*starts), numpy.moveaxis(parts, before, 0)):
            stretches = [slice(row, row + n) for (row, _), n in zip(where, lengths)]
            target = total[(slice(None), *[remainder for _, remainder in where], *stretches)]
            target += part
        dims = len(size)
        if max(steps) > 1:
            order = [number for pair in zip(range(1 + dims, 1 + 2 * dims), range(1, 1 + dims)) for number in pair]
            total = buffer_pool.copy(total.transpose(0, *order, -1))
        total = total.reshape(channels, *[row * step for row, step in zip(rows, steps)], samples)
        inner = total[(slice(None), *[slice(p, p + s) for p, s in zip(self.padding, size)])]
        return numpy.moveaxis(inner, -1, 0)


def turned(array):
    """Return a copy of `array` (…, R, S) as (…, S, R).

    Rows whose distance in memory is a power of two share a few lines of the cache. Reading a column then takes three
    times as long, so the rows are moved apart first.

    Args:
        array: The array.
    """
    *others, rows, size = array.shape
    if rows >= 8 and array.strides[-2] % 512 == 0:
        apart = buffer_pool.empty((*others, rows, size + 16), array.dtype)[..., :size]
        numpy.copyto(apart, array)
        array = apart
    return buffer_pool.copy(array.swapaxes(-1, -2))


def padded(array, before, fill, after=None):
    """Return `array` (N, C, *size) with `fill` around its spatial dimensions, or the array itself if nothing is added.

    Args:
        array: The input.
        before: The number of elements at the start of each dimension.
        fill: The number to fill in.
        after: The number of elements at the end of each dimension. Default: as `before`.
    """
    after = before if after is None else after
    if not any(before) and not any(after):
        return array
    size = array.shape[2:]
    result = numpy.full((*array.shape[:2], *[b + s + a for b, s, a in zip(before, size, after)]), fill, array.dtype)
    result[(slice(None), slice(None), *[slice(b, b + s) for b, s in zip(before, size)])] = array
    return result
