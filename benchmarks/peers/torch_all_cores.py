"""The workloads in modern torch, on as many threads as it takes where nobody says otherwise: one for each core."""

import os

import torch

from . import modern_torch


class AllCores:
    """What `modern_torch` does, on all cores."""

    def __getattr__(self, name):
        return getattr(modern_torch.PEER, name)

    def prepare(self):
        torch.set_num_threads(os.cpu_count())


PEER = AllCores()
