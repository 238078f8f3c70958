"""Factorizations of matrices and solutions of linear systems, under LAPACK's names (2016: TH's THTensorLapack.c).

numpy.linalg computes them. Matrices among the results are in column order, as LAPACK writes them, so they need
`contiguous()` before `view`. The flags are booleans, or the letters of v0.1.1.
"""

import numpy

from . import _helpers
from ._helpers import TensorMethods, shown, shown_size, tensor_array, wrap, wrap_in_any_order
from .dtypes import TYPE_NAMES
from .errors import SizeError

__all__ = ["btriunpack"]

_INT = numpy.dtype("int32")


class Lapack(TensorMethods):
    __slots__ = ()

    # --- systems of equations

    def inverse(self):
        """Return the inverse of a square matrix. RuntimeError if it has none."""
        return _columns(_linalg("inverse", numpy.linalg.inv, _square("inverse", self)))

    def gesv(self, a):
        """Return the solution X (n x m) of a X = self, and the factors of `a` in one matrix: U and, below it, L.

        `a` is n x n; this tensor is n x m, or a vector for m = 1. RuntimeError for a singular `a`.
        """
        b, matrix = _sides("gesv", self, a)
        solution = _linalg("gesv", numpy.linalg.solve, matrix, b)
        return _columns(solution), _columns(_factors(matrix)[0])

    def gels(self, a):
        """Return X of least squares, for which the norm of a X - self is smallest, and the QR factors of `a`.

        `a` is m x n of full rank; this tensor is m x k, or a vector for k = 1; X is n x k. Where n > m, X is the
        solution of least norm. The second result is that of `geqrf` (of `gelqf` for n > m). RuntimeError for a matrix
        that lacks rank.
        """
        matrix = _matrix("gels", a)
        b = _right_side("gels", self, a)
        m, n = matrix.shape
        tall = matrix if m >= n else matrix.T
        q, r = _linalg("gels", numpy.linalg.qr, tall)
        if not r.diagonal().all():
            raise RuntimeError(f"gels: no result for a matrix of size {m}x{n}: its rank is below {min(m, n)}")
        if m >= n:
            solution = _linalg("gels", numpy.linalg.solve, r, q.T.dot(b))
        else:
            solution = q.dot(_linalg("gels", numpy.linalg.solve, r.T, b))
        packed = numpy.linalg.qr(tall, mode="raw")[0]
        return _columns(solution), _columns(packed.T if m >= n else packed)

    def trtrs(self, a, upper=True, transpose=False, unitriangular=False):
        """Return the solution X of a X = self for a triangular `a`, and a copy of `a`.

        `a` is n x n; only its upper (or lower) triangle is read, without the diagonal if `unitriangular`, which counts
        it as ones. With `transpose` the equations are aᵀ X = self. This tensor is n x m, or a vector for m = 1.
        RuntimeError for a 0 on the diagonal.
        """
        b, matrix = _sides("trtrs", self, a)
        triangle = numpy.triu(matrix) if _flag("trtrs: upper", upper, "UL") else numpy.tril(matrix)
        if _flag("trtrs: unitriangular", unitriangular, "UN"):
            numpy.fill_diagonal(triangle, 1)
        triangle = triangle.T if _flag("trtrs: transpose", transpose, "TN") else triangle
        return _columns(_linalg("trtrs", numpy.linalg.solve, triangle, b)), _columns(matrix.copy())

    def potrf(self, upper=True):
        """Return the Cholesky factor U of a symmetric positive definite UᵀU (or L of LLᵀ). RuntimeError for others.

        Only the upper (or lower) triangle is read.
        """
        upper = _flag("potrf: upper", upper, "UL")
        lower = _linalg("potrf", numpy.linalg.cholesky, _symmetric(_square("potrf", self), upper))
        return _columns(lower.T if upper else lower)

    def potrs(self, factor, upper=True):
        """Return the solution X of A X = self, where A is UᵀU (or LLᵀ) of the `factor` that `potrf` gave.

        The factor is n x n; this tensor is n x m, or a vector for m = 1.
        """
        b, triangle = _sides("potrs", self, factor)
        lower = triangle.T if _flag("potrs: upper", upper, "UL") else triangle
        lower = numpy.tril(lower)
        half = _linalg("potrs", numpy.linalg.solve, lower, b)
        return _columns(_linalg("potrs", numpy.linalg.solve, lower.T, half))

    def potri(self, upper=True):
        """Return the inverse of the matrix UᵀU (or LLᵀ) of this factor U (or L), which `potrf` gave."""
        triangle = _square("potri", self)
        lower = numpy.tril(triangle.T if _flag("potri: upper", upper, "UL") else triangle)
        half = _linalg("potri", numpy.linalg.inv, lower)
        return _columns(half.T.dot(half))

    def pstrf(self, upper=True, tol=-1):
        """Return the Cholesky factor U (or L) of a symmetric matrix whose rows and columns are permuted, and how.

        The IntTensor p says which row of this matrix A each one was: A[p][:, p] is UᵀU (or LLᵀ). The largest remaining
        element of the diagonal comes first. RuntimeError where it is not above `tol`, by default n times the machine's
        precision times the largest: for a matrix that lacks rank or is not positive semidefinite.
        """
        upper = _flag("pstrf: upper", upper, "UL")
        rest = _symmetric(_square("pstrf", self), upper)
        n = len(rest)
        lower, pivots = numpy.zeros_like(rest), numpy.arange(n, dtype=_INT)
        if tol < 0 and n:
            tol = n * numpy.finfo(rest.dtype).eps * rest.diagonal().max()
        for k in range(n):
            largest = k + int(numpy.argmax(rest.diagonal()[k:]))
            if not rest[largest, largest] > tol:
                raise RuntimeError(
                    f"pstrf: no result for a matrix of size {n}x{n}: it lacks rank or is not positive semidefinite"
                )
            for swapped in (rest, rest.T, lower, pivots):
                swapped[[k, largest]] = swapped[[largest, k]]
            lower[k:, k] = rest[k:, k] / numpy.sqrt(rest[k, k])
            rest[k:, k:] -= numpy.outer(lower[k:, k], lower[k:, k])
        return _columns(lower.T if upper else lower), wrap(pivots)

    # --- orthogonal factors

    def qr(self):
        """Return matrices Q, with orthonormal columns, and R, upper triangular, of which this matrix is the product."""
        q, r = _linalg("qr", numpy.linalg.qr, _matrix("qr", self))
        return _columns(q), _columns(r)

    def geqrf(self):
        """Return the QR factors of a matrix m x n as LAPACK packs them: R on and above the diagonal, and reflections.

        Column k below the diagonal is, with a 1 on top, the vector v of the reflection I - tau[k] v vᵀ. The product of
        the reflections is Q; `orgqr` computes it. The second result is the vector tau.
        """
        packed, tau = _linalg("geqrf", numpy.linalg.qr, _matrix("geqrf", self), mode="raw")
        return _columns(packed.T), wrap(tau)

    def orgqr(self, tau):
        """Return the first columns of Q, as many as `tau` has numbers, from what `geqrf` gave; and this tensor."""
        packed, taus = _reflections("orgqr", self, tau)
        q = numpy.eye(packed.shape[0], taus.size, dtype=packed.dtype)
        return _columns(_reflected(packed, taus, q, transpose=False)), self

    def ormqr(self, tau, mat, left=True, transpose=False):
        """Return Q mat, or mat Q if not `left`, with Qᵀ if `transpose`, for what `geqrf` gave; and this tensor."""
        packed, taus = _reflections("ormqr", self, tau)
        c = tensor_array("ormqr", packed, mat)
        left = _flag("ormqr: left", left, "LR")
        transpose = _flag("ormqr: transpose", transpose, "TN")
        if c.ndim != 2 or c.shape[0 if left else 1] != packed.shape[0]:
            raise do_not_multiply("ormqr", packed, c, "m x k reflections and a matrix of m rows, or of m columns")
        # c Q is the transpose of Qᵀ cᵀ.
        product = _reflected(packed, taus, c.copy() if left else c.T.copy(), transpose if left else not transpose)
        return _columns(product if left else product.T), self

    # --- values and vectors

    def svd(self, some=True):
        """Return U, S, V such that this matrix is U diag(S) Vᵀ. `some=False` completes U and V to square matrices."""
        some = _flag("svd: some", some, "SA")
        u, s, vt = _linalg("svd", numpy.linalg.svd, _matrix("svd", self), full_matrices=not some)
        return _columns(u), wrap(s), wrap(numpy.ascontiguousarray(vt.T))

    def eig(self, eigenvectors=False):
        """Return the eigenvalues of a square matrix, n x 2 (real and imaginary parts), and its eigenvectors as columns.

        Of two complex eigenvectors x ± iy, one column holds x and the next y. Without `eigenvectors`, the second
        tensor is empty.
        """
        matrix = _square("eig", self)
        values, vectors = _linalg("eig", numpy.linalg.eig, matrix)
        columns = matrix[:0, 0].copy()
        if _flag("eig: eigenvectors", eigenvectors, "VN"):
            # Of a pair of values the one with the positive imaginary part comes first.
            second = numpy.imag(values) < 0
            columns = numpy.where(second, -numpy.imag(vectors), numpy.real(vectors)).astype(matrix.dtype, copy=False)
        pairs = numpy.stack([numpy.real(values), numpy.imag(values)], 1)
        return wrap(pairs.astype(matrix.dtype, copy=False)), _columns(columns)

    def symeig(self, eigenvectors=False, upper=True):
        """Return the ascending eigenvalues of a symmetric matrix, and its eigenvectors as columns or an empty tensor.

        Only the upper (or lower) triangle is looked at.
        """
        triangle = "U" if _flag("symeig: upper", upper, "UL") else "L"
        matrix = _square("symeig", self)
        if not _flag("symeig: eigenvectors", eigenvectors, "VN"):
            return wrap(_linalg("symeig", numpy.linalg.eigvalsh, matrix, triangle)), wrap(matrix[:0, 0].copy())
        values, vectors = _linalg("symeig", numpy.linalg.eigh, matrix, triangle)
        return wrap(values), _columns(vectors)

    # --- batches

    def btrifact(self, info=None):
        """Return the factors of each matrix of a batch b x n x n, U and below it L, and the pivots, an IntTensor b x n.

        Row i was exchanged with row pivots[i] - 1, from i = 0 on. An IntTensor `info` becomes b numbers: 0, or the
        place (counted from 1) of the first 0 on the diagonal of U. Without it such a matrix raises RuntimeError.
        """
        batch = _batch("btrifact", self)
        factored, pivots = batch.copy(), numpy.zeros(batch.shape[:2], _INT)
        failed = numpy.zeros(len(batch), _INT)
        for i, matrix in enumerate(batch):
            factored[i], pivots[i] = _factors(matrix)
            zero = numpy.flatnonzero(factored[i].diagonal() == 0)
            failed[i] = zero[0] + 1 if zero.size else 0
        if info is None:
            if failed.any():
                raise RuntimeError(f"btrifact: matrix {int(numpy.flatnonzero(failed)[0])} of the batch is singular")
        elif not _helpers.is_tensor(info) or info.array.dtype != _INT:
            raise TypeError(f"btrifact: info must be an IntTensor, got {shown(info)}")
        else:
            info.resize_(len(batch)).copy_(wrap(failed))
        return wrap_in_any_order(factored.swapaxes(1, 2).copy().swapaxes(1, 2)), wrap(pivots)

    def btrisolve(self, LU_data, LU_pivots):
        """Return the solutions X of A X = self for each matrix A of a batch, from what `btrifact` gave for it.

        This tensor is b x n, or b x n x m; X has its size.
        """
        factors = _batch("btrisolve", LU_data)
        b = tensor_array("btrisolve", factors, self)
        if b.ndim not in (2, 3) or b.shape[:2] != factors.shape[:2]:
            raise do_not_multiply("btrisolve", factors, b, "b x n x n and b x n or b x n x m")
        pivots = _pivots("btrisolve", LU_pivots, LU_data)
        solution = b.reshape(*b.shape[:2], -1).copy() if b.size else b.copy()
        for matrix, places, x in zip(factors, pivots, solution if b.size else ()):
            for i, place in enumerate(places):
                x[[i, place - 1]] = x[[place - 1, i]]
            lower = numpy.tril(matrix, -1)
            numpy.fill_diagonal(lower, 1)
            half = _linalg("btrisolve", numpy.linalg.solve, lower, x)
            x[...] = _linalg("btrisolve", numpy.linalg.solve, numpy.triu(matrix), half)
        return wrap(solution.reshape(b.shape))


def btriunpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    """Return the batches P, L and U, b x n x n each, of what `btrifact` gave: its matrices are P L U.

    Without `unpack_pivots`, P is None; without `unpack_data`, L and U are.
    """
    factors, pivots = _batch("btriunpack", LU_data), _pivots("btriunpack", LU_pivots, LU_data)
    permutations = lower = upper = None
    one = numpy.eye(factors.shape[1], dtype=factors.dtype)
    if unpack_data:
        lower, upper = wrap(numpy.tril(factors, -1) + one), wrap(numpy.triu(factors))
    if unpack_pivots:
        rows = numpy.zeros_like(factors)
        for matrix, places in zip(rows, pivots):
            matrix[...] = one
            for i, place in enumerate(places):
                matrix[:, [i, place - 1]] = matrix[:, [place - 1, i]]
        permutations = wrap(rows)
    return permutations, lower, upper


def _columns(array):
    """Return a Tensor over `array` in column order, so that it is not contiguous unless it is a row or column."""
    return wrap_in_any_order(array if array.flags.f_contiguous else numpy.asfortranarray(array))


def _flag(what, flag, letters):
    """Return the bool of a flag: a bool, or the first (true) or second of two letters, as v0.1.1 had them."""
    if isinstance(flag, str):
        if flag not in tuple(letters):
            raise SizeError(f"{what} is a bool, {letters[0]!r} for True or {letters[1]!r} for False, got {flag!r}")
        return flag == letters[0]
    return bool(flag)


