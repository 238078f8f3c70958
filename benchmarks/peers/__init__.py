"""One module for each library that is compared."""

import importlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """A library: its module in this folder, the title of its column, and the statement that imports it after NumPy."""

    module: str
    title: str
    import_statement: str | None


PEERS = {
    "numpy": Peer("by_hand", "numpy by hand", None),
    "legacy": Peer("legacy", "legacy_autograd", "import legacy_autograd"),
    "torch": Peer("modern_torch", "torch", "import torch"),
    "dezero": Peer("dezero_peer", "DeZero", "numpy.int = int; import dezero"),
    "mygrad": Peer("mygrad_peer", "MyGrad", "import mygrad"),
    "hips": Peer("hips", "HIPS autograd", "import autograd.numpy"),
}


def load(name):
    """Return the workloads of the peer `name`: its module's PEER, or the module. ImportError if it is not installed."""
    module = importlib.import_module(f".{PEERS[name].module}", __name__)
    return getattr(module, "PEER", module)
