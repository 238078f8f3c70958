"""Averaged stochastic gradient descent (v0.1.5)."""

import numpy

from ..tensor.wrapping import wrap
from .optimizer import Optimizer, Parameters


class ASGD(Optimizer):
    """w <- (1 - lambd η) w - η g with η = lr / (1 + lambd lr t)^alpha after t steps, and an average of w.

    `state[p]["ax"]` is the average of w from step t0 on; until then it is w itself.

    Args:
        params: See `Optimizer`.
        lr: The initial η.
        lambd: The weight decay in the formula.
        alpha: The power in the formula.
        t0: The step at which averaging begins.
        weight_decay: The factor of w that is added to g.
        maximize: Whether w moves uphill.

    Raises:
        ValueError: If `lr` or `weight_decay` is negative.

    Source:
        Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992, with the schedule of
        Bottou's SGD code (2010).
    """

    _not_negative = ("lr", "weight_decay")
    _numbers = ("step", "eta", "mu")
    _tensors = ("ax",)

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
    ) -> None:
        defaults = dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, maximize=maximize)
        super().__init__(params, defaults)

    def _update(self, w, g, state, group):
        if not state:
            state.update(step=0, eta=group["lr"], mu=1, ax=wrap(w.copy()))
        state["step"] += 1
        g = self._direction(w, g, group)
        eta, mu, average = state["eta"], state["mu"], state["ax"].array
        w *= 1 - group["lambd"] * eta
        scratch = g * eta
        w -= scratch
        if mu == 1:
            average[...] = w
        else:
            numpy.subtract(w, average, out=scratch)
            scratch *= mu
            average += scratch
        state["eta"] = group["lr"] / (1 + group["lambd"] * group["lr"] * state["step"]) ** group["alpha"]
        state["mu"] = 1 / max(1, state["step"] - group["t0"])
