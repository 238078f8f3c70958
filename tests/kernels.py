"""Kernels that are forked from a process which has loaded Jupyter's kernel and the libraries that notebooks import.

Loading them takes most of the time of a short notebook. A notebook loads the package itself: some choose first how.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
AVAILABLE = sys.platform == "linux"
LOADED = [
    "ipykernel.kernelapp",
    "ipykernel.zmqshell",
    "numpy",
    "graphviz",
    "sklearn.datasets",
    "matplotlib.pyplot",
]
_SERVER = """
import contextlib, gc, importlib, json, os, sys

del sys.path[0]  # the current folder, which a kernel adds itself
for name in sys.argv[1:]:
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
gc.freeze()
for line in sys.stdin:
    request = json.loads(line)
    if "arguments" in request:
        answer = os.fork()
        if answer == 0:
            os.setpgid(0, 0)
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, 0)
            os.dup2(nothing, 1)
            os.chdir(request["folder"])
            os.environ.clear()
            os.environ.update(request["environment"])
            sys.modules["numpy"].random.seed()  # `random` does this by itself after a fork
            sys.argv[1:] = request["arguments"]
            from ipykernel import kernelapp
            sys.exit(kernelapp.launch_new_instance())
        os.setpgid(answer, answer)
    else:
        pid, status = os.waitpid(request["ended"], os.WNOHANG)
        answer = os.waitstatus_to_exitcode(status) if pid else None
    print(json.dumps(answer), flush=True)
"""


class _Server:
    def __init__(self):
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        backend = "module://matplotlib_inline.backend_inline"  # a kernel sets it, but matplotlib reads it when it loads
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SERVER, *LOADED],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "MPLBACKEND": backend},
            text=True,
        )
        self._lock = threading.Lock()

    def ask(self, **request):
        with self._lock:
            print(json.dumps(request), file=self.process.stdin, flush=True)
            return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


class _Kernel:
    """What jupyter_client needs of a `subprocess.Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, server, command, environment, folder):
        arguments = command[command.index("ipykernel_launcher") + 1 :]
        environment = {**environment, "JPY_PARENT_PID": str(server.process.pid)}
        self._server, self.returncode = server, None
        self.pid = server.ask(arguments=arguments, environment=environment, folder=str(folder))

    def poll(self):
        if self.returncode is None:
            self.returncode = self._server.ask(ended=self.pid)
        return self.returncode

    def wait(self):
        while self.poll() is None:
            time.sleep(0.02)
        return self.returncode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        self.send_signal(signal.SIGTERM)


@contextlib.contextmanager
def forked():
    """Inside, `with use():` lets jupyter_client fork its kernels from one process."""
    from jupyter_client.provisioning import local_provisioner

    started = []

    def launch(command, env, cwd=None, **_):
        started.extend([] if started else [_Server()])
        return _Kernel(started[0], command, env, cwd or os.getcwd())

    @contextlib.contextmanager
    def use():
        usual = local_provisioner.launch_kernel
        local_provisioner.launch_kernel = launch if AVAILABLE else usual
        try:
            yield
        finally:
            local_provisioner.launch_kernel = usual

    yield use
    for server in started:
        server.end()
