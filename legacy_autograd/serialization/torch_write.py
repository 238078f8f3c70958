"""Writes files that torch opens, from v0.1.10 to today (2017: `save` of `torch/serialization.py`).

The format is that of v0.1.10 to v1.5: a magic number, a version, facts about the system, the object's pickle, and the
numbers of its storages. Modern torch still reads it; v0.1.x cannot read modern torch's zip archives. The pickle has
torch's names, so torch can open it without this package.
"""

import collections
import inspect
import io
import pickle
import struct
import sys

from ..autograd.variable import Variable
from ..nn.module import Module
from ..tensor import Size, Storage, Tensor
from .torch_read import MAGIC_NUMBER, PROTOCOL_VERSION

PROTOCOL = 2  # of pickles: the highest that Python 2 reads
DEEPEST = 20_000  # nested calls: this pickler makes several for each object, while Python's is in C
_OWN = __name__.partition(".")[0]
_LITTLE_ENDIAN = {"little_endian": True, "protocol_version": PROTOCOL_VERSION}
# Layers that torch has in another file of torch/nn/modules than this package.
_IN_ANOTHER_FILE = {f"InstanceNorm{n}d": "instancenorm" for n in (1, 2, 3)} | {"PixelShuffle": "pixelshuffle"}
_SIZES = {"short": 2, "int": 4, "long": 4}  # as v0.1.x and modern torch write them


def as_torch_writes(obj):
    """Return the content of a file with `obj`. Errors of Python's pickle are not changed."""
    stream = io.BytesIO()
    for value in (MAGIC_NUMBER, PROTOCOL_VERSION, {**_LITTLE_ENDIAN, "type_sizes": _SIZES}):
        pickle.dump(value, stream, PROTOCOL)
    pickler = TorchPickler(stream)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        pickler.dump(obj)
    finally:
        sys.setrecursionlimit(limit)
    pickle.dump(list(pickler.storages), stream, PROTOCOL)
    for storage in pickler.storages.values():
        array = storage._row.array
        stream.write(struct.pack("<q", array.size))
        stream.write(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())
    return stream.getvalue()


class TorchPickler(pickle._Pickler):
    """Python's pickler written in Python, whose `save_global` can be overridden. It writes torch's names."""

    def __init__(self, stream):
        super().__init__(stream, PROTOCOL)
        self.storages = {}  # {key: Storage} of storages that are not parts of others
        self.keys = {}  # {what identifies a storage: its key}
        self.alive = []  # keeps objects alive, so that no id is reused
        self.classes = set()  # the Modules' classes whose source is in the file

    def persistent_id(self, obj):
        """Return the entry for a storage, or for the class of a Module and its source; None for everything else."""
        if isinstance(obj, Storage):
            root, offset = obj._root_storage()
            part = None if root is obj else (self.key_of(obj), offset, len(obj))
            key = self.key_of(root)
            self.storages.setdefault(key, root)
            return "storage", type(obj), key, "cpu", len(root), part
        if isinstance(obj, type) and issubclass(obj, Module) and not _is_own(obj) and obj not in self.classes:
            self.classes.add(obj)
            try:
                return "module", obj, inspect.getsourcefile(obj), inspect.getsource(obj)
            except (OSError, TypeError):  # for example for a class that was typed into a prompt
                return "module", obj, None, None
        return None

    def key_of(self, storage):
        """Return the key of a storage: of the whole memory, or of a part."""
        self.alive.append(storage)
        return self.keys.setdefault(storage._cdata, str(len(self.keys)))

    def reducer_override(self, obj):
        """Pickle tensors, Variables, Modules and Sizes in the form that torch reads."""
        if isinstance(obj, Tensor):
            try:
                storage = obj.storage()
            except RuntimeError:  # the tensor is over scattered memory of numpy
                obj = obj.clone()
                storage = obj.storage()
            return rebuild_tensor, (storage, *_place(obj, storage))
        if isinstance(obj, Variable):
            obj.__reduce__()  # raises if the Variable is an output
            return type(obj), (obj.data,), (obj.requires_grad, obj.volatile, collections.OrderedDict())
        if isinstance(obj, Size):
            return Size, (tuple(obj),)
        if isinstance(obj, Module):
            reduced = obj.__reduce_ex__(PROTOCOL)
            if isinstance(reduced[2], dict):  # torch keeps these on each module
                kept = {name: collections.OrderedDict() for name in ("_backward_hooks", "_forward_hooks")}
                return *reduced[:2], {**kept, "training": obj.training, **reduced[2]}, *reduced[3:]
            return reduced
        if isinstance(obj, type) and _is_own(obj) or obj is rebuild_tensor:
            return obj.__qualname__
        return NotImplemented

    def save_global(self, obj, name=None):
        """Write torch's name of a class of this package; all other names as they are."""
        names = (b"torch._utils", b"_rebuild_tensor") if obj is rebuild_tensor else _torch_name(obj)
        if names is None:
            super().save_global(obj, name)
        else:
            self.write(pickle.GLOBAL + names[0] + b"\n" + names[1] + b"\n")
            self.memoize(obj)


def rebuild_tensor(storage, offset, size, stride):
    """Represent torch._utils._rebuild_tensor in a pickle; never called."""


def _place(tensor, storage):
    """Return the offset, the size and the strides of a tensor in its storage, in elements."""
    array = tensor.array
    offset = (array.__array_interface__["data"][0] - storage.data_ptr()) // array.itemsize if array.size else 0
    return offset, array.shape, tuple([step // array.itemsize for step in array.strides])


def _is_own(obj):
    return getattr(obj, "__module__", "").partition(".")[0] == _OWN


def _torch_name(kind):
    """Return the module and the name of a class in torch, as bytes; None if torch does not have it."""
    if not isinstance(kind, type) or not _is_own(kind):
        return None
    module = kind.__module__
    if issubclass(kind, (Tensor, Storage, Size)):
        module = "torch"
    elif kind.__name__ in _IN_ANOTHER_FILE:
        module = f"torch.nn.modules.{_IN_ANOTHER_FILE[kind.__name__]}"
    elif module.startswith(f"{_OWN}.nn.") and f"{_OWN}.nn.modules{module.removeprefix(f'{_OWN}.nn')}" in sys.modules:
        module = f"torch.nn.modules{module.removeprefix(f'{_OWN}.nn')}"
    else:
        module = f"torch{module.removeprefix(_OWN)}"
    return module.encode(), kind.__qualname__.encode()
