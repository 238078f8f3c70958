"""Written by tools/write_twins.py from Tensor's methods; do not edit. `torch.exp(x)` is `x.exp()`.

If one operand is a Variable, all must be, and so is the result. The method's docstring describes the result and the
errors. `number_first.py` has the functions in which a number may come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import number_first
from .arguments import Operand, operand
from .number_first import *  # noqa: F403
from .results import takes_results

# In this file abs, all, any, max, min, round and sum are not Python's.

# --- below this line, tools/write_twins.py writes

__all__ = [
    "abs", "acos", "addcdiv", "addcmul", "all", "any", "argmax", "argmin", "asin", "atan", "atan2", "bmm", "btrifact",
    "btrisolve", "ceil", "chunk", "clamp", "clamp_max", "clamp_min", "clone", "cmax", "cmin", "cos", "cosh", "cross",
    "cumprod", "cumsum", "diag", "dist", "dot", "eig", "eq", "equal", "exp", "expm1", "floor", "fmod", "frac", "gather",
    "ge", "gels", "geqrf", "ger", "gesv", "gt", "histc", "index_add", "index_copy", "index_fill", "index_select",
    "inverse", "kthvalue", "le", "lerp", "lgamma", "log", "log1p", "lt", "masked_fill", "masked_scatter",
    "masked_select", "matmul", "max", "mean", "median", "min", "mm", "mode", "mv", "narrow", "ne", "neg", "nonzero",
    "norm", "numel", "orgqr", "ormqr", "permute", "potrf", "potri", "potrs", "prod", "pstrf", "qr", "reciprocal",
    "remainder", "renorm", "reshape", "round", "rsqrt", "scatter", "scatter_add", "sigmoid", "sign", "sin", "sinh",
    "sort", "split", "sqrt", "squeeze", "std", "sum", "svd", "symeig", "t", "take", "tan", "tanh", "topk", "trace",
    "transpose", "tril", "triu", "trtrs", "trunc", "unsqueeze", "var",
]  # fmt: skip
__all__ += number_first.__all__


@takes_results(1)
def abs(x: Operand) -> Operand:
    """Return the absolute value of every element; see `Tensor.abs`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("abs", x).abs()


@takes_results(1)
def acos(x: Operand) -> Operand:
    """Return the arc cosine of every element: nan outside of [-1, 1]; see `Tensor.acos`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("acos", x).acos()


@takes_results(3)
def addcdiv(x: Operand, *arguments: Operand | float, value: float = 1) -> Operand:
    """Return x + value * t1 / t2, pointwise; see `Tensor.addcdiv`.

    Args:
        x: A Tensor or Variable.
        *arguments: The Tensors (t1, t2), or v0.1.x's (value, t1, t2).
        value: A factor, unless it is among the arguments.
    """
    return operand("addcdiv", x).addcdiv(*arguments, value=value)


@takes_results(3)
def addcmul(x: Operand, *arguments: Operand | float, value: float = 1) -> Operand:
    """Return x + value * t1 * t2, pointwise; see `Tensor.addcmul`.

    Args:
        x: A Tensor or Variable.
        *arguments: The Tensors (t1, t2), or v0.1.x's (value, t1, t2).
        value: A factor, unless it is among the arguments.
    """
    return operand("addcmul", x).addcmul(*arguments, value=value)


def all(x: Operand, dim: int | None = None, keepdim: bool | None = None) -> Operand | bool:
    """Return whether no element is 0; see `Tensor.all`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("all", x).all(dim, keepdim)


def any(x: Operand, dim: int | None = None, keepdim: bool | None = None) -> Operand | bool:
    """Return whether at least one element is not 0; see `Tensor.any`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("any", x).any(dim, keepdim)


def argmax(x: Operand, dim: int | None = None, keepdim: bool | None = None) -> Operand | int:
    """Return the index of the largest element, or the indices along one dimension; of equal elements the first.

    See `Tensor.argmax`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("argmax", x).argmax(dim, keepdim)


def argmin(x: Operand, dim: int | None = None, keepdim: bool | None = None) -> Operand | int:
    """Return the index of the smallest element, or the indices along one dimension; of equal elements the first.

    See `Tensor.argmin`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("argmin", x).argmin(dim, keepdim)


@takes_results(1)
def asin(x: Operand) -> Operand:
    """Return the arc sine of every element: nan outside of [-1, 1]; see `Tensor.asin`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("asin", x).asin()


