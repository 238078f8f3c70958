"""`torch.legacy`: the parts that PyTorch took over from Lua's Torch (2016: `torch/legacy/`).

Programs import its packages beside the others. `nn`, the layers that compute gradients by themselves, is empty.
"""

from . import nn  # noqa: F401
