"""Indexing and assignment: `x[key]`, `x[key] = value` (2016: `torch/tensor.py` and THP's getters and setters).

Keys are those of modern torch: integers, slices, None, Ellipsis, masks (ByteTensors), index tensors and lists. (v0.1.1
narrowed where a tuple holds an integer, and had neither steps nor lists.) The methods that take an index or a mask are
in `selection.py`.
"""

import math
import numbers
from typing import Any, Self

import numpy

from .. import conventions
from .arguments import number_for
from .arithmetic import add_at
from .backcompat import paired
from .elementwise import put, writable
from .errors import RangeError, SizeError
from .messages import does_not_fit, shown, shown_size
from .selection import Selecting
from .wrapping import TensorBase, is_tensor, view_of, wrap_in_c_order

_EVERYTHING = slice(None)
_READ = "x[key]"
_WRITE = "x[key] = value"
_INDEX_DTYPES = frozenset(map(numpy.dtype, ("int64", "int32")))
_BYTE = numpy.dtype("uint8")


class Indexing(Selecting):
    """The indexing of Tensor."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """Return the part of the tensor at `key`.

        Args:
            key: See the top of index.py.

        Returns:
            A view; a copy if the key holds a mask, index tensor or list; a number if it selects one element with
            integers.

        Raises:
            IndexError: If the key is out of range.
        """
        array = self.array
        try:
            if is_simple(key):
                part = array[key]
            else:
                part, chosen = _looked_up(_READ, array, key)
                if chosen is not ...:
                    return wrap_in_c_order(part[chosen])
        except IndexError:
            raise _refused(_READ, array, key) from None
        if part.ndim:
            return view_of(self, part)
        return part.item()

    def __setitem__(self, key: Any, value: TensorBase | float) -> None:
        """Write to the part at `key`.

        Args:
            key: See the top of index.py.
            value: A number, or a Tensor, which is converted and must fit as for `copy_`.

        Raises:
            IndexError: If the key is out of range.
        """
        array = self.array
        try:
            part, chosen = (array, key) if is_simple(key) else _looked_up(_WRITE, array, key)
            put(part, _WRITE, value.array if is_tensor(value) else number_for(_WRITE, array, value), chosen)
        except IndexError:
            raise _refused(_WRITE, array, key) from None
        self._wrote()

    def index_put_(self, key: Any, values: TensorBase | float, accumulate: bool = False) -> Self:
        """Write values to the part at `key`, or add them to it.

        Args:
            key: See the top of index.py.
            values: A number or a Tensor as for `x[key] = values`; to accumulate, a Tensor of the same type.
            accumulate: Whether to add; an element that an index tensor names twice then receives both values.

        Returns:
            This tensor.

        Raises:
            IndexError: If the key is out of range.
        """
        if not accumulate:
            self[key] = values
            return self
        array, simple = self.array, is_simple(key)
        try:
            part, chosen = (array, key) if simple else _looked_up("index_put_", array, key)
            shape = part[chosen].shape
        except IndexError:
            raise _refused("index_put_", array, key) from None
        if not is_tensor(values) or values.array.dtype != array.dtype:
            raise TypeError(f"index_put_: expected a {self.type()}, got {shown(values)}")
        source = values.array
        if source.shape != shape and source.size == math.prod(shape):
            source = source.reshape(shape)
        writable("index_put_", array)
        try:
            if simple:
                part[chosen] += source
            else:
                add_at(part, chosen, source)
        except ValueError:
            raise does_not_fit("index_put_", shape, source.shape, into=True) from None
        return self._wrote()

    def index(self, key: Any) -> Any:
        """Return the part of the tensor at `key`, as `x[key]` does.

        Args:
            key: See the top of index.py.
        """
        return self[key]

    def __iter__(self):
        """Iterate over the parts along the first dimension: views, or numbers if the tensor is a vector."""
        if self.array.ndim == 1:
            return iter(self.array.tolist())
        return iter([self[i] for i in range(self.array.shape[0])])

    def __contains__(self, number):
        """Return whether an element equals `number`."""
        return bool(self.eq(number).array.any())


def is_simple(key: Any) -> bool:
    """Return whether numpy can take `key` unchanged: an integer, slice, None, Ellipsis, or a tuple of these.

    Args:
        key: The key of an indexing.
    """
    kind = type(key)
    if kind is int or kind is slice and key.step is None:
        return True
    if kind is tuple and len(key) == 1 and conventions.era.tuples_in_keys_narrow:
        return False
    for k in key if kind is tuple else (key,):
        if type(k) is int or k is None or k is ...:
            continue
        if type(k) is not slice or k.step is not None and not k.step > 0:
            return False
    return True


def _looked_up(name, array, key):
    """Return the view for the integers, slices, Nones and the Ellipsis in `key`, and a key into that view.

    The second key holds the masks and index arrays at their positions; it is Ellipsis if there are none. Torch takes
    these two steps one after the other, too. (numpy treats integers as index arrays if the key has any, and then orders
    the dimensions of the result differently.)
    """
    if type(key) is list and conventions.era.lists_of_indices_are_tuples:
        if any(
            [entry is None or entry is ... or type(entry) in (list, tuple, slice) or is_tensor(entry) for entry in key]
        ):
            key = tuple(key)
    if type(key) is list or is_tensor(key):
        plain = _plain(name, key)  # one mask or index: the most frequent key of this kind
        if plain.dtype == bool:
            plain = paired(name, array, plain, into=True)
        return array, plain
    if type(key) is tuple and conventions.era.tuples_in_keys_narrow:
        key = _narrowing(name, array, key)
    first, second, chosen = [], [], False
    for entry in _entries(name, array, key)[0]:
        if isinstance(entry, numpy.ndarray):
            first += [_EVERYTHING] * (entry.ndim if entry.dtype.kind == "b" else 1)
            second.append(entry)
            chosen = True
            continue
        first.append(entry)
        if not isinstance(entry, int):
            second.append(_EVERYTHING)
            if isinstance(entry, slice) and entry.step is not None and entry.step <= 0:
                raise SizeError(f"{name}: the step of a slice must be positive, got {entry.step}")
    # Because of the Ellipsis at the end, numpy returns a view of shape () instead of a number.
    return array[(*first, ...)], tuple(second) if chosen else ...


def _narrowing(name, array, key):
    """Return `key` with a slice for each tuple of one or two integers in it, and for the integer of a key (i,)."""
    if len(key) == 1 and type(key[0]) is int:
        key = (key,)
    entries = []
    for dim, entry in enumerate(key):
        if type(entry) is tuple:
            if len(entry) not in (1, 2) or not all([type(number) is int for number in entry]):
                raise RuntimeError(f"{name}: a tuple in a key holds one or two integers, got {entry}")
            length = array.shape[dim] if dim < array.ndim else 0
            first = entry[0] + length if entry[0] < 0 else entry[0]
            end = first + 1 if len(entry) == 1 else entry[1]
            if not 0 <= first < end <= length:
                raise RuntimeError(f"{name}: {entry} is out of range for dimension {dim} of size {length}")
            entry = slice(first, end)
        entries.append(entry)
    return tuple(entries)


def _entries(name, array, key):
    """Return the entries of `key` as numpy takes them (slices for an Ellipsis), and how many dimensions they index."""
    entries, named, ellipsis = [], 0, None
    for entry in key if type(key) is tuple else (key,):
        if entry is ...:
            ellipsis = len(entries) if ellipsis is None else ellipsis
        elif entry is not None:
            entry = entry if isinstance(entry, slice) else _plain(name, entry)
            named += _dims(entry)
        entries.append(entry)
    if ellipsis is not None:
        entries[ellipsis : ellipsis + 1] = [_EVERYTHING] * (array.ndim - named)
    return entries, named


def _dims(entry):
    """Return how many dimensions of a tensor an entry of a key indexes."""
    return entry.ndim if isinstance(entry, numpy.ndarray) and entry.dtype.kind == "b" else 1


def _plain(name, key):
    """Return one entry of a key as an int, a bool array (a mask) or an integer array (an index)."""
    if is_tensor(key):
        array = key.array
        if array.dtype is _BYTE:
            return array != 0
        if array.dtype in _INDEX_DTYPES:
            return array
        raise TypeError(f"{name}: an index tensor is a LongTensor or IntTensor, a mask a ByteTensor; got {shown(key)}")
    if isinstance(key, numbers.Integral) and not isinstance(key, bool):
        return int(key)
    if isinstance(key, (list, tuple, numpy.ndarray)):
        try:
            array = numpy.array([k.tolist() if is_tensor(k) else k for k in key] if isinstance(key, list) else key)
        except ValueError:  # lists of different lengths
            array = numpy.array(None)
        if array.size == 0 and array.dtype.kind != "b":
            array = array.astype(int)
        if array.dtype.kind in "iu":
            if array.dtype == numpy.uint64 and array.max(initial=0) >= 2**63:  # which numpy would wrap around
                raise RangeError(f"{name}: index {array.max()} is out of range for a tensor of any size")
            return array.item() if array.ndim == 0 else array
        if array.dtype.kind == "b" and array.ndim:
            return array
    raise TypeError(
        f"{name}: a key consists of integers, slices, None, Ellipsis, ByteTensors, LongTensors and lists of integers "
        f"or bools; got {shown(key)}"
    )


def _refused(name, array, key):
    """Return the IndexError for a `key` that numpy refused, which says which entry does not fit."""
    entries, count = _entries(name, array, key)
    size = shown_size(array.shape)
    if any([entry is ... for entry in entries]):
        return RangeError(f"{name}: a key holds at most one Ellipsis (...)")
    if count > array.ndim:
        return RangeError(f"{name}: {count} indices are too many for a tensor of size {size}")
    dim, indices = 0, []
    for entry in entries:
        if entry is None:
            continue
        length = array.shape[dim]
        if isinstance(entry, int) and not -length <= entry < length:
            where = f"dimension {dim} of size {length} (of a tensor of size {size})"
            return RangeError(f"{name}: index {entry} is out of range for {where}")
        if isinstance(entry, numpy.ndarray):
            indices.append(shown_size(entry.shape))
            if entry.dtype.kind != "b":
                wrong = entry[(entry < -length) | (entry >= length)]
                if wrong.size:
                    return RangeError(f"{name}: index {wrong[0]} is out of range for a dimension of size {length}")
            elif entry.shape != array.shape[dim : dim + entry.ndim]:
                where = f"the tensor's size {size}, from dimension {dim} on"
                return RangeError(f"{name}: a mask of size {indices[-1]} does not fit {where}")
        dim += _dims(entry)
    return RangeError(f"{name}: index tensors of sizes {', '.join(indices)} do not fit together")
