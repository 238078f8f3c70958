"""Reductions of a Variable; their Functions are in `functions/reduce.py`.

They reduce all elements to shape (1,), or along `dim`, which stays with size 1 unless keepdim is False.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from ...tensor import Tensor
from ...tensor.dtypes import HALF
from ...tensor.messages import naming
from ...tensor.reduce import check_norms
from ..functions.pointwise import Cmax, Cmin
from ..functions.reduce import Cumprod, Cumsum, Max, Mean, Min, Norm, Prod, Std, Sum, Var
from ..variable import Variable
from ._arguments import constant
from ._attach import attach


class ReduceMethods:
    """Reductions and running sums."""

    # Of Variable, to which these methods are attached.
    data: Tensor
    sub: Callable[..., Variable]
    transpose: Callable[[int, int], Variable]
    type: Callable[..., Variable]

    def sum(self, dim: int | None = None, keepdim: bool | None = None) -> Variable:
        """Return the sum of all elements, or the sums along one dimension.

        Args:
            dim: The dimension to sum along. Default: all elements, with a result of shape (1,).
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            `g + 0 * x`: every element receives g, the gradient of the result.
        """
        return Sum(dim, keepdim)(self)[0]

    def mean(self, dim: int | None = None, keepdim: bool | None = None) -> Variable:
        """Return the mean of all elements, or the means along one dimension.

        Args:
            dim: The dimension to average along. Default: all elements, with a result of shape (1,).
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            g / n for every element, where g is the gradient of the result and n the number of elements averaged.
        """
        return Mean(dim, keepdim)(self)[0]

    def prod(self, dim: int | None = None, keepdim: bool | None = None) -> Variable:
        """Return the product of all elements, or the products along one dimension.

        Args:
            dim: The dimension to multiply along. Default: all elements, with a result of shape (1,).
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            `g * r / x`, where g is the gradient of the result r. Where x is 0, g times the product of the other
            elements.
        """
        return Prod(dim, keepdim)(self)[0]

    def var(self, dim: int | None = None, unbiased: bool = True, keepdim: bool | None = None) -> Variable:
        """Return the variance Σ (x - mean)² / (n - 1) of all n elements, or the variances along one dimension.

        Args:
            dim: The dimension. Default: all elements, with a result of shape (1,).
            unbiased: Whether to divide by n - 1, else by n.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            2 g (x - mean) / (n - 1), or / n if not `unbiased`, where g is the gradient of the result; nan where the
            divisor is 0.
        """
        return Var(dim, unbiased, keepdim)(self)[0]

    def std(self, dim: int | None = None, unbiased: bool = True, keepdim: bool | None = None) -> Variable:
        """Return the square root of `var(dim, unbiased, keepdim)`.

        Args:
            dim: The dimension. Default: all elements, with a result of shape (1,).
            unbiased: Whether the variance divides by n - 1, else by n.
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            That of `var`, divided by 2 r, where r is the result; 0 where r is 0.
        """
        return Std(dim, unbiased, keepdim)(self)[0]

    def norm(self, p: float = 2, dim: int | None = None, keepdim: bool | None = None) -> Variable:
        """Return the p-norm (Σ |x|^p)^(1/p) of all elements, or the p-norms along one dimension.

        Args:
            p: The exponent. It may be infinite. For 0 the norm is the number of elements other than 0.
            dim: The dimension. Default: all elements, with a result of shape (1,).
            keepdim: Whether `dim` stays in the result, with size 1.

        Gradient:
            `g * sign(x) * (abs(x) / r)**(p - 1)`, where g is the gradient of the result r; 0 where r or x is 0. The
            infinite norms share g among the elements with |x| = r. For p = 0 the gradient is 0.
        """
        return Norm(p, dim, keepdim)(self)[0]

    @overload
    def max(self, dim: Variable | None = None) -> Variable: ...

    @overload
    def max(self, dim: int, keepdim: bool | None = None) -> tuple[Variable, Variable]: ...

    def max(self, dim: Any = None, keepdim: bool | None = None) -> Any:
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
            return Max()(self)[0]
        if isinstance(dim, Variable):
            return Cmax()(self, dim)[0]
        return Max(dim, keepdim)(self)

    @overload
    def min(self, dim: Variable | None = None) -> Variable: ...

    @overload
    def min(self, dim: int, keepdim: bool | None = None) -> tuple[Variable, Variable]: ...

    def min(self, dim: Any = None, keepdim: bool | None = None) -> Any:
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
            return Min()(self)[0]
        if isinstance(dim, Variable):
            return Cmin()(self, dim)[0]
        return Min(dim, keepdim)(self)

    def argmax(self, dim: int | None = None, keepdim: bool | None = None) -> Variable:
        """Return the index of the largest element, as a LongTensor Variable. It has no gradient.

        Args:
            dim: The dimension to search along. Default: the flattened x.
            keepdim: Whether `dim` stays in the result, with size 1.
        """
        return _indices(self.data.argmax(dim, keepdim))

    def argmin(self, dim: int | None = None, keepdim: bool | None = None) -> Variable:
        """Return the index of the smallest element, as a LongTensor Variable. It has no gradient.

        Args:
            dim: The dimension to search along. Default: the flattened x.
            keepdim: Whether `dim` stays in the result, with size 1.
        """
        return _indices(self.data.argmin(dim, keepdim))

    def cumsum(self, dim: int) -> Variable:
        """Return the running sums along `dim`, in the shape of x.

        Args:
            dim: The dimension.

        Gradient:
            `flip(cumsum(flip(g, dim), dim), dim)`: the running sums, from the end, of g, the gradient of the result.
        """
        return Cumsum(dim)(self)[0]

    def cumprod(self, dim: int) -> Variable:
        """Return the running products along `dim`, in the shape of x.

        Args:
            dim: The dimension.

        Gradient:
            The running sums of g r from the end, divided by x, where g is the gradient of the result r; exact at 0.
        """
        return Cumprod(dim)(self)[0]

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
        if self.data.array.dtype is HALF:  # a norm of halves soon exceeds 65504
            return self.type("torch.FloatTensor").renorm(p, dim, maxnorm).type("torch.HalfTensor")
        rows = self.transpose(dim, 0).contiguous()
        flat = rows.view(rows.size(0), -1)
        is_kept = flat.norm(p, 1, True).gt(maxnorm).eq(0)  # also where it is nan, and then has no part in the gradient
        norms = flat.masked_fill(is_kept.expand_as(flat), 1).norm(p, 1, True)
        factors = (maxnorm / (norms + 1e-7)).masked_fill(is_kept, 1)
        return (rows * factors.view(-1, *(1,) * (len(rows.size()) - 1))).transpose(dim, 0)


def _indices(found):
    return constant(found if isinstance(found, Tensor) else Tensor([found]).long())


attach(ReduceMethods)
