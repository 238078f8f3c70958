"""Splitting a batch over devices, and joining their results (v0.1.6: the same file)."""

from collections.abc import Iterable, Sequence
from typing import Any

from ...autograd.functions import cat
from ...autograd.variable import Variable
from ...cuda import refuse
from ...tensor import Tensor


def scatter(inputs: Any, target_gpus: Iterable[int], dim: int = 0) -> tuple:
    """Return a tuple with a part of `inputs` for each graphics card.

    Under `run --ignore-cuda` the parts remain in main memory.

    Args:
        inputs: Variables, which are split, also inside tuples, lists and dictionaries. All other values are repeated.
        target_gpus: The graphics cards.
        dim: The dimension along which Variables are split.

    Raises:
        RuntimeError: Unless CUDA is ignored.
        TypeError: If there is a Tensor, which would have to be a Variable.
    """
    target_gpus = list(target_gpus)
    refuse(f"nn.parallel.scatter(..., {target_gpus})")
    return _scattered(inputs, len(target_gpus), dim)


def _scattered(value, count, dim):
    if isinstance(value, Variable):
        return tuple(value.chunk(count, dim))
    if isinstance(value, Tensor):
        raise TypeError("scatter: only Variables are split, got a Tensor; use Variable(tensor)")
    if isinstance(value, dict):
        return tuple([type(value)(part) for part in _scattered(list(value.items()), count, dim)])
    if isinstance(value, (tuple, list)) and value:
        return tuple([type(value)(part) for part in zip(*[_scattered(element, count, dim) for element in value])])
    return (value,) * count


def scatter_kwargs(inputs: Any, kwargs: Any, target_gpus: Iterable[int], dim: int = 0) -> tuple[tuple, tuple]:
    """Return `scatter` of arguments and of keyword arguments, as two tuples of equal length.

    Args:
        inputs: The arguments.
        kwargs: The keyword arguments.
        target_gpus: The graphics cards.
        dim: The dimension along which Variables are split.

    Raises:
        RuntimeError: Unless CUDA is ignored.
    """
    inputs = scatter(inputs, target_gpus, dim)
    kwargs = scatter(kwargs, target_gpus, dim)[: len(inputs)] if kwargs else tuple([{} for _ in inputs])
    return inputs, kwargs


def gather(outputs: Sequence, target_device: int | None, dim: int = 0) -> Any:
    """Return the outputs of several modules concatenated to one. Gradients flow back to each of them.

    Args:
        outputs: Variables, or tuples and lists of them, which are joined entry by entry.
        target_device: Ignored.
        dim: The dimension along which Variables are concatenated.
    """
    first = outputs[0]
    if isinstance(first, Variable):
        return cat(outputs, dim)
    if first is None:
        return None
    return type(first)([gather(parts, target_device, dim) for parts in zip(*outputs)])
