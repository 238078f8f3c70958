"""Checks and conversions of arguments that several functions share."""

import numbers
from collections.abc import Sequence
from typing import TypeAlias

from ... import conventions
from ...autograd.later.in_place import change
from ...autograd.variable import Variable
from ...tensor import Tensor

Sizes: TypeAlias = int | Sequence[int]  # one integer, or one for each spatial dimension


def given(*variables):
    return [variable for variable in variables if variable is not None]


def check_variables(name, *inputs):
    """Raise TypeError unless all `inputs` are Variables."""
    for position, input in enumerate(inputs):
        if not isinstance(input, Variable):
            raise TypeError(f"{name}: argument {position} must be a Variable, got {type(input).__name__}")


def check_image(name, input):
    """Raise TypeError or ValueError unless `input` is a Variable (N, C, H, W)."""
    check_variables(name, input)
    if input.dim() != 4:
        raise ValueError(f"{name}: expected an input (N, C, H, W), got {input.dim()} dimensions")


def check_positive(name, **sizes):
    """Raise ValueError unless all `sizes` are integers above 0."""
    for what, size in sizes.items():
        if not isinstance(size, numbers.Integral) or size < 1:
            raise ValueError(f"{name}: {what} must be a positive integer, got {size!r}")


def constant(target: Tensor | Variable) -> Variable:
    """Return a target or index as a Variable; a Tensor becomes a constant."""
    return Variable(target, requires_grad=False) if isinstance(target, Tensor) else target


def tensor_of(weight):
    """Return the Tensor of a weight or a running mean, which may be a Variable."""
    return weight.data if isinstance(weight, Variable) else weight


def applied(function, input, inplace):
    """Return `function(input)`; with `inplace` it is written into `input`, except under `import` (conventions.py).

    Raises RuntimeError if `input` is then a leaf that requires a gradient.
    """
    if not inplace or not conventions.era.inplace_writes:
        return function(input)[0]
    saves_input = 0 in getattr(function.forward, "saves", (0,))
    return change(function._name, input, lambda x: function(x)[0], saves_input)
