"""Storages: the memory behind tensors, as one row of numbers (2016: `torch/storage.py` and THStorage).

`x.storage()` shares the memory of x and of its views. A write through it counts as a write to them, so that a backward
pass notices it. In v0.1.1 the size of a tensor was a LongStorage, so LongStorages are accepted as sizes.
"""

from __future__ import annotations

import math
import numbers
import weakref

import numpy

from . import _helpers
from ._helpers import (
    does_not_fit,
    number_for,
    numbers_of,
    over_numpy,
    shared_with_numpy,
    shown,
    shown_size,
    sizes_of,
    view_of,
    wrap,
)
from .dtypes import TYPE_NAMES, default_dtype, supported
from .no_cuda import accept_async, refuse

__all__ = [
    "ByteStorage", "CharStorage", "DoubleStorage", "FloatStorage", "HalfStorage", "IntStorage", "LongStorage",
    "ShortStorage", "Storage",
]  # fmt: skip

# {id of a Tensor: the Storage of all of its memory, which keeps it alive}
_whole: weakref.WeakValueDictionary[int, Storage] = weakref.WeakValueDictionary()
_CLASSES: dict[numpy.dtype, type[Storage]] = {}  # {dtype: FloatStorage or another class}; each class puts itself here
_BYTE_ORDERS = {"native": "=", "little": "<", "big": ">"}


