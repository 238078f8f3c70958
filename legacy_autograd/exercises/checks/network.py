"""Exercise 11: a layer, a loss, an optimizer and a training, on the student's own engine."""

import functools
import types

import numpy

from ...autograd import engine as package
from ...autograd.functions.linear import Linear
from ...optim import SGD
from .. import template
from ..data import spirals
from ..model import Exercise, Wrong, agree
from ..observers.network import OWN, gradients, layer, loss, steps, trained
from ..observers.programs import PLAIN, words
from ..observers.support import random_numbers
from ..sandbox.package import ENGINES
from .reasons import IN_PLACE, OVERWRITTEN

ACCURACY = 0.9

exercise = Exercise(
    title="A network on your own engine",
    minutes=120,
    reference=types.SimpleNamespace(
        Engine=package.ExecutionEngine, Linear=Linear, SGD=functools.partial(SGD, dampening=0)
    ),
    withheld=(
        *ENGINES,
        "optim/",
        "legacy/optim/",
        "autograd/functions/linear.py:Linear",
        "autograd/functions/loss.py",
        *[f"autograd/functions/activation.py:{name}.backward" for name in ("Softmax", "LogSoftmax")],
    ),
    needs=(1, 5, 7),
    groups=template.groups("11_network"),
    method="backward",
)


def check_program(program, mistakes=(), hidden=False, title=None):
    @exercise.check("engine", hidden, name=program, title=title or words(program))
    def run(trial):
        trial.same(gradients, words(program), mistakes, program=program)


check_program("diamond", [({"x.grad": [30]}, OVERWRITTEN)])
check_program("product_and_sum", [({"x.grad": [6], "y.grad": [6]}, IN_PLACE)])
check_program("leaf_in_many_places", hidden=True)
check_program("constant_part", hidden=True)
for _name in PLAIN:
    check_program(_name, hidden=True, title=_name.replace("_", " "))


def check_layer(name, n, inputs, outputs, hidden=False):
    @exercise.check("linear", hidden, name=name, title=f"Linear from {inputs} to {outputs} for {n} points")
    def run(trial):
        x, weight, bias, g = (
            numpy.array(random_numbers(seed, *size))
            for seed, size in enumerate([(n, inputs), (outputs, inputs), (outputs,), (n, outputs)], 1)
        )
        sized = "look at the shapes: each gradient has the shape of its operand"
        trial.same(
            layer, f"Linear with x of size {x.shape}, weight {weight.shape} and bias {bias.shape}",
            [
                ({"result": (x @ weight.T).tolist()}, "the bias is not added"),
                ({"gradient of weight": (x.T @ g).tolist()}, "this is the transpose: weight is (outputs, inputs)"),
                ({"gradient of weight": (g.T @ x / n).tolist()}, "the sum over the points; the loss makes the mean"),
                ({"gradient of bias": g.tolist()},
                 "the bias is added to each row: its gradient is the sum of the rows"),
                ({"gradient of bias": g.mean(0).tolist()},
                 "the bias is added to each row: its gradient is the sum, not the mean"),
                ({"gradient of bias": numpy.ones(outputs).tolist()}, "the gradient of the bias depends on grad_output"),
                ("modified by an inplace", "an operand was written into: use methods without _ at their end"),
                ("RuntimeError", sized), ("ValueError", sized),
            ],
            x=x.tolist(), weight=weight.tolist(), bias=bias.tolist(), gradient=g.tolist(),
        )  # fmt: skip


check_layer("points", 4, 2, 3)
check_layer("one_point", 1, 3, 2, hidden=True)
check_layer("square", 3, 3, 3, hidden=True)


