"""The methods that are functions as well: `torch.exp(x)` is `x.exp()`, of a Tensor and of a Variable alike.

Where v0.1.x lets a number come first, so do these: `pow(2, x)`, `add(x, value, y)`, `addmm(beta, x, alpha, a, b)`.
"""

import numbers

from . import _helpers
from ._helpers import shown
from .results import takes_results

# abs, all, any, max, min, pow, round and sum are, in this file, not Python's.

__all__ = [
    "abs", "acos", "add", "addbmm", "addcdiv", "addcmul", "addmm", "addmv", "addr", "all", "any", "argmax", "argmin",
    "asin", "atan", "atan2", "baddbmm", "bernoulli", "bmm", "btrifact", "btrisolve", "ceil", "chunk", "clamp",
    "clamp_max", "clamp_min", "clone", "cmax", "cmin", "cos", "cosh", "cross", "cumprod", "cumsum", "diag", "dist",
    "div", "dot", "eig", "eq", "equal", "exp", "expm1", "floor", "fmod", "frac", "gather", "ge", "gels", "geqrf",
    "ger", "gesv", "gt", "histc", "index_add", "index_copy", "index_fill", "index_select", "inverse", "kthvalue", "le",
    "lerp", "log", "log1p", "lt", "masked_fill", "masked_scatter", "masked_select", "matmul", "max", "mean", "median",
    "min", "mm", "mode", "mul", "multinomial", "mv", "narrow", "ne", "neg", "nonzero", "norm", "numel", "orgqr",
    "ormqr", "permute", "potrf", "potri", "potrs", "pow", "prod", "pstrf", "qr", "reciprocal", "remainder", "renorm",
    "reshape", "round", "rsqrt", "scatter", "scatter_add", "sigmoid", "sign", "sin", "sinh", "sort", "split", "sqrt",
    "squeeze", "std", "sub", "sum", "svd", "symeig", "t", "take", "tan", "tanh", "topk", "trace", "transpose", "tril",
    "triu", "trtrs", "trunc", "unsqueeze", "var",
]  # fmt: skip


def _checked(name, x):
    """Return `x` if it is a Tensor or a Variable: the `data` of either is a Tensor. (A list has methods, too.)"""
    if not isinstance(getattr(x, "data", None), _helpers.Tensor):
        raise TypeError(f"{name}: expected a Tensor or Variable, got {shown(x)}")
    return x


def _given(generator):
    """Return the arguments for a generator: none where none is given, because a Variable's methods do not take one."""
    return () if generator is None else (generator,)


def _added_product(name, arguments, beta, alpha):
    """Call the method `name` with the numbers among `arguments` before x (beta) and after it (alpha)."""
    if len(arguments) > 1 and isinstance(arguments[0], numbers.Real):
        beta, *arguments = arguments
    if len(arguments) > 1 and isinstance(arguments[1], numbers.Real):
        x, alpha, *factors = arguments
    else:
        x, *factors = arguments or (None,)
    return getattr(_checked(name, x), name)(*factors, beta=beta, alpha=alpha)


@takes_results(1)
def abs(x):
    """Return the absolute value of every element; see `Tensor.abs`."""
    return _checked("abs", x).abs()


@takes_results(1)
def acos(x):
    """Return the arc cosine of every element; see `Tensor.acos`."""
    return _checked("acos", x).acos()


@takes_results(2, value_between=True)
def add(x, other, tensor=None):
    """Return x + other, or x + other * tensor for v0.1.x's `add(x, value, tensor)`; see `Tensor.add`.

    One of x and other is a Tensor or Variable, the other may be a number.
    """
    if isinstance(x, numbers.Real) and tensor is None:
        return x + _checked("add", other)
    return _checked("add", x).add(other, tensor)


@takes_results(3)
def addbmm(*arguments, beta=1, alpha=1):
    """Return beta * x + alpha * the sum of the products of pairs of matrices; see `Tensor.addbmm`.

    The arguments are (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b).
    """
    return _added_product("addbmm", arguments, beta, alpha)


