"""Methods that take an index tensor or a mask: index_select, gather, scatter_, masked_fill_ and similar ones.

An index tensor is a LongTensor. Its numbers count from 0; negative ones are out of range. A mask is a ByteTensor, which
selects the elements where it is not 0.
"""

from __future__ import annotations

from typing import Self

import numpy

from .arguments import dimension, number_for, tensor_array
from .arithmetic import add_at
from .backcompat import paired
from .elementwise import writable
from .errors import RangeError, SizeError
from .messages import does_not_fit, shown, shown_size
from .wrapping import TensorBase, is_tensor, wrap

_LONG = numpy.dtype("int64")
_BYTE = numpy.dtype("uint8")


class Selecting(TensorBase):
    """The methods of Tensor that take an index tensor or a mask."""

    __slots__ = ()

    # --- along one dimension

    def index_select(self, dim: int, index: TensorBase) -> Self:
        """Return a copy of the parts at the indices `index` along `dim`.

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor of one dimension.

        Raises:
            IndexError: If an index is out of range.

        Example:
            >>> torch.Tensor([[1, 2], [3, 4]]).index_select(1, torch.LongTensor([1, 1])).tolist()
            [[2.0, 2.0], [4.0, 4.0]]
        """
        dim, places = _along("index_select", self.array, dim, index)
        return wrap(self.array.take(places, dim))

    def index_copy_(self, dim: int, index: TensorBase, source: TensorBase) -> Self:
        """Copy the parts of `source` to the indices `index` along `dim`; of equal indices the last one counts.

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor of one dimension.
            source: A Tensor of the same type, with one part for each index.

        Returns:
            This tensor.

        Raises:
            IndexError: If an index is out of range.
            ValueError: If `source` does not have the shape of these parts.
        """
        place, source = self._places("index_copy_", dim, index, source)
        return self._put("index_copy_", source, place)

    def index_add_(self, dim: int, index: TensorBase, source: TensorBase) -> Self:
        """Add the parts of `source` to those at the indices `index` along `dim`; equal indices accumulate.

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor of one dimension.
            source: A Tensor of the same type, with one part for each index.

        Returns:
            This tensor.

        Raises:
            IndexError: If an index is out of range.
            ValueError: If `source` does not have the shape of these parts.
        """
        place, source = self._places("index_add_", dim, index, source)
        add_at(writable("index_add_", self.array), place, source)
        return self._wrote()

    def index_fill_(self, dim: int, index: TensorBase, value: float) -> Self:
        """Set the parts at the indices `index` along `dim` to `value`.

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor of one dimension.
            value: The number.

        Returns:
            This tensor.

        Raises:
            IndexError: If an index is out of range.
        """
        dim, index = _along("index_fill_", self.array, dim, index)
        value = number_for("index_fill_", self.array, value)
        return self._put("index_fill_", value, (slice(None),) * dim + (index,))

    def _places(self, name, dim, index, source):
        array = self.array
        source = tensor_array(name, array, source)
        dim, index = _along(name, array, dim, index)
        expected = (*array.shape[:dim], index.size, *array.shape[dim + 1 :])
        if source.shape != expected:
            raise SizeError(
                f"{name}: {index.size} indices along dimension {dim} of {shown(self)} need a source of size "
                f"{shown_size(expected)}, got {shown_size(source.shape)}"
            )
        return (slice(None),) * dim + (index,), source

    # --- element by element along one dimension

    def gather(self, dim: int, index: TensorBase) -> Self:
        """Return the elements at the indices `index` along `dim`: for dim 0, element (i, j) is self[index[i, j], j].

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor with as many dimensions, none larger than in this tensor except `dim`.

        Returns:
            A Tensor of the shape of `index`.

        Raises:
            IndexError: If an index is out of range.
            ValueError: If the shape of `index` does not fit.

        Example:
            >>> x = torch.Tensor([[1, 2], [3, 4]])
            >>> x.gather(1, torch.LongTensor([[1], [0]])).tolist()
            [[2.0], [3.0]]
        """
        return wrap(numpy.ascontiguousarray(self.array[_gathering("gather", self.array, dim, index)]))

    def scatter_(self, dim: int, index: TensorBase, source: TensorBase | float) -> Self:
        """Write to where `gather` reads: for dim 0, self[index[i, j], j] = source[i, j].

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor with as many dimensions, none larger than in this tensor except `dim`.
            source: A Tensor of the same type, no smaller than `index`, or a number.

        Returns:
            This tensor.

        Raises:
            IndexError: If an index is out of range.
            ValueError: If the shapes do not fit.

        Example:
            >>> labels = torch.LongTensor([[1], [0]])
            >>> torch.zeros(2, 3).scatter_(1, labels, 1).tolist()
            [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
        """
        place = _gathering("scatter_", self.array, dim, index)
        return self._put("scatter_", _scattered("scatter_", self.array, index.array, source), place)

    def scatter_add_(self, dim: int, index: TensorBase, source: TensorBase) -> Self:
        """Add to where `gather` reads: for dim 0, self[index[i, j], j] += source[i, j]; equal indices accumulate.

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor with as many dimensions, none larger than in this tensor except `dim`.
            source: A Tensor of the same type, no smaller than `index`.

        Returns:
            This tensor.

        Raises:
            IndexError: If an index is out of range.
            ValueError: If the shapes do not fit.
        """
        place = _gathering("scatter_add_", self.array, dim, index)
        source = _scattered("scatter_add_", self.array, index.array, source)
        add_at(writable("scatter_add_", self.array), place, source)
        return self._wrote()

    def take(self, index: TensorBase) -> Self:
        """Return the elements at `index`, counted as if the tensor were a vector.

        Args:
            index: A LongTensor. As in torch, -1 is the last element.

        Returns:
            A Tensor of the shape of `index`.

        Raises:
            IndexError: If an index is out of range.
        """
        places, count = _index("take", index), self.array.size
        _check_range("take", places, -count, count, "elements", count)
        return wrap(self.array.take(places.astype(numpy.intp, copy=False)))

    # --- masks

    def masked_select(self, mask: TensorBase) -> Self:
        """Return a vector of the elements where `mask` is not 0.

        Args:
            mask: A ByteTensor. Its shape and that of this tensor broadcast.

        Raises:
            TypeError: If `mask` is not a ByteTensor.
            ValueError: If the shapes cannot be broadcast.

        Example:
            >>> x = torch.Tensor([1, 2, 3])
            >>> x.masked_select(x > 1).tolist()
            [2.0, 3.0]
        """
        places = _mask("masked_select", self.array, mask, both=True)
        return wrap(numpy.broadcast_to(self.array, places.shape)[places])

    def masked_fill_(self, mask: TensorBase, value: float) -> Self:
        """Set the elements where `mask` is not 0 to `value`.

        Args:
            mask: A ByteTensor whose shape broadcasts to that of this tensor.
            value: The number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `mask` is not a ByteTensor.
            ValueError: If its shape does not fit.
        """
        array = self.array
        mask = _mask("masked_fill_", array, mask)
        numpy.copyto(writable("masked_fill_", array), number_for("masked_fill_", array, value), where=mask)
        return self._wrote()

    def masked_scatter_(self, mask: TensorBase, source: TensorBase) -> Self:
        """Copy the elements of `source`, in their order, to the places where `mask` is not 0.

        Args:
            mask: A ByteTensor whose shape broadcasts to that of this tensor.
            source: A Tensor of the same type, with at least as many elements as `mask` has places.

        Returns:
            This tensor.

        Raises:
            TypeError: If `mask` is not a ByteTensor.
            ValueError: If `source` has too few elements, or the shape of `mask` does not fit.
        """
        array = self.array
        elements = tensor_array("masked_scatter_", array, source)
        places = _mask("masked_scatter_", array, mask)
        count = int(numpy.count_nonzero(places))
        if elements.size < count:
            raise SizeError(
                f"masked_scatter_: the mask selects {count} places, the source has only {elements.size} elements"
            )
        return self._put("masked_scatter_", elements.reshape(-1)[:count], places)

    masked_copy_ = masked_scatter_

    # --- the same on a copy (added to torch later)

    def index_copy(self, dim: int, index: TensorBase, source: TensorBase) -> Self:
        """Return a copy on which `index_copy_` was called (added to torch after v0.1.x).

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor of one dimension.
            source: A Tensor of the same type, with one part for each index.
        """
        return self.clone().index_copy_(dim, index, source)

    def index_add(self, dim: int, index: TensorBase, source: TensorBase) -> Self:
        """Return a copy on which `index_add_` was called (added to torch after v0.1.x).

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor of one dimension.
            source: A Tensor of the same type, with one part for each index.
        """
        return self.clone().index_add_(dim, index, source)

    def index_fill(self, dim: int, index: TensorBase, value: float) -> Self:
        """Return a copy on which `index_fill_` was called (added to torch after v0.1.x).

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor of one dimension.
            value: The number.
        """
        return self.clone().index_fill_(dim, index, value)

    def scatter(self, dim: int, index: TensorBase, source: TensorBase | float) -> Self:
        """Return a copy on which `scatter_` was called (added to torch after v0.1.x).

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor with as many dimensions, none larger than in this tensor except `dim`.
            source: A Tensor of the same type, no smaller than `index`, or a number.
        """
        return self.clone().scatter_(dim, index, source)

    def scatter_add(self, dim: int, index: TensorBase, source: TensorBase) -> Self:
        """Return a copy on which `scatter_add_` was called (added to torch after v0.1.x).

        Args:
            dim: The dimension; negative ones count from the end.
            index: A LongTensor with as many dimensions, none larger than in this tensor except `dim`.
            source: A Tensor of the same type, no smaller than `index`.
        """
        return self.clone().scatter_add_(dim, index, source)

    def masked_fill(self, mask: TensorBase, value: float) -> Self:
        """Return a copy on which `masked_fill_` was called (added to torch after v0.1.x).

        Args:
            mask: A ByteTensor whose shape broadcasts to that of this tensor.
            value: The number.
        """
        return self.clone().masked_fill_(mask, value)

    def masked_scatter(self, mask: TensorBase, source: TensorBase) -> Self:
        """Return a copy on which `masked_scatter_` was called (added to torch after v0.1.x).

        Args:
            mask: A ByteTensor whose shape broadcasts to that of this tensor.
            source: A Tensor of the same type, with at least as many elements as `mask` has places.
        """
        return self.clone().masked_scatter_(mask, source)

    masked_copy = masked_scatter


