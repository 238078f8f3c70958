"""Factorizations of matrices and solutions of linear systems, under LAPACK's names (2016: TH's THTensorLapack.c).

numpy.linalg computes them. Matrices among the results are in column order, as LAPACK writes them, so they need
`contiguous()` before `view`. Flags are booleans, or the letters of v0.1.1. Matrices hold floats or doubles; other types
and shapes raise TypeError or ValueError.
"""

from typing import Self, TypeVar

import numpy

from .arguments import tensor_array
from .dtypes import TYPE_NAMES
from .errors import SizeError
from .messages import shown, shown_size
from .wrapping import TensorBase, is_tensor, wrap, wrap_in_any_order

__all__ = ["btriunpack"]

_INT = numpy.dtype("int32")
AnyTensor = TypeVar("AnyTensor", bound=TensorBase)


class Lapack(TensorBase):
    """The methods of Tensor that factor matrices or solve linear systems."""

    __slots__ = ()

    # --- systems of equations

    def inverse(self) -> Self:
        """Return the inverse of a square matrix.

        Raises:
            RuntimeError: If the matrix is singular.
        """
        return _columns(_linalg("inverse", numpy.linalg.inv, _square("inverse", self)))

    def gesv(self, a: TensorBase) -> tuple[Self, Self]:
        """Return the solution X of the linear system a X = self, and the factors of `a`.

        Args:
            a: A matrix of shape (n, n). This tensor has shape (n, m), or (n,) for m = 1.

        Returns:
            X of shape (n, m), and a matrix that holds U and, below its diagonal, L.

        Raises:
            RuntimeError: If `a` is singular.
            ValueError: If the shapes do not fit.

        Example:
            >>> x, _ = torch.Tensor([[2], [4]]).gesv(torch.Tensor([[1, 0], [0, 2]]))
            >>> x.tolist()
            [[2.0], [2.0]]
        """
        b, matrix = _sides("gesv", self, a)
        solution = _linalg("gesv", numpy.linalg.solve, matrix, b)
        return _columns(solution), _columns(_factors(matrix)[0])

    def gels(self, a: TensorBase) -> tuple[Self, Self]:
        """Return the least-squares solution X, which minimizes the norm of a X - self, and the QR factors of `a`.

        If n > m, X is the solution of least norm.

        Args:
            a: A matrix of shape (m, n) and full rank. This tensor has shape (m, k), or (m,) for k = 1.

        Returns:
            X of shape (n, k), and the factors as `geqrf` packs them (for n > m as LAPACK's `gelqf` does).

        Raises:
            RuntimeError: If `a` does not have full rank.
            ValueError: If the shapes do not fit.
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

    def trtrs(
        self, a: TensorBase, upper: bool | str = True, transpose: bool | str = False, unitriangular: bool | str = False
    ) -> tuple[Self, Self]:
        """Return the solution X of a X = self for a triangular matrix `a`, and a copy of `a`.

        Args:
            a: A matrix of shape (n, n). This tensor has shape (n, m), or (n,) for m = 1.
            upper: Whether to read the upper triangle, else the lower one. v0.1.1's letters "U" and "L" are accepted.
            transpose: Whether to solve aᵀ X = self. v0.1.1's letters are "T" and "N".
            unitriangular: Whether the diagonal counts as ones. v0.1.1's letters are "U" and "N".

        Raises:
            RuntimeError: If the diagonal has a 0.
            ValueError: If the shapes do not fit.
        """
        b, matrix = _sides("trtrs", self, a)
        triangle = numpy.triu(matrix) if _flag("trtrs: upper", upper, "UL") else numpy.tril(matrix)
        if _flag("trtrs: unitriangular", unitriangular, "UN"):
            numpy.fill_diagonal(triangle, 1)
        triangle = triangle.T if _flag("trtrs: transpose", transpose, "TN") else triangle
        return _columns(_linalg("trtrs", numpy.linalg.solve, triangle, b)), _columns(matrix.copy())

    def potrf(self, upper: bool | str = True) -> Self:
        """Return the Cholesky factor of a symmetric positive definite matrix: U of UᵀU, or L of LLᵀ.

        Args:
            upper: Whether to read the upper triangle, else the lower one. v0.1.1's letters "U" and "L" are accepted.

        Raises:
            RuntimeError: If the matrix is not positive definite.
        """
        upper = _flag("potrf: upper", upper, "UL")
        lower = _linalg("potrf", numpy.linalg.cholesky, _symmetric(_square("potrf", self), upper))
        return _columns(lower.T if upper else lower)

    def potrs(self, factor: TensorBase, upper: bool | str = True) -> Self:
        """Return the solution X of A X = self for a Cholesky factor of A.

        Args:
            factor: The factor of shape (n, n) from `potrf`. This tensor has shape (n, m), or (n,) for m = 1.
            upper: Whether the factor is U of A = UᵀU, else L of A = LLᵀ. v0.1.1's letters are "U" and "L".

        Raises:
            RuntimeError: If the factor is singular.
            ValueError: If the shapes do not fit.
        """
        b, triangle = _sides("potrs", self, factor)
        lower = triangle.T if _flag("potrs: upper", upper, "UL") else triangle
        lower = numpy.tril(lower)
        half = _linalg("potrs", numpy.linalg.solve, lower, b)
        return _columns(_linalg("potrs", numpy.linalg.solve, lower.T, half))

    def potri(self, upper: bool | str = True) -> Self:
        """Return the inverse of the matrix whose Cholesky factor, from `potrf`, is this tensor.

        Args:
            upper: Whether the factor is U of UᵀU, else L of LLᵀ. v0.1.1's letters are "U" and "L".

        Raises:
            RuntimeError: If the factor is singular.
        """
        triangle = _square("potri", self)
        lower = numpy.tril(triangle.T if _flag("potri: upper", upper, "UL") else triangle)
        half = _linalg("potri", numpy.linalg.inv, lower)
        return _columns(half.T.dot(half))

    def pstrf(self, upper: bool | str = True, tol: float = -1) -> tuple[Self, Self]:
        """Return the Cholesky factor of a symmetric matrix with permuted rows and columns, and the permutation.

        The largest remaining element of the diagonal comes first.

        Args:
            upper: Whether to read the upper triangle, else the lower one. v0.1.1's letters "U" and "L" are accepted.
            tol: The diagonal must stay above it. Default: n times the machine's precision times the largest element.

        Returns:
            U (or L), and an IntTensor p: for this matrix A, A[p][:, p] is UᵀU (or LLᵀ).

        Raises:
            RuntimeError: If the matrix does not have full rank or is not positive semidefinite.
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

    def qr(self) -> tuple[Self, Self]:
        """Return Q, with orthonormal columns, and R, upper triangular, whose product is this matrix."""
        q, r = _linalg("qr", numpy.linalg.qr, _matrix("qr", self))
        return _columns(q), _columns(r)

    def geqrf(self) -> tuple[Self, Self]:
        """Return the QR factors of a matrix of shape (m, n) as LAPACK packs them.

        Returns:
            A matrix with R on and above its diagonal, and the vector tau. Column k below the diagonal, with a 1 on top,
            is the vector v of the reflection I - tau[k] v vᵀ. Q is the product of the reflections; `orgqr` computes it.
        """
        packed, tau = _linalg("geqrf", numpy.linalg.qr, _matrix("geqrf", self), mode="raw")
        return _columns(packed.T), wrap(tau)

    def orgqr(self, tau: TensorBase) -> tuple[Self, Self]:
        """Return the first columns of Q, as many as `tau` has numbers, and this tensor.

        Args:
            tau: The second result of `geqrf`. This tensor is the first.

        Raises:
            ValueError: If the shapes do not fit.
        """
        packed, taus = _reflections("orgqr", self, tau)
        q = numpy.eye(packed.shape[0], taus.size, dtype=packed.dtype)
        return _columns(_reflected(packed, taus, q, transpose=False)), self

    def ormqr(
        self, tau: TensorBase, mat: TensorBase, left: bool | str = True, transpose: bool | str = False
    ) -> tuple[Self, Self]:
        """Return the product of Q and a matrix, and this tensor.

        Args:
            tau: The second result of `geqrf`. This tensor is the first.
            mat: The matrix, of the same type.
            left: Whether the product is Q mat, else mat Q. v0.1.1's letters are "L" and "R".
            transpose: Whether to multiply by Qᵀ. v0.1.1's letters are "T" and "N".

        Raises:
            ValueError: If the shapes do not fit.
        """
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

    def svd(self, some: bool | str = True) -> tuple[Self, Self, Self]:
        """Return U, S and V such that this matrix is U diag(S) Vᵀ.

        Args:
            some: Whether U and V have as many columns as S has elements; else they are square. v0.1.1's letters are "S"
                and "A".
        """
        some = _flag("svd: some", some, "SA")
        u, s, vt = _linalg("svd", numpy.linalg.svd, _matrix("svd", self), full_matrices=not some)
        return _columns(u), wrap(s), wrap(numpy.ascontiguousarray(vt.T))

    def eig(self, eigenvectors: bool | str = False) -> tuple[Self, Self]:
        """Return the eigenvalues of a square matrix of shape (n, n), and its eigenvectors.

        Args:
            eigenvectors: Whether to return eigenvectors. v0.1.1's letters are "V" and "N".

        Returns:
            A matrix of shape (n, 2), the real and imaginary parts of the eigenvalues, and a matrix of eigenvectors as
            columns, or an empty tensor. For a pair of complex eigenvectors x ± iy, one column is x and the next is y.
        """
        matrix = _square("eig", self)
        values, vectors = _linalg("eig", numpy.linalg.eig, matrix)
        columns = matrix[:0, 0].copy()
        if _flag("eig: eigenvectors", eigenvectors, "VN"):
            # Of a pair of complex values the one with the positive imaginary part comes first.
            second = numpy.imag(values) < 0
            columns = numpy.where(second, -numpy.imag(vectors), numpy.real(vectors)).astype(matrix.dtype, copy=False)
        pairs = numpy.stack([numpy.real(values), numpy.imag(values)], 1)
        return wrap(pairs.astype(matrix.dtype, copy=False)), _columns(columns)

    def symeig(self, eigenvectors: bool | str = False, upper: bool | str = True) -> tuple[Self, Self]:
        """Return the eigenvalues of a symmetric matrix in ascending order, and its eigenvectors.

        Args:
            eigenvectors: Whether to return eigenvectors. v0.1.1's letters are "V" and "N".
            upper: Whether to read the upper triangle, else the lower one. v0.1.1's letters "U" and "L" are accepted.

        Returns:
            A vector, and a matrix of eigenvectors as columns, or an empty tensor.
        """
        triangle = "U" if _flag("symeig: upper", upper, "UL") else "L"
        matrix = _square("symeig", self)
        if not _flag("symeig: eigenvectors", eigenvectors, "VN"):
            return wrap(_linalg("symeig", numpy.linalg.eigvalsh, matrix, triangle)), wrap(matrix[:0, 0].copy())
        values, vectors = _linalg("symeig", numpy.linalg.eigh, matrix, triangle)
        return wrap(values), _columns(vectors)

    # --- batches

    def btrifact(self, info: TensorBase | None = None) -> tuple[Self, Self]:
        """Return the LU factors of each matrix of a batch of shape (b, n, n), and the pivots.

        Args:
            info: An IntTensor that receives b numbers: 0, or the position, counted from 1, of the first 0 on the
                diagonal of U. Default: none.

        Returns:
            A batch of matrices that hold U and, below the diagonal, L; and an IntTensor of shape (b, n): row i was
            exchanged with row pivots[i] - 1, from i = 0 on.

        Raises:
            RuntimeError: If a matrix is singular and `info` is None.
            TypeError: If `info` is not an IntTensor.
        """
        batch = _square("btrifact", self, ndim=3)
        factored, pivots = batch.copy(), numpy.zeros(batch.shape[:2], _INT)
        failed = numpy.zeros(len(batch), _INT)
        for i, matrix in enumerate(batch):
            factored[i], pivots[i] = _factors(matrix)
            zero = numpy.flatnonzero(factored[i].diagonal() == 0)
            failed[i] = zero[0] + 1 if zero.size else 0
        if info is None:
            if failed.any():
                raise RuntimeError(f"btrifact: matrix {int(numpy.flatnonzero(failed)[0])} of the batch is singular")
        elif not is_tensor(info) or info.array.dtype != _INT:
            raise TypeError(f"btrifact: info must be an IntTensor, got {shown(info)}")
        else:
            info.resize_(len(batch)).copy_(wrap(failed))
        return wrap_in_any_order(factored.swapaxes(1, 2).copy().swapaxes(1, 2)), wrap(pivots)

    def btrisolve(self, LU_data: TensorBase, LU_pivots: TensorBase) -> Self:
        """Return the solutions X of A X = self for each matrix A of a batch.

        Args:
            LU_data: The factors from `btrifact`, of shape (b, n, n). This tensor has shape (b, n) or (b, n, m).
            LU_pivots: The pivots from `btrifact`.

        Returns:
            X, of the shape of this tensor.

        Raises:
            RuntimeError: If a matrix is singular.
            ValueError: If the shapes do not fit.
        """
        factors = _square("btrisolve", LU_data, ndim=3)
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


