"""In-place methods of Tensor: their names end in an underscore, and they return the tensor.

Each counts as a write (`_wrote`), so that backward notices when a tensor was changed after it was saved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy

from . import buffer_pool
from .arguments import number_for, tensor_array
from .arithmetic import ceil, divide, floor, fmod, frac, power, remainder, rint, rsqrt, sigmoid, sign, trunc
from .dtypes import HALF
from .elementwise import combine_into
from .errors import does_not_fit, not_writable, shown
from .no_cuda import accept_async
from .pointwise import clamped, refuses_integers, value_and_tensors
from .wrapping import TensorBase, is_tensor, wrap

if TYPE_CHECKING:
    from .base import Tensor


class InPlace(TensorBase):
    """The in-place methods of Tensor."""

    __slots__ = ()

    # --- filling and copying

    def zero_(self) -> Self:
        """Set every element to 0 and return the tensor.

        Raises:
            RuntimeError: If the memory is read-only. This holds for all in-place methods.
        """
        array = self.array
        if array.nbytes >= buffer_pool.SMALLEST and array.flags.c_contiguous:
            array = array.view(numpy.uint8)  # which numpy fills faster
        try:
            array.fill(0)
        except ValueError:
            raise not_writable("zero_", array) from None
        if self._base is not None:
            return self._wrote()
        self._writes += 1  # type: ignore[misc]  # a slot of Tensor; this is `_wrote`, written out for speed
        return self

    def fill_(self, value: float) -> Self:
        """Set every element to `value`.

        Args:
            value: The number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `value` is a fraction and the tensor holds integers.
            OverflowError: If `value` does not fit into the type of the tensor.
        """
        array = self.array
        try:
            array.fill(number_for("fill_", array, value))
        except ValueError:
            raise not_writable("fill_", array) from None
        return self._wrote()

    def copy_(self, source: Tensor, non_blocking: bool = False, **keywords: bool) -> Self:
        """Copy the elements of `source`, converted to the type of this tensor.

        Integers are converted as by `type`: fractions are cut off, and a number that does not fit does not raise.

        Args:
            source: A Tensor whose shape broadcasts to that of this tensor, or of as many elements, which are taken in
                order, as in v0.1.x.
            non_blocking: Ignored: there is no device to copy to. v0.1.x calls it `async`.
            **keywords: Only `async`.

        Returns:
            This tensor.

        Raises:
            TypeError: If `source` is not a Tensor.
            ValueError: If `source` has neither a shape that broadcasts nor as many elements.
        """
        if keywords:
            accept_async("copy_", keywords)
        if not is_tensor(source):
            raise TypeError(f"copy_: expected a Tensor, got {type(source).__name__}; fill_ takes a number")
        put(self.array, "copy_", source.array)
        return self._wrote()

    # --- arithmetic

    def add_(self, other: Tensor | float, tensor: Tensor | None = None) -> Self:
        """Add `other` in place; v0.1.x's `add_(value, tensor)` adds value * tensor.

        Args:
            other: A Tensor of the same type, or a number; with `tensor`, the factor of `tensor`.
            tensor: A Tensor of the same type. Default: none.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shape of `other` cannot be broadcast to that of this tensor.
        """
        if tensor is not None:
            other = _scaled("add_", self, other, tensor)
        return combine_into("add_", numpy.add, self, other)

    def sub_(self, other: Tensor | float, tensor: Tensor | None = None) -> Self:
        """Subtract `other` in place; v0.1.x's `sub_(value, tensor)` subtracts value * tensor.

        Args:
            other: A Tensor of the same type, or a number; with `tensor`, the factor of `tensor`.
            tensor: A Tensor of the same type. Default: none.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shape of `other` cannot be broadcast to that of this tensor.
        """
        if tensor is not None:
            other = _scaled("sub_", self, other, tensor)
        return combine_into("sub_", numpy.subtract, self, other)

    def mul_(self, other: Tensor | float) -> Self:
        """Multiply by `other` in place.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shape of `other` cannot be broadcast to that of this tensor.
        """
        return combine_into("mul_", numpy.multiply, self, other)

    def div_(self, other: Tensor | float) -> Self:
        """Divide by `other` in place; quotients of integers are rounded towards zero.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shape of `other` cannot be broadcast to that of this tensor.
            ZeroDivisionError: If an integer is divided by 0.
        """
        return combine_into("div_", divide, self, other)

    def pow_(self, exponent: Tensor | float) -> Self:
        """Apply `pow` in place.

        Args:
            exponent: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            RuntimeError: If an integer is raised to a negative exponent.
        """
        return combine_into("pow_", power, self, exponent)

    def remainder_(self, divisor: Tensor | float) -> Self:
        """Apply `remainder` in place.

        Args:
            divisor: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            ZeroDivisionError: If an integer is divided by 0.
        """
        return combine_into("remainder_", remainder, self, divisor)

    def fmod_(self, divisor: Tensor | float) -> Self:
        """Apply `fmod` in place.

        Args:
            divisor: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            ZeroDivisionError: If an integer is divided by 0.
        """
        return combine_into("fmod_", fmod, self, divisor)

    def cmax_(self, other: Tensor | float) -> Self:
        """Apply `cmax` in place.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.
        """
        return combine_into("cmax_", numpy.maximum, self, other)

    def cmin_(self, other: Tensor | float) -> Self:
        """Apply `cmin` in place.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.
        """
        return combine_into("cmin_", numpy.minimum, self, other)

    def __iadd__(self, other):
        return self.add_(other)

    def __isub__(self, other):
        return self.sub_(other)

    def __imul__(self, other):
        return self.mul_(other)

    def __itruediv__(self, other):
        return self.div_(other)

    def __ipow__(self, other):
        return self.pow_(other)

    def __imod__(self, other):
        return self.remainder_(other)

    def __iand__(self, other):
        return self._bits("and", numpy.bitwise_and, other, combine_into)

    def __ior__(self, other):
        return self._bits("or", numpy.bitwise_or, other, combine_into)

    def __ixor__(self, other):
        return self._bits("xor", numpy.bitwise_xor, other, combine_into)

    def clamp_(self, min: float | None = None, max: float | None = None) -> Self:
        """Apply `clamp` in place.

        Args:
            min: The lower limit. Default: none.
            max: The upper limit. Default: none.

        Returns:
            This tensor.

        Raises:
            ValueError: If both are None.
        """
        return self._clamped("clamp_", min, max)

    def clamp_min_(self, min: float) -> Self:
        """Apply `clamp_min` in place.

        Args:
            min: The lower limit.

        Returns:
            This tensor.
        """
        return self._clamped("clamp_min_", min, None)

    def clamp_max_(self, max: float) -> Self:
        """Apply `clamp_max` in place.

        Args:
            max: The upper limit.

        Returns:
            This tensor.
        """
        return self._clamped("clamp_max_", None, max)

    def _clamped(self, name, low, high):
        array = self.array
        try:
            clamped(name, array, low, high, array)
        except ValueError as error:
            raise not_writable(name, array) or error from None
        return self._wrote()

    def addcmul_(self, *arguments: Tensor | float, value: float = 1) -> Self:
        """Apply `addcmul` in place.

        Args:
            *arguments: The Tensors (t1, t2), or v0.1.x's (value, t1, t2).
            value: A factor, unless it is among the arguments.

        Returns:
            This tensor.
        """
        value, first, second = value_and_tensors("addcmul_", value, arguments)
        if self.array.dtype is HALF:
            return _copied("addcmul_", self, self.addcmul(value, first, second))
        return self.add_(value, first.mul(second))

    def addcdiv_(self, *arguments: Tensor | float, value: float = 1) -> Self:
        """Apply `addcdiv` in place.

        Args:
            *arguments: The Tensors (t1, t2), or v0.1.x's (value, t1, t2).
            value: A factor, unless it is among the arguments.

        Returns:
            This tensor.
        """
        value, first, second = value_and_tensors("addcdiv_", value, arguments)
        if self.array.dtype is HALF:
            return _copied("addcdiv_", self, self.addcdiv(value, first, second))
        return self.add_(value, first.div(second))

    # --- functions of one number

    def abs_(self) -> Self:
        """Apply `abs` in place and return the tensor."""
        return _each_into("abs_", numpy.absolute, self)

    def neg_(self) -> Self:
        """Apply `neg` in place and return the tensor."""
        return _each_into("neg_", numpy.negative, self)

    def sign_(self) -> Self:
        """Apply `sign` in place and return the tensor."""
        return _each_into("sign_", sign, self)

    def exp_(self) -> Self:
        """Apply `exp` in place and return the tensor."""
        return _each_into("exp_", numpy.exp, self, fractions=True)

    def expm1_(self) -> Self:
        """Apply `expm1` in place and return the tensor."""
        return _each_into("expm1_", numpy.expm1, self, fractions=True)

    def log_(self) -> Self:
        """Apply `log` in place and return the tensor."""
        return _each_into("log_", numpy.log, self, fractions=True)

    def log1p_(self) -> Self:
        """Apply `log1p` in place and return the tensor."""
        return _each_into("log1p_", numpy.log1p, self, fractions=True)

    def sqrt_(self) -> Self:
        """Apply `sqrt` in place and return the tensor."""
        return _each_into("sqrt_", numpy.sqrt, self, fractions=True)

    def rsqrt_(self) -> Self:
        """Apply `rsqrt` in place and return the tensor."""
        return _each_into("rsqrt_", rsqrt, self, fractions=True)

    def reciprocal_(self) -> Self:
        """Apply `reciprocal` in place and return the tensor."""
        return _each_into("reciprocal_", numpy.reciprocal, self, fractions=True)

    def sigmoid_(self) -> Self:
        """Apply `sigmoid` in place and return the tensor."""
        return _each_into("sigmoid_", sigmoid, self, fractions=True)

    def tanh_(self) -> Self:
        """Apply `tanh` in place and return the tensor."""
        return _each_into("tanh_", numpy.tanh, self, fractions=True)

    def sin_(self) -> Self:
        """Apply `sin` in place and return the tensor."""
        return _each_into("sin_", numpy.sin, self, fractions=True)

    def cos_(self) -> Self:
        """Apply `cos` in place and return the tensor."""
        return _each_into("cos_", numpy.cos, self, fractions=True)

    def tan_(self) -> Self:
        """Apply `tan` in place and return the tensor."""
        return _each_into("tan_", numpy.tan, self, fractions=True)

    def asin_(self) -> Self:
        """Apply `asin` in place and return the tensor."""
        return _each_into("asin_", numpy.arcsin, self, fractions=True)

    def acos_(self) -> Self:
        """Apply `acos` in place and return the tensor."""
        return _each_into("acos_", numpy.arccos, self, fractions=True)

    def atan_(self) -> Self:
        """Apply `atan` in place and return the tensor."""
        return _each_into("atan_", numpy.arctan, self, fractions=True)

    def sinh_(self) -> Self:
        """Apply `sinh` in place and return the tensor."""
        return _each_into("sinh_", numpy.sinh, self, fractions=True)

    def cosh_(self) -> Self:
        """Apply `cosh` in place and return the tensor."""
        return _each_into("cosh_", numpy.cosh, self, fractions=True)

    def floor_(self) -> Self:
        """Apply `floor` in place and return the tensor."""
        return _each_into("floor_", floor, self)

    def ceil_(self) -> Self:
        """Apply `ceil` in place and return the tensor."""
        return _each_into("ceil_", ceil, self)

    def round_(self) -> Self:
        """Apply `round` in place and return the tensor."""
        return _each_into("round_", rint, self)

    def trunc_(self) -> Self:
        """Apply `trunc` in place and return the tensor."""
        return _each_into("trunc_", trunc, self)

    def frac_(self) -> Self:
        """Apply `frac` in place and return the tensor."""
        return _each_into("frac_", frac, self, fractions=True)

    # --- operations that compute a result and copy it

    def atan2_(self, other: Tensor | float) -> Self:
        """Apply `atan2` in place.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.
        """
        return _copied("atan2_", self, self.atan2(other))

    def lerp_(self, end: Tensor, weight: Tensor | float) -> Self:
        """Apply `lerp` in place.

        Args:
            end: A Tensor of the same type.
            weight: A number, or a Tensor of the same type.

        Returns:
            This tensor.
        """
        return _copied("lerp_", self, self.lerp(end, weight))

    def renorm_(self, p: float, dim: int, maxnorm: float) -> Self:
        """Apply `renorm` in place.

        Args:
            p: The order of the norm.
            dim: The dimension along which the parts lie.
            maxnorm: The largest norm that a part keeps.

        Returns:
            This tensor.
        """
        return _copied("renorm_", self, self.renorm(p, dim, maxnorm))

    def cumsum_(self, dim: int) -> Self:
        """Apply `cumsum` in place.

        Args:
            dim: The dimension; negative ones count from the end.

        Returns:
            This tensor.
        """
        return _copied("cumsum_", self, self.cumsum(dim))

    def cumprod_(self, dim: int) -> Self:
        """Apply `cumprod` in place.

        Args:
            dim: The dimension; negative ones count from the end.

        Returns:
            This tensor.
        """
        return _copied("cumprod_", self, self.cumprod(dim))

    def tril_(self, k: int = 0) -> Self:
        """Apply `tril` in place.

        Args:
            k: The diagonal: 0 is the main one, positive ones are above it.

        Returns:
            This tensor.
        """
        return _copied("tril_", self, self.tril(k))

    def triu_(self, k: int = 0) -> Self:
        """Apply `triu` in place.

        Args:
            k: The diagonal: 0 is the main one, positive ones are above it.

        Returns:
            This tensor.
        """
        return _copied("triu_", self, self.triu(k))

    def eq_(self, other: Tensor | float) -> Self:
        """Apply `eq` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.
        """
        return _copied("eq_", self, self.eq(other))

    def ne_(self, other: Tensor | float) -> Self:
        """Apply `ne` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.
        """
        return _copied("ne_", self, self.ne(other))

    def lt_(self, other: Tensor | float) -> Self:
        """Apply `lt` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.
        """
        return _copied("lt_", self, self.lt(other))

    def le_(self, other: Tensor | float) -> Self:
        """Apply `le` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.
        """
        return _copied("le_", self, self.le(other))

    def gt_(self, other: Tensor | float) -> Self:
        """Apply `gt` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.
        """
        return _copied("gt_", self, self.gt(other))

    def ge_(self, other: Tensor | float) -> Self:
        """Apply `ge` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.
        """
        return _copied("ge_", self, self.ge(other))

    def addmm_(self, *arguments: Tensor | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `addmm` in place.

        Args:
            *arguments: As for `addmm`.
            beta: The factor of this tensor.
            alpha: The factor of the product.

        Returns:
            This tensor.
        """
        return _copied("addmm_", self, self.addmm(*arguments, beta=beta, alpha=alpha))

    def addmv_(self, *arguments: Tensor | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `addmv` in place.

        Args:
            *arguments: As for `addmv`.
            beta: The factor of this tensor.
            alpha: The factor of the product.

        Returns:
            This tensor.
        """
        return _copied("addmv_", self, self.addmv(*arguments, beta=beta, alpha=alpha))

    def addr_(self, *arguments: Tensor | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `addr` in place.

        Args:
            *arguments: As for `addr`.
            beta: The factor of this tensor.
            alpha: The factor of the product.

        Returns:
            This tensor.
        """
        return _copied("addr_", self, self.addr(*arguments, beta=beta, alpha=alpha))

    def addbmm_(self, *arguments: Tensor | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `addbmm` in place.

        Args:
            *arguments: As for `addbmm`.
            beta: The factor of this tensor.
            alpha: The factor of the product.

        Returns:
            This tensor.
        """
        return _copied("addbmm_", self, self.addbmm(*arguments, beta=beta, alpha=alpha))

    def baddbmm_(self, *arguments: Tensor | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `baddbmm` in place.

        Args:
            *arguments: As for `baddbmm`.
            beta: The factor of this tensor.
            alpha: The factor of the product.

        Returns:
            This tensor.
        """
        return _copied("baddbmm_", self, self.baddbmm(*arguments, beta=beta, alpha=alpha))

    # --- a Python function

    def apply_(self, function: Callable[[Any], float]) -> Self:
        """Replace every element x by function(x), computed in Python and therefore slowly.

        Args:
            function: A function of one number.

        Returns:
            This tensor.
        """
        return self._mapped("apply_", function)

    def map_(self, tensor: Tensor, function: Callable[[Any, Any], float]) -> Self:
        """Replace every element x by function(x, y), where y is the element of `tensor` at the same place.

        Args:
            tensor: A Tensor of as many elements.
            function: A function of two numbers.

        Returns:
            This tensor.

        Raises:
            ValueError: If `tensor` has another number of elements.
        """
        return self._mapped("map_", function, tensor)

    def map2_(self, x: Tensor, y: Tensor, function: Callable[[Any, Any, Any], float]) -> Self:
        """Replace every element by function(element, element of x, element of y).

        Args:
            x: A Tensor of as many elements.
            y: Another one.
            function: A function of three numbers.

        Returns:
            This tensor.

        Raises:
            ValueError: If a Tensor has another number of elements.
        """
        return self._mapped("map2_", function, x, y)

    def _mapped(self, name, function, *others):
        array = self.array
        for other in others:
            if not is_tensor(other) or other.array.size != array.size:
                raise ValueError(f"{name}: expected a Tensor of as many elements as {shown(self)}, got {shown(other)}")
        elements = [tensor.array.ravel().tolist() for tensor in (self, *others)]
        # All results are computed first: a function that raises must leave the tensor unchanged.
        numbers = [number_for(name, array, result) for result in map(function, *elements)]
        return self._put(name, numpy.array(numbers, array.dtype).reshape(array.shape))

    def _put(self, name, source, key=...):
        put(self.array, name, source, key)
        return self._wrote()


def _each_into(name, function, tensor, fractions=False):
    """Replace every element by `function` of it. If `fractions`, the function refuses integers."""
    array = tensor.array
    if fractions and array.dtype.kind != "f":
        raise refuses_integers(name, array)
    try:
        function(array, array)
    except ValueError:
        raise not_writable(name, array) from None
    return tensor._wrote()


def _copied(name, tensor, result):
    if result.array.shape != tensor.array.shape:
        raise does_not_fit(name, tensor.array.shape, result.array.shape, into=True)
    return tensor._put(name, result.array)


def put(array: numpy.ndarray, name: str, source: numpy.ndarray, key: Any = ...) -> None:
    """Write the array `source` into `array[key]`, by the rules of `copy_`.

    Args:
        array: The array to write to.
        name: The operation, for messages.
        source: The elements.
        key: A key of numpy. Default: the whole array.

    Raises:
        RuntimeError: If the memory is read-only.
        ValueError: If the shapes do not fit.
    """
    try:
        array[key] = source
    except (ValueError, TypeError):  # TypeError: for a mask and a source of several dimensions
        if not array.flags.writeable:
            raise not_writable(name, array) from None
        shape = array[key].shape
        if source.size != numpy.prod(shape, dtype=int):
            raise does_not_fit(name, shape, source.shape, into=True) from None
        array[key] = source.reshape(shape)


def writable(name: str, array: numpy.ndarray) -> numpy.ndarray:
    """Return `array`.

    Args:
        name: The operation, for the message.
        array: The array to check.

    Raises:
        RuntimeError: If the memory of `array` is read-only.
    """
    if not array.flags.writeable:
        raise not_writable(name, array)
    return array


def _scaled(name, tensor, value, other):
    """Return value * other as a Tensor of the type of `tensor`."""
    array = tensor_array(name, tensor.array, other)
    if is_tensor(value):
        raise TypeError(f"{name}: expected (number, tensor), got ({shown(value)}, {shown(other)})")
    # The product lives for one addition only, so its memory can be reused for the next.
    return wrap(numpy.multiply(array, number_for(name, array, value), buffer_pool.like(array)))
