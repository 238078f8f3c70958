"""Convolution and the two Functions that its gradients are (2016: THNN's `SpatialConvolutionMM`).

y = x * w is linear in x and in w, so its three Functions are each other's derivatives, to any order: the gradient of x
is `ConvTranspose` (of g and w), the gradient of w is `ConvWeight` (of x and g), and the gradients of these are
convolutions again. Each is one matrix product over all windows of the input.
"""

import itertools
import math
from typing import Any

import numpy

from ...tensor import buffer_pool
from ...tensor.dtypes import wide
from ...tensor.messages import shown, shown_size
from ...tensor.wrapping import wrap
from ..function import Function
from ._utils import call, in_floats
from .im2col import WASTE, Windows, check_images, tuple_of, turned

# The windows as matrices take Π kernel times the memory of the input. CACHE bytes of them are made at a time.
CACHE = 1 << 19
# This many bytes of windows are prepared at a time. They are kept for backward if one time covers all samples.
BLOCK = 1 << 23
# A product has about this many columns. Samples with fewer windows share one product.
COLUMNS = 1024
# The least samples, and the least columns of a product, for products of rows of windows.
SAMPLES, ROW = 8, 256


class Convolving(Function):
    """The base of the three Functions: the geometry, and the products over blocks of samples.

    `dims` is the number of spatial dimensions; sizes of windows are integers or tuples of that many. A subclass defines
    the gradients of its two factors, `by_first(grad, saved)` and `by_second(grad, saved)`.

    Args:
        stride: The distance of two windows.
        padding: The number of zeros that are added on each side.
        dilation: The distance of two elements of a window.
        groups: The number of parts that the channels are divided into, each convolved separately.

    Raises:
        TypeError: If a size is not an integer or a tuple of integers.
        ValueError: If a size is too small, or a tuple has another length than `dims`.
    """

    dims = 2
    shared: Any = ()  # a list of what `turned` returned, for the two gradients that one backward computes

    def __init__(self, stride=1, padding=0, dilation=1, groups=1):
        self.stride = tuple_of(self._name, "stride", stride, self.dims, 1)
        self.padding = tuple_of(self._name, "padding", padding, self.dims, 0)
        self.dilation = tuple_of(self._name, "dilation", dilation, self.dims, 1)
        (self.groups,) = tuple_of(self._name, "groups", groups, 1, 1)

    def windows(self, kernel):
        return Windows(kernel, self.stride, self.padding, self.dilation)

    def geometry(self):
        """Return the constructor arguments of a Function with the same windows."""
        return self.stride, self.padding, self.dilation, self.groups

    def is_product(self, kernel, size):
        """Return whether the only window is the whole image: the convolution is then a product of two matrices.

        Args:
            kernel: The size of a window.
            size: The spatial shape of the input.
        """
        whole = tuple(kernel) == tuple(size) and not any(self.padding)
        return whole and self.groups == max(self.dilation) == 1

    def blocks(self, x_size, kernel, counts, itemsize):
        """Return slices of the samples, each with at most BLOCK bytes of windows, or with one sample.

        Args:
            x_size: The shape of the input.
            kernel: The size of a window.
            counts: The number of windows in each dimension.
            itemsize: The bytes of one element.
        """
        n, channels = x_size[:2]
        sample = channels * math.prod(kernel) * math.prod(counts) * itemsize
        step = max(1, BLOCK // max(1, sample))
        return [slice(begin, begin + step) for begin in range(0, n, step)]

    def matrices(self, view, kernel, places=None):
        """Yield the windows of `view` as matrices, CACHE bytes of them at a time, always in the same memory.

        Each item is a slice of the products, one of their columns, and their right factors, of shape (products, groups,
        rows, columns).

        Args:
            view: A view of every window, as `Windows.view` or `Windows.shifts` returns it.
            kernel: The size of a window.
            places: The columns of an item, where the last dimension of the view has them. Default: all.
        """
        n, *product = view.shape
        step = min(n, max(1, CACHE // max(1, math.prod(product) * view.itemsize)))
        rows, length = product[0] * math.prod(kernel), math.prod(product[1:]) // math.prod(kernel)
        matrix = self.groups, rows // self.groups
        if math.prod(kernel) == 1 and view.flags.c_contiguous:  # the windows are the input
            for begin in range(0, n, step):
                samples = slice(begin, begin + step)
                yield samples, slice(0, length), view[samples].reshape(-1, *matrix, length)
            return
        width = places or max(1, length)
        memory = buffer_pool.empty((step * rows * width,), view.dtype)
        for begin, first in itertools.product(range(0, n, step), range(0, length, width)):
            samples, columns = slice(begin, begin + step), slice(first, min(length, first + width))
            part = view[samples] if width >= length else view[samples, ..., columns]
            windows = memory[: part.size].reshape(part.shape)
            numpy.copyto(windows, part)
            yield samples, columns, windows.reshape(len(part), *matrix, -1)

    def places(self, shifts):
        """Return how many places of a sample have CACHE bytes of windows, or ROW if that is more.

        Args:
            shifts: A view that `Windows.shifts` returned.
        """
        length = shifts.shape[-1]
        parts = max(1, min(math.prod(shifts.shape[1:]) * shifts.itemsize // CACHE, length // ROW))
        return -(-length // parts)

    def correlation(self, windows, x, counts, w, bias=None):
        """Return the products of `w` with all windows of x and the windows' view, `Windows.shifts`.

        Args:
            windows: The geometry.
            x: The input (N, C, *size).
            counts: The number of windows in each dimension.
            w: Matrices (groups, rows, C/groups * kernel).
            bias: Numbers (groups, rows, 1) to add, or None.

        Returns:
            An array (N, groups, rows, *counts), and the view.
        """
        view = windows.shifts(x, counts)
        result = buffer_pool.empty((len(x), *w.shape[:2], *counts), x.dtype)
        product = picked = None
        for products, places, columns in self.matrices(view, windows.kernel, self.places(view)):
            n = len(columns)
            if product is None:
                product = buffer_pool.empty((n, *w.shape[:2], view.shape[-1]), x.dtype)
                picked = windows.picked(product, counts)
            numpy.matmul(w, columns, product[:n, :, :, places])
            if places.stop < view.shape[-1]:
                continue
            if bias is None:
                result[products] = picked[:n]
            else:
                numpy.add(picked[:n], bias, result[products])
        return result, view

    def row_blocks(self, windows, x, counts, outputs):
        """Return slices of the samples for products of rows of windows, `Windows.rows`.

        None if those were too small, or if to turn the output took longer than to copy the windows.

        Args:
            windows: The geometry.
            x: The input.
            counts: The number of windows in each dimension.
            outputs: The number of channels of the output.
        """
        if self.dims != 2 or max(self.groups, *windows.dilation) > 1 or outputs > 4 * x.shape[1]:
            return None
        blocks = self.blocks(x.shape, windows.kernel[1:], counts, x.itemsize)
        samples = min(len(x), blocks[0].stop)
        return blocks if samples >= SAMPLES and samples * counts[1] >= ROW else None

    def turned(self, array, samples):
        """Return samples of `array` (N, C, H, W) as (C, H, W, N).

        Args:
            array: The input or its gradient.
            samples: The slice of the samples.
        """
        for known, of, result in self.shared:
            if known is array and of == samples:
                return result
        part = array[samples]
        result = turned(part.reshape(len(part), -1)).reshape(*array.shape[1:], len(part))
        if type(self.shared) is list:
            self.shared.append((array, samples, result))
        return result

    def by_rows(self, windows, blocks, x, counts, w, bias=None):
        """Return the convolution of `x` (N, C, H, W) with `w` (O, C, KH, KW), and the view of all windows or None.

        Args:
            windows: The geometry.
            blocks: Slices of the samples.
            x: The input.
            counts: The number of windows in each dimension.
            w: The weight.
            bias: Numbers (O) to add, or None.
        """
        outputs, view = len(w), None
        w = buffer_pool.copy(w.transpose(0, 2, 1, 3)).reshape(outputs, -1)
        result = buffer_pool.empty((len(x), outputs * math.prod(counts)), x.dtype)
        for samples in blocks:
            view = windows.rows(self.turned(x, samples), counts)
            product = buffer_pool.empty((outputs, counts[0], view.shape[2]), x.dtype)
            numpy.matmul(w, view, product.swapaxes(0, 1))
            if bias is not None:
                product += bias.reshape(-1, 1, 1)
            part = result[samples]
            product = product.reshape(-1, len(part))
            for begin in range(0, len(product), ROW):  # a part that the cache holds
                part[:, begin : begin + ROW] = product[begin : begin + ROW].T
        return result.reshape(len(x), outputs, *counts), view if len(blocks) == 1 else None

    def check(self, x, weight):
        """Raise unless `x` is (N, C, *size), `weight` has as many dimensions, and both have one floating-point type.

        Args:
            x: The input.
            weight: The weight.

        Raises:
            RuntimeError: If the types differ.
            TypeError: If `x` holds integers.
            ValueError: If a number of dimensions is wrong, or the channels do not divide into the groups.
        """
        check_images(self._name, x, self.dims)
        if weight.array.ndim != 2 + self.dims:
            raise ValueError(f"{self._name}: expected a weight of {2 + self.dims} dimensions, got {shown(weight)}")
        if x.array.dtype is not weight.array.dtype:
            raise RuntimeError(
                f"{self._name}: input and weight must be of one type, got {shown(x)} and {shown(weight)}"
            )
        if weight.array.shape[0] % self.groups:
            raise ValueError(
                f"{self._name}: the {weight.array.shape[0]} channels of {shown(weight)} do not divide into "
                f"{self.groups} groups"
            )

    def check_channels(self, x, weight, channels):
        if x.array.shape[1] != channels:
            groups = f" in {self.groups} groups" if self.groups > 1 else ""
            raise ValueError(
                f"{self._name}: a weight of size {shown_size(weight.array.shape)}{groups} needs an input with "
                f"{channels} channels, got {x.array.shape[1]}: {shown(x)}"
            )

    def check_bias(self, bias, channels, like):
        if bias.array.shape != (channels,) or bias.array.dtype is not like.array.dtype:
            raise ValueError(f"{self._name}: expected a bias of {channels} {like.type()} numbers, got {shown(bias)}")

    def backward(self, grad_output):
        saved = self.saved_tensors
        needs_first, needs_second, *needs_bias = self.needs_input_grad
        self.shared = []
        try:
            return (
                self.by_first(grad_output, saved) if needs_first else None,
                self.by_second(grad_output, saved) if needs_second else None,
                *[_channel_sum(grad_output) if needed else None for needed in needs_bias],
            )
        finally:
            self.shared.clear()  # the two Functions have this list too
            self.shared = ()


class _WithView(tuple):
    """The saved tensors together with the windows of x, so that both are freed or packed at the same time."""


class Conv2d(Convolving):
    """The convolution of neural networks, which is a cross-correlation: y[n, o] = b[o] + Σ_c w[o, c] ⋆ x[n, c].

    A call takes x (N, C, H, W), w (O, C/groups, KH, KW) and optionally b (O), and returns (N, O, H', W') with
    H' = (H + 2 padding - dilation (KH - 1) - 1) / stride + 1, rounded down.

    Gradient:
        For x, `ConvTranspose`(g, w); for w, `ConvWeight`(x, g); for b, the sum of g, where g is the gradient of the
        output.

    Source:
        `torch/nn/functions/conv.py` (v0.1.5).
        `torch/lib/THNN/generic/SpatialConvolutionMM.c` (v0.1.1).
    """

    def forward(self, x, weight, bias=None):
        w = weight.array
        self.check(x, weight)
        self.check_channels(x, weight, w.shape[1] * self.groups)
        if bias is not None:
            self.check_bias(bias, w.shape[0], x)
        self.input_size = x.array.shape
        self.weight_size = w.shape
        self.save_for_backward(x, weight)
        result = self._product(wide(x.array), wide(w), None if bias is None else wide(bias.array))
        return wrap(result.astype(w.dtype, copy=False))

    def _product(self, x, w, bias):
        windows = self.windows(w.shape[2:])
        counts = windows.counts(self._name, x.shape[2:])
        outputs = w.shape[0]
        if self.is_product(w.shape[2:], x.shape[2:]):
            result = buffer_pool.dot(x.reshape(len(x), -1), w.reshape(outputs, -1).T)
            return (result if bias is None else result + bias).reshape(len(x), outputs, *counts)
        blocks = self.row_blocks(windows, x, counts, outputs)
        if blocks is not None:
            result, view = self.by_rows(windows, blocks, x, counts, w, bias)
            if view is not None:
                self._keep(view)
            return result
        w = w.reshape(self.groups, outputs // self.groups, -1)
        if windows.are_shifts(counts):
            bias = None if bias is None else bias.reshape(*w.shape[:2], *[1] * self.dims)
            result, view = self.correlation(windows, x, counts, w, bias)
            self._keep(view)
            return result.reshape(len(x), outputs, *counts)
        bias = None if bias is None else bias.reshape(*w.shape[:2], 1)
        result = buffer_pool.empty((x.shape[0], outputs, *counts), x.dtype)
        blocks = self.blocks(x.shape, windows.kernel, counts, x.itemsize)
        for samples in blocks:
            part = result[samples]
            view = windows.view(x[samples], counts, _together(len(part), math.prod(counts)))
            together = view.shape[-1]
            product = part if together == 1 else buffer_pool.empty((len(view), outputs, *counts, together), x.dtype)
            product = product.reshape(len(view), *w.shape[:2], -1)
            for products, _, columns in self.matrices(view, windows.kernel):
                numpy.matmul(w, columns, product[products])
                if bias is not None:
                    numpy.add(product[products], bias, product[products])  # while the product is in the cache
            if together > 1:
                swapped = product.reshape(len(view), -1, together).swapaxes(1, 2)
                numpy.copyto(part.reshape(swapped.shape), swapped)
        if len(blocks) == 1:
            self._keep(view)
        return result

    def _keep(self, view):
        self._saved = _WithView(self._saved)
        self._saved.view = view

    def by_first(self, grad, saved):
        function = ConvTranspose(self.input_size[2:], *self.geometry())
        function.shared = self.shared
        return call(function, grad, saved[1])

    def by_second(self, grad, saved):
        function = ConvWeight(self.weight_size[2:], *self.geometry())
        function.view, function.shared = getattr(saved, "view", None), self.shared
        return call(function, saved[0], grad)


class Conv1d(Conv2d):
    """The convolution over one dimension; see Conv2d.

    A call takes x (N, C, L), w (O, C/groups, K) and optionally b (O), and returns (N, O, L').

    Source:
        `torch/lib/THNN/generic/TemporalConvolution.c` (v0.1.1).
    """

    dims = 1


class Conv3d(Conv2d):
    """The convolution over three dimensions; see Conv2d.

    A call takes x (N, C, D, H, W), w (O, C/groups, KD, KH, KW) and optionally b (O), and returns (N, O, D', H', W').

    Source:
        `torch/nn/functions/thnn/conv.py` (v0.1.5).
    """

    dims = 3


class ConvTranspose(Convolving):
    """The transposed convolution: the gradient of x in a convolution, and a layer itself.

    A call takes x (N, O, *counts), w (O, C/groups, *kernel) and optionally b (C). It returns (N, C, *size), where every
    x[n, o, i] has added x w[o] to window i.

    Args:
        size: The spatial shape of the result, from which a convolution with these windows makes *counts.
        stride: The distance of two windows.
        padding: The number of zeros that the convolution adds on each side.
        dilation: The distance of two elements of a window.
        groups: The number of parts that the channels are divided into.

    Gradient:
        For x, the convolution of g with w; for w, `ConvWeight`(g, x); for b, the sum of g, where g is the gradient of
        the output.

    Source:
        `torch/lib/THNN/generic/SpatialFullConvolution.c` (v0.1.1).
    """

    def __init__(self, size, stride=1, padding=0, dilation=1, groups=1):
        self.size = tuple(size)
        self.dims = len(self.size)
        super().__init__(stride, padding, dilation, groups)

    def forward(self, x, weight, bias=None):
        w = weight.array
        self.check(x, weight)
        self.check_channels(x, weight, w.shape[0])
        if bias is not None:
            self.check_bias(bias, w.shape[1] * self.groups, x)
        self.save_for_backward(x, weight)
        self.weight_size = w.shape
        result = self._product(wide(x.array), wide(w))
        if bias is not None:
            result += bias.array.reshape(-1, *[1] * self.dims)
        return wrap(result.astype(w.dtype, copy=False))

    def _product(self, x, w):
        windows = self.windows(w.shape[2:])
        counts = windows.counts(self._name, self.size)
        if x.shape[2:] != counts:
            raise ValueError(
                f"{self._name}: an output of {shown_size(self.size)} needs an input of {shown_size(counts)}, "
                f"got {shown_size(x.shape[2:])}"
            )
        n, outputs = x.shape[:2]
        channels = w.shape[1] * self.groups
        if self.is_product(w.shape[2:], self.size):
            return buffer_pool.dot(x.reshape(n, outputs), w.reshape(outputs, -1)).reshape(n, channels, *self.size)
        if max(self.stride) == 1 and 2 * w.shape[1] * self.groups >= outputs:
            edge = [reach - 1 - p for reach, p in zip(windows.reach(), self.padding)]
            around = Windows(windows.kernel, self.stride, tuple(edge), self.dilation)
            blocks = self.row_blocks(around, x, self.size, channels) if min(edge) >= 0 else None
            if blocks is not None and math.prod(self.size) <= WASTE * math.prod(counts):
                return self.by_rows(around, blocks, x, self.size, w[:, :, ::-1, ::-1].swapaxes(0, 1))[0]
            if min(edge) >= 0 and around.are_shifts(self.size, math.prod(counts)):
                return self._by_correlation(around, x, w)
        w = w.reshape(self.groups, outputs // self.groups, -1, math.prod(windows.kernel))
        result = buffer_pool.empty((n, self.groups, channels // self.groups, *self.size), x.dtype)
        for samples in self.blocks((n, channels), windows.kernel, counts, x.itemsize):
            # With the samples last, an addition in `sums` runs over long contiguous stretches of memory.
            part = x[samples]
            right = turned(part.reshape(len(part), -1)).reshape(self.groups, outputs // self.groups, -1)
            # As many channels at a time as stay in the cache between the product and the sums.
            step = max(1, 2 * CACHE // (self.groups * w.shape[3] * right.shape[2] * x.itemsize))
            for begin in range(0, w.shape[2], step):
                left = w[:, :, begin : begin + step]
                left = left.reshape(*left.shape[:2], -1).swapaxes(1, 2)
                columns = buffer_pool.empty((*left.shape[:2], right.shape[2]), x.dtype)
                numpy.matmul(left, right, columns)
                sums = windows.sums(columns.reshape(-1, *windows.kernel, *counts, len(part)), counts, self.size)
                target = result[samples, :, begin : begin + step]
                target[...] = sums.reshape(target.shape)
        return result.reshape(n, channels, *self.size)

    def _by_correlation(self, around, x, w):
        """Return the transposed convolution with stride 1 as a convolution of x, which adds nothing in memory.

        Output k + i collects x[i] w[k]: a convolution of x, between zeros, with w in reverse order.
        """
        w = w.reshape(self.groups, len(w) // self.groups, -1, *around.kernel)
        w = w[(..., *[slice(None, None, -1)] * self.dims)].swapaxes(1, 2)
        result, _ = self.correlation(around, x, self.size, w.reshape(self.groups, w.shape[1], -1))
        return result.reshape(len(x), -1, *self.size)

    def by_first(self, grad, saved):
        return call(convolution(self.dims)(*self.geometry()), grad, saved[1])

    def by_second(self, grad, saved):
        return call(ConvWeight(self.weight_size[2:], *self.geometry()), grad, saved[0])


class ConvWeight(Convolving):
    """The gradient of w in a convolution: every window of x times g, summed.

    A call takes x (N, C, *size) and g (N, O, *counts), and returns (O, C/groups, *kernel).

    Args:
        kernel: The size of a window.
        stride: The distance of two windows.
        padding: The number of zeros that are added on each side.
        dilation: The distance of two elements of a window.
        groups: The number of parts that the channels are divided into.

    Gradient:
        For x, `ConvTranspose`(g, h); for g, the convolution of x with h, where h is the gradient of the output.
    """

    view = None  # the windows of x, if the convolution kept them

    def __init__(self, kernel, stride=1, padding=0, dilation=1, groups=1):
        self.kernel = tuple(kernel)
        self.dims = len(self.kernel)
        super().__init__(stride, padding, dilation, groups)

    def forward(self, x, grad):
        self.save_for_backward(x, grad)
        self.input_size = x.array.shape
        return wrap(self._product(wide(x.array), wide(grad.array)).astype(x.array.dtype, copy=False))

    def _product(self, x, grad):
        windows = self.windows(self.kernel)
        counts = grad.shape[2:]
        channels, outputs = x.shape[1] // self.groups, grad.shape[1]
        if self.is_product(self.kernel, x.shape[2:]):
            return grad.reshape(len(x), -1).T.dot(x.reshape(len(x), -1)).reshape(-1, *x.shape[1:])
        blocks = self.row_blocks(windows, x, counts, outputs)
        if blocks is not None:
            total = 0
            for samples in blocks:
                view = windows.rows(self.turned(x, samples), counts) if self.view is None else self.view
                g = self.turned(grad, samples)
                g = g.reshape(outputs, counts[0], -1).transpose(1, 2, 0)
                each = numpy.matmul(view, g, buffer_pool.empty((*view.shape[:2], outputs), x.dtype))
                total = total + numpy.add.reduce(each, 0)
            total = total.T.reshape(outputs, self.kernel[0], channels, self.kernel[1])
            return numpy.ascontiguousarray(total.swapaxes(1, 2))
        if windows.are_shifts(counts):
            view = windows.shifts(x, counts) if self.view is None else self.view
            spread = buffer_pool.zeros((len(x), self.groups, outputs // self.groups, view.shape[-1]), x.dtype)
            numpy.copyto(windows.picked(spread, counts), grad.reshape(*spread.shape[:3], *counts))
            return self._sum_of_products([(view, spread, self.places(view))], x, outputs)

        def factors():
            for samples in self.blocks(x.shape, self.kernel, counts, x.itemsize):
                part, view = grad[samples], self.view
                if view is None:
                    view = windows.view(x[samples], counts, _together(len(part), math.prod(counts)))
                right = part.reshape(len(view), view.shape[-1], -1)
                right = right if view.shape[-1] == 1 else turned(right)
                yield view, right.reshape(len(view), self.groups, outputs // self.groups, -1), None

        return self._sum_of_products(factors(), x, outputs)

    def _sum_of_products(self, factors, x, outputs):
        """Return Σ windows g over all windows, as (O, C/groups, *kernel).

        Args:
            factors: Triples of a view of windows, g (products, groups, O/groups, columns), and `places` of `matrices`.
            x: The input.
            outputs: The number of channels of g.
        """
        shape = self.groups, x.shape[1] // self.groups * math.prod(self.kernel), outputs // self.groups
        # BLAS is faster with the windows first, but to turn a large sum around takes longer than the product.
        is_large = math.prod(shape) * x.itemsize > 2 * CACHE
        total = numpy.zeros((shape[0], shape[2], shape[1]) if is_large else shape, x.dtype)
        for view, right, at_a_time in factors:
            each = buffer_pool.empty((len(view), *total.shape), x.dtype)
            for products, places, columns in self.matrices(view, self.kernel, at_a_time):
                g = right[products, :, :, places]
                one, other = (g, columns) if is_large else (columns, g)
                if places.start == 0:
                    numpy.matmul(one, other.swapaxes(2, 3), each[products])
                else:
                    each[products] += numpy.matmul(one, other.swapaxes(2, 3))
            total += each.sum(0)
        total = total if is_large else numpy.ascontiguousarray(total.swapaxes(1, 2))
        return total.reshape(outputs, -1, *self.kernel)

    def by_first(self, grad, saved):
        return call(ConvTranspose(self.input_size[2:], *self.geometry()), saved[1], grad)

    def by_second(self, grad, saved):
        return call(convolution(self.dims)(*self.geometry()), saved[0], grad)


def convolution(dims):
    """Return the Function that convolves over `dims` dimensions.

    Args:
        dims: 1, 2 or 3.
    """
    return {1: Conv1d, 2: Conv2d, 3: Conv3d}[dims]


def _together(samples, windows):
    """Return how many of the `samples`, with that many `windows` each, share a product: a divisor of their number."""
    wanted = min(samples, max(1, COLUMNS // max(1, windows)))
    return next((n for n in range(wanted, wanted // 2, -1) if samples % n == 0), samples)


def _channel_sum(grad):
    """Return the sum of `grad` (N, C, *size) over all dimensions but the second."""
    n, channels, *size = grad.size()
    rows = grad.contiguous().view(n, channels, math.prod(size))
    return in_floats(lambda rows: rows.sum(2, keepdim=False).sum(0, keepdim=False), rows)
