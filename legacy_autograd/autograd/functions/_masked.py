"""Selections between the elements of two arrays, without numpy.where.

A mask of activations is as unpredictable as random bits, so the processor mispredicts every second branch of
numpy.where. The arithmetic on bits below has no branches. Unlike `array * mask` it is exact: an infinity or nan that is
not selected leaves no trace.
"""

import numpy

from ...tensor import buffer_pool
from ...tensor.dtypes import FLOATING

ZERO = {dtype: numpy.zeros((), dtype) for dtype in FLOATING}  # faster for numpy than Python's 0


def kept(array, mask):
    """Return the elements of `array` where the bool array `mask` is true, 0 elsewhere."""
    bits = array.view(f"i{array.itemsize}")
    return numpy.multiply(bits, mask, buffer_pool.like(bits)).view(array.dtype)


def cleared(array, mask):
    """Return the elements of `array` where the bool array `mask` is false, 0 elsewhere; it may write to the mask."""
    if array.nbytes >= buffer_pool.SMALLEST:
        return kept(array, numpy.logical_not(mask, out=mask))
    result = array.copy()
    numpy.putmask(result, mask, ZERO[result.dtype])
    return result


def chosen(mask, array, other):
    """Return the elements of `array` where the bool array `mask` is true, else those of `other`, of the same dtype."""
    bits = f"i{array.itemsize}"
    array, other, dtype = array.view(bits), other.view(bits), array.dtype
    return (other ^ (mask * (array ^ other))).view(dtype)
