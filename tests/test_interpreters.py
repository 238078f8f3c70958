"""A program in a fork of a process that has loaded the package sees what it sees in a fresh interpreter."""

import json
import os
import subprocess
import sys

import interpreters
import pytest

pytestmark = pytest.mark.skipif(not interpreters.AVAILABLE, reason="this system starts fresh interpreters")

SURROUNDINGS = """
import gc, json, os, random, signal, sys, threading, time
import legacy_autograd
open_files = {number: os.readlink(f"/proc/self/fd/{number}") for number in range(3, 100)
              if os.path.exists(f"/proc/self/fd/{number}")}
print(json.dumps({
    "arguments": sys.argv, "search path": sys.path, "flags": list(sys.flags), "environment": dict(os.environ),
    "folder": os.getcwd(), "input": sys.stdin.read(), "encodings": [sys.stdin.encoding, sys.stdout.encoding],
    "open files": open_files, "threads": threading.active_count(), "names": sorted(globals()), "name": __name__,
    "garbage collection": [gc.isenabled(), gc.get_threshold()], "depth of calls": sys.getrecursionlimit(),
    "children": open(f"/proc/self/task/{os.getpid()}/children").read(),
    "handlers": {number: str(signal.getsignal(number)).split(" at ")[0] for number in signal.valid_signals()},
    "package": sorted(name for name in sys.modules if name.startswith("legacy_autograd")),
}))
print("é", file=sys.stderr)
sys.exit(7)
"""


@pytest.mark.parametrize("flags, kind", [([], "-c"), ([], "-m"), (["-P", "-s"], "-c")])
def test_the_surroundings_are_those_of_a_fresh_interpreter(flags, kind, tmp_path):
    (tmp_path / "surroundings.py").write_text(SURROUNDINGS, encoding="utf-8")
    command = [sys.executable, *flags, kind, SURROUNDINGS if kind == "-c" else "surroundings", "a", "-b"]
    environment = {**os.environ, "PYTHONPATH": interpreters.ROOT, "OF_THE_PROGRAM_ONLY": "1"}
    options = dict(cwd=tmp_path, env=environment, input="words", capture_output=True, encoding="utf-8", timeout=60)
    fresh, forked = subprocess.run(command, **options), interpreters.run(command, **options)
    assert (fresh.returncode, fresh.stderr) == (forked.returncode, forked.stderr) == (7, "é\n")
    assert json.loads(forked.stdout) == json.loads(fresh.stdout)


def test_each_program_draws_other_numbers():
    program = (
        "import random, numpy, legacy_autograd\n"
        "print([random.random(), float(numpy.random.rand()), legacy_autograd.rand(1)[0]])"
    )
    command = [sys.executable, "-c", program]
    drawn = [json.loads(interpreters.run(command, capture_output=True, text=True).stdout) for _ in range(2)]
    assert all(first != second for first, second in zip(*drawn))


def test_variables_that_the_package_reads_at_its_import():
    program = "from legacy_autograd import conventions; print(conventions.era.version)"
    for era in ("0.1.1", "0.1.12"):
        environment = {**os.environ, "PYTHONPATH": interpreters.ROOT, "LEGACY_AUTOGRAD_ERA": era}
        done = interpreters.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert done.stdout == f"{era}\n"


def test_a_program_that_is_killed_or_takes_too_long():
    killed = interpreters.run([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"])
    assert killed.returncode == -9
    with pytest.raises(subprocess.TimeoutExpired):
        interpreters.run([sys.executable, "-c", "import time; time.sleep(1000)"], timeout=0.5)
    with pytest.raises(subprocess.CalledProcessError):
        interpreters.run([sys.executable, "-c", "raise SystemExit(3)"], check=True)
    assert interpreters.run([sys.executable, "-c", "pass"]).returncode == 0  # and the server serves on
