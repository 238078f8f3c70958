"""Checks and conversions of arguments that several functions share."""

import numbers

from ... import conventions
from ...autograd.later.in_place import change
from ...autograd.variable import Variable
from ...tensor import Tensor


def given(*variables):
    return [variable for variable in variables if variable is not None]


def check_variables(name, *inputs):
    """Raise TypeError for what is none, before its sizes are asked for."""
    for position, input in enumerate(inputs):
        if not isinstance(input, Variable):
            raise TypeError(f"{name}: argument {position} is a {type(input).__name__}, and has to be a Variable")


def check_image(name, input):
    """Raise unless `input` is a Variable (N, C, H, W)."""
    check_variables(name, input)
    if input.dim() != 4:
        raise ValueError(f"{name}: expected an input (N, C, H, W), got {input.dim()} dimensions")


def check_positive(name, **sizes):
    """Raise ValueError for a size of a layer that is no integer above 0."""
    for what, size in sizes.items():
        if not isinstance(size, numbers.Integral) or size < 1:
            raise ValueError(f"{name}: {what} must be a positive integer, got {size!r}")


def constant(target):
    """A target or index as a Variable: a plain Tensor is a constant."""
    return Variable(target, requires_grad=False) if isinstance(target, Tensor) else target


def tensor_of(weight):
    """A weight of classes or elements, or a running mean, as a Tensor."""
    return weight.data if isinstance(weight, Variable) else weight


def in_place(function, input):
    """The result of a Function of one input, written into `input`; under `import` a new Variable (conventions.py).

    Raises RuntimeError for a leaf that requires a gradient.
    """
    if not conventions.era.inplace_writes:
        return function(input)[0]
    saves_input = 0 in getattr(function.forward, "saves", (0,))
    return change(function._name, input, lambda x: function(x)[0], saves_input)
