"""The features that PyTorch added after v0.1.0, one in each file, rebuilt on the four classes of the 2016 core.

The four are Variable, Function, Leaf and ExecutionEngine. Every file starts with the version of the feature, the
problem that users had, and how the 2016 core makes room for it. All are loaded with the package. What a file adds to
the four classes it assigns at its end. The operations that later versions gave to Variable are in `methods/`.
"""

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
