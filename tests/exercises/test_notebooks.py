"""The committed notebooks are what the texts make, and what a student gets of them holds no solution."""

import ast
import json
import re
from pathlib import Path

import pytest

from legacy_autograd import exercises
from legacy_autograd.commands.exercises import course_files
from legacy_autograd.exercises import template

SOURCE = Path(__file__).resolve().parents[2] / "notebooks/exercises"
ALL = [exercises.load(number) for number in exercises.numbers()]
each_exercise = pytest.mark.parametrize("exercise", ALL, ids=lambda exercise: exercise.name)


def test_the_committed_course_is_what_the_texts_make():
    made = course_files()
    committed = {path.relative_to(SOURCE) for path in SOURCE.glob("source/**/*") if path.is_file()}
    committed |= {path.relative_to(SOURCE) for path in SOURCE.glob("*.py")}
    assert committed == set(made), "every other file beside a source notebook is copied to the students"
    for path, content in made.items():
        assert (SOURCE / path).read_text(encoding="utf-8") == content, (
            "write them anew: python -m legacy_autograd exercises notebooks notebooks/exercises"
        )


@each_exercise
def test_a_notebook_is_valid_and_has_nbgraders_marks(exercise):
    notebook = template.as_notebook(exercise, template.read(exercise))
    marks = [cell["metadata"]["nbgrader"] for cell in notebook["cells"]]
    assert len({mark["grade_id"] for mark in marks}) == len(marks) == len({cell["id"] for cell in notebook["cells"]})
    graded = {mark["grade_id"]: mark["points"] for mark in marks if mark["grade"]}
    assert graded == {f"tests-{group.name}": group.points for group in exercise.groups}
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (the extra exercises has it)")
    nbformat.validate(notebook)


@each_exercise
def test_test_cells_name_every_check_and_hide_the_hidden_ones(exercise):
    shown, hidden = [], []
    for cell in template.as_notebook(exercise, template.read(exercise))["cells"]:
        if cell["metadata"]["nbgrader"]["grade"]:
            source = "".join(cell["source"])
            visible = re.sub(r"    ### BEGIN HIDDEN TESTS\n.*### END HIDDEN TESTS\n", "", source, flags=re.DOTALL)
            call = ast.parse(visible.partition("\n")[2]).body[0].value
            number, *names = [argument.value for argument in call.args]
            assert number == exercise.number and names, "a student sees at least one check of every part"
            shown += names
            hidden += re.findall(r'"(\w+)"', source)
    assert hidden == [c.name for group in exercise.groups for c in exercise.checks.values() if c.group is group]
    assert set(shown) == {check.name for check in exercise.checks.values() if not check.hidden}
    assert len(shown) < len(hidden)


@each_exercise
def test_the_students_copy_holds_no_solution(exercise):
    cells = template.read(exercise)
    copy = template.as_file(exercise, template.unsolved(cells))
    solutions = [body for cell in cells for _, body in template.solutions(cell)]
    assert solutions and not any(body.strip() in copy for body in solutions)
    assert "SOLUTION" not in copy
    assert copy.count("not written yet") == len(solutions)
    compile(copy, exercise.file_name, "exec")


@each_exercise
def test_no_exercise_needs_a_later_one(exercise):
    assert all(number < exercise.number for number in exercise.needs)
    assert all(len(group.hints) == 3 and len(set(group.hints)) == 3 for group in exercise.groups)


def test_instructors_are_told_of_every_exercise():
    words = (SOURCE / "INSTRUCTORS.md").read_text(encoding="utf-8")
    table = words[words.index("|") :].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert rows[2:] == [
        [str(e.number), e.title, str(e.points), str(e.minutes), ", ".join(map(str, e.needs))] for e in ALL
    ]
    for exercise in ALL:
        assert f"\n{exercise.number}. **" in words, "common mistakes"


def test_a_text_with_an_unknown_cell_is_refused():
    with pytest.raises(ValueError, match="unknown kind of cell:"):
        template.parse("# %% solutions: a\n")


@pytest.mark.parametrize("words", ["", "# A title (3 points)\n# - One hint.\n", "# No points\n# - 1\n# - 2\n# - 3\n"])
def test_a_group_without_its_points_or_hints_is_refused(words):
    with pytest.raises(ValueError, match="the tests 'a' need a comment with a title"):
        template.parse(f"# %% tests: a\n{words}")


def test_changed_code_has_the_new_lines():
    cells = template.parse(
        "# %% given\nclass A:\n    x = 1\n    y = 1\n# %% changed: A\n# -     y = 1\n# +     y = 2\n"
    )
    assert cells[1] == template.Cell("given", "", "class A:\n    x = 1\n    y = 2\n")


@pytest.mark.parametrize("line", ["    z = 1", "    x = 1"])
def test_a_change_of_lines_that_are_not_there_once_is_refused(line):
    text = f"# %% given\nclass A:\n    x = 1\n    x = 1\n# %% changed: A\n# - {line}\n# +     y = 2\n"
    with pytest.raises(ValueError, match="must have these lines once"):
        template.parse(text)


def test_cells_of_a_notebook_leave_the_tests_out():
    exercise = ALL[0]
    notebook = json.loads(template.notebook_json(template.as_notebook(exercise, template.read(exercise))))
    sources = [cell["source"] for cell in template.cells_of_notebook(notebook)]
    assert sum("class " in source for source in sources) == 7
    assert not any("%run" in source for source in sources)
