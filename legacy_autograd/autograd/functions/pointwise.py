"""Functions of each element (2016: `torch/autograd/functions/pointwise.py`, which had Exp, Log and Log1p).

At a point without a derivative the gradient is that of modern torch. The docstring states it if it is not the obvious
value.
"""

import numpy

from ...tensor import Tensor, buffer_pool
from ...tensor.wrapping import wrap_in_c_order
from ..function import Function
from ._utils import Broadcasting, constant, saves, sum_to_size, zeros_like
from .basic_ops import ConstantFunction

__all__ = [
    "Abs", "Acos", "Addcdiv", "Addcmul", "Asin", "Atan", "Atan2", "Ceil", "Cinv", "Clamp", "Cmax", "CmaxConstant",
    "Cmin", "CminConstant", "Cos", "Cosh", "Exp", "Expm1", "Floor", "Fmod", "FmodConstant", "Frac", "Lerp", "Log",
    "Log1p", "Reciprocal", "Remainder", "RemainderConstant", "Round", "Rsqrt", "Sigmoid", "Sign", "Sin", "Sinh", "Sqrt",
    "Step", "Tan", "Tanh", "TanhBackward", "Trunc",
]  # fmt: skip


class Exp(Function):
    """The exponential e^x.

    Gradient:
        g e^x, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.1).
    """

    @saves(-1)
    def forward(self, x):
        result = x.exp()
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        return grad_output.mul(result)


class Log(Function):
    """The natural logarithm ln x.

    Gradient:
        g / x, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.1).
    """

    @saves(0)
    def forward(self, x):
        self.save_for_backward(x)
        return x.log()

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return grad_output.div(x)


class Log1p(Function):
    """ln(1 + x), accurate for small x.

    Gradient:
        g / (1 + x), where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.1).
    """

    def forward(self, x):
        self.save_for_backward(x)
        return x.log1p()

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return grad_output.div(x.add(1))


# --- the following save x or the result, so each class has only its two formulas


class OfInput(Function):
    """The base of functions whose derivative is a formula in x.

    A subclass defines `value(x)` and `gradient(grad, x)`.
    """

    @saves(0)
    def forward(self, x):
        self.save_for_backward(x)
        return self.value(x)

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return self.gradient(grad_output, x)


class OfResult(Function):
    """The base of functions whose derivative is a formula in the result.

    A subclass defines `value(x)` and `gradient(grad, result)`.
    """

    @saves(-1)
    def forward(self, x):
        result = self.value(x)
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        return self.gradient(grad_output, result)


class OfBoth(Broadcasting):
    """The base of functions of two operands whose derivatives are formulas in both.

    A subclass defines `value(a, b)` and `gradients(grad, a, b)`.
    """

    @saves(0, 1)
    def forward(self, a, b):
        self.note_sizes(a, b)
        self.save_for_backward(a, b)
        return self.value(a, b)

    def backward(self, grad_output):
        return self.fit(*self.gradients(grad_output, *self.saved_tensors))


class Expm1(OfResult):
    """e^x - 1, accurate for small x.

    Gradient:
        g e^x, where g is the gradient of the output.
    """

    def value(self, x):
        return x.expm1()

    def gradient(self, grad, result):
        return grad.mul(result.add(1))


class Sqrt(OfResult):
    """The square root √x.

    Gradient:
        g / (2 √x), infinite at 0, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.sqrt()

    def gradient(self, grad, result):
        return grad.div(result.mul(2))


class Rsqrt(OfResult):
    """The reciprocal of the square root, 1 / √x.

    Gradient:
        -g / (2 √x³), where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.rsqrt()

    def gradient(self, grad, result):
        return grad.mul(-0.5).mul(result.pow(3))


