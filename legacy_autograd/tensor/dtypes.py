"""The tensor types of v0.1.x (`torch.DoubleTensor` …) and the numpy dtypes that carry them (2016: C structs)."""

import math
import numbers
from typing import Any

import numpy

from .. import conventions

TYPE_NAMES: dict[numpy.dtype, str] = {
    numpy.dtype("float64"): "torch.DoubleTensor",
    numpy.dtype("float32"): "torch.FloatTensor",
    numpy.dtype("float16"): "torch.HalfTensor",
    numpy.dtype("int64"): "torch.LongTensor",
    numpy.dtype("int32"): "torch.IntTensor",
    numpy.dtype("int16"): "torch.ShortTensor",
    numpy.dtype("int8"): "torch.CharTensor",
    numpy.dtype("uint8"): "torch.ByteTensor",
}
DTYPES = {name: dtype for dtype, name in TYPE_NAMES.items()}
CLASSES: dict[
    numpy.dtype | None, Any
] = {}  # {dtype: FloatTensor or another class, None: Tensor}; each class puts itself here
FLOATING = frozenset(dtype for dtype in TYPE_NAMES if dtype.kind == "f")


class Size(tuple):
    """The size of a tensor: a tuple of integers (in v0.1.1 a LongStorage, whose `tolist` and `numel` it keeps)."""

    __slots__ = ()

    def __new__(cls, sizes=()):
        sizes = tuple.__new__(cls, sizes)
        for size in sizes:
            if type(size) is not int and not isinstance(size, numbers.Integral):
                raise TypeError(f"Size: expected integers, got {type(size).__name__}")
        return sizes

    def __add__(self, other):
        sizes = tuple.__add__(self, other)
        return sizes if sizes is NotImplemented else Size(sizes)

    def __mul__(self, times):
        sizes = tuple.__mul__(self, times)
        return sizes if sizes is NotImplemented else Size(sizes)

    __rmul__ = __mul__

    def tolist(self):
        """Return the sizes as a list."""
        return list(self)

    def numel(self):
        """Return the number of elements of a tensor of this size."""
        return math.prod(self)

    def __getitem__(self, key):
        part = tuple.__getitem__(self, key)
        return Size(part) if type(key) is slice else part

    def __repr__(self):
        return f"torch.Size({list(self)})"


_default = None  # set_default_tensor_type's choice; None: the era's


def default_dtype():
    """Return the numpy dtype of tensors whose type is not given."""
    return _default or DTYPES[conventions.era.default_tensor_type]


def set_default_tensor_type(tensor_type):
    """Make `tensor_type` (a class such as FloatTensor, or its name) the type of tensors where none is said.

    Raises TypeError for a type without fractions: gradients need floating-point numbers.
    """
    global _default
    dtype = dtype_of_type(tensor_type)
    if dtype not in FLOATING:
        raise TypeError(f"set_default_tensor_type needs a floating-point type, got {TYPE_NAMES[dtype]}")
    _default = dtype


def get_default_tensor_type():
    """Return the name of the type of tensors whose type is not said, for instance 'torch.DoubleTensor'."""
    return TYPE_NAMES[default_dtype()]


def dtype_of_type(tensor_type):
    """Return the numpy dtype of `tensor_type`: a class (FloatTensor), a name ('torch.FloatTensor') or a dtype.

    That of `Tensor` itself is the default dtype. Raises TypeError for what is not a type of tensors.
    """
    found = None
    if isinstance(tensor_type, str):
        found = DTYPES.get(tensor_type)
    elif CLASSES.get(getattr(tensor_type, "_dtype", "")) is tensor_type:
        found = tensor_type._dtype or default_dtype()
    if found is None:
        try:
            found = numpy.dtype(tensor_type)
        except TypeError:
            found = None
    if found not in TYPE_NAMES:
        raise TypeError(f"no tensor type {tensor_type!r}: the types are {', '.join(DTYPES)}")
    return found


def supported(array):
    """Return `array` with a dtype that a tensor type carries, sharing its memory; TypeError where there is none.

    Booleans, which v0.1.x did not have, become the bytes 0 and 1. A zero-dimensional array gets the size (1,):
    v0.1.x knows no zero-dimensional tensors.
    """
    if isinstance(array, numpy.ma.MaskedArray):
        raise TypeError("a tensor has no place for the mask of a masked array; fill it first (.filled())")
    if type(array) is not numpy.ndarray:
        array = array.view(numpy.ndarray)  # a subclass (matrix, memmap) may have operators of its own
    if array.ndim == 0:
        array = array.reshape(1)
    if array.dtype in TYPE_NAMES:
        # A dtype that is equal but not the same object (after some ways of loading) would fail `is` below.
        return array if array.dtype is _CANONICAL[array.dtype] else array.view(_CANONICAL[array.dtype])
    if array.dtype.kind == "b":
        return array.view(numpy.uint8)
    raise TypeError(f"no tensor type carries numpy's {array.dtype}: use one of {', '.join(map(str, TYPE_NAMES))}")


_CANONICAL = {dtype: dtype for dtype in TYPE_NAMES}
