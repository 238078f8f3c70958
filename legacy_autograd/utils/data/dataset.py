"""Data sets: samples that are numbered from 0 (v0.1.3: `torch/utils/data/dataset.py`)."""

import bisect
import itertools
import math
import numbers
from collections.abc import Iterable, Sequence
from typing import Any

from ... import conventions
from ...tensor.base import Tensor
from ...tensor.messages import shown, shown_size
from ...tensor.random import randperm
from ...tensor.wrapping import is_tensor


class Dataset:
    """The base class of data sets. A subclass defines `__getitem__(index)`, with indices from 0, and `__len__`.

    `DataLoader` accepts any object with these two methods, also a list.
    """

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__")

    def __add__(self, other):
        return ConcatDataset([self, other])


class TensorDataset(Dataset):
    """A data set of tensors: sample i is the tuple of the i-th parts of all tensors along their first dimension.

    A sample of a vector is a number; under the conventions of v0.1.1 it is a tensor of one element, as in v0.1.4 to
    v0.1.8.

    Args:
        *tensors: The Tensors.
        data_tensor: The first Tensor, by v0.1.x's name.
        target_tensor: The second Tensor, by v0.1.x's name.

    Raises:
        TypeError: If there is no Tensor, or something else.
        ValueError: If the tensors have different lengths.
    """

    def __init__(
        self, *tensors: Tensor, data_tensor: Tensor | None = None, target_tensor: Tensor | None = None
    ) -> None:
        tensors += tuple(tensor for tensor in (data_tensor, target_tensor) if tensor is not None)
        if not tensors:
            raise TypeError("TensorDataset needs one Tensor or more")
        for tensor in tensors:
            if not is_tensor(tensor):
                raise TypeError(
                    f"TensorDataset needs Tensors, got {shown(tensor)}; use the data of a Variable, and "
                    "torch.from_numpy(array) for an ndarray"
                )
        if len({len(tensor) for tensor in tensors}) > 1:
            sizes = ", ".join(shown_size(tensor.size()) for tensor in tensors)
            raise ValueError(f"TensorDataset: the tensors have different lengths: {sizes}")
        if conventions.era.vectors_become_columns:
            tensors = tuple([tensor.view(-1, 1) if tensor.dim() == 1 else tensor for tensor in tensors])
        self.tensors = tensors

    @property
    def data_tensor(self) -> Tensor:
        """The first Tensor."""
        return self.tensors[0]

    @property
    def target_tensor(self) -> Tensor:
        """The second Tensor."""
        return self.tensors[1]

    def __getitem__(self, index):
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self):
        return len(self.tensors[0])


class ConcatDataset(Dataset):
    """A concatenation of data sets.

    Args:
        datasets: The data sets.

    Raises:
        ValueError: If there is none.
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise ValueError("ConcatDataset needs one data set or more")
        self.cumulative_sizes = list(itertools.accumulate(map(len, self.datasets)))

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise IndexError(f"ConcatDataset: no sample {index}, there are {len(self)}")
        index = index + len(self) if index < 0 else index
        number = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[number][index - (self.cumulative_sizes[number - 1] if number else 0)]

    def __len__(self):
        return self.cumulative_sizes[-1]


class Subset(Dataset):
    """A part of a data set.

    Args:
        dataset: The data set.
        indices: The numbers of the samples, in the order of the subset.
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[float]) -> list[Subset]:
    """Return random subsets of a data set that have no sample in common.

    Args:
        dataset: The data set.
        lengths: The number of samples of each subset; or fractions that add up to 1. Samples left over by rounding go
            to the first subsets.

    Raises:
        ValueError: If the lengths do not add up to the length of the data set.

    Example:
        >>> [len(part) for part in random_split(range(10), [8, 2])]
        [8, 2]
    """
    total = len(dataset)
    if any(not isinstance(length, numbers.Real) or not length >= 0 for length in lengths):
        raise ValueError(f"random_split: lengths must be numbers >= 0, got {lengths}")
    if not all(isinstance(length, numbers.Integral) for length in lengths):
        if not math.isclose(sum(lengths), 1):
            raise ValueError(f"random_split: fractions must add up to 1; {lengths} add up to {sum(lengths)}")
        lengths = [math.floor(total * length) for length in lengths]
        left_over = total - sum(lengths)
        lengths = [length + (number < left_over) for number, length in enumerate(lengths)]
    if sum(lengths) != total:
        raise ValueError(
            f"random_split: lengths {list(lengths)} add up to {sum(lengths)}, the data set has {total} samples"
        )
    order = randperm(total).tolist()
    ends = itertools.accumulate(lengths)
    return [Subset(dataset, order[end - length : end]) for end, length in zip(ends, lengths)]


def batch_of(dataset: Any, indices: Sequence[int]) -> list[Tensor] | None:
    """Return the batch that `default_collate` makes of these samples, which are taken all at once.

    A vector keeps the type of its tensor here. (In v0.1.x its samples became Python numbers, and so doubles.)

    Args:
        dataset: The data set.
        indices: The numbers of the samples.

    Returns:
        The batch, or None if it is not a data set of tensors.
    """
    while type(dataset) is Subset:
        indices = [dataset.indices[index] for index in indices]
        dataset = dataset.dataset
    if type(dataset) is not TensorDataset or not all(type(index) is int for index in indices):
        return None
    return [tensor[list(indices)] for tensor in dataset.tensors]
