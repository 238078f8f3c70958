"""The order of samples: data loaders of modern torch shuffle as those of legacy_autograd do."""

from ..drawing.replaced import replaced
from ..tensor.random import generator
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
        batches = original(loader)
        generator.integers(2**62)  # legacy_autograd draws the seed of its workers here, after the order of the samples
        return batches

    replacements = {(cls, "__iter__"): lambda s, order=order: iter(order(s)) for cls, order in orders.items()}
    return replaced({**replacements, (there.DataLoader, "__iter__"): iterate})
