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

# %% tests: leading

# %% tests: ones

# %% tests: mixed

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
