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
from .camel_case import *  # noqa: F403
from .camel_case import __all__ as _names
from .creation import *  # noqa: F403
from .creation import __all__ as _creation
from .dtypes import Size, get_default_tensor_type, set_default_tensor_type
from .functions import *  # noqa: F403
from .functions import __all__ as _functions
from .printing import set_printoptions
from .random import *  # noqa: F403
from .random import __all__ as _random
from .storage import (
    ByteStorage,
    CharStorage,
    DoubleStorage,
    FloatStorage,
    HalfStorage,
    IntStorage,
    LongStorage,
    ShortStorage,
    Storage,
)

__all__ = [
    "ByteStorage",
    "ByteTensor",
    "CharStorage",
    "CharTensor",
    "DoubleStorage",
    "DoubleTensor",
    "FloatStorage",
    "FloatTensor",
    "HalfStorage",
    "HalfTensor",
    "IntStorage",
    "IntTensor",
    "LongStorage",
    "LongTensor",
    "ShortStorage",
    "ShortTensor",
    "Size",
    "Storage",
    "Tensor",
    "get_default_tensor_type",
    "set_default_tensor_type",
    "set_printoptions",
    *_creation,
    *_functions,
    *_names,
    *_random,
]
