"""Runs Python programs in forks of a process that has loaded what they begin with, which takes most of their time.

`run` is called as `subprocess.run` with `[sys.executable, …, "-c", …]` or `-m`. A program sees what
it sees in a fresh interpreter, except that modules are loaded; test_interpreters.py compares the two. Tests of imports
need fresh interpreters.
"""

import contextlib
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile

ROOT = str(pathlib.Path(__file__).resolve().parents[1])
AVAILABLE = sys.platform == "linux"
_READ_AT_START = ("LEGACY_AUTOGRAD", "PYTHON", "OPENBLAS", "OMP", "MKL")  # how such variables begin
_servers: dict = {}  # {what a server has loaded, and in which environment: server}

_SERVER = """
import gc, importlib, json, os, runpy, socket, sys

control = socket.socket(fileno=0)
begins_with_folder = not sys.flags.safe_path
before = sys.path[begins_with_folder:]
sys.path[:] = [sys.argv[1], *before]
for name in sys.argv[2:]:
    importlib.import_module(name)
sys.path[:] = before
gc.freeze()
while True:
    content, descriptors, _, _ = socket.recv_fds(control, 2**16, 3)
    while content and not content.endswith(b"\\n"):
        content += control.recv(2**16)
    if not content:
        sys.exit()
    request, child = json.loads(content), os.fork()
    if child == 0:
        break
    for descriptor in descriptors:
        os.close(descriptor)
    control.sendall(b"%d\\n" % child)
    control.sendall(b"%d\\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
control.detach()
for number, descriptor in enumerate(descriptors):
    os.dup2(descriptor, number)
    os.close(descriptor)
os.chdir(request["folder"])
os.environ.clear()
os.environ.update(request["environment"])
if "numpy" in sys.modules:
    sys.modules["numpy"].random.seed()  # `random` does this by itself after a fork
if "legacy_autograd" in sys.modules:
    sys.modules["legacy_autograd"].seed()
kind, program, *sys.argv[1:] = request["arguments"]
sys.argv[0] = kind
main = sys.modules["__main__"] = type(sys)("__main__")
main.__builtins__, main.__annotations__ = __builtins__, {}
if begins_with_folder:
    sys.path.insert(0, os.getcwd() if kind == "-m" else "")
if kind == "-m":
    runpy._run_module_as_main(program)
else:
    exec(compile(program, "<string>", "exec"), vars(main))
"""


def run(
    command, *, load=("legacy_autograd",), cwd=None, env=None, stdin=None, input=None, capture_output=False,
    encoding=None, errors=None, text=None, timeout=None, check=False,
):  # fmt: skip
    """Run a command of Python in a fork of a process that has loaded the modules `load`, as `subprocess.run` would."""
    environment = dict(os.environ if env is None else env)
    command = list(map(str, command))
    kind = next((position for position, word in enumerate(command) if word in ("-c", "-m")), None)
    if not AVAILABLE or command[0] != sys.executable or kind is None:
        return subprocess.run(
            command, cwd=cwd, env=env, stdin=stdin, input=input, capture_output=capture_output, encoding=encoding,
            errors=errors, text=text, timeout=timeout, check=check,
        )  # fmt: skip
    server = _server(command[1:kind], tuple(load), environment)
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write((input or "").encode() if isinstance(input or "", str) else input)
        files[0].seek(0)
        code = server.ask(command[kind:], cwd or os.getcwd(), environment, files, timeout)
        for file in files[1:]:
            file.seek(0)
        written = [file.read() for file in files[1:]]
    if not capture_output:
        for stream, said in zip((sys.stdout, sys.stderr), written):
            stream.write(said.decode(errors="replace"))
    if encoding or text:
        written = [said.decode(encoding or "utf-8", errors or "strict").replace("\r\n", "\n") for said in written]
    done = subprocess.CompletedProcess(command, code, *written)
    if check:
        done.check_returncode()
    return done


def _server(flags, load, environment):
    at_start = {name: value for name, value in environment.items() if name.startswith(_READ_AT_START)}
    key = *flags, load, json.dumps(at_start, sort_keys=True)
    if key not in _servers:
        _servers[key] = _Server(flags, load, at_start)
    return _servers[key]


def end():
    """End all servers."""
    while _servers:
        _servers.popitem()[1].end()


class _Server:
    def __init__(self, flags, load, at_start):
        self._control, theirs = socket.socketpair()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_READ_AT_START)}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, *flags, "-c", _SERVER, ROOT, *load],
                stdin=theirs,
                env={**kept, **at_start},
                start_new_session=True,
            )

    def ask(self, arguments, folder, environment, files, timeout):
        request = {"arguments": arguments, "folder": str(folder), "environment": environment}
        content = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(self._control, [content], [file.fileno() for file in files])
        self._control.sendall(content[sent:])
        child = self._number()
        if select.select([self._control], [], [], timeout)[0]:
            return self._number()
        os.kill(child, signal.SIGKILL)
        self._number()
        raise subprocess.TimeoutExpired(arguments, timeout)

    def _number(self):
        digits = b""
        while not digits.endswith(b"\n"):
            digits += (byte := self._control.recv(1))
            if not byte:
                raise ConnectionError("the process that forks others ended")
        return int(digits)

    def end(self):
        self._control.close()
        self._process.wait(60)
