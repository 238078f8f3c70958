"""Exercise 10: Mul and Pow that can be differentiated twice, and a hessian."""

import types

import numpy

from ...autograd import functions
from .. import template
from ..model import Exercise, agree
from ..observers.double_backward import (
    cubic,
    derivatives,
    derivatives_at_random,
    hessian_at_random,
    hessian_of,
    hessian_that_raises,
)
from ..observers.support import random_numbers

exercise = Exercise(
    title="Double backward, and a hessian",
    minutes=60,
    reference=types.SimpleNamespace(Mul=functions.Mul, Pow=functions.Pow),
    withheld=("autograd/later/functional.py:hessian",),
    groups=template.groups("10_double_backward"),
    method="backward",
)

_WITH_VARIABLES = "compute with the Variables in grad_output and saved_tensors: no .data, no numpy"
_IN_PLACE = ("needed for gradient computation", "an operand or a gradient was written into: use mul, not mul_")
_HISTORY = [(name, _WITH_VARIABLES) for name in ("RuntimeError", "TypeError", "AttributeError")]


_CHAIN_RULE = "multiply by grad_output: here it is not 1"
_PART = (
    "the first derivatives are correct, but part of their graph is missing: compute all of backward from "
    "self.saved_tensors and grad_output"
)


def check(name, title, a, b, order, mistakes=(), hidden=False):
    @exercise.check(name.lower(), hidden, name=f"{name.lower()}_{title.replace(' ', '_')}", title=f"{name}, {title}")
    def run(trial):
        sign = {"Mul": "*", "Pow": "**"}[name]
        keys = ["result"] + [f"derivative {number} by {operand}" for number in range(1, order + 1) for operand in "ab"]
        on = f"a {sign} b with a = {a}, b = {b}, differentiated {['', 'once', 'twice', 'three times'][order]}"
        part = (exercise.right(derivatives, name=name, a=a, b=b, order=1), _PART)
        one, other = numpy.array(a), numpy.array(b)
        by_a, by_b = (other, one) if name == "Mul" else (other * one ** (other - 1), one**other * numpy.log(one))
        bare = ({"derivative 1 by a": by_a.tolist(), "derivative 1 by b": by_b.tolist()}, _CHAIN_RULE)
        trial.same(
            derivatives, on, [*mistakes, _IN_PLACE, *_HISTORY, part, bare],
            only=keys, tolerance=1e-8, name=name, a=a, b=b, order=order,
        )  # fmt: skip


def check_at_random(name):
    title = f"{name}, of random operands: of several sizes, with a constant, and with one operand twice"

    @exercise.check(name.lower(), hidden=True, name=f"{name.lower()}_at_random", title=title)
    def run(trial):
        operation = {"Mul": "a * b", "Pow": "a ** b"}[name]
        for seed in range(10):
            right = exercise.right(derivatives_at_random, name=name, seed=seed)
            first = {key: value for key, value in right.items() if "derivative 1" in key}
            trial.same(
                derivatives_at_random,
                f"the sum of ({operation}) * a * b for random a and b (seed {seed})"
                + (", b a constant" if seed % 3 == 0 else "") + (", b is a" if seed % 5 == 4 else "")
                + ", its gradient, and the gradient of the sum of squares of that",
                [
                    _IN_PLACE,
                    *_HISTORY,
                    (lambda got: got["operands that have changed"], "an operand was written into: use mul, not mul_"),
                    (first, _PART),
                    (lambda got: True, "each element has its own derivative and sign; multiply it by grad_output, "
                     "which has a graph too"),
                ],
                tolerance=1e-7, name=name, seed=seed,
            )  # fmt: skip


check("Mul", "once", [2.0], [5.0], 1, [
    ({"derivative 1 by a": [2]}, "the gradient of a holds b, and that of b a"),
    ({"derivative 1 by b": [10]}, "grad_output was written into before it was used again: use mul, not mul_"),
])  # fmt: skip
check("Mul", "twice", [2.0], [5.0], 2, [
    ({"derivative 2 by a": None, "derivative 2 by b": None},
     "the gradients no longer depend on a and b: their graph is missing"),
])  # fmt: skip
check("Mul", "of several elements", random_numbers(1, 2, 2), random_numbers(2, 2, 2), 2, hidden=True)
check("Pow", "once", [2.0], [3.0], 1, [
    ({"derivative 1 by a": [24]}, "a ** (b - 1): the exponent is one less"),
    ({"derivative 1 by a": [4]}, "the derivative of a ** b by a has the factor b"),
    ({"derivative 1 by b": [8]}, "the derivative of a ** b by b has the factor ln a"),
    ({"derivative 1 by b": None}, "b may require a gradient as well"),
])  # fmt: skip
check("Pow", "twice", [2.0], [3.0], 2, [
    ({"derivative 2 by a": [24]},
     "the gradient of a depends on b too, and that of b depends on a: part of the graph is missing"),
])  # fmt: skip
check("Pow", "three times", [2.0, 1.5], [3.0, -0.5], 3, hidden=True)
check("Pow", "of several elements", random_numbers(3, 2, 3, low=0.5), random_numbers(4, 2, 3, low=0.5), 2, hidden=True)

check_at_random("Mul")
check_at_random("Pow")


