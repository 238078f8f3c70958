"""Exercise 11: a layer, a loss, an optimizer and a training, on the student's own engine."""

import functools
import itertools
import re

import numpy

from ...autograd import engine as package
from ...autograd.function import Function
from ...autograd.functions.linear import Linear
from ...optim import SGD
from ...tensor import DoubleTensor
from ..data import spirals
from ..model import Exercise, Wrong, agree
from ..observers.network import OWN, trained
from ..programs import network as programs
from ..programs.run_backward import ENGINE
from ..sandbox.package import ENGINES
from . import run_backward
from .reasons import IN_PLACE, OVERWRITTEN

ACCURACY = 0.9
_ENOUGH = f"at least {ACCURACY:.0%} right"


class CrossEntropy(Function):
    def __init__(self, targets):
        self.rows, self.targets = numpy.arange(len(targets)), list(targets)

    def forward(self, scores):
        logarithms = scores.numpy() - numpy.logaddexp.reduce(scores.numpy(), axis=1, keepdims=True)
        self.slope = numpy.exp(logarithms) / len(self.rows)
        self.slope[self.rows, self.targets] -= 1 / len(self.rows)
        return scores.new([-logarithms[self.rows, self.targets].mean()])

    def backward(self, grad_output):
        return grad_output.new((self.slope * grad_output[0]).tolist())


_sgd = functools.partial(SGD, dampening=0)
exercise = Exercise(
    "11_network",
    reference=dict(Engine=package.ExecutionEngine, Linear=Linear, CrossEntropy=CrossEntropy, SGD=_sgd),
    withheld=(
        *ENGINES,
        "optim/",
        "nn/module.py:Module.__call__",
        "legacy/optim/",
        "autograd/functions/linear.py:Linear",
        "autograd/functions/loss.py",
        *[f"autograd/functions/activation.py:{name}.backward" for name in ("Softmax", "LogSoftmax")],
    ),
    needs=(1, 5, 7),
    method="backward",
    dimensions="type: Double; layout; size: one, 1-D, 2-D, 3-D, 4-D; places: apart, twice, shared, reused, diamonds; "
    "again; returned: a tensor, a view, the argument; hooks: none, one, several, runs, catches, raises, removes; "
    "requires_grad: all, some; values: ordinary, zeros, cancel, -0",
)


def _differs(expected, *letters):
    """Return a function: whether something whose name begins so differs from what is expected."""
    right = {key: value for key, value in expected.items() if key.startswith(letters)}
    return lambda got: any(not agree(value, got.get(key)) for key, value in right.items())


_CHANGED = "an operand was written into: use methods without _ at their end, on a copy"

# --- the engine of exercise 5, on Functions of one output

exercise.example("engine", "a diamond", ENGINE, "x = Variable(DoubleTensor([5.0]))", "a = x * 2", "b = x * 3",
    "c = a * b", "c.backward()",
    ({"x.grad": [30]}, OVERWRITTEN))  # fmt: skip
exercise.example("engine", "a product and a sum", ENGINE, "x = Variable(DoubleTensor([2.0]))",
    "y = Variable(DoubleTensor([3.0]))", "z = x * y + (x + y)", "z.backward()",
    ({"x.grad": [6], "y.grad": [6]}, IN_PLACE))  # fmt: skip


# --- the layer


def _of_linear(expected):
    sized = (
        "look at the shapes: each gradient has the shape of its operand, and what backward needs is stored on self, "
        "not on the class"
    )
    return [
        (_differs(expected, "writes into"), _CHANGED),
        (_differs(expected, "y"), "the result is x · weightᵀ + bias; the bias is added to each row"),
        (_differs(expected, "rx"), "the gradient of x is grad_output · weight, of this call"),
        (_differs(expected, "rw"), "the gradient of weight is grad_outputᵀ · x, the sum over the points, of this call"),
        (_differs(expected, "rb"),
         "the bias is added to each row: its gradient is the sum of the rows of grad_output, not the mean, of this "
         "call, and has one dimension"),
        (lambda got: True, _CHANGED),
        ("modified by an inplace", _CHANGED),
        ("not contiguous", "an operand may be a view, which `view` refuses: use t() and sum(0, keepdim=False)"),
        ("RuntimeError", sized), ("ValueError", sized),
    ]  # fmt: skip


def _numbers(*size):
    return (numpy.arange(numpy.prod(size)).reshape(size) % 5 - 1.5).tolist()


_ARRAYS = _numbers(4, 2), _numbers(3, 2), _numbers(3), _numbers(4, 3)
exercise.example("linear", "Linear from 2 to 3 for 4 points",
    *[f"{name} = Variable(DoubleTensor({numbers}))" for name, numbers in zip("xwb", _ARRAYS)], "f = Linear()",
    "y = f(x, w, b)[0]", f"g = DoubleTensor({_ARRAYS[3]})", "rx, rw, rb = f._do_backward(g)",
    ({"rw": (numpy.transpose(_ARRAYS[0]) @ _ARRAYS[3]).tolist()}, "this is the transpose: weight is (outputs, inputs)"),
    name="points")  # fmt: skip


