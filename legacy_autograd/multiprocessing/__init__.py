"""`torch.multiprocessing`: Python's multiprocessing with forked processes (v0.1.4: `torch/multiprocessing/`).

A forked process has all objects of its parent. Both see each other's writes to tensors that `share_memory_` moved. Such
tensors stay shared when they are sent through a Queue or a Pipe. Other tensors are moved into shared memory there under
`run`, as in v0.1.x, and copied under `import` (conventions.py). A Queue does this before `put` returns (queue.py).
"""

import functools
import multiprocessing
from multiprocessing import *  # noqa: F403
from typing import Any

from ..tensor.shared_memory import (  # noqa: F401
    get_all_sharing_strategies,
    get_sharing_strategy,
    set_sharing_strategy,
)
from . import queue, reductions

_start_method: str | None


def get_start_method(allow_none: bool = False) -> str | None:  # type: ignore[no-redef]  # Python's is imported above
    """Return how processes are started: "fork", if the system has it and `set_start_method` chose no other method.

    Args:
        allow_none: As in Python's function, which is called on systems without "fork".
    """
    return _start_method if _start_method is not None else multiprocessing.get_start_method(allow_none)


def get_context(method: str | None = None) -> Any:  # type: ignore[no-redef]
    """Return an object with the names of this module, for processes that are started by one method.

    Args:
        method: "fork", "spawn" or "forkserver". Default: the chosen one.
    """
    return multiprocessing.get_context(get_start_method() if method is None else method)


def set_start_method(method: str, force: bool = False) -> None:  # type: ignore[no-redef]
    """Choose how processes start. Forked processes inherit memory; others get only the data that is sent to them.

    Names that were imported from this module before keep the old method.

    Args:
        method: "fork", "spawn" or "forkserver".
        force: Ignored: the method can always be changed.

    Raises:
        ValueError: If the system does not have the method.
    """
    _start_by(method)


def _start_by(method):
    global _start_method
    global Array, Barrier, BoundedSemaphore, Condition, Event, JoinableQueue, Lock, Manager, Pool, Process, Queue, RLock
    global Semaphore, SimpleQueue, Value
    context = multiprocessing.get_context(method)
    _start_method = method
    Array = context.Array
    Barrier = context.Barrier
    BoundedSemaphore = context.BoundedSemaphore
    Condition = context.Condition
    Event = context.Event
    JoinableQueue = context.JoinableQueue
    Lock = context.Lock
    Manager = context.Manager
    Pool = context.Pool
    Process = context.Process
    Queue = functools.partial(queue.Queue, ctx=context)
    RLock = context.RLock
    Semaphore = context.Semaphore
    SimpleQueue = context.SimpleQueue
    Value = context.Value


_start_by("fork" if "fork" in multiprocessing.get_all_start_methods() else None)
reductions.register()