@takes_results(3)
def addcdiv(x, *arguments, value=1):
    """Return x + value * t1 / t2, pointwise, of Tensors or Variables; see `Tensor.addcdiv`.

    The arguments are (t1, t2) or (value, t1, t2).
    """
    return _checked("addcdiv", x).addcdiv(*arguments, value=value)


@takes_results(3)
def addcmul(x, *arguments, value=1):
    """Return x + value * t1 * t2, pointwise, of Tensors or Variables; see `Tensor.addcmul`.

    The arguments are (t1, t2) or (value, t1, t2).
    """
    return _checked("addcmul", x).addcmul(*arguments, value=value)


@takes_results(3)
def addmm(*arguments, beta=1, alpha=1):
    """Return beta * x + alpha * the product of two matrices; see `Tensor.addmm`.

    The arguments are (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b).
    """
    return _added_product("addmm", arguments, beta, alpha)


@takes_results(3)
def addmv(*arguments, beta=1, alpha=1):
    """Return beta * x + alpha * the product of a matrix and a vector; see `Tensor.addmv`.

    The arguments are (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b).
    """
    return _added_product("addmv", arguments, beta, alpha)


@takes_results(3)
def addr(*arguments, beta=1, alpha=1):
    """Return beta * x + alpha * the outer product of two vectors; see `Tensor.addr`.

    The arguments are (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b).
    """
    return _added_product("addr", arguments, beta, alpha)


def all(x, dim=None, keepdim=True):
    """Return whether no element is 0, or that along `dim`; see `Tensor.all`."""
    return _checked("all", x).all(dim, keepdim)


def any(x, dim=None, keepdim=True):
    """Return whether some element is not 0, or that along `dim`; see `Tensor.any`."""
    return _checked("any", x).any(dim, keepdim)


def argmax(x, dim=None, keepdim=True):
    """Return the place of the largest element, or the places along `dim`; see `Tensor.argmax`."""
    return _checked("argmax", x).argmax(dim, keepdim)


def argmin(x, dim=None, keepdim=True):
    """Return the place of the smallest element, or the places along `dim`; see `Tensor.argmin`."""
    return _checked("argmin", x).argmin(dim, keepdim)


@takes_results(1)
def asin(x):
    """Return the arc sine of every element; see `Tensor.asin`."""
    return _checked("asin", x).asin()


@takes_results(1)
def atan(x):
    """Return the arc tangent of every element; see `Tensor.atan`."""
    return _checked("atan", x).atan()


@takes_results(2)
def atan2(x, other):
    """Return the angle of the point (other, x), pointwise; see `Tensor.atan2`."""
    return _checked("atan2", x).atan2(other)


@takes_results(3)
def baddbmm(*arguments, beta=1, alpha=1):
    """Return beta * x + alpha * the products of pairs of matrices; see `Tensor.baddbmm`.

    The arguments are (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b).
    """
    return _added_product("baddbmm", arguments, beta, alpha)


@takes_results(1)
def bernoulli(x, generator=None):
    """Return 1 with the probabilities that are the elements, else 0; see `Tensor.bernoulli`."""
    return _checked("bernoulli", x).bernoulli(*_given(generator))


@takes_results(2)
def bmm(x, other):
    """Return the products of as many pairs of matrices; see `Tensor.bmm`."""
    return _checked("bmm", x).bmm(other)


@takes_results(1, results=2, columns=True)
def btrifact(x, info=None):
    """Return the factors of each square matrix of a batch, and the pivots; see `Tensor.btrifact`."""
    return _checked("btrifact", x).btrifact(info)


@takes_results(3)
def btrisolve(x, LU_data, LU_pivots):
    """Return the solutions for a batch of factored matrices; see `Tensor.btrisolve`."""
    return _checked("btrisolve", x).btrisolve(LU_data, LU_pivots)


@takes_results(1)
def ceil(x):
    """Return the smallest integer >= every element; see `Tensor.ceil`."""
    return _checked("ceil", x).ceil()


def chunk(x, chunks, dim=0):
    """Return at most `chunks` views along `dim`; see `Tensor.chunk`."""
    return _checked("chunk", x).chunk(chunks, dim)


