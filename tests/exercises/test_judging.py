"""What a student's code does to its process ends with a clear message, and never with points."""

import ast
import json
import os
import subprocess
import sys
import time
import types

import pytest

from legacy_autograd import exercises
from legacy_autograd.exercises import grader, template
from legacy_autograd.exercises.sandbox import fork_server, limits
from legacy_autograd.exercises.sandbox.host import StudentProcess
from legacy_autograd.exercises.sandbox.limits import Limits
from legacy_autograd.exercises.sandbox.student_code import StudentCode
from legacy_autograd.exercises.sandbox.worker import Printed

from . import answers
from .tampering import HIDING, HIDING_FROM_THE_JUDGE, TAMPERING

pytestmark = pytest.mark.usefixtures("fewer_programs")

on_unix = pytest.mark.skipif(limits.resource is None, reason="this system counts neither time nor memory")
SHORT = Limits(seconds=1, megabytes=300)


class InFolder(StudentProcess):
    """A student's process whose folder, the only one that it may write to, is that of a test."""

    def __init__(self, folder, *arguments):
        super().__init__(*arguments)
        self._folder = types.SimpleNamespace(name=str(folder), cleanup=lambda: None)

    def __enter__(self):
        return self


def judged(source, number=1, within=SHORT, folder=None):
    exercise, cells = exercises.load(number), template.cells_of_text(source, "answer.py")
    process = folder and InFolder(folder, exercise, cells, within)
    results = grader.judge(exercise, cells, limits=within, process=process)
    return grader.points(exercise, results), " ".join(grader.report(exercise, results).split())


def with_reference(source, number=1):
    """The reference solution with some code in front of it."""
    return source + "\n" + template.as_file(exercises.load(number), answers.cells(number))


IN_BACKWARD = """
from legacy_autograd.autograd import Function

class Sub(Function):
    def forward(self, a, b):
        return a - b

    def backward(self, grad_output):
        {}
"""


def test_torch_that_is_not_installed():
    """Whether or not this machine has torch: what the import raises is raised here."""
    _, words = judged("""raise ModuleNotFoundError("No module named 'torch'", name="torch")""")
    assert (
        "ModuleNotFoundError: No module named 'torch'" in words and "write `import legacy_autograd as torch`" in words
    )


def test_tensors_that_were_written_into_are_told_in_words():
    changes = answers.write(
        "mul", "a, b = self.saved_tensors\nfirst = b * grad_output\nreturn first, a.mul_(grad_output)"
    )
    _, words = judged(template.as_file(exercises.load(1), answers.cells(1, [changes])))
    assert "written into = nothing" in words and "written into = the data of a" in words


def test_an_answer_of_numbers_where_lists_are_needed_is_explained():
    exercise = exercises.load(4)
    changes = answers.of(4).WRONG["a number for each Function"].changes
    _, words = judged(template.as_file(exercise, answers.cells(4, changes)), number=4)
    assert "data that cannot be compared" not in words and "each output has a count of its own: a list" in words


@pytest.mark.parametrize(
    "line, words",
    [
        pytest.param("while True: pass", "nothing within 1 seconds of computing", id="endless loop"),
        pytest.param(
            "return bytearray(10**9)", "more than 300 megabytes of memory were wanted, in line 9", marks=on_unix
        ),
        pytest.param(
            "kept = []\n        while True: kept.append(bytearray(10**6))", "more than 300 megabytes", marks=on_unix
        ),
        ("return self.backward(grad_output)", "RecursionError, in line 9 of answer.py"),
        ("raise SystemExit", "a call of exit, in line 9"),
        ("exit(0)", "a call of exit, in line 9"),
        ("import os; os._exit(0)", "the process ended with the exit code 0"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "Python itself crashed"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt, in line 9"),
        ("return input()", "EOFError"),
        ("return grad_output.numpy(), grad_output", "a ndarray, not a Tensor, as gradient"),
        ("raise NotImplementedError", "not written yet sub"),
        ("raise NotImplementedError('not written yet')", "not written yet sub"),
        ("print('seen', grad_output.tolist()); return 1 / 0", "your code printed | seen [2.0]"),
    ],
)
def test_a_process_that_does_not_answer(line, words):
    points, said = judged(IN_BACKWARD.format(line))
    assert points == 0 and words in said, said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "source, words",
    [
        ("while True: pass", "nothing within 1 seconds"),
        ("def broken(:", "SyntaxError: invalid syntax, in line 1 of answer.py"),
        ("import os; os._exit(0)", "the process ended with the exit code 0"),
        ("1 / 0", "no `Sub`: before it was defined there was ZeroDivisionError: division by zero, in line 1"),
        ("from legacy_autograd import Nothing", "before it was defined there was ImportError"),
        (
            "from legacy_autograd.autograd.functions import Sub, Mul",
            "write Sub yourself: the package's own is not available here",
        ),
    ],
)
def test_code_that_ends_before_anything_is_defined(source, words):
    points, said = judged(source)
    assert points == 0 and words in said, said
    assert said.count(words) == 1 or "is not available here" in words, "the report repeats no error for each part"


