"""Written by tools/write_twins.py from Variable's methods; do not edit. `x.exp_()` replaces x by `x.exp()`.

`inplace.py` says what that means, and has the in-place methods that do something else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...tensor import Tensor
from ..variable import Variable
from ._attach import attach


class InPlaceForms:
    """In-place forms of other methods."""

    _in_place: Callable[..., Variable]  # of Variable

    # --- below this line, tools/write_twins.py writes

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

    def sign_(self) -> Variable:
        """Apply `sign` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("sign")

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

    def reciprocal_(self) -> Variable:
        """Apply `reciprocal` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("reciprocal")

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

    def atan2_(self, other: Variable) -> Variable:
        """Apply `atan2` in place and return this Variable.

        Args:
            other: The horizontal coordinates; x are the vertical ones.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("atan2", other)

    def lerp_(self, end: Variable, weight: float) -> Variable:
        """Apply `lerp` in place and return this Variable.

        Args:
            end: The result for weight 1.
            weight: How far the result is from x to `end`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("lerp", end, weight)

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

    def addmm_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addmm` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addmm(beta, a, b)`, `addmm(beta, alpha, a,
                b)`.
            beta: The factor of x.
            alpha: The factor of the product.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addmm", *arguments, beta=beta, alpha=alpha)

    def addmv_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addmv` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addmv(beta, a, b)`, `addmv(beta, alpha, a,
                b)`.
            beta: The factor of x.
            alpha: The factor of the product.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addmv", *arguments, beta=beta, alpha=alpha)

    def addr_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addr` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addr(beta, a, b)`, `addr(beta, alpha, a, b)`.
            beta: The factor of x.
            alpha: The factor of the product.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addr", *arguments, beta=beta, alpha=alpha)

    def addbmm_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `addbmm` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addbmm(beta, a, b)`, `addbmm(beta, alpha, a,
                b)`.
            beta: The factor of x.
            alpha: The factor of the sum.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addbmm", *arguments, beta=beta, alpha=alpha)

    def baddbmm_(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Apply `baddbmm` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `baddbmm(beta, a, b)`, `baddbmm(beta, alpha,
                a, b)`.
            beta: The factor of x.
            alpha: The factor of the products.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("baddbmm", *arguments, beta=beta, alpha=alpha)

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

    def addcmul_(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Apply `addcmul` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first: `addcmul(value, a, b)`.
            value: The factor.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addcmul", *arguments, value=value)

    def addcdiv_(self, *arguments: Variable | float, value: float = 1) -> Variable:
        """Apply `addcdiv` in place and return this Variable.

        Args:
            *arguments: The Variables a and b. v0.1.x puts the factor first: `addcdiv(value, a, b)`.
            value: The factor.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("addcdiv", *arguments, value=value)

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
        """Apply `masked_scatter` in place and return this Variable.

        Args:
            mask: A ByteTensor.
            source: The new elements.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("masked_scatter", mask, source)

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
            other: The Variable that gives the shape. It receives no gradient.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("resize_as", other)


attach(InPlaceForms)
