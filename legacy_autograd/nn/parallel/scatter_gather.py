"""The parts of a batch for several devices, and one batch of their results (v0.1.6: the same file)."""

from ...autograd.functions import cat
from ...autograd.variable import Variable
from ...cuda import refuse
from ...tensor import Tensor


def scatter(inputs, target_gpus, dim=0):
    """Return a tuple with a part of `inputs` for each graphics card of `target_gpus`.

    Variables are split along `dim`, in nested tuples, lists and dictionaries too; each part has all other values.
    Raises RuntimeError as there is no card; under `run --ignore-cuda` the parts stay in main memory. Raises TypeError
    for a Tensor, as only Variables are split.
    """
    target_gpus = list(target_gpus)
    refuse(f"nn.parallel.scatter(..., {target_gpus})")
    return _scattered(inputs, len(target_gpus), dim)


def _scattered(value, count, dim):
    if isinstance(value, Variable):
        return tuple(value.chunk(count, dim))
    if isinstance(value, Tensor):
        raise TypeError("scatter: only Variables are split, got a Tensor; make it Variable(tensor)")
    if isinstance(value, dict):
        return tuple([type(value)(part) for part in _scattered(list(value.items()), count, dim)])
    if isinstance(value, (tuple, list)) and value:
        return tuple([type(value)(part) for part in zip(*[_scattered(element, count, dim) for element in value])])
    return (value,) * count


def scatter_kwargs(inputs, kwargs, target_gpus, dim=0):
    """Return `scatter` of the arguments `inputs` and of the keyword arguments `kwargs`, of equal length."""
    inputs = scatter(inputs, target_gpus, dim)
    kwargs = scatter(kwargs, target_gpus, dim)[: len(inputs)] if kwargs else tuple([{} for _ in inputs])
    return inputs, kwargs


def gather(outputs, target_device, dim=0):
    """Return the `outputs` of several modules as one: Variables along `dim`, tuples and lists entry by entry.

    `target_device` is ignored, since all memory is main memory. Gradients flow back to every output.
    """
    first = outputs[0]
    if isinstance(first, Variable):
        return cat(outputs, dim)
    if first is None:
        return None
    return type(first)([gather(parts, target_device, dim) for parts in zip(*outputs)])
