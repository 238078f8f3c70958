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
    enabled: bool = False,
    benchmark: bool | None = None,
    deterministic: bool | None = None,
    verbose: bool | None = None,
) -> Iterator[None]:
    """Set flags within this context (0.3).

    Args:
        enabled: The flag.
        benchmark: The flag, or None to leave it as it is.
        deterministic: Likewise.
        verbose: Likewise.

    Example:
        >>> lstm, x = torch.nn.LSTM(3, 4), Variable(torch.zeros(5, 2, 3))
        >>> type(lstm(x)[0].creator).__name__
        'LSTMLayer'
        >>> with torch.backends.cudnn.flags(enabled=False):  # step by step
        ...     type(lstm(x)[1][0].creator.previous_functions[0][0]).__name__
        'LSTMGates'
    """
    new = {"enabled": enabled, "benchmark": benchmark, "deterministic": deterministic, "verbose": verbose}
    before = {name: globals()[name] for name in new}
    try:
        globals().update({name: value for name, value in new.items() if value is not None})
        yield
    finally:
        globals().update(before)
