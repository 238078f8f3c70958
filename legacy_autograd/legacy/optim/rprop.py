"""Resilient backpropagation (2016: `torch/legacy/optim/rprop.py`)."""

from ._helpers import config_and_state, zeros_like


def rprop(opfunc, x, config, state=None):
    """Every element moves against the sign of its gradient by a step size of its own. Riedmiller and Braun, 1993.

    The step size grows by `etaplus` while the sign stays, and shrinks by `etaminus` when it changes; the element then
    rests once.

    Options: `stepsize` (0.1), where all begin; `etaplus` (1.2), `etaminus` (0.5), `stepsizemax` (50), `stepsizemin`
    (1e-6), `niter` (1), the number of steps in one call. State: `delta`, the last gradient; `stepsize`, a Tensor.
    Returns x and a list with the value before each step.
    """
    config, state = config_and_state("rprop", config, state)
    if "delta" not in state:
        state["delta"] = zeros_like(x)
        state["stepsize"] = zeros_like(x).fill_(config.get("stepsize", 0.1))
    least, most = config.get("stepsizemin", 1e-6), config.get("stepsizemax", 50.0)
    values = []
    for _ in range(config.get("niter", 1)):
        value, gradient = opfunc(x)
        gradient = gradient.clone()
        agreement = gradient * state["delta"]
        factor = zeros_like(x).fill_(1)
        factor[agreement.gt(0)] = config.get("etaplus", 1.2)
        factor[agreement.lt(0)] = config.get("etaminus", 0.5)
        state["stepsize"].mul_(factor).clamp_(least, most)
        gradient[agreement.lt(0)] = 0
        x.addcmul_(-1, gradient.sign(), state["stepsize"])
        state["delta"] = gradient
        values.append(value)
    return x, values
