"""Products of matrices and vectors (in torch's autograd since v0.1.3: `torch/autograd/_functions/blas.py`).

ᵀ exchanges the last two dimensions of a matrix.
"""

import math

import numpy

from ...tensor import Tensor, buffer_pool
from ...tensor.wrapping import wrap
from ..function import Function
from ._utils import as_tensor, call, in_floats, saves, sum_to_size

__all__ = [
    "Addbmm", "AddedProduct", "Addmm", "Addmv", "Addr", "Baddbmm", "Bmm", "Cross", "Dot", "Ger", "Gesv", "Inverse",
    "Matmul", "Mm", "MmNT", "MmTN", "Mv", "Product",
]  # fmt: skip


class Product(Function):
    """The base of products of two operands: both are saved, and a gradient is computed only if it is needed.

    A subclass defines `product(a, b)`, and the gradients `by_first(grad, a, b)` and `by_second(grad, a, b)`.
    """

    @saves(0, 1)
    def forward(self, a, b):
        self.save_for_backward(a, b)
        return self.product(a, b)

    def backward(self, grad_output):
        a, b = self.saved_tensors
        needs_a, needs_b = self.needs_input_grad
        return (
            self.by_first(grad_output, a, b) if needs_a else None,
            self.by_second(grad_output, a, b) if needs_b else None,
        )


class Mm(Product):
    """The product A B of two matrices.

    Gradient:
        For A, g Bᵀ; for B, Aᵀ g, where g is the gradient of the output.
    """

    @saves(0, 1)
    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a.mm(b)

    def backward(self, grad_output):
        if not isinstance(grad_output, Tensor):
            return super().backward(grad_output)
        a, b = self.saved_tensors  # both products directly on the arrays
        needs_a, needs_b = self.needs_input_grad
        return (
            wrap(buffer_pool.dot(grad_output.array, b.array.T)) if needs_a else None,
            wrap(buffer_pool.dot(a.array.T, grad_output.array)) if needs_b else None,
        )

    def by_first(self, grad, a, b):
        return call(MmNT(), grad, b)

    def by_second(self, grad, a, b):
        return call(MmTN(), a, grad)


class MmNT(Product):
    """The product A Bᵀ of two matrices, without a Function for the transpose.

    Gradient:
        For A, g B; for B, gᵀ A, where g is the gradient of the output.
    """

    def product(self, a, b):
        return wrap(buffer_pool.dot(a.array, b.array.T))

    def by_first(self, grad, a, b):
        return grad.mm(b)

    def by_second(self, grad, a, b):
        return call(MmTN(), grad, a)


class MmTN(Product):
    """The product Aᵀ B of two matrices, without a Function for the transpose.

    Gradient:
        For A, B gᵀ; for B, A g, where g is the gradient of the output.
    """

    def product(self, a, b):
        return wrap(buffer_pool.dot(a.array.T, b.array))

    def by_first(self, grad, a, b):
        return call(MmNT(), b, grad)

    def by_second(self, grad, a, b):
        return a.mm(grad)


class Mv(Product):
    """The product A b of a matrix and a vector.

    Gradient:
        For A, g bᵀ; for b, Aᵀ g, where g is the gradient of the output.
    """

    def product(self, a, b):
        return a.mv(b)

    def by_first(self, grad, a, b):
        return grad.ger(b)

    def by_second(self, grad, a, b):
        return a.t().mv(grad)


class Bmm(Product):
    """The product A B for each pair of matrices in two batches.

    Gradient:
        For A, g Bᵀ; for B, Aᵀ g, where g is the gradient of the output.
    """

    def product(self, a, b):
        return a.bmm(b)

    def by_first(self, grad, a, b):
        if isinstance(grad, Tensor):
            return wrap(numpy.matmul(grad.array, b.array.swapaxes(1, 2)))
        return grad.bmm(b.transpose(-2, -1))

    def by_second(self, grad, a, b):
        if isinstance(grad, Tensor):
            return wrap(numpy.matmul(a.array.swapaxes(1, 2), grad.array))
        return a.transpose(-2, -1).bmm(grad)


