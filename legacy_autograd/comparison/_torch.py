"""Import modern torch, or raise an error that says how to install it. No other part of the package needs torch."""

import importlib.util
import sys

_NOT_INSTALLED = 'the comparison needs modern torch, which is not installed: pip install "legacy_autograd[compare]"'


class TorchMissing(ImportError):
    """Modern torch is not installed; the message says what to do."""


def modern_torch():
    """Return the modern `torch` module. Raises TorchMissing if it is not installed, or if `torch` is this package."""
    require_torch()
    try:
        import torch
    except ImportError as error:
        raise TorchMissing(_NOT_INSTALLED) from error
    return torch


def require_torch():
    """Raise TorchMissing like `modern_torch`, but do not load torch: another process may load it."""
    if "torch" in sys.modules:
        loaded = sys.modules["torch"]
        found = loaded is not None
        if found and loaded.__name__ != "torch":
            raise TorchMissing(
                "in this process `torch` is legacy_autograd (legacy_autograd.compat.runner.install was called), so "
                "modern torch cannot be imported: compare in another process, or with "
                "`python -m legacy_autograd compare`"
            )
    else:
        found = importlib.util.find_spec("torch") is not None
    if not found:
        raise TorchMissing(_NOT_INSTALLED)