@takes_results(1)
def clamp(x, min=None, max=None):
    """Return the elements limited to the range from `min` to `max`; see `Tensor.clamp`."""
    return _checked("clamp", x).clamp(min, max)


@takes_results(1)
def clamp_max(x, max):
    """Return the elements limited to at most `max`; see `Tensor.clamp_max`."""
    return _checked("clamp_max", x).clamp_max(max)


@takes_results(1)
def clamp_min(x, min):
    """Return the elements limited to at least `min`; see `Tensor.clamp_min`."""
    return _checked("clamp_min", x).clamp_min(min)


def clone(x):
    """Return a copy in memory of its own; see `Tensor.clone`."""
    return _checked("clone", x).clone()


@takes_results(2)
def cmax(x, other):
    """Return the larger of x and other, pointwise; see `Tensor.cmax`."""
    return _checked("cmax", x).cmax(other)


@takes_results(2)
def cmin(x, other):
    """Return the smaller of x and other, pointwise; see `Tensor.cmin`."""
    return _checked("cmin", x).cmin(other)


@takes_results(1)
def cos(x):
    """Return the cosine of every element; see `Tensor.cos`."""
    return _checked("cos", x).cos()


@takes_results(1)
def cosh(x):
    """Return the hyperbolic cosine of every element; see `Tensor.cosh`."""
    return _checked("cosh", x).cosh()


@takes_results(2)
def cross(x, other, dim=None):
    """Return the cross product along `dim`; see `Tensor.cross`."""
    return _checked("cross", x).cross(other, dim)


@takes_results(1)
def cumprod(x, dim):
    """Return the products of the elements so far along `dim`; see `Tensor.cumprod`."""
    return _checked("cumprod", x).cumprod(dim)


@takes_results(1)
def cumsum(x, dim):
    """Return the sums of the elements so far along `dim`; see `Tensor.cumsum`."""
    return _checked("cumsum", x).cumsum(dim)


@takes_results(1)
def diag(x, k=0):
    """Return the `k`-th diagonal of a matrix, or the matrix with that diagonal; see `Tensor.diag`."""
    return _checked("diag", x).diag(k)


def dist(x, other, p=2):
    """Return the p-norm of x - other; see `Tensor.dist`."""
    return _checked("dist", x).dist(other, p)


@takes_results(2)
def div(x, other):
    """Return x / other, pointwise; see `Tensor.div`.

    One of x and other is a Tensor or Variable, the other may be a number.
    """
    if isinstance(x, numbers.Real):
        return x / _checked("div", other)
    return _checked("div", x).div(other)


def dot(x, other):
    """Return the sum of the products of the elements; see `Tensor.dot`."""
    return _checked("dot", x).dot(other)


@takes_results(1, results=2, columns=True)
def eig(x, eigenvectors=False):
    """Return the eigenvalues and eigenvectors of a square matrix; see `Tensor.eig`."""
    return _checked("eig", x).eig(eigenvectors)


@takes_results(2, converts=True)
def eq(x, other):
    """Return 1 where x == other, else 0; see `Tensor.eq`."""
    return _checked("eq", x).eq(other)


def equal(x, other):
    """Return whether x and other have the same shape and elements; see `Tensor.equal`."""
    return _checked("equal", x).equal(other)


@takes_results(1)
def exp(x):
    """Return e to the power of every element; see `Tensor.exp`."""
    return _checked("exp", x).exp()


@takes_results(1)
def expm1(x):
    """Return exp(x) - 1 of every element; see `Tensor.expm1`."""
    return _checked("expm1", x).expm1()


@takes_results(1)
def floor(x):
    """Return the largest integer <= every element; see `Tensor.floor`."""
    return _checked("floor", x).floor()


@takes_results(2)
def fmod(x, divisor):
    """Return the remainder of x / divisor with the sign of x; see `Tensor.fmod`."""
    return _checked("fmod", x).fmod(divisor)


@takes_results(1)
def frac(x):
    """Return the fraction of every element; see `Tensor.frac`."""
    return _checked("frac", x).frac()