def test_a_cell_that_was_run_once_is_not_forgotten():
    """A live notebook sends all that its kernel has run, also what was mended and run again."""
    cells = [
        {"source": source, "label": f"In [{number}]"} for number, source in enumerate(["while True: pass", "x = 1"])
    ]
    exercise = exercises.load(1)
    said = grader.report(exercise, grader.judge(exercise, cells, limits=SHORT))
    assert "fix that cell and restart the kernel" in " ".join(said.split())


@pytest.mark.parametrize("source", TAMPERING.values(), ids=TAMPERING)
def test_no_points_for_touching_the_checker(source):
    points, said = judged(source)
    assert points == 0, said
    assert "Traceback" not in said


def test_the_reference_is_not_in_the_students_process():
    source = "from legacy_autograd.exercises.checks.run_backward import exercise\nEngine = exercise.reference.Engine\n"
    points, said = judged(source, 5)
    assert points == 0 and "importing legacy_autograd.exercises.checks.run_backward, which has a solution" in said, said


@pytest.mark.parametrize(
    "use",
    [
        "from legacy_autograd.autograd import ExecutionEngine; ExecutionEngine().run_backward(x * 2, None)",
        "from legacy_autograd import autograd; autograd.grad(x * 2, x)",
        "from legacy_autograd.autograd.later.backward_api import RecordingEngine as E; E().run_backward(x * 2, None)",
        "(x * 2).backward()",
    ],
)
def test_a_finished_engine_is_not_lent(use):
    source = f"""
from legacy_autograd import DoubleTensor
from legacy_autograd.autograd import Variable
x = Variable(DoubleTensor([1.0]), requires_grad=True)
{use}
"""
    points, said = judged(source, 5)
    assert points == 0 and "the package's own is not available here" in said, said


@on_unix
def test_code_that_closes_the_channel_and_goes_on(monkeypatch):
    monkeypatch.setattr(Limits, "patience", 3)
    points, said = judged("import os, time\nos.closerange(3, 100)\ntime.sleep(10**6)")
    assert points == 0 and "nothing within 1 seconds of computing" in said


def at_work(each):
    """The reference solution of exercise 1, with other code in front of each backward of Sub."""
    return (
        with_reference("")
        + f"""
import time
backward = Sub.backward
def slowly(self, grad_output):
    {each}
    return backward(self, grad_output)
Sub.backward = slowly
"""
    )


COMPUTE = "start = time.process_time()\n    while time.process_time() < start + 0.6: pass"


def results_of(source, checks, within=SHORT):
    exercise, cells = exercises.load(1), template.cells_of_text(source, "answer.py")
    return {result.check.name: result.wrong for result in grader.judge(exercise, cells, checks, within)}


@on_unix
def test_the_limit_of_time_is_for_a_check_and_not_for_a_question():
    """Each question takes less than the limit, and all of a check more; the next check has its own time."""
    found = results_of(at_work(COMPUTE), ["sub_example", "sub_programs", "mul_example"])
    assert found["sub_example"] is None and found["mul_example"] is None
    assert found["sub_programs"].kind == "time"
    assert "nothing within 1 seconds of computing" in found["sub_programs"].got


@on_unix
def test_all_checks_together_have_a_limit_of_time(monkeypatch):
    monkeypatch.setattr(Limits, "total", 1)
    found = results_of(at_work(COMPUTE), ["sub_example", "sub_programs", "mul_example", "div_example"])
    assert found["sub_example"] is None and found["sub_programs"].kind == "time"
    for name in ("mul_example", "div_example"):
        assert found[name].got == "nothing: all checks together had 1 seconds of computing"


