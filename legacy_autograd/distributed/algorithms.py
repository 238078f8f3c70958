"""Two ways to sum an array over all ranks with nothing but messages from one rank to another, for reading.

They are the two trainers of small frameworks in books: a parameter server, and a ring. MPI's own Allreduce chooses
among several such algorithms by size. n stands for the number of ranks, B for the bytes of the array.

==================  ===================================  =========================  ===========================
                    most that one rank sends             messages one after other   busiest rank
==================  ===================================  =========================  ===========================
parameter server    (n - 1) B, by the server             2 (n - 1)                  the server; grows with n
ring                2 (n - 1) / n B, by every rank       2 (n - 1)                  none; hardly grows with n
==================  ===================================  =========================  ===========================

The ring: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009.
The parameter server: Li et al., "Scaling distributed machine learning with the parameter server", 2014.
"""

import numpy

from .process_group import group_of


def parameter_server(array, comm, server=0):
    """Make `array` the sum of all ranks' arrays, in place: all send theirs to one rank, which sends the sum back.

    Returns the number of bytes that this rank has sent. Raises as a ProcessGroup does.
    """
    group = _begin(array, "parameter_server", comm)
    if comm.rank != server:
        group.wait([comm.Isend(array, server)])
        group.wait([comm.Irecv(array, server)])
        return array.nbytes
    arrived = numpy.empty_like(array)
    others = [rank for rank in range(comm.size) if rank != server]
    for rank in others:  # in the order of the ranks, so that the sum is the same every time
        group.wait([comm.Irecv(arrived, rank)])
        array += arrived
    group.wait([comm.Isend(array, rank) for rank in others])
    return array.nbytes * len(others)


def ring_all_reduce(array, comm):
    """Make `array` the sum of all ranks' arrays, in place: each talks only to its neighbours on a ring.

    The array is cut into as many pieces as there are ranks. Once around, every piece collects its sum, and ends up
    complete in one rank; once more around, the complete pieces are handed on. Every rank gets the same bits, because
    each piece was summed in one order. Returns the number of bytes that this rank has sent. Raises as a ProcessGroup
    does.
    """
    group = _begin(array, "ring_all_reduce", comm)
    ranks, rank = comm.size, comm.rank
    pieces = numpy.array_split(array.reshape(-1), ranks)
    right, left = (rank + 1) % ranks, (rank - 1) % ranks
    arrived = numpy.empty_like(pieces[0])  # the first piece is as long as any
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
        raise TypeError(f"{name} needs a numpy array that can be written to and has no gaps (C-contiguous)")
    group = group_of(comm)
    group.begin(name)
    return group
