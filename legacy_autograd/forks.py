"""What a fork waits for.

A forked process has one thread, and a copy of every lock. A lock that another thread of its parent held would never be
released there, and what it guards would stay half done. So a fork waits until no other thread holds one.
"""

import os

from .autograd import callbacks
from .autograd.leaf import Leaf
from .tensor import generators, numpy_memory

# In the order in which one may be taken while another is held, from the innermost.
_LOCKS = (callbacks.lock, numpy_memory._lock, Leaf._lock)
_held: list = []


def _take():
    locks = [*generators.locks(), *_LOCKS]
    for lock in reversed(locks):
        lock.acquire()
    _held.append(locks)


def _release():
    for lock in _held.pop():
        lock.release()


def wait_for_locks() -> None:
    """Let every fork from now on wait. Systems that cannot fork need nothing."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_take, after_in_parent=_release, after_in_child=_release)
