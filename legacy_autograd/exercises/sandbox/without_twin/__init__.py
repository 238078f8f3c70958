"""Replaces the fast twin of the book (autograd/fast/) in a student's process: the twin has the answers as well.

The package runs as with LEGACY_AUTOGRAD_PLAIN=1. These are the names that its other parts use.
"""

import contextlib

of_the_book: dict = {}
the_books_walk = contextlib.nullcontext


def install():
    """The book stays."""
