"""RMSprop (2016: `torch/legacy/optim/rmsprop.py`)."""

from ._helpers import config_and_state, evaluate, zeros_like


def rmsprop(opfunc, x, config, state=None):
    """x <- x - learningRate g / (sqrt(m) + epsilon), where m is a moving average of g², from 0. Hinton, 2012.

    Options: `learningRate` (1e-2), `alpha` (0.99), the decay of the average; `epsilon` (1e-8), `weightDecay` (0).
    State: `m`, which began at 1 in v0.1.1. Returns x and the value before the step.
    """
    config, state = config_and_state("rmsprop", config, state)
    alpha = config.get("alpha", 0.99)
    value, gradient = evaluate(opfunc, x, config.get("weightDecay", 0))
    squares = state.setdefault("m", zeros_like(x)).mul_(alpha).addcmul_(1 - alpha, gradient, gradient)
    x.addcdiv_(-config.get("learningRate", 1e-2), gradient, squares.sqrt().add_(config.get("epsilon", 1e-8)))
    return x, value
