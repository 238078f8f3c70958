"""Exercise 7: broadcasting."""

from . import write, wrong

_SUM = "sum_to_size"

RIGHT = {
    "all dimensions to be summed, then a view": [
        write(
            "sum_to_size",
            """
            padded = (1,) * (grad.dim() - len(size)) + tuple(size)
            for dim, (have, want) in enumerate(zip(grad.size(), padded)):
                if want == 1 and have > 1:
                    grad = grad.sum(dim)
            return grad.contiguous().view(*size)
            """,
        )
    ],
    "numpy and recursion": [
        write(
            "sum_to_size",
            """
            import legacy_autograd as torch

            array = grad.numpy()
            extra = array.ndim - len(size)
            axes = tuple(range(extra)) + tuple(i + extra for i, n in enumerate(size) if n == 1)
            return torch.from_numpy(array.sum(axis=axes, keepdims=True).reshape(size).copy())
            """,
        ),
        write("add", "return tuple(sum_to_size(grad_output, size) for size in self.sizes)"),
        write(
            "mul",
            """
            both = [grad_output * other for other in reversed(self.saved_tensors)]
            return tuple(map(sum_to_size, both, self.sizes))
            """,
        ),
    ],
}

_ALL = "leading ones mixed functions"
WRONG = {
    "nothing is summed": wrong(_ALL, "nothing was summed", write(_SUM, "return grad")),
    "the first part is taken": wrong(
        _ALL,
        "sum the parts",
        write(
            _SUM,
            """
            count = 1
            for length in size:
                count *= length
            return grad.view(-1)[:count].view(*size)
            """,
        ),
    ),
    "only what is missing on the left": wrong(
        "ones mixed functions",
        "nothing was summed",
        write(_SUM, "while grad.dim() > len(size):\n    grad = grad.sum(0, keepdim=False)\nreturn grad"),
    ),
    "only what has length 1": wrong(
        "leading mixed functions",
        "nothing was summed",
        write(
            _SUM,
            """
            for dim, length in enumerate(size):
                if length == 1:
                    grad = grad.sum(dim)
            return grad
            """,
        ),
    ),
    "left dimensions are kept": wrong(
        "leading mixed functions",
        "is to be taken away, not kept",
        ("        grad = grad.sum(0, keepdim=False)", "        return grad.sum(0)"),
    ),
    "length 1 is taken away": wrong(
        "ones mixed functions",
        "a dimension of length 1 is to be kept",
        ("            grad = grad.sum(dim)", "            grad = grad.sum(dim, keepdim=False)\n            break"),
    ),
    "the mean": wrong(
        "leading mixed functions",
        "this is the mean",
        ("grad = grad.sum(0, keepdim=False)", "grad = grad.mean(0, keepdim=False)"),
    ),
    "everything is summed": wrong(
        _ALL,
        "this is the sum of everything",
        write(_SUM, "return grad if grad.size() == tuple(size) else grad.new([grad.sum()])"),
    ),
    "the last dimension in place of the first": wrong(
        "leading mixed",
        "sizes are compared from the right",
        write(
            _SUM,
            """
            while grad.dim() > len(size):
                grad = grad.sum(0 if grad.size()[-1] == size[-1] and grad.size(0) != size[-1] else -1, keepdim=False)
            for dim, length in enumerate(size):
                if length == 1 and grad.size(dim) != 1:
                    grad = grad.sum(dim)
            return grad
            """,
        ),
    ),
    "as many elements is enough": wrong(
        "same leading ones mixed functions", "grad was written into", write(_SUM, "return grad.view(*size).zero_()")
    ),
    "written for the examples": wrong(
        "leading ones mixed functions",
        "nothing was summed",
        write(
            _SUM,
            """
            known = {((2, 3), (3,)): 0, ((2, 3), (1, 3)): 0, ((2, 3), (2, 1)): 1, ((4, 2, 3), (2, 3)): 0}
            dim = known.get((tuple(grad.size()), size))
            return grad if dim is None else grad.sum(dim, keepdim=len(size) == grad.dim())
            """,
        ),
    ),
    "Add does not sum": wrong("functions", "sum_to_size it", write("add", "return grad_output, grad_output")),
    "Mul does not sum": wrong(
        "functions",
        "sum_to_size it",
        write("mul", "a, b = self.saved_tensors\nreturn grad_output * b, grad_output * a"),
    ),
    "Mul sums first": wrong(
        "functions",
        "multiply first and sum then",
        write(
            "mul",
            """
            a, b = self.saved_tensors
            size_a, size_b = self.sizes
            return (
                sum_to_size(sum_to_size(grad_output, size_a).mul(b), size_a),
                sum_to_size(sum_to_size(grad_output, size_b).mul(a), size_b),
            )
            """,
        ),
    ),
    "the sizes are exchanged": wrong(
        "functions",
        "sum_to_size it",
        (
            "return sum_to_size(grad_output, size_a), sum_to_size(grad_output, size_b)",
            "return sum_to_size(grad_output, size_b), sum_to_size(grad_output, size_a)",
        ),
    ),
    "the package's own": wrong(
        "same leading ones mixed functions",
        "is not lent",
        write(_SUM, "from legacy_autograd.autograd.functions import _utils\n\nreturn _utils.sum_to_size(grad, size)"),
    ),
}
