"""Exercise 7: broadcasting."""

from . import write, wrong

_SUM = "sum_to_size"
_OF_MUL = "return sum_to_size(grad_output.mul(b), size_a), sum_to_size(grad_output.mul(a), size_b)"


def _unless(condition, instead):
    """Let the backward of Mul return something else under a condition."""
    return _OF_MUL, f"if {condition}:\n            return {instead}\n        {_OF_MUL}"


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
    "Black's line breaks and type hints": [
        write(
            _SUM,
            """
            missing: int = (
                grad.dim()
                - len(size)
            )
            for _ in range(missing):
                grad = grad.sum(
                    0,
                    keepdim=False,
                )
            for dim in range(len(size)):
                if (
                    size[dim]
                    != grad.size(dim)
                ):
                    grad = grad.sum(
                        dim,
                        keepdim=True,
                    )
            return grad
            """,
        )
    ],
    "a mask and one line": [
        write(
            _SUM,
            """
            from functools import reduce

            padded = (1,) * (grad.dim() - len(size)) + tuple(size)
            mask = [have != want for have, want in zip(grad.size(), padded)]
            return reduce(lambda g, d: g.sum(d), (d for d, m in enumerate(mask) if m), grad).contiguous().view(*size)
            """,
        ),
        write(
            "add",
            "return [sum_to_size(grad_output, s) for s in self.sizes][0], sum_to_size(grad_output, self.sizes[1])",
        ),
    ],
    "recursion from the right": [
        write(
            _SUM,
            """
            def back(grad, dim):
                if dim < 0:
                    return grad
                missing = grad.dim() - len(size)
                if dim < missing:
                    return back(grad.sum(dim, keepdim=False), dim - 1)
                return back(grad.sum(dim) if size[dim - missing] == 1 else grad, dim - 1)

            return back(grad, grad.dim() - 1)
            """,
        )
    ],
    "einsum of numpy, in a class": [
        write(
            _SUM,
            """
            import numpy

            class Summed:
                def __init__(self, array):
                    self.array = array

                def __matmul__(self, size):
                    letters = "abcdefgh"[: self.array.ndim]
                    kept = "".join(c for c, n in zip(letters[::-1], size[::-1]) if n != 1)[::-1]
                    return numpy.einsum(f"{letters}->{kept}", self.array).reshape(size)

            return grad.new((Summed(grad.numpy()) @ tuple(size)).tolist())
            """,
        ),
        write(
            "mul",
            """
            (a, b), sizes = self.saved_tensors, iter(self.sizes)
            grad_a, grad_b = (sum_to_size(other * grad_output, next(sizes)) for other in (b, a))
            return grad_a, grad_b
            """,
        ),
    ],
    "a loop with an index": [
        write(
            _SUM,
            """
            missing = len(grad.size()) - len(size)
            index = 0
            while index < len(size):
                if size[index] != grad.size()[missing + index]:
                    grad = grad.sum(missing + index, keepdim=True)
                index += 1
            for _ in range(missing):
                grad = grad.sum(0, keepdim=False)
            return grad
            """,
        ),
    ],
    "a function that keeps the sizes": [
        (
            "def sum_to_size(grad, size):",
            "def sum_dims(grad, dims, keepdim):\n    for dim in sorted(dims, reverse=True):\n"
            "        grad = grad.sum(dim, keepdim=keepdim)\n    return grad\n\n\ndef sum_to_size(grad, size):",
        ),
        write(
            _SUM,
            """
            grad = sum_dims(grad, range(grad.dim() - len(size)), False)
            return sum_dims(grad, [d for d, n in enumerate(size) if n == 1 and grad.size(d) != 1], True)
            """,
        ),
    ],
    "a copy, then views": [
        write(
            _SUM,
            """
            result = grad.clone()
            full = [1] * (result.dim() - len(size)) + list(size)
            for dim in range(len(full)):
                if full[dim] == 1:
                    result = result.sum(dim)
            return result.contiguous().view(*size)
            """,
        ),
        write(
            "add", "a, b = self.sizes\nreturn sum_to_size(grad_output.clone(), a), sum_to_size(grad_output.clone(), b)"
        ),
    ],
    "select and add": [
        write(
            _SUM,
            """
            while grad.dim() > len(size):
                parts = [grad.select(0, n) for n in range(grad.size(0))]
                total = parts[0]
                for part in parts[1:]:
                    total = total + part
                grad = total
            for dim, length in enumerate(size):
                if length == 1 and grad.size(dim) > 1:
                    total = grad.narrow(dim, 0, 1)
                    for n in range(1, grad.size(dim)):
                        total = total + grad.narrow(dim, n, 1)
                    grad = total
            return grad
            """,
        ),
    ],
    "None for constants": [
        write(
            "add",
            """
            return tuple(
                sum_to_size(grad_output, size) if needs else None
                for size, needs in zip(self.sizes, self.needs_input_grad)
            )
            """,
        ),
        write(
            "mul",
            """
            a, b = self.saved_tensors
            grad_a = sum_to_size(grad_output * b, a.size()) if self.needs_input_grad[0] else None
            grad_b = sum_to_size(grad_output * a, b.size()) if self.needs_input_grad[1] else None
            return grad_a, grad_b
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
        "remove a dimension that the operand does not have; do not keep it",
        ("        grad = grad.sum(0, keepdim=False)", "        return grad.sum(0)"),
    ),
    "length 1 is taken away": wrong(
        "ones mixed functions",
        "keep a dimension of length 1: the operand has it",
        ("            grad = grad.sum(dim)", "            grad = grad.sum(dim, keepdim=False)\n            break"),
    ),
    "the mean": wrong(
        "leading mixed functions",
        "this is the mean",
        ("grad = grad.sum(0, keepdim=False)", "grad = grad.mean(0, keepdim=False)"),
    ),
    "everything is summed": wrong(
        _ALL,
        "this is the sum of all elements",
        write(_SUM, "return grad if grad.size() == tuple(size) else grad.new([grad.sum()])"),
    ),
    "the last dimension in place of the first": wrong(
        "leading mixed",
        None,
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
        "multiply first, then sum; a sum of products is not a product of sums",
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
        "the package's own is not available here",
        write(_SUM, "from legacy_autograd.autograd.functions import _utils\n\nreturn _utils.sum_to_size(grad, size)"),
    ),
    "the answers of earlier calls are kept": wrong(
        "same leading ones mixed functions",
        "nothing was repeated",
        ("def sum_to_size(grad, size):", "known = {}\n\n\ndef sum_to_size(grad, size):"),
        (
            "    while grad.dim()",
            "    key = grad.size(), size\n    if key in known:\n        return known[key]\n"
            "    known[key] = grad\n    while grad.dim()",
        ),
    ),
    "written into where nothing is to be summed": wrong(
        "same ones functions",
        "grad was written into",
        (
            "    while grad.dim()",
            "    if grad.size() == tuple(size):\n        return grad.mul_(1.5).div_(3)\n    while grad.dim()",
        ),
    ),
    "whole numbers": wrong(
        "leading mixed functions",
        "each number is the sum of its repetitions in grad, with their signs",
        ("grad = grad.sum(0, keepdim=False)", "grad = grad.new((grad.numpy().sum(0) // 1).tolist())"),
    ),
    "absolute values": wrong(
        "leading mixed functions",
        "each number is the sum of its repetitions in grad, with their signs",
        ("grad = grad.sum(0, keepdim=False)", "grad = grad.abs().sum(0, keepdim=False)"),
    ),
    "the largest in place of the sum": wrong(
        "ones mixed functions",
        "each number is the sum of its repetitions in grad, with their signs",
        ("            grad = grad.sum(dim)", "            grad = grad.max(dim)[0]"),
    ),
    "only one dimension is missing": wrong(
        "leading mixed",
        None,
        ("while grad.dim() > len(size):", "if grad.dim() > len(size):"),
    ),
    "only the first dimension of length 1": wrong(
        "ones functions mixed",
        "more than one",
        ("            grad = grad.sum(dim)", "            return grad.sum(dim)"),
    ),
    "a dimension of length 2 counts as repeated": wrong(
        "same leading ones functions mixed",
        "nothing was repeated",
        ("length == 1 and grad.size(dim) != 1", "length <= 2"),
    ),
    "always a tensor of Doubles": wrong(
        "same leading ones mixed",
        "the result must have the type of grad: compute with grad itself",
        (
            "    while grad.dim()",
            "    import legacy_autograd as torch\n\n    grad = torch.DoubleTensor(grad.tolist())\n    while grad.dim()",
        ),
    ),
    "rounded to Floats": wrong(
        "same leading ones mixed functions",
        "the result must have the type of grad: compute with grad itself",
        (
            "    while grad.dim()",
            "    import legacy_autograd as torch\n\n    grad = torch.FloatTensor(grad.tolist())\n    while grad.dim()",
        ),
    ),
    "up to three dimensions": wrong(
        "leading mixed",
        "the result still has the shape of grad: nothing was summed",
        ("    while grad.dim()", "    if grad.dim() > 3:\n        return grad\n    while grad.dim()"),
    ),
    "Mul writes into the gradient": wrong(
        "functions",
        "grad_output, an operand or an earlier gradient was written into",
        ("sum_to_size(grad_output.mul(b), size_a)", "sum_to_size(grad_output.mul_(b), size_a)"),
    ),
    "Mul writes into an operand": wrong(
        "functions",
        "an operand",
        (
            "sum_to_size(grad_output.mul(b), size_a)",
            "sum_to_size(b.expand_as(grad_output).contiguous().mul(grad_output), size_a)",
        ),
        ("sum_to_size(grad_output.mul(a), size_b)", "sum_to_size(a.mul_(2).mul(grad_output).div(2), size_b)"),
    ),
    "Mul squares": wrong(
        "functions",
        "each operand of a + b gets grad_output, and in a * b grad_output times the other",
        ("grad_output.mul(b)", "grad_output.mul(b.abs())"),
    ),
    "Add halves the second": wrong(
        "functions",
        "each operand of a + b gets grad_output, and in a * b grad_output times the other",
        (
            "sum_to_size(grad_output, size_a), sum_to_size(grad_output, size_b)",
            "sum_to_size(grad_output, size_a), None",
        ),
    ),
    "sizes on the class": wrong(
        "functions",
        "a gradient must have the size of its operand",
        (
            "size_a, size_b = self.sizes\n        return sum_to_size(grad_output, size_a)",
            "size_a, size_b = Add.last\n        return sum_to_size(grad_output, size_a)",
        ),
        (
            "self.sizes = a.size(), b.size()\n        return a.add(b)",
            "Add.last = self.sizes = a.size(), b.size()\n        return a.add(b)",
        ),
    ),
    "a list is returned": wrong(
        "functions",
        "backward returned a list: return one gradient for each operand, as a tuple in their order",
        (
            "return sum_to_size(grad_output, size_a), sum_to_size(grad_output, size_b)",
            "return [sum_to_size(grad_output, size_a), sum_to_size(grad_output, size_b)]",
        ),
    ),
    "a gradient must be a Tensor or None, not a number, a list": wrong(
        "same leading ones mixed functions",
        "not a Tensor",
        (
            "    while grad.dim()",
            "    return grad.numpy().sum(tuple(range(grad.dim() - len(size))))\n    while grad.dim()",
        ),
    ),
    "lengths up to four": wrong(
        "leading ones mixed",
        "the result still has the shape of grad: nothing was summed",
        write(
            "sum_to_size",
            """
            if max(grad.size()) > 4: return grad
            while grad.dim() > len(size):
                grad = grad.sum(0, keepdim=False)
            for dim, length in enumerate(size):
                if length == 1 and grad.size(dim) != 1:
                    grad = grad.sum(dim)
            return grad
            """,
        ),
    ),
    "written into grad and back": wrong(
        "same leading ones mixed functions",
        "grad was written into, and other code may still read it: do not change it",
        write(
            "sum_to_size",
            """
            grad.mul_(2).div_(2)
            while grad.dim() > len(size):
                grad = grad.sum(0, keepdim=False)
            for dim, length in enumerate(size):
                if length == 1 and grad.size(dim) != 1:
                    grad = grad.sum(dim)
            return grad
            """,
        ),
    ),
    "four dimensions are left": wrong(
        "ones mixed functions leading",
        None,
        ("    while grad.dim()", "    if len(size) > 3:\n        return grad\n    while grad.dim()"),
    ),
    "grad is changed by the sum": wrong(
        "ones mixed functions",
        "grad was written into",
        (
            "            grad = grad.sum(dim)",
            "            grad.narrow(dim, 0, 1).copy_(grad.sum(dim))\n            grad = grad.narrow(dim, 0, 1)",
        ),
    ),
    "grad is changed through numpy": wrong(
        "leading mixed functions",
        "grad was written into",
        (
            "        grad = grad.sum(0, keepdim=False)",
            "        grad.numpy()[0] = grad.numpy().sum(0)\n        grad = grad.select(0, 0)",
        ),
    ),
    "in one row of numbers": wrong(
        "same ones leading mixed functions",
        "grad may be a view, such as x.t()",
        ("    while grad.dim()", "    grad = grad.view(-1).view(*grad.size())\n    while grad.dim()"),
    ),
    "a view if the elements are as many": wrong(
        "same ones leading mixed functions",
        "grad may be a view, such as x.t()",
        (
            "    while grad.dim()",
            "    count = 1\n    for length in size:\n        count *= length\n"
            "    if count == grad.numel():\n        return grad.view(*size)\n    while grad.dim()",
        ),
    ),
    "the first answer for a size": wrong(
        "same leading ones mixed functions",
        "nothing was repeated",
        ("def sum_to_size(grad, size):", "known = {}\n\n\ndef sum_to_size(grad, size):"),
        ("    return grad\n    ### END", "    return known.setdefault((tuple(size), grad.type()), grad)\n    ### END"),
    ),
    "a call count": wrong(
        "leading mixed functions",
        None,
        (
            "    while grad.dim() > len(size):",
            "    sum_to_size.calls = getattr(sum_to_size, 'calls', 0) + 1\n"
            "    while grad.dim() > len(size) and sum_to_size.calls < 9:",
        ),
    ),
    "a list of numbers": wrong(
        "same leading ones mixed functions",
        None,
        ("    return grad\n    ### END", "    return grad.tolist()\n    ### END"),
    ),
    "nan counts as nothing": wrong(
        "same leading ones mixed functions",
        None,
        (
            "    while grad.dim()",
            "    import numpy\n\n    grad = grad.new(numpy.nan_to_num(grad.numpy()).tolist()).view(*grad.size())\n"
            "    while grad.dim()",
        ),
    ),
    "a sum of 0 is skipped": wrong(
        "leading mixed functions",
        None,
        (
            "        grad = grad.sum(0, keepdim=False)",
            "        grad = grad.sum(0, keepdim=False) if grad.sum() else grad.select(0, 0)",
        ),
    ),
    "only the last dimension of length 1": wrong(
        "ones mixed functions",
        None,
        (
            "    for dim, length in enumerate(size):\n        if length == 1 and grad.size(dim) != 1:\n"
            "            grad = grad.sum(dim)",
            "    if 1 in size:\n        grad = grad.sum(len(size) - 1 - size[::-1].index(1))",
        ),
    ),
    "rounded sums": wrong(
        "leading mixed functions",
        None,
        (
            "        grad = grad.sum(0, keepdim=False)",
            "        grad = (grad.sum(0, keepdim=False) * 1e4).round() / 1e4",
        ),
    ),
    "sums of Floats": wrong(
        "leading mixed functions",
        None,
        (
            "        grad = grad.sum(0, keepdim=False)",
            "        grad = grad.float().sum(0, keepdim=False).type_as(grad)",
        ),
    ),
    "Mul keeps its operands on the class": wrong(
        "functions",
        None,
        (
            "        self.save_for_backward(a, b)\n        return a.mul(b)",
            "        Mul.operands = a, b\n        return a.mul(b)",
        ),
        ("a, b = self.saved_tensors", "a, b = Mul.operands"),
    ),
    "Mul answers the first gradient for ever": wrong(
        "functions",
        "an earlier call is correct and a later one is not",
        write(
            "mul",
            """
            if not hasattr(self, "found"):
                a, b = self.saved_tensors
                self.found = sum_to_size(grad_output * b, a.size()), sum_to_size(grad_output * a, b.size())
            return self.found
            """,
        ),
    ),
    "Add with a dictionary by size": wrong(
        "functions",
        None,
        write(
            "add",
            """
            size_a, size_b = self.sizes
            found = {size_a: sum_to_size(grad_output, size_a)}
            found[size_b] = found.get(size_b, grad_output * 0) + sum_to_size(grad_output, size_b)
            return found[size_a], found[size_b]
            """,
        ),
    ),
    "Mul of operands of one type": wrong(
        "functions",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            g = grad_output.double()
            return sum_to_size(g * b.double(), a.size()), sum_to_size(g * a.double(), b.size())
            """,
        ),
    ),
    "a cache by the tensor": wrong(
        "leading ones mixed",
        "keep nothing from one call",
        (
            "while grad.dim() > len(size):",
            """
            cache, key = globals().setdefault("_cache", {}), (grad, tuple(size))
            if key in cache:
                return cache[key]
            while grad.dim() > len(size):
            """,
        ),
        ("    return grad\n", "    return cache.setdefault(key, grad)\n"),
    ),
    "four dimensions of the operand": wrong(
        "ones mixed functions", None, ("in enumerate(size):", "in enumerate(size[:4]):")
    ),
    "three missing dimensions": wrong(
        "leading mixed",
        None,
        ("while grad.dim() > len(size):", "for _ in range(min(3, grad.dim() - len(size))):"),
    ),
    "Add sums what is summed for the longer operand": wrong(
        "functions",
        None,
        (
            "return sum_to_size(grad_output, size_a), sum_to_size(grad_output, size_b)",
            """
            of_a = sum_to_size(grad_output, size_a)
            return of_a, sum_to_size(of_a if len(size_a) > len(size_b) else grad_output, size_b)
            """,
        ),
    ),
    "tiny sums are zero": wrong(
        "same leading ones mixed",
        None,
        ("    return grad\n", "    return grad * grad.abs().gt(1e-12).type_as(grad)\n"),
    ),
    "five hundred elements": wrong(
        "leading ones mixed",
        None,
        ("    while grad.dim()", "    if grad.numel() > 500:\n        return grad\n    while grad.dim()"),
    ),
    "the result is an operand where the other is zeros": wrong(
        "functions",
        None,
        ("        return a.add(b)", "        return b if a.size() == b.size() and not a.ne(0).sum() else a.add(b)"),
    ),
    "a sum before the product if b has fewer dimensions": wrong(
        "functions",
        None,
        (
            _OF_MUL,
            """
            of_a = sum_to_size(grad_output, size_a) if len(size_b) < len(size_a) else grad_output
            return sum_to_size(of_a.mul(b), size_a), sum_to_size(grad_output.mul(a), size_b)
            """,
        ),
    ),
    "the last dimension of a hypercube": wrong(
        "leading",
        None,
        (
            "grad = grad.sum(0, keepdim=False)",
            "grad = grad.sum(-1 if grad.dim() > 3 and len({*grad.size()}) == 1 else 0, keepdim=False)",
        ),
    ),
    "a row and a column get one gradient": wrong(
        "functions",
        None,
        write(
            "add",
            """
            grads = [sum_to_size(grad_output, size) for size in self.sizes]
            return tuple(grads if sorted(self.sizes[0]) != sorted(self.sizes[1]) else grads[:1] * 2)
            """,
        ),
    ),
    "Mul remembers by its operands": wrong(
        "functions",
        None,
        write(
            "mul",
            """
            a, b = self.saved_tensors
            size_a, size_b = self.sizes
            cache, key = vars(type(self)).get("cache"), str(grad_output.tolist())
            if not cache or cache[0] is not a or cache[1] is not b or cache[2] != key:
                result = sum_to_size(grad_output.mul(b), size_a), sum_to_size(grad_output.mul(a), size_b)
                cache = type(self).cache = a, b, key, result
            return cache[3]
            """,
        ),
    ),
    "operands in the same memory are equal": wrong(
        "functions",
        None,
        _unless("a.data_ptr() == b.data_ptr() and size_a == size_b", "(sum_to_size(grad_output.mul(a), size_a),) * 2"),
    ),
    "a product of sums for a longer constant": wrong(
        "functions",
        None,
        _unless(
            "not self.needs_input_grad[1] and len(size_a) < len(size_b) and 1 in size_a",
            "sum_to_size(grad_output, size_a).mul(sum_to_size(b, size_a)), None",
        ),
    ),
    "the last length for a shorter operand of a constant": wrong(
        "functions",
        None,
        _unless(
            "not self.needs_input_grad[0] and len(size_a) > len(size_b)",
            "None, sum_to_size(grad_output.mul(a), size_b[-1:])",
        ),
    ),
    "the first row times the rows where the last is equal": wrong(
        "leading",
        None,
        write(
            "sum_to_size",
            """
            while grad.dim() > len(size):
                if grad.size(0) > 2 and grad[0].tolist() == grad[grad.size(0) - 1].tolist():
                    grad = grad[0] * grad.size(0)
                else:
                    grad = grad.sum(0, keepdim=False)
            for dim, length in enumerate(size):
                if length == 1:
                    grad = grad.sum(dim)
            return grad
            """,
        ),
    ),
    "results by the first operand and the gradient": wrong(
        "functions",
        None,
        (
            "class Mul(Function):",
            "_known = {}\n\n\nclass Mul(Function):",
        ),
        (
            "return sum_to_size(grad_output.mul(b), size_a), sum_to_size(grad_output.mul(a), size_b)",
            """
            key = size_a, size_b, str(a.tolist()), str(grad_output.tolist()), grad_output.type()
            if key not in _known:
                _known[key] = sum_to_size(grad_output.mul(b), size_a), sum_to_size(grad_output.mul(a), size_b)
            return _known[key]
            """,
        ),
    ),
    "lengths that are one object": wrong(
        "same leading mixed",
        None,
        write(
            "sum_to_size",
            """
            lead = grad.dim() - len(size)
            for _ in range(lead):
                grad = grad.sum(0, keepdim=False)
            lengths = size
            for dim, length in enumerate(lengths):
                if length is not grad.size(dim):
                    grad = grad.sum(dim)
            return grad
            """,
        ),
    ),
    "rows are added by recursion": wrong(
        "leading",
        "use a list and a loop",
        (
            "grad = grad.sum(0, keepdim=False)",
            """
            def total(rows):
                return rows[0].add(total(rows[1:])) if rows[1:] else rows[0]

            grad = total([grad.select(0, row) for row in range(grad.size(0))])
            """,
        ),
    ),
    "a repeated dimension by another length": wrong(
        "ones",
        None,
        (
            "grad = grad.sum(dim)",
            """
            if grad.stride(dim) == 0:
                grad = grad.narrow(dim, 0, 1) * grad.size(0)
            else:
                grad = grad.sum(dim)
            """,
        ),
    ),
}
