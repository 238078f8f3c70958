"""The operations: one Function subclass for each, one file for each family (2016: `torch/autograd/functions/`).

Variables call them through the methods of `variable.py` and `methods/`. Each family lists the classes behind these
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

# These came with v0.1.1's star import by accident; its own tests relied on it.
__all__ = ["Function", "InplaceFunction", "Variable", "torch"]  # noqa: F405
__all__ += activation.__all__
__all__ += basic_ops.__all__
__all__ += blas.__all__
__all__ += comparison.__all__
__all__ += indexing.__all__
__all__ += joining.__all__
__all__ += pointwise.__all__
__all__ += reduce.__all__
__all__ += tensor.__all__
