"""The tensor types of v0.1.x (`torch.DoubleTensor` …) and their numpy dtypes (2016: C structs)."""

import math
import numbers
from collections.abc import Iterable
from typing import Any, Self

import numpy

from .. import conventions
from .no_cuda import refuse

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
CLASSES: dict[Any, Any] = {}  # {dtype: FloatTensor or another class, None: Tensor}; each class puts itself here
FLOATING = frozenset(dtype for dtype in TYPE_NAMES if dtype.kind == "f")
HALF = numpy.dtype("float16")


def wide(array: numpy.ndarray) -> numpy.ndarray:
    """Return an array of halves as floats: sums, squares and powers of halves overflow, and torch computes them so.

    Args:
        array: The array. One of another type is returned itself.
    """
    return array.astype(numpy.float32) if array.dtype is HALF else array


class Size(tuple):
    """The shape of a tensor: a tuple of integers (in v0.1.1 a LongStorage, whose `tolist` and `numel` it has).

    Args:
        *sizes: The sizes. Default: none.
    """

    __slots__ = ()

    def __new__(cls, sizes: Iterable[int] = ()) -> Self:
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

    def tolist(self) -> list[int]:
        """Return the sizes as a list."""
        return list(self)

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        return math.prod(self)

    def __getitem__(self, key):
        part = tuple.__getitem__(self, key)
        return Size(part) if type(key) is slice else part

    def __repr__(self):
        return f"torch.Size({list(self)})"


_default = None  # the choice of set_default_tensor_type; None: that of the conventions


def default_dtype() -> numpy.dtype:
    """Return the numpy dtype of the default tensor type."""
    return _default or DTYPES[conventions.era.default_tensor_type]


def set_default_tensor_type(tensor_type: Any) -> None:
    """Set the type of tensors whose type is not given.

    Args:
        tensor_type: A class such as FloatTensor, or its name.

    Raises:
        TypeError: If the type holds integers: gradients need floating-point numbers.
    """
    global _default
    dtype = dtype_of_type(tensor_type)
    if dtype not in FLOATING:
        raise TypeError(f"set_default_tensor_type needs a floating-point type, got {TYPE_NAMES[dtype]}")
    _default = dtype


def get_default_tensor_type() -> str:
    """Return the name of the type of tensors whose type is not given, such as 'torch.DoubleTensor'."""
    return TYPE_NAMES[default_dtype()]


def dtype_of_type(tensor_type: Any) -> numpy.dtype:
    """Return the numpy dtype of a tensor type.

    Args:
        tensor_type: A class (FloatTensor), a name ('torch.FloatTensor') or a dtype. `Tensor` itself means the default
            type. Where CUDA is ignored, a type of torch.cuda means the type in main memory.

    Raises:
        TypeError: If it is not a tensor type.
        RuntimeError: If it is a type of torch.cuda, unless CUDA is ignored.
    """
    found = None
    tensor_type = getattr(tensor_type, "_on_cuda", tensor_type)
    if isinstance(tensor_type, str) and tensor_type.startswith("torch.cuda."):
        refuse(tensor_type)
        tensor_type = tensor_type.replace(".cuda", "")
    if isinstance(tensor_type, str):
        found = DTYPES.get(tensor_type)
    elif CLASSES.get(getattr(tensor_type, "_dtype", "")) is tensor_type:
        found = tensor_type._dtype or default_dtype()  # type: ignore[union-attr]  # a class of CLASSES
    if found is None:
        try:
            found = numpy.dtype(tensor_type)
        except TypeError:
            found = None
    if found not in TYPE_NAMES:
        raise TypeError(f"no tensor type {tensor_type!r}: the types are {', '.join(DTYPES)}")
    return found


def supported(array: numpy.ndarray) -> numpy.ndarray:
    """Return an array with a dtype that a tensor type has, over the same memory.

    Args:
        array: An ndarray. Bools, which v0.1.x did not have, become the bytes 0 and 1. A zero-dimensional array gets the
            shape (1,), because v0.1.x has no zero-dimensional tensors.

    Raises:
        TypeError: If no tensor type has the dtype, or the array is masked.
    """
    if type(array) is not numpy.ndarray:
        if isinstance(array, numpy.ma.MaskedArray):  # the first use of this name imports, which a plain array need not
            raise TypeError("a tensor cannot hold the mask of a masked array; call .filled() first")
        array = array.view(numpy.ndarray)  # subclasses (matrix, memmap) may have operators of their own
    if array.ndim == 0:
        array = array.reshape(1)
    if array.dtype in TYPE_NAMES:
        # After unpickling, a dtype may be an equal but different object, and elsewhere dtypes are compared with `is`.
        return array if array.dtype is _CANONICAL[array.dtype] else array.view(_CANONICAL[array.dtype])
    if array.dtype.kind == "b":
        return array.view(numpy.uint8)
    raise TypeError(f"no tensor type has numpy's dtype {array.dtype}: use one of {', '.join(map(str, TYPE_NAMES))}")


_CANONICAL = {dtype: dtype for dtype in TYPE_NAMES}
