"""What PyTorch added after v0.1.0: each in a file of its own, rebuilt on Variable, Function, Leaf and ExecutionEngine.

Every file opens with the version it came with, the problem that users had, and how the 2016 core makes room for it.
All are loaded with the package. The methods that Variable has since then are in `methods.py`; the attributes of
Function and Leaf are assigned at the foot of the file that defines them.
"""

import sys

from .. import methods
from . import (  # noqa: F401
    anomaly_mode,
    backward_api,
    checkpoint,
    copying,
    detach,
    double_backward,
    functional,
    grad_mode,
    gradcheck,
    graph,
    hooks,
    in_place,
    nested_io,
    node_api,
    profiler,
    retain_grad,
    static_function,
    stochastic,
    variable_gradients,
    views,
    volatile,
)

methods.later = sys.modules[__name__]
