"""The fast twin of the book: the same record, call and walk as in `record.py`, `function.py` and `engine.py`.

The book defines what happens. The twin must be indistinguishable: numbers to the bit, order of events, hooks, errors,
and the record of a call. One idea a file:

- `record.py`: a call leaves its edges as two tuples; saved tensors that were never written to have no list of counts;
- `call.py`: a call in one function, and written out for one and for two inputs;
- `walk.py`: the engine's loop with its methods written in;
- `classes.py`: which classes and instances are left to the book.

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
MIRRORS = "14ee4bd2dcfb19e2"
# Of the same files with their comments: where it fits, an import need not divide them into tokens.
MIRRORS_WITH_COMMENTS = "3f850d3033585dde"

_REPLACED = (
    (Function, "__call__", call),
    (Function, "_check_count", walk.check_count),
    (Function, "_starting_gradient", walk.starting_gradient),
    (Function, "backward_hooks", walk.hooks_in("_own_backward_hooks")),
    (Function, "_variable_hooks", walk.hooks_in("_own_variable_hooks")),
    (Leaf, "__init__", leaf_init),
    (ExecutionEngine, "run_backward", walk.run_backward),
)
_of_the_book: dict = {}  # {(class, name): what the twin replaced}


def install():
    """Put the twin in place of the book's methods, unless it was left out or the book was edited."""
    if os.environ.get(PLAIN) == "1" or _of_the_book:
        return
    if digest_with_comments() != MIRRORS_WITH_COMMENTS and digest() not in (None, MIRRORS):
        warnings.warn(
            f"the files of the book ({', '.join(MIRRORED)}) were edited: legacy_autograd runs them as they are, "
            "without its fast twin (fast/)",
            stacklevel=2,
        )
        return
    Function.__bases__ = (TwinSavedTensors,)
    Function._own_backward_hooks = Function._own_variable_hooks = NOTHING_REGISTERED
    for owner, name, replacement in _REPLACED:
        original = _of_the_book[owner, name] = vars(owner)[name]
        if callable(replacement):
            replacement.__wrapped__ = original  # inspect.getsource shows the book
            replacement.__doc__ = original.__doc__
        setattr(owner, name, replacement)
    classes.watch()


def remove():
    """Put the book's methods back. Graphs that were made before must not be used afterwards."""
    classes.unwatch()
    for (owner, name), original in _of_the_book.items():
        setattr(owner, name, original)
    _of_the_book.clear()
    Function.__bases__ = (SavedTensors,)


def forget(owner, name, replacement):
    """Keep `replacement` instead of a method of the book that `remove` would put back."""
    if (owner, name) in classes.watched:
        classes.watched[owner, name].function = replacement
    if (owner, name) in _of_the_book:
        _of_the_book[owner, name] = replacement


def digest():
    """Return a digest of the code of the files that are mirrored here, without comments, docstrings and layout.

    None where the sources are absent.
    """
    sources = _sources()
    if sources is None:
        return None
    import io
    import tokenize

    state = hashlib.sha256()
    layout = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    for source in sources:
        previous = tokenize.NEWLINE
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            is_docstring = token.type == tokenize.STRING and previous in (tokenize.NEWLINE, tokenize.INDENT)
            if token.type not in layout and not is_docstring:
                # Python 3.12 divides an f-string into tokens. Without the spaces both give the same text.
                state.update("".join(token.string.split()).encode())
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                previous = token.type
    return state.hexdigest()[:16]


def digest_with_comments():
    """Return a digest of the texts of these files, or None where they are absent."""
    sources = _sources()
    return None if sources is None else hashlib.sha256("".join(sources).encode()).hexdigest()[:16]


def _sources():
    folder = pathlib.Path(__file__).parents[1]
    try:
        return [(folder / name).read_text(encoding="utf-8") for name in MIRRORED]
    except OSError:
        return None