@takes_results(1)
def atan(x: Operand) -> Operand:
    """Return the arc tangent of every element; see `Tensor.atan`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("atan", x).atan()


@takes_results(2)
def atan2(x: Operand, other: Operand | float) -> Operand:
    """Return the angle of the point (other, x), pointwise, from -π to π; see `Tensor.atan2`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
    """
    return operand("atan2", x).atan2(other)


@takes_results(2)
def bmm(x: Operand, other: Operand) -> Operand:
    """Return the products of pairs of matrices in two batches of shapes (b, n, k) and (b, k, m): shape (b, n, m).

    See `Tensor.bmm`.

    Args:
        x: A Tensor or Variable.
        other: The second batch, of the same type.
    """
    return operand("bmm", x).bmm(other)


@takes_results(1, results=2, columns=True)
def btrifact(x: Operand, info: Operand | None = None) -> tuple[Operand, Operand]:
    """Return the LU factors of each matrix of a batch of shape (b, n, n), and the pivots; see `Tensor.btrifact`.

    Args:
        x: A Tensor or Variable.
        info: An IntTensor that receives b numbers: 0, or the position, counted from 1, of the first 0 on the
            diagonal of U. Default: none.
    """
    return operand("btrifact", x).btrifact(info)


@takes_results(3)
def btrisolve(x: Operand, LU_data: Operand, LU_pivots: Operand) -> Operand:
    """Return the solutions X of A X = x for each matrix A of a batch; see `Tensor.btrisolve`.

    Args:
        x: A Tensor or Variable.
        LU_data: The factors from `btrifact`, of shape (b, n, n). `x` has shape (b, n) or (b, n, m).
        LU_pivots: The pivots from `btrifact`.
    """
    return operand("btrisolve", x).btrisolve(LU_data, LU_pivots)


@takes_results(1)
def ceil(x: Operand) -> Operand:
    """Return the smallest integer >= x for every element x; see `Tensor.ceil`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("ceil", x).ceil()


def chunk(x: Operand, chunks: int, dim: int = 0) -> tuple[Operand, ...]:
    """Return a tuple of at most `chunks` views along `dim`, of equal size except for the last; see `Tensor.chunk`.

    Args:
        x: A Tensor or Variable.
        chunks: The number of pieces.
        dim: The dimension; negative ones count from the end.
    """
    return operand("chunk", x).chunk(chunks, dim)


@takes_results(1)
def clamp(x: Operand, min: float | None = None, max: float | None = None) -> Operand:
    """Return the elements limited to the range from `min` to `max`; see `Tensor.clamp`.

    Args:
        x: A Tensor or Variable.
        min: The lower limit. Default: none.
        max: The upper limit. Default: none.
    """
    return operand("clamp", x).clamp(min, max)


@takes_results(1)
def clamp_max(x: Operand, max: float) -> Operand:
    """Return the elements limited to at most `max`; see `Tensor.clamp_max`.

    Args:
        x: A Tensor or Variable.
        max: The upper limit.
    """
    return operand("clamp_max", x).clamp_max(max)


@takes_results(1)
def clamp_min(x: Operand, min: float) -> Operand:
    """Return the elements limited to at least `min`; see `Tensor.clamp_min`.

    Args:
        x: A Tensor or Variable.
        min: The lower limit.
    """
    return operand("clamp_min", x).clamp_min(min)


def clone(x: Operand) -> Operand:
    """Return a copy in memory of its own; see `Tensor.clone`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("clone", x).clone()


@takes_results(2)
def cmax(x: Operand, other: Operand | float) -> Operand:
    """Return the larger of x and other, pointwise; nan if one of them is nan; see `Tensor.cmax`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
    """
    return operand("cmax", x).cmax(other)


@takes_results(2)
def cmin(x: Operand, other: Operand | float) -> Operand:
    """Return the smaller of x and other, pointwise; nan if one of them is nan; see `Tensor.cmin`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
    """
    return operand("cmin", x).cmin(other)


@takes_results(1)
def cos(x: Operand) -> Operand:
    """Return the cosine of every element; see `Tensor.cos`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("cos", x).cos()


