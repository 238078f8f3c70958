"""What happens when a rank fails: the whole job ends, and that rank's traceback is what one reads.

Left alone, a rank with an uncaught exception would sit in MPI's finalisation, and the others would wait forever for
its gradients. A rank that is killed is noticed by mpiexec, which ends the others. Between the two is a rank that just
leaves, by `sys.exit()` or by coming to its end too early: it says goodbye to all, and those who wait for it raise.
A rank that is stopped or hangs sends nothing: the others wait until the time limit is over, and name it.

For all that, all ranks of a job import this package's `distributed`, or none, and do so before anything that can fail:
MPI starts with the import. Where a rank ends before it, the others end the job: see `timekeeper.py`.
"""

import atexit
import collections
import contextlib
import datetime
import os
import subprocess
import sys
import time
import traceback

from . import timekeeper
from ._mpi import MPIMissing, mpi
from .launch import is_rank

_RANK = "LEGACY_AUTOGRAD_RANK"  # the process that is the rank: those that it starts inherit the variables of mpiexec
_TIME_LIMIT = "LEGACY_AUTOGRAD_DIST_TIMEOUT"
_GOODBYE = 32767  # a tag of messages in COMM_WORLD, the highest that every MPI has
_ROLL_CALL = 32766  # another one
_ANSWERED = 1  # seconds for the answers to a roll call; a rank that waits looks for the call every _PATIENCE
_SPINS = 10  # looks before a rank leaves the core to others: most answers have come by then
_PATIENCE = 0.05  # seconds of waiting before a rank checks whether another has left, and between the checks
_STILL_COMING = 3  # seconds for earlier messages of a rank that has left, perhaps through a slow rank


class CollectiveTimeout(RuntimeError):
    """A collective operation took longer than the time limit; the message names the ranks that did not come."""


def time_limit(timeout=None):
    """Return `timeout`, a number of seconds or a timedelta, in seconds.

    None is the value of the environment variable LEGACY_AUTOGRAD_DIST_TIMEOUT, or else 30 minutes, as in torch.
    """
    given = os.environ.get(_TIME_LIMIT, 1800) if timeout is None else timeout
    try:
        seconds = given.total_seconds() if isinstance(given, datetime.timedelta) else float(given)
    except (TypeError, ValueError):
        seconds = 0
    if not seconds > 0:
        raise ValueError(f"timeout, or {_TIME_LIMIT}, is a number of seconds above 0 or a timedelta, got {given!r}")
    return seconds


def start_among_many():
    """Start MPI, if mpiexec has started this process: a rank that fails can end only a job that it has joined.

    MPI starts in all ranks together. A program beside this one, `timekeeper.py`, ends the job if a rank does not come.
    """
    if not is_rank() or os.environ.setdefault(_RANK, str(os.getpid())) != str(os.getpid()):
        return
    with contextlib.ExitStack() as until_started, contextlib.suppress(MPIMissing):  # raised where MPI is needed
        if "mpi4py.MPI" not in sys.modules and os.name == "posix":
            numbers = map(str, (os.getpid(), time_limit(), timekeeper.launcher()))
            command = [sys.executable, "-IS", timekeeper.__file__, *numbers]
            until_started.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE))
        mpi()


def end_job_on_exception():
    """From now on an uncaught exception, printed as ever, ends all ranks, if there is more than this one.

    So does `os._exit`, which MPICH's mpiexec would take for the end of the whole job, often a successful one.
    """
    before = sys.excepthook
    leave = os._exit

    def excepthook(kind, error, trace):
        rank = _rank_among_many()
        if rank is None:
            before(kind, error, trace)
            return
        # In one piece: several ranks may fail together, and their lines would mix.
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stdout.flush()
        _end_job(f"rank {rank} failed, and the job with it:\n{text}", 1)

    def _exit(status):
        rank = _rank_among_many()
        if rank is not None:
            _end_job(f"rank {rank} called os._exit({status}), which ends the job\n", status or 1)
        leave(status)

    sys.excepthook = excepthook
    os._exit = _exit


def _end_job(text, status):
    timekeeper.say_last_words(text)
    mpi().COMM_WORLD.Abort(status)


def _rank_among_many():
    """This process's rank; None if it is alone, or MPI is not running in it, or only in the one it was forked from."""
    module = sys.modules.get("mpi4py.MPI")
    if module is None or os.environ.get(_RANK, str(os.getpid())) != str(os.getpid()):
        return None
    if not module.Is_initialized() or module.Is_finalized() or module.COMM_WORLD.size == 1:
        return None
    return module.COMM_WORLD.rank


