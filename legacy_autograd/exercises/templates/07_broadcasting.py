"""Exercise 7; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 7. Broadcasting
#
# The first release knew no broadcasting; it came in 2017. A tensor of size (3,) plus one of size (2, 3) is computed as
# if the first had been repeated: as two rows of the same three numbers. The rules:
#
# - The sizes are compared from the right. What is missing on the left counts as 1.
# - Where one size is 1 and the other is not, the 1 is repeated.
#
# In backward that has a price. The gradient has the size of the *result*, but an operand needs one of its *own* size.
# An element that was repeated was used several times, and the gradients of all its uses are added: wherever forward
# repeated, backward sums.
#
# Write `sum_to_size(grad, size)`: the gradient `grad`, a Tensor of the size of the result, summed back to `size`, the
# size of an operand, a tuple. The answer has exactly that size. `grad` stays as it is.
#
# `grad.sum(dim)` sums along a dimension and keeps it, with length 1; `grad.sum(dim, keepdim=False)` takes it away.

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
# - If the sizes are the same, every element was used once.
# - Every loop over dimensions to be summed should find none here.
# - The answer is grad.

# %% tests: leading
# dimensions that were missing on the left (2 points)
# - An operand of size (3,) in a result of size (2, 3) was used for both rows.
# - Sum away the first dimension, as often as grad has more dimensions than the operand.
# - while grad.dim() > len(size): grad = grad.sum(0, keepdim=False)

# %% tests: ones
# dimensions of length 1 (2 points)
# - An operand of size (2, 1) in a result of size (2, 3): every number was used three times, in one row.
# - Where size has a 1 and grad has not, sum along that dimension, and keep it.
# - for dim, length in enumerate(size): if length == 1: grad = grad.sum(dim)

# %% tests: mixed
# both at once (2 points)
# - First get rid of what is missing on the left; then the dimensions of grad and of size correspond.
# - After that, dimension 0 of grad is dimension 0 of the operand, and so on.
# - (4, 2, 3) to (2, 1): sum away dimension 0, then sum along dimension 1 and keep it.

# %% [markdown]
# Two operations that need it. Their `forward` broadcasts already, and notes the sizes of the operands.


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
# - grad_output has the size of the result. Compute the gradient as if nothing had been repeated, then sum.
# - For a * b: first grad_output times the other operand, which broadcasts, then sum_to_size.
# - return sum_to_size(grad_output.mul(b), size_a), and the same with a and b exchanged
