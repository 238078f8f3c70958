"""Reads `.t7` files, which Lua's `torch.save` writes in its binary form (v0.1.5: the file of the same name).

A file is one value; after the number of its type come its parts. Tables, functions and objects have an index, and are
written once only. Nothing in a file is executed.
"""

import io
import os
import struct
from typing import NamedTuple

from ... import tensor as tensors

_NIL, _NUMBER, _STRING, _TABLE, _TORCH, _BOOLEAN = range(6)
_FUNCTIONS = (6, 7, 8)


class T7ReaderException(Exception):
    """The file is damaged, or has an object of a class that is not known."""


class LuaFunction(NamedTuple):
    """A function of Lua: the `size` of its code, the code itself, which only Lua can run, and its upvalues."""

    size: int
    dumped: bytes
    upvalues: object


class LuaTable(dict):
    """A table of Lua. Its entries are also attributes, None where there is no entry. Two tables are never equal."""

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
    """An object of a class that is not known: its parts are attributes and items, None where there is none."""

    def __init__(self, typename, obj):
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

    def torch_typename(self):
        """The name of the class in Lua, such as "nn.Linear"."""
        return self._typename


class LuaModule(TorchObject):
    """A module of Lua's nn: its weights and options are attributes, but it computes nothing.

    Raises AttributeError, with what there is, for every other attribute; `torch.legacy.nn` is left out.
    """

    def __getattr__(self, name):
        if name.startswith("__") or name not in self._obj:
            reason = f"; the file has {', '.join(map(str, self._obj))}" if not name.startswith("__") else ""
            raise AttributeError(f"{self._typename} has no {name}: torch.legacy.nn is left out{reason}", name=name)
        return self._obj[name]


def load_lua(filename, **kwargs):
    """Return the value in the file `filename`; the keyword arguments are those of `T7Reader`.

    Lua's tables become dicts with attributes, or lists; numbers int or float; tensors and storages those of torch, of
    which views share their storage. A module of Lua's nn becomes a `LuaModule`, with its weights as attributes and
    without `forward`: `torch.legacy.nn` is left out.

    Raises T7ReaderException for a damaged file, and for objects of other classes; with `unknown_classes=True` these
    become a `TorchObject`.
    """
    with open(filename, "rb") as file:
        return T7Reader(file, **kwargs).read()


class T7Reader:
    """Reads values from the binary file `fileobj`.

    With `list_heuristic` a table with the keys 1 to n becomes a list; with `int_heuristic` a whole number an int. With
    `unknown_classes` objects of unknown classes are read too. `long_size` is the bytes of a long on the machine that
    wrote the file, 8 or 4 (8).
    """

    def __init__(self, fileobj, list_heuristic=True, int_heuristic=True, unknown_classes=False, long_size=None):
        self.f = fileobj
        self.memo = {}
        self.list_heuristic = list_heuristic
        self.int_heuristic = int_heuristic
        self.unknown_classes = unknown_classes
        self.long_size = long_size
        position = fileobj.tell()
        self._end = fileobj.seek(0, os.SEEK_END)
        fileobj.seek(position, io.SEEK_SET)

    def read(self):
        """Return the next value. Raises T7ReaderException, also where tables are in tables too deep for Python."""
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

    # --- what has no index

    def _bytes(self, count):
        """The next bytes. The count comes from the file, so it is compared with what the file has left."""
        if not 0 <= count <= self._end - self.f.tell():
            raise T7ReaderException(f"load_lua: the file ends within {count} bytes that it says to have")
        return self.f.read(count)

    def _unpacked(self, form):
        return struct.unpack(form, self._bytes(struct.calcsize(form)))

    def read_boolean(self):
        return self.read_int() == 1

    def read_int(self):
        return self._unpacked("<i")[0]

    def read_long(self):
        return self.read_long_array(1)[0]

    def read_long_array(self, n):
        width = 8 if self.long_size is None else self.long_size
        return list(struct.unpack(f"<{n}{'q' if width == 8 else 'i'}", self._bytes(n * width)))

    def read_float(self):
        return self._unpacked("<f")[0]

    def read_double(self):
        return self._unpacked("<d")[0]

    def read_number(self):
        number = self.read_double()
        return int(number) if self.int_heuristic and number.is_integer() else number

    def read_string(self):
        return self._bytes(self.read_int()).decode("utf-8", "surrogateescape")

    # --- what has one

    def read_function(self):
        index = self.read_int()
        if index not in self.memo:
            dumped = self._bytes(self.read_int())
            self.memo[index] = LuaFunction(len(dumped), dumped, self._read_value())
        return self.memo[index]

    def read_table(self):
        index = self.read_int()
        if index in self.memo:
            return self.memo[index]
        table = self.memo[index] = LuaTable()  # remembered before it is filled: it may be in itself
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

    def read_object(self):
        index = self.read_int()
        if index in self.memo:
            return self.memo[index]
        name = self.read_string()
        if name.startswith("V "):  # a version comes first, but not in the oldest files
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
