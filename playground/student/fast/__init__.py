"""Stands where the fast twin of the book is, in the worker of a student's code: the twin has the answers as well.

The package runs as with LEGACY_AUTOGRAD_PLAIN=1. These are the names that its other parts use.
"""

import contextlib

from ..engine import ExecutionEngine  # noqa: F401
from . import classes, walk  # noqa: F401

_REPLACED = ()
of_the_book: dict = {}
the_books_walk = contextlib.nullcontext


def install():
    """The book stays."""
