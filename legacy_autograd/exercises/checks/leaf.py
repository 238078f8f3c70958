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


@exercise.check("adds")
def first_and_second(trial):
    """The gradients of two backwards are added."""
    trial.same(
        sums,
        "x = [2], backward of x * 3, then of x * 4",
        [
            ({"x.grad after step 1": [3], "x.grad after step 2": [4]}, _REPLACED),
            ({"x.grad after step 1": [0]}, "x.grad has not changed: nothing was added to it"),
            ({"x.grad after step 1": [6]}, "the gradient is added twice"),
            ({"x.grad is the same tensor": False}, _SAME),
        ],
        numbers=[2.0],
        factors=[3, 4],
    )


@exercise.check("adds", hidden=True)
def more_of_them(trial):
    """Three backwards over a tensor of size 2x2, and one more after x.grad.zero_()."""
    trial.same(
        sums,
        "x of size 2x2, backward of x * 2, x * 5 and x * -1, x.grad.zero_(), backward of x * 3",
        [({"x.grad is the same tensor": False}, _SAME)],
        numbers=[[1.0, 2.0], [3.0, 4.0]],
        factors=[2, 5, -1, "zero_()", 3],
    )


_OTHERS = ("y.grad", "the gradient given to backward")


@exercise.check("own")
def changed_by_its_owner(trial):
    """Who changes x.grad changes no other gradient."""
    on = "z = x + y, z.backward(gradient), then x.grad.mul_(10)"
    kept = "x.grad is the tensor that was handed in, which y and the caller have too; make x one of its own"
    trial.same(
        shared, on, [({"y.grad": [10]}, kept), ({"the gradient given to backward": [10]}, kept)],
        only=_OTHERS, then="x.grad.mul_(10)",
    )  # fmt: skip


@exercise.check("own", hidden=True)
def gradient_used_again(trial):
    """The same gradient tensor for a second backward."""
    on = "z = x + y, z.backward(gradient), and z.backward(gradient) again"
    written = "the gradient that was handed in was written into; others read it"
    trial.same(
        shared, on, [({"the gradient given to backward": [value]}, written) for value in (2, 3, 4, 6)],
        only=_OTHERS[1:], then="again",
    )  # fmt: skip


@exercise.check("own", hidden=True)
def added_to_later(trial):
    """A later backward of x changes x.grad alone."""
    on = "z = x + y, z.backward(gradient), then (x * 4).backward()"
    kept = "the second gradient was added into a tensor that y or the caller has too"
    trial.same(
        shared, on, [({"y.grad": [5]}, kept), ({"the gradient given to backward": [5]}, kept)],
        only=_OTHERS, then="(x * 4).backward()",
    )  # fmt: skip


_NOT_CALLED = ({"calls": []}, "the hooks in self.backward_hooks were not called")
_AFTER = (
    {"calls": [["see", "(3.0)", "(3.0)", "x.grad", [3.0]]]},
    "the hook ran after the addition; it is to come first",
)
_BARE = ({"calls": [["see", [3.0], [3.0], "x.grad", [0.0]]]}, "the hook gets two tuples: grad_output and grad_output")


@exercise.check("hooks")
def one_hook(trial):
    """A hook is called with grad_output twice, before the addition."""
    trial.same(
        seen_by_hooks,
        'x.register_hook("see", hook), backward of x * 3',
        [
            _NOT_CALLED,
            _AFTER,
            _BARE,
            ({"calls": [["see", "(3.0)", "x.grad", [0.0]]]}, "a hook takes two arguments, grad_input and grad_output"),
            ("TypeError", "backward_hooks leads from names to hooks: its values are what can be called"),
        ],
        only=("calls",),
        names=["see"],
        backwards=1,
    )


@exercise.check("hooks", hidden=True)
def several_hooks(trial):
    """Several hooks are called in the order they were registered, in every backward."""
    on = "hooks named b, a and c, backward of x * 3 and of x * 4"
    trial.same(seen_by_hooks, on, [_NOT_CALLED], only=("calls",), names=["b", "a", "c"], backwards=2)


@exercise.check("hooks", hidden=True)
def hook_that_answers(trial):
    """What a hook returns is ignored, as in 2016."""
    on = "a hook that returns ([100],), backward of x * 3"
    trial.same(
        seen_by_hooks, on, [({"x.grad": [100]}, "what the hook returned was added; it is to be ignored")],
        names=["see"], backwards=1, answering=True,
    )  # fmt: skip


@exercise.check("hooks", hidden=True)
def hook_that_goes(trial):
    """A hook may remove itself while it runs."""
    trial.same(
        seen_by_hooks,
        "hooks a and b that call x.remove_hook of their own name, backward of x * 3 and of x * 4",
        [("RuntimeError", "a dictionary cannot change while a loop goes through it: go through a list of its values")],
        only=("calls",),
        names=["a", "b"],
        backwards=2,
        removing=True,
    )


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
