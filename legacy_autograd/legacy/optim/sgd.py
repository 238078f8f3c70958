"""Stochastic gradient descent (2016: `torch/legacy/optim/sgd.py`)."""

from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state, evaluate


def sgd(opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None) -> tuple[Tensor, float]:
    """x <- x - r g, or with momentum x <- x - r v with v <- momentum v + (1 - dampening) g.

    The first v is g. With `nesterov`, x moves by g + momentum v. r is learningRate / (1 + t learningRateDecay) after t
    steps.

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `learningRate` (1e-3), `learningRateDecay` (0), `momentum` (0), `dampening` (the momentum),
            `nesterov` (False), `weightDecay` (0), and the Tensors `learningRates` and `weightDecays` with a factor for
            each element.
        state: Keeps `dfdx` (v) and `evalCounter` (t). Default: `config`.

    Returns:
        x, and the value before the step.

    Raises:
        ValueError: If `config` and `state` are None, both `weightDecay` and `weightDecays` are given, or `nesterov` is
            combined with dampening or no momentum.
    """
    config, state = config_and_state("sgd", config, state)
    momentum, nesterov = config.get("momentum", 0), config.get("nesterov", False)
    dampening = config.get("dampening", momentum)
    if nesterov and momentum <= 0 and dampening != 0:
        raise ValueError(f"sgd: nesterov needs a momentum above 0 and no dampening, got {momentum} and {dampening}")
    if config.get("weightDecay", 0) and config.get("weightDecays") is not None:
        raise ValueError("sgd: only one of weightDecay and weightDecays can be given")
    count = state.setdefault("evalCounter", 0)
    value, gradient = evaluate(opfunc, x, config.get("weightDecay", 0))
    if config.get("weightDecays") is not None:
        gradient = gradient + config["weightDecays"] * x
    if momentum:
        if "dfdx" not in state:
            state["dfdx"] = gradient.clone()
        else:
            state["dfdx"].mul_(momentum).add_(1 - dampening, gradient)
        gradient = gradient + state["dfdx"] * momentum if nesterov else state["dfdx"]
    if config.get("learningRates") is not None:
        gradient = gradient * config["learningRates"]
    x.add_(-config.get("learningRate", 1e-3) / (1 + count * config.get("learningRateDecay", 0)), gradient)
    state["evalCounter"] = count + 1
    return x, value
