"""Memory and time a node, each peer in a process of its own: `python -m benchmarks.memory PEER OPERATIONS`.

Prints, as JSON, the bytes a node by which the process grew while the graph of a chain `x = x*c + d` was built and is
alive, and the microseconds a node for building it and, where the peer can, running backward.
"""

import json
import subprocess
import sys
import time

from . import peers
from .measure import stay_on_one_core


def measure(peer, operations):
    """The figures of `peer` (a module name below benchmarks.peers), measured in a new process."""
    command = [sys.executable, "-m", "benchmarks.memory", peer, str(operations)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * 4096


def _main(peer, operations):
    stay_on_one_core()
    peer = peers.peer(peer)
    inputs = {"x": 0.5, "c": 0.999, "d": 0.001}
    figures = {}
    if hasattr(peer, "chain_forward"):
        peer.chain_forward(operations=100, **inputs)()
        before = _resident_bytes()
        graph = peer.chain_forward(operations=operations, **inputs)()
        figures["bytes"] = (_resident_bytes() - before) / operations
        del graph
    step = peer.chain(operations=operations, **inputs)
    seconds = []
    for _ in range(max(1, 100_000 // operations)):
        begin = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - begin)
    figures["microseconds"] = sorted(seconds)[len(seconds) // 2] / operations * 1e6
    print(json.dumps(figures))


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]))
