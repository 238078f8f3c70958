"""Operations on a Tensor and a second operand, element by element: as a new Tensor, or written into the first."""

import numpy

from . import buffer_pool
from .arguments import number_for
from .backcompat import paired
from .dtypes import TYPE_NAMES
from .messages import does_not_fit, not_writable, shown
from .wrapping import is_tensor, result_like

_new = object.__new__


def combine(name, ufunc, tensor, other):
    """Return `ufunc` of `tensor` and a Tensor or number, pointwise, as a Tensor of the type of `tensor` in C order.

    Raises TypeError for a Tensor of another type and for a fraction that meets integers, ValueError if the shapes
    cannot be broadcast.
    """
    a = tensor.array
    if type(other) is type(tensor):
        b = paired(name, a, other.array)
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
        b = other.array
        if a.shape != b.shape:
            b = paired(name, a, b, into=True)
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


def refuses_integers(name, array):
    """Return the TypeError of an operation that needs floating-point numbers and got integers, the ndarray `array`."""
    return TypeError(
        f"{name}: a {TYPE_NAMES[array.dtype]} cannot hold fractions; convert it with .double() or .float()"
    )


def fractions_of(name, tensor):
    """Return the array of a Tensor. Raise TypeError, with the `name` of the operation, if it holds integers."""
    if tensor.array.dtype.kind != "f":
        raise refuses_integers(name, tensor.array)
    return tensor.array


def each(name, function, tensor, fractions=False):
    """Return `function` of every element as a Tensor in C order. If `fractions`, integers raise TypeError."""
    array = tensor.array
    if fractions and array.dtype.kind != "f":
        raise refuses_integers(name, array)
    if tensor._base is not None or array.nbytes >= buffer_pool.LARGE:
        return result_like(tensor, function(array, buffer_pool.like(array)))
    result = _new(type(tensor))  # `wrap`, written out for speed
    result.array = function(array)
    result._base = None
    result._writes = 0
    return result


def each_into(name, function, tensor, fractions=False):
    """Replace every element by `function` of it, and return `tensor`. If `fractions`, integers raise TypeError."""
    array = tensor.array
    if fractions and array.dtype.kind != "f":
        raise refuses_integers(name, array)
    try:
        function(array, array)
    except ValueError:
        raise not_writable(name, array) from None
    return tensor._wrote()


def copied_into(name, tensor, result):
    """Write the Tensor `result` into `tensor`, converted to its type, and return it. The shapes must be equal."""
    if result.array.shape != tensor.array.shape:
        raise does_not_fit(name, tensor.array.shape, result.array.shape, into=True)
    return tensor._put(name, result.array)


def clamped(name, array, low, high, out):
    """Write `array`, limited to the range from `low` to `high`, to `out`, and return it. One limit may be None."""
    if low is None and high is None:
        raise ValueError(f"{name}: expected min, max or both")
    if low is not None:
        array = numpy.maximum(array, number_for(name, array, low), out=out)
    if high is not None:
        array = numpy.minimum(array, number_for(name, array, high), out=out)
    return array


def value_and_tensors(name, value, arguments):
    """Return (value, tensor1, tensor2) for `addcmul` and `addcdiv`: (tensor1, tensor2) or (value, tensor1, tensor2)."""
    if len(arguments) == 3:
        value, *arguments = arguments
    if len(arguments) != 2 or is_tensor(value) or not all(map(is_tensor, arguments)):
        raise TypeError(
            f"{name}: expected (tensor, tensor) or (number, tensor, tensor), got "
            f"({', '.join(map(shown, (value, *arguments)))})"
        )
    return value, *arguments


def put(array, name, source, key=...):
    """Write the array `source` into `array[key]`, by the rules of `copy_`.

    Raises RuntimeError if the memory is read-only, ValueError if the shapes do not fit.
    """
    try:
        array[key] = source
    except (ValueError, TypeError):  # TypeError: for a mask and a source of several dimensions
        if not array.flags.writeable:
            raise not_writable(name, array) from None
        shape = array[key].shape
        if source.size != numpy.prod(shape, dtype=int):
            raise does_not_fit(name, shape, source.shape, into=True) from None
        array[key] = source.reshape(shape)


def writable(name, array):
    """Return `array`. Raise RuntimeError if its memory is read-only."""
    if not array.flags.writeable:
        raise not_writable(name, array)
    return array