def do_not_multiply(name, a, b, needed):
    """Return the ValueError of an operation on matrices `a` and `b` whose sizes are not the `needed` ones."""
    return SizeError(f"{name}: expected {needed}, got the sizes {shown_size(a.shape)} and {shown_size(b.shape)}")


def _matrix(name, tensor, ndim=2):
    if not _helpers.is_tensor(tensor) or tensor.array.ndim != ndim or tensor.array.dtype.kind != "f":
        what = "a matrix" if ndim == 2 else "a batch of square matrices, b x n x n,"
        raise SizeError(f"{name}: expected {what} of floating-point numbers, got {shown(tensor)}")
    if tensor.array.dtype.itemsize < 4:
        raise TypeError(f"{name}: expected a FloatTensor or DoubleTensor, got a {TYPE_NAMES[tensor.array.dtype]}")
    return tensor.array


def _square(name, tensor):
    array = _matrix(name, tensor)
    if array.shape[0] != array.shape[1]:
        raise SizeError(f"{name}: expected a square matrix, got {shown(tensor)}")
    return array


def _batch(name, tensor):
    array = _matrix(name, tensor, ndim=3)
    if array.shape[1] != array.shape[2]:
        raise SizeError(f"{name}: expected a batch of square matrices, b x n x n, got {shown(tensor)}")
    return array


