"""Functions that make tensors, such as zeros, arange and from_numpy, and those that join several, such as cat.

New tensors have the default type (`set_default_tensor_type`), unless the function takes a tensor.
"""

import math
import numbers
from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy

from .. import conventions
from ..modern_names import refuse_keywords
from .arguments import check_count, dimension, number_for, sizes_of
from .base import Tensor
from .dtypes import TYPE_NAMES, Size, default_dtype, supported
from .errors import SizeError
from .messages import shown, shown_size
from .results import takes_results
from .storage import LongStorage, Storage
from .wrapping import over_numpy, wrap, wrap_in_c_order

_FLOAT64 = numpy.empty(0)
__all__ = [
    "arange", "cat", "concat", "eye", "from_numpy", "is_storage", "is_tensor", "linspace", "logspace", "ones",
    "ones_like", "range", "stack", "typename", "zeros", "zeros_like",
]  # fmt: skip


@takes_results(0, converts=True)
def zeros(*sizes: int | Sequence[int], **modern: Any) -> Tensor:
    """Return a tensor of zeros of the default type.

    Args:
        *sizes: The sizes as integers, or as one tuple, list, Size or LongStorage.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        ValueError: If a size is negative.
    """
    return wrap(numpy.zeros(_shape("zeros", sizes, modern), default_dtype()))


@takes_results(0, converts=True)
def ones(*sizes: int | Sequence[int], **modern: Any) -> Tensor:
    """Return a tensor of ones of the default type.

    Args:
        *sizes: The sizes as integers, or as one tuple, list, Size or LongStorage.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        ValueError: If a size is negative.
    """
    array = numpy.empty(_shape("ones", sizes, modern), default_dtype())
    array.fill(1)
    return wrap(array)


def zeros_like(tensor: Tensor, **modern: Any) -> Tensor:
    """Return zeros with the shape and type of a Tensor.

    Args:
        tensor: The Tensor.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        TypeError: If `tensor` is not a Tensor.
    """
    array = _array("zeros_like", tensor, modern)
    return wrap(numpy.zeros(array.shape, array.dtype))


def ones_like(tensor: Tensor, **modern: Any) -> Tensor:
    """Return ones with the shape and type of a Tensor.

    Args:
        tensor: The Tensor.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        TypeError: If `tensor` is not a Tensor.
    """
    array = _array("ones_like", tensor, modern)
    return wrap(numpy.ones(array.shape, array.dtype))


@takes_results(0, converts=True)
def eye(n: int, m: int | None = None, **modern: Any) -> Tensor:
    """Return a matrix with ones on its diagonal and zeros elsewhere.

    Args:
        n: The number of rows.
        m: The number of columns. Default: `n`.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.
    """
    n, m = _shape("eye", (n, n if m is None else m), modern)
    return wrap(numpy.eye(n, m, dtype=default_dtype()))


@takes_results(0, converts=True, keeps_shape=True)
def arange(start: float, end: float | None = None, step: float = 1, **modern: Any) -> Tensor:
    """Return the numbers start, start + step, … below `end`, a vector; `arange(n)` counts from 0.

    Args:
        start: The first number; the end, if it is the only argument.
        end: The end, which is excluded.
        step: The difference of two neighbours.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        ValueError: If the steps do not lead from `start` to `end`.

    Example:
        >>> torch.arange(1, 2, 0.25).tolist()
        [1.0, 1.25, 1.5, 1.75]
    """
    if end is None:
        start, end = 0, start
    count = math.ceil(_steps("arange", start, end, step, modern))
    return _progression("arange", start, step, count)


@takes_results(0, converts=True, keeps_shape=True)
def range(start: float, end: float, step: float = 1) -> Tensor:
    """Return the numbers start, start + step, … up to and including `end`, a vector.

    Args:
        start: The first number.
        end: The end, which is included.
        step: The difference of two neighbours.

    Raises:
        ValueError: If the steps do not lead from `start` to `end`.
    """
    return _progression("range", start, step, math.floor(_steps("range", start, end, step)) + 1)


@takes_results(0, converts=True, keeps_shape=True)
def linspace(start: float, end: float, steps: int = 100, **modern: Any) -> Tensor:
    """Return `steps` numbers at equal distances from `start` to `end`, a vector.

    Args:
        start: The first number.
        end: The last number.
        steps: How many there are.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        ValueError: If `steps` is negative, or `start` or `end` is not finite.
    """
    return wrap(_evenly("linspace", start, end, steps, modern).astype(default_dtype(), copy=False))


