"""`torch.legacy`: the parts of Lua's Torch that keep its interface (2016: `torch/legacy/`).

`optim` is complete. `nn`, whose layers compute their own gradients, is empty.
"""

from . import nn, optim  # noqa: F401
