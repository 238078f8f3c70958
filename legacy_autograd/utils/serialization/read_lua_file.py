"""Reads `.t7` files, which Lua's `torch.save` writes in its binary form (v0.1.5: the file of the same name).

A file is one value: the number of its type, then its parts. Tables, functions and objects have an index, and are
written only once. Nothing in a file is executed.
"""

import io
import os
import struct
from typing import Any, BinaryIO, NamedTuple

from ... import tensor as tensors

_NIL, _NUMBER, _STRING, _TABLE, _TORCH, _BOOLEAN = range(6)
_FUNCTIONS = (6, 7, 8)


class T7ReaderException(Exception):
    """The file is damaged, or has an object of an unknown class."""


class LuaFunction(NamedTuple):
    """A function of Lua: the `size` of its code, the code itself, which only Lua can run, and its upvalues."""

    size: int
    dumped: bytes
    upvalues: object


class LuaTable(dict):
    """A table of Lua. Its entries are also attributes, None for a missing entry. Two tables are never equal."""

    __hash__ = object.__hash__  # type: ignore[assignment]  # a dict has none

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def __eq__(self, other):
        return self is other

    def __ne__(self, other):
        return self is not other


class TorchObject:
    """An object of an unknown class. Its parts are attributes and items, None for a missing part.

    Args:
        typename: The name of its class in Lua.
        obj: Its parts.
    """

    def __init__(self, typename: str, obj: dict) -> None:
        self._typename = typename
        self._obj = obj

    def __getattr__(self, name):
        if name.startswith("__") or "_obj" not in vars(self):
            raise AttributeError(name)
        return self._obj.get(name)

    def __getitem__(self, key):
        return self._obj.get(key)

    def __dir__(self):
        return [*self._obj, "torch_typename"]

    def __repr__(self):
        return f"TorchObject({self._typename}, {self._obj!r})"

    def torch_typename(self) -> str:
        """Return the name of the class in Lua, such as "nn.Linear"."""
        return self._typename


class LuaModule(TorchObject):
    """A module of Lua's nn, with its weights and options as attributes.

    It has no `forward`, because `torch.legacy.nn` is left out. The error for other attributes names the existing ones.
    """

    def __getattr__(self, name):
        if name.startswith("__") or name not in self._obj:
            reason = f"; the file has {', '.join(map(str, self._obj))}" if not name.startswith("__") else ""
            raise AttributeError(f"{self._typename} has no {name}: torch.legacy.nn is left out{reason}", name=name)
        return self._obj[name]


def load_lua(filename: str, **kwargs: Any) -> Any:
    """Return the value in a file.

    Lua's tables become dicts with attributes, or lists; numbers int or float; tensors and storages those of torch, and
    views share their storage. A module of Lua's nn becomes a `LuaModule`.

    Args:
        filename: The path.
        **kwargs: Those of `T7Reader`.

    Raises:
        T7ReaderException: If the file is damaged, or has an object of another class; with `unknown_classes=True` it
            becomes a `TorchObject`.
    """
    with open(filename, "rb") as file:
        return T7Reader(file, **kwargs).read()


