"""`torch.autograd._functions`: the Functions under the names of v0.1.6 to v0.1.12 (before that `autograd/functions/`).

Programs and tests of 2017 import them from here. The classes are those of `functions/` and `later/`.
"""

from . import functions
from .functions.activation import *  # noqa: F403
from .functions.basic_ops import *  # noqa: F403
from .functions.blas import *  # noqa: F403
from .functions.comparison import *  # noqa: F403
from .functions.indexing import *  # noqa: F403
from .functions.joining import *  # noqa: F403
from .functions.pointwise import *  # noqa: F403
from .functions.reduce import *  # noqa: F403
from .functions.tensor import *  # noqa: F403
from .functions.tensor import Copy as Type  # noqa: F401
from .later.in_place import InplaceFunction, SetItem  # noqa: F401
from .later.stochastic import Bernoulli, Multinomial, Normal, StochasticFunction  # noqa: F401
from .variable import Variable

__path__: list[str] = []  # it was a folder: `names.py` gives the names of its files to this module

__all__ = [name for name in functions.__all__ if name not in ("Function", "InplaceFunction", "Variable", "torch")]
__all__ += "Bernoulli InplaceFunction Multinomial Normal SetItem StochasticFunction Type".split()  # noqa: F405

MaskedScatter = MaskedCopy  # noqa: F405  # its name since 0.2.0
__all__ += ["MaskedScatter"]


def _apply(cls, *args):
    """Return the result of a Function, all of whose arguments are given together, as in 0.2.0."""
    constants = [arg for arg in args if not isinstance(arg, Variable)]
    return cls(*constants)(*[arg for arg in args if isinstance(arg, Variable)])


_OBJECTS = ("Bernoulli", "InplaceFunction", "Multinomial", "Normal", "StochasticFunction")  # in 0.2.0 too
for _name in __all__:
    globals()[_name]._is_legacy = _name in _OBJECTS
    if _name not in _OBJECTS:
        globals()[_name].apply = classmethod(_apply)
