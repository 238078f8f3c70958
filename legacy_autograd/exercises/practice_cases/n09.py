"""Short exercises of notebook 9, a real network."""

from ... import nn
from ..answer import plain
from ..practice import Unwritten, case, seen, twice, written
from ..programs import short
from .n08 import letter
from .watching import described, tolerance_of


def case_1(answer):
    """`answer(module)`: how many numbers it has to learn."""
    for on, module in short.modules(answer):
        right, variables = sum(p.numel() for p in module.parameters()), sum(1 for _ in module.parameters())
        yield twice(on, lambda module=module: plain(written(answer(module))), "the numbers", right,
            ({"the numbers": variables}, "that is the number of Variables; each has `numel()` numbers"),
            (lambda got, right=right: isinstance(got["the numbers"], int) and got["the numbers"] > right,
             "what is used twice has its numbers once, and a running mean is not learnt"),
            second="those of a second call")  # fmt: skip
        if isinstance(module, nn.Sequential):
            module.add_module("more", nn.Linear(2, 2))
            yield case(f"{on}, and then module.add_module('more', nn.Linear(2, 2))", plain(written(answer(module))),
                sum(p.numel() for p in module.parameters()))  # fmt: skip


def case_2(answer):
    """`answer(parameters, velocities, lr, momentum)`: steps of SGD with momentum."""
    changed = False
    for kind, step, group, lr, momentum in short.trainings(answer):
        parameters, velocities = group.parameters, group.velocities
        before = [described(parameter.data) for parameter in parameters]
        was = [described(velocity) for velocity in velocities]
        views = [velocity.transpose(0, 0) for velocity in velocities]
        speeds = [velocity * momentum + p.grad for velocity, p in zip(velocities, parameters)]
        data = [described(p.data - speed * lr) for speed, p in zip(speeds, parameters)]
        speeds = [described(speed) for speed in speeds]
        plain_sgd = [described(p.data - p.grad * lr) for p in parameters]
        gradients = [described(parameter.grad) for parameter in parameters]
        on = (
            f"step {step}: data {_numbers(before)}, velocities {_numbers(was)}, "
            f"gradients {_numbers(gradients)}, lr = {lr}, momentum = {momentum}"
        )
        returned = answer(parameters, velocities, lr, momentum)
        after = [described(parameter.data) for parameter in parameters]
        now = [described(velocity) for velocity in velocities]
        changed |= returned is not None or [after, now] != [before, was]
        if [data, speeds] != [before, was] and not changed:
            raise Unwritten
        kept = [one is other and plain(one) == plain(view)
                for one, other, view in zip(velocities, group.tensors, views)]  # fmt: skip
        parts = {
            "data": (data, after),
            "velocities": (speeds, now),
            "gradients": (gradients, [described(parameter.grad) for parameter in parameters]),
            "the same velocities": (True, all(kept)),
        }
        yield seen(on, parts,
            (lambda got: not got["the same velocities"], "change the Tensors in `velocities` in place"),
            ({"data": plain_sgd},
             "that is a step without momentum: `velocities` has to keep its numbers between the steps"),
            (lambda got, gradients=gradients: got["gradients"] != gradients, "the step changed a gradient"),
            tolerance=tolerance_of(kind))  # fmt: skip


def _numbers(values):
    return [value[1] for value in values]


def case_3(answer):
    """`answer`: what happens if the random state is restored before the network is made."""
    hint = "Which later lines of the program draw from the generator?"
    yield case("a, b or c", letter(answer), "b",
        ("a", "`LeNet()` draws its weights from the generator, so the generator has moved on"),
        ("c", "nothing checks the order"),
        hint=hint)  # fmt: skip
