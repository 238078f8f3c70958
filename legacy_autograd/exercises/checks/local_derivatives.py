"""Exercise 1: `backward` of Sub, Mul, Div, Exp, Sigmoid and Abs."""

import functools

import numpy

from ...autograd import functions
from ..model import Exercise, agree
from ..programs import local_derivatives as programs
from .reasons import later

exercise = Exercise(
    "01_local_derivatives",
    reference=vars(functions),
    withheld=(
        *[f"autograd/functions/basic_ops.py:{name}.backward" for name in ("Sub", "Mul", "Div")],
        *[f"autograd/functions/pointwise.py:{name}" for name in ("Exp.backward", "Sigmoid.gradient", "Abs.backward")],
    ),
    method="backward",
    dimensions="type: Double, Double, Float, Half; layout; size: empty, one, 1-D, 2-D, 2-D, 3-D, 4-D; places: apart, "
    "twice, shared; again; hooks: none, one, raises; requires_grad: all, some; values: ordinary, zeros, "
    "cancel, nan, inf, -0, digits, large, small",
)

_CHAIN_RULE = "multiply by grad_output, the gradient of the result: backward was asked with one that is not 1"
_IN_PLACE = (
    "grad_output, an operand, the result or an earlier gradient was written into: use methods without _ at their end"
)
_MEAN = "some numbers are correct and others are not: each element has its own derivative and sign"
_TYPE = "a gradient has the type of its operand: compute with grad_output and the saved tensors, not with new tensors"


def _right_in_one_place(right, got):
    """Return whether any number of a wrong gradient is correct, and the others are numbers too."""
    keys = [key for key in right if key.endswith(".grad") or key.startswith("d")]
    keys = [key for key in keys if not agree(right[key], got.get(key))]
    pairs = [(_numbers_in(right[key]), _numbers_in(got.get(key))) for key in keys]
    return any(len(one) == len(other) > 1 and numpy.isclose(one, other, equal_nan=True).any() for one, other in pairs)


def _numbers_in(value):
    if isinstance(value, list):
        return [number for item in value for number in _numbers_in(item)]
    return [value] if isinstance(value, float) else []  # the sizes among them are whole numbers


def _reasons(expected):
    """Return the reasons for mistakes that no example lists."""
    found = [key for key in expected if key.startswith("d") and key[1:].isdigit()]
    runs = [key for key in expected if key.startswith("backward of")]
    results = [key for key in expected if key.startswith("y") and not key.endswith(".grad")]

    return [
        ("modified by an inplace", _IN_PLACE), ("cannot be a torch.", _TYPE), ("different types", _TYPE),
        ("contiguous", "an operand or grad_output may be a view, such as x.t(): compute elementwise, not by layout"),
        (lambda got: got.get("written into") != "nothing", _IN_PLACE),
        (lambda got: any(str(got.get(key)).count("Tensor") != str(expected[key]).count("Tensor") for key in found),
         _TYPE),
        (later(expected, found, runs), "an earlier backward is correct and this one is not: keep neither a result nor "
         "a counter, and write into no tensor"),
        (lambda got: len(results) > 1, "if these are right for one call alone: each call has its own operands, so "
         "store nothing on the class, in a module or by operand"),
        (lambda got: _right_in_one_place(expected, got), _MEAN),
    ]  # fmt: skip


def _operation(name, examples, values, *mistakes, largest=1e9):
    """Register the checks of one operation: examples, the first of which the student sees, and random programs.

    An example is (operands, gradient), and `mistakes` are (number of the operand, function of the operands and of g
    over numpy, sentence). The numbers of random operands are at most `largest`, with these special values.
    """
    group, names = name.lower(), "ab" if len(examples[0][0]) == 2 else "x"

    def known(expected, operands, gradient):
        arrays = [*map(numpy.array, operands), numpy.array(gradient)]
        with numpy.errstate(all="ignore"):
            found = [({f"{names[n]}.grad": formula(*arrays).tolist()}, why) for n, formula, why in mistakes]
        for n in names:
            found.append(({f"{n}.grad": (numpy.array(expected[f"{n}.grad"]) / gradient).tolist()}, _CHAIN_RULE))
        return [one for one in found if not agree(one[0], expected)]

    for number, ((operands, gradient), words) in enumerate(zip(examples, ("an example", "others", "special numbers"))):
        made = [f"{n} = Variable(DoubleTensor({numbers}))" for n, numbers in zip(names, operands)]
        exercise.example(group, f"{name}: {words}", *made, f"y = {name}()({', '.join(names)})[0]",
                         f"y.backward(DoubleTensor({gradient}))",
                         functools.partial(known, operands=operands, gradient=gradient),
                         hidden=number > 0, name=f"{group}_{words.split()[-1]}")  # fmt: skip
    exercise.programs(group, 45, programs.writes(name), values=values, special=0.75,
                      largest=largest, operators="+", title=f"{name}: 45 random programs")  # fmt: skip


