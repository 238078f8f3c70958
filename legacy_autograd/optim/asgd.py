"""Averaged stochastic gradient descent (v0.1.5)."""

import numpy

from ..tensor._helpers import wrap
from .optimizer import Optimizer


class ASGD(Optimizer):
    """w <- (1 - lambd η) w - η g with a falling η = lr / (1 + lambd lr t)^alpha, and the average of w from step t0 on.

    Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992, with the schedule of Bottou's
    SGD code (2010). The average is `state[p]["ax"]`; until step t0 it is w itself.
    """

    _not_negative = ("lr", "weight_decay")
    _numbers = ("step", "eta", "mu")
    _tensors = ("ax",)

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, *, maximize=False):
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
