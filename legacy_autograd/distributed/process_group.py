"""`ProcessGroup`: the ranks that train together, and what they tell each other besides gradients.

MPI pairs the collective operations of the ranks by their order alone. If one rank sends gradients while another, whose
loader had a batch less, sums up the epoch already, MPI would add what does not belong together, or wait for ever. So
every rank says what it is at, in a message that has one form for everything, and only what all have said the same of
is waited for and used.
"""

import functools

import numpy

from ._mpi import mpi
from .failure import Presence, unlink_shared_memory

_LONGEST = 128  # bytes in which a rank says what it is at


def group_of(comm):
    """The ProcessGroup of the communicator `comm`, made where there is none; all its ranks ask for it together.

    One for all models, so that ranks that come to two models in different orders notice it too.
    """
    group = comm.Get_attr(_attribute())
    if group is None:
        group = ProcessGroup(comm)
        comm.Set_attr(_attribute(), group)  # goes when the communicator goes
    return group


@functools.cache
def _attribute():
    return mpi().Comm.Create_keyval()


class ProcessGroup:
    """The ranks of `comm`: `rank` is the number of this one, from 0 on, and `size` is how many there are.

    All ranks call the same methods in the same order. Those that communicate are told `what` for, as a message is to
    say it ("the mean of an epoch"), and raise RuntimeError, in every rank, if the ranks are at different things, or if
    one has ended its program.
    """

    def __init__(self, comm):
        self._presence = Presence(comm)
        self._presence.wait([comm.Ibarrier()], "its DistributedDataParallel")
        if comm.size == mpi().COMM_WORLD.size:
            unlink_shared_memory()  # MPI has started in all of them
        self.comm = comm.Dup()  # so that no message of others gets in between
        self.rank, self.size = comm.rank, comm.size
        self.models = 0  # that have been wrapped: their numbers stand in messages

    def barrier(self, what):
        """Wait until all ranks are here."""
        mine = what.encode("ascii", "replace")[:_LONGEST].ljust(_LONGEST)
        said = bytearray(_LONGEST * self.size)
        self.wait([self.comm.Iallgather(mine, said)], what)
        for rank in range(self.size):
            theirs = bytes(said[rank * _LONGEST : (rank + 1) * _LONGEST])
            if theirs != mine:
                raise RuntimeError(
                    f"the ranks are out of step: rank {self.rank} is at {what}, and rank {rank} at "
                    f"{theirs.decode('ascii').rstrip()}. All ranks must run forward and backward equally often and in "
                    "the same order (do their loaders have equally many batches?)"
                )

    def gather(self, value, what):
        """The list of every rank's `value` (whatever can be pickled), in the order of the ranks."""
        self.barrier(what)
        return self.comm.allgather(value)

    def broadcast(self, value, what):
        """The `value` of rank 0."""
        self.barrier(what)
        return self.comm.bcast(value, root=0)

    def broadcast_arrays(self, arrays, what):
        """Rank 0's numbers for each of the numpy `arrays`, which have the same sizes and types in all ranks."""
        self.barrier(what)
        # Bytes, since MPI has no name for every type, and in one piece of memory without gaps.
        data = bytearray(b"".join(array.tobytes() for array in arrays))
        self.wait([self.comm.Ibcast(data, root=0)], what)
        ends = numpy.cumsum([array.nbytes for array in arrays]).tolist()
        return [
            numpy.frombuffer(data, numpy.uint8)[start:end].view(array.dtype).reshape(array.shape)
            for array, start, end in zip(arrays, [0, *ends], ends)
        ]

    def wait(self, requests, what):
        """Wait for MPI's `requests`, which the others are known to answer if they do not end."""
        self._presence.wait(requests, what)
