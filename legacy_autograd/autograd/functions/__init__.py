"""The operations: one Function subclass for each, one file for each family (2016: `torch/autograd/functions/`).

Variables call them through the methods of `variable.py` and `methods.py`. Each family lists the classes behind these
methods in its `__all__`. The classes behind nn (`functions.conv.Conv2d`) are not exported, so that
`from torch.autograd.functions import *` hides no layer.
"""

from ..function import Function
from ..variable import Variable
from . import activation, basic_ops, blas, comparison, indexing, joining, pointwise, reduce, tensor
from .activation import *  # noqa: F403
from .basic_ops import *  # noqa: F403
from .blas import *  # noqa: F403
from .comparison import *  # noqa: F403
from .indexing import *  # noqa: F403
from .joining import *  # noqa: F403
from .pointwise import *  # noqa: F403
from .reduce import *  # noqa: F403
from .tensor import *  # noqa: F403

_FAMILIES = (activation, basic_ops, blas, comparison, indexing, joining, pointwise, reduce, tensor)
__all__ = [name for family in _FAMILIES for name in family.__all__]
# These came with v0.1.1's star import by accident; its own tests relied on it.
__all__ += ["Function", "InplaceFunction", "Variable", "torch"]  # noqa: F405
