"""The camelCase names of v0.1.1's methods of Tensor. `camel_case.py` has those of the functions."""

from .conversion import Conversion
from .draws import Randomness
from .index import Indexing
from .inplace_forms import InPlaceForms
from .pointwise import Pointwise
from .shape import Shaping


class CamelCase:
    """Methods of Tensor under their camelCase names."""

    __slots__ = ()

    cinv = Pointwise.reciprocal
    cinv_ = InPlaceForms.reciprocal_
    elementSize = Shaping.element_size
    expandAs = Shaping.expand_as
    indexAdd_ = Indexing.index_add_
    indexCopy_ = Indexing.index_copy_
    indexFill_ = Indexing.index_fill_
    indexSelect = Indexing.index_select
    isContiguous = Shaping.is_contiguous
    isSameSizeAs = Shaping.is_same_size
    isSetTo = Shaping.is_set_to
    isSize = Shaping.is_size
    logNormal_ = Randomness.log_normal_
    maskedCopy_ = Indexing.masked_scatter_
    maskedFill_ = Indexing.masked_fill_
    maskedSelect = Indexing.masked_select
    nDimension = Shaping.ndimension
    nElement = Shaping.nelement
    repeatTensor = Shaping.repeat
    resizeAs_ = Shaping.resize_as_
    storageOffset = Shaping.storage_offset
    typeAs = Conversion.type_as
    viewAs = Shaping.view_as


# {camelCase name: the name that replaced it}
METHODS = {name: method.__name__ for name, method in vars(CamelCase).items() if not name.startswith("_")}
