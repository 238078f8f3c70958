"""Storages: the memory behind tensors, as one row of numbers (2016: `torch/storage.py` and THStorage).

x.storage() shares the memory of x and of its views. A write through it counts as a write to them, so that backward
notices it. In v0.1.1 the size of a tensor was a LongStorage, so LongStorages are accepted as sizes.
"""

from __future__ import annotations

import math
import numbers
import pathlib
import weakref
from typing import Any, Self

import numpy

from .arguments import Sizes, number_for, numbers_of, sizes_of
from .conversion import InMainMemory, names_of
from .dtypes import TYPE_NAMES, default_dtype, supported
from .messages import does_not_fit, shown, shown_size
from .no_cuda import accept_async
from .wrapping import over_numpy, shared_with_numpy, view_of, wrap

__all__ = [
    "ByteStorage", "CharStorage", "DoubleStorage", "FloatStorage", "HalfStorage", "IntStorage", "LongStorage",
    "ShortStorage", "Storage",
]  # fmt: skip

# {id of a Tensor: the Storage of all of its memory, which keeps it alive}
_whole: weakref.WeakValueDictionary[int, Storage] = weakref.WeakValueDictionary()
_CLASSES: dict[numpy.dtype, type[Storage]] = {}  # {dtype: FloatStorage or another class}; each class puts itself here
_BYTE_ORDERS: dict[str | None, Any] = {"native": "=", "little": "<", "big": ">"}


class Storage(InMainMemory):
    """A row of numbers of one type in memory that tensors can share.

    Every storage is an instance of FloatStorage, LongStorage or another subclass; `Storage` itself makes the default
    type (double). Two storages are equal if they have one type, and begin and end at the same addresses.

    Args:
        *contents: A size, for a storage of zeros (2016: uninitialized memory); a sequence of numbers; or a storage of
            the same type, whose memory is shared, with an offset and a size. Default: an empty storage.
    """

    __slots__ = ("_row", "__weakref__")

    _row: Any  # the Tensor of one dimension over this memory
    _dtype = None  # the numpy dtype of FloatStorage and the other subclasses

    _kind = "Storage"
    _types = names_of("Storage")
    is_cuda = False
    is_sparse = False

    def __init_subclass__(cls, dtype=None):
        if dtype is not None:
            cls._dtype = numpy.dtype(dtype)
            _CLASSES[cls._dtype] = cls

    def __new__(cls, *contents: Any) -> Storage:
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
    def from_buffer(cls, buffer: Any, byte_order: str | None = None, count: int = -1, offset: int = 0) -> Storage:
        """Return a storage of numbers that are copied from bytes.

        Args:
            buffer: Bytes, or another object with the buffer protocol.
            byte_order: "native", "little" or "big". Types of one byte need none.
            count: How many numbers; a negative count takes all of them.
            offset: The byte at which the first number begins.

        Raises:
            TypeError: If `buffer` has no bytes.
            ValueError: If the buffer is too short, or does not divide into numbers.
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

    @classmethod
    def from_file(cls, filename: str, shared: bool = False, size: int = 0) -> Storage:
        """Return a storage over the bytes of a file, which are its numbers (0.2).

        Args:
            filename: The file.
            shared: Whether writes go to the file, which is made as long as needed; otherwise they stay in memory.
            size: How many numbers. Default: as many as the file has, if it is not shared.
        """
        dtype = cls._dtype or default_dtype()
        path = pathlib.Path(filename)
        if shared:
            with path.open("ab") as file:
                file.truncate(max(path.stat().st_size, size * dtype.itemsize))
        count = size if size else path.stat().st_size // dtype.itemsize
        array = numpy.memmap(path, dtype, "r+" if shared else "c", shape=(count,)).view(numpy.ndarray)
        return storage_over(wrap(array))

    # --- size and elements

    def size(self) -> int:
        """Return the number of elements."""
        return self._row.array.size

    __len__ = size

    def __getitem__(self, key: int | slice) -> Any:
        """Return the element at an index, or a part as a storage that shares the memory.

        Args:
            key: An integer, or a slice without a step, as in 2016.

        Raises:
            IndexError: If an integer is out of range.
            RuntimeError: If a slice has a step.
        """
        part = self._row.array[self._checked(key)]
        return part.item() if part.ndim == 0 else storage_over(view_of(self._row, part))

    def __setitem__(self, key: int | slice, number: float) -> None:
        """Set one element, or those of a slice, to a number.

        Args:
            key: As for reading.
            number: The number.
        """
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

    def tolist(self) -> list:
        """Return the elements as a list."""
        return self._row.array.tolist()

    def __repr__(self):
        rows = "".join([f" {number}\n" for number in self])
        return f"{rows}[{self.type()} of size {len(self)}]"

    # --- writing

    def fill_(self, value: float) -> Self:
        """Set every element to one number.

        Args:
            value: The number.

        Returns:
            This storage.
        """
        self._row.fill_(value)
        return self

    def copy_(self, source: Storage, non_blocking: bool = False, **keywords: bool) -> Self:
        """Copy the elements of a storage, converted to the type of this one; fractions are cut off for integers.

        Args:
            source: A storage of the same size and any type.
            non_blocking: Ignored: there is no device to copy to. v0.1.x calls it `async`.
            **keywords: Only `async`.

        Returns:
            This storage.

        Raises:
            TypeError: If `source` is not a storage.
            ValueError: If the sizes differ.
        """
        accept_async("copy_", keywords)
        if not isinstance(source, Storage):
            raise TypeError(f"copy_: expected a storage, got {shown(source)}")
        if len(source) != len(self):
            raise does_not_fit("copy_", (len(self),), (len(source),), into=True)
        self._row.copy_(source._row)
        return self

    def resize_(self, size: int) -> Self:
        """Change the number of elements; additional ones are zeros.

        A storage that grows gets memory of its own. Tensors and storages that shared the old memory keep it.

        Args:
            size: The number of elements.

        Returns:
            This storage.
        """
        self._row.resize_(*sizes_of("resize_", (size,)))
        return self

    # --- memory

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return self._row.data_ptr()

    def element_size(self) -> int:
        """Return the number of bytes of one element."""
        return self._row.array.itemsize

    elementSize = element_size

    @property
    def _cdata(self):
        """A number that identifies the storage: the same one for the whole memory, another one for a part of it."""
        return id(self) if self._is_part() else id(self._row._memory())

    def _is_part(self):
        return len(self) != self._row._memory().array.size

    def _root_storage(self):
        """Return the storage that this one is a part of, or itself, and the offset in it (v0.1.4)."""
        if not self._is_part():
            return self, 0
        root = self._row._memory().storage()
        return root, (self.data_ptr() - root.data_ptr()) // self.element_size()

    def is_shared(self) -> bool:
        """Return whether processes share the memory (see `share_memory_`)."""
        return self._row.is_shared()

    def share_memory_(self) -> Self:
        """Move the elements into memory that processes share, with all tensors that use it, and return this storage.

        Raises:
            RuntimeError: If this is a part of a storage, or the system cannot fork.
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

    def clone(self) -> Storage:
        """Return a copy in memory of its own."""
        return storage_over(self._row.clone())

    def new(self, *contents: Any) -> Storage:
        """Return a storage of the same type.

        Args:
            *contents: As for the constructors.
        """
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

    def type(self, new_type: Any = None, non_blocking: bool = False, **keywords: bool) -> Any:
        """Return the name of the type, or this storage converted to another type.

        Args:
            new_type: A class such as FloatStorage, or its name. Default: none.
            non_blocking: Ignored: there is no device to copy to. v0.1.x calls it `async`.
            **keywords: Only `async`.

        Returns:
            A string if `new_type` is None, else a storage: this one if it has that type already.

        Raises:
            TypeError: If `new_type` is not a storage type.
        """
        accept_async("type", keywords)
        if new_type is None:
            return _name(self._dtype)
        for dtype, kind in _CLASSES.items():
            if new_type is kind or new_type == _name(dtype):
                return self if kind is type(self) else storage_over(self._row.type(dtype))
        raise TypeError(f"no storage type {new_type!r}: the types are {', '.join(map(_name, _CLASSES))}")