class Storage:
    """A row of numbers of one type in memory that tensors can share.

    `Storage(5)` holds five zeros (2016: whatever the memory held), `Storage([1, 2])` those numbers, and
    `Storage(storage, offset, size)` shares the memory of another one of its type from `offset` on. Every storage is
    an instance of FloatStorage, LongStorage or another subclass; `Storage` itself makes the default type (double).

    Two storages are equal if they are of one type and begin and end at the same place in memory.
    """

    __slots__ = ("_row", "__weakref__")  # _row: the Tensor of one dimension over this memory
    _dtype = None  # the numpy dtype of FloatStorage and its sisters

    is_cuda = False
    is_sparse = False

    def __init_subclass__(cls, dtype=None):
        if dtype is not None:
            cls._dtype = numpy.dtype(dtype)
            _CLASSES[cls._dtype] = cls

    def __new__(cls, *contents):
        dtype = cls._dtype or default_dtype()
        name = _name(dtype).removeprefix("torch.")
        if contents and isinstance(contents[0], Storage) and len(contents) <= 3:
            if contents[0]._dtype is not dtype:
                raise TypeError(f"{name}: cannot share the memory of a {contents[0].type()}; convert it with .type()")
            return contents[0]._part(*contents[1:])
        if len(contents) > 1:
            raise TypeError(f"{name}: expected a size, a sequence of numbers, or a storage with an offset and a size")
        content = contents[0] if contents else 0
        if isinstance(content, numbers.Integral):
            if content < 0:
                raise ValueError(f"{name}: the size must not be negative, got {content}")
            return storage_over(wrap(numpy.zeros(content, dtype)))
        if not isinstance(content, (list, tuple, range, numpy.ndarray)):
            raise TypeError(f"{name}: expected a size, a sequence of numbers or a storage, got {shown(content)}")
        array = numbers_of(list(content), dtype, name)
        if array.ndim > 1:
            raise TypeError(f"{name}: expected a sequence of numbers, got one of sequences")
        return storage_over(wrap(array))

    @classmethod
    def from_buffer(cls, buffer, byte_order=None, count=-1, offset=0):
        """Return a storage of `count` numbers, copied from the bytes of `buffer` from byte `offset` on.

        `byte_order` is "native", "little" or "big"; numbers of one byte need none. A negative `count` takes all.
        Raises TypeError for an object without bytes, ValueError where the buffer does not hold the numbers.
        """
        dtype = cls._dtype or default_dtype()
        width = dtype.itemsize
        if width > 1 and byte_order not in _BYTE_ORDERS:
            raise ValueError(f"from_buffer: byte_order is 'native', 'little' or 'big', got {byte_order!r}")
        length = memoryview(buffer).nbytes
        if not 0 <= offset <= length:
            raise ValueError(f"from_buffer: the offset {offset} is outside of a buffer of {length} bytes")
        length -= offset
        if count < 0 and length % width:
            raise ValueError(f"from_buffer: {length} bytes do not divide into numbers of {width} bytes")
        if count * width > length:
            raise ValueError(f"from_buffer: {count} numbers need {count * width} bytes, got {length}")
        stored = numpy.frombuffer(buffer, dtype.newbyteorder(_BYTE_ORDERS.get(byte_order, "=")), count, offset)
        return storage_over(wrap(stored.astype(dtype)))

    # --- size and elements

    def size(self):
        """Return the number of elements."""
        return self._row.array.size

    __len__ = size

    def __getitem__(self, key):
        """Return the element at an integer, or the part at a slice: a storage that shares the memory.

        Raises IndexError for an integer out of range, RuntimeError for a slice with a step (as in 2016).
        """
        part = self._row.array[self._checked(key)]
        return part.item() if part.ndim == 0 else storage_over(view_of(self._row, part))

    def __setitem__(self, key, number):
        """Set the element at an integer, or those at a slice, to a number."""
        self._row[self._checked(key)] = number_for("storage[key] = number", self._row.array, number).item()

    def _checked(self, key):
        if isinstance(key, slice):
            if key.step not in (None, 1):
                raise RuntimeError(f"a storage can only be sliced with a step of 1, got {key.step}")
        elif not isinstance(key, numbers.Integral):
            raise TypeError(f"a storage is indexed with an integer or a slice, got {shown(key)}")
        elif not -len(self) <= key < len(self):
            raise IndexError(f"index {key} is out of range for a storage of size {len(self)}")
        return key

    def __iter__(self):
        return iter(self.tolist())

    def tolist(self):
        """Return the numbers as a list."""
        return self._row.array.tolist()

    def __repr__(self):
        rows = "".join([f" {number}\n" for number in self])
        return f"{rows}[{self.type()} of size {len(self)}]"

    # --- writing

    def fill_(self, value):
        """Set every element to the number `value`."""
        self._row.fill_(value)
        return self

    def copy_(self, source, non_blocking=False, **keywords):
        """Copy the elements of a storage of the same size and any type; integers lose fractions.

        `non_blocking`, `async` in v0.1.x, changes nothing.
        """
        accept_async("copy_", keywords)
        if not isinstance(source, Storage):
            raise TypeError(f"copy_: expected a storage, got {shown(source)}")
        if len(source) != len(self):
            raise does_not_fit("copy_", (len(self),), (len(source),), into=True)
        self._row.copy_(source._row)
        return self

    def resize_(self, size):
        """Give the storage another size. Added elements are zeros.

        A storage that grows gets memory of its own: tensors and storages that shared the old memory keep that.
        """
        self._row.resize_(*sizes_of("resize_", (size,)))
        return self

    # --- memory

    def data_ptr(self):
        """Return the address of the first element."""
        return self._row.data_ptr()

    def element_size(self):
        """Return the number of bytes of one element."""
        return self._row.array.itemsize

    elementSize = element_size

    @property
    def _cdata(self):
        """A number that identifies the storage: that of the whole memory, or of one part of it."""
        return id(self) if self._is_part() else id(self._row._memory())

    def _is_part(self):
        return len(self) != self._row._memory().array.size

    def _root_storage(self):
        """Return the storage that this one is a part of, and the offset in it; of a whole one itself and 0 (v0.1.4)."""
        if not self._is_part():
            return self, 0
        root = self._row._memory().storage()
        return root, (self.data_ptr() - root.data_ptr()) // self.element_size()

    def is_shared(self):
        """Return whether the memory is shared with processes that are forked (see `share_memory_`)."""
        return self._row.is_shared()

    def share_memory_(self):
        """Move the numbers into memory that processes share, with all tensors that use it.

        Raises RuntimeError for a part of a storage, and where the system cannot fork.
        """
        owner = self._row._memory()
        if owner.array.size != len(self):
            raise RuntimeError("share_memory_: this is a part of a storage; share the whole storage, or a clone()")
        owner.share_memory_()
        return self

    @classmethod
    def _new_shared(cls, size):
        """Return a storage of `size` elements in shared memory."""
        return cls(size).share_memory_()

    def is_pinned(self):
        """Return False: only memory that CUDA reads can be pinned."""
        return False

    def pin_memory(self):
        """Raise RuntimeError: only CUDA reads pinned memory. Return the storage itself where that is ignored."""
        refuse("Storage.pin_memory()")
        return self

    def clone(self):
        """Return a storage of the same numbers in memory of its own."""
        return storage_over(self._row.clone())

    def new(self, *contents):
        """Return a storage of the same type; the arguments are those of the constructor."""
        return type(self)(*contents)

    def _part(self, offset=0, size=None):
        (offset,) = sizes_of("storage", (offset,))
        (size,) = sizes_of("storage", (len(self) - offset if size is None else size,))
        if not 0 <= offset <= offset + size <= len(self):
            raise ValueError(f"a storage of {len(self)} elements has no {size} elements from {offset} on")
        return storage_over(view_of(self._row, self._row.array[offset : offset + size]))

    def __eq__(self, other):
        if not isinstance(other, Storage):
            return NotImplemented
        return type(self) is type(other) and (self.data_ptr(), len(self)) == (other.data_ptr(), len(other))

    def __hash__(self):
        return hash((type(self), self.data_ptr(), len(self)))

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return storage_over(self._row.__deepcopy__(memo))

    def __reduce__(self):
        return _restored, (shared_with_numpy(self._row),)

    # --- type

    def type(self, new_type=None, non_blocking=False, **keywords):
        """Return the name of the type; with `new_type` (a class, or such a name), the storage converted to it.

        A storage of that type already is returned itself. Raises TypeError for what is not a type of storages.
        `non_blocking`, `async` in v0.1.x, changes nothing.
        """
        accept_async("type", keywords)
        if new_type is None:
            return _name(self._dtype)
        for dtype, kind in _CLASSES.items():
            if new_type is kind or new_type == _name(dtype):
                return self if kind is type(self) else storage_over(self._row.type(dtype))
        raise TypeError(f"no storage type {new_type!r}: the types are {', '.join(map(_name, _CLASSES))}")

    def double(self):
        """Return this storage as a DoubleStorage; like the following, itself if it is one already."""
        return self.type(DoubleStorage)

    def float(self):
        """Return this storage as a FloatStorage."""
        return self.type(FloatStorage)

    def half(self):
        """Return this storage as a HalfStorage."""
        return self.type(HalfStorage)

    def long(self):
        """Return this storage as a LongStorage; fractions are cut off."""
        return self.type(LongStorage)

    def int(self):
        """Return this storage as an IntStorage; fractions are cut off."""
        return self.type(IntStorage)

    def short(self):
        """Return this storage as a ShortStorage; fractions are cut off."""
        return self.type(ShortStorage)

    def char(self):
        """Return this storage as a CharStorage; fractions are cut off."""
        return self.type(CharStorage)

    def byte(self):
        """Return this storage as a ByteStorage; fractions are cut off."""
        return self.type(ByteStorage)

    def cpu(self):
        """Return the storage itself: its memory is the processor's already."""
        return self

    def cuda(self, device=None, non_blocking=False, **keywords):
        """Raise RuntimeError: there is no CUDA. Return the storage itself where that is ignored (no_cuda.py)."""
        accept_async("cuda", keywords)
        refuse("Storage.cuda()")
        return self


