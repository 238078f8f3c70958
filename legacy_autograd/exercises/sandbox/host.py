"""The judge's end of a student's process (worker.py): it starts, calls and ends the process."""

import contextlib
import glob
import json
import math
import os
import queue
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time

from .. import NAMES
from ..model import Trouble
from . import fork_server, landlock, limits, package
from .fork_server import MARK
from .launch import command
from .student_code import TOO_DEEP, StudentCode

_LONGEST = 10**7  # characters of an answer


class StudentProcess(StudentCode):
    """Runs the cells and probes of one answer in a process; one that ended, or was ended, is started anew."""

    def __init__(self, exercise, cells, limits=limits.LIMITS):
        super().__init__(exercise, cells, limits)
        self._process = self._package = self._reader = None
        self._sent = []  # requests that the process has already, and their tokens
        self._is_forked = True  # in a fork all texts have the hashes that they have in the server
        self._used = 0  # seconds of processor time, in processes that have ended too
        self._used_here = self._used_before = 0  # of them in this process; before this check
        self._began = time.monotonic()

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        return self

    def __exit__(self, *exception):
        self._end()
        self._folder.cleanup()
        if self._package is not None:
            self._package.cleanup()
        self._package = None

    def anew(self):
        self.__exit__()
        self.__enter__()
        self._is_forked = False

    def _start(self):
        self._mark = secrets.token_hex(16)
        environment, folder = fork_server.environment(self._mark, self._folder.name), self._folder.name
        if self._is_forked:
            server = fork_server.server_for(self._exercise.name, self._exercise.withheld)
            self._process = server.fork(environment, folder)
        if self._process is None:
            if self._package is None:
                self._package = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
                self._root = package.write(self._package.name, self._exercise.withheld)
            self._process = FreshProcess(environment, folder, self._root)
        self._used_here = 0
        self._answers = queue.Queue(2)  # what is written beyond that waits in the pipe
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout, self._answers), daemon=True)
        self._reader.start()

    def begin_check(self):
        super().begin_check()
        self._used_before = self._used

    def ahead(self, probe, inputs):
        request, left = {"probe": probe, "inputs": inputs}, min(self._left())
        is_new = json.dumps(request) not in self._replies
        if self.is_loaded and is_new and left > 0 and all(sent != request for sent, _ in self._sent):
            self._sent.append((request, self._send(request, left)))

    def reply_to(self, request):
        while self._sent and self._sent[0][0] != request:  # that one is not asked
            del self._sent[0]
            try:
                ended = not self._answers.get(timeout=self._limits.patience)
            except queue.Empty:
                ended = True
            if ended:
                self._end()
        return super().reply_to(request)

    def _left(self):
        """Return the seconds of processor time that are left for all checks, and for this one."""
        used = self._used - self._used_before
        return self._limits.total - self._used, self._limits.seconds - used

    def exchange(self, request):
        left, left_for_check = self._left()
        patience = min(self._limits.patience, self._limits.total_patience - (time.monotonic() - self._began))
        if left <= 0 or patience <= 0:
            got = f"nothing: all checks together had {self._limits.total} seconds of computing"
            raise Trouble("time", got, "each check took too much of it: the same work is repeated many times")
        if left_for_check <= 0:
            raise self.out_of_time()
        seconds = min(left, left_for_check)
        if self._process is None:
            self._start()
            texts = [f"{number:02}_{name}" for number, name in enumerate(NAMES, 1)]  # which have solutions
            closed = {"closed": package.closed(), "texts": texts, "landlock": landlock.version() > 0}
            request = {**request, **closed, "total": math.ceil(left)}
        token = self._sent.pop(0)[1] if self._sent else self._send(request, seconds)
        try:
            line = self._answers.get(timeout=patience)
        except queue.Empty:
            self._used += seconds
            self._end()
            raise self.out_of_time() from None
        if not line:
            self._used += seconds
            raise self._ended()
        try:
            reply = json.loads(line)
            if reply["token"] != token:
                raise ValueError
            used = max(0, float(reply["used"]) - self._used_here)
        except (ValueError, TypeError, KeyError):
            self._end()
            because = "the code wrote into the channel to the judge; remove that"
            raise Trouble("forged", "something else than data", because) from None
        self._used, self._used_here = self._used + used, self._used_here + used
        return reply

    def _send(self, request, seconds):
        token = secrets.token_hex(8)
        with contextlib.suppress(OSError):  # it has ended: the missing reply shows it
            request = {**request, "seconds": math.ceil(seconds), "token": token}
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        return token

    def _read(self, pipe, answers):
        """Put each line into a queue, and "" at the end, from a thread; pipes know no time limit."""
        with contextlib.suppress(ValueError):  # the pipe is closed
            while line := pipe.readline(_LONGEST):
                answers.put(line)
        answers.put("")

    # --- what went wrong, in words

    def _ended(self):
        try:
            code = self._process.wait(self._limits.patience)
        except subprocess.TimeoutExpired:  # it has closed the channel and still runs
            self._end()
            return self.out_of_time()
        said = self._process.stderr.read().strip()
        self._end()
        if code is None:
            because = "the code ended a process that it did not start, for example with os.kill; remove that"
            return Trouble("exit", "nothing: the process ended, and so did its parent", because)
        by = signal.Signals(-code).name if code < 0 else code
        if by == "SIGXCPU":
            return self.out_of_time()
        if by in ("SIGKILL", limits.OUT_OF_MEMORY):  # Linux kills when the machine itself has no memory left
            return self.out_of_memory()
        if code < 0:
            return Trouble("crash", "nothing: Python itself crashed", TOO_DEEP)
        because = "the code ended the Python process, for example with os._exit; remove that"
        how = f"{code}. {said}" if said else code
        return Trouble("exit", f"nothing: the process ended with the exit code {how}", because)

    # --- ending it

    def _end(self):
        process, self._process, self._sent, self.is_loaded = self._process, None, [], False
        if process is None:
            return
        process.end()
        mark = f"{MARK}={self._mark}".encode()  # of its processes in other sessions: Linux shows their environment
        for path in glob.glob("/proc/[0-9]*/environ"):
            with contextlib.suppress(OSError), open(path, "rb") as file:  # it has ended, or is another user's
                if mark in file.read().split(b"\0"):
                    os.kill(int(path.split("/")[2]), signal.SIGKILL)
        pipes = [process.stdin, process.stderr]
        if self._reader is not None:
            self._reader.join(1)
        if self._reader is None or not self._reader.is_alive():  # otherwise an escaped process keeps the other end open
            pipes.append(process.stdout)
        for pipe in pipes:
            with contextlib.suppress(OSError):
                pipe.close()


class FreshProcess(subprocess.Popen):
    """A student's process in a fresh interpreter, for systems where fork_server.py cannot fork it."""

    def __init__(self, environment, folder, root):
        super().__init__(
            command("sandbox.worker", [path for path in sys.path if path], root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            cwd=folder,
            env=environment,
            start_new_session=os.name == "posix",
        )

    def end(self):
        """End it, with the processes of its session."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self.kill()
        self.wait()
