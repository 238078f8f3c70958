"""The probes of exercise 11: a layer, a loss, an optimizer and a training, on the student's own engine."""

from ..answer import plain
from ..data import spirals
from .programs import PROGRAMS, gradients_of, root_of, start_for
from .support import engine, leaf, tensor


def gradients(answer, program):
    variables = PROGRAMS[program]()
    root = root_of(variables)
    with engine(answer.Engine()):
        root.backward(start_for(program, root))
    return gradients_of(variables)


def layer(answer, x, weight, bias, gradient):
    """Return the results of forward and backward of Linear alone, without an engine."""
    function = answer.Linear()
    (result,) = function(leaf(x), leaf(weight), leaf(bias))
    found = function._do_backward(tensor(gradient))
    gradients = {f"gradient of {name}": plain(grad) for name, grad in zip(("x", "weight", "bias"), found)}
    return {"result": plain(result), **gradients}


def loss(answer, scores, targets, gradient):
    function = answer.CrossEntropy(targets)
    (result,) = function(leaf(scores))
    (found,) = function._do_backward(tensor([gradient]))
    return {"loss": plain(result), "gradient": plain(found)}


def steps(answer, lr, momentum, gradients, zeroing):
    """Return the data after each step with these gradients."""
    first, second = leaf([1.0, 2.0]), leaf([[10.0]])
    data = first.data
    optimizer = answer.SGD([first, second], lr, momentum) if momentum else answer.SGD([first, second], lr)
    found = {}
    for number, gradient in enumerate(gradients, 1):
        if zeroing:
            optimizer.zero_grad()
            found[f"grad after zero_grad, step {number}"] = plain(first.grad)
        first.grad.add_(tensor([gradient, 2 * gradient]))
        second.grad.add_(tensor([[gradient]]))
        optimizer.step()
        found[f"parameters after step {number}"] = [plain(first), plain(second)]
        found[f"grad after step {number}"] = plain(first.grad)
    found["the data is the same tensor"] = first.data is data
    return found


OWN = {"Engine": "run_backward", "Linear": "forward", "CrossEntropy": "backward", "SGD": "step"}  # what train must use


def _counted(method, used, name):
    """Return `method` with a counter of its calls in `used[name]`."""

    def counted(*arguments, **named):
        used[name] += 1
        return method(*arguments, **named)

    return counted


def trained(answer, seed, trainings=1):
    """Train on some points. Return the accuracy on these and on other points, and counts of calls of the answer."""
    x, targets = spirals(seed)
    others, _ = spirals(seed + 100)
    used = dict.fromkeys(OWN, 0)
    for name, method in OWN.items():
        cls = getattr(answer, name)
        setattr(cls, method, _counted(getattr(cls, method), used, name))
    found = []
    with engine(answer.Engine()):
        for _ in range(trainings):
            predict = answer.train(x, targets)
            found.append([[int(number) for number in predict(points)] for points in (x, others)])
    forward = answer.Linear.forward
    answer.Linear.forward = lambda self, *operands: forward(self, *operands) * 0
    try:
        without = [int(number) for number in predict(others)]
    finally:
        answer.Linear.forward = forward
    seen, unseen = found[0]
    return {
        "seen": seen,
        "unseen": unseen,
        **{f"calls of {name}": times for name, times in used.items()},
        "asked": without != found[-1][1],
        "the same": found.count(found[0]) == trainings,
    }
