"""Choosing between the elements of two arrays, without numpy.where.

A mask of activations is as good as random, so the processor guesses every second of numpy.where's branches wrong:
1.4 ms for 300,000 floats, where the arithmetic on their bits below takes 0.07 and 0.2. Unlike `array * mask` it is
exact: an infinity or nan that is not chosen leaves no trace.
"""

import numpy

from ...tensor import buffer_pool


def kept(array, mask):
    """The elements of `array` where the bool array `mask` is true, 0 elsewhere."""
    bits = array.view(f"i{array.itemsize}")
    return numpy.multiply(bits, mask, buffer_pool.like(bits)).view(array.dtype)


def cleared(array, mask):
    """The elements of `array` where the bool array `mask` is false, 0 elsewhere. May write to the mask."""
    if array.nbytes >= buffer_pool.SMALLEST:
        return kept(array, numpy.logical_not(mask, out=mask))
    result = array.copy()
    numpy.putmask(result, mask, 0)
    return result


def chosen(mask, array, other):
    """The elements of `array` where the bool array `mask` is true, those of `other`, of the same dtype, elsewhere."""
    bits = f"i{array.itemsize}"
    array, other, dtype = array.view(bits), other.view(bits), array.dtype
    return (other ^ (mask * (array ^ other))).view(dtype)
