"""Products of matrices and vectors, and a few factorizations (2016: TH's THTensorMath.c and THTensorLapack.c)."""

import numpy

from . import _helpers, buffer_pool
from ._helpers import from_result, number_for, shown, shown_size, tensor_array, wrap, wrap_in_c_order
from .dtypes import TYPE_NAMES


class Blas:
    __slots__ = ()

    def mm(self, other):
        """Return the product of two matrices, n x k and k x m: a matrix n x m."""
        a = self.array
        b = other.array if type(other) is type(self) else tensor_array("mm", a, other)
        if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
            raise _do_not_multiply("mm", a, b, "two matrices, n x k and k x m")
        return wrap(buffer_pool.dot(a, b))  # for small matrices half the time of a @ b

    def mv(self, vector):
        """Return the product of a matrix n x k and a vector of size k: a vector of size n."""
        a, b = self.array, tensor_array("mv", self.array, vector)
        if a.ndim != 2 or b.ndim != 1 or a.shape[1] != b.shape[0]:
            raise _do_not_multiply("mv", a, b, "a matrix n x k and a vector of size k")
        return wrap(a.dot(b))

    def dot(self, other):
        """Return the sum of the products of two tensors' elements, row by row whatever their sizes, a Python number.

        So it was through all of v0.1.x; modern torch takes vectors only. ValueError for two different counts.
        """
        a, b = self.array, tensor_array("dot", self.array, other)
        if a.size != b.size:
            raise _do_not_multiply("dot", a, b, "two tensors of as many elements")
        return a.reshape(-1).dot(b.reshape(-1)).item()

    def ger(self, other):
        """Return the outer product of two vectors of sizes n and m: a matrix n x m."""
        a, b = self.array, tensor_array("ger", self.array, other)
        if a.ndim != 1 or b.ndim != 1:
            raise _do_not_multiply("ger", a, b, "two vectors")
        return wrap(numpy.multiply(a[:, None], b))

    def bmm(self, other):
        """Return the products of as many pairs of matrices, b x n x k and b x k x m: b x n x m."""
        a, b = self.array, tensor_array("bmm", self.array, other)
        if a.ndim != 3 or b.ndim != 3 or a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
            raise _do_not_multiply("bmm", a, b, "b x n x k and b x k x m")
        return wrap(numpy.matmul(a, b))

    def matmul(self, other):
        """Return the product by modern torch's rules: of vectors a Python number, of matrices `mm`, otherwise batches.

        A vector on the left counts as a row, on the right as a column; the dimensions before the last two broadcast.
        """
        a, b = self.array, tensor_array("matmul", self.array, other)
        inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
        if a.shape[-1] != inner:
            raise _do_not_multiply("matmul", a, b, "a last dimension on the left that meets the one it is summed with")
        if b.ndim <= 2:
            if a.ndim > 2 and a.flags.c_contiguous:
                # One large product instead of one for each matrix of the batch.
                rows = a.reshape(-1, inner) if a.size else a.reshape(int(numpy.prod(a.shape[:-1])), inner)
                return wrap(buffer_pool.dot(rows, b).reshape(a.shape[:-1] + b.shape[1:]))
            return from_result(buffer_pool.dot(a, b))
        try:
            return wrap_in_c_order(numpy.matmul(a, b))
        except ValueError:
            raise _do_not_multiply("matmul", a, b, "batches that broadcast") from None

    # --- a product added to something

    def addmm(self, *arguments, beta=1, alpha=1):
        """Return beta * self + alpha * m1 m2 of matrices: `addmm(m1, m2)` or v0.1.x's `addmm(beta, alpha, m1, m2)`.

        Where beta is 0, self is not looked at (nor its nan).
        """
        return _added("addmm", self, arguments, beta, alpha, lambda a, b: a.mm(b))

    def addmv(self, *arguments, beta=1, alpha=1):
        """Return beta * self + alpha * matrix vector; arguments as for `addmm`."""
        return _added("addmv", self, arguments, beta, alpha, lambda a, b: a.mv(b))

    def addr(self, *arguments, beta=1, alpha=1):
        """Return beta * self + alpha * the outer product of two vectors; arguments as for `addmm`."""
        return _added("addr", self, arguments, beta, alpha, lambda a, b: a.ger(b))

    def addbmm(self, *arguments, beta=1, alpha=1):
        """Return beta * self + alpha * the sum of the products of bmm; arguments as for `addmm`."""
        return _added("addbmm", self, arguments, beta, alpha, lambda a, b: a.bmm(b).sum(0, keepdim=False))

    def baddbmm(self, *arguments, beta=1, alpha=1):
        """Return beta * self + alpha * bmm; arguments as for `addmm`."""
        return _added("baddbmm", self, arguments, beta, alpha, lambda a, b: a.bmm(b))

    # --- factorizations, by numpy.linalg

    def inverse(self):
        """Return the inverse of a square matrix. RuntimeError if it has none."""
        return wrap(_linalg("inverse", numpy.linalg.inv, _square("inverse", self)))

    def gesv(self, a):
        """Return the solution X of a X = self, and the factors of `a` in one matrix: U and, below it, L."""
        b, matrix = self.array, _square("gesv", a)
        tensor_array("gesv", b, a)
        if b.ndim != 2 or b.shape[0] != matrix.shape[0]:
            raise _do_not_multiply("gesv", matrix, b, "n x n and n x m")
        return wrap(_linalg("gesv", numpy.linalg.solve, matrix, b)), wrap(_factors(matrix))

    def potrf(self, upper=True):
        """Return the Cholesky factor U of a symmetric positive definite UᵀU (or L of LLᵀ). RuntimeError for others."""
        lower = _linalg("potrf", numpy.linalg.cholesky, _symmetric(_square("potrf", self), upper))
        return wrap(numpy.ascontiguousarray(lower.T) if upper else lower)

    def qr(self):
        """Return matrices Q, with orthonormal columns, and R, upper triangular, of which this matrix is the product."""
        q, r = _linalg("qr", numpy.linalg.qr, _matrix("qr", self))
        return wrap(q), wrap(r)

    def svd(self, some=True):
        """Return U, S, V such that this matrix is U diag(S) Vᵀ. `some=False` completes U and V to square matrices."""
        u, s, vt = _linalg("svd", numpy.linalg.svd, _matrix("svd", self), full_matrices=not some)
        return wrap(u), wrap(s), wrap(numpy.ascontiguousarray(vt.T))

    def eig(self, eigenvectors=False):
        """Return the eigenvalues of a square matrix, n x 2 (real and imaginary parts), and its eigenvectors as columns.

        Of two complex eigenvectors x ± iy, one column holds x and the next y. Without `eigenvectors`, the second
        tensor is empty.
        """
        matrix = _square("eig", self)
        values, vectors = _linalg("eig", numpy.linalg.eig, matrix)
        columns = matrix[:0, 0].copy()
        if eigenvectors:
            # Of a pair of values the one with the positive imaginary part comes first.
            second = numpy.imag(values) < 0
            columns = numpy.where(second, -numpy.imag(vectors), numpy.real(vectors)).astype(matrix.dtype, copy=False)
        pairs = numpy.stack([numpy.real(values), numpy.imag(values)], 1)
        return wrap(pairs.astype(matrix.dtype, copy=False)), wrap(columns)

    def symeig(self, eigenvectors=False, upper=True):
        """Return the ascending eigenvalues of a symmetric matrix, and its eigenvectors as columns or an empty tensor.

        Only the upper (or lower) triangle is looked at.
        """
        triangle = "U" if upper else "L"
        matrix = _square("symeig", self)
        if not eigenvectors:
            return wrap(_linalg("symeig", numpy.linalg.eigvalsh, matrix, triangle)), wrap(matrix[:0, 0].copy())
        values, vectors = _linalg("symeig", numpy.linalg.eigh, matrix, triangle)
        return wrap(values), wrap(vectors)


