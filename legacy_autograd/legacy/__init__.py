"""`torch.legacy`: what came over from Lua's Torch with its own interface (2016: `torch/legacy`).

`optim` is complete. The modules of `nn`, which compute gradients by methods of their own instead of by autograd, are
not part of this package; `nn` says so for each name.
"""

from . import nn, optim  # noqa: F401
