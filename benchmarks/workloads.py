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
]
