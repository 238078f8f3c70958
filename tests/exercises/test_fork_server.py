"""A forked student's process is like one in a fresh interpreter, and nothing that its code does reaches the next."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import legacy_autograd
from legacy_autograd import exercises
from legacy_autograd.exercises import template
from legacy_autograd.exercises.sandbox import fork_server
from legacy_autograd.exercises.sandbox.host import FreshProcess, StudentProcess

from . import answers
from .test_judging import InFolder, judged, wait_until_ended, with_reference

pytestmark = pytest.mark.skipif(not fork_server.AVAILABLE, reason="this system starts fresh interpreters")


def server(number=1):
    exercise = exercises.load(number)
    return fork_server.server_for(exercise.name, exercise.withheld)


def written_by(source, path):
    """Run code in a student's process, and return the JSON that it has written to `path`."""
    cells = [{"source": f"path = {path.name!r}\n{source}", "label": "answer.py"}]
    path.parent.mkdir(exist_ok=True)
    with InFolder(path.parent, exercises.load(1), cells) as process:
        process._load()
        process._end()
    return json.loads(path.read_text())


SURROUNDINGS = """
import gc, json, os, resource, signal, sys, threading
umask = os.umask(0)
os.umask(umask)
computed = resource.getrusage(resource.RUSAGE_SELF).ru_utime + resource.getrusage(resource.RUSAGE_SELF).ru_stime
files = {}
for number in range(100):
    try:
        files[number] = os.readlink(f"/proc/self/fd/{number}").split(":")[0]
    except OSError:
        pass
surroundings = {
    "search path": sys.path,
    "arguments": sys.argv,
    "flags": list(sys.flags),
    "environment": {**os.environ, "LEGACY_AUTOGRAD_STUDENT": ""},
    "the mark that the system shows": os.environ["LEGACY_AUTOGRAD_STUDENT"] in open("/proc/self/environ").read(),
    "files in the current folder": os.listdir(),
    "its own session and group": [os.getpid() == os.getsid(0), os.getpid() == os.getpgrp()],
    "umask": umask,
    "handlers": {number: str(signal.getsignal(number)).split(" at ")[0] for number in signal.valid_signals()},
    "blocked signals": list(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "limits": {
        name: resource.getrlimit(getattr(resource, name))
        for name in dir(resource) if name.startswith("RLIMIT_") and name not in ("RLIMIT_AS", "RLIMIT_CPU")
    },
    "limit of time": resource.getrlimit(resource.RLIMIT_CPU)[0] - int(computed),
    "open files": files,
    "threads": threading.active_count(),
    "garbage collection": [gc.isenabled(), gc.get_threshold()],
    "depth of calls": sys.getrecursionlimit(),
    "modules of the exercises": sorted(name for name in sys.modules if ".exercises.checks" in name),
    "children": open(f"/proc/self/task/{os.getpid()}/children").read(),
}
with open(path, "w") as file:
    json.dump(surroundings, file)
"""


def test_the_surroundings_are_those_of_a_fresh_interpreter(request, monkeypatch, tmp_path):
    server().end()
    monkeypatch.setenv("OF_THE_SERVER_ONLY", "1")
    server().start()
    monkeypatch.delenv("OF_THE_SERVER_ONLY")
    monkeypatch.setenv("OF_THE_STUDENT_ONLY", "1")
    forked = written_by(SURROUNDINGS, tmp_path / "forked" / "note")
    request.getfixturevalue("fresh_interpreters")
    fresh = written_by(SURROUNDINGS, tmp_path / "fresh" / "note")
    for surroundings in (forked, fresh):
        surroundings["search path"] = surroundings["search path"][1:]  # before that each has its package
        surroundings["environment"].pop("TMPDIR")
    for name, value in fresh.items():
        assert forked[name] == value, name
    assert fresh["the mark that the system shows"] and fresh["its own session and group"] == [True, True]


def test_a_server_whose_package_could_not_be_written_is_started_anew(monkeypatch):
    """It waits for its package, and would not answer."""

    def write(folder, withheld):
        raise OSError("no space left")

    server().end()
    with monkeypatch.context() as patch:
        patch.setattr(fork_server.package, "write", write)
        with pytest.raises(OSError, match="no space left"):
            server().start()
    first = server()._process
    server().start()
    assert first.poll() is not None and server()._process is not first


def test_a_system_that_cannot_fork_starts_fresh_interpreters(fresh_interpreters):
    with StudentProcess(exercises.load(1), []) as process:
        process._load()
        assert isinstance(process._process, FreshProcess)
    points, said = judged(with_reference(""))
    assert points == 8, said


def test_no_two_processes_draw_the_same_random_numbers(tmp_path):
    source = (
        "import json, numpy, random, legacy_autograd as torch\n"
        "drawn = [random.random(), numpy.random.random(), torch.rand(1)[0], torch.initial_seed(), "
        "numpy.random.default_rng().random()]\n"
        "with open(path, 'w') as file: json.dump(drawn, file)\n"
    )
    first, second = [written_by(source, tmp_path / name) for name in ("first", "second")]
    assert all(one != other for one, other in zip(first, second)), (first, second)


