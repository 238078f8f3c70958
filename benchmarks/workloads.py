"""What is measured: the inputs of every workload, drawn once and handed to all peers.

A peer is a module of `benchmarks.peers` with one function for each workload that it can do. The function is given the
inputs below and returns `step`, a function without arguments that does forward, backward and, in a training step, the
update, and returns the gradients in the peer's own arrays; the module's `to_numpy` makes them comparable.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy


@dataclass(frozen=True)
class Workload:
    """One row of the table."""

    name: str  # of the peers' function, with `size` as its further arguments
    title: str
    inputs: Callable  # of a numpy Generator
    goal: str  # the ratio to hand-written numpy, and to torch, that the package aims at
    quick: bool = True  # part of the quick run


def _numbers(*shape, dtype=float):
    return lambda random: random.standard_normal(shape).astype(dtype)


def chain(operations):
    return lambda random: {"operations": operations, "x": 0.5, "c": 0.999, "d": 0.001}


def fan_out(products):
    return lambda random: {"x": random.standard_normal(1), "factors": random.standard_normal((products, 1))}


def doubling(depth):
    return lambda random: {"x": numpy.array([1e-300]), "depth": depth}


def network(sizes, batch, dtype=float):
    """Weights (in, out) and biases of a multilayer perceptron, a batch, its classes (or one target a sample)."""

    def draw(random):
        layers = [
            ((random.standard_normal((m, n)) / m**0.5).astype(dtype), numpy.zeros(n, dtype))
            for m, n in zip(sizes, sizes[1:])
        ]
        x = random.standard_normal((batch, sizes[0])).astype(dtype)
        if sizes[-1] == 1:
            return {"layers": layers, "x": x, "y": random.standard_normal((batch, 1)).astype(dtype), "rate": 1e-3}
        return {"layers": layers, "x": x, "y": random.integers(0, sizes[-1], batch), "rate": 1e-3}

    return draw


def lenet(batch):
    def draw(random):
        def weight(*shape):
            return (random.standard_normal(shape) / numpy.prod(shape[1:]) ** 0.5).astype(numpy.float32)

        weights = [weight(6, 1, 5, 5), weight(16, 6, 5, 5), weight(120, 400), weight(84, 120), weight(10, 84)]
        biases = [numpy.zeros(len(w), numpy.float32) for w in weights]
        x = random.standard_normal((batch, 1, 32, 32)).astype(numpy.float32)
        return {"weights": weights, "biases": biases, "x": x, "y": random.integers(0, 10, batch), "rate": 1e-3}

    return draw


def regression(samples):
    return lambda random: {
        "w": random.standard_normal((1, 1)),
        "x": random.standard_normal((1, samples)),
        "y": random.standard_normal((1, samples)),
        "rate": 1e-3,
    }


def convolution(batch, channels, size, filters, kernel, padding):
    return lambda random: {
        "x": random.standard_normal((batch, channels, size, size)).astype(numpy.float32),
        "weight": random.standard_normal((filters, channels, kernel, kernel)).astype(numpy.float32),
        "padding": padding,
    }


def pooling(batch, channels, size):
    return lambda random: {"x": random.standard_normal((batch, channels, size, size)).astype(numpy.float32)}


WORKLOADS = [
    Workload("chain", "chain of 10,000 operations x = x*c + d", chain(10_000), "≤ 6.5, ≤ 0.95 x torch"),
    Workload("chain_forward", "the same chain, forward alone", chain(10_000), ""),
    Workload("fan_out", "fan-out, sum of 3,000 products", fan_out(3_000), "≤ 7, ≤ 0.9 x torch"),
    Workload("doubling", "z = z + z, 1,000 deep", doubling(1_000), "≤ 6"),
    Workload(
        "perceptron",
        "MLP 784-256-128-10, batch 64, float32, step",
        network((784, 256, 128, 10), 64, numpy.float32),
        "≤ 1.12, < torch",
    ),
    Workload(
        "perceptron",
        "MLP 784-256-128-10, batch 64, float64, step",
        network((784, 256, 128, 10), 64),
        "≤ 1.06, < torch",
    ),
    Workload("small_perceptron", "MLP 8-16-1, batch 16, step", network((8, 16, 1), 16), "≤ 3.6"),
    Workload("lenet", "LeNet, 1x32x32, batch 64, float32, step", lenet(64), "≤ 1.15, < torch"),
    Workload("regression", "the articles' linear regression, step", regression(10), "≤ 5.5"),
    Workload("second_derivative", "double backward of a 20-64-1 network's gradient", network((20, 64, 1), 32), ""),
    Workload("convolution", "convolution 64x1x28x28, 6 of 5x5", convolution(64, 1, 28, 6, 5, 0), "", quick=False),
    Workload("convolution", "convolution 32x16x28x28, 32 of 3x3", convolution(32, 16, 28, 32, 3, 1), "", quick=False),
    Workload("max_pooling", "max pooling 2x2 of 64x6x24x24", pooling(64, 6, 24), "", quick=False),
    Workload("loading", "DataLoader, 1,797 images in batches of 64, shuffled", lambda random: {
        "x": random.standard_normal((1797, 1, 28, 28)).astype(numpy.float32), "y": random.integers(0, 10, 1797),
    }, "", quick=False),
]  # fmt: skip
