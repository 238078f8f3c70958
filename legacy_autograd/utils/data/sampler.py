"""Samplers: the orders of samples (v0.1.3: `torch/utils/data/sampler.py`).

Random orders are drawn when the iteration begins, from the generator that `manual_seed` seeds.
"""

import itertools
import numbers
from collections.abc import Sequence
from typing import Any

import numpy

from ...tensor.base import DoubleTensor
from ...tensor.generators import generator
from ...tensor.random import randperm


class Sampler:
    """The base class of samplers. A subclass defines `__iter__`, which yields sample numbers, and `__len__`.

    Args:
        data_source: The data set. Ignored here.
    """

    def __init__(self, data_source: Any = None) -> None:
        pass

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} does not define __iter__")


class SequentialSampler(Sampler):
    """The samples of a data set in their order.

    Args:
        data_source: The data set.
    """

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    """The samples of a data set in random order.

    Args:
        data_source: The data set.
        replacement: Whether a sample may be drawn several times.
        num_samples: How many samples to draw. Default: as many as the data set has.

    Raises:
        ValueError: If there are too few samples to draw from without replacement.
    """

    def __init__(self, data_source: Any, replacement: bool = False, num_samples: int | None = None) -> None:
        if num_samples is not None:
            _check_count("RandomSampler: num_samples", num_samples)
        if not replacement and num_samples is not None and num_samples > len(data_source):
            raise ValueError(f"RandomSampler: {num_samples} of {len(data_source)} samples need replacement=True")
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples

    @property
    def num_samples(self) -> int:
        """The number of samples to draw."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        count = len(self.data_source)
        if self.replacement:
            return iter(generator.integers(0, count, self.num_samples).tolist())
        return iter(randperm(count).tolist()[: self.num_samples])

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """The samples of a list in random order.

    Args:
        indices: The numbers of the samples.
    """

    def __init__(self, indices: Sequence[int]) -> None:
        self.indices = indices

    def __iter__(self):
        return iter([self.indices[i] for i in randperm(len(self.indices)).tolist()])

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Samples that are drawn with probabilities proportional to weights.

    Args:
        weights: The weight of each sample.
        num_samples: How many samples to draw.
        replacement: Whether a sample may be drawn several times.

    Raises:
        ValueError: If a weight is negative or not finite, all are 0, or too few are positive to draw without
            replacement.
    """

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True) -> None:
        weights = numpy.asarray(weights, float)
        _check_count("WeightedRandomSampler: num_samples", num_samples)
        if weights.ndim != 1 or not numpy.isfinite(weights).all() or (weights < 0).any():
            raise ValueError("WeightedRandomSampler: weights must be one list of finite numbers that are not negative")
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
    """Lists of the sample numbers of another sampler.

    Args:
        sampler: An iterable of sample numbers.
        batch_size: The length of a list.
        drop_last: Whether to leave out a last list that is shorter.
    """

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool = False) -> None:
        _check_count("batch_size", batch_size)
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        indices = iter(self.sampler)  # here, because the order must be drawn now and not at the first batch
        batches = iter(lambda: list(itertools.islice(indices, self.batch_size)), [])
        return (batch for batch in batches if len(batch) == self.batch_size) if self.drop_last else batches

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


def _check_count(name, count):
    if not isinstance(count, numbers.Integral) or isinstance(count, bool):
        raise TypeError(f"{name} must be an integer above 0, got {type(count).__name__}")
    if count <= 0:
        raise ValueError(f"{name} must be an integer above 0, got {count}")
