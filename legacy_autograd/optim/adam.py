"""Adam, and AdamW, whose weight decay stands apart from the gradient (v0.1.5; AdamW came with 1.2)."""

import math

import numpy

from .optimizer import Optimizer, move_average, zeros


class Adam(Optimizer):
    """w <- w - lr m̂ / (√v̂ + eps), where m and v are moving averages of g and g², and m̂ and v̂ are free of their start.

    m <- β₁ m + (1 - β₁) g, v <- β₂ v + (1 - β₂) g², m̂ = m / (1 - β₁ᵗ), v̂ = v / (1 - β₂ᵗ) after t steps: algorithm 1
    of Kingma and Ba, "Adam: a method for stochastic optimization", 2015. With `amsgrad`, the largest v so far stands
    for v (Reddi, Kale and Kumar, "On the convergence of Adam and beyond", 2018).
    """

    _not_negative = ("lr", "eps", "weight_decay")
    _fractions = ("betas",)
    _later_options = ("maximize", "amsgrad")
    _tensors = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
    _decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, maximize=False):
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
        move_average(m, g.copy(), beta1)
        scratch = g * g
        move_average(v, scratch, beta2)
        if group["amsgrad"]:
            v = numpy.maximum(state["max_exp_avg_sq"].array, v, out=state["max_exp_avg_sq"].array)

        # m̂ / (√v̂ + eps) with both corrections drawn into numbers: two passes over the array less.
        numpy.sqrt(v, out=scratch)
        scratch += group["eps"] * correction2
        numpy.divide(m, scratch, out=scratch)
        scratch *= group["lr"] * correction2 / correction1
        w -= scratch


class AdamW(Adam):
    """Adam, except that w <- (1 - lr weight_decay) w before, and the decay takes no part in the averages.

    Loshchilov and Hutter, "Decoupled weight decay regularization", 2019, with the schedule multiplier in lr.
    """

    _decoupled = True

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)
