"""The storages of a file from torch, and the tensors over them, for all three formats.

A pickle names a storage before its numbers are read. So a storage is declared first and filled when its numbers are
read, and `finish` checks that none is missing.
"""

import dataclasses
import warnings

import numpy

from ..tensor import Storage, Tensor
from ..tensor.dtypes import CLASSES, DTYPES
from ..tensor.storage import belongs_to, seen_as, storage_over
from ..tensor.wrapping import view_of, wrap


@dataclasses.dataclass(frozen=True)
class StorageType:
    """A type of storages in files: its name in torch, the dtype of its numbers in a file, and that of its tensors."""

    name: str
    stored: numpy.dtype
    dtype: numpy.dtype


_OWN = {name.removeprefix("torch.").replace("Tensor", "Storage"): dtype for name, dtype in DTYPES.items()}
TYPES = {
    **{name: StorageType(name, dtype, dtype) for name, dtype in _OWN.items()},
    # v1.2; v0.1.x has bytes instead
    "BoolStorage": StorageType("BoolStorage", numpy.dtype("uint8"), numpy.dtype("uint8")),
    # the upper half of a float32; numpy has no such type
    "BFloat16Storage": StorageType("BFloat16Storage", numpy.dtype("uint16"), numpy.dtype("float32")),
}


class Damaged(Exception):
    """A defect of a file. The caller adds which file it is; the exception never leaves this package."""


class TorchStorages:
    """The storages of one file, by their keys. `limit` is the number of bytes that the file can have for them."""

    def __init__(self, limit, map_location=None, byte_order="<"):
        self.limit = limit
        self.map_location = map_location
        self.byte_order = byte_order
        self.known = {}  # {key: Storage}
        self.types = {}  # {key: StorageType}
        self.empty = set()  # the keys of storages whose numbers were not read yet
        self.tensors = []  # all tensors so far
        self.locations = []  # (Storage, where it was: "cpu" or "cuda:0")

    def declare(self, kind, key, location, size):
        """Return the Storage for a key, of `size` elements that are read later."""
        kind = storage_type(kind)
        key = text(key)
        if type(size) is not int or size < 0:
            raise Damaged(f"the storage {key!r} has the size {size!r:.100}")
        if key in self.known:
            if self.types[key] != kind or len(self.known[key]) != size:
                raise Damaged(f"the storage {key!r} comes with two types or sizes")
            return self.known[key]
        self.limit -= size * kind.stored.itemsize
        if self.limit < 0:
            raise Damaged(f"the storage {key!r} has {size} elements, more than the file holds")
        storage = storage_over(wrap(numpy.zeros(size, kind.dtype)))
        self.locations.append((storage, text(location)))
        self.known[key], self.types[key] = storage, kind
        self.empty.add(key)
        return storage

    def size_in_file(self, key):
        """Return the number of bytes that the numbers of the storage `key` take."""
        return len(self.known[key]) * self.types[key].stored.itemsize

    def fill(self, key, content):
        """Copy the numbers of the storage `key` from the bytes of a file."""
        if key not in self.empty:
            raise Damaged(f"it has numbers for the storage {key!r:.100}, which is unused or has its numbers already")
        if len(content) != self.size_in_file(key):
            raise Damaged(f"the storage {key!r} needs {self.size_in_file(key)} bytes, and there are {len(content)}")
        stored = numpy.frombuffer(content, self.types[key].stored.newbyteorder(self.byte_order))
        array = self.known[key]._row.array
        if self.types[key].name == "BFloat16Storage":
            array[...] = (stored.astype("uint32") << 16).view("float32")
        else:
            array[...] = stored != 0 if self.types[key].name == "BoolStorage" else stored
        self.empty.remove(key)

    def part(self, root, key, offset, size):
        """Return a part of the Storage `root`: the same object for each use of its key."""
        key = "part", text(key)
        if key not in self.known:
            if type(offset) is not int or type(size) is not int or not 0 <= offset <= offset + size <= len(root):
                raise Damaged(f"a part of a storage from {offset!r:.100} on, of {size!r:.100}, is not in it")
            self.known[key] = root[offset : offset + size]
        return self.known[key]

    def tensor(self, storage, offset, size, stride):
        """Return a Tensor over a Storage, for the arguments of `_rebuild_tensor`."""
        if not isinstance(storage, Storage):
            raise Damaged(f"a tensor is over a {type(storage).__name__}, not over a storage")
        numbers = [offset, *size, *stride] if isinstance(size, tuple) and isinstance(stride, tuple) else [None]
        if any([type(number) is not int or not 0 <= number < 2**48 for number in numbers]) or len(size) != len(stride):
            raise Damaged("a tensor has no offset, size and strides that a tensor can have")
        if 0 not in size and sum([(n - 1).bit_length() for n in size]) > 40:
            raise Damaged("a tensor has an impossible size")
        try:
            array = seen_as("load", storage, offset, size or (1,), stride or (1,))
        except (ValueError, RuntimeError, TypeError) as error:
            raise Damaged(str(error)) from None
        if any([step == 0 and n > 1 for n, step in zip(size, stride)]):
            array.flags.writeable = False  # as for the result of expand
        tensor = view_of(storage._row, array)
        if storage._is_part():
            tensor._part = storage
        self.tensors.append(tensor)
        return tensor

    def finish(self):
        """Check that no numbers are missing. A tensor over all of its storage becomes the owner of the memory."""
        if self.empty:
            raise Damaged(f"the numbers of the storage {min(self.empty)!r} are missing")
        if any([kind.name == "BFloat16Storage" for kind in self.types.values()]):
            warnings.warn("load: the file has bfloat16 numbers, which become float32 (FloatTensor)", stacklevel=6)
        owners = {}
        for tensor in self.tensors:
            row = tensor._base
            whole = tensor.array.size == row.array.size and tensor.array.flags.c_contiguous
            if whole and tensor.array.size and id(row) not in owners:
                owners[id(row)] = tensor
        for tensor in self.tensors:
            row, owner = tensor._base, owners.get(id(tensor._base))
            if owner is not None:
                tensor._base = None if tensor is owner else owner
        for storage in self.known.values():
            owner = owners.get(id(storage._row if storage._row._base is None else storage._row._base))
            if owner is not None:
                belongs_to(owner, storage)
        for storage, location in self.locations if callable(self.map_location) else ():
            moved = self.map_location(storage, location)
            if moved is not None and moved is not storage:
                raise TypeError(f"load: map_location must return the storage or None, got {type(moved).__name__}")


def text(value):
    """Return `value` as text. Python 2 wrote its strings as bytes."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if not isinstance(value, (str, int)):
        raise Damaged(f"a {type(value).__name__} is where a name should be")
    return str(value)


def storage_type(kind):
    """Return the StorageType of a class such as FloatStorage, or of a StorageType."""
    name = getattr(kind, "__name__", None)
    if isinstance(kind, StorageType):
        return kind
    if isinstance(kind, type) and issubclass(kind, (Storage, Tensor)) and name.replace("Tensor", "Storage") in TYPES:
        return TYPES[name.replace("Tensor", "Storage")]
    raise Damaged(f"{kind!r:.100} is not a type of storages")


def empty_tensor(kind):
    """Return an empty Tensor of the type for a type of storages."""
    return CLASSES[storage_type(kind).dtype]()
