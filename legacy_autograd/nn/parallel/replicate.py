"""One module for several devices (v0.1.6: the same file)."""

from collections.abc import Iterable

from ...cuda import refuse
from ..module import Module


def replicate(network: Module, devices: Iterable[int]) -> list[Module]:
    """Return `network` once for each device.

    Under `run --ignore-cuda` every replica is `network` itself, so its parameters accumulate the gradients of all
    replicas, as parameters did for copies on several cards.

    Args:
        network: The Module.
        devices: The graphics cards.

    Raises:
        RuntimeError: Unless CUDA is ignored.
    """
    devices = list(devices)
    refuse(f"nn.parallel.replicate(..., {devices})")
    return [network] * len(devices)
