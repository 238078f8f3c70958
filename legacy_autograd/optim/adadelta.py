"""Adadelta (v0.1.5)."""

import numbers

import numpy

from .optimizer import Optimizer, Parameters, move_average, zeros


class Adadelta(Optimizer):
    """w <- w - lr d with d = √(a + eps) / √(s + eps) g, where s and a are moving averages of g² and d².

    Args:
        params: See `Optimizer`.
        lr: The learning rate. The paper has none, which equals 1.
        rho: The weight of the old averages, from 0 to 1.
        eps: A number that keeps the divisor above 0.
        weight_decay: The factor of w that is added to g.
        maximize: Whether w moves uphill.

    Raises:
        ValueError: If an option is out of range.

    Source:
        Zeiler, "ADADELTA: an adaptive learning rate method", 2012.
    """

    _not_negative = ("lr", "eps", "weight_decay")
    _tensors = ("square_avg", "acc_delta")

    def __init__(
        self,
        params: Parameters,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize))

    def _settle(self, group):
        super()._settle(group)
        rho = group["rho"]
        self._check_number("rho", rho, isinstance(rho, numbers.Real) and 0 <= rho <= 1, "a number from 0 to 1")

    def _update(self, w, g, state, group):
        if not state:
            state.update(step=0, square_avg=zeros(w), acc_delta=zeros(w))
        state["step"] += 1
        g = self._direction(w, g, group)
        s, a = state["square_avg"].array, state["acc_delta"].array
        scratch = g * g
        move_average(s, scratch, group["rho"])
        numpy.add(s, group["eps"], out=scratch)
        delta = a + group["eps"]
        delta /= scratch
        numpy.sqrt(delta, out=delta)
        delta *= g
        numpy.multiply(delta, delta, out=scratch)
        move_average(a, scratch, group["rho"])
        delta *= group["lr"]
        w -= delta
