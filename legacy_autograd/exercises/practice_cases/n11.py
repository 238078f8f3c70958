"""Short exercises of notebook 11, what came later."""

import math

from ...autograd import Leaf, Variable, callbacks
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Case, written


def case_1(answer):
    """`answer(counts)`: a callback around each call that counts Functions by their class."""
    counts = {}
    callback = written(answer(counts))
    a, b = Variable(DoubleTensor([2.0])), Variable(DoubleTensor([3.0]))
    with callbacks.around_call.within(callback):
        result = a * b + a + b
    got = [
        plain(result.data) if isinstance(result, Variable) else f"a {type(result).__name__}",
        type(result.creator).__name__,
    ]
    yield Case("the result of a * b + a + b and its creator", got, [[11.0], "Add"])
    named = {key if isinstance(key, str) else getattr(key, "__name__", "?"): value for key, value in counts.items()}
    mistakes = (
        (["Add: 1", "Mul: 1"], "a class that is called again counts again"),
        ([], "the callback counts nothing"),
    )
    shown = sorted(f"{key}: {value}" for key, value in named.items())
    yield Case("the counts of a * b + a + b", shown, ["Add: 2", "Mul: 1"], mistakes)


def case_2(answer):
    """`answer(f, *variables)`: the result of `f` without history, and recording as usual afterwards."""
    x = Variable(DoubleTensor([3.0]))
    got = written(answer(lambda x: x * x, x))
    if not isinstance(got, Variable):
        yield Case("x * x at x = 3", f"a {type(got).__name__}", "a Variable")
        return
    yield Case("x * x at x = 3", plain(got.data), [9.0])
    mistakes = (([False, True], "the result still has its history"), ([True, True], "the result requires a gradient"))
    yield Case(
        "is the result a leaf, and does it require a gradient?",
        [isinstance(got.creator, Leaf), got.requires_grad],
        [True, False],
        mistakes,
    )
    (got * x).backward()
    yield Case(
        "x.grad of (x * x) * x, with x * x without history",
        plain(x.grad),
        [9.0],
        (([27.0], "the product was recorded"),),
    )
    try:
        answer(lambda x: 1 / 0, x)
    except ZeroDivisionError:
        pass
    after = x * x
    mistakes = ((True, "after an exception nothing is recorded any more: use try and finally, or a with block"),)
    yield Case("is x * x a leaf, after f raised?", isinstance(after.creator, Leaf), False, mistakes)


def case_3(answer):
    """`answer(a, b)`: a distance whose gradient at 0 is 0."""
    for start, end in [([1.0, 2.0], [1.0, 2.0]), ([4.0, 6.0], [1.0, 2.0]), ([0.0, 0.1], [0.0, 0.0])]:
        a, b = Variable(DoubleTensor(start)), Variable(DoubleTensor(end), requires_grad=False)
        result = written(answer(a, b))
        on = f"a = {start}, b = {end}"
        length = math.dist(start, end)
        found = plain(result.data)[0]
        yield Case(f"the distance, {on}", round(found, 5), round(length, 5))
        result.backward()
        right = [(p - q) / length if length else 0.0 for p, q in zip(start, end)]
        mistakes = (
            (lambda got: any(math.isnan(number) for number in got), "∞ · 0 is nan: keep the root away from 0"),
            ([0.0, 0.0], "the gradient is 0 everywhere: is there a way from the result back to `a`?"),
        )
        yield Case(
            f"a.grad, {on}",
            [round(number, 5) for number in plain(a.grad)],
            [round(number, 5) for number in right],
            mistakes,
        )
