"""Ends a rank, and so the job, if MPI does not start: a program that runs beside the rank until it has started.

    python timekeeper.py PROCESS SECONDS LAUNCHER RANK

MPI starts in all ranks together, inside a C function that holds Python's lock: no thread and no signal handler of the
rank itself could end the wait. The rank, number PROCESS, closes this program's input when MPI has started.

MPICH does not end a job when a rank ends before MPI has started in it. Its launcher, process number LAUNCHER, is the
parent of the ranks on this machine, of which this one is number RANK there, so that Linux says which of them are still
there. Where LAUNCHER is 0 the time limit alone counts.
"""

import contextlib
import os
import pathlib
import re
import select
import signal
import socket
import struct
import sys
import time

_BETWEEN = 0.5  # seconds between two looks: a rank that is missing in both has ended
_PASSED_ON = 0.5  # seconds in which the launcher reads what was written


def arguments():
    """LAUNCHER and RANK for this process, as strings."""
    launcher = 0
    if sys.platform == "linux" and {"PMI_FD", "MPI_LOCALNRANKS", "MPI_LOCALRANKID"} <= os.environ.keys():
        with socket.socket(fileno=os.dup(int(os.environ["PMI_FD"]))) as connection:
            launcher, *_ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return str(launcher), os.environ.get("MPI_LOCALRANKID", "0")


def _present(launcher):
    """Yield the ranks whose processes are there."""
    for child in pathlib.Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split():
        variables = pathlib.Path(f"/proc/{child}/environ").read_text().split("\0")
        yield from (int(line.partition("=")[2]) for line in variables if line.startswith("MPI_LOCALRANKID="))


def _waiting(launcher):
    """Yield the ranks that wait for MPI to start: those that have a program like this one."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        words = path.read_text().split("\0")
        if words[2:3] == [__file__] and words[5] == launcher:
            yield int(words[6])


def _missing(launcher, find):
    """The set of the ranks on this machine that `find(launcher)` does not find; none where that is unknown."""
    try:
        return set(range(int(os.environ["MPI_LOCALNRANKS"]))) - set(find(launcher)) if launcher != "0" else set()
    except (OSError, UnicodeDecodeError):  # a process that has ended meanwhile, or one of another user
        return set()


def unlink_shared_memory(process="self"):
    """Take the name off the memory that the ranks of MPICH on one machine share; all of them have it open already.

    MPICH does that when it ends in order. A job that is aborted or killed would leave a file of some megabytes in
    /dev/shm, which in a container is full after some dozens of them. Does nothing where there is no such file.
    """
    try:
        maps = pathlib.Path(f"/proc/{process}/maps").read_text()
    except OSError:
        return  # not Linux
    for path in set(re.findall(r"(/dev/shm/mpich_shm_\w+)$", maps, re.MULTILINE)):
        with contextlib.suppress(OSError):  # another rank was faster
            os.unlink(path)


def keep_time(process, seconds, launcher, rank):
    """End `process` when the time is over or a rank has ended, unless the input is closed before."""
    end = time.monotonic() + seconds
    ended = set()
    while not select.select([sys.stdin], [], [], min(_BETWEEN, seconds))[0]:
        ended, before = _missing(launcher, _present), ended
        is_over = time.monotonic() > end
        if not is_over and not ended & before:
            continue
        missing = ", ".join(f"rank {other}" for other in sorted(ended & before or _missing(launcher, _waiting)))
        reason = f"{missing} ended before" if ended & before else f"{missing or 'a rank'} did not come in {seconds:g} s"
        sys.stderr.write(
            f"rank {rank} of this machine waits for MPI to start, and {reason}: every rank must import "
            "legacy_autograd.distributed; what fails before that ends the job\n"
        )
        sys.stderr.flush()
        time.sleep(_PASSED_ON)
        unlink_shared_memory(process)
        os.kill(process, signal.SIGTERM)
        return


if __name__ == "__main__":
    keep_time(int(sys.argv[1]), float(sys.argv[2]), *sys.argv[3:])
