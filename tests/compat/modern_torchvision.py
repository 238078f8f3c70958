"""Today's torchvision, whose numbers ours are compared with."""

import functools
import importlib.util
import pathlib

import pytest
from installed import needs


@functools.cache
def load():
    """Return the module torchvision; skip the calling test module where it, or torch, is not installed."""
    needs("torch", "torchvision")
    import torch

    folder = pathlib.Path(importlib.util.find_spec("torchvision").origin).parent
    try:
        torch.ops.load_library(next(folder.glob("_C*")))
    except (OSError, StopIteration):
        # A build for CUDA beside a torch without: its operations for object detection cannot be loaded, and its import
        # asks for two of them. The rest is Python.
        _OPERATIONS.append(torch.library.Library("torchvision", "DEF"))
        for name in ("nms", "qnms"):
            _OPERATIONS[-1].define(f"{name}(Tensor boxes, Tensor scores, float threshold) -> Tensor")
    try:
        import torchvision
    except RuntimeError as error:
        pytest.skip(f"torchvision does not fit the installed torch: {error}", allow_module_level=True)
    return torchvision


_OPERATIONS = []  # registrations end with their Library
