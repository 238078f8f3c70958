"""What happens when a rank fails: the whole job ends, and that rank's traceback is what one reads.

Left alone, a rank with an uncaught exception would sit in MPI's finalisation, and the others would wait forever for
its gradients. A rank that is killed is noticed by mpiexec, which ends the others. Between the two is a rank that just
leaves, by `sys.exit()` or by coming to its end too early: it says goodbye to all, and those who wait for it raise.
For that, all ranks of a job import this package's `distributed`, or none, and do so before anything that can fail: MPI
starts with the import, and a rank that fails before leaves the others waiting for it there.
"""

import atexit
import contextlib
import os
import pathlib
import re
import sys
import time
import traceback

from ._mpi import MPIMissing, mpi
from .launch import is_rank

_RANK = "LEGACY_AUTOGRAD_RANK"  # the process that is the rank: those that it starts inherit the variables of mpiexec
_GOODBYE = 32767  # a tag of messages in COMM_WORLD, the highest that every MPI has
_PASSED_ON = 0.5  # seconds in which mpiexec reads what was written: once the job is aborted it may not
_PATIENCE = 0.05  # seconds of waiting before one asks whether somebody has left, and between the questions
_STILL_COMING = 3  # seconds for what somebody who has left sent before, perhaps through a rank that is slow


def start_among_many():
    """Start MPI, if mpiexec has started this process: a rank that fails can end only a job that it has joined."""
    if is_rank() and os.environ.setdefault(_RANK, str(os.getpid())) == str(os.getpid()):
        with contextlib.suppress(MPIMissing):  # whoever needs it will say so
            mpi()


def end_job_on_exception():
    """From now on an uncaught exception, printed as ever, ends all ranks, if there is more than this one."""
    before = sys.excepthook

    def excepthook(kind, error, trace):
        rank = _rank_among_many()
        if rank is None:
            before(kind, error, trace)
            return
        # In one piece: several ranks may fail together, and their lines would mix.
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stdout.flush()
        sys.stderr.write(f"rank {rank} failed, and the job with it:\n{text}")
        sys.stderr.flush()
        time.sleep(_PASSED_ON)
        unlink_shared_memory()
        mpi().COMM_WORLD.Abort(1)

    sys.excepthook = excepthook


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
    MPI may end the job over a message that is not.
    """
    rank = _rank_among_many()
    if rank is None:
        return
    world = mpi().COMM_WORLD
    others = [other for other in range(world.size) if other != rank]
    nothing = bytearray(0)
    requests = [world.Issend(nothing, other, _GOODBYE) for other in others]
    requests += [world.Irecv(nothing, other, _GOODBYE) for other in others]
    while not _have_ended(requests):
        time.sleep(0.001)


def unlink_shared_memory():
    """Take the name off the memory that the ranks of MPICH on one machine share; all of them have it open already.

    MPICH does that when it ends in order. A job that is aborted or killed would leave a file of some megabytes in
    /dev/shm, which in a container is full after some dozens of them. Does nothing where there is no such file.
    """
    try:
        maps = pathlib.Path("/proc/self/maps").read_text()
    except OSError:
        return  # not Linux
    for path in set(re.findall(r"(/dev/shm/mpich_shm_\w+)$", maps, re.MULTILINE)):
        with contextlib.suppress(OSError):  # another rank was faster
            os.unlink(path)


class Presence:
    """Waits for the ranks of `comm`, and notices if one of them ends instead."""

    def __init__(self, comm):
        self._world = mpi().COMM_WORLD
        numbers = comm.group.Translate_ranks(None, self._world.group)
        self._others = [number for number in numbers if number not in (mpi().UNDEFINED, self._world.rank)]

    def wait(self, requests, what):
        """Wait for all `requests`; RuntimeError if somebody ends first. `what` says what is waited for."""
        deadline = time.monotonic() + _PATIENCE
        while not _have_ended(requests):
            time.sleep(0)  # lets another rank run, where there are more ranks than cores
            if time.monotonic() > deadline:
                self._check_nobody_left(requests, what)
                deadline = time.monotonic() + _PATIENCE

    def _check_nobody_left(self, requests, what):
        left = [rank for rank in self._others if self._world.Iprobe(rank, _GOODBYE)]
        if not left:
            return
        end = time.monotonic() + _STILL_COMING
        while time.monotonic() < end:
            if _have_ended(requests):
                return
            time.sleep(0.001)
        raise RuntimeError(
            f"rank {left[0]} has ended its program while rank {self._world.rank} waits for {what}: all ranks must run "
            "forward and backward equally often (do their loaders have equally many batches?)"
        )


def _have_ended(requests):
    return all([request.Test() for request in requests])
