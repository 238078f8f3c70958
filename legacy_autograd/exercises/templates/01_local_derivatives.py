"""Exercise 1; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 1. Local derivatives
#
# In the autograd of 2016 one operation is one `Function`. Its `forward` computes the result. Its `backward` is given
# `grad_output`, the gradient of the final loss with respect to that result, and answers the gradient of the loss with
# respect to each operand. That is all that an operation has to know: its own, *local* derivative. Everything between
# it and the loss is in `grad_output` already, and the chain rule says what to do with it: multiply.
#
# The `forward` of six operations is written below. Write their `backward`.
#
# - `grad_output` is a Tensor of the size of the result. Answer a Tensor of the size of each operand: one of them, or
#   several as a tuple, in the order of the operands.
# - What `forward` saved, `self.saved_tensors` gives back, always as a tuple.
# - Tensors have `add`, `sub`, `mul`, `div`, `neg`, `sign` and so on, and `+ - * /`, all pointwise. Methods whose name
#   ends in `_` write into the tensor: not here, since others may still read it.

# %% given
from legacy_autograd.autograd import Function

# %% [markdown]
# A worked example, which is complete: the square of x. Raise x by a little, and x² rises by 2x times as much. So the
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
# To try an operation, call it, run backward with a gradient of your choice, and compare with what a small step gives:
#
#     from legacy_autograd import DoubleTensor
#     from legacy_autograd.autograd import Variable
#
#     x = Variable(DoubleTensor([3]))
#     y = Square()(x)[0]  # a call returns a tuple
#     y.backward(DoubleTensor([10]))
#     print(x.grad)  # 60: the local derivative 2 * 3, times 10
#     print((3.001**2 - 3**2) / 0.001 * 10)  # 60.01: nearly the same, without any calculus

# %% [markdown]
# Subtraction, as an example of a derivative that needs nothing saved.


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
# - Raise a by a little: by how much does a - b rise? And when b is raised?
# - The derivatives are 1 and -1. backward answers each times grad_output.
# - return grad_output, and beside it grad_output.neg()


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
# - Hold b fast and raise a by 1: a * b rises by b.
# - The derivative by a is b, and that by b is a. Each is multiplied by grad_output, pointwise.
# - The gradient of a is grad_output.mul(b); that of b is its mirror image.


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
# - The derivative by a is 1 / b, that by b is -a / b².
# - For b: grad_output.neg().mul(a).div(b).div(b)

# %% [markdown]
# Operations of one operand. Look at what `forward` saves: the operand, or the result.


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
# - forward has computed e ** x already, and saved it.
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
# - It is s (1 - s). forward saved s: nothing has to be computed from x again.
# - (s,) = self.saved_tensors; grad_output.mul(s).mul(1 - s)

# %% [markdown]
# |x| has a corner at 0, where every slope from -1 to 1 would do. Answer 0 there, as PyTorch does.


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
# - Left of 0 the slope is -1, right of it 1. At 0 there is none: take the value between the two.
# - A Tensor has sign().
# - (x,) = self.saved_tensors; grad_output.mul(x.sign())