@takes_results(1)
def cosh(x: Operand) -> Operand:
    """Return the hyperbolic cosine of every element; see `Tensor.cosh`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("cosh", x).cosh()


@takes_results(2)
def cross(x: Operand, other: Operand, dim: int | None = None) -> Operand:
    """Return the cross product along a dimension of size 3; see `Tensor.cross`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x` and shape.
        dim: The dimension. Default: the first one of size 3.
    """
    return operand("cross", x).cross(other, dim)


@takes_results(1)
def cumprod(x: Operand, dim: int) -> Operand:
    """Return the cumulative products along one dimension; see `Tensor.cumprod`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
    """
    return operand("cumprod", x).cumprod(dim)


@takes_results(1)
def cumsum(x: Operand, dim: int) -> Operand:
    """Return the cumulative sums along one dimension; see `Tensor.cumsum`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
    """
    return operand("cumsum", x).cumsum(dim)


@takes_results(1)
def diag(x: Operand, k: int = 0) -> Operand:
    """Return a diagonal of a matrix as a vector, or the matrix with `x` as a diagonal; a copy.

    See `Tensor.diag`.

    Args:
        x: A Tensor or Variable.
        k: The diagonal: 0 is the main one, positive ones are above it.
    """
    return operand("diag", x).diag(k)


def dist(x: Operand, other: Operand | float, p: float = 2) -> float:
    """Return the p-norm of x - other; see `Tensor.dist`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
        p: The order of the norm, as for `norm`.
    """
    return operand("dist", x).dist(other, p)


def dot(x: Operand, other: Operand) -> float:
    """Return the sum of the products of the elements of two tensors; see `Tensor.dot`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, with as many elements.
    """
    return operand("dot", x).dot(other)


@takes_results(1, results=2, columns=True)
def eig(x: Operand, eigenvectors: bool | str = False) -> tuple[Operand, Operand]:
    """Return the eigenvalues of a square matrix of shape (n, n), and its eigenvectors; see `Tensor.eig`.

    Args:
        x: A Tensor or Variable.
        eigenvectors: Whether to return eigenvectors. v0.1.1's letters are "V" and "N".
    """
    return operand("eig", x).eig(eigenvectors)


@takes_results(2, converts=True)
def eq(x: Operand, other: Operand | float) -> Operand:
    """Return a ByteTensor that is 1 where x == other, and 0 elsewhere; see `Tensor.eq`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
    """
    return operand("eq", x).eq(other)


def equal(x: Operand, other: Operand) -> bool:
    """Return whether `other` has the same shape and elements; see `Tensor.equal`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`.
    """
    return operand("equal", x).equal(other)


@takes_results(1)
def exp(x: Operand) -> Operand:
    """Return e to the power of every element; see `Tensor.exp`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("exp", x).exp()


@takes_results(1)
def expm1(x: Operand) -> Operand:
    """Return exp(x) - 1 for every element x, accurate near 0; see `Tensor.expm1`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("expm1", x).expm1()


@takes_results(1)
def floor(x: Operand) -> Operand:
    """Return the largest integer <= x for every element x; see `Tensor.floor`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("floor", x).floor()


@takes_results(2)
def fmod(x: Operand, divisor: Operand | float) -> Operand:
    """Return the remainder of x / divisor with the sign of x, pointwise, like C's fmod; see `Tensor.fmod`.

    Args:
        x: A Tensor or Variable.
        divisor: A Tensor or Variable like `x`, or a number.
    """
    return operand("fmod", x).fmod(divisor)


@takes_results(1)
def frac(x: Operand) -> Operand:
    """Return the fractional part of every element, with its sign: x - trunc(x); see `Tensor.frac`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("frac", x).frac()


@takes_results(2)
def gather(x: Operand, dim: int, index: Operand) -> Operand:
    """Return the elements at the indices `index` along `dim`: for dim 0, element (i, j) is x[index[i, j], j].

    See `Tensor.gather`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        index: A LongTensor with as many dimensions, none larger than in `x` except `dim`.
    """
    return operand("gather", x).gather(dim, index)


@takes_results(2, converts=True)
def ge(x: Operand, other: Operand | float) -> Operand:
    """Return a ByteTensor that is 1 where x >= other, and 0 elsewhere; see `Tensor.ge`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
    """
    return operand("ge", x).ge(other)


@takes_results(2, results=2, columns=True)
def gels(x: Operand, a: Operand) -> tuple[Operand, Operand]:
    """Return the least-squares solution X, which minimizes the norm of a X - x, and the QR factors of `a`.

    See `Tensor.gels`.

    Args:
        x: A Tensor or Variable.
        a: A matrix of shape (m, n) and full rank. `x` has shape (m, k), or (m,) for k = 1.
    """
    return operand("gels", x).gels(a)


@takes_results(1, results=2, columns=True)
def geqrf(x: Operand) -> tuple[Operand, Operand]:
    """Return the QR factors of a matrix of shape (m, n) as LAPACK packs them; see `Tensor.geqrf`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("geqrf", x).geqrf()


@takes_results(2)
def ger(x: Operand, other: Operand) -> Operand:
    """Return the outer product of two vectors of n and m elements: a matrix of shape (n, m); see `Tensor.ger`.

    Args:
        x: A Tensor or Variable.
        other: The second vector, of the same type.
    """
    return operand("ger", x).ger(other)


@takes_results(2, results=2, columns=True)
def gesv(x: Operand, a: Operand) -> tuple[Operand, Operand]:
    """Return the solution X of the linear system a X = x, and the factors of `a`; see `Tensor.gesv`.

    Args:
        x: A Tensor or Variable.
        a: A matrix of shape (n, n). `x` has shape (n, m), or (n,) for m = 1.
    """
    return operand("gesv", x).gesv(a)


@takes_results(2, converts=True)
def gt(x: Operand, other: Operand | float) -> Operand:
    """Return a ByteTensor that is 1 where x > other, and 0 elsewhere; see `Tensor.gt`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
    """
    return operand("gt", x).gt(other)


