"""Bytes a node of the chain `x = x * c + d`, and the time a node as the chain grows.

Every measurement is a process of its own: `python -m benchmarks.memory bytes|microseconds PEER OPERATIONS`.
"""

import pathlib
import statistics
import subprocess
import sys
import time

import numpy

from . import measure, peers

STATM = pathlib.Path("/proc/self/statm")
TIMEOUT = 300  # seconds a process


def bytes_a_node(peer, operations=100_000):
    """Return the bytes a node by which the process grows while a graph is built. None where that cannot be measured."""
    return _in_new_process("bytes", peer, operations)


def growth(peer, rounds):
    """Return the time a node at 1,000,000 nodes over that at 10,000: the median of `rounds`.

    The small graph is measured before and after each large one, because the machine's speed changes within a minute.
    """
    before = _in_new_process("microseconds", peer, 10_000)
    ratios = []
    for _ in range(rounds):
        large = _in_new_process("microseconds", peer, 1_000_000)
        after = _in_new_process("microseconds", peer, 10_000)
        ratios.append(large / statistics.mean([before, after]))
        before = after
    return statistics.median(ratios)


def _in_new_process(figure, peer, operations):
    command = [sys.executable, "-m", "benchmarks.memory", figure, peer, str(operations)]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT).stdout
    return None if output.strip() == "None" else float(output)


def _bytes(peer, operations, inputs):
    if not STATM.exists() or not hasattr(peer, "chain_graph"):
        return None
    peer.chain_graph(100, **inputs)()  # the first call allocates memory only once
    build = peer.chain_graph(operations, **inputs)
    before = _resident_bytes()
    graph = build()
    figure = (_resident_bytes() - before) / operations
    del graph
    return figure


def _resident_bytes():
    import resource  # not on Windows

    return int(STATM.read_text(encoding="ascii").split()[1]) * resource.getpagesize()


def _microseconds(peer, operations, inputs):
    """Return the microseconds per node for building the graph and running backward."""
    step, _ = peer.chain(operations, **inputs)
    seconds = []
    for _ in range(max(1, 100_000 // operations)):
        begin = time.process_time()
        step()
        seconds.append(time.process_time() - begin)
    return statistics.median(seconds) / operations * 1e6


def _main(figure, name, operations):
    measure.pin_to_cores()
    peer = peers.load(name)
    measure.freeze_imports()
    inputs = {"x": numpy.array([0.5]), "c": numpy.array([0.999]), "d": numpy.array([0.001])}
    print({"bytes": _bytes, "microseconds": _microseconds}[figure](peer, int(operations), inputs))


if __name__ == "__main__":
    _main(*sys.argv[1:])
