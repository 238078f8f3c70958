"""The lone learner's way: what `python -m legacy_autograd exercises` shows and keeps."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from legacy_autograd import exercises
from legacy_autograd.__main__ import main
from legacy_autograd.exercises import grader, template
from legacy_autograd.exercises.sandbox import landlock

from . import answers

pytestmark = pytest.mark.usefixtures("fewer_programs")

ALL = len(exercises.NAMES)


@pytest.fixture
def run(forked_judges, tmp_path, monkeypatch, capsys):
    """`run("check", 3)` in an empty folder: the exit code and what was printed."""
    monkeypatch.chdir(tmp_path)

    def run_command(*arguments):
        try:
            code = main(["exercises", *map(str, arguments)])
        except SystemExit as ending:
            code = ending.code
        said = capsys.readouterr()
        assert said.err == ""
        return code, said.out

    return run_command


def write_answer(tmp_path, number, changes=()):
    exercise = exercises.load(number)
    path = tmp_path / "exercises" / f"{exercise.file_name}.py"
    path.write_text(template.as_file(exercise, answers.cells(number, changes)), encoding="utf-8")
    return path


def test_from_the_list_to_the_next_exercise(run, tmp_path):
    code, said = run()
    assert code == 0 and said.count("not started") == ALL
    assert "Next: python -m legacy_autograd exercises start 1" in said
    code, said = run("start", 1)
    assert code == 0 and "8 points" in said and (tmp_path / "exercises/01_local_derivatives.py").exists()
    assert "started" in run()[1].splitlines()[0]
    code, said = run("check")
    assert code == 1 and "0 of 8 points" in said
    write_answer(tmp_path, 1, [answers.write("sub", "return grad_output, grad_output")])
    assert "changed since the check" in run()[1].splitlines()[0]
    code, said = run("check", 1)
    assert code == 1 and "7 of 8 points" in said
    assert "because   b is subtracted" in said and "exercises hint 1 sub 2" in said
    write_answer(tmp_path, 1)
    code, said = run("check", 1)
    assert code == 0 and "Next: python -m legacy_autograd exercises start 2" in said
    assert "done" in run()[1].splitlines()[0]


def test_hints_tell_more_and_more(run):
    hints = [run("hint", 3, "own", level)[1] for level in (1, 2, 3)]
    assert len(set(hints)) == 3 and run("hint", 3, "own")[1] == hints[0]
    assert "clone()" in hints[2] and "clone()" not in hints[0]
    code, _ = run("hint", 3, "nothing")
    assert "it has adds, own, hooks, end" in code
    assert [line.partition(":")[0] for line in run("hint", 3)[1].splitlines()] == ["adds", "own", "hooks", "end"]


def test_what_cannot_be_done_is_said(run, tmp_path):
    assert f"there is no exercise {ALL + 1}; they are numbered 1 to {ALL}" in run("start", ALL + 1)[0]
    assert "is not started" in run("check", 2)[0]
    run("start", 2)
    before = (tmp_path / "exercises/02_do_forward.py").read_text()
    assert "exists already" in run("start", 2)[0]
    assert (tmp_path / "exercises/02_do_forward.py").read_text() == before
    assert "there is no " in run("check", 2, "--file", "nowhere.py")[0]
    (tmp_path / "damaged.ipynb").write_text('{"cells": 3}')
    assert "is no notebook" in run("check", 2, "--file", "damaged.ipynb")[0]
    (tmp_path / "exercises/.progress.json").write_text("{damaged")
    assert run()[0] == 0


def test_a_notebook_is_checked_as_a_file_is(run, tmp_path):
    exercise = exercises.load(3)
    notebook = template.as_notebook(exercise, answers.cells(3))
    notebook["cells"].insert(
        0, {"cell_type": "code", "metadata": {}, "source": ["%matplotlib inline\n", "!ls\n", "x = 1"]}
    )
    (tmp_path / "handed_in.ipynb").write_text(json.dumps(notebook))
    code, said = run("check", 3, "--file", "handed_in.ipynb")
    assert code == 0 and "10 of 10 points" in said
    assert run("check", 3)[0] != 0  # nothing was noted of another file


def test_notebooks_for_a_course(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["exercises", "notebooks", "course"]) == 0
    assert len(list((tmp_path / "course/source").glob("*/*.ipynb"))) == ALL
    settings = tmp_path / "course/nbgrader_config.py"
    own = settings.read_text() + "c.CourseDirectory.course_id = 'mine'\n"
    settings.write_text(own)
    assert main(["exercises", "notebooks", "course"]) == 0 and settings.read_text() == own


def test_it_works_with_numpy_alone(command, tmp_path):
    """Neither Jupyter nor nbgrader are loaded."""
    for name in ("nbgrader", "nbformat", "IPython", "jupyter_client", "jupytext"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('not here')")
    assert command("exercises", "start", "4").returncode == 0
    result = command("exercises", "check", "4")
    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout.count("not written yet") == 6


def test_check_takes_a_file(run, tmp_path):
    run("start", 3)
    path = write_answer(tmp_path, 3)
    assert "10 of 10 points" in run("check", path)[1]
    renamed = path.rename(tmp_path / "mine.py")
    code, _ = run("check", renamed)
    assert "neither the number of an exercise nor a file named after one" in code
    assert f"exercises check N {renamed}" in code
    for arguments in ([3, renamed], [3, "--file", renamed]):
        assert "10 of 10 points" in run("check", *arguments)[1]
    assert "got two files, a.py and --file b.py" in run("check", 3, "a.py", "--file", "b.py")[0]
    assert "there is no nowhere.py" in run("watch", 3, "nowhere.py")[0]


# An answer in the ways that editors and formatters write it.
SPELLINGS = {
    "byte order mark": lambda text: "\ufeff" + text,
    "Windows line ends": lambda text: text.replace("\n", "\r\n"),
    "lines that begin with % and !": lambda text: text + "\nassert (\n    7\n    % 2\n    != 2\n)\n",
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_a_file_is_read_as_python_reads_it(run, tmp_path, spelling):
    run("start", 3)
    path = write_answer(tmp_path, 3)
    path.write_bytes(spelling(path.read_text(encoding="utf-8")).encode())
    assert "10 of 10 points" in run("check", 3)[1]


@pytest.mark.parametrize("magic", ["%%time", "%%capture output", "%%timeit -n 1", "%matplotlib inline", "!echo done"])
def test_commands_of_ipython_cost_nothing_in_a_notebook(run, tmp_path, magic):
    pytest.importorskip("IPython")
    run("start", 3)
    exercise = exercises.load(3)
    notebook = template.as_notebook(exercise, answers.cells(3))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and not cell["metadata"]["nbgrader"]["grade"]:
            cell["source"] = [magic + "\n", *cell["source"]]
    path = tmp_path / f"{exercise.file_name}.ipynb"
    path.write_text(template.notebook_json(notebook), encoding="utf-8")
    assert "10 of 10 points" in run("check", path)[1]


def test_commands_keep_the_line_numbers():
    pytest.importorskip("IPython")
    source = "%%time\n%load_ext autoreload\nfiles = !ls\nx = '''\n%no\n'''\nlen?\ny = 7"
    plain = template.without_magics(source)
    assert plain.splitlines()[7] == "y = 7"
    namespace = {}
    exec(plain, namespace)
    assert namespace["x"] == "\n%no\n" and namespace["files"] is None
    assert template.without_magics("%%bash\nrm everything") == ""


@pytest.mark.parametrize("forks", [True, False])
def test_a_killed_checking_process_is_told(monkeypatch, forks):
    """As by an answer that ends its parents, on a system where the student's process is the judge's own child."""
    killed = [sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"]
    monkeypatch.setattr(grader, "command", lambda *arguments: killed)
    monkeypatch.setattr(grader, "_judge", lambda *arguments: os.kill(os.getpid(), signal.SIGKILL))
    monkeypatch.setattr(threading, "active_count", lambda: 1 if forks else 2)
    exercise = exercises.load(3)
    results = grader.judge_in_child(exercise, [])
    assert grader.points(exercise, results) == 0 and len(results) == len(exercise.checks)
    assert "the code ended a process that it did not start" in " ".join(grader.report(exercise, results).split())


def test_a_judge_that_fails_says_how(monkeypatch):
    def fail(*arguments):
        raise ValueError("a check that cannot be drawn")

    monkeypatch.setattr(grader, "_judge", fail)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    for result in grader.judge_in_child(exercises.load(3), []):
        assert not result.passed and "ValueError: a check that cannot be drawn" in result.wrong.got


def test_watch_checks_at_every_save(tmp_path, run):
    run("start", 3)
    command = [sys.executable, "-u", "-m", "legacy_autograd", "exercises", "watch", "3"]
    environment = {**os.environ, "PYTHONPATH": str(Path(exercises.__file__).resolve().parents[2])}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as watching:
        said = "".join(iter(watching.stdout.readline, "Waiting for the next save; Ctrl-C ends.\n"))
        assert "not written yet  adds" in said and "0 of 10 points" in said
        write_answer(tmp_path, 3)
        said, _ = watching.communicate(timeout=60)
    assert "changed: adds was not written yet, is passed" in said and "10 of 10 points" in said
    assert watching.returncode == 0


@pytest.mark.parametrize("version, words", [(7, "Landlock, version 7: the kernel"), (0, "An audit hook alone")])
def test_protection_tells_what_this_machine_has(run, monkeypatch, version, words):
    monkeypatch.setattr(landlock, "version", lambda: version)
    code, said = run("protection")
    assert code == 0 and said.startswith(words)
