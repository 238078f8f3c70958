"""How an array becomes a Tensor, and an operand an array: the helpers that all families of methods share.

They are separate from `base.py` because it imports the families, and the families need them. `base.py` and `storage.py`
set the classes below once they exist.
"""

from __future__ import annotations

import contextlib
import math
import numbers
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy

from .. import conventions
from . import buffer_pool, numpy_memory
from .dtypes import CLASSES, TYPE_NAMES
from .errors import NumberError, RangeError, SizeError

if TYPE_CHECKING:
    from . import base

Tensor: Any = None  # the class; set by base.py
LongStorage: Any = None  # the class, which is accepted as sizes; set by storage.py

_new = object.__new__


class TensorMethods:
    """The base of the classes that Tensor inherits its methods from.

    The names below are what the methods of one class use of another. Tensor has them all.
    """

    __slots__ = ()

    array: numpy.ndarray
    _base: Any
    _writes: int
    _part: Any
    _memory: Any
    _wrote: Any
    _put: Any
    clone: Any
    type: Any
    add: Any
    add_: Any
    addbmm: Any
    addcdiv: Any
    addcmul: Any
    addmm: Any
    addmv: Any
    addr: Any
    atan2: Any
    baddbmm: Any
    cumprod: Any
    cumsum: Any
    eq: Any
    ge: Any
    gt: Any
    le: Any
    lerp: Any
    lt: Any
    ne: Any
    renorm: Any
    tril: Any
    triu: Any


def wrap(array, base=None):
    """Return a Tensor over `array`, an ndarray of at least one dimension and a dtype of TYPE_NAMES. Nothing is checked.

    `base` is the Tensor whose memory `array` views, if there is one. Without a `base` the array must be in C order,
    because operations check the order of views only.
    """
    tensor = _new(CLASSES[array.dtype])
    tensor.array = array
    tensor._base = base
    tensor._writes = 0
    return tensor


def result_like(operand, array):
    """Return a Tensor over `array`, the result of an operation on the Tensor `operand` and of its dtype, in C order.

    numpy follows the order of its operands, so the result for a view may need a copy.
    """
    if operand._base is not None and not array.flags.c_contiguous:
        array = numpy.ascontiguousarray(array)
    tensor = _new(type(operand))
    tensor.array = array
    tensor._base = None
    tensor._writes = 0
    return tensor


def view_of(viewed, array):
    """Return a Tensor over `array`, a view of the memory of the Tensor `viewed`, of the same dtype.

    A write through one counts as a write to both.
    """
    tensor = _new(type(viewed))
    tensor.array = array
    tensor._base = viewed if viewed._base is None else viewed._base
    tensor._writes = 0
    return tensor


def wrap_in_c_order(array):
    """Return `wrap(array)`, or that of a copy in C order if numpy chose another order for a result."""
    return wrap(array if array.flags.c_contiguous else numpy.ascontiguousarray(array))


def wrap_in_any_order(array):
    """Return `wrap(array)` for an array in any order: if not in C order, it counts as a view."""
    return wrap(array) if array.flags.c_contiguous else wrap(array, wrap(array))


def over_numpy(array):
    """Return a Tensor over `array`, whose memory numpy shares. All tensors over one memory have one count of writes."""
    array = array[...]  # a view, so that a change of the caller's shape has no effect
    tensor = wrap_in_any_order(array)
    if not array.size:
        return tensor
    counting = tensor if tensor._base is None else tensor._base
    known = numpy_memory.counting_tensor(array, counting)
    return tensor if known is counting else wrap(array, known)


def shared_with_numpy(tensor):
    """Return the array of `tensor`. A Tensor that `over_numpy` makes of it shares the count of writes."""
    array = tensor.array
    if array.size:
        numpy_memory.share(array, tensor if tensor._base is None else tensor._base)
    return array


def is_tensor(x: object) -> TypeGuard[base.Tensor]:
    """Return whether an object is a Tensor. A Variable is not: it holds one.

    Args:
        x: Any object.
    """
    return isinstance(x, Tensor)


def numbers_of(sequence, dtype, name):
    """Return the numbers in nested sequences of equal lengths as an array of `dtype`; TypeError for anything else.

    Raises as `converted` does.
    """
    try:
        array = numpy.array(sequence)
        if array.dtype.kind == "O" or array.dtype.kind == "f" != dtype.kind and (abs(array) >= _INEXACT).any():
            # Integers for which numpy has no type, or which it would round because there are fractions among them.
            array = numpy.array(sequence, object)
            if all([isinstance(number, numbers.Real) for number in array.flat]):
                exact = [_number(name, dtype, number) for number in array.flat]
                array = numpy.array(exact, dtype).reshape(array.shape)
        if array.size and array.dtype.kind not in "fiub":
            raise ValueError
    except ValueError:
        raise TypeError(f"{name}: expected nested sequences of numbers, all of one length") from None
    return converted(array.reshape(1) if array.ndim == 0 else array, dtype, name)


