"""`ProcessGroup`: the ranks that train together, and the values that they exchange besides gradients.

MPI matches the collective operations of the ranks by their order alone. If one rank sends gradients while another,
whose loader had one batch less, already sums up the epoch, MPI would add unrelated numbers or wait forever. So every
rank first sends what it is doing, in messages of one form. It waits for an operation only after all ranks have sent the
same.
"""

from __future__ import annotations

import functools
import pickle
from typing import TYPE_CHECKING, Any

import numpy

from ._mpi import mpi
from .failure import Presence, time_limit
from .timekeeper import unlink_shared_memory

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from mpi4py.MPI import Comm

_LONGEST = 128  # bytes of a rank's description of what it does


def group_of(comm, timeout=None):
    """Return the ProcessGroup of a communicator, which is made on the first call; all its ranks call this together.

    There is one group for all models, so that ranks that reach two models in different orders are noticed too. A
    `timeout` that is given becomes the group's time limit.
    """
    group = comm.Get_attr(_attribute())
    if group is None:
        group = ProcessGroup(comm, timeout)
        comm.Set_attr(_attribute(), group)  # freed with the communicator
    elif timeout is not None:
        group.timeout = time_limit(timeout)
    return group


@functools.cache
def _attribute():
    return mpi().Comm.Create_keyval()


class ProcessGroup(Presence):
    """The ranks of a communicator.

    `rank` is the number of this rank, from 0 on, and `size` the number of ranks. All ranks must call the same methods
    in the same order. `what` describes the purpose of a call in error messages ("the mean of an epoch").

    Args:
        comm: The communicator.
        timeout: How many seconds a rank waits for the others. Default: the environment variable
            LEGACY_AUTOGRAD_DIST_TIMEOUT, or 30 minutes.

    Raises:
        RuntimeError: In every rank and from every method that communicates, if the ranks call different ones, or if one
            has ended its program.
        CollectiveTimeout: In all ranks that wait, if one has waited for `timeout`. A kind of RuntimeError.
    """

    def __init__(self, comm: Comm, timeout: float | timedelta | None = None) -> None:
        super().__init__(comm, timeout)
        self.begin("its DistributedDataParallel")
        self.wait([comm.Ibarrier()])
        if comm.size == mpi().COMM_WORLD.size:
            unlink_shared_memory("self")  # MPI has started in all of them
        self.comm = self.duplicate(comm)  # separate from messages of other code
        self.rank, self.size = comm.rank, comm.size
        self.models = 0  # wrapped models so far, whose numbers are in messages

    def duplicate(self, comm: Comm) -> Comm:
        """Return a communicator with the ranks of `comm`, whose group is this one too.

        Args:
            comm: The communicator.
        """
        copy, request = comm.Idup()
        self.wait([request])
        copy.Set_attr(_attribute(), self)
        return copy

    def barrier(self, what: str, which: str = "") -> None:
        """Wait until all ranks have called this method.

        Args:
            what: The purpose, for error messages.
            which: Which one of that purpose it is, if the ranks number them.
        """
        self.begin(what)
        what += which
        mine = what.encode("ascii", "replace")[:_LONGEST].ljust(_LONGEST)
        said = bytearray(_LONGEST * self.size)
        self.wait([self.comm.Iallgather(mine, said)])
        for rank in range(self.size):
            theirs = bytes(said[rank * _LONGEST : (rank + 1) * _LONGEST])
            if theirs != mine:
                raise RuntimeError(
                    f"the ranks are out of step: rank {self.rank} is at {what}, and rank {rank} at "
                    f"{theirs.decode('ascii').rstrip()}. All ranks must run forward and backward equally often and in "
                    "the same order (do their loaders have equally many batches?)"
                )

    def gather(self, value: Any, what: str) -> list:
        """Return the values of all ranks, in their order.

        Args:
            value: The value of this rank, which can be pickled.
            what: The purpose, for error messages.
        """
        data = pickle.dumps(value)
        self.barrier(what)
        sizes = numpy.empty(self.size, numpy.int64)
        self.wait([self.comm.Iallgather(numpy.array([len(data)]), sizes)])
        parts = [bytearray(size) for size in sizes.tolist()]
        parts[self.rank][:] = data
        self.wait([self.comm.Ibcast(part, root=rank) for rank, part in enumerate(parts)])
        return [pickle.loads(part) for part in parts]

    def broadcast(self, value: Any, what: str) -> Any:
        """Return the value of rank 0.

        Args:
            value: The value of this rank, which can be pickled.
            what: The purpose, for error messages.
        """
        return self.gather(value if self.rank == 0 else None, what)[0]

    def broadcast_arrays(self, arrays: Sequence[numpy.ndarray], what: str) -> list[numpy.ndarray]:
        """Return copies of the arrays of rank 0.

        Args:
            arrays: The arrays of this rank, of the same shapes and dtypes in all ranks.
            what: The purpose, for error messages.
        """
        self.barrier(what)
        # As contiguous bytes, because MPI does not have all types.
        data = bytearray(b"".join(array.tobytes() for array in arrays))
        self.wait([self.comm.Ibcast(data, root=0)])
        ends = numpy.cumsum([array.nbytes for array in arrays]).tolist()
        return [
            numpy.frombuffer(data, numpy.uint8)[start:end].view(array.dtype).reshape(array.shape)
            for array, start, end in zip(arrays, [0, *ends], ends)
        ]
