"""Random programs that judge an answer, and that hold the package itself.

A program is a few lines of Python. It makes Variables, computes with them, registers hooks and calls backward. The same
lines run with the package's own part and with the student's, and `running.Run` writes down what can be seen of both:
numbers, calls, writes into tensors, exceptions. `dimensions.py` has the table of what programs vary, `graphs.py` draws
them, with a module for each exercise, and `shrinking.py` makes a program that shows a difference smaller.

All of it needs NumPy and this package alone. The lines run below an answer after
`from legacy_autograd.exercises.programs import *`.
"""

from .running import NAMES, Run

__all__ = [*NAMES, "forget", "note", "outlives", "rewrite"]  # what the lines of a program use


def __getattr__(name):
    if name in ("forget", "note", "outlives", "rewrite"):
        return getattr(Run(), name)
    try:
        return NAMES[name]
    except KeyError:
        raise AttributeError(f"module {__name__} has no attribute {name!r}") from None