@takes_results(0, converts=True, keeps_shape=True)
def logspace(start: float, end: float, steps: int = 100) -> Tensor:
    """Return `steps` numbers at equal ratios from 10**start to 10**end, a vector.

    Args:
        start: The exponent of the first number.
        end: The exponent of the last number.
        steps: How many there are.

    Raises:
        ValueError: If `steps` is negative, or `start` or `end` is not finite.
    """
    return wrap((10.0 ** _evenly("logspace", start, end, steps)).astype(default_dtype(), copy=False))


def from_numpy(array: numpy.ndarray) -> Tensor:
    """Return a tensor that shares the memory of an ndarray: a write to one is a write to the other.

    Writes through the ndarray are not counted, so backward cannot notice them. Writes through tensors are: all tensors
    over the memory of one ndarray, or of the array from one tensor's `numpy()`, have one count.

    Args:
        array: An ndarray. One of bools becomes a ByteTensor.

    Raises:
        TypeError: If `array` is anything else, or no tensor type has its dtype.
    """
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"from_numpy: expected an ndarray, got {shown(array)}")
    return over_numpy(supported(array))


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Return the concatenation of tensors along one dimension.

    Args:
        tensors: A list or tuple of Tensors of one type, and of one shape except for `dim`. Empty vectors are skipped,
            as in torch.
        dim: The dimension; negative ones count from the end.

    Raises:
        TypeError: If the types differ, or `tensors` is not a list or tuple of Tensors.
        ValueError: If the shapes do not fit, or `tensors` is empty.

    Example:
        >>> torch.cat([torch.zeros(1, 2), torch.ones(1, 2)]).tolist()
        [[0.0, 0.0], [1.0, 1.0]]
    """
    arrays = _arrays("cat", tensors)
    skipped = conventions.era.empty_has_no_dimension  # then all tensors with a first dimension of size 0 are skipped
    arrays = [array for array in arrays if not (array.shape == (0,) or skipped and not array.shape[0])] or arrays[:1]
    if conventions.era.cat_takes_vectors_as_columns:  # missing dimensions have the size 1
        most = max(2 if dim == 1 else 1, *[array.ndim for array in arrays])
        arrays = [array.reshape(array.shape + (1,) * (most - array.ndim)) for array in arrays]
    dim = dimension("cat", arrays[0].shape, dim)
    shapes = [array.shape for array in arrays]
    if len({(*shape[:dim], *shape[dim + 1 :], len(shape)) for shape in shapes}) > 1:
        raise SizeError(f"cat: sizes {', '.join(map(shown_size, shapes))} do not fit together along dimension {dim}")
    return wrap_in_c_order(numpy.concatenate(arrays, dim))


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Return the tensors side by side along a new dimension.

    Args:
        tensors: A list or tuple of Tensors of one type and shape.
        dim: The position of the new dimension; negative ones count from the end of the result.

    Raises:
        TypeError: If the types differ, or `tensors` is not a list or tuple of Tensors.
        ValueError: If the shapes differ, or `tensors` is empty.
    """
    arrays = _arrays("stack", tensors)
    shapes = {array.shape for array in arrays}
    if len(shapes) > 1:
        raise SizeError(f"stack: sizes {', '.join([shown_size(array.shape) for array in arrays])} differ")
    return wrap_in_c_order(numpy.stack(arrays, stacked_dimension(arrays[0].shape, dim)))


def stacked_dimension(shape: tuple[int, ...], dim: int) -> int:
    """Return the position, counted from the front, of the dimension that `stack` adds.

    Args:
        shape: The shape of the operands.
        dim: The position as the user gave it.
    """
    if conventions.era.stack_counts_dims_of_operands and isinstance(dim, numbers.Integral) and dim < 0:
        return dimension("stack", shape, dim)
    return dimension("stack", shape, dim, new=1)


concat = cat


def is_tensor(x: object) -> TypeGuard[Tensor]:
    """Return whether an object is a Tensor. A Variable is not: it holds one.

    Args:
        x: Any object.
    """
    return isinstance(x, Tensor)


def is_storage(x: object) -> bool:
    """Return whether `x` is a storage or a Size: in v0.1.1 sizes were LongStorages.

    Args:
        x: Any object.
    """
    return isinstance(x, (Storage, Size))


def is_long_storage(x: object) -> bool:
    """Return whether `x` is a LongStorage or a Size.

    Args:
        x: Any object.
    """
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
    """Return how often `step` fits between start and end."""
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


def typename(x: object) -> str:
    """Return the name of the type of a tensor or storage, such as "torch.FloatTensor", else that of the class.

    Args:
        x: An object, or a class, whose own name is then returned.
    """
    kind = x if isinstance(x, type) else type(x)
    if issubclass(kind, (Storage, Tensor)):
        return f"torch.{kind.__name__}"
    return f"{kind.__module__}.{kind.__qualname__}"