def check_loss(name, title, scores, targets, gradient=1.0, hidden=False):
    @exercise.check("loss", hidden, name=f"loss_{name}", title=title)
    def run(trial):
        s = numpy.array(scores)
        e = numpy.exp(s - s.max(1, keepdims=True))
        p = e / e.sum(1, keepdims=True)
        n, rows = len(targets), numpy.arange(len(targets))
        each = numpy.log(e.sum(1)) + s.max(1) - s[rows, targets]
        grad = p.copy()
        grad[rows, targets] -= 1
        not_a_number = numpy.full_like(s, numpy.nan).tolist()
        trial.expect(
            loss,
            {"loss": [each.mean()], "gradient": (grad / n * gradient).tolist()},
            f"CrossEntropy({targets}) of the scores {scores}, grad_output = {gradient}",
            [
                ({"loss": [each.sum()]}, "the mean over the rows, not the sum"),
                ({"loss": [-each.mean()]}, "-ln p: the loss is positive"),
                ({"loss": [float("nan")]}, "e^1000 is inf: subtract the largest score of the row first"),
                ({"loss": [float("inf")]}, "e^1000 is inf: subtract the largest score of the row first"),
                ({"gradient": not_a_number}, "e^1000 is inf: subtract the largest score of the row first"),
                ({"gradient": (grad * gradient).tolist()}, "a mean over n rows: the gradient is divided by n"),
                *([({"gradient": (grad / n).tolist()}, "times grad_output, which is not always 1")] * (gradient != 1)),
                ({"gradient": (p / n * gradient).tolist()}, "at the target it is p - 1"),
                ({"gradient": (-grad / n * gradient).tolist()}, "the sign: p - 1 at the target, not 1 - p"),
                ({"gradient": (grad / n * gradient).tolist()},
                 "the gradient is correct and the loss is not: it is the mean of -ln p of the target over all rows"),
            ],
            scores=scores, targets=targets, gradient=gradient,
        )  # fmt: skip


check_loss("of_two", "two rows", [[1.0, 2.0, 0.0], [0.0, -1.0, 1.0]], [1, 0])
check_loss("scaled", "times grad_output", random_numbers(5, 4, 3), [2, 0, 1, 1], gradient=3.0)
check_loss("one_row", "one row", [[0.5, -0.5]], [0], hidden=True)
check_loss("apart", "rows of very different scores", [[1000.0, 0.0], [-1000.0, -1001.0]], [0, 1], hidden=True)
check_loss("large", "large scores", [[1000.0, 0.0, 0.0], [0.0, -1000.0, 1000.0]], [0, 0], hidden=True)


def check_steps(name, title, mistakes, hidden=False, **inputs):
    @exercise.check("sgd", hidden, name=name, title=title)
    def run(trial):
        mode = "zero_grad() before each" if inputs["zeroing"] else "without zero_grad()"
        rates = f"lr {inputs['lr']}, momentum {inputs['momentum']}"
        on = f"SGD of [1, 2] and [[10]], {rates}, gradients {inputs['gradients']}, {mode}"
        trial.same(steps, on, [*mistakes, *_of_momentum(**inputs)], **inputs)


def _of_momentum(lr, momentum, gradients, zeroing):
    """Return the reasons for steps with another momentum, and for any other wrong step."""
    right = _walked(lr, momentum, gradients, zeroing)
    others = [
        (lambda v, g: momentum * v + (1 - momentum) * g, lambda v, g: v,
         "this is momentum * v + (1 - momentum) * grad; the formula is v = momentum * v + grad, without dampening"),
        (lambda v, g: momentum * v + g, lambda v, g: momentum * v + g,
         "this is Nesterov's momentum; the formula is v = momentum * v + grad, and the step is lr * v"),
    ]  # fmt: skip
    for velocity, step, sentence in others:
        found = _walked(lr, momentum, gradients, zeroing, velocity, step)
        if momentum and not agree(right, found):
            yield found, sentence
    yield ("do not fit", _OF_ITS_OWN)
    yield (lambda got: True, f"{_OF_ITS_OWN}: v = momentum * v + grad, and then data = data - lr * v")


_OF_ITS_OWN = "each parameter takes a step and has its own velocity, stored on the optimizer and not on the class"


def _walked(lr, momentum, gradients, zeroing, velocity=None, step=None):
    """Return the parameters of `steps` after each step, computed here for any momentum."""
    data, v, total, found = 0.0, 0.0, 0.0, {}
    for number, gradient in enumerate(gradients, 1):
        total = gradient if zeroing else total + gradient
        v = velocity(v, total) if velocity else momentum * v + total
        data -= lr * (step(v, total) if step else v)
        found[f"parameters after step {number}"] = [[1 + data, 2 + 2 * data], [[10 + data]]]
    return found


