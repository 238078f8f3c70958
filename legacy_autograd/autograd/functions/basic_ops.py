"""Arithmetic between Variables, and of a Variable with a constant (2016: `torch/autograd/functions/basic_ops.py`).

An operation with a constant takes it as an argument of its constructor.
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
    """The sum a + b.

    Gradient:
        g for both, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
    """

    @saves()
    def forward(self, a, b):
        if a.array.shape != b.array.shape:
            self.note_sizes(a, b)
        return a.add(b)

    def backward(self, grad_output):
        return (grad_output, grad_output) if self.sizes is None else self.fit(grad_output, grad_output)


class Sub(Broadcasting):
    """The difference a - b.

    Gradient:
        For a, g; for b, -g, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
    """

    @saves()
    def forward(self, a, b):
        if a.array.shape != b.array.shape:
            self.note_sizes(a, b)
        return a.sub(b)

    def backward(self, grad_output):
        grads = grad_output, grad_output.neg() if self.needs_input_grad[1] else None
        return grads if self.sizes is None else self.fit(*grads)


class Mul(Broadcasting):
    """The product a * b, element by element.

    Gradient:
        For a, g b; for b, g a, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
    """

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
    """The quotient a / b.

    Gradient:
        For a, g / b; for b, -g a / b², where g is the gradient of the output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
    """

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
    """The power a ** b.

    Where the formulas would multiply 0 by an infinity, the gradients are those of modern torch (in 2016 they were nan).

    Gradient:
        For a, g b a^(b-1), and 0 where b = 0; for b, g a^b ln a, and 0 where a = 0 and b >= 0; g is the gradient of the
        output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
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
    """The base of operations on a Variable and a number.

    Args:
        constant: The number.

    Raises:
        TypeError: If `constant` is a Tensor, which does not say whether it needs a gradient.
    """

    def __init__(self, constant):
        if isinstance(constant, Tensor):
            raise TypeError(
                f"{self._name}: got a {constant.type()} beside a Variable; make it a Variable too, with "
                "requires_grad=False if it is a constant. In a backward, use saved_tensors instead "
                "of a tensor stored on self: only saved_tensors can be differentiated again"
            )
        self.constant = constant


class AddConstant(ConstantFunction):
    """The sum x + constant.

    Gradient:
        g, the gradient of the output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
    """

    @saves()
    def forward(self, a):
        return a.add(self.constant)

    def backward(self, grad_output):
        return grad_output


class SubConstant(ConstantFunction):
    """The difference x - constant, or constant - x.

    Args:
        constant: The number.
        sub_tensor: Whether x is subtracted from the constant.

    Raises:
        TypeError: If `constant` is a Tensor.

    Gradient:
        g, or -g with `sub_tensor`, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
    """

    def __init__(self, constant, sub_tensor=False):
        super().__init__(constant)
        self.sub_tensor = sub_tensor

    @saves()
    def forward(self, a):
        return a.neg().add(self.constant) if self.sub_tensor else a.sub(self.constant)

    def backward(self, grad_output):
        return grad_output.neg() if self.sub_tensor else grad_output


class MulConstant(ConstantFunction):
    """The product x * constant.

    Gradient:
        g * constant, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
    """

    @saves()
    def forward(self, a):
        return a.mul(self.constant)

    def backward(self, grad_output):
        return grad_output.mul(self.constant)


class DivConstant(ConstantFunction):
    """The quotient x / constant, or constant / x.

    Args:
        constant: The number.
        div_by_tensor: Whether the constant is divided by x.

    Raises:
        TypeError: If `constant` is a Tensor.

    Gradient:
        g / constant, or -g constant / x² with `div_by_tensor`, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
    """

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
    """The power x ** constant, or constant ** x, which raised an error in 2016.

    Args:
        constant: The number.
        tensor_power: Whether x is the exponent.

    Raises:
        TypeError: If `constant` is a Tensor.

    Gradient:
        g constant x^(constant-1), and 0 for the constant 0, where g is the gradient of the output. With `tensor_power`:
        g constant^x ln constant; for the constant 0, it is 0 for x >= 0 and -inf elsewhere, as in Pow.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
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
            slope = a if constant == 2 else a.pow(constant - 1)  # a square, as in many losses, needs no power
            return grad_output.mul(slope).mul(constant)
        if constant == 0:
            return grad_output.mul(constant**a).mul(-math.inf).masked_fill(a.ge(0), 0)
        return grad_output.mul(constant**a).mul(math.log(constant) if constant > 0 else math.nan)


class Negate(Function):
    """The negative -x.

    Gradient:
        -g, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/basic_ops.py` (v0.1.1).
    """

    @saves()
    def forward(self, a):
        return a.neg()

    def backward(self, grad_output):
        return grad_output.neg()
