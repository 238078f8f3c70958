"""Resilient backpropagation (v0.1.5)."""

import numpy

from ..tensor.wrapping import wrap
from .optimizer import Optimizer, Parameters, zeros


class Rprop(Optimizer):
    """w <- w - d sign(g), where each element has its own step d, whatever the magnitude of its gradient.

    d is multiplied by `etas[1]` while the gradient keeps its sign, and by `etas[0]` when the sign has changed. After a
    change of sign, w is unchanged for one step.

    Args:
        params: See `Optimizer`.
        lr: The initial d.
        etas: The factors, one below and one above 1.
        step_sizes: The smallest and the largest d.
        maximize: Whether w moves uphill.

    Raises:
        ValueError: If an option is out of range.

    Source:
        Igel and Hüsken, "Improving the Rprop learning algorithm", 2000 (iRprop⁻), after Riedmiller and Braun, 1993.
    """

    _tensors = ("prev", "step_size")

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, maximize=maximize))

    def _settle(self, group):
        super()._settle(group)
        shrink, grow = self._pair("etas", group)
        self._pair("step_sizes", group)
        if not 0 < shrink < 1 < grow:
            raise ValueError(f"Rprop: etas must be a factor between 0 and 1 and one above 1, got {shrink} and {grow}")

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
        previous[changed] = 0  # so that the next product of gradients is 0
        w -= numpy.sign(previous) * d
