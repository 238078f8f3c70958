"""Checks of an operation's arguments: numbers, Tensors, dimensions and sizes. An error names the operation."""

import math
import numbers
from typing import Any, Protocol, TypeVar

import numpy

from .dtypes import TYPE_NAMES
from .errors import NumberError, RangeError
from .messages import shown, shown_size, too_large
from .wrapping import TensorBase, is_tensor

# {dtype: {number: its array}}: loops repeat their constants.
_known_numbers: dict[numpy.dtype, dict] = {dtype: {} for dtype in TYPE_NAMES}
_MOST_KNOWN = 64  # entries per dtype
_INEXACT = 2**53  # above it, float64 does not hold every integer
_ADDRESSES = 2 ** (8 * numpy.dtype(numpy.intp).itemsize - 4)  # elements of 8 bytes; numpy counts bytes in one bit less


class Sizes:
    """The base of LongStorage, which is accepted as sizes."""

    __slots__ = ()


class HasData(Protocol):
    """A Tensor or a Variable."""

    data: Any  # a Tensor


Operand = TypeVar("Operand", bound=HasData)


def operand(name, x):
    """Return `x` if its `data` is a Tensor, which is so for Tensors and Variables; raise TypeError otherwise."""
    try:
        if isinstance(x.data, TensorBase):
            return x
    except AttributeError:
        pass
    raise TypeError(f"{name}: expected a Tensor or Variable, got {shown(x)}")


def tensor_array(name, a, other):
    """Return the array of `other`, which must be a Tensor of the type of the array `a`; raise TypeError otherwise."""
    if not is_tensor(other):
        raise TypeError(f"{name}: expected a {TYPE_NAMES[a.dtype]}, got {type(other).__name__}")
    if other.array.dtype != a.dtype:
        raise TypeError(
            f"{name}: the operands have different types, {TYPE_NAMES[a.dtype]} and "
            f"{TYPE_NAMES[other.array.dtype]}; convert one of them with .type()"
        )
    return other.array


def dimension(name, shape, dim, new=0):
    """Return the dimension `dim` of a tensor of `shape`, with `new` additional dimensions, counted from the front.

    Raises TypeError if `dim` is not an integer, IndexError if there is no such dimension.
    """
    if type(dim) is int:  # the usual cases first
        if 0 <= dim < len(shape):
            return dim
        if not new and -len(shape) <= dim < 0:
            return dim + len(shape)
    if not isinstance(dim, numbers.Integral) or isinstance(dim, bool):
        raise TypeError(f"{name}: a dimension is an integer, got {shown(dim)}")
    ndim = len(shape) + new
    if not -ndim <= dim < ndim:
        has = f"{'takes' if new else 'has'} {-ndim} to {ndim - 1}"
        raise RangeError(f"{name}: dimension {dim} is out of range: a tensor of size {shown_size(shape)} {has}")
    return int(dim) + ndim if dim < 0 else int(dim)


def sizes_of(name, sizes):
    """Return the sizes in a method's arguments: integers, or one tuple, list, Size or LongStorage of them."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list, Sizes)):
        sizes = tuple(sizes[0])
    for size in sizes:
        if type(size) is not int and (not isinstance(size, numbers.Integral) or isinstance(size, bool)):
            raise TypeError(f"{name}: expected integers, or one tuple of them, got {shown(size)}")
    return sizes


def check_count(name, sizes):
    """Raise ValueError if a new tensor of these sizes has more elements than memory has addresses."""
    if math.prod(sizes) >= _ADDRESSES:
        raise ValueError(f"{name}: a tensor of size {shown_size(sizes)} has more elements than memory has addresses")


def checked_number(name, number):
    """Return `number`. Raise TypeError, with the `name` of operation and argument, if it is not a real number."""
    if not isinstance(number, numbers.Real):
        raise TypeError(f"{name} must be a number, got {type(number).__name__}")
    return number


def number_for(name, a, number):
    """Return `number` as a zero-dimensional array of the dtype of `a`, which must not be written to.

    numpy computes faster with it than with the number. Raises TypeError if it is not a real number, or a fraction meets
    integers; OverflowError if it does not fit into the type, as nan and infinity do not fit into integers.
    """
    kind = type(number)
    if kind is float or kind is int:
        known = _known_numbers[a.dtype]
        key = number or repr(number)  # 0.0 equals -0.0
        array = known.get(key)
        if array is None:
            if len(known) >= _MOST_KNOWN:
                known.clear()
            array = known[key] = _number(name, a.dtype, number)
            array.flags.writeable = False
        return array
    if isinstance(number, (numbers.Real, numpy.bool_)):
        return _number(name, a.dtype, number)
    if is_tensor(number):
        tensor_array(name, a, number)  # raises, if the types are different
    raise NumberError(f"{name}: expected a {TYPE_NAMES[a.dtype]} or a number, got {kind.__name__}")


def _number(name, dtype, number):
    try:
        if dtype.kind == "f":
            return numpy.asarray(float(number), dtype)
        whole = int(number)
    except (ValueError, OverflowError):  # for nan and infinities, and for an integer that is too large
        raise too_large(name, dtype, number) from None
    if whole != number:
        raise TypeError(f"{name}: a {TYPE_NAMES[dtype]} cannot take the number {number}; convert it with .type()")
    limits = numpy.iinfo(dtype)
    if not limits.min <= whole <= limits.max:  # numpy 1 would keep the lowest bits
        raise too_large(name, dtype, number)
    return numpy.asarray(whole, dtype)


def numbers_of(sequence, dtype, name):
    """Return the numbers in nested sequences of equal lengths as an array of `dtype`; TypeError for anything else.

    Raises as `converted` does.
    """
    try:
        array = numpy.array(sequence)
        if array.dtype.kind == "O" or array.dtype.kind == "f" != dtype.kind and (abs(array) >= _INEXACT).any():
            # Integers for which numpy has no type, or which it would round because there are fractions among them.
            array = numpy.array(sequence, object)
            if all([isinstance(number, numbers.Real) for number in array.flat]):
                exact = [_number(name, dtype, number) for number in array.flat]
                array = numpy.array(exact, dtype).reshape(array.shape)
        if array.size and array.dtype.kind not in "fiub":
            raise ValueError
    except ValueError:
        raise TypeError(f"{name}: expected nested sequences of numbers, all of one length") from None
    return converted(array.reshape(1) if array.ndim == 0 else array, dtype, name)


def converted(array, dtype, name):
    """Return `array` in `dtype`; the array itself if it has that dtype.

    Raises TypeError for fractions in an integer type, OverflowError for a number that does not fit.
    """
    if array.dtype == dtype:
        return array.view(dtype) if array.dtype is not dtype else array
    if dtype.kind != "f" and array.dtype.kind != "b" and array.size:
        for number in (array.min().item(), array.max().item()):  # Python compares integers and floats exactly
            if not numpy.iinfo(dtype).min <= number <= numpy.iinfo(dtype).max:
                raise too_large(name, dtype, number)
        if array.dtype.kind == "f" and not numpy.array_equal(array, numpy.trunc(array)):
            raise TypeError(f"{name}: {TYPE_NAMES[dtype]} holds integers; got fractions")
    return array.astype(dtype)
