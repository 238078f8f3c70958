"""`torch.multiprocessing`: Python's, with processes that are forked (v0.1.4: `torch/multiprocessing/`).

A forked process has all that its parent had, and sees what both write into tensors that were moved by `share_memory_`.
Such tensors stay shared where they go through a Queue or a Pipe. Other tensors are moved into shared memory there under
`run`, as in v0.1.x, and copied under `import` (conventions.py).
"""

import multiprocessing
from multiprocessing import *  # noqa: F403

from ..tensor.shared_memory import (  # noqa: F401
    get_all_sharing_strategies,
    get_sharing_strategy,
    set_sharing_strategy,
)
from . import reductions


def get_start_method(allow_none=False):  # type: ignore[no-redef]  # this one knows of `set_start_method`
    """Return how processes are started: "fork", where the system can and `set_start_method` chose no other."""
    return _start_method if _start_method is not None else multiprocessing.get_start_method(allow_none)


def get_context(method=None):  # type: ignore[no-redef]
    """Return the names of this module for processes that are started by `method`, by default the chosen one."""
    return multiprocessing.get_context(get_start_method() if method is None else method)


def set_start_method(method, force=False):  # type: ignore[no-redef]
    """Choose how processes are started. Forked ones inherit memory; all others find only what is sent to them.

    Names that were imported from this module before keep the old method. Raises ValueError for a method that the system
    does not have.
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
    Queue = context.Queue
    RLock = context.RLock
    Semaphore = context.Semaphore
    SimpleQueue = context.SimpleQueue
    Value = context.Value


_start_by("fork" if "fork" in multiprocessing.get_all_start_methods() else None)
reductions.register()
