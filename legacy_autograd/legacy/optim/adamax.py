"""Adamax (2016: `torch/legacy/optim/adamax.py`)."""

from ...tensor.functions import max as elementwise_max
from ._helpers import config_and_state, evaluate, zeros_like


def adamax(opfunc, x, config, state=None):
    """x <- x - r m / u, where m is a moving average of g and u = max(beta2 u, |g| + epsilon). Kingma and Ba, 1412.6980.

    r is learningRate / (1 - beta1^t).

    Options: `learningRate` (2e-3), `beta1` (0.9), `beta2` (0.999), `epsilon` (1e-38), `weightDecay` (0). State: `t`,
    `m`, `u`. Returns x and the value before the step. An epsilon that is zero in the type of x, as 1e-38 nearly is in
    float32, leaves 0 / 0 where all gradients of an element were zero, as in 2016.
    """
    config, state = config_and_state("adamax", config, state)
    beta1, beta2 = config.get("beta1", 0.9), config.get("beta2", 0.999)
    value, gradient = evaluate(opfunc, x, config.get("weightDecay", 0))
    t = state["t"] = state.get("t", 0) + 1
    mean = state.setdefault("m", zeros_like(x)).mul_(beta1).add_(1 - beta1, gradient)
    largest = state.setdefault("u", zeros_like(x)).mul_(beta2)
    largest.copy_(elementwise_max(largest, gradient.abs().add_(config.get("epsilon", 1e-38))))
    x.addcdiv_(-config.get("learningRate", 2e-3) / (1 - beta1**t), mean, largest)
    return x, value
