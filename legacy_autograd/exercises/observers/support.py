"""Helpers for the probes of several exercises."""

import contextlib

import numpy

from ...autograd.variable import Variable
from ...tensor import DoubleTensor


def tensor(numbers):
    """Return a DoubleTensor of a number or nested lists of numbers."""
    return DoubleTensor([numbers] if isinstance(numbers, (int, float)) else numbers)


def leaf(numbers, requires_grad=True):
    """Return a leaf Variable with these numbers."""
    return Variable(tensor(numbers), requires_grad=requires_grad)


def leaves(*numbers):
    return [leaf(value) for value in numbers]


@contextlib.contextmanager
def engine(instance):
    """Let `instance` run every backward in the block."""
    before = Variable._execution_engine
    Variable._execution_engine = instance
    try:
        yield
    finally:
        Variable._execution_engine = before


def random_numbers(seed, *size, low=-2.0, high=2.0):
    """Return nested lists of uniform random numbers with one decimal, the same for the same seed."""
    return (numpy.round(numpy.random.default_rng(seed).uniform(low, high, size), 1) + 0.0).tolist()
