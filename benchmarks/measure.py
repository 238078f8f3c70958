"""Timing that holds on a noisy machine: all peers in turn, repetition by repetition, and ratios within a repetition."""

import gc
import statistics
import time
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


def check(workload, peers, reference, seed):
    """The peers' steps, after each one's first gradients were compared with those of the peer `reference`."""
    steps, gradients = {}, {}
    for title, peer in peers.items():
        make = getattr(peer, workload.name, None)
        if make is not None:
            prepare(peer)
            steps[title] = make(**workload.inputs(numpy.random.default_rng(seed)))
            gradients[title] = [numpy.asarray(g, float) for g in peer.to_numpy(steps[title]())]
    for title, found in gradients.items():
        for a, b in zip(found, gradients[reference], strict=True):
            scale = max(abs(b).max(initial=0), 1e-3)
            if a.shape != b.shape or not numpy.allclose(a, b, rtol=1e-4, atol=1e-4 * scale):
                raise RuntimeError(f"{workload.title}: the gradients of {title} are not those of {reference}")
    return steps


def interleaved(steps, peers, seconds):
    """A Timing for each of `steps`, run in turn for about `seconds` in all, at least five times each."""
    once = {}
    for title, step in steps.items():
        prepare(peers[title])
        step()
        once[title] = max(_timed(step), 1e-7)
    # A short step is repeated for 20 ms: a program that trains has its own data in the processor's caches, and not
    # those of seven other libraries, which after 2 ms are still half of what is measured.
    inner = {title: max(1, round(0.02 / t)) for title, t in once.items()}
    repetitions = max(5, min(200, round(seconds / sum(once[t] * inner[t] for t in steps))))
    timings = {title: [] for title in steps}
    for _ in range(repetitions):
        for title, step in steps.items():
            prepare(peers[title])
            begin = time.perf_counter()
            for _ in range(inner[title]):
                step()
            timings[title].append((time.perf_counter() - begin) / inner[title])
    return {title: Timing(seconds) for title, seconds in timings.items()}


def prepare(peer):
    """Let a peer set what belongs to the whole process, such as the number of threads."""
    if hasattr(peer, "prepare"):
        peer.prepare()


def settle():
    """Put what the imports made out of the collector's sight: a full collection would walk through all of torch,
    which a program that uses one peer alone never pays. The collector itself stays on."""
    gc.collect()
    gc.freeze()


def _timed(step):
    begin = time.perf_counter()
    step()
    return time.perf_counter() - begin
