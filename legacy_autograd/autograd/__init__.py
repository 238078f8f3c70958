"""`torch.autograd`: the core, the Functions, and later additions (2016: `torch/autograd/__init__.py`).

The core is four files: `variable.py`, `function.py`, `leaf.py`, `engine.py`. Later features are in `later/`.
"""

# isort: off
from .variable import Variable  # first: see the foot of variable.py
from .function import Function
from .leaf import Leaf
from .engine import ExecutionEngine
# isort: on

from . import _functions, engine, function, later, methods  # noqa: F401
from .later import anomaly_mode, functional, grad_mode, graph, profiler
from .later.anomaly_mode import detect_anomaly, set_detect_anomaly
from .later.backward_api import backward, grad
from .later.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from .later.gradcheck import gradcheck, gradgradcheck
from .later.nested_io import NestedIOFunction
from .later.stochastic import StochasticFunction

__all__ = [
    "ExecutionEngine", "Function", "Leaf", "NestedIOFunction", "StochasticFunction", "Variable", "anomaly_mode",
    "backward", "detect_anomaly", "enable_grad", "functional", "grad", "grad_mode", "gradcheck", "gradgradcheck",
    "graph", "inference_mode", "no_grad", "profiler", "set_detect_anomaly", "set_grad_enabled",
]  # fmt: skip
