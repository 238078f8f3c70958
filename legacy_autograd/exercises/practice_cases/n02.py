"""Short exercises of notebook 2, one subtraction."""

from ...autograd import Leaf, Variable
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Case


def case_1(answer):
    """`answer`: the classes that `y - 3`, `3 - y`, `-y` and `y * y` create."""
    y = Variable(DoubleTensor([2.0]))
    right = [type(result.creator).__name__ for result in (y - 3, 3 - y, -y, y * y)]
    mistakes = (
        (
            ["Sub", "Sub", "Neg", "Mul"],
            "a call takes only Variables: a number goes to the constructor of another class",
        ),
        (lambda got: len(got) != 4, "four names, one for each expression"),
    )
    yield Case("y - 3, 3 - y, -y, y * y", answer if answer is ... else [str(name) for name in answer], right, mistakes)


def case_2(answer):
    """`answer(variable)`: how many Functions behind it are not leaves."""
    for on, build, right in [
        ("a", lambda a: a, 0),
        ("a * 2 - a", lambda a: a * 2 - a, 2),
        ("s - s - s of s = a * a", lambda a: _thrice(a * a), 3),
    ]:
        variable = build(Variable(DoubleTensor([2.0])))
        with_leaves, paths = _count(variable)
        mistakes = (
            (with_leaves, "that counts the Leaf as well"),
            (paths, "a Function that is used several times counts once"),
        )
        yield Case(on, answer(variable), right, mistakes)


def _thrice(s):
    return s - s - s


def _count(variable):
    """The number of Functions with the leaves, and without them counted once for each way that leads there."""
    seen, paths, stack = set(), 0, [variable.creator]
    while stack:
        function = stack.pop()
        seen.add(function)
        paths += not isinstance(function, Leaf)
        stack += [previous for previous, _ in function.previous_functions]
    return len(seen), paths


def case_3(answer):
    """`answer(a, b, grad_output, needs_input_grad)`: the gradients of a product."""
    for needed in [(True, True), (True, False), (False, True)]:
        a, b, g = DoubleTensor([2.0, -3.0]), DoubleTensor([5.0, 0.5]), DoubleTensor([1.0, 10.0])
        got = answer(a, b, g, needed)
        on = f"a = [2, -3], b = [5, 0.5], grad_output = [1, 10], needs_input_grad = {needed}"
        right = [[5.0, 5.0], [2.0, -30.0]]
        expected = [value if wanted else None for value, wanted in zip(right, needed)]
        mistakes = (
            ([right[1], right[0]], "the gradient for `a` is grad_output times `b`, and the other way round"),
            ([[5.0, 0.5], [2.0, -3.0]], "multiply by grad_output: the chain rule"),
            (right, "an input that does not need a gradient gets None"),
        )
        yield Case(on, got if got is None or got is ... else plain(list(got)), expected, mistakes)
        yield Case(f"a and b after {on}", [plain(a), plain(b)], [[2.0, -3.0], [5.0, 0.5]])