class Dot(Product):
    """The dot product Σ a b of two tensors with the same number of elements, as a Variable of shape (1,).

    Gradient:
        For a, g b; for b, g a, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/blas.py` (v0.1.5).
    """

    def product(self, a, b):
        return as_tensor(a.dot(b), a)

    def by_first(self, grad, a, b):
        return _in_the_size_of(a, b.mul(grad))

    def by_second(self, grad, a, b):
        return _in_the_size_of(b, a.mul(grad))


def _in_the_size_of(tensor, grad):
    return grad if grad.size() == tensor.size() else grad.contiguous().view(*tensor.size())


class Ger(Product):
    """The outer product a bᵀ of two vectors.

    Gradient:
        For a, g b; for b, gᵀ a, where g is the gradient of the output.
    """

    def product(self, a, b):
        return a.ger(b)

    def by_first(self, grad, a, b):
        return grad.mv(b)

    def by_second(self, grad, a, b):
        return grad.t().mv(a)


class Matmul(Product):
    """The product A B by the rules of modern torch, for vectors, matrices and batches that broadcast.

    A vector on the left counts as a row, a vector on the right as a column, and the result lacks that dimension. The
    product of two vectors has the shape (1,).

    Gradient:
        For A, g Bᵀ; for B, Aᵀ g, summed over broadcast dimensions, where g is the gradient of the output.
    """

    def product(self, a, b):
        return as_tensor(a.matmul(b), a)

    def by_first(self, grad, a, b):
        if len(a.size()) == len(b.size()) == 1:
            return b.mul(grad)
        grad, a, b, size = self._as_matrices(grad, a, b, a)
        return sum_to_size(grad.matmul(b.transpose(-2, -1)), a.size()).contiguous().view(*size)

    def by_second(self, grad, a, b):
        if len(a.size()) == len(b.size()) == 1:
            return a.mul(grad)
        grad, a, b, size = self._as_matrices(grad, a, b, b)
        if len(b.size()) == 2 and len(a.size()) > 2:
            # One product of two tall matrices replaces a product for each matrix of the batch and their sum.
            rows = math.prod(a.size()[:-1])
            a, grad = a.contiguous().view(rows, b.size(0)), grad.contiguous().view(rows, b.size(1))
        return sum_to_size(a.transpose(-2, -1).matmul(grad), b.size()).contiguous().view(*size)

    @staticmethod
    def _as_matrices(grad, a, b, wanted):
        """Return the three with vectors as rows and columns, and the shape of the gradient of `wanted`."""
        size = wanted.size()
        if len(a.size()) == 1:
            a, grad = a.unsqueeze(0), grad.unsqueeze(-2 if len(b.size()) > 1 else 0)
        if len(b.size()) == 1:
            b, grad = b.unsqueeze(1), grad.unsqueeze(-1)
        return grad, a, b, size


class AddedProduct(Function):
    """The base of beta M + alpha (a product of A and B), where M may be broadcast.

    A subclass defines `added(m, a, b)`, and `product`, whose gradients are those of A and B.

    Args:
        alpha: The factor of the product.
        beta: The factor of M.

    Gradient:
        For M, beta g; for A and B, alpha times the gradients of the product, where g is the gradient of the output.
    """

    def __init__(self, alpha=1, beta=1):
        self.alpha = alpha
        self.beta = beta

    @saves(1, 2)
    def forward(self, m, a, b):
        self.size = m.array.shape
        self.save_for_backward(a, b)
        return self.added(m, a, b)

    def backward(self, grad_output):
        a, b = self.saved_tensors
        needs_m, needs_a, needs_b = self.needs_input_grad
        by_product = self.of_product(grad_output if self.alpha == 1 else grad_output.mul(self.alpha), a, b)
        return (
            sum_to_size(grad_output if self.beta == 1 else grad_output.mul(self.beta), self.size) if needs_m else None,
            self.product.by_first(by_product, a, b) if needs_a else None,
            self.product.by_second(by_product, a, b) if needs_b else None,
        )

    def of_product(self, grad, a, b):
        """Return the gradient of the product.

        Args:
            grad: The gradient of the term that the product became.
            a: The first factor.
            b: The second factor.
        """
        return grad