def converted(array, dtype, name):
    """Return `array` in `dtype`; the array itself if it has that dtype.

    Raises TypeError for fractions in an integer type, OverflowError for a number that does not fit.
    """
    if array.dtype == dtype:
        return array.view(dtype) if array.dtype is not dtype else array
    if dtype.kind != "f" and array.dtype.kind != "b" and array.size:
        for number in (array.min().item(), array.max().item()):  # Python compares integers and floats exactly
            if not numpy.iinfo(dtype).min <= number <= numpy.iinfo(dtype).max:
                raise too_large(name, dtype, number)
        if array.dtype.kind == "f" and not numpy.array_equal(array, numpy.trunc(array)):
            raise TypeError(f"{name}: {TYPE_NAMES[dtype]} holds integers; got fractions")
    return array.astype(dtype)


def from_result(result):
    """Return the result of a numpy reduction as in v0.1.x: an array as a Tensor, a single number as a Python number."""
    if result.ndim == 0:
        return result.item()
    return wrap(result if result.flags.c_contiguous else numpy.ascontiguousarray(result))


def shown_size(shape):
    """Return a shape as error messages show it: "(2, 3)"; "(1,)" for a single number."""
    return str(tuple(shape) or (1,))


def shown(x):
    """Return an argument as error messages show it: the type and shape of a Tensor, the class of anything else."""
    if isinstance(x, Tensor):
        return f"a {TYPE_NAMES[x.array.dtype]} of size {shown_size(x.array.shape)}"
    return type(x).__name__


def checked_number(name, number):
    """Return `number`. Raise TypeError, with the `name` of operation and argument, if it is not a real number."""
    if not isinstance(number, numbers.Real):
        raise TypeError(f"{name} must be a number, got {type(number).__name__}")
    return number


def number_for(name, a, number):
    """Return `number` as a zero-dimensional array of the dtype of `a`, which must not be written to.

    numpy computes faster with it than with the number. Raises TypeError if it is not a real number, or a fraction meets
    integers; OverflowError if it does not fit into the type, as nan and infinity do not fit into integers.
    """
    kind = type(number)
    if kind is float or kind is int:
        known = _known_numbers[a.dtype]
        key = number or repr(number)  # 0.0 equals -0.0
        array = known.get(key)
        if array is None:
            if len(known) >= _MOST_KNOWN:
                known.clear()
            array = known[key] = _number(name, a.dtype, number)
            array.flags.writeable = False
        return array
    if isinstance(number, (numbers.Real, numpy.bool_)):
        return _number(name, a.dtype, number)
    if isinstance(number, Tensor):
        tensor_array(name, a, number)  # raises, if the types are different
    raise NumberError(f"{name}: expected a {TYPE_NAMES[a.dtype]} or a number, got {kind.__name__}")


# {dtype: {number: its array}}: loops repeat their constants.
_known_numbers: dict[numpy.dtype, dict] = {dtype: {} for dtype in TYPE_NAMES}
_MOST_KNOWN = 64  # entries per dtype
_INEXACT = 2**53  # above it, float64 does not hold every integer


def _number(name, dtype, number):
    try:
        if dtype.kind == "f":
            return numpy.asarray(float(number), dtype)
        whole = int(number)
        if whole == number:
            return numpy.asarray(whole, dtype)
    except (ValueError, OverflowError):  # for nan and infinities, and for an integer that is too large
        raise too_large(name, dtype, number) from None
    raise TypeError(f"{name}: a {TYPE_NAMES[dtype]} cannot take the number {number}; convert it with .type()")


def too_large(name, dtype, number):
    """Return the OverflowError for a number that does not fit into the type of `dtype`."""
    if isinstance(number, int) and number.bit_length() > 128:
        number = f"an integer of {number.bit_length()} bits"
    return OverflowError(f"{name}: {number} does not fit into a {TYPE_NAMES[dtype]}")


def tensor_array(name, a, other):
    """Return the array of `other`, which must be a Tensor of the type of the array `a`; raise TypeError otherwise."""
    if not isinstance(other, Tensor):
        raise TypeError(f"{name}: expected a {TYPE_NAMES[a.dtype]}, got {type(other).__name__}")
    if other.array.dtype != a.dtype:
        raise TypeError(
            f"{name}: the operands have different types, {TYPE_NAMES[a.dtype]} and "
            f"{TYPE_NAMES[other.array.dtype]}; convert one of them with .type()"
        )
    return other.array


