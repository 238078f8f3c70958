"""A pool of large buffers for results that live for one call, from a forward to its backward pass, or for one step.

The system provides new memory of megabytes page by page, and each page costs more than the work on it, so reuse saves
much of the time of a training step. No 2016 counterpart; THNN kept `finput` and `fgradInput` for this.
"""

import math

import numpy

SMALLEST = 1 << 16  # bytes; smaller buffers are not pooled
LARGE = 1 << 20  # bytes, from which on the pool is faster than the C library even for short-lived arrays
KEPT = 1 << 24  # the most free bytes for each buffer size; the sizes are powers of two
_FEW = 1 << 13  # elements of the first factor: with at most so many a product is rarely LARGE

_free: dict[int, list] = {}  # {bytes: [(memory, its address as in `__array_interface__`), …]}


class Loan:
    """Holds a buffer for an array, and returns it to the pool when the array and all views of it are gone."""

    __slots__ = ("__array_interface__", "piece")

    def __init__(self, shape, dtype, size):
        # Each line is atomic under the interpreter's lock, and a garbage collection between them does no harm.
        try:
            self.piece = _free[size].pop()
        except (KeyError, IndexError):
            memory = numpy.empty(size, numpy.uint8)
            self.piece = memory, memory.__array_interface__["data"]  # kept, because numpy builds a dictionary for it
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str, "data": self.piece[1]}

    def __del__(self):
        size = self.piece[0].nbytes
        free = _free.setdefault(size, [])
        if (len(free) + 1) * size <= KEPT:
            free.append(self.piece)


def empty(shape, dtype):
    """Return `numpy.empty(shape, dtype)`, in a buffer of the pool if there is one."""
    needed = math.prod(shape) * dtype.itemsize
    if not SMALLEST <= needed <= KEPT:
        return numpy.empty(shape, dtype)
    return numpy.asarray(Loan(tuple(shape), dtype, 1 << (needed - 1).bit_length()))


def zeros(shape, dtype):
    """Return `numpy.zeros(shape, dtype)`, in a buffer of the pool if there is one."""
    array = empty(shape, dtype)
    array.fill(0)
    return array


def copy(array):
    """Return a copy of `array` in C order, in a buffer of the pool if there is one."""
    copied = empty(array.shape, array.dtype)
    numpy.copyto(copied, array)
    return copied


def like(array):
    """Return `empty` for a result of the shape and dtype of `array`, to be passed as `out=`.

    Return None for fewer than LARGE bytes, which numpy allocates faster itself.
    """
    return None if array.nbytes < LARGE else empty(array.shape, array.dtype)


def dot(a, b):
    """Return `a.dot(b)`, where `b` has at most two dimensions, in such a buffer if it takes LARGE bytes or more."""
    if a.size <= _FEW:
        return a.dot(b)
    shape = (*a.shape[:-1], *b.shape[1:])
    if math.prod(shape) * a.itemsize < LARGE:
        return a.dot(b)
    out = empty(shape, a.dtype)
    if a.ndim == b.ndim == 2 and a.dtype.kind == "f" and a.flags.forc and b.flags.forc:
        return numpy.matmul(a, b, out)  # dot zeroes `out` first, but copies operands that BLAS cannot take
    return a.dot(b, out)
