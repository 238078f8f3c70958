"""Tensors: everything of torch's top level that is about numbers alone, without a gradient."""

from . import numpy_versions  # noqa: F401, I001  # before the others, which a pickle may name
from . import base, camel_case, creation, functions, lapack, random, storage
from .base import *  # noqa: F403
from .camel_case import *  # noqa: F403
from .creation import *  # noqa: F403
from .dtypes import Size, get_default_tensor_type, set_default_tensor_type
from .functions import *  # noqa: F403
from .lapack import *  # noqa: F403
from .printing import set_printoptions
from .random import *  # noqa: F403
from .storage import *  # noqa: F403

__all__ = ["Size", "get_default_tensor_type", "set_default_tensor_type", "set_printoptions"]
__all__ += base.__all__
__all__ += camel_case.__all__
__all__ += creation.__all__
__all__ += functions.__all__
__all__ += lapack.__all__
__all__ += random.__all__
__all__ += storage.__all__
