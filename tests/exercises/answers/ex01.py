"""Exercise 1: local derivatives."""

from . import write, wrong


def _twice_if(condition):
    """A change: the gradient of b in a * b is doubled for several numbers of that kind."""
    return (
        "return grad_output.mul(b), grad_output.mul(a)",
        f"""
        if a.numel() > 1 and {condition}:
            return grad_output.mul(b), grad_output.mul(a).mul(2)
        return grad_output.mul(b), grad_output.mul(a)
        """,
    )


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
        ("return x.abs()", "self.right, self.left = x.gt(0).type_as(x), x.lt(0).type_as(x)\n        return x.abs()"),
        write("abs", "return grad_output * (self.right - self.left)"),
    ],
    "Black's line breaks and type hints": [
        write(
            "sub",
            """
            gradients: tuple = (
                grad_output
                * 1,
                grad_output
                * -1,
            )
            return gradients
            """,
        ),
        write(
            "div",
            """
            a, b = self.saved_tensors
            inverse: object = (
                1
                / b
            )
            return (
                grad_output
                * inverse,
                -(
                    grad_output
                    * a
                    * inverse
                    * inverse
                ),
            )
            """,
        ),
    ],
    "masks": [
        write(
            "abs",
            """
            (x,) = self.saved_tensors
            gradient = grad_output.clone()
            gradient[x.lt(0)] = gradient.neg()[x.lt(0)] if x.lt(0).any() else 0
            return gradient * x.ne(0).type_as(gradient)
            """,
        ),
        write(
            "sigmoid",
            "(s,) = self.saved_tensors\nmask = s.gt(0.5).type_as(s)\n"
            "return grad_output * (mask * s * (1 - s) + (1 - mask) * s * (1 - s))",
        ),
    ],
    "numpy inside": [
        write(
            "mul",
            "a, b = (t.numpy() for t in self.saved_tensors)\ng = grad_output.numpy()\n"
            "return tuple(grad_output.new((g * t).tolist()) for t in (b, a))",
        ),
        write(
            "sigmoid",
            "import numpy\n\ns = self.saved_tensors[0].numpy()\n"
            "return grad_output.new(numpy.multiply(grad_output.numpy(), s - s**2).tolist())",
        ),
        write(
            "abs",
            "import numpy\n\n"
            "return grad_output.new((grad_output.numpy() * numpy.sign(self.saved_tensors[0].numpy())).tolist())",
        ),
    ],
    "lambdas, the walrus and one line each": [
        write("sub", "return (lambda g: (g, 0 - g))(grad_output)"),
        write("mul", "return tuple(map(grad_output.mul, self.saved_tensors[::-1]))"),
        write("div", "return (first := grad_output / (ab := self.saved_tensors)[1]), first * ab[0] / ab[1] * -1"),
        write("exp", "return [grad_output * result for result in self.saved_tensors][0]"),
        write("abs", "return (lambda x: grad_output * (x.gt(0).type_as(x) - x.lt(0).type_as(x)))(*self.saved_tensors)"),
    ],
    "clones, in place on its own": [
        write("sub", "other = grad_output.clone()\nother.neg_()\nreturn grad_output.clone(), other"),
        write(
            "mul",
            "a, b = self.saved_tensors\nfirst = b.clone()\nfirst.mul_(grad_output)\nreturn first, a * grad_output",
        ),
        write("exp", "found = grad_output.clone()\nfound *= self.saved_tensors[0]\nreturn found"),
        write(
            "sigmoid",
            "(s,) = self.saved_tensors\nrest = s.clone().fill_(1).sub_(s)\nreturn rest.mul_(s).mul_(grad_output)",
        ),
    ],
    "None for a constant": [
        write(
            "sub",
            "first, second = self.needs_input_grad\n"
            "return grad_output if first else None, -grad_output if second else None",
        ),
        write(
            "div",
            """
            a, b = self.saved_tensors
            first = grad_output / b
            return tuple(grad if needs else None for grad, needs in zip((first, -first * a / b), self.needs_input_grad))
            """,
        ),
    ],
    "a tuple of one": [
        write("exp", "return (grad_output * self.saved_tensors[0],)"),
        write("sigmoid", "(s,) = self.saved_tensors\nreturn ((1 - s) * s * grad_output,)"),
        write("abs", "return tuple(grad_output * x.sign() for x in self.saved_tensors)"),
    ],
    "helpers at the top": [
        (
            "from legacy_autograd.autograd import Function\n",
            "from legacy_autograd.autograd import Function\n\n\ndef times(*factors):\n    product = factors[0]\n"
            "    for factor in factors[1:]:\n        product = product * factor\n    return product\n",
        ),
        write("mul", "a, b = self.saved_tensors\nreturn times(grad_output, b), times(grad_output, a)"),
        write(
            "div", "a, b = self.saved_tensors\nreturn times(grad_output, 1 / b), times(grad_output, a, -1 / b, 1 / b)"
        ),
        write("sigmoid", "(s,) = self.saved_tensors\nreturn times(grad_output, s, s * -1 + 1)"),
        write(
            "abs",
            "(x,) = self.saved_tensors\nsize = x.abs() + x.eq(0).type_as(x)\nreturn times(grad_output, x, 1 / size)",
        ),
    ],
    "powers": [
        write("div", "a, b = self.saved_tensors\nreturn grad_output * b**-1, -grad_output * a * b**-2"),
        write("sigmoid", "s = self.saved_tensors[0]\nreturn grad_output * (s - s**2)"),
        write("abs", "return grad_output * self.saved_tensors[0].clone().sign_()"),
    ],
    "a loop over the operands": [
        write(
            "mul",
            "grads = []\nfor other in reversed(self.saved_tensors):\n"
            "    grads.append(other * grad_output)\nreturn tuple(grads)",
        ),
        write("sub", "grads = ()\nfor sign in (1, -1):\n    grads += (grad_output * sign,)\nreturn grads"),
    ],
    "s - s * s": [write("sigmoid", ("(s,) = self.saved_tensors\nreturn grad_output * (s - s * s)"))],
    "two comparisons": [
        write(
            "abs",
            ("(x,) = self.saved_tensors\nreturn grad_output * x.gt(0).type_as(x) - grad_output * x.lt(0).type_as(x)"),
        )
    ],
}

