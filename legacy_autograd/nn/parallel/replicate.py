"""One module for several devices (v0.1.6: the same file)."""

from ...cuda import refuse


def replicate(network, devices):
    """Return `network` once for each of `devices`.

    Raises RuntimeError as there is no graphics card. Under `run --ignore-cuda` the replicas are `network` itself, so
    gradients of all of them are added up in its parameters, as those of copies on several cards were.
    """
    devices = list(devices)
    refuse(f"nn.parallel.replicate(..., {devices})")
    return [network] * len(devices)
