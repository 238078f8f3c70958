"""Adagrad (v0.1.5)."""

import numpy

from ..tensor.wrapping import wrap
from .optimizer import Optimizer, Parameters


class Adagrad(Optimizer):
    """w <- w - lr / (1 + (t - 1) lr_decay) g / (√s + eps) at step t, where s is the sum of all g² so far.

    Args:
        params: See `Optimizer`.
        lr: The learning rate.
        lr_decay: How fast the learning rate decreases.
        weight_decay: The factor of w that is added to g.
        initial_accumulator_value: The initial value of s.
        eps: A number that keeps the divisor above 0.
        maximize: Whether w moves uphill.

    Raises:
        ValueError: If an option is negative.

    Source:
        Duchi, Hazan and Singer, "Adaptive subgradient methods for online learning and stochastic optimization", 2011.
    """

    _not_negative = ("lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps")
    _tensors = ("sum",)
    _later_options = ("maximize", "initial_accumulator_value", "eps")

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ) -> None:
        options = dict(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps, maximize=maximize)
        super().__init__(params, dict(options, initial_accumulator_value=initial_accumulator_value))

    def _update(self, w, g, state, group):
        if not state:
            state.update(step=0, sum=wrap(numpy.full_like(w, group["initial_accumulator_value"])))
        state["step"] += 1
        g = self._direction(w, g, group)
        s = state["sum"].array
        scratch = g * g
        s += scratch
        numpy.sqrt(s, out=scratch)
        scratch += group["eps"]
        numpy.divide(g, scratch, out=scratch)
        scratch *= group["lr"] / (1 + (state["step"] - 1) * group["lr_decay"])
        w -= scratch