def _along(name, array, dim, index):
    """Return the dimension counted from the front, and the checked array of the index tensor."""
    dim = dimension(name, array.shape, dim)
    if not is_tensor(index) or index.array.dtype != _LONG or index.array.ndim != 1:
        raise TypeError(f"{name}: expected a LongTensor of one dimension as the index, got {shown(index)}")
    _check_range(name, index.array, 0, array.shape[dim], f"dimension {dim}", array.shape[dim])
    return dim, index.array.astype(numpy.intp, copy=False)  # which `take` needs where it has 32 bits


def _index(name, index):
    if not is_tensor(index) or index.array.dtype != _LONG:
        raise TypeError(f"{name}: expected a LongTensor as the index, got {shown(index)}")
    return index.array


def _check_range(name, index, low, high, of, size):
    if index.size:
        smallest, largest = index.min(), index.max()
        if smallest < low or largest >= high:
            wrong = smallest if smallest < low else largest
            raise RangeError(f"{name}: index {wrong} is out of range for {of} of size {size}")


def _gathering(name, array, dim, index):
    """Return the key of the elements of `array` at the indices `index` along `dim`, in the shape of `index`."""
    dim = dimension(name, array.shape, dim)
    index = _index(name, index)
    fits = [d == dim or length <= array.shape[d] for d, length in enumerate(index.shape[: array.ndim])]
    if index.ndim != array.ndim or not all(fits):
        raise SizeError(
            f"{name}: an index of size {shown_size(index.shape)} does not fit the size {shown_size(array.shape)}: "
            f"it needs as many dimensions, none of them larger except dimension {dim}"
        )
    _check_range(name, index, 0, array.shape[dim], f"dimension {dim}", array.shape[dim])
    key = [numpy.arange(n).reshape((n,) + (1,) * (index.ndim - d - 1)) for d, n in enumerate(index.shape)]
    key[dim] = index
    return tuple(key)


def _scattered(name, array, index, source):
    if not is_tensor(source):
        return number_for(name, array, source)
    source = tensor_array(name, array, source)
    if source.ndim != index.ndim or any([n > m for n, m in zip(index.shape, source.shape)]):
        raise SizeError(
            f"{name}: an index of size {shown_size(index.shape)} needs a source that is no smaller, got "
            f"{shown_size(source.shape)}"
        )
    return source[tuple([slice(n) for n in index.shape])]


def _mask(name, array, mask, both=False):
    """Return the mask as a bool array in the shape of `array`, or if `both` in the shape that the two broadcast to."""
    if not is_tensor(mask) or mask.array.dtype != _BYTE:
        raise TypeError(f"{name}: expected a ByteTensor as the mask, got {shown(mask)}")
    mask = mask.array.astype(bool)
    if mask.shape == array.shape:
        return mask
    mask = paired(name, array, mask, into=not both)
    try:
        return numpy.broadcast_to(mask, numpy.broadcast_shapes(mask.shape, array.shape) if both else array.shape)
    except ValueError:
        raise does_not_fit(name, array.shape, mask.shape) from None
