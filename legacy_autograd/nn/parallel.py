"""`DataParallel` (v0.1.5: `torch/nn/parallel/`), which shared a batch among graphics cards. Here there are none.

As in modern torch on such a machine, the module inside is called and nothing is shared out; its parameters have
`module.` before their names. For several processes see `legacy_autograd.distributed`.
"""

from ..cuda import refuse
from .module import Module


class DataParallel(Module):
    """`module` itself, under the name `module`. RuntimeError where `device_ids` names graphics cards."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        if device_ids:
            refuse(f"DataParallel(..., device_ids={list(device_ids)})")
        self.module = module

    def forward(self, *inputs, **named):
        return self.module(*inputs, **named)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """`module(*inputs)`; one input need not be in a tuple. RuntimeError where `device_ids` names graphics cards."""
    if device_ids:
        refuse(f"data_parallel(..., device_ids={list(device_ids)})")
    return module(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))


def __getattr__(name):
    if name == "DistributedDataParallel":  # importing it starts MPI, so only a program that names it does
        from ..distributed import DistributedDataParallel

        return DistributedDataParallel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
