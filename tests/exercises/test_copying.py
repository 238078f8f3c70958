"""The simple ways to copy the package's own solution are refused, and the refusal names what was tried."""

import re
import tempfile
from pathlib import Path

import pytest

import legacy_autograd
from legacy_autograd import exercises
from legacy_autograd.drawing import layout
from legacy_autograd.exercises import grader, template
from legacy_autograd.exercises.sandbox import fork_server, landlock

from . import answers

pytestmark = pytest.mark.usefixtures("fewer_programs")

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
    "the notebook of the clone": (
        """
from pathlib import Path
folder = Path(REAL).parent / "notebooks/exercises/source"
exec((folder / "05_run_backward/05_run_backward.ipynb").read_text())
""",
        "opening the file 05_run_backward.ipynb",
    ),
    "all objects": (
        """
import gc
Engine = [kind for kind in gc.get_objects() if getattr(kind, "__name__", "") == "ExecutionEngine"][0]
""",
        "gc.get_objects",
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

# {way: code that has the text of a module of the package as `text`}: that of the judge's, whose folder is REAL.
READ = {
    "open": "text = open(path).read()",
    "os.open": "import os\ntext = os.read(os.open(path, os.O_RDONLY), 10**6).decode()",
    "through the root of the process": "text = open('/proc/self/root' + path).read()",
    "a loader": (
        "from importlib.machinery import SourceFileLoader\ntext = SourceFileLoader('m', path).get_data(path).decode()"
    ),
    "linecache": (
        "import linecache\ntext = ''.join(linecache.getlines(path))\n"
        "if not text: raise PermissionError('is refused: no line of it')"
    ),
    "numpy": "import numpy\ntext = numpy.fromfile(path, 'uint8').tobytes().decode()",
    "a link": "import os\nos.symlink(path, 'mine.py')\ntext = open('mine.py').read()",
    "a hard link": "import os\nos.link(path, 'mine.py')\ntext = open('mine.py').read()",
    "subprocess": "import subprocess\ntext = subprocess.run(['cat', path], capture_output=True, text=True).stdout",
}  # fmt: skip
C = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
READ_IN_C = {  # no audit event tells of it
    "open": C + """
number = libc.open(path.encode(), os.O_RDONLY)
if number < 0: raise PermissionError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
text = os.read(number, 10**6).decode()
""",
    "cp": C + "libc.system(f'cp {path} mine.py'.encode())\ntext = open('mine.py').read()",
    "memory of the judge": C + """
number = libc.open(f"/proc/{os.getppid()}/mem".encode(), os.O_RDONLY)
if number < 0: raise PermissionError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
text = open(path).read()
""",
}  # fmt: skip
SOURCES = {
    "the engine": "autograd/engine.py",
    "the museum": "historical/engine.py",
    "the twin": "autograd/fast/walk.py",
    "the checks": "exercises/checks/run_backward.py",
    "the text": "exercises/templates/05_run_backward.py",
}
RUN = """
import sys, types
module = types.ModuleType("legacy_autograd.autograd.mine")
module.__package__ = "legacy_autograd.autograd"
exec(text, vars(module))
class Engine(module.ExecutionEngine): pass
"""

# Ways to the part that an exercise asks for, of what the process itself has: {way: (number of the exercise, code)}.
WITHIN = {
    "the source": (5, "import inspect\nfrom legacy_autograd.autograd import engine\n" + """
space = dict(vars(engine))
exec(inspect.getsource(engine), space)
class Engine(space["ExecutionEngine"]): pass
"""),
    "the compiled source": (5, """
from legacy_autograd.autograd import engine
space = dict(vars(engine))
exec(engine.__loader__.get_code(engine.__name__), space)
class Engine(space["ExecutionEngine"]): pass
"""),
    "a fresh load": (5, """
import importlib, sys
del sys.modules["legacy_autograd.autograd.engine"]
class Engine(importlib.import_module("legacy_autograd.autograd.engine").ExecutionEngine): pass
"""),
    "a reload": (5, """
import importlib
from legacy_autograd.autograd import engine
class Engine(importlib.reload(engine).ExecutionEngine): pass
"""),
    "its loader": (5, """
from legacy_autograd.autograd import engine
space = dict(vars(engine))
exec(engine.__loader__.get_source(engine.__name__), space)
class Engine(space["ExecutionEngine"]): pass
"""),
    "subclasses": (5, """
(package,) = [kind for kind in object.__subclasses__() if kind.__name__ == "ExecutionEngine"]
class Engine(package): pass
"""),
    "the engine of grad": (5, """
from legacy_autograd.autograd.later.backward_api import CapturingEngine
class Engine:
    def run_backward(self, variable, grad, retain_variables=True):
        CapturingEngine([variable], False, True).run_backward(variable, grad)
"""),
    "another module's sum_to_size": (7, """
from legacy_autograd.autograd.functions import activation
def sum_to_size(grad, size): return activation.sum_to_size(grad, size)
"""),
    "the class behind a result": (1, """
from legacy_autograd.autograd import Variable
import legacy_autograd as torch
x = Variable(torch.DoubleTensor([1.0]))
class Sub(type((x - x).creator)): pass
"""),
    "its backward": (1, """
from legacy_autograd.autograd import Function, functions
class Sub(Function):
    def forward(self, a, b): return a - b
    def backward(self, grad): return functions.Sub.backward(self, grad)
"""),
    "add_to_grad": (3, """
from legacy_autograd.autograd import leaf
from legacy_autograd.autograd.later.hooks import add_to_grad
class Leaf(leaf.Leaf):
    def _do_backward(self, *grads):
        add_to_grad(self.variable, *grads)
        return ()
"""),
}  # fmt: skip
ABSENT = {  # what the process has no module of
    "the twin's copies": "from legacy_autograd.autograd.fast import _book_methods_of_call as Engine",
    "the twin's walk": "from legacy_autograd.autograd.fast.walk import run_backward as Engine",
    "the twin's call": "import legacy_autograd.autograd.fast.call as Engine",
    "the texts": "from legacy_autograd.exercises import load, template\nEngine = template.read(load(5))",
}

# No frame, and nothing that hangs on one, has a part of the judge's.
FRAMES = """
import gc, sys
def judges_parts():
    found, waiting, seen, frame = [], [], set(), sys._getframe()
    while frame is not None:
        waiting += [frame.f_locals, frame.f_globals]
        frame = frame.f_back
    while waiting:
        thing = waiting.pop()
        if id(thing) not in seen:
            seen.add(id(thing))
            if type(thing).__name__ in ("Exercise", "Check", "Group", "Trial", "Asked"):
                found.append(thing)
            waiting += gc.get_referents(thing)
    return found
assert judges_parts() == []
assert [name for name in sys.modules if ".checks" in name or ".historical" in name or name.endswith(".grader")] == []
"""

# INSTRUCTORS.md says that these are not stopped: {way: (number of the exercise, code, the checks that it passes)}.
LEFT = {
    "in 6 a program that reads the code of the engine": (6, """
import legacy_autograd as torch
from legacy_autograd.autograd import Variable
def program_1():
    return torch.ones(1) * ("add_" in type(Variable._execution_engine).run_backward.__code__.co_names)
""", ["engine1_shows"]),
    "in 10 an instance of the package's Mul": (10, """
from legacy_autograd.autograd import functions
class Mul:
    def __new__(cls): return functions.Mul()
""", ["mul_once", "mul_twice"]),
}  # fmt: skip

# Programs of exercise 6 that look for the engine that runs them, and not at its gradients.
TOLD_APART = {
    "locals of frames": """
import sys
def is_faulty():
    frame, words = sys._getframe(), []
    while frame is not None:
        words += [value for value in frame.f_locals.values() if isinstance(value, str)] + list(frame.f_locals)
        frame = frame.f_back
    return any("faulty" in word or word in ("Engine1", "with the faulty engine") for word in words)
""",
    "the file of the engine": """
def is_faulty():
    return not Variable._execution_engine.run_backward.__code__.co_filename.endswith("engine.py")
""",
    "the name of its class": """
def is_faulty():
    kind = type(Variable._execution_engine)
    return "1" in kind.__name__ or "Fixed" not in str(kind.__mro__)
""",
    "the number of calls": """
calls = []
def is_faulty():
    calls.append(1)
    return len(calls) % 2 == 1
""",
}


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


REAL = Path(legacy_autograd.__file__).parent


@pytest.fixture(scope="module", autouse=True)
def on_disk():
    """Students' folders are where they usually are: every student's process may read and write /dev/shm."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fork_server, "_servers", servers := {})
        if tempfile.gettempdir().startswith("/dev/shm"):
            patch.delenv("TMPDIR", raising=False)
            patch.setattr(tempfile, "tempdir", None)
        yield
    for server in servers.values():
        server.end()


needs_landlock = pytest.mark.skipif(landlock.version() == 0, reason="this system has no Landlock")


def judged(source, checks=None, number=5):
    exercise = exercises.load(number)
    results = grader.judge(exercise, template.cells_of_text(f"REAL = {str(REAL)!r}\n{source}", "answer.py"), checks)
    return results, " ".join(grader.report(exercise, results).split())


@pytest.fixture
def without_landlock(monkeypatch):
    """As on a system that does not have it."""
    monkeypatch.setattr(landlock, "version", lambda: 0)


@pytest.mark.parametrize("source, words", STOPPED.values(), ids=STOPPED)
def test_a_way_of_copying_is_refused(source, words):
    results, said = judged(source, ["chain"])
    assert not results[0].passed and words in said and "is refused while an answer is checked" in said, said


@pytest.mark.parametrize(
    "way, file",
    [*[(way, "the engine") for way in READ], *[("open", file) for file in SOURCES if file != "the engine"]],
)
def test_no_source_of_the_package_can_be_read(way, file):
    results, said = judged(f"path = {str(REAL / SOURCES[file])!r}\n{READ[way]}\n{RUN}", ["chain"])
    assert not results[0].passed and "is refused" in said, said


@needs_landlock
@pytest.mark.parametrize("way", READ_IN_C.values(), ids=READ_IN_C)
def test_the_kernel_refuses_functions_of_c_too(way):
    results, said = judged(f"path = {str(REAL / SOURCES['the engine'])!r}\n{way}\n{RUN}", ["chain"])
    assert not results[0].passed and ("Permission denied" in said or "No such file" in said), said


@pytest.mark.skipif(not fork_server.AVAILABLE, reason="functions of C by the names of Unix")
def test_what_the_audit_hook_alone_does_not_stop(without_landlock):
    """No audit event tells of a function of C."""
    results, said = judged(f"path = {str(REAL / SOURCES['the engine'])!r}\n{READ_IN_C['cp']}\n{RUN}", ["chain"])
    assert results[0].passed, said


@pytest.mark.parametrize("number, source", WITHIN.values(), ids=WITHIN)
def test_the_process_has_nothing_to_copy(number, source):
    results, said = judged(source, number=number)
    assert not any(result.passed for result in results) and "the package's own is not available here" in said, said


@pytest.mark.parametrize("source", ABSENT.values(), ids=ABSENT)
def test_the_process_has_no_such_module(source):
    results, said = judged(source, ["chain"])
    assert not results[0].passed and "before it was defined there was" in said, said


def test_no_probe_imports_a_check():
    for path in (REAL / "exercises" / "observers").glob("*.py"):
        imported = re.findall(r"^ *from (\S+) import (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        names = " ".join(f"{module}.{name}" for module, name in imported)
        assert not re.search(r"\b(checks|model|grader|template|historical)\b", names), path


@pytest.mark.parametrize("number", [1, 6, 11])
def test_the_worker_holds_no_part_of_the_judge(number):
    first = next(iter(exercises.load(number).checks))
    answer = template.as_file(exercises.load(number), answers.cells(number))
    results, said = judged(f"{FRAMES}\n{answer}", [first], number)
    assert results[0].passed, said


@pytest.mark.parametrize("source", TOLD_APART.values(), ids=TOLD_APART)
def test_a_program_that_looks_for_its_engine_shows_no_fault(source):
    source += "def program_1(): return torch.ones(1) * is_faulty()\n"
    head = "import legacy_autograd as torch\nfrom legacy_autograd.autograd import Variable\n"
    results, said = judged(head + source, ["engine1_shows"], 6)
    assert not results[0].passed, said


@pytest.mark.parametrize("number, source, checks", LEFT.values(), ids=LEFT)
def test_what_is_not_stopped(number, source, checks):
    results, said = judged(source, checks, number)
    assert all(result.passed for result in results), said


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
