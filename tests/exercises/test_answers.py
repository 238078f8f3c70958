"""The checks are checked: right answers in any style pass, wrong ones are refused with a word on their mistake."""

import collections
import re
from dataclasses import replace

import pytest

from legacy_autograd import exercises
from legacy_autograd.__main__ import main
from legacy_autograd.commands import exercises as commands
from legacy_autograd.exercises import grader, template

from . import answers
from .english import left_in_english

pytestmark = pytest.mark.usefixtures("fewer_programs")

PLENTY = 60  # seconds: the limit of time is not what these tests are about, and the machine may be busy


@pytest.fixture
def only(request, monkeypatch):
    """`only(number, groups)`: in `make test` the checks of other groups are left out."""

    def shorten(number, groups):
        if request.config.option.markexpr:
            exercise = exercises.load(number)
            kept = {name: check for name, check in exercise.checks.items() if check.group.name in groups}
            monkeypatch.setattr(exercise, "checks", kept)

    return shorten


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """`check(number, cells)`: the lone learner's way. Returns the exit code, and the report in both languages."""
    judged = []

    def judge(*arguments, **options):  # in this process: a child would take half a second for each answer
        judged[:] = grader.judge(*arguments, **options)
        return list(judged)

    monkeypatch.setattr(grader, "judge_in_child", judge)
    monkeypatch.setattr(commands, "FRESH", 0)  # every run of these tests is the same

    def run(number, cells, seconds=PLENTY):
        exercise = exercises.load(number)
        monkeypatch.chdir(tmp_path)
        (tmp_path / "exercises").mkdir()
        path = tmp_path / "exercises" / f"{exercise.file_name}.py"
        path.write_text(template.as_file(exercise, cells), encoding="utf-8")
        code = main(["exercises", "check", str(number), "--seconds", str(seconds)])
        said = capsys.readouterr()
        assert said.err == ""
        programs = [line for result in judged if result.wrong for line in result.wrong.program]
        chinese = grader.report(exercise, [replace(result, picture=None) for result in judged], "zh")
        groups = [group.name for group in exercise.groups]
        assert left_in_english(chinese, path.read_text(encoding="utf-8"), programs, groups) == [], chinese
        return code, said.out, chinese

    return run


def states(said):
    """{group: passed, FAILED or not written yet} of a report."""
    found = re.findall(r"^(passed|FAILED|not written yet) +(\w+): ", said, re.MULTILINE)
    return {group: state for state, group in found}


def reasons(said):
    """All that a report says behind `because`, on one line."""
    found = re.findall(r"^ {8}because {3}(.*(?:\n {18}\S.*)*)", said, re.MULTILINE)
    return " ".join(" ".join(found).split())


def without_reason(said):
    """The groups that failed without a reason; what is the same as above has its reason there."""
    groups = re.split(r"^(?=\S)", said, flags=re.MULTILINE)
    failed = [group for group in groups if group.startswith("FAILED")]
    return [group for group in failed if "\n        because   " not in group and "the same as above" not in group]


def named(found, fast):
    """A test for each answer. Those of an exercise behind the first `fast` are slow, and so are the most that run into
    the limit of time.
    """
    counts, tests, late = collections.Counter(), [], 0
    for number, name, answer in found:
        counts[number] += 1
        late += (is_late := getattr(answer, "seconds", None) is not None)
        marks = [pytest.mark.slow] if counts[number] > fast or (is_late and late > 1) else []
        tests.append(pytest.param(number, name, answer, id=f"{number}-{name}", marks=marks))
    return tests


@pytest.mark.parametrize("number, name, changes", named(answers.all_right(), fast=2))
def test_a_right_answer_passes(check, number, name, changes):
    code, said, _ = check(number, answers.cells(number, changes))
    exercise = exercises.load(number)
    assert (code, set(states(said).values())) == (0, {"passed"}), said
    assert f"{exercise.points} of {exercise.points} points." in said


@pytest.mark.parametrize("number, name, answer", named(answers.all_wrong(), fast=6))
def test_a_wrong_answer_is_refused_with_a_reason(check, only, number, name, answer):
    only(number, answer.fails)
    code, said, chinese = check(number, answers.cells(number, answer.changes), answer.seconds or PLENTY)
    failed = {group for group, state in states(said).items() if state != "passed"}
    assert code == 1 and failed & answer.fails, said
    assert answer.says is None or answer.says in reasons(said), said
    assert not without_reason(said), said
    assert "未通过" in chinese and "原因" in chinese
    assert "Traceback" not in said, said
    assert re.search(r"^ +on  ", said, re.MULTILINE) and re.search(r"^ +hint  ", said, re.MULTILINE), said


@pytest.mark.parametrize("number", exercises.numbers())
def test_the_untouched_copy_is_not_written_yet(check, number):
    exercise = exercises.load(number)
    code, said, _ = check(number, template.unsolved(template.read(exercise)))
    assert (code, set(states(said).values())) == (1, {"not written yet"}), said
    assert len(states(said)) == len(exercise.groups)
    assert f"\n0 of {exercise.points} points." in said
    assert "Traceback" not in said and "Error" not in said


@pytest.mark.parametrize("number", exercises.numbers())
def test_there_are_enough_answers(number):
    module = answers.of(number)
    assert len(module.WRONG) >= 30 and len(module.RIGHT) >= 6
    assert all(answer.says is None or answer.says for answer in module.WRONG.values())
    exercise = exercises.load(number)
    assert {group for answer in module.WRONG.values() for group in answer.fails} == {g.name for g in exercise.groups}


@pytest.mark.parametrize("number", exercises.numbers())
def test_every_answer_is_python(number):
    # A wrong answer that cannot be read is refused for that, and not for its mistake.
    changes = {**answers.of(number).RIGHT, **{name: wrong.changes for name, wrong in answers.of(number).WRONG.items()}}
    for name, changed in changes.items():
        compile(template.as_file(exercises.load(number), answers.cells(number, changed)), name, "exec")
