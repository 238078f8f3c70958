"""Products of matrices and vectors (in torch's autograd since v0.1.3: `torch/autograd/_functions/blas.py`).

g stands for the gradient of the output, ᵀ for the matrix with its last two dimensions exchanged.
"""

import math

from ...tensor import Tensor, buffer_pool
from ...tensor._helpers import wrap
from ..function import Function
from ._utils import as_tensor, call, saves, sum_to_size

__all__ = (
    "Addbmm AddedProduct Addmm Addmv Addr Baddbmm Bmm Cross Dot Ger Inverse Matmul Mm MmNT MmTN Mv Product".split()
)


class Product(Function):
    """What all products of two operands share: both are saved, and a gradient is computed only if it is needed.

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
    """A B, two matrices. Gradients: g Bᵀ, Aᵀ g."""

    def product(self, a, b):
        return a.mm(b)

    def backward(self, grad_output):
        if not isinstance(grad_output, Tensor):
            return super().backward(grad_output)
        a, b = self.saved_tensors  # the two products on the arrays
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
    """A Bᵀ, as BLAS computes it, without a Function for the transpose. Gradients: g B, gᵀ A."""

    def product(self, a, b):
        return wrap(buffer_pool.dot(a.array, b.array.T))

    def by_first(self, grad, a, b):
        return grad.mm(b)

    def by_second(self, grad, a, b):
        return call(MmTN(), grad, a)


class MmTN(Product):
    """Aᵀ B. Gradients: B gᵀ, A g."""

    def product(self, a, b):
        return wrap(buffer_pool.dot(a.array.T, b.array))

    def by_first(self, grad, a, b):
        return call(MmNT(), b, grad)

    def by_second(self, grad, a, b):
        return a.mm(grad)


class Mv(Product):
    """A b, a matrix and a vector. Gradients: g bᵀ, Aᵀ g."""

    def product(self, a, b):
        return a.mv(b)

    def by_first(self, grad, a, b):
        return grad.ger(b)

    def by_second(self, grad, a, b):
        return a.t().mv(grad)


class Bmm(Product):
    """A B for each pair of matrices in two batches. Gradients: g Bᵀ, Aᵀ g."""

    def product(self, a, b):
        return a.bmm(b)

    def by_first(self, grad, a, b):
        return grad.bmm(b.transpose(-2, -1))

    def by_second(self, grad, a, b):
        return a.transpose(-2, -1).bmm(grad)


class Dot(Product):
    """Σ a b of two vectors, or tensors of as many elements, as a Variable of size (1,). Gradients: g b, g a."""

    def product(self, a, b):
        return as_tensor(a.dot(b), a)

    def by_first(self, grad, a, b):
        return _in_the_size_of(a, b.mul(grad))

    def by_second(self, grad, a, b):
        return _in_the_size_of(b, a.mul(grad))


def _in_the_size_of(tensor, grad):
    return grad if grad.size() == tensor.size() else grad.contiguous().view(*tensor.size())


class Ger(Product):
    """a bᵀ, the outer product of two vectors. Gradients: g b, gᵀ a."""

    def product(self, a, b):
        return a.ger(b)

    def by_first(self, grad, a, b):
        return grad.mv(b)

    def by_second(self, grad, a, b):
        return grad.t().mv(a)


class Matmul(Product):
    """A B by the rules of modern torch: vectors, matrices, batches that broadcast. Gradients: g Bᵀ, Aᵀ g.

    A vector on the left counts as a row, on the right as a column, and that dimension is left out of the result; of
    two vectors the result has the size (1,). The gradient of what was broadcast is summed.
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
            # One product of two tall matrices, in place of one for each matrix of the batch and a sum of them all.
            rows = math.prod(a.size()[:-1])
            a, grad = a.contiguous().view(rows, b.size(0)), grad.contiguous().view(rows, b.size(1))
        return sum_to_size(a.transpose(-2, -1).matmul(grad), b.size()).contiguous().view(*size)

    @staticmethod
    def _as_matrices(grad, a, b, wanted):
        """The three with vectors as rows and columns, and the size that the gradient of `wanted` is to have."""
        size = wanted.size()
        if len(a.size()) == 1:
            a, grad = a.unsqueeze(0), grad.unsqueeze(-2 if len(b.size()) > 1 else 0)
        if len(b.size()) == 1:
            b, grad = b.unsqueeze(1), grad.unsqueeze(-1)
        return grad, a, b, size


class AddedProduct(Function):
    """beta M + alpha (a product of A and B). M may be broadcast. Gradients: beta g, and alpha times the product's.

    A subclass defines `added(m, a, b)`, and `product`, whose gradients are those of A and B.
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
        """The gradient of the product, of which `grad` is the gradient of what it became."""
        return grad


class Addmm(AddedProduct):
    """beta M + alpha A B. Gradients: beta g, alpha g Bᵀ, alpha Aᵀ g."""

    product = Mm()

    def added(self, m, a, b):
        return m.addmm(self.beta, self.alpha, a, b)


class Addmv(AddedProduct):
    """beta m + alpha A b. Gradients: beta g, alpha g bᵀ, alpha Aᵀ g."""

    product = Mv()

    def added(self, m, a, b):
        return m.addmv(self.beta, self.alpha, a, b)


class Addr(AddedProduct):
    """beta M + alpha a bᵀ. Gradients: beta g, alpha g b, alpha gᵀ a."""

    product = Ger()

    def added(self, m, a, b):
        return m.addr(self.beta, self.alpha, a, b)


class Baddbmm(AddedProduct):
    """beta M + alpha A B for each pair of matrices in two batches. Gradients: beta g, alpha g Bᵀ, alpha Aᵀ g."""

    product = Bmm()

    def added(self, m, a, b):
        return m.baddbmm(self.beta, self.alpha, a, b)


class Addbmm(AddedProduct):
    """beta M + alpha Σ A B, the sum over the batch. Gradients: beta g, alpha g Bᵀ, alpha Aᵀ g."""

    product = Bmm()

    def added(self, m, a, b):
        return m.addbmm(self.beta, self.alpha, a, b)

    def of_product(self, grad, a, b):
        return grad.expand(a.size(0), *grad.size())


class Inverse(Function):
    """R, the inverse of a square matrix. Gradient: -Rᵀ g Rᵀ."""

    def forward(self, x):
        result = x.inverse()
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        transposed = result.t()
        return transposed.mm(grad_output).mm(transposed).neg()


class Cross(Function):
    """a x b along `dim`, which has size 3 (the first that has, where none is said). Gradients: b x g, g x a."""

    def __init__(self, dim=None):
        self.dim = dim

    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a.cross(b, self.dim)

    def backward(self, grad_output):
        a, b = self.saved_tensors
        return b.cross(grad_output, self.dim), grad_output.cross(a, self.dim)
