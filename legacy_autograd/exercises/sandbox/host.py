"""The judge's end of a student's process (worker.py): it starts, calls and ends the process."""

import contextlib
import glob
import json
import os
import queue
import secrets
import signal
import subprocess
import sys
import tempfile
import threading

from ..model import Trouble
from . import fork_server, limits
from .fork_server import MARK
from .launch import command

_TOO_DEEP = "a recursive function overflows the stack on a long chain; use a list and a loop"
_LONGEST = 10**7  # characters of an answer


class StudentProcess:
    """Runs the cells and probes of one answer.

    `printed` is the output of the student's code for the last question, and `asked` are the names in it that the probe
    used. A process that ended, or was ended, is started anew for the next question. Use it in a `with` statement.
    """

    def __init__(self, exercise, cells, limits=limits.LIMITS):
        self._exercise = exercise
        self._cells = cells
        self._limits = limits
        self._process = None
        self._loading = None  # the permanent Trouble of loading the cells
        self._troubles = []  # of single cells
        self.printed = ""
        self.asked = []

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        return self

    def __exit__(self, *exception):
        self._end()
        self._folder.cleanup()

    def ask(self, probe, inputs):
        """Return the probe's result as plain data. Raises Trouble if there is none."""
        if self._loading is not None:
            raise self._loading
        if self._process is None:
            self._start()
        reply = self._exchange({"probe": probe, "inputs": inputs})
        self.asked = [str(name) for name in reply.get("asked", ())]
        if "value" in reply:
            return reply["value"]
        raise self._in_words(reply["trouble"])

    def _start(self):
        self._mark = secrets.token_hex(16)
        environment, folder = fork_server.environment(self._mark), self._folder.name
        self._process = fork_server.server.fork(environment, folder) or FreshProcess(environment, folder)
        try:
            self._troubles = self._exchange(
                {"number": self._exercise.number, "cells": self._cells, **self._limits.asdict()}
            )["troubles"]
        except Trouble as trouble:
            if any(cell["label"].startswith("In [") for cell in self._cells):
                trouble.because += (
                    "; the judge uses all cells that ran in this kernel: fix that cell and restart the kernel"
                )
            self._loading = trouble
            raise

    def _exchange(self, request):
        token = secrets.token_hex(8)
        with contextlib.suppress(OSError):  # it has ended: the missing reply shows it
            self._process.stdin.write(json.dumps({**request, "token": token}) + "\n")
            self._process.stdin.flush()
        try:
            line = self._read().get(timeout=self._limits.patience)
        except queue.Empty:
            self._end()
            raise self._out_of_time() from None
        if not line:
            raise self._ended()
        try:
            reply = json.loads(line)
            if reply["token"] != token:
                raise ValueError
        except (ValueError, TypeError, KeyError):
            self._end()
            because = "the code wrote into the channel to the judge; remove that"
            raise Trouble("forged", "something else than data", because) from None
        self.printed = str(reply.get("printed", ""))
        return reply

    def _read(self):
        """A queue into which a thread will put the next line, "" if there is none; pipes know no time limit."""
        pipe, answers = self._process.stdout, queue.SimpleQueue()
        self._reader = threading.Thread(target=lambda: answers.put(pipe.readline(_LONGEST)), daemon=True)
        self._reader.start()
        return answers

    # --- what went wrong, in words

    def _ended(self):
        try:
            code = self._process.wait(self._limits.patience)
        except subprocess.TimeoutExpired:  # it has closed the channel and still runs
            self._end()
            return self._out_of_time()
        said = self._process.stderr.read()
        self._end()
        if code is None:
            because = "the code ended a process that it did not start, for example with os.kill; remove that"
            return Trouble("exit", "nothing: the process ended, and so did its parent", because)
        by = signal.Signals(-code).name if code < 0 else code
        if by == "SIGXCPU":
            return self._out_of_time()
        if by in ("SIGKILL", limits.OUT_OF_MEMORY):  # Linux kills when the machine itself has no memory left
            return self._out_of_memory("")
        if code < 0:
            return Trouble("crash", "nothing: Python itself crashed", _TOO_DEEP)
        because = "the code ended the Python process, for example with os._exit; remove that"
        return Trouble("exit", f"nothing: the process ended with the exit code {code}. {said}".strip(), because)

    def _out_of_time(self):
        return Trouble(
            "time",
            f"nothing within {self._limits.seconds} seconds of computing",
            "either a loop never ends, or the same work is repeated many times",
        )

    def _out_of_memory(self, where):
        return Trouble(
            "memory",
            f"nothing: more than {self._limits.megabytes} megabytes of memory were wanted{where}",
            "a data structure grows with each step",
        )

    def _in_words(self, trouble):
        kind, name = trouble["kind"], trouble["type"]
        where = _where(trouble["line"])
        if kind == "error" and trouble["line"] is None:
            where = ", raised where the package used data that your code returned or recorded"
        said = f"{name}: {trouble['message']}" if trouble["message"] else name
        if kind == "missing":
            return self._missing(trouble["message"])
        if kind == "memory":
            return self._out_of_memory(where)
        got, because = {
            "not written": ("not written yet", None),
            "recursion": (f"{name}{where}", _TOO_DEEP),
            "exit": (f"a call of exit{where}", "the code ended its own process; remove that"),
            "withheld": (f"a refusal{where}", trouble["message"]),
        }.get(kind, (f"{said}{where}", trouble["because"]))
        return Trouble(kind, got, because, name)

    def _missing(self, name):
        """Return the Trouble of a missing name: its cell stopped before it, or it is not written yet."""
        for trouble in self._troubles:
            if trouble["kind"] != "not written":
                words = self._in_words(trouble)
                what = words.got.removeprefix("nothing: ")
                got = f"no `{name}`: before it was defined there was {what}"
                return Trouble("error", got, words.because, words.name)
        return Trouble("not written", f"not written yet: there is no `{name}`")

    # --- ending it

    def _end(self):
        process, self._process = self._process, None
        if process is None:
            return
        process.end()
        _kill_marked(self._mark)
        pipes = [process.stdin, process.stderr]
        self._reader.join(1)
        if not self._reader.is_alive():  # otherwise an escaped process keeps the other end open
            pipes.append(process.stdout)
        for pipe in pipes:
            with contextlib.suppress(OSError):
                pipe.close()


class FreshProcess(subprocess.Popen):
    """A student's process in a fresh interpreter, for systems where fork_server.py cannot fork it."""

    def __init__(self, environment, folder):
        super().__init__(
            command("sandbox.worker", [path for path in sys.path if path]),
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


def _kill_marked(mark):
    """End processes of the student's code in other sessions; Linux shows the environment of a process."""
    mark = f"{MARK}={mark}".encode()
    for path in glob.glob("/proc/[0-9]*/environ"):
        with contextlib.suppress(OSError), open(path, "rb") as file:  # it has ended, or is another user's
            if mark in file.read().split(b"\0"):
                os.kill(int(path.split("/")[2]), signal.SIGKILL)


def _where(line):
    if line is None:
        return ""
    text = f": {line['text']}" if line["text"] else ""
    return f", in line {line['number']} of {line['label']}{text}"
