"""Limits of time and memory for a student's process, where the system can keep them; the judge's clock always runs.

Unix counts processor time, so that a busy machine does not cost points. Linux refuses memory beyond a limit, and
the line that needs more raises a MemoryError; elsewhere on Unix a thread watches the process and ends it. Windows has
neither: there the judge's clock ends an endless loop, and memory is not limited.
"""

import os
import sys
import threading
import time
from dataclasses import dataclass

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

OUT_OF_MEMORY = 86  # the exit code of a process that its watching thread ended


@dataclass(frozen=True)
class Limits:
    """For each check: seconds of processor time. For the student's code: megabytes above the package's own use."""

    seconds: int = 10
    megabytes: int = 1000

    @property
    def total(self):
        """Return seconds of processor time for all checks of an answer together."""
        return self.seconds * 6

    @property
    def patience(self):
        """Return seconds by the clock for one question: more, because other processes run too."""
        return self.seconds * 3 if resource is None else self.seconds * 6 + 30

    @property
    def total_patience(self):
        """Return seconds by the clock for all questions: code that sleeps uses no processor time."""
        return self.total * 3 + 30


LIMITS = Limits()


def limit_memory(megabytes):
    """Call this once, after everything except the student's code is loaded."""
    if resource is None:
        return
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            in_use = int(file.read().split()[0]) * resource.getpagesize()
        _lower(resource.RLIMIT_AS, in_use + megabytes * 2**20)
    except OSError:  # macOS, where RLIMIT_AS is not kept
        threading.Thread(target=_watch, args=(megabytes,), daemon=True).start()


def used():
    """Return the seconds of processor time that this process has used."""
    return time.process_time()


def limit_time(seconds, again=True):
    """Allow this many seconds of processor time from now on. `again`: it can be changed later.

    At its soft limit a process gets SIGXCPU. At the hard one it gets SIGKILL, as it does when memory is used up, so
    the hard limit is a second later.
    """
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        latest = _no_higher(int(used()) + seconds + 2, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (latest - 1, hard if again else latest))


def limit_files(megabytes=20):
    """Limit the length of files, and write no core dump."""
    if resource is not None:
        _lower(resource.RLIMIT_FSIZE, megabytes * 2**20)
        _lower(resource.RLIMIT_CORE, 0)


def _lower(kind, limit):
    """Set the limit, no higher than the hard one is."""
    limit = _no_higher(limit, resource.getrlimit(kind)[1])
    resource.setrlimit(kind, (limit, limit))


def _no_higher(limit, hard):
    return limit if hard == resource.RLIM_INFINITY else min(limit, hard)


def _watch(megabytes, interval=0.05):
    unit = 1 if sys.platform == "darwin" else 1024
    start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    while (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) * unit < megabytes * 2**20:
        time.sleep(interval)
    os._exit(OUT_OF_MEMORY)
