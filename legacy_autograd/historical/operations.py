"""v0.1.1's operations under its names: subclasses of the fixed ones with the differences (2016: `functions/`).

Operations without a defect of their own still inherit from HistoricalFunction, so nothing is checked.
"""

from ..autograd.functions import basic_ops, pointwise, tensor
from .engine import in_size_of
from .function import HistoricalFunction


class PointByPoint(HistoricalFunction):
    """Operands need equally many elements, whatever their shapes; both gradients have the first one's shape (E7)."""

    def forward(self, a, b):
        return super().forward(a, in_size_of(a, b))


class Add(PointByPoint, basic_ops.Add):
    """a + b. Gradients: g, and g again, which is the same tensor (A1)."""


class Sub(PointByPoint, basic_ops.Sub):
    """a - b. Gradients: g, -g."""


class Mul(PointByPoint, basic_ops.Mul):
    """a * b. Gradients: g b, g a, even if they are not needed (B1)."""

    def backward(self, grad_output):
        a, b = self.saved_tensors
        return grad_output.mul(b), grad_output.mul(a)


class Div(PointByPoint, basic_ops.Div):
    """a / b. Gradients: g / b, -g a / b², always both."""

    def backward(self, grad_output):
        a, b = self.saved_tensors
        return grad_output.div(b), grad_output.neg().mul(a).div(b).div(b)


class Pow(PointByPoint, basic_ops.Pow):
    """a ** b. Gradients: g b a^(b-1), g a^b ln a; nan for 0 times infinity (E2)."""

    def backward(self, grad_output):
        a, b = self.saved_tensors
        return grad_output.mul(b).mul(a.pow(b.sub(1))), grad_output.mul(a.pow(b)).mul(a.log())


class WithConstant(HistoricalFunction, basic_ops.ConstantFunction):
    """Accepts a Tensor as a constant (E9), since it replaces the checking constructor of the fixed classes."""

    def __init__(self, constant):
        self.constant = constant


class AddConstant(basic_ops.AddConstant, WithConstant):
    """x + constant. Gradient: g itself."""


class SubConstant(basic_ops.SubConstant, WithConstant):
    """x - constant, or constant - x."""


class MulConstant(basic_ops.MulConstant, WithConstant):
    """x * constant."""


class DivConstant(basic_ops.DivConstant, WithConstant):
    """x / constant, or constant / x."""


class PowConstant(basic_ops.PowConstant, WithConstant):
    """x ** constant. For constant ** x, forward returns a name that is not defined, and never worked."""

    def forward(self, a):
        if self.tensor_power:
            raise NameError("name 'result' is not defined")  # E1
        return super().forward(a)

    def backward(self, grad_output):
        (a,) = self.saved_tensors
        return grad_output.mul(self.constant).mul(a.pow(self.constant - 1))  # E2: 0 times infinity at x ** 0


class Negate(HistoricalFunction, basic_ops.Negate):
    """-x."""


class Index(HistoricalFunction, tensor.Index):
    """x[index], by v0.1.1's rules for a tuple of indices (E4, E5).

    A single number in the tuple keeps the dimension, one of several does not. A pair (a, b) inside the tuple means
    a to b-1. A tensor indexed in all its dimensions is a Python number.
    """

    def __init__(self, *index):
        self.index = index

    def forward(self, x):
        self.input_size = x.array.shape
        self.key = tuple([self._entry(index, size) for index, size in zip(self.index, self.input_size)])
        return x[self.key]

    def _entry(self, index, size):
        if isinstance(index, tuple):
            return slice(*index)
        if isinstance(index, int):
            if not -size <= index < size:
                raise RuntimeError("out of range")
            if len(self.index) == 1:
                return slice(index % size, index % size + 1)
        return index


class Transpose(HistoricalFunction, tensor.Transpose):
    """x.transpose(dim1, dim2). Gradient: a view of g (A3), which needs two dimensions (E8)."""

    def backward(self, grad_output):
        if grad_output.dim() <= max(self.dims):
            raise RuntimeError("out of range")
        return super().backward(grad_output)


class View(HistoricalFunction, tensor.View):
    """x.view(*sizes)."""


class Copy(HistoricalFunction, tensor.Copy):
    """x.type(dest_type)."""


class Exp(HistoricalFunction, pointwise.Exp):
    """e ** x."""


class Log(HistoricalFunction, pointwise.Log):
    """ln x."""


class Log1p(HistoricalFunction, pointwise.Log1p):
    """ln (1 + x)."""


class AbsCriterion(HistoricalFunction):
    """The mean of |x - target|, like the criterions of v0.1.1's nn: backward ignores the incoming gradient (G2)."""

    def __init__(self, target, size_average=True):
        self.target = target
        self.size_average = size_average

    def forward(self, x):
        self.save_for_backward(x)
        total = (x - self.target).abs().sum()
        return x.new([total / x.numel() if self.size_average else total])

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        sign = (x - self.target).sign()
        sign[sign == 0] = 1
        return sign / x.numel() if self.size_average else sign
