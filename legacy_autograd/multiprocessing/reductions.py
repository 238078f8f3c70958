"""How tensors and storages go through queues and pipes (v0.1.4: `torch/multiprocessing/reductions.py`).

Shared memory is not copied: the message says where it is, and the receiver maps it. The same memory is one storage in
each process, so views that are sent together share their memory again.
"""

import weakref
from multiprocessing import reduction
from typing import Any

import numpy

from .. import conventions
from ..tensor import shared_memory, storage
from ..tensor.dtypes import CLASSES
from ..tensor.numpy_memory import memory_of
from ..tensor.wrapping import view_of, wrap

# {key of a SharedMemory: the Tensor whose memory it is in this process}
_known: weakref.WeakValueDictionary[tuple, Any] = weakref.WeakValueDictionary()
_copying = False


def copy_only():
    """Let this process send copies: a DataLoader's worker, whose memory ends with it."""
    global _copying
    _copying = True


def reduce_tensor(tensor):
    """Return the message for a Tensor: its place in shared memory, or a copy.

    A tensor that is not shared is moved into shared memory, or under `import` copied (conventions.py). Raises
    RuntimeError for memory that only forked processes share.
    """
    owner = tensor._memory()
    if _copying or not tensor.array.size or not (tensor.is_shared() or conventions.era.queues_share):
        return tensor.__reduce__()
    if not tensor.is_shared():
        shared_memory.move(owner, tensor)
    memory = memory_of(tensor.array)
    if isinstance(memory, shared_memory.ForkedMemory):
        raise RuntimeError(
            "this tensor cannot be sent: its memory has no file, because the process had as many files open as it may "
            "when it was shared; allow more (ulimit -n)"
        )
    if not isinstance(memory, shared_memory.SharedMemory):  # for example of a file that numpy maps
        return tensor.__reduce__()
    _known[memory.key] = owner
    array = tensor.array
    offset = _address(array) - _address(numpy.frombuffer(memory, numpy.uint8))
    place = array.dtype.name, offset, array.shape, array.strides, array.flags.writeable
    return rebuild_tensor, (memory.message(), *place)


def rebuild_tensor(path, dtype, offset, shape, strides, writeable):
    """Return the Tensor for a message of `reduce_tensor`, from another process or from this one."""
    memory = shared_memory.received(path, _known_memory)
    array = numpy.ndarray(shape, dtype, memory, offset, strides)
    array.flags.writeable = writeable
    owner = _known.get(memory.key)
    if owner is None or memory_of(owner.array) is not memory:
        size = (len(memory) - shared_memory.HEADER) // array.itemsize
        owner = _known[memory.key] = wrap(numpy.frombuffer(memory, dtype, size, shared_memory.HEADER))
    tensor = view_of(owner, array)
    tensor._part = owner.storage()  # kept, so that all tensors over this memory have the same storage
    return tensor


def reduce_storage(part):
    """Return the message for a Storage; see `reduce_tensor`."""
    return rebuild_storage, (part._row, part._is_part())


def rebuild_storage(row, is_part):
    """Return the Storage over a received Tensor of one dimension."""
    return storage.storage_over(row) if is_part else row.storage()


def _known_memory(key):
    owner = _known.get(key)
    memory = None if owner is None else memory_of(owner.array)
    return memory if getattr(memory, "key", None) == key else None


def _address(array):
    return array.__array_interface__["data"][0]


def register():
    """Make the queues and pipes of Python's multiprocessing send tensors and storages this way."""
    for dtype, kind in CLASSES.items():
        if dtype is not None:
            reduction.ForkingPickler.register(kind, reduce_tensor)
    for kind in storage.Storage.__subclasses__():
        reduction.ForkingPickler.register(kind, reduce_storage)
