"""Pointwise operations of a Variable; their Functions are in `functions/pointwise.py`."""

from __future__ import annotations

from ..functions.basic_ops import Negate
from ..functions.pointwise import (
    Abs,
    Acos,
    Addcdiv,
    Addcmul,
    Asin,
    Atan,
    Atan2,
    Ceil,
    Clamp,
    Cmax,
    CmaxConstant,
    Cmin,
    CminConstant,
    Cos,
    Cosh,
    Exp,
    Expm1,
    Floor,
    Fmod,
    FmodConstant,
    Frac,
    Lerp,
    Log,
    Log1p,
    Reciprocal,
    Remainder,
    RemainderConstant,
    Round,
    Rsqrt,
    Sigmoid,
    Sign,
    Sin,
    Sinh,
    Sqrt,
    Tan,
    Tanh,
    Trunc,
)
from ..variable import Variable
from ._arguments import OPERANDS, numbers_first
from ._attach import attach


class PointwiseMethods:
    """Pointwise operations."""

    def exp(self) -> Variable:
        """Return e^x, elementwise.

        Gradient:
            `g * exp(x)`, where g is the gradient of the result.
        """
        return Exp()(self)[0]

    def expm1(self) -> Variable:
        """Return e^x - 1, elementwise, precise near 0.

        Gradient:
            `g * exp(x)`, where g is the gradient of the result.
        """
        return Expm1()(self)[0]

    def log(self) -> Variable:
        """Return the natural logarithm, elementwise.

        Gradient:
            `g / x`, where g is the gradient of the result.
        """
        return Log()(self)[0]

    def log1p(self) -> Variable:
        """Return ln(1 + x), elementwise, precise near 0.

        Gradient:
            `g / (1 + x)`, where g is the gradient of the result.
        """
        return Log1p()(self)[0]

    def sqrt(self) -> Variable:
        """Return the square root, elementwise.

        Gradient:
            `g / (2 * sqrt(x))`, where g is the gradient of the result; infinite at 0.
        """
        return Sqrt()(self)[0]

    def rsqrt(self) -> Variable:
        """Return 1 / √x, elementwise.

        Gradient:
            `-g / (2 * x * sqrt(x))`, where g is the gradient of the result.
        """
        return Rsqrt()(self)[0]

    def abs(self) -> Variable:
        """Return |x|, elementwise.

        Gradient:
            `g * sign(x)`, where g is the gradient of the result; 0 at 0.
        """
        return Abs()(self)[0]

    def neg(self) -> Variable:
        """Return -x, elementwise.

        Gradient:
            `-g`, where g is the gradient of the result.
        """
        return Negate()(self)[0]

    def sigmoid(self) -> Variable:
        """Return 1 / (1 + e^-x), elementwise.

        Gradient:
            `g * r * (1 - r)`, where g is the gradient of the result r.
        """
        return Sigmoid()(self)[0]

    def tanh(self) -> Variable:
        """Return the hyperbolic tangent, elementwise.

        Gradient:
            `g * (1 - r**2)`, where g is the gradient of the result r.
        """
        return Tanh()(self)[0]

    def sin(self) -> Variable:
        """Return the sine, elementwise.

        Gradient:
            `g * cos(x)`, where g is the gradient of the result.
        """
        return Sin()(self)[0]

    def cos(self) -> Variable:
        """Return the cosine, elementwise.

        Gradient:
            `-g * sin(x)`, where g is the gradient of the result.
        """
        return Cos()(self)[0]

    def tan(self) -> Variable:
        """Return the tangent, elementwise.

        Gradient:
            `g * (1 + r**2)`, where g is the gradient of the result r.
        """
        return Tan()(self)[0]

    def asin(self) -> Variable:
        """Return the arcsine, elementwise.

        Gradient:
            `g / sqrt(1 - x**2)`, where g is the gradient of the result; infinite at -1 and 1.
        """
        return Asin()(self)[0]

    def acos(self) -> Variable:
        """Return the arccosine, elementwise.

        Gradient:
            `-g / sqrt(1 - x**2)`, where g is the gradient of the result; infinite at -1 and 1.
        """
        return Acos()(self)[0]

    def atan(self) -> Variable:
        """Return the arctangent, elementwise.

        Gradient:
            `g / (1 + x**2)`, where g is the gradient of the result.
        """
        return Atan()(self)[0]

    def atan2(self, other: Variable) -> Variable:
        """Return the angle of the point (other, x), elementwise.

        Args:
            other: The horizontal coordinates; x are the vertical ones.

        Gradient:
            `g * other / (x**2 + other**2)` and `-g * x / (x**2 + other**2)`, where g is the gradient of the result; 0
            at the origin.
        """
        return Atan2()(self, other)[0]

    def sinh(self) -> Variable:
        """Return the hyperbolic sine, elementwise.

        Gradient:
            `g * cosh(x)`, where g is the gradient of the result.
        """
        return Sinh()(self)[0]

    def cosh(self) -> Variable:
        """Return the hyperbolic cosine, elementwise.

        Gradient:
            `g * sinh(x)`, where g is the gradient of the result.
        """
        return Cosh()(self)[0]

    def reciprocal(self) -> Variable:
        """Return 1 / x, elementwise.

        Gradient:
            `-g / x**2`, where g is the gradient of the result.
        """
        return Reciprocal()(self)[0]

    def sign(self) -> Variable:
        """Return the sign of each element: 1, 0 or -1.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return Sign()(self)[0]

    def floor(self) -> Variable:
        """Return the largest integer that is at most x, elementwise.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return Floor()(self)[0]

    def ceil(self) -> Variable:
        """Return the smallest integer that is at least x, elementwise.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return Ceil()(self)[0]

    def round(self) -> Variable:
        """Return the nearest integer, elementwise; a half is rounded to the even one.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return Round()(self)[0]

    def trunc(self) -> Variable:
        """Return x without its fraction, elementwise.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return Trunc()(self)[0]

    def frac(self) -> Variable:
        """Return the fraction x - trunc(x), elementwise.

        Gradient:
            `g`, the gradient of the result.
        """
        return Frac()(self)[0]

    def clamp(self, min: float | None = None, max: float | None = None) -> Variable:
        """Return x limited to [min, max], elementwise.

        Args:
            min: The lower limit. Default: none.
            max: The upper limit. Default: none.

        Raises:
            ValueError: If neither limit is given.

        Gradient:
            g where min <= x <= max, limits included, and 0 elsewhere; g is the gradient of the result.
        """
        return Clamp(min, max)(self)[0]

    def clamp_min(self, min: float) -> Variable:
        """Return `clamp(min=min)`.

        Args:
            min: The lower limit.

        Gradient:
            `where(x >= min, g, 0)`, where g is the gradient of the result.
        """
        return Clamp(min, None)(self)[0]

    def clamp_max(self, max: float) -> Variable:
        """Return `clamp(max=max)`.

        Args:
            max: The upper limit.

        Gradient:
            `where(x <= max, g, 0)`, where g is the gradient of the result.
        """
        return Clamp(None, max)(self)[0]

    def cmax(self, other: Variable | float) -> Variable:
        """Return the larger of x and `other`, elementwise.

        Args:
            other: The operand to compare with.

        Gradient:
            g, the gradient of the result, for the larger operand; g / 2 for each where they are equal.
        """
        if isinstance(other, Variable):
            return Cmax()(self, other)[0]
        return CmaxConstant(other)(self)[0]

    def cmin(self, other: Variable | float) -> Variable:
        """Return the smaller of x and `other`, elementwise.

        Args:
            other: The operand to compare with.

        Gradient:
            g, the gradient of the result, for the smaller operand; g / 2 for each where they are equal.
        """
        if isinstance(other, Variable):
            return Cmin()(self, other)[0]
        return CminConstant(other)(self)[0]

    def remainder(self, divisor: Variable | float) -> Variable:
        """Return the remainder of x / divisor with the sign of the divisor, elementwise.

        Args:
            divisor: The number or Variable to divide by.

        Gradient:
            `g` and `-g * floor(x / divisor)`, where g is the gradient of the result.
        """
        if isinstance(divisor, Variable):
            return Remainder()(self, divisor)[0]
        return RemainderConstant(divisor)(self)[0]

    def fmod(self, divisor: Variable | float) -> Variable:
        """Return the remainder of x / divisor with the sign of x, elementwise.

        Args:
            divisor: The number or Variable to divide by.

        Gradient:
            `g` and `-g * trunc(x / divisor)`, where g is the gradient of the result.
        """
        if isinstance(divisor, Variable):
            return Fmod()(self, divisor)[0]
        return FmodConstant(divisor)(self)[0]

    def lerp(self, end: Variable, weight: float) -> Variable:
        """Return x + weight (end - x), elementwise.

        Args:
            end: The result for weight 1.
            weight: How far the result is from x to `end`.

        Gradient:
            `g * (1 - weight)` and `g * weight`, where g is the gradient of the result.
        """
        return Lerp(weight)(self, end)[0]

    def addcmul(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Return x + value a b, elementwise.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first: `addcmul(value, a, b)`.
            value: The factor.

        Gradient:
            g for x, g value b for a and g value a for b, where g is the gradient of the result.
        """
        (value, *_), operands = numbers_first("addcmul", arguments, (value,))
        return Addcmul(value)(self, *operands)[0]

    def addcdiv(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Return x + value a / b, elementwise.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first: `addcdiv(value, a, b)`.
            value: The factor.

        Gradient:
            g for x, g value / b for a and -g value a / b² for b, where g is the gradient of the result.
        """
        (value, *_), operands = numbers_first("addcdiv", arguments, (value,))
        return Addcdiv(value)(self, *operands)[0]

    def __mod__(self, other):
        return self.remainder(other) if isinstance(other, OPERANDS) else NotImplemented

    def __abs__(self):
        return self.abs()


attach(PointwiseMethods)
