"""Operations in place (v0.1.2, `later/in_place.py`): the result is written into this Variable's memory.

The Variable replaces the result in the graph. The gradient is that of the operation. A result of another shape is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...tensor import Tensor
from ..variable import Variable
from ._attach import attach


class InPlaceMethods:
    """Operations that replace the Variable by their result."""

    # Of Variable.
    _in_place: Callable[..., Variable]
    _written: Callable[..., Variable]

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
        return self._in_place("add", other if alpha == 1 else other * alpha)

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
        return self._in_place("sub", other if alpha == 1 else other * alpha)

    def mul_(self, other: Variable | float) -> Variable:
        """Apply `mul` in place and return this Variable.

        Args:
            other: A Variable or a number, the second operand.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("mul", other)

    def div_(self, other: Variable | float) -> Variable:
        """Apply `div` in place and return this Variable.

        Args:
            other: A Variable or a number, the second operand.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("div", other)

    def pow_(self, other: Variable | float) -> Variable:
        """Apply `pow` in place and return this Variable.

        Args:
            other: A Variable or a number, the second operand.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("pow", other)

    def exp_(self) -> Variable:
        """Apply `exp` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("exp")

    def expm1_(self) -> Variable:
        """Apply `expm1` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("expm1")

    def log_(self) -> Variable:
        """Apply `log` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("log")

    def log1p_(self) -> Variable:
        """Apply `log1p` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("log1p")

    def sqrt_(self) -> Variable:
        """Apply `sqrt` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("sqrt")

    def rsqrt_(self) -> Variable:
        """Apply `rsqrt` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("rsqrt")

    def abs_(self) -> Variable:
        """Apply `abs` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("abs")

    def neg_(self) -> Variable:
        """Apply `neg` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("neg")

    def sigmoid_(self) -> Variable:
        """Apply `sigmoid` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("sigmoid")

    def tanh_(self) -> Variable:
        """Apply `tanh` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("tanh")

    def sin_(self) -> Variable:
        """Apply `sin` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("sin")

    def cos_(self) -> Variable:
        """Apply `cos` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("cos")

    def tan_(self) -> Variable:
        """Apply `tan` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("tan")

    def asin_(self) -> Variable:
        """Apply `asin` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("asin")

    def acos_(self) -> Variable:
        """Apply `acos` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("acos")

    def atan_(self) -> Variable:
        """Apply `atan` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("atan")

    def sinh_(self) -> Variable:
        """Apply `sinh` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("sinh")

    def cosh_(self) -> Variable:
        """Apply `cosh` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("cosh")

    def reciprocal_(self) -> Variable:
        """Apply `reciprocal` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("reciprocal")

    def sign_(self) -> Variable:
        """Apply `sign` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("sign")

    def floor_(self) -> Variable:
        """Apply `floor` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("floor")

    def ceil_(self) -> Variable:
        """Apply `ceil` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("ceil")

    def round_(self) -> Variable:
        """Apply `round` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("round")

    def trunc_(self) -> Variable:
        """Apply `trunc` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("trunc")

    def frac_(self) -> Variable:
        """Apply `frac` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("frac")

    def atan2_(self, other: Variable) -> Variable:
        """Apply `atan2` in place and return this Variable.

        Args:
            other: The horizontal coordinates; x are the vertical ones.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("atan2", other)

    def cmax_(self, other: Variable | float) -> Variable:
        """Apply `cmax` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("cmax", other)

    def cmin_(self, other: Variable | float) -> Variable:
        """Apply `cmin` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("cmin", other)

    def remainder_(self, divisor: Variable | float) -> Variable:
        """Apply `remainder` in place and return this Variable.

        Args:
            divisor: The number or Variable to divide by.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("remainder", divisor)

    def fmod_(self, divisor: Variable | float) -> Variable:
        """Apply `fmod` in place and return this Variable.

        Args:
            divisor: The number or Variable to divide by.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("fmod", divisor)

    def clamp_(self, min: float | None = None, max: float | None = None) -> Variable:
        """Apply `clamp` in place and return this Variable.

        Args:
            min: The lower limit. Default: none.
            max: The upper limit. Default: none.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("clamp", min, max)

    def clamp_min_(self, min: float) -> Variable:
        """Apply `clamp_min` in place and return this Variable.

        Args:
            min: The lower limit.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("clamp_min", min)

    def clamp_max_(self, max: float) -> Variable:
        """Apply `clamp_max` in place and return this Variable.

        Args:
            max: The upper limit.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("clamp_max", max)

    def lerp_(self, end: Variable, weight: float) -> Variable:
        """Apply `lerp` in place and return this Variable.

        Args:
            end: The result for weight 1.
            weight: How far the result is from x to `end`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("lerp", end, weight)

    def addcmul_(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Apply `addcmul` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first.
            value: The factor.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addcmul", *arguments, value=value)

    def addcdiv_(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Apply `addcdiv` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first.
            value: The factor.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addcdiv", *arguments, value=value)

    def addmm_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addmm` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the product.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addmm", *arguments, beta=beta, alpha=alpha)

    def addmv_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addmv` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the product.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addmv", *arguments, beta=beta, alpha=alpha)

    def addr_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addr` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the product.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addr", *arguments, beta=beta, alpha=alpha)

    def addbmm_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addbmm` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the sum.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addbmm", *arguments, beta=beta, alpha=alpha)

    def baddbmm_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `baddbmm` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts up to two factors first.
            beta: The factor of x.
            alpha: The factor of the products.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("baddbmm", *arguments, beta=beta, alpha=alpha)

    def eq_(self, other: Variable | float) -> Variable:
        """Apply `eq` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("eq", other)

    def ne_(self, other: Variable | float) -> Variable:
        """Apply `ne` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("ne", other)

    def lt_(self, other: Variable | float) -> Variable:
        """Apply `lt` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("lt", other)

    def le_(self, other: Variable | float) -> Variable:
        """Apply `le` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("le", other)

    def gt_(self, other: Variable | float) -> Variable:
        """Apply `gt` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("gt", other)

    def ge_(self, other: Variable | float) -> Variable:
        """Apply `ge` in place and return this Variable.

        Args:
            other: The operand to compare with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("ge", other)

    def cumsum_(self, dim: int) -> Variable:
        """Apply `cumsum` in place and return this Variable.

        Args:
            dim: The dimension.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("cumsum", dim)

    def cumprod_(self, dim: int) -> Variable:
        """Apply `cumprod` in place and return this Variable.

        Args:
            dim: The dimension.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("cumprod", dim)

    def renorm_(self, p: float, dim: int, maxnorm: float) -> Variable:
        """Apply `renorm` in place and return this Variable.

        Args:
            p: The exponent of the norm.
            dim: The dimension whose slices are scaled.
            maxnorm: The largest norm of a slice.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("renorm", p, dim, maxnorm)

    def tril_(self, k: int = 0) -> Variable:
        """Apply `tril` in place and return this Variable.

        Args:
            k: The number of the diagonal, as for `diag`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("tril", k)

    def triu_(self, k: int = 0) -> Variable:
        """Apply `triu` in place and return this Variable.

        Args:
            k: The number of the diagonal, as for `diag`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("triu", k)

    def index_add_(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Apply `index_add` in place and return this Variable.

        Args:
            dim: The dimension.
            index: A LongTensor vector.
            source: The slices to add.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("index_add", dim, index, source)

    def index_copy_(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Apply `index_copy` in place and return this Variable.

        Args:
            dim: The dimension.
            index: A LongTensor vector without repetitions.
            source: The new slices.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("index_copy", dim, index, source)

    def index_fill_(self, dim: int, index: Variable | Tensor, value: float) -> Variable:
        """Apply `index_fill` in place and return this Variable.

        Args:
            dim: The dimension.
            index: A LongTensor vector.
            value: The number.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("index_fill", dim, index, value)

    def scatter_(self, dim: int, index: Variable | Tensor, source: Variable | float) -> Variable:
        """Apply `scatter` in place and return this Variable.

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor that names each place once.
            source: The values, or one number for all places.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("scatter", dim, index, source)

    def scatter_add_(self, dim: int, index: Variable | Tensor, source: Variable) -> Variable:
        """Apply `scatter_add` in place and return this Variable.

        Args:
            dim: The dimension that `index` replaces.
            index: A LongTensor.
            source: The values to add.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("scatter_add", dim, index, source)

    def masked_fill_(self, mask: Variable | Tensor, value: float) -> Variable:
        """Apply `masked_fill` in place and return this Variable.

        Args:
            mask: A ByteTensor.
            value: The number.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("masked_fill", mask, value)

    def masked_copy_(self, mask: Variable | Tensor, source: Variable) -> Variable:
        """Apply `masked_copy` in place and return this Variable.

        Args:
            mask: A ByteTensor.
            source: The new elements.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("masked_copy", mask, source)

    def masked_scatter_(self, mask: Variable | Tensor, source: Variable) -> Variable:
        """Apply `masked_copy` in place and return this Variable.

        Args:
            mask: A ByteTensor.
            source: The new elements.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("masked_scatter", mask, source)

    def t_(self) -> Variable:
        """Apply `t` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("t")

    def transpose_(self, dim0: int, dim1: int) -> Variable:
        """Apply `transpose` in place and return this Variable.

        Args:
            dim0: One dimension.
            dim1: The dimension to exchange it with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("transpose", dim0, dim1)

    def squeeze_(self, dim: int | None = None) -> Variable:
        """Apply `squeeze` in place and return this Variable.

        Args:
            dim: The only dimension to remove, if it has size 1. Default: all of size 1.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("squeeze", dim)

    def unsqueeze_(self, dim: int) -> Variable:
        """Apply `unsqueeze` in place and return this Variable.

        Args:
            dim: The number of the new dimension.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("unsqueeze", dim)

    def resize_(self, *sizes: int | Sequence[int]) -> Variable:
        """Apply `resize` in place and return this Variable.

        Args:
            *sizes: The new shape, with as many elements.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("resize", *sizes)

    def resize_as_(self, other: Variable) -> Variable:
        """Apply `resize_as` in place and return this Variable.

        Args:
            other: The Variable that gives the shape.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("resize_as", other)

    def fill_(self, value: float) -> Variable:
        """Set every element to a number and return this Variable.

        Args:
            value: The number.

        Gradient:
            0 for the old x.
        """
        return self._written("fill_", value)

    def zero_(self) -> Variable:
        """Set every element to 0 and return this Variable.

        Gradient:
            0 for the old x.
        """
        return self._written("zero_")

    def uniform_(self, low: float = 0, high: float = 1) -> Variable:
        """Draw every element from [low, high) and return this Variable.

        Args:
            low: The lower limit, included.
            high: The upper limit, excluded.

        Gradient:
            0 for the old x.
        """
        return self._written("uniform_", low, high)

    def normal_(self, mean: float = 0, std: float = 1) -> Variable:
        """Draw every element from a normal distribution and return this Variable.

        Args:
            mean: The mean.
            std: The standard deviation.

        Gradient:
            0 for the old x.
        """
        return self._written("normal_", mean, std)

    def log_normal_(self, mean: float = 1, std: float = 2) -> Variable:
        """Draw every element from a log-normal distribution and return this Variable.

        Args:
            mean: The mean of the logarithms.
            std: The standard deviation of the logarithms.

        Gradient:
            0 for the old x.
        """
        return self._written("log_normal_", mean, std)

    def exponential_(self, lambd: float = 1) -> Variable:
        """Draw every element from an exponential distribution and return this Variable.

        Args:
            lambd: The rate.

        Gradient:
            0 for the old x.
        """
        return self._written("exponential_", lambd)

    def cauchy_(self, median: float = 0, sigma: float = 1) -> Variable:
        """Draw every element from a Cauchy distribution and return this Variable.

        Args:
            median: The median.
            sigma: The scale: half the distance between the quartiles.

        Gradient:
            0 for the old x.
        """
        return self._written("cauchy_", median, sigma)

    def geometric_(self, p: float) -> Variable:
        """Draw every element from a geometric distribution and return this Variable.

        Args:
            p: The probability of success. An element is the number of trials until the first success.

        Gradient:
            0 for the old x.
        """
        return self._written("geometric_", p)

    def bernoulli_(self, p: Tensor | float = 0.5) -> Variable:
        """Draw 1 or 0 in every element and return this Variable.

        Args:
            p: The probability of 1, or a Tensor with one for each element.

        Gradient:
            0 for the old x.
        """
        return self._written("bernoulli_", p)

    def random_(self, first: int | None = None, end: int | None = None) -> Variable:
        """Draw an integer in every element and return this Variable.

        Args:
            first: The smallest integer. Given alone, it is `end`. Default: 0.
            end: The largest integer, plus 1. Default: all integers that the type can hold.

        Gradient:
            0 for the old x.
        """
        return self._written("random_", first, end)


attach(InPlaceMethods)
