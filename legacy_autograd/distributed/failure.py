"""What happens when a rank fails: the whole job ends, and the traceback of that rank is shown.

Without this module a rank with an uncaught exception would block in MPI's finalization, and the others would wait for
its gradients forever. If a rank is killed, mpiexec ends the others. If a rank just ends, by `sys.exit()` or by reaching
its end too early, it sends a goodbye to all ranks, and those that wait for it raise. A rank that is stopped or hangs
sends nothing; the others wait until the time limit and then name it.

For this to work either all ranks of a job import `legacy_autograd.distributed` or none, before anything that can fail,
because the import starts MPI. If a rank ends before that, the others end the job: see `timekeeper.py`.
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

_RANK = "LEGACY_AUTOGRAD_RANK"  # the rank's process; the processes that it starts inherit mpiexec's variables
_TIME_LIMIT = "LEGACY_AUTOGRAD_DIST_TIMEOUT"
_GOODBYE = 32767  # a tag of messages in COMM_WORLD, the highest that every MPI allows
_ROLL_CALL = 32766  # another tag
_ANSWERED = 1  # seconds for the answers to a roll call; a waiting rank looks for the call every _PATIENCE
_SPINS = 10  # tests before a rank yields the core to others; most answers have come by then
_PATIENCE = 0.05  # seconds of waiting before and between checks for ranks that have ended
_STILL_COMING = 3  # seconds for messages that an ended rank sent before, perhaps through a slow rank


class CollectiveTimeout(RuntimeError):
    """A collective operation exceeded the time limit; the message names the ranks that did not arrive."""


def time_limit(timeout=None):
    """Return `timeout`, a number of seconds or a timedelta, in seconds.

    Default: the environment variable LEGACY_AUTOGRAD_DIST_TIMEOUT, or 30 minutes, as in torch.
    """
    given = os.environ.get(_TIME_LIMIT, 1800) if timeout is None else timeout
    try:
        seconds = given.total_seconds() if isinstance(given, datetime.timedelta) else float(given)
    except (TypeError, ValueError):
        seconds = 0
    if not seconds > 0:
        raise ValueError(
            f"timeout, or {_TIME_LIMIT}, must be a number of seconds above 0 or a timedelta, got {given!r}"
        )
    return seconds


def start_among_many() -> None:
    """Start MPI if mpiexec started this process, since a failing rank can only end a job that it has joined.

    MPI starts in all ranks together. Another program, `timekeeper.py`, ends the job if a rank does not arrive.
    """
    if not is_rank() or os.environ.setdefault(_RANK, str(os.getpid())) != str(os.getpid()):
        return
    # Code that needs MPI raises MPIMissing again.
    with contextlib.ExitStack() as until_started, contextlib.suppress(MPIMissing):
        if "mpi4py.MPI" not in sys.modules and os.name == "posix":
            numbers = map(str, (os.getpid(), time_limit(), timekeeper.launcher()))
            command = [sys.executable, "-IS", timekeeper.__file__, *numbers]
            until_started.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE))
        mpi()


def end_job_on_exception() -> None:
    """Make an uncaught exception, after it is printed, end all ranks, if there is more than one.

    `os._exit` ends all ranks too: MPICH's mpiexec would take it for the end of the whole job, often a successful one.
    """
    before = sys.excepthook
    leave = os._exit

    def excepthook(kind, error, trace):
        rank = _rank_among_many()
        if rank is None:
            before(kind, error, trace)
            return
        # As one text, because several ranks may fail together and mix their lines.
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stdout.flush()
        _end_job(f"rank {rank} failed, which ends the job:\n{text}", 1)

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
    """Return this process's rank, or None if it is alone, does not run MPI, or was forked from a rank."""
    module = sys.modules.get("mpi4py.MPI")
    if module is None or os.environ.get(_RANK, str(os.getpid())) != str(os.getpid()):
        return None
    if not module.Is_initialized() or module.Is_finalized() or module.COMM_WORLD.size == 1:
        return None
    return module.COMM_WORLD.rank


def say_goodbye_at_exit() -> None:
    """Make this process send a goodbye to all other ranks at its regular end.

    A failing rank has ended the job before that.
    """
    atexit.register(_say_goodbye)


def _say_goodbye():
    """Send every other rank a goodbye and wait for theirs, as MPI's finalization would do next in any case.

    These are messages, because a barrier would match another barrier that other ranks wait in. All are received,
    because MPI may end the job over a message that is not. The time limit is that of the environment variable, because
    a rank may work alone for longer than a collective operation takes.
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
        sys.excepthook(*sys.exc_info())  # at exit Python does not call the hook itself


class Presence:
    """Waits for the ranks of `comm`, and raises if one of them ends instead, or does not arrive within `timeout`."""

    def __init__(self, comm, timeout=None):
        self.timeout = time_limit(timeout)
        self._what = "the end of the program"
        self._begun = collections.Counter()  # the number of collective operations of each kind
        self._world = mpi().COMM_WORLD
        numbers = comm.group.Translate_ranks(None, self._world.group)
        self._others = [number for number in numbers if number not in (mpi().UNDEFINED, self._world.rank)]

    def begin(self, what):
        """Count a collective operation, and name it in the messages of the following `wait`."""
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
                waited += min(now - before, 1)  # limited, because this rank may have been stopped itself
                before = now
                self._check_nobody_left(requests)
                self._check_time(waited)
            time.sleep(min(waited / 1000, 0.001))  # first 0, which lets another rank run on this core

    def _check_time(self, waited):
        """Raise CollectiveTimeout if the time limit is over in this rank, or in another one that sent a roll call.

        Only then do the ranks exchange where they are, so it costs nothing before. Waiting ranks answer and raise as
        well. A rank that is stopped, hangs or computes does not answer.
        """
        world, place, count = self._world, self._what, self._begun[self._what]
        if waited < self.timeout and not world.Iprobe(tag=_ROLL_CALL):
            return
        if count:
            place += f" (number {count} of its kind, collective {self._begun.total()} in all)"
        # Kept alive, because MPI reads them.
        self._calls = [world.isend(place, other, _ROLL_CALL) for other in self._others]
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
            f"the time limit of {self.timeout:g} s is over: {missing} failed to reach {place}; rank {world.rank} "
            f"waited {waited:.1f} s there; {''.join(elsewhere)}a missing rank is stopped, hangs or is slow "
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
