"""Pooling: the largest number, or the mean, of every window of an image (2016: THNN's `SpatialMaxPooling` …).

The largest number is found by comparing slices of the input, one for each place in a window. The mean works through one
dimension after the other. No window is ever copied out.
"""

import functools
import itertools
import math

import numpy

from ...tensor import buffer_pool
from ...tensor._helpers import shown, wrap_in_c_order
from ...tensor.base import shown_size, wrap
from ...tensor.random import generator
from ..function import Function
from ._utils import call
from .im2col import Windows, check_images, padded, tuple_of


class Pooling(Function):
    """What the poolings share. `dims` is the number of spatial dimensions."""

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
        """Check `x`, and note the sizes of input and output."""
        check_images(self._name, x, self.dims)
        self.input_size = x.array.shape
        self.counts = self.windows.counts(self._name, self.input_size[2:], self.ceil_mode)

    def surrounded(self, array, fill):
        """`array` with `fill` wherever a window goes beyond its edge."""
        w = self.windows
        parts = zip(self.counts, w.stride, w.reach(), self.input_size[2:], w.padding)
        return padded(array, w.padding, fill, [max(0, (n - 1) * s + r - size - p) for n, s, r, size, p in parts])

    def slices(self, axis):
        """For each place in a window, in the spatial dimension `axis`: the key of that element of all windows."""
        w = self.windows
        d, s, n = w.dilation[axis], w.stride[axis], self.counts[axis]
        lead = (slice(None),) * (2 + axis)
        return [(*lead, slice(d * j, d * j + s * (n - 1) + 1, s)) for j in range(w.kernel[axis])]

    def places(self):
        """For each place in a window, row by row: the key of that element of all windows."""
        keys = [(slice(None), slice(None))]
        for axis in range(self.dims):
            keys = [(*key, place[-1]) for key in keys for place in self.slices(axis)]
        return keys

    @property
    def overlapping(self):
        return any([reach > stride for reach, stride in zip(self.windows.reach(), self.windows.stride)])


class MaxPool2d(Pooling):
    """The largest number of every window of x (N, C, H, W); returns (N, C, H', W').

    H' = (H + 2 padding - dilation (kernel_size - 1) - 1) / stride + 1, rounded down, or up with `ceil_mode`. The
    stride is the kernel size unless it is given. Padding never wins. With `return_indices` there is a second output,
    the places of the largest numbers in their H x W image (a LongTensor).

    Gradient: g at the place of the largest number; of equal ones the first has it all. A nan is the largest number.
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
                f"{shown_size(w.dilation)}: with padding, windows would miss it altogether"
            )
        array = self.surrounded(x.array, -numpy.inf)
        result, codes = self._scan(array)
        if numpy.isnan(result).any():
            result, codes = self._scan(array, nan_wins=True)
        if any(w.padding):
            # In a window of nothing but -inf the padding came first; the first place within the image shall have it.
            codes = numpy.where(result == -numpy.inf, self._first_inside(), codes)
        if not self.return_indices:
            self.codes = codes
            return wrap(result)
        indices = wrap(self._places(codes))
        self.mark_non_differentiable(indices)
        self.save_for_backward(indices)  # a caller may write to them, which backward has to notice
        return wrap(result), indices

    def _scan(self, array, nan_wins=False):
        """The largest numbers, and their places in their windows, counted through all dimensions."""
        first, *others = self.places()
        # Contiguous copies: numpy compares neighbours eight at a time, which pays for what is used twice.
        best = buffer_pool.copy(array[first])
        codes = numpy.zeros(best.shape, numpy.min_scalar_type(len(others)))
        for number, place in enumerate(others, 1):
            candidate = buffer_pool.copy(array[place])
            better = candidate > best
            if nan_wins:
                better |= candidate != candidate
            # The last that was better than all before has the highest number.
            numpy.maximum(codes, better.view(numpy.uint8) * codes.dtype.type(number), out=codes)
            numpy.maximum(best, candidate, out=best)
        return best, codes

    def _first_inside(self):
        """The code of the first place within the image, for each window."""
        w = self.windows
        firsts = []
        for count, stride, padding, dilation in zip(self.counts, w.stride, w.padding, w.dilation):
            starts = numpy.arange(count) * stride - padding
            firsts.append(numpy.maximum(-(starts // dilation), 0))
        return numpy.ravel_multi_index(numpy.ix_(*firsts), w.kernel)

    def _places(self, codes):
        """The places of the largest numbers in their image, counted through all its dimensions."""
        w = self.windows
        within, starts = _offsets(self.input_size[2:], self.counts, w.kernel, w.stride, w.padding, w.dilation)
        places = buffer_pool.empty(codes.shape, numpy.dtype(numpy.intp))
        within.take(codes, out=places, mode="clip")  # "raise" would take a copy of `places` first
        places += starts
        return places

    def backward(self, grad_output, *grad_indices):
        places = self.saved_tensors[0].data.array.copy() if self.return_indices else self._places(self.codes)
        places += first_places(self.input_size)
        return call(PoolScatter(places, self.input_size, self.overlapping), grad_output)


def first_places(size):
    """The place of each image's first element in all of a tensor of `size` (N, C, …), in the size (N, C, 1, …)."""
    images = numpy.arange(size[0] * size[1]) * math.prod(size[2:])
    return images.reshape(*size[:2], *[1] * (len(size) - 2))


