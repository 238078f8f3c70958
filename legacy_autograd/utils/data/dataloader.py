"""`DataLoader`: the samples of a data set in batches (v0.1.4: `torch/utils/data/dataloader.py`)."""

import numbers

from ...modern_names import refuse_keywords
from ...tensor.random import generator
from .collate import default_collate
from .loading import InThisProcess
from .sampler import BatchSampler, RandomSampler, SequentialSampler


class DataLoader:
    """Iterates over `dataset` in batches, each what `collate_fn` makes of a list of samples.

    The order is that of the data set, or random with `shuffle`, or that of `sampler` (an iterable of numbers of
    samples); or `batch_sampler` gives lists of such numbers, and `batch_size` and `drop_last` say nothing.
    `drop_last` leaves out a last batch that is not full.

    With `num_workers`, so many processes load batches side by side; the order is the same. Each has random numbers of
    its own, that of `initial_seed() + worker number`, for this package, `random` and `numpy.random`; the same
    `manual_seed` before gives the same order and the same numbers. `worker_init_fn(worker number)` is called in each
    before it begins. An error in a worker is raised here, with its traceback. A batch that takes longer than `timeout`
    seconds, if that is not 0, raises TimeoutError. The processes end with the iteration, however that ends.

    `pin_memory` is taken and has no effect: there is no other memory to copy to.

    Raises ValueError for arguments that exclude each other or are out of range, and, when the iteration begins, where
    there would be no batch. Raises TypeError for arguments of another kind, also for a batch that is no list.
    """

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=False,
        sampler=None,
        num_workers=0,
        collate_fn=default_collate,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        batch_sampler=None,
        **modern,
    ):
        if modern:
            refuse_keywords("DataLoader", modern)
        if not isinstance(num_workers, numbers.Integral) or num_workers < 0:
            raise ValueError(f"DataLoader: num_workers is an integer from 0 on, got {num_workers!r}")
        if not timeout >= 0:
            raise ValueError(f"DataLoader: timeout is a number of seconds from 0 on, got {timeout}")
        for name, given in (("sampler", sampler), ("batch_sampler", batch_sampler)):
            if given is not None and not _is_iterable(given):
                raise TypeError(f"DataLoader: {name} must be iterable, got {type(given).__name__}")
        if collate_fn is not None and not callable(collate_fn):
            raise TypeError(
                f"DataLoader: collate_fn must be a function of a list of samples, got {type(collate_fn).__name__}"
            )
        if shuffle and (sampler is not None or batch_sampler is not None):
            raise ValueError("DataLoader: shuffle and a sampler exclude each other: both say the order")
        if batch_sampler is not None and (batch_size != 1 or sampler is not None or drop_last):
            raise ValueError("DataLoader: batch_sampler excludes batch_size, sampler and drop_last: it says all of it")
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
            raise ValueError(f"DataLoader: {name} is settled when the DataLoader is made; make another one")
        super().__setattr__(name, value)

    def _check_not_empty(self):
        """Not in the constructor: a data set may be filled later (programs of the time have one that never is)."""
        try:
            if len(self) > 0:
                return
        except TypeError:
            return  # a sampler that does not say how many there will be
        if self.drop_last and len(self.sampler):
            reason = f"drop_last leaves out {len(self.sampler)} samples, too few for a batch of {self.batch_size}"
        elif isinstance(self.sampler, (SequentialSampler, RandomSampler)):
            reason = f"the data set has no samples, the length of the {type(self.dataset).__name__} is 0"
        else:
            reason = "its sampler is empty"
        raise ValueError(f"DataLoader: there would be no batch: {reason}")

    def __len__(self):
        """The number of batches."""
        return len(self.batch_sampler)

    def __iter__(self):
        self._check_not_empty()
        batches = map(_checked_batch, self.batch_sampler)
        # Drawn in any case, so that the numbers that follow do not depend on how many workers there are.
        seed = int(generator.integers(2**62))
        if self.num_workers == 0:
            return InThisProcess(self, batches)
        from .workers import InWorkers  # multiprocessing takes time to load

        return InWorkers(self, batches, seed)


def _is_iterable(value):
    return hasattr(value, "__iter__") or hasattr(value, "__getitem__")  # iter() itself would draw the order


def _checked_batch(indices):
    if not _is_iterable(indices):
        raise TypeError(
            f"DataLoader: batch_sampler must give lists of sample numbers, got {type(indices).__name__}; an order of "
            "single samples is a sampler"
        )
    return indices
