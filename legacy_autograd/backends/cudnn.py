"""`torch.backends.cudnn`, on which programs of 2017 set flags (`cudnn.benchmark = True`) whether or not they use it.

cuDNN is NVIDIA's library for graphics cards. In 2017 a recurrent network on a card ran in cuDNN, as one Function, where
`enabled` was True, and as Functions a step where it was False. Here too `enabled` chooses between one Function for each
layer and direction and Functions a step (`nn/rnn.py`). The results are the same; the steps can be read and drawn. The
other flags can be set and read, and change nothing.
"""

import contextlib
from collections.abc import Iterator

enabled = True
benchmark = False
deterministic = True
verbose = False


def is_available() -> bool:
    """Return False."""
    return False


def version() -> None:
    """Return None, as there is no cuDNN."""
    return None


@contextlib.contextmanager
def flags(
    enabled: bool = False, benchmark: bool = False, deterministic: bool = False, verbose: bool = False
) -> Iterator[None]:
    """Set the flags within this context (0.3).

    Args:
        enabled, benchmark, deterministic, verbose: The flags.

    Example:
        >>> lstm = torch.nn.LSTM(3, 4)
        >>> with torch.backends.cudnn.flags(enabled=False):
        ...     output, state = lstm(Variable(torch.zeros(5, 2, 3)))  # step by step
        >>> type(output.creator).__name__
        'View'
    """
    names = ("enabled", "benchmark", "deterministic", "verbose")
    before = {name: globals()[name] for name in names}
    globals().update(zip(names, (enabled, benchmark, deterministic, verbose)))
    try:
        yield
    finally:
        globals().update(before)
