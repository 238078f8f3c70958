"""Adamax (2016: `torch/legacy/optim/adamax.py`)."""

from ...tensor import Tensor
from ...tensor.functions import max as elementwise_max
from ._helpers import OpFunc, Options, config_and_state, evaluate, zeros_like


def adamax(opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None) -> tuple[Tensor, float]:
    """x <- x - r m / u, where m is a moving average of g and u <- max(beta2 u, |g| + epsilon).

    r is learningRate / (1 - beta1^t) at step t. If epsilon is 0 in the type of x (1e-38 nearly is in float32), an
    element whose gradients were all zero becomes 0 / 0, as in 2016.

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `learningRate` (2e-3), `beta1` (0.9), `beta2` (0.999), `epsilon` (1e-38), `weightDecay`
            (0).
        state: Keeps `t`, `m` and `u`. Default: `config`.

    Returns:
        x, and the value before the step.

    Raises:
        ValueError: If `config` and `state` are None.

    Source:
        Kingma and Ba, "Adam: a method for stochastic optimization", 2015 (arXiv 1412.6980).
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
