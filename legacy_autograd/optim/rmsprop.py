"""RMSprop (v0.1.5)."""

import numpy

from .optimizer import Optimizer, Parameters, move_average, zeros


class RMSprop(Optimizer):
    """w <- w - lr g / (√s + eps) with s <- alpha s + (1 - alpha) g².

    With `centered`, the square of a moving average of g is subtracted from s, which then estimates the variance. Where
    rounding makes that negative it counts as 0 (in torch the parameter becomes nan). With `momentum`, w moves by lr b,
    where b <- momentum b + g / (√s + eps).

    Args:
        params: See `Optimizer`.
        lr: The learning rate.
        alpha: The weight of the old average.
        eps: A number that keeps the divisor above 0.
        weight_decay: The factor of w that is added to g.
        momentum: The weight of the previous b.
        centered: Whether s estimates the variance.
        maximize: Whether w moves uphill.

    Raises:
        ValueError: If an option is negative.

    Source:
        Tieleman and Hinton, lecture 6.5 of "Neural networks for machine learning", 2012. `centered`: Graves,
        "Generating sequences with recurrent neural networks", 2013.
    """

    _not_negative = ("lr", "alpha", "eps", "weight_decay", "momentum")
    _tensors = ("square_avg", "grad_avg", "momentum_buffer")
    _later_options = ("maximize", "momentum", "centered")

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
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
