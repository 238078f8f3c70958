"""Adadelta (2016: `torch/legacy/optim/adadelta.py`)."""

from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state, evaluate, zeros_like


def adadelta(opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None) -> tuple[Tensor, float]:
    """x <- x - d with d = √(a + eps) / √(s + eps) g, where s and a are moving averages of g² and d².

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `rho` (0.9), the weight of the old averages; `eps` (1e-6); `weightDecay` (0).
        state: Keeps `paramVariance` (s), `accDelta` (a), `delta` (d) and `evalCounter`. Default: `config`.

    Returns:
        x, and the value before the step.

    Raises:
        ValueError: If `config` and `state` are None.

    Source:
        Zeiler, "ADADELTA: an adaptive learning rate method", 2012 (arXiv 1212.5701).
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