@functools.lru_cache(16)  # the steps of a training need the same ones again
def _offsets(size, counts, kernel, stride, padding, dilation):
    """The offset of each place in a window from its first, and the windows' first places, both counted in an image."""
    within, starts, step = 0, 0, 1
    for axis in reversed(range(len(size))):
        lead = (-1,) + (1,) * (len(size) - 1 - axis)
        within = within + (numpy.arange(kernel[axis]) * (dilation[axis] * step)).reshape(lead)
        starts = starts + ((numpy.arange(counts[axis]) * stride[axis] - padding[axis]) * step).reshape(lead)
        step *= size[axis]
    return within.ravel(), starts


class MaxPool1d(MaxPool2d):
    """The largest number of every window of x (N, C, L); returns (N, C, L'). See MaxPool2d."""

    dims = 1


class MaxPool3d(MaxPool2d):
    """The largest number of every window of x (N, C, D, H, W); returns (N, C, D', H', W'). See MaxPool2d.

    The indices are places in the D x H x W volume. (v0.1.12: three bytes, each the place within the window.)
    """

    dims = 3


class FractionalMaxPool2d(Function):
    """The largest number of windows of `kernel_size` at random, nearly even distances (Graham, 2014).

    Called with x (N, C, H, W); returns (N, C, *size), where `size` is `output_size`, or `output_ratio` times (H, W)
    rounded down: one of the two has to be given. With `return_indices` there is a second output, as of MaxPool2d.
    `samples` (N, C, 2) are numbers from 0 to 1 for the columns and the rows of each image; without them they are drawn.

    Window i of n begins at floor((i + u) a) - floor(u a), with a = (length - kernel) / (n - 1) and the sample u; the
    last one ends at the edge (THNN's `SpatialFractionalMaxPooling`). Gradient as of MaxPool2d.
    """

    _saved_names = ("indices",)

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
        # numpy's argmax is the first of equal ones, and a nan is the largest number, as in MaxPool2d.
        winners = values.argmax(-1)[..., None]
        result = wrap(numpy.take_along_axis(values, winners, -1)[..., 0])
        indices = wrap(numpy.take_along_axis(places, winners, -1)[..., 0])
        self.save_for_backward(indices)
        if not self.return_indices:
            return result
        self.mark_non_differentiable(indices)
        return result, indices

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
        """Where the windows begin in dimension `axis`: (N, C, count), for samples (N, C)."""
        last = self.input_size[2 + axis] - self.kernel[axis]
        starts = numpy.full((*samples.shape, count), last)
        if count > 1:
            alpha = samples.dtype.type(last) / samples.dtype.type(count - 1)
            steps = numpy.arange(count - 1, dtype=samples.dtype)
            begin = (samples * alpha).astype(numpy.intp)
            starts[..., :-1] = ((steps + samples[..., None]) * alpha).astype(numpy.intp) - begin[..., None]
        return starts

    def backward(self, grad_output, *grad_indices):
        places = self.saved_tensors[0].data.array + first_places(self.input_size)
        return call(PoolScatter(places, self.input_size, True), grad_output)


