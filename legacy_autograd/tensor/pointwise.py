"""Operations on every element by itself: functions of one number, comparisons, and those of two or three tensors.

Their results are in C order whatever the order of the operands. `inplace.py` has the forms that write to the tensor.
"""

import numbers

import numpy

from .. import conventions
from . import buffer_pool
from ._helpers import (
    combine,
    does_not_fit,
    is_tensor,
    number_for,
    point_by_point,
    result_like,
    shown,
    tensor_array,
    wrap,
    wrap_in_c_order,
)
from .arithmetic import ceil, floor, frac, rint, rsqrt, sigmoid, sign, trunc
from .dtypes import TYPE_NAMES

_BYTE = numpy.dtype("uint8")
_new = object.__new__


class Pointwise:
    __slots__ = ()

    __hash__ = object.__hash__  # a class with __eq__ loses it; two tensors are the same key only if they are one object

    # --- functions of one number

    def abs(self):
        """Return the absolute value of every element."""
        return _each(numpy.absolute, self)

    def neg(self):
        """Return every element with the opposite sign."""
        return _each(numpy.negative, self)

    def sign(self):
        """Return 1, 0 or -1 for every element that is positive, zero (or nan) or negative."""
        return _each(sign, self)

    def exp(self):
        """Return e to the power of every element. Raises TypeError for integers."""
        return _each(numpy.exp, self, "exp")

    def expm1(self):
        """Return exp(x) - 1 of every element, accurate near 0. Raises TypeError for integers."""
        return _each(numpy.expm1, self, "expm1")

    def log(self):
        """Return the natural logarithm of every element; nan below 0, -inf at 0. Raises TypeError for integers."""
        return _each(numpy.log, self, "log")

    def log1p(self):
        """Return log(1 + x) of every element, accurate near 0. Raises TypeError for integers."""
        return _each(numpy.log1p, self, "log1p")

    def sqrt(self):
        """Return the square root of every element; nan below 0. Raises TypeError for integers."""
        return _each(numpy.sqrt, self, "sqrt")

    def rsqrt(self):
        """Return 1 / sqrt(x) of every element. Raises TypeError for integers."""
        return _each(rsqrt, self, "rsqrt")

    def reciprocal(self):
        """Return 1 / x of every element. Raises TypeError for integers."""
        return _each(numpy.reciprocal, self, "reciprocal")

    def sigmoid(self):
        """Return 1 / (1 + exp(-x)) of every element. Raises TypeError for integers."""
        return _each(sigmoid, self, "sigmoid")

    def tanh(self):
        """Return the hyperbolic tangent of every element. Raises TypeError for integers."""
        return _each(numpy.tanh, self, "tanh")

    def sin(self):
        """Return the sine of every element. Raises TypeError for integers."""
        return _each(numpy.sin, self, "sin")

    def cos(self):
        """Return the cosine of every element. Raises TypeError for integers."""
        return _each(numpy.cos, self, "cos")

    def tan(self):
        """Return the tangent of every element. Raises TypeError for integers."""
        return _each(numpy.tan, self, "tan")

    def asin(self):
        """Return the arc sine of every element; nan outside of [-1, 1]. Raises TypeError for integers."""
        return _each(numpy.arcsin, self, "asin")

    def acos(self):
        """Return the arc cosine of every element; nan outside of [-1, 1]. Raises TypeError for integers."""
        return _each(numpy.arccos, self, "acos")

    def atan(self):
        """Return the arc tangent of every element. Raises TypeError for integers."""
        return _each(numpy.arctan, self, "atan")

    def sinh(self):
        """Return the hyperbolic sine of every element. Raises TypeError for integers."""
        return _each(numpy.sinh, self, "sinh")

    def cosh(self):
        """Return the hyperbolic cosine of every element. Raises TypeError for integers."""
        return _each(numpy.cosh, self, "cosh")

    def floor(self):
        """Return the largest integer <= x for every element x."""
        return _each(floor, self)

    def ceil(self):
        """Return the smallest integer >= x for every element x."""
        return _each(ceil, self)

    def round(self):
        """Return the nearest integer of every element; of two, the even one, as in torch today."""
        return _each(rint, self)

    def trunc(self):
        """Return every element without its fraction."""
        return _each(trunc, self)

    def frac(self):
        """Return the fraction of every element with its sign: x - trunc(x). Raises TypeError for integers."""
        return _each(frac, self, "frac")

    # --- comparisons

    def eq(self, other):
        """Return a ByteTensor that is 1 where self == other, a Tensor of this type or a number, and 0 elsewhere."""
        return _compare("eq", numpy.equal, self, other)

    def ne(self, other):
        """Return a ByteTensor that is 1 where self != other, a Tensor of this type or a number, and 0 elsewhere."""
        return _compare("ne", numpy.not_equal, self, other)

    def lt(self, other):
        """Return a ByteTensor that is 1 where self < other, a Tensor of this type or a number, and 0 elsewhere."""
        return _compare("lt", numpy.less, self, other)

    def le(self, other):
        """Return a ByteTensor that is 1 where self <= other, a Tensor of this type or a number, and 0 elsewhere."""
        return _compare("le", numpy.less_equal, self, other)

    def gt(self, other):
        """Return a ByteTensor that is 1 where self > other, a Tensor of this type or a number, and 0 elsewhere."""
        return _compare("gt", numpy.greater, self, other)

    def ge(self, other):
        """Return a ByteTensor that is 1 where self >= other, a Tensor of this type or a number, and 0 elsewhere."""
        return _compare("ge", numpy.greater_equal, self, other)

    def __eq__(self, other):
        if conventions.era.equality_is_identity:
            return NotImplemented  # Python compares identities then
        return _comparison_operator("eq", numpy.equal, self, other)

    def __ne__(self, other):
        if conventions.era.equality_is_identity:
            return NotImplemented
        return _comparison_operator("ne", numpy.not_equal, self, other)

    def __lt__(self, other):
        return _comparison_operator("lt", numpy.less, self, other)

    def __le__(self, other):
        return _comparison_operator("le", numpy.less_equal, self, other)

    def __gt__(self, other):
        return _comparison_operator("gt", numpy.greater, self, other)

    def __ge__(self, other):
        return _comparison_operator("ge", numpy.greater_equal, self, other)

    # --- limits

    def clamp(self, min=None, max=None):
        """Return the elements, those below `min` replaced by `min`, those above `max` by `max`; one may be None.

        Raises ValueError where both are None, TypeError for a fraction as the limit of integers.
        """
        return result_like(self, clamped("clamp", self.array, min, max, buffer_pool.like(self.array)))

    def clamp_min(self, min):
        """Return `clamp` with a lower limit only."""
        return result_like(self, clamped("clamp_min", self.array, min, None, buffer_pool.like(self.array)))

    def clamp_max(self, max):
        """Return `clamp` with an upper limit only."""
        return result_like(self, clamped("clamp_max", self.array, None, max, buffer_pool.like(self.array)))

    def cmax(self, other):
        """Return the larger of self and other, a Tensor of this type or a number, pointwise; nan if one is nan."""
        return combine("cmax", numpy.maximum, self, other)

    def cmin(self, other):
        """Return the smaller of self and other, a Tensor of this type or a number, pointwise; nan if one is nan."""
        return combine("cmin", numpy.minimum, self, other)

    # --- two or three tensors

    def atan2(self, other):
        """Return the angle of the point (other, self), pointwise, from -π to π. Raises TypeError for integers."""
        fractions_of("atan2", self)
        return combine("atan2", numpy.arctan2, self, other)

    def lerp(self, end, weight):
        """Return self + weight * (end - self), pointwise; `weight` is a number or a Tensor. TypeError for integers."""
        fractions_of("lerp", self)
        return self.add(combine("lerp", numpy.subtract, end, self).mul(weight))

    def addcmul(self, *arguments, value=1):
        """Return self + value * t1 * t2, pointwise: `addcmul(t1, t2)` or `addcmul(value, t1, t2)`."""
        value, first, second = value_and_tensors("addcmul", value, arguments)
        return self.add(value, first.mul(second))

    def addcdiv(self, *arguments, value=1):
        """Return self + value * t1 / t2, pointwise: `addcdiv(t1, t2)` or `addcdiv(value, t1, t2)`."""
        value, first, second = value_and_tensors("addcdiv", value, arguments)
        return self.add(value, first.div(second))

    def cross(self, other, dim=None):
        """Return the cross product along `dim`, which has size 3; by default the first dimension that has.

        Raises ValueError for tensors of different shapes and without such a dimension.
        """
        a, b = self.array, tensor_array("cross", self.array, other)
        if a.shape != b.shape:
            raise does_not_fit("cross", a.shape, b.shape)
        if dim is None:
            dim = a.shape.index(3) if 3 in a.shape else 0
        if not -a.ndim <= dim < a.ndim or a.shape[dim] != 3:
            raise ValueError(f"cross: expected a dimension of size 3, got {shown(self)} and dim={dim}")
        (a0, a1, a2), (b0, b1, b2) = numpy.moveaxis(a, dim, 0), numpy.moveaxis(b, dim, 0)
        return wrap_in_c_order(numpy.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], dim))

    def equal(self, other):
        """Return whether `other` has the same shape and elements. Raises TypeError for a tensor of another type."""
        b = tensor_array("equal", self.array, other)
        return self.array.shape == b.shape and bool((self.array == b).all())

    # --- bits, for masks above all

    def __and__(self, other):
        return self._bits("and", numpy.bitwise_and, other)

    __rand__ = __and__

    def __or__(self, other):
        return self._bits("or", numpy.bitwise_or, other)

    __ror__ = __or__

    def __xor__(self, other):
        return self._bits("xor", numpy.bitwise_xor, other)

    __rxor__ = __xor__

    def __lshift__(self, other):
        return self._bits("left shift", numpy.left_shift, other)

    def __rshift__(self, other):
        return self._bits("right shift", numpy.right_shift, other)

    def __invert__(self):
        """Return the opposite of a mask: 1 - self. Raises TypeError for types other than ByteTensor, as v0.1.x did."""
        if self.array.dtype != _BYTE:
            raise TypeError(f"invert (~): expected a mask, which is a ByteTensor, got {shown(self)}")
        return result_like(self, 1 - self.array)

    def _bits(self, name, ufunc, other, combine=combine):
        if self.array.dtype.kind == "f":
            raise TypeError(f"{name}: expected a tensor of integers, got {shown(self)}")
        return combine(name, ufunc, self, other)

    def __abs__(self):
        return self.abs()


