"""Functions that make tensors, and those that put several into one: zeros, arange, from_numpy, cat …

Where no type is said, it is the default type (`set_default_tensor_type`).
"""

import math
import numbers

import numpy

from .. import conventions
from ..modern_names import refuse_keywords
from ._helpers import (
    check_count,
    dimension,
    is_tensor,
    number_for,
    over_numpy,
    shown,
    shown_size,
    sizes_of,
    wrap,
    wrap_in_c_order,
)
from .dtypes import CLASSES, TYPE_NAMES, Size, default_dtype, supported
from .errors import SizeError
from .results import takes_results
from .storage import LongStorage, Storage

_FLOAT64 = numpy.empty(0)
__all__ = [
    "arange", "cat", "concat", "eye", "from_numpy", "is_storage", "is_tensor", "linspace", "logspace", "ones",
    "ones_like", "range", "stack", "typename", "zeros", "zeros_like",
]  # fmt: skip


@takes_results(0, converts=True)
def zeros(*sizes, **modern):
    """Return zeros of the default type, of the size that is given as integers or as one tuple, list or Size."""
    return wrap(numpy.zeros(_shape("zeros", sizes, modern), default_dtype()))


@takes_results(0, converts=True)
def ones(*sizes, **modern):
    """Return ones of the default type, of the size that is given as integers or as one tuple, list or Size."""
    array = numpy.empty(_shape("ones", sizes, modern), default_dtype())
    array.fill(1)
    return wrap(array)


def zeros_like(tensor, **modern):
    """Return zeros of the size and type of `tensor`."""
    array = _array("zeros_like", tensor, modern)
    return wrap(numpy.zeros(array.shape, array.dtype))


def ones_like(tensor, **modern):
    """Return ones of the size and type of `tensor`."""
    array = _array("ones_like", tensor, modern)
    return wrap(numpy.ones(array.shape, array.dtype))


@takes_results(0, converts=True)
def eye(n, m=None, **modern):
    """Return the n x m matrix (n x n without an m) with ones on its diagonal and zeros elsewhere."""
    n, m = _shape("eye", (n, n if m is None else m), modern)
    return wrap(numpy.eye(n, m, dtype=default_dtype()))


@takes_results(0, converts=True, keeps_shape=True)
def arange(start, end=None, step=1, **modern):
    """Return the numbers start, start + step … up to but without `end`, in a vector; `arange(n)` counts from 0."""
    if end is None:
        start, end = 0, start
    count = math.ceil(_steps("arange", start, end, step, modern))
    return _progression("arange", start, step, count)


@takes_results(0, converts=True, keeps_shape=True)
def range(start, end, step=1):
    """Return the numbers start, start + step … up to and including `end`, in a vector."""
    return _progression("range", start, step, math.floor(_steps("range", start, end, step)) + 1)


@takes_results(0, converts=True, keeps_shape=True)
def linspace(start, end, steps=100, **modern):
    """Return `steps` numbers from start to end, both included, at equal distances, in a vector."""
    return wrap(_evenly("linspace", start, end, steps, modern).astype(default_dtype(), copy=False))


@takes_results(0, converts=True, keeps_shape=True)
def logspace(start, end, steps=100):
    """Return `steps` numbers from 10^start to 10^end, both included, at equal ratios, in a vector."""
    return wrap((10.0 ** _evenly("logspace", start, end, steps)).astype(default_dtype(), copy=False))


def from_numpy(array):
    """Return a tensor that shares the memory of an ndarray: a write to one is a write to the other.

    TypeError for anything else, and for a dtype that no tensor type has. A bool array becomes a ByteTensor. Writes
    through the ndarray are not counted, so backward cannot notice them. Writes through tensors are: all tensors over
    the memory of one ndarray, or of one tensor's `numpy()`, have one count.
    """
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"from_numpy: expected an ndarray, got {shown(array)}")
    return over_numpy(supported(array))


def cat(tensors, dim=0):
    """Return the tensors of a sequence one after another along `dim`. They have one type, and one size but along `dim`.

    An empty vector fits to every size, as in torch.
    """
    arrays = _arrays("cat", tensors)
    skipped = conventions.era.empty_has_no_dimension  # all that have no elements along their first dimension
    arrays = [array for array in arrays if not (array.shape == (0,) or skipped and not array.shape[0])] or arrays[:1]
    if arrays[0].ndim == 1 and dim == 1 and conventions.era.cat_takes_vectors_as_columns:
        arrays = [array[:, None] if array.ndim == 1 else array for array in arrays]
    dim = dimension("cat", arrays[0].shape, dim)
    shapes = [array.shape for array in arrays]
    if len({(*shape[:dim], *shape[dim + 1 :], len(shape)) for shape in shapes}) > 1:
        raise SizeError(f"cat: sizes {', '.join(map(shown_size, shapes))} do not fit together along dimension {dim}")
    return wrap_in_c_order(numpy.concatenate(arrays, dim))