class DoubleStorage(Storage, dtype="float64"):
    """Storages of numpy's float64. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class FloatStorage(Storage, dtype="float32"):
    """Storages of numpy's float32. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class HalfStorage(Storage, dtype="float16"):
    """Storages of numpy's float16. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class LongStorage(Storage, dtype="int64"):
    """Storages of numpy's int64, which are accepted as sizes. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class IntStorage(Storage, dtype="int32"):
    """Storages of numpy's int32. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class ShortStorage(Storage, dtype="int16"):
    """Storages of numpy's int16. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class CharStorage(Storage, dtype="int8"):
    """Storages of numpy's int8. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class ByteStorage(Storage, dtype="uint8"):
    """Storages of numpy's uint8. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


_helpers.LongStorage = LongStorage
_storage_classes = {
    DoubleStorage, FloatStorage, HalfStorage, LongStorage, IntStorage, ShortStorage, CharStorage, ByteStorage,
}  # fmt: skip


def storage_over(row):
    """Return the Storage whose memory is that of the Tensor `row`, which has one dimension and is contiguous."""
    storage = object.__new__(_CLASSES[row.array.dtype])
    storage._row = row
    if row._base is None:
        _whole[id(row)] = storage
    return storage


def storage_of(owner, flat):
    """Return the Storage of `flat`, the memory of the Tensor `owner` as a vector: one object while it is used."""
    known = _whole.get(id(owner))
    if known is None or known._row.data_ptr() != owner.data_ptr() or len(known) != flat.size:
        known = _whole[id(owner)] = storage_over(view_of(owner, flat))
    return known


def belongs_to(owner, storage):
    """Let a Storage have the Tensor `owner`, which is over the same memory, as the one that counts its writes."""
    storage._row._base = owner
    if not storage._is_part():
        _whole[id(owner)] = storage


def storage_class(dtype):
    """Return the class of the storages that hold numbers of `dtype`."""
    return _CLASSES[dtype]


def seen_as(name, storage, offset=0, size=None, stride=None):
    """Return an ndarray over the memory of `storage` from element `offset` on, of that size and those strides.

    By default the size is that of the rest of the storage, and the strides are those of C order. `name` is the
    operation, for the errors. Raises RuntimeError where the storage ends before the last element.
    """
    row = storage._row.array
    (offset,) = sizes_of(name, (offset,))
    size = (row.size - offset,) if size is None else tuple(sizes_of(name, (size,)))
    in_c_order = [math.prod(size[dim + 1 :]) for dim in range(len(size))]
    strides = tuple(in_c_order if stride is None else sizes_of(name, (stride,)))
    if not size or len(strides) != len(size) or min((offset, *size, *strides)) < 0:
        raise ValueError(f"{name}: expected a size and as many strides, not negative, got {size} and {strides}")
    last = offset + sum([(n - 1) * step for n, step in zip(size, strides)]) if 0 not in size else offset - 1
    if last >= row.size:
        raise RuntimeError(
            f"{name}: a storage of {row.size} elements does not hold a tensor of size {shown_size(size)} and strides "
            f"{strides} from element {offset} on"
        )
    return numpy.ndarray(size, row.dtype, row, offset * row.itemsize, [step * row.itemsize for step in strides])


def _restored(array):
    return storage_over(over_numpy(supported(array)))  # an array that was unpickled has a dtype object of its own


def _name(dtype):
    return TYPE_NAMES[dtype].replace("Tensor", "Storage")
