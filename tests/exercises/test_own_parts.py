"""Exercise 11 runs on the student's own earlier answers: `check 11 --own`."""

import pytest

from legacy_autograd import exercises
from legacy_autograd.__main__ import main
from legacy_autograd.exercises import grader, own_parts, progress, template

from . import answers

pytestmark = pytest.mark.usefixtures("fewer_programs")

RAISE = 'raise RuntimeError("this is mine")'
# {exercise: (a change of the right answer that tells when it runs, a change of exercise 11 that runs it)}
TELLTALES = {
    1: ([answers.write("sigmoid", RAISE)], [(".tanh()", ".sigmoid()")]),
    2: ([answers.write("do_forward", RAISE)], []),
    3: ([answers.write("leaf", RAISE)], []),
    5: ([("root = variable.creator", RAISE)], []),
    7: ([answers.write("mul", RAISE)], []),
}


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """`check(changes of exercise 11, {number: changes of that exercise})`: exit code and words of check 11 --own."""
    monkeypatch.setattr(grader, "judge_in_child", grader.judge)
    folder = progress.Folder(tmp_path)

    def run(changes, own, cells=None):
        for number, changed in {**own, 11: changes}.items():
            exercise = exercises.load(number)
            text = template.as_file(exercise, cells if cells and number == 11 else answers.cells(number, changed))
            folder.file_of(exercise).write_text(text, encoding="utf-8")
            if number != 11:
                folder.note(exercise, exercise.points)
        code = main(["exercises", "--folder", str(tmp_path), "check", "11", "--own"])
        return code, " ".join(capsys.readouterr().out.split())

    return run


def test_a_network_on_five_earlier_answers(check):
    code, said = check([], dict.fromkeys(own_parts.PARTS, ()))
    assert code == 0 and "15 of 15 points" in said and said.count(": your own") == len(own_parts.PARTS)


@pytest.mark.parametrize("number", own_parts.PARTS)
def test_the_students_own_code_runs(check, number):
    telltale, use = TELLTALES[number]
    code, said = check(use, {number: telltale})
    file = f"{exercises.load(number).file_name}.py"
    assert code == 1 and "this is mine" in said and f"of {file}: raise" in said, said
    assert said.count(": the exercise is not done") + said.count(": exercise 5 is not done") == len(TELLTALES) - 1


def test_the_engine_of_exercise_5_takes_the_place_of_an_unwritten_one(check):
    cells = answers.cells(11)
    unsolved = template.unsolved(template.read(exercises.load(11)))
    is_engine = [(cell.kind, cell.name) == ("solution", "engine") for cell in cells]
    cells = [stub if is_it else cell for cell, stub, is_it in zip(cells, unsolved, is_engine, strict=True)]
    assert check([], {}, cells)[0] == 1
    assert check([], {5: ()}, cells)[0] == 0


def test_answers_that_changed_since_the_check_are_not_used(tmp_path):
    folder, exercise = progress.Folder(tmp_path), exercises.load(5)
    folder.start(exercise)
    folder.note(exercise, exercise.points)
    assert own_parts.done_in(folder) == [5]
    folder.file_of(exercise).write_text("changed")
    assert own_parts.done_in(folder) == []


def test_other_exercises_have_no_own_parts(tmp_path):
    folder = progress.Folder(tmp_path)
    folder.start(exercises.load(3))
    with pytest.raises(SystemExit, match="--own is for exercise 11, got exercise 3"):
        main(["exercises", "--folder", str(tmp_path), "check", "3", "--own"])
