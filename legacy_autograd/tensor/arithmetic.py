"""Operations on arrays for which numpy and torch differ: division, powers, rounding, sign, and sigmoid.

Each returns a new array, or writes to `out`, which may be its operand. Integers that do not fit into their type keep
their lowest bits, as in torch: 200 + 100 is 44 in bytes. (Sums and products along a dimension raise OverflowError.)
"""

import math

import numpy

from .dtypes import FLOATING, HALF, wide

_ONE = {dtype: numpy.ones((), dtype) for dtype in FLOATING}


def negative(a, out=None):
    """Return -a. NumPy (2.4.6 on AVX2) writes wrong numbers where elements of `a` are 16 or 64 bytes apart."""
    if out is None or a.flags.c_contiguous and out.flags.c_contiguous:
        return numpy.negative(a, out)
    numpy.copyto(out, numpy.negative(a))  # with memory of its own choice it is right
    return out


def divide(a, b, out=None):
    """Return a / b; quotients of integers are rounded towards zero, as in C and v0.1.x (numpy's // rounds down)."""
    if a.dtype.kind == "f":
        return numpy.divide(a, b, out=out)
    _check_divisor("div", b)
    a = a.copy()  # `out` may be `a` itself
    quotient = numpy.floor_divide(a, b, out=out)
    inexact = (numpy.multiply(quotient, b) != a) & (quotient < 0)
    return numpy.add(quotient, inexact, out=quotient, casting="unsafe")


def remainder(a, b, out=None):
    """Return the remainder of a / b with the sign of b."""
    if a.dtype.kind != "f":
        _check_divisor("remainder", b)
    return numpy.remainder(a, b, out)


def fmod(a, b, out=None):
    """Return the remainder of a / b with the sign of a."""
    if a.dtype.kind != "f":
        _check_divisor("fmod", b)
    return numpy.fmod(a, b, out)


def log_gamma(a, out=None):
    """Return ln |Γ(a)|, one element after the other: numpy has no such function."""

    def of_number(x):
        return math.inf if x == math.floor(x) and x <= 0 else math.lgamma(x)

    result = numpy.array([of_number(x) for x in a.ravel().tolist()], a.dtype).reshape(a.shape)
    if out is None:
        return result
    out[...] = result
    return out


def _check_divisor(name, b):
    if not numpy.all(b):
        raise ZeroDivisionError(f"{name}: division of an integer tensor by zero")


def add_at(array, places, source):
    """Add `source` to `array[places]` in place. A place that occurs more than once receives each of its numbers."""
    total = wide(array)  # halves are added up in floats
    numpy.add.at(total, places, source)
    if array.dtype is HALF:
        array[...] = total


def power(a, b, out=None):
    """Return a ** b. Integers stay integers, so a negative exponent of integers raises RuntimeError."""
    if a.dtype.kind != "f":
        if numpy.any(numpy.less(b, 0)):
            raise RuntimeError("pow: integers cannot be raised to a negative exponent; convert the tensor with .type()")
    elif a.dtype is HALF and b.dtype is HALF:  # in floats: 300 ** -2 is 1e-5, and 300 ** 2 no half
        result = power(wide(a), wide(b)).astype(HALF)
        if out is None:
            return result
        out[...] = result
        return out
    elif b.ndim == 0:
        shortcut = _POWERS.get(b.item())
        if shortcut is not None:
            return shortcut(a, out)
    return numpy.power(a, b, out)


def _cube(a, out=None):
    return numpy.multiply(numpy.square(a), a, out)


def rsqrt(a, out=None):
    """Return 1 / sqrt(a)."""
    out = numpy.sqrt(a, out)
    return numpy.reciprocal(out, out)


def _inverse_square(a, out=None):
    out = numpy.square(a, out)
    return numpy.reciprocal(out, out)


# Powers with a faster equivalent. Torch has shortcuts for the same ones.
_POWERS = {
    2: numpy.square,
    3: _cube,
    0.5: numpy.sqrt,
    -0.5: rsqrt,
    -1: numpy.reciprocal,
    -2: _inverse_square,
}


def sigmoid(a, out=None):
    """Return 1 / (1 + exp(-a))."""
    # If exp overflows to inf, the reciprocal is 0, which is correct; small results keep all their digits.
    out = negative(a, out)
    numpy.exp(out, out)
    numpy.add(out, _ONE[out.dtype], out)
    return numpy.reciprocal(out, out)


def sign(a, out=None):
    """Return 1, 0 or -1; 0 for nan, as in torch (numpy returns nan)."""
    out = numpy.sign(a, out)
    if a.dtype.kind == "f":
        is_nan = numpy.isnan(out)
        if 1 in is_nan.tobytes():  # faster than `any`
            out[is_nan] = 0
    return out


def frac(a, out=None):
    """Return the fractional part, a - trunc(a)."""
    return numpy.subtract(a, numpy.trunc(a), out)


def floor(a, out=None):
    """Return the largest integer <= a."""
    return _rounded(numpy.floor, a, out)


def ceil(a, out=None):
    """Return the smallest integer >= a."""
    return _rounded(numpy.ceil, a, out)


def rint(a, out=None):
    """Return the nearest integer; of two equally near ones the even one."""
    return _rounded(numpy.rint, a, out)


def trunc(a, out=None):
    """Return the integer part of a."""
    return _rounded(numpy.trunc, a, out)


def _rounded(ufunc, a, out):
    # Integers stay as they are; some versions of numpy convert them to floats.
    return ufunc(a, out) if a.dtype.kind == "f" else numpy.positive(a, out)
