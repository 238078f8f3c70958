"""Pointwise operations: functions of one number, comparisons, and functions of two or three tensors.

Their results are in C order whatever the order of the operands. `inplace.py` has the in-place forms.
"""

import math
import numbers
from typing import Self

import numpy

from .. import conventions
from . import buffer_pool
from .arguments import number_for, tensor_array
from .arithmetic import ceil, floor, frac, log_gamma, negative, rint, rsqrt, sigmoid, sign, trunc
from .backcompat import paired
from .dtypes import HALF
from .elementwise import clamped, combine, each, fractions_of, value_and_tensors
from .messages import does_not_fit, shown
from .wrapping import TensorBase, is_tensor, result_like, wrap, wrap_in_c_order

_BYTE = numpy.dtype("uint8")
_new = object.__new__


class Pointwise(TensorBase):
    """The pointwise methods of Tensor."""

    __slots__ = ()

    __hash__ = object.__hash__  # a class with __eq__ loses it; two tensors are the same key only if they are one object

    # --- functions of one number

    def abs(self) -> Self:
        """Return the absolute value of every element."""
        return each("abs", numpy.absolute, self)

    def neg(self) -> Self:
        """Return every element with the opposite sign."""
        return each("neg", negative, self)

    def sign(self) -> Self:
        """Return 1 for every positive element, -1 for every negative one, and 0 for zero and nan."""
        return each("sign", sign, self)

    def exp(self) -> Self:
        """Return e to the power of every element.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("exp", numpy.exp, self, fractions=True)

    def lgamma(self) -> Self:
        """Return ln |Γ(x)| for every element x, where Γ(n) = (n - 1)! (0.2).

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("lgamma", log_gamma, self, fractions=True)

    def expm1(self) -> Self:
        """Return exp(x) - 1 for every element x, accurate near 0.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("expm1", numpy.expm1, self, fractions=True)

    def log(self) -> Self:
        """Return the natural logarithm of every element: -inf at 0, nan below it.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("log", numpy.log, self, fractions=True)

    def log1p(self) -> Self:
        """Return log(1 + x) for every element x, accurate near 0.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("log1p", numpy.log1p, self, fractions=True)

    def sqrt(self) -> Self:
        """Return the square root of every element: nan below 0.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("sqrt", numpy.sqrt, self, fractions=True)

    def rsqrt(self) -> Self:
        """Return 1 / sqrt(x) for every element x.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("rsqrt", rsqrt, self, fractions=True)

    def reciprocal(self) -> Self:
        """Return 1 / x for every element x.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("reciprocal", numpy.reciprocal, self, fractions=True)

    def sigmoid(self) -> Self:
        """Return 1 / (1 + exp(-x)) for every element x.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("sigmoid", sigmoid, self, fractions=True)

    def tanh(self) -> Self:
        """Return the hyperbolic tangent of every element.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("tanh", numpy.tanh, self, fractions=True)

    def sin(self) -> Self:
        """Return the sine of every element.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("sin", numpy.sin, self, fractions=True)

    def cos(self) -> Self:
        """Return the cosine of every element.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("cos", numpy.cos, self, fractions=True)

    def tan(self) -> Self:
        """Return the tangent of every element.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("tan", numpy.tan, self, fractions=True)

    def asin(self) -> Self:
        """Return the arc sine of every element: nan outside of [-1, 1].

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("asin", numpy.arcsin, self, fractions=True)

    def acos(self) -> Self:
        """Return the arc cosine of every element: nan outside of [-1, 1].

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("acos", numpy.arccos, self, fractions=True)

    def atan(self) -> Self:
        """Return the arc tangent of every element.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("atan", numpy.arctan, self, fractions=True)

    def sinh(self) -> Self:
        """Return the hyperbolic sine of every element.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("sinh", numpy.sinh, self, fractions=True)

    def cosh(self) -> Self:
        """Return the hyperbolic cosine of every element.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("cosh", numpy.cosh, self, fractions=True)

    def floor(self) -> Self:
        """Return the largest integer <= x for every element x."""
        return each("floor", floor, self)

    def ceil(self) -> Self:
        """Return the smallest integer >= x for every element x."""
        return each("ceil", ceil, self)

    def round(self) -> Self:
        """Return the nearest integer of every element; of two equally near ones the even one, as in modern torch."""
        return each("round", rint, self)

    def trunc(self) -> Self:
        """Return the integer part of every element."""
        return each("trunc", trunc, self)

    def frac(self) -> Self:
        """Return the fractional part of every element, with its sign: x - trunc(x).

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each("frac", frac, self, fractions=True)

    # --- comparisons

    def eq(self, other: TensorBase | float) -> Self:
        """Return a ByteTensor that is 1 where self == other, and 0 elsewhere.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return _compare("eq", numpy.equal, self, other)

    def ne(self, other: TensorBase | float) -> Self:
        """Return a ByteTensor that is 1 where self != other, and 0 elsewhere.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return _compare("ne", numpy.not_equal, self, other)

    def lt(self, other: TensorBase | float) -> Self:
        """Return a ByteTensor that is 1 where self < other, and 0 elsewhere.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return _compare("lt", numpy.less, self, other)

    def le(self, other: TensorBase | float) -> Self:
        """Return a ByteTensor that is 1 where self <= other, and 0 elsewhere.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return _compare("le", numpy.less_equal, self, other)

    def gt(self, other: TensorBase | float) -> Self:
        """Return a ByteTensor that is 1 where self > other, and 0 elsewhere.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return _compare("gt", numpy.greater, self, other)

    def ge(self, other: TensorBase | float) -> Self:
        """Return a ByteTensor that is 1 where self >= other, and 0 elsewhere.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
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

    def clamp(self, min: float | None = None, max: float | None = None) -> Self:
        """Return the elements limited to the range from `min` to `max`.

        Args:
            min: The lower limit. Default: none.
            max: The upper limit. Default: none.

        Raises:
            ValueError: If both are None.
            TypeError: If a limit is a fraction and the tensor holds integers.
            OverflowError: If a limit does not fit into the type of the tensor.

        Example:
            >>> torch.Tensor([-2, 0.5, 2]).clamp(0, 1).tolist()
            [0.0, 0.5, 1.0]
        """
        return result_like(self, clamped("clamp", self.array, min, max, buffer_pool.like(self.array)))

    def clamp_min(self, min: float) -> Self:
        """Return the elements limited to at least `min`.

        Args:
            min: The lower limit.

        Raises:
            TypeError: If `min` is a fraction and the tensor holds integers.
        """
        return result_like(self, clamped("clamp_min", self.array, min, None, buffer_pool.like(self.array)))

    def clamp_max(self, max: float) -> Self:
        """Return the elements limited to at most `max`.

        Args:
            max: The upper limit.

        Raises:
            TypeError: If `max` is a fraction and the tensor holds integers.
        """
        return result_like(self, clamped("clamp_max", self.array, None, max, buffer_pool.like(self.array)))

    def cmax(self, other: TensorBase | float) -> Self:
        """Return the larger of self and other, pointwise; nan if one of them is nan.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return combine("cmax", numpy.maximum, self, other)

    def cmin(self, other: TensorBase | float) -> Self:
        """Return the smaller of self and other, pointwise; nan if one of them is nan.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return combine("cmin", numpy.minimum, self, other)

    # --- two or three tensors

    def atan2(self, other: TensorBase | float) -> Self:
        """Return the angle of the point (other, self), pointwise, from -π to π.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If the tensor holds integers, or `other` is a Tensor of another type.
        """
        fractions_of("atan2", self)
        return combine("atan2", numpy.arctan2, self, other)

    def lerp(self, end: TensorBase, weight: TensorBase | float) -> Self:
        """Return self + weight * (end - self), pointwise.

        Args:
            end: A Tensor of the same type.
            weight: A number, or a Tensor of the same type.

        Raises:
            TypeError: If the tensor holds integers.
        """
        fractions_of("lerp", self)
        return self.add(combine("lerp", numpy.subtract, end, self).mul(weight))

    def addcmul(self, *arguments: TensorBase | float, value: float = 1) -> Self:
        """Return self + value * t1 * t2, pointwise.

        Args:
            *arguments: The Tensors (t1, t2), or v0.1.x's (value, t1, t2).
            value: A factor, unless it is among the arguments.

        Raises:
            TypeError: If the arguments are not two Tensors, or a number and two Tensors.
        """
        value, first, second = value_and_tensors("addcmul", value, arguments)
        if self.array.dtype is HALF and type(first) is type(second) is type(self):  # rounded once, as in torch
            return self.float().addcmul(value, first.float(), second.float()).half()
        return self.add(value, first.mul(second))

    def addcdiv(self, *arguments: TensorBase | float, value: float = 1) -> Self:
        """Return self + value * t1 / t2, pointwise.

        Args:
            *arguments: The Tensors (t1, t2), or v0.1.x's (value, t1, t2).
            value: A factor, unless it is among the arguments.

        Raises:
            TypeError: If the arguments are not two Tensors, or a number and two Tensors.
        """
        value, first, second = value_and_tensors("addcdiv", value, arguments)
        if self.array.dtype is HALF and type(first) is type(second) is type(self):
            return self.float().addcdiv(value, first.float(), second.float()).half()
        return self.add(value, first.div(second))

    def cross(self, other: TensorBase, dim: int | None = None) -> Self:
        """Return the cross product along a dimension of size 3.

        Args:
            other: A Tensor of the same type and shape.
            dim: The dimension. Default: the first one of size 3.

        Raises:
            ValueError: If the shapes differ, or the dimension does not have size 3.
            TypeError: If `other` is not a Tensor of the same type.
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

    def equal(self, other: TensorBase) -> bool:
        """Return whether `other` has the same shape and elements.

        Args:
            other: A Tensor of the same type.

        Raises:
            TypeError: If `other` is not a Tensor of the same type.
        """
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
        """Return the opposite of a mask, 1 - self.

        Raises:
            TypeError: If this is not a ByteTensor, as in v0.1.x.
        """
        if self.array.dtype != _BYTE:
            raise TypeError(f"invert (~): expected a mask, which is a ByteTensor, got {shown(self)}")
        return result_like(self, 1 - self.array)

    def _bits(self, name, ufunc, other, combine=combine):
        if self.array.dtype.kind == "f":
            raise TypeError(f"{name}: expected a tensor of integers, got {shown(self)}")
        return combine(name, ufunc, self, other)

    def __abs__(self):
        return self.abs()