class Addmm(AddedProduct):
    """beta M + alpha A B.

    Gradient:
        For M, beta g; for A, alpha g Bᵀ; for B, alpha Aᵀ g, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/blas.py` (v0.1.5).
    """

    product = Mm()

    def added(self, m, a, b):
        return m.addmm(self.beta, self.alpha, a, b)


class Addmv(AddedProduct):
    """beta m + alpha A b.

    Gradient:
        For m, beta g; for A, alpha g bᵀ; for b, alpha Aᵀ g, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/blas.py` (v0.1.5).
    """

    product = Mv()

    def added(self, m, a, b):
        return m.addmv(self.beta, self.alpha, a, b)


class Addr(AddedProduct):
    """beta M + alpha a bᵀ.

    Gradient:
        For M, beta g; for a, alpha g b; for b, alpha gᵀ a, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/blas.py` (v0.1.5).
    """

    product = Ger()

    def added(self, m, a, b):
        return m.addr(self.beta, self.alpha, a, b)


class Baddbmm(AddedProduct):
    """beta M + alpha A B for each pair of matrices in two batches.

    Gradient:
        For M, beta g; for A, alpha g Bᵀ; for B, alpha Aᵀ g, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/blas.py` (v0.1.5).
    """

    product = Bmm()

    def added(self, m, a, b):
        return m.baddbmm(self.beta, self.alpha, a, b)


class Addbmm(AddedProduct):
    """beta M + alpha Σ A B, where Σ is the sum over the batch.

    Gradient:
        For M, beta g; for A, alpha g Bᵀ; for B, alpha Aᵀ g, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/blas.py` (v0.1.5).
    """

    product = Bmm()

    def added(self, m, a, b):
        return m.addbmm(self.beta, self.alpha, a, b)

    def of_product(self, grad, a, b):
        return grad.expand(a.size(0), *grad.size())


class Inverse(Function):
    """The inverse R of a square matrix.

    Gradient:
        -Rᵀ g Rᵀ, where g is the gradient of the output.
    """

    def forward(self, x):
        result = x.inverse()
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        transposed = result.t()
        return transposed.mm(grad_output).mm(transposed).neg()


class Gesv(Function):
    """The solution X of the linear system A X = B. A is the second operand.

    Gradient:
        For B, A⁻ᵀ g; for A, -A⁻ᵀ g Xᵀ, where g is the gradient of X.

    Source:
        `torch/autograd/_functions/linalg.py` (v0.2.0).
    """

    def forward(self, b, a):
        solution = in_floats(lambda b, a: b.gesv(a)[0], b, a)
        self.save_for_backward(a, solution)
        return solution

    def backward(self, grad_output):
        a, solution = self.saved_tensors
        grad_b = in_floats(lambda b, a: b.gesv(a)[0], grad_output, a.t())
        return grad_b, grad_b.mm(solution.t()).neg()


class Cross(Function):
    """The cross product a x b along a dimension of size 3.

    Args:
        dim: The dimension. Default: the first one of size 3.

    Gradient:
        For a, b x g; for b, g x a, where g is the gradient of the output.

    Source:
        `torch/autograd/_functions/linalg.py` (v0.1.12).
    """

    def __init__(self, dim=None):
        self.dim = dim

    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a.cross(b, self.dim)

    def backward(self, grad_output):
        a, b = self.saved_tensors
        return b.cross(grad_output, self.dim), grad_output.cross(a, self.dim)
