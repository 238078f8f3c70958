"""Start a student's process by fork, in a fraction of the time that a fresh interpreter with numpy takes.

A judge's process has a fork server for each exercise that it judges: a fresh interpreter that has loaded numpy and the
package without the part that the exercise asks for (package.py). For each student's process the server forks a
guardian, and the guardian forks the student's process:

    judge
      fork server           serves the judge's requests, and ends with the judge
        guardian            reports the exit code, and ends everything that the student's code has started
          student's process runs worker.main() in a session of its own

The student's code sees the guardian as its parent, and a guardian has one student's process only. Linux alone has all
that a guardian needs; elsewhere each student's process is a fresh interpreter (host.py).
"""

import atexit
import contextlib
import ctypes
import gc
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

import numpy

from ...tensor import random
from . import package, worker
from .launch import command

AVAILABLE = sys.platform == "linux"
MARK = "LEGACY_AUTOGRAD_STUDENT"  # in the environment of a student's process, and of all that it starts
_PLACEHOLDER = "0" * 32  # as long as a mark; see _set_mark
_THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # a fork of a process with threads may hang
_PATIENCE = 60  # seconds that the server may take to load numpy, also on a busy machine
_STARTED = b"+"  # the first message of the server, and of a guardian, whose second is the exit code
_PR_SET_CHILD_SUBREAPER = 36


# --- in the judge's process


def environment(mark, folder=None):
    """Return the environment of a student's process: that of this process without its era, and with the mark.

    Temporary files are in its folder.
    """
    kept = {name: value for name, value in os.environ.items() if name != "LEGACY_AUTOGRAD_ERA"}
    return {**kept, **_THREADS, **({"TMPDIR": folder} if folder else {}), MARK: mark}


class ForkServer:
    """A fork server of this process. It starts when it is first needed, and again if it has ended.

    Args:
        withheld: What its package does not have (package.py).
    """

    def __init__(self, withheld):
        self._withheld = withheld
        self._process = self._control = self._folder = self._paths = None
        self._is_ready = False  # the server has said that it serves
        self._lock = threading.Lock()
        self._usable = AVAILABLE
        if AVAILABLE:
            atexit.register(self.end)
            os.register_at_fork(after_in_child=self._forget)

    def start(self):
        """Start the server and return: it loads numpy while this process does something else."""
        with self._lock:
            if self._usable:
                self._start()

    def is_loading(self):
        """Return whether the server has started and still loads numpy."""
        return self._control is not None and not self._is_ready and not select.select([self._control], [], [], 0)[0]

    def fork(self, environment, folder):
        """Return a new `ForkedProcess`, or None if this system cannot fork one.

        `environment` holds the mark, 32 characters. `folder` is the current folder of the new process.
        """
        with self._lock:
            for _ in range(2):  # the server may end at any moment: a second one then serves the request
                if self._usable:
                    try:
                        self._start()
                        self._wait_until_ready()
                        return ForkedProcess(self._control, environment, folder)
                    except OSError:
                        self._end()
            self._usable = False
            return None

    def end(self):
        """End the server. The students' processes continue."""
        with self._lock:
            self._end()

    def _start(self):
        paths = [path for path in sys.path if path]
        if self._paths == paths and self._process.poll() is None:
            return
        self._end()
        self._folder, self._is_ready = tempfile.mkdtemp(), False
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*command("sandbox.fork_server", paths, package.archive_in(self._folder), waits=True), self._folder],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment(_PLACEHOLDER),
                start_new_session=True,
            )
        package.write(self._folder, self._withheld)
        with contextlib.suppress(OSError):  # it has ended, which `fork` finds
            self._control.sendall(b".")  # the package is there: launch.py waits for a byte
        self._paths = paths  # last: one whose package was not written waits for ever, and is started anew

    def _wait_until_ready(self):
        if not self._is_ready:
            _hear_the_start(self._control)
            self._control.settimeout(None)
            self._is_ready = True

    def _end(self):
        process, control, folder = self._process, self._control, self._folder
        self._process = self._control = self._folder = self._paths = None
        if process is not None:
            process.kill()
            process.wait()
        if control is not None:
            control.close()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _forget(self):
        """Forget the server in a fork: it belongs to the parent, where another thread may hold the lock."""
        self._lock = threading.Lock()
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.returncode = 0  # it is not a child of this process, which cannot wait for it
        self._process = self._control = self._folder = self._paths = None


class ForkedProcess:
    """A student's process under its guardian, with the part of `subprocess.Popen` that host.py uses.

    The socket to the guardian also works as a leash: when the judge's end closes, the guardian ends the student's
    process, so that none outlives its judge.
    """

    def __init__(self, control, environment, folder):
        """Have the server at the other end of `control` fork it. Raises OSError if the server does not answer."""
        (requests, self.stdin), (self.stdout, answers), (self.stderr, errors) = _pipe(), _pipe(), _pipe()
        self._guardian, theirs = socket.socketpair()
        try:
            with requests, answers, errors, theirs:
                request = json.dumps({"environment": environment, "folder": folder}).encode() + b"\n"
                descriptors = [end.fileno() for end in (requests, answers, errors, theirs)]
                sent = socket.send_fds(control, [request], descriptors)
                control.sendall(request[sent:])
            _hear_the_start(self._guardian)
        except OSError:
            for end in (self.stdin, self.stdout, self.stderr, self._guardian):
                end.close()
            raise

    def wait(self, timeout):
        """Return the exit code, as `Popen.wait` does, or None if the guardian ended before the student's process."""
        self._guardian.settimeout(timeout)
        try:
            code = b"".join(iter(lambda: self._guardian.recv(64), b""))
        except TimeoutError:
            raise subprocess.TimeoutExpired("worker", timeout) from None
        return int(code) if code else None

    def end(self):
        """End it, with everything that it has started."""
        with self._guardian, contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._guardian.shutdown(socket.SHUT_WR)  # unlike close, this reaches the guardian if a fork has a copy
            self.wait(5)  # a guardian that the student's code has stopped does not answer


