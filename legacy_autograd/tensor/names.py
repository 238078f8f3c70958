"""The camelCase names of v0.1.1 (August 2016), which v0.1.4 replaced by those that torch still has."""

from . import creation, random, types
from .base import Tensor

METHODS = {
    "elementSize": "element_size",
    "expandAs": "expand_as",
    "indexAdd_": "index_add_",
    "indexCopy_": "index_copy_",
    "indexFill_": "index_fill_",
    "indexSelect": "index_select",
    "isContiguous": "is_contiguous",
    "isSameSizeAs": "is_same_size",
    "isSetTo": "is_set_to",
    "isSize": "is_size",
    "logNormal_": "log_normal_",
    "maskedCopy_": "masked_copy_",
    "maskedFill_": "masked_fill_",
    "maskedSelect": "masked_select",
    "nDimension": "ndimension",
    "nElement": "nelement",
    "repeatTensor": "repeat",
    "resizeAs_": "resize_as_",
    "storageOffset": "storage_offset",
    "typeAs": "type_as",
    "viewAs": "view_as",
    "cinv": "reciprocal",
    "cinv_": "reciprocal_",
}
FUNCTIONS = {
    "getDefaultTensorType": types.get_default_tensor_type,
    "getRNGState": random.get_rng_state,
    "initialSeed": random.initial_seed,
    "isLongStorage": creation.is_storage,
    "isStorage": creation.is_storage,
    "isTensor": creation.is_tensor,
    "manualSeed": random.manual_seed,
    "setDefaultTensorType": types.set_default_tensor_type,
    "setRNGState": random.set_rng_state,
}

for _alias, _name in METHODS.items():
    setattr(Tensor, _alias, getattr(Tensor, _name))
globals().update(FUNCTIONS)
__all__ = list(FUNCTIONS)
