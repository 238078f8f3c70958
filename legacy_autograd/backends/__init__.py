"""`torch.backends`: the switches of libraries that PyTorch may compute with, of which numpy needs none."""

from . import cudnn

__all__ = ["cudnn"]
