"""Exercise 1: `backward` of Sub, Mul, Div, Exp, Sigmoid and Abs."""

import numpy

from ...autograd import functions
from .. import template
from ..model import Exercise, agree
from ..observers.local_derivatives import derivative, names_of, of_two_instances, what_is_left
from ..observers.support import random_numbers

_CHAIN_RULE = "multiply by grad_output, the gradient of the result: backward was asked with one that is not 1"
_IN_PLACE = "grad_output, an operand or the result was written into: use methods without _ at their end"
_MEAN = "some numbers are correct and others are not: each element has its own derivative and sign"
_BY_HEART = "these are the gradients of the visible example as constants, not a formula"

exercise = Exercise(
    title="Local derivatives",
    minutes=45,
    reference=functions,
    withheld=(
        *[f"autograd/functions/basic_ops.py:{name}.backward" for name in ("Sub", "Mul", "Div")],
        *[f"autograd/functions/pointwise.py:{name}" for name in ("Exp.backward", "Sigmoid.gradient", "Abs.backward")],
    ),
    groups=template.groups("01_local_derivatives"),
    method="backward",
)


def right_in_one_place(right, got):
    """Return whether any number of a gradient is correct."""
    pairs = [(numpy.array(value), got.get(key)) for key, value in right.items()]
    pairs = [(one, numpy.array(other)) for one, other in pairs if isinstance(other, list)]
    return any(one.shape == other.shape and numpy.isclose(one, other).any() for one, other in pairs)


def _of_instances(first, other):
    """Return the reasons for wrong gradients of two instances."""
    again = {f"{key} in a {turn} backward": first[key] for key in first for turn in ("second", "third")}
    return [
        ("modified by an inplace", _IN_PLACE),
        (other,
         "these are the gradients of the other instance: each has its own operands, so store nothing on the class"),
        (lambda got: agree(first, got) and not agree(again, got),
         "a later backward returns something else than the first: keep no counter, and write into no tensor"),
        (lambda got: agree(first, got), "the other instance gets this one's gradients, or those of an earlier call: "
         "each has its own operands, so store nothing on the class"),
        (lambda got: right_in_one_place(first, got), _MEAN),
    ]  # fmt: skip


def operation(name, example, mistakes, inputs):
    """Register the four checks of one operation.

    `mistakes` are (number of the operand, function of the operands and of g over numpy, sentence); `inputs` are
    (operands, gradient) of the second check.
    """
    group, names = name.lower(), names_of(example[0])

    def on(operands, gradient):
        return f"{name} with {', '.join(f'{n} = {o}' for n, o in zip(names, operands))} and grad_output = {gradient}"

    def right(operands, gradient):
        """The gradients of the operands."""
        found = derivative(exercise.reference, name=name, operands=operands, gradient=gradient)
        return {key: value for key, value in found.items() if key != "tensors that were written into"}

    def ask(trial, operands, gradient):
        arrays, g = [numpy.array(operand) for operand in operands], numpy.array(gradient)
        with numpy.errstate(all="ignore"):
            known = [(lambda got: got["tensors that were written into"] != "none", _IN_PLACE)]
            known += [
                ({f"gradient of {names[position]}": wrong(*arrays, g).tolist()}, sentence)
                for position, wrong, sentence in mistakes
            ]
            bare = right(operands, numpy.ones_like(g).tolist())
            known += [({key: value}, _CHAIN_RULE) for key, value in bare.items()]
            if (operands, gradient) != example:
                known.append((right(*example), _BY_HEART))
            if len(names) == 2:
                written = derivative(exercise.reference, name, operands, (g * arrays[1]).tolist())["gradient of b"]
                known.append(({"gradient of b": written}, _IN_PLACE))
            known.append((lambda got: len(g.ravel()) > 1 and right_in_one_place(right(operands, gradient), got), _MEAN))
            trial.same(derivative, on(operands, gradient), known, name=name, operands=operands, gradient=gradient)

    def check(suffix, title, hidden=True):
        return exercise.check(group, hidden, name=f"{group}_{suffix}", title=f"{name}: {title}")

    @check("example", "the gradients of one example are correct", hidden=False)
    def right_for_the_example(trial):
        ask(trial, *example)

    @check("numbers", "the gradients for other numbers, shapes and gradients are correct")
    def right_for_others(trial):
        for operands, gradient in [*inputs, _of_all_sizes(name, len(names))]:
            ask(trial, operands, gradient)

    @check("instances", "two instances of it, random numbers of either sign, a second backward")
    def right_for_two_instances(trial):
        for seed, size in enumerate([(1,), (3,), (2, 1, 2, 1, 2)], len(names) + 10 * len(name)):
            draw = [random_numbers(seed + step, *size) for step in (100, 200, 300, 400, 500)]
            operands, others, gradient = draw[: len(names)], draw[2 : 2 + len(names)], draw[4]
            if name == "Div":
                operands, others = [[pair[0], _away_from_zero(pair[1])] for pair in (operands, others)]
            words = f"two instances, called with {operands} and with {others}, and grad_output = {gradient}"
            known = _of_instances(right(operands, gradient), right(others, gradient))
            trial.same(of_two_instances, words, known, name=name, operands=operands, others=others, gradient=gradient)

    @check("inputs", "backward changes neither its argument nor the operands")
    def changes_nothing(trial):
        operands, gradient = inputs[0]
        before = {**dict(zip(names, operands)), "grad_output": gradient}
        before["times written into"] = [0] * len(before)
        trial.expect(
            what_is_left, before, f"{on(operands, gradient)}, looked at after backward",
            [({}, "a method whose name ends in _ writes into its tensor, which other code still reads; "
              "use the one without _")],
            name=name, operands=operands, gradient=gradient,
        )  # fmt: skip


