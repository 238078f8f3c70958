"""`DataLoader`: the samples of a data set in batches (v0.1.4: `torch/utils/data/dataloader.py`)."""

import numbers
from collections.abc import Callable, Iterable
from typing import Any

from ...modern_names import refuse_keywords
from ...tensor.generators import generator
from .collate import default_collate
from .loading import InThisProcess
from .sampler import BatchSampler, RandomSampler, SequentialSampler


class DataLoader:
    """Iterates over a data set in batches.

    With workers, processes load batches in parallel, in the same order. Each has its own random numbers, seeded with
    `initial_seed() + worker number`, for this package, `random` and `numpy.random`. So the same `manual_seed` gives the
    same order and the same numbers. An error in a worker is raised in the loader with its traceback. The processes end
    with the iteration, however it ends.

    Args:
        dataset: The samples: an object with `__getitem__` and `__len__`.
        batch_size: The number of samples in a batch.
        shuffle: Whether the order is random, else that of the data set.
        sampler: An iterable of sample numbers, which gives the order.
        num_workers: The number of worker processes; 0 loads in this process.
        collate_fn: A function that makes a batch of a list of samples.
        pin_memory: Ignored: there is no other memory to copy to.
        drop_last: Whether to leave out a last batch that is not full.
        timeout: The seconds to wait for a batch of a worker before TimeoutError is raised; 0 for no limit.
        worker_init_fn: A function that each worker calls with its number before it begins.
        batch_sampler: An iterable of lists of sample numbers, which replaces `batch_size`, `shuffle`, `sampler` and
            `drop_last`.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        ValueError: If arguments exclude each other or are out of range; when the iteration begins, if there is no
            batch.
        TypeError: If an argument is of another kind; during the iteration, if `batch_sampler` does not give lists.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int = 1,
        shuffle: bool = False,
        sampler: Iterable[int] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list], Any] | None = default_collate,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        batch_sampler: Any = None,
        **modern: Any,
    ) -> None:
        if modern:
            refuse_keywords("DataLoader", modern)
        if not isinstance(num_workers, numbers.Integral) or num_workers < 0:
            raise ValueError(f"DataLoader: num_workers must be an integer >= 0, got {num_workers!r}")
        if not timeout >= 0:
            raise ValueError(f"DataLoader: timeout must be a number of seconds >= 0, got {timeout}")
        for name, given in (("sampler", sampler), ("batch_sampler", batch_sampler)):
            if given is not None and not _is_iterable(given):
                raise TypeError(f"DataLoader: {name} must be iterable, got {type(given).__name__}")
        if collate_fn is not None and not callable(collate_fn):
            raise TypeError(
                f"DataLoader: collate_fn must be a function of a list of samples, got {type(collate_fn).__name__}"
            )
        if shuffle and (sampler is not None or batch_sampler is not None):
            raise ValueError("DataLoader: shuffle and a sampler exclude each other: both define the order")
        if batch_sampler is not None and (batch_size != 1 or sampler is not None or drop_last):
            raise ValueError("DataLoader: batch_sampler excludes batch_size, sampler and drop_last, which it replaces")
        if sampler is None and batch_sampler is None:
            if not hasattr(dataset, "__len__"):
                raise TypeError(
                    f"DataLoader: a {type(dataset).__name__} has no length; define __len__, or give a sampler"
                )
            sampler = RandomSampler(dataset) if shuffle else SequentialSampler(dataset)
        self.dataset = dataset
        self.sampler = sampler
        self.batch_sampler = BatchSampler(sampler, batch_size, drop_last) if batch_sampler is None else batch_sampler
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.num_workers = int(num_workers)
        self.collate_fn = default_collate if collate_fn is None else collate_fn
        self.pin_memory = pin_memory
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn

    def __setattr__(self, name, value):
        if name in ("batch_size", "sampler", "drop_last", "batch_sampler") and "worker_init_fn" in vars(self):
            raise ValueError(f"DataLoader: {name} cannot be changed; make a new DataLoader")
        super().__setattr__(name, value)

    def _check_not_empty(self):
        """Raise ValueError if there is no batch.

        The constructor does not check it, because a data set may be filled later. (A program from 2017 has one that
        never is.)
        """
        try:
            if len(self) > 0:
                return
        except TypeError:
            return  # the sampler has no length
        if self.drop_last and len(self.sampler):
            reason = f"drop_last leaves out {len(self.sampler)} samples, too few for a batch of {self.batch_size}"
        elif isinstance(self.sampler, (SequentialSampler, RandomSampler)):
            reason = f"the data set has no samples, the length of the {type(self.dataset).__name__} is 0"
        else:
            reason = "its sampler is empty"
        raise ValueError(f"DataLoader: there would be no batch: {reason}")

    def __len__(self):
        """Return the number of batches."""
        return len(self.batch_sampler)

    def __iter__(self):
        self._check_not_empty()
        batches = map(_checked_batch, self.batch_sampler)
        # Drawn even without workers, so that later random numbers do not depend on the number of workers.
        # LongTensor.random_() draws the same number, and modern torch's loader calls it.
        seed = int(generator.integers(2**63 - 1))
        if self.num_workers == 0:
            return InThisProcess(self, batches)
        from .workers import InWorkers  # multiprocessing takes time to load

        return InWorkers(self, batches, seed)


def _is_iterable(value):
    return hasattr(value, "__iter__") or hasattr(value, "__getitem__")  # iter() itself would draw the order


def _checked_batch(indices):
    if not _is_iterable(indices):
        raise TypeError(
            f"DataLoader: batch_sampler must give lists of sample numbers, got {type(indices).__name__}; a "
            "sampler gives single numbers"
        )
    return indices