@takes_results(2)
def gather(x, dim, index):
    """Return the elements that `index` names along `dim`; see `Tensor.gather`."""
    return _checked("gather", x).gather(dim, index)


@takes_results(2, converts=True)
def ge(x, other):
    """Return 1 where x >= other, else 0; see `Tensor.ge`."""
    return _checked("ge", x).ge(other)


@takes_results(2, results=2, columns=True)
def gels(x, a):
    """Return X of least squares for a X = x, and the QR factors of `a`; see `Tensor.gels`."""
    return _checked("gels", x).gels(a)


@takes_results(1, results=2, columns=True)
def geqrf(x):
    """Return the QR factors of a matrix as LAPACK packs them; see `Tensor.geqrf`."""
    return _checked("geqrf", x).geqrf()


@takes_results(2)
def ger(x, other):
    """Return the outer product of two vectors; see `Tensor.ger`."""
    return _checked("ger", x).ger(other)


@takes_results(2, results=2, columns=True)
def gesv(x, a):
    """Return the solution X of a X = x, and the factors of `a`; see `Tensor.gesv`."""
    return _checked("gesv", x).gesv(a)


@takes_results(2, converts=True)
def gt(x, other):
    """Return 1 where x > other, else 0; see `Tensor.gt`."""
    return _checked("gt", x).gt(other)


@takes_results(1)
def histc(x, bins=100, min=0, max=0):
    """Return the number of elements in each of `bins` intervals; see `Tensor.histc`."""
    return _checked("histc", x).histc(bins, min, max)


def index_add(x, dim, index, source):
    """Return a copy with `source` added at the places that `index` names; see `Tensor.index_add`."""
    return _checked("index_add", x).index_add(dim, index, source)


def index_copy(x, dim, index, source):
    """Return a copy with `source` at the places that `index` names; see `Tensor.index_copy`."""
    return _checked("index_copy", x).index_copy(dim, index, source)


def index_fill(x, dim, index, value):
    """Return a copy with `value` at the places that `index` names; see `Tensor.index_fill`."""
    return _checked("index_fill", x).index_fill(dim, index, value)


@takes_results(2)
def index_select(x, dim, index):
    """Return the parts that `index` names along `dim`; see `Tensor.index_select`."""
    return _checked("index_select", x).index_select(dim, index)


@takes_results(1, columns=True)
def inverse(x):
    """Return the inverse of a square matrix; see `Tensor.inverse`."""
    return _checked("inverse", x).inverse()


@takes_results(1, results=2)
def kthvalue(x, k, dim=-1, keepdim=True):
    """Return the `k`-th smallest element along `dim`, and its place; see `Tensor.kthvalue`."""
    return _checked("kthvalue", x).kthvalue(k, dim, keepdim)


@takes_results(2, converts=True)
def le(x, other):
    """Return 1 where x <= other, else 0; see `Tensor.le`."""
    return _checked("le", x).le(other)


@takes_results(3)
def lerp(x, end, weight):
    """Return x + weight * (end - x), pointwise; see `Tensor.lerp`."""
    return _checked("lerp", x).lerp(end, weight)


@takes_results(1)
def log(x):
    """Return the natural logarithm of every element; see `Tensor.log`."""
    return _checked("log", x).log()


@takes_results(1)
def log1p(x):
    """Return log(1 + x) of every element; see `Tensor.log1p`."""
    return _checked("log1p", x).log1p()


@takes_results(2, converts=True)
def lt(x, other):
    """Return 1 where x < other, else 0; see `Tensor.lt`."""
    return _checked("lt", x).lt(other)


def masked_fill(x, mask, value):
    """Return a copy with `value` where `mask` is not 0; see `Tensor.masked_fill`."""
    return _checked("masked_fill", x).masked_fill(mask, value)


def masked_scatter(x, mask, source):
    """Return a copy with the elements of `source` where `mask` is not 0; see `Tensor.masked_scatter`."""
    return _checked("masked_scatter", x).masked_scatter(mask, source)


@takes_results(2)
def masked_select(x, mask):
    """Return the elements where `mask` is not 0, in a vector; see `Tensor.masked_select`."""
    return _checked("masked_select", x).masked_select(mask)


