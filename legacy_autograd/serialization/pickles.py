"""Pickles: when `save` writes one, and when `load` may open one. Opening a pickle can run any code."""

import hashlib
import os
import pickle

from ._format import TRUSTING
from .torch_write import as_torch_writes

# {length: {SHA-256 of a pickle}}: what `save` pickled while `run` executes a program, else None.
pickled_here: dict[int, set[bytes]] | None = None
# Whether `save` always writes torch's format (`run --torch-format`), even if safetensors could store the object.
torch_format = False


def begin_run(in_torchs_format: bool) -> None:
    """Remember from now on what `save` pickles, so that `load` opens it, and write pickles in torch's format.

    Args:
        in_torchs_format: Whether `save` uses torch's format also for what safetensors could store.
    """
    global pickled_here, torch_format
    pickled_here, torch_format = {}, in_torchs_format


def pickled(obj):
    """Return the content of a file with `obj`: a pickle, or torch's format while `run` executes a program."""
    if pickled_here is None:
        return pickle.dumps(obj)
    content = as_torch_writes(obj)
    pickled_here.setdefault(len(content), set()).add(hashlib.sha256(content).digest())
    return content


def was_pickled_here(stream, begin):
    """Return whether the stream, from `begin`, holds exactly a pickle that this run wrote."""
    for length, digests in (pickled_here or {}).items():
        stream.seek(begin)
        if hashlib.sha256(stream.read(length)).digest() in digests:
            return True
    return False


def trust_pickles() -> None:
    """Let `load` open pickles by default, in this process and in those that it starts."""
    os.environ[TRUSTING] = "1"


def looks_pickled(head):
    return len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= pickle.HIGHEST_PROTOCOL
