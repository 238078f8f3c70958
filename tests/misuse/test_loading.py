"""Data sets, samplers, batches and workers of a DataLoader that are not what it needs."""

import multiprocessing
import os
import signal

import pytest

import legacy_autograd as torch
from legacy_autograd.utils.data import (
    DataLoader,
    SequentialSampler,
    TensorDataset,
    WeightedRandomSampler,
    random_split,
)

from .misuse import gives, raises


class Samples:
    """`count` samples: `sample(index)`, the index as a float where nothing else is given."""

    def __init__(self, count, sample=float):
        self.count, self.sample = count, sample

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if index >= self.count:
            raise IndexError(f"sample {index} of {self.count}")
        return self.sample(index)


def all_of(loader):
    return [float(number) for batch in loader for number in batch]


# --- arguments


@raises(TypeError, "DataLoader", "generator", "no length", "__len__")
def test_generator_for_a_data_set():
    DataLoader(i for i in range(3))


@raises(ValueError, "batch_size", "above 0", "-1")
def test_negative_batch_size():
    DataLoader(Samples(3), batch_size=-1)


@raises(TypeError, "batch_size", "integer", "float")
def test_batches_of_one_and_a_half():
    DataLoader(Samples(3), batch_size=1.5)


@raises(ValueError, "DataLoader", "shuffle", "sampler")
def test_sampler_and_shuffle():
    DataLoader(Samples(3), sampler=SequentialSampler(Samples(3)), shuffle=True)


@raises(ValueError, "DataLoader", "batch_sampler", "batch_size")
def test_batch_sampler_and_batch_size():
    DataLoader(Samples(3), batch_sampler=[[0]], batch_size=2)


@raises(TypeError, "DataLoader", "sampler", "iterable", "int", fixed=True)
def test_sampler_is_a_number():
    DataLoader(Samples(3), sampler=5)


@raises(TypeError, "DataLoader", "collate_fn", "function", "int", fixed=True)
def test_batches_collated_by_a_number():
    DataLoader(Samples(3), collate_fn=3)


@pytest.mark.parametrize("num_workers", [0, 1])
@raises(TypeError, "DataLoader", "batch_sampler", "lists", "int", fixed=True)
def test_batch_sampler_of_single_samples(num_workers):
    list(DataLoader(Samples(3), batch_sampler=[0, 1], num_workers=num_workers))


@raises(ValueError, "DataLoader", "num_workers", "-1")
def test_negative_number_of_workers():
    DataLoader(Samples(3), num_workers=-1)


@raises(ValueError, "DataLoader", "timeout", "-1")
def test_negative_time_limit():
    DataLoader(Samples(3), timeout=-1)


@raises(ValueError, "DataLoader", "batch_size", "make a new DataLoader", fixed=True)  # was accepted and changed nothing
def test_batch_size_set_afterwards():
    DataLoader(Samples(4), batch_size=2).batch_size = 3


@raises(ValueError, "TensorDataset", "length", "(3, 1)", "2")
def test_tensors_of_different_lengths():
    TensorDataset(torch.ones(3, 1), torch.ones(2))


@raises(ValueError, "random_split", "[1, 1]", "add up to 2", "3 samples")
def test_parts_that_are_not_the_whole():
    random_split(Samples(3), [1, 1])


@raises(ValueError, "WeightedRandomSampler", "2 positive weights", "3 samples", "without replacement")
def test_more_samples_than_weights():
    WeightedRandomSampler([1, 2], 3, replacement=False)


# --- batches


@raises(ValueError, "default_collate", "sample 0", "size (1,)", "sample 1", "size (2,)")
def test_samples_of_different_sizes():
    list(DataLoader(Samples(2, lambda index: torch.ones(index + 1)), batch_size=2))


@raises(TypeError, "default_collate", "FloatTensor", "DoubleTensor")
def test_samples_of_different_types():
    list(DataLoader(Samples(2, lambda index: torch.ones(1) if index else torch.ones(1).float()), batch_size=2))


@raises(ValueError, "default_collate", "keys differ", "'a'", "'b'")
def test_samples_with_different_keys():
    list(DataLoader(Samples(2, lambda index: {"ab"[index]: 1}), batch_size=2))