@takes_results(2)
def matmul(x, other):
    """Return the product by the rules of modern torch; see `Tensor.matmul`."""
    return _checked("matmul", x).matmul(other)


@takes_results(1, results=2, or_of_two=True)
def max(x, dim=None, keepdim=True):
    """Return the largest element, or along `dim` with the places, or the larger of two; see `Tensor.max`."""
    return _checked("max", x).max(dim, keepdim)


@takes_results(1)
def mean(x, dim=None, keepdim=True):
    """Return the mean of all elements, or along `dim`; see `Tensor.mean`."""
    return _checked("mean", x).mean(dim, keepdim)


@takes_results(1, results=2)
def median(x, dim=-1, keepdim=True):
    """Return the median along `dim`, and its place; see `Tensor.median`."""
    return _checked("median", x).median(dim, keepdim)


@takes_results(1, results=2, or_of_two=True)
def min(x, dim=None, keepdim=True):
    """Return the smallest element, or along `dim` with the places, or the smaller of two; see `Tensor.min`."""
    return _checked("min", x).min(dim, keepdim)


@takes_results(2)
def mm(x, other):
    """Return the product of two matrices; see `Tensor.mm`."""
    return _checked("mm", x).mm(other)


@takes_results(1, results=2)
def mode(x, dim=-1, keepdim=True):
    """Return the most frequent element along `dim`, and its place; see `Tensor.mode`."""
    return _checked("mode", x).mode(dim, keepdim)


@takes_results(2)
def mul(x, other):
    """Return x * other, pointwise; see `Tensor.mul`.

    One of x and other is a Tensor or Variable, the other may be a number.
    """
    if isinstance(x, numbers.Real):
        return x * _checked("mul", other)
    return _checked("mul", x).mul(other)


@takes_results(1)
def multinomial(x, num_samples, replacement=False, generator=None):
    """Return `num_samples` indices, drawn in proportion to the weights; see `Tensor.multinomial`."""
    return _checked("multinomial", x).multinomial(num_samples, replacement, *_given(generator))


@takes_results(2)
def mv(x, vector):
    """Return the product of a matrix and a vector; see `Tensor.mv`."""
    return _checked("mv", x).mv(vector)


def narrow(x, dim, start, length):
    """Return a view of `length` parts of dimension `dim`; see `Tensor.narrow`."""
    return _checked("narrow", x).narrow(dim, start, length)


@takes_results(2, converts=True)
def ne(x, other):
    """Return 1 where x != other, else 0; see `Tensor.ne`."""
    return _checked("ne", x).ne(other)


@takes_results(1)
def neg(x):
    """Return every element with the opposite sign; see `Tensor.neg`."""
    return _checked("neg", x).neg()


@takes_results(1)
def nonzero(x):
    """Return the positions of the elements that are not 0; see `Tensor.nonzero`."""
    return _checked("nonzero", x).nonzero()


@takes_results(1)
def norm(x, p=2, dim=None, keepdim=True):
    """Return the p-norm of all elements, or along `dim`; see `Tensor.norm`."""
    return _checked("norm", x).norm(p, dim, keepdim)


def numel(x):
    """Return the number of elements; see `Tensor.numel`."""
    return _checked("numel", x).numel()


@takes_results(2, columns=True)
def orgqr(x, tau):
    """Return Q of what `geqrf` gave, and x; see `Tensor.orgqr`."""
    return _checked("orgqr", x).orgqr(tau)


@takes_results(3, columns=True)
def ormqr(x, tau, mat, left=True, transpose=False):
    """Return the product of Q of what `geqrf` gave and a matrix, and x; see `Tensor.ormqr`."""
    return _checked("ormqr", x).ormqr(tau, mat, left, transpose)


def permute(x, *dims):
    """Return a view with the dimensions in the order `dims`; see `Tensor.permute`."""
    return _checked("permute", x).permute(*dims)


@takes_results(1, columns=True)
def potrf(x, upper=True):
    """Return the Cholesky factor of a positive definite matrix; see `Tensor.potrf`."""
    return _checked("potrf", x).potrf(upper)


