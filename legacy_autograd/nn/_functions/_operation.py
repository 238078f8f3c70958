"""The result of the functions of this folder."""

from ... import conventions


class Operation:
    """An operation with its constants, which is called with Variables.

    The conventions choose whether a single output is a Variable or a tuple of one, as for any Function.
    """

    def __init__(self, compute):
        self._compute = compute

    def __call__(self, *input):
        result = self._compute(*input)
        return (result,) if conventions.era.call_returns_tuple and not isinstance(result, tuple) else result