def btriunpack(
    LU_data: AnyTensor, LU_pivots: AnyTensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[AnyTensor | None, AnyTensor | None, AnyTensor | None]:
    """Return P, L and U, batches of shape (b, n, n), whose products are the matrices that `btrifact` factored.

    Args:
        LU_data: The factors from `btrifact`.
        LU_pivots: The pivots from `btrifact`.
        unpack_data: Whether to return L and U, else None for them.
        unpack_pivots: Whether to return P, else None.

    Raises:
        ValueError: If the factors and pivots do not belong together.
    """
    factors, pivots = _square("btriunpack", LU_data, ndim=3), _pivots("btriunpack", LU_pivots, LU_data)
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
    """Return the bool of a flag: a bool, or one of two letters of v0.1.1, the first of which is True."""
    if isinstance(flag, str):
        if flag not in tuple(letters):
            raise SizeError(f"{what} must be a bool, {letters[0]!r} (True) or {letters[1]!r} (False), got {flag!r}")
        return flag == letters[0]
    return bool(flag)


def do_not_multiply(name: str, a: numpy.ndarray, b: numpy.ndarray, needed: str) -> SizeError:
    """Return the error of an operation on matrices whose shapes do not fit.

    Args:
        name: The operation.
        a: The first operand.
        b: The second operand.
        needed: What the operation needs, in words.
    """
    return SizeError(f"{name}: expected {needed}, got the sizes {shown_size(a.shape)} and {shown_size(b.shape)}")


def _matrix(name, tensor, ndim=2):
    if not is_tensor(tensor) or tensor.array.ndim != ndim or tensor.array.dtype.kind != "f":
        what = "a matrix" if ndim == 2 else "a batch of square matrices, b x n x n,"
        raise SizeError(f"{name}: expected {what} of floating-point numbers, got {shown(tensor)}")
    if tensor.array.dtype.itemsize < 4:
        raise TypeError(f"{name}: expected a FloatTensor or DoubleTensor, got a {TYPE_NAMES[tensor.array.dtype]}")
    return tensor.array


def _square(name, tensor, ndim=2):
    array = _matrix(name, tensor, ndim)
    if array.shape[-2] != array.shape[-1]:
        what = "a square matrix" if ndim == 2 else "a batch of square matrices, b x n x n"
        raise SizeError(f"{name}: expected {what}, got {shown(tensor)}")
    return array


def _pivots(name, pivots, factors):
    """Return the array of the pivots of a batch of `factors`, checked."""
    if not is_tensor(pivots) or pivots.array.dtype != _INT:
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
    """Return the checked arrays of the two results of `geqrf`."""
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
    """Return L and U of a square matrix in one array, and the pivots: row k was exchanged with row pivots[k] - 1.

    The largest remaining element of a column comes to the diagonal.
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
