"""Nesterov's accelerated gradient (2016: `torch/legacy/optim/nag.py`)."""

from ._helpers import config_and_state, evaluate, zeros_like


def nag(opfunc, x, config, state=None):
    """x <- x + momentum v, then x <- x - r g and v <- momentum v - r g, where g is the gradient in between.

    r is learningRate / (1 + steps learningRateDecay). Sutskever et al., "On the importance of initialization and
    momentum in deep learning", 2013.

    Options: `learningRate` (1e-3), `learningRateDecay` (0), `learningRates`, a Tensor with a factor for each element;
    `weightDecay` (0), `momentum` (0.9). State: `dfdx`, which is v; `evalCounter`. Returns x and the value where g was
    computed. Raises ValueError for a momentum that is not above 0.
    """
    config, state = config_and_state("nag", config, state)
    momentum = config.get("momentum", 0.9)
    if momentum <= 0:
        raise ValueError(f"nag: Nesterov's accelerated gradient needs a momentum above 0, got {momentum}")
    count = state.setdefault("evalCounter", 0)
    rate = config.get("learningRate", 1e-3) / (1 + count * config.get("learningRateDecay", 0))
    velocity = state.setdefault("dfdx", zeros_like(x)).mul_(momentum)
    x.add_(velocity)
    value, gradient = evaluate(opfunc, x, config.get("weightDecay", 0))
    if config.get("learningRates") is not None:
        gradient = gradient * config["learningRates"]
    x.add_(-rate, gradient)
    velocity.add_(-rate, gradient)
    state["evalCounter"] = count + 1
    return x, value