def _pivots(name, pivots, factors):
    """Return the array of the pivots of a batch of `factors`, checked."""
    if not _helpers.is_tensor(pivots) or pivots.array.dtype != _INT:
        raise TypeError(f"{name}: the pivots are an IntTensor, got {shown(pivots)}")
    array = pivots.array
    if array.shape != factors.array.shape[:2] or array.size and not 1 <= array.min() <= array.max() <= array.shape[1]:
        raise SizeError(f"{name}: {shown(pivots)} does not hold the pivots of {shown(factors)}")
    return array


def _sides(name, tensor, a):
    """Return the right side, as a matrix, and the square matrix `a` of a system of equations."""
    matrix = _square(name, a)
    return _right_side(name, tensor, a), matrix


def _right_side(name, tensor, a):
    b = tensor_array(name, a.array, tensor)
    if b.ndim not in (1, 2) or b.shape[0] != a.array.shape[0]:
        raise do_not_multiply(name, a.array, b, "a matrix of n rows, and n or n x m numbers on the right side")
    return b[:, None] if b.ndim == 1 else b


def _reflections(name, tensor, tau):
    """Return the arrays of what `geqrf` gave."""
    packed = _matrix(name, tensor)
    taus = tensor_array(name, packed, tau)
    if taus.ndim != 1 or taus.size > min(packed.shape):
        raise do_not_multiply(name, packed, taus, "m x n and at most min(m, n) numbers tau")
    return packed, taus


def _reflected(packed, taus, c, transpose):
    """Return Q c, or Qᵀ c, for the product Q of the reflections; `c` is overwritten."""
    order = range(taus.size) if transpose else reversed(range(taus.size))
    for k in order:
        v = packed[k:, k].copy()
        v[0] = 1
        c[k:] -= numpy.outer(taus[k] * v, v.dot(c[k:]))
    return c


def _symmetric(array, upper):
    """Return the symmetric matrix that has this upper (or lower) triangle."""
    half = numpy.triu(array) if upper else numpy.tril(array)
    return half + half.T - numpy.diag(numpy.diag(array))


def _factors(matrix):
    """L and U of a square matrix whose rows were exchanged so that the largest element comes to the diagonal.

    Also the pivots: row k was exchanged with row pivots[k] - 1.
    """
    factors, pivots = matrix.copy(), numpy.arange(1, len(matrix) + 1, dtype=_INT)
    for k in range(len(factors)):
        largest = k + int(numpy.argmax(numpy.absolute(factors[k:, k])))
        pivots[k] = largest + 1
        factors[[k, largest]] = factors[[largest, k]]
        if factors[k, k] != 0:
            factors[k + 1 :, k] /= factors[k, k]
            factors[k + 1 :, k + 1 :] -= numpy.outer(factors[k + 1 :, k], factors[k, k + 1 :])
    return factors, pivots


def _linalg(name, function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except numpy.linalg.LinAlgError as error:
        sizes = " and ".join([shown_size(a.shape) for a in arguments if isinstance(a, numpy.ndarray)])
        raise RuntimeError(f"{name}: no result for a matrix of size {sizes}: {error}") from None