class Abs(Function):
    """The absolute value |x|.

    Gradient:
        g sign(x), which is 0 at 0, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    @saves(0)
    def forward(self, x):
        self.save_for_backward(x)
        return x.abs()

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        if isinstance(grad_output, Tensor) and grad_output.array.nbytes < buffer_pool.LARGE:
            signs = numpy.sign(x.array)  # `arithmetic.sign`, written out
            is_nan = numpy.isnan(signs)
            if 1 in is_nan.tobytes():
                signs[is_nan] = 0
            return wrap_in_c_order(numpy.multiply(grad_output.array, signs))
        return grad_output.mul(x.sign())


class Sigmoid(OfResult):
    """The logistic function s = 1 / (1 + e^-x).

    Gradient:
        g s (1 - s), where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.sigmoid()

    def gradient(self, grad, result):
        return grad.mul(result).mul(1 - result)


class Tanh(OfResult):
    """The hyperbolic tangent t = tanh x.

    Gradient:
        g (1 - t²), where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.tanh()

    def gradient(self, grad, result):
        if isinstance(grad, Tensor):
            return grad.mul(1 - result.mul(result))
        return TanhBackward()(grad, result)[0]


class TanhBackward(Function):
    """The gradient of tanh, called with f and t = tanh x: f (1 - t²).

    Gradient:
        For f, g (1 - t²); for t, -2 f g t, where g is the gradient of the output.
    """

    @saves(0, 1)
    def forward(self, grad, result):
        self.save_for_backward(grad, result)
        return grad.mul(1 - result.mul(result))

    def backward(self, grad_output):
        grad, result = self.saved_tensors
        needs_grad, needs_result = self.needs_input_grad
        return (
            Tanh.gradient(self, grad_output, result) if needs_grad else None,
            grad_output.mul(grad).mul(result).mul(-2) if needs_result else None,
        )


class Sin(OfInput):
    """The sine of x.

    Gradient:
        g cos x, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.sin()

    def gradient(self, grad, x):
        return grad.mul(x.cos())


class Cos(OfInput):
    """The cosine of x.

    Gradient:
        -g sin x, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.cos()

    def gradient(self, grad, x):
        return grad.neg().mul(x.sin())


class Tan(OfResult):
    """The tangent t = tan x.

    Gradient:
        g (1 + t²), where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.tan()

    def gradient(self, grad, result):
        return grad.mul(result.mul(result).add(1))


class Asin(OfInput):
    """The inverse sine, arcsin x.

    Gradient:
        g / √(1 - x²), infinite at -1 and 1, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.asin()

    def gradient(self, grad, x):
        return grad.mul((1 - x.mul(x)).rsqrt())


class Acos(OfInput):
    """The inverse cosine, arccos x.

    Gradient:
        -g / √(1 - x²), infinite at -1 and 1, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.acos()

    def gradient(self, grad, x):
        return grad.neg().mul((1 - x.mul(x)).rsqrt())


class Atan(OfInput):
    """The inverse tangent, arctan x.

    Gradient:
        g / (1 + x²), where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.atan()

    def gradient(self, grad, x):
        return grad.div(x.mul(x).add(1))


class Atan2(Broadcasting):
    """The angle of the point (x, y). The arguments of a call are y and x.

    Gradient:
        For y, g x / (x² + y²); for x, -g y / (x² + y²); both are 0 at the origin, where g is the gradient of the
        output.
    """

    def forward(self, y, x):
        self.note_sizes(y, x)
        self.save_for_backward(y, x)
        return y.atan2(x)

    def backward(self, grad_output):
        y, x = self.saved_tensors
        square = y.mul(y).add(x.mul(x))
        origin = square.eq(0)
        grad = grad_output.div(square.masked_fill(origin, 1))
        return self.fit(grad.mul(x), grad.neg().mul(y))


class Sinh(OfInput):
    """The hyperbolic sine of x.

    Gradient:
        g cosh x, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.sinh()

    def gradient(self, grad, x):
        return grad.mul(x.cosh())


