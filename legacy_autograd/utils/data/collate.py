"""How samples become a batch (v0.1.4: a function in `torch/utils/data/dataloader.py`)."""

import collections.abc
from collections.abc import Iterable
from typing import Any

import numpy

from ...autograd.variable import Variable
from ...tensor.arguments import numbers_of
from ...tensor.dtypes import supported
from ...tensor.messages import shown
from ...tensor.wrapping import is_tensor, wrap

_OF_NUMPY = (numpy.ndarray, numpy.generic)


def default_collate(batch: Iterable[Any]) -> Any:
    """Return samples as one object of the same structure, with an additional first dimension.

    Tensors are stacked, and so are numpy's arrays and numbers, whose types are kept. Python's integers become a
    LongTensor and its floats a DoubleTensor, as in v0.1.x. Strings stay a list. Containers are collated recursively: a
    dict gives a dict, a tuple or list a list, a named tuple a named tuple.

    Args:
        batch: The samples.

    Raises:
        TypeError: If samples are of any other kind or of several kinds.
        ValueError: If sizes, lengths or keys differ, or there are no samples.
    """
    batch = list(batch)
    if not batch:
        raise ValueError("default_collate: there are no samples")
    return _collated(batch, "")


def _collated(batch, place):
    """Return `batch` collated. `place` says, for messages, which part of a sample it is."""
    first = batch[0]
    if is_tensor(first):
        return _stacked(batch, place, lambda sample: sample.array if is_tensor(sample) else None)
    if isinstance(first, _OF_NUMPY):
        return _stacked(batch, place, lambda sample: numpy.asarray(sample) if isinstance(sample, _OF_NUMPY) else None)
    if isinstance(first, (int, float)):
        return _of_numbers(batch, place)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, collections.abc.Mapping):
        return _of_dicts(batch, place)
    if isinstance(first, collections.abc.Sequence):
        return _of_sequences(batch, place)
    hint = "; use the data of a Variable" if isinstance(first, Variable) else ""
    raise TypeError(
        f"default_collate: samples must consist of tensors, arrays, numbers, strings, dicts, tuples and lists; "
        f"found {type(first).__name__}{place}{hint}. A collate_fn of your own can accept other types"
    )


def _stacked(batch, place, array_of):
    arrays = [array_of(sample) for sample in batch]
    first = arrays[0]
    for number, array in enumerate(arrays):
        if array is None or array.dtype != first.dtype:
            raise TypeError(
                f"default_collate: sample 0 is {shown(batch[0])}{place}, sample {number} {shown(batch[number])}"
            )
        if array.shape != first.shape:
            found = f"sample 0 is {_shown(batch[0])}, sample {number} {_shown(batch[number])}"
            raise ValueError(f"default_collate: sizes differ{place}: {found}")
    return wrap(supported(numpy.stack(arrays)))


def _shown(sample):
    return shown(sample) if is_tensor(sample) else f"an array of shape {numpy.shape(sample)}"


def _of_numbers(batch, place):
    for number, sample in enumerate(batch):
        if not isinstance(sample, (int, float)):
            raise TypeError(f"default_collate: sample 0 is a number{place}, sample {number} {shown(sample)}")
    dtype = "float64" if any(isinstance(sample, float) for sample in batch) else "int64"
    return wrap(numbers_of(batch, numpy.dtype(dtype), f"default_collate{place}"))


def _of_dicts(batch, place):
    first = batch[0]
    for number, sample in enumerate(batch):
        if not isinstance(sample, collections.abc.Mapping) or sample.keys() != first.keys():
            found = list(sample) if isinstance(sample, collections.abc.Mapping) else shown(sample)
            raise ValueError(
                f"default_collate: keys differ{place}: sample 0 has {list(first)}, sample {number} {found}"
            )
    return {key: _collated([sample[key] for sample in batch], f"{place} at key {key!r}") for key in first}


def _of_sequences(batch, place):
    first = batch[0]
    for number, sample in enumerate(batch):
        if not isinstance(sample, collections.abc.Sequence) or len(sample) != len(first):
            found = len(sample) if isinstance(sample, collections.abc.Sequence) else shown(sample)
            raise ValueError(
                f"default_collate: lengths differ{place}: sample 0 has {len(first)} parts, sample {number} {found}"
            )
    parts = [_collated(list(parts), f"{place} in part {number}") for number, parts in enumerate(zip(*batch))]
    return type(first)(*parts) if hasattr(first, "_fields") else parts
