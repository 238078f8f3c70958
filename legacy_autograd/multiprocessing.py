"""`torch.multiprocessing`: Python's, with processes that are forked (v0.1.4: `torch/multiprocessing/`).

A forked process has all that its parent had, and sees what both write into tensors that were moved by `share_memory_`.
What goes through a Queue or a Pipe is copied; in v0.1.x tensors were shared there as well.
"""

import multiprocessing

_context = multiprocessing
if "fork" in multiprocessing.get_all_start_methods():
    _context = multiprocessing.get_context("fork")

Array = _context.Array
AuthenticationError = _context.AuthenticationError
Barrier = _context.Barrier
BoundedSemaphore = _context.BoundedSemaphore
BufferTooShort = _context.BufferTooShort
Condition = _context.Condition
Event = _context.Event
JoinableQueue = _context.JoinableQueue
Lock = _context.Lock
Manager = _context.Manager
Pipe = _context.Pipe
Pool = _context.Pool
Process = _context.Process
ProcessError = _context.ProcessError
Queue = _context.Queue
RLock = _context.RLock
RawArray = _context.RawArray
RawValue = _context.RawValue
Semaphore = _context.Semaphore
SimpleQueue = _context.SimpleQueue
TimeoutError = _context.TimeoutError
Value = _context.Value
active_children = _context.active_children
allow_connection_pickling = _context.allow_connection_pickling
cpu_count = _context.cpu_count
current_process = _context.current_process
freeze_support = _context.freeze_support
get_context = _context.get_context
get_logger = _context.get_logger
get_start_method = _context.get_start_method
log_to_stderr = _context.log_to_stderr
parent_process = _context.parent_process
set_executable = _context.set_executable
set_forkserver_preload = _context.set_forkserver_preload
get_all_start_methods = multiprocessing.get_all_start_methods


def set_start_method(method, force=False):
    """Nothing to choose: ValueError for another method than "fork", whose processes would share no memory."""
    if method != "fork":
        raise ValueError(f"set_start_method: only forked processes share the memory of tensors, not {method!r}")
