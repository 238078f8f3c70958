"""The order of samples: data loaders of modern torch shuffle as those of legacy_autograd do."""

import functools

import numpy

from ..drawing.replaced import replaced
from ..tensor.random import manual_seed
from ..utils import data
from ._torch import modern_torch


def shuffled_as_here():
    """Return a context in which torch's samplers draw the same order as legacy_autograd's samplers."""
    there = modern_torch().utils.data
    orders = {
        there.RandomSampler: lambda s: data.RandomSampler(s.data_source, s.replacement, s._num_samples),
        there.SubsetRandomSampler: lambda s: data.SubsetRandomSampler(s.indices),
        there.WeightedRandomSampler: lambda s: data.WeightedRandomSampler(s.weights, s.num_samples, s.replacement),
        there.BatchSampler: lambda s: data.BatchSampler(s.sampler, s.batch_size, s.drop_last),
    }
    original = there.DataLoader.__iter__

    def iterate(loader):
        given, order = loader.worker_init_fn, _Order(loader._index_sampler)
        loader.worker_init_fn = functools.partial(_seed_worker, given)
        try:
            with replaced({(there.DataLoader, "_index_sampler"): order}):
                return original(loader)
        finally:
            loader.worker_init_fn = given

    replacements = {(cls, "__iter__"): lambda s, order=order: iter(order(s)) for cls, order in orders.items()}
    return replaced({**replacements, (there.DataLoader, "__iter__"): iterate})


class _Order:
    """The order of one iteration. torch iterates twice over the sampler of a loader with workers, but draws it once."""

    def __init__(self, sampler):
        self.sampler = sampler
        self.order = iter(sampler)

    def __iter__(self):
        return self.order

    def __len__(self):
        return len(self.sampler)


def _seed_worker(worker_init_fn, number):
    """Seed the generators of a worker as legacy_autograd's workers do; torch drew the same seed for it."""
    seed = modern_torch().utils.data.get_worker_info().seed
    manual_seed(seed)
    numpy.random.seed(seed % 2**32)
    if worker_init_fn is not None:
        worker_init_fn(number)
