"""`torch.legacy`: what came over from Lua's Torch with its own interface (2016: `torch/legacy/`).

`optim` is complete. `nn`, the layers that compute gradients by themselves, is empty.
"""

from . import nn, optim  # noqa: F401
