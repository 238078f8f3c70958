"""Misuses of the distributed part, carried out in each rank; rank 0 prints {name: [class of the error, message]}.

A misuse that raises nothing gives ["", the numbers that it returned].
"""

import json
import sys

import numpy

import legacy_autograd as torch
from legacy_autograd import distributed, nn
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor import DoubleTensor, FloatTensor


def rank_before_init():
    distributed.get_rank()


def sum_before_init():
    distributed.all_reduce(DoubleTensor([1.0]))


def backend_of_graphics_cards():
    distributed.init_process_group("nccl")


def more_ranks_than_there_are():
    distributed.init_process_group("mpi", world_size=distributed_size() + 3)


def rank_of_another():
    distributed.init_process_group("mpi", rank=distributed_size())


def init_twice():
    distributed.init_process_group("mpi")
    distributed.init_process_group("mpi")


# From here on the group is there.


def broadcast_from_nowhere():
    distributed.broadcast(DoubleTensor([1.0]), 5)


def broadcast_from_half_a_rank():
    distributed.broadcast(DoubleTensor([1.0]), 0.5)


def average_of_tensors():
    distributed.all_reduce(DoubleTensor([1.0]), "AVG")


def places_of_another_size():
    distributed.all_gather([DoubleTensor([1.0, 2.0])] * distributed_size(), DoubleTensor([1.0]))


def communicator_by_name():
    distributed.DistributedDataParallel(nn.Linear(1, 1), comm="world")


def model_closed_twice():
    layer = nn.Linear(1, 1)
    wrapped = distributed.DistributedDataParallel(layer)
    wrapped.close()
    wrapped.close()
    distributed.DistributedDataParallel(layer).close()
    return DoubleTensor([1.0])


def sum_of_variables():
    distributed.all_reduce(Variable(DoubleTensor([1.0])))


def sum_of_half_precision():
    distributed.all_reduce(torch.ones(2).half())


def places_for_other_ranks():
    distributed.all_gather([DoubleTensor([1.0])] * (distributed_size() + 1), DoubleTensor([1.0]))


def places_of_another_type():
    distributed.all_gather([FloatTensor([1.0])] * distributed_size(), DoubleTensor([1.0]))


def model_that_is_a_function():
    distributed.DistributedDataParallel(lambda x: x)


def model_without_parameters():
    distributed.DistributedDataParallel(nn.ReLU())


def buckets_of_nothing():
    distributed.DistributedDataParallel(nn.Linear(1, 1), bucket_bytes=0)


def model_wrapped_twice():
    layer = nn.Linear(1, 1)
    wrapped = distributed.DistributedDataParallel(layer)
    try:
        distributed.DistributedDataParallel(layer)
    finally:
        wrapped.close()


def gradient_of_rank_plus_one():
    """The average of the ranks' gradients 1, 2, …"""
    layer = nn.Linear(1, 1, bias=False)
    wrapped = distributed.DistributedDataParallel(layer)
    wrapped(Variable(torch.ones(1, 1) * (distributed.get_rank() + 1), requires_grad=False)).backward()
    wrapped.close()
    return layer.weight.grad


def sums_of_different_sizes():
    distributed.all_reduce(torch.ones(1 + distributed.get_rank()))


def different_operations():
    if distributed.get_rank():
        distributed.barrier()
    else:
        distributed.all_reduce(torch.ones(2))


def different_sources():
    distributed.broadcast(torch.ones(2), distributed.get_rank())


def models_of_different_sizes():
    distributed.DistributedDataParallel(nn.Linear(2, 1 + distributed.get_rank()))


def barrier_after_the_group_is_gone():
    distributed.destroy_process_group()
    distributed.barrier()


def distributed_size():
    return int(sys.argv[1])


BEFORE = (rank_before_init, sum_before_init, backend_of_graphics_cards, more_ranks_than_there_are, rank_of_another)
ALONE = (
    init_twice,
    broadcast_from_nowhere,
    broadcast_from_half_a_rank,
    average_of_tensors,
    places_of_another_size,
    communicator_by_name,
    model_closed_twice,
    sum_of_variables,
    sum_of_half_precision,
    places_for_other_ranks,
    places_of_another_type,
    model_that_is_a_function,
    model_without_parameters,
    buckets_of_nothing,
    model_wrapped_twice,
    gradient_of_rank_plus_one,
)
TOGETHER = (sums_of_different_sizes, different_operations, different_sources, models_of_different_sizes)


def ended(misuse):
    try:
        result = misuse()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["", numpy.ravel(result.numpy()).tolist()]


if __name__ == "__main__":
    several = TOGETHER if distributed_size() > 1 else ()
    found = {misuse.__name__: ended(misuse) for misuse in (*BEFORE, *ALONE, *several, barrier_after_the_group_is_gone)}
    from mpi4py import MPI

    if MPI.COMM_WORLD.rank == 0:
        print(json.dumps(found))
