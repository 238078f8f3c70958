"""`torch.backends`: the switches of libraries that PyTorch may compute with; numpy needs none of them."""

from . import cudnn

__all__ = ["cudnn"]
