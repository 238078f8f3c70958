"""Short exercises of notebook 1, a program from 2016."""

from ...autograd import Leaf, Variable
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Case, Unwritten, written


def case_1(answer):
    """`answer`: the classes behind `mean(pow(mm(W, x) - y, 2))`, from the loss back to W."""
    W = Variable(DoubleTensor([[2.0]]))
    x = y = Variable(DoubleTensor([[1.0, 3.0]]), requires_grad=False)
    function, right = ((W.mm(x) - y) ** 2).mean().creator, []
    while not isinstance(function, Leaf):
        right.append(type(function).__name__)
        function = function.previous_functions[0][0]
    mistakes = (
        (right[::-1], "this is the order of the program: begin with the loss"),
        ([*right, "Leaf"], "the list ends with the Function that uses `W`: a Leaf computes nothing"),
        (["Mean", "Pow", "Sub", "Mm"], "a power with a number as its exponent is recorded as `PowConstant`"),
    )
    got = answer if answer is ... else [str(name) for name in answer]
    yield Case("from loss.creator back to W", got, right, mistakes)


def case_2(answer):
    """`answer(W, learning_rate)` takes a step against the gradient and sets the gradient to zero."""
    for start, slope, rate in [(1.0, 2.0, 0.5), (-3.0, 4.0, 0.125)]:
        W = Variable(DoubleTensor([start]))
        tensor = W.data
        (W * slope).backward()
        returned = answer(W, rate)
        on = f"W = {start}, W.grad = {slope}, learning_rate = {rate}"
        if returned is None and plain(W.data) == [start] and plain(W.grad) == [slope]:
            raise Unwritten
        mistakes = (
            ([start + rate * slope], "the step goes against the gradient, so that the loss falls"),
            ([start], "`W.data` has not changed; `-=` on `W.data` changes it, on a name of your own it may not"),
            ([start - slope], "the step is the gradient times the learning rate"),
        )
        yield Case(f"W.data after {on}", plain(W.data), [start - rate * slope], mistakes)
        yield Case(f"W.grad after {on}", plain(W.grad), [0.0], (([slope], "`W.grad.zero_()` is missing"),))
        yield Case("W.data is still the same tensor", W.data is tensor or "replaced", True)


def case_3(answer):
    """`answer(variable)`: the Leaf Functions behind it, each once, in any order."""
    a, b, c = [Variable(DoubleTensor([number])) for number in (1.0, 2.0, 3.0)]
    for on, variable, right in [
        ("a * b", a * b, (a, b)),
        ("a", a, (a,)),
        ("(a + b) * (b + c) + a", (a + b) * (b + c) + a, (a, b, c)),
    ]:
        got = written(answer(variable))
        names = {id(v.creator): name for name, v in zip("abc", (a, b, c))}
        found = sorted(names.get(id(function), f"a {type(function).__name__}") for function in got)
        expected = sorted(names[id(v.creator)] for v in right)
        twice = ((got, "each Leaf once") for got in [found] if len(set(found)) < len(found) or found == ["a Variable"])
        yield Case(f"the leaves behind {on}", found, expected, tuple(twice))
