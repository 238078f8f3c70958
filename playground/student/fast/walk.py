"""The names of the twin's walk that the package uses."""

from ..engine import ExecutionEngine  # noqa: F401

PLAIN = "LEGACY_AUTOGRAD_PLAIN"
run_backward = _run_backward = _methods_of_book = None


def trusted_backward(fn):
    """No Function is run without the book's checks."""
    return None
