"""Short exercises of notebook 9, a real network."""

from ... import nn
from ..answer import plain
from ..practice import Unwritten, case, seen, twice, written
from ..programs.inputs import Draw, beyond, programs
from ..programs.modules import Parameters, Tied, module_text
from .n08 import letter
from .watching import described, tolerance_of


def case_1(answer):
    """`answer(module)`: how many numbers it has to learn."""
    texts = [module_text(Draw([91, number]), number % 4) for number in range(20)]
    texts += ["nn.Sequential(nn.BatchNorm1d(6), nn.BatchNorm1d(6))", "nn.Sequential(nn.Linear(2, 3), Tied(3))",
              "nn.Conv3d(2, 3, 2)", "nn.Linear(400, 300)"]  # fmt: skip
    depths = [6, *(depth for depth in beyond(answer) if depth <= 60)]
    texts += [f"{'nn.Sequential(' * depth}nn.Linear(2, 2){')' * depth}" for depth in depths]
    for on in texts:
        module = eval(on, {"nn": nn, "Tied": Tied})
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
    changed, further = False, beyond(answer)
    for number, (draw, kind, size) in enumerate(programs(92, answer)):
        sizes = [size] * draw.whole(1, 2) + [(2,)] * draw.whole(0, 3)
        sizes += [(2,)] * (5 * (number == 8) + size[0] * (size[0] in further))
        groups = [Parameters(draw, kind, sizes) for _ in range(2)]
        lr, momentum = (draw.whole(0, 8) / 8 for _ in range(2))
        momentum *= number % 8 < 7  # some are 0
        for step in range(1, 6):
            # Two networks are trained in turn, so an answer cannot keep a state of its own.
            group = groups[step % 2]
            lr = lr if step < 4 else lr / 2
            group.backward(draw)
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
            parts = {
                "data": (data, after),
                "velocities": (speeds, now),
                "gradients": (gradients, [described(parameter.grad) for parameter in parameters]),
                "the same velocities": (
                    True,
                    all(
                        one is other and plain(one) == plain(view)
                        for one, other, view in zip(velocities, group.tensors, views)
                    ),
                ),
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