def _hear_the_start(channel):
    """Wait for the first message of the server or of a guardian. Raises OSError if it does not come."""
    channel.settimeout(_PATIENCE)
    if channel.recv(1) != _STARTED:
        raise ConnectionError("the fork server ended")


def _pipe():
    """Return both ends of a pipe as text files: the one to read, the one to write."""
    reading, writing = os.pipe()
    return (open(reading, encoding="utf-8", errors="replace"), open(writing, "w", encoding="utf-8", errors="replace"))


_servers: dict = {}  # by exercise and what is withheld; the one that was asked last is the last
_RUNNING = 3  # servers; a student who works on one exercise needs one


def server_for(exercise, withheld):
    """Return the ForkServer of the exercise of that name. Of several the ones that were not asked for longest end."""
    key = exercise, withheld
    _servers[key] = server = _servers.pop(key, None) or ForkServer(withheld)
    for idle in list(_servers.values())[:-_RUNNING]:
        idle.end()
    return server


# --- in the fork server


def main():
    """Serve the judge at the other end of the standard input until it closes, and run the student's code in forks."""
    package.forget_others()
    folders = sys.argv[1:]
    del sys.argv[1:]
    if _serve(socket.socket(fileno=0)):
        worker.main()
        return
    for folder in folders:  # with this server's package, if the judge ended without removing it
        shutil.rmtree(folder, ignore_errors=True)


def _serve(control):
    """Return True in the student's processes, and False in the server when the judge has ended."""
    gc.freeze()  # the student's garbage collector ignores these objects, so that they stay in shared memory
    with contextlib.suppress(OSError):  # the judge has ended
        control.sendall(_STARTED)
    while (received := _receive(control)) is not None:
        request, descriptors = received
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # guardians that have ended
                pass
        if os.fork() == 0:
            control.detach()
            os.dup2(1, 0)  # closes the socket: 1 is the null device, open for both
            _guard(request, descriptors)
            return True
        for descriptor in descriptors:
            os.close(descriptor)
    return False


def _receive(control):
    """Return the next request and the file descriptors that came with it, or None at the end."""
    content, descriptors, _, _ = socket.recv_fds(control, 2**16, 4)
    while content and not content.endswith(b"\n"):
        content += control.recv(2**16)
    return (json.loads(content), descriptors) if content else None


# --- in the guardian


def _guard(request, descriptors):
    """Fork the student's process and end with it. Returns in the student's process only."""
    *pipes, leash = descriptors
    os.setsid()
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _set_mark(request["environment"][MARK])
    student = os.fork()
    if student == 0:
        os.close(leash)
        _prepare(request, pipes)
        return
    try:
        for pipe in pipes:
            os.close(pipe)
        judge = socket.socket(fileno=leash)
        judge.sendall(_STARTED)
        _wait(student, judge)
        judge.sendall(str(_end_children(student)).encode())
    finally:
        os._exit(0)


def _set_mark(mark):
    """Overwrite the environment that Linux shows of this process and its forks: where the interpreter was started.

    Changes of `os.environ` do not reach that memory.
    """
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_void_p
    ctypes.memmove(getenv(MARK.encode()), mark.encode(), len(_PLACEHOLDER))


def _wait(student, judge):
    """Return when the student's process has ended, or the judge has closed its end."""
    signalled, signalling = os.pipe()
    os.set_blocking(signalling, False)
    signal.set_wakeup_fd(signalling, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # without a handler the signal wakes nothing up
    while os.waitid(os.P_PID, student, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        readable, _, _ = select.select([signalled, judge], [], [])
        if judge in readable:
            return
        os.read(signalled, 1000)


def _end_children(student):
    """End the student's process and its descendants, and return its exit code.

    A descendant whose parent has ended is a child of this process, the subreaper. None has been waited for when it is
    killed, so no number can belong to another process by then.
    """
    with contextlib.suppress(ProcessLookupError):  # it may not have its session yet
        os.killpg(student, signal.SIGKILL)
    children = [student]
    code = None
    while True:
        for child in children:
            os.kill(child, signal.SIGKILL)
        try:
            ended, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return code
        if ended == student:
            code = os.waitstatus_to_exitcode(status)
        children = _children()


def _children():
    """Return the numbers of this process's children."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(number) for number in file.read().split()]
    except OSError:
        return []  # the kernel was built without this file; the judge ends the remaining processes by their mark


# --- in the student's process


def _prepare(request, pipes):
    """Make this process what a fresh interpreter is."""
    os.setsid()
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
        os.close(pipe)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    numpy.random.seed()  # `random` does this by itself after a fork
    random.seed()
