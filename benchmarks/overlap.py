"""How much time overlap saves: a step that sends while backward computes, against one that sends afterwards.

    python -m benchmarks.overlap --ranks 2 --megabits 1000

On one machine the messages are copies from memory to memory, which the same cores make that compute: little can be
saved. `--megabits` holds every message back for as long as a network of that speed would take, without making a core
busy, which is what a network card does.
"""

import argparse
import statistics
import subprocess
import time

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.distributed import DistributedDataParallel, launch
from legacy_autograd.distributed._mpi import MPIMissing


def measure_overlap(module, loss_of, steps=20, megabits=None, **options):
    """Return the median seconds of a forward and backward of `module` with overlap and without, in every rank.

    `loss_of(model)` makes a loss. A step takes as long as it takes the slowest rank. The two kinds take turns, so that
    what else the machine does meanwhile meets both.
    """
    seconds = {True: [], False: []}
    for round in range(steps + 1):
        for overlap in (True, False):
            model = DistributedDataParallel(module, overlap=overlap, **options)
            if megabits is not None:
                model._reducer.comm = _SlowNetwork(model._reducer.comm, megabits)
            model.process_group.barrier("the measurement")
            begin = time.perf_counter()
            loss_of(model).backward()
            took = max(model.process_group.gather(time.perf_counter() - begin, "what a step took"))
            if round > 0:  # the first one warms up
                seconds[overlap].append(took)
            model.close()
    return statistics.median(seconds[True]), statistics.median(seconds[False])


class _SlowNetwork:
    """A communicator whose all-reduces take at least as long as on a network of `megabits` per second.

    Every rank sends and receives 2 (n - 1) / n of the bytes, as on a ring, one message after the other.
    """

    def __init__(self, comm, megabits):
        self.size = comm.size
        self._comm = comm
        self._seconds_a_byte = 8e-6 / megabits * 2 * (comm.size - 1) / comm.size
        self._is_free = 0.0

    def Free(self):
        self._comm.Free()

    def Iallreduce(self, place, array, op):
        self._is_free = max(self._is_free, time.perf_counter()) + array.nbytes * self._seconds_a_byte
        return _HeldBack(self._comm.Iallreduce(place, array, op=op), self._is_free)


class _HeldBack:
    def __init__(self, request, until):
        self._request = request
        self._until = until

    def Test(self):
        return self._request.Test() and time.perf_counter() >= self._until


def main(arguments=None):
    """Start the ranks, or run as one of them; rank 0 prints the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--megabits", type=float, help="of the network, each second; default: what this machine has")
    parser.add_argument("--width", type=int, default=512, help="of the layers")
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--batch", type=int, default=64, help="of each rank")
    parser.add_argument("--steps", type=int, default=20)
    parsed = parser.parse_args(arguments)
    if not launch.is_rank():
        given = [f"--{name}={value}" for name, value in vars(parsed).items() if value is not None]
        try:
            command = launch.command(parsed.ranks, "-m", "benchmarks.overlap", *given)
        except MPIMissing as error:
            parser.exit(1, f"{error}\n")
        return subprocess.run(command, env=launch.environment(parsed.ranks)).returncode

    layers = [layer for _ in range(parsed.layers) for layer in (nn.Linear(parsed.width, parsed.width), nn.Tanh())]
    module = nn.Sequential(*layers)
    input = Variable(torch.randn(parsed.batch, parsed.width), requires_grad=False)
    seconds = measure_overlap(module, lambda model: model(input).sum(), parsed.steps, parsed.megabits)
    size = sum(parameter.data.array.nbytes for parameter in module.parameters())
    model = DistributedDataParallel(module)
    ranks = model.process_group.size
    if model.process_group.rank == 0:
        network = "this machine's memory" if parsed.megabits is None else f"{parsed.megabits:g} Mbit/s"
        print(f"{ranks} ranks, {size / 1e6:.1f} MB of gradients in {len(model.buckets)} buckets, over {network}:")
        print("a step takes {:.1f} ms with overlap, {:.1f} ms without".format(*(1000 * part for part in seconds)))
        print(f"ratio {seconds[0] / seconds[1]:.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
