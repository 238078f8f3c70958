"""v0.1.1's operations under its names: subclasses of the fixed ones with the differences (2016: `functions/`).

Every backward computes all gradients: v0.1.1's did not look at `needs_input_grad` (B1). Operands need equally many
elements, whatever their shapes, and a result has the shape of the first (E7). Nothing is checked.
"""

from ..autograd.functions import basic_ops, tensor
from ..autograd.functions import pointwise as pointwise_ops
from .engine import in_size_of, pointwise
from .function import HistoricalFunction


class OfTwo(HistoricalFunction):
    """An operation of two operands, which keeps both as they are."""

    def forward(self, a, b):
        self.save_for_backward(a, b)
        return pointwise(a, type(self).__name__.lower(), b)


class Add(OfTwo, basic_ops.Add):
    """a + b. Gradients: g, and g again, which is the same tensor (A1)."""

    def backward(self, grad_output):
        return grad_output, grad_output


class Sub(OfTwo, basic_ops.Sub):
    """a - b. Gradients: g, -g, always both, as of Mul."""

    def backward(self, grad_output):
        return grad_output, grad_output.neg()


class Mul(OfTwo, basic_ops.Mul):
    """a * b. Gradients: g b, g a, even if they are not needed (B1)."""

    def backward(self, grad_output):
        a, b = self.saved_tensors
        return pointwise(grad_output, "mul", b), pointwise(grad_output, "mul", a)


class Div(OfTwo, basic_ops.Div):
    """a / b. Gradients: g / b, -g a / b², always both."""

    def backward(self, grad_output):
        a, b = self.saved_tensors
        by_b = pointwise(pointwise(pointwise(grad_output.neg(), "mul", a), "div", b), "div", b)
        return pointwise(grad_output, "div", b), by_b


class Pow(OfTwo, basic_ops.Pow):
    """a ** b. Gradients: g b a^(b-1), g a^b ln a; nan for 0 times infinity (E2)."""

    def backward(self, grad_output):
        a, b = self.saved_tensors
        by_a = pointwise(pointwise(grad_output, "mul", b), "mul", pointwise(a, "pow", b - 1))
        by_b = pointwise(pointwise(grad_output, "mul", pointwise(a, "pow", b)), "mul", a.log())
        return by_a, by_b


class WithConstant(HistoricalFunction, basic_ops.ConstantFunction):
    """Accepts a Tensor as a constant (E9), since it replaces the checking constructor of the fixed classes."""

    def __init__(self, constant):
        HistoricalFunction.__init__(self)
        self.constant = constant

    def from_constant(self, name, a):
        """Return the operation `name` of a tensor filled with the constant, which must be a number, and `a`."""
        return getattr(a.new(*a.size()).fill_(self.constant), name)(a)


class AddConstant(basic_ops.AddConstant, WithConstant):
    """x + constant. Gradient: g itself."""

    def forward(self, a):
        return pointwise(a, "add", self.constant)


class SubConstant(basic_ops.SubConstant, WithConstant):
    """x - constant, or constant - x."""

    def forward(self, a):
        return self.from_constant("sub", a) if self.sub_tensor else pointwise(a, "sub", self.constant)


class MulConstant(basic_ops.MulConstant, WithConstant):
    """x * constant."""

    def forward(self, a):
        return pointwise(a, "mul", self.constant)

    def backward(self, grad_output):
        return pointwise(grad_output, "mul", self.constant)


class DivConstant(basic_ops.DivConstant, WithConstant):
    """x / constant, or constant / x."""

    def forward(self, a):
        self.save_for_backward(a)
        return self.from_constant("div", a) if self.div_by_tensor else pointwise(a, "div", self.constant)

    def backward(self, grad_output):
        if not self.div_by_tensor:
            return pointwise(grad_output, "div", self.constant)
        (a,) = self.saved_tensors
        return pointwise(pointwise(grad_output.neg().mul(self.constant), "div", a), "div", a)


