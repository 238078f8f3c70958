"""Short exercises of notebook 5, writing Functions."""

import math

from ...autograd import Variable
from ..answer import plain
from ..model import agree
from ..practice import case, seen, written
from ..programs import short
from ..programs.inputs import made
from .watching import Watched, described, tolerance_of


def _cases(seed, answer, value, derivative, *mistakes, most=2):
    """The values and the gradients of two instances of the student's Function, whose backwards run in turn.

    value, derivative: functions of a Tensor, whose numbers are at most `most` times the ordinary ones.
    """
    for kind, factor, texts in short.operands_and_gradients(seed, answer, most):
        first, second, *gradients = [made(text) for text in texts]
        written(answer().forward(made(texts[0])))
        inputs = Watched(x=first, another=second)
        x, another = Variable(first), Variable(second)
        (result,), (other,) = answer()(x), answer()(another)
        was = result.data
        direct, watched = answer(), Watched(grad_output=gradients[0])
        direct(Variable(made(texts[0])))  # the engine passes copies: `backward` itself must not write into its argument
        right = [described(gradient * derivative(first)) for gradient in gradients]
        answer()(Variable(made(texts[1])))  # whose input may have the id of that one, which is gone
        elsewhere = described(gradients[2] * derivative(second))
        named = (
            (inputs.written_into("x"), "the input was changed in place: `forward` and `backward` return new tensors"),
            (watched.written_into("grad_output"), "grad_output was changed in place; another Function may hold it"),
            *(({key: described(wrong(operand, gradients[place]))}, why) for wrong, why in mistakes
              for key, operand, place in (("backward", first, 0), ("backward of another instance", second, 2))),
            (lambda got: str(got["backward"])[:9] != str(got["forward"])[:9], "the gradient must have the type of `x`"),
            (lambda got, right=right[0]: agree(right, got["backward"], 1e-5),
             "each instance and each backward computes its own: what is kept, and where?"),
        )  # fmt: skip
        forward = {"forward": (described(value(first)), described(result.data)), **inputs.parts()}
        if not agree(*forward["forward"], tolerance_of(kind)):
            del forward["another afterwards"], forward["writes into another"]
            yield seen(f"forward of x = {texts[0]}", forward, *named[:1], tolerance=tolerance_of(kind))
            continue
        parts = {
            **forward,
            "backward": (right[0], _returned(direct, gradients[0])),
            **watched.parts(),
            "x.grad": (right[0], _gradient(result, x, gradients[0])),
            "backward of another instance": (elsewhere, _gradient(other, another, gradients[2])),
            "a second backward": (right[1], _gradient(result, x, gradients[1])),
            "a third backward": (right[3], _gradient(result, x, gradients[3])),
            **inputs.parts(),
            "the result afterwards": (described(value(first)), described(was)),
        }
        if "expand" not in texts[2]:
            doubled = described(gradients[0].mul_(2) * derivative(made(texts[0])))
            parts["backward of the same tensor with its numbers doubled"] = doubled, _returned(direct, gradients[0])
        if "expand" not in texts[0]:
            first.copy_(made(f"{kind}({plain(first)[::-1]})"))
            other_order = described(value(first)), described(answer()(Variable(first))[0].data)
            parts["forward of the same tensor with its numbers reversed"] = other_order
        on = (
            f"x = {texts[0]}, grad_output = {texts[2]}; then another instance, x = {texts[1]}; "
            f"then grad_output = {texts[3]}, then {texts[5]}"
        )
        yield seen(on, parts, *named, tolerance=tolerance_of(kind) * factor)


def _returned(function, gradient):
    """Return what `backward` returns, or what is in its tuple of one."""
    result = written(function.backward(gradient))
    return described(result[0] if isinstance(result, tuple) and len(result) == 1 else result)


def _gradient(result, x, gradient):
    """Return the gradient of `x` of one backward."""
    x.grad.zero_()
    result.backward(gradient)
    return described(x.grad.clone())


def case_1(answer):
    """`answer`: the Function class Tanh."""
    yield from _cases(51, answer, lambda x: x.tanh(), _slope,
        (lambda x, g: _slope(x), "multiply by grad_output: the chain rule"),
        (lambda x, g: g * (-x.tanh() + 1), "the tanh is squared"),
        (lambda x, g: g * (-(x * x) + 1), "the derivative needs the result, tanh(x), and not x"))  # fmt: skip


def _slope(x):
    return -(x.tanh() * x.tanh()) + 1


def case_2(answer):
    """`answer(f, x)`: a one-sided numerical derivative with an error below 1e-7."""
    points, a, b = [], 0.0, 0.0

    def f(x):  # one function, which reads other numbers in each turn
        points.append(x)
        return a * x * x + b * math.cos(x)

    for a, b, x in short.squares_and_cosines():
        points.clear()
        on, right = f"f(x) = {a} x² + {b} cos(x), x = {x}", 2 * a * x - b * math.sin(x)
        got = written(answer(f, x))
        if not isinstance(got, (int, float)):
            yield case(on, got, right)
            continue
        error = abs(got - right)
        why = "the step is too large or too small: try 1e-8, where truncation and rounding are about equal"
        if not error <= 0.1:
            why = "this is not near the derivative: divide the change of the result by eps"
        parts = {"error": ("below 1e-7", "below 1e-7" if error < 1e-7 else got)}
        parts["f is called at"] = ["x", "x + eps"], _places(points, x)
        yield seen(on, parts,
            ("f is called at", "one-sided differences call f at x and at x + eps, and nowhere else"),
            (lambda got: True, why))  # fmt: skip


def _places(points, x):
    """Name the points at which f was called: "x", "x + eps", "x - eps"; the first two for any right answer."""
    places = {"x" if point == x else "x + eps" if point > x else "x - eps" for point in points}
    above = {point for point in points if point > x}
    return sorted(places) + [f"{len(above)} points above x"] * (len(above) > 1)


def case_3(answer):
    """`answer`: the Function class Clip, straight-through inside -1 … 1."""

    def inside(x):
        return x.abs().le(1).type_as(x)

    yield from _cases(53, answer, lambda x: x.clamp(-1, 1), inside,
        (lambda x, g: inside(x), "multiply by grad_output"),
        (lambda x, g: g * 1, "outside of the limits the gradient is 0"),
        (lambda x, g: g * (-inside(x) + 1), "this lets the gradient through outside of the limits"),
        (lambda x, g: g * x.abs().lt(1).type_as(x), "the limits themselves, −1 and 1, are inside"),
        most=math.inf)  # fmt: skip
