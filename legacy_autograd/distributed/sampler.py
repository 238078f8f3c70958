"""`DistributedSampler`: the samples of this rank (PyTorch: since 0.2)."""

import numbers
from collections.abc import Sized

import numpy

from ..utils.data import Sampler
from ._mpi import mpi


class DistributedSampler(Sampler):
    """Every `num_replicas`-th sample of a data set, from number `rank` on, in an order that all ranks share.

        loader = DataLoader(dataset, batch_size=16, sampler=DistributedSampler(dataset))

    Batch k of all ranks together is then batch k of a single process with `num_replicas` times the batch size. Each
    iteration is a new epoch.

    With `repeat=False`, for an evaluation, each sample belongs to one rank, and the first ranks may have one sample
    more. The mean over all ranks, as `TrainingLoop.evaluate` computes it, is then exact.

    Args:
        dataset: The data set, which has a length.
        num_replicas: The number of ranks. Default: MPI's.
        rank: The number of this rank. Default: MPI's.
        shuffle: Whether each epoch has another order, drawn from `seed` and the number of the epoch.
        seed: An integer of 0 or more, the same in all ranks.
        drop_last: Whether the last samples are dropped so that all ranks have equally many. Otherwise the first samples
            are repeated at the end.
        repeat: Whether samples may be repeated.

    Raises:
        TypeError: If a number is not an integer.
        ValueError: If there is no such rank, `seed` is below 0, or a rank would have no samples.
        MPIMissing: If the ranks are not given and there is no MPI.
    """

    def __init__(
        self,
        dataset: Sized,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
        repeat: bool = True,
    ) -> None:
        if num_replicas is None or rank is None:
            world = mpi().COMM_WORLD
            num_replicas = world.size if num_replicas is None else num_replicas
            rank = world.rank if rank is None else rank
        if not all(isinstance(number, numbers.Integral) for number in (num_replicas, rank, seed)):
            raise TypeError(
                "DistributedSampler: num_replicas, rank and seed must be integers, got "
                f"{num_replicas!r}, {rank!r} and {seed!r}"
            )
        if not 0 <= rank < num_replicas:
            raise ValueError(
                f"DistributedSampler: rank must be from 0 to {num_replicas - 1} for {num_replicas} ranks, got {rank}"
            )
        if seed < 0:
            raise ValueError(f"DistributedSampler: seed must be an integer of 0 or more, got {seed}")
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

    def set_epoch(self, epoch: int) -> None:
        """Set the number of the next epoch, for example after a resume. All ranks must set the same.

        Args:
            epoch: The number, from 0 on.

        Raises:
            TypeError: If `epoch` is not an integer.
            ValueError: If `epoch` is below 0.
        """
        if not isinstance(epoch, numbers.Integral):
            raise TypeError(f"DistributedSampler.set_epoch: epoch must be an integer, got {epoch!r}")
        if epoch < 0:
            raise ValueError(f"DistributedSampler.set_epoch: epoch must be an integer of 0 or more, got {epoch}")
        self.epoch = epoch

    def __iter__(self):
        count = len(self.dataset)
        order = numpy.arange(count)
        if self.shuffle:
            # A separate generator, because the ranks may have drawn differently from the package's.
            order = numpy.random.default_rng((self.seed, self.epoch)).permutation(count)
        self.epoch += 1
        # Each rank has len(self) samples. After the last sample of the data set the first follows again.
        own = numpy.arange(len(self)) * self.num_replicas + self.rank
        return iter(order[own % count].tolist())

    def __len__(self):
        share, over = divmod(len(self.dataset), self.num_replicas)
        if self.drop_last:
            return share
        return share + ((over > 0) if self.repeat else (self.rank < over))
