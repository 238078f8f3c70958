"""`torch.nn.modules.utils`: one size for each dimension (v0.1.6). Programs that define layers import it."""

from collections.abc import Callable, Iterable


def _ntuple(n: int) -> Callable:
    """Return a function that repeats a number `n` times and returns a sequence unchanged."""

    def parse(x):
        return x if isinstance(x, Iterable) else (x,) * n

    return parse


_single = _ntuple(1)
_pair = _ntuple(2)
_triple = _ntuple(3)
_quadruple = _ntuple(4)
