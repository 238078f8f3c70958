"""Data sets: samples with numbers from 0 on (v0.1.3: `torch/utils/data/dataset.py`)."""

import bisect
import itertools
import math
import numbers

from ... import conventions
from ...tensor._helpers import is_tensor, shown, shown_size
from ...tensor.random import randperm


class Dataset:
    """Samples by number. A subclass defines `__getitem__(index)`, for `index` from 0 on, and `__len__`.

    `DataLoader` takes anything that has these two, a list too.
    """

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__")

    def __add__(self, other):
        return ConcatDataset([self, other])


class TensorDataset(Dataset):
    """Sample i is the tuple of the i-th parts of `tensors`, along their first dimension.

    In v0.1.x there were two, `data_tensor` and `target_tensor`, which are names here as well. Raises TypeError for
    what is no Tensor, ValueError for tensors of different length.

    A sample of a tensor with one dimension is a number; under the conventions of v0.1.1 a tensor of size 1, as in
    v0.1.4 to v0.1.8.
    """

    def __init__(self, *tensors, data_tensor=None, target_tensor=None):
        tensors += tuple(tensor for tensor in (data_tensor, target_tensor) if tensor is not None)
        if not tensors:
            raise TypeError("TensorDataset needs one Tensor or more")
        for tensor in tensors:
            if not is_tensor(tensor):
                raise TypeError(
                    f"TensorDataset needs Tensors, got {shown(tensor)}; a Variable's is its data, "
                    "an ndarray's is torch.from_numpy(array)"
                )
        if len({len(tensor) for tensor in tensors}) > 1:
            sizes = ", ".join(shown_size(tensor.size()) for tensor in tensors)
            raise ValueError(f"TensorDataset: tensors of different length: {sizes}")
        if conventions.era.vectors_become_columns:
            tensors = tuple([tensor.view(-1, 1) if tensor.dim() == 1 else tensor for tensor in tensors])
        self.tensors = tensors

    @property
    def data_tensor(self):
        return self.tensors[0]

    @property
    def target_tensor(self):
        return self.tensors[1]

    def __getitem__(self, index):
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self):
        return len(self.tensors[0])


class ConcatDataset(Dataset):
    """The samples of all `datasets`, one after another."""

    def __init__(self, datasets):
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
    """The samples of `dataset` at `indices`, in their order."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths):
    """Subsets of these `lengths`, at random and without a common sample; a list of `Subset`s.

    Lengths that are fractions, and add up to 1, are taken of the whole; samples that are left over by rounding go to
    the first ones. Raises ValueError where the lengths do not add up to the length of the data set.
    """
    total = len(dataset)
    if any(not isinstance(length, numbers.Real) or not length >= 0 for length in lengths):
        raise ValueError(f"random_split: lengths are numbers from 0 on, got {lengths}")
    if not all(isinstance(length, numbers.Integral) for length in lengths):
        if not math.isclose(sum(lengths), 1):
            raise ValueError(f"random_split: fractions add up to 1, and {lengths} to {sum(lengths)}")
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


def batch_of(dataset, indices):
    """What default_collate makes of these samples, taken all at once; None if it is not a data set of tensors.

    One value a sample stays of its tensor's type here (in v0.1.x it became a Python number, and so a double).
    """
    while type(dataset) is Subset:
        indices = [dataset.indices[index] for index in indices]
        dataset = dataset.dataset
    if type(dataset) is not TensorDataset or not all(type(index) is int for index in indices):
        return None
    return [tensor[indices] for tensor in dataset.tensors]