def _away_from_zero(numbers):
    array = numpy.array(numbers)
    return numpy.where(array < 0, array - 0.5, array + 0.5).tolist()


def _of_all_sizes(name, count):
    """Return `count` operands and a gradient of 30 numbers each, from 1e-9 to 1e10, with both signs."""
    random = numpy.random.default_rng(len(name) + 10 * count)

    def draw(low, high):
        numbers = random.choice([-1, 1], 30) * 10 ** random.uniform(low, high, 30)
        return [float(f"{number:.3g}") for number in numbers]

    high = 1.3 if name in ("Exp", "Sigmoid") else 10  # e ** 20 is a number, e ** 1000 is inf
    return [draw(-9 if name != "Div" else -2, high) for _ in range(count)], draw(-9, 10)


def two(seed, low=-2.0):
    """Return operands of shape (2, 3) with a gradient, and operands of one element."""
    return [
        ([random_numbers(seed, 2, 3), random_numbers(seed + 1, 2, 3, low=low)], random_numbers(seed + 2, 2, 3)),
        ([[-1.5], [0.5]], [-3.0]),
    ]


def one(seed, *more):
    return [([random_numbers(seed, 2, 3)], random_numbers(seed + 1, 2, 3)), *more]


operation(
    "Sub", ([[5.0], [3.0]], [2.0]),
    [
        (1, lambda a, b, g: g, "b is subtracted, so its gradient has the other sign"),
        (0, lambda a, b, g: -g, "a is not subtracted; the order of the gradients is that of the operands"),
    ],
    two(10),
)  # fmt: skip
operation(
    "Mul", ([[5.0], [3.0]], [2.0]),
    [
        (0, lambda a, b, g: g * a, "the gradient of a holds b, and that of b holds a: these are exchanged"),
        (0, lambda a, b, g: g + b, "a derivative is multiplied by grad_output, not added to it"),
    ],
    two(20),
)  # fmt: skip
operation(
    "Div", ([[6.0], [4.0]], [2.0]),
    [
        (1, lambda a, b, g: g * a / b**2, "a / b decreases when b increases: the gradient of b has a minus sign"),
        (1, lambda a, b, g: -g * a / b, "the derivative of 1 / b is -1 / b²; this is -1 / b"),
        (1, lambda a, b, g: -g / b**2, "the derivative of a / b by b has the factor a"),
        (0, lambda a, b, g: g * b, "a is divided by b, and so is its gradient"),
    ],
    two(30, low=0.5),
)  # fmt: skip
operation(
    "Exp", ([[1.5]], [2.0]),
    [
        (0, lambda x, g: g * x, "the derivative of e ** x is e ** x, the result; this is x times the gradient"),
        (0, lambda x, g: g * numpy.exp(numpy.exp(x)), "the saved tensor is already e ** x; do not apply exp again"),
    ],
    one(40, ([[9.0, -9.0]], [100.0, -100.0])),
)  # fmt: skip
operation(
    "Sigmoid", ([[0.5]], [2.0]),
    [
        (0, lambda x, g: g / (1 + numpy.exp(-x)), "this is s alone; the derivative is s (1 - s)"),
        (0, lambda x, g: g * numpy.exp(-x) / (1 + numpy.exp(-x)), "this is 1 - s alone; the derivative is s (1 - s)"),
        (0, lambda x, g: g * x * (1 - x), "in s (1 - s), s is the result; this is x (1 - x)"),
        (0, lambda x, g: numpy.where(x < -700, numpy.nan, g / (2 + numpy.exp(-x) + numpy.exp(x))),
         "e ** 800 is inf, and inf / inf is nan; use a formula of the saved s, which does not overflow"),
    ],
    one(50, ([[6.0, -7.0]], [2.0, 3.0]), ([[-800.0, 0.0, 800.0]], [1.0, 1.0, 1.0])),
)  # fmt: skip
operation(
    "Abs", ([[-3.0]], [2.0]),
    [
        (0, lambda x, g: g * numpy.where(x < 0, -1, 1), "the gradient at 0 must be 0; this is the slope right of 0"),
        (0, lambda x, g: g * numpy.where(x > 0, 1, -1), "the gradient at 0 must be 0; this is the slope left of 0"),
        (0, lambda x, g: numpy.where(x == 0, numpy.nan, g * numpy.sign(x)),
         "x / |x| is 0 / 0 at 0; the gradient there must be 0"),
        (0, lambda x, g: numpy.abs(g), "the derivative is the sign of x, times the gradient with the gradient's sign"),
        (0, lambda x, g: g * x, "the derivative of |x| is the sign of x, not x"),
    ],
    one(60, ([[-1.0, 0.0, 2.0]], [3.0, 3.0, -3.0])),
)  # fmt: skip
