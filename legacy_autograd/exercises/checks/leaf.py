"""Exercise 3: `Leaf._do_backward`, where a gradient ends: it is shown to the hooks and added to `variable.grad`."""

import types

from ...autograd import leaf as package
from .. import template
from ..model import Exercise, plain
from .support import leaf, tensor

exercise = Exercise(
    title="Leaf: where gradients are summed",
    minutes=40,
    reference=types.SimpleNamespace(Leaf=package.Leaf),
    withheld=("legacy_autograd.autograd.leaf:Leaf._do_backward", "legacy_autograd.autograd.leaf:Leaf._accumulate"),
    groups=template.groups("03_leaf"),
)


def variable_of(answer, numbers):
    """A Variable whose creator is the student's Leaf."""
    variable = leaf(numbers)
    variable.creator = answer.Leaf(variable, True)
    return variable


@exercise.probe
def sums(answer, numbers, factors):
    """x.grad after the backward of x * factor, for each factor; and whether it is the same tensor every time."""
    x = variable_of(answer, numbers)
    result, kept = {}, None
    for number, factor in enumerate(factors, 1):
        if factor == "zero_()":
            x.grad.zero_()
        else:
            (x * factor).backward(tensor(numbers).fill_(1))
        result[f"x.grad after step {number}"] = plain(x.grad)
        if kept is not None:
            result["x.grad is the same tensor"] = x.grad is kept
        kept = x.grad
    return result


@exercise.probe
def shared(answer, then):
    """z = x + y, whose backward hands x and y one tensor; `then` says what is done with it."""
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
    """What hooks are called with, and what x.grad holds at that time."""
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
def what_it_answers(answer):
    x = variable_of(answer, [2.0])
    answered = x.creator._do_backward(tensor([5.0]))
    return {"_do_backward returns": plain(answered)}


_SAME = "whoever holds x.grad, an optimizer say, is to see the sum: add into the tensor that is there, with add_"
_REPLACED = "each gradient takes the place of the one before; it is to be added"


def check_sums(name, title, on, mistakes, hidden=False, **inputs):
    @exercise.check("adds", hidden, name=name, title=title)
    def run(trial):
        trial.same(sums, on, [*mistakes, ({"x.grad is the same tensor": False}, _SAME)], **inputs)


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
    "x of size 2x2, backward of x * 2, x * 5 and x * -1, x.grad.zero_(), backward of x * 3", [],
    hidden=True, numbers=[[1.0, 2.0], [3.0, 4.0]], factors=[2, 5, -1, "zero_()", 3],
)  # fmt: skip


def check_own(name, title, then, on, values, because, hidden=True, others=("y.grad", "the gradient given to backward")):
    """Register a check of the gradients that `then` must not change; `values` are what mistakes make of them."""

    @exercise.check("own", hidden, name=name, title=title)
    def run(trial):
        mistakes = [({key: [value]}, because) for key in others for value in values]
        trial.same(shared, f"z = x + y, z.backward(gradient), {on}", mistakes, only=others, then=then)


check_own(
    "changed_by_its_owner", "Who changes x.grad changes no other gradient", "x.grad.mul_(10)", "then x.grad.mul_(10)",
    [10], "x.grad is the tensor that was handed in, which y and the caller have too; make x one of its own",
    hidden=False,
)  # fmt: skip
check_own(
    "gradient_used_again", "The same gradient tensor for a second backward", "again", "and z.backward(gradient) again",
    (2, 3, 4, 6), "the gradient that was handed in was written into; others read it",
    others=["the gradient given to backward"],
)  # fmt: skip
check_own(
    "added_to_later", "A later backward of x changes x.grad alone", "(x * 4).backward()", "then (x * 4).backward()",
    [5], "the second gradient was added into a tensor that y or the caller has too",
)  # fmt: skip


_NOT_CALLED = ({"calls": []}, "the hooks in self.backward_hooks were not called")
_AFTER = (
    {"calls": [["see", "(3.0)", "(3.0)", "x.grad", [3.0]]]},
    "the hook ran after the addition; it is to come first",
)
_BARE = ({"calls": [["see", [3.0], [3.0], "x.grad", [0.0]]]}, "the hook gets two tuples: grad_output and grad_output")


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
        ("TypeError", "backward_hooks leads from names to hooks: its values are what can be called"),
    ],
    hidden=False, names=["see"],
)  # fmt: skip
check_hooks(
    "several_hooks", "Several hooks are called in the order they were registered, in every backward",
    "hooks named b, a and c, backward of x * 3 and of x * 4", [_NOT_CALLED], names=["b", "a", "c"], backwards=2,
)  # fmt: skip
check_hooks(
    "hook_that_answers", "What a hook returns is ignored, as in 2016",
    "a hook that returns ([100],), backward of x * 3",
    [({"x.grad": [100]}, "what the hook returned was added; it is to be ignored")],
    only=None, names=["see"], answering=True,
)  # fmt: skip
check_hooks(
    "hook_that_goes", "A hook may remove itself while it runs",
    "hooks a and b that call x.remove_hook of their own name, backward of x * 3 and of x * 4",
    [("RuntimeError", "a dictionary cannot change while a loop goes through it: go through a list of its values")],
    names=["a", "b"], backwards=2, removing=True,
)  # fmt: skip


@exercise.check("end")
def empty_tuple(trial):
    """_do_backward returns an empty tuple."""
    trial.same(
        what_it_answers,
        "_do_backward([5]) of a leaf",
        [
            ({"_do_backward returns": None}, "without a return it answers None, which the engine cannot go through"),
            ({"_do_backward returns": [[5]]}, "the gradient ends here; a leaf has no operand to hand it to"),
        ],
    )
