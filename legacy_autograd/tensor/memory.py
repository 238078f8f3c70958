"""Memory that is used again: for large results that live for one call, from a forward to its backward, or for a step.

Fresh memory of megabytes comes from the system page by page, and each page costs more than the work on it: the step of
a LeNet (64 images) took 8 to 11 ms with it, and takes 6 without, that of the network 784-256-128-10 in doubles 3.2 and
1.7 ms. No 2016 counterpart; THNN kept `finput` and `fgradInput` for it.
"""

import math

import numpy

SMALLEST = 1 << 16  # bytes; what is smaller is not worth it
LARGE = 1 << 20  # bytes, from which on it is worth it also for what lives no longer than the C library's own blocks
KEPT = 1 << 24  # bytes that lie ready in each class at most; the classes are powers of two

_free = {}  # {bytes: [memory, …]}


class _Loan:
    """Holds a piece of memory for an array, and puts it back when the array and all views of it are gone."""

    __slots__ = ("__array_interface__", "memory")

    def __init__(self, shape, dtype, size):
        # Each line here is one step for the interpreter's lock, and a collector that runs in between does no harm.
        try:
            self.memory = _free[size].pop()
        except (KeyError, IndexError):
            self.memory = numpy.empty(size, numpy.uint8)
        address = self.memory.__array_interface__["data"]
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str, "data": address}

    def __del__(self):
        size = self.memory.nbytes
        free = _free.setdefault(size, [])
        if (len(free) + 1) * size <= KEPT:
            free.append(self.memory)


def empty(shape, dtype):
    """`numpy.empty(shape, dtype)` in memory that another array has left, if there is some."""
    needed = math.prod(shape) * dtype.itemsize
    if not SMALLEST <= needed <= KEPT:
        return numpy.empty(shape, dtype)
    return numpy.asarray(_Loan(tuple(shape), dtype, 1 << (needed - 1).bit_length()))


def large(shape, dtype):
    """`empty`, to be given as `out=`; None for less than LARGE bytes: then numpy makes the result."""
    return empty(shape, dtype) if math.prod(shape) * dtype.itemsize >= LARGE else None
