"""Timing that holds on a noisy machine: all peers in turn, each right after the unit that it is a multiple of."""

import gc
import os
import statistics
from dataclasses import dataclass, field

import numpy


@dataclass
class Timing:
    """The seconds of each repetition of one peer on one workload, and those of the unit right before it."""

    seconds: list = field(default_factory=list)
    unit: list = field(default_factory=list)

    @property
    def median(self):
        return statistics.median(self.seconds)

    def ratios(self):
        """The multiples of the unit, repetition by repetition."""
        return [a / b for a, b in zip(self.seconds, self.unit)]

    def ratio(self):
        """Their median."""
        return statistics.median(self.ratios())

    def spread(self):
        """Their quartiles."""
        quarters = statistics.quantiles(self.ratios(), n=4)
        return quarters[0], quarters[2]

    def over(self, other):
        """The median of the multiples of what `other`, another Timing, takes."""
        return statistics.median([a / b for a, b in zip(self.ratios(), other.ratios())])


def check(title, gradients, reference):
    """Raise RuntimeError unless the gradients of all peers, {title of peer: arrays}, are those of `reference`."""
    for peer, found in gradients.items():
        for a, b in zip(found, gradients[reference], strict=True):
            scale = max(abs(b).max(initial=0), 1e-3)
            if a.shape != b.shape or not numpy.allclose(a, b, rtol=1e-4, atol=1e-4 * scale):
                raise RuntimeError(f"{title}: the gradients of {peer} are not those of {reference}")


def interleaved(workers, seconds, unit):
    """A Timing for each of `workers`, which run in turn for about `seconds` in all, at least five times each.

    `unit` is the title of one of them, which runs again before each of the others: a processor that is shared with
    other machines goes at half its speed for a second here and there, and then for both of the two.
    """
    once = {title: max(min(worker.seconds(1) for _ in range(3)), 1e-7) for title, worker in workers.items()}
    # A short step is repeated for 20 ms: a program that trains has its own data in the processor's caches, and not
    # those of seven other libraries, which after 2 ms are still half of what is measured.
    times = {title: max(1, round(0.02 / t)) for title, t in once.items()}
    round_of_all = sum(once[title] * times[title] + once[unit] * times[unit] for title in workers)
    timings = {title: Timing() for title in workers}
    for _ in range(max(5, min(200, round(seconds / round_of_all)))):
        for title, worker in workers.items():
            beside = workers[unit].seconds(times[unit])
            timings[title].unit.append(beside)
            timings[title].seconds.append(beside if title == unit else worker.seconds(times[title]))
    return timings


def settle():
    """Put what the imports made out of the collector's sight: it is not the workload's. The collector stays on."""
    gc.collect()
    gc.freeze()


def stay_on_one_core():
    """Run on one core, the same for all processes that call this, unless more threads than one were asked for.

    Where others use the machine too, one core may run at half the speed of another. Linux only.
    """
    if os.environ.get("OMP_NUM_THREADS") == "1" and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
