"""Adam, and AdamW with decoupled weight decay (v0.1.5; AdamW: 1.2)."""

import math

import numpy

from ..tensor.arguments import number_for
from .optimizer import Optimizer, Parameters, move_average, zeros


class Adam(Optimizer):
    """w <- w - lr m̂ / (√v̂ + eps), where m̂ and v̂ are bias-corrected moving averages of g and g².

    m <- β₁ m + (1 - β₁) g, v <- β₂ v + (1 - β₂) g², m̂ = m / (1 - β₁ᵗ) and v̂ = v / (1 - β₂ᵗ) after t steps.

    Args:
        params: See `Optimizer`.
        lr: The learning rate.
        betas: The pair (β₁, β₂), each from 0 to 1 (excluded).
        eps: A number that keeps the divisor above 0.
        weight_decay: The factor of w that is added to g.
        amsgrad: Whether the largest v so far replaces v.
        maximize: Whether w moves uphill.

    Raises:
        ValueError: If an option is out of range.

    Source:
        Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1. `amsgrad`: Reddi, Kale and
        Kumar, "On the convergence of Adam and beyond", 2018.
    """

    _not_negative = ("lr", "eps", "weight_decay")
    _fractions = ("betas",)
    _later_options = ("maximize", "amsgrad")
    _tensors = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
    _decoupled = False

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        defaults = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize)
        super().__init__(params, defaults)

    def _update(self, w, g, state, group):
        if not state:
            state.update(step=0, exp_avg=zeros(w), exp_avg_sq=zeros(w))
        if group["amsgrad"] and "max_exp_avg_sq" not in state:
            state["max_exp_avg_sq"] = zeros(w)
        state["step"] += 1
        beta1, beta2 = group["betas"]
        correction1 = 1 - beta1 ** state["step"]
        correction2 = math.sqrt(1 - beta2 ** state["step"])

        if self._decoupled:
            if group["maximize"]:
                g = -g
            w *= 1 - group["lr"] * group["weight_decay"]
        else:
            g = self._direction(w, g, group)
        m, v = state["exp_avg"].array, state["exp_avg_sq"].array
        scratch = g.copy()
        move_average(m, scratch, beta1)
        move_average(v, numpy.multiply(g, g, scratch), beta2)
        if group["amsgrad"]:
            v = numpy.maximum(state["max_exp_avg_sq"].array, v, out=state["max_exp_avg_sq"].array)

        # m̂ / (√v̂ + eps). The bias corrections are applied to eps and lr, not to the arrays.
        numpy.sqrt(v, out=scratch)
        numpy.add(scratch, number_for("eps", w, group["eps"] * correction2), scratch)
        numpy.divide(m, scratch, scratch)
        numpy.multiply(scratch, number_for("lr", w, group["lr"] * correction2 / correction1), scratch)
        numpy.subtract(w, scratch, w)


class AdamW(Adam):
    """Adam preceded by w <- (1 - lr weight_decay) w; the weight decay is not part of g or its averages.

    Args:
        params: See `Optimizer`.
        lr: The learning rate.
        betas: The pair (β₁, β₂), each from 0 to 1 (excluded).
        eps: A number that keeps the divisor above 0.
        weight_decay: The factor in the formula above.
        amsgrad: Whether the largest v so far replaces v.
        maximize: Whether w moves uphill.

    Source:
        Loshchilov and Hutter, "Decoupled weight decay regularization", 2019, with the schedule multiplier in lr.
    """

    _decoupled = True

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)
