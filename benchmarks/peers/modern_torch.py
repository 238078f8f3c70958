"""The workloads in modern torch, on one thread."""

import torch

from .torch_like import TorchLike

torch.set_num_threads(1)


class ModernTorch(TorchLike):
    def leaf(self, array, requires_grad=True):
        return torch.from_numpy(array).requires_grad_(requires_grad)


PEER = ModernTorch(torch)