def check_hessian(name, function, numbers, expected, mistakes=(), hidden=False):
    @exercise.check("hessian", hidden, name=f"hessian_{name}", title=function)
    def run(trial):
        trial.expect(
            hessian_of, all_of(expected, numbers), f"{function}, at x = {numbers}",
            [*left_by(numbers), *mistakes, (lambda got: agree(expected, got["hessian"], 1e-3), _NEARLY)],
            function=function, numbers=numbers,
        )  # fmt: skip


def all_of(expected, numbers):
    return {
        "hessian": expected,
        "hessian is": "a Tensor",
        "x.grad": [5.0] * len(numbers),
        "x.grad was written into": False,
        "x.data": numbers,
        "function was asked at other points": False,
    }


_NEARLY = "nearly correct, but finite differences are not exact: differentiate the gradient"


def left_by(numbers):
    """Return the reasons for side effects of hessian at x = `numbers`."""
    return [
        (lambda got: got["hessian is"] != "a Tensor", "hessian returns a Tensor of size (n, n)"),
        (lambda got: got["x.data"] != numbers, "do not change x.data"),
        (lambda got: got["function was asked at other points"], _NEARLY),
        (lambda got: got["x.grad"] != [5.0] * len(numbers),
         "do not change x.grad; use torch.autograd.grad, which adds nothing to it"),
        (lambda got: got["x.grad was written into"], "x.grad has its old numbers, but it was written into: use "
         "torch.autograd.grad, which adds nothing to it"),
    ]  # fmt: skip


check_hessian("of_two", "x[0] ** 2 * x[1] + x[1] ** 3", [2.0, 3.0], [[6, 4], [4, 18]], [
    ({"hessian": [[6, 0], [0, 18]]}, "only the diagonal: the second derivatives by two different elements are missing"),
    ({"hessian": [[10, 0], [0, 22]]}, "these are sums of rows: a row for every element of the gradient"),
    ({"hessian": [10, 22]}, "these are sums of rows: a row for every element of the gradient"),
    ({"hessian": [[6, 4], [0, 18]]}, "half of the matrix is missing: the matrix is symmetric"),
    ({"hessian": [[6, 0], [4, 18]]}, "half of the matrix is missing: the matrix is symmetric"),
    ({"hessian": [[6, 4], [6, 4]]}, "every row is the first"),
    ({"hessian": [[6, 4], [10, 22]]}, "the rows were accumulated; start each row from zeros"),
    ({"hessian": [[0, 0], [0, 0]]}, "without create_graph=True the gradient has no graph"),
    ("RuntimeError", "without create_graph=True the gradient has no graph"),
    ("AttributeError", "without create_graph=True the gradient is a Tensor, which has no graph"),
    ("TypeError", "without create_graph=True the gradient is a Tensor, which has no graph"),
])  # fmt: skip
check_hessian("of_squares", "the sum of x * x", [1.0, 2.0, 3.0], [[2, 0, 0], [0, 2, 0], [0, 0, 2]], hidden=True)
_NO_HISTORY = "the gradient of a linear function is constant: check requires_grad and leave zeros"
check_hessian("of_a_linear_function", "the sum of x * 3, which is linear", [1.0, 2.0], [[0, 0], [0, 0]], [
    ("RuntimeError", _NO_HISTORY),
], hidden=True)  # fmt: skip
check_hessian("of_a_part", "exp(x[0]), which does not use the rest of x", [0.0, 2.0], [[1, 0], [0, 0]], hidden=True)
check_hessian("with_another_leaf", "the sum of x * w, where w is another leaf", [1.0, 2.0], [[0, 0], [0, 0]], [
    ("RuntimeError", "the gradient depends on w, not on x: grad needs allow_unused=True and returns None"),
    ("AttributeError", "the gradient depends on w, not on x: grad returns None there, and the row stays zero"),
    ("TypeError", "the gradient depends on w, not on x: grad returns None there, and the row stays zero"),
], hidden=True)  # fmt: skip
check_hessian("of_your_mul", "the sum of Mul()(x, x)[0] * x", [1.0, 2.0], [[6, 0], [0, 12]], _HISTORY, hidden=True)


@exercise.check("hessian", hidden=True)
def of_random_cubics(trial):
    """Random functions of one to seven elements, with small and large second derivatives."""
    for seed in range(14):
        x, u, v, w, c = cubic(seed)
        parts = [(u, v, w), (v, w, u), (w, u, v)]
        right = sum((x @ third) * (numpy.outer(one, two) + numpy.outer(two, one)) for one, two, third in parts)
        right = right + numpy.diag(6 * c * x)
        half = [numpy.triu(right), numpy.tril(right)]
        trial.expect(
            hessian_at_random, all_of(right.tolist(), x.tolist()),
            f"(x·u) (x·v) (x·w) + the sum of c x³, at a random x with {len(x)} elements (seed {seed})",
            [
                *left_by(x.tolist()),
                *[({"hessian": found.tolist()}, "half of the matrix is missing") for found in half if len(x) > 1],
                (lambda got, right=right: agree(right.tolist(), got["hessian"], 1e-3), _NEARLY),
                (lambda got: True, "row i is the gradient of element i of the gradient, for every i"),
            ],
            seed=seed,
        )  # fmt: skip


@exercise.check("hessian", hidden=True)
def of_a_function_that_raises(trial):
    """An exception in the function reaches the caller of hessian."""
    trial.expect(
        hessian_that_raises, {"the call": "ArithmeticError is raised"}, "a function that raises an ArithmeticError",
        [(lambda got: True, "an exception in the function must reach the caller: do not use try and except")],
    )  # fmt: skip
