"""Exercise 10, 60 minutes: Double backward, and a hessian. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 10. Double backward
#
# A gradient is the result of a computation, so it can be differentiated as well. Before August 2017 this was not
# possible: backward computed with Tensors, and operations on Tensors record no graph.
#
# `torch.autograd.grad(y, [a, b], create_graph=True)` returns the gradients of y as Variables. It calls `backward` with
# a *Variable* as `grad_output`, and `self.saved_tensors` returns *Variables*, the ones that forward was called with.
# Each operation in `backward` is then recorded. So the formula stays the same, under three conditions:
#
# - forward saves its tensors with `self.save_for_backward(…)`. A Tensor stored as an attribute, as in v0.1.1, has no
#   graph;
# - backward uses its arguments directly: no `.data`, no numpy. They are Tensors in an ordinary backward and Variables
#   in this one;
# - no operation works in place, except on a tensor that `backward` itself has just made.
#
# Write forward and backward of `Mul` and `Pow`. `Pow` has two operands, a and b, and computes a ** b for a > 0. Both
# operands may require a gradient. The derivative of a ** b with respect to b is a ** b · ln a.

# %% given
import legacy_autograd as torch
from legacy_autograd.autograd import Function


# %% solution: mul
class Mul(Function):
    """a * b."""

    def forward(self, a, b):
        ### BEGIN SOLUTION
        self.save_for_backward(a, b)
        return a * b
        ### END SOLUTION

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        a, b = self.saved_tensors
        return grad_output * b, grad_output * a
        ### END SOLUTION


# %% tests: mul
# a * b, twice differentiable (3 points)
# - The formula is the one of exercise 1. The important part is where backward gets a and b from.
# - Save them with self.save_for_backward(a, b), and read them from self.saved_tensors.
# - a, b = self.saved_tensors, then grad_output * b and grad_output * a: no .data, no numpy, no operation in place.


# %% solution: pow
class Pow(Function):
    """a ** b."""

    def forward(self, a, b):
        ### BEGIN SOLUTION
        self.save_for_backward(a, b)
        return a**b
        ### END SOLUTION

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        a, b = self.saved_tensors
        return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()
        ### END SOLUTION


# %% tests: pow
# a ** b, twice differentiable (4 points)
# - The derivative of a ** 3 with respect to a is 3 a ** 2. For b, keep a fixed and write a ** b as e ** (b ln a).
# - For a: grad_output * b * a ** (b - 1). For b: grad_output * a ** b * ln a.
# - a.log() is the natural logarithm, for a Tensor and for a Variable.

# %% [markdown]
# ## A hessian
#
# `function` takes a Variable of shape (n,), where n is at least 1, and returns a Variable with one element. Write
# `hessian(function, x)`. It returns the matrix of the second derivatives at x, a Tensor of shape (n, n). Row i is the
# gradient of element i of the gradient. `x` is a leaf, with a DoubleTensor. Do not change its `grad`.
#
# `torch.autograd.grad(outputs, inputs, *, create_graph=False, allow_unused=False)` returns a tuple with the gradient of
# each of `inputs`. `outputs` and `inputs` are each a Variable or a list of Variables.
#
# If an element of the gradient does not depend on x, as for a linear function, its row is zeros. `grad` raises an error
# for such an element, because it does not require a gradient. Check `gradient.requires_grad` first. If the element does
# not use x at all, pass `allow_unused=True`; then `grad` returns None.


# %% solution: hessian
def hessian(function, x):
    ### BEGIN SOLUTION
    length = x.size(0)
    rows = torch.zeros(length, length)
    (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)
    if gradient.requires_grad:
        for i in range(length):
            (row,) = torch.autograd.grad(gradient[i], x, allow_unused=True)
            if row is not None:
                rows[i].copy_(row)
    return rows
    ### END SOLUTION


# %% tests: hessian
# the matrix of second derivatives (4 points)
# - First compute the gradient with create_graph=True: a Variable of shape (n,). Each element is a function of x.
# - Row i is torch.autograd.grad(gradient[i], x)[0].
# - Start with torch.zeros(n, n). Fill a row only if gradient.requires_grad and grad does not return None.
