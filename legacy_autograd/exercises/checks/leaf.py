"""Exercise 3: `Leaf._do_backward`, which calls the hooks and adds the gradient to `variable.grad`."""

import types

import numpy

from ...autograd import leaf as package
from ...autograd.variable import Variable
from ...tensor import FloatTensor
from .. import template
from ..model import Exercise, attempt, plain
from .support import leaf, random_numbers, tensor

exercise = Exercise(
    title="Leaf: where gradients are summed",
    minutes=40,
    reference=types.SimpleNamespace(Leaf=package.Leaf),
    withheld=tuple(f"legacy_autograd.autograd.leaf:Leaf.{name}" for name in ("_do_backward", "_accumulate")),
    groups=template.groups("03_leaf"),
    method="_do_backward",
)


def variable_of(answer, numbers):
    """Return a Variable whose creator is the student's Leaf."""
    variable = leaf(numbers)
    variable.creator = answer.Leaf(variable, True)
    return variable


@exercise.probe
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


@exercise.probe
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


@exercise.probe
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


@exercise.probe
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


@exercise.probe
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


@exercise.probe
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


@exercise.probe
def what_it_answers(answer):
    x = variable_of(answer, [2.0])
    answered = x.creator._do_backward(tensor([5.0]))
    return {"_do_backward returns": plain(answered)}


_SAME = "an optimizer that holds x.grad must see the sum: add to the tensor in place, with add_"
_DATA = "do not change x.data: it is the optimizer that changes it"
_REPLACED = "each gradient replaces the previous one; add it instead"


def check_sums(name, title, on, mistakes, hidden=False, **inputs):
    @exercise.check("adds", hidden, name=name, title=title)
    def run(trial):
        data = (lambda got: got["x.data"] != inputs["numbers"], _DATA)
        trial.same(sums, on, [*mistakes, ({"x.grad is the same tensor": False}, _SAME), data], **inputs)


check_sums(
    "first_and_second", "The gradients of two backwards are added", "x = [2], backward of x * 3, then of x * 4",
    [
        ({"x.grad after step 1": [3], "x.grad after step 2": [4]}, _REPLACED),
        ({"x.grad after step 1": [0]}, "x.grad has not changed: nothing was added to it"),
        ({"x.grad after step 1": [6]}, "the gradient is added twice"),
    ],
    numbers=[2.0], factors=[3, 4],
)  # fmt: skip
check_sums(
    "more_of_them", "Three backwards over a tensor of size 2x2, and one more after x.grad.zero_()",
    "x of size 2x2, backward of x * 2, x * 5 and x * -1, x.grad.zero_(), backward of x * 3",
    [({"x.grad after step 3": [[8, 8], [8, 8]]}, "the sign of a gradient was lost: 2 + 5 - 1 is 6")],
    hidden=True, numbers=[[1.0, 2.0], [3.0, 4.0]], factors=[2, 5, -1, "zero_()", 3],
)  # fmt: skip


_AT_RANDOM = [
    (lambda got: "the gradient given has changed in step" in got, "the gradient argument was written into"),
    (lambda got: not got["x.grad is the tensor it was before the first backward"], _SAME),
    (lambda got: got["data that have changed"], _DATA),
    (lambda got: got["types"] != ["DoubleTensor", "DoubleTensor", "FloatTensor"],
     "x.grad must have the type of its Variable"),
    (lambda got: True,
     "add each element of each gradient with its sign, to the sum of its own Variable"),
]  # fmt: skip


@exercise.check("adds", hidden=True)
def at_random(trial):
    """Random gradients of three leaves in turns, two of one size and one of Floats."""
    for seed in range(6):
        on = f"eight backwards of x, y (of one size) and w (of Floats) in turns, with random gradients (seed {seed})"
        trial.same(sums_at_random, on, _AT_RANDOM, seed=seed)


def check_own(name, title, then, on, values, because, hidden=True, others=("y.grad", "the gradient given to backward")):
    """Register a check of the gradients that `then` must not change; `values` are what mistakes make of them."""

    @exercise.check("own", hidden, name=name, title=title)
    def run(trial):
        mistakes = [({key: [value]}, because) for key in others for value in values]
        mistakes += [
            (lambda got: got["y.grad"] == [0], "nothing was added to y.grad: each Leaf adds to its own Variable"),
            (lambda got: True,
             "x.grad, y.grad and the argument of backward must be three tensors, so that writing into "
             "one does not change another"),
        ]  # fmt: skip
        trial.same(shared, f"z = x + y, z.backward(gradient), {on}", mistakes, only=others, then=then)


check_own(
    "changed_by_its_owner", "A change of x.grad changes no other gradient", "x.grad.mul_(10)", "then x.grad.mul_(10)",
    [10], "x.grad is the tensor in grad_output, which y and the caller hold too; make a copy for x",
    hidden=False,
)  # fmt: skip
check_own(
    "gradient_used_again", "The same gradient tensor for a second backward", "again", "and z.backward(gradient) again",
    (2, 3, 4, 6), "the gradient argument was written into; others read it",
    others=["the gradient given to backward"],
)  # fmt: skip
check_own(
    "added_to_later", "A later backward of x changes only x.grad", "(x * 4).backward()", "then (x * 4).backward()",
    [5], "the second gradient was added in place to a tensor that y or the caller holds too",
)  # fmt: skip