def _added(name, tensor, arguments, beta, alpha, product):
    numbers, factors = arguments[:-2], arguments[-2:]
    if numbers:
        beta = numbers[0]
    if len(numbers) > 1:
        alpha = numbers[1]
    if len(factors) != 2 or len(numbers) > 2 or not all([_helpers.is_tensor(factor) for factor in factors]):
        raise TypeError(
            f"{name}: expected (tensor, tensor), (beta, tensor, tensor) or (beta, alpha, tensor, tensor), got "
            f"({', '.join([shown(argument) for argument in arguments])})"
        )
    a = tensor.array
    tensor_array(name, a, factors[0])
    try:  # `with naming(name)` takes a microsecond
        result = product(*factors).array
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if alpha != 1:
        numpy.multiply(result, number_for(name, a, alpha), result)
    summand = a if beta == 1 else numpy.multiply(a, number_for(name, a, beta))
    try:
        if beta == 0:
            numpy.broadcast_to(a, result.shape)  # only asks whether it could be added
        else:
            numpy.add(result, summand, result)
    except ValueError:
        raise ValueError(
            f"{name}: a product of size {shown_size(result.shape)} cannot be added to {shown(tensor)}"
        ) from None
    return wrap(result)


def _do_not_multiply(name, a, b, needed):
    return ValueError(f"{name}: expected {needed}, got the sizes {shown_size(a.shape)} and {shown_size(b.shape)}")


def _matrix(name, tensor):
    if not _helpers.is_tensor(tensor) or tensor.array.ndim != 2 or tensor.array.dtype.kind != "f":
        raise ValueError(f"{name}: expected a matrix of floating-point numbers, got {shown(tensor)}")
    if tensor.array.dtype.itemsize < 4:
        raise TypeError(f"{name}: expected a FloatTensor or DoubleTensor, got a {TYPE_NAMES[tensor.array.dtype]}")
    return tensor.array


def _square(name, tensor):
    array = _matrix(name, tensor)
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{name}: expected a square matrix, got {shown(tensor)}")
    return array


def _symmetric(array, upper):
    """Return the symmetric matrix that has this upper (or lower) triangle."""
    half = numpy.triu(array) if upper else numpy.tril(array)
    return half + half.T - numpy.diag(numpy.diag(array))


def _factors(matrix):
    """L and U of a square matrix whose rows were exchanged so that the largest element comes to the diagonal."""
    factors = matrix.copy()
    for k in range(len(factors) - 1):
        largest = k + numpy.argmax(numpy.absolute(factors[k:, k]))
        factors[[k, largest]] = factors[[largest, k]]
        factors[k + 1 :, k] /= factors[k, k]
        factors[k + 1 :, k + 1 :] -= numpy.outer(factors[k + 1 :, k], factors[k, k + 1 :])
    return factors


def _linalg(name, function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except numpy.linalg.LinAlgError as error:
        sizes = " and ".join([shown_size(a.shape) for a in arguments if isinstance(a, numpy.ndarray)])
        raise RuntimeError(f"{name}: no result for a matrix of size {sizes}: {error}") from None