@raises(TypeError, "default_collate", "NoneType", "collate_fn")
def test_samples_that_are_none():
    list(DataLoader(Samples(2, lambda index: None), batch_size=2))


@raises(ZeroDivisionError, "division by zero")  # the collate_fn's own error
def test_collate_function_that_raises():
    list(DataLoader(Samples(2), batch_size=2, collate_fn=lambda batch: 1 / 0))


# --- iteration


@raises(IndexError, "sample 7 of 3")  # the data set's own error
def test_sampler_of_another_data_set():
    list(DataLoader(Samples(3), sampler=[0, 7]))


@raises(RuntimeError, "DataLoader", "samples [0]", "StopIteration")
def test_sample_that_raises_stop_iteration():  # a loop over the batches would end as if there were none
    def stop(index):
        raise StopIteration

    list(DataLoader(Samples(2, stop)))


@raises(ValueError, "DataLoader", "no batch", "drop_last", "3 samples", "batch of 5")
def test_drop_last_of_less_than_a_batch():
    list(DataLoader(Samples(3), batch_size=5, drop_last=True))


@raises(ValueError, "DataLoader", "no batch", "no samples", "list")
def test_empty_data_set():
    list(DataLoader([]))


@gives(2, 0)
def test_iterator_used_up():
    iterator = iter(DataLoader(Samples(2)))
    return len(list(iterator)), len(list(iterator))


@gives(0, 0, 1, 1)
def test_two_iterators_at_once():
    loader = DataLoader(Samples(3))
    first, second = iter(loader), iter(loader)
    return [float(next(iterator)[0]) for iterator in (first, second, first, second)]


@gives(4, 0, 1, 2, 3)  # the length is asked for when the loop begins
def test_data_set_that_grew():
    samples = Samples(2)
    loader = DataLoader(samples)
    samples.count = 4
    return [len(loader), *all_of(loader)]


@gives(0, 1, 2)  # two samples, and the third is the data set's IndexError
def test_data_set_that_shrinks_during_the_loop():
    samples, seen = Samples(4), []
    with pytest.raises(IndexError, match="sample 2 of 2"):
        for batch in DataLoader(samples):
            seen.append(float(batch[0]))
            samples.count = 2
    return [*seen, len(seen)]


# --- workers


def _damaged(index):
    if index == 2:
        raise ValueError("row 2 is damaged")
    return float(index)


def test_exception_in_a_worker_comes_with_its_traceback():
    with pytest.raises(ValueError, match="row 2 is damaged") as caught:
        list(DataLoader(Samples(4, _damaged), num_workers=1))
    assert "_damaged" in str(caught.value.__cause__), "the worker's frames"


class _TwoArguments(Exception):
    def __init__(self, what, where):
        super().__init__(f"{what} in {where}")


def _raise_two(index):
    raise _TwoArguments("damage", "row 0")


@raises(RuntimeError, "_TwoArguments", "damage in row 0")  # an exception that cannot be pickled keeps its name
def test_exception_of_a_worker_that_cannot_be_sent():
    list(DataLoader(Samples(2, _raise_two), num_workers=1))


@raises(RuntimeError, "DataLoader", "worker 0", "SIGKILL")
def test_worker_that_is_killed():
    list(DataLoader(Samples(2, lambda index: os.kill(os.getpid(), signal.SIGKILL)), num_workers=1))


@raises(RuntimeError, "DataLoader", "worker 0", "code 3")
def test_worker_that_exits():
    list(DataLoader(Samples(2, lambda index: os._exit(3)), num_workers=1))


@raises(ZeroDivisionError, "division by zero")
def test_worker_whose_beginning_raises():
    list(DataLoader(Samples(2), num_workers=1, worker_init_fn=lambda number: 1 / 0))


@gives(0)
def test_iterator_with_workers_abandoned():
    before = set(multiprocessing.active_children())
    iterator = iter(DataLoader(Samples(100), num_workers=1))
    next(iterator)
    assert set(multiprocessing.active_children()) - before, "a worker"
    del iterator
    return len(set(multiprocessing.active_children()) - before)
