"""`torch.utils.backcompat`: warnings where a result of v0.2.0 differs from that of v0.1.12 (0.2).

`broadcast_warning.enabled = True` warns of operands of equal count and different shape that are broadcast,
`keepdim_warning.enabled = True` of reductions that drop their dimension because `keepdim` is not given.
"""

from ..tensor.backcompat import Warning, broadcast_warning, keepdim_warning  # noqa: F401
