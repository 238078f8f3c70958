"""Memory that processes share, and how one process finds that of another (v0.1.4: `torch/lib/libshm`).

The memory is that of a file `torch_PID_…` in /dev/shm, which any process can open. Its first bytes count the processes
and messages that use it; the last one removes the file. With the strategy "file_system" the file has its name from the
beginning. With "file_descriptor" it gets its name when it is first sent, so before that nothing is left behind, however
the process ends.
"""

import contextlib
import errno
import gc
import mmap
import multiprocessing
import os
import secrets
import struct
import sys
import tempfile
import threading
import weakref
from multiprocessing import util

import numpy

from .numpy_memory import byte_bounds, memory_of
from .wrapping import TensorBase, wrap

try:
    import fcntl
except ImportError:  # not on Unix
    fcntl = None  # type: ignore[assignment]  # a module there, None here

HEADER = 64  # bytes in front of the numbers
_HEADER = struct.Struct("<q48s")  # how many users the named file has, and its name

_FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()
_WITHOUT_A_NAME = hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd")
_strategies = {"file_descriptor", "file_system"} if _WITHOUT_A_NAME else {"file_system"}
_strategy = "file_descriptor" if _WITHOUT_A_NAME else "file_system"


def get_all_sharing_strategies():
    """Return the set of the strategies that the system supports: "file_system", and on Linux "file_descriptor"."""
    return set(_strategies)


def get_sharing_strategy():
    """Return the strategy for new shared memory: "file_descriptor" on Linux, elsewhere "file_system"."""
    return _strategy


def set_sharing_strategy(new_strategy):
    """Set the strategy for new shared memory. Raise ValueError for one that the system does not support."""
    global _strategy
    if new_strategy not in _strategies:
        raise ValueError(f"set_sharing_strategy: expected one of {sorted(_strategies)}, got {new_strategy!r}")
    _strategy = new_strategy


class SharedMemory(mmap.mmap):
    """The memory of an open file. `key` identifies the file in all processes; `path` is None before it has a name."""

    def __new__(cls, descriptor, path=None):
        status = os.fstat(descriptor)
        memory = super().__new__(cls, descriptor, status.st_size)
        memory.key = status.st_dev, status.st_ino
        memory.path = None
        if path is None:
            memory.descriptor = os.dup(descriptor)
            weakref.finalize(memory, os.close, memory.descriptor).atexit = False
        else:
            memory._named(path)
        return memory

    def _named(self, path):
        self.path = path
        if not _used:
            util.Finalize(None, _remove_files, exitpriority=-100)  # when the processes that this one started have ended
        _used.add(path)
        # Does nothing in a forked process, which is not counted.
        util.Finalize(self, count_use, (path, -1), exitpriority=0)

    def message(self):
        """Return the path by which another process finds this memory. The message counts as a user of the file.

        Raises RuntimeError in a forked process if the file is removed already, because all others that sent it ended.
        """
        with _locked():
            count, name = _HEADER.unpack_from(self)
            path = os.path.join(_FOLDER, name.rstrip(b"\0").decode())
            if not count:
                path = self._new_name()
            new_users = 1
            if self.path is None:
                self._named(path)
                new_users = 2
            _HEADER.pack_into(self, 0, count + new_users, os.path.basename(path).encode())
        return path

    def _new_name(self):
        path = _new_path()
        if self.path is not None:
            raise RuntimeError("a tensor cannot be sent: all processes that sent its memory before have ended")
        files = os.open("/proc/self/fd", os.O_RDONLY)
        try:
            # With a folder descriptor, link follows the symbolic link.
            os.link(str(self.descriptor), path, src_dir_fd=files)
        except FileNotFoundError:
            raise RuntimeError("a tensor cannot be sent: another process named its memory, and has ended") from None
        finally:
            os.close(files)
        return path


_used: set[str] = set()  # the paths of all files that this process used by name


def _remove_files():
    """Remove the files of a program whose terminated processes did not decrement their counts.

    The first process of the program does it. A spawned process knows only now that it has a parent: it receives its
    arguments before.
    """
    if multiprocessing.parent_process() is not None:
        return
    for path in _used:
        with contextlib.suppress(OSError):
            os.unlink(path)


class ForkedMemory(mmap.mmap):
    """Memory that only processes forked from now on share. It is used when no more files can be open."""


