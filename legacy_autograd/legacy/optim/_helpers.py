"""What all optimizers of this folder begin with. No 2016 counterpart: the lines were repeated in each file."""


def config_and_state(name, config, state):
    """Return both dicts; an optimizer remembers its state in `config` where no `state` is given."""
    if config is None and state is None:
        raise ValueError(f"{name} requires a dictionary, config or state, to retain its state between calls")
    config = {} if config is None else config
    return config, config if state is None else state


def evaluate(opfunc, x, weight_decay):
    """Return the value at `x` and its gradient, with the gradient of half `weight_decay` times the square of `x`."""
    value, gradient = opfunc(x)
    return value, gradient + x * weight_decay if weight_decay else gradient


def zeros_like(x):
    return x.new().resize_as_(x).zero_()
