"""Adam (2016: `torch/legacy/optim/adam.py`)."""

import math

from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state, evaluate, zeros_like


def adam(opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None) -> tuple[Tensor, float]:
    """x <- x - r m / (√v + epsilon), where m and v are moving averages of g and g².

    r is learningRate √(1 - beta2^t) / (1 - beta1^t) at step t, so epsilon is added before the bias correction of v.

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `learningRate` (1e-3), `beta1` (0.9), `beta2` (0.999), `epsilon` (1e-8), `weightDecay` (0).
        state: Keeps `t`, `m` and `v`. Default: `config`.

    Returns:
        x, and the value before the step.

    Raises:
        ValueError: If `config` and `state` are None.

    Source:
        Kingma and Ba, "Adam: a method for stochastic optimization", 2015 (arXiv 1412.6980).
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
