"""Adam (2016: `torch/legacy/optim/adam.py`)."""

import math

from ._helpers import config_and_state, evaluate, zeros_like


def adam(opfunc, x, config, state=None):
    """x <- x - r m / (sqrt(v) + epsilon), where m and v are moving averages of g and g². Kingma and Ba, 1412.6980.

    r is learningRate sqrt(1 - beta2^t) / (1 - beta1^t), so epsilon is added before the correction of v.

    Options: `learningRate` (1e-3), `beta1` (0.9), `beta2` (0.999), `epsilon` (1e-8), `weightDecay` (0). State: `t`,
    `m`, `v`. Returns x and the value before the step.
    """
    config, state = config_and_state("adam", config, state)
    beta1, beta2 = config.get("beta1", 0.9), config.get("beta2", 0.999)
    value, gradient = evaluate(opfunc, x, config.get("weightDecay", 0))
    t = state["t"] = state.get("t", 0) + 1
    mean = state.setdefault("m", zeros_like(x)).mul_(beta1).add_(1 - beta1, gradient)
    squares = state.setdefault("v", zeros_like(x)).mul_(beta2).addcmul_(1 - beta2, gradient, gradient)
    rate = config.get("learningRate", 1e-3) * math.sqrt(1 - beta2**t) / (1 - beta1**t)
    x.addcdiv_(-rate, mean, squares.sqrt().add_(config.get("epsilon", 1e-8)))
    return x, value