class AdaptiveMaxPool2d(Function):
    """x (N, C, H, W) as (N, C, *output_size): element i of n is the largest number of rows iH/n to (i+1)H/n.

    The first row is rounded down, the last one up; columns likewise. With `return_indices` there is a second output, as
    of MaxPool2d. (v0.1.12: row and column apart.) Gradient as of MaxPool2d.
    """

    dims = 2

    _saved_names = ("indices",)

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
        indices = wrap(places)
        self.save_for_backward(indices)
        if not self.return_indices:
            return wrap(result)
        self.mark_non_differentiable(indices)
        return wrap(result), indices

    def backward(self, grad_output, *grad_indices):
        places = self.saved_tensors[0].data.array + first_places(self.input_size)
        return call(PoolScatter(places, self.input_size, True), grad_output)


class AdaptiveMaxPool1d(AdaptiveMaxPool2d):
    """x (N, C, L) as (N, C, output_size), the largest number of each share. See AdaptiveMaxPool2d."""

    dims = 1


def adaptive_spans(length, count):
    """The shares of an adaptive pooling from `length` elements to `count`, as (first, last + 1)."""
    return [(i * length // count, -(-(i + 1) * length // count)) for i in range(count)]


class MaxUnpool2d(Function):
    """Zeros of (N, C, *output_size), in which each number of x is at the place that the indices name.

    Called with x (N, C, H, W) and indices of that size, from a MaxPool2d with `return_indices`. Where an index occurs
    more than once the last of its numbers is kept, and each receives the whole gradient, as in v0.1.12 and in modern
    torch. Gradient: g at the indices. Raises RuntimeError for an index outside of the output, as THNN does.
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
    """MaxUnpool2d for x (N, C, D, H, W), with the indices of a MaxPool3d."""

    dims = 3


class PoolScatter(Function):
    """Zeros of `size`, to which the input is added at `places`, counted through all of it. Gradient: `PoolGather` of g.

    `repeated` says whether a place may occur more than once.
    """

    def __init__(self, places, size, repeated):
        self.places = places
        self.size = size
        self.repeated = repeated

    def forward(self, x):
        result = buffer_pool.zeros((math.prod(self.size),), x.array.dtype)
        if self.repeated:
            numpy.add.at(result, self.places.ravel(), x.array.ravel())
        else:
            result[self.places] = x.array
        return wrap(result.reshape(self.size))

    def backward(self, grad_output):
        return call(PoolGather(self.places, self.size, self.repeated), grad_output)


class PoolGather(PoolScatter):
    """The elements of the input at `places`. Gradient: `PoolScatter` of g."""

    def forward(self, x):
        return wrap(x.array.take(self.places))

    def backward(self, grad_output):
        return call(PoolScatter(self.places, self.size, self.repeated), grad_output)


class AvgPool2d(Pooling):
    """The mean of every window of x (N, C, H, W); returns (N, C, H', W') of the size that MaxPool2d has.

    Padding counts as zeros, unless `count_include_pad` is False: then the mean is that of the elements in the image.
    What `ceil_mode` adds to the right of the padding never counts. The mean is linear; gradient: every element's
    share of the g of its windows.
    """

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__(kernel_size, stride, padding, 1, ceil_mode)
        self.count_include_pad = bool(count_include_pad)

    def forward(self, x):
        self.measure(x)
        total = self.surrounded(x.array, 0)
        for axis in reversed(range(self.dims)):
            first, *others = self.slices(axis)
            part = total[first]
            for place in others:
                part = part + total[place]
            total = part
        return wrap_in_c_order(total / self.divisor(x.array.dtype))

    def divisor(self, dtype):
        """How many elements the mean is of: one number, or one for each window where they differ at the edges."""
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
        """A Function of the same windows that was not called yet."""
        w = self.windows
        return type(self)(w.kernel, w.stride, w.padding, self.ceil_mode, self.count_include_pad)


class AvgPool1d(AvgPool2d):
    """The mean of every window of x (N, C, L); returns (N, C, L'). See AvgPool2d."""

    dims = 1


class AvgPool3d(AvgPool2d):
    """The mean of every window of x (N, C, D, H, W); returns (N, C, D', H', W'). See AvgPool2d."""

    dims = 3


class AvgPoolBackward(Function):
    """The gradient of an average pooling: g over the size of the window, to every element of it.

    Gradient: the average pooling of g.
    """

    def __init__(self, pooling):
        self.pooling = pooling

    def forward(self, grad):
        pooling = self.pooling
        spread = grad.array / pooling.divisor(grad.array.dtype)
        w = pooling.windows
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
        return wrap_in_c_order(spread)

    def backward(self, grad_output):
        return call(self.pooling.again(), grad_output)
