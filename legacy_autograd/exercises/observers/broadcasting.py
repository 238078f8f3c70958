"""The probes of exercise 7: a gradient summed back to the size of an operand that was broadcast."""

from ...tensor import DoubleTensor, FloatTensor, Tensor
from ..answer import plain
from .support import leaf, tensor

_TYPES = {"DoubleTensor": DoubleTensor, "FloatTensor": FloatTensor}


def summed(answer, grad, size, kind="DoubleTensor"):
    gradient = _TYPES[kind](grad)
    before = gradient._version
    result = answer.sum_to_size(gradient, tuple(size))
    is_tensor = isinstance(result, Tensor)
    return {
        "size": list(result.size()) if is_tensor else None,
        "result": plain(result),
        "type": type(result).__name__,
        "grad afterwards": plain(gradient),
        "times that grad was written into": gradient._version - before,
    }


def gradients(answer, name, a, b, gradient):
    """Return what two backwards add to a.grad and b.grad, with a call on other operands in between."""
    variables = a, b = leaf(a), leaf(b)
    start = tensor(gradient)
    before = [v.data._version for v in (a, b, start)]
    (result,) = getattr(answer, name)()(a, b)
    c, d = leaf([[2.0], [3.0]]), leaf([5.0])
    (other,) = getattr(answer, name)()(c, d)
    result.backward(start, retain_variables=True)
    found = {f"{name}.grad": plain(variable.grad) for name, variable in zip("ab", variables)}
    names = ("a", "b", "the gradient given")
    changed = [name for name, now, was in zip(names, (a, b, start), before) if now.data._version != was]
    other.backward(tensor([[1.0], [10.0]]))
    result.backward(start)
    gradient = tensor(gradient)
    result.creator.backward(gradient)
    changed += ["the gradient given"] * (gradient._version > 0)
    return {
        **found,
        "changed by it": changed,
        **{f"{name}.grad after a second backward": plain(variable.grad) for name, variable in zip("ab", variables)},
        "gradients of another call": [plain(c.grad), plain(d.grad)],
    }
