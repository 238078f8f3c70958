"""Short exercises of notebook 10, gradients of gradients."""

from ...autograd import Variable
from ...tensor import DoubleTensor, Tensor
from ..answer import plain
from ..practice import Case


def case_1(answer):
    """`answer(f, x, n)`: the n-th derivative of f at x, a Python number."""
    for on, f, x, n, right in [
        ("x³, x = 2, n = 1", lambda x: x**3, 2.0, 1, 12.0),
        ("x³, x = 2, n = 3", lambda x: x**3, 2.0, 3, 6.0),
        ("exp(2x), x = 0, n = 4", lambda x: (x * 2).exp(), 0.0, 4, 16.0),
        ("1 / x, x = -1, n = 2", lambda x: x**-1, -1.0, 2, -2.0),
    ]:
        got = answer(f, x, n)
        if isinstance(got, (Variable, Tensor)):
            got = "a " + type(got).__name__
        mistakes = (
            (lambda got: isinstance(got, str), "return a Python number: `.data[0]` of a Variable"),
            (12.0, "that is the first derivative: repeat `grad` n times"),
        )
        yield Case(on, got, right, mistakes)


def case_2(answer):
    """`answer(f, point, v)`: the product of the Hessian and v."""
    for on, f, point, v, right in [
        # The Hessian of a² b + b³ is [[2b, 2a], [2a, 6b]]: at (1, 2) it is [[4, 2], [2, 12]].
        ("a²b + b³ at (1, 2), v = (1, 0)", _cubic, [1.0, 2.0], [1.0, 0.0], [4.0, 2.0]),
        ("a²b + b³ at (1, 2), v = (1, -1)", _cubic, [1.0, 2.0], [1.0, -1.0], [2.0, -10.0]),
    ]:
        got = answer(f, Variable(DoubleTensor(point)), DoubleTensor(v))
        gradient = [2 * point[0] * point[1], point[0] ** 2 + 3 * point[1] ** 2]
        mistakes = (
            ([g * w for g, w in zip(gradient, v)], "this is the gradient times v: differentiate its sum once more"),
            (gradient, "this is the gradient"),
            ([6.0, 14.0], "this is the Hessian times (1, 1): `v` is missing"),
        )
        yield Case(on, got if got is None or got is ... else plain(got), right, mistakes)


def _cubic(point):
    a, b = point[0:1], point[1:2]
    return a * a * b + b * b * b


def case_3(answer):
    """`answer(n, parts)`: the results held at most."""
    for n, parts in [(100, 10), (400, 20), (100, 4)]:
        mistakes = (
            (n, "that is the chain without checkpoints"),
            (n // parts, "the inputs of the parts stay too"),
            (parts, "the part that is computed again holds its results too"),
        )
        yield Case(f"n = {n}, parts = {parts}", answer(n, parts), parts + n // parts, mistakes)
