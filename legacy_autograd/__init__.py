"""The autograd of PyTorch's first alpha (v0.1.0/v0.1.1, 2016), written anew over numpy.

    import legacy_autograd as torch
    from legacy_autograd.autograd import Variable

The core is four files in `autograd/`: `variable.py`, `function.py`, `leaf.py`, `engine.py`. Later additions of PyTorch
are in `autograd/later/`. This import loads all of torch's names; `names.py` gives modules the second ones. `drawing`,
`comparison`, `historical`, `exercises`, `distributed` and `compat` are imported by the programs that use them.
"""

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
    names,
    nn,
    optim,
    sparse,
    utils,
)

try:
    from . import multiprocessing  # noqa: F401
except ModuleNotFoundError:  # Python's multiprocessing, which a web page lacks
    pass
from .autograd import fast, functions
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
from .serialization import load, save  # noqa: F401
from .tensor.base import _tensor_classes  # noqa: F401  # programs of 2016–17 iterate over them
from .tensor.storage import _storage_classes  # noqa: F401
from .tensor.threads import get_num_threads, set_num_threads
from .utils import backcompat as _backcompat  # noqa: F401
from .utils import checkpoint as _checkpoint  # noqa: F401  # so that torch.utils.checkpoint is there
from .utils import data as _data  # noqa: F401
from .utils import model_zoo as _model_zoo  # noqa: F401

__version__ = "1.0.0"

getNumThreads, setNumThreads = get_num_threads, set_num_threads
has_cudnn = False


class FatalError(Exception):
    """The error of v0.1.x for a failure in an extension's C code. Programs catch it; it is never raised."""


functions._utils.follow_conventions()
fast.install()
names.give(__name__)
forks.wait_for_locks()
modern_names.install(__name__)