class Cosh(OfInput):
    """The hyperbolic cosine of x.

    Gradient:
        g sinh x, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.cosh()

    def gradient(self, grad, x):
        return grad.mul(x.sinh())


class Reciprocal(OfResult):
    """The reciprocal r = 1 / x.

    Gradient:
        -g r², where g is the gradient of the output.

    Source:
        `torch/autograd/_functions/pointwise.py` (v0.1.9).
    """

    def value(self, x):
        return x.reciprocal()

    def gradient(self, grad, result):
        return grad.neg().mul(result.mul(result))


Cinv = Reciprocal  # its name up to v0.1.5


# --- step functions


class Step(Function):
    """The base of the step functions, whose gradient is 0 everywhere, at the steps too."""

    def backward(self, grad_output):
        return zeros_like(grad_output)


class Sign(Step):
    """1 for a positive x, -1 for a negative x, 0 for 0.

    Gradient:
        0 everywhere.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def forward(self, x):
        return x.sign()


class Floor(Step):
    """The largest integer that is not above x.

    Gradient:
        0 everywhere.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def forward(self, x):
        return x.floor()


class Ceil(Step):
    """The smallest integer that is not below x.

    Gradient:
        0 everywhere.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def forward(self, x):
        return x.ceil()


class Round(Step):
    """The integer nearest to x; halfway between two integers, the even one.

    Gradient:
        0 everywhere.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def forward(self, x):
        return x.round()


class Trunc(Step):
    """x without its fraction.

    Gradient:
        0 everywhere.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def forward(self, x):
        return x.trunc()


class Frac(Function):
    """The fraction x - trunc(x).

    Gradient:
        g, at the steps too, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def forward(self, x):
        return x.frac()

    def backward(self, grad_output):
        return grad_output


# --- limits


class Clamp(OfInput):
    """x, limited to the range from `min` to `max`.

    Args:
        min: The lower limit, or None.
        max: The upper limit, or None.

    Raises:
        ValueError: In the call, if both limits are None.

    Gradient:
        g where min <= x <= max, including the limits themselves, and 0 elsewhere; g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def __init__(self, min=None, max=None):
        self.min = min
        self.max = max

    def value(self, x):
        return x.clamp(self.min, self.max)

    def gradient(self, grad, x):
        if self.max is None:
            inside = x.ge(self.min)
        elif self.min is None:
            inside = x.le(self.max)
        else:
            inside = x.ge(self.min).mul(x.le(self.max))
        return grad.masked_fill(inside.eq(0), 0)


class Cmax(OfBoth):
    """The larger of a and b.

    Gradient:
        g for the larger, 0 for the other, g / 2 for both where they are equal; g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, a, b):
        return a.cmax(b)

    def gradients(self, grad, a, b):
        shared = _shared(grad, a, b)
        return shared.masked_fill(a.lt(b), 0), shared.masked_fill(a.gt(b), 0)


class Cmin(OfBoth):
    """The smaller of a and b.

    Gradient:
        g for the smaller, 0 for the other, g / 2 for both where they are equal; g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, a, b):
        return a.cmin(b)

    def gradients(self, grad, a, b):
        shared = _shared(grad, a, b)
        return shared.masked_fill(a.gt(b), 0), shared.masked_fill(a.lt(b), 0)


class CmaxConstant(ConstantFunction, OfInput):
    """The larger of x and a number.

    Gradient:
        g where x is larger, g / 2 where they are equal, 0 elsewhere; g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.cmax(self.constant)

    def gradient(self, grad, x):
        return _shared(grad, x, self.constant).masked_fill(x.lt(self.constant), 0)


class CminConstant(ConstantFunction, OfInput):
    """The smaller of x and a number.

    Gradient:
        g where x is smaller, g / 2 where they are equal, 0 elsewhere; g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def value(self, x):
        return x.cmin(self.constant)

    def gradient(self, grad, x):
        return _shared(grad, x, self.constant).masked_fill(x.gt(self.constant), 0)


def _shared(grad, a, b):
    """Return `grad`, halved where a equals b."""
    return grad.div(a.eq(b).type_as(grad).add(1))


# --- remainders


