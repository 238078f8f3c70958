"""What programs call of `torch.distributed` (0.2) beside DistributedDataParallel, over all ranks of MPI."""

import importlib.util
import numbers

import numpy

from ..tensor._helpers import shown
from ..tensor.base import Tensor, wrap
from ._mpi import mpi
from .process_group import group_of

_group = None


class ReduceOp:
    """How `all_reduce` brings together what the ranks have."""

    SUM = "SUM"
    PRODUCT = "PROD"
    MIN = "MIN"
    MAX = "MAX"


reduce_op = ReduceOp  # the name until 1.0
_OPERATIONS = (ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX)


def is_available():
    """Is mpi4py installed?"""
    return importlib.util.find_spec("mpi4py") is not None


def init_process_group(backend="mpi", init_method=None, world_size=None, rank=None, timeout=None, **options):
    """Be one of the ranks that mpiexec started; all of them call this. `init_method` and `options` are ignored.

    `timeout`, a number of seconds or a timedelta, is how long a rank waits for the others: see `ProcessGroup`.
    Raises MPIMissing where there is no MPI, ValueError for another backend or no time, or where `world_size` or `rank`
    are not those of MPI, RuntimeError where it has been done.
    """
    global _group
    if backend != "mpi":
        raise ValueError(
            f"init_process_group: the backend here is 'mpi', got {backend!r}; start the program with mpiexec"
        )
    if _group is not None:
        raise RuntimeError("init_process_group: it has been called already")
    world = mpi().COMM_WORLD
    for name, given, real in (("world_size", world_size, world.size), ("rank", rank, world.rank)):
        if given not in (None, -1, real):
            raise ValueError(f"init_process_group: {name} is {real}, as mpiexec started the program; got {given}")
    _group = group_of(world, timeout)


def is_initialized():
    """Has `init_process_group` been called?"""
    return _group is not None


def destroy_process_group():
    """Undo `init_process_group`."""
    global _group
    _group = None


def get_rank():
    """The number of this process, from 0 on."""
    return _initialized("get_rank").rank


def get_world_size():
    """How many processes there are."""
    return _initialized("get_world_size").size


def barrier():
    """Wait until all ranks are here."""
    _initialized("barrier").barrier("barrier")


def broadcast(tensor, src):
    """Make `tensor` that of rank `src`, in place. It has the same size and type in all ranks, else RuntimeError."""
    group = _initialized("broadcast")
    (array,) = _alike(group, "broadcast", [tensor], f" from rank {src}")
    if not isinstance(src, numbers.Integral):
        raise TypeError(f"broadcast: src must be the number of a rank, an integer, got {src!r}")
    if not 0 <= src < group.size:
        raise ValueError(f"broadcast: of {group.size} ranks none is number {src}; they count from 0")
    group.wait([group.comm.Ibcast(array.view(numpy.uint8), root=src)])
    tensor.copy_(wrap(array))


def all_reduce(tensor, op=ReduceOp.SUM):
    """Make `tensor` the sum of all ranks' in place, or their product, least or largest. Sizes as for `broadcast`."""
    group = _initialized("all_reduce")
    (array,) = _alike(group, "all_reduce", [tensor], f" ({op})")
    if op not in _OPERATIONS:
        raise ValueError(f"all_reduce: op must be one of {', '.join(_OPERATIONS)}, got {op!r}")
    if array.dtype == numpy.float16:
        raise TypeError("all_reduce: MPI has no half precision; convert the tensor to float")
    group.wait([group.comm.Iallreduce(mpi().IN_PLACE, array, op=getattr(mpi(), op))])
    tensor.copy_(wrap(array))


def all_gather(tensor_list, tensor):
    """Make the tensors of `tensor_list`, one for each rank, those of the ranks, in place. Sizes as for `broadcast`."""
    group = _initialized("all_gather")
    if len(tensor_list) != group.size:
        raise ValueError(f"all_gather: tensor_list has a tensor for each of {group.size} ranks, got {len(tensor_list)}")
    array, *_ = _alike(group, "all_gather", [tensor, *tensor_list])
    parts = numpy.empty((group.size, array.size), array.dtype)
    group.wait([group.comm.Iallgather(array.view(numpy.uint8), parts.view(numpy.uint8))])
    for place, part in zip(tensor_list, parts):
        place.copy_(wrap(part.reshape(tensor.array.shape)))


def _initialized(name):
    if _group is None:
        raise RuntimeError(f"{name}: call init_process_group first")
    return _group


def _alike(group, name, tensors, more=""):
    """The numbers of each tensor in a row, copied, once it is sure that all ranks have tensors of one size and type."""
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} needs Tensors, got {type(tensor).__name__}; a Variable has one in data")
        if tensor.array.shape != tensors[0].array.shape or tensor.array.dtype != tensors[0].array.dtype:
            raise ValueError(
                f"{name}: all tensors must have one size and type, got {shown(tensors[0])} and {shown(tensor)}"
            )
    group.barrier(f"{name} of a {tensors[0].type()} of size {tuple(tensors[0].size())}{more}")
    return [tensor.array.flatten() for tensor in tensors]
