"""Short exercises of notebook 5, writing Functions."""

import math

from ...autograd import Variable
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Case, written

_NUMBERS = [-2.0, -0.5, 0.0, 0.3, 1.5]
_GRADIENT = [1.0, -2.0, 3.0, 0.5, 10.0]


def _cases(answer, value, derivative, mistakes):
    """The values and the gradients of the student's Function, at five points with five different gradients."""
    for on, numbers, gradient in [("one number", [0.3], [2.0]), ("five numbers", _NUMBERS, _GRADIENT)]:
        x = Variable(DoubleTensor(numbers))
        written(answer().forward(DoubleTensor(numbers)))
        (result,) = answer()(x)
        yield Case(f"forward of {on}", plain(result.data), [value(number) for number in numbers])
        result.backward(DoubleTensor(gradient))
        right = [derivative(number) * g for number, g in zip(numbers, gradient)]
        named = tuple(
            ([wrong(n) * (g if times else 1) for n, g in zip(numbers, gradient)], why) for wrong, times, why in mistakes
        )
        yield Case(f"backward of {on}, grad_output = {gradient}", plain(x.grad), right, named)
        yield Case(f"the input after backward, {on}", plain(x.data), numbers)


def case_1(answer):
    """`answer`: the Function class Tanh."""

    def derivative(x):
        return 1 - math.tanh(x) ** 2

    mistakes = (
        (derivative, False, "multiply by grad_output: the chain rule"),
        (lambda x: 1 - math.tanh(x), True, "the tanh is squared"),
        (lambda x: 1 - x**2, True, "the derivative needs the result, tanh(x), and not x"),
    )
    yield from _cases(answer, math.tanh, derivative, mistakes)


def case_2(answer):
    """`answer(f, x)`: a one-sided numerical derivative with an error below 1e-7."""
    for on, f, x, right in [
        ("f = sin, x = 1", math.sin, 1.0, math.cos(1.0)),
        ("f = exp, x = 0", math.exp, 0.0, 1.0),
        ("f(x) = x³, x = -1", lambda x: x**3, -1.0, 3.0),
    ]:
        got = answer(f, x)
        if isinstance(got, (int, float)):
            error = abs(got - right)
            why = "the step is too large or too small: try 1e-8, where truncation and rounding are about equal"
            if error > 0.1:
                why = "this is not near the derivative: divide the change of the result by eps"
            yield Case(on, "error below 1e-7" if error < 1e-7 else got, "error below 1e-7", ((got, why),))
        else:
            yield Case(on, got, right)


def case_3(answer):
    """`answer`: the Function class Clip, straight-through inside -1 … 1."""

    def inside(x):
        return float(-1 <= x <= 1)

    mistakes = (
        (lambda x: 1.0, True, "outside of the limits the gradient is 0"),
        (inside, False, "multiply by grad_output"),
        (lambda x: 1 - inside(x), True, "this lets the gradient through outside of the limits"),
    )
    yield from _cases(answer, lambda x: min(1.0, max(-1.0, x)), inside, mistakes)
