"""The methods that take an index tensor or a mask: index_select, gather, scatter_, masked_fill_ and their kin.

An index tensor is a LongTensor whose numbers count from 0; negative ones are out of range. A mask is a ByteTensor, in
which everything but 0 means yes.
"""

import numpy

from .. import conventions
from ._helpers import dimension, does_not_fit, is_tensor, number_for, shown, shown_size, tensor_array, wrap
from .errors import RangeError, SizeError
from .inplace import writable

_LONG = numpy.dtype("int64")
_BYTE = numpy.dtype("uint8")


class Selecting:
    __slots__ = ()

    # --- along one dimension

    def index_select(self, dim, index):
        """Return a copy of the parts that the LongTensor `index` (one dimension) names along `dim`."""
        dim, index = _along("index_select", self.array, dim, index)
        return wrap(self.array.take(index, dim))

    def index_copy_(self, dim, index, source):
        """Write the parts of the Tensor `source` along `dim` to the places that `index` names; of several, the last."""
        place, source = self._places("index_copy_", dim, index, source)
        return self._put("index_copy_", source, place)

    def index_add_(self, dim, index, source):
        """Add the parts of `source` along `dim` to the places that `index` names; a place named twice gets both."""
        place, source = self._places("index_add_", dim, index, source)
        numpy.add.at(writable("index_add_", self.array), place, source)
        return self._wrote()

    def index_fill_(self, dim, index, value):
        """Write the number `value` to the parts along `dim` that `index` names."""
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

    def gather(self, dim, index):
        """Return a tensor of the size of the LongTensor `index`: for dim 0, element (i, j) is self[index[i, j], j].

        `index` has as many dimensions as this tensor, and is no larger but along `dim`.
        """
        return wrap(numpy.ascontiguousarray(self.array[_gathering("gather", self.array, dim, index)]))

    def scatter_(self, dim, index, source):
        """Write where `gather` reads: for dim 0 self[index[i, j], j] = source[i, j], or the number `source`."""
        place = _gathering("scatter_", self.array, dim, index)
        return self._put("scatter_", _scattered("scatter_", self.array, index.array, source), place)

    def scatter_add_(self, dim, index, source):
        """Add as `scatter_` writes: a place that is named twice receives both. `source` is a Tensor."""
        place = _gathering("scatter_add_", self.array, dim, index)
        source = _scattered("scatter_add_", self.array, index.array, source)
        numpy.add.at(writable("scatter_add_", self.array), place, source)
        return self._wrote()

    def take(self, index):
        """Return the elements that the LongTensor `index` names, in its size, counted as if the tensor were a vector.

        As in torch, -1 is the last.
        """
        index, count = _index("take", index), self.array.size
        _check_range("take", index, -count, count, "elements", count)
        return wrap(self.array.take(index))

    # --- masks

    def masked_select(self, mask):
        """Return the elements where the ByteTensor `mask` is not 0, in a vector."""
        mask = _mask("masked_select", self.array, mask, both=True)
        return wrap(numpy.broadcast_to(self.array, mask.shape)[mask])

    def masked_fill_(self, mask, value):
        """Write the number `value` where the ByteTensor `mask` is not 0."""
        array = self.array
        mask = _mask("masked_fill_", array, mask)
        numpy.copyto(writable("masked_fill_", array), number_for("masked_fill_", array, value), where=mask)
        return self._wrote()

    def masked_scatter_(self, mask, source):
        """Write the elements of the Tensor `source`, in their order, to the places where `mask` is not 0."""
        array = self.array
        source = tensor_array("masked_scatter_", array, source)
        mask = _mask("masked_scatter_", array, mask)
        count = int(numpy.count_nonzero(mask))
        if source.size < count:
            raise SizeError(
                f"masked_scatter_: the mask names {count} places, the source has only {source.size} elements"
            )
        return self._put("masked_scatter_", source.reshape(-1)[:count], mask)

    masked_copy_ = masked_scatter_

    # --- the same on a copy (added to torch later)

    def index_copy(self, dim, index, source):
        """Return `index_copy_` on a copy."""
        return self.clone().index_copy_(dim, index, source)

    def index_add(self, dim, index, source):
        """Return `index_add_` on a copy."""
        return self.clone().index_add_(dim, index, source)

    def index_fill(self, dim, index, value):
        """Return `index_fill_` on a copy."""
        return self.clone().index_fill_(dim, index, value)

    def scatter(self, dim, index, source):
        """Return `scatter_` on a copy."""
        return self.clone().scatter_(dim, index, source)

    def scatter_add(self, dim, index, source):
        """Return `scatter_add_` on a copy."""
        return self.clone().scatter_add_(dim, index, source)

    def masked_fill(self, mask, value):
        """Return `masked_fill_` on a copy."""
        return self.clone().masked_fill_(mask, value)

    def masked_scatter(self, mask, source):
        """Return `masked_scatter_` on a copy."""
        return self.clone().masked_scatter_(mask, source)

    masked_copy = masked_scatter


def _along(name, array, dim, index):
    """Return the dimension counted from the front, and the array of the index tensor, checked."""
    dim = dimension(name, array.shape, dim)
    if not is_tensor(index) or index.array.dtype != _LONG or index.array.ndim != 1:
        raise TypeError(f"{name}: expected a LongTensor of one dimension as the index, got {shown(index)}")
    _check_range(name, index.array, 0, array.shape[dim], f"dimension {dim}", array.shape[dim])
    return dim, index.array


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
    """Return the key of the elements of `array` that `index` names along `dim`, in the size of `index`."""
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
    """Return the mask as a bool array of the size of `array`; with `both`, of the size that the two broadcast to."""
    if not is_tensor(mask) or mask.array.dtype != _BYTE:
        raise TypeError(f"{name}: expected a ByteTensor as the mask, got {shown(mask)}")
    mask = mask.array.astype(bool)
    if mask.shape == array.shape:
        return mask
    if not conventions.era.broadcast and mask.size == array.size:
        return mask.reshape(array.shape)
    try:
        return numpy.broadcast_to(mask, numpy.broadcast_shapes(mask.shape, array.shape) if both else array.shape)
    except ValueError:
        raise does_not_fit(name, array.shape, mask.shape) from None
