"""The functions of `torch.distributed` (0.2) that programs call, over all ranks of MPI."""

import importlib.util
import numbers
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy

from ..tensor.base import Tensor, wrap
from ..tensor.messages import shown
from ._mpi import mpi
from .process_group import group_of

_group = None


class ReduceOp:
    """The operations by which `all_reduce` combines the tensors of the ranks."""

    SUM = "SUM"
    PRODUCT = "PROD"
    MIN = "MIN"
    MAX = "MAX"


reduce_op = ReduceOp  # the name until 1.0
_OPERATIONS = (ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX)


def is_available() -> bool:
    """Return whether mpi4py is installed."""
    return importlib.util.find_spec("mpi4py") is not None


def init_process_group(
    backend: str = "mpi",
    init_method: str | None = None,
    world_size: int | None = None,
    rank: int | None = None,
    timeout: float | timedelta | None = None,
    **options: Any,
) -> None:
    """Join the ranks that mpiexec started. All ranks call this function.

    Args:
        backend: "mpi".
        init_method: Ignored.
        world_size: The number of ranks, if given that of MPI.
        rank: The number of this rank, if given that of MPI.
        timeout: How many seconds a rank waits for the others, see `ProcessGroup`.
        **options: Ignored.

    Raises:
        MPIMissing: If there is no MPI.
        ValueError: If `backend` or `timeout` is invalid, or `world_size` or `rank` differs from MPI's.
        RuntimeError: If it was called before.
    """
    global _group
    if backend != "mpi":
        raise ValueError(f"init_process_group: backend must be 'mpi', got {backend!r}; start the program with mpiexec")
    if _group is not None:
        raise RuntimeError("init_process_group: it was called already; call destroy_process_group() first")
    world = mpi().COMM_WORLD
    for name, given, real in (("world_size", world_size, world.size), ("rank", rank, world.rank)):
        if given not in (None, -1, real):
            raise ValueError(f"init_process_group: {name} must be {real}, as set by mpiexec, got {given}")
    _group = group_of(world, timeout)


def is_initialized() -> bool:
    """Return whether `init_process_group` was called."""
    return _group is not None


def destroy_process_group() -> None:
    """Undo `init_process_group`."""
    global _group
    _group = None


def get_rank() -> int:
    """Return the number of this rank, from 0 on."""
    return _initialized("get_rank").rank


def get_world_size() -> int:
    """Return the number of ranks."""
    return _initialized("get_world_size").size


def barrier() -> None:
    """Wait until all ranks have called this function."""
    _initialized("barrier").barrier("barrier")


def broadcast(tensor: Tensor, src: int) -> None:
    """Copy the tensor of one rank into those of all ranks, in place.

    Args:
        tensor: A Tensor of the same shape and type in all ranks.
        src: The rank whose elements are copied.

    Raises:
        TypeError: If `tensor` is not a Tensor, or `src` is not an integer.
        ValueError: If there is no rank `src`.
        RuntimeError: If shapes or types differ, or `init_process_group` was not called.
    """
    group = _initialized("broadcast")
    (array,) = _alike(group, "broadcast", [tensor], f" from rank {src}")
    if not isinstance(src, numbers.Integral):
        raise TypeError(f"broadcast: src must be the number of a rank, an integer, got {src!r}")
    if not 0 <= src < group.size:
        raise ValueError(
            f"broadcast: src must be the number of one of {group.size} ranks, from 0 to {group.size - 1}, got {src}"
        )
    group.wait([group.comm.Ibcast(array.view(numpy.uint8), root=src)])
    tensor.copy_(wrap(array))


def all_reduce(tensor: Tensor, op: str = ReduceOp.SUM) -> None:
    """Set the tensors of all ranks to their sum, product, minimum or maximum, in place.

    Args:
        tensor: A Tensor of the same shape and type in all ranks, not of half precision.
        op: The operation, one of `ReduceOp`.

    Raises:
        TypeError: If `tensor` is not a Tensor, or has half precision.
        ValueError: If `op` is another operation.
        RuntimeError: If shapes or types differ, or `init_process_group` was not called.
    """
    group = _initialized("all_reduce")
    (array,) = _alike(group, "all_reduce", [tensor], f" ({op})")
    if op not in _OPERATIONS:
        raise ValueError(f"all_reduce: op must be one of {', '.join(_OPERATIONS)}, got {op!r}")
    if array.dtype == numpy.float16:
        raise TypeError("all_reduce: MPI has no half precision; convert the tensor to float")
    group.wait([group.comm.Iallreduce(mpi().IN_PLACE, array, op=getattr(mpi(), op))])
    tensor.copy_(wrap(array))


def all_gather(tensor_list: Sequence[Tensor], tensor: Tensor) -> None:
    """Copy the tensors of all ranks into the tensors of a list, in place.

    Args:
        tensor_list: A Tensor for each rank.
        tensor: The Tensor of this rank, of the same shape and type in all ranks.

    Raises:
        TypeError: If something is not a Tensor.
        ValueError: If the list has another length, or its Tensors another shape or type.
        RuntimeError: If shapes or types differ between ranks, or `init_process_group` was not called.
    """
    group = _initialized("all_gather")
    if len(tensor_list) != group.size:
        raise ValueError(
            f"all_gather: tensor_list must have a tensor for each of {group.size} ranks, got {len(tensor_list)}"
        )
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
    """Return a flat copy of each tensor's array, after checking that shapes and types agree in all ranks."""
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} needs Tensors, got {type(tensor).__name__}; use the data of a Variable")
        if tensor.array.shape != tensors[0].array.shape or tensor.array.dtype != tensors[0].array.dtype:
            raise ValueError(
                f"{name}: all tensors must have one size and type, got {shown(tensors[0])} and {shown(tensor)}"
            )
    group.barrier(f"{name} of a {tensors[0].type()} of size {tuple(tensors[0].size())}{more}")
    return [tensor.array.flatten() for tensor in tensors]
