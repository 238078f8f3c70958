"""Second names: where torch has a module, a class or a number, and where this package had a module before.

A module under a second name is the same module object, so its classes are the same under both.
"""

# mypy: disable-error-code="attr-defined"
# This file sets names on modules that do not define them.

import importlib
import sys

from . import nn
from .autograd import NestedIOFunction, engine, function, functions, later
from .demos import networks, training_loop
from .nn.modules import utils

_LATER = ("anomaly_mode", "functional", "grad_mode", "gradcheck", "graph", "profiler")
_LAYERS = (
    "activation", "batchnorm", "container", "conv", "distance", "dropout", "linear", "loss", "module",
    "normalization", "padding", "pooling", "rnn", "sparse", "upsampling",
)  # fmt: skip
_FUNCTIONS = ("basic_ops", "blas", "compare", "linalg", "pointwise", "reduce", "stochastic", "tensor")
_THNN = ("activation", "auto", "loss", "normalization", "pooling", "sparse", "upsampling")

# {a second name of a module: its own name}
MODULES = {
    "storage": "tensor.storage",
    **{f"autograd.{name}": f"autograd.later.{name}" for name in _LATER},
    **{f"autograd._functions.{name}": "autograd._functions" for name in _FUNCTIONS},
    "autograd.stochastic_function": "autograd.later.stochastic",
    **{f"nn.modules.{name}": f"nn.{name}" for name in _LAYERS},
    "nn.modules.instancenorm": "nn.batchnorm",
    "nn.modules.pixelshuffle": "nn.upsampling",
    **{f"nn._functions.thnn.{name}": "nn._functions.thnn" for name in _THNN},
    # Until version 1.0 these were folders.
    "datasets": "demos.datasets",
    "datasets.digits": "demos.datasets",
    "training": "demos.training_loop",
    "training.lenet": "demos.networks",
    "training.trainer": "demos.training_loop",
}


def give(package: str) -> None:
    """Give the modules their second names.

    Args:
        package: The name of the package, whose modules are imported.
    """
    for second, own in MODULES.items():
        module = importlib.import_module(f"{package}.{own}")
        sys.modules[f"{package}.{second}"] = module
        parent, _, last = f"{package}.{second}".rpartition(".")
        if second != "autograd.gradcheck":  # there the attribute is the function
            setattr(sys.modules[parent], last, module)
    torch = sys.modules[package]
    functions.torch = torch  # `from torch.autograd.functions import *` imports it too, as in 2016
    nn.functional.torch = torch  # programs write F.torch


engine.BasicEngine = engine.ImperativeEngine = engine.ExecutionEngine  # the names of the engines of v0.1.2 to v0.1.12
# Programs import these from torch.autograd.function and torch.autograd.functions.
function.InplaceFunction = functions.InplaceFunction = later.in_place.InplaceFunction
function.NestedIOFunction = NestedIOFunction
function.once_differentiable = later.static_function.once_differentiable
nn.functional._functions, nn.functional.ConvNd = nn._functions, nn._functions.conv.ConvNd
nn.functional._single, nn.functional._pair, nn.functional._triple = utils._single, utils._pair, utils._triple
# The names until version 1.0.
training_loop.LeNet, training_loop.Trainer = networks.LeNet, training_loop.TrainingLoop


def _distributed(name):
    if name == "DistributedDataParallel":  # importing it starts MPI, so only a program that names it does
        from .distributed import DistributedDataParallel

        return DistributedDataParallel
    raise AttributeError(f"module {nn.parallel.__name__!r} has no attribute {name!r}")


nn.parallel.__getattr__ = _distributed  # type: ignore[method-assign]
