"""Adagrad (2016: `torch/legacy/optim/adagrad.py`)."""

from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state, evaluate, zeros_like


def adagrad(opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None) -> tuple[Tensor, float]:
    """x <- x - r g / (√s + 1e-10), where s is the sum of all g² so far.

    r is learningRate / (1 + t learningRateDecay) after t steps.

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `learningRate` (1e-3), `learningRateDecay` (0), `weightDecay` (0).
        state: Keeps `paramVariance` (s) and `evalCounter` (t). Default: `config`.

    Returns:
        x, and the value before the step.

    Raises:
        ValueError: If `config` and `state` are None.

    Source:
        Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and stochastic optimization", 2011.
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
