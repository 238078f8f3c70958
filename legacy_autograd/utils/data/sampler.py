"""Samplers: in which order the samples come (v0.1.3: `torch/utils/data/sampler.py`).

What is drawn at random is drawn when the iteration begins, from the generator that `manual_seed` starts.
"""

import itertools
import numbers

import numpy

from ...tensor.base import DoubleTensor
from ...tensor.random import generator, randperm


class Sampler:
    """An order of samples. A subclass defines `__iter__`, which gives their numbers, and `__len__`."""

    def __init__(self, data_source=None):
        pass

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} does not define __iter__")


class SequentialSampler(Sampler):
    """0, 1, 2 … to the end of `data_source`."""

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    """Every sample of `data_source` once, at random; or `num_samples`, with `replacement` each from all."""

    def __init__(self, data_source, replacement=False, num_samples=None):
        if num_samples is not None:
            _check_count("RandomSampler: num_samples", num_samples)
        if not replacement and num_samples is not None and num_samples > len(data_source):
            raise ValueError(f"RandomSampler: {num_samples} of {len(data_source)} samples need replacement=True")
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        count = len(self.data_source)
        if self.replacement:
            return iter(generator.integers(0, count, self.num_samples).tolist())
        return iter(randperm(count).tolist()[: self.num_samples])

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """Each of `indices` once, at random."""

    def __init__(self, indices):
        self.indices = indices

    def __iter__(self):
        return iter([self.indices[i] for i in randperm(len(self.indices)).tolist()])

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """`num_samples` of the samples 0 to len(weights) - 1, with probabilities proportional to `weights`.

    ValueError for weights that are negative, not finite or all 0, and for more samples than positive weights without
    `replacement`.
    """

    def __init__(self, weights, num_samples, replacement=True):
        weights = numpy.asarray(weights, float)
        _check_count("WeightedRandomSampler: num_samples", num_samples)
        if weights.ndim != 1 or not numpy.isfinite(weights).all() or (weights < 0).any():
            raise ValueError("WeightedRandomSampler: weights are one list of finite numbers, none negative")
        positive = numpy.count_nonzero(weights)
        if positive == 0 or not replacement and positive < num_samples:
            raise ValueError(
                f"WeightedRandomSampler: {positive} positive weights for {num_samples} samples"
                + ("" if replacement else " without replacement")
            )
        self.weights = DoubleTensor(weights)
        self.num_samples = num_samples
        self.replacement = replacement

    def __iter__(self):
        return iter(self.weights.multinomial(self.num_samples, self.replacement).tolist())

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of `batch_size` numbers of `sampler`; the last is shorter, or with `drop_last` left out."""

    def __init__(self, sampler, batch_size, drop_last=False):
        _check_count("batch_size", batch_size)
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        indices = iter(self.sampler)  # now, not in a generator: the order is drawn here, not at the first batch
        batches = iter(lambda: list(itertools.islice(indices, self.batch_size)), [])
        return (batch for batch in batches if len(batch) == self.batch_size) if self.drop_last else batches

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


def _check_count(name, count):
    if not isinstance(count, numbers.Integral) or isinstance(count, bool):
        raise TypeError(f"{name} is an integer above 0, got {type(count).__name__}")
    if count <= 0:
        raise ValueError(f"{name} is an integer above 0, got {count}")
