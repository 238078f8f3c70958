"""Timing on a noisy machine: the peers take turns, and each turn is compared with the reference's turn before it."""

import gc
import os
import statistics
import time
from dataclasses import dataclass, field

import numpy

TURN = 0.02  # seconds
REST = (
    0.05  # seconds before a turn with several threads: the threads of the turn before wait for work as long, and busily
)
THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))  # as `python -m benchmarks` set it


@dataclass
class Timing:
    """The seconds per step of one peer in each of its turns, and those of the reference in the turn before."""

    seconds: list = field(default_factory=list)
    reference: list = field(default_factory=list)

    @property
    def median(self):
        """The median of the seconds."""
        return statistics.median(self.seconds)

    @property
    def ratios(self):
        """The ratio to the reference in each turn."""
        return [own / reference for own, reference in zip(self.seconds, self.reference)]

    @property
    def ratio(self):
        """The median of the ratios."""
        return statistics.median(self.ratios)

    @property
    def quartiles(self):
        """The first and the third quartile of the ratios."""
        first, _, third = statistics.quantiles(self.ratios, n=4)
        return first, third


def compare(title, results, reference):
    """Raise RuntimeError unless the arrays of all peers, {name: list of arrays}, agree with those of `reference`.

    An array agrees if no number differs by more than 1e-4 of itself plus 1e-4 of the array's largest number.
    """
    for peer, found in results.items():
        for position, (a, b) in enumerate(zip(found, results[reference], strict=True)):
            if a.shape != b.shape:
                raise RuntimeError(
                    f"{title}: result {position} has shape {a.shape} in {peer}, {b.shape} in {reference}"
                )
            scale = max(abs(b).max(initial=0), 1e-3)
            if not numpy.allclose(a, b, rtol=1e-4, atol=1e-4 * scale):
                difference = abs(a - b).max()
                raise RuntimeError(f"{title}: result {position} of {peer} differs from {reference} by {difference:.2g}")


def interleaved(workers, seconds, reference):
    """Return a Timing for each of `workers`, {name: Worker}. They run in turn for about `seconds`, five turns at least.

    `reference` is the name of one of them. It runs again before each of the others, because a shared processor may run
    at half its speed for some seconds: both turns of a ratio are then equally slow.
    """
    once = {name: _seconds_of_a_step(worker) for name, worker in workers.items()}
    # A short step is repeated for the whole turn. In a program that trains, the processor's caches hold its own data,
    # not those of five other libraries, which cost half of a turn of 2 ms.
    repetitions = {name: max(1, round(TURN / time)) for name, time in once.items()}
    a_round = sum(once[name] * repetitions[name] + once[reference] * repetitions[reference] for name in workers)
    timings = {name: Timing() for name in workers}

    def turn(name):
        if THREADS > 1:
            time.sleep(REST)
        return workers[name].seconds(repetitions[name])

    for _ in range(max(5, min(400, round(seconds / a_round)))):
        for name in workers:
            before = turn(reference)
            timings[name].reference.append(before)
            timings[name].seconds.append(before if name == reference else turn(name))
    return timings


def _seconds_of_a_step(worker):
    """Return the seconds of a step in a turn of at least half the length. The first steps take twice as long."""
    repetitions = 1
    while True:
        seconds = max(worker.seconds(repetitions), 1e-7)
        if seconds * repetitions >= TURN / 2:
            return seconds
        repetitions *= 2


def pooled(before, found):
    """Return the Timings of two passes over a row, {name: Timing}, as one."""
    both = {name: before.get(name, Timing()) for name in found}
    return {
        name: Timing(both[name].seconds + timing.seconds, both[name].reference + timing.reference)
        for name, timing in found.items()
    }


def freeze_imports():
    """Exclude the objects that the imports made from garbage collection. The collector stays on."""
    gc.collect()
    gc.freeze()


def pin_to_cores():
    """Run this process on as many cores as threads, the same for all peers: those of a shared machine differ in speed.

    Linux only; elsewhere the system chooses the cores.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-THREADS:])
