"""`torch.autograd`: the core under the name that programs import it by (2016: `torch/autograd/__init__.py`)."""

import importlib

from .. import aliases  # `from legacy_autograd.autograd.graph import …`: that file stands in later/
from ..engine import ExecutionEngine
from ..function import Function
from ..leaf import Leaf
from ..variable import Variable

__all__ = ["ExecutionEngine", "Function", "Leaf", "Variable"]


def __getattr__(name):
    """`autograd.grad`, `autograd.profiler` and the rest of what came later, loaded when it is first named."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .. import later

    if f"autograd.{name}" in later.EXPORTS:
        return later.export(f"autograd.{name}")
    if f"autograd.{name}" in aliases.MOVED:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
