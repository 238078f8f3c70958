"""Products of matrices and vectors; their Functions are in `functions/blas.py`."""

from __future__ import annotations

from typing import Any

from ..functions.blas import Addbmm, Addmm, Addmv, Addr, Baddbmm, Bmm, Cross, Dot, Ger, Gesv, Inverse, Matmul, Mm, Mv
from ..variable import Variable
from ._arguments import OPERANDS, numbers_first
from ._attach import attach


class BlasMethods:
    """Products of matrices and vectors."""

    def mm(self, other: Variable) -> Variable:
        """Return the product of two matrices, (n, m) and (m, p), with shape (n, p).

        Args:
            other: The right matrix.

        Gradient:
            `g @ other.T` and `x.T @ g`, where g is the gradient of the result.
        """
        return Mm()(self, other)[0]

    def mv(self, vector: Variable) -> Variable:
        """Return the product of a matrix (n, m) and a vector (m,), with shape (n,).

        Args:
            vector: The vector.

        Gradient:
            `outer(g, vector)` and `x.T @ g`, where g is the gradient of the result.
        """
        return Mv()(self, vector)[0]

    def bmm(self, other: Variable) -> Variable:
        """Return the matrix products of two batches, (b, n, m) and (b, m, p), with shape (b, n, p).

        Args:
            other: The batch of right matrices.

        Gradient:
            `g @ swapaxes(other, 1, 2)` and `swapaxes(x, 1, 2) @ g`, where g is the gradient of the result.
        """
        return Bmm()(self, other)[0]

    def dot(self, other: Variable) -> Variable:
        """Return Σ x other, with shape (1,).

        Args:
            other: A Variable with as many elements as x.

        Gradient:
            `g * other` and `g * x`, where g is the gradient of the result.
        """
        return Dot()(self, other)[0]

    def ger(self, other: Variable) -> Variable:
        """Return the outer product of two vectors, (n,) and (m,), with shape (n, m).

        Args:
            other: The vector (m,).

        Gradient:
            `g @ other` and `g.T @ x`, where g is the gradient of the result.
        """
        return Ger()(self, other)[0]

    def matmul(self, other: Variable) -> Variable:
        """Return the matrix product of vectors, matrices or batches by modern torch's rules.

        A vector is a row on the left and a column on the right. Two vectors give shape (1,). Batch dimensions
        broadcast.

        Args:
            other: The right operand.

        Gradient:
            g otherᵀ and xᵀ g, where g is the gradient of the result, summed over broadcast batch dimensions.
        """
        return Matmul()(self, other)[0]

    def addmm(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha a b for matrices a and b.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addmm(beta, a, b)`, `addmm(beta, alpha, a,
                b)`.
            beta: The factor of x.
            alpha: The factor of the product.

        Gradient:
            beta g for x, alpha g bᵀ for a and alpha aᵀ g for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = numbers_first("addmm", arguments, (beta, alpha))
        return Addmm(alpha, beta)(self, *operands)[0]

    def addmv(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha a b for a matrix a and a vector b.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addmv(beta, a, b)`, `addmv(beta, alpha, a,
                b)`.
            beta: The factor of x.
            alpha: The factor of the product.

        Gradient:
            beta g for x, alpha g bᵀ for a and alpha aᵀ g for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = numbers_first("addmv", arguments, (beta, alpha))
        return Addmv(alpha, beta)(self, *operands)[0]

    def addr(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha a bᵀ for vectors a and b.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addr(beta, a, b)`, `addr(beta, alpha, a, b)`.
            beta: The factor of x.
            alpha: The factor of the product.

        Gradient:
            beta g for x, alpha g b for a and alpha gᵀ a for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = numbers_first("addr", arguments, (beta, alpha))
        return Addr(alpha, beta)(self, *operands)[0]

    def addbmm(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha Σ a b, where the sum goes over the pairs of two batches of matrices.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `addbmm(beta, a, b)`, `addbmm(beta, alpha, a,
                b)`.
            beta: The factor of x.
            alpha: The factor of the sum.

        Gradient:
            beta g for x, and in each pair alpha g bᵀ for a and alpha aᵀ g for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = numbers_first("addbmm", arguments, (beta, alpha))
        return Addbmm(alpha, beta)(self, *operands)[0]

    def baddbmm(self, *arguments: Variable | float, beta: float = 1, alpha: float = 1) -> Variable:
        """Return beta x + alpha a b for each pair of two batches of matrices.

        Args:
            *arguments: The Variables a and b. v0.1.x puts factors first: `baddbmm(beta, a, b)`, `baddbmm(beta, alpha,
                a, b)`.
            beta: The factor of x.
            alpha: The factor of the products.

        Gradient:
            beta g for x, alpha g bᵀ for a and alpha aᵀ g for b, where g is the gradient of the result.
        """
        (beta, alpha), operands = numbers_first("baddbmm", arguments, (beta, alpha))
        return Baddbmm(alpha, beta)(self, *operands)[0]

    def inverse(self) -> Variable:
        """Return the inverse of a square matrix.

        Gradient:
            `-r.T @ g @ r.T`, where g is the gradient of the result r.
        """
        return Inverse()(self)[0]

    def gesv(self: Any, a: Variable) -> tuple[Variable, Variable]:
        """Return the solution X of the linear system a X = self, and the factors of `a` (0.2).

        Args:
            a: A matrix of shape (n, n). This Variable has shape (n, m).

        Gradient:
            h = `a.T⁻¹ @ g` for this Variable, `-h @ X.T` for `a`, where g is the gradient of X.
        """
        return Gesv()(self, a)[0], Variable(self.data.gesv(a.data)[1], requires_grad=False)

    def cross(self, other: Variable, dim: int | None = None) -> Variable:
        """Return the cross product along a dimension of size 3.

        Args:
            other: The right operand.
            dim: The dimension. Default: the first one of size 3.

        Gradient:
            `cross(other, g)` and `cross(g, x)`, along the same dimension, where g is the gradient of the result.
        """
        return Cross(dim)(self, other)[0]

    def __matmul__(self, other):
        return self.matmul(other) if isinstance(other, OPERANDS) else NotImplemented


attach(BlasMethods)
