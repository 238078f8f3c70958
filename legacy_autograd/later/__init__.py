"""What PyTorch added after v0.1.0: each in a file of its own, rebuilt on Variable, Function, Leaf and ExecutionEngine.

Every file opens with the version it came with, the problem that users had, and how the 2016 core makes room for it.
None is loaded before one of its names is used. The table here says where the names are; those of the attributes that
Variable has since then stand in `on_demand.py`.
"""

import importlib

# Names as programs write them after `torch.`, and the file of this folder that has the last part of the name.
EXPORTS = {
    # v0.1.9 to 0.2.0
    "autograd.backward": "later.gradients",
    "autograd.grad": "later.gradients",
    "autograd.gradcheck": "later.gradcheck",
    "autograd.gradgradcheck": "later.gradcheck",
    "autograd.function.once_differentiable": "later.static_function",
    "autograd.function.InplaceFunction": "later.in_place",
    # December 2016
    "autograd.StochasticFunction": "later.stochastic",
    # 0.2.0
    "nn.parallel.DistributedDataParallel": "distributed",
    # 0.3.0
    "autograd.profiler": "later.profiler",
    # 0.4.0 and 0.4.1
    "no_grad": "later.grad_mode",
    "enable_grad": "later.grad_mode",
    "set_grad_enabled": "later.grad_mode",
    "is_grad_enabled": "later.grad_mode",
    "autograd.no_grad": "later.grad_mode",
    "autograd.enable_grad": "later.grad_mode",
    "autograd.set_grad_enabled": "later.grad_mode",
    "autograd.grad_mode": "later.grad_mode",
    "autograd.detect_anomaly": "later.anomaly_mode",
    "autograd.set_detect_anomaly": "later.anomaly_mode",
    "autograd.anomaly_mode": "later.anomaly_mode",
    "is_anomaly_enabled": "later.anomaly_mode",
    "is_anomaly_check_nan_enabled": "later.anomaly_mode",
    # 1.5 to 1.10
    "autograd.functional": "later.functional",
    "inference_mode": "later.grad_mode",
    "is_inference_mode_enabled": "later.grad_mode",
    "is_inference": "later.grad_mode",
    "autograd.inference_mode": "later.grad_mode",
    "autograd.graph": "later.graph",
    "autograd.graph.saved_tensors_hooks": "later.graph",
    "autograd.graph.save_on_cpu": "later.graph",
    "autograd.graph.disable_saved_tensors_hooks": "later.graph",
    "autograd.graph.Node": "later.graph",
}


def export(name):
    """What programs call `torch.<name>`: an object of one of these files, or the file. AttributeError if nothing is."""
    if name not in EXPORTS:
        raise AttributeError(f"module 'legacy_autograd' has no attribute {name!r}")
    module = importlib.import_module(f"..{EXPORTS[name]}", __name__)
    return getattr(module, name.rpartition(".")[2], module)
