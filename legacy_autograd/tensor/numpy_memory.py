"""Which Tensor counts the writes to memory that NumPy, or another library, can reach as well.

Tensors over one memory need one count of writes. Views of a Tensor have it as their base. Memory that left the package
as an array, or came from outside, is found again here by its addresses, or by its place in a mapped file.
"""

import bisect
import operator
import pathlib
import sys
import threading
import weakref
from typing import Any

import numpy


class _Range:
    """A stretch of memory, from `begin` to `end`, and the Tensor that counts the writes to it."""

    def __init__(self, begin, end, holder, counting):
        self.begin = begin
        self.end = end
        self.holder = weakref.ref(holder)  # the memory can be used again when its holder is gone
        self.counting = weakref.ref(counting)

    def is_alive(self):
        return self.holder() is not None and self.counting() is not None


_ranges: dict = {}  # {the file, None for memory of this process: its ranges, sorted and disjoint}
_lock = threading.RLock()
_end_of, _begin_of = operator.attrgetter("end"), operator.attrgetter("begin")


def counting_tensor(array: numpy.ndarray, tensor: Any) -> Any:
    """Return the Tensor that counts the writes to the memory of `array`; `tensor`, if none does yet.

    Args:
        array: An array with elements.
        tensor: A Tensor over that memory that is not a view.

    Raises:
        RuntimeError: If several Tensors count the writes to parts of that memory.
    """
    holder, space, begin, end = _place(array)
    with _lock:
        ranges = _ranges.setdefault(space, [])
        found = _overlapping(ranges, begin, end)
        known = {id(counting): counting for counting in [part.counting() for part in found]}
        if len(known) > 1:
            raise RuntimeError(
                "this array overlaps several tensors that were made from parts of its memory, each with its own count "
                "of writes; make the tensor of the whole first, or copy it"
            )
        counting = next(iter(known.values()), tensor)
        if len(found) == 1 and found[0].begin <= begin and end <= found[0].end:
            return counting
        for part in found:
            ranges.remove(part)
            begin, end = min(begin, part.begin), max(end, part.end)
        bisect.insort(ranges, _Range(begin, end, holder, counting), key=_begin_of)
        return counting


def share(array: numpy.ndarray, tensor: Any) -> None:
    """Note that `array` leaves the package, and that `tensor` counts the writes to its memory.

    Args:
        array: An array with elements.
        tensor: The Tensor, not a view.
    """
    holder, space, begin, end = _place(array)
    with _lock:
        ranges = _ranges.setdefault(space, [])
        found = _overlapping(ranges, begin, end)
        if len(found) == 1 and found[0].counting() is tensor and found[0].begin <= begin and end <= found[0].end:
            return
        for part in found:
            ranges.remove(part)
        bisect.insort(ranges, _Range(begin, end, holder, tensor), key=_begin_of)


def memory_of(array: numpy.ndarray) -> Any:
    """Return the object that holds the memory of `array`: an ndarray, or for example an mmap.

    Args:
        array: The array.
    """
    holder: Any = array
    below: Any = array
    while below is not None:
        holder = below
        # as_strided puts an object with a base of its own between two ndarrays.
        below = below.obj if isinstance(below, memoryview) else getattr(below, "base", None)
    return holder


def is_mapped(memory: Any) -> bool:
    """Return whether an object is an mmap. If that module is not loaded, none is; a web page does not have it.

    Args:
        memory: The object.
    """
    mmap = sys.modules.get("mmap")
    return mmap is not None and isinstance(memory, mmap.mmap)


def byte_bounds(array: numpy.ndarray) -> tuple[int, int]:
    """Return the first address of the elements of `array`, and the address after the last one.

    Args:
        array: The array. Its strides may have any sign.
    """
    begin = end = array.__array_interface__["data"][0]
    for size, stride in zip(array.shape, array.strides):
        if stride < 0:
            begin += (size - 1) * stride
        else:
            end += (size - 1) * stride
    return (begin, end + array.itemsize) if array.size else (begin, begin)


def _overlapping(ranges, begin, end):
    """Return the ranges that share memory with that from `begin` to `end`; remove those whose memory is gone."""
    first = bisect.bisect_right(ranges, begin, key=_end_of)
    last = first
    while last < len(ranges) and ranges[last].begin < end:
        last += 1
    found = [part for part in ranges[first:last] if part.is_alive()]
    ranges[first:last] = found
    if len(ranges) > 2 * _after_sweep.get(id(ranges), 500):  # memory that was freed elsewhere
        ranges[:] = [part for part in ranges if part.is_alive()]
        _after_sweep[id(ranges)] = max(500, len(ranges))
    return found


_after_sweep: dict = {}  # {id of a list of ranges: its length when it was last searched for freed memory}


def _place(array):
    """Return what keeps the memory of `array` in use, the file that it maps or None, and where it begins and ends."""
    memory = memory_of(array)
    holder = array  # the ndarray nearest to the memory
    while isinstance(holder.base, numpy.ndarray):
        holder = holder.base
    if isinstance(memory, numpy.ndarray):
        return memory, None, *byte_bounds(memory)
    is_file_of_torch = False
    try:
        begin, end = byte_bounds(numpy.frombuffer(memory, numpy.uint8))
    except (TypeError, ValueError, BufferError):  # NumPy can read only the arrays over it
        begin, end = byte_bounds(holder)
        if hasattr(memory, "untyped_storage"):  # a tensor of modern torch
            storage = memory.untyped_storage()
            begin, end = storage.data_ptr(), storage.data_ptr() + storage.nbytes()
            is_file_of_torch = getattr(storage, "filename", None) is not None
    if is_mapped(memory) or is_file_of_torch:
        file, start = _mapped_file(begin, holder)
        if file is not None:
            return memory, file, start, start + end - begin
    return holder, None, begin, end


def _mapped_file(address, holder):
    """Return a key of the file that is mapped at `address`, and the place in it; (None, 0) if it is not known."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            for line in maps:
                places, access, offset, device, number = line.split(maxsplit=5)[:5]
                begin, end = [int(place, 16) for place in places.split("-")]
                if begin <= address < end and access[3] == "s" and number != "0":
                    return (device, number), int(offset, 16) + address - begin
    except OSError:  # not Linux
        if isinstance(holder, numpy.memmap) and holder.mode in ("r", "r+", "w+") and holder.filename is not None:
            status = pathlib.Path(holder.filename).stat()
            start = holder.offset - (byte_bounds(holder)[0] - address)
            return (status.st_dev, status.st_ino), start
    return None, 0
