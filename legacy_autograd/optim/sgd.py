"""Stochastic gradient descent (2016: `torch/optim/sgd.py`)."""

import numpy

from .. import conventions
from ..tensor import buffer_pool
from ..tensor._helpers import number_for, wrap
from ..tensor.base import STEP
from .optimizer import Optimizer, required

_multiply, _subtract, _LARGE = numpy.multiply, numpy.subtract, buffer_pool.LARGE


class SGD(Optimizer):
    """w <- w - lr v, where v is the gradient g, or with momentum v <- momentum v + (1 - dampening) g.

    The first v is the first g, undampened. With `nesterov`, w moves by g + momentum v instead (Sutskever et al., "On
    the importance of initialization and momentum in deep learning", 2013, with the velocity written as torch has it:
    without the learning rate in it).

    `dampening`, where nothing is said, is the momentum under the conventions of v0.1.1 and 0 from v0.1.3 on. In
    v0.1.1 an explicit 0 became the momentum, too; here it is 0.
    """

    _not_negative = ("lr", "momentum", "weight_decay")
    _tensors = ("momentum_buffer",)
    _later_options = ("maximize", "nesterov")

    def __init__(
        self, params, lr=required, momentum=0, dampening=None, weight_decay=0, nesterov=False, *, maximize=False
    ):
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def _settle(self, group):
        super()._settle(group)
        if group["dampening"] is None:
            as_momentum = conventions.era.dampening_is_momentum and not group["nesterov"]
            group["dampening"] = group["momentum"] if as_momentum else 0
        self._check_number("dampening", group["dampening"], True, "a number")
        if group["nesterov"] and (group["momentum"] == 0 or group["dampening"] != 0):
            raise ValueError(
                "SGD: Nesterov momentum requires a momentum and zero dampening, "
                f"got momentum {group['momentum']} and dampening {group['dampening']}"
            )

    @property
    def lr(self):
        """v0.1.1's place for the learning rate: that of the first group. Setting it sets that of all groups."""
        return self.param_groups[0]["lr"]

    @lr.setter
    def lr(self, lr):
        for group in self.param_groups:
            self._settle({**group, "lr": lr})
        for group in self.param_groups:
            group["lr"] = lr

    def _check_kind(self, number, key, value):
        if value is not None:  # modern torch writes None for the momentum_buffer where there is no momentum
            super()._check_kind(number, key, value)

    def _update_group(self, group, with_gradient):
        lr = group["lr"]
        if group["momentum"] or group["weight_decay"] or group["maximize"] or type(lr) is not float:
            return super()._update_group(group, with_gradient)
        dtype = None
        for _, tensor, w, g in with_gradient:  # the formula without options, in which a small network spends less
            if w.dtype is not dtype:  # numpy takes twice as long for Python's number
                dtype, rate = w.dtype, number_for("lr", w, lr)
            step = _multiply(g, rate) if g.nbytes < _LARGE else _multiply(g, rate, buffer_pool.like(g))
            _subtract(w, step, w)
            if tensor._base is None:  # `_stepped`, written out
                tensor._writes += STEP
            else:
                tensor._stepped()
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
        # A large product goes to the memory that the gradient's own product has just left: it is still in the cache.
        numpy.subtract(w, numpy.multiply(g, number_for("lr", w, group["lr"]), buffer_pool.like(g)), w)
