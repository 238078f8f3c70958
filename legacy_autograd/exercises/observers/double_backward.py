"""The probes of exercise 10: Mul and Pow that can be differentiated twice, and a hessian."""

import numpy

from ...autograd.later.backward_api import grad
from ...autograd.variable import Variable
from ...tensor import Tensor
from ..answer import attempt, plain
from .support import leaf, random_numbers, tensor


def derivatives(answer, name, a, b, order):
    """Return the gradients of a function of the operands, of its gradients, and so on, `order` times."""
    a, b = leaf(a), leaf(b)
    (result,) = getattr(answer, name)()(a, b)
    found = {"result": plain(result)}
    for number in range(1, order + 1):
        start = tensor(random_numbers(number, *result.size(), low=0.5)) if result.numel() > 1 else None
        # The usual backward first, with Tensors; then the one that is recorded.
        plainly = grad(result, [a, b], start, allow_unused=True)
        found |= {f"derivative {number} by {name}": plain(g) for name, g in zip("ab", plainly)}
        if number < order:
            by_a, by_b = grad(result, [a, b], start, create_graph=True, allow_unused=True)
            terms = [(g * weight).sum() for g, weight in ((by_a, 2), (by_b, 3)) if g is not None]
            result = sum(terms[1:], terms[0])
    return found


FUNCTIONS = {
    "x[0] ** 2 * x[1] + x[1] ** 3": lambda answer, x: x[0] * x[0] * x[1] + x[1] * x[1] * x[1],
    "the sum of x * x": lambda answer, x: (x * x).sum(),
    "the sum of x * 3, which is linear": lambda answer, x: (x * 3).sum(),
    "exp(x[0]), which does not use the rest of x": lambda answer, x: x[0].exp(),
    "the sum of x * w, where w is another leaf": lambda answer, x: (x * leaf([2.0, 3.0])).sum(),
    "the sum of Mul()(x, x)[0] * x": lambda answer, x: (answer.Mul()(x, x)[0] * x).sum(),
}


def derivatives_at_random(answer, name, seed):
    """First and second derivatives of op(a, b) * a * b for random operands; b may be a constant, or a itself."""
    random = numpy.random.default_rng(seed)
    size = tuple(int(n) for n in random.integers(1, 4, int(random.integers(1, 3))))
    low = 0.5 if name == "Pow" else -2.0
    a, b = leaf(random.uniform(low, 2, size).tolist()), leaf(random.uniform(-2, 2, size).tolist(), seed % 3 > 0)
    if seed % 5 == 4:
        b = a
    operands = [a, b] if b.requires_grad and b is not a else [a]
    before = [plain(a), plain(b)]
    (first,) = getattr(answer, name)()(a, b)
    getattr(answer, name)()(leaf([1.5]), leaf([2.5]))  # another call in between
    total = (first * a * b).sum()
    plainly = grad(total, operands, retain_graph=True)
    recorded = grad(total, operands, create_graph=True)
    seconds = grad(sum((g * g).sum() for g in recorded), operands)
    return {
        "result": plain(first),
        **{f"derivative 1 by {name}": plain(g) for name, g in zip("ab", plainly)},
        **{f"derivative 1 by {name}, recorded": plain(g) for name, g in zip("ab", recorded)},
        **{f"derivative 2 by {name}": plain(g) for name, g in zip("ab", seconds)},
        "operands that have changed": [name for name, v, was in zip("ab", (a, b), before) if plain(v) != was],
    }


def hessian_and_more(answer, function, numbers):
    """Return the hessian of `function` at a leaf, and the side effects of the call."""
    x = leaf(numbers)
    (x * 5).backward(tensor(numbers).fill_(1))
    points, grad_before, version = [], x.grad, x.grad._version

    def noted(variable):
        points.append(plain(variable))
        return function(variable)

    result = answer.hessian(noted, x)
    return {
        "hessian": plain(result),
        "hessian is": "a Tensor" if isinstance(result, (Tensor, Variable)) else f"a {type(result).__name__}",
        "x.grad": plain(x.grad),
        "x.grad was written into": x.grad is not grad_before or x.grad._version != version,
        "x.data": plain(x),
        "function was asked at other points": any(point != numbers for point in points),
    }


def hessian_of(answer, function, numbers):
    return hessian_and_more(answer, lambda variable: FUNCTIONS[function](answer, variable), numbers)


def cubic(seed):
    """A random x, and weights u, v, w and c for (x·u) (x·v) (x·w) + c·x³; u and c may be large."""
    numbers = numpy.random.default_rng(seed).uniform(-2, 2, (5, 1 + seed % 7))
    numbers[[1, 4]] *= (1, 1e4, 1e8)[seed % 3]
    return numbers


def hessian_at_random(answer, seed):
    x, *weights = cubic(seed).tolist()

    def function(variable):
        u, v, w, c = [leaf(weight, requires_grad=False) for weight in weights]
        product = (variable * u).sum() * (variable * v).sum() * (variable * w).sum()
        return product + (variable * variable * variable * c).sum()

    return hessian_and_more(answer, function, x)


def hessian_that_raises(answer):
    def function(variable):
        raise ArithmeticError("the function has no value there")

    ended = attempt(answer.hessian, function, leaf([1.0, 2.0]))
    return {"the call": ended if isinstance(ended, str) else f"a {type(ended).__name__} is returned"}
