"""Limits for the gradients of a model (v0.1.10)."""

import math
from collections.abc import Iterable

import numpy

from ...autograd.variable import Variable
from ...tensor.arguments import checked_number
from ...tensor.dtypes import wide


def clip_grad_norm_(parameters: Variable | Iterable[Variable], max_norm: float, norm_type: float = 2) -> float:
    """Scale all gradients by one factor, in place, so that their norm is at most `max_norm`.

    The norm is that of all gradients concatenated to one vector.

    Args:
        parameters: The Variables whose gradients are scaled. Those without a gradient are ignored.
        max_norm: The limit.
        norm_type: The order of the norm; `inf` for the largest absolute value.

    Returns:
        The norm before the scaling.

    Raises:
        ValueError: If `max_norm` is below 0.
        TypeError: If `max_norm` is not a number.

    Source:
        Pascanu et al., "On the difficulty of training recurrent neural networks", 2013.
    """
    if checked_number("clip_grad_norm_: max_norm", max_norm) < 0:
        raise ValueError(f"clip_grad_norm_: max_norm must not be negative, got {max_norm}")
    grads = _grads(parameters)
    norm_type = float(norm_type)
    if norm_type == math.inf:
        total = max([float(numpy.abs(grad.array).max(initial=0)) for grad in grads], default=0.0)
    else:
        total = sum([float((numpy.abs(wide(grad.array)) ** norm_type).sum()) for grad in grads]) ** (1 / norm_type)
    factor = max_norm / (total + 1e-6)
    if factor < 1:
        for grad in grads:
            grad.mul_(factor)
    return total


clip_grad_norm = clip_grad_norm_  # the name of v0.1.x


def clip_grad_value_(parameters: Variable | Iterable[Variable], clip_value: float) -> None:
    """Limit each element of the gradients to [-clip_value, clip_value], in place.

    Args:
        parameters: The Variables whose gradients are limited. Those without a gradient are ignored.
        clip_value: The limit.

    Raises:
        ValueError: If `clip_value` is below 0.
        TypeError: If `clip_value` is not a number.
    """
    if checked_number("clip_grad_value_: clip_value", clip_value) < 0:
        raise ValueError(f"clip_grad_value_: clip_value must not be negative, got {clip_value}")
    for grad in _grads(parameters):
        grad.clamp_(-clip_value, clip_value)


def _grads(parameters):
    parameters = [parameters] if isinstance(parameters, Variable) else parameters
    return [parameter._grad.data for parameter in parameters if parameter._grad is not None]
