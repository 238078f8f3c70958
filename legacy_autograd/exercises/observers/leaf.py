"""The probes of exercise 3: `Leaf._do_backward`, which calls the hooks and adds the gradient to `variable.grad`."""

import numpy

from ...autograd.variable import Variable
from ...tensor import FloatTensor
from ..answer import attempt, plain
from .support import leaf, random_numbers, tensor


def variable_of(answer, numbers):
    """Return a Variable whose creator is the student's Leaf."""
    variable = leaf(numbers)
    variable.creator = answer.Leaf(variable, True)
    return variable


def sums(answer, numbers, factors):
    """Return x.grad after the backward of x * factor, for each factor, and whether it stays the same tensor."""
    x = variable_of(answer, numbers)
    result, kept, same = {}, None, True
    for number, factor in enumerate(factors, 1):
        if factor == "zero_()":
            x.grad.zero_()
        else:
            (x * factor).backward(tensor(numbers).fill_(1))
        result[f"x.grad after step {number}"] = plain(x.grad)
        same = same and (kept is None or x.grad is kept)
        kept = x.grad
    return {**result, "x.grad is the same tensor": same, "x.data": plain(x)}


def sums_at_random(answer, seed):
    """Gradients of three leaves that are summed in turns: of several sizes, two of one size, one of Floats.

    The tensors that `grad` was before the first backward are kept, and must hold the sums.
    """
    random = numpy.random.default_rng(seed)
    size = tuple(int(n) for n in random.integers(1, 4, int(random.integers(1, 4))))
    x, y = (variable_of(answer, random_numbers(seed + n, *size)) for n in range(2))
    w = Variable(FloatTensor(random_numbers(seed, int(random.integers(1, 5)))))
    w.creator = answer.Leaf(w, True)
    variables = {"x": x, "y": y, "w": w}
    before = {name: plain(variable) for name, variable in variables.items()}
    kept = {name: variable.grad for name, variable in variables.items() if random.random() < 0.5}
    for turn in range(8):
        variable = variables["xyw"[turn % 3] if turn < 3 else str(random.choice(list("xyw")))]
        scale = 10.0 ** (seed % 3 * 4)
        numbers = numpy.asarray(random.uniform(-2, 2, variable.data.array.shape)) * scale
        gradient = variable.data.new(numbers.tolist())
        kept_gradient = gradient._version
        (variable * 1).backward(gradient)
        if gradient._version != kept_gradient:
            return {"the gradient given has changed in step": turn}
    gradient = x.data.new(x.data.tolist())
    x.creator._do_backward(gradient)
    if gradient._version:
        return {"the gradient given has changed in step": "a direct call of _do_backward"}
    return {
        **{f"{name}.grad": plain(variable.grad) for name, variable in variables.items()},
        "types": [type(variable.grad).__name__ for variable in variables.values()],
        "x.grad is the tensor it was before the first backward": all(
            variables[name].grad is before for name, before in kept.items()
        ),
        "data that have changed": [name for name, variable in variables.items() if plain(variable) != before[name]],
    }


def shared(answer, then):
    """z = x + y, whose backward passes the same tensor to x and y; `then` is called afterwards."""
    x, y = variable_of(answer, [2.0]), variable_of(answer, [3.0])
    gradient = tensor([1.0])
    z = x + y
    z.backward(gradient)
    if then == "x.grad.mul_(10)":
        x.grad.mul_(10)
    elif then == "again":
        z.backward(gradient)
    elif then == "(x * 4).backward()":
        (x * 4).backward()
    return {"x.grad": plain(x.grad), "y.grad": plain(y.grad), "the gradient given to backward": plain(gradient)}


def seen_by_hooks(answer, names, backwards, removing=False, answering=False):
    """Return the arguments of the hooks, and the values of x.grad at that time."""
    x = variable_of(answer, [2.0])
    calls = []

    def hook_named(name):
        def hook(*arguments):
            shown = [
                f"({', '.join(str(plain(g)[0]) for g in a)})" if isinstance(a, tuple) else plain(a) for a in arguments
            ]
            calls.append([name, *shown, "x.grad", plain(x.grad)])
            if removing:
                x.remove_hook(name)
            return (tensor([100.0]),) if answering else None

        return hook

    for name in names:
        x.register_hook(name, hook_named(name))
    for factor in range(3, 3 + backwards):
        (x * factor).backward()
    return {"calls": calls, "x.grad": plain(x.grad)}


def hooks_that_come_and_go(answer):
    """Hooks that are registered and removed between backwards, a gradient of zeros, and what two leaves have."""
    x, y = variable_of(answer, [2.0]), variable_of(answer, [3.0])
    calls = []
    for name, variable in (("b of x", x), ("y's own", y), ("a of x", x)):
        variable.register_hook(name, lambda grad_input, grad_output, name=name: calls.append(name))
    (x * 3).backward()
    x.register_hook("A of x", lambda grad_input, grad_output: calls.append("A of x"))
    (x * y).backward(tensor([0.0]))
    x.remove_hook("b of x")
    (x * 3).backward()
    return {"calls": [name for name in calls if name != "y's own"], "calls for y": calls.count("y's own")}


def hook_that_raises(answer):
    x = variable_of(answer, [2.0])

    def hook(grad_input, grad_output):
        raise ArithmeticError("the hook has had enough")

    x.register_hook("raises", hook)
    ended = attempt((x * 3).backward)
    grad = plain(x.grad)
    x.remove_hook("raises")
    (x * 4).backward()
    ended = ended or "came to its end"
    return {"the backward": ended, "x.grad then": grad, "and after backward of x * 4": plain(x.grad)}


def what_it_answers(answer):
    x = variable_of(answer, [2.0])
    answered = x.creator._do_backward(tensor([5.0]))
    return {"_do_backward returns": plain(answered)}
