"""The rows of the table: the inputs of every workload, drawn once and given to all peers.

A peer (`benchmarks.peers`) has one function for each workload that it can run. The function takes the inputs below and
returns two functions without arguments: `step` runs forward, backward and, in training, zero_grad and the update;
`read` returns the gradients (in training followed by the parameters) as NumPy arrays, to compare the peers.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy


@dataclass(frozen=True)
class Workload:
    """One row: its name on the command line, its title, the peers' function and that function's inputs."""

    name: str
    title: str
    function: str
    inputs: Callable  # of a numpy Generator
    goal: float  # the largest ratio to modern torch on one thread
    ahead_of: tuple = ()  # names of peers that the package must beat as well
    steps_compared: int = 1  # training rows compare several steps, so that zero_grad and the update count


def chain(operations):
    return lambda random: {
        "operations": operations,
        "x": numpy.array([0.5]),
        "c": numpy.array([0.999]),
        "d": numpy.array([0.001]),
    }


def chain_with_constants(operations):
    return lambda random: {"operations": operations, "x": numpy.array([0.5]), "c": 1.01, "d": 0.5}


def fan_out(products):
    return lambda random: {"x": random.standard_normal(1), "factors": list(random.standard_normal((products, 1)))}


def doubling(depth):
    return lambda random: {"x": numpy.array([1e-300]), "depth": depth}


def _layers(random, shapes, dtype):
    """Weights of the shapes given, with the outputs first as in nn.Linear and nn.Conv2d, each followed by its bias."""
    parameters = []
    for shape in shapes:
        parameters.append((random.standard_normal(shape) / numpy.prod(shape[1:]) ** 0.5).astype(dtype))
        parameters.append(numpy.zeros(shape[0], dtype))
    return parameters


def classifier(sizes, batch, dtype):
    def draw(random):
        parameters = _layers(random, list(zip(sizes[1:], sizes)), dtype)
        x = random.standard_normal((batch, sizes[0])).astype(dtype)
        return {"parameters": parameters, "x": x, "y": random.integers(0, sizes[-1], batch), "rate": 0.05}

    return draw


def regressor(sizes, batch):
    def draw(random):
        parameters = _layers(random, list(zip(sizes[1:], sizes)), float)
        x, y = random.standard_normal((batch, sizes[0])), random.standard_normal((batch, sizes[-1]))
        return {"parameters": parameters, "x": x, "y": y, "rate": 0.05}

    return draw


def lenet(batch):
    def draw(random):
        shapes = [(6, 1, 5, 5), (16, 6, 5, 5), (120, 400), (84, 120), (10, 84)]
        parameters = _layers(random, shapes, numpy.float32)
        x = random.standard_normal((batch, 1, 32, 32)).astype(numpy.float32)
        return {"parameters": parameters, "x": x, "y": random.integers(0, 10, batch), "rate": 0.05}

    return draw


def linear_regression(samples):
    return lambda random: {
        "w": random.standard_normal((1, 1)),
        "x": random.standard_normal((1, samples)),
        "y": random.standard_normal((1, samples)),
        "rate": 1e-3,
    }


def double_backward(sizes, batch):
    def draw(random):
        inputs, hidden, outputs = sizes
        return {
            "w1": random.standard_normal((inputs, hidden)) / inputs**0.5,
            "b1": numpy.zeros(hidden),
            "w2": random.standard_normal((hidden, outputs)) / hidden**0.5,
            "b2": numpy.zeros(outputs),
            "x": random.standard_normal((batch, inputs)),
            "y": random.standard_normal((batch, outputs)),
        }

    return draw


# Adam's steps are as long where a gradient is nearly 0 and rounding decides its sign. At this rate the results agree.
ADAM = 1e-5


def arrays(dtype=numpy.float32, **shapes):
    return lambda random: {name: random.standard_normal(shape).astype(dtype) for name, shape in shapes.items()}


def _drawn(random, shapes):
    """Parameters of the shapes given in float32: weights as `_layers` draws them, vectors between 0.5 and 1."""
    return [
        (
            random.standard_normal(shape) / numpy.prod(shape[1:]) ** 0.5
            if len(shape) > 1
            else random.uniform(0.5, 1, shape)
        ).astype(numpy.float32)
        for shape in shapes
    ]


def network(shapes, x, targets, batch, rate=ADAM, optimizer="Adam", zeros=None, **sizes):
    """Training of a network: `x` is the shape of normal numbers, or `((words,), shape)` of a text.

    `zeros` is {name: shape}, a state that the network starts from.
    """

    def draw(random):
        if isinstance(x[0], int):
            inputs = random.standard_normal(x).astype(numpy.float32)
        else:
            inputs = random.integers(0, *x[0], x[1])
        data = {"parameters": _drawn(random, shapes), "x": inputs, "y": random.integers(0, targets, batch)}
        state = {name: numpy.zeros(shape, numpy.float32) for name, shape in (zeros or {}).items()}
        return {**data, **state, "rate": rate, "optimizer": optimizer, **sizes}

    return draw


def _linear(inputs, outputs):
    return [(outputs, inputs), (outputs,)]


def _cell(gates, inputs, width):
    return [(gates * width, inputs), (gates * width, width), (gates * width,), (gates * width,)]


def recurrent(layer, gates, layers=1, bidirectional=False):
    """30 steps of 32 numbers, batch 16, width 64, 10 classes."""
    inputs, width, directions = 32, 64, 1 + bidirectional
    shapes = []
    for number in range(layers):
        shapes += _cell(gates, directions * width if number else inputs, width) * directions
    return network(
        [*shapes, *_linear(directions * width, 10)],
        (30, 16, inputs),
        10,
        16,
        layer=layer,
        sizes=(inputs, width, layers),
        width=directions * width,
        classes=10,
        options={"bidirectional": bidirectional},
    )


def deep(layers, width, batch):
    def draw(random):
        x, y = random.standard_normal((2, batch, width)).astype(numpy.float32)
        parameters = _drawn(random, [(width, width), (width,)] * layers)
        data = {"parameters": parameters, "x": x, "y": y, "rate": ADAM, "optimizer": "Adam"}
        return {"layers": layers, "width": width, **data}

    return draw


def vae(inputs, hidden, latent, batch):
    def draw(random):
        shapes = [(hidden, inputs), (latent, hidden), (latent, hidden), (hidden, latent), (inputs, hidden)]
        x, noise = random.random((batch, inputs)), random.standard_normal((batch, latent))
        x, noise = x.astype(numpy.float32), noise.astype(numpy.float32)
        data = {"parameters": _layers(random, shapes, numpy.float32), "x": x, "y": x, "rate": ADAM, "optimizer": "Adam"}
        return {"noise": noise, "sizes": (inputs, hidden, latent), **data}

    return draw


def dcgan(width, batch):
    def draw(random):
        of_generator, of_discriminator = [], []
        for inputs, outputs in ((64, 4 * width), (4 * width, 2 * width), (2 * width, width)):
            of_generator += [(inputs, outputs, 4, 4), (outputs,), (outputs,)]
        of_generator.append((width, 3, 4, 4))
        for inputs, outputs in ((3, width), (width, 2 * width), (2 * width, 4 * width)):
            of_discriminator += [(outputs, inputs, 4, 4), (outputs,), (outputs,)][: 1 if inputs == 3 else 3]
        of_discriminator.append((1, 4 * width, 4, 4))
        return {
            "width": width,
            "of_generator": _drawn(random, of_generator),
            "of_discriminator": _drawn(random, of_discriminator),
            "noise": random.standard_normal((batch, 64, 1, 1)).astype(numpy.float32),
            "images": random.uniform(-1, 1, (batch, 3, 32, 32)).astype(numpy.float32),
            "rate": ADAM,
        }

    return draw


WORKLOADS = [
    Workload("chain", "chain of 10,000 operations, `x = x * c + d`", "chain", chain(10_000), 0.95),
    Workload(
        "chain-constants",
        "chain with constants, `x = x * 1.01 + 0.5`",
        "chain_with_constants",
        chain_with_constants(10_000),
        0.80,
    ),
    Workload("fan-out-300", "fan-out, sum of 300 products", "fan_out", fan_out(300), 1.0),
    Workload("fan-out-3000", "fan-out, sum of 3,000 products", "fan_out", fan_out(3_000), 1.0),
    Workload("doubling-250", "`z = z + z`, 250 deep", "doubling", doubling(250), 0.90),
    Workload("doubling-1000", "`z = z + z`, 1,000 deep", "doubling", doubling(1_000), 0.90),
    Workload(
        "mlp-8",
        "MLP 8-16-1, batch 16, step",
        "regressor",
        regressor((8, 16, 1), 16),
        0.40,
        ahead_of=("dezero", "mygrad"),
        steps_compared=3,
    ),
    Workload(
        "regression",
        "linear regression of the articles, step",
        "linear_regression",
        linear_regression(10),
        0.55,
        steps_compared=3,
    ),
    Workload(
        "mlp-784-float32",
        "MLP 784-256-128-10, batch 64, float32, step",
        "classifier",
        classifier((784, 256, 128, 10), 64, numpy.float32),
        0.97,
        steps_compared=3,
    ),
    Workload(
        "mlp-784-float64",
        "MLP 784-256-128-10, batch 64, float64, step",
        "classifier",
        classifier((784, 256, 128, 10), 64, numpy.float64),
        0.97,
        steps_compared=3,
    ),
    Workload("lenet", "LeNet, 1x32x32, batch 64, float32, step", "lenet", lenet(64), 0.92, steps_compared=3),
    Workload(
        "double-backward",
        "double backward of a 20-64-1 network",
        "double_backward",
        double_backward((20, 64, 1), 32),
        1.9,
    ),
    Workload("chain-1000", "chain of 1,000 operations", "chain", chain(1_000), 0.95),
    Workload(
        "lstm", "LSTM(32, 64), 30 steps, batch 16, Adam, step", "recurrent", recurrent("LSTM", 4), 1.0, steps_compared=3
    ),
    Workload("gru", "GRU(32, 64), the same", "recurrent", recurrent("GRU", 3), 1.0, steps_compared=3),
    Workload(
        "lstm-bidirectional",
        "LSTM(32, 64) of two layers and two directions, the same",
        "recurrent",
        recurrent("LSTM", 4, layers=2, bidirectional=True),
        1.0,
        steps_compared=3,
    ),
    Workload(
        "lstm-cell",
        "LSTMCell(16, 32), 20 steps, batch 8, SGD, step",
        "lstm_cell",
        network(
            _cell(4, 16, 32) + _linear(32, 10),
            (20, 8, 16),
            10,
            8,
            0.05,
            "SGD",
            zeros={"state": (8, 32)},
            sizes=(16, 32, 10),
        ),
        1.0,
        steps_compared=3,
    ),
    Workload(
        "char-rnn",
        "char-rnn, 100 steps of a GRUCell(100, 100), Adam, step",
        "characters",
        network(
            [(100, 100), *_cell(3, 100, 100), *_linear(100, 100)],
            ((100,), (100, 1)),
            100,
            100,
            zeros={"state": (1, 100)},
            sizes=(100, 100),
        ),
        1.0,
        steps_compared=3,
    ),
    Workload(
        "residual",
        "ResNet block, 16 channels of 16x16, batch 32, Adam, step",
        "residual",
        network([(16, 16, 3, 3), (16,), (16,)] * 2 + _linear(16, 10), (32, 16, 16, 16), 10, 32, sizes=(16, 16, 10)),
        1.0,
        steps_compared=3,
    ),
    Workload("dcgan", "DCGAN, 3x32x32, batch 32, Adam, step of both", "dcgan", dcgan(32, 32), 1.0),
    Workload(
        "attention",
        "attention, 8 x 20 x 32",
        "attention",
        arrays(queries=(8, 20, 32), keys=(8, 20, 32), values=(8, 20, 32)),
        1.0,
    ),
    Workload(
        "words",
        "Embedding(5000, 64), mean, Linear to 5,000, Adam, step",
        "words",
        network([(5000, 64), *_linear(64, 5000)], ((5000,), (32, 10)), 5000, 32, sizes=(5000, 64)),
        0.94,
        steps_compared=3,
    ),
    Workload("vae", "VAE 784-400-20, batch 64, Adam, step", "vae", vae(784, 400, 20, 64), 0.97, steps_compared=3),
    Workload("deep", "20 layers Linear(64, 64) and Tanh, Adam, step", "deep", deep(20, 64, 32), 0.57, steps_compared=3),
    Workload(
        "products", "two products of 700 x 700", "products", arrays(a=(700, 700), b=(700, 700), c=(700, 700)), 1.0
    ),
    Workload(
        "elementwise",
        "four elementwise operations, 1,000 x 1,000",
        "elementwise",
        arrays(x=(1000, 1000), y=(1000, 1000)),
        1.3,
    ),
    Workload("indexing", "five indexings by integers and slices", "indexing", arrays(x=(4, 5)), 1.5),
]
