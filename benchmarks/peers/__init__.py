"""One module for each peer."""

import importlib

NAMES = {
    "by_hand": "numpy",
    "legacy": "legacy_autograd",
    "modern_torch": "torch, 1 thread",
    "torch_all_cores": "torch, all cores",
    "hips": "HIPS autograd",
    "mygrad_peer": "MyGrad",
    "dezero_peer": "DeZero",
    "sixty_lines": "60 lines",
}
ALL_CORES = "torch_all_cores"  # the one that may use more than one thread


def peer(name):
    """The peer of the module `name`: its PEER, or the module itself. ImportError if what it needs is not installed."""
    module = importlib.import_module(f".{name}", __name__)
    return getattr(module, "PEER", module)
