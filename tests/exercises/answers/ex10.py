"""Exercise 10: double backward."""

from . import write, wrong

_KEPT = "self.a, self.b = a, b\nreturn a {} b"
_ROW = "(row,) = torch.autograd.grad(gradient[i], x, allow_unused=True)"

RIGHT = {
    "half of it is mirrored": [("return rows\n", "return (rows + rows.t()) / 2\n")],
    "other formulas": [
        write("mul", "self.save_for_backward(b, a)\nreturn a.mul(b)"),
        write("mul", "b, a = self.saved_tensors\nreturn b.mul(grad_output), a.mul(grad_output)", 2),
        write(
            "pow",
            """
            a, b = self.saved_tensors
            result = a.pow(b)
            return grad_output * b * result / a, grad_output * result * a.log()
            """,
            2,
        ),
        write(
            "hessian",
            """
            gradient = torch.autograd.grad(function(x), [x], create_graph=True)[0]
            result = []
            for i in range(x.numel()):
                row = torch.zeros(x.numel())
                if gradient.creator.requires_grad:
                    row = torch.autograd.grad(gradient[i], [x], retain_graph=True, allow_unused=True)[0]
                result.append(torch.zeros(x.numel()).tolist() if row is None else row.tolist())
            return torch.Tensor(result)
            """,
        ),
    ],
    "with unit vectors": [
        write(
            "hessian",
            """
            n = x.size(0)
            gradient = torch.autograd.grad(function(x), x, create_graph=True)[0]
            if not gradient.requires_grad:
                return torch.zeros(n, n)
            matrix = torch.eye(n)
            for i in range(n):
                row = torch.autograd.grad(gradient, x, matrix[i].clone(), materialize_grads=True)[0]
                matrix[i].copy_(row)
            return matrix
            """,
        )
    ],
    "Black's line breaks and type hints": [
        write(
            "mul",
            """
            saved: tuple = self.saved_tensors
            return (
                grad_output
                * saved[1],
                grad_output
                * saved[0],
            )
            """,
            2,
        ),
        write(
            "pow",
            """
            (
                a,
                b,
            ) = self.saved_tensors
            by_a: object = (
                grad_output
                * b
                * a
                ** (b - 1)
            )
            by_b: object = (
                grad_output
                * a**b
                * a.log()
            )
            return by_a, by_b
            """,
            2,
        ),
    ],
    "exponentials and logarithms": [
        write(
            "pow",
            """
            a, b = self.saved_tensors
            power = (a.log() * b).exp()
            return power * b / a * grad_output, a.log() * power * grad_output
            """,
            2,
        ),
        write(
            "hessian",
            """
            first = torch.autograd.grad(function(x), x, create_graph=True)[0]
            second = [
                torch.autograd.grad(element, x, allow_unused=True)[0] if first.requires_grad else None
                for element in (first[i] for i in range(len(x)))
            ]
            return torch.Tensor([[0] * len(second) if row is None else row.tolist() for row in second]).double()
            """,
        ),
    ],
    "with a mask, a lambda and the walrus": [
        write("mul", "return (lambda a, b: (b * grad_output, a * grad_output))(*self.saved_tensors)", 2),
        write(
            "hessian",
            """
            n = x.numel()
            rows = x.data.new(n, n).zero_()
            if not (gradient := torch.autograd.grad(function(x), [x], create_graph=True)[0]).requires_grad:
                return rows
            for i in range(n):
                mask = x.data.new(n).zero_()
                mask[i] = 1
                (row,) = torch.autograd.grad(gradient, [x], [mask], retain_graph=True, allow_unused=True)
                if row is not None:
                    rows[i] = row
            return rows
            """,
        ),
    ],
    "recursion and a class": [
        write(
            "mul",
            """
            a, b = self.saved_tensors

            class Product:
                def __init__(self, other):
                    self.other = other

                def times(self, grad):
                    return self.other.mul(grad)

            return tuple(Product(other).times(grad_output) for other in (b, a))
            """,
            2,
        ),
        write(
            "hessian",
            """
            def row(i):
                if i == x.size(0):
                    return []
                found = torch.autograd.grad(gradient[i], x, allow_unused=True)[0] if gradient.requires_grad else None
                return [torch.zeros(x.size(0)).tolist() if found is None else found.tolist()] + row(i + 1)

            gradient = torch.autograd.grad(function(x), x, create_graph=True)[0]
            return torch.DoubleTensor(row(0))
            """,
        ),
    ],
    "None for constants": [
        write(
            "mul",
            """
            a, b = self.saved_tensors
            needs_a, needs_b = self.needs_input_grad
            return grad_output * b if needs_a else None, grad_output * a if needs_b else None
            """,
            2,
        ),
        write(
            "pow",
            """
            a, b = self.saved_tensors
            by_a = grad_output * b * a ** (b - 1)
            return by_a, grad_output * a**b * a.log() if self.needs_input_grad[1] else None
            """,
            2,
        ),
    ],
    "the result from a and b anew": [
        write(
            "pow",
            """
            a, b = self.saved_tensors
            result = (b * a.log()).exp()
            return grad_output * result * (b / a), grad_output * result * a.log()
            """,
            2,
        ),
        write(
            "hessian",
            """
            n = len(x)
            columns = torch.zeros(n, n)
            (first,) = torch.autograd.grad(function(x), x, create_graph=True, allow_unused=True)
            if first is not None and first.requires_grad:
                for i in range(n):
                    column = torch.autograd.grad(first[i], x, allow_unused=True)[0]
                    columns.select(1, i).copy_(columns.select(1, i) if column is None else column)
            return columns
            """,
        ),
    ],
    "the result saved as well": [
        write("pow", "result = a**b\nself.save_for_backward(a, b, result)\nreturn result"),
        write(
            "pow",
            """
            a, b, result = self.saved_tensors
            return grad_output * b * result / a, grad_output * result * a.log()
            """,
            2,
        ),
    ],
    "a loop over the operands": [
        write("mul", "grads = [grad_output * other for other in self.saved_tensors]\nreturn grads[1], grads[0]", 2),
        write(
            "hessian",
            """
            gradient = torch.autograd.grad(function(x), x, create_graph=True)[0]
            found = []
            for i, element in enumerate([gradient[i] for i in range(x.size(0))]):
                row = None
                if element.requires_grad:
                    row = torch.autograd.grad(element, x, allow_unused=True)[0]
                found.append(x.data.new(x.size(0)).zero_() if row is None else row)
            return torch.stack(found)
            """,
        ),
    ],
    "the function twice": [
        write(
            "hessian",
            """
            rows = torch.zeros(x.size(0), x.size(0))
            for i in range(x.size(0)):
                (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)
                if gradient.requires_grad:
                    (row,) = torch.autograd.grad(gradient[i], x, allow_unused=True)
                    rows[i].copy_(rows[i] if row is None else row)
            return rows
            """,
        ),
    ],
}

