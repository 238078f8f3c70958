"""How an array becomes a Tensor, and a Tensor the array of NumPy. `TensorBase` is what all tensor types derive from."""

from typing import Any, TypeGuard

import numpy

from . import numpy_memory
from .dtypes import CLASSES

_new = object.__new__


class TensorBase:
    """The base of the classes that Tensor inherits its methods from, and so of all tensor types.

    The methods' hints name it, because Tensor derives from them: an argument of any tensor type is a TensorBase, and a
    result of any tensor type is Self. The names below are what one class uses of another; Tensor has them all.
    """

    __slots__ = ()

    array: numpy.ndarray
    _base: Any
    _writes: int
    _part: Any
    _memory: Any
    _wrote: Any
    _put: Any
    add: Any
    add_: Any
    addcdiv: Any
    addcmul: Any
    clone: Any
    float: Any
    half: Any
    mul: Any
    resize_: Any
    shape: Any
    size: Any
    type: Any


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


def is_tensor(x: object) -> TypeGuard[TensorBase]:
    """Return whether an object is a Tensor."""
    return isinstance(x, TensorBase)


def from_result(result):
    """Return the result of a numpy reduction as in v0.1.x: an array as a Tensor, a single number as a Python number."""
    if result.ndim == 0:
        return result.item()
    return wrap(result if result.flags.c_contiguous else numpy.ascontiguousarray(result))
