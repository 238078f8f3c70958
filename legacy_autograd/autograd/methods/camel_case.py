"""The camelCase names of v0.1.1's Tensors (August 2016), and further names of one method."""

from ._attach import attach
from .conversion import ConversionMethods
from .inplace_forms import InPlaceForms
from .pointwise import PointwiseMethods
from .selection import SelectionMethods
from .shape import ShapeMethods


class CamelCaseMethods:
    """Methods under their camelCase names."""

    nElement = nelement = ShapeMethods.numel
    ndimension = ShapeMethods.dim
    expandAs = ShapeMethods.expand_as
    indexSelect = SelectionMethods.index_select
    maskedSelect = SelectionMethods.masked_select
    repeatTensor = ShapeMethods.repeat
    typeAs = ConversionMethods.type_as
    viewAs = ShapeMethods.view_as
    cinv = PointwiseMethods.reciprocal
    cinv_ = InPlaceForms.reciprocal_


attach(CamelCaseMethods)
