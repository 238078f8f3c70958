"""There is no CUDA device: `refuse` raises for an operation that needs one, or warns under `run --ignore-cuda`.

Used by tensors and losses, and by `cuda.py`, where programs find these functions.
"""

import os
import warnings

from .. import modern_names

IGNORED = "LEGACY_AUTOGRAD_IGNORE_CUDA"  # an environment variable, so that worker processes inherit the choice
_ignored = bool(os.environ.get(IGNORED))
_said = False


def ignore():
    """Run on the CPU what a program puts on a graphics card, in this process and in those that it starts."""
    global _ignored
    _ignored = True
    os.environ[IGNORED] = "1"


def ignored():
    """Whether `ignore` was called (`run --ignore-cuda`)."""
    return _ignored


def accept_async(function, keywords):
    """Accept the keyword argument `async` of v0.1.x, a keyword of Python since, and raise TypeError for any other.

    Like `non_blocking`, its name today, it changes nothing: without a device every copy is done at once.
    """
    others = {name: value for name, value in keywords.items() if name != "async"}
    if others:
        modern_names.refuse_keywords(function, others)


def refuse(operation):
    """Raise the RuntimeError that `operation`, for example "Tensor.cuda()", gets here.

    Where CUDA is ignored a warning is given, for the first operation only, and the caller goes on in main memory.
    """
    global _said
    if not _ignored:
        raise RuntimeError(
            f"{operation} needs a CUDA device, and legacy_autograd computes with numpy in main memory only; leave the "
            "call out, make it depend on torch.cuda.is_available(), which is False here, or `run --ignore-cuda`"
        )
    if not _said:
        _said = True
        warnings.warn(f"{operation}: there is no CUDA here; the program goes on in main memory", stacklevel=3)
