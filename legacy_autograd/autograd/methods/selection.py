"""Elements chosen by an index or a mask, which has no gradient; their Functions are in `functions/indexing.py`."""

from __future__ import annotations

import numbers
from collections.abc import Callable

from ...tensor import Tensor
from ..functions.indexing import (
    Gather,
    IndexAdd,
    IndexCopy,
    IndexFill,
    IndexSelect,
    MaskedCopy,
    MaskedFill,
    MaskedSelect,
    Scatter,
    ScatterAdd,
)
from ..variable import Variable
from ._arguments import constant
from ._attach import attach


class SelectionMethods:
    """Elements chosen by an index or a mask."""

    # Of Variable, to which these methods are attached.
    contiguous: Callable[[], Variable]

    def index_select(self, dim: int, index: Variable | Tensor) -> Variable:
        """Return the slices along `dim` that `index` names.

        Args:
            dim: The dimension.
            index: A LongTensor vector.

        Gradient:
            g, the gradient of the result, added into zeros at the named slices.
        """
        return IndexSelect(dim)(self, constant(index))[0]

    def index_add(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Return x with the slices of `source` added to the slices that `index` names.

        Args:
            dim: The dimension.
            index: A LongTensor vector.
            source: The slices to add.

        Gradient:
            g for x and the slices of g at `index` for `source`, where g is the gradient of the result.
        """
        return IndexAdd(dim)(self, constant(index), source)[0]

    def index_copy(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Return x with the slices that `index` names replaced by those of `source`.

        Args:
            dim: The dimension.
            index: A LongTensor vector without repetitions.
            source: The new slices.

        Gradient:
            g with zeros at `index` for x and the slices of g at `index` for `source`, where g is the gradient of the
            result.
        """
        return IndexCopy(dim)(self, constant(index), source)[0]

    def index_fill(self, dim: int, index: Variable | Tensor, value: float) -> Variable:
        """Return x with a number in all elements of the slices that `index` names.

        Args:
            dim: The dimension.
            index: A LongTensor vector.
            value: The number.

        Gradient:
            g, the gradient of the result, with zeros there.
        """
        return IndexFill(dim, value)(self, constant(index))[0]

    def gather(self, dim: int, index: Variable | Tensor) -> Variable:
        """Return, for dim 0, x[index[i, j], j] at (i, j).

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor, whose shape is that of the result.

        Gradient:
            g, the gradient of the result, added into zeros at the named places.

        Example:
            >>> x = Variable(torch.Tensor([[1, 2], [3, 4]]))
            >>> x.gather(1, torch.LongTensor([[0, 0], [1, 0]])).data.tolist()
            [[1.0, 1.0], [4.0, 3.0]]
        """
        return Gather(dim)(self, constant(index))[0]

    def scatter(self, dim: int, index: Variable | Tensor, source: Variable | float) -> Variable:
        """Return x with `source` written, for dim 0, at (index[i, j], j).

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor that names each place once.
            source: The values, or one number for all places.

        Gradient:
            g with zeros at the named places for x and g at those places for `source`, where g is the gradient of the
            result.
        """
        if isinstance(source, numbers.Real):
            return Scatter(dim, source)(self, constant(index))[0]
        return Scatter(dim)(self, constant(index), source)[0]

    def scatter_add(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Return x with `source` added, for dim 0, at (index[i, j], j).

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor.
            source: The values to add.

        Gradient:
            g for x and g at the named places for `source`, where g is the gradient of the result.
        """
        return ScatterAdd(dim)(self, constant(index), source)[0]

    def take(self, index: Variable | Tensor) -> Variable:
        """Return the elements of the flattened x that `index` names.

        Args:
            index: A LongTensor, whose shape is that of the result.

        Gradient:
            g, the gradient of the result, added into zeros at the named elements.
        """
        return self.contiguous().view(-1)[constant(index)]

    def masked_select(self, mask: Variable | Tensor) -> Variable:
        """Return a vector of the elements where `mask` is not 0.

        Args:
            mask: A ByteTensor.

        Gradient:
            The elements of g, the gradient of the result, in those places; 0 elsewhere.
        """
        return MaskedSelect()(self, constant(mask))[0]

    def masked_fill(self, mask: Variable | Tensor, value: float) -> Variable:
        """Return x with a number where `mask` is not 0.

        Args:
            mask: A ByteTensor.
            value: The number.

        Gradient:
            `where(mask, 0, g)`, where g is the gradient of the result.
        """
        return MaskedFill(value)(self, constant(mask))[0]

    def masked_copy(self, mask: Variable | Tensor, source: Variable) -> Variable:
        """Return x with the elements of `source`, in their order, where `mask` is not 0.

        Args:
            mask: A ByteTensor.
            source: The new elements.

        Gradient:
            g with zeros there for x and the elements of g there for `source`, where g is the gradient of the result.

        Example:
            >>> x = Variable(torch.Tensor([1, 2, 3]))
            >>> x.masked_copy(torch.ByteTensor([1, 0, 1]), Variable(torch.Tensor([7, 8]))).data.tolist()
            [7.0, 2.0, 8.0]
        """
        return MaskedCopy()(self, constant(mask), source)[0]

    def masked_scatter(self, mask: Variable | Tensor, source: Variable) -> Variable:
        """Return `masked_copy(mask, source)`, under its later name.

        Args:
            mask: A ByteTensor.
            source: The new elements.
        """
        return self.masked_copy(mask, source)


attach(SelectionMethods)
