"""Nesterov's accelerated gradient (2016: `torch/legacy/optim/nag.py`)."""

from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state, evaluate, zeros_like


def nag(opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None) -> tuple[Tensor, float]:
    """x <- x + momentum v, then x <- x - r g and v <- momentum v - r g, where g is the gradient in between.

    r is learningRate / (1 + t learningRateDecay) after t steps.

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `learningRate` (1e-3), `learningRateDecay` (0), `learningRates` (a Tensor with a factor for
            each element), `weightDecay` (0), `momentum` (0.9).
        state: Keeps `dfdx` (v) and `evalCounter` (t). Default: `config`.

    Returns:
        x, and the value where g was computed.

    Raises:
        ValueError: If `config` and `state` are None, or `momentum` is not above 0.

    Source:
        Sutskever et al., "On the importance of initialization and momentum in deep learning", 2013.
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