@takes_results(1, columns=True)
def potri(x, upper=True):
    """Return the inverse of the matrix of which `potrf` gave the factor x; see `Tensor.potri`."""
    return _checked("potri", x).potri(upper)


@takes_results(2, columns=True)
def potrs(x, factor, upper=True):
    """Return the solution X of A X = x for the `factor` of A that `potrf` gave; see `Tensor.potrs`."""
    return _checked("potrs", x).potrs(factor, upper)


@takes_results(2)
def pow(x, exponent):
    """Return x ** exponent, pointwise; see `Tensor.pow`.

    One of x and exponent is a Tensor or Variable, the other may be a number.
    """
    if isinstance(x, numbers.Real):
        return x ** _checked("pow", exponent)
    return _checked("pow", x).pow(exponent)


@takes_results(1)
def prod(x, dim=None, keepdim=True):
    """Return the product of all elements, or along `dim`; see `Tensor.prod`."""
    return _checked("prod", x).prod(dim, keepdim)


@takes_results(1, results=2, columns=True)
def pstrf(x, upper=True, tol=-1):
    """Return the Cholesky factor of a permuted matrix, and the permutation; see `Tensor.pstrf`."""
    return _checked("pstrf", x).pstrf(upper, tol)


@takes_results(1, results=2, columns=True)
def qr(x):
    """Return the matrices Q and R whose product is `x`; see `Tensor.qr`."""
    return _checked("qr", x).qr()


@takes_results(1)
def reciprocal(x):
    """Return 1 / x of every element; see `Tensor.reciprocal`."""
    return _checked("reciprocal", x).reciprocal()


@takes_results(2)
def remainder(x, divisor):
    """Return the remainder of x / divisor with the sign of the divisor; see `Tensor.remainder`."""
    return _checked("remainder", x).remainder(divisor)


@takes_results(1)
def renorm(x, p, dim, maxnorm):
    """Return a copy whose parts along `dim` have a p-norm of at most `maxnorm`; see `Tensor.renorm`."""
    return _checked("renorm", x).renorm(p, dim, maxnorm)


def reshape(x, *sizes):
    """Return the elements in another size, as a view where that is possible; see `Tensor.reshape`."""
    return _checked("reshape", x).reshape(*sizes)


@takes_results(1)
def round(x):
    """Return the nearest integer of every element; see `Tensor.round`."""
    return _checked("round", x).round()


@takes_results(1)
def rsqrt(x):
    """Return 1 / sqrt(x) of every element; see `Tensor.rsqrt`."""
    return _checked("rsqrt", x).rsqrt()


def scatter(x, dim, index, source):
    """Return a copy with `source` at the places that `index` names; see `Tensor.scatter`."""
    return _checked("scatter", x).scatter(dim, index, source)


def scatter_add(x, dim, index, source):
    """Return a copy with `source` added at the places that `index` names; see `Tensor.scatter_add`."""
    return _checked("scatter_add", x).scatter_add(dim, index, source)


@takes_results(1)
def sigmoid(x):
    """Return 1 / (1 + exp(-x)) of every element; see `Tensor.sigmoid`."""
    return _checked("sigmoid", x).sigmoid()


@takes_results(1)
def sign(x):
    """Return 1, 0 or -1 for every element; see `Tensor.sign`."""
    return _checked("sign", x).sign()


@takes_results(1)
def sin(x):
    """Return the sine of every element; see `Tensor.sin`."""
    return _checked("sin", x).sin()


@takes_results(1)
def sinh(x):
    """Return the hyperbolic sine of every element; see `Tensor.sinh`."""
    return _checked("sinh", x).sinh()


@takes_results(1, results=2)
def sort(x, dim=-1, descending=False):
    """Return the elements in order along `dim`, and their places; see `Tensor.sort`."""
    return _checked("sort", x).sort(dim, descending)


def split(x, split_size, dim=0):
    """Return views of `split_size` along `dim`; see `Tensor.split`."""
    return _checked("split", x).split(split_size, dim)


