"""Arithmetic between Variables, and of a Variable with a constant (2016: `torch/autograd/functions/basic_ops.py`).

An operation on constants takes the constant as an argument of its constructor: it is a number, or a Tensor that no
gradient is wanted for. g stands for the gradient of the output.
"""

import math

from ...tensor import Tensor
from ..function import Function
from ._utils import Broadcasting, saves, zeros_like

__all__ = [
    "Add", "AddConstant", "ConstantFunction", "Div", "DivConstant", "Mul", "MulConstant", "Negate", "Pow",
    "PowConstant", "Sub", "SubConstant",
]  # fmt: skip


class Add(Broadcasting):
    """a + b. Gradients: g, g."""

    def forward(self, a, b):
        if a.array.shape != b.array.shape:
            self.note_sizes(a, b)
        return a.add(b)

    def backward(self, grad_output):
        return (grad_output, grad_output) if self.sizes is None else self.fit(grad_output, grad_output)


class Sub(Broadcasting):
    """a - b. Gradients: g, -g."""

    def forward(self, a, b):
        if a.array.shape != b.array.shape:
            self.note_sizes(a, b)
        return a.sub(b)

    def backward(self, grad_output):
        grads = grad_output, grad_output.neg() if self.needs_input_grad[1] else None
        return grads if self.sizes is None else self.fit(*grads)


class Mul(Broadcasting):
    """a * b. Gradients: g b, g a."""

    @saves(0, 1)
    def forward(self, a, b):
        if a.array.shape != b.array.shape:
            self.note_sizes(a, b)
        self.save_for_backward(a, b)
        return a.mul(b)

    def backward(self, grad_output):
        a, b = self.saved_tensors
        needs_a, needs_b = self.needs_input_grad
        grads = grad_output.mul(b) if needs_a else None, grad_output.mul(a) if needs_b else None
        return grads if self.sizes is None else self.fit(*grads)


class Div(Broadcasting):
    """a / b. Gradients: g / b, -g a / b²."""

    @saves(0, 1)
    def forward(self, a, b):
        if a.array.shape != b.array.shape:
            self.note_sizes(a, b)
        self.save_for_backward(a, b)
        return a.div(b)

    def backward(self, grad_output):
        a, b = self.saved_tensors
        needs_a, needs_b = self.needs_input_grad
        return self.fit(
            grad_output.div(b) if needs_a else None,
            grad_output.neg().mul(a).div(b).div(b) if needs_b else None,
        )


class Pow(Broadcasting):
    """a ** b. Gradients: g b a^(b-1), and g a^b ln a.

    Where the formulas would multiply 0 by an infinity, the values are those of modern torch: the first is 0 where
    b = 0, the second is 0 where a = 0 and b >= 0 (in 2016 both were nan).
    """

    @saves(0, 1)
    def forward(self, a, b):
        if a.array.shape != b.array.shape:
            self.note_sizes(a, b)
        self.save_for_backward(a, b)
        return a.pow(b)

    def backward(self, grad_output):
        a, b = self.saved_tensors
        needs_a, needs_b = self.needs_input_grad
        return self.fit(
            grad_output.mul(b).mul(a.pow(b.sub(1))).masked_fill(b.eq(0), 0) if needs_a else None,
            grad_output.mul(a.pow(b)).mul(a.log()).masked_fill(a.eq(0).mul(b.ge(0)), 0) if needs_b else None,
        )


class ConstantFunction(Function):
    """An operation on a Variable and a number. A Tensor is refused: whether a gradient is wanted for it is not said."""

    def __init__(self, constant):
        if isinstance(constant, Tensor):
            raise TypeError(
                f"{self._name}: got a {constant.type()} beside a Variable; make it a Variable too, with "
                "requires_grad=False if it is a constant. In a backward, use what save_for_backward kept, "
                "not a tensor kept on self: only the former can be differentiated again"
            )
        self.constant = constant


class AddConstant(ConstantFunction):
    """x + constant. Gradient: g."""

    def forward(self, a):
        return a.add(self.constant)

    def backward(self, grad_output):
        return grad_output


class SubConstant(ConstantFunction):
    """x - constant, or constant - x with `sub_tensor=True`. Gradient: g, or -g."""

    def __init__(self, constant, sub_tensor=False):
        super().__init__(constant)
        self.sub_tensor = sub_tensor

    def forward(self, a):
        return a.neg().add(self.constant) if self.sub_tensor else a.sub(self.constant)

    def backward(self, grad_output):
        return grad_output.neg() if self.sub_tensor else grad_output


class MulConstant(ConstantFunction):
    """x * constant. Gradient: g * constant."""

    def forward(self, a):
        return a.mul(self.constant)

    def backward(self, grad_output):
        return grad_output.mul(self.constant)


class DivConstant(ConstantFunction):
    """x / constant, or constant / x with `div_by_tensor=True`. Gradient: g / constant, or -g constant / x²."""

    def __init__(self, constant, div_by_tensor=False):
        super().__init__(constant)
        self.div_by_tensor = div_by_tensor

    def forward(self, a):
        if self.div_by_tensor:
            self.save_for_backward(a)
            return self.constant / a
        return a.div(self.constant)

    def backward(self, grad_output):
        if self.div_by_tensor:
            (a,) = self.saved_tensors
            return grad_output.neg().mul(self.constant).div(a).div(a)
        return grad_output.div(self.constant)


class PowConstant(ConstantFunction):
    """x ** constant, or constant ** x with `tensor_power=True` (which raised NameError in 2016).

    Gradient: g constant x^(constant-1), 0 where the constant is 0; or g constant^x ln constant, where the constant is 0
    as that of Pow: 0 for x >= 0, else -inf.
    """

    def __init__(self, constant, tensor_power=False):
        super().__init__(constant)
        self.tensor_power = tensor_power

    @saves(0)
    def forward(self, a):
        self.save_for_backward(a)
        return self.constant**a if self.tensor_power else a.pow(self.constant)

    def backward(self, grad_output):
        (a,) = self.saved_tensors
        constant = self.constant
        if not self.tensor_power:
            if constant == 0:
                return zeros_like(grad_output)
            slope = a if constant == 2 else a.pow(constant - 1)  # squares are what losses are made of
            return grad_output.mul(slope).mul(constant)
        if constant == 0:
            return grad_output.mul(constant**a).mul(-math.inf).masked_fill(a.ge(0), 0)
        return grad_output.mul(constant**a).mul(math.log(constant) if constant > 0 else math.nan)


class Negate(Function):
    """-x. Gradient: -g."""

    def forward(self, a):
        return a.neg()

    def backward(self, grad_output):
        return grad_output.neg()
