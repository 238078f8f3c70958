"""`torch.multiprocessing`: Python's, with processes that are forked (v0.1.4: `torch/multiprocessing/`).

A forked process has all that its parent had, and sees what both write into tensors that were moved by `share_memory_`.
What goes through a Queue or a Pipe is copied; in v0.1.x tensors were shared there as well.
"""

import multiprocessing

_context = multiprocessing
if "fork" in multiprocessing.get_all_start_methods():
    _context = multiprocessing.get_context("fork")


def set_start_method(method, force=False):
    """Nothing to choose: ValueError for another method than "fork", whose processes would share no memory."""
    if method != "fork":
        raise ValueError(f"set_start_method: only forked processes share the memory of tensors, not {method!r}")


def __getattr__(name):
    return getattr(_context, name)
