"""Timing that holds on a noisy machine: all peers in turn, repetition by repetition, and ratios within a repetition."""

import gc
import statistics
from dataclasses import dataclass

import numpy


@dataclass
class Timing:
    """The seconds of each repetition of one peer on one workload."""

    seconds: list

    @property
    def median(self):
        return statistics.median(self.seconds)

    def ratio(self, other):
        """The median of the ratios to `other`, repetition by repetition."""
        return statistics.median([a / b for a, b in zip(self.seconds, other.seconds)])

    def spread(self, other):
        """The quartiles of those ratios."""
        quarters = statistics.quantiles([a / b for a, b in zip(self.seconds, other.seconds)], n=4)
        return quarters[0], quarters[2]


def check(title, gradients, reference):
    """Raise RuntimeError unless the gradients of all peers, {title of peer: arrays}, are those of `reference`."""
    for peer, found in gradients.items():
        for a, b in zip(found, gradients[reference], strict=True):
            scale = max(abs(b).max(initial=0), 1e-3)
            if a.shape != b.shape or not numpy.allclose(a, b, rtol=1e-4, atol=1e-4 * scale):
                raise RuntimeError(f"{title}: the gradients of {peer} are not those of {reference}")


def interleaved(workers, seconds):
    """A Timing for each of `workers`, which run in turn for about `seconds` in all, at least five times each."""
    once = {title: max(min(worker.seconds(1) for _ in range(3)), 1e-7) for title, worker in workers.items()}
    # A short step is repeated for 20 ms: a program that trains has its own data in the processor's caches, and not
    # those of seven other libraries, which after 2 ms are still half of what is measured.
    times = {title: max(1, round(0.02 / t)) for title, t in once.items()}
    repetitions = max(5, min(200, round(seconds / sum(once[title] * times[title] for title in workers))))
    timings = {title: [] for title in workers}
    for _ in range(repetitions):
        for title, worker in workers.items():
            timings[title].append(worker.seconds(times[title]))
    return {title: Timing(seconds) for title, seconds in timings.items()}


def settle():
    """Put what the imports made out of the collector's sight: it is not the workload's. The collector stays on."""
    gc.collect()
    gc.freeze()
