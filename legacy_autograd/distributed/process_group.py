"""`ProcessGroup`: the ranks that train together, and what they tell each other besides gradients.

MPI pairs the collective operations of the ranks by their order alone. If one rank sends gradients while another, whose
loader had a batch less, sums up the epoch already, MPI would add what does not belong together, or wait for ever. So
every rank says what it is at, in a message that has one form for everything, and only what all have said the same of
is waited for and used.
"""

import functools
import pickle

import numpy

from ._mpi import mpi
from .failure import Presence, time_limit
from .timekeeper import unlink_shared_memory

_LONGEST = 128  # bytes in which a rank says what it is at


def group_of(comm, timeout=None):
    """The ProcessGroup of the communicator `comm`, made where there is none; all its ranks ask for it together.

    One for all models, so that ranks that come to two models in different orders notice it too. A `timeout` that is
    given is its time limit from now on.
    """
    group = comm.Get_attr(_attribute())
    if group is None:
        group = ProcessGroup(comm, timeout)
        comm.Set_attr(_attribute(), group)  # goes when the communicator goes
    elif timeout is not None:
        group.timeout = time_limit(timeout)
    return group


@functools.cache
def _attribute():
    return mpi().Comm.Create_keyval()


class ProcessGroup(Presence):
    """The ranks of `comm`: `rank` is the number of this one, from 0 on, and `size` is how many there are.

    All ranks call the same methods in the same order. Those that communicate are told `what` for, as a message is to
    say it ("the mean of an epoch"), and raise RuntimeError, in every rank, if the ranks are at different things, or if
    one has ended its program. A rank that has waited for `timeout` (a number of seconds or a timedelta; 30 minutes, or
    the seconds in the environment variable LEGACY_AUTOGRAD_DIST_TIMEOUT) raises CollectiveTimeout, a RuntimeError, and
    so do those that wait with it.
    """

    def __init__(self, comm, timeout=None):
        super().__init__(comm, timeout)
        self.begin("its DistributedDataParallel")
        self.wait([comm.Ibarrier()])
        if comm.size == mpi().COMM_WORLD.size:
            unlink_shared_memory("self")  # MPI has started in all of them
        self.comm = self.duplicate(comm)  # so that no message of others gets in between
        self.rank, self.size = comm.rank, comm.size
        self.models = 0  # wrapped models: messages contain their numbers

    def duplicate(self, comm):
        """A communicator with the ranks of `comm`, whose group this is too."""
        copy, request = comm.Idup()
        self.wait([request])
        copy.Set_attr(_attribute(), self)
        return copy

    def barrier(self, what):
        """Wait until all ranks are here."""
        self.begin(what)
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

    def gather(self, value, what):
        """The list of every rank's `value` (whatever can be pickled), in the order of the ranks."""
        data = pickle.dumps(value)
        self.barrier(what)
        sizes = numpy.empty(self.size, numpy.int64)
        self.wait([self.comm.Iallgather(numpy.array([len(data)]), sizes)])
        parts = [bytearray(size) for size in sizes.tolist()]
        parts[self.rank][:] = data
        self.wait([self.comm.Ibcast(part, root=rank) for rank, part in enumerate(parts)])
        return [pickle.loads(part) for part in parts]

    def broadcast(self, value, what):
        """The `value` of rank 0."""
        return self.gather(value if self.rank == 0 else None, what)[0]

    def broadcast_arrays(self, arrays, what):
        """Rank 0's numbers for each of the numpy `arrays`, which have the same sizes and types in all ranks."""
        self.barrier(what)
        # Bytes, since MPI has no name for every type, and in one piece of memory without gaps.
        data = bytearray(b"".join(array.tobytes() for array in arrays))
        self.wait([self.comm.Ibcast(data, root=0)])
        ends = numpy.cumsum([array.nbytes for array in arrays]).tolist()
        return [
            numpy.frombuffer(data, numpy.uint8)[start:end].view(array.dtype).reshape(array.shape)
            for array, start, end in zip(arrays, [0, *ends], ends)
        ]
