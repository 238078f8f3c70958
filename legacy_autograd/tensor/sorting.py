"""Methods that order the elements along a dimension: sort, topk, kthvalue, median, mode.

Each returns values and a LongTensor of their indices. Equal elements stay in their order, and nan counts as larger than
every number, as in torch.
"""

from typing import Any, Self

import numpy

from .. import conventions
from .arguments import dimension, sizes_of
from .backcompat import keeps
from .errors import RangeError, SizeError
from .messages import shown
from .wrapping import TensorBase, from_result, wrap

_LONG = numpy.dtype("int64")


class Ordering(TensorBase):
    """The methods of Tensor that order its elements along a dimension."""

    __slots__ = ()

    def sort(self, dim: int = -1, descending: bool = False) -> tuple[Self, Self]:
        """Return the elements in order along `dim`, and a LongTensor of their indices; both have the shape of `self`.

        Args:
            dim: The dimension; negative ones count from the end.
            descending: Whether the largest comes first.
        """
        array, dim = _along("sort", self, dim)
        order = _order(array, dim, descending)
        return wrap(numpy.take_along_axis(array, order, dim)), wrap(order)

    def topk(self, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Self, Self]:
        """Return the `k` largest or smallest elements along `dim`, in order, and a LongTensor of their indices.

        Args:
            k: The number of elements.
            dim: The dimension; negative ones count from the end.
            largest: Whether to take the largest, else the smallest.
            sorted: Ignored: the result is always in order.

        Raises:
            ValueError: If the dimension has fewer than `k` elements.

        Example:
            >>> values, indices = torch.Tensor([3, 1, 2]).topk(2)
            >>> values.tolist(), indices.tolist()
            ([3.0, 2.0], [0, 2])
        """
        array, dim = _along("topk", self, dim)
        (k,) = sizes_of("topk", (k,))
        if not 0 <= k <= array.shape[dim]:
            raise SizeError(f"topk: dimension {dim} of {shown(self)} has fewer than {k} elements")
        order = _order(array, dim, largest)[(slice(None),) * dim + (slice(k),)]
        return wrap(numpy.take_along_axis(array, order, dim)), wrap(numpy.ascontiguousarray(order))

    def kthvalue(self, k: int, dim: int = -1, keepdim: bool | None = None) -> Any:
        """Return the `k`-th smallest element along `dim`, and its index.

        Args:
            k: The rank, counted from 1.
            dim: The dimension; negative ones count from the end.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            Two Tensors, the second a LongTensor; two numbers for a vector that does not keep its dimension.

        Raises:
            ValueError: If the dimension has no element of that rank.
        """
        if isinstance(dim, bool):  # v0.2.0's kthvalue(k, keepdim)
            return self.kthvalue(k, keepdim=dim)
        array, dim = _along("kthvalue", self, dim)
        (k,) = sizes_of("kthvalue", (k,))
        if not 1 <= k <= array.shape[dim]:
            raise SizeError(f"kthvalue: dimension {dim} of {shown(self)} has no {k}-th element (k counts from 1)")
        return _picked("kthvalue", array, _order(array, dim).take([k - 1], dim), dim, keepdim)

    def median(self, dim: int | None = None, keepdim: bool | None = None) -> Any:
        """Return the median along `dim`, and its index.

        Of an even number of elements it is the lower one of the two in the middle. It is nan if an element is nan.

        Args:
            dim: The dimension; negative ones count from the end. Default: the last one. Under the conventions of
                v0.2.0 the default is all elements, and the result one number.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            Two Tensors, the second a LongTensor; two numbers for a vector that does not keep its dimension.

        Raises:
            IndexError: If the dimension has no elements.
        """
        if dim is keepdim is None and conventions.era.median_is_of_all:
            return from_result(self.array.ravel()).median(0)[0][0]
        array, dim = _along("median", self, -1 if dim is None else dim)
        if not array.shape[dim]:
            raise RangeError(f"median: dimension {dim} of {shown(self)} has no elements")
        found = _order(array, dim).take([(array.shape[dim] - 1) // 2], dim)
        if array.dtype.kind == "f":
            isnan = numpy.isnan(array)
            found = numpy.where(isnan.any(dim, keepdims=True), isnan.argmax(dim, keepdims=True), found)
        return _picked("median", array, found, dim, keepdim)

    def mode(self, dim: int = -1, keepdim: bool | None = None) -> Any:
        """Return the most frequent element along `dim`, the smallest of several, and its last index.

        Args:
            dim: The dimension; negative ones count from the end.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            Two Tensors, the second a LongTensor; two numbers for a vector that does not keep its dimension.

        Raises:
            IndexError: If the dimension has no elements.
        """
        array, dim = _along("mode", self, dim)
        length = array.shape[dim]
        if not length:
            raise RangeError(f"mode: dimension {dim} of {shown(self)} has no elements")
        order = _order(array, dim)
        ordered = numpy.take_along_axis(array, order, dim)
        # In the sorted row, a run of equals ends at its last place; the longest run wins, the first of several.
        place = numpy.arange(length).reshape([-1 if d == dim else 1 for d in range(array.ndim)])
        starts = numpy.ones(array.shape, bool)
        starts[_part(dim, 1, None)] = ordered[_part(dim, 1, None)] != ordered[_part(dim, None, -1)]
        run = place - numpy.maximum.accumulate(numpy.where(starts, place, 0), dim)
        found = numpy.take_along_axis(order, run.argmax(dim, keepdims=True), dim)
        return _picked("mode", array, found, dim, keepdim)


def _along(name, tensor, dim):
    """Return the array of `tensor`, and its dimension `dim` counted from the front."""
    return tensor.array, dimension(name, tensor.array.shape, dim)


def _part(dim, start, stop):
    return (slice(None),) * dim + (slice(start, stop),)


def _order(array, dim, descending=False):
    """Return the indices that sort `array` along `dim`; equal elements stay in their order."""
    if not descending:
        return array.argsort(dim, kind="stable").astype(_LONG, copy=False)
    order = numpy.flip(array, dim).argsort(dim, kind="stable")
    return numpy.ascontiguousarray(array.shape[dim] - 1 - numpy.flip(order, dim)).astype(_LONG, copy=False)


def _picked(name, array, indices, dim, keepdim):
    values = numpy.take_along_axis(array, indices, dim)
    if not keeps(name, keepdim, array):
        values, indices = values.squeeze(dim), indices.squeeze(dim)
    return from_result(values), from_result(indices.astype(_LONG, copy=False))
