"""Memory that processes share, and how a process finds that of another one (v0.1.4: `torch/lib/libshm`).

Two strategies, as in v0.1.x. "file_descriptor" keeps a file without a name open, and passes the descriptor on.
"file_system" makes a file `torch_PID_…` in /dev/shm, which any process can open by name. Its first bytes count the
processes and messages that use it; the last one removes the file.
"""

import contextlib
import errno
import gc
import mmap
import os
import secrets
import struct
import sys
import tempfile
import weakref
from multiprocessing import util

import numpy

from ._helpers import wrap

try:
    import fcntl
except ImportError:  # no Unix
    fcntl = None

HEADER = 64  # bytes in front of the numbers: the count of users
_COUNT = struct.Struct("<q")

_strategies = {"file_system"} | ({"file_descriptor"} if hasattr(os, "memfd_create") else set())
_strategy = "file_descriptor" if "file_descriptor" in _strategies else "file_system"


def get_all_sharing_strategies():
    """Return the set of the strategies that the system has: "file_system", and on Linux "file_descriptor"."""
    return set(_strategies)


def get_sharing_strategy():
    """Return the strategy for memory that will be shared: "file_descriptor" on Linux, elsewhere "file_system"."""
    return _strategy


def set_sharing_strategy(new_strategy):
    """Choose how memory is shared from now on. ValueError for a strategy that the system does not have."""
    global _strategy
    if new_strategy not in _strategies:
        raise ValueError(f"set_sharing_strategy: expected one of {sorted(_strategies)}, got {new_strategy!r}")
    _strategy = new_strategy


class SharedMemory(mmap.mmap):
    """Memory of a file that other processes can map too: the one behind `descriptor` or at `path`; the other is None.

    `key` identifies the file in all processes.
    """

    def __new__(cls, descriptor, length, path=None):
        memory = super().__new__(cls, descriptor, length)
        memory.descriptor, memory.path = (descriptor, None) if path is None else (None, path)
        memory.key = path or (os.fstat(descriptor).st_dev, os.fstat(descriptor).st_ino)
        if path is None:
            weakref.finalize(memory, os.close, descriptor).atexit = False
        else:  # does nothing in a forked process, which is not counted
            util.Finalize(memory, count_use, (path, -1), exitpriority=0)
        return memory


class ForkedMemory(mmap.mmap):
    """Memory that only processes forked from here on share: where no more files can be open."""


def allocate(length):
    """Return new memory for `length` bytes, by the chosen strategy."""
    length = HEADER + max(1, length)
    try:
        if _strategy == "file_descriptor":
            descriptor, path = os.memfd_create("torch", os.MFD_CLOEXEC), None
        else:
            path = os.path.join(_folder(), f"torch_{os.getpid()}_{secrets.token_hex(8)}")
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        if error.errno != errno.EMFILE:
            raise
        return ForkedMemory(-1, length)
    try:
        os.ftruncate(descriptor, length)
        if path is not None:
            os.write(descriptor, _COUNT.pack(1))
        memory = SharedMemory(descriptor, length, path)
    except BaseException as error:
        os.close(descriptor)
        if path is not None:
            os.unlink(path)
        if isinstance(error, OSError) and error.errno == errno.EMFILE:
            return ForkedMemory(-1, length)
        raise
    if path is not None:
        os.close(descriptor)
    return memory


def attach(descriptor=None, path=None):
    """Return the SharedMemory of an open descriptor, which it will close, or of a path, of which it is a counted use."""
    opened = os.open(path, os.O_RDWR) if descriptor is None else descriptor
    try:
        memory = SharedMemory(opened, os.fstat(opened).st_size, path)
    except BaseException:
        os.close(opened)
        raise
    if descriptor is None:
        os.close(opened)
    return memory


def count_use(path, change):
    """Add `change` to the number of users of the file `path`, and remove it when none is left."""
    with contextlib.suppress(FileNotFoundError), open(path, "r+b", buffering=0) as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed
        count = _COUNT.unpack(file.read(_COUNT.size))[0] + change
        file.seek(0)
        file.write(_COUNT.pack(count))
        if count <= 0:
            os.unlink(path)


def _folder():
    return "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()


def move(owner):
    """Move the numbers of the Tensor `owner` into shared memory, with all tensors that are views of it."""
    views = _views(owner)
    old = owner.array
    memory = allocate(old.nbytes)
    owner.array = numpy.frombuffer(memory, old.dtype, old.size, HEADER).reshape(old.shape)
    owner.array[...] = old
    begin, end = numpy.lib.array_utils.byte_bounds(old)
    for view in views:
        low, high = numpy.lib.array_utils.byte_bounds(view.array)
        if view.array.dtype is old.dtype and begin <= low and high <= end:
            offset = HEADER + view.data_ptr() - begin
            array = numpy.ndarray(view.array.shape, old.dtype, memory, offset, view.array.strides)
            array.flags.writeable = view.array.flags.writeable
            view.array = array


def _views(owner):
    """Return the tensors that are views of `owner`. Looks at all objects of the process, where there may be one."""
    if not owner.array.flags.c_contiguous or not owner.array.size:
        return []
    alone = _references(wrap(numpy.zeros(2).reshape(1, 2)))  # of a tensor without views
    if all([count <= expected for count, expected in zip(_references(owner), alone)]):
        return []
    return [x for x in gc.get_referrers(owner) if getattr(x, "_base", None) is owner and x is not owner]


def _references(owner):
    """Return how many references there are to the array of a tensor, and to the array that this is a view of."""
    array = owner.array
    base = array.base
    return sys.getrefcount(array), sys.getrefcount(base) if isinstance(base, numpy.ndarray) else 0