def test_the_process_has_loaded_no_check_and_no_answer(tmp_path):
    """The package of a student's process is another one than the judge's, and lacks what has answers."""
    source = (
        "import json, sys, legacy_autograd\n"
        "folder = legacy_autograd.__file__.rpartition('legacy_autograd')[0]\n"
        "found = {name: getattr(module, '__file__', None) or folder for name, module in list(sys.modules.items()) "
        "if name.startswith('legacy_autograd')}\n"
        "with open(path, 'w') as file: json.dump([folder, found], file)\n"
    )
    folder, found = written_by(source, tmp_path / "note")
    assert not Path(folder).samefile(Path(legacy_autograd.__file__).parents[1])
    assert not [file for file in found.values() if not file.startswith(folder)]
    own = {name.removeprefix("legacy_autograd.exercises.") for name in found if ".exercises." in name}
    assert own == {
        "answer", "observers", "observers.local_derivatives", "observers.support", "sandbox",
        "programs", "programs.functions", "programs.running",
        *(f"sandbox.{name}" for name in "audit fork_server landlock launch limits package worker".split()),
    }  # fmt: skip


def test_a_student_that_ends_its_parent_harms_nobody_else():
    assert judged(with_reference(""))[0] == 8
    before = server()._process.pid
    points, said = judged("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos._exit(0)\n")
    assert points == 0 and "the process ended, and so did its parent" in said
    assert judged(with_reference(""))[0] == 8
    assert server()._process.pid == before


def test_a_server_that_has_ended_is_started_again():
    """Also one that ends before it has noticed the request."""
    assert judged(with_reference(""))[0] == 8
    first = server()._process
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert judged(with_reference(""))[0] == 8
    second = server()._process
    assert second.pid != first.pid
    with StudentProcess(exercises.load(1), []) as other:
        other._load()
        os.kill(second.pid, signal.SIGSTOP)
        threading.Timer(0.1, os.kill, (second.pid, signal.SIGKILL)).start()
        assert judged(with_reference(""))[0] == 8
        assert other.exchange({"probe": "missing", "inputs": {}})["trouble"]["type"] == "AttributeError"
    assert server()._process.pid != second.pid


def test_threads_share_the_server():
    found = []
    threads = [threading.Thread(target=lambda: found.append(judged(with_reference(""))[0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [8] * 4


def run_judge(program, tmp_path):
    """Start a Python process that has `points()`, which judges the reference solution of exercise 1."""
    answer = tmp_path / "answer.py"
    answer.write_text(template.as_file(exercises.load(1), answers.cells(1)))
    prelude = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from legacy_autograd import exercises\n"
        "from legacy_autograd.exercises.sandbox import fork_server\n"
        "from legacy_autograd.exercises import grader, template\n"
        "exercise = exercises.load(1)\n"
        f"cells = template.cells_of(Path({str(answer)!r}))\n"
        "def points(): return grader.points(exercise, grader.judge(exercise, cells))\n"
        "def server(): return fork_server.server_for(exercise.name, exercise.withheld)\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", prelude + program],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_a_fork_of_the_judge_has_a_server_of_its_own(tmp_path):
    program = (
        "print(points(), server()._process.pid, flush=True)\n"
        "server()._lock.acquire()  # another thread may hold it\n"
        "child = os.fork()\n"
        "if child:\n"
        "    server()._lock.release()\n"
        "    os.waitpid(child, 0)\n"
        "print(points(), server()._process.pid, flush=True)\n"
    )
    output, _ = run_judge(program, tmp_path).communicate(timeout=60)
    (before, first), (in_child, other), (after, second) = [line.split() for line in output.splitlines()]
    assert (before, in_child, after) == ("8", "8", "8")
    assert first == second != other
    assert wait_until_ended(first) and wait_until_ended(other)


def test_nothing_outlives_a_judge_that_is_killed(tmp_path):
    note = tmp_path / "note"
    source = "import os, time\nwith open('note', 'w') as file: file.write(str(os.getpid()))\ntime.sleep(10**6)"
    program = (
        "from tests.exercises.test_judging import InFolder\n"
        f"cells = [{{'source': {source!r}, 'label': 'answer.py'}}]\n"
        "server().start()\n"
        "print(server()._process.pid, server()._folder, flush=True)\n"
        f"grader.judge(exercise, cells, process=InFolder({str(tmp_path)!r}, exercise, cells))\n"
    )
    process = run_judge(program, tmp_path)
    with process:
        server, folder = process.stdout.readline().split()
        while process.poll() is None and not (note.exists() and note.read_text()):
            time.sleep(0.01)
        process.kill()
    assert wait_until_ended(server) and wait_until_ended(note.read_text())
    assert not Path(folder).exists()
