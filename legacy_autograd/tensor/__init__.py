"""Tensors: everything of torch's top level that is about numbers alone, without a gradient."""

from .base import (
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
    Tensor,
)
from .creation import *  # noqa: F403
from .creation import __all__ as _creation
from .functions import *  # noqa: F403
from .functions import __all__ as _functions
from .names import *  # noqa: F403
from .names import __all__ as _names
from .printing import set_printoptions
from .random import *  # noqa: F403
from .random import __all__ as _random
from .types import Size, get_default_tensor_type, set_default_tensor_type

__all__ = [
    "ByteTensor",
    "CharTensor",
    "DoubleTensor",
    "FloatTensor",
    "HalfTensor",
    "IntTensor",
    "LongTensor",
    "ShortTensor",
    "Size",
    "Tensor",
    "get_default_tensor_type",
    "set_default_tensor_type",
    "set_printoptions",
    *_creation,
    *_functions,
    *_names,
    *_random,
]
