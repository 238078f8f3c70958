"""There is no CUDA device: `refuse` raises for an operation that needs one, or warns under `run --ignore-cuda`.

Tensors, losses and `cuda.py` use it; programs find these functions in `cuda.py`.
"""

import os
import warnings
from typing import Any

from .. import modern_names

IGNORED = "LEGACY_AUTOGRAD_IGNORE_CUDA"  # an environment variable, so that worker processes inherit the choice
_ignored = bool(os.environ.get(IGNORED))
_said = False


def ignore() -> None:
    """Keep in main memory what a program moves to a graphics card, in this process and in those that it starts."""
    global _ignored
    _ignored = True
    os.environ[IGNORED] = "1"


def ignored() -> bool:
    """Return whether `ignore` was called (`run --ignore-cuda`)."""
    return _ignored


def accept_async(function: str, keywords: dict[str, Any]) -> None:
    """Accept the keyword argument `async` of v0.1.x, which is a keyword of Python today, and refuse any other.

    Like `non_blocking`, its name in modern torch, it is ignored: without a device there is no transfer to wait for.

    Args:
        function: The name of the function, for the message.
        keywords: Its keyword arguments.

    Raises:
        TypeError: If there is any other than `async`.
    """
    others = {name: value for name, value in keywords.items() if name != "async"}
    if others:
        modern_names.refuse_keywords(function, others)


def refuse(operation: str) -> None:
    """Refuse an operation that needs a CUDA device.

    If missing devices are ignored, the first operation causes a warning, and the caller continues in main memory.

    Args:
        operation: The operation, such as "Tensor.cuda()".

    Raises:
        RuntimeError: Unless missing devices are ignored.
    """
    global _said
    if not _ignored:
        raise RuntimeError(
            f"{operation} needs a CUDA device, and legacy_autograd computes with numpy in main memory only; remove the "
            "call, make it depend on torch.cuda.is_available(), which is False, or use `run --ignore-cuda`"
        )
    if not _said:
        _said = True
        warnings.warn(f"{operation}: there is no CUDA device; the program continues in main memory", stacklevel=3)
