"""`DataParallel` (v0.1.5: `torch/nn/parallel/data_parallel.py`).

As in modern torch on a machine without graphics cards, the inner module is called with the whole batch. The names of
its parameters begin with `module.`.
"""

from collections.abc import Sequence
from typing import Any

from ...cuda import refuse
from ..module import Module


class DataParallel(Module):
    """A wrapper that calls its `module` with the whole batch.

    Args:
        module: The Module.
        device_ids: The graphics cards: none.
        output_device: Ignored.
        dim: The dimension of the batch. Ignored.

    Raises:
        RuntimeError: If `device_ids` names graphics cards.
    """

    def __init__(
        self, module: Module, device_ids: Sequence[int] | None = None, output_device: int | None = None, dim: int = 0
    ) -> None:
        super().__init__()
        if device_ids:
            refuse(f"DataParallel(..., device_ids={list(device_ids)})")
        self.dim = dim
        self.module = module
        self.device_ids = [] if device_ids is None else device_ids
        self.output_device = output_device

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def data_parallel(
    module: Module,
    inputs: Any,
    device_ids: Sequence[int] | None = None,
    output_device: int | None = None,
    dim: int = 0,
    module_kwargs: dict[str, Any] | None = None,
) -> Any:
    """Return `module(*inputs, **module_kwargs)`.

    Args:
        module: The Module.
        inputs: A tuple of arguments, or a single one.
        device_ids: The graphics cards: none.
        output_device: Ignored.
        dim: The dimension of the batch. Ignored.
        module_kwargs: Keyword arguments of the module.

    Raises:
        RuntimeError: If `device_ids` names graphics cards.
    """
    if device_ids:
        refuse(f"data_parallel(..., device_ids={list(device_ids)})")
    return module(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))
