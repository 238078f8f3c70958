"""`DistributedSampler`: which samples are this rank's (PyTorch had it from 0.2)."""

import numbers

import numpy

from ..utils.data import Sampler
from ._mpi import mpi


class DistributedSampler(Sampler):
    """Every `num_replicas`-th sample of `dataset`, from number `rank` on, in an order that is the same in all ranks.

        loader = DataLoader(dataset, batch_size=16, sampler=DistributedSampler(dataset))

    The batches of number k of all ranks together are then the batch of number k that one process would have, of
    `num_replicas` times the size. Ranks and their count are MPI's where they are not given.

    With `shuffle` the order is another in every epoch, drawn from `seed` and the number of the epoch. Each iteration
    is the next epoch; `set_epoch` says which, after a resume for example (a Trainer does that). So that all ranks have
    equally many, the first samples come once more at the end, or with `drop_last` the last ones are left out.

    For an evaluation, in which no rank waits for another, `repeat=False` gives every sample to one rank, once: the
    first ranks may have one more. The mean over them all, as `Trainer.evaluate` takes it, is then exact.

    Raises ValueError for a rank that does not exist, or where a rank would have nothing.
    """

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False, repeat=True):
        if num_replicas is None or rank is None:
            world = mpi().COMM_WORLD
            num_replicas = world.size if num_replicas is None else num_replicas
            rank = world.rank if rank is None else rank
        if not all(isinstance(number, numbers.Integral) for number in (num_replicas, rank, seed)):
            raise TypeError("DistributedSampler: num_replicas, rank and seed are integers")
        if not 0 <= rank < num_replicas:
            raise ValueError(f"DistributedSampler: of {num_replicas} ranks none is number {rank}; they count from 0")
        if seed < 0:
            raise ValueError(f"DistributedSampler: seed is an integer from 0 on, got {seed}")
        self.dataset = dataset
        self.num_replicas = int(num_replicas)
        self.rank = int(rank)
        self.shuffle = shuffle
        self.seed = int(seed)
        self.drop_last = drop_last
        self.repeat = repeat
        self.epoch = 0
        if len(dataset) < (1 if repeat and not drop_last else num_replicas):
            raise ValueError(f"DistributedSampler: {len(dataset)} samples are too few for {num_replicas} ranks")

    def set_epoch(self, epoch):
        """The number of the epoch that the next iteration is; all ranks say the same.

        Raises TypeError if `epoch` is no integer, ValueError if it is below 0.
        """
        if not isinstance(epoch, numbers.Integral):
            raise TypeError(f"DistributedSampler.set_epoch: epoch must be an integer, got {epoch!r}")
        if epoch < 0:
            raise ValueError(f"DistributedSampler.set_epoch: epoch must be an integer from 0 on, got {epoch}")
        self.epoch = epoch

    def __iter__(self):
        count = len(self.dataset)
        order = numpy.arange(count)
        if self.shuffle:
            # Not the package's generator: the ranks may have drawn differently from theirs.
            order = numpy.random.default_rng((self.seed, self.epoch)).permutation(count)
        self.epoch += 1
        # Each rank's share has len(self) samples; from the end on it begins again.
        own = numpy.arange(len(self)) * self.num_replicas + self.rank
        return iter(order[own % count].tolist())

    def __len__(self):
        share, over = divmod(len(self.dataset), self.num_replicas)
        if self.drop_last:
            return share
        return share + ((over > 0) if self.repeat else (self.rank < over))
