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
_FEW = 1 << 13  # elements of the first factor: with so few a product is rarely LARGE, and is not asked how large

_free: dict[int, list] = {}  # {bytes: [(memory, its address as in `__array_interface__`), …]}


class Loan:
    """Holds a piece of memory for an array, and puts it back when the array and all views of it are gone."""

    __slots__ = ("__array_interface__", "piece")

    def __init__(self, shape, dtype, size):
        # Each line here is one step for the interpreter's lock, and a collector that runs in between does no harm.
        try:
            self.piece = _free[size].pop()
        except (KeyError, IndexError):
            memory = numpy.empty(size, numpy.uint8)
            self.piece = memory, memory.__array_interface__["data"]  # kept: numpy builds a dictionary for it
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str, "data": self.piece[1]}

    def __del__(self):
        size = self.piece[0].nbytes
        free = _free.setdefault(size, [])
        if (len(free) + 1) * size <= KEPT:
            free.append(self.piece)


def empty(shape, dtype):
    """`numpy.empty(shape, dtype)` in memory that another array has left, if there is some."""
    needed = math.prod(shape) * dtype.itemsize
    if not SMALLEST <= needed <= KEPT:
        return numpy.empty(shape, dtype)
    return numpy.asarray(Loan(tuple(shape), dtype, 1 << (needed - 1).bit_length()))


def zeros(shape, dtype):
    """`numpy.zeros(shape, dtype)` in such memory."""
    array = empty(shape, dtype)
    array.fill(0)
    return array


def copy(array):
    """Return a copy of `array` in such memory, in the order of its rows."""
    copied = empty(array.shape, array.dtype)
    numpy.copyto(copied, array)
    return copied


def like(array):
    """Return `empty` for a result of the shape and dtype of `array`, to be passed as `out=`.

    Return None for less than LARGE bytes: numpy allocates these faster itself.
    """
    return None if array.nbytes < LARGE else empty(array.shape, array.dtype)


def dot(a, b):
    """Return `a.dot(b)`, where `b` has at most two dimensions, in such memory if it takes LARGE bytes or more."""
    if a.size <= _FEW:
        return a.dot(b)
    shape = (*a.shape[:-1], *b.shape[1:])
    if math.prod(shape) * a.itemsize < LARGE:
        return a.dot(b)
    out = empty(shape, a.dtype)
    if a.ndim == b.ndim == 2 and a.dtype.kind == "f" and a.flags.forc and b.flags.forc:
        return numpy.matmul(a, b, out)  # dot zeroes `out` first, but copies operands that BLAS cannot take
    return a.dot(b, out)
