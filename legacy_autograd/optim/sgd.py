"""Stochastic gradient descent (2016: `torch/optim/sgd.py`)."""

import numpy

from .. import conventions
from ..tensor import buffer_pool
from ..tensor.arguments import number_for
from ..tensor.base import STEP
from ..tensor.wrapping import wrap
from .optimizer import Optimizer, Parameters, required

_multiply, _subtract, _LARGE = numpy.multiply, numpy.subtract, buffer_pool.LARGE


class SGD(Optimizer):
    """w <- w - lr v, where v is the gradient g, or with momentum v <- momentum v + (1 - dampening) g.

    The first v is g, without dampening. With `nesterov`, w moves by g + momentum v instead.

    Args:
        params: See `Optimizer`.
        lr: The learning rate.
        momentum: The weight of the previous v.
        dampening: The part of g left out of v. Default: `momentum` under the conventions of v0.1.1, and 0 since v0.1.3.
            (In v0.1.1 an explicit 0 also became the momentum.)
        weight_decay: The factor of w that is added to g.
        nesterov: Whether to use Nesterov momentum.
        maximize: Whether w moves uphill.

    Raises:
        ValueError: If an option is negative, or `nesterov` is combined with no momentum or with dampening.

    Example:
        >>> w = Variable(torch.Tensor([1]))
        >>> (3 * w).backward()
        >>> torch.optim.SGD([w], lr=0.5).step()
        >>> w.data.tolist()
        [-0.5]

    Source:
        Sutskever et al., "On the importance of initialization and momentum in deep learning", 2013. As in torch, the
        velocity v does not contain the learning rate.
    """

    _not_negative = ("lr", "momentum", "weight_decay")
    _tensors = ("momentum_buffer",)
    _later_options = ("maximize", "nesterov")

    def __init__(
        self,
        params: Parameters,
        lr: float = required,
        momentum: float = 0,
        dampening: float | None = None,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        options = dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay)
        super().__init__(params, dict(options, nesterov=nesterov, maximize=maximize))

    def _settle(self, group):
        super()._settle(group)
        if group["dampening"] is None:
            as_momentum = conventions.era.dampening_is_momentum and not group["nesterov"]
            group["dampening"] = group["momentum"] if as_momentum else 0
        self._check_number("dampening", group["dampening"], True, "a number")
        if group["nesterov"] and (group["momentum"] == 0 or group["dampening"] != 0):
            raise ValueError(
                "SGD: Nesterov momentum needs a momentum and zero dampening, "
                f"got momentum {group['momentum']} and dampening {group['dampening']}"
            )

    @property
    def lr(self) -> float:
        """The learning rate of the first group, as in v0.1.1. Setting it sets that of all groups."""
        return self.param_groups[0]["lr"]

    @lr.setter
    def lr(self, lr: float) -> None:
        for group in self.param_groups:
            self._settle({**group, "lr": lr})
        for group in self.param_groups:
            group["lr"] = lr

    def _check_kind(self, number, key, value):
        if value is not None:  # modern torch saves None as momentum_buffer if there is no momentum
            super()._check_kind(number, key, value)

    def step(self, *input):
        # Without options, all in one function: each function more is slow for a small network.
        if input or self.state:
            return super().step(*input)
        found = []
        for group in self.param_groups:
            lr = group["lr"]
            if group["momentum"] or group["weight_decay"] or group["maximize"] or type(lr) is not float:
                return super().step()
            for p in group["params"]:
                grad = p._grad
                if grad is None:
                    continue
                tensor = p.data
                w, g = tensor.array, grad.array
                if w.shape != g.shape or w.dtype is not g.dtype:
                    return super().step()  # which raises
                found.append((tensor, w, g, lr))
        dtype = before = rate = None
        for tensor, w, g, lr in found:
            if w.dtype is not dtype or lr is not before:
                dtype, before, rate = w.dtype, lr, number_for("lr", w, lr)  # twice as fast as a Python number
            step = _multiply(g, rate) if g.nbytes < _LARGE else _multiply(g, rate, buffer_pool.like(g))
            if w.size == 1:
                w[0] = w.item() - step.item()  # numpy takes four times as long to subtract one element
            else:
                _subtract(w, step, w)
            if tensor._base is None:  # `_wrote_as`, written out
                tensor._writes += STEP
            else:
                tensor._wrote_as(STEP)
        return None

    def _update(self, w, g, state, group):
        g = self._direction(w, g, group)
        momentum = group["momentum"]
        if momentum:
            if state.get("momentum_buffer") is None:
                state["momentum_buffer"] = wrap(g.copy())
                velocity = g
            else:
                velocity = state["momentum_buffer"].array
                velocity *= momentum
                velocity += g * (1 - group["dampening"]) if group["dampening"] else g
            g = g + velocity * momentum if group["nesterov"] else velocity
        # A large product reuses the memory that the last product of this size released, which is still in the cache.
        numpy.subtract(w, numpy.multiply(g, number_for("lr", w, group["lr"]), buffer_pool.like(g)), w)
