"""The autograd of PyTorch's first alpha (v0.1.0/v0.1.1, 2016), written anew over numpy.

    import legacy_autograd as torch
    from legacy_autograd.autograd import Variable

The core is four files in `autograd/`: `variable.py`, `function.py`, `leaf.py`, `engine.py`. Later additions of PyTorch
are in `autograd/later/`. This import loads all of torch's names. `drawing`, `comparison`, `historical`, `exercises`,
`training`, `datasets`, `demos`, `distributed` and `compat` are imported by the programs that use them.
"""

# mypy: disable-error-code="attr-defined"
# The foot of this file sets names on modules that do not define them.

import sys

# isort: off
from .autograd import ExecutionEngine, Function, Leaf, Variable  # noqa: F401
from .tensor import Size, get_default_tensor_type, set_default_tensor_type, set_printoptions  # noqa: F401
from .tensor.base import *  # noqa: F403  # each family by itself: type checkers do not read the sum of their `__all__`
from .tensor.camel_case import *  # noqa: F403
from .tensor.creation import *  # noqa: F403
from .tensor.functions import *  # noqa: F403
from .tensor.lapack import *  # noqa: F403
from .tensor.random import *  # noqa: F403
from .tensor.storage import *  # noqa: F403
from .autograd.functions import cat, concat, stack, unbind  # of Variables too, instead of the tensors' own  # noqa: F401
from .autograd.later.stochastic import normal  # of Variables too  # noqa: F401
# isort: on

from . import (  # noqa: F401
    _thnn,
    autograd,
    backends,
    cuda,
    forks,
    functional,
    legacy,
    modern_names,
    multiprocessing,
    nn,
    optim,
    utils,
)
from .autograd import fast, functions, later
from .autograd.later.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled  # noqa: F401
from .autograd.later.grad_mode import (  # noqa: F401
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .nn import modules as _modules  # noqa: F401  # after nn, whose layers it re-exports
from .serialization import load, save  # noqa: F401
from .tensor import storage as _storage
from .tensor.base import _tensor_classes  # noqa: F401  # programs of 2016–17 iterate over them
from .tensor.storage import _storage_classes  # noqa: F401
from .tensor.threads import get_num_threads, set_num_threads
from .utils import checkpoint as _checkpoint  # noqa: F401  # so that torch.utils.checkpoint is there
from .utils import data as _data  # noqa: F401
from .utils import model_zoo as _model_zoo  # noqa: F401

__version__ = "1.0.0"

getNumThreads = get_num_threads
setNumThreads = set_num_threads


has_cudnn = False


class FatalError(Exception):
    """The error of v0.1.x for a failure in an extension's C code. Programs catch it; it is never raised."""


def _also_as(name, module):
    """Let programs import `module` under a second name too: one module object, so that its classes are the same."""
    parent, _, last = f"{__name__}.{name}".rpartition(".")
    sys.modules[f"{parent}.{last}"] = module
    setattr(sys.modules[parent], last, module)


def _distributed(name):
    if name == "DistributedDataParallel":  # importing it starts MPI, so only a program that names it does
        from .distributed import DistributedDataParallel

        return DistributedDataParallel
    raise AttributeError(f"module {nn.parallel.__name__!r} has no attribute {name!r}")


nn.parallel.__getattr__ = _distributed  # type: ignore[method-assign]

# The places at which torch has these modules.
_also_as("storage", _storage)
for _module in (later.anomaly_mode, later.functional, later.grad_mode, later.graph, later.profiler):
    _also_as(f"autograd.{_module.__name__.rpartition('.')[2]}", _module)
_also_as("autograd.stochastic_function", later.stochastic)
_also_as("storage", sys.modules[f"{__name__}.tensor.storage"])
# `torch.autograd.gradcheck` is the function; a program that imports from the module of that name gets the module.
sys.modules[f"{__name__}.autograd.gradcheck"] = later.gradcheck
for _module in (
    nn.activation, nn.batchnorm, nn.container, nn.conv, nn.distance, nn.dropout, nn.linear, nn.loss, nn.module,
    nn.normalization, nn.padding, nn.pooling, nn.rnn, nn.sparse, nn.upsampling,
):  # fmt: skip
    _also_as(f"nn.modules.{_module.__name__.rpartition('.')[2]}", _module)
_also_as("nn.modules.instancenorm", nn.batchnorm)
_also_as("nn.modules.pixelshuffle", nn.upsampling)
for _name in ("activation", "auto", "loss", "normalization", "pooling", "sparse", "upsampling"):
    _also_as(f"nn._functions.thnn.{_name}", nn._functions.thnn)

functions.InplaceFunction = later.in_place.InplaceFunction
functions.torch = sys.modules[__name__]  # `from torch.autograd.functions import *` imports it too, as in 2016
nn.functional.torch = sys.modules[__name__]  # programs write F.torch
nn.functional._functions, nn.functional.ConvNd = nn._functions, nn._functions.conv.ConvNd
nn.functional._single, nn.functional._pair, nn.functional._triple = (
    _modules.utils._single,
    _modules.utils._pair,
    _modules.utils._triple,
)
functions._utils.follow_conventions()
fast.install()
forks.wait_for_locks()
modern_names.install(__name__)