# --- the loss

_LARGE = "e^1000 is inf: subtract the largest score of each row first"
_TINY = f"{_LARGE}; where p itself becomes 0, use ln p = s - ln Σ e^s of the shifted scores, which is finite"


def _of_loss(expected):
    def nan_in(letter):
        return lambda got: any(re.search("nan|inf", str(value)) for key, value in got.items() if key.startswith(letter))

    return [
        (_differs(expected, "writes into"),
         "the scores were written into: use methods without _ at their end, on a copy"),
        (lambda got: any(got.get(key) != value for key, value in expected.items() if key.startswith("k")),
         "do not change the caller's list of targets"),
        (nan_in("y"), _TINY), (nan_in("rs"), _LARGE),
        (lambda got: any(right != [0] and agree([-right[0]], got.get(key)) for key, right in expected.items()
                         if key.startswith("y")),
         "-ln p: the loss is positive"),
        (_differs(expected, "y"), "the loss is the mean of -ln p of the target over all rows of this call"),
        (lambda got: True, "the gradient is (p - 1 at the target, p elsewhere) / n * grad_output, with what "
         "this call stored, each time that backward runs: change a copy of the probabilities"),
        ("out of range", "a row or a class that these scores do not have: it is grad[row, target], and what backward "
         "needs is stored on self, not on the class"),
    ]  # fmt: skip


def _loss_example(name, title, scores, targets, gradient):
    right, n = CrossEntropy(targets), len(targets)
    total = right.forward(DoubleTensor(scores))[0] * n
    slope = right.slope * n
    p = slope.copy()
    p[right.rows, targets] += 1
    exercise.example("loss", title, f"d = DoubleTensor({scores})", "x = Variable(d)", f"k = {targets}",
        "f = CrossEntropy(k)", "y = f(x)[0]", f"rs = f._do_backward(DoubleTensor([{gradient}]))[0]",
        ({"y": [total]}, "the mean over the rows, not the sum"),
        ({"rs": (slope * gradient).tolist()}, "a mean over n rows: the gradient is divided by n"),
        *([({"rs": (slope / n).tolist()}, "times grad_output, which is not always 1")] * (gradient != 1)),
        ({"rs": (p / n * gradient).tolist()}, "at the target it is p - 1"),
        ({"rs": (-slope / n * gradient).tolist()}, "the sign: p - 1 at the target, not 1 - p"),
        name=name)  # fmt: skip


_loss_example("loss_of_two", "two rows", [[1.0, 2.0, 0.0], [0.0, -1.0, 1.0]], [1, 0], 1.0)
_loss_example("loss_scaled", "times grad_output", [[0.5, -1.0, 0.0], [1.5, 0.5, 0.0], [-1.0, 1.0, 2.0]], [2, 0, 1], 3.0)
exercise.example("loss", "300 classes", "x = Variable(DoubleTensor(2, 300).fill_(0.5))", "k = [299, 3]",
    "f = CrossEntropy(k)", "y = f(x)[0]", "rs = f._do_backward(DoubleTensor([1.0]))[0]",
    hidden=True)  # fmt: skip


# --- the optimizer

_OF_ITS_OWN = "each parameter takes a step and has its own velocity, stored on the optimizer and not on the class"


def _of_sgd(expected):
    def stale(got):
        """Return whether the Tensors that were the parameters' data have other numbers than at the end."""
        return any(not agree(value, got.get(key)) for key, value in expected.items() if key.startswith("p"))

    return [
        (lambda got: not _differs(expected, "x")(got) and stale(got), "step() must change parameter.data in place"),
        (lambda got: any(got.get(key) != value for key, value in expected.items() if re.fullmatch(r"q\d*", key)),
         "do not change the caller's list of parameters"),
        (lambda got: any(not agree(right[1], found[1])
                         for one, other in zip(expected.get("seen", ()), got.get("seen") or ())
                         for right, found in zip(one, other)),
         "step() must not change the gradients, and zero_grad() zeroes all of them"),
        (lambda got: True, f"{_OF_ITS_OWN}: v = momentum * v + grad, and then data = data - lr * v, in each step, "
         "also where the gradient is 0"),
        ("do not fit", _OF_ITS_OWN),
    ]  # fmt: skip


def _steps_example(name, title, options, gradients, *mistakes, zeroing=True, hidden=False):
    """Check steps of [1, 2] and [[10]], whose gradients are [g, 2g] and [[g]] for each of `gradients`."""
    lines = []
    for gradient in gradients:
        lines += ["o.zero_grad()", "see()"] if zeroing else []
        lines.append(f"x.grad.add_(DoubleTensor([{gradient}, {2 * gradient}]))")
        lines.append(f"y.grad.add_(DoubleTensor([[{gradient}]]))")
        lines += ["o.step()", "see()"]
    exercise.example("sgd", title, "p1 = DoubleTensor([1.0, 2.0])", "x = Variable(p1)",
        "y = Variable(DoubleTensor([[10.0]]))", "q = [x, y]", f"o = SGD(q, {options})", *lines,
        *mistakes,
        hidden=hidden, name=name)  # fmt: skip