class T7Reader:
    """Reads values from a binary file.

    Args:
        fileobj: The open file.
        list_heuristic: Whether a table with the keys 1 to n becomes a list.
        int_heuristic: Whether a whole number becomes an int.
        unknown_classes: Whether objects of unknown classes are read as `TorchObject`.
        long_size: The bytes of a long on the machine that wrote the file, 8 or 4. Default: 8.
    """

    def __init__(
        self,
        fileobj: BinaryIO,
        list_heuristic: bool = True,
        int_heuristic: bool = True,
        unknown_classes: bool = False,
        long_size: int | None = None,
    ) -> None:
        self.f = fileobj
        self.memo: dict[int, Any] = {}
        self.list_heuristic = list_heuristic
        self.int_heuristic = int_heuristic
        self.unknown_classes = unknown_classes
        self.long_size = long_size
        position = fileobj.tell()
        self._end = fileobj.seek(0, os.SEEK_END)
        fileobj.seek(position, io.SEEK_SET)

    def read(self) -> Any:
        """Return the next value.

        Raises:
            T7ReaderException: If the file is damaged, or its tables are nested too deeply for Python.
        """
        try:
            return self._read_value()
        except RecursionError:
            raise T7ReaderException("load_lua: the file has tables in tables deeper than Python can read") from None

    def _read_value(self):
        kind = self.read_int()
        if kind == _NIL:
            return None
        if kind == _NUMBER:
            return self.read_number()
        if kind == _BOOLEAN:
            return self.read_boolean()
        if kind == _STRING:
            return self.read_string()
        if kind == _TABLE:
            return self.read_table()
        if kind == _TORCH:
            return self.read_object()
        if kind in _FUNCTIONS:
            return self.read_function()
        raise T7ReaderException(f"load_lua: unknown type number {kind}; the file may be damaged, or not in binary form")

    # --- values without an index

    def _bytes(self, count):
        """Return the next bytes. The count comes from the file, so it is compared with the number of bytes left."""
        if not 0 <= count <= self._end - self.f.tell():
            raise T7ReaderException(f"load_lua: the file is damaged: a value of {count} bytes does not fit in it")
        return self.f.read(count)

    def _unpacked(self, form):
        return struct.unpack(form, self._bytes(struct.calcsize(form)))

    def read_boolean(self) -> bool:
        """Read a boolean."""
        return self.read_int() == 1

    def read_int(self) -> int:
        """Read an integer of 4 bytes."""
        return self._unpacked("<i")[0]

    def read_long(self) -> int:
        """Read an integer of `long_size` bytes."""
        return self.read_long_array(1)[0]

    def read_long_array(self, n: int) -> list[int]:
        """Read integers of `long_size` bytes.

        Args:
            n: How many.
        """
        width = 8 if self.long_size is None else self.long_size
        return list(struct.unpack(f"<{n}{'q' if width == 8 else 'i'}", self._bytes(n * width)))

    def read_float(self) -> float:
        """Read a number of 4 bytes."""
        return self._unpacked("<f")[0]

    def read_double(self) -> float:
        """Read a number of 8 bytes."""
        return self._unpacked("<d")[0]

    def read_number(self) -> float:
        """Read a number of Lua: 8 bytes, converted to an int if `int_heuristic` applies."""
        number = self.read_double()
        return int(number) if self.int_heuristic and number.is_integer() else number

    def read_string(self) -> str:
        """Read a string: its length and its bytes."""
        return self._bytes(self.read_int()).decode("utf-8", "surrogateescape")

    # --- values with an index

    def read_function(self) -> LuaFunction:
        """Read a function."""
        index = self.read_int()
        if index not in self.memo:
            dumped = self._bytes(self.read_int())
            self.memo[index] = LuaFunction(len(dumped), dumped, self._read_value())
        return self.memo[index]

    def read_table(self) -> LuaTable | list:
        """Read a table, or a list if `list_heuristic` applies."""
        index = self.read_int()
        if index in self.memo:
            return self.memo[index]
        table = self.memo[index] = LuaTable()  # before it is filled, because it may contain itself
        for _ in range(self.read_int()):
            key = self._key()
            table[key] = self._read_value()
        if self.list_heuristic and _is_list(table):
            self.memo[index] = [table[number] for number in range(1, len(table) + 1)]
        return self.memo[index]

    def _key(self):
        key = self._read_value()
        try:
            hash(key)
        except TypeError:
            raise T7ReaderException(
                "load_lua: a table has a list as a key; list_heuristic=False reads it as a table"
            ) from None
        return key

    def read_object(self) -> Any:
        """Read an object of a class of torch: a tensor, a storage, a module or another one."""
        index = self.read_int()
        if index in self.memo:
            return self.memo[index]
        found: Any
        name = self.read_string()
        if name.startswith("V "):  # a version, which the oldest files do not have
            name = self.read_string()
        if name == "tds.Vec":
            found = self.memo[index] = []
            found.extend(self._read_value() for _ in range(self.read_long()))
        elif name == "tds.Hash":
            found = self.memo[index] = {}
            for _ in range(self.read_long()):
                key = self._key()
                found[key] = self._read_value()
        elif name in _STORAGES:
            found = self.memo[index] = self._storage(_STORAGES[name])
        elif name in _TENSORS:
            found = self.memo[index] = self._tensor(_TENSORS[name])
        elif name.startswith("nn.") or self.unknown_classes:
            found = self.memo[index] = (LuaModule if name.startswith("nn.") else TorchObject)(name, {})
            content = self._read_value()
            found._obj = dict(enumerate(content, 1)) if isinstance(content, list) else content
        else:
            raise T7ReaderException(
                f"load_lua: the file has an object of Lua's class {name}, which cannot be read; "
                "unknown_classes=True reads it as a TorchObject"
            )
        return found

    def _storage(self, storage_class):
        count = self.read_long()
        return storage_class.from_buffer(self._bytes(count * storage_class().element_size()), "little")

    def _tensor(self, tensor_class):
        dimensions = self.read_int()
        sizes, strides = self.read_long_array(dimensions), self.read_long_array(dimensions)
        offset = self.read_long() - 1
        storage = self._read_value()
        if storage is None or not dimensions:
            return tensor_class()
        if min(sizes) < 0 or min(strides) < 0 or offset < 0:
            raise T7ReaderException(f"load_lua: a tensor of sizes {sizes}, strides {strides} and offset {offset}")
        last = offset + sum((size - 1) * stride for size, stride in zip(sizes, strides))
        if 0 not in sizes and last >= storage.size():
            raise T7ReaderException(
                f"load_lua: a tensor of sizes {sizes} and strides {strides} needs {last + 1} elements of its storage, "
                f"which has {storage.size()}"
            )
        return tensor_class().set_(storage, offset, tuple(sizes), tuple(strides))


_KINDS = "Double Float Long Int Short Char Byte".split()
_STORAGES = {f"torch.{kind}Storage": getattr(tensors, f"{kind}Storage") for kind in _KINDS}
_TENSORS = {f"torch.{kind}Tensor": getattr(tensors, f"{kind}Tensor") for kind in _KINDS}


def _is_list(table):
    return all(type(key) in (int, float) for key in table) and set(table) == set(range(1, len(table) + 1))