@on_unix
@pytest.mark.parametrize("seconds", [5, 100])
def test_a_process_is_told_that_its_time_is_over_before_it_is_killed(seconds):
    """SIGXCPU comes at the soft limit, and SIGKILL, which a process without memory gets too, at the hard one."""
    program = (
        "from legacy_autograd.exercises.sandbox import limits\n"
        f"limits.limit_time(50, again=False)\nlimits.limit_time({seconds})\n"
        "print(limits.resource.getrlimit(limits.resource.RLIMIT_CPU))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    soft, hard = ast.literal_eval(done.stdout)
    assert soft < hard


def test_sleeping_is_limited_by_the_clock_for_all_checks_together(monkeypatch):
    monkeypatch.setattr(Limits, "total_patience", 2)
    found = results_of(at_work("time.sleep(3)"), ["sub_example", "mul_example"])
    assert found["sub_example"].kind == "time" and "all checks together had" in found["mul_example"].got


def test_printing_without_end_costs_neither_memory_nor_the_answer():
    points, said = judged(with_reference("for number in range(3000): print('x' * 1000)\nprint('last')"))
    assert points == 8, said
    printed = Printed()
    printed.write("first ")
    for _ in range(3):
        printed.write("x" * 2**20)
    printed.write("last")
    text = printed.take()
    assert text.startswith("first x") and text.endswith("\n… (> 1 MB)\n")
    assert "last" not in text and len(text) < 4000
    printed.write("again")
    assert printed.take() == "again"


def ended(pid):
    """Has that process ended, though perhaps nobody has taken note of it?"""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def wait_until_ended(pid):
    for _ in range(600):
        if ended(pid):
            return True
        time.sleep(0.1)
    return False


START = """
def start(environment=os.environ):
    if os.fork() == 0:
        os.setsid()
        words = [sys.executable, "-c", program]
        settings = [f"{name}={value}" for name, value in environment.items()]
        def array(texts): return (ctypes.c_char_p * (len(texts) + 1))(*[text.encode() for text in texts])
        ctypes.CDLL(None).execve(sys.executable.encode(), array(words), array(settings))
"""


def hidden(source, note):
    """Code that starts a process which writes its number to `note`, and goes on when that is there."""
    program = (
        f"import os, time; file = open({str(note)!r}, 'w'); file.write(str(os.getpid())); file.close(); "
        "time.sleep(10**6)"
    )
    return (
        f"import ctypes, os, signal, sys, time\nprogram = {program!r}\ndef stay(): exec(program)\n{START}{source}"
        f"while not (os.path.exists({str(note)!r}) and os.path.getsize({str(note)!r})): time.sleep(0.01)\n"
    )


@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="needs /proc")
@pytest.mark.parametrize("source", HIDING.values(), ids=HIDING)
def test_a_process_that_hides_is_ended(way, source, tmp_path):
    """Its own session keeps it from the signal to the student's group, and its copy of the channel would stay open."""
    note = tmp_path / "note"
    points, said = judged(with_reference(hidden(source, note)), folder=tmp_path)
    assert points == 8, said
    assert wait_until_ended(note.read_text())


@pytest.mark.skipif(not fork_server.AVAILABLE, reason="this system starts fresh interpreters")
@pytest.mark.parametrize("source", HIDING_FROM_THE_JUDGE.values(), ids=HIDING_FROM_THE_JUDGE)
def test_a_guardian_ends_what_the_judge_does_not_find(source, tmp_path):
    note = tmp_path / "note"
    points, said = judged(with_reference(hidden(source, note)), folder=tmp_path)
    assert points == 8, said
    assert wait_until_ended(note.read_text())


def test_a_right_answer_is_right_though_it_replaces_builtins():
    source = "import builtins\nbuiltins.sum = builtins.len = None\n"
    points, said = judged(with_reference(source))
    assert points == 8, said


def test_what_a_check_gets_is_data_and_not_the_students_objects():
    from legacy_autograd.exercises.answer import plain

    class Sneaky:
        array = property(lambda self: self)

        def tolist(self):
            return [1.0]

    assert plain([None, True, 2, 3.5, "text", (1, 2)]) == [None, True, 2, 3.5, "text", [1, 2]]
    assert plain({}) == "a dict" and plain(Sneaky()) == [1.0]


