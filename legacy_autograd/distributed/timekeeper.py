"""Ends a rank, and so the job, if MPI does not start: a program that runs beside the rank until MPI has started.

    python timekeeper.py PROCESS SECONDS LAUNCHER

MPI starts in all ranks together, inside a C function that holds Python's lock. So no thread and no signal handler of
the rank itself could end the wait. The rank, process number PROCESS, closes this program's input when MPI has started.

MPICH does not end a job if a rank ends before MPI has started in it. Its launcher, process number LAUNCHER, is the
parent of the ranks on this machine, so on Linux the number of remaining ranks is known. If LAUNCHER is 0, only the time
limit counts.
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

_BETWEEN = 0.5  # seconds between two checks; a rank that is missing in both is not just about to begin
_PASSED_ON = 0.5  # seconds for mpiexec to read the message, which it may not do after an abort


def launcher():
    """Return the number of MPICH's process that started the ranks on this machine, or 0 if it is unknown."""
    if sys.platform != "linux" or not {"PMI_FD", "MPI_LOCALNRANKS", "MPI_LOCALRANKID"} <= os.environ.keys():
        return 0
    with socket.socket(fileno=os.dup(int(os.environ["PMI_FD"]))) as connection:
        process, *_ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return process if _children(process).exists() else 0


def _children(process):
    return pathlib.Path(f"/proc/{process}/task/{process}/children")


def unlink_shared_memory(process):
    """Remove the name of the memory that the ranks of MPICH on one machine share. All of them have opened it already.

    MPICH does so at a regular end. An aborted or killed job would leave a file of some megabytes in /dev/shm, which
    fills up after some dozens of them in a container. Does nothing if there is no such file.
    """
    try:
        maps = pathlib.Path(f"/proc/{process}/maps").read_text()
    except OSError:
        return  # not Linux
    for path in set(re.findall(r"(/dev/shm/mpich_shm_\w+)$", maps, re.MULTILINE)):
        with contextlib.suppress(OSError):  # another rank was faster
            os.unlink(path)


def say_last_words(text, process="self"):
    """Write why `process` ends, give mpiexec time to read it, and remove the shared memory."""
    sys.stderr.write(text)
    sys.stderr.flush()
    time.sleep(_PASSED_ON)
    unlink_shared_memory(process)


def keep_time(process, seconds, launcher):
    """End `process` when the time is over or a rank has ended, unless the input is closed first."""
    addresses = {}  # of the ranks on this machine; a rank without a timekeeper has not arrived
    if launcher:
        addresses = {rank: f"\0legacy_autograd {launcher} {rank}" for rank in range(int(os.environ["MPI_LOCALNRANKS"]))}
        here = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        here.bind(addresses[int(os.environ["MPI_LOCALRANKID"])])
    end = time.monotonic() + seconds
    looks = 0  # consecutive checks that found a rank missing
    while not select.select([sys.stdin], [], [], min(_BETWEEN, seconds))[0]:
        looks = looks + 1 if launcher and len(_children(launcher).read_text().split()) < len(addresses) else 0
        if looks < 2 and time.monotonic() < end:
            continue
        reason = "a rank has ended before" if looks > 1 else f"the time limit of {seconds:g} s is over"
        missing = [f"rank {rank} of this machine" for rank, address in addresses.items() if here.connect_ex(address)]
        say_last_words(
            f"MPI does not start: {reason}; {', '.join(missing) or 'a rank of this or another machine'} failed to "
            "reach the import of legacy_autograd.distributed\n",
            process,
        )
        os.kill(process, signal.SIGKILL)  # a signal handler could not run
        return


if __name__ == "__main__":
    keep_time(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