def allocate(length):
    """Return new shared memory of `length` bytes, by the chosen strategy."""
    length, path = HEADER + max(1, length), None
    try:
        if _strategy == "file_descriptor":
            descriptor = os.open(_FOLDER, os.O_RDWR | os.O_TMPFILE, 0o600)
        else:
            path = _new_path()
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.ftruncate(descriptor, length)
            if path is not None:
                os.write(descriptor, _HEADER.pack(1, os.path.basename(path).encode()))
            return SharedMemory(descriptor, path)
        except BaseException:
            if path is not None:
                os.unlink(path)
            raise
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno != errno.EMFILE:
            raise
        return ForkedMemory(-1, length)


def received(path, known):
    """Return the SharedMemory of a message. `known(key)` returns what this process already has of it, or None."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        status = os.fstat(descriptor)
        memory = known((status.st_dev, status.st_ino))
        if memory is None:
            return SharedMemory(descriptor, path)  # the message's use is now that of this process
    finally:
        os.close(descriptor)
    count_use(path, -1)
    return memory


def count_use(path, change):
    """Add `change` to the number of users of the file `path`, and remove the file when it reaches 0."""
    with _locked(), contextlib.suppress(FileNotFoundError), open(path, "r+b", buffering=0) as file:
        count, name = _HEADER.unpack(file.read(_HEADER.size))
        file.seek(0)
        file.write(_HEADER.pack(count + change, name))
        if count + change <= 0:
            os.unlink(path)
            _used.discard(path)


@contextlib.contextmanager
def _locked():
    """Keep other processes and threads from counting at the same time, if the system can."""
    global _depth
    with _this_process:
        # Only the outermost call locks the folder: a finalizer that runs inside it would deadlock.
        folder = os.open(_FOLDER, os.O_RDONLY) if fcntl is not None and not _depth else None
        _depth += 1
        try:
            if folder is not None:
                fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            _depth -= 1
            if folder is not None:
                # Explicitly, because a process that was just forked may have the folder open, too.
                fcntl.flock(folder, fcntl.LOCK_UN)
                os.close(folder)


def _unlocked():
    """Give a forked process a lock that no thread of its parent holds."""
    global _this_process, _depth
    _this_process, _depth = threading.RLock(), 0
    _used.clear()


_unlocked()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlocked)


def _new_path():
    return os.path.join(_FOLDER, f"torch_{os.getpid()}_{secrets.token_hex(8)}")


def move(owner, tensor):
    """Move all of the memory that a Tensor shares with others into shared memory.

    Args:
        owner: The Tensor over that memory (`Tensor._memory`).
        tensor: The Tensor: `owner` itself or a view.
    """
    has_moved = owner is not tensor and owner is not tensor._base  # the views keep the memory that their base left
    views = _tensors_over(owner.array) if has_moved else _views(owner)
    old = owner.array
    memory = allocate(old.nbytes)
    owner.array = numpy.frombuffer(memory, old.dtype, old.size, HEADER).reshape(old.shape)
    owner.array[...] = old
    begin, end = byte_bounds(old)
    for view in views:
        low, high = byte_bounds(view.array)
        if view.array.dtype is old.dtype and begin <= low and high <= end:
            offset = HEADER + view.data_ptr() - begin
            array = numpy.ndarray(view.array.shape, old.dtype, memory, offset, view.array.strides)
            array.flags.writeable = view.array.flags.writeable
            view.array = array


def _views(owner):
    """Return the tensors that are views of `owner`. If there may be any, it searches all objects of the process."""
    if not owner.array.flags.c_contiguous or not owner.array.size:
        return []
    alone = _references(wrap(numpy.zeros(2).reshape(1, 2)))  # for a tensor without views
    if all([count <= expected for count, expected in zip(_references(owner), alone)]):
        return []
    return [x for x in gc.get_referrers(owner) if getattr(x, "_base", None) is owner and x is not owner]


def _tensors_over(memory):
    """Return all tensors over the ndarray `memory`. It searches all objects of the process."""
    found = [x for x in gc.get_objects() if issubclass(type(x), TensorBase)]
    return [x for x in found if memory_of(x.array) is memory and x.array is not memory]


def _references(owner):
    """Return the numbers of references to the array of a tensor, and to the array that it is a view of."""
    array = owner.array
    base = array.base
    return sys.getrefcount(array), sys.getrefcount(base) if isinstance(base, numpy.ndarray) else 0
