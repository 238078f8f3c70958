"""Exercise 10: double backward."""

from . import write, wrong

_KEPT = "self.a, self.b = a, b\nreturn a {} b"
_ROW = "(row,) = torch.autograd.grad(gradient[i], x, allow_unused=True)"

RIGHT = {
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
        "pow", "b may require a gradient as well", ("grad_output * a**b * a.log()", "None")
    ),
    "Pow saves the logarithm": wrong(
        "pow",
        "what they depend on is lost in part",
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
        "the rows were added up",
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
        "differences of neighbouring points",
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
}