def _compare(name, ufunc, tensor, other):
    a = tensor.array
    if type(other) is type(tensor):
        b = paired(name, a, other.array)
        view = tensor if tensor._base is not None else other
    else:
        b, view = _compared_number(name, a, other), tensor
    try:
        result = ufunc(a, b).view(_BYTE)
    except ValueError:
        raise does_not_fit(name, a.shape, b.shape) from None
    return wrap(result) if view._base is None else wrap_in_c_order(result)


def _comparison_operator(name, ufunc, tensor, other):
    """Compare with a Tensor or number. Return NotImplemented for other objects, so that `x == None` is False."""
    kind = type(other)
    is_number = kind is float or kind is int or isinstance(other, (numbers.Real, numpy.bool_))
    if is_number or kind is type(tensor) or is_tensor(other):
        return _compare(name, ufunc, tensor, other)
    if isinstance(other, numpy.ndarray):  # it would answer False, or True, for the whole
        raise TypeError(f"{name}: expected a {tensor.type()} or a number, got an ndarray; see from_numpy")
    return NotImplemented


def _compared_number(name, array, number):
    """Return `number` for a comparison with `array`. v0.1.x truncated it for integers."""
    if array.dtype.kind == "f" or not isinstance(number, numbers.Real):
        return number_for(name, array, number)
    if isinstance(number, numbers.Integral):
        limits, number = numpy.iinfo(array.dtype), int(number)
        # numpy 1 rounds an integer that is too large for the type; an infinity has the same answers.
        return number if limits.min <= number <= limits.max else math.copysign(math.inf, number)
    number = float(number)
    return int(number) if number.is_integer() else number
