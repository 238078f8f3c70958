"""The workloads in modern torch, on as many threads as it takes where nobody says otherwise: one for each core."""

import os

import torch

from .modern_torch import PEER  # noqa: F401

torch.set_num_threads(os.cpu_count())