class PowConstant(basic_ops.PowConstant, WithConstant):
    """x ** constant. For constant ** x, forward returns a name that is not defined, and never worked."""

    def forward(self, a):
        if self.tensor_power:
            _ = self.constant**a
            raise NameError("name 'result' is not defined")  # E1
        self.save_for_backward(a)
        return pointwise(a, "pow", self.constant)

    def backward(self, grad_output):
        (a,) = self.saved_tensors
        slope = pointwise(a, "pow", self.constant - 1)
        return pointwise(pointwise(grad_output, "mul", self.constant), "mul", slope)  # E2: 0 times infinity at x ** 0


class Negate(HistoricalFunction, basic_ops.Negate):
    """-x."""


class Index(HistoricalFunction, tensor.Index):
    """x[index], by v0.1.1's rules for a tuple of indices (E4, E5).

    A single number in the tuple keeps the dimension, one of several does not. A pair (a, b) inside the tuple means
    a to b-1, and (a,) a alone. A tensor indexed in all its dimensions is a Python number.
    """

    def __init__(self, *index):
        HistoricalFunction.__init__(self)
        self.index = index

    def forward(self, x):
        self.input_size = x.array.shape
        if len(self.index) > len(self.input_size):
            raise RuntimeError("Indexing too many dimensions")
        self.key = tuple([self._entry(index, size) for index, size in zip(self.index, self.input_size)])
        return x[self.key]

    def _entry(self, index, size):
        if isinstance(index, int):
            if not -size <= index < size:
                raise RuntimeError("out of range")
            return slice(index % size, index % size + 1) if len(self.index) == 1 else index
        if isinstance(index, tuple):
            if len(index) not in (1, 2) or not all([isinstance(number, int) for number in index]):
                raise RuntimeError("Expected one or two integers")
            first = index[0] + size if index[0] < 0 else index[0]
            end = first + 1 if len(index) == 1 else first + index[1] - index[0]
            if not 0 <= first < end <= size:
                raise RuntimeError("out of range")
            return slice(first, end)
        if not isinstance(index, slice):
            raise RuntimeError("Slicing with an unsupported type")
        first, end, step = index.indices(size)
        if step != 1:
            raise RuntimeError("Only step == 1 supported")
        if first >= end:
            raise RuntimeError("out of range")
        return index

    def backward(self, grad_output):
        grad_input = grad_output.new(*self.input_size).zero_()
        part = grad_input[self.key]
        part.copy_(in_size_of(part, grad_output))  # E5: a number has no copy_
        return grad_input


class Transpose(HistoricalFunction, tensor.Transpose):
    """x.transpose(dim1, dim2). Gradient: a view of g (A3), which needs two dimensions (E8)."""

    def __init__(self, *dims):
        HistoricalFunction.__init__(self)
        if len(dims) != 2:
            raise AssertionError
        self.dims = dims

    def backward(self, grad_output):
        if grad_output.dim() <= max(self.dims):
            raise RuntimeError("out of range")
        return super().backward(grad_output)


class View(HistoricalFunction, tensor.View):
    """x.view(*sizes). Gradient: a copy of g in the shape of x."""

    def __init__(self, *sizes):
        HistoricalFunction.__init__(self)
        self.sizes = sizes

    def backward(self, grad_output):
        return super().backward(grad_output.clone())


class Copy(HistoricalFunction, tensor.Copy):
    """x.type(dest_type), which is x itself if `dest_type` is the name of its type, and must not be its class."""

    def __init__(self, dest_type):
        HistoricalFunction.__init__(self)
        self.dest_type = dest_type

    def forward(self, x):
        if self.dest_type is type(x):
            raise AssertionError
        self.input_type = type(x)
        return x.type(self.dest_type)


class Exp(HistoricalFunction, pointwise_ops.Exp):
    """e ** x."""

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        return pointwise(result, "mul", grad_output)


class Log(HistoricalFunction, pointwise_ops.Log):
    """ln x."""

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return pointwise(grad_output, "div", x)


class Log1p(HistoricalFunction, pointwise_ops.Log1p):
    """ln (1 + x)."""

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return pointwise(grad_output, "div", x.add(1))


class AbsCriterion(HistoricalFunction):
    """The mean of |x - target|, like the criterions of v0.1.1's nn: backward ignores the incoming gradient (G2)."""

    def __init__(self, target, size_average=True):
        super().__init__()
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
