"""Exercise 10; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 10. Double backward
#
# A gradient is a number that was computed, like any other. Why should it not be differentiated itself? Until August
# 2017 it could not: backward computed with bare Tensors, and what is computed with Tensors has no history.
#
# `torch.autograd.grad(y, [a, b], create_graph=True)` returns the gradients of y as Variables. How? It calls
# `backward` as always, but with a *Variable* as `grad_output`, and `self.saved_tensors` gives *Variables* back, those
# that forward was called with. Every operation that `backward` uses is then recorded by itself. So the formula stays
# the same, under three conditions:
#
# - what backward needs of forward is kept with `self.save_for_backward(…)`. A Tensor that is kept on `self`, as in
#   2016, has no history;
# - backward computes with the Variables it gets: no `.data`, no numpy. Then they are what they are, Tensors in a usual
#   backward and Variables in this one;
# - none of the operations writes in place.
#
# Write `Mul` and `Pow`, forward and backward. `Pow` has two operands, a and b, and computes a ** b for an a that is
# larger than 0. Both operands may require a gradient. The derivative of a ** b by b is a ** b · ln a.

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
# - The formula is that of exercise 1. What matters is where a and b come from in backward.
# - Keep them with self.save_for_backward(a, b), and take them back from self.saved_tensors.
# - a, b = self.saved_tensors, and grad_output * b and grad_output * a: no .data, no numpy, nothing in place.


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
# - The derivative of a ** 3 by a is 3 a ** 2. And by b, if a is held fast? a ** b is e ** (b ln a).
# - By a: grad_output * b * a ** (b - 1). By b: grad_output * a ** b * ln a.
# - a.log() is the logarithm, for a Tensor and for a Variable.

# %% [markdown]
# ## A hessian
#
# `function` takes a Variable of size (n,) and returns a Variable with one element. Write `hessian(function, x)`: the
# matrix of its second derivatives at x, a Tensor of size (n, n), where row i is the gradient of the i-th element of the
# gradient. `x` is a leaf. Its `grad` stays as it was.
#
# `torch.autograd.grad(outputs, inputs, grad_outputs=None, create_graph=False, allow_unused=False)` returns a tuple
# with the gradient of each of `inputs`. `outputs` and `inputs` are a Variable each, or lists of them.
#
# Where an element of the gradient does not depend on x, as for a linear function, its row is zeros. `grad` would refuse
# such an element, since it does not require a gradient. Ask `gradient.requires_grad` first. If some part of x is not
# used, that is no trouble, but if nothing of it is, `grad` needs `allow_unused=True`, and answers None.


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
# - First the gradient, with create_graph=True: a Variable of size (n,). Each element is a function of x.
# - Row i is torch.autograd.grad(gradient[i], x)[0].
# - Begin with torch.zeros(n, n). Fill rows only where gradient.requires_grad and grad does not answer None.
