"""Pooling: the maximum or the mean of every window of an image (2016: THNN's `SpatialMaxPooling` …).

The maximum is computed by comparing slices of the input, one for each place in a window. The mean is computed one
dimension after the other. No window is ever copied.
"""

import functools
import itertools
import math

import numpy

from ...tensor import buffer_pool
from ...tensor.arithmetic import add_at
from ...tensor.dtypes import wide
from ...tensor.generators import generator
from ...tensor.messages import shown, shown_size
from ...tensor.wrapping import wrap, wrap_in_c_order
from ..function import Function
from ._utils import call
from .im2col import Windows, check_images, padded, tuple_of

_LONG = numpy.dtype("int64")


class Pooling(Function):
    """The base of poolings. `dims` is the number of spatial dimensions.

    Args:
        kernel_size: The size of a window, an integer or a tuple, like the following ones.
        stride: The distance of two windows. Default: `kernel_size`.
        padding: The number of elements that are added on each side.
        dilation: The distance of two elements of a window.
        ceil_mode: Whether the number of windows is rounded up.

    Raises:
        TypeError: If a size is not an integer or a tuple of integers.
        ValueError: If a size is too small, or the padding is more than half of the kernel.
    """

    dims = 2

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
        def sizes(what, value, least):
            return tuple_of(self._name, what, value, self.dims, least)

        kernel = sizes("kernel_size", kernel_size, 1)
        self.windows = Windows(
            kernel,
            kernel if stride is None else sizes("stride", stride, 1),
            sizes("padding", padding, 0),
            sizes("dilation", dilation, 1),
        )
        self.ceil_mode = bool(ceil_mode)
        if any([2 * p > k for p, k in zip(self.windows.padding, kernel)]):
            raise ValueError(
                f"{self._name}: padding must be at most half of the kernel of {shown_size(kernel)}, "
                f"got {shown_size(self.windows.padding)}"
            )

    def measure(self, x):
        """Check `x`, and record the sizes of input and output.

        Args:
            x: The input.

        Raises:
            TypeError: If `x` holds integers.
            ValueError: If `x` has another number of dimensions, or no window fits.
        """
        check_images(self._name, x, self.dims)
        self.input_size = x.array.shape
        self.counts = self.windows.counts(self._name, self.input_size[2:], self.ceil_mode)

    def surrounded(self, array, fill):
        """Return `array` with `fill` wherever a window extends beyond its edge.

        Args:
            array: The input.
            fill: The number to fill in.
        """
        w = self.windows
        parts = zip(self.counts, w.stride, w.reach(), self.input_size[2:], w.padding)
        return padded(array, w.padding, fill, [max(0, (n - 1) * s + r - size - p) for n, s, r, size, p in parts])

    def slices(self, axis):
        """Return the keys of one element of all windows, for each place in a window along one dimension.

        Args:
            axis: The number of the spatial dimension.
        """
        w = self.windows
        d, s, n = w.dilation[axis], w.stride[axis], self.counts[axis]
        lead = (slice(None),) * (2 + axis)
        return [(*lead, slice(d * j, d * j + s * (n - 1) + 1, s)) for j in range(w.kernel[axis])]

    def places(self):
        """Return the keys of one element of all windows, for each place in a window, row by row."""
        keys = [(slice(None), slice(None))]
        for axis in range(self.dims):
            keys = [(*key, place[-1]) for key in keys for place in self.slices(axis)]
        return keys

    @property
    def overlapping(self):
        return any([reach > stride for reach, stride in zip(self.windows.reach(), self.windows.stride)])