_NOT_CALLED: tuple = ({"calls": []}, "the hooks in self.backward_hooks were not called")
_AFTER = (
    {"calls": [["see", "(3.0)", "(3.0)", "x.grad", [3.0]]]},
    "the hook ran after the accumulation; call it before",
)
_BARE = ({"calls": [["see", [3.0], [3.0], "x.grad", [0.0]]]}, "call the hook with the tuple grad_output twice")


def check_hooks(name, title, on, mistakes, hidden=True, only=("calls",), backwards=1, **inputs):
    @exercise.check("hooks", hidden, name=name, title=title)
    def run(trial):
        trial.same(seen_by_hooks, on, mistakes, only=only, backwards=backwards, **inputs)


check_hooks(
    "one_hook", "A hook is called with grad_output twice, before the addition",
    'x.register_hook("see", hook), backward of x * 3',
    [
        _NOT_CALLED, _AFTER, _BARE,
        ({"calls": [["see", "(3.0)", "x.grad", [0.0]]]}, "a hook takes two arguments, grad_input and grad_output"),
        ("is not callable", "backward_hooks is a dictionary from names to hooks: call its values"),
    ],
    hidden=False, names=["see"],
)  # fmt: skip
check_hooks(
    "several_hooks", "Hooks are called in the order of registration, in each backward",
    "hooks named b, a, c, e and d, backward of x * 3 and of x * 4",
    [
        _NOT_CALLED,
        (lambda got: len(got["calls"]) < 10, "every hook is called in every backward"),
        (lambda got: [call[0] for call in got["calls"]] != list("bacedbaced"),
         "call the hooks in the order of registration, which is the order of the dictionary"),
        (lambda got: True, "during the hooks x.grad holds the sum of earlier backwards: add the gradient to it once, "
         "after all hooks"),
    ],
    names=[*"baced"], backwards=2,
)  # fmt: skip
check_hooks(
    "hook_that_answers", "The return value of a hook is ignored, as in 2016",
    "a hook that returns ([100],), backward of x * 3",
    [({"x.grad": [100]}, "the return value of the hook was added; ignore it")],
    only=None, names=["see"], answering=True,
)  # fmt: skip
check_hooks(
    "hook_that_goes", "A hook may remove itself while it runs",
    "hooks a and b that call x.remove_hook of their own name, backward of x * 3 and of x * 4",
    [("KeyError", "the hooks of the first backward were called: read self.backward_hooks in each backward"),
     ("RuntimeError", "a dictionary must not change during a loop over it: loop over a list of its values")],
    names=["a", "b"], backwards=2, removing=True,
)  # fmt: skip


@exercise.check("hooks", hidden=True)
def come_and_go(trial):
    """The hooks that are registered at that moment are called in order, even for a gradient of zeros."""
    trial.same(
        hooks_that_come_and_go,
        "hooks b and a of x, one of y, backward of x * 3, a hook A of x, backward of x * y with the gradient 0, "
        "x.remove_hook(b), backward of x * 3",
        [
            ({"calls": []}, "the hooks in self.backward_hooks were not called"),
            ({"calls": ["b of x", "a of x", "a of x", "A of x"]}, "call the hooks for a gradient of zeros too"),
            (lambda got: set(got["calls"]) == {"b of x", "a of x"} and len(got["calls"]) == 6,
             "the hooks of the first backward were called: read self.backward_hooks in each backward"),
            ({"calls": ["b of x", "a of x"]}, "every hook is called in every backward"),
            (lambda got: len(got["calls"]) == 7, "hooks are called in the order they were registered"),
            (lambda got: len(got["calls"]) < 7, "every hook is called in every backward"),
        ],
    )  # fmt: skip


@exercise.check("hooks", hidden=True)
def raising(trial):
    """An exception in a hook reaches the caller of backward, and nothing is added."""
    trial.expect(
        hook_that_raises,
        {"the backward": "ArithmeticError is raised", "x.grad then": [0], "and after backward of x * 4": [4]},
        "a hook that raises an ArithmeticError, backward of x * 3, remove_hook, backward of x * 4",
        [
            (lambda got: got["the backward"] != "ArithmeticError is raised",
             "an exception in a hook must reach the caller: do not use try and except"),
            (lambda got: got["x.grad then"] != [0],
             "if a hook raises, add nothing: accumulate after the hooks, without finally"),
        ],
    )  # fmt: skip


@exercise.check("end")
def empty_tuple(trial):
    """_do_backward returns an empty tuple."""
    trial.same(
        what_it_answers,
        "_do_backward([5]) of a leaf",
        [
            (
                {"_do_backward returns": None},
                "a function without a return statement returns None, which the engine cannot iterate over",
            ),
            ({"_do_backward returns": [[5]]}, "a leaf has no operands, so it returns no gradients"),
        ],
    )
