"""The autograd of PyTorch's first alpha (v0.1.0/v0.1.1, 2016), written anew over numpy.

    import legacy_autograd as torch
    from legacy_autograd.autograd import Variable

The core is four files: `variable.py`, `function.py`, `leaf.py`, `engine.py`. What PyTorch added later stands in
`later/` and is loaded when it is first asked for.
"""

import importlib
import importlib.util

# isort: off
from .variable import Variable  # first: see the foot of variable.py  # noqa: F401
from .tensor import *  # noqa: F403
from .functions import cat, concat, normal, stack, unbind  # of Variables as well, in place of the tensors' own  # noqa: F401
from . import on_demand  # after all operations are there  # noqa: F401
# isort: on

__version__ = "0.1.0"

_SUBMODULES = "autograd backends cuda data drawing functions later multiprocessing nn optim training utils".split()
_FROM = {
    "load": ("serialization", "load"),
    "save": ("serialization", "save"),
    "get_num_threads": ("threads", "get_num_threads"),
    "set_num_threads": ("threads", "set_num_threads"),
    "getNumThreads": ("threads", "get_num_threads"),
    "setNumThreads": ("threads", "set_num_threads"),
}


def __getattr__(name):
    """What is loaded when it is first named: sub-packages, as `torch.nn`, save and load, and what stands in `later`."""
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in _FROM:
        module, own_name = _FROM[name]
        return getattr(importlib.import_module(f".{module}", __name__), own_name)
    # A file of this package, about to be imported: `from .. import aliases` asks here first, and need not load `later`.
    if name.startswith("_") or importlib.util.find_spec(f"{__name__}.{name}") is not None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import later

    globals()[name] = found = later.export(name)
    return found
