"""Written by tools/write_twins.py from Tensor's methods; do not edit. `x.exp_()` writes `x.exp()` into x.

`inplace.py` has the in-place methods that do something else.
"""

from __future__ import annotations

from typing import Self

import numpy

from .arithmetic import (
    ceil,
    divide,
    floor,
    fmod,
    frac,
    log_gamma,
    negative,
    power,
    remainder,
    rint,
    rsqrt,
    sigmoid,
    sign,
    trunc,
)
from .blas import Blas
from .elementwise import combine_into, copied_into, each_into
from .pointwise import Pointwise
from .reduce import Reductions
from .shape import Shaping
from .wrapping import TensorBase


class InPlaceForms(Pointwise, Reductions, Shaping, Blas):
    """In-place forms of other methods.

    Raises:
        RuntimeError: In any of them, if the memory is read-only.
    """

    __slots__ = ()

    # --- below this line, tools/write_twins.py writes

    def abs_(self) -> Self:
        """Apply `abs` in place and return the tensor."""
        return each_into("abs_", numpy.absolute, self)

    def neg_(self) -> Self:
        """Apply `neg` in place and return the tensor."""
        return each_into("neg_", negative, self)

    def sign_(self) -> Self:
        """Apply `sign` in place and return the tensor."""
        return each_into("sign_", sign, self)

    def exp_(self) -> Self:
        """Apply `exp` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("exp_", numpy.exp, self, fractions=True)

    def expm1_(self) -> Self:
        """Apply `expm1` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("expm1_", numpy.expm1, self, fractions=True)

    def log_(self) -> Self:
        """Apply `log` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("log_", numpy.log, self, fractions=True)

    def log1p_(self) -> Self:
        """Apply `log1p` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("log1p_", numpy.log1p, self, fractions=True)

    def sqrt_(self) -> Self:
        """Apply `sqrt` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("sqrt_", numpy.sqrt, self, fractions=True)

    def rsqrt_(self) -> Self:
        """Apply `rsqrt` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("rsqrt_", rsqrt, self, fractions=True)

    def reciprocal_(self) -> Self:
        """Apply `reciprocal` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("reciprocal_", numpy.reciprocal, self, fractions=True)

    def sigmoid_(self) -> Self:
        """Apply `sigmoid` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("sigmoid_", sigmoid, self, fractions=True)

    def tanh_(self) -> Self:
        """Apply `tanh` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("tanh_", numpy.tanh, self, fractions=True)

    def sin_(self) -> Self:
        """Apply `sin` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("sin_", numpy.sin, self, fractions=True)

    def cos_(self) -> Self:
        """Apply `cos` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("cos_", numpy.cos, self, fractions=True)

    def tan_(self) -> Self:
        """Apply `tan` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("tan_", numpy.tan, self, fractions=True)

    def asin_(self) -> Self:
        """Apply `asin` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("asin_", numpy.arcsin, self, fractions=True)

    def acos_(self) -> Self:
        """Apply `acos` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("acos_", numpy.arccos, self, fractions=True)

    def atan_(self) -> Self:
        """Apply `atan` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("atan_", numpy.arctan, self, fractions=True)

    def sinh_(self) -> Self:
        """Apply `sinh` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("sinh_", numpy.sinh, self, fractions=True)

    def cosh_(self) -> Self:
        """Apply `cosh` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("cosh_", numpy.cosh, self, fractions=True)

    def floor_(self) -> Self:
        """Apply `floor` in place and return the tensor."""
        return each_into("floor_", floor, self)

    def ceil_(self) -> Self:
        """Apply `ceil` in place and return the tensor."""
        return each_into("ceil_", ceil, self)

    def round_(self) -> Self:
        """Apply `round` in place and return the tensor."""
        return each_into("round_", rint, self)

    def trunc_(self) -> Self:
        """Apply `trunc` in place and return the tensor."""
        return each_into("trunc_", trunc, self)

    def frac_(self) -> Self:
        """Apply `frac` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("frac_", frac, self, fractions=True)

    def remainder_(self, divisor: TensorBase | float) -> Self:
        """Apply `remainder` in place.

        Args:
            divisor: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
            ZeroDivisionError: If an integer is divided by 0.
        """
        return combine_into("remainder_", remainder, self, divisor)

    def fmod_(self, divisor: TensorBase | float) -> Self:
        """Apply `fmod` in place.

        Args:
            divisor: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
            ZeroDivisionError: If an integer is divided by 0.
        """
        return combine_into("fmod_", fmod, self, divisor)

    def cmax_(self, other: TensorBase | float) -> Self:
        """Apply `cmax` in place.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return combine_into("cmax_", numpy.maximum, self, other)

    def cmin_(self, other: TensorBase | float) -> Self:
        """Apply `cmin` in place.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return combine_into("cmin_", numpy.minimum, self, other)

    def atan2_(self, other: TensorBase | float) -> Self:
        """Apply `atan2` in place.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If the tensor holds integers, or `other` is a Tensor of another type.
        """
        return copied_into("atan2_", self, self.atan2(other))

    def lerp_(self, end: TensorBase, weight: TensorBase | float) -> Self:
        """Apply `lerp` in place.

        Args:
            end: A Tensor of the same type.
            weight: A number, or a Tensor of the same type.

        Returns:
            This tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return copied_into("lerp_", self, self.lerp(end, weight))

    def renorm_(self, p: float, dim: int, maxnorm: float) -> Self:
        """Apply `renorm` in place.

        Args:
            p: The order of the norm.
            dim: The dimension along which the parts lie.
            maxnorm: The largest norm that a part keeps.

        Returns:
            This tensor.

        Raises:
            ValueError: If the tensor has fewer than two dimensions, or `p` or `maxnorm` is out of range.
            TypeError: If the tensor holds integers.
        """
        return copied_into("renorm_", self, self.renorm(p, dim, maxnorm))

    def cumsum_(self, dim: int) -> Self:
        """Apply `cumsum` in place.

        Args:
            dim: The dimension; negative ones count from the end.

        Returns:
            This tensor.

        Raises:
            OverflowError: If a sum of integers does not fit into their type.
        """
        return copied_into("cumsum_", self, self.cumsum(dim))

    def cumprod_(self, dim: int) -> Self:
        """Apply `cumprod` in place.

        Args:
            dim: The dimension; negative ones count from the end.

        Returns:
            This tensor.

        Raises:
            OverflowError: If a product of integers does not fit into their type.
        """
        return copied_into("cumprod_", self, self.cumprod(dim))

    def tril_(self, k: int = 0) -> Self:
        """Apply `tril` in place.

        Args:
            k: The diagonal: 0 is the main one, positive ones are above it.

        Returns:
            This tensor.

        Raises:
            ValueError: If the tensor is a vector.
        """
        return copied_into("tril_", self, self.tril(k))

    def triu_(self, k: int = 0) -> Self:
        """Apply `triu` in place.

        Args:
            k: The diagonal: 0 is the main one, positive ones are above it.

        Returns:
            This tensor.

        Raises:
            ValueError: If the tensor is a vector.
        """
        return copied_into("triu_", self, self.triu(k))

    def eq_(self, other: TensorBase | float) -> Self:
        """Apply `eq` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return copied_into("eq_", self, self.eq(other))

    def ne_(self, other: TensorBase | float) -> Self:
        """Apply `ne` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return copied_into("ne_", self, self.ne(other))

    def lt_(self, other: TensorBase | float) -> Self:
        """Apply `lt` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return copied_into("lt_", self, self.lt(other))

    def le_(self, other: TensorBase | float) -> Self:
        """Apply `le` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return copied_into("le_", self, self.le(other))

    def gt_(self, other: TensorBase | float) -> Self:
        """Apply `gt` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return copied_into("gt_", self, self.gt(other))

    def ge_(self, other: TensorBase | float) -> Self:
        """Apply `ge` in place: the elements become 1 or 0 in the type of this tensor.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `other` is a Tensor of another type.
            ValueError: If the shapes cannot be broadcast.
        """
        return copied_into("ge_", self, self.ge(other))

    def addmm_(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `addmm` in place.

        Args:
            *arguments: (m1, m2), v0.1.x's (beta, m1, m2) or (beta, alpha, m1, m2).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Returns:
            This tensor.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.
        """
        return copied_into("addmm_", self, self.addmm(*arguments, beta=beta, alpha=alpha))

    def addmv_(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `addmv` in place.

        Args:
            *arguments: (matrix, vector), v0.1.x's (beta, matrix, vector) or (beta, alpha, matrix, vector).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Returns:
            This tensor.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.
        """
        return copied_into("addmv_", self, self.addmv(*arguments, beta=beta, alpha=alpha))

    def addr_(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `addr` in place.

        Args:
            *arguments: (v1, v2), v0.1.x's (beta, v1, v2) or (beta, alpha, v1, v2).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Returns:
            This tensor.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.
        """
        return copied_into("addr_", self, self.addr(*arguments, beta=beta, alpha=alpha))

    def addbmm_(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `addbmm` in place.

        Args:
            *arguments: (b1, b2), v0.1.x's (beta, b1, b2) or (beta, alpha, b1, b2).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Returns:
            This tensor.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.
        """
        return copied_into("addbmm_", self, self.addbmm(*arguments, beta=beta, alpha=alpha))

    def baddbmm_(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Apply `baddbmm` in place.

        Args:
            *arguments: (b1, b2), v0.1.x's (beta, b1, b2) or (beta, alpha, b1, b2).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Returns:
            This tensor.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.
        """
        return copied_into("baddbmm_", self, self.baddbmm(*arguments, beta=beta, alpha=alpha))

    def div_(self, other: TensorBase | float) -> Self:
        """Apply `div` in place.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
            ZeroDivisionError: If an integer is divided by 0.
        """
        return combine_into("div_", divide, self, other)

    def lgamma_(self) -> Self:
        """Apply `lgamma` in place and return the tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return each_into("lgamma_", log_gamma, self, fractions=True)

    def pow_(self, exponent: TensorBase | float) -> Self:
        """Apply `pow` in place.

        Args:
            exponent: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
            RuntimeError: If an integer is raised to a negative exponent.
        """
        return combine_into("pow_", power, self, exponent)
