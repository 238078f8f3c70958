"""The simple ways to copy the package's own solution are refused, and the refusal names what was tried."""

import pytest

from legacy_autograd import exercises
from legacy_autograd.drawing import layout
from legacy_autograd.exercises import grader, template
from legacy_autograd.exercises.sandbox import fork_server

from . import answers

TEXT = "template.FOLDER / '05_run_backward.py'"

# {way: (code that makes an Engine for exercise 5, what the report must say)}
STOPPED = {
    "the reference in another process": (
        """
import subprocess, sys
program = "from legacy_autograd.exercises import template; print((template.FOLDER / '05_run_backward.py').read_text())"
exec(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout)
""",
        "starting the program python",
    ),
    "os.system": (
        f"""
import os
from legacy_autograd.exercises import template
os.system(f"cp {{{TEXT}}} mine.py")
exec(open("mine.py").read())
""",
        "os.system('cp ",
    ),
    "another program in the place of this one": (
        """
import os, sys
if os.fork() == 0:
    os.execv(sys.executable, [sys.executable, "-c", "..."])
os.wait()
os.execv(sys.executable, [sys.executable, "-c", "..."])
""",
        "starting the program python",
    ),
    "a fresh interpreter of multiprocessing": (
        """
import multiprocessing
with multiprocessing.get_context("spawn").Pool(1) as pool:
    pool.apply(eval, ("1",))
""",
        "starting a fresh interpreter",
    ),
    "the reference read": (
        f"from legacy_autograd.exercises import template\nexec(({TEXT}).read_text())",
        "opening the file 05_run_backward.py",
    ),
    "a link to the reference": (
        f"""
import os
from legacy_autograd.exercises import template
os.symlink({TEXT}, "mine.py")
exec(open("mine.py").read())
""",
        "opening the file 05_run_backward.py",
    ),
    "the text's own reader": (
        "from legacy_autograd.exercises import load, template\ntemplate.read(load(5))",
        "importing legacy_autograd.exercises.checks",
    ),
    "the notebook of the clone": (
        """
from pathlib import Path
import legacy_autograd
folder = Path(legacy_autograd.__file__).parents[1] / "notebooks/exercises/source"
exec((folder / "05_run_backward/05_run_backward.ipynb").read_text())
""",
        "opening the file 05_run_backward.ipynb",
    ),
    "the source": (
        """
import inspect
from legacy_autograd.autograd import engine
exec(inspect.getsource(engine))
Engine = ExecutionEngine
""",
        "opening the file engine.py",
    ),
    "the compiled source": (
        """
import marshal
from legacy_autograd.autograd import engine
exec(marshal.loads(open(engine.__cached__, "rb").read()[16:]))
""",
        "opening the file engine.",
    ),
    "a fresh load": (
        """
import importlib, sys
del sys.modules["legacy_autograd.autograd.engine"]
Engine = importlib.import_module("legacy_autograd.autograd.engine").ExecutionEngine
""",
        "opening the file engine.",
    ),
    "a reload": (
        """
import importlib
from legacy_autograd.autograd import engine
Engine = importlib.reload(engine).ExecutionEngine
""",
        "opening the file engine.",
    ),
    "a load under another name": (
        """
import importlib.util
from legacy_autograd.autograd import engine
spec = importlib.util.spec_from_file_location("legacy_autograd.autograd.mine", engine.__file__)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
Engine = module.ExecutionEngine
""",
        "opening the file engine.",
    ),
    "all objects": (
        """
import gc
Engine = [kind for kind in gc.get_objects() if getattr(kind, "__name__", "") == "ExecutionEngine"][0]
""",
        "gc.get_objects",
    ),
    "subclasses": (
        """
(Engine,) = [kind for kind in object.__subclasses__() if kind.__name__ == "ExecutionEngine"]
""",
        "write run_backward yourself: the package's own is not available here",
    ),
    "the twin's copy": (
        """
from legacy_autograd.autograd.fast import walk
class Engine:
    def run_backward(self, *arguments):
        return walk._run_backward(self, *arguments)
""",
        "write _run_backward yourself: the package's own is not available here",
    ),
    "the checks": (
        "from legacy_autograd.exercises.checks.find_and_fix import _RIGHT as Engine",
        "importing legacy_autograd.exercises.checks",
    ),
    "the museum": (
        "from legacy_autograd.historical import HistoricalEngine as Engine",
        "importing legacy_autograd.historical",
    ),
    "the network": (
        "import socket\nsocket.create_connection(('127.0.0.1', 9), 1)",
        "a connection to 127.0.0.1",
    ),
}

