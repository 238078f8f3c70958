"""Limits for the gradients of a model (v0.1.10)."""

import math

import numpy

from ...autograd.variable import Variable
from ...tensor._helpers import checked_number


def clip_grad_norm_(parameters, max_norm, norm_type=2):
    """Scale the gradients of `parameters` down, all by one factor, so that their norm is `max_norm` at most.

    The norm is that of all gradients as one vector: of the order `norm_type`, the largest for inf. Gradients are
    changed in place; parameters without one are passed over. Returns the norm before, a Python number.

    Raises ValueError for a max_norm below 0, TypeError for one that is no number.
    """
    if checked_number("clip_grad_norm_: max_norm", max_norm) < 0:
        raise ValueError(f"clip_grad_norm_: max_norm must not be negative, got {max_norm}")
    grads = _grads(parameters)
    norm_type = float(norm_type)
    if norm_type == math.inf:
        total = max([float(numpy.abs(grad.array).max(initial=0)) for grad in grads], default=0.0)
    else:
        total = sum([float((numpy.abs(grad.array) ** norm_type).sum()) for grad in grads]) ** (1 / norm_type)
    factor = max_norm / (total + 1e-6)
    if factor < 1:
        for grad in grads:
            grad.mul_(factor)
    return total


clip_grad_norm = clip_grad_norm_  # the name of v0.1.x


def clip_grad_value_(parameters, clip_value):
    """Limit every element of the gradients of `parameters` to between -clip_value and clip_value, in place."""
    if checked_number("clip_grad_value_: clip_value", clip_value) < 0:
        raise ValueError(f"clip_grad_value_: clip_value must not be negative, got {clip_value}")
    for grad in _grads(parameters):
        grad.clamp_(-clip_value, clip_value)


def _grads(parameters):
    parameters = [parameters] if isinstance(parameters, Variable) else parameters
    return [parameter._grad.data for parameter in parameters if parameter._grad is not None]
