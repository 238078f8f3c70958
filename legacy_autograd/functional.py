"""Functions of tensors that v0.1.5 and later define in Python, under the module that has them there."""

from .autograd.functions import stack, unbind
from .tensor import btriunpack, chunk, matmul, split

__all__ = ["btriunpack", "chunk", "matmul", "split", "stack", "unbind"]