@on_unix
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_where_memory_cannot_be_limited_a_thread_watches(tmp_path):
    import subprocess

    program = (
        "from legacy_autograd.exercises.sandbox import limits\n"
        "import threading, time\n"
        "threading.Thread(target=limits._watch, args=(100, 0.01), daemon=True).start()\n"
        "kept = bytearray(300 * 2**20)\n"
        "for i in range(0, len(kept), 4096): kept[i] = 1\n"
        "time.sleep(30)\n"
    )
    # Linux hands the high-water mark of whoever starts a process on to it, and pytest's may be far above 300 MB; the
    # shell's own children begin afresh.
    ended = subprocess.run(
        ["sh", "-c", '"$0" -c "$1"; exit $?', sys.executable, program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ended.returncode == limits.OUT_OF_MEMORY


def test_the_line_is_shown_whichever_cell_of_a_file_it_is_in():
    points, said = judged("# %%\nfirst = 1 / 0\n\n# %%\nsecond = 2\n")
    assert points == 0 and "in line 2 of answer.py: first = 1 / 0" in said


def test_a_wrong_number_names_the_line_of_the_method_that_was_asked():
    exercise = exercises.load(1)
    # Line 1 is empty, class Sub begins in line 3, and its backward in line 7.
    source = (
        "\nfrom legacy_autograd.autograd import Function\nclass Sub(Function):\n    def forward(self, a, b):\n"
        "        return a.sub(b)\n\n    def backward(self, grad_output):\n        return grad_output, grad_output\n"
    )
    (result,) = grader.judge(exercise, [{"label": "answer.py", "source": source}], ["sub_example"])
    assert result.wrong.where == "Sub.backward, line 7 of answer.py"
    assert "\n        in        Sub.backward, line 7 of answer.py\n" in grader.report(exercise, [result])


class Elsewhere(StudentCode):
    """Passes the judge's requests to a student's process as text, as a web page passes messages to its worker."""

    def __init__(self, exercise, cells):
        super().__init__(exercise, cells, SHORT)
        self._there = StudentProcess(exercise, cells)  # for it all checks are one: it hears of none that begins
        self.kinds = []

    def __enter__(self):
        self._there.__enter__()
        return self

    def __exit__(self, *exception):
        self._there.__exit__(*exception)

    def exchange(self, request):
        self.kinds.append("cells" if "cells" in request else "probe")
        if "while True" in str(request.get("cells")):
            raise self.out_of_time()
        return json.loads(json.dumps(self._there.exchange(json.loads(json.dumps(request)))))


def test_the_judge_takes_the_process_that_it_is_given():
    exercise = exercises.load(1)
    cells = template.cells_of_text(with_reference("print('hello')\nraise TypeError('mine')"), "answer.py")
    elsewhere = Elsewhere(exercise, cells)
    results = grader.judge(exercise, cells, limits=SHORT, process=elsewhere)
    assert grader.report(exercise, results) == grader.report(exercise, grader.judge(exercise, cells, limits=SHORT))
    assert elsewhere.kinds[0] == "cells" and elsewhere.kinds.count("cells") == 1


def test_a_given_process_ends_an_endless_loop_its_own_way():
    exercise = exercises.load(1)
    cells = template.cells_of_text("while True: pass", "answer.py")
    results = grader.judge(exercise, cells, limits=SHORT, process=Elsewhere(exercise, cells))
    assert "nothing within 1 seconds of computing" in grader.report(exercise, results)


def test_several_parts_look_at_one_run_of_a_program():
    """The answer counts its calls: a question that is asked once has its first reply, sent ahead or not."""
    cells = template.cells_of_text(IN_BACKWARD.format("pass").replace("return a - b", "return a + Sub.n"), "answer.py")
    counting = "Sub.n = 0\nsub = Sub.forward\ndef counted(self, *ab):\n    Sub.n += 1\n    return sub(self, *ab)\n"
    cells += template.cells_of_text(f"{counting}Sub.forward = counted", "answer.py")
    question = "behaviour", {"lines": ["a = Variable(DoubleTensor([0.0]))", "y = Sub()(a, a)[0]"]}
    with StudentProcess(exercises.load(1), cells, SHORT) as process:
        once = [process.ask(*question, once=True)["y"] for _ in range(2)]
        process.ahead(*question)
        again = [process.ask(*question)["y"], process.ask(*question, once=True)["y"]]
    assert once + again == [[1], [1], [2], [1]]


def test_a_question_that_was_sent_ahead_and_is_not_asked_is_forgotten():
    loop_or_end = "while a[0] == 7: pass\n        a[0] == 8 and __import__('os')._exit(0)\n        return a - b"
    cells = template.cells_of_text(IN_BACKWARD.format("pass").replace("return a - b", loop_or_end), "answer.py")

    def minus_one(number):
        a, b = (f"Variable(DoubleTensor([{one}]))" for one in (float(number), 1.0))
        return "behaviour", {"lines": [f"a = {a}", f"b = {b}", "y = Sub()(a, b)[0]"]}

    with StudentProcess(exercises.load(1), cells, SHORT) as process:
        assert process.ask(*minus_one(2))["y"] == [1]
        # Before the one that is asked there is one with an answer, an endless one, and one that ends the process.
        for ahead, asked in ((3, 4), (7, 5), (8, 6)):
            process.ahead(*minus_one(ahead))
            assert process.ask(*minus_one(asked))["y"] == [asked - 1]
        for ahead in (2, 3, 3, 4):
            process.ahead(*minus_one(ahead))
        assert [process.ask(*minus_one(asked))["y"] for asked in (2, 4, 3)] == [[1], [3], [2]]
