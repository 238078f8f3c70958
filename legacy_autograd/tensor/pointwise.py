"""Operations on every element by itself: functions of one number, comparisons, and those of two or three tensors.

The functions of one number stand in one table, FUNCTIONS, which also gives their in-place forms (see `inplace.py`).
"""

import numbers

import numpy

from . import memory
from .arithmetic import rsqrt
from .types import FLOATING, TYPE_NAMES
from .wrapping import combine, does_not_fit, is_tensor, number_for, shown, tensor_array, wrap

_ONE = {dtype: numpy.ones((), dtype) for dtype in FLOATING}
_BYTE = numpy.dtype("uint8")


def _sigmoid(a, out=None):
    # exp may overflow to inf, of which the reciprocal is the right 0; small results keep all their digits.
    out = numpy.negative(a, out)
    numpy.exp(out, out)
    numpy.add(out, _ONE[out.dtype], out)
    return numpy.reciprocal(out, out)


def _sign(a, out=None):
    isnan = numpy.isnan(a)
    out = numpy.sign(a, out)
    if numpy.count_nonzero(isnan):
        out[isnan] = 0  # as in torch
    return out


def _frac(a, out=None):
    return numpy.subtract(a, numpy.trunc(a), out)


def _same(function):
    """A rounding function, which leaves integers as they are."""

    def rounded(a, out=None):
        if a.dtype.kind == "f":
            return function(a, out)
        return a.copy() if out is None else out

    return rounded


# name: (function of an array, whether it gives fractions and so refuses integers, what it computes)
FUNCTIONS = {
    "abs": (numpy.absolute, False, "|x|"),
    "neg": (numpy.negative, False, "-x"),
    "sign": (_sign, False, "1, 0 or -1, as x is positive, 0 (or nan) or negative"),
    "exp": (numpy.exp, True, "e to the power of x"),
    "expm1": (numpy.expm1, True, "exp(x) - 1, exact near 0"),
    "log": (numpy.log, True, "The natural logarithm of x; nan below 0, -inf at 0"),
    "log1p": (numpy.log1p, True, "log(1 + x), exact near 0"),
    "sqrt": (numpy.sqrt, True, "The square root of x; nan below 0"),
    "rsqrt": (rsqrt, True, "1 / sqrt(x)"),
    "reciprocal": (numpy.reciprocal, True, "1 / x"),
    "sigmoid": (_sigmoid, True, "1 / (1 + exp(-x))"),
    "tanh": (numpy.tanh, True, "The hyperbolic tangent of x"),
    "sin": (numpy.sin, True, "The sine of x"),
    "cos": (numpy.cos, True, "The cosine of x"),
    "tan": (numpy.tan, True, "The tangent of x"),
    "asin": (numpy.arcsin, True, "The arc sine of x; nan outside [-1, 1]"),
    "acos": (numpy.arccos, True, "The arc cosine of x; nan outside [-1, 1]"),
    "atan": (numpy.arctan, True, "The arc tangent of x"),
    "sinh": (numpy.sinh, True, "The hyperbolic sine of x"),
    "cosh": (numpy.cosh, True, "The hyperbolic cosine of x"),
    "floor": (_same(numpy.floor), False, "The largest integer <= x"),
    "ceil": (_same(numpy.ceil), False, "The smallest integer >= x"),
    "round": (_same(numpy.rint), False, "The nearest integer; of two, the even one, as in torch today"),
    "trunc": (_same(numpy.trunc), False, "x without its fraction"),
    "frac": (_frac, True, "The fraction of x, with its sign: x - trunc(x)"),
}


def refuses_integers(name, array):
    """The TypeError of a function of fractions that was given integers."""
    return TypeError(
        f"{name}: a {TYPE_NAMES[array.dtype]} cannot hold fractions; convert it with .double() or .float()"
    )


def _method(name, function, fractions, doc):
    def method(self):
        array = self.array
        if fractions and array.dtype.kind != "f":
            raise refuses_integers(name, array)
        return wrap(function(array, memory.like(array)))

    doc += ", pointwise. TypeError for integers." if fractions else ", pointwise."
    return documented(method, "Pointwise", name, doc)


def documented(method, class_name, name, doc):
    """`method` under `name`, as if it had been written out in the class."""
    method.__name__ = name
    method.__qualname__ = f"{class_name}.{name}"
    method.__doc__ = doc
    return method


def _compare(name, ufunc, tensor, other):
    array = tensor.array
    if type(other) is type(tensor):
        return wrap(combine(name, ufunc, tensor, other, same_type=False).array.view(_BYTE))
    return wrap(ufunc(array, _compared_number(name, array, other)).view(_BYTE))


def _comparison(name, ufunc, sign):
    def method(self, other):
        return _compare(name, ufunc, self, other)

    doc = f"A ByteTensor that is 1 where self {sign} other, a Tensor or a number, and 0 elsewhere."
    return documented(method, "Pointwise", name, doc)


def _compared_number(name, array, number):
    """`number` for a comparison with `array`. (2016 cut a fraction off before comparing integers with it.)"""
    if array.dtype.kind == "f":
        return number_for(name, array, number)
    if not isinstance(number, numbers.Real):
        raise TypeError(f"{name}: expected a {TYPE_NAMES[array.dtype]} or a number, got {type(number).__name__}")
    if isinstance(number, numbers.Integral):
        return int(number)  # numpy compares it exactly, even where it is too large for the type
    number = float(number)
    return int(number) if number.is_integer() else number