@takes_results(1)
def histc(x: Operand, bins: int = 100, min: float = 0, max: float = 0) -> Operand:
    """Return the number of elements in each of `bins` equal intervals from `min` to `max`; see `Tensor.histc`.

    Args:
        x: A Tensor or Variable.
        bins: The number of intervals.
        min: The lower end of the first interval.
        max: The upper end of the last interval. If it equals `min`, both become the extremes of the elements.
    """
    return operand("histc", x).histc(bins, min, max)


def index_add(x: Operand, dim: int, index: Operand, source: Operand) -> Operand:
    """Return a copy on which `index_add_` was called (added to torch after v0.1.x); see `Tensor.index_add`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        index: A LongTensor of one dimension.
        source: A Tensor or Variable like `x`, with one part for each index.
    """
    return operand("index_add", x).index_add(dim, index, source)


def index_copy(x: Operand, dim: int, index: Operand, source: Operand) -> Operand:
    """Return a copy on which `index_copy_` was called (added to torch after v0.1.x); see `Tensor.index_copy`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        index: A LongTensor of one dimension.
        source: A Tensor or Variable like `x`, with one part for each index.
    """
    return operand("index_copy", x).index_copy(dim, index, source)


def index_fill(x: Operand, dim: int, index: Operand, value: float) -> Operand:
    """Return a copy on which `index_fill_` was called (added to torch after v0.1.x); see `Tensor.index_fill`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        index: A LongTensor of one dimension.
        value: The number.
    """
    return operand("index_fill", x).index_fill(dim, index, value)


@takes_results(2)
def index_select(x: Operand, dim: int, index: Operand) -> Operand:
    """Return a copy of the parts at the indices `index` along `dim`; see `Tensor.index_select`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        index: A LongTensor of one dimension.
    """
    return operand("index_select", x).index_select(dim, index)


@takes_results(1, columns=True)
def inverse(x: Operand) -> Operand:
    """Return the inverse of a square matrix; see `Tensor.inverse`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("inverse", x).inverse()


@takes_results(1, results=2)
def kthvalue(x: Operand, k: int, dim: int = -1, keepdim: bool | None = None) -> Any:
    """Return the `k`-th smallest element along `dim`, and its index; see `Tensor.kthvalue`.

    Args:
        x: A Tensor or Variable.
        k: The rank, counted from 1.
        dim: The dimension; negative ones count from the end.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("kthvalue", x).kthvalue(k, dim, keepdim)


@takes_results(2, converts=True)
def le(x: Operand, other: Operand | float) -> Operand:
    """Return a ByteTensor that is 1 where x <= other, and 0 elsewhere; see `Tensor.le`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
    """
    return operand("le", x).le(other)


@takes_results(3)
def lerp(x: Operand, end: Operand, weight: Operand | float) -> Operand:
    """Return x + weight * (end - x), pointwise; see `Tensor.lerp`.

    Args:
        x: A Tensor or Variable.
        end: A Tensor or Variable like `x`.
        weight: A number, or a Tensor of the same type.
    """
    return operand("lerp", x).lerp(end, weight)


@takes_results(1)
def lgamma(x: Operand) -> Operand:
    """Return ln |Γ(x)| for every element x, where Γ(n) = (n - 1)! (0.2); see `Tensor.lgamma`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("lgamma", x).lgamma()


@takes_results(1)
def log(x: Operand) -> Operand:
    """Return the natural logarithm of every element: -inf at 0, nan below it; see `Tensor.log`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("log", x).log()


