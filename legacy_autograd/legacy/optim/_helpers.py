"""The types and the first lines of all optimizers of this folder (in 2016 they were repeated in each file)."""

from collections.abc import Callable

from ...tensor import Tensor

OpFunc = Callable[[Tensor], tuple[float, Tensor]]  # x -> (the value at x, its gradient)
Options = dict  # {name in Lua: value}


def config_and_state(name, config, state):
    """Return both dicts; `state` is `config` by default."""
    if config is None and state is None:
        raise ValueError(f"{name} needs config or state, a dictionary that keeps its state between calls")
    config = {} if config is None else config
    return config, config if state is None else state


def evaluate(opfunc, x, weight_decay):
    """Return the value at `x` and its gradient, to which `weight_decay` times `x` is added."""
    value, gradient = opfunc(x)
    return value, gradient + x * weight_decay if weight_decay else gradient


def zeros_like(x):
    return x.new().resize_as_(x).zero_()
