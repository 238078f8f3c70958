"""Resilient backpropagation (v0.1.5)."""

import numpy

from ..tensor._helpers import wrap
from .optimizer import Optimizer, zeros


class Rprop(Optimizer):
    """w <- w - d sign(g), every element with a step d of its own, whatever the size of its gradient.

    d begins at lr, grows by `etas[1]` while the gradient keeps its sign and shrinks by `etas[0]` when it has changed,
    within `step_sizes`; after a change of sign, w stays for one step. Igel and Hüsken, "Improving the Rprop learning
    algorithm", 2000, where this variant is called iRprop⁻; after Riedmiller and Braun, 1993.
    """

    _tensors = ("prev", "step_size")

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, maximize=False):
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, maximize=maximize))

    def _settle(self, group):
        super()._settle(group)
        shrink, grow = self._pair("etas", group)
        self._pair("step_sizes", group)
        if not 0 < shrink < 1 < grow:
            raise ValueError(f"Rprop: etas are to be a factor from 0 to 1 and one above 1, got {shrink} and {grow}")

    def _update(self, w, g, state, group):
        if not state:
            state.update(step=0, prev=zeros(w), step_size=wrap(numpy.full_like(w, group["lr"])))
        state["step"] += 1
        if group["maximize"]:
            g = -g
        previous, d = state["prev"].array, state["step_size"].array
        agreement = g * previous
        changed = agreement < 0
        d *= numpy.where(changed, group["etas"][0], numpy.where(agreement > 0, group["etas"][1], 1)).astype(w.dtype)
        numpy.clip(d, *group["step_sizes"], out=d)
        previous[...] = g
        previous[changed] = 0  # the next gradient agrees with neither sign
        w -= numpy.sign(previous) * d