@takes_results(1)
def sqrt(x):
    """Return the square root of every element; see `Tensor.sqrt`."""
    return _checked("sqrt", x).sqrt()


def squeeze(x, dim=None):
    """Return a view without the dimensions of size 1; see `Tensor.squeeze`."""
    return _checked("squeeze", x).squeeze(dim)


@takes_results(1)
def std(x, dim=None, unbiased=True, keepdim=True):
    """Return the standard deviation of all elements, or along `dim`; see `Tensor.std`."""
    return _checked("std", x).std(dim, unbiased, keepdim)


@takes_results(2, value_between=True)
def sub(x, other, tensor=None):
    """Return x - other, or x - other * tensor for v0.1.x's `sub(x, value, tensor)`; see `Tensor.sub`.

    One of x and other is a Tensor or Variable, the other may be a number.
    """
    if isinstance(x, numbers.Real) and tensor is None:
        return x - _checked("sub", other)
    return _checked("sub", x).sub(other, tensor)


@takes_results(1)
def sum(x, dim=None, keepdim=True):
    """Return the sum of all elements, or along `dim`; see `Tensor.sum`."""
    return _checked("sum", x).sum(dim, keepdim)


@takes_results(1, results=3, columns=True)
def svd(x, some=True):
    """Return the singular value decomposition U, S, V; see `Tensor.svd`."""
    return _checked("svd", x).svd(some)


@takes_results(1, results=2, columns=True)
def symeig(x, eigenvectors=False, upper=True):
    """Return the eigenvalues and eigenvectors of a symmetric matrix; see `Tensor.symeig`."""
    return _checked("symeig", x).symeig(eigenvectors, upper)


def t(x):
    """Return the transpose of a matrix, a view; see `Tensor.t`."""
    return _checked("t", x).t()


def take(x, index):
    """Return the elements that `index` names in `x` as a vector; see `Tensor.take`."""
    return _checked("take", x).take(index)


@takes_results(1)
def tan(x):
    """Return the tangent of every element; see `Tensor.tan`."""
    return _checked("tan", x).tan()


@takes_results(1)
def tanh(x):
    """Return the hyperbolic tangent of every element; see `Tensor.tanh`."""
    return _checked("tanh", x).tanh()


@takes_results(1, results=2)
def topk(x, k, dim=-1, largest=True, sorted=True):
    """Return the `k` largest elements along `dim`, and their places; see `Tensor.topk`."""
    return _checked("topk", x).topk(k, dim, largest, sorted)


def trace(x):
    """Return the sum of the diagonal of a matrix; see `Tensor.trace`."""
    return _checked("trace", x).trace()


def transpose(x, dim0, dim1):
    """Return a view with two dimensions exchanged; see `Tensor.transpose`."""
    return _checked("transpose", x).transpose(dim0, dim1)


@takes_results(1)
def tril(x, k=0):
    """Return a copy with zeros above the `k`-th diagonal; see `Tensor.tril`."""
    return _checked("tril", x).tril(k)


@takes_results(1)
def triu(x, k=0):
    """Return a copy with zeros below the `k`-th diagonal; see `Tensor.triu`."""
    return _checked("triu", x).triu(k)


@takes_results(2, results=2, columns=True)
def trtrs(x, a, upper=True, transpose=False, unitriangular=False):
    """Return the solution X of a X = x for a triangular `a`, and a copy of `a`; see `Tensor.trtrs`."""
    return _checked("trtrs", x).trtrs(a, upper, transpose, unitriangular)


@takes_results(1)
def trunc(x):
    """Return every element without its fraction; see `Tensor.trunc`."""
    return _checked("trunc", x).trunc()


def unsqueeze(x, dim):
    """Return a view with a new dimension of size 1 at `dim`; see `Tensor.unsqueeze`."""
    return _checked("unsqueeze", x).unsqueeze(dim)


@takes_results(1)
def var(x, dim=None, unbiased=True, keepdim=True):
    """Return the variance of all elements, or along `dim`; see `Tensor.var`."""
    return _checked("var", x).var(dim, unbiased, keepdim)
