"""`DataParallel` (v0.1.5: `torch/nn/parallel/data_parallel.py`).

As in modern torch on a machine without graphics cards, the module inside is called with the whole batch; its parameters
have `module.` before their names.
"""

from ...cuda import refuse
from ..module import Module


class DataParallel(Module):
    """`module` itself, under the name `module`. RuntimeError where `device_ids` names graphics cards."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        if device_ids:
            refuse(f"DataParallel(..., device_ids={list(device_ids)})")
        self.dim = dim
        self.module = module
        self.device_ids = [] if device_ids is None else device_ids
        self.output_device = output_device

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """`module(*inputs)`; one input need not be in a tuple. RuntimeError where `device_ids` names graphics cards."""
    if device_ids:
        refuse(f"data_parallel(..., device_ids={list(device_ids)})")
    return module(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))
