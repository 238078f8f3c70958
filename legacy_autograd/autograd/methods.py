"""`VariableMethods`: the operations of a Variable, and what PyTorch added to Variable after v0.1.1.

v0.1.1's own methods and operators are in `variable.py`. A method of this class calls one Function of `functions/`, or
the file of `later/` that implements it. Names, arguments and shapes are those of the Tensor's method of the same name,
which also raises the errors for incorrect shapes and types. No 2016 counterpart.

In the docstrings x is the Variable itself. A gradient is a Python expression over arrays, in backquotes, in which g
is the gradient of the result and r the result. Operands of different shapes are broadcast. Their gradients are then
summed to their own shapes.
"""

# mypy: disable-error-code="arg-type"
# (`self` is always a Variable, the class derived from this one, and passed on as such.)

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Self, overload

import numpy

from .. import conventions
from ..modern_names import NotInVariable
from ..tensor import Tensor
from ..tensor.messages import naming, shown
from ..tensor.no_cuda import accept_async
from ..tensor.reduce import check_norms

if TYPE_CHECKING:  # they import this file; the feet of variable.py and of later/__init__.py set these names
    from collections.abc import Callable, Sequence

    from ..tensor.dtypes import Size
    from ..utils.hooks import RemovableHandle
    from . import functions, later
    from .function import Function
    from .leaf import Leaf
    from .variable import Variable

# An operator calls its method for these types and for Variables. The method refuses some of them with a reason. For any
# other type the operator returns NotImplemented, so that `v == None` is False.
_OPERANDS = (Tensor, numpy.ndarray, numbers.Real, numpy.bool_)


def not_a_variable(tensor: object, creator: object) -> TypeError:
    """Return the exception of a Variable that cannot be made of these arguments.

    Args:
        tensor: The argument `tensor` of the Variable.
        creator: The argument `creator` of the Variable.
    """
    if isinstance(tensor, Tensor):
        return TypeError(
            f"Variable: creator is a {type(creator).__name__}; it must be a Function, or left out to make a leaf"
        )
    maker = "Variable needs" if creator is None else f"{type(creator).__name__}.forward must return"
    return TypeError(f"{maker} a Tensor, got {type(tensor).__name__}")


