"""Short exercises of notebook 9, a real network."""

from ... import nn
from ...autograd import Variable
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Case, Unwritten


def case_1(answer):
    """`answer(module)`: how many numbers it has to learn."""
    shared = nn.Linear(4, 4)
    for on, module, right in [
        ("nn.Linear(3, 5)", nn.Linear(3, 5), 20),
        ("nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 1))", _network(), 26),
        ("nn.Conv2d(2, 4, 3)", nn.Conv2d(2, 4, 3), 76),
        (
            "nn.Sequential(shared, nn.Tanh(), shared) of one nn.Linear(4, 4)",
            nn.Sequential(shared, nn.Tanh(), shared),
            20,
        ),
    ]:
        mistakes = (
            (sum(1 for _ in module.parameters()), "that is the number of Variables; each has `numel()` numbers"),
            (40, "a layer that is used twice has its numbers once"),
        )
        yield Case(on, answer(module), right, mistakes)


def _network():
    return nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 1))


def case_2(answer):
    """`answer(parameters, velocities, lr, momentum)`: steps of SGD with momentum."""
    parameters = [Variable(DoubleTensor([1.0, 2.0])), Variable(DoubleTensor([-1.0]))]
    velocities = [DoubleTensor([0.0, 0.0]), DoubleTensor([0.0])]
    data, speed = [[1.0, 2.0], [-1.0]], [[0.0, 0.0], [0.0]]
    lr, momentum = 0.5, 0.5
    for step, gradients in enumerate([([2.0, -4.0], [1.0]), ([1.0, 1.0], [0.0]), ([0.0, 2.0], [-3.0])], 1):
        for parameter, gradient in zip(parameters, gradients):
            parameter.grad.zero_()
            (parameter * Variable(DoubleTensor(gradient), requires_grad=False)).sum().backward()
        was = [plain(parameter.data) for parameter in parameters]
        returned = answer(parameters, velocities, lr, momentum)
        if step == 1 and returned is None and was == [plain(parameter.data) for parameter in parameters]:
            raise Unwritten
        plain_sgd = [[x - lr * g for x, g in zip(*pair)] for pair in zip(data, gradients)]
        speed = [[momentum * v + g for v, g in zip(*pair)] for pair in zip(speed, gradients)]
        data = [[x - lr * v for x, v in zip(*pair)] for pair in zip(data, speed)]
        on = f"step {step}, gradients {list(gradients)}, lr = 0.5, momentum = 0.5"
        mistakes = (
            (plain_sgd, "that is a step without momentum: `velocities` has to keep its numbers between the steps"),
        )
        yield Case(f"data after {on}", [plain(parameter.data) for parameter in parameters], data, mistakes)
        yield Case(f"velocities after {on}", [plain(velocity) for velocity in velocities], speed)
        right = [list(gradient) for gradient in gradients]
        yield Case(f"gradients after {on}", [plain(parameter.grad) for parameter in parameters], right)


def case_3(answer):
    """`answer`: what happens if the random state is restored before the network is made."""
    mistakes = (
        ("a", "`LeNet()` draws its weights from the generator, so the generator has moved on"),
        ("c", "nothing checks the order"),
    )
    yield Case("a, b or c", answer if answer is ... else str(answer).lower(), "b", mistakes)
