"""The camelCase names of v0.1.1 (August 2016). v0.1.4 replaced them by the names that torch still has."""

from .camel_case_methods import METHODS, CamelCase  # noqa: F401
from .creation import is_long_storage, is_storage, is_tensor
from .dtypes import get_default_tensor_type, set_default_tensor_type
from .random import get_rng_state, initial_seed, manual_seed, set_rng_state

__all__ = [
    "getDefaultTensorType", "getRNGState", "initialSeed", "isLongStorage", "isStorage", "isTensor", "manualSeed",
    "setDefaultTensorType", "setRNGState",
]  # fmt: skip

getDefaultTensorType = get_default_tensor_type
getRNGState = get_rng_state
initialSeed = initial_seed
isLongStorage = is_long_storage
isStorage = is_storage
isTensor = is_tensor
manualSeed = manual_seed
setDefaultTensorType = set_default_tensor_type
setRNGState = set_rng_state
