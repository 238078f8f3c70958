"""The two readable algorithms beside MPI's Allreduce: the same sums, the same bits everywhere, the bytes as counted."""

import numpy
from mpi4py import MPI

from legacy_autograd.distributed import parameter_server, ring_all_reduce

world = MPI.COMM_WORLD
n = world.size
for size in (0, 1, n - 1, n, 1000, 100_003):
    mine = numpy.random.default_rng(world.rank).standard_normal(size)
    expected = numpy.empty_like(mine)
    world.Allreduce(mine, expected)
    for algorithm in (parameter_server, ring_all_reduce):
        array = mine.copy()
        sent = world.allgather(algorithm(array, world))
        assert numpy.allclose(array, expected, rtol=1e-13, atol=1e-13)
        assert len(set(world.allgather(array.tobytes()))) == 1
        if algorithm is parameter_server:
            assert sent == [array.nbytes * (n - 1 if rank == 0 else 1) * (n > 1) for rank in range(n)]
        else:
            assert sum(sent) == 2 * (n - 1) * array.nbytes
            assert max(sent) <= 2 * (n - 1) * (array.nbytes / n + array.itemsize)
array = numpy.full(3, float(world.rank))
parameter_server(array, world, server=n - 1)
assert array.tolist() == [n * (n - 1) / 2] * 3
for wrong in ([1.0], numpy.ones((4, 4))[:, 1]):
    try:
        ring_all_reduce(wrong, world)
    except TypeError as error:
        assert "C-contiguous" in str(error)
    else:
        raise AssertionError("it was taken")
print("summed")
