"""Short exercises of notebook 10, gradients of gradients."""

import contextlib
import functools
import math

from ...autograd import Variable
from ...tensor import DoubleTensor, FloatTensor, Tensor
from ..answer import plain
from ..model import Absolute, agree
from ..practice import case, seen, written
from ..programs import short
from ..programs.inputs import made, with_the_id
from .watching import Watched, described, raised_by, tolerance_of


def case_1(answer):
    """`answer(f, x, n)`: the n-th derivative of f at x, a Python number."""
    for a, b, x, n in short.powers():
        # 5 · 4 · … a x⁵⁻ⁿ + bⁿ exp(b x) is the n-th derivative.
        right, first = (math.prod(range(6 - k, 6)) * a * x ** (5 - k) + b**k * math.exp(b * x) for k in (n, 1))
        points = []
        small = a / 2**20
        on = f"f(x) = {a} x⁵ + exp({b} x), x = {x}, n = {n}; f(x) = {small} x⁵ + 1"
        f = short.sum_of_two(a, b, points)
        got, first_id = written(answer(f, x, n)), id(f)
        del f
        other = with_the_id(first_id, functools.partial(short.sum_of_two, small, 0, []))
        second = plain(answer(other, x, n))
        second = second * 2**20 if isinstance(second, (int, float)) else second
        points = [point for number, point in enumerate(points) if point not in points[:number]]
        if isinstance(got, (Variable, Tensor)):
            got = "a " + type(got).__name__
        at_x = Absolute(abs(x) * 1e-6)
        parts = {
            "the derivative": (right, plain(got)),
            "f is called at": (["x"], ["x" if agree([x], point, at_x) else point for point in points]),
            "2²⁰ times that of the second": (math.prod(range(6 - n, 6)) * a * x ** (5 - n), second),
        }
        yield seen(on, parts,
            (lambda got: isinstance(got["the derivative"], str), "return a Python number: `.data[0]` of a Variable"),
            (lambda got: len(got["f is called at"]) > 1, "use `grad` with `create_graph=True`, and f at x only"),
            ({"the derivative": first or None}, "that is the first derivative: repeat `grad` n times"),
            (lambda got, right=right: agree(right, got["the derivative"], 1e-4),
             "the second call is wrong: it keeps nothing of the first, and does not round small numbers"),
            tolerance=1e-4)  # fmt: skip
    for on, f, n, right in short.powers_up_to_two():
        # `grad` of what has no history raises, and so may the answer.
        with contextlib.suppress(*[RuntimeError] * (right == 0)):
            yield case(f"{on}, x = 2.0, n = {n}", plain(answer(f, 2.0, n)), right,
                (3.0, "that is the first derivative: repeat `grad` n times"))  # fmt: skip
    yield case("f(x) = x², x = 2⁻²², n = 1", plain(answer(lambda x: x * x, 2.0**-22, 1)), 2.0**-21, tolerance=1e-9)
    leaves = {kind: Variable(kind([3.0])) for kind in (DoubleTensor, FloatTensor)}
    parts = {"the derivative": (12.0, plain(answer(lambda x: x * x * leaves[type(x.data)], 2.0, 1)))}
    parts["w.grad"] = [[0.0]] * 2, [plain(w.grad) for w in leaves.values()]
    yield seen("f(x) = w x² with a leaf w = 3, x = 2.0, n = 1", parts,
        ("w.grad", "use `grad`, which adds to no leaf's gradient"))  # fmt: skip

    for kind in (RuntimeError, ZeroDivisionError):

        def raises(x, kind=kind):
            raise kind("of f")

        yield case(f"f raises {kind.__name__}", raised_by(lambda raises=raises: answer(raises, 2.0, 1)), kind.__name__,
            ("nothing", "an exception of f reaches the caller"))  # fmt: skip


def case_2(answer):
    """`answer(f, point, v)`: the product of the Hessian and v."""
    for number, (kind, point, v, w) in enumerate(short.cubes(answer)):
        # The gradient is 3 wᵢ xᵢ² + Σ x, and the Hessian times v is 6 wᵢ xᵢ vᵢ + Σ v.
        x, u, weights = (made(point if text == "point" else text).array for text in (point, v, w))
        gradient, runs = (3 * weights * x * x + x.sum()).tolist(), []
        right = (6 * weights * x * u + u.sum()).tolist()
        times_ones = (6 * weights * x + u.size).tolist()
        on = f"sum of w x³ + sum(x)² / 2 with w = {weights.tolist()}, point = {point}, v = {v}"
        point = Variable(made(point))
        v = point.data if v == "point" else made(v)
        if number % 3 == 2:
            (point * 3).sum().backward()  # point.grad is not 0
        watched = Watched(point=point.data, v=v)

        def f(x, w=w, runs=runs, scale=1):
            (x,) = short.Counted(runs)(x)
            total = x.sum()
            return ((x * x * x * Variable(made(w), requires_grad=False)).sum() + total * total * 0.5) * scale

        got = written(answer(f, point, v))
        # The product takes two or three backwards. A Hessian takes one for each row.
        rows = False, len(runs) >= max(len(right), 6)
        parts = {"the product": ([kind, right], described(got)), "rows of the Hessian": rows, **watched.parts()}
        if agree([kind, right], parts["the product"][1], tolerance_of(kind)):
            answer(f, point, v * 3)
            parts["the product after a second call"] = right, plain(got)
            point.data.mul_(1000)  # the same Variable with other numbers
            right_there = (6000 * weights * x * v.array + v.array.sum()).tolist()
            parts["at the point times 1000"] = right_there, plain(answer(f, point, v))
            small = answer(functools.partial(f, scale=2.0**-30), point, v) * 2.0**30
            parts["2³⁰ times that of f / 2³⁰"] = right_there, plain(small)
        by_numbers = [g * w for g, w in zip(gradient, plain(v))]
        yield seen(on, parts,
            (watched.written_into("v"), "`v` was changed in place"),
            (watched.written_into("point"), "`point` was changed in place"),
            ({"the product": [kind, by_numbers]}, "this is the gradient times v: differentiate its sum once more"),
            ({"the product": [kind, gradient]}, "this is the gradient"),
            ({"the product": [kind, times_ones]}, "this is the Hessian times (1, 1): `v` is missing"),
            ({"the product": ["Variable", right]}, "return a Tensor: `.data` of a Variable"),
            ({"the product": [kind, right], "rows of the Hessian": True},
             "one backward for each row builds the Hessian: differentiate `(gradient * v).sum()` once"),
            tolerance=tolerance_of(kind))  # fmt: skip


def case_3(answer):
    """`answer(n, parts)`: the results held at most."""
    for n, parts in short.lengths():
        yield case(f"n = {n}, parts = {parts}", plain(written(answer(n, parts))), parts + n // parts,
            (n, "that is the chain without checkpoints"),
            (n // parts, "the inputs of the parts stay too"),
            (parts, "the part that is computed again holds its results too"))  # fmt: skip
