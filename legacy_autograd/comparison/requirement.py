"""Modern torch, or the one sentence that says how to get it. Nothing else of the package needs torch."""

import sys


class TorchMissing(ImportError):
    """Modern torch is not installed; the message says what to do."""


def modern_torch():
    """The modern `torch` module. Raises TorchMissing where it is not installed, or where `torch` is this package."""
    if getattr(sys.modules.get("torch"), "__name__", "torch") != "torch":
        raise TorchMissing(
            "in this process `torch` stands for legacy_autograd (legacy_autograd.running.install was called), so there "
            "is nothing to compare with: compare in another process, or with `python -m legacy_autograd compare`"
        )
    try:
        import torch
    except ImportError as error:
        raise TorchMissing(
            'the comparison needs modern torch, which is not installed: pip install "legacy_autograd[compare]"'
        ) from error
    return torch