def _comparison_operator(name, ufunc):
    def method(self, other):
        kind = type(other)
        if kind is type(self) or kind is float or kind is int or isinstance(other, numbers.Real):
            return _compare(name, ufunc, self, other)
        if isinstance(other, numpy.ndarray):  # it would answer False, or True, for the whole
            raise TypeError(f"{name}: expected a {self.type()} or a number, got an ndarray; see from_numpy")
        return NotImplemented

    return documented(method, "Pointwise", f"__{name}__", f"`{name}` as an operator.")


class Pointwise:
    __slots__ = ()

    __hash__ = object.__hash__  # a class with __eq__ loses it; two tensors are the same key only if they are one object

    # --- limits

    def clamp(self, min=None, max=None):
        """The elements, those below `min` replaced by it, those above `max` by that; one of the two may be None."""
        return wrap(clamped("clamp", self.array, min, max))

    def clamp_min(self, min):
        """`clamp` with a lower limit only."""
        return wrap(clamped("clamp_min", self.array, min, None))

    def clamp_max(self, max):
        """`clamp` with an upper limit only."""
        return wrap(clamped("clamp_max", self.array, None, max))

    def cmax(self, other):
        """The larger of self and other (a Tensor or number), pointwise; nan if one of them is."""
        return combine("cmax", numpy.maximum, self, other)

    def cmin(self, other):
        """The smaller of self and other (a Tensor or number), pointwise; nan if one of them is."""
        return combine("cmin", numpy.minimum, self, other)

    # --- two or three tensors

    def atan2(self, other):
        """The angle of the point (other, self), pointwise, from -π to π. TypeError for integers."""
        if self.array.dtype.kind != "f":
            raise refuses_integers("atan2", self.array)
        return combine("atan2", numpy.arctan2, self, other)

    def lerp(self, end, weight):
        """self + weight * (end - self), pointwise; `weight` is a number or a Tensor."""
        if self.array.dtype.kind != "f":
            raise refuses_integers("lerp", self.array)
        return self.add(end.sub(self).mul(weight))

    def addcmul(self, *arguments, value=1):
        """self + value * t1 * t2, pointwise: `addcmul(t1, t2)` or `addcmul(value, t1, t2)`."""
        value, first, second = value_and_tensors("addcmul", value, arguments)
        return self.add(value, first.mul(second))

    def addcdiv(self, *arguments, value=1):
        """self + value * t1 / t2, pointwise: `addcdiv(t1, t2)` or `addcdiv(value, t1, t2)`."""
        value, first, second = value_and_tensors("addcdiv", value, arguments)
        return self.add(value, first.div(second))

    def cross(self, other, dim=None):
        """The cross product along `dim`, which has size 3; where none is said, along the first that has."""
        a, b = self.array, tensor_array("cross", self.array, other)
        if a.shape != b.shape:
            raise does_not_fit("cross", a.shape, b.shape)
        if dim is None:
            dim = a.shape.index(3) if 3 in a.shape else 0
        if not -a.ndim <= dim < a.ndim or a.shape[dim] != 3:
            raise ValueError(f"cross: expected a dimension of size 3, got {shown(self)} and dim={dim}")
        (a0, a1, a2), (b0, b1, b2) = numpy.moveaxis(a, dim, 0), numpy.moveaxis(b, dim, 0)
        return wrap(numpy.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], dim))

    def equal(self, other):
        """Whether `other` has the same size and the same elements, a bool. TypeError for a tensor of another type."""
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
        """The opposite of a mask: 1 - self. TypeError for every other type than a ByteTensor, as in v0.1.x."""
        if self.array.dtype != _BYTE:
            raise TypeError(f"invert (~): expected a mask, which is a ByteTensor, got {shown(self)}")
        return wrap(1 - self.array)

    def _bits(self, name, ufunc, other):
        if self.array.dtype.kind == "f":
            raise TypeError(f"{name}: expected a tensor of integers, got {shown(self)}")
        return combine(name, ufunc, self, other)

    def __abs__(self):
        return self.abs()


def clamped(name, array, low, high, out=None):
    """`array` between the numbers `low` and `high`, either of which may be None, in `out` or in a new array."""
    if low is None and high is None:
        raise ValueError(f"{name}: expected min, max or both")
    if low is not None:
        out = numpy.maximum(array, number_for(name, array, low), out=out)
        array = out
    if high is not None:
        out = numpy.minimum(array, number_for(name, array, high), out=out)
    return out


def value_and_tensors(name, value, arguments):
    """The number and the two Tensors among `arguments` (value, tensor1, tensor2) or (tensor1, tensor2)."""
    if len(arguments) == 3:
        value, *arguments = arguments
    if len(arguments) != 2 or is_tensor(value) or not all([is_tensor(argument) for argument in arguments]):
        raise TypeError(
            f"{name}: expected (tensor, tensor) or (number, tensor, tensor), got "
            f"({', '.join([shown(argument) for argument in (value, *arguments)])})"
        )
    return value, *arguments


for _name, (_function, _fractions, _doc) in FUNCTIONS.items():
    setattr(Pointwise, _name, _method(_name, _function, _fractions, _doc))
for _name, _ufunc, _sign_shown in (
    ("eq", numpy.equal, "=="),
    ("ne", numpy.not_equal, "!="),
    ("lt", numpy.less, "<"),
    ("le", numpy.less_equal, "<="),
    ("gt", numpy.greater, ">"),
    ("ge", numpy.greater_equal, ">="),
):
    setattr(Pointwise, _name, _comparison(_name, _ufunc, _sign_shown))
    setattr(Pointwise, f"__{_name}__", _comparison_operator(_name, _ufunc))