class Remainder(OfBoth):
    """The remainder a - b floor(a / b), which has the sign of b.

    Gradient:
        For a, g; for b, -g q, where g is the gradient of the output and q the quotient that the remainder r belongs
        to, (a - r) / b. That is not floor(a / b), which is rounded: r is 0.1 for 1 and 0.1, so q is 9.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def __new__(cls, *constant):
        """Return a `RemainderConstant` for a constant, as up to v0.1.12."""
        return RemainderConstant(*constant) if constant else super().__new__(cls)

    def value(self, a, b):
        return a.remainder(b)

    def gradients(self, grad, a, b):
        needs_b = self.needs_input_grad[1]
        return grad, grad.neg().mul(constant(self.quotient(a.array, b.array), grad)) if needs_b else None

    def quotient(self, a, b):
        """Return the quotient that the remainder belongs to.

        Args:
            a: The dividend, an array.
            b: The divisor, likewise.
        """
        return numpy.floor_divide(a, b)  # as numpy.remainder computes it


class Fmod(Remainder):
    """The remainder a - b trunc(a / b), which has the sign of a.

    Gradient:
        For a, g; for b, -g q, where g is the gradient of the output and q the quotient that the remainder r belongs
        to, (a - r) / b. Modern torch takes trunc(a / b), which is rounded: 10 for 1 and 0.1, where r is 0.1 and q is 9.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def __new__(cls, *constant):
        """Return an `FmodConstant` for a constant, as up to v0.1.12."""
        return FmodConstant(*constant) if constant else super().__new__(cls)

    def value(self, a, b):
        return a.fmod(b)

    def quotient(self, a, b):
        return numpy.floor_divide(abs(a), abs(b)) * numpy.sign(a) * numpy.sign(b)


class RemainderConstant(ConstantFunction):
    """The remainder of x / constant, with the sign of the constant.

    Gradient:
        g, the gradient of the output.
    """

    def forward(self, x):
        return x.remainder(self.constant)

    def backward(self, grad_output):
        return grad_output


class FmodConstant(RemainderConstant):
    """The remainder of x / constant, with the sign of x.

    Gradient:
        g, the gradient of the output.
    """

    def forward(self, x):
        return x.fmod(self.constant)


# --- several operands and a number


class Lerp(Broadcasting):
    """The linear interpolation a + weight (b - a).

    Args:
        weight: A number.

    Gradient:
        For a, g (1 - weight); for b, g weight, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def __init__(self, weight):
        self.weight = weight

    def forward(self, a, b):
        self.note_sizes(a, b)
        return a.lerp(b, self.weight)

    def backward(self, grad_output):
        return self.fit(grad_output.mul(1 - self.weight), grad_output.mul(self.weight))


class Addcmul(Function):
    """x + scale a b.

    Args:
        scale: A number.

    Gradient:
        For x, g; for a, g scale b; for b, g scale a, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def __init__(self, scale=1):
        self.scale = scale

    def forward(self, x, a, b):
        self.sizes = x.array.shape, a.array.shape, b.array.shape
        self.save_for_backward(a, b)
        return x.addcmul(self.scale, a, b)

    def backward(self, grad_output):
        a, b = self.saved_tensors
        scaled = grad_output.mul(self.scale)
        return _fitted(self, grad_output, lambda: scaled.mul(b), lambda: scaled.mul(a))


class Addcdiv(Addcmul):
    """x + scale a / b.

    Gradient:
        For x, g; for a, g scale / b; for b, -g scale a / b², where g is the gradient of the output.

    Source:
        `torch/autograd/functions/pointwise.py` (v0.1.5).
    """

    def forward(self, x, a, b):
        self.sizes = x.array.shape, a.array.shape, b.array.shape
        self.save_for_backward(a, b)
        return x.addcdiv(self.scale, a, b)

    def backward(self, grad_output):
        a, b = self.saved_tensors
        scaled = grad_output.mul(self.scale).div(b)
        return _fitted(self, grad_output, lambda: scaled, lambda: scaled.neg().mul(a).div(b))


def _fitted(function, grad, *others):
    """Return the gradients of three operands, in their shapes; the last two are computed only if needed."""
    grads = [grad, *[other() if needed else None for other, needed in zip(others, function.needs_input_grad[1:])]]
    return tuple([None if grad is None else sum_to_size(grad, size) for grad, size in zip(grads, function.sizes)])
