"""Two algorithms that sum an array over all ranks by messages between pairs of ranks, written for reading.

They are the two methods in books on small frameworks: a parameter server and a ring. MPI's own Allreduce chooses among
several such algorithms by size. n is the number of ranks, B the number of bytes of the array.

==================  ===================================  =========================  ===========================
                    most bytes sent by one rank          consecutive messages       bottleneck
==================  ===================================  =========================  ===========================
parameter server    (n - 1) B, by the server             2 (n - 1)                  the server; grows with n
ring                2 (n - 1) / n B, by every rank       2 (n - 1)                  none; hardly grows with n
==================  ===================================  =========================  ===========================

The ring: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009.
The parameter server: Li et al., "Scaling distributed machine learning with the parameter server", 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from .process_group import group_of

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


def parameter_server(array: numpy.ndarray, comm: Comm, server: int = 0) -> int:
    """Sum the arrays of all ranks in place: all ranks send theirs to one, which sends the sum back.

    Args:
        array: A contiguous, writeable array, of the same shape and dtype in all ranks.
        comm: The communicator.
        server: The rank that sums.

    Returns:
        The number of bytes that this rank sent.

    Raises:
        TypeError: If `array` is something else.
        RuntimeError: If the ranks are out of step, see `ProcessGroup`.
    """
    group = _begin(array, "parameter_server", comm)
    if comm.rank != server:
        group.wait([comm.Isend(array, server)])
        group.wait([comm.Irecv(array, server)])
        return array.nbytes
    arrived = numpy.empty_like(array)
    others = [rank for rank in range(comm.size) if rank != server]
    for rank in others:  # in the order of the ranks, so that the sum is the same in every run
        group.wait([comm.Irecv(arrived, rank)])
        array += arrived
    group.wait([comm.Isend(array, rank) for rank in others])
    return array.nbytes * len(others)


def ring_all_reduce(array: numpy.ndarray, comm: Comm) -> int:
    """Sum the arrays of all ranks in place: each rank sends only to its neighbour on a ring.

    The array is cut into as many pieces as there are ranks. In the first round each piece collects its sum and is
    complete in one rank. In the second round the complete pieces are passed on. All ranks get exactly the same result,
    because each piece is summed in one order.

    Args:
        array: A contiguous, writeable array, of the same shape and dtype in all ranks.
        comm: The communicator.

    Returns:
        The number of bytes that this rank sent.

    Raises:
        TypeError: If `array` is something else.
        RuntimeError: If the ranks are out of step, see `ProcessGroup`.
    """
    group = _begin(array, "ring_all_reduce", comm)
    ranks, rank = comm.size, comm.rank
    pieces = numpy.array_split(array.reshape(-1), ranks)
    right, left = (rank + 1) % ranks, (rank - 1) % ranks
    arrived = numpy.empty_like(pieces[0])  # no piece is longer than the first
    sent = 0
    for step in range(ranks - 1):
        outgoing, incoming = pieces[(rank - step) % ranks], pieces[(rank - step - 1) % ranks]
        group.wait([comm.Irecv(arrived[: incoming.size], left), comm.Isend(outgoing, right)])
        incoming += arrived[: incoming.size]
        sent += outgoing.nbytes
    for step in range(ranks - 1):
        outgoing, incoming = pieces[(rank - step + 1) % ranks], pieces[(rank - step) % ranks]
        group.wait([comm.Irecv(incoming, left), comm.Isend(outgoing, right)])
        sent += outgoing.nbytes
    return sent


def _begin(array, name, comm):
    if not isinstance(array, numpy.ndarray) or not array.flags.c_contiguous or not array.flags.writeable:
        raise TypeError(f"{name}: array must be a writeable, C-contiguous numpy array")
    group = group_of(comm)
    group.begin(name)
    return group
