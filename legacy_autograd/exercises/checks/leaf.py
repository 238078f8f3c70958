"""Exercise 3: `Leaf._do_backward`, which calls the hooks and adds the gradient to `variable.grad`."""

import types

from ...autograd import leaf as package
from .. import template
from ..model import Exercise
from ..observers.leaf import (
    hook_that_raises,
    hooks_that_come_and_go,
    seen_by_hooks,
    shared,
    sums,
    sums_at_random,
    what_it_answers,
)

exercise = Exercise(
    title="Leaf: where gradients are summed",
    minutes=40,
    reference=types.SimpleNamespace(Leaf=package.Leaf),
    withheld=(
        "autograd/leaf.py:Leaf._do_backward",
        "autograd/leaf.py:Leaf._accumulate",
        "autograd/later/hooks.py:add_to_grad",
    ),
    groups=template.groups("03_leaf"),
    method="_do_backward",
)

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
