"""Pickles: when `save` writes one, and when `load` may open one. Opening a pickle can run any code."""

import hashlib
import os
import pickle

from ._format import TRUSTING
from .torch_write import as_torch_writes

# {length: {SHA-256 of a pickle}}: what `save` pickled while a program of the time runs (compat/runner.py), else None.
pickled_here = None
# Does `save` write torch's format, also of what safetensors could hold? (`run --torch-format`)
torch_format = False


def pickled(obj):
    """Return the content of a file with `obj`: a pickle, or torch's format while a program of the time runs."""
    if pickled_here is None:
        return pickle.dumps(obj)
    content = as_torch_writes(obj)
    pickled_here.setdefault(len(content), set()).add(hashlib.sha256(content).digest())
    return content


def was_pickled_here(stream, begin):
    """Does the stream go on, from `begin`, with what this run has pickled, to the last bit?"""
    for length, digests in (pickled_here or {}).items():
        stream.seek(begin)
        if hashlib.sha256(stream.read(length)).digest() in digests:
            return True
    return False


def trust_pickles():
    """Let `load` open pickles in this process and those that it starts, where the call says nothing of it."""
    os.environ[TRUSTING] = "1"


def looks_pickled(head):
    return len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= pickle.HIGHEST_PROTOCOL