_steps_example("one_step", "one step without momentum", "0.1", [4.0],
    ({"x": [1.4, 2.8]}, "the loss must fall: step against the gradient"),
    ({"p1": [1, 2], "x": [1, 2]}, "the data of the Variables has not changed"),
    ({"x": [-3, -6]}, "the step is lr times the gradient"),
    ({"x.grad": [0, 0], "x": [0.6, 1.2]}, "step() must not change the gradients; zero_grad() zeroes them"),
    zeroing=False)  # fmt: skip
_steps_example("zeroed", "zero_grad", "0.1", [4.0, 1.0],
    ({"x.grad": [5, 10]}, "zero_grad() has not zeroed the gradient"))  # fmt: skip
_steps_example("with_momentum", "three steps with momentum", "0.1, 0.5", [4.0, 8.0, -2.0],
    ({"x": [0.15, 0.3]},
     "this is momentum * v + (1 - momentum) * grad; the formula is v = momentum * v + grad, without dampening"),
    ({"x": [-0.85, -1.7]},
     "this is Nesterov's momentum; the formula is v = momentum * v + grad, and the step is lr * v"),
    ({"x": [0, 0]}, "v = momentum * v + grad: the previous v is not used"),
    hidden=True)  # fmt: skip


for _group, _reasons, _make in (
    ("engine", run_backward.reasons, programs.engines),
    ("linear", _of_linear, programs.linears), ("loss", _of_loss, programs.losses), ("sgd", _of_sgd, programs.steps),
):  # fmt: skip
    exercise.explain(_reasons, _group)
    exercise.programs(_group, 40, _make)

# --- the training

_SIZES = [
    ("'int' object is not iterable", "the classes are a list, that of one point as well"),
    ("do not fit", "the shapes of two tensors differ: check the gradients of Linear first, in its own part"),
]


def _check_training(seed, title, hidden=False, trainings=1, shift=0):
    @exercise.check("network", f"trained_{seed}", title, hidden)
    def run(trial):
        on = f"trained on spirals({seed}), tested on spirals({seed + 100})"
        found, *again = [
            trial.ask(trained, on, _ENOUGH, _SIZES, seed=seed, turn=turn, shift=shift) for turn in range(trainings)
        ]

        def require(holds, expected, got, why):
            if not holds:
                raise Wrong(on, expected, got, why)

        for name, training in itertools.product(OWN, [found, *again]):
            times = training[f"calls of {name}"]
            require(times >= 10, f"a training that uses your {name}", f"{times} calls of it",
                    "the training must use your own code: "
                    f"{OWN[name]} of your {name} was called {times} times")  # fmt: skip
        for training in (found, *again):
            steps, runs = training["calls of SGD"], training["calls of Engine"]
            require(runs >= steps, f"a backward of your Engine for each of {steps} steps", f"{runs} of them",
                    "all backwards of the training must run your Engine")  # fmt: skip
        require(found["points and targets"] == "unchanged", "the caller's points and targets as they were",
                "others",
                "train and its result must not change the points and targets that they are given")  # fmt: skip
        results = "results of Linear"
        require(all(agree(found[results], other[results], 1e-6) for other in again),
                "the same network from a second training", "another",
                "begin with torch.manual_seed(…), and keep nothing from one training to the next: the classes may be "
                "equal by chance, the results of your Linear are not")  # fmt: skip
        classes = {key: spirals(number)[1] for key, number in (("seen", seed), ("unseen", seed + 100))}
        right = {key: [(one + shift) % 3 for one in each] for key, each in classes.items()}
        for key, numbers in right.items():
            require(len(found[key]) == len(numbers), f"{len(numbers)} class numbers", f"{len(found[key])}",
                    "one for each row of the points")  # fmt: skip
        require(found["alone and together"], "the same class for a point alone and among others", "another",
                "each point is classified by itself, one alone and many together: use nothing of the "
                "others")  # fmt: skip
        require(all(training["kept"] for training in (found, *again)), "the same classes when asked again", "others",
                "a network stays as its training left it: keep its weights in variables of train, and do not train "
                "when it is asked")  # fmt: skip
        share = {key: float(numpy.mean(numpy.array(found[key]) == right[key])) for key in right}
        if share["seen"] >= ACCURACY:
            why = "only the training points are classified correctly: the network must generalise"
        elif len(set(found["unseen"])) == 1:
            why = "all points get the same class: nothing was learned"
        elif share["unseen"] < 0.6:
            why = "a straight line reaches this accuracy: is there a hidden layer with tanh? Does the loss fall?"
        else:
            why = "it has begun to learn: try more steps or a larger lr"
        require(share["unseen"] >= ACCURACY, _ENOUGH, f"{share['unseen']:.0%} right", why)
        require(found["asked"], "answers from your network", "the same answers when your Linear gives zeros",
                "the predictions must depend on your Linear: a table of the points is not a network")  # fmt: skip


_check_training(0, "trained on spirals(0)")
_check_training(7, "trained on other points and classes, twice", hidden=True, trainings=2, shift=1)
