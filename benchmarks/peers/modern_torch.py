"""The workloads in modern torch."""

import torch

from .. import measure
from .torch_like import TorchLike

torch.set_num_threads(measure.THREADS)


class ModernTorch(TorchLike):
    def leaf(self, array, requires_grad=True):
        return torch.from_numpy(array).requires_grad_(requires_grad)


PEER = ModernTorch(torch)
