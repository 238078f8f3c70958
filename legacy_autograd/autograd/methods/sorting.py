"""Elements of a Variable in order; their Functions are in `functions/indexing.py` and `functions/reduce.py`."""

from __future__ import annotations

from typing import Any

from ... import conventions
from ..functions.indexing import Sort, Topk
from ..functions.reduce import Kthvalue, Median, Mode
from ..variable import Variable
from ._attach import attach


class SortingMethods:
    """Elements in order, and their indices."""

    def sort(self, dim: int = -1, descending: bool = False) -> tuple[Variable, Variable]:
        """Return the elements in order along `dim` and their indices, as a tuple. The sort is stable.

        Args:
            dim: The dimension.
            descending: Whether the largest element comes first.

        Gradient:
            g, the gradient of the values, at the places that the indices name. Indices have no gradient.
        """
        return Sort(dim, descending)(self)

    def topk(self, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Variable, Variable]:
        """Return the `k` largest elements along `dim`, in order, and their indices, as a tuple.

        Args:
            k: The number of elements.
            dim: The dimension.
            largest: Whether to return the largest elements, else the smallest.
            sorted: Ignored: the elements are in order in either case.

        Gradient:
            g, the gradient of the values, for the elements that the indices name. Indices have no gradient.
        """
        return Topk(k, dim, largest, sorted)(self)

    def kthvalue(self, k: int, dim: int = -1, keepdim: bool | None = None) -> tuple[Variable, Variable]:
        """Return the k-th smallest elements along `dim` and their indices, as a tuple.

        Args:
            k: The rank, from 1 on.
            dim: The dimension.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            g, the gradient of the values, for the elements that the indices name. Indices have no gradient.
        """
        return Kthvalue(k, dim, keepdim)(self)

    def median(self: Any, dim: int | None = None, keepdim: bool | None = None) -> Any:
        """Return the medians along `dim` and their indices, as a tuple.

        Args:
            dim: The dimension. Of an even number of elements, the lower median is returned.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            g, the gradient of the values, for the elements that the indices name. Indices have no gradient.
        """
        if dim is keepdim is None and conventions.era.median_is_of_all:
            return Median(0, True)(self.contiguous().view(-1))[0]
        return Median(-1 if dim is None else dim, keepdim)(self)

    def mode(self, dim: int = -1, keepdim: bool | None = None) -> tuple[Variable, Variable]:
        """Return the most frequent elements along `dim` and their indices, as a tuple.

        Args:
            dim: The dimension.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            g, the gradient of the values, for the elements that the indices name. Indices have no gradient.
        """
        return Mode(dim, keepdim)(self)


attach(SortingMethods)
