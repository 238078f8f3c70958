"""What the functions of this folder return."""

from ... import conventions


class Operation:
    """An operation with its constants, to be called with Variables.

    A single output is a Variable or a tuple of one, as that of any Function (conventions.py).
    """

    def __init__(self, compute):
        self._compute = compute

    def __call__(self, *input):
        result = self._compute(*input)
        return (result,) if conventions.era.call_returns_tuple and not isinstance(result, tuple) else result