check_steps("one_step", "one step without momentum", [
    ({"parameters after step 1": [[1.4, 2.8], [[10.4]]]}, "the loss must fall: step against the gradient"),
    ({"parameters after step 1": [[1, 2], [[10]]]}, "the data of the Variables has not changed"),
    ({"parameters after step 1": [[-3, -6], [[6]]]}, "the step is lr times the gradient"),
    ({"the data is the same tensor": False}, "step() must change parameter.data in place"),
    ({"grad after step 1": [0, 0]}, "step() must not change the gradients; zero_grad() zeroes them"),
], lr=0.1, momentum=0, gradients=[4.0], zeroing=False)  # fmt: skip
check_steps("zeroed", "zero_grad", [
    ({"grad after zero_grad, step 2": [4, 8]}, "zero_grad() has not zeroed the gradient"),
], lr=0.1, momentum=0, gradients=[4.0, 1.0], zeroing=True)  # fmt: skip
check_steps("with_momentum", "three steps with momentum", [
    ({"parameters after step 2": [[-0.2, -0.4], [[8.8]]]}, "v = momentum * v + grad: the previous v is not used"),
], hidden=True, lr=0.1, momentum=0.5, gradients=[4.0, 8.0, -2.0], zeroing=True)  # fmt: skip
check_steps("accumulated", "gradients that are not zeroed", [], hidden=True,
            lr=0.5, momentum=0.9, gradients=[1.0, 2.0], zeroing=False)  # fmt: skip
check_steps("without_a_gradient", "a gradient of zeros between others, a momentum near 1", [
    ({"parameters after step 2": [[0.6, 1.2], [[9.6]]]},
     "if the gradient is 0, the parameter still moves by lr * momentum * v: never skip a step"),
], hidden=True, lr=0.1, momentum=0.99, gradients=[4.0, 0.0, 2.0], zeroing=True)  # fmt: skip


_SIZES = [("do not fit", "the shapes of two tensors differ: check the gradients of Linear first, in its own part")]


def check_training(seed, title, hidden=False, trainings=1):
    @exercise.check("network", hidden, name=f"trained_{seed}", title=title)
    def run(trial):
        on = f"trained on spirals({seed}), tested on spirals({seed + 100})"
        found = trial.ask(trained, on, f"at least {ACCURACY:.0%} right", _SIZES, seed=seed, trainings=trainings)
        for name in OWN:
            times = found[f"calls of {name}"]
            if times < 10:
                why = f"the training must use your own code: {OWN[name]} of your {name} was called {times} times"
                raise Wrong(on, f"a training that uses your {name}", f"{times} calls of it", why)
        if not found["the same"]:
            raise Wrong(on, "the same answers from a second training", "others", "begin with torch.manual_seed(…)")
        right = {key: spirals(number)[1] for key, number in (("seen", seed), ("unseen", seed + 100))}
        for key, numbers in right.items():
            if len(found[key]) != len(numbers):
                raise Wrong(on, f"{len(numbers)} class numbers", f"{len(found[key])}", "one for each row of the points")
        share = {key: float(numpy.mean(numpy.array(found[key]) == right[key])) for key in right}
        if share["unseen"] < ACCURACY:
            if share["seen"] >= ACCURACY:
                why = "only the training points are classified correctly: the network must generalise"
            elif len(set(found["unseen"])) == 1:
                why = "all points get the same class: nothing was learned"
            elif share["unseen"] < 0.6:
                why = "a straight line reaches this accuracy: is there a hidden layer with tanh? Does the loss fall?"
            else:
                why = "it has begun to learn: try more steps or a larger lr"
            raise Wrong(on, f"at least {ACCURACY:.0%} right", f"{share['unseen']:.0%} right", why)
        if not found["asked"]:
            raise Wrong(
                on,
                "answers from your network",
                "the same answers when your Linear gives zeros",
                "the predictions must depend on your Linear: a table of the points is not a network",
            )


check_training(0, "trained on spirals(0)")
check_training(7, "trained on other points, twice", hidden=True, trainings=2)