def stack(tensors, dim=0):
    """Return the tensors of a sequence side by side along a new dimension `dim`. They have one type and one size."""
    arrays = _arrays("stack", tensors)
    shapes = {array.shape for array in arrays}
    if len(shapes) > 1:
        raise SizeError(f"stack: sizes {', '.join([shown_size(array.shape) for array in arrays])} differ")
    return wrap_in_c_order(numpy.stack(arrays, stacked_dimension(arrays[0].shape, dim)))


def stacked_dimension(shape, dim):
    """Return the number of the dimension `dim` that `stack` adds to tensors of `shape`, counted from the front."""
    if conventions.era.stack_counts_dims_of_operands and isinstance(dim, numbers.Integral) and dim < 0:
        return dimension("stack", shape, dim)
    return dimension("stack", shape, dim, new=1)


concat = cat


def is_storage(x):
    """Return whether `x` is a storage, or a Size: in v0.1.1 sizes were LongStorages."""
    return isinstance(x, (Storage, Size))


def is_long_storage(x):
    """Return whether `x` is a LongStorage or a Size."""
    return isinstance(x, (LongStorage, Size))


def _shape(name, sizes, modern):
    if modern:
        refuse_keywords(name, modern)
    given, sizes = sizes, sizes_of(name, sizes)
    if not sizes:
        if given and conventions.era.empty_has_no_dimension:  # the size of an empty tensor
            return (0,)
        raise TypeError(f"{name}: expected sizes, as integers or as one tuple of them")
    if min(sizes) < 0:
        raise SizeError(f"{name}: sizes must not be negative, got {shown_size(sizes)}")
    check_count(name, sizes)
    return sizes


def _array(name, tensor, modern=()):
    if modern:
        refuse_keywords(name, modern)
    if not is_tensor(tensor):
        raise TypeError(f"{name}: expected a Tensor, got {shown(tensor)}")
    return tensor.array


def _arrays(name, tensors):
    """Return the arrays of a sequence of Tensors of one type."""
    if is_tensor(tensors) or not isinstance(tensors, (tuple, list)):
        raise TypeError(f"{name}: expected a list or tuple of Tensors, got {shown(tensors)}")
    if not tensors:
        raise SizeError(f"{name}: expected at least one Tensor, got an empty sequence")
    arrays = [_array(name, tensor) for tensor in tensors]
    types = sorted({TYPE_NAMES[array.dtype] for array in arrays})
    if len(types) > 1:
        raise TypeError(f"{name}: the tensors have different types, {' and '.join(types)}; convert them with .type()")
    return arrays


def _steps(name, start, end, step, modern=()):
    """How often `step` goes into the way from start to end."""
    _check_numbers(name, modern, start, end, step)
    if not step or (end - start) / step < 0:
        raise SizeError(f"{name}: steps of {step} do not lead from {start} to {end}")
    return (end - start) / step


def _progression(name, start, step, count):
    check_count(name, (count,))
    array = numpy.arange(count, dtype=numpy.float64) * step + start
    return wrap(array.astype(default_dtype(), copy=False))


def _evenly(name, start, end, steps, modern=()):
    _check_numbers(name, modern, start, end)
    (steps,) = sizes_of(name, (steps,))
    if steps < 0:
        raise SizeError(f"{name}: the number of steps must not be negative, got {steps}")
    if steps == 1 and start != end and conventions.era.one_point_is_no_interval:
        raise SizeError(f"{name}: 1 step does not lead from {start} to {end}")
    check_count(name, (steps,))
    return numpy.linspace(start, end, steps)


def _check_numbers(name, modern, *finite):
    if modern:
        refuse_keywords(name, modern)
    for number in finite:
        if not isinstance(number, numbers.Real):
            raise TypeError(f"{name}: expected numbers, got {shown(number)}")
        if not math.isfinite(number_for(name, _FLOAT64, number)):
            raise SizeError(f"{name}: expected finite numbers, got {number}")


def typename(x):
    """Return the name of the type of a tensor or storage, "torch.FloatTensor", also for that class itself.

    For anything else return the name of its class, or of the class that it is.
    """
    kind = x if isinstance(x, type) else type(x)
    if issubclass(kind, (Storage, CLASSES[None])):
        return f"torch.{kind.__name__}"
    return f"{kind.__module__}.{kind.__qualname__}"
