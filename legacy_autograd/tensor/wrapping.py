"""How an array becomes a Tensor, and an operand an array: the helpers that all families of methods share.

They stand apart from `base.py` because that imports the families, and the families need them. `base.py` puts the
class Tensor here once it exists.
"""

import numbers

import numpy

from .. import eras
from . import memory
from .types import TYPE_NAMES

Tensor = None  # the class; set by base.py

_new = object.__new__


def wrap(array, base=None):
    """A Tensor over `array`, an ndarray with at least one dimension and a dtype of TYPE_NAMES; nothing is checked.

    `base` is the Tensor whose memory `array` views, if there is one. Every result is made here, so it is kept small.
    """
    tensor = _new(Tensor)
    tensor.array = array
    tensor._base = base
    tensor._writes = 0
    return tensor


def view_of(tensor, array):
    """A Tensor over `array`, which shares the memory of `tensor`: a write through one is seen as a write to both."""
    return wrap(array, tensor if tensor._base is None else tensor._base)


def is_tensor(x):
    """Whether `x` is a Tensor. (A Variable is not one, but holds one.)"""
    return type(x) is Tensor


def from_result(result):
    """A numpy reduction's result as v0.1.x gives it: an array as a Tensor, a single number as a Python number."""
    return result.item() if result.ndim == 0 else wrap(result)


def shown_size(shape):
    """A size as error messages show it: 2x3; a single number's () as 1."""
    return "x".join(map(str, shape)) if shape else "1"


def shown(x):
    """An argument as error messages show it: the type and size of a Tensor, the class of everything else."""
    if type(x) is Tensor:
        return f"a {TYPE_NAMES[x.array.dtype]} of size {shown_size(x.array.shape)}"
    return type(x).__name__


def number_for(name, a, number):
    """`number` as a zero-dimensional array of the dtype of `a`, with which numpy computes twice as fast as with itself.

    Raises TypeError for what is no real number and for a fraction that meets integers, OverflowError for an integer
    that is too large for the type.
    """
    kind = type(number)
    if kind is not float and kind is not int and not isinstance(number, numbers.Real):
        raise TypeError(f"{name}: expected a {TYPE_NAMES[a.dtype]} or a number, got {kind.__name__}")
    if a.dtype.kind == "f":
        return numpy.asarray(float(number), a.dtype)
    try:
        whole = int(number)
    except (ValueError, OverflowError):  # nan and the infinities
        whole = None
    if whole != number:
        raise TypeError(f"{name}: a {TYPE_NAMES[a.dtype]} cannot take the number {number}; convert it with .type()")
    try:
        return numpy.asarray(whole, a.dtype)
    except OverflowError:
        raise OverflowError(f"{name}: {number} does not fit into a {TYPE_NAMES[a.dtype]}") from None


def tensor_array(name, a, other):
    """The array of `other`, which has to be a Tensor of the type of the array `a`; TypeError otherwise."""
    if type(other) is not Tensor:
        raise TypeError(f"{name}: expected a {TYPE_NAMES[a.dtype]}, got {type(other).__name__}")
    if other.array.dtype != a.dtype:
        raise TypeError(
            f"{name}: the operands have different types, {TYPE_NAMES[a.dtype]} and "
            f"{TYPE_NAMES[other.array.dtype]}; convert one of them with .type()"
        )
    return other.array


def combine(name, ufunc, tensor, other, same_type=True):
    """A Tensor of what `ufunc` makes of `tensor` and a Tensor or number, pointwise.

    `same_type` says whether that is of the type of `tensor`, so that it can be given memory of that kind.

    Raises TypeError for a Tensor of another type and for a fraction that meets integers, ValueError where the sizes
    cannot be broadcast.
    """
    a = tensor.array
    if type(other) is Tensor:
        b = other.array
        if b.dtype is not a.dtype:
            b = tensor_array(name, a, other)
        if not eras.era.broadcast and b.size == a.size:
            b = b.reshape(a.shape)  # v0.1.x: operands of equal count are taken point by point
    else:
        b = number_for(name, a, other)
    try:
        if a.nbytes >= memory.LARGE and same_type and b.shape == a.shape[a.ndim - b.ndim :]:
            return wrap(ufunc(a, b, out=memory.like(a)))
        return wrap(ufunc(a, b))
    except ValueError:
        raise does_not_fit(name, a.shape, b.shape) from None


def combine_into(name, ufunc, tensor, other):
    """`ufunc` of `tensor` and a Tensor or number, pointwise, written into `tensor`, which is returned.

    Raises as `combine` does; ValueError also where broadcasting would make `tensor` larger.
    """
    a = tensor.array
    if type(other) is Tensor:
        b = other.array
        if b.dtype is not a.dtype:
            b = tensor_array(name, a, other)
        if not eras.era.broadcast and b.size == a.size:
            b = b.reshape(a.shape)
    else:
        b = number_for(name, a, other)
    try:
        ufunc(a, b, out=a)
    except ValueError:
        raise not_writable(name, a) or does_not_fit(name, a.shape, b.shape, into=True) from None
    return tensor._wrote()


def does_not_fit(name, shape, other_shape, into=False):
    """The ValueError of an operation whose operands' sizes do not fit."""
    sizes = f"sizes {shown_size(shape)} and {shown_size(other_shape)}"
    if into:
        return ValueError(f"{name}: {sizes} do not fit: the result has to have the size of the tensor it is written to")
    return ValueError(f"{name}: {sizes} do not fit together")


def not_writable(name, a):
    """The RuntimeError of a write to memory that may not be written to; None if it may."""
    if a.flags.writeable:
        return None
    return RuntimeError(
        f"{name}: the memory of this tensor is read-only, because several of its elements share one place (expand) or "
        "because numpy was told so; write to a clone() of it"
    )


def dimension(name, shape, dim):
    """The number of the dimension `dim` of a tensor of `shape`, counted from the front.

    Raises TypeError for what is no integer, IndexError where there is no such dimension.
    """
    if type(dim) is int and 0 <= dim < len(shape):
        return dim
    if not isinstance(dim, numbers.Integral) or isinstance(dim, bool):
        raise TypeError(f"{name}: a dimension is an integer, got {shown(dim)}")
    ndim = len(shape)
    if not -ndim <= dim < ndim:
        raise IndexError(
            f"{name}: dimension {dim} is out of range: a tensor of size {shown_size(shape)} has {-ndim} to {ndim - 1}"
        )
    return int(dim) + ndim if dim < 0 else int(dim)


def sizes_of(name, sizes):
    """The sizes that a method's arguments say, as a tuple: integers one by one, or all in one tuple, list or Size."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        sizes = tuple(sizes[0])
    for size in sizes:
        if type(size) is not int and not isinstance(size, numbers.Integral):
            raise TypeError(f"{name}: expected integers, or one tuple of them, got {shown(size)}")
    return sizes
