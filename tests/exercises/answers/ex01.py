"""Exercise 1: local derivatives."""

from . import write, wrong

RIGHT = {
    "operators": [
        write("sub", "return grad_output, -grad_output"),
        write("mul", "a, b = self.saved_tensors\nreturn b * grad_output, a * grad_output"),
        write("div", "a, b = self.saved_tensors\nreturn grad_output / b, -grad_output * a / (b * b)"),
        write("exp", "return self.saved_tensors[0] * grad_output"),
        write("sigmoid", "s = self.saved_tensors[0]\nreturn (s - s * s) * grad_output"),
        write("abs", "(x,) = self.saved_tensors\nreturn grad_output * x / (abs(x) + (x == 0).type_as(x))"),
    ],
    "kept on self, as in 2016": [
        write("sub", "grads = [grad_output.clone(), grad_output.clone().neg_()]\nreturn tuple(grads)"),
        ("self.save_for_backward(a, b)\n        return a.mul(b)", "self.a, self.b = a, b\n        return a * b"),
        write("mul", "return grad_output * self.b, grad_output * self.a"),
        ("return x.abs()", "self.right, self.left = x.gt(0).double(), x.lt(0).double()\n        return x.abs()"),
        write("abs", "return grad_output * (self.right - self.left)"),
    ],
}

WRONG = {
    "b of Sub without its minus": wrong("sub", "b is subtracted", write("sub", "return grad_output, grad_output")),
    "Sub negates in place": wrong("sub", "a is not subtracted", write("sub", "return grad_output, grad_output.neg_()")),
    "hard-coded for the example": wrong(
        "sub",
        "of the visible example, written down",
        write("sub", "return grad_output.new([2.0]), grad_output.new([-2.0])"),
    ),
    "Mul without the chain rule": wrong(
        "mul", "multiply by grad_output", write("mul", "a, b = self.saved_tensors\nreturn b, a")
    ),
    "Mul exchanges its operands": wrong(
        "mul",
        "the gradient of a holds b",
        write("mul", "a, b = self.saved_tensors\nreturn grad_output.mul(a), grad_output.mul(b)"),
    ),
    "Mul answers one gradient": wrong(
        "mul", "one gradient for each operand", write("mul", "a, b = self.saved_tensors\nreturn grad_output.mul(b)")
    ),
    "Div without its minus": wrong(
        "div", "the gradient of b has a minus", (".neg().mul(a).div(b).div(b)", ".mul(a).div(b).div(b)")
    ),
    "Div without the square": wrong("div", "here b stands once", (".mul(a).div(b).div(b)", ".mul(a).div(b)")),
    "Div forgets a": wrong("div", "has the factor a", (".mul(a).div(b).div(b)", ".div(b).div(b)")),
    "Exp of the result": wrong(
        "exp", "exp of it once more", write("exp", "return grad_output * self.saved_tensors[0].exp()")
    ),
    "Exp changes its gradient": wrong(
        "exp", "the one without", write("exp", "return grad_output.mul_(self.saved_tensors[0])")
    ),
    "Sigmoid is s": wrong(
        "sigmoid", "this is s alone", write("sigmoid", "return grad_output.mul(self.saved_tensors[0])")
    ),
    "Sigmoid of the operand": wrong(
        "sigmoid",
        "inf / inf is nan",
        ("result = x.sigmoid()", "self.x = x\n        result = x.sigmoid()"),
        write("sigmoid", "e = (-self.x).exp()\nreturn grad_output * e / ((1 + e) * (1 + e))"),
    ),
    "Abs with a slope at 0": wrong(
        "abs",
        "this is the slope right of it",
        write("abs", "(x,) = self.saved_tensors\nreturn grad_output.mul(x.ge(0).double() * 2 - 1)"),
    ),
    "Abs divides by 0": wrong(
        "abs", "0 / 0", write("abs", "(x,) = self.saved_tensors\nreturn grad_output.mul(x).div(x.abs())")
    ),
    "the package's own": wrong(
        "sub mul",
        "is not lent",
        ("import Function", "import Function\nfrom legacy_autograd.autograd import functions"),
        ('class Sub(Function):\n    """a - b."""\n', "Sub = functions.Sub\n\n\nclass _Unused(Function):"),
        ('class Mul(Function):\n    """a * b."""\n', "class Mul(functions.Mul):"),
    ),
}
