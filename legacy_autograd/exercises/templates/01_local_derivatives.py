"""Exercise 1, 45 minutes: Local derivatives. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 1. Local derivatives
#
# In the autograd of 2016 one operation is one `Function`. Its `forward` computes the result. Its `backward` is given
# `grad_output`, the gradient of the final loss with respect to that result, and returns the gradient of the loss with
# respect to each operand. An operation needs to know only its own, *local* derivative. `grad_output` already holds
# everything between the operation and the loss. The chain rule multiplies the two.
#
# The `forward` of six operations is written below. Write their `backward`.
#
# - `grad_output` is a Tensor with the shape of the result. Return a Tensor with the shape of the operand, or, for
#   several operands, a tuple of Tensors in the order of the operands. A tuple of one Tensor is accepted, too, and None
#   for a constant operand.
# - `self.saved_tensors` is a tuple of the tensors that `forward` saved.
# - Tensors have `add`, `sub`, `mul`, `div`, `neg`, `sign` and so on, and `+ - * /`, all elementwise. Do not use methods
#   whose name ends in `_`. They write into the tensor, and other Functions may still read it.

# %% given
from legacy_autograd.autograd import Function

# %% [markdown]
# A complete example: the square of x. If x increases by a small amount, x² increases by 2x times that amount. So the
# local derivative is 2x, and the gradient of x is `grad_output` times 2x.


# %% given
class Square(Function):
    """x²."""

    def forward(self, x):
        self.save_for_backward(x)
        return x.mul(x)

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return grad_output.mul(x).mul(2)


# %% [markdown]
# To try an operation, call it, run backward with a gradient of your choice, and compare with a small step:
#
#     from legacy_autograd import DoubleTensor
#     from legacy_autograd.autograd import Variable
#
#     x = Variable(DoubleTensor([3]))
#     y = Square()(x)[0]  # a call returns a tuple
#     y.backward(DoubleTensor([10]))
#     print(x.grad)  # 60: the local derivative 2 * 3, times 10
#     print((3.001**2 - 3**2) / 0.001 * 10)  # 60.01: nearly the same, without calculus

# %% [markdown]
# Subtraction: its derivative needs no saved tensors.


# %% solution: sub
class Sub(Function):
    """a - b."""

    def forward(self, a, b):
        return a.sub(b)

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        return grad_output, grad_output.neg()
        ### END SOLUTION


# %% tests: sub
# a - b (1 point)
# - Increase a by a small amount: by how much does a - b change? And if b increases?
# - The derivatives are 1 and -1. backward returns each of them times grad_output.
# - return grad_output, grad_output.neg()


# %% solution: mul
class Mul(Function):
    """a * b."""

    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a.mul(b)

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        a, b = self.saved_tensors
        return grad_output.mul(b), grad_output.mul(a)
        ### END SOLUTION


# %% tests: mul
# a * b (1 point)
# - Keep b fixed and increase a by 1: a * b increases by b.
# - The derivative with respect to a is b, and with respect to b it is a. Multiply each by grad_output, elementwise.
# - The gradient of a is grad_output.mul(b). The gradient of b has the same form.


# %% solution: div
class Div(Function):
    """a / b."""

    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a.div(b)

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        a, b = self.saved_tensors
        return grad_output.div(b), grad_output.neg().mul(a).div(b).div(b)
        ### END SOLUTION


# %% tests: div
# a / b (2 points)
# - Write a / b as a * (1 / b). What is the derivative of 1 / b?
# - The derivative with respect to a is 1 / b, and with respect to b it is -a / b².
# - For b: grad_output.neg().mul(a).div(b).div(b)

# %% [markdown]
# Operations with one operand. Check which tensor `forward` saves: the operand or the result.


# %% solution: exp
class Exp(Function):
    """e ** x."""

    def forward(self, x):
        result = x.exp()
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        (result,) = self.saved_tensors
        return grad_output.mul(result)
        ### END SOLUTION


# %% tests: exp
# e ** x (1 point)
# - Which function is its own derivative?
# - forward has already computed e ** x and saved it.
# - (result,) = self.saved_tensors, and the gradient is grad_output.mul(result).


# %% solution: sigmoid
class Sigmoid(Function):
    """1 / (1 + e ** -x)."""

    def forward(self, x):
        result = x.sigmoid()
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        (result,) = self.saved_tensors
        return grad_output.mul(result).mul(1 - result)
        ### END SOLUTION


# %% tests: sigmoid
# 1 / (1 + e ** -x) (2 points)
# - Call the result s. Its derivative can be written with s alone, without x.
# - It is s (1 - s). forward saved s, so backward does not need x.
# - (s,) = self.saved_tensors; grad_output.mul(s).mul(1 - s)

# %% [markdown]
# |x| has a corner at 0, where every slope from -1 to 1 is a subgradient. Return 0 there, as PyTorch does.


# %% solution: abs
class Abs(Function):
    """|x|."""

    def forward(self, x):
        self.save_for_backward(x)
        return x.abs()

    def backward(self, grad_output):
        ### BEGIN SOLUTION
        (x,) = self.saved_tensors
        return grad_output.mul(x.sign())
        ### END SOLUTION


# %% tests: abs
# |x| (1 point)
# - The slope is -1 left of 0 and 1 right of 0. Use the value between the two at 0.
# - A Tensor has sign().
# - (x,) = self.saved_tensors; grad_output.mul(x.sign())