# INSTRUCTORS.md says that these are not stopped.
COPIED = """
import ctypes, importlib.util
from legacy_autograd.autograd import engine
ctypes.CDLL(None).system(f"cp {engine.__file__} mine.py".encode())
spec = importlib.util.spec_from_file_location("legacy_autograd.autograd.mine", "mine.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
Engine = module.ExecutionEngine
"""

# What a right answer may have in its cells. Every line must run.
HARMLESS = """
import collections, concurrent.futures, dataclasses, inspect, io, multiprocessing, os, pathlib, tempfile, threading
import traceback, warnings
import numpy, numpy.linalg, numpy.testing
import legacy_autograd
from legacy_autograd.exercises.data import spirals
spirals(0)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    assert list(pool.map(abs, [-1, 2])) == [1, 2]
if multiprocessing.get_start_method() == "fork":
    with multiprocessing.Pool(1) as pool:
        assert pool.apply(abs, (-3,)) == 3
pathlib.Path("notes.txt").write_text("noted")
assert open("notes.txt").read() == "noted"
os.rename("notes.txt", "other.txt")
with tempfile.TemporaryFile() as file:
    file.write(b"x")
assert "class deque" not in inspect.getsource(collections)
try:
    legacy_autograd.DoubleTensor([1.0]).add("text")
except Exception:
    traceback.print_exc()
os.system("dot -V")
from legacy_autograd.drawing import make_dot
x = legacy_autograd.autograd.Variable(legacy_autograd.DoubleTensor([1.0]))
make_dot(x * x).source
"""
PICTURES = {
    "graphviz": "import graphviz\ngraphviz.Source('digraph { a -> b }').pipe(format='svg')",
    "matplotlib": "import matplotlib\nmatplotlib.use('svg')\nfrom matplotlib import pyplot\npyplot.plot([1, 2])",
}


def judged(source, checks=None):
    exercise = exercises.load(5)
    results = grader.judge(exercise, template.cells_of_text(source, "answer.py"), checks)
    return results, " ".join(grader.report(exercise, results).split())


@pytest.mark.parametrize("source, words", STOPPED.values(), ids=STOPPED)
def test_a_way_of_copying_is_refused(source, words):
    results, said = judged(source, ["chain"])
    assert not results[0].passed and words in said, said
    assert "is refused while an answer is checked" in said or "the package's own is not available here" in said


@pytest.mark.skipif(not fork_server.AVAILABLE, reason="cp is a program of Unix")
def test_what_is_not_stopped():
    """No audit event tells of a function of C."""
    results, said = judged(COPIED, ["chain"])
    assert results[0].passed, said


@pytest.mark.skipif(not fork_server.AVAILABLE, reason="process groups are those of Unix")
@pytest.mark.parametrize("signal", ["os.kill(-1, 0)", "os.killpg(os.getpgid(0), 0)"])
def test_a_signal_to_all_processes_is_refused(signal):
    results, said = judged(f"import os\n{signal}", ["chain"])
    assert not results[0].passed and "a signal to a group of processes, or to all of them, is refused" in said


def behind(source):
    """The reference solution, whose Engine is there only if `source` ran to its end."""
    reference = template.as_file(exercises.load(5), answers.cells(5))
    return f"{source}\nDONE = 1\n{reference.replace('class Engine:', 'DONE' + chr(10) + 'class Engine:')}"


def test_a_right_answer_may_do_what_copies_nothing():
    results, said = judged(behind(HARMLESS))
    assert all(result.passed for result in results), said


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_drawn(name):
    pytest.importorskip(name)
    if layout.engine() is None:
        pytest.skip("nothing here lays out a graph")
    results, said = judged(behind(PICTURES[name]), ["chain"])
    assert results[0].passed, said
