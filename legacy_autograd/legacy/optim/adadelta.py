"""Adadelta (2016: `torch/legacy/optim/adadelta.py`)."""

from ._helpers import config_and_state, evaluate, zeros_like


def adadelta(opfunc, x, config, state=None):
    """x <- x - d, where d = g sqrt(average of d² + eps) / sqrt(average of g² + eps). Zeiler, arXiv 1212.5701.

    Options: `rho` (0.9), the decay of both averages; `eps` (1e-6); `weightDecay` (0). State: `paramVariance`,
    `accDelta`, `delta`, `evalCounter`. Returns x and the value before the step.
    """
    config, state = config_and_state("adadelta", config, state)
    rho, eps = config.get("rho", 0.9), config.get("eps", 1e-6)
    value, gradient = evaluate(opfunc, x, config.get("weightDecay", 0))
    squares = state.setdefault("paramVariance", zeros_like(x))
    changes = state.setdefault("accDelta", zeros_like(x))
    squares.mul_(rho).addcmul_(1 - rho, gradient, gradient)
    delta = (changes + eps).sqrt_().div_((squares + eps).sqrt_()).mul_(gradient)
    changes.mul_(rho).addcmul_(1 - rho, delta, delta)
    x.add_(-1, delta)
    state["delta"] = delta
    state["evalCounter"] = state.get("evalCounter", 0) + 1
    return x, value