exercise.explain(_reasons)
_FINITE = ("ordinary", "zeros", "cancel", "-0", "digits", "large", "small")
_ANY = (*_FINITE, "nan", "inf")
_operation("Sub", [([[5.0], [3.0]], [2.0])], _ANY,
    (1, lambda a, b, g: g, "b is subtracted, so its gradient has the other sign"),
    (0, lambda a, b, g: -g, "a is not subtracted; the order of the gradients is that of the operands"))  # fmt: skip
_operation("Mul", [([[5.0], [3.0]], [2.0])], _ANY,
    (0, lambda a, b, g: g * a, "the gradient of a holds b, and that of b holds a: these are exchanged"),
    (0, lambda a, b, g: g + b, "a derivative is multiplied by grad_output, not added to it"))  # fmt: skip
_operation("Div", [([[6.0], [4.0]], [2.0])], _ANY,
    (1, lambda a, b, g: g * a / b**2, "a / b decreases when b increases: the gradient of b has a minus sign"),
    (1, lambda a, b, g: -g * a / b, "the derivative of 1 / b is -1 / b²; this is -1 / b"),
    (1, lambda a, b, g: -g / b**2, "the derivative of a / b by b has the factor a"),
    (0, lambda a, b, g: g * b, "a is divided by b, and so is its gradient"),
    largest=1e4)  # fmt: skip
_operation("Exp", [([[1.5]], [2.0])], _ANY,
    (0, lambda x, g: g * x, "the derivative of e ** x is e ** x, the result; this is x times the gradient"),
    (0, lambda x, g: g * numpy.exp(numpy.exp(x)), "the saved tensor is already e ** x; do not apply exp again"),
    largest=20)  # fmt: skip
_operation("Sigmoid", [([[0.5]], [2.0]), ([[6.0, -7.0]], [2.0, 3.0]), ([[-800.0, 0.0, 800.0]], [1.0, 1.0, 1.0])],
    _FINITE,
    (0, lambda x, g: g / (1 + numpy.exp(-x)), "this is s alone; the derivative is s (1 - s)"),
    (0, lambda x, g: g * numpy.exp(-x) / (1 + numpy.exp(-x)), "this is 1 - s alone; the derivative is s (1 - s)"),
    (0, lambda x, g: g * x * (1 - x), "in s (1 - s), s is the result; this is x (1 - x)"),
    (0, lambda x, g: numpy.where(x < -700, numpy.nan, g / (2 + numpy.exp(-x) + numpy.exp(x))),
     "e ** 800 is inf, and inf / inf is nan; use a formula of the saved s, which does not overflow"),
    largest=800)  # fmt: skip
_operation("Abs", [([[-3.0]], [2.0]), ([[-1.0, 2.0]], [3.0, -3.0]), ([[0.0, -1e-9, 2.0]], [3.0, 3.0, -3.0])], _FINITE,
    (0, lambda x, g: g * numpy.where(x < 0, -1, 1), "the gradient at 0 must be 0; this is the slope right of 0"),
    (0, lambda x, g: g * numpy.where(x > 0, 1, -1), "the gradient at 0 must be 0; this is the slope left of 0"),
    (0, lambda x, g: numpy.where(x == 0, numpy.nan, g * numpy.sign(x)),
     "x / |x| is 0 / 0 at 0; the gradient there must be 0"),
    (0, lambda x, g: numpy.abs(g), "the derivative is the sign of x, times the gradient with the gradient's sign"),
    (0, lambda x, g: g * x, "the derivative of |x| is the sign of x, not x"))  # fmt: skip
