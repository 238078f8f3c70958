"""Exercise 7, 50 minutes: Broadcasting: summing a gradient back. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 7. Broadcasting
#
# The first release had no broadcasting; it came in 2017. A tensor of shape (3,) plus a tensor of shape (2, 3) is
# computed as if the first were repeated: as two rows of the same three numbers. The rules:
#
# - Shapes are compared from the right. Dimensions that are missing on the left count as 1.
# - Where one length is 1 and the other is not, the dimension of length 1 is repeated. Here no length is 0.
#
# Backward has to undo this. The gradient has the shape of the *result*, but an operand needs a gradient of its *own*
# shape. A repeated element was used several times, and the gradients of all its uses are added: where forward repeats,
# backward sums.
#
# Write `sum_to_size(grad, size)`. `grad` is a Tensor of floating-point numbers with the shape of the result, and `size`
# is a tuple, the shape of an operand. Return the gradient summed to that shape. Do not change `grad`.
#
# `grad.sum(dim)` sums along a dimension and keeps it with length 1; `grad.sum(dim, keepdim=False)` removes it.

# %% given
from legacy_autograd.autograd import Function


# %% solution: sum_to_size
def sum_to_size(grad, size):
    ### BEGIN SOLUTION
    while grad.dim() > len(size):
        grad = grad.sum(0, keepdim=False)
    for dim, length in enumerate(size):
        if length == 1 and grad.size(dim) != 1:
            grad = grad.sum(dim)
    return grad
    ### END SOLUTION


# %% tests: same
# nothing was repeated (1 point)
# - If the shapes are equal, each element was used once.
# - No dimension has to be summed.
# - The result is grad.

# %% tests: leading
# dimensions that were missing on the left (2 points)
# - An operand of shape (3,) in a result of shape (2, 3) was used for both rows.
# - Sum over the first dimension as long as grad has more dimensions than the operand.
# - while grad.dim() > len(size): grad = grad.sum(0, keepdim=False)

# %% tests: ones
# dimensions of length 1 (2 points)
# - An operand of shape (2, 1) in a result of shape (2, 3): each number was used three times, in one row.
# - Where size has a 1 and grad does not, sum along that dimension and keep it.
# - for dim, length in enumerate(size): if length == 1: grad = grad.sum(dim)

# %% tests: mixed
# both at once (2 points)
# - First sum over the dimensions that the operand does not have. Then the dimensions of grad and of size correspond.
# - After that, dimension 0 of grad is dimension 0 of the operand, and so on.
# - (4, 2, 3) to (2, 1): sum over dimension 0 and remove it, then sum along dimension 1 and keep it.

# %% [markdown]
# Two operations that need it. Their `forward` broadcasts and stores the shapes of the operands.


# %% solution: add
class Add(Function):
    """a + b."""

    def forward(self, a, b):
        self.sizes = a.size(), b.size()
        return a.add(b)

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        size_a, size_b = self.sizes
        return sum_to_size(grad_output, size_a), sum_to_size(grad_output, size_b)
        ### END SOLUTION


# %% solution: mul
class Mul(Function):
    """a * b."""

    def forward(self, a, b):
        self.sizes = a.size(), b.size()
        self.save_for_backward(a, b)
        return a.mul(b)

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        a, b = self.saved_tensors
        size_a, size_b = self.sizes
        return sum_to_size(grad_output.mul(b), size_a), sum_to_size(grad_output.mul(a), size_b)
        ### END SOLUTION


# %% tests: functions
# a + b and a * b of different sizes (3 points)
# - grad_output has the shape of the result. Compute the gradient without regard to repeated elements, then sum.
# - For a * b: first multiply grad_output by the other operand, which broadcasts, then call sum_to_size.
# - return sum_to_size(grad_output.mul(b), size_a), and the same with a and b exchanged