class DoubleStorage(Storage, dtype="float64"):
    """Storages of numpy's float64. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class FloatStorage(Storage, dtype="float32"):
    """Storages of numpy's float32. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class HalfStorage(Storage, dtype="float16"):
    """Storages of numpy's float16. The constructor takes the arguments of `Storage`."""

    __slots__ = ()


class LongStorage(Storage, Sizes, dtype="int64"):
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


_storage_classes = set(_CLASSES.values())


def storage_over(row: Any) -> Storage:
    """Return a Storage over the memory of a Tensor.

    Args:
        row: A contiguous Tensor of one dimension.
    """
    storage = object.__new__(_CLASSES[row.array.dtype])
    storage._row = row
    if row._base is None:
        _whole[id(row)] = storage
    return storage


def storage_of(owner: Any, flat: numpy.ndarray) -> Storage:
    """Return the Storage of the whole memory of a Tensor: always the same object while it is in use.

    Args:
        owner: The Tensor.
        flat: Its memory as a vector.
    """
    known = _whole.get(id(owner))
    if known is None or known._row.data_ptr() != owner.data_ptr() or len(known) != flat.size:
        known = _whole[id(owner)] = storage_over(view_of(owner, flat))
    return known


def belongs_to(owner: Any, storage: Storage) -> None:
    """Make a Tensor the one that counts the writes to a Storage over the same memory.

    Args:
        owner: The Tensor.
        storage: The Storage.
    """
    storage._row._base = owner
    if not storage._is_part():
        _whole[id(owner)] = storage


def storage_class(dtype: numpy.dtype) -> type[Storage]:
    """Return the class of the storages that hold numbers of a dtype.

    Args:
        dtype: The numpy dtype.
    """
    return _CLASSES[dtype]


def seen_as(name: str, storage: Storage, offset: int = 0, size: Any = None, stride: Any = None) -> numpy.ndarray:
    """Return an ndarray over the memory of a storage.

    Args:
        name: The operation, for messages.
        storage: The storage.
        offset: The element at which the array begins.
        size: The shape. Default: a vector of the rest of the storage.
        stride: The strides, in elements. Default: those of C order.

    Raises:
        RuntimeError: If the storage ends before the last element.
        ValueError: If a number is negative, or sizes and strides are not equally many.
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