class VariableMethods(NotInVariable):
    """The base of Variable: every operation that it gained after v0.1.1, one method each.

    In the docstrings x is the Variable, r the result, and g the gradient of the result.
    """

    __slots__ = ()

    # Of Variable, the class derived from this one.
    data: Tensor
    creator: Function
    contiguous_: Callable[[], Self]
    sub: Callable[..., Variable]
    transpose: Callable[[int, int], Variable]
    type: Callable[..., Variable]
    view: Callable[..., Variable]
    _may_require_grad: Callable[[bool, bool], bool]

    # --- attributes

    @property
    def requires_grad(self) -> bool:
        """Whether backward computes a gradient for this Variable (v0.1.2). Settable on leaves (v0.1.5)."""
        return self.creator.requires_grad

    @requires_grad.setter
    def requires_grad(self, requires_grad: bool) -> None:
        if not self.is_leaf:
            if requires_grad:
                return
            raise RuntimeError(
                "requires_grad can be changed on leaves only; this Variable is an output of "
                f"{type(self.creator).__name__}. Use detach() to cut it off"
            )
        requires_grad = self._may_require_grad(bool(requires_grad), self.volatile)
        if isinstance(self.creator, Leaf):
            self.creator.requires_grad = requires_grad
        elif requires_grad:  # the creator required no gradient, so a graph that begins here loses nothing
            self.creator = Leaf(self, True)

    @property
    def volatile(self) -> bool:
        """Whether operations on this Variable are left unrecorded (v0.1.2; since 0.4.0 `no_grad`).

        Settable on leaves. A leaf does not require a gradient while it is volatile.
        """
        return self.creator._volatile

    @volatile.setter
    def volatile(self, volatile: bool) -> None:
        later.volatile.set_volatile(self, volatile)

    @property
    def array(self) -> numpy.ndarray:
        """The NumPy array behind `data`. Tensor has it too, so gradient code accepts either."""
        return self.data.array

    @property
    def is_leaf(self) -> bool:
        """Whether the graph ends at this Variable (v0.1.9).

        A leaf was made by hand, or by an operation that needed no gradient.
        """
        return not self.creator.requires_grad or isinstance(self.creator, Leaf)

    @property
    def output_nr(self) -> int:
        """The number of this Variable among the outputs of its creator.

        Raises:
            RuntimeError: If the creator did not make this Variable.
        """
        return self.creator._output_nr(id(self))

    @property
    def name(self) -> str | None:
        """The name for drawings and messages, or None."""
        return getattr(self, "_name", None)

    @name.setter
    def name(self, name: str | None) -> None:
        self._name = name

    def _gradient_as_variable(self):
        return later.variable_gradients.of(self)

    @property
    def _backward_hooks(self):
        """The hooks on this Variable without a name, as a dictionary; a hook put into it is registered (v0.1.9)."""
        return later.hooks.HooksOfVariable(self)

    @_backward_hooks.setter
    def _backward_hooks(self, hooks):
        current = later.hooks.HooksOfVariable(self)
        current.clear()
        current.update(hooks or {})

    backward_hooks = _backward_hooks  # their name up to v0.1.5

    def _named_hook(self, hook):
        """Return `hook` as the creator calls it. From v0.1.2 to v0.1.8 it took the gradient of this Variable alone."""
        if conventions.era.named_hook_takes_two or not callable(hook):
            return hook
        number = self.output_nr

        def with_one(grad_input, grad_output):
            hook(grad_output[number] if isinstance(grad_output, tuple) else grad_output)

        return with_one

    # --- Python's protocols

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter([self[i] for i in range(len(self.data))])

    def __bool__(self):
        """Return the truth of `data`; under v0.1.1's conventions True, under v0.1.12's whether `len` is above 0."""
        truth = conventions.era.truth_of_variable
        return bool(self.data) if truth == "number" else truth == "always" or len(self) > 0

    def __float__(self):
        return float(self.data)

    def __int__(self):
        return int(self.data)

    def __deepcopy__(self, memo):
        return later.copying.deep_copied(self, memo)

    def __reduce__(self):
        return later.copying.reduced(self)

    def __setstate__(self, state):
        """Restore a leaf from a pickle of v0.1.x: (requires_grad, volatile, hooks) (v0.1.3)."""
        later.copying.set_state(self, state)

    # --- pointwise functions

    def exp(self) -> Variable:
        """Return e^x, elementwise.

        Gradient:
            `g * exp(x)`, where g is the gradient of the result.
        """
        return functions.Exp()(self)[0]

    def expm1(self) -> Variable:
        """Return e^x - 1, elementwise, precise near 0.

        Gradient:
            `g * exp(x)`, where g is the gradient of the result.
        """
        return functions.Expm1()(self)[0]

    def log(self) -> Variable:
        """Return the natural logarithm, elementwise.

        Gradient:
            `g / x`, where g is the gradient of the result.
        """
        return functions.Log()(self)[0]

    def log1p(self) -> Variable:
        """Return ln(1 + x), elementwise, precise near 0.

        Gradient:
            `g / (1 + x)`, where g is the gradient of the result.
        """
        return functions.Log1p()(self)[0]

    def sqrt(self) -> Variable:
        """Return the square root, elementwise.

        Gradient:
            `g / (2 * sqrt(x))`, where g is the gradient of the result; infinite at 0.
        """
        return functions.Sqrt()(self)[0]

    def rsqrt(self) -> Variable:
        """Return 1 / √x, elementwise.

        Gradient:
            `-g / (2 * x * sqrt(x))`, where g is the gradient of the result.
        """
        return functions.Rsqrt()(self)[0]

    def abs(self) -> Variable:
        """Return |x|, elementwise.

        Gradient:
            `g * sign(x)`, where g is the gradient of the result; 0 at 0.
        """
        return functions.Abs()(self)[0]

    def neg(self) -> Variable:
        """Return -x, elementwise.

        Gradient:
            `-g`, where g is the gradient of the result.
        """
        return functions.Negate()(self)[0]

    def sigmoid(self) -> Variable:
        """Return 1 / (1 + e^-x), elementwise.

        Gradient:
            `g * r * (1 - r)`, where g is the gradient of the result r.
        """
        return functions.Sigmoid()(self)[0]

    def tanh(self) -> Variable:
        """Return the hyperbolic tangent, elementwise.

        Gradient:
            `g * (1 - r**2)`, where g is the gradient of the result r.
        """
        return functions.Tanh()(self)[0]

    def sin(self) -> Variable:
        """Return the sine, elementwise.

        Gradient:
            `g * cos(x)`, where g is the gradient of the result.
        """
        return functions.Sin()(self)[0]

    def cos(self) -> Variable:
        """Return the cosine, elementwise.

        Gradient:
            `-g * sin(x)`, where g is the gradient of the result.
        """
        return functions.Cos()(self)[0]

    def tan(self) -> Variable:
        """Return the tangent, elementwise.

        Gradient:
            `g * (1 + r**2)`, where g is the gradient of the result r.
        """
        return functions.Tan()(self)[0]

    def asin(self) -> Variable:
        """Return the arcsine, elementwise.

        Gradient:
            `g / sqrt(1 - x**2)`, where g is the gradient of the result; infinite at -1 and 1.
        """
        return functions.Asin()(self)[0]

    def acos(self) -> Variable:
        """Return the arccosine, elementwise.

        Gradient:
            `-g / sqrt(1 - x**2)`, where g is the gradient of the result; infinite at -1 and 1.
        """
        return functions.Acos()(self)[0]

    def atan(self) -> Variable:
        """Return the arctangent, elementwise.

        Gradient:
            `g / (1 + x**2)`, where g is the gradient of the result.
        """
        return functions.Atan()(self)[0]

    def atan2(self, other: Variable) -> Variable:
        """Return the angle of the point (other, x), elementwise.

        Args:
            other: The horizontal coordinates; x are the vertical ones.

        Gradient:
            `g * other / (x**2 + other**2)` and `-g * x / (x**2 + other**2)`, where g is the gradient of the result; 0
            at the origin.
        """
        return functions.Atan2()(self, other)[0]

    def sinh(self) -> Variable:
        """Return the hyperbolic sine, elementwise.

        Gradient:
            `g * cosh(x)`, where g is the gradient of the result.
        """
        return functions.Sinh()(self)[0]

    def cosh(self) -> Variable:
        """Return the hyperbolic cosine, elementwise.

        Gradient:
            `g * sinh(x)`, where g is the gradient of the result.
        """
        return functions.Cosh()(self)[0]

    def reciprocal(self) -> Variable:
        """Return 1 / x, elementwise.

        Gradient:
            `-g / x**2`, where g is the gradient of the result.
        """
        return functions.Reciprocal()(self)[0]

    def sign(self) -> Variable:
        """Return the sign of each element: 1, 0 or -1.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return functions.Sign()(self)[0]

    def floor(self) -> Variable:
        """Return the largest integer that is at most x, elementwise.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return functions.Floor()(self)[0]

    def ceil(self) -> Variable:
        """Return the smallest integer that is at least x, elementwise.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return functions.Ceil()(self)[0]

    def round(self) -> Variable:
        """Return the nearest integer, elementwise; a half is rounded to the even one.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return functions.Round()(self)[0]

    def trunc(self) -> Variable:
        """Return x without its fraction, elementwise.

        Gradient:
            `0 * g`, where g is the gradient of the result.
        """
        return functions.Trunc()(self)[0]

    def frac(self) -> Variable:
        """Return the fraction x - trunc(x), elementwise.

        Gradient:
            `g`, the gradient of the result.
        """
        return functions.Frac()(self)[0]

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
        return functions.Clamp(min, max)(self)[0]

    def clamp_min(self, min: float) -> Variable:
        """Return `clamp(min=min)`.

        Args:
            min: The lower limit.

        Gradient:
            `where(x >= min, g, 0)`, where g is the gradient of the result.
        """
        return functions.Clamp(min, None)(self)[0]

    def clamp_max(self, max: float) -> Variable:
        """Return `clamp(max=max)`.

        Args:
            max: The upper limit.

        Gradient:
            `where(x <= max, g, 0)`, where g is the gradient of the result.
        """
        return functions.Clamp(None, max)(self)[0]

    def cmax(self, other: Variable | float) -> Variable:
        """Return the larger of x and `other`, elementwise.

        Args:
            other: The operand to compare with.

        Gradient:
            g, the gradient of the result, for the larger operand; g / 2 for each where they are equal.
        """
        if isinstance(other, Variable):
            return functions.Cmax()(self, other)[0]
        return functions.CmaxConstant(other)(self)[0]

    def cmin(self, other: Variable | float) -> Variable:
        """Return the smaller of x and `other`, elementwise.

        Args:
            other: The operand to compare with.

        Gradient:
            g, the gradient of the result, for the smaller operand; g / 2 for each where they are equal.
        """
        if isinstance(other, Variable):
            return functions.Cmin()(self, other)[0]
        return functions.CminConstant(other)(self)[0]

    def remainder(self, divisor: Variable | float) -> Variable:
        """Return the remainder of x / divisor with the sign of the divisor, elementwise.

        Args:
            divisor: The number or Variable to divide by.

        Gradient:
            `g` and `-g * floor(x / divisor)`, where g is the gradient of the result.
        """
        if isinstance(divisor, Variable):
            return functions.Remainder()(self, divisor)[0]
        return functions.RemainderConstant(divisor)(self)[0]

    def fmod(self, divisor: Variable | float) -> Variable:
        """Return the remainder of x / divisor with the sign of x, elementwise.

        Args:
            divisor: The number or Variable to divide by.

        Gradient:
            `g` and `-g * trunc(x / divisor)`, where g is the gradient of the result.
        """
        if isinstance(divisor, Variable):
            return functions.Fmod()(self, divisor)[0]
        return functions.FmodConstant(divisor)(self)[0]

    def lerp(self, end: Variable, weight: float) -> Variable:
        """Return x + weight (end - x), elementwise.

        Args:
            end: The result for weight 1.
            weight: How far the result is from x to `end`.

        Gradient:
            `g * (1 - weight)` and `g * weight`, where g is the gradient of the result.
        """
        return functions.Lerp(weight)(self, end)[0]

    def addcmul(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Return x + value a b, elementwise.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first: `addcmul(value, a, b)`.
            value: The factor.

        Gradient:
            g for x, g value b for a and g value a for b, where g is the gradient of the result.
        """
        (value, *_), operands = _numbers_first("addcmul", arguments, (value,))
        return functions.Addcmul(value)(self, *operands)[0]

    def addcdiv(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Return x + value a / b, elementwise.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first: `addcdiv(value, a, b)`.
            value: The factor.

        Gradient:
            g for x, g value / b for a and -g value a / b² for b, where g is the gradient of the result.
        """
        (value, *_), operands = _numbers_first("addcdiv", arguments, (value,))
        return functions.Addcdiv(value)(self, *operands)[0]

    def softmax(self, dim: int | None = None) -> Variable:
        """Return e^x / Σ e^x, with the sum along `dim`.

        Args:
            dim: The dimension to sum along. Default, as in v0.1.x: 0 for 1 and 3 dimensions, 1 for 2 and 4.

        Raises:
            ValueError: If `dim` is missing and there are more than 4 dimensions.
            TypeError: For integers.

        Gradient:
            `r * (g - sum(g * r, dim, keepdims=True))`, where g is the gradient of the result r.
        """
        return functions.Softmax(dim)(self)[0]

    def log_softmax(self, dim: int | None = None) -> Variable:
        """Return ln(e^x / Σ e^x), with the sum along `dim`.

        Args:
            dim: The dimension to sum along. Default, as in v0.1.x: 0 for 1 and 3 dimensions, 1 for 2 and 4.

        Raises:
            ValueError: If `dim` is missing and there are more than 4 dimensions.
            TypeError: For integers.

        Gradient:
            `g - exp(r) * sum(g, dim, keepdims=True)`, where g is the gradient of the result r.
        """
        return functions.LogSoftmax(dim)(self)[0]

    # --- comparisons, which have no derivative: the result requires no gradient

    def eq(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x == other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return functions.Eq()(self, other)[0] if isinstance(other, Variable) else functions.Eq(other)(self)[0]

    def ne(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x != other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return functions.Ne()(self, other)[0] if isinstance(other, Variable) else functions.Ne(other)(self)[0]

    def lt(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x < other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return functions.Lt()(self, other)[0] if isinstance(other, Variable) else functions.Lt(other)(self)[0]

    def le(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x <= other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return functions.Le()(self, other)[0] if isinstance(other, Variable) else functions.Le(other)(self)[0]

    def gt(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x > other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return functions.Gt()(self, other)[0] if isinstance(other, Variable) else functions.Gt(other)(self)[0]

    def ge(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x >= other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return functions.Ge()(self, other)[0] if isinstance(other, Variable) else functions.Ge(other)(self)[0]

    # --- reductions: of all elements to shape (1,), or along `dim`, which stays with size 1 unless keepdim is False

    def sum(self, dim: int | None = None, keepdim: bool = True) -> Variable:
        """Return the sum of all elements, or the sums along one dimension.

        Args:
            dim: The dimension to sum along. Default: all elements, with a result of shape (1,).
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            `g + 0 * x`: every element receives g, the gradient of the result.
        """
        return functions.Sum(dim, keepdim)(self)[0]

    def mean(self, dim: int | None = None, keepdim: bool = True) -> Variable:
        """Return the mean of all elements, or the means along one dimension.

        Args:
            dim: The dimension to average along. Default: all elements, with a result of shape (1,).
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            g / n for every element, where g is the gradient of the result and n the number of elements averaged.
        """
        return functions.Mean(dim, keepdim)(self)[0]

    def prod(self, dim: int | None = None, keepdim: bool = True) -> Variable:
        """Return the product of all elements, or the products along one dimension.

        Args:
            dim: The dimension to multiply along. Default: all elements, with a result of shape (1,).
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            `g * r / x`, where g is the gradient of the result r. Where x is 0, g times the product of the other
            elements.
        """
        return functions.Prod(dim, keepdim)(self)[0]

    def var(self, dim: int | None = None, unbiased: bool = True, keepdim: bool = True) -> Variable:
        """Return the variance Σ (x - mean)² / (n - 1) of all n elements, or the variances along one dimension.

        Args:
            dim: The dimension. Default: all elements, with a result of shape (1,).
            unbiased: Whether to divide by n - 1, else by n.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            2 g (x - mean) / (n - 1), or / n if not `unbiased`, where g is the gradient of the result; nan where the
            divisor is 0.
        """
        return functions.Var(dim, unbiased, keepdim)(self)[0]

    def std(self, dim: int | None = None, unbiased: bool = True, keepdim: bool = True) -> Variable:
        """Return the square root of `var(dim, unbiased, keepdim)`.

        Args:
            dim: The dimension. Default: all elements, with a result of shape (1,).
            unbiased: Whether the variance divides by n - 1, else by n.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            That of `var`, divided by 2 r, where r is the result; 0 where r is 0.
        """
        return functions.Std(dim, unbiased, keepdim)(self)[0]

    def norm(self, p: float = 2, dim: int | None = None, keepdim: bool = True) -> Variable:
        """Return the p-norm (Σ |x|^p)^(1/p) of all elements, or the p-norms along one dimension.

        Args:
            p: The exponent. It may be infinite. For 0 the norm is the number of elements other than 0.
            dim: The dimension. Default: all elements, with a result of shape (1,).
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            `g * sign(x) * (abs(x) / r)**(p - 1)`, where g is the gradient of the result r; 0 where r or x is 0. The
            infinite norms share g among the elements with |x| = r. For p = 0 the gradient is 0.
        """
        return functions.Norm(p, dim, keepdim)(self)[0]

    @overload
    def max(self, dim: Variable | None = None) -> Variable: ...

    @overload
    def max(self, dim: int, keepdim: bool = True) -> tuple[Variable, Variable]: ...

    def max(self, dim: Any = None, keepdim: bool = True) -> Any:
        """Return the largest element, or the largest elements along one dimension and their indices.

        Args:
            dim: The dimension to search along. Default: all elements. With a Variable, `max` is `cmax`.
            keepdim: Whether `dim` stays in the result, with size 1.

        Returns:
            A Variable of shape (1,) without `dim`; along `dim` a tuple of the values and their indices.

        Gradient:
            g, the gradient of the result, for the largest element, in equal shares if there are several. Along `dim`
            the element that the index names receives all of it. Indices have no gradient.

        Example:
            >>> x = Variable(torch.Tensor([[1, 5, 3], [4, 2, 6]]))
            >>> values, indices = x.max(1)
            >>> values.data.tolist(), indices.data.tolist()
            ([[5.0], [6.0]], [[1], [2]])
        """
        if dim is None:
            return functions.Max()(self)[0]
        if isinstance(dim, Variable):
            return functions.Cmax()(self, dim)[0]
        return functions.Max(dim, keepdim)(self)

    @overload
    def min(self, dim: Variable | None = None) -> Variable: ...

    @overload
    def min(self, dim: int, keepdim: bool = True) -> tuple[Variable, Variable]: ...

    def min(self, dim: Any = None, keepdim: bool = True) -> Any:
        """Return the smallest element, or the smallest elements along one dimension and their indices.

        Args:
            dim: The dimension to search along. Default: all elements. With a Variable, `min` is `cmin`.
            keepdim: Whether `dim` stays in the result, with size 1.

        Returns:
            A Variable of shape (1,) without `dim`; along `dim` a tuple of the values and their indices.

        Gradient:
            g, the gradient of the result, for the smallest element, in equal shares if there are several. Along `dim`
            the element that the index names receives all of it. Indices have no gradient.
        """
        if dim is None:
            return functions.Min()(self)[0]
        if isinstance(dim, Variable):
            return functions.Cmin()(self, dim)[0]
        return functions.Min(dim, keepdim)(self)

    def argmax(self, dim: int | None = None, keepdim: bool = True) -> Variable:
        """Return the index of the largest element, as a LongTensor Variable. It has no gradient.

        Args:
            dim: The dimension to search along. Default: the flattened x.
            keepdim: Whether `dim` stays in the result, with size 1.
        """
        return _indices(self.data.argmax(dim, keepdim))

    def argmin(self, dim: int | None = None, keepdim: bool = True) -> Variable:
        """Return the index of the smallest element, as a LongTensor Variable. It has no gradient.

        Args:
            dim: The dimension to search along. Default: the flattened x.
            keepdim: Whether `dim` stays in the result, with size 1.
        """
        return _indices(self.data.argmin(dim, keepdim))

    def median(self, dim: int = -1, keepdim: bool = True) -> tuple[Variable, Variable]:
        """Return the medians along `dim` and their indices, as a tuple.

        Args:
            dim: The dimension. Of an even number of elements, the lower median is returned.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            g, the gradient of the values, for the elements that the indices name. Indices have no gradient.
        """
        return functions.Median(dim, keepdim)(self)

    def mode(self, dim: int = -1, keepdim: bool = True) -> tuple[Variable, Variable]:
        """Return the most frequent elements along `dim` and their indices, as a tuple.

        Args:
            dim: The dimension.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            g, the gradient of the values, for the elements that the indices name. Indices have no gradient.
        """
        return functions.Mode(dim, keepdim)(self)

    def kthvalue(self, k: int, dim: int = -1, keepdim: bool = True) -> tuple[Variable, Variable]:
        """Return the k-th smallest elements along `dim` and their indices, as a tuple.

        Args:
            k: The rank, from 1 on.
            dim: The dimension.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            g, the gradient of the values, for the elements that the indices name. Indices have no gradient.
        """
        return functions.Kthvalue(k, dim, keepdim)(self)

    def cumsum(self, dim: int) -> Variable:
        """Return the running sums along `dim`, in the shape of x.

        Args:
            dim: The dimension.

        Gradient:
            `flip(cumsum(flip(g, dim), dim), dim)`: the running sums, from the end, of g, the gradient of the result.
        """
        return functions.Cumsum(dim)(self)[0]

    def cumprod(self, dim: int) -> Variable:
        """Return the running products along `dim`, in the shape of x.

        Args:
            dim: The dimension.

        Gradient:
            The running sums of g r from the end, divided by x, where g is the gradient of the result r; exact at 0.
        """
        return functions.Cumprod(dim)(self)[0]

    def dist(self, other: Variable, p: float = 2) -> Variable:
        """Return the p-norm of x - other, with shape (1,).

        Args:
            other: The Variable to subtract.
            p: The exponent, as for `norm`.

        Gradient:
            That of `norm` for x, and its negative for `other`.
        """
        with naming("dist"):
            return self.sub(other).norm(p)

    def renorm(self, p: float, dim: int, maxnorm: float) -> Variable:
        """Return x with each slice along `dim` whose p-norm is above `maxnorm` scaled down to it.

        Args:
            p: The exponent of the norm.
            dim: The dimension whose slices are scaled.
            maxnorm: The largest norm of a slice.

        Gradient:
            g, the gradient of the result, for slices that are not scaled. For the others that of the scaling, in which
            the norm is a function of x.
        """
        check_norms(p, maxnorm)
        rows = self.transpose(dim, 0).contiguous()
        flat = rows.view(rows.size(0), -1)
        is_kept = flat.norm(p, 1).gt(maxnorm).eq(0)  # also where it is nan, and then has no part in the gradient
        norms = flat.masked_fill(is_kept.expand_as(flat), 1).norm(p, 1)
        factors = (maxnorm / (norms + 1e-7)).masked_fill(is_kept, 1)
        return (rows * factors.view(-1, *(1,) * (len(rows.size()) - 1))).transpose(dim, 0)

    # --- products of matrices and vectors

    def mm(self, other: Variable) -> Variable:
        """Return the product of two matrices, (n, m) and (m, p), with shape (n, p).

        Args:
            other: The right matrix.

        Gradient:
            `g @ other.T` and `x.T @ g`, where g is the gradient of the result.
        """
        return functions.Mm()(self, other)[0]

    def mv(self, vector: Variable) -> Variable:
        """Return the product of a matrix (n, m) and a vector (m,), with shape (n,).

        Args:
            vector: The vector.

        Gradient:
            `outer(g, vector)` and `x.T @ g`, where g is the gradient of the result.
        """
        return functions.Mv()(self, vector)[0]

    def bmm(self, other: Variable) -> Variable:
        """Return the matrix products of two batches, (b, n, m) and (b, m, p), with shape (b, n, p).

        Args:
            other: The batch of right matrices.

        Gradient:
            `g @ swapaxes(other, 1, 2)` and `swapaxes(x, 1, 2) @ g`, where g is the gradient of the result.
        """
        return functions.Bmm()(self, other)[0]

    def dot(self, other: Variable) -> Variable:
        """Return Σ x other, with shape (1,).

        Args:
            other: A Variable with as many elements as x.

        Gradient:
            `g * other` and `g * x`, where g is the gradient of the result.
        """
        return functions.Dot()(self, other)[0]

    def ger(self, other: Variable) -> Variable:
        """Return the outer product of two vectors, (n,) and (m,), with shape (n, m).

        Args:
            other: The vector (m,).

        Gradient:
            `g @ other` and `g.T @ x`, where g is the gradient of the result.
        """
        return functions.Ger()(self, other)[0]

    def matmul(self, other: Variable) -> Variable:
        """Return the matrix product of vectors, matrices or batches by modern torch's rules.

        A vector is a row on the left and a column on the right. Two vectors give shape (1,). Batch dimensions
        broadcast.

        Args:
            other: The right operand.

        Gradient:
            g otherᵀ and xᵀ g, where g is the gradient of the result, summed over broadcast batch dimensions.
        """
        return functions.Matmul()(self, other)[0]

    def addmm(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha a b for matrices a and b.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addmm(beta, a, b)`, `addmm(beta, alpha, a,
                b)`.
            beta: The factor of x.
            alpha: The factor of the product.

        Gradient:
            beta g for x, alpha g bᵀ for a and alpha aᵀ g for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("addmm", arguments, (beta, alpha))
        return functions.Addmm(alpha, beta)(self, *operands)[0]

    def addmv(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha a b for a matrix a and a vector b.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addmv(beta, a, b)`, `addmv(beta, alpha, a,
                b)`.
            beta: The factor of x.
            alpha: The factor of the product.

        Gradient:
            beta g for x, alpha g bᵀ for a and alpha aᵀ g for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("addmv", arguments, (beta, alpha))
        return functions.Addmv(alpha, beta)(self, *operands)[0]

    def addr(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha a bᵀ for vectors a and b.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addr(beta, a, b)`, `addr(beta, alpha, a, b)`.
            beta: The factor of x.
            alpha: The factor of the product.

        Gradient:
            beta g for x, alpha g b for a and alpha gᵀ a for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("addr", arguments, (beta, alpha))
        return functions.Addr(alpha, beta)(self, *operands)[0]

    def addbmm(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha Σ a b, where the sum goes over the pairs of two batches of matrices.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addbmm(beta, a, b)`, `addbmm(beta, alpha, a,
                b)`.
            beta: The factor of x.
            alpha: The factor of the sum.

        Gradient:
            beta g for x, and in each pair alpha g bᵀ for a and alpha aᵀ g for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("addbmm", arguments, (beta, alpha))
        return functions.Addbmm(alpha, beta)(self, *operands)[0]

    def baddbmm(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha a b for each pair of two batches of matrices.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `baddbmm(beta, a, b)`, `baddbmm(beta, alpha,
                a, b)`.
            beta: The factor of x.
            alpha: The factor of the products.

        Gradient:
            beta g for x, alpha g bᵀ for a and alpha aᵀ g for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = _numbers_first("baddbmm", arguments, (beta, alpha))
        return functions.Baddbmm(alpha, beta)(self, *operands)[0]

    def inverse(self) -> Variable:
        """Return the inverse of a square matrix.

        Gradient:
            `-r.T @ g @ r.T`, where g is the gradient of the result r.
        """
        return functions.Inverse()(self)[0]

    def cross(self, other: Variable, dim: int | None = None) -> Variable:
        """Return the cross product along a dimension of size 3.

        Args:
            other: The right operand.
            dim: The dimension. Default: the first one of size 3.

        Gradient:
            `cross(other, g)` and `cross(g, x)`, along the same dimension, where g is the gradient of the result.
        """
        return functions.Cross(dim)(self, other)[0]

    # --- shape and order

    def permute(self, *dims: int) -> Variable:
        """Return a view with the dimensions in another order.

        Args:
            *dims: The numbers of the dimensions in their new order.

        Gradient:
            g, the gradient of the result, with its dimensions in their old order.
        """
        return functions.Permute(*dims)(self)[0]

    def expand(self, *sizes: int | Sequence[int]) -> Variable:
        """Return a view in which dimensions of size 1 are repeated.

        Args:
            *sizes: The new sizes; -1 keeps a size.

        Raises:
            ValueError: For a dimension whose size is neither 1 nor the new one.

        Gradient:
            g, the gradient of the result, summed over the repetitions.
        """
        return functions.Expand(*sizes)(self)[0]

    def expand_as(self, other: Variable) -> Variable:
        """Return `expand` to the shape of `other`.

        Args:
            other: The Variable that gives the shape. It receives no gradient.
        """
        return self.expand(*other.size())

    def repeat(self, *sizes: int | Sequence[int]) -> Variable:
        """Return a copy that repeats x along each dimension.

        Args:
            *sizes: How often to repeat along each dimension.

        Gradient:
            g, the gradient of the result, summed over the repetitions.
        """
        return functions.Repeat(*sizes)(self)[0]

    def squeeze(self, dim: int | None = None) -> Variable:
        """Return a view without the dimensions of size 1.

        Args:
            dim: The only dimension to remove, if it has size 1. Default: all of size 1.

        Gradient:
            g, the gradient of the result, in the shape of x.
        """
        return functions.Squeeze(dim)(self)[0]

    def unsqueeze(self, dim: int) -> Variable:
        """Return a view with a new dimension of size 1.

        Args:
            dim: The number of the new dimension.

        Gradient:
            g, the gradient of the result, without that dimension.
        """
        return functions.Unsqueeze(dim)(self)[0]

    def unfold(self, dim: int, size: int, step: int) -> Variable:
        """Return a view of all windows along `dim`, in a new last dimension.

        Args:
            dim: The dimension.
            size: The size of a window.
            step: The distance between the starts of two windows.

        Gradient:
            The windows of g, the gradient of the result, added where they overlap.

        Example:
            >>> Variable(torch.Tensor([1, 2, 3, 4, 5])).unfold(0, 3, 2).data.tolist()
            [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]
        """
        return functions.Unfold(dim, size, step)(self)[0]

    def narrow(self, dim: int, start: int, length: int) -> Variable:
        """Return a view of consecutive slices along `dim`.

        Args:
            dim: The dimension.
            start: The first slice.
            length: The number of slices.

        Raises:
            IndexError: If there are not that many slices.

        Gradient:
            g, the gradient of the result, in those slices; 0 elsewhere.
        """
        return functions.Narrow(dim, start, length)(self)[0]

    def select(self, dim: int, index: int) -> Variable:
        """Return a view of one slice, without the dimension `dim`; of a vector, shape (1,).

        Args:
            dim: The dimension.
            index: The position of the slice along it.

        Gradient:
            g, the gradient of the result, in that slice; 0 elsewhere.
        """
        return functions.Select(dim, index)(self)[0]

    def split(self, split_size: int | Sequence[int], dim: int = 0) -> tuple[Variable, ...]:
        """Return x in parts along `dim`, as a tuple of views.

        Args:
            split_size: The size of each part, of which the last may be smaller, or a list of sizes.
            dim: The dimension.

        Gradient:
            The gradients of the parts, concatenated.
        """
        return functions.Split(split_size, dim)(self)

    def chunk(self, chunks: int, dim: int = 0) -> tuple[Variable, ...]:
        """Return x in parts of equal size along `dim`, as a tuple of views. The last part may be smaller.

        Args:
            chunks: The largest number of parts.
            dim: The dimension.

        Gradient:
            The gradients of the parts, concatenated.
        """
        return functions.Chunk(chunks, dim)(self)

    def sort(self, dim: int = -1, descending: bool = False) -> tuple[Variable, Variable]:
        """Return the elements in order along `dim` and their indices, as a tuple. The sort is stable.

        Args:
            dim: The dimension.
            descending: Whether the largest element comes first.

        Gradient:
            g, the gradient of the values, at the places that the indices name. Indices have no gradient.
        """
        return functions.Sort(dim, descending)(self)

    def topk(self, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Variable, Variable]:
        """Return the `k` largest elements along `dim`, in order, and their indices, as a tuple.

        Args:
            k: The number of elements.
            dim: The dimension.
            largest: Whether to return the largest elements, else the smallest.
            sorted: Ignored: the elements are in order in either case.

        Gradient:
            g, the gradient of the values, for the elements that the indices name. Indices have no gradient.
        """
        return functions.Topk(k, dim, largest, sorted)(self)

    def diag(self, k: int = 0) -> Variable:
        """Return a diagonal of a matrix, or a matrix with this vector as a diagonal and 0 elsewhere.

        Args:
            k: The number of the diagonal: 0 the main one, above it positive, below it negative.

        Gradient:
            Of a matrix: g, the gradient of the result, on that diagonal and 0 elsewhere. Of a vector: that diagonal of
            g.
        """
        return functions.Diag(k)(self)[0]

    def tril(self, k: int = 0) -> Variable:
        """Return x with zeros above the `k`-th diagonal.

        Args:
            k: The number of the diagonal, as for `diag`.

        Gradient:
            `tril(g, k)`, where g is the gradient of the result.
        """
        return functions.Tril(k)(self)[0]

    def triu(self, k: int = 0) -> Variable:
        """Return x with zeros below the `k`-th diagonal.

        Args:
            k: The number of the diagonal, as for `diag`.

        Gradient:
            `triu(g, k)`, where g is the gradient of the result.
        """
        return functions.Triu(k)(self)[0]

    def trace(self) -> Variable:
        """Return the sum of the diagonal of a matrix, with shape (1,).

        Gradient:
            `g * eye(*x.shape)`, where g is the gradient of the result.
        """
        return functions.Trace()(self)[0]

    def clone(self) -> Variable:
        """Return a copy with its own memory, still part of the graph.

        Gradient:
            `g`, the gradient of the result.
        """
        return functions.Clone()(self)[0]

    def contiguous(self) -> Self:
        """Return x itself if it is contiguous, else a contiguous copy.

        Under v0.1.12's conventions it returns x in both cases and replaces its data, as `contiguous_` does.

        Gradient:
            `g`, the gradient of the result.
        """
        if self.is_contiguous():
            return self
        return functions.Contiguous()(self)[0] if conventions.era.contiguous_is_another else self.contiguous_()

    def reshape(self, *sizes: int | Sequence[int]) -> Variable:
        """Return x with another shape: a view where memory allows it, else a copy.

        Args:
            *sizes: The new shape.

        Gradient:
            g, the gradient of the result, in the shape of x.
        """
        return self.contiguous().view(*sizes)

    def resize(self, *sizes: int | Sequence[int]) -> Variable:
        """Return x with another shape: a view where memory allows it, else a copy (v0.1.5).

        Args:
            *sizes: The new shape.

        Raises:
            RuntimeError: For another number of elements.

        Gradient:
            g, the gradient of the result, in the shape of x.
        """
        return functions.Resize(*sizes)(self)[0]

    def resize_as(self, other: Variable) -> Variable:
        """Return `resize` to the shape of `other`.

        Args:
            other: The Variable that gives the shape. It receives no gradient.
        """
        return self.resize(*other.size())

    def view_as(self, other: Variable) -> Variable:
        """Return `view` with the shape of `other`.

        Args:
            other: The Variable that gives the shape. It receives no gradient.
        """
        return self.view(*other.size())

    # --- elements chosen by an index or a mask, which has no gradient

    def index_select(self, dim: int, index: Variable | Tensor) -> Variable:
        """Return the slices along `dim` that `index` names.

        Args:
            dim: The dimension.
            index: A LongTensor vector.

        Gradient:
            g, the gradient of the result, added into zeros at the named slices.
        """
        return functions.IndexSelect(dim)(self, _constant(index))[0]

    def index_add(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Return x with the slices of `source` added to the slices that `index` names.

        Args:
            dim: The dimension.
            index: A LongTensor vector.
            source: The slices to add.

        Gradient:
            g for x and the slices of g at `index` for `source`, where g is the gradient of the result.
        """
        return functions.IndexAdd(dim)(self, _constant(index), source)[0]

    def index_copy(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Return x with the slices that `index` names replaced by those of `source`.

        Args:
            dim: The dimension.
            index: A LongTensor vector without repetitions.
            source: The new slices.

        Gradient:
            g with zeros at `index` for x and the slices of g at `index` for `source`, where g is the gradient of the
            result.
        """
        return functions.IndexCopy(dim)(self, _constant(index), source)[0]

    def index_fill(self, dim: int, index: Variable | Tensor, value: float) -> Variable:
        """Return x with a number in all elements of the slices that `index` names.

        Args:
            dim: The dimension.
            index: A LongTensor vector.
            value: The number.

        Gradient:
            g, the gradient of the result, with zeros there.
        """
        return functions.IndexFill(dim, value)(self, _constant(index))[0]

    def gather(self, dim: int, index: Variable | Tensor) -> Variable:
        """Return, for dim 0, x[index[i, j], j] at (i, j).

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor, whose shape is that of the result.

        Gradient:
            g, the gradient of the result, added into zeros at the named places.

        Example:
            >>> x = Variable(torch.Tensor([[1, 2], [3, 4]]))
            >>> x.gather(1, torch.LongTensor([[0, 0], [1, 0]])).data.tolist()
            [[1.0, 1.0], [4.0, 3.0]]
        """
        return functions.Gather(dim)(self, _constant(index))[0]

    def scatter(self, dim: int, index: Variable | Tensor, source: Variable | float) -> Variable:
        """Return x with `source` written, for dim 0, at (index[i, j], j).

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor that names each place once.
            source: The values, or one number for all places.

        Gradient:
            g with zeros at the named places for x and g at those places for `source`, where g is the gradient of the
            result.
        """
        if isinstance(source, numbers.Real):
            return functions.Scatter(dim, source)(self, _constant(index))[0]
        return functions.Scatter(dim)(self, _constant(index), source)[0]

    def scatter_add(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Return x with `source` added, for dim 0, at (index[i, j], j).

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor.
            source: The values to add.

        Gradient:
            g for x and g at the named places for `source`, where g is the gradient of the result.
        """
        return functions.ScatterAdd(dim)(self, _constant(index), source)[0]

    def take(self, index: Variable | Tensor) -> Variable:
        """Return the elements of the flattened x that `index` names.

        Args:
            index: A LongTensor, whose shape is that of the result.

        Gradient:
            g, the gradient of the result, added into zeros at the named elements.
        """
        return self.contiguous().view(-1)[_constant(index)]

    def masked_select(self, mask: Variable | Tensor) -> Variable:
        """Return a vector of the elements where `mask` is not 0.

        Args:
            mask: A ByteTensor.

        Gradient:
            The elements of g, the gradient of the result, in those places; 0 elsewhere.
        """
        return functions.MaskedSelect()(self, _constant(mask))[0]

    def masked_fill(self, mask: Variable | Tensor, value: float) -> Variable:
        """Return x with a number where `mask` is not 0.

        Args:
            mask: A ByteTensor.
            value: The number.

        Gradient:
            `where(mask, 0, g)`, where g is the gradient of the result.
        """
        return functions.MaskedFill(value)(self, _constant(mask))[0]

    def masked_copy(self, mask: Variable | Tensor, source: Variable) -> Variable:
        """Return x with the elements of `source`, in their order, where `mask` is not 0.

        Args:
            mask: A ByteTensor.
            source: The new elements.

        Gradient:
            g with zeros there for x and the elements of g there for `source`, where g is the gradient of the result.

        Example:
            >>> x = Variable(torch.Tensor([1, 2, 3]))
            >>> x.masked_copy(torch.ByteTensor([1, 0, 1]), Variable(torch.Tensor([7, 8]))).data.tolist()
            [7.0, 2.0, 8.0]
        """
        return functions.MaskedCopy()(self, _constant(mask), source)[0]

    def masked_scatter(self, mask: Variable | Tensor, source: Variable) -> Variable:
        """Return `masked_copy(mask, source)`, under its later name.

        Args:
            mask: A ByteTensor.
            source: The new elements.
        """
        return self.masked_copy(mask, source)

    # --- devices and numbers

    def cpu(self) -> Self:
        """Return x itself, which is in main memory."""
        return self

    def cuda(self, device_id: int | None = None, non_blocking: bool = False, **keywords: Any) -> Self:
        """Refuse, since there is no CUDA device; under `run --ignore-cuda` return x itself.

        Args:
            device_id: The number of the device, named in the message.
            non_blocking: Ignored; `async` in v0.1.x.
            **keywords: `async`, which is ignored.

        Raises:
            RuntimeError: Unless CUDA is ignored.
        """
        self.data.cuda(device_id, non_blocking, **keywords)
        return self

    def item(self) -> float:
        """Return the only element as a Python number.

        Raises:
            ValueError: If there is not exactly one element.
        """
        return self.data.item()

    # --- operators added after v0.1.1

    # If the conventions do not write in place, Python binds the name to the result of `+`, `-` or `*`.

    def __iadd__(self, other):
        return later.in_place.augmented(self, "add", other) if conventions.era.plus_equals_writes else NotImplemented

    def __isub__(self, other):
        return later.in_place.augmented(self, "sub", other) if conventions.era.plus_equals_writes else NotImplemented

    def __imul__(self, other):
        return later.in_place.augmented(self, "mul", other) if conventions.era.plus_equals_writes else NotImplemented

    def __eq__(self, other):
        if conventions.era.equality_is_identity:
            return NotImplemented
        return self.eq(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __ne__(self, other):
        if conventions.era.equality_is_identity:
            return NotImplemented
        return self.ne(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __lt__(self, other):
        return self.lt(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __le__(self, other):
        return self.le(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __gt__(self, other):
        return self.gt(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __ge__(self, other):
        return self.ge(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    __hash__ = object.__hash__  # identity, so that Variables serve as keys although == compares their numbers

    def __matmul__(self, other):
        return self.matmul(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __mod__(self, other):
        return self.remainder(other) if isinstance(other, (Variable, *_OPERANDS)) else NotImplemented

    def __abs__(self):
        return self.abs()

    def __and__(self, other):
        return _constant(self.data & other.data) if isinstance(other, Variable) else NotImplemented

    def __or__(self, other):
        return _constant(self.data | other.data) if isinstance(other, Variable) else NotImplemented

    def __xor__(self, other):
        return _constant(self.data ^ other.data) if isinstance(other, Variable) else NotImplemented

    def __invert__(self):
        return _constant(~self.data)

    __array_ufunc__ = None  # so that `numpy.float64(2) * v` is a Variable, not an array of Variables

    def __array__(self, dtype=None, copy=None):
        """Raise TypeError: NumPy's operations are not recorded in the graph."""
        raise TypeError(
            "a Variable is not an array: NumPy's operations are not recorded. Use its .data, or .data.numpy()"
        )

    # --- passed on to `data`, as v0.1.1 did for size, stride, nElement, numel and dim

    def size(self, dim: int | None = None) -> Any:
        """Return the shape as a Size, or the size of one dimension as an int.

        Args:
            dim: The dimension. Default: all.

        Raises:
            IndexError: For an unknown dimension.
        """
        return self.data.size(dim)

    @property
    def shape(self) -> Size:
        """The shape, as `size()` returns it."""
        return self.data.shape

    def dim(self) -> int:
        """Return the number of dimensions, at least 1."""
        return self.data.dim()

    def numel(self) -> int:
        """Return the number of elements."""
        return self.data.numel()

    def stride(self, dim: int | None = None) -> Any:
        """Return the strides in elements as a tuple, or the stride of one dimension as an int.

        Args:
            dim: The dimension. Default: all.
        """
        return self.data.stride(dim)

    def storage_offset(self) -> int:
        """Return the index of the first element in the memory that `data` shares; 0 if it is no view."""
        return self.data.storage_offset()

    def element_size(self) -> int:
        """Return the number of bytes of one element."""
        return self.data.element_size()

    def is_contiguous(self) -> bool:
        """Return whether the elements are adjacent in memory, the last dimension varying fastest."""
        return self.data.is_contiguous()

    def is_same_size(self, other: Variable | Tensor) -> bool:
        """Return whether `other` has the same shape.

        Args:
            other: The Variable or Tensor to compare with.
        """
        return self.data.is_same_size(other)

    def is_set_to(self, other: Variable | Tensor) -> bool:
        """Return whether `other` is the same memory with the same shape and strides.

        Args:
            other: The Variable or Tensor to compare with.
        """
        return self.data.is_set_to(other.data)

    def is_signed(self) -> bool:
        """Return whether the type can hold negative numbers."""
        return self.data.is_signed()

    @property
    def is_cuda(self) -> bool:
        """False: all tensors are in main memory."""
        return self.data.is_cuda

    @property
    def _version(self) -> int:
        """The number of in-place writes to the memory of `data`."""
        return self.data._version

    # --- the graph and its gradients, as later versions see them (each in a file of `later/`)

    @property
    def grad_fn(self) -> Function | None:
        """The Function that backward runs for this Variable: its `creator`; None for a leaf (0.2.0)."""
        return None if self.is_leaf else self.creator

    def detach(self) -> Variable:
        """Return a leaf over the same memory that requires no gradient (January 2017). Gradients end at it."""
        return later.detach.detach(self)

    def no_grad(self) -> Variable:
        """Return `detach()`, under its name of v0.1.5."""
        return self.detach()

    def detach_(self) -> Variable:
        """Cut this Variable off the graph that made it, and return it. Earlier results that used it stay linked."""
        return later.detach.detach_(self)

    def requires_grad_(self, requires_grad: bool = True) -> Variable:
        """Set `requires_grad` and return this Variable (0.4.0).

        Args:
            requires_grad: The new value.

        Raises:
            RuntimeError: For integers, for a Variable of `inference_mode`, and for False on a non-leaf.
        """
        return later.detach.requires_grad_(self, requires_grad)

    def retain_grad(self) -> None:
        """Let every later backward add to the `grad` of this non-leaf too (0.2.0). Do nothing for a leaf.

        Raises:
            RuntimeError: If this Variable requires no gradient.

        Example:
            >>> x = Variable(torch.Tensor([3]))
            >>> y = x * x
            >>> y.retain_grad()
            >>> (2 * y).backward()
            >>> y.grad.tolist()
            [2.0]
        """
        later.retain_grad.retain_grad(self)

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad` was called on this non-leaf; False for a leaf."""
        return later.retain_grad.retains_grad(self)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Variable], None]) -> RemovableHandle:
        """Register a hook that runs after each accumulation into the `grad` of this leaf (2.1).

        Args:
            hook: Called as `hook(variable)`.

        Returns:
            A handle with `remove()`.

        Raises:
            RuntimeError: If this Variable is no leaf or requires no gradient.
        """
        return later.hooks.register_post_accumulate_grad_hook(self, hook)

    def is_inference(self) -> bool:
        """Return whether this Variable was computed within `inference_mode` (1.9)."""
        return later.grad_mode.is_inference(self)

    def multinomial(self, num_samples: int = 1, with_replacement: bool = False) -> Variable:
        """Return indices drawn with probabilities proportional to this vector, or to each row of this matrix.

        Args:
            num_samples: The number of draws.
            with_replacement: Whether an index may be drawn again.

        Gradient:
            That of -reward ln p(draw), once `reinforce` was called on the result (December 2016).
        """
        return later.stochastic.Multinomial(num_samples, with_replacement)(self)[0]

    def bernoulli(self) -> Variable:
        """Return 1 with the probabilities x, else 0.

        Gradient:
            That of -reward ln p(draw), once `reinforce` was called on the result (December 2016).
        """
        return later.stochastic.Bernoulli()(self)[0]

    def reinforce(self, reward: Tensor | float) -> None:
        """Set the reward of a random draw, which its backward then uses.

        Args:
            reward: A number, or a Tensor of the shape of the draw.

        Raises:
            RuntimeError: If this Variable is no output of a stochastic Function, or has a reward already.
            TypeError: For a reward of another type.
            ValueError: For a reward of another shape.
        """
        later.stochastic.reinforce(self, reward)

    # --- in place (v0.1.2, later/in_place.py): the result is written into this Variable's memory, and the Variable
    # replaces it in the graph. The gradient is that of the operation. A result of another shape is refused.

    def add_(self, other: Any, tensor: Variable | None = None, *, alpha: float = 1) -> Variable:
        """Add `other`, or alpha times it, in place, and return this Variable.

        Args:
            other: A Variable or a number.
            tensor: In v0.1.x's form `add_(alpha, tensor)`, the Variable to add.
            alpha: The factor of `other`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.

        Gradient:
            Those of `add`.
        """
        other, alpha = (other, alpha) if tensor is None else (tensor, other)
        return _in_place(self, "add", other if alpha == 1 else other * alpha)

    def sub_(self, other: Any, tensor: Variable | None = None, *, alpha: float = 1) -> Variable:
        """Subtract `other`, or alpha times it, in place, and return this Variable.

        Args:
            other: A Variable or a number.
            tensor: In v0.1.x's form `sub_(alpha, tensor)`, the Variable to subtract.
            alpha: The factor of `other`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.

        Gradient:
            Those of `sub`.
        """
        other, alpha = (other, alpha) if tensor is None else (tensor, other)
        return _in_place(self, "sub", other if alpha == 1 else other * alpha)

    def mul_(self, other: Variable | float) -> Variable:
        """Apply `mul` in place and return this Variable.

        Args:
            other: A Variable or a number, the second operand.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "mul", other)

    def div_(self, other: Variable | float) -> Variable:
        """Apply `div` in place and return this Variable.

        Args:
            other: A Variable or a number, the second operand.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "div", other)

    def pow_(self, other: Variable | float) -> Variable:
        """Apply `pow` in place and return this Variable.

        Args:
            other: A Variable or a number, the second operand.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "pow", other)

    def exp_(self) -> Variable:
        """Apply `exp` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "exp")

    def expm1_(self) -> Variable:
        """Apply `expm1` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "expm1")

    def log_(self) -> Variable:
        """Apply `log` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "log")

    def log1p_(self) -> Variable:
        """Apply `log1p` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "log1p")

    def sqrt_(self) -> Variable:
        """Apply `sqrt` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "sqrt")

    def rsqrt_(self) -> Variable:
        """Apply `rsqrt` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "rsqrt")

    def abs_(self) -> Variable:
        """Apply `abs` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "abs")

    def neg_(self) -> Variable:
        """Apply `neg` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "neg")

    def sigmoid_(self) -> Variable:
        """Apply `sigmoid` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "sigmoid")

    def tanh_(self) -> Variable:
        """Apply `tanh` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "tanh")

    def sin_(self) -> Variable:
        """Apply `sin` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "sin")

    def cos_(self) -> Variable:
        """Apply `cos` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "cos")

    def tan_(self) -> Variable:
        """Apply `tan` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "tan")

    def asin_(self) -> Variable:
        """Apply `asin` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "asin")

    def acos_(self) -> Variable:
        """Apply `acos` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "acos")

    def atan_(self) -> Variable:
        """Apply `atan` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "atan")

    def sinh_(self) -> Variable:
        """Apply `sinh` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "sinh")

    def cosh_(self) -> Variable:
        """Apply `cosh` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "cosh")

    def reciprocal_(self) -> Variable:
        """Apply `reciprocal` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "reciprocal")

    def sign_(self) -> Variable:
        """Apply `sign` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "sign")

    def floor_(self) -> Variable:
        """Apply `floor` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "floor")

    def ceil_(self) -> Variable:
        """Apply `ceil` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "ceil")

    def round_(self) -> Variable:
        """Apply `round` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "round")

    def trunc_(self) -> Variable:
        """Apply `trunc` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "trunc")

    def frac_(self) -> Variable:
        """Apply `frac` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "frac")

    def atan2_(self, other: Variable) -> Variable:
        """Apply `atan2` in place and return this Variable.

        Args:
            other: The horizontal coordinates; x are the vertical ones.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "atan2", other)

    def cmax_(self, other: Variable | float) -> Variable:
        """Apply `cmax` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "cmax", other)

    def cmin_(self, other: Variable | float) -> Variable:
        """Apply `cmin` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "cmin", other)

    def remainder_(self, divisor: Variable | float) -> Variable:
        """Apply `remainder` in place and return this Variable.

        Args:
            divisor: The number or Variable to divide by.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "remainder", divisor)

    def fmod_(self, divisor: Variable | float) -> Variable:
        """Apply `fmod` in place and return this Variable.

        Args:
            divisor: The number or Variable to divide by.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "fmod", divisor)

    def clamp_(self, min: float | None = None, max: float | None = None) -> Variable:
        """Apply `clamp` in place and return this Variable.

        Args:
            min: The lower limit. Default: none.
            max: The upper limit. Default: none.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "clamp", min, max)

    def clamp_min_(self, min: float) -> Variable:
        """Apply `clamp_min` in place and return this Variable.

        Args:
            min: The lower limit.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "clamp_min", min)

    def clamp_max_(self, max: float) -> Variable:
        """Apply `clamp_max` in place and return this Variable.

        Args:
            max: The upper limit.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "clamp_max", max)

    def lerp_(self, end: Variable, weight: float) -> Variable:
        """Apply `lerp` in place and return this Variable.

        Args:
            end: The result for weight 1.
            weight: How far the result is from x to `end`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "lerp", end, weight)

    def addcmul_(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Apply `addcmul` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first.
            value: The factor.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "addcmul", *arguments, value=value)

    def addcdiv_(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Apply `addcdiv` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first.
            value: The factor.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "addcdiv", *arguments, value=value)

    def addmm_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addmm` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the product.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "addmm", *arguments, beta=beta, alpha=alpha)

    def addmv_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addmv` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the product.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "addmv", *arguments, beta=beta, alpha=alpha)

    def addr_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addr` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the product.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "addr", *arguments, beta=beta, alpha=alpha)

    def addbmm_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addbmm` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the sum.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "addbmm", *arguments, beta=beta, alpha=alpha)

    def baddbmm_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `baddbmm` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the products.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "baddbmm", *arguments, beta=beta, alpha=alpha)

    def eq_(self, other: Variable | float) -> Variable:
        """Apply `eq` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "eq", other)

    def ne_(self, other: Variable | float) -> Variable:
        """Apply `ne` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "ne", other)

    def lt_(self, other: Variable | float) -> Variable:
        """Apply `lt` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "lt", other)

    def le_(self, other: Variable | float) -> Variable:
        """Apply `le` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "le", other)

    def gt_(self, other: Variable | float) -> Variable:
        """Apply `gt` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "gt", other)

    def ge_(self, other: Variable | float) -> Variable:
        """Apply `ge` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "ge", other)

    def cumsum_(self, dim: int) -> Variable:
        """Apply `cumsum` in place and return this Variable.

        Args:
            dim: The dimension.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "cumsum", dim)

    def cumprod_(self, dim: int) -> Variable:
        """Apply `cumprod` in place and return this Variable.

        Args:
            dim: The dimension.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "cumprod", dim)

    def renorm_(self, p: float, dim: int, maxnorm: float) -> Variable:
        """Apply `renorm` in place and return this Variable.

        Args:
            p: The exponent of the norm.
            dim: The dimension whose slices are scaled.
            maxnorm: The largest norm of a slice.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "renorm", p, dim, maxnorm)

    def tril_(self, k: int = 0) -> Variable:
        """Apply `tril` in place and return this Variable.

        Args:
            k: The number of the diagonal, as for `diag`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "tril", k)

    def triu_(self, k: int = 0) -> Variable:
        """Apply `triu` in place and return this Variable.

        Args:
            k: The number of the diagonal, as for `diag`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "triu", k)

    def index_add_(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Apply `index_add` in place and return this Variable.

        Args:
            dim: The dimension.
            index: A LongTensor vector.
            source: The slices to add.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "index_add", dim, index, source)

    def index_copy_(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Apply `index_copy` in place and return this Variable.

        Args:
            dim: The dimension.
            index: A LongTensor vector without repetitions.
            source: The new slices.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "index_copy", dim, index, source)

    def index_fill_(self, dim: int, index: Variable | Tensor, value: float) -> Variable:
        """Apply `index_fill` in place and return this Variable.

        Args:
            dim: The dimension.
            index: A LongTensor vector.
            value: The number.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "index_fill", dim, index, value)

    def scatter_(self, dim: int, index: Variable | Tensor, source: Variable | float) -> Variable:
        """Apply `scatter` in place and return this Variable.

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor that names each place once.
            source: The values, or one number for all places.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "scatter", dim, index, source)

    def scatter_add_(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Apply `scatter_add` in place and return this Variable.

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor.
            source: The values to add.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "scatter_add", dim, index, source)

    def masked_fill_(self, mask: Variable | Tensor, value: float) -> Variable:
        """Apply `masked_fill` in place and return this Variable.

        Args:
            mask: A ByteTensor.
            value: The number.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "masked_fill", mask, value)

    def masked_copy_(self, mask: Variable | Tensor, source: Variable) -> Variable:
        """Apply `masked_copy` in place and return this Variable.

        Args:
            mask: A ByteTensor.
            source: The new elements.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "masked_copy", mask, source)

    def masked_scatter_(self, mask: Variable | Tensor, source: Variable) -> Variable:
        """Apply `masked_copy` in place and return this Variable.

        Args:
            mask: A ByteTensor.
            source: The new elements.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "masked_scatter", mask, source)

    def t_(self) -> Variable:
        """Apply `t` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "t")

    def transpose_(self, dim0: int, dim1: int) -> Variable:
        """Apply `transpose` in place and return this Variable.

        Args:
            dim0: One dimension.
            dim1: The dimension to exchange it with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "transpose", dim0, dim1)

    def squeeze_(self, dim: int | None = None) -> Variable:
        """Apply `squeeze` in place and return this Variable.

        Args:
            dim: The only dimension to remove, if it has size 1. Default: all of size 1.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "squeeze", dim)

    def unsqueeze_(self, dim: int) -> Variable:
        """Apply `unsqueeze` in place and return this Variable.

        Args:
            dim: The number of the new dimension.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "unsqueeze", dim)

    def resize_(self, *sizes: int | Sequence[int]) -> Variable:
        """Apply `resize` in place and return this Variable.

        Args:
            *sizes: The new shape, with as many elements.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "resize", *sizes)

    def resize_as_(self, other: Variable) -> Variable:
        """Apply `resize_as` in place and return this Variable.

        Args:
            other: The Variable that gives the shape.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return _in_place(self, "resize_as", other)

    # --- in place, with numbers that do not depend on x

    def __setitem__(self, key, value):
        """Write `value`, a number, a Variable or a Tensor, at `key` (v0.1.5).

        Raises:
            RuntimeError: For a leaf that requires a gradient.

        Gradient:
            g with zeros at `key` for the old x and g at `key` for `value`, where g is the gradient of the result.
        """
        later.in_place.set_item(self, key, value)

    def copy_(self, source: Variable | Tensor, non_blocking: bool = False, **keywords: Any) -> Variable:
        """Copy the elements of `source` into this Variable, and return it.

        Args:
            source: The new elements, in a shape that broadcasts to that of x, or in another one with as many elements.
            non_blocking: Ignored; `async` in v0.1.x.
            **keywords: `async`, which is ignored.

        Raises:
            RuntimeError: For a leaf that requires a gradient.

        Gradient:
            0 for the old x, and g, the gradient of the result, summed to its shape, for `source`.
        """
        accept_async("copy_", keywords)
        return later.in_place.copy_(self, source)

    def fill_(self, value: float) -> Variable:
        """Set every element to a number and return this Variable.

        Args:
            value: The number.

        Gradient:
            0 for the old x.
        """
        return _written(self, "fill_", value)

    def zero_(self) -> Variable:
        """Set every element to 0 and return this Variable.

        Gradient:
            0 for the old x.
        """
        return _written(self, "zero_")

    def uniform_(self, low: float = 0, high: float = 1) -> Variable:
        """Draw every element from [low, high) and return this Variable.

        Args:
            low: The lower limit, included.
            high: The upper limit, excluded.

        Gradient:
            0 for the old x.
        """
        return _written(self, "uniform_", low, high)

    def normal_(self, mean: float = 0, std: float = 1) -> Variable:
        """Draw every element from a normal distribution and return this Variable.

        Args:
            mean: The mean.
            std: The standard deviation.

        Gradient:
            0 for the old x.
        """
        return _written(self, "normal_", mean, std)

    def log_normal_(self, mean: float = 1, std: float = 2) -> Variable:
        """Draw every element from a log-normal distribution and return this Variable.

        Args:
            mean: The mean of the logarithms.
            std: The standard deviation of the logarithms.

        Gradient:
            0 for the old x.
        """
        return _written(self, "log_normal_", mean, std)

    def exponential_(self, lambd: float = 1) -> Variable:
        """Draw every element from an exponential distribution and return this Variable.

        Args:
            lambd: The rate.

        Gradient:
            0 for the old x.
        """
        return _written(self, "exponential_", lambd)

    def cauchy_(self, median: float = 0, sigma: float = 1) -> Variable:
        """Draw every element from a Cauchy distribution and return this Variable.

        Args:
            median: The median.
            sigma: The scale: half the distance between the quartiles.

        Gradient:
            0 for the old x.
        """
        return _written(self, "cauchy_", median, sigma)

    def geometric_(self, p: float) -> Variable:
        """Draw every element from a geometric distribution and return this Variable.

        Args:
            p: The probability of success. An element is the number of trials until the first success.

        Gradient:
            0 for the old x.
        """
        return _written(self, "geometric_", p)

    def bernoulli_(self, p: Tensor | float = 0.5) -> Variable:
        """Draw 1 or 0 in every element and return this Variable.

        Args:
            p: The probability of 1, or a Tensor with one for each element.

        Gradient:
            0 for the old x.
        """
        return _written(self, "bernoulli_", p)

    def random_(self, first: int | None = None, end: int | None = None) -> Variable:
        """Draw an integer in every element and return this Variable.

        Args:
            first: The smallest integer. Given alone, it is `end`. Default: 0.
            end: The largest integer, plus 1. Default: all integers that the type can hold.

        Gradient:
            0 for the old x.
        """
        return _written(self, "random_", first, end)

    # --- types: each returns x itself if it has the type already; a conversion to integers has no gradient. These
    # methods are the last ones: below them, `int` and `float` in a hint would mean the methods.

    def type_as(self, other: Variable) -> Variable:
        """Return x converted to the type of `other`.

        Args:
            other: The Variable that gives the type. It receives no gradient.

        Gradient:
            `g`, the gradient of the result, converted back.
        """
        return self.type(other.type())

    def double(self) -> Variable:
        """Return x as a DoubleTensor Variable.

        Gradient:
            `g`, the gradient of the result, converted back.
        """
        return self.type("torch.DoubleTensor")

    def float(self) -> Variable:
        """Return x as a FloatTensor Variable.

        Gradient:
            `g`, the gradient of the result, converted back.
        """
        return self.type("torch.FloatTensor")

    def half(self) -> Variable:
        """Return x as a HalfTensor Variable.

        Gradient:
            `g`, the gradient of the result, converted back.
        """
        return self.type("torch.HalfTensor")

    def long(self) -> Variable:
        """Return x as a LongTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.LongTensor")

    def int(self) -> Variable:
        """Return x as an IntTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.IntTensor")

    def short(self) -> Variable:
        """Return x as a ShortTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.ShortTensor")

    def char(self) -> Variable:
        """Return x as a CharTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.CharTensor")

    def byte(self) -> Variable:
        """Return x as a ByteTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.ByteTensor")

    # --- the camelCase names of v0.1.1's Tensors, and further ones

    nElement = nelement = numel
    ndimension = dim
    expandAs = expand_as
    indexSelect = index_select
    maskedSelect = masked_select
    repeatTensor = repeat
    typeAs = type_as
    viewAs = view_as
    cinv = reciprocal
    cinv_ = reciprocal_


def _constant(index):
    """Return an index or a mask as a Variable; a Tensor is wrapped, since an index has no gradient."""
    return Variable(index, requires_grad=False) if isinstance(index, Tensor) else index


def _indices(found):
    return _constant(found if isinstance(found, Tensor) else Tensor([found]).long())


def _numbers_first(name, arguments, values):
    """Return the numbers before the last two `arguments`, completed from the defaults `values`, and those two."""
    first, operands = arguments[:-2], arguments[-2:]
    if len(operands) != 2 or len(first) > len(values):
        raise TypeError(
            f"{name}: expected two Variables, and before them at most {len(values)} numbers; got "
            f"({', '.join([shown(argument) for argument in arguments])})"
        )
    return (*first, *values[len(first) :]), operands


def _in_place(variable, name, *arguments, **named):
    """Replace `variable` by the result of its method `name`, and return it."""
    return later.in_place.change(f"{name}_", variable, lambda x: getattr(x, name)(*arguments, **named))


def _written(variable, name, *arguments):
    """Overwrite every element of `variable` with the Tensor method `name`, and return `variable`."""
    return later.in_place.change(
        name, variable, later.in_place.Replace(lambda tensor: getattr(tensor, name)(*arguments))
    )
