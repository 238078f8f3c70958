"""Exercise 10: Mul and Pow that can be differentiated twice, and a hessian."""

import types

from ...autograd import functions
from ...autograd.later.backward_api import grad
from .. import template
from ..model import Exercise, agree, plain
from ..sandbox.blocked import paths_of
from .support import leaf, random_numbers, tensor

exercise = Exercise(
    title="Double backward, and a hessian",
    minutes=60,
    reference=types.SimpleNamespace(Mul=functions.Mul, Pow=functions.Pow),
    withheld=(*paths_of("Mul", "Pow"), "legacy_autograd.autograd.later.functional:hessian"),
    groups=template.groups("10_double_backward"),
)


@exercise.probe
def derivatives(answer, name, a, b, order):
    """The gradients of a function of the operands, of its gradients, and so on, `order` times."""
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


@exercise.probe
def hessian_of(answer, function, numbers):
    x = leaf(numbers)
    (x * 5).backward(tensor(numbers).fill_(1))
    result = answer.hessian(lambda variable: FUNCTIONS[function](answer, variable), x)
    return {"hessian": plain(result), "x.grad": plain(x.grad)}


_WITH_VARIABLES = "compute with the Variables that backward gets and save_for_backward kept: no .data, no numpy"
_HISTORY = [(name, _WITH_VARIABLES) for name in ("RuntimeError", "TypeError", "AttributeError")]


_PART = (
    "the first derivatives are right, but what they depend on is lost in part: compute all of backward from "
    "self.saved_tensors and grad_output"
)


def check(name, title, a, b, order, mistakes=(), hidden=False):
    @exercise.check(name.lower(), hidden, name=f"{name.lower()}_{title.replace(' ', '_')}", title=f"{name}, {title}")
    def run(trial):
        sign = {"Mul": "*", "Pow": "**"}[name]
        keys = ["result"] + [f"derivative {number} by {operand}" for number in range(1, order + 1) for operand in "ab"]
        on = f"a {sign} b with a = {a}, b = {b}, differentiated {['', 'once', 'twice', 'three times'][order]}"
        part = (derivatives(exercise.reference, name=name, a=a, b=b, order=1), _PART)
        trial.same(
            derivatives, on, [*mistakes, *_HISTORY, part], only=keys, tolerance=1e-8, name=name, a=a, b=b, order=order
        )


check("Mul", "once", [2.0], [5.0], 1, [({"derivative 1 by a": [2]}, "the gradient of a holds b, and that of b a")])
check("Mul", "twice", [2.0], [5.0], 2, [
    ({"derivative 2 by a": None, "derivative 2 by b": None},
     "the gradients do not depend on a and b any more: their history was lost"),
])  # fmt: skip
check("Mul", "of several elements", random_numbers(1, 2, 2), random_numbers(2, 2, 2), 2, hidden=True)
check("Pow", "once", [2.0], [3.0], 1, [
    ({"derivative 1 by a": [24]}, "a ** (b - 1): the exponent is one less"),
    ({"derivative 1 by a": [4]}, "the derivative of a ** b by a has the factor b"),
    ({"derivative 1 by b": [8]}, "the derivative of a ** b by b has the factor ln a"),
    ({"derivative 1 by b": None}, "b may require a gradient as well"),
])  # fmt: skip
check("Pow", "twice", [2.0], [3.0], 2, [
    ({"derivative 2 by a": [24]}, "the gradient by a depends on b too, and that by b on a: part of it is lost"),
])  # fmt: skip
check("Pow", "three times", [2.0, 1.5], [3.0, -0.5], 3, hidden=True)
check("Pow", "of several elements", random_numbers(3, 2, 3, low=0.5), random_numbers(4, 2, 3, low=0.5), 2, hidden=True)


def check_hessian(name, function, numbers, expected, mistakes=(), hidden=False):
    @exercise.check("hessian", hidden, name=f"hessian_{name}", title=function)
    def run(trial):
        trial.expect(
            hessian_of, {"hessian": expected, "x.grad": [5.0] * len(numbers)}, f"{function}, at x = {numbers}",
            [*mistakes, ({"hessian": expected}, _KEPT), (lambda got: agree(expected, got["hessian"], 1e-3), _NEARLY)],
            function=function, numbers=numbers,
        )  # fmt: skip


_NEARLY = "nearly, but differences of neighbouring points are not derivatives: differentiate the gradient"
_KEPT = "x.grad is somebody else's; use torch.autograd.grad, which adds nothing to it"
check_hessian("of_two", "x[0] ** 2 * x[1] + x[1] ** 3", [2.0, 3.0], [[6, 4], [4, 18]], [
    ({"hessian": [[6, 0], [0, 18]]}, "only the diagonal: the second derivatives by two different elements are missing"),
    ({"hessian": [[10, 0], [0, 22]]}, "these are sums of rows: a row for every element of the gradient"),
    ({"hessian": [10, 22]}, "these are sums of rows: a row for every element of the gradient"),
    ({"hessian": [[6, 4], [6, 4]]}, "every row is the first"),
    ({"hessian": [[6, 4], [10, 22]]}, "the rows were added up; each begins with zeros"),
    ({"hessian": [[0, 0], [0, 0]]}, "without create_graph=True the gradient has no history"),
    ("RuntimeError", "without create_graph=True the gradient has no history"),
    ("AttributeError", "without create_graph=True the gradient is a Tensor, which has no history"),
    ("TypeError", "without create_graph=True the gradient is a Tensor, which has no history"),
])  # fmt: skip
check_hessian("of_squares", "the sum of x * x", [1.0, 2.0, 3.0], [[2, 0, 0], [0, 2, 0], [0, 0, 2]], hidden=True)
_NO_HISTORY = "the gradient of a linear function is constant: ask requires_grad, and leave zeros"
check_hessian("of_a_linear_function", "the sum of x * 3, which is linear", [1.0, 2.0], [[0, 0], [0, 0]], [
    ("RuntimeError", _NO_HISTORY),
], hidden=True)  # fmt: skip
check_hessian("of_a_part", "exp(x[0]), which does not use the rest of x", [0.0, 2.0], [[1, 0], [0, 0]], hidden=True)
check_hessian("with_another_leaf", "the sum of x * w, where w is another leaf", [1.0, 2.0], [[0, 0], [0, 0]], [
    ("RuntimeError", "the gradient depends on w, not on x: grad needs allow_unused=True, and answers None"),
    ("AttributeError", "the gradient depends on w, not on x: grad answers None there, and the row stays zeros"),
    ("TypeError", "the gradient depends on w, not on x: grad answers None there, and the row stays zeros"),
], hidden=True)  # fmt: skip
check_hessian("of_your_mul", "the sum of Mul()(x, x)[0] * x", [1.0, 2.0], [[6, 0], [0, 12]], _HISTORY, hidden=True)