def point_by_point(a, b):
    """Return `b` in the shape of `a` if it has as many elements, as v0.1.x takes operands of different shapes."""
    return b.reshape(a.shape) if b.size == a.size else b


def combine(name, ufunc, tensor, other):
    """Return `ufunc` of `tensor` and a Tensor or number, pointwise, as a Tensor of the type of `tensor` in C order.

    Raises TypeError for a Tensor of another type and for a fraction that meets integers, ValueError if the shapes
    cannot be broadcast.
    """
    a = tensor.array
    if type(other) is type(tensor):
        b = other.array if conventions.era.broadcast else point_by_point(a, other.array)
        view = tensor if tensor._base is not None else other  # the result may have the order of this operand
    else:
        b, view = number_for(name, a, other), tensor
    try:
        if a.nbytes >= buffer_pool.LARGE and b.shape == a.shape[a.ndim - b.ndim :]:
            return result_like(view, ufunc(a, b, out=buffer_pool.empty(a.shape, a.dtype)))
        array = ufunc(a, b)
    except ValueError:
        raise does_not_fit(name, a.shape, b.shape) from None
    if view._base is not None:
        return result_like(view, array)
    result = _new(type(tensor))  # `result_like`, written out
    result.array = array
    result._base = None
    result._writes = 0
    return result


def combine_into(name, ufunc, tensor, other):
    """Write `ufunc` of `tensor` and a Tensor or number, pointwise, into `tensor`, and return it.

    Raises as `combine` does, and ValueError if the result does not have the shape of `tensor`.
    """
    a = tensor.array
    if type(other) is type(tensor):
        b = other.array if conventions.era.broadcast else point_by_point(a, other.array)
    else:
        b = number_for(name, a, other)
    try:
        if a.size == 1 and b.ndim <= a.ndim and a.dtype.kind == "f":
            a[()] = ufunc(a, b)  # numpy takes twice as long to write one element with out=
        else:
            ufunc(a, b, out=a)
    except ValueError:
        raise not_writable(name, a) or does_not_fit(name, a.shape, b.shape, into=True) from None
    if tensor._base is not None:
        return tensor._wrote()
    tensor._writes += 1  # `_wrote`, written out
    return tensor


def does_not_fit(name, shape, other_shape, into=False):
    """Return the SizeError of an operation whose operands' shapes do not fit."""
    sizes = f"sizes {shown_size(shape)} and {shown_size(other_shape)}"
    if into:
        return SizeError(
            f"{name}: {sizes} do not fit: the result must have the size of the tensor that it is written to"
        )
    return SizeError(f"{name}: {sizes} do not fit together")


def not_writable(name, a):
    """Return the RuntimeError of a write to read-only memory; None if the memory is writable."""
    if a.flags.writeable:
        return None
    return RuntimeError(
        f"{name}: the memory of this tensor is read-only, because several of its elements share one place (expand) or "
        "because its numpy array is read-only; write to a clone() of it"
    )


def check_count(name, sizes):
    """Raise ValueError if a new tensor of these sizes has more elements than memory has addresses."""
    if math.prod(sizes) >= _ADDRESSES:
        raise ValueError(f"{name}: a tensor of size {shown_size(sizes)} has more elements than memory has addresses")


_ADDRESSES = 2**60  # elements of 8 bytes: numpy counts bytes in 63 bits


@contextlib.contextmanager
def naming(name):
    """Within this context, messages about an index or a shape begin with `name`, the operation that was called."""
    try:
        yield
    except (IndexError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def dimension(name, shape, dim, new=0):
    """Return the dimension `dim` of a tensor of `shape`, with `new` additional dimensions, counted from the front.

    Raises TypeError if `dim` is not an integer, IndexError if there is no such dimension.
    """
    if type(dim) is int and 0 <= dim < len(shape):
        return dim
    if not isinstance(dim, numbers.Integral) or isinstance(dim, bool):
        raise TypeError(f"{name}: a dimension is an integer, got {shown(dim)}")
    ndim = len(shape) + new
    if not -ndim <= dim < ndim:
        has = f"{'takes' if new else 'has'} {-ndim} to {ndim - 1}"
        raise RangeError(f"{name}: dimension {dim} is out of range: a tensor of size {shown_size(shape)} {has}")
    return int(dim) + ndim if dim < 0 else int(dim)


def sizes_of(name, sizes):
    """Return the sizes in a method's arguments: integers, or one tuple, list, Size or LongStorage of them."""
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list, LongStorage)):
        sizes = tuple(sizes[0])
    for size in sizes:
        if type(size) is not int and (not isinstance(size, numbers.Integral) or isinstance(size, bool)):
            raise TypeError(f"{name}: expected integers, or one tuple of them, got {shown(size)}")
    return sizes
