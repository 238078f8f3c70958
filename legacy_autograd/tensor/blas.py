"""Products of matrices and vectors (2016: TH's THTensorMath.c)."""

from typing import Self

import numpy

from . import buffer_pool
from .arguments import number_for, tensor_array
from .dtypes import HALF
from .errors import SizeError
from .lapack import Lapack, do_not_multiply
from .messages import shown, shown_size
from .wrapping import TensorBase, from_result, is_tensor, wrap, wrap_in_c_order


class Blas(Lapack):
    """The methods of Tensor that multiply matrices and vectors."""

    __slots__ = ()

    def mm(self, other: TensorBase) -> Self:
        """Return the product of two matrices of shapes (n, k) and (k, m): a matrix of shape (n, m).

        Args:
            other: The second matrix, of the same type.

        Raises:
            ValueError: If the shapes do not fit.
            TypeError: If `other` is not a Tensor of the same type.
        """
        a = self.array
        b = other.array if type(other) is type(self) else tensor_array("mm", a, other)
        if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
            raise do_not_multiply("mm", a, b, "two matrices, n x k and k x m")
        return wrap(buffer_pool.dot(a, b))  # for small matrices half the time of a @ b

    def mv(self, vector: TensorBase) -> Self:
        """Return the product of a matrix of shape (n, k) and a vector of k elements: a vector of n elements.

        Args:
            vector: The vector, of the same type.

        Raises:
            ValueError: If the shapes do not fit.
        """
        a, b = self.array, tensor_array("mv", self.array, vector)
        if a.ndim != 2 or b.ndim != 1 or a.shape[1] != b.shape[0]:
            raise do_not_multiply("mv", a, b, "a matrix n x k and a vector of size k")
        return wrap(a.dot(b))

    def dot(self, other: TensorBase) -> float:
        """Return the sum of the products of the elements of two tensors.

        As in v0.1.x, the tensors may have any shapes, and their elements are taken in order, and integers are added in
        64 bits. Modern torch takes vectors only, and adds integers in their own type.

        Args:
            other: A Tensor of the same type, with as many elements.

        Raises:
            ValueError: If the tensors have different numbers of elements.
        """
        a, b = self.array, tensor_array("dot", self.array, other)
        if a.size != b.size:
            raise do_not_multiply("dot", a, b, "two tensors of as many elements")
        if a.dtype.kind != "f":
            a, b = a.astype("int64", copy=False), b.astype("int64", copy=False)
        return a.reshape(-1).dot(b.reshape(-1)).item()

    def ger(self, other: TensorBase) -> Self:
        """Return the outer product of two vectors of n and m elements: a matrix of shape (n, m).

        Args:
            other: The second vector, of the same type.

        Raises:
            ValueError: If one of them is not a vector.
        """
        a, b = self.array, tensor_array("ger", self.array, other)
        if a.ndim != 1 or b.ndim != 1:
            raise do_not_multiply("ger", a, b, "two vectors")
        return wrap(numpy.multiply(a[:, None], b))

    def bmm(self, other: TensorBase) -> Self:
        """Return the products of pairs of matrices in two batches of shapes (b, n, k) and (b, k, m): shape (b, n, m).

        Args:
            other: The second batch, of the same type.

        Raises:
            ValueError: If the shapes do not fit.
        """
        a, b = self.array, tensor_array("bmm", self.array, other)
        if a.ndim != 3 or b.ndim != 3 or a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
            raise do_not_multiply("bmm", a, b, "b x n x k and b x k x m")
        return wrap(numpy.matmul(a, b))

    def matmul(self, other: TensorBase) -> Self | float:
        """Return the product by the rules of modern torch.

        A vector on the left counts as a row, on the right as a column. The dimensions before the last two broadcast.

        Args:
            other: A Tensor of the same type.

        Returns:
            A number for two vectors, the result of `mm` for two matrices, else a batch of products.

        Raises:
            ValueError: If the shapes do not fit.
        """
        a, b = self.array, tensor_array("matmul", self.array, other)
        inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
        if a.shape[-1] != inner:
            raise do_not_multiply("matmul", a, b, "a last dimension on the left that meets the one it is summed with")
        if b.ndim <= 2:
            if a.ndim > 2 and a.flags.c_contiguous:
                # One large product instead of one for each matrix of the batch.
                rows = a.reshape(-1, inner) if a.size else a.reshape(int(numpy.prod(a.shape[:-1])), inner)
                return wrap(buffer_pool.dot(rows, b).reshape(a.shape[:-1] + b.shape[1:]))
            return from_result(buffer_pool.dot(a, b))
        try:
            return wrap_in_c_order(numpy.matmul(a, b))
        except ValueError:
            raise do_not_multiply("matmul", a, b, "batches that broadcast") from None

    # --- a product added to something

    def addmm(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Return beta * self + alpha * the product of two matrices.

        If beta is 0, the elements of `self` are ignored, even nan.

        Args:
            *arguments: (m1, m2), v0.1.x's (beta, m1, m2) or (beta, alpha, m1, m2).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.

        Example:
            >>> torch.ones(2, 2).addmm(torch.eye(2), torch.eye(2), alpha=3).tolist()
            [[4.0, 1.0], [1.0, 4.0]]
        """
        return _added("addmm", self, arguments, beta, alpha, lambda a, b: a.mm(b))

    def addmv(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Return beta * self + alpha * the product of a matrix and a vector.

        If beta is 0, the elements of `self` are ignored, even nan.

        Args:
            *arguments: (matrix, vector), v0.1.x's (beta, matrix, vector) or (beta, alpha, matrix, vector).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.
        """
        return _added("addmv", self, arguments, beta, alpha, lambda a, b: a.mv(b))

    def addr(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Return beta * self + alpha * the outer product of two vectors.

        If beta is 0, the elements of `self` are ignored, even nan.

        Args:
            *arguments: (v1, v2), v0.1.x's (beta, v1, v2) or (beta, alpha, v1, v2).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.
        """
        return _added("addr", self, arguments, beta, alpha, lambda a, b: a.ger(b))

    def addbmm(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Return beta * self + alpha * the sum of the products of pairs of matrices, as `bmm` computes them.

        If beta is 0, the elements of `self` are ignored, even nan.

        Args:
            *arguments: (b1, b2), v0.1.x's (beta, b1, b2) or (beta, alpha, b1, b2).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.
        """
        return _added("addbmm", self, arguments, beta, alpha, lambda a, b: a.bmm(b).sum(0, keepdim=False))

    def baddbmm(self, *arguments: TensorBase | float, beta: float = 1, alpha: float = 1) -> Self:
        """Return beta * self + alpha * the products of pairs of matrices, as `bmm` computes them.

        If beta is 0, the elements of `self` are ignored, even nan.

        Args:
            *arguments: (b1, b2), v0.1.x's (beta, b1, b2) or (beta, alpha, b1, b2).
            beta: The factor of `self`.
            alpha: The factor of the product.

        Raises:
            TypeError: If the arguments are anything else, or have different types.
            ValueError: If the shapes do not fit.
        """
        return _added("baddbmm", self, arguments, beta, alpha, lambda a, b: a.bmm(b))


def _added(name, tensor, arguments, beta, alpha, product):
    numbers, factors = arguments[:-2], arguments[-2:]
    if numbers:
        beta = numbers[0]
    if len(numbers) > 1:
        alpha = numbers[1]
    if len(factors) != 2 or len(numbers) > 2 or not all([is_tensor(factor) for factor in factors]):
        raise TypeError(
            f"{name}: expected (tensor, tensor), (beta, tensor, tensor) or (beta, alpha, tensor, tensor), got "
            f"({', '.join([shown(argument) for argument in arguments])})"
        )
    a = tensor.array
    tensor_array(name, a, factors[0])
    if a.dtype is HALF:  # rounded once, as in torch
        return _added(name, tensor.float(), [factor.float() for factor in factors], beta, alpha, product).half()
    try:  # `with naming(name)` takes a microsecond
        result = product(*factors).array
    except ValueError as error:
        raise SizeError(f"{name}: {error}") from None
    if alpha != 1:
        numpy.multiply(result, number_for(name, a, alpha), result)
    summand = a if beta == 1 else numpy.multiply(a, number_for(name, a, beta))
    try:
        if beta == 0:
            numpy.broadcast_to(a, result.shape)  # only asks whether it could be added
        else:
            numpy.add(result, summand, result)
    except ValueError:
        raise SizeError(
            f"{name}: a product of size {shown_size(result.shape)} cannot be added to {shown(tensor)}"
        ) from None
    return wrap(result)
