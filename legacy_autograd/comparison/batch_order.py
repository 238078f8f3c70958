"""The order of the samples: a data loader of modern torch shuffles as this package's does."""

import contextlib

from ..tensor.random import generator
from ..utils import data
from ._torch import modern_torch


@contextlib.contextmanager
def shuffled_as_here():
    """While this is entered, torch's samplers draw what this package's samplers of the same name draw."""
    there = modern_torch().utils.data
    orders = {
        there.RandomSampler: lambda s: data.RandomSampler(s.data_source, s.replacement, s._num_samples),
        there.SubsetRandomSampler: lambda s: data.SubsetRandomSampler(s.indices),
        there.WeightedRandomSampler: lambda s: data.WeightedRandomSampler(s.weights, s.num_samples, s.replacement),
        there.BatchSampler: lambda s: data.BatchSampler(s.sampler, s.batch_size, s.drop_last),
    }
    originals = {cls: cls.__iter__ for cls in [*orders, there.DataLoader]}

    def iterate(loader):
        batches = originals[there.DataLoader](loader)
        generator.integers(2**62)  # here the seed of the worker processes is drawn, after the order of the samples
        return batches

    for cls, order in orders.items():
        cls.__iter__ = lambda sampler, order=order: iter(order(sampler))
    there.DataLoader.__iter__ = iterate
    try:
        yield
    finally:
        for cls, original in originals.items():
            cls.__iter__ = original