def refuses_integers(name, array):
    """Return the TypeError of a function of fractions that was given integers."""
    return TypeError(
        f"{name}: a {TYPE_NAMES[array.dtype]} cannot hold fractions; convert it with .double() or .float()"
    )


def fractions_of(name, tensor):
    """Return the array of a Tensor that can hold fractions; TypeError for others."""
    if tensor.array.dtype.kind != "f":
        raise refuses_integers(name, tensor.array)
    return tensor.array


def _each(function, tensor, fractions=None):
    """Return `function` of every element. Where it takes no integers, `fractions` is its name, for the error."""
    array = tensor.array
    if fractions is not None and array.dtype.kind != "f":
        raise refuses_integers(fractions, array)
    if tensor._base is not None or array.nbytes >= buffer_pool.LARGE:
        return result_like(tensor, function(array, buffer_pool.like(array)))
    result = _new(type(tensor))  # `wrap`, written out for speed
    result.array = function(array)
    result._base = None
    result._writes = 0
    return result


def _compare(name, ufunc, tensor, other):
    a = tensor.array
    if type(other) is type(tensor):
        b = other.array if conventions.era.broadcast else point_by_point(a, other.array)
        view = tensor if tensor._base is not None else other
    else:
        b, view = _compared_number(name, a, other), tensor
    try:
        result = ufunc(a, b).view(_BYTE)
    except ValueError:
        raise does_not_fit(name, a.shape, b.shape) from None
    return wrap(result) if view._base is None else wrap_in_c_order(result)


