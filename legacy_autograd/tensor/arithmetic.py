"""The operations of arithmetic in which numpy and torch differ, on arrays: division and powers."""

import numpy


def divide(a, b, out=None):
    """a / b; the quotient of integers is rounded towards zero, as C and v0.1.x have it (numpy's // rounds down)."""
    if a.dtype.kind == "f":
        return numpy.divide(a, b, out=out)
    _check_divisor("div", b)
    a = a.copy()  # `out` may be `a` itself
    quotient = numpy.floor_divide(a, b, out=out)
    inexact = (numpy.multiply(quotient, b) != a) & (quotient < 0)
    return numpy.add(quotient, inexact, out=quotient, casting="unsafe")


def remainder(a, b, out=None):
    """The remainder of a / b, with the sign of b."""
    if a.dtype.kind != "f":
        _check_divisor("remainder", b)
    return numpy.remainder(a, b, out)


def fmod(a, b, out=None):
    """The remainder of a / b, with the sign of a."""
    if a.dtype.kind != "f":
        _check_divisor("fmod", b)
    return numpy.fmod(a, b, out)


def _check_divisor(name, b):
    if not numpy.all(b):
        raise ZeroDivisionError(f"{name}: division of an integer tensor by zero")


def power(a, b, out=None):
    """a ** b; integers stay integers, so a negative exponent of theirs raises RuntimeError."""
    if a.dtype.kind != "f":
        if numpy.any(numpy.less(b, 0)):
            raise RuntimeError("pow: integers cannot be raised to a negative exponent; convert the tensor with .type()")
    elif b.ndim == 0:
        shortcut = _POWERS.get(b.item())
        if shortcut is not None:
            return shortcut(a, out)
    return numpy.power(a, b, out)


def _cube(a, out=None):
    return numpy.multiply(numpy.square(a), a, out)


def rsqrt(a, out=None):
    """1 / sqrt(a)."""
    out = numpy.sqrt(a, out)
    return numpy.reciprocal(out, out)


def _inverse_square(a, out=None):
    out = numpy.square(a, out)
    return numpy.reciprocal(out, out)


# The powers for which torch, too, has something faster: ten to fifty times on large tensors.
_POWERS = {
    2: numpy.square,
    3: _cube,
    0.5: numpy.sqrt,
    -0.5: rsqrt,
    -1: numpy.reciprocal,
    -2: _inverse_square,
}
