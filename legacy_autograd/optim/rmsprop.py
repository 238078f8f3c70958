"""RMSprop (v0.1.5)."""

import numpy

from .optimizer import Optimizer, move_average, zeros


class RMSprop(Optimizer):
    """w <- w - lr g / (√s + eps), where s is a moving average of g², s <- alpha s + (1 - alpha) g².

    Tieleman and Hinton, lecture 6.5 of "Neural networks for machine learning", 2012. With `centered`, s is an estimate
    of the variance: the square of a moving average of g is taken off (Graves, "Generating sequences with recurrent
    neural networks", 2013). With `momentum`, w moves by lr b, b <- momentum b + g / (√s + eps).

    Where rounding makes the estimated variance negative it counts as 0 (in torch the parameter becomes nan).
    """

    _not_negative = ("lr", "alpha", "eps", "weight_decay", "momentum")
    _tensors = ("square_avg", "grad_avg", "momentum_buffer")
    _later_options = ("maximize", "momentum", "centered")

    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, *, maximize=False
    ):
        options = dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, maximize=maximize)
        super().__init__(params, dict(options, momentum=momentum, centered=centered))

    def _update(self, w, g, state, group):
        if not state:
            state.update(step=0, square_avg=zeros(w))
        if group["centered"] and "grad_avg" not in state:
            state["grad_avg"] = zeros(w)
        if group["momentum"] and "momentum_buffer" not in state:
            state["momentum_buffer"] = zeros(w)
        state["step"] += 1
        g = self._direction(w, g, group)
        s = state["square_avg"].array
        scratch = g * g
        move_average(s, scratch, group["alpha"])
        if group["centered"]:
            mean = state["grad_avg"].array
            move_average(mean, g.copy(), group["alpha"])
            numpy.multiply(mean, mean, out=scratch)
            s = numpy.subtract(s, scratch, out=scratch)
            numpy.maximum(s, 0, out=s)
        numpy.sqrt(s, out=scratch)
        scratch += group["eps"]
        numpy.divide(g, scratch, out=scratch)
        if group["momentum"]:
            b = state["momentum_buffer"].array
            b *= group["momentum"]
            b += scratch
            scratch = b * group["lr"]
        else:
            scratch *= group["lr"]
        w -= scratch
