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

_context = multiprocessing
if "fork" in multiprocessing.get_all_start_methods():
    _context = multiprocessing.get_context("fork")

# What starts a process, or is made for processes that start in one way.
Array = _context.Array
Barrier = _context.Barrier
BoundedSemaphore = _context.BoundedSemaphore
Condition = _context.Condition
Event = _context.Event
JoinableQueue = _context.JoinableQueue
Lock = _context.Lock
Manager = _context.Manager
Pool = _context.Pool
Process = _context.Process
Queue = _context.Queue
RLock = _context.RLock
Semaphore = _context.Semaphore
SimpleQueue = _context.SimpleQueue
Value = _context.Value
get_context = _context.get_context
get_start_method = _context.get_start_method


def set_start_method(method, force=False):
    """Nothing to choose: ValueError for another method than "fork", whose processes would share no memory."""
    if method != "fork":
        raise ValueError(f"set_start_method: only forked processes share the memory of tensors, not {method!r}")


reductions.register()
