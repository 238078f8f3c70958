"""Adamax: Adam by the largest gradient (v0.1.5)."""

import numpy

from .optimizer import Optimizer, move_average, zeros


class Adamax(Optimizer):
    """w <- w - lr / (1 - β₁ᵗ) m / u, where m is a moving average of g and u <- max(β₂ u, |g| + eps).

    Algorithm 2 of Kingma and Ba, "Adam: a method for stochastic optimization", 2015; eps is torch's addition.
    """

    _not_negative = ("lr", "eps", "weight_decay")
    _fractions = ("betas",)
    _tensors = ("exp_avg", "exp_inf")

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, *, maximize=False):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize))

    def _update(self, w, g, state, group):
        if not state:
            state.update(step=0, exp_avg=zeros(w), exp_inf=zeros(w))
        state["step"] += 1
        beta1, beta2 = group["betas"]
        g = self._direction(w, g, group)
        m, u = state["exp_avg"].array, state["exp_inf"].array
        scratch = g.copy()
        move_average(m, scratch, beta1)
        u *= beta2
        numpy.abs(g, out=scratch)
        scratch += group["eps"]
        numpy.maximum(u, scratch, out=u)
        numpy.divide(m, u, out=scratch)
        scratch *= group["lr"] / (1 - beta1 ** state["step"])
        w -= scratch