def _comparison_operator(name, ufunc, tensor, other):
    """Compare with a Tensor or number; Python decides about other objects, so that `x == None` is False."""
    kind = type(other)
    is_number = kind is float or kind is int or isinstance(other, (numbers.Real, numpy.bool_))
    if is_number or kind is type(tensor) or is_tensor(other):
        return _compare(name, ufunc, tensor, other)
    if isinstance(other, numpy.ndarray):  # it would answer False, or True, for the whole
        raise TypeError(f"{name}: expected a {tensor.type()} or a number, got an ndarray; see from_numpy")
    return NotImplemented


def _compared_number(name, array, number):
    """Return `number` for a comparison with `array`. (2016 cut a fraction off before comparing integers with it.)"""
    if array.dtype.kind == "f" or not isinstance(number, numbers.Real):
        return number_for(name, array, number)
    if isinstance(number, numbers.Integral):
        return int(number)  # numpy compares it exactly, even where it is too large for the type
    number = float(number)
    return int(number) if number.is_integer() else number


def clamped(name, array, low, high, out=None):
    """Return `array` between the numbers `low` and `high`, one of which may be None, in `out` or in a new array."""
    if low is None and high is None:
        raise ValueError(f"{name}: expected min, max or both")
    if low is not None:
        out = numpy.maximum(array, number_for(name, array, low), out=out)
        array = out
    if high is not None:
        out = numpy.minimum(array, number_for(name, array, high), out=out)
    return out


def value_and_tensors(name, value, arguments):
    """Return the number and the two Tensors in `arguments`: (value, tensor1, tensor2) or (tensor1, tensor2)."""
    if len(arguments) == 3:
        value, *arguments = arguments
    if len(arguments) != 2 or is_tensor(value) or not all([is_tensor(argument) for argument in arguments]):
        raise TypeError(
            f"{name}: expected (tensor, tensor) or (number, tensor, tensor), got "
            f"({', '.join([shown(argument) for argument in (value, *arguments)])})"
        )
    return value, *arguments
