"""Adagrad (2016: `torch/legacy/optim/adagrad.py`)."""

from ._helpers import config_and_state, evaluate, zeros_like


def adagrad(opfunc, x, config, state=None):
    """x <- x - r g / (sqrt(sum of all g²) + 1e-10), where r = learningRate / (1 + steps learningRateDecay).

    Options: `learningRate` (1e-3), `learningRateDecay` (0), `weightDecay` (0). State: `paramVariance`, the sum;
    `evalCounter`. Returns x and the value before the step. Duchi et al., 2011.
    """
    config, state = config_and_state("adagrad", config, state)
    count = state.setdefault("evalCounter", 0)
    rate = config.get("learningRate", 1e-3) / (1 + count * config.get("learningRateDecay", 0))
    value, gradient = evaluate(opfunc, x, config.get("weightDecay", 0))
    squares = state.setdefault("paramVariance", zeros_like(x))
    squares.addcmul_(1, gradient, gradient)
    x.addcdiv_(-rate, gradient, squares.sqrt().add_(1e-10))
    state["evalCounter"] = count + 1
    return x, value
