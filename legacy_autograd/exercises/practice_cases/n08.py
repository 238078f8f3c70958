"""Short exercises of notebook 8, hooks."""

from ...autograd import Variable
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Case, written


def case_1(answer):
    """`answer(gradient)`: a hook that limits each number to -1 … 1."""
    for weights in ([0.5, -0.25, 1.0], [3.0, -7.0, 0.1]):
        x = Variable(DoubleTensor([1.0, 1.0, 1.0]))
        scale = Variable(DoubleTensor(weights), requires_grad=False)
        returned = []
        x.register_hook(lambda gradient, returned=returned: returned.append(answer(gradient)) or _tensor(returned[-1]))
        (x * scale).sum().backward()
        written(returned[-1])
        right = [max(-1.0, min(1.0, weight)) for weight in weights]
        mistakes = ((weights, "the gradient is unchanged"),)
        yield Case(f"x.grad with the gradient {weights}", plain(x.grad), right, mistakes)


def _tensor(value):
    return None if value is ... else value


def case_2(answer):
    """`answer(parameters)`: counters of how often each gradient arrived."""
    a, b, c = [Variable(DoubleTensor([number])) for number in (1.0, 2.0, 3.0)]
    counters = written(answer([a, b, c]))
    (a * a * b).backward()
    (a + b).backward()
    (a * 2).backward()
    found = [counter if isinstance(counter, int) else len(counter) for counter in counters]
    mistakes = (
        ([4, 2, 0], "a leaf that is used twice in a graph still gets one complete gradient"),
        ([0, 0, 0], "no hook was called: register one on each Variable"),
        ([0, 0, 5], "each Variable needs a counter of its own: these hooks share the last name of a loop"),
    )
    yield Case("a * a * b, then a + b, then a * 2; the counters of a, b, c", found, [3, 2, 0], mistakes)


def case_3(answer):
    """`answer`: the reason for the second barrier."""
    mistakes = (
        ("a", "nothing asks that of threads: the executor waits for each of them"),
        ("c", "a Barrier resets itself when all have passed"),
    )
    yield Case("a, b or c", answer if answer is ... else str(answer).lower(), "b", mistakes)
