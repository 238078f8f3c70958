"""Resilient backpropagation (2016: `torch/legacy/optim/rprop.py`)."""

from ...tensor import Tensor
from ._helpers import OpFunc, Options, config_and_state, zeros_like


def rprop(
    opfunc: OpFunc, x: Tensor, config: Options | None, state: Options | None = None
) -> tuple[Tensor, list[float]]:
    """x <- x - d sign(g), where each element has its own step d.

    d is multiplied by `etaplus` while the sign of g stays, and by `etaminus` when it changes. After a change, the
    element is unchanged for one step.

    Args:
        opfunc: A function that returns the value at x and its gradient g.
        x: The vector, changed in place.
        config: The options: `stepsize` (0.1, the initial d), `etaplus` (1.2), `etaminus` (0.5), `stepsizemax` (50),
            `stepsizemin` (1e-6), `niter` (1, the number of steps of one call).
        state: Keeps `delta` (the last gradient) and `stepsize` (d). Default: `config`.

    Returns:
        x, and a list with the value before each step.

    Raises:
        ValueError: If `config` and `state` are None.

    Source:
        Riedmiller and Braun, "A direct adaptive method for faster backpropagation learning", 1993.
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
