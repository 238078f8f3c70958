"""The fast twin of the book: the same record, call and walk as in `record.py`, `function.py` and `engine.py`.

The book defines what happens. The twin must be indistinguishable: numbers, order of events, hooks, errors, and the
record of a call. One idea a file: the record, the call, the walk, and which classes and instances are left to the book.

Code that overrides or patches a method of the book gets the book, and so does a graph in which a record was assigned or
read in 2016's form. What is no assignment of an attribute is not noticed: a write into a `__dict__`,
`type.__setattr__`, and a new `__class__` of an instance. `LEGACY_AUTOGRAD_PLAIN=1` leaves the twin out, and so does an
edited book, with one warning (`MIRRORS`). Compare PEP 399, `heapq.py` and `_heapq` in Python's library.
"""

import hashlib
import os
import pathlib
import warnings

from ..engine import ExecutionEngine
from ..function import NOTHING_REGISTERED, Function
from ..leaf import Leaf
from ..saved_tensors import SavedTensors
from . import classes, walk
from .call import call
from .classes import table  # noqa: F401  # what was decided
from .record import TwinSavedTensors, leaf_init
from .walk import PLAIN, the_books_walk  # noqa: F401  # for those who watch a walk

MIRRORED = ("variable.py", "function.py", "leaf.py", "engine.py", "record.py", "saved_tensors.py")
MIRRORS = "4f40760e974f2932"

_REPLACED = (
    (Function, "__call__", call),
    (Function, "_starting_gradient", walk.starting_gradient),
    (Function, "backward_hooks", walk.hooks_in("_own_backward_hooks")),
    (Function, "_variable_hooks", walk.hooks_in("_own_variable_hooks")),
    (Leaf, "__init__", leaf_init),
    (ExecutionEngine, "run_backward", walk.run_backward),
)
of_the_book: dict = {}  # {(class, name): what the twin replaced}


def install():
    """Put the twin in place of the book's methods, unless it was left out or the book was edited."""
    if os.environ.get(PLAIN) == "1" or of_the_book:
        return
    if digest() not in (None, MIRRORS):
        warnings.warn(
            f"the files of the book ({', '.join(MIRRORED)}) were edited: legacy_autograd runs them as they are, "
            "without its fast twin (fast/)",
            stacklevel=2,
        )
        return
    Function.__bases__ = (TwinSavedTensors,)
    Function._own_backward_hooks = Function._own_variable_hooks = NOTHING_REGISTERED
    for owner, name, replacement in _REPLACED:
        original = of_the_book[owner, name] = vars(owner)[name]
        if callable(replacement):
            replacement.__wrapped__ = original  # inspect.getsource shows the book
            replacement.__doc__ = original.__doc__
        setattr(owner, name, replacement)
    classes.watch()


def remove():
    """Put the book's methods back. Graphs that were made before must not be used afterwards."""
    classes.unwatch()
    for (owner, name), original in of_the_book.items():
        setattr(owner, name, original)
    of_the_book.clear()
    Function.__bases__ = (SavedTensors,)


def digest():
    """Return a digest of the files that are mirrored here, or None where the sources are absent."""
    folder = pathlib.Path(__file__).parents[1]
    try:
        text = "".join([(folder / name).read_text(encoding="utf-8") for name in MIRRORED])
    except OSError:
        return None
    return hashlib.sha256(text.encode()).hexdigest()[:16]