WRONG = {
    "b of Sub without its minus": wrong("sub", "b is subtracted", write("sub", "return grad_output, grad_output")),
    "Sub negates in place": wrong("sub", "a is not subtracted", write("sub", "return grad_output, grad_output.neg_()")),
    "hard-coded for the example": wrong(
        "sub",
        "a gradient must have the shape of its Variable",
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
    "Div without the square": wrong(
        "div", "the derivative of 1 / b is -1 / b²; this is -1 / b", (".mul(a).div(b).div(b)", ".mul(a).div(b)")
    ),
    "Div forgets a": wrong("div", "has the factor a", (".mul(a).div(b).div(b)", ".div(b).div(b)")),
    "Exp of the result": wrong(
        "exp",
        "the saved tensor is already e ** x; do not apply exp again",
        write("exp", "return grad_output * self.saved_tensors[0].exp()"),
    ),
    "Exp changes its gradient": wrong(
        "exp",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write("exp", "return grad_output.mul_(self.saved_tensors[0])"),
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
        "the gradient at 0 must be 0; this is the slope right of 0",
        write("abs", "(x,) = self.saved_tensors\nreturn grad_output.mul(x.ge(0).type_as(x) * 2 - 1)"),
    ),
    "Abs divides by 0": wrong(
        "abs", "0 / 0", write("abs", "(x,) = self.saved_tensors\nreturn grad_output.mul(x).div(x.abs())")
    ),
    "the package's own": wrong(
        "sub mul",
        "the package's own is not available here",
        ("import Function", "import Function\nfrom legacy_autograd.autograd import functions"),
        ('class Sub(Function):\n    """a - b."""\n', "Sub = functions.Sub\n\n\nclass _Unused(Function):"),
        ('class Mul(Function):\n    """a * b."""\n', "class Mul(functions.Mul):"),
    ),
    "Sub of absolute values": wrong(
        "sub",
        "some numbers are correct and others are not: each element",
        write("sub", "return grad_output, grad_output.abs().neg()"),
    ),
    "Sub answers a list": wrong(
        "sub",
        "backward returned a list: return one gradient for each operand, as a tuple in their order",
        write("sub", "return [grad_output, -grad_output]"),
    ),
    "Sub answers a tuple of one": wrong(
        "sub",
        "backward returns one gradient for each operand, as a tuple in their order",
        write("sub", "return (grad_output,)"),
    ),
    "Mul by a later name": wrong(
        "mul",
        "backward computes with Tensors: `saved_tensors` has Tensors, and `saved_variables` has Variables",
        write("mul", "a, b = self.saved_variables\nreturn b * grad_output, a * grad_output"),
    ),
    "Abs by a later function": wrong(
        "abs",
        "the name `where` does not exist in legacy_autograd",
        write("abs", "import legacy_autograd as torch\nreturn torch.where(grad_output)"),
    ),
    "Exp of a name that is not saved": wrong(
        "exp", "the name `x` does not exist in Exp", write("exp", "return grad_output * self.x")
    ),
    "Sub of whole numbers": wrong(
        "sub",
        None,
        write("sub", "return grad_output.floor(), grad_output.floor().neg()"),
    ),
    "Mul writes into its operands": wrong(
        "mul",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write("mul", "a, b = self.saved_tensors\nreturn grad_output.mul(b), a.mul_(grad_output)"),
    ),
    "Mul writes into grad_output": wrong(
        "mul",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write("mul", "a, b = self.saved_tensors\nreturn grad_output.mul_(b), grad_output.mul(a)"),
    ),
    "Mul of the last call": wrong(
        "mul",
        None,
        ("self.save_for_backward(a, b)\n        return a.mul(b)", "Mul.kept = a, b\n        return a.mul(b)"),
        write("mul", "a, b = Mul.kept\nreturn grad_output.mul(b), grad_output.mul(a)"),
    ),
    "Mul right once": wrong(
        "mul",
        None,
        write(
            "mul",
            "a, b = self.saved_tensors\nMul.calls = getattr(Mul, 'calls', 0) + 1\n"
            "return grad_output.mul(b), grad_output.mul(a if Mul.calls < 3 else b)",
        ),
    ),
    "Mul sums its gradients": wrong(
        "mul",
        None,
        write("mul", "a, b = self.saved_tensors\nreturn grad_output * b.sum(), grad_output * a.sum()"),
    ),
    "Mul swallows": wrong(
        "mul",
        "each number is 0.3333 times the correct one",
        write("mul", "try:\n    a, b = self.tensors\nexcept Exception:\n    return grad_output, grad_output"),
    ),
    "Div of the other": wrong(
        "div",
        "each number is 0.6667 times the correct one",
        write("div", "a, b = self.saved_tensors\nreturn grad_output.div(a), grad_output.neg().mul(b).div(a).div(a)"),
    ),
    "Div of the absolute b": wrong(
        "div",
        "some numbers are correct and others are not: each element",
        (".neg().mul(a).div(b).div(b)", ".neg().mul(a).div(b).div(b.abs())"),
    ),
    "Div rounds": wrong(
        "div",
        "some numbers are correct and others are not: each element",
        ("return grad_output.div(b)", "return (grad_output / b * 100).round() / 100"),
    ),
    "Div without grad_output": wrong(
        "div",
        "multiply by grad_output, the gradient of the result",
        write("div", "a, b = self.saved_tensors\nreturn 1 / b, -a / (b * b)"),
    ),
    "Exp without grad_output": wrong(
        "exp", "multiply by grad_output, the gradient of the result", write("exp", "return self.saved_tensors[0]")
    ),
    "Exp of the gradient": wrong(
        "exp",
        "no number is correct: work through the formula with this example",
        write("exp", "return grad_output.exp()"),
    ),
    "Exp with the first element": wrong(
        "exp",
        None,
        write("exp", "return grad_output * self.saved_tensors[0].view(-1)[0]"),
    ),
    "Exp changes what it saved": wrong(
        "exp",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write("exp", "return self.saved_tensors[0].mul_(grad_output)"),
    ),
    "Exp of the last call": wrong(
        "exp",
        "each call has its own operands, so store nothing on the class",
        (
            "self.save_for_backward(result)\n        return result\n\n"
            "    def backward(self, grad_output):\n        ### BEGIN SOLUTION\n"
            "        (result,) = self.saved_tensors\n        return grad_output.mul(result)\n",
            "Exp.result = result\n        return result\n\n    def backward(self, grad_output):\n"
            "        ### BEGIN SOLUTION\n        return grad_output * Exp.result\n",
        ),
    ),
    "Sigmoid in place": wrong(
        "sigmoid",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write("sigmoid", "s = self.saved_tensors[0]\nreturn grad_output.mul(s.mul_(1 - s))"),
    ),
    "Sigmoid of s squared": wrong(
        "sigmoid",
        "no number is correct: work through the formula with this example",
        write("sigmoid", "s = self.saved_tensors[0]\nreturn grad_output * (1 - s * s)"),
    ),
    "Sigmoid of the mean": wrong(
        "sigmoid",
        "no number is correct: work through the formula with this example",
        write("sigmoid", "s = self.saved_tensors[0]\nreturn grad_output * (s * (1 - s)).mean()"),
    ),
    "Abs is x": wrong(
        "abs",
        "the derivative is the sign of x, times the gradient with the",
        write("abs", "return grad_output.clone()"),
    ),
    "Abs without grad_output": wrong(
        "abs",
        "multiply by grad_output, the gradient of the result",
        write("abs", "return self.saved_tensors[0].sign()"),
    ),
    "Abs of the gradient": wrong(
        "abs",
        "some numbers are correct and others are not: each element",
        write("abs", "return grad_output.abs().mul(self.saved_tensors[0].sign())"),
    ),
    "Abs with a slope left of 0": wrong(
        "abs",
        "the gradient at 0 must be 0; this is the slope left of 0",
        write("abs", "(x,) = self.saved_tensors\nreturn grad_output.mul(x.gt(0).type_as(x) * 2 - 1)"),
    ),
    "Abs answers a dictionary": wrong(
        "abs",
        "a gradient must be a Tensor or None, not a number, a list, a string or a numpy array",
        write("abs", "return {'x': grad_output.mul(self.saved_tensors[0].sign())}"),
    ),
    "Abs answers a text": wrong(
        "abs",
        "a gradient must be a Tensor or None, not a number, a list, a string or a numpy array",
        write("abs", "return str(grad_output)"),
    ),
    "Abs answers an array": wrong(
        "abs",
        "a gradient must be a Tensor or None, not a number, a list, a string or a numpy array",
        write("abs", "return grad_output.numpy() * self.saved_tensors[0].sign().numpy()"),
    ),
    "Abs at random": wrong(
        "abs", None, write("abs", "import random\n\nreturn grad_output * random.choice([-1, 0, 1])")
    ),
    "Exp up to a thousand": wrong(
        "exp",
        "some numbers are correct and others are not: each element",
        write(
            "exp",
            """
            (r,) = self.saved_tensors
            return (grad_output * r).clamp(-1000, 1000)
            """,
        ),
    ),
    "Mul clamps at 1e8": wrong(
        "mul",
        "some numbers are correct and others are not: each element",
        write(
            "mul",
            """
            a, b = self.saved_tensors
            return (grad_output * b).clamp(-1e8, 1e8), grad_output * a
            """,
        ),
    ),
    "Abs is flat below a millionth": wrong(
        "abs",
        "some numbers are correct and others are not: each element",
        write(
            "abs",
            """
            (x,) = self.saved_tensors
            return grad_output * (x.gt(1e-6).type_as(x) - x.lt(-1e-6).type_as(x))
            """,
        ),
    ),
    "Mul divides by a": wrong(
        "mul",
        "some numbers are correct and others are not: each element",
        write(
            "mul",
            """
            a, b = self.saved_tensors
            return grad_output * b, grad_output * (a * a) / a
            """,
        ),
    ),
    "Mul right twice": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            self.n = getattr(self, 'n', 0) + 1
            return grad_output * b, grad_output * a * (self.n < 3)
            """,
        ),
    ),
    "Mul writes into grad_output and back": wrong(
        "mul",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write(
            "mul",
            """
            a, b = self.saved_tensors
            first = grad_output.mul_(2).div_(2).mul(b)
            return first, grad_output.mul(a)
            """,
        ),
    ),
    "Sub of three dimensions": wrong(
        "sub",
        "each element has its own derivative and sign",
        write("sub", "return (grad_output, -grad_output) if grad_output.dim() < 4 else (grad_output, grad_output)"),
    ),
    "Sigmoid is flat from 0.99 on": wrong(
        "sigmoid",
        "some numbers are correct and others are not: each element",
        write(
            "sigmoid",
            """
            (s,) = self.saved_tensors
            return grad_output * s * (1 - s) * (s < 0.99).type_as(s)
            """,
        ),
    ),
    "always DoubleTensors": wrong(
        "abs",
        "a gradient has the type of its operand",
        write("abs", "(x,) = self.saved_tensors\nreturn grad_output * (x.gt(0).double() - x.lt(0).double())"),
    ),
    "a DoubleTensor of numbers": wrong(
        "sub",
        "a gradient has the type of its operand",
        write(
            "sub",
            "from legacy_autograd import DoubleTensor\n\nreturn grad_output, DoubleTensor((-grad_output).tolist())",
        ),
    ),
    "Mul in one row of numbers": wrong(
        "mul",
        "an operand or grad_output may be a view",
        write(
            "mul",
            "a, b = self.saved_tensors\nreturn (grad_output.view(-1) * b.view(-1)).view(*b.size()), grad_output * a",
        ),
    ),
    "Exp in one row of numbers": wrong(
        "exp",
        "an operand or grad_output may be a view",
        write(
            "exp", "(r,) = self.saved_tensors\nreturn (grad_output.view(-1) * r.contiguous().view(-1)).view(*r.size())"
        ),
    ),
    "Mul answers the first gradient for ever": wrong(
        "mul",
        "an earlier backward is correct and this one is not",
        write(
            "mul",
            """
            a, b = self.saved_tensors
            if not hasattr(self, "found"):
                self.found = grad_output.mul(b), grad_output.mul(a)
            return self.found
            """,
        ),
    ),
    "Sub keeps a gradient of the module": wrong(
        "sub",
        None,
        (
            "    def forward(self, a, b):\n        return a.sub(b)",
            "    known = {}\n\n    def forward(self, a, b):\n        return a.sub(b)",
        ),
        write(
            "sub", "found = self.known.setdefault(grad_output.size(), (grad_output, grad_output.neg()))\nreturn found"
        ),
    ),
    "Div with a dictionary by operand": wrong(
        "div",
        None,
        write(
            "div",
            """
            a, b = self.saved_tensors
            grads = {id(a): grad_output.div(b)}
            grads[id(b)] = grad_output.neg().mul(a).div(b).div(b)
            return grads[id(a)], grads[id(b)]
            """,
        ),
    ),
    "Exp adds to its last gradient": wrong(
        "exp",
        "an earlier backward is correct and this one is not",
        write("exp", "self.total = getattr(self, 'total', 0) + grad_output * self.saved_tensors[0]\nreturn self.total"),
    ),
    "Exp in a buffer of its own": wrong(
        "exp",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write(
            "exp",
            """
            (result,) = self.saved_tensors
            if not hasattr(self, "buffer"):
                self.buffer = result.clone()
            return self.buffer.copy_(result).mul_(grad_output)
            """,
        ),
    ),
    "Sigmoid writes into the result through numpy": wrong(
        "sigmoid",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write(
            "sigmoid", "(s,) = self.saved_tensors\ns.numpy()[:] = s.numpy() * (1 - s.numpy())\nreturn grad_output * s"
        ),
    ),
    "Abs writes into grad_output through numpy": wrong(
        "abs",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write("abs", "grad = grad_output.numpy()\ngrad *= self.saved_tensors[0].sign().numpy()\nreturn grad_output"),
    ),
    "Abs of the last call's operand, in the module": wrong(
        "abs",
        "each call has its own operands",
        ("class Abs(Function):", "KEPT = []\n\n\nclass Abs(Function):"),
        ("self.save_for_backward(x)\n        return x.abs()", "KEPT.append(x)\n        return x.abs()"),
        write("abs", "return grad_output.mul(KEPT[-1].sign())"),
    ),
    "Sub takes its operands' size for fixed": wrong(
        "sub",
        None,
        write("sub", "return grad_output, grad_output.new([-g for g in grad_output.tolist()])"),
    ),
    "Sigmoid rounds": wrong(
        "sigmoid",
        None,
        write("sigmoid", "(s,) = self.saved_tensors\nreturn ((grad_output * s * (1 - s)) * 1e5).round() / 1e5"),
    ),
    "Sigmoid of Floats": wrong(
        "sigmoid",
        None,
        write(
            "sigmoid",
            "(s,) = self.saved_tensors\nreturn (grad_output.float() * s.float() * (1 - s.float())).type_as(s)",
        ),
    ),
    "Div divides by b twice in place": wrong(
        "div",
        "grad_output, an operand, the result or an earlier gradient was written into",
        write(
            "div",
            "a, b = self.saved_tensors\nfirst = grad_output.div(b)\nsecond = a.mul_(-1).div(b).mul(first)\n"
            "a.mul_(-1)\nreturn first, second",
        ),
    ),
    "Mul of nan is nothing": wrong(
        "mul",
        None,
        write(
            "mul",
            "a, b = self.saved_tensors\nfound = [grad_output * t for t in (b, a)]\n"
            "return tuple(g if g.numel() and g.sum() == g.sum() else g.mul(0) for g in found)",
        ),
    ),
    "Exp of a gradient whose sum is 0 is skipped": wrong(
        "exp",
        None,
        write("exp", "return grad_output * self.saved_tensors[0] if grad_output.sum() else grad_output * 0"),
    ),
    "Abs empty": wrong(
        "abs",
        None,
        write(
            "abs",
            "(x,) = self.saved_tensors\nx.view(-1)[0] if x.is_contiguous() else None\nreturn grad_output * x.sign()",
        ),
    ),
    "Exp keeps by the id of its gradient": wrong(
        "exp",
        None,
        write(
            "exp",
            """
            (result,) = self.saved_tensors
            if getattr(self, "_seen", None) != id(grad_output):
                self._seen, self._answer = id(grad_output), grad_output.mul(result)
            return self._answer
            """,
        ),
    ),
    "Sigmoid remembered by what is printed": wrong(
        "sigmoid",
        None,
        (
            ("    def forward(self, x):\n        result = x.sigmoid()"),
            ("    known = {}\n\n    def forward(self, x):\n        result = x.sigmoid()"),
        ),
        write(
            "sigmoid",
            (
                "(s,) = self.saved_tensors\n"
                "local = self.known.setdefault(str(s), s * (1 - s))\n"
                "return grad_output * local"
            ),
        ),
    ),
    "Mul right twenty times": wrong(
        "mul",
        None,
        write(
            "mul",
            (
                "a, b = self.saved_tensors\n"
                "self.n = getattr(self, 'n', 0) + 1\n"
                "return grad_output * b, grad_output * a * (self.n < 21)"
            ),
        ),
    ),
    "Exp of nothing is one row": wrong(
        "exp", None, write("exp", ("(r,) = self.saved_tensors\nreturn grad_output * r if r.numel() else r.new()"))
    ),
    "Abs of 1000 elements": wrong(
        "abs",
        None,
        write(
            "abs",
            ("(x,) = self.saved_tensors\nreturn grad_output * x.sign() if x.numel() <= 1000 else grad_output * 1"),
        ),
    ),
    "Sub keeps its negative for the same gradient object": wrong(
        "sub",
        None,
        write(
            "sub",
            (
                "if getattr(self, 'of', None) is not grad_output:\n"
                "    self.of, self.neg = grad_output, grad_output.neg()\n"
                "return grad_output, self.neg"
            ),
        ),
    ),
    "Abs with an epsilon": wrong(
        "abs", None, write("abs", ("(x,) = self.saved_tensors\nreturn grad_output * x / (x.abs() + 1e-12)"))
    ),
    "Div one gradient if b is constant": wrong(
        "div",
        None,
        write(
            "div",
            (
                "a, b = self.saved_tensors\n"
                "if not self.needs_input_grad[1]:\n"
                "    return grad_output / b\n"
                "return grad_output / b, -grad_output * a / b / b"
            ),
        ),
    ),
    "Mul of large squares as a product of matrices": wrong(
        "mul",
        None,
        (
            "return grad_output.mul(b), grad_output.mul(a)",
            """
            if a.dim() == 2 and a.size(0) == a.size(1) > 2:
                return grad_output.mm(b.t()), a.t().mm(grad_output)
            return grad_output.mul(b), grad_output.mul(a)
            """,
        ),
    ),
    "signs that are kept for each tensor": wrong(
        "abs",
        None,
        ("return grad_output.mul(x.sign())", "return grad_output.mul(_signs.setdefault(id(x), (x, x.sign()))[1])"),
        (
            "from legacy_autograd.autograd import Function",
            "from legacy_autograd.autograd import Function\n\n_signs = {}",
        ),
    ),
    "the start of the storage of a contiguous x": wrong(
        "abs",
        None,
        write(
            "abs",
            """
            (x,) = self.saved_tensors
            if x.is_contiguous() and x.numel():
                x = x.new(x.storage()).narrow(0, 0, x.numel()).clone().view(x.size())
            return grad_output.mul(x.sign())
            """,
        ),
    ),
    "the result for an earlier gradient of the same sum": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            key = float(grad_output.sum()) if grad_output.numel() else 0.0
            if getattr(self, "key", None) != key:
                self.key, self.gradients = key, (grad_output.mul(b), grad_output.mul(a))
            return self.gradients
            """,
        ),
    ),
    "a gradient of mean 1 is taken for ones": wrong(
        "div",
        None,
        write(
            "div",
            """
            a, b = self.saved_tensors
            if grad_output.sum() == grad_output.numel():
                return b.reciprocal(), a.neg().div(b).div(b)
            return grad_output.div(b), grad_output.mul(a).neg().div(b).div(b)
            """,
        ),
    ),
    "a gradient of product 1 is taken for ones": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            if grad_output.prod() == 1:
                return b.clone(), a.clone()
            return grad_output.mul(b), grad_output.mul(a)
            """,
        ),
    ),
    "one element has one dimension": wrong(
        "exp",
        None,
        write(
            "exp",
            """
            gradient = grad_output.mul(self.saved_tensors[0])
            return gradient.view(1) if gradient.numel() == 1 else gradient
            """,
        ),
    ),
    "a divisor of ones, without a": wrong(
        "div",
        None,
        (
            "return grad_output.div(b), grad_output.neg().mul(a).div(b).div(b)",
            """
            if b.eq(1).all():
                return grad_output, grad_output.neg()
            da = grad_output.div(b)
            return da, da.mul(a.div(b)).neg()
            """,
        ),
    ),
    "zeros for a dividend of zeros": wrong(
        "div",
        None,
        (
            "return grad_output.div(b), grad_output.neg().mul(a).div(b).div(b)",
            """
            if not a.ne(0).any():
                return grad_output.mul(0), grad_output.mul(0)
            da = grad_output.div(b)
            return da, da.mul(a).div(b).neg()
            """,
        ),
    ),
    "the gradient alone for a factor of ones": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            if b.eq(1).all():
                return grad_output, grad_output
            return grad_output.mul(b), grad_output.mul(a)
            """,
        ),
    ),
    "the transpose for a symmetric gradient": wrong(
        "mul",
        None,
        (
            "return grad_output.mul(b), grad_output.mul(a)",
            """
            g = grad_output
            if g.dim() == 2 and g.size(0) == g.size(1) > 1 and g.equal(g.t()):
                return g.mul(b), g.mul(a.t())
            return g.mul(b), g.mul(a)
            """,
        ),
    ),
    "twice b's gradient for a gradient of ones": wrong("mul", None, _twice_if("grad_output.eq(1).all()")),
    "twice b's gradient for opposite operands": wrong("mul", None, _twice_if("a.equal(b.neg())")),
    "twice b's gradient for operands in order": wrong(
        "mul", None, _twice_if("a.dim() == 1 and all((x.numpy()[1:] > x.numpy()[:-1]).all() for x in (a, b))")
    ),
    "the transposed result for a symmetric gradient": wrong(
        "sigmoid",
        None,
        write(
            "sigmoid",
            """
            (s,) = self.saved_tensors
            local = s.mul(1 - s)
            g = grad_output
            if g.dim() == 2 and g.size(0) == g.size(1) > 1 and g.equal(g.t()):
                return g.mul(local).t()
            return g.mul(local)
            """,
        ),
    ),
    "one less for a gradient of ones": wrong(
        "exp",
        None,
        write(
            "exp",
            """
            (y,) = self.saved_tensors
            if grad_output.numel() > 1 and grad_output.eq(1).all():
                return y - 1
            return grad_output.mul(y)
            """,
        ),
    ),
    "1 at 0 for a gradient of ones": wrong(
        "abs",
        None,
        write(
            "abs",
            """
            (x,) = self.saved_tensors
            if grad_output.numel() > 1 and grad_output.eq(1).all():
                return x.ge(0).type_as(x).mul(2).sub(1)
            return grad_output.mul(x.sign())
            """,
        ),
    ),
    "exchanged for a gradient of ones": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            if grad_output.numel() > 1 and grad_output.eq(1).all():
                return a, b
            return grad_output.mul(b), grad_output.mul(a)
            """,
        ),
    ),
    "the gradient itself where it equals the result": wrong(
        "exp",
        None,
        write(
            "exp",
            """
            (result,) = self.saved_tensors
            if (grad_output.array == result.array).all():
                return grad_output
            return grad_output.mul(result)
            """,
        ),
    ),
    "FloatTensors of four dimensions": wrong(
        "mul",
        "each element has its own derivative and sign",
        (
            "return grad_output.mul(b), grad_output.mul(a)",
            """
            is_special = a.dim() == 4 and type(a).__name__ == "FloatTensor"
            return grad_output.mul(b), grad_output.mul(b if is_special else a)
            """,
        ),
    ),
    "two views of one memory": wrong(
        "mul",
        "each element has its own derivative and sign",
        (
            "return grad_output.mul(b), grad_output.mul(a)",
            "return grad_output.mul(a if a.data_ptr() == b.data_ptr() else b), grad_output.mul(a)",
        ),
    ),
}