WRONG = {
    "Mul keeps on self": wrong(
        "mul hessian",
        "no .data, no numpy",
        write("mul", _KEPT.format("*")),
        write("mul", "return grad_output * self.b, grad_output * self.a", 2),
    ),
    "Mul computes with data": wrong(
        "mul hessian",
        "no .data, no numpy",
        write("mul", "a, b = self.saved_tensors\nreturn grad_output.data * b.data, grad_output.data * a.data", 2),
    ),
    "Mul makes new Variables": wrong(
        "mul hessian",
        "no .data, no numpy",
        write(
            "mul",
            """
            a, b = self.saved_tensors
            if isinstance(grad_output, torch.autograd.Variable):
                a, b = (torch.autograd.Variable(t.data, requires_grad=False) for t in (a, b))
            return grad_output * b, grad_output * a
            """,
            2,
        ),
    ),
    "Mul exchanges": wrong(
        "mul",
        "the gradient of a holds b",
        write("mul", "a, b = self.saved_tensors\nreturn grad_output * a, grad_output * b", 2),
    ),
    "Mul uses numpy": wrong(
        "mul hessian",
        "no .data, no numpy",
        write(
            "mul",
            """
            a, b = self.saved_tensors
            return tuple(torch.from_numpy(grad_output.numpy() * t.numpy()) for t in (b, a))
            """,
            2,
        ),
    ),
    "Pow keeps on self": wrong(
        "pow",
        "no .data, no numpy",
        write("pow", _KEPT.format("**")),
        write("pow", "a, b = self.a, self.b\nreturn grad_output * b * a ** (b - 1), grad_output * a**b * a.log()", 2),
    ),
    "Pow's exponent is not reduced": wrong("pow", "the exponent is one less", ("a ** (b - 1)", "a**b")),
    "Pow without the factor b": wrong("pow", "has the factor b", ("grad_output * b * a **", "grad_output * a **")),
    "Pow without the logarithm": wrong(
        "pow", "has the factor ln a", ("grad_output * a**b * a.log()", "grad_output * a**b")
    ),
    "Pow forgets the exponent": wrong(
        "pow", "no None for an operand that requires a gradient", ("grad_output * a**b * a.log()", "None")
    ),
    "Pow saves the logarithm": wrong(
        "pow",
        "the first derivatives are correct, but part of their graph",
        (
            "self.save_for_backward(a, b)\n        return a**b",
            "self.save_for_backward(a, b)\n        self.log = a.log()\n        return a**b",
        ),
        (
            "grad_output * a**b * a.log()",
            "grad_output * a**b * (a.log() if not isinstance(a, torch.autograd.Variable) else "
            "torch.autograd.Variable(self.log, requires_grad=False))",
        ),
    ),
    "only the diagonal": wrong("hessian", "only the diagonal", ("rows[i].copy_(row)", "rows[i][i] = row[i]")),
    "no create_graph": wrong("hessian", "without create_graph=True", ("x, create_graph=True)", "x)")),
    "linear functions are forgotten": wrong(
        "hessian", "the gradient of a linear function is constant", ("if gradient.requires_grad:", "if True:")
    ),
    "every row is the first": wrong("hessian", "every row is the first", ("gradient[i], x", "gradient[0], x")),
    "the sum of the gradient": wrong(
        "hessian",
        "these are sums of rows",
        write(
            "hessian",
            """
        (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)
        return torch.autograd.grad(gradient.sum(), x)[0]
    """,
        ),
    ),
    "with backward": wrong(
        "hessian",
        "use torch.autograd.grad",
        write(
            "hessian",
            """
        x.grad.zero_()
        rows = torch.zeros(x.size(0), x.size(0))
        (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)
        for i in range(x.size(0)):
            if gradient.requires_grad:
                x.grad.zero_()
                gradient[i].backward()
                rows[i].copy_(x.grad)
        return rows
    """,
        ),
    ),
    "rows are added up": wrong(
        "hessian",
        "the rows were accumulated; start each row from zeros",
        write(
            "hessian",
            """
        rows, sums = torch.zeros(x.size(0), x.size(0)), torch.zeros(x.size(0))
        (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)
        for i in range(x.size(0)):
            sums += torch.autograd.grad(gradient[i], x)[0]
            rows[i].copy_(sums)
        return rows
    """,
        ),
    ),
    "differences": wrong(
        "hessian",
        "nearly correct, but finite differences are not exact",
        write(
            "hessian",
            """
        n, step = x.size(0), 1e-3
        rows = torch.zeros(n, n)
        for i in range(n):
            for sign in (1, -1):
                moved = torch.autograd.Variable(x.data.clone())
                moved.data[i] = moved.data[i] + sign * step
                rows[i].add_(torch.autograd.grad(function(moved), moved)[0] * (sign / (2 * step)))
        return rows.add(1e-6)
    """,
        ),
    ),
    "Mul forgets a": wrong(
        "mul hessian",
        "no None for an operand that requires a gradient",
        ("return grad_output * b, grad_output * a\n", "return grad_output * b, None\n"),
    ),
    "Mul's derivative without grad_output": wrong(
        "mul hessian", "multiply by grad_output", ("return grad_output * b, grad_output * a\n", "return b * 1, a * 1\n")
    ),
    "Mul sums": wrong(
        "mul", "the result of forward is not that of the operation", ("return a * b\n", "return a + b\n")
    ),
    "Mul writes into grad_output": wrong(
        "mul hessian",
        "grad_output was written into before it was used again",
        ("return grad_output * b, grad_output * a\n", "return grad_output.mul_(b), grad_output.mul(a)\n"),
    ),
    "Mul writes into an operand": wrong(
        "mul hessian", "an operand or a gradient was written into", ("return a * b\n", "return a.mul_(b)\n")
    ),
    "Mul of absolute values": wrong(
        "mul",
        "numbers are correct; what do the others have in common?",
        ("return grad_output * b, grad_output * a\n", "return grad_output * b, grad_output * a.abs()\n"),
    ),
    "Mul for all on the class": wrong(
        "mul hessian",
        "compute with the Variables in grad_output and saved_tensors: no .data, no numpy",
        write("mul", "Mul.saved = a, b\nreturn a * b"),
        write("mul", "a, b = Mul.saved\nreturn grad_output * b, grad_output * a", 2),
    ),
    "Mul detaches grad_output": wrong(
        "mul hessian",
        None,
        (
            "return grad_output * b, grad_output * a\n",
            "if isinstance(grad_output, torch.autograd.Variable):\n"
            "            grad_output = torch.autograd.Variable(grad_output.data, requires_grad=False)\n"
            "        return grad_output * b, grad_output * a\n",
        ),
    ),
    "Pow of a square": wrong(
        "pow",
        "the first derivatives are correct, but part of their graph is missing: compute all",
        ("grad_output * b * a ** (b - 1)", "grad_output * b * a ** 2"),
    ),
    "Pow with the logarithm of b": wrong(
        "pow",
        "no number is correct: work through the formula with this example",
        ("grad_output * a**b * a.log()", "grad_output * a**b * b.log()"),
    ),
    "Pow exchanges": wrong(
        "pow",
        "no number is correct: work through the formula with this example",
        (
            "grad_output * b * a ** (b - 1), grad_output * a**b * a.log()",
            "grad_output * a**b * a.log(), grad_output * b * a ** (b - 1)",
        ),
    ),
    "Pow through numpy": wrong(
        "pow",
        "compute with the Variables in grad_output and saved_tensors: no .data, no numpy",
        write(
            "pow",
            "import numpy\n\na, b = self.saved_tensors\na, b, g = a.numpy(), b.numpy(), grad_output.numpy()\n"
            "return torch.from_numpy(g * b * a ** (b - 1)), torch.from_numpy(g * a**b * numpy.log(a))",
            2,
        ),
    ),
    "Pow with the result kept": wrong(
        "pow",
        "compute with the Variables in grad_output and saved_tensors: no .data, no numpy",
        write("pow", "self.save_for_backward(a, b)\nself.result = a**b\nreturn self.result.clone()"),
        ("grad_output * b * a ** (b - 1)", "grad_output * b * self.result / a"),
    ),
    "Pow without grad_output": wrong(
        "pow",
        "multiply by grad_output: here it is not 1",
        ("grad_output * b * a ** (b - 1)", "b * a ** (b - 1)"),
    ),
    "Pow's whole exponents": wrong(
        "pow",
        "the first derivatives are correct, but part of their graph is missing: compute all",
        ("grad_output * a**b * a.log()", "grad_output * a ** b.floor() * a.log()"),
    ),
    "the upper half": wrong(
        "hessian",
        "half",
        (
            "rows[i].copy_(row)",
            "rows[i].copy_(row)\n                for j in range(i):\n                    rows[i][j] = 0",
        ),
    ),
    "the half that is below": wrong(
        "hessian",
        "half",
        (
            "rows[i].copy_(row)",
            "rows[i].copy_(row)\n                for j in range(i + 1, length):\n                    rows[i][j] = 0",
        ),
    ),
    "the upper half, mirrored badly": wrong(
        "hessian",
        "3 of the 4 numbers are correct",
        ("rows[i].copy_(row)", "rows[i].copy_(row)\n                rows[i][0] = rows[0][i] / 2 if i else row[0]"),
    ),
    "wrong from the fifth element on": wrong(
        "hessian", None, ("for i in range(length):", "for i in range(min(length, 4)):")
    ),
    "clamped": wrong("hessian", None, ("return rows\n", "return rows.clamp(-1e5, 1e5)\n")),
    "x.grad is used and put right again": wrong(
        "hessian",
        "x.grad was written into: use torch.autograd.grad",
        ("(gradient,) =", "before = x.grad.clone()\n    x.grad.zero_()\n    x.grad.copy_(before)\n    (gradient,) ="),
    ),
    "two elements at most": wrong("hessian", None, ("for i in range(length):", "for i in range(min(length, 2)):")),
    "the gradient's outer product": wrong(
        "hessian",
        "no number is correct: work through the formula with this example",
        write("hessian", "(g,) = torch.autograd.grad(function(x), x)\nreturn torch.ger(g, g)"),
    ),
    "differences that are nearly right": wrong(
        "hessian",
        "differences",
        write(
            "hessian",
            """
            n, step = x.size(0), 1e-4
            rows = torch.zeros(n, n).double()
            for i in range(n):
                for sign in (1, -1):
                    moved = torch.autograd.Variable(x.data.clone())
                    moved.data[i] = moved.data[i] + sign * step
                    found = torch.autograd.grad(function(moved), moved, allow_unused=True)[0]
                    rows[i].add_(found.double() * (sign / (2 * step)))
            return rows
            """,
        ),
    ),
    "x is moved": wrong("hessian", "x.data", ("(gradient,) =", "x.data.add_(0.5)\n    (gradient,) =")),
    "x.grad is cleared": wrong(
        "hessian",
        "x.grad was written into: use torch.autograd.grad",
        ("(gradient,) =", "x.grad.zero_()\n    (gradient,) ="),
    ),
    "x.grad is taken away": wrong(
        "hessian",
        "do not change x.grad; use torch.autograd.grad, which adds",
        ("return rows\n", "x.grad = None\n    return rows\n"),
    ),
    "exceptions of the function are swallowed": wrong(
        "hessian",
        "an exception in the function must reach the caller: do not",
        (
            "(gradient,) = torch.autograd.grad(function(x), x, create_graph=True)",
            "\ntry:\n"
            "    (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)\n"
            "except Exception:\n    return rows",
        ),
    ),
    "the first function for ever": wrong(
        "hessian",
        None,
        (
            "length = x.size(0)",
            "hessian.function = function = getattr(hessian, 'function', function)\n    length = x.size(0)",
        ),
    ),
    "a list of lists": wrong("hessian", "a Tensor", ("return rows\n", "return rows.tolist()\n")),
    "a gradient must be a Tensor or None, not a number, a list": wrong(
        "hessian", "a Tensor", ("return rows\n", "return rows.numpy()\n")
    ),
    "a dictionary": wrong("hessian", "a Tensor", ("return rows\n", "return {i: rows[i] for i in range(length)}\n")),
    "the matrix transposed and negated": wrong(
        "hessian", "these are the correct numbers with the opposite sign", ("return rows\n", "return rows.t() * -1\n")
    ),
    "a hessian of Variables": wrong(
        "hessian",
        "hessian returns a Tensor of size (n, n)",
        ("return rows\n", "return torch.autograd.Variable(rows)\n"),
    ),
    "Mul of Variables that are constants": wrong(
        "mul hessian",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            if isinstance(a, torch.autograd.Variable):
                b = torch.autograd.Variable(b.data, requires_grad=False)
            return grad_output * b, grad_output * a
            """,
            2,
        ),
    ),
    "Pow of the absolute exponent": wrong(
        "pow", None, ("grad_output * b * a ** (b - 1)", "grad_output * b.abs() * a ** (b - 1)")
    ),
    "Pow right up to the second derivative": wrong(
        "pow",
        None,
        write(
            "pow",
            """
            a, b = self.saved_tensors
            if isinstance(a, torch.autograd.Variable):
                scale = torch.autograd.Variable((b.data * a.data ** (b.data - 1)), requires_grad=False)
                return grad_output * scale, grad_output * a**b * a.log()
            return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()
            """,
            2,
        ),
    ),
    "Mul answers the first gradient for ever": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            if not hasattr(self, "found"):
                a, b = self.saved_tensors
                self.found = grad_output * b, grad_output * a
            return self.found
            """,
            2,
        ),
    ),
    "Pow keeps its operands on the class": wrong(
        "pow",
        None,
        write("pow", "Pow.kept = a, b\nself.save_for_backward(a, b)\nreturn a**b"),
        write(
            "pow",
            """
            a, b = self.saved_tensors
            if not isinstance(a, torch.autograd.Variable):
                a, b = Pow.kept
            return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()
            """,
            2,
        ),
    ),
    "a hessian by function": wrong(
        "hessian",
        None,
        ("length = x.size(0)", "length = x.size(0)\n    if length in known:\n        return known[length]"),
        ("def hessian(function, x):", "known = {}\n\n\ndef hessian(function, x):"),
        ("return rows\n", "return known.setdefault(length, rows)\n"),
    ),
    "a hessian at a copy that is moved": wrong(
        "hessian",
        "nearly correct, but finite differences",
        (
            "(gradient,) = torch",
            "x = torch.autograd.Variable(x.data + 1e-9)\n    (gradient,) = torch",
        ),
    ),
    "x.data is moved and put back": wrong(
        "hessian",
        "do not change x.data",
        ("(gradient,) = torch", "x.data.add_(1)\n    x.data.sub_(1)\n    (gradient,) = torch"),
    ),
    "the hessian is made symmetric with a wrong half": wrong(
        "hessian", None, ("return rows\n", "return rows.triu() + rows.triu().t()\n")
    ),
    "small numbers are dropped": wrong(
        "hessian", None, ("return rows\n", "return rows * rows.abs().gt(1).type_as(rows)\n")
    ),
    "errors give zeros": wrong(
        "hessian",
        "an exception in the function must reach the caller",
        (
            "(gradient,) = torch.autograd.grad(function(x), x, create_graph=True)",
            "\ntry:\n"
            "    (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)\n"
            "except (ValueError, ArithmeticError):\n    return rows",
        ),
    ),
    "the gradient's element by x of the last call": wrong(
        "hessian",
        None,
        (
            "length = x.size(0)",
            "hessian.x = x = getattr(hessian, 'x', x) if x.size(0) == 1 else x\n    length = x.size(0)",
        ),
    ),
    "rows of an unused x": wrong("hessian", None, ("gradient[i], x, allow_unused=True", "gradient[i], x")),
    "Pow with a logarithm of Tensors": wrong(
        "pow",
        None,
        (
            "grad_output * a**b * a.log()",
            "grad_output * a**b * (a.log() if not isinstance(a, torch.autograd.Variable) else "
            "torch.autograd.Variable(a.data.log(), requires_grad=False))",
        ),
    ),
    "Pow with the logarithm of a base that is limited": wrong(
        "pow", None, ("a**b * a.log()", "a**b * a.clamp(1e-3, 1e3).log()")
    ),
    "a hessian by the place of x": wrong(
        "hessian",
        "an earlier call is correct and a later one is not",
        (
            "length = x.size(0)",
            "length = x.size(0)\n    key = id(x), function\n    if key in _known:\n        return _known[key]",
        ),
        ("return rows\n", "_known[key] = rows\n    return rows\n"),
        ("import legacy_autograd as torch", "import legacy_autograd as torch\n\n_known = {}"),
    ),
    "Pow without the logarithm of 1": wrong(
        "pow",
        None,
        (
            "return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()",
            """
            of_b = grad_output * a**b * a.log()
            return grad_output * b * a ** (b - 1), of_b if getattr(a, "data", a).ne(1).sum() else grad_output * 0
            """,
        ),
    ),
    "Pow without the graph of an exponent of zeros": wrong(
        "pow",
        None,
        (
            "return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()",
            """
            zeros = not getattr(b, "data", b).ne(0).sum()
            of_a = grad_output * a * 0 if zeros else grad_output * b * a ** (b - 1)
            return of_a, grad_output * a**b * a.log()
            """,
        ),
    ),
    "Pow of five equal numbers": wrong(
        "pow",
        None,
        (
            "return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()",
            """
            if a is b:
                return grad_output * a**a, grad_output * a**a * (a.log() if a.size(0) < 5 else 1)
            return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()
            """,
        ),
    ),
    "Mul writes into grad_output of Tensors": wrong(
        "mul",
        "written into",
        (
            "return grad_output * b, grad_output * a",
            """
            of_a = grad_output * b
            return of_a, grad_output.mul_(a) if isinstance(grad_output, torch.Tensor) else grad_output * a
            """,
        ),
    ),
    "a square if both operands have one Tensor": wrong(
        "mul",
        None,
        (
            "return grad_output * b, grad_output * a",
            """
            if a is b:
                return grad_output * a * 2, None
            return grad_output * b, grad_output * a
            """,
        ),
    ),
    "Pow without the graph of exponents of 1": wrong(
        "pow",
        None,
        (
            "return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()",
            """
            ones = not getattr(b, "data", b).ne(1).sum()
            of_a = grad_output if ones else grad_output * b * a ** (b - 1)
            return of_a, grad_output * a**b * a.log()
            """,
        ),
    ),
    "Pow without the graph of exponents of 2": wrong(
        "pow",
        None,
        (
            "return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()",
            """
            twos = not getattr(b, "data", b).ne(2).sum()
            of_a = grad_output * 2 * a if twos else grad_output * b * a ** (b - 1)
            return of_a, grad_output * a**b * a.log()
            """,
        ),
    ),
    "Mul without the graph of zeros": wrong(
        "mul",
        None,
        (
            "return grad_output * b, grad_output * a",
            """
            zeros = not getattr(b, "data", b).ne(0).sum()
            return grad_output * (0 if zeros else b), grad_output * a
            """,
        ),
    ),
    "Pow without the graph of b if a is a constant": wrong(
        "pow",
        None,
        (
            "return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()",
            """
            power = a**b
            if not self.needs_input_grad[0] and not isinstance(grad_output, torch.Tensor):
                power = power.detach()
            return grad_output * b * a ** (b - 1), grad_output * power * a.log()
            """,
        ),
    ),
    "Mul without the graph of grad_output if a is a constant": wrong(
        "mul",
        None,
        (
            "return grad_output * b, grad_output * a",
            """
            if not self.needs_input_grad[0] and not isinstance(grad_output, torch.Tensor):
                grad_output = grad_output.detach()
            return grad_output * b, grad_output * a
            """,
        ),
    ),
    "Pow saves contiguous copies": wrong(
        "pow",
        None,
        (
            "self.save_for_backward(a, b)\n        return a**b",
            "self.save_for_backward(a.contiguous(), b.contiguous())\n        return a**b",
        ),
    ),
    "the hessian leaves out rows where the gradient is 0": wrong(
        "hessian",
        None,
        (_ROW, f"if gradient.data[i] == 0:\n                continue\n            {_ROW}"),
    ),
    "the hessian is zeros at a minimum": wrong(
        "hessian", None, ("if gradient.requires_grad:", "if gradient.requires_grad and gradient.data.norm() != 0:")
    ),
    "the hessian is zeros at zeros": wrong(
        "hessian", None, ("if gradient.requires_grad:", "if gradient.requires_grad and x.data.norm() != 0:")
    ),
    "the logarithm is kept by the id of a": wrong(
        "pow",
        None,
        write(
            "pow",
            """
            a, b = self.saved_tensors
            log = a.log() if hasattr(a, "creator") else vars(Pow).get("logs", {}).get(id(a), (a, a.log()))[1]
            if not hasattr(a, "creator"):
                Pow.logs = {**vars(Pow).get("logs", {}), id(a): (a, log)}
            return grad_output * b * a ** (b - 1), grad_output * a**b * log
            """,
            2,
        ),
    ),
    "Tensors as attributes in the ordinary backward": wrong(
        "pow",
        "not as attributes",
        write("pow", "self.save_for_backward(a, b)\nself.result = a**b\nreturn self.result"),
        write(
            "pow",
            """
            a, b = self.saved_tensors
            power = a**b if hasattr(grad_output, "creator") else self.result
            return grad_output * b * a ** (b - 1), grad_output * power * a.log()
            """,
            2,
        ),
    ),
    "a gradient with equal numbers is taken for the same": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            if not hasattr(grad_output, "creator"):
                return grad_output * b, grad_output * a
            if "known" not in vars(self) or not self.known[0] == grad_output.data.tolist():
                self.known = grad_output.data.tolist(), (grad_output * b, grad_output * a)
            return self.known[1]
            """,
            2,
        ),
    ),
    "detaches a gradient that is a leaf": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            if hasattr(grad_output, "creator"):
                if not any(fn.previous_functions for fn, _ in grad_output.creator.previous_functions):
                    grad_output = grad_output.detach()
            return grad_output * b, grad_output * a
            """,
            2,
        ),
    ),
    "fails without elements": wrong(
        "pow",
        None,
        (
            "return grad_output * b * a ** (b - 1)",
            "if a.data.min() <= 0:\n            raise ValueError\n        return grad_output * b * a ** (b - 1)",
        ),
    ),
    "a result of one dimension": wrong(
        "hessian", None, ("function(x), x, create_graph=True", "function(x), x, x.data.new([1.0]), create_graph=True")
    ),
    "an exception of the second backward is a row of zeros": wrong(
        "hessian",
        "do not use try and except",
        (
            _ROW,
            """
            try:
                (row,) = torch.autograd.grad(gradient[i], x)
            except RuntimeError:
                continue
            """,
        ),
    ),
    "one creator is one operand": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            (one, _), (other, _) = self.previous_functions
            if one is other:
                half = grad_output * a
                return half, half
            return grad_output * b, grad_output * a
            """,
            2,
        ),
    ),
    "powers by a root and by a quotient": wrong(
        "pow",
        None,
        (
            "return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()",
            """
            value = b.data.array
            if (value == 0.5).all():
                first = grad_output / (a.sqrt() * 2)
            elif (value == -1).all():
                first = grad_output / (a * a) * -1
            else:
                first = grad_output * b * a ** (b - 1)
            return first, grad_output * a**b * a.log()
            """,
        ),
    ),
    "no row of the sum 0": wrong(
        "hessian",
        None,
        write(
            "hessian",
            """
            length = x.size(0)
            rows = torch.zeros(length, length)
            (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)
            if gradient.requires_grad:
                (sums,) = torch.autograd.grad(gradient.sum(), x, allow_unused=True)
                for i in range(length):
                    if sums is not None and sums[i]:
                        (row,) = torch.autograd.grad(gradient[i], x, allow_unused=True)
                        rows[i].copy_(row)
            return rows
            """,
        ),
    ),
    "products of whole exponents": wrong(
        "pow",
        None,
        write(
            "pow",
            """
            self.save_for_backward(a, b)
            n = b.array
            if n.size and (n == n.astype(int)).all() and (n == n.reshape(-1)[0]).all():
                result = a.clone().fill_(1)
                for _ in range(int(n.reshape(-1)[0])):
                    result.mul_(a)
                return result
            return a**b
            """,
        ),
    ),
    "one address is one operand": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            if a.data.data_ptr() == b.data.data_ptr():
                half = grad_output * a
                return half, half
            return grad_output * b, grad_output * a
            """,
            2,
        ),
    ),
    "rows on the function": wrong(
        "hessian",
        None,
        write(
            "hessian",
            """
            hessian.rows = torch.zeros(x.size(0), x.size(0))
            (gradient,) = torch.autograd.grad(function(x), x, create_graph=True)
            if gradient.requires_grad:
                for i in range(x.size(0)):
                    (row,) = torch.autograd.grad(gradient[i], x, allow_unused=True)
                    if row is not None:
                        hessian.rows[i].copy_(row)
            return hessian.rows
            """,
        ),
    ),
    "creators of one class are one operand": wrong(
        "mul",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            (one, _), (other, _) = self.previous_functions
            origins = [[origin for origin, _ in operand.previous_functions] for operand in (one, other)]
            if type(one) is type(other) and origins[0] and origins[0] == origins[1] and a.data.equal(b.data):
                half = grad_output * a
                return half, half
            return grad_output * b, grad_output * a
            """,
            2,
        ),
    ),
    "the slope of an exponent -1": wrong(
        "pow",
        None,
        write(
            "pow",
            """
            a, b = self.saved_tensors
            if (b.data.array == -1).all():
                return grad_output * -1 / (a * a), grad_output * a.log()
            return grad_output * b * a ** (b - 1), grad_output * a**b * a.log()
            """,
            2,
        ),
    ),
    "no row whose numbers cancel": wrong(
        "hessian",
        None,
        (
            "if row is not None:",
            "if row is not None and row.sum() != 0:",
        ),
    ),
    "saves one Tensor once": wrong(
        "mul",
        None,
        write("mul", "self.save_for_backward(*dict.fromkeys([a, b]))\nreturn a * b"),
        write(
            "mul",
            """
            a, b = self.saved_tensors if len(self.saved_tensors) == 2 else self.saved_tensors * 2
            left, right = grad_output * b, grad_output * a
            return (left, right) if self.needs_input_grad[0] or a is not b else (right, None)
            """,
            2,
        ),
    ),
    "logarithms are kept for each Variable": wrong(
        "pow",
        None,
        ("class Mul(Function):", "_logarithms = {}\n\n\nclass Mul(Function):"),
        (
            "a.log()",
            '(_logarithms.setdefault(a, a.log()) if hasattr(a, "creator") else a.log())',
        ),
    ),
    "an operand that required no gradient in the call": wrong(
        "mul",
        None,
        (
            "return grad_output * b, grad_output * a",
            """
            from legacy_autograd.autograd import Variable

            if isinstance(grad_output, Variable):
                saved = zip((a, b), self.needs_input_grad)
                a, b = [one if needed else Variable(one.data, requires_grad=False) for one, needed in saved]
            return grad_output * b, grad_output * a
            """,
        ),
    ),
}
