"""Averaged stochastic gradient descent (2016: `torch/legacy/optim/asgd.py`)."""

from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state, zeros_like


def asgd(
    opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None
) -> tuple[Tensor, float, Tensor]:
    """x <- (1 - lambda eta) x - eta g, and an average of x from step t0 on.

    eta is eta0 / (1 + lambda eta0 t)^alpha after t steps.

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `eta0` (1e-4), `lambda` (1e-4), `alpha` (0.75), `t0` (1e6). The defaults are written into
            it.
        state: Keeps `eta_t`, `mu_t` (the weight of the next x in the average), `t` and `ax`. Default: `config`.

    Returns:
        x, the value before the step, and the average.

    Raises:
        ValueError: If `config` and `state` are None.

    Source:
        Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992.
    """
    config, state = config_and_state("asgd", config, state)
    eta0, decay = config.setdefault("eta0", 1e-4), config.setdefault("lambda", 1e-4)
    alpha, t0 = config.setdefault("alpha", 0.75), config.setdefault("t0", 1e6)
    eta, weight = state.setdefault("eta_t", eta0), state.setdefault("mu_t", 1)
    value, gradient = opfunc(x)
    x.mul_(1 - decay * eta).add_(-eta, gradient)
    average = state.setdefault("ax", zeros_like(x))
    if weight == 1:
        average.copy_(x)
    else:
        average.add_(weight, x - average)
    t = state["t"] = state.get("t", 0) + 1
    state["eta_t"] = eta0 / (1 + decay * eta0 * t) ** alpha
    state["mu_t"] = 1 / max(1, t - t0)
    return x, value, average