@takes_results(1)
def log1p(x: Operand) -> Operand:
    """Return log(1 + x) for every element x, accurate near 0; see `Tensor.log1p`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("log1p", x).log1p()


@takes_results(2, converts=True)
def lt(x: Operand, other: Operand | float) -> Operand:
    """Return a ByteTensor that is 1 where x < other, and 0 elsewhere; see `Tensor.lt`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
    """
    return operand("lt", x).lt(other)


def masked_fill(x: Operand, mask: Operand, value: float) -> Operand:
    """Return a copy on which `masked_fill_` was called (added to torch after v0.1.x); see `Tensor.masked_fill`.

    Args:
        x: A Tensor or Variable.
        mask: A ByteTensor whose shape broadcasts to that of `x`.
        value: The number.
    """
    return operand("masked_fill", x).masked_fill(mask, value)


def masked_scatter(x: Operand, mask: Operand, source: Operand) -> Operand:
    """Return a copy on which `masked_scatter_` was called (added to torch after v0.1.x).

    See `Tensor.masked_scatter`.

    Args:
        x: A Tensor or Variable.
        mask: A ByteTensor whose shape broadcasts to that of `x`.
        source: A Tensor or Variable like `x`, with at least as many elements as `mask` has places.
    """
    return operand("masked_scatter", x).masked_scatter(mask, source)


@takes_results(2)
def masked_select(x: Operand, mask: Operand) -> Operand:
    """Return a vector of the elements where `mask` is not 0; see `Tensor.masked_select`.

    Args:
        x: A Tensor or Variable.
        mask: A ByteTensor. Its shape and that of `x` broadcast.
    """
    return operand("masked_select", x).masked_select(mask)


@takes_results(2)
def matmul(x: Operand, other: Operand) -> Operand | float:
    """Return the product by the rules of modern torch; see `Tensor.matmul`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`.
    """
    return operand("matmul", x).matmul(other)


@takes_results(1, results=2, or_of_two=True)
def max(x: Operand, dim: int | Operand | None = None, keepdim: bool | None = None) -> Any:
    """Return the largest element, the largest ones along one dimension, or the larger of two tensors pointwise.

    See `Tensor.max`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce, or a Tensor to compare with. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("max", x).max(dim, keepdim)


@takes_results(1)
def mean(x: Operand, dim: int | None = None, keepdim: bool | None = None) -> Operand | float:
    """Return the mean of all elements, or the means along one dimension; nan if there are no elements.

    See `Tensor.mean`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("mean", x).mean(dim, keepdim)


@takes_results(1, results=2)
def median(x: Operand, dim: int | None = None, keepdim: bool | None = None) -> Any:
    """Return the median along `dim`, and its index; see `Tensor.median`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end. Default: the last one. Under the conventions of
            v0.2.0 the default is all elements, and the result one number.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("median", x).median(dim, keepdim)


@takes_results(1, results=2, or_of_two=True)
def min(x: Operand, dim: int | Operand | None = None, keepdim: bool | None = None) -> Any:
    """Return the smallest element, the smallest ones along one dimension, or the smaller of two tensors pointwise.

    See `Tensor.min`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce, or a Tensor to compare with. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("min", x).min(dim, keepdim)


@takes_results(2)
def mm(x: Operand, other: Operand) -> Operand:
    """Return the product of two matrices of shapes (n, k) and (k, m): a matrix of shape (n, m); see `Tensor.mm`.

    Args:
        x: A Tensor or Variable.
        other: The second matrix, of the same type.
    """
    return operand("mm", x).mm(other)


@takes_results(1, results=2)
def mode(x: Operand, dim: int = -1, keepdim: bool | None = None) -> Any:
    """Return the most frequent element along `dim`, the smallest of several, and its last index; see `Tensor.mode`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("mode", x).mode(dim, keepdim)


@takes_results(2)
def mv(x: Operand, vector: Operand) -> Operand:
    """Return the product of a matrix of shape (n, k) and a vector of k elements: a vector of n elements.

    See `Tensor.mv`.

    Args:
        x: A Tensor or Variable.
        vector: The vector, of the same type.
    """
    return operand("mv", x).mv(vector)


def narrow(x: Operand, dim: int, start: int, length: int) -> Operand:
    """Return a view of `length` parts along `dim`, beginning at `start`; see `Tensor.narrow`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        start: The first index; negative ones count from the end.
        length: The number of parts.
    """
    return operand("narrow", x).narrow(dim, start, length)


@takes_results(2, converts=True)
def ne(x: Operand, other: Operand | float) -> Operand:
    """Return a ByteTensor that is 1 where x != other, and 0 elsewhere; see `Tensor.ne`.

    Args:
        x: A Tensor or Variable.
        other: A Tensor or Variable like `x`, or a number.
    """
    return operand("ne", x).ne(other)


@takes_results(1)
def neg(x: Operand) -> Operand:
    """Return every element with the opposite sign; see `Tensor.neg`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("neg", x).neg()


@takes_results(1)
def nonzero(x: Operand) -> Operand:
    """Return the positions of the elements that are not 0: a LongTensor with one row for each of them.

    See `Tensor.nonzero`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("nonzero", x).nonzero()


@takes_results(1)
def norm(x: Operand, p: float = 2, dim: int | None = None, keepdim: bool | None = None) -> Operand | float:
    """Return the p-norm (Σ |x|^p)^(1/p) of all elements, or the norms along one dimension; see `Tensor.norm`.

    Args:
        x: A Tensor or Variable.
        p: The order: a number, inf, -inf, or 0 for the number of elements that are not 0.
        dim: The dimension to reduce. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("norm", x).norm(p, dim, keepdim)


def numel(x: Operand) -> int:
    """Return the number of elements; see `Tensor.numel`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("numel", x).numel()


@takes_results(2, results=1, columns=True)
def orgqr(x: Operand, tau: Operand) -> tuple[Operand, Operand]:
    """Return the first columns of Q, as many as `tau` has numbers, and `x`; see `Tensor.orgqr`.

    Args:
        x: A Tensor or Variable.
        tau: The second result of `geqrf`. `x` is the first.
    """
    return operand("orgqr", x).orgqr(tau)


@takes_results(3, results=1, columns=True)
def ormqr(
    x: Operand, tau: Operand, mat: Operand, left: bool | str = True, transpose: bool | str = False
) -> tuple[Operand, Operand]:
    """Return the product of Q and a matrix, and `x`; see `Tensor.ormqr`.

    Args:
        x: A Tensor or Variable.
        tau: The second result of `geqrf`. `x` is the first.
        mat: The matrix, of the same type.
        left: Whether the product is Q mat, else mat Q. v0.1.1's letters are "L" and "R".
        transpose: Whether to multiply by Qᵀ. v0.1.1's letters are "T" and "N".
    """
    return operand("ormqr", x).ormqr(tau, mat, left, transpose)


def permute(x: Operand, *dims: int | Sequence[int]) -> Operand:
    """Return a view with the dimensions in another order; see `Tensor.permute`.

    Args:
        x: A Tensor or Variable.
        *dims: The dimensions, each of them once, as integers or as one tuple or list.
    """
    return operand("permute", x).permute(*dims)


@takes_results(1, columns=True)
def potrf(x: Operand, upper: bool | str = True) -> Operand:
    """Return the Cholesky factor of a symmetric positive definite matrix: U of UᵀU, or L of LLᵀ; see `Tensor.potrf`.

    Args:
        x: A Tensor or Variable.
        upper: Whether to read the upper triangle, else the lower one. v0.1.1's letters "U" and "L" are accepted.
    """
    return operand("potrf", x).potrf(upper)


@takes_results(1, columns=True)
def potri(x: Operand, upper: bool | str = True) -> Operand:
    """Return the inverse of the matrix whose Cholesky factor, from `potrf`, is `x`; see `Tensor.potri`.

    Args:
        x: A Tensor or Variable.
        upper: Whether the factor is U of UᵀU, else L of LLᵀ. v0.1.1's letters are "U" and "L".
    """
    return operand("potri", x).potri(upper)


@takes_results(2, columns=True)
def potrs(x: Operand, factor: Operand, upper: bool | str = True) -> Operand:
    """Return the solution X of A X = x for a Cholesky factor of A; see `Tensor.potrs`.

    Args:
        x: A Tensor or Variable.
        factor: The factor of shape (n, n) from `potrf`. `x` has shape (n, m), or (n,) for m = 1.
        upper: Whether the factor is U of A = UᵀU, else L of A = LLᵀ. v0.1.1's letters are "U" and "L".
    """
    return operand("potrs", x).potrs(factor, upper)


@takes_results(1)
def prod(x: Operand, dim: int | None = None, keepdim: bool | None = None) -> Operand | float:
    """Return the product of all elements, or the products along one dimension; see `Tensor.prod`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("prod", x).prod(dim, keepdim)


@takes_results(1, results=2, columns=True)
def pstrf(x: Operand, upper: bool | str = True, tol: float = -1) -> tuple[Operand, Operand]:
    """Return the Cholesky factor of a symmetric matrix with permuted rows and columns, and the permutation.

    See `Tensor.pstrf`.

    Args:
        x: A Tensor or Variable.
        upper: Whether to read the upper triangle, else the lower one. v0.1.1's letters "U" and "L" are accepted.
        tol: The diagonal must stay above it. Default: n times the machine's precision times the largest element.
    """
    return operand("pstrf", x).pstrf(upper, tol)


@takes_results(1, results=2, columns=True)
def qr(x: Operand) -> tuple[Operand, Operand]:
    """Return Q, with orthonormal columns, and R, upper triangular, whose product is `x`; see `Tensor.qr`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("qr", x).qr()


@takes_results(1)
def reciprocal(x: Operand) -> Operand:
    """Return 1 / x for every element x; see `Tensor.reciprocal`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("reciprocal", x).reciprocal()


@takes_results(2)
def remainder(x: Operand, divisor: Operand | float) -> Operand:
    """Return the remainder of x / divisor with the sign of the divisor, pointwise; see `Tensor.remainder`.

    Args:
        x: A Tensor or Variable.
        divisor: A Tensor or Variable like `x`, or a number.
    """
    return operand("remainder", x).remainder(divisor)


@takes_results(1)
def renorm(x: Operand, p: float, dim: int, maxnorm: float) -> Operand:
    """Return a copy in which each part along `dim` whose p-norm is above `maxnorm` is scaled down to it.

    See `Tensor.renorm`.

    Args:
        x: A Tensor or Variable.
        p: The order of the norm.
        dim: The dimension along which the parts lie.
        maxnorm: The largest norm that a part keeps.
    """
    return operand("renorm", x).renorm(p, dim, maxnorm)


def reshape(x: Operand, *sizes: int | Sequence[int]) -> Operand:
    """Return a view in another shape, or a copy if the tensor is not contiguous (added to torch after v0.1.x).

    See `Tensor.reshape`.

    Args:
        x: A Tensor or Variable.
        *sizes: As for `view`.
    """
    return operand("reshape", x).reshape(*sizes)


@takes_results(1)
def round(x: Operand) -> Operand:
    """Return the nearest integer of every element; of two equally near ones the even one, as in modern torch.

    See `Tensor.round`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("round", x).round()


@takes_results(1)
def rsqrt(x: Operand) -> Operand:
    """Return 1 / sqrt(x) for every element x; see `Tensor.rsqrt`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("rsqrt", x).rsqrt()


def scatter(x: Operand, dim: int, index: Operand, source: Operand | float) -> Operand:
    """Return a copy on which `scatter_` was called (added to torch after v0.1.x); see `Tensor.scatter`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        index: A LongTensor with as many dimensions, none larger than in `x` except `dim`.
        source: A Tensor or Variable like `x`, no smaller than `index`, or a number.
    """
    return operand("scatter", x).scatter(dim, index, source)


def scatter_add(x: Operand, dim: int, index: Operand, source: Operand) -> Operand:
    """Return a copy on which `scatter_add_` was called (added to torch after v0.1.x); see `Tensor.scatter_add`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        index: A LongTensor with as many dimensions, none larger than in `x` except `dim`.
        source: A Tensor or Variable like `x`, no smaller than `index`.
    """
    return operand("scatter_add", x).scatter_add(dim, index, source)


@takes_results(1)
def sigmoid(x: Operand) -> Operand:
    """Return 1 / (1 + exp(-x)) for every element x; see `Tensor.sigmoid`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("sigmoid", x).sigmoid()


@takes_results(1)
def sign(x: Operand) -> Operand:
    """Return 1 for every positive element, -1 for every negative one, and 0 for zero and nan; see `Tensor.sign`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("sign", x).sign()


@takes_results(1)
def sin(x: Operand) -> Operand:
    """Return the sine of every element; see `Tensor.sin`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("sin", x).sin()


@takes_results(1)
def sinh(x: Operand) -> Operand:
    """Return the hyperbolic sine of every element; see `Tensor.sinh`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("sinh", x).sinh()


@takes_results(1, results=2)
def sort(x: Operand, dim: int = -1, descending: bool = False) -> tuple[Operand, Operand]:
    """Return the elements in order along `dim`, and a LongTensor of their indices; both have the shape of `x`.

    See `Tensor.sort`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension; negative ones count from the end.
        descending: Whether the largest comes first.
    """
    return operand("sort", x).sort(dim, descending)


def split(x: Operand, split_size: int | Sequence[int], dim: int = 0) -> tuple[Operand, ...]:
    """Return a tuple of views: the pieces of `x` along `dim`; see `Tensor.split`.

    Args:
        x: A Tensor or Variable.
        split_size: The size of a piece, of which the last may be smaller; or a list with the size of each.
        dim: The dimension; negative ones count from the end.
    """
    return operand("split", x).split(split_size, dim)


@takes_results(1)
def sqrt(x: Operand) -> Operand:
    """Return the square root of every element: nan below 0; see `Tensor.sqrt`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("sqrt", x).sqrt()


def squeeze(x: Operand, dim: int | None = None) -> Operand:
    """Return a view without the dimensions of size 1; one dimension always stays; see `Tensor.squeeze`.

    Args:
        x: A Tensor or Variable.
        dim: The only dimension to remove, if it has size 1. Default: all of size 1.
    """
    return operand("squeeze", x).squeeze(dim)


@takes_results(1)
def std(
    x: Operand, dim: int | bool | None = None, unbiased: bool = True, keepdim: bool | None = None
) -> Operand | float:
    """Return the standard deviation, the square root of `var`; see `Tensor.std`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce. Default: all elements. A bool is taken as `unbiased`.
        unbiased: Whether the sum of squares of n elements is divided by n - 1, else by n.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("std", x).std(dim, unbiased, keepdim)


@takes_results(1)
def sum(x: Operand, dim: int | None = None, keepdim: bool | None = None) -> Operand | float:
    """Return the sum of all elements, or the sums along one dimension; see `Tensor.sum`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("sum", x).sum(dim, keepdim)


@takes_results(1, results=3, columns=True)
def svd(x: Operand, some: bool | str = True) -> tuple[Operand, Operand, Operand]:
    """Return U, S and V such that `x` is U diag(S) Vᵀ; see `Tensor.svd`.

    Args:
        x: A Tensor or Variable.
        some: Whether U and V have as many columns as S has elements; else they are square. v0.1.1's letters are "S"
            and "A".
    """
    return operand("svd", x).svd(some)


@takes_results(1, results=2, columns=True)
def symeig(x: Operand, eigenvectors: bool | str = False, upper: bool | str = True) -> tuple[Operand, Operand]:
    """Return the eigenvalues of a symmetric matrix in ascending order, and its eigenvectors; see `Tensor.symeig`.

    Args:
        x: A Tensor or Variable.
        eigenvectors: Whether to return eigenvectors. v0.1.1's letters are "V" and "N".
        upper: Whether to read the upper triangle, else the lower one. v0.1.1's letters "U" and "L" are accepted.
    """
    return operand("symeig", x).symeig(eigenvectors, upper)


def t(x: Operand) -> Operand:
    """Return the transpose of a matrix, as a view; see `Tensor.t`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("t", x).t()


def take(x: Operand, index: Operand) -> Operand:
    """Return the elements at `index`, counted as if the tensor were a vector; see `Tensor.take`.

    Args:
        x: A Tensor or Variable.
        index: A LongTensor. As in torch, -1 is the last element.
    """
    return operand("take", x).take(index)


@takes_results(1)
def tan(x: Operand) -> Operand:
    """Return the tangent of every element; see `Tensor.tan`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("tan", x).tan()


@takes_results(1)
def tanh(x: Operand) -> Operand:
    """Return the hyperbolic tangent of every element; see `Tensor.tanh`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("tanh", x).tanh()


@takes_results(1, results=2)
def topk(x: Operand, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Operand, Operand]:
    """Return the `k` largest or smallest elements along `dim`, in order, and a LongTensor of their indices.

    See `Tensor.topk`.

    Args:
        x: A Tensor or Variable.
        k: The number of elements.
        dim: The dimension; negative ones count from the end.
        largest: Whether to take the largest, else the smallest.
        sorted: Ignored: the result is always in order.
    """
    return operand("topk", x).topk(k, dim, largest, sorted)


def trace(x: Operand) -> float:
    """Return the sum of the diagonal of a matrix; see `Tensor.trace`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("trace", x).trace()


def transpose(x: Operand, dim0: int, dim1: int) -> Operand:
    """Return a view with two dimensions exchanged; see `Tensor.transpose`.

    Args:
        x: A Tensor or Variable.
        dim0: A dimension.
        dim1: The other dimension.
    """
    return operand("transpose", x).transpose(dim0, dim1)


@takes_results(1)
def tril(x: Operand, k: int = 0) -> Operand:
    """Return a copy of a matrix, or of a batch of them, with zeros above a diagonal; see `Tensor.tril`.

    Args:
        x: A Tensor or Variable.
        k: The diagonal: 0 is the main one, positive ones are above it.
    """
    return operand("tril", x).tril(k)


@takes_results(1)
def triu(x: Operand, k: int = 0) -> Operand:
    """Return a copy of a matrix, or of a batch of them, with zeros below a diagonal; see `Tensor.triu`.

    Args:
        x: A Tensor or Variable.
        k: The diagonal: 0 is the main one, positive ones are above it.
    """
    return operand("triu", x).triu(k)


@takes_results(2, results=2, columns=True)
def trtrs(
    x: Operand, a: Operand, upper: bool | str = True, transpose: bool | str = False, unitriangular: bool | str = False
) -> tuple[Operand, Operand]:
    """Return the solution X of a X = x for a triangular matrix `a`, and a copy of `a`; see `Tensor.trtrs`.

    Args:
        x: A Tensor or Variable.
        a: A matrix of shape (n, n). `x` has shape (n, m), or (n,) for m = 1.
        upper: Whether to read the upper triangle, else the lower one. v0.1.1's letters "U" and "L" are accepted.
        transpose: Whether to solve aᵀ X = x. v0.1.1's letters are "T" and "N".
        unitriangular: Whether the diagonal counts as ones. v0.1.1's letters are "U" and "N".
    """
    return operand("trtrs", x).trtrs(a, upper, transpose, unitriangular)


@takes_results(1)
def trunc(x: Operand) -> Operand:
    """Return the integer part of every element; see `Tensor.trunc`.

    Args:
        x: A Tensor or Variable.
    """
    return operand("trunc", x).trunc()


def unsqueeze(x: Operand, dim: int) -> Operand:
    """Return a view with an additional dimension of size 1; see `Tensor.unsqueeze`.

    Args:
        x: A Tensor or Variable.
        dim: The position of the new dimension; negative ones count from the end of the result.
    """
    return operand("unsqueeze", x).unsqueeze(dim)


@takes_results(1)
def var(
    x: Operand, dim: int | bool | None = None, unbiased: bool = True, keepdim: bool | None = None
) -> Operand | float:
    """Return the variance of all elements, or the variances along one dimension; nan for too few elements.

    See `Tensor.var`.

    Args:
        x: A Tensor or Variable.
        dim: The dimension to reduce. Default: all elements. A bool is taken as `unbiased`.
        unbiased: Whether the sum of squares of n elements is divided by n - 1, else by n.
        keepdim: Whether the result keeps `dim`, with size 1.
    """
    return operand("var", x).var(dim, unbiased, keepdim)