class MaxPool2d(Pooling):
    """The maximum of every window of x (N, C, H, W), of shape (N, C, H', W').

    H' = (H + 2 padding - dilation (kernel_size - 1) - 1) / stride + 1, rounded down, or up with `ceil_mode`. Padding is
    never the maximum.

    Args:
        kernel_size: The size of a window, an integer or a tuple, like the following ones.
        stride: The distance of two windows. Default: `kernel_size`.
        padding: The number of elements that are added on each side.
        dilation: The distance of two elements of a window.
        ceil_mode: Whether H' and W' are rounded up.
        return_indices: Whether a second output, a LongTensor, has the places of the maxima in their H x W image.

    Raises:
        TypeError: In the call, if x holds integers.
        ValueError: If a size is too small, or the padding too large; in the call, if no window fits.

    Gradient:
        g at the place of the maximum, where g is the gradient of the output. Of equal maxima the first receives all of
        it. A nan is the maximum.

    Source:
        `torch/nn/functions/thnn/pooling.py` (v0.1.5).
    """

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
        super().__init__(kernel_size, stride, padding, dilation, ceil_mode)
        self.return_indices = return_indices

    def forward(self, x):
        self.measure(x)
        w = self.windows
        if any([p > 0 and size < d for p, size, d in zip(w.padding, self.input_size[2:], w.dilation)]):
            raise ValueError(
                f"{self._name}: an input of {shown_size(self.input_size[2:])} is smaller than the dilation "
                f"{shown_size(w.dilation)}: with padding, some windows would contain no element of it"
            )
        array = self.surrounded(x.array, -numpy.inf)
        result, codes = self._scan(array)
        if numpy.isnan(result).any():
            result, codes = self._scan(array, nan_wins=True)
        if any(w.padding):
            # In a window that is -inf everywhere, the padding came first. Its maximum is the first place in the image.
            codes = numpy.where(result == -numpy.inf, self._first_inside(), codes)
        if not self.return_indices:
            self.codes = codes
            return wrap(result)
        indices = wrap(self._places(codes).astype(_LONG, copy=False))
        self.mark_non_differentiable(indices)
        self.save_for_backward(indices)  # a caller may write to them, which backward must detect
        return wrap(result), indices

    def _scan(self, array, nan_wins=False):
        """Return the maxima, and their places in their windows, counted through all dimensions."""
        first, *others = self.places()
        # Contiguous copies pay off since each is used twice: numpy compares adjacent numbers eight at a time.
        best = buffer_pool.copy(array[first])
        codes = numpy.zeros(best.shape, numpy.min_scalar_type(len(others)))
        for number, place in enumerate(others, 1):
            candidate = buffer_pool.copy(array[place])
            better = candidate > best
            if nan_wins:
                better |= candidate != candidate
            # The last improvement has the highest number.
            numpy.maximum(codes, better.view(numpy.uint8) * codes.dtype.type(number), out=codes)
            numpy.maximum(best, candidate, out=best)
        return best, codes

    def _first_inside(self):
        """Return the code of the first place within the image, for each window."""
        w = self.windows
        firsts = []
        for count, stride, padding, dilation in zip(self.counts, w.stride, w.padding, w.dilation):
            starts = numpy.arange(count) * stride - padding
            firsts.append(numpy.maximum(-(starts // dilation), 0))
        return numpy.ravel_multi_index(numpy.ix_(*firsts), w.kernel)

    def _places(self, codes):
        """Return the places of the maxima in their image, counted through all its dimensions."""
        w = self.windows
        within, starts = _offsets(self.input_size[2:], self.counts, w.kernel, w.stride, w.padding, w.dilation)
        places = buffer_pool.empty(codes.shape, numpy.dtype(numpy.intp))
        codes = codes if codes.itemsize < 4 else codes.astype(numpy.intp, copy=False)
        within.take(codes, out=places, mode="clip")  # "raise" would take a copy of `places` first
        places += starts
        return places

    def backward(self, grad_output, *grad_indices):
        places = self.saved_tensors[0].data.array.copy() if self.return_indices else self._places(self.codes)
        places += first_places(self.input_size)
        return call(PoolScatter(places, self.input_size, self.overlapping), grad_output)


def first_places(size):
    """Return the place of each image's first element in a whole tensor, in the shape (N, C, 1, …).

    Args:
        size: The shape (N, C, …) of the tensor.
    """
    images = numpy.arange(size[0] * size[1]) * math.prod(size[2:])
    return images.reshape(*size[:2], *[1] * (len(size) - 2))


@functools.lru_cache(16)  # every step of a training needs the same offsets
def _offsets(size, counts, kernel, stride, padding, dilation):
    """Return each place's offset from the first of its window, and the first places of the windows, within an image."""
    within, starts, step = 0, 0, 1
    for axis in reversed(range(len(size))):
        lead = (-1,) + (1,) * (len(size) - 1 - axis)
        within = within + (numpy.arange(kernel[axis]) * (dilation[axis] * step)).reshape(lead)
        starts = starts + ((numpy.arange(counts[axis]) * stride[axis] - padding[axis]) * step).reshape(lead)
        step *= size[axis]
    return within.ravel(), starts


class MaxPool1d(MaxPool2d):
    """The maximum of every window of x (N, C, L), of shape (N, C, L'); see MaxPool2d.

    Source:
        `torch/nn/functions/thnn/pooling.py` (v0.1.5).
    """

    dims = 1


class MaxPool3d(MaxPool2d):
    """The maximum of every window of x (N, C, D, H, W), of shape (N, C, D', H', W'); see MaxPool2d.

    The indices are places in the D x H x W volume. (v0.1.12: three bytes, each the place within the window.)

    Source:
        `torch/nn/functions/thnn/pooling.py` (v0.1.5).
    """

    dims = 3


class Maxima(Function):
    """The base of poolings whose windows are irregular. They save the places of the maxima."""

    _saved_names = ("indices",)

    def outputs(self, result, places):
        """Save the places, and return them as indices beside the `result` if the caller wants them.

        Args:
            result: The maxima.
            places: Their places, each within its image, an array.
        """
        indices = wrap(places.astype(_LONG, copy=False))
        self.save_for_backward(indices)
        if not self.return_indices:
            return result
        self.mark_non_differentiable(indices)
        return result, indices

    def backward(self, grad_output, *grad_indices):
        places = self.saved_tensors[0].data.array + first_places(self.input_size)
        return call(PoolScatter(places, self.input_size, True), grad_output)


class FractionalMaxPool2d(Maxima):
    """The maximum of windows at random, nearly even distances, for x (N, C, H, W), of shape (N, C, *size).

    Window i of n begins at floor((i + u) a) - floor(u a), where a = (length - kernel) / (n - 1) and u is the sample.
    The last one ends at the edge.

    Args:
        kernel_size: The size of a window, an integer or a tuple.
        output_size: The spatial shape of the result.
        output_ratio: The factor between (H, W) and the spatial shape of the result, which is rounded down. Either this
            or `output_size` is given.
        return_indices: Whether a second output has the places of the maxima, as in MaxPool2d.
        samples: A Tensor (N, C, 2) of numbers from 0 to 1, for the columns and the rows of each image. Default: random.

    Raises:
        TypeError: If a size is not an integer or a tuple of integers; in the call, if x holds integers.
        ValueError: If not exactly one of `output_size` and `output_ratio` is given, or it is out of range; in the call,
            if the windows do not fit or `samples` has another shape.

    Gradient:
        g at the place of the maximum, as in MaxPool2d, where g is the gradient of the output.

    Source:
        Graham, "Fractional max-pooling", 2014.
        `torch/lib/THNN/generic/SpatialFractionalMaxPooling.c` (v0.1.1).
    """

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, samples=None):
        self.kernel = tuple_of(self._name, "kernel_size", kernel_size, 2, 1)
        if (output_size is None) == (output_ratio is None):
            raise ValueError(f"{self._name}: needs either output_size or output_ratio")
        self.ratio = None
        if output_size is None:
            self.ratio = tuple(output_ratio) if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * 2
            if len(self.ratio) != 2 or not all([0 < ratio < 1 for ratio in self.ratio]):
                raise ValueError(
                    f"{self._name}: output_ratio must be between 0 and 1, one number or two, got {output_ratio!r}"
                )
        else:
            self.counts = tuple_of(self._name, "output_size", output_size, 2, 1)
        self.return_indices = return_indices
        self.samples = samples

    def forward(self, x):
        check_images(self._name, x, 2)
        size = self.input_size = x.array.shape
        counts = self.counts if self.ratio is None else tuple([int(n * r) for n, r in zip(size[2:], self.ratio)])
        if min(counts) < 1 or any([n + k - 1 > length for n, k, length in zip(counts, self.kernel, size[2:])]):
            raise ValueError(
                f"{self._name}: an input of {shown_size(size[2:])} has no {shown_size(counts)} different windows of "
                f"{shown_size(self.kernel)}"
            )
        samples = self._samples(x)
        rows, columns = [self._starts(samples[..., 1 - axis], axis, counts[axis]) for axis in (0, 1)]
        starts = rows[:, :, :, None] * size[3] + columns[:, :, None, :]
        offsets = [row * size[3] + column for row in range(self.kernel[0]) for column in range(self.kernel[1])]
        places = starts[..., None] + numpy.array(offsets)
        values = x.array.take(places + first_places(size)[..., None])
        # numpy's argmax takes the first of equal numbers, and a nan as the maximum, as MaxPool2d does.
        winners = values.argmax(-1)[..., None]
        result = wrap(numpy.take_along_axis(values, winners, -1)[..., 0])
        return self.outputs(result, numpy.take_along_axis(places, winners, -1)[..., 0])

    def _samples(self, x):
        if self.samples is None:
            return generator.random((*self.input_size[:2], 2), x.array.dtype)
        given = self.samples.array
        if given.shape != (*self.input_size[:2], 2):
            raise ValueError(
                f"{self._name}: expected samples of size {shown_size((*self.input_size[:2], 2))}, "
                f"got {shown(self.samples)}"
            )
        return given.astype(x.array.dtype)

    def _starts(self, samples, axis, count):
        """Return where the windows begin in dimension `axis`, of shape (N, C, count), for samples (N, C)."""
        last = self.input_size[2 + axis] - self.kernel[axis]
        starts = numpy.full((*samples.shape, count), last)
        if count > 1:
            alpha = samples.dtype.type(last) / samples.dtype.type(count - 1)
            steps = numpy.arange(count - 1, dtype=samples.dtype)
            begin = (samples * alpha).astype(numpy.intp)
            starts[..., :-1] = ((steps + samples[..., None]) * alpha).astype(numpy.intp) - begin[..., None]
        return starts


class AdaptiveMaxPool2d(Maxima):
    """The maxima of x (N, C, H, W) over `output_size` nearly equal parts, of shape (N, C, *output_size).

    Part i of n reaches from row iH/n, rounded down, to row (i+1)H/n, rounded up; columns likewise.

    Args:
        output_size: The spatial shape of the result.
        return_indices: Whether a second output has the places of the maxima, as in MaxPool2d (v0.1.12: row and column
            separately).

    Raises:
        TypeError: If a size is not an integer or a tuple of integers; in the call, if x holds integers.
        ValueError: If a size is too small; in the call, if x does not have 4 dimensions.

    Gradient:
        g at the place of the maximum, as in MaxPool2d, where g is the gradient of the output.

    Source:
        `torch/nn/_functions/thnn/pooling.py` (v0.1.12).
    """

    dims = 2

    def __init__(self, output_size, return_indices=False):
        self.output_size = tuple_of(self._name, "output_size", output_size, self.dims, 1)
        self.return_indices = return_indices

    def forward(self, x):
        check_images(self._name, x, self.dims)
        size = self.input_size = x.array.shape
        result = numpy.empty((*size[:2], *self.output_size), x.array.dtype)
        places = numpy.empty(result.shape, numpy.intp)
        numbered = numpy.arange(math.prod(size[2:])).reshape(size[2:])
        spans = [adaptive_spans(length, count) for length, count in zip(size[2:], self.output_size)]
        for position in itertools.product(*[range(count) for count in self.output_size]):
            share = tuple([slice(*spans[axis][number]) for axis, number in enumerate(position)])
            values = x.array[(..., *share)].reshape(*size[:2], -1)
            winners = values.argmax(-1)
            result[(..., *position)] = numpy.take_along_axis(values, winners[..., None], -1)[..., 0]
            places[(..., *position)] = numbered[share].ravel()[winners]
        return self.outputs(wrap(result), places)


class AdaptiveMaxPool1d(AdaptiveMaxPool2d):
    """The maxima of x (N, C, L) over `output_size` nearly equal parts; see AdaptiveMaxPool2d.

    Source:
        `torch/nn/_functions/thnn/pooling.py` (v0.1.12).
    """

    dims = 1


def adaptive_spans(length, count):
    """Return the parts of an adaptive pooling as pairs (first, last + 1).

    Args:
        length: The number of elements.
        count: The number of parts.
    """
    return [(i * length // count, -(-(i + 1) * length // count)) for i in range(count)]


class MaxUnpool2d(Function):
    """Zeros of (N, C, *output_size) with each element of x at its index: the inverse of a max pooling.

    A call takes x (N, C, H, W) and indices of that shape, from a MaxPool2d with `return_indices`. If an index occurs
    more than once, the last of its numbers is kept, as in v0.1.12 and in modern torch.

    Args:
        output_size: The spatial shape of the result.

    Raises:
        RuntimeError: In the call, if an index is outside the output, as in THNN.
        ValueError: In the call, if x or the indices have another shape, or the indices are not a LongTensor.

    Gradient:
        g at the indices, where g is the gradient of the output. An index that occurs more than once gives each of its
        numbers the whole gradient.

    Source:
        `torch/nn/functions/thnn/pooling.py` (v0.1.5).
    """

    dims = 2

    def __init__(self, output_size):
        self.output_size = tuple_of(self._name, "output_size", output_size, self.dims, 1)

    def forward(self, x, indices):
        check_images(self._name, x, self.dims)
        if indices.array.dtype != numpy.int64 or indices.array.shape != x.array.shape:
            raise ValueError(
                f"{self._name}: expected a LongTensor of indices in the input's size, got {shown(x)} and "
                f"{shown(indices)}"
            )
        count = math.prod(self.output_size)
        wrong = indices.array[(indices.array < 0) | (indices.array >= count)]
        if wrong.size:
            raise RuntimeError(
                f"{self._name}: found an invalid max index {wrong[0]}: outputs of {shown_size(self.output_size)} have "
                f"places from 0 to {count - 1}"
            )
        self.save_for_backward(indices)
        self.size = (*x.array.shape[:2], *self.output_size)
        return PoolScatter(self._places(indices), self.size, False).forward(x)

    def _places(self, indices):
        return indices.data.array + first_places(self.size)

    def backward(self, grad_output):
        (indices,) = self.saved_tensors
        return call(PoolGather(self._places(indices), self.size, True), grad_output), None


class MaxUnpool1d(MaxUnpool2d):
    """MaxUnpool2d for x (N, C, L), with the indices of a MaxPool1d."""

    dims = 1


class MaxUnpool3d(MaxUnpool2d):
    """MaxUnpool2d for x (N, C, D, H, W), with the indices of a MaxPool3d.

    Source:
        `torch/nn/functions/thnn/pooling.py` (v0.1.5).
    """

    dims = 3


class PoolScatter(Function):
    """Zeros of `size`, to which the input is added at `places`.

    Args:
        places: The places, counted through the whole result.
        size: The shape of the result.
        repeated: Whether a place may occur more than once.

    Gradient:
        `PoolGather` of g, where g is the gradient of the output.
    """

    def __init__(self, places, size, repeated):
        self.places = places.astype(numpy.intp, copy=False)
        self.size = size
        self.repeated = repeated

    def forward(self, x):
        result = buffer_pool.zeros((math.prod(self.size),), x.array.dtype)
        if self.repeated:
            add_at(result, self.places.ravel(), x.array.ravel())
        else:
            result[self.places] = x.array
        return wrap(result.reshape(self.size))

    def backward(self, grad_output):
        return call(PoolGather(self.places, self.size, self.repeated), grad_output)


class PoolGather(PoolScatter):
    """The elements of the input at `places`.

    Gradient:
        `PoolScatter` of g, where g is the gradient of the output.
    """

    def forward(self, x):
        return wrap(x.array.take(self.places))

    def backward(self, grad_output):
        return call(PoolScatter(self.places, self.size, self.repeated), grad_output)


class AvgPool2d(Pooling):
    """The mean of every window of x (N, C, H, W), of the shape that MaxPool2d has.

    Elements that `ceil_mode` adds to the right of the padding never count.

    Args:
        kernel_size: The size of a window, an integer or a tuple, like the following ones.
        stride: The distance of two windows. Default: `kernel_size`.
        padding: The number of zeros that are added on each side.
        ceil_mode: Whether the number of windows is rounded up.
        count_include_pad: Whether the padding counts. Otherwise the mean is that of the elements in the image.

    Raises:
        TypeError: In the call, if x holds integers.
        ValueError: If a size is too small, or the padding too large; in the call, if no window fits.

    Gradient:
        For every element the sum of g / n over its windows, where g is the gradient of the output and n the number of
        elements of the window.

    Source:
        `torch/nn/_functions/thnn/pooling.py` (v0.1.9).
    """

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__(kernel_size, stride, padding, 1, ceil_mode)
        self.count_include_pad = bool(count_include_pad)

    def forward(self, x):
        self.measure(x)
        if self.tiles() and max(self.counts) == 1:  # one window: a product with ones is a fast sum
            rows = wide(x.array).reshape(math.prod(x.array.shape[:2]), -1)
            total = rows.dot(numpy.ones(rows.shape[1], rows.dtype)) / rows.dtype.type(rows.shape[1])
            return wrap(total.reshape(*x.array.shape[:2], *self.counts).astype(x.array.dtype, copy=False))
        total = self.surrounded(wide(x.array), 0)
        for axis in reversed(range(self.dims)):
            first, *others = self.slices(axis)
            part = total[first]
            for place in others:
                part = part + total[place]
            total = part
        return wrap_in_c_order((total / self.divisor(total.dtype)).astype(x.array.dtype, copy=False))

    def tiles(self):
        """Return whether every element is in exactly one window."""
        w = self.windows
        covered = [n * kernel for n, kernel in zip(self.counts, w.kernel)]
        return w.stride == w.kernel and not any(w.padding) and covered == list(self.input_size[2:])

    def divisor(self, dtype):
        """Return the number of elements in the mean: one number, or one for each window if they differ at the edges.

        Args:
            dtype: The dtype of the result.
        """
        w = self.windows
        counted = []
        for size, n, kernel, stride, padding in zip(self.input_size[2:], self.counts, w.kernel, w.stride, w.padding):
            begin = numpy.arange(n) * stride - padding
            end = numpy.minimum(begin + kernel, size + padding)
            if not self.count_include_pad:
                begin, end = numpy.maximum(begin, 0), numpy.minimum(end, size)
            counted.append(end - begin)
        if all([(lengths == kernel).all() for lengths, kernel in zip(counted, w.kernel)]):
            return dtype.type(math.prod(w.kernel))
        return math.prod(numpy.ix_(*counted)).astype(dtype)

    def backward(self, grad_output):
        return call(AvgPoolBackward(self), grad_output)

    def again(self):
        """Return a Function of the same windows that has not been called."""
        w = self.windows
        return type(self)(w.kernel, w.stride, w.padding, self.ceil_mode, self.count_include_pad)


class AvgPool1d(AvgPool2d):
    """The mean of every window of x (N, C, L), of shape (N, C, L'); see AvgPool2d."""

    dims = 1


class AvgPool3d(AvgPool2d):
    """The mean of every window of x (N, C, D, H, W), of shape (N, C, D', H', W'); see AvgPool2d.

    Source:
        `torch/nn/_functions/thnn/pooling.py` (v0.1.9).
    """

    dims = 3


class AvgPoolBackward(Function):
    """The gradient of an average pooling: g / n to every element of a window of n elements.

    Args:
        pooling: The average pooling.

    Gradient:
        The average pooling of h, where h is the gradient of the output.
    """

    def __init__(self, pooling):
        self.pooling = pooling

    def forward(self, grad):
        pooling = self.pooling
        spread = wide(grad.array)
        spread = spread / pooling.divisor(spread.dtype)
        w = pooling.windows
        if pooling.tiles():
            shape = *spread.shape[:2], *[number for pair in zip(pooling.counts, w.kernel) for number in pair]
            result = buffer_pool.empty(shape, spread.dtype)
            once = [number for count in pooling.counts for number in (count, 1)]
            numpy.copyto(result, spread.reshape(*spread.shape[:2], *once))
            return wrap(result.reshape(pooling.input_size).astype(grad.array.dtype, copy=False))
        for axis in range(pooling.dims):
            reached = (pooling.counts[axis] - 1) * w.stride[axis] + w.kernel[axis]
            size, padding = pooling.input_size[2 + axis], w.padding[axis]
            shape = list(spread.shape)
            shape[2 + axis] = max(reached, padding + size)
            total = numpy.zeros(shape, spread.dtype)
            for place in pooling.slices(axis):
                target = total[place]
                target += spread
            spread = total[(slice(None),) * (2 + axis) + (slice(padding, padding + size),)]
        return wrap_in_c_order(spread.astype(grad.array.dtype, copy=False))

    def backward(self, grad_output):
        return call(self.pooling.again(), grad_output)