def say_goodbye_at_exit():
    """Have this process tell all others when it ends by itself; a rank that fails has ended the job by then."""
    atexit.register(_say_goodbye)


def _say_goodbye():
    """Send every other rank a goodbye, and wait for theirs, as the finalisation of MPI would do next in any case.

    Messages, not a barrier: it would meet a barrier in which others wait for something else. All are received, because
    MPI may end the job over a message that is not. The time limit is that of the environment variable: a rank may work
    on alone for longer than a collective operation takes.
    """
    rank = _rank_among_many()
    if rank is None:
        return
    world = mpi().COMM_WORLD
    others = [other for other in range(world.size) if other != rank]
    nothing = bytearray(0)
    requests = [world.Issend(nothing, other, _GOODBYE) for other in others]
    requests += [world.Irecv(nothing, other, _GOODBYE) for other in others]
    try:
        Presence(world).wait(requests)
    except CollectiveTimeout:
        sys.excepthook(*sys.exc_info())  # Python calls no hook for exceptions at exit


class Presence:
    """Waits for the ranks of `comm`, and notices if one of them ends instead, or does not come in `timeout`."""

    def __init__(self, comm, timeout=None):
        self.timeout = time_limit(timeout)
        self._what = "the end of the program"
        self._begun = collections.Counter()  # how many collective operations of each kind
        self._world = mpi().COMM_WORLD
        numbers = comm.group.Translate_ranks(None, self._world.group)
        self._others = [number for number in numbers if number not in (mpi().UNDEFINED, self._world.rank)]

    def begin(self, what):
        """Count a collective operation. Messages say that `wait` waits for `what` from now on."""
        self._what = what
        self._begun[what] += 1

    def wait(self, requests):
        """Wait for all of MPI's `requests`.

        Raises RuntimeError if another rank ends first, CollectiveTimeout after the time limit.
        """
        if any(_have_ended(requests) for _ in range(_SPINS)):
            return
        waited, before = 0.0, time.monotonic()
        while not _have_ended(requests):
            now = time.monotonic()
            if now - before > _PATIENCE:
                waited += min(now - before, 1)  # this rank may have been stopped itself, for longer than the limit
                before = now
                self._check_nobody_left(requests)
                self._check_time(waited)
            time.sleep(min(waited / 1000, 0.001))  # at first 0: another rank runs, if there are more ranks than cores

    def _check_time(self, waited):
        """Raise CollectiveTimeout if the time limit is over in this rank, or in another one that calls the roll.

        Only then do the ranks tell each other where they are, so that it costs nothing before. The others that wait
        answer, and raise as well; a rank that is stopped, hangs or computes does not answer.
        """
        world, place, count = self._world, self._what, self._begun[self._what]
        if waited < self.timeout and not world.Iprobe(tag=_ROLL_CALL):
            return
        if count:
            place += f" (number {count} of its kind, collective {self._begun.total()} in all)"
        self._calls = [world.isend(place, other, _ROLL_CALL) for other in self._others]  # kept: MPI reads them
        places = {}
        end = time.monotonic() + _ANSWERED
        while len(places) < len(self._others) and time.monotonic() < end:
            time.sleep(0.001)
            for other in self._others:
                if world.Iprobe(other, _ROLL_CALL):
                    places[other] = world.recv(source=other, tag=_ROLL_CALL)
        missing = ", ".join(f"rank {other}" for other in self._others if other not in places) or "no rank"
        elsewhere = [f"rank {other} waits for {theirs}; " for other, theirs in places.items() if theirs != place]
        raise CollectiveTimeout(
            f"the time limit of {self.timeout:g} s is over: {missing} failed to come to {place}; rank {world.rank} "
            f"waited {waited:.1f} s there; {''.join(elsewhere)}a rank that does not come is stopped, hangs or is slow "
            f"(a longer limit: init_process_group(timeout=seconds) or {_TIME_LIMIT})"
        )

    def _check_nobody_left(self, requests):
        left = [rank for rank in self._others if self._world.Iprobe(rank, _GOODBYE)]
        if not left:
            return
        end = time.monotonic() + _STILL_COMING
        while time.monotonic() < end:
            if _have_ended(requests):
                return
            time.sleep(0.001)
        raise RuntimeError(
            f"rank {left[0]} has ended its program while rank {self._world.rank} waits for {self._what}: all ranks "
            "must run forward and backward equally often (do their loaders have equally many batches?)"
        )


def _have_ended(requests):
    return all([request.Test() for request in requests])
