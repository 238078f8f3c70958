"""nbgrader's whole round: generate, hand out, submit, autograde, feedback.

`plain` is a course without settings of its own, as a teacher's is who copied the notebooks: nbgrader executes what was
submitted. `judging` is a course with the settings of notebooks/exercises, in which Judge takes the place of execution.
"""

import copy
import html
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from installed import needs

from legacy_autograd import exercises
from legacy_autograd.commands.exercises import course_files
from legacy_autograd.exercises import grader, template
from legacy_autograd.exercises.sandbox.limits import Limits

from . import answers
from .tampering import IN_A_NOTEBOOK, IN_THE_KERNEL, TAMPERING

needs("nbgrader")  # the extra exercises has it
pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of nbgrader's database layer
    pytest.mark.usefixtures("forked_judges"),
    pytest.mark.skipif(sys.platform == "win32", reason="nbgrader's exchange and database are tried on Unix only"),
]

SETTINGS = Path(__file__).resolve().parents[2] / "notebooks/exercises/nbgrader_config.py"
PLENTY = 60  # seconds: the limit of time is not what these tests are about, and the machine may be busy
ROOT = str(Path(exercises.__file__).resolve().parents[2])


class Course:
    """A course in a folder of its own; an assignment is generated when it is first asked for."""

    def __init__(self, folder, config, gradebook):
        from nbgrader.apps.api import NbGraderAPI

        self.folder, self.config = folder, config
        for path, content in course_files().items():
            if path.suffix == ".ipynb":  # settings are what `config` holds
                (folder / path).parent.mkdir(parents=True)
                (folder / path).write_text(content, encoding="utf-8")
        shutil.copy(gradebook, folder)
        config.CourseDirectory.root = str(folder)
        config.CourseDirectory.course_id = "autograd"
        self._api = NbGraderAPI(config=config)
        self._students = 0

    def released(self, number):
        """The notebook that students get, as a dictionary."""
        name = exercises.load(number).file_name
        path = self.folder / "release" / name / f"{name}.ipynb"
        if not path.exists():
            self._carry_out(self._api.generate_assignment, name)
        return json.loads(path.read_text(encoding="utf-8"))

    def answered(self, number, changes=()):
        """The released notebook with the reference solution, changed, written into its solution cells."""
        solutions = solution_cells(answers.cells(number, changes))
        notebook = self.released(number)
        for cell in notebook["cells"]:
            # A change may be in a cell that is given. A student cannot change that one, so it goes into the next.
            if cell["id"] in solutions:
                cell["source"] = solutions[cell["id"]]
        return notebook

    def grade(self, number, notebook, **limits):
        """(points, what the test cells say) of a submitted notebook; None in place of words if grading broke off."""
        return self.submit(number, notebook, **limits)[1:]

    def submit(self, number, notebook, seconds=None, megabytes=1000, patience=600):
        """The student's name, and what `grade` returns.

        The limits are those that Judge keeps to; `patience` is for a cell that is executed, in seconds by the clock.
        """
        self.config.Judge.seconds, self.config.Judge.megabytes = seconds or PLENTY, megabytes
        self.config.Execute.timeout = patience
        from nbgrader.api import Gradebook

        self._students += 1
        student, name = f"student{self._students}", exercises.load(number).file_name
        folder = self.folder / "submitted" / student / name
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        result = self._api.autograde(name, student)
        with Gradebook(f"sqlite:///{self.folder}/gradebook.db") as gradebook:
            score = gradebook.find_submission(name, student).score
        graded = self.folder / "autograded" / student / name / f"{name}.ipynb"
        if not result["success"]:
            return student, score, None
        cells = json.loads(graded.read_text(encoding="utf-8"))["cells"]
        tests = [cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade")]
        return student, score, " ".join(" ".join(map(said, tests)).split())

    def feedback(self, number, student):
        """The words of the page that the student gets back."""
        name = exercises.load(number).file_name
        self._carry_out(self._api.generate_feedback, name, student)
        page = (self.folder / "feedback" / student / name / f"{name}.html").read_text(encoding="utf-8")
        return " ".join(html.unescape(re.sub("<[^>]*>", "", page)).split())

    def _carry_out(self, action, *arguments):
        result = action(*arguments)
        assert result["success"], result["log"]


def solution_cells(cells):
    """{id of a solution cell: its source}."""
    return {f"solution-{cell.name}": cell.source.rstrip("\n") for cell in cells if cell.kind == "solution"}


def said(cell):
    parts = [output.get("text") or output.get("traceback") or "" for output in cell["outputs"]]
    return "".join(part if isinstance(part, str) else "".join(part) for part in parts)


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory, kernel_server):
    """nbgrader calls programs of its environment by name, kernels are to find the package, and no settings or kernels
    of whoever runs the tests are to be found."""
    patch = pytest.MonkeyPatch()
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        patch.setenv(name, str(tmp_path_factory.mktemp(name)))
    for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):
        patch.delenv(name, raising=False)
    patch.setenv("PATH", os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]))
    patch.setenv("PYTHONPATH", ROOT)
    with kernel_server():
        yield
    patch.undo()


@pytest.fixture(scope="module")
def gradebook(surroundings, tmp_path_factory):
    """The file of an empty gradebook. Every course starts with a copy: nbgrader takes seconds to make one."""
    from nbgrader.api import Gradebook

    path = tmp_path_factory.mktemp("empty") / "gradebook.db"
    Gradebook(f"sqlite:///{path}").close()
    return path


@pytest.fixture(scope="module")
def plain(gradebook, tmp_path_factory):
    from traitlets.config import Config

    return Course(tmp_path_factory.mktemp("plain"), Config(), gradebook)


@pytest.fixture(scope="module")
def shortened(gradebook, tmp_path_factory):
    """`plain`, but exercise 1 has the tests of one part only: nbgrader starts a judge for each part."""
    from traitlets.config import Config

    course = Course(tmp_path_factory.mktemp("shortened"), Config(), gradebook)
    name = exercises.load(1).file_name
    path = course.folder / "source" / name / f"{name}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    tests = [cell for cell in notebook["cells"] if cell["metadata"]["nbgrader"]["grade"]]
    notebook["cells"] = [cell for cell in notebook["cells"] if cell not in tests[1:]]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def judging(gradebook, tmp_path_factory):
    from traitlets.config import PyFileConfigLoader

    return Course(tmp_path_factory.mktemp("judging"), PyFileConfigLoader(str(SETTINGS)).load_config(), gradebook)


def expected_points(number, failing):
    return sum(group.points for group in exercises.load(number).groups if group.name not in failing)


def in_solution_cells(answer):
    """Can the answer be written into solution cells alone?"""
    return all(isinstance(change, answers.Written) or "import" not in change[0] for change in answer.changes)


def first_wrong(number):
    """One wrong answer of an exercise that takes little time."""
    return next(a for a in answers.of(number).WRONG.values() if a.seconds is None and in_solution_cells(a))


each_exercise = pytest.mark.parametrize("number", exercises.numbers(), ids=exercises.NAMES)


# nbgrader's round takes seconds for each exercise: `make test` looks at a few, `make test-all` at all of them.
def exercises_of_make_test(*quickly):
    slowly = [pytest.param(number, marks=pytest.mark.slow) for number in exercises.numbers() if number not in quickly]
    return pytest.mark.parametrize("number", [*quickly, *slowly])


def tells_right_from_wrong(course, number):
    exercise = exercises.load(number)
    assert course.grade(number, course.answered(number))[0] == exercise.points
    score, words = course.grade(number, course.released(number))
    assert score == 0
    assert words.count("not written yet") == len(exercise.groups) and "Traceback" not in words
    answer = first_wrong(number)
    student, score, words = course.submit(number, course.answered(number, answer.changes))
    assert score <= expected_points(number, answer.fails)
    assert answer.says in words and "Traceback" not in words
    page = course.feedback(number, student)
    assert answer.says in page and f"(Score: {score} / {float(exercise.points)})" in page


@exercises_of_make_test(1)
def test_judge_tells_right_from_wrong(judging, number):
    tells_right_from_wrong(judging, number)


@exercises_of_make_test(3)
def test_nbgrader_alone_tells_right_from_wrong(plain, number):
    tells_right_from_wrong(plain, number)


def holds_no_solution_and_no_hidden_test(course, number):
    exercise = exercises.load(number)
    released = json.dumps(course.released(number))
    assert "SOLUTION" not in released and "HIDDEN" not in released
    for check in exercise.checks.values():
        assert (f'\\"{check.name}\\"' in released) != check.hidden
    for cell in template.read(exercise):
        for _, body in template.solutions(cell):
            assert json.dumps(body.strip())[1:-1] not in released


@exercises_of_make_test(1, 6)
def test_what_nbgrader_alone_releases_holds_no_solution(plain, number):
    holds_no_solution_and_no_hidden_test(plain, number)


@each_exercise
def test_what_is_released_holds_no_solution(judging, number):
    holds_no_solution_and_no_hidden_test(judging, number)
    stubbed = solution_cells(template.unsolved(template.read(exercises.load(number))))
    for cell in judging.released(number)["cells"]:
        if cell["id"] in stubbed:
            assert "".join(cell["source"]) == stubbed[cell["id"]]  # the lone learner's copy says the same


def first(count, found):
    """Parameters of the first answers to each exercise. test_answers.py asks the same judge about all of them."""
    kept = [[answer for answer in found if answer[0] == number][:count] for number in exercises.numbers()]
    return [pytest.param(*answer, id=f"{answer[0]}-{answer[1]}") for answer in itertools.chain(*kept)]


@pytest.mark.slow
@pytest.mark.parametrize("number, name, changes", first(3, list(answers.all_right())))
def test_a_right_answer_is_graded_so(judging, number, name, changes):
    assert judging.grade(number, judging.answered(number, changes))[0] == exercises.load(number).points


@pytest.mark.slow
@pytest.mark.parametrize("number, name, answer", first(4, list(answers.all_wrong())))
def test_a_wrong_answer_is_graded_so(judging, number, name, answer):
    if not in_solution_cells(answer):
        pytest.skip("it changes a cell that is locked in a notebook")
    exercise, notebook = exercises.load(number), judging.answered(number, answer.changes)
    limits = Limits(seconds=answer.seconds or PLENTY)
    directly = grader.judge_in_child(exercise, template.cells_of_notebook(notebook), limits=limits)
    score, words = judging.grade(number, notebook, seconds=answer.seconds)
    assert score == grader.points(exercise, directly) < exercise.points
    assert answer.says is None or answer.says in words


# --- a student who touches the checker


def with_a_cell(notebook, source):
    """The notebook with a cell of the student's own in front."""
    changed = copy.deepcopy(notebook)
    cell = {"cell_type": "code", "id": "mine", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
    changed["cells"].insert(0, cell)
    return changed


EVERYTHING = {**TAMPERING, **IN_A_NOTEBOOK, **IN_THE_KERNEL}
# Of each kind one: Python's own names, the cells of the notebook, the process.
QUICKLY = {"assertions taken out", "check redefined", "exit"}


ENDS_MORE = ("the process ends", "cells that do not run")


def tampering(sources, quickly):
    """Parameters of a test; those that are not among `quickly` are left to `make test-all`."""
    return [
        pytest.param(source, id=name, marks=[] if name in quickly else pytest.mark.slow)
        for name, source in sources.items()
    ]


@pytest.mark.parametrize("source", tampering({**TAMPERING, **IN_A_NOTEBOOK}, QUICKLY))
def test_no_points_for_touching_the_checker(shortened, source):
    # Code that breaks the kernel itself is ended by the clock, and whatever else the clock ends earns nothing either.
    assert shortened.grade(1, with_a_cell(shortened.released(1), source), patience=10)[0] == 0


def test_an_answer_earns_the_points_that_touching_the_checker_does_not(shortened):
    assert shortened.grade(1, shortened.answered(1))[0] == 1


@pytest.mark.parametrize("source", tampering(EVERYTHING, {*QUICKLY, "a forged verdict"}))
def test_judge_is_out_of_reach(judging, source):
    assert judging.grade(1, with_a_cell(judging.released(1), source))[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("source", IN_THE_KERNEL.values(), ids=IN_THE_KERNEL)
def test_what_nbgrader_alone_believes(plain, source):
    """INSTRUCTORS.md says that it does: the kernel whose word it takes is the student's."""
    assert plain.grade(1, with_a_cell(plain.released(1), source))[0] == 8


@pytest.mark.parametrize("name", ["exit", *(pytest.param(n, marks=pytest.mark.slow) for n in ENDS_MORE)])
def test_judge_grades_the_rest_of_the_notebook_all_the_same(judging, name):
    """A stray exit() costs nobody the exercise, if it stands in a cell of its own."""
    notebook = with_a_cell(judging.answered(3), EVERYTHING[name])
    score, _ = judging.grade(3, notebook)
    assert score == (0 if name == "the process ends" else 10)  # os._exit ends the student's process as well


def test_a_loop_and_hunger_end_with_a_message(judging):
    for code, words in (
        ("while True: pass", "nothing within 4 seconds of computing"),
        ("return bytearray(10**9)", "more than 200 megabytes of memory were wanted"),
    ):
        notebook = judging.answered(8, [answers.write("clip", code)])
        # The other parts compute for half a second, and for more where other processes run beside them.
        score, shown = judging.grade(8, notebook, seconds=4, megabytes=200)
        assert score == expected_points(8, {"clip"}) and words in shown


def test_judge_refuses_a_test_that_it_cannot_carry_out(judging):
    """It would stay without an output, and nbgrader takes that for right."""
    from legacy_autograd.exercises.nbgrader_plugin import Judge

    for test in ("check(3, 'adds')", "check(99, 'first_and_second')", "check(3)", "check(*names)", "assert True"):
        notebook = as_notebook(judging.released(3))
        (cell, *_) = [cell for cell in notebook.cells if cell.metadata.nbgrader.get("points")]
        cell.source = f"{template.TEST}\n{test}"
        cell.metadata.nbgrader.grade_id = "my-own"
        with pytest.raises(ValueError, match="'my-own' does not ask for checks of exercise 3.*tests-adds, tests-own"):
            Judge().preprocess(notebook, {})


def is_test(cell):
    return cell["metadata"].get("nbgrader", {}).get("grade", False)


# {what a student did to the test cells: the change of one of them, None for a deleted cell}
CHANGED_QUICKLY = {("all", "deleted"), ("one", "edited")}
TEST_CELLS = {
    "deleted": lambda cell: None,
    "edited": lambda cell: {**cell, "source": "assert True"},
    "empty": lambda cell: {**cell, "source": ""},
    "a comment in front": lambda cell: {**cell, "source": "# mine\n" + "".join(cell["source"])},
    "another kind of cell": lambda cell: (
        {key: cell[key] for key in ("id", "metadata", "source")} | {"cell_type": "markdown"}
    ),
}


@pytest.mark.parametrize(
    "which, change",
    [
        pytest.param(
            which, source, id=f"{which}-{name}", marks=[] if (which, name) in CHANGED_QUICKLY else pytest.mark.slow
        )
        for which in ("one", "all")
        for name, source in TEST_CELLS.items()
    ],
)
def test_changed_test_cells_change_no_grade(judging, change, which, tmp_path):
    """They are put back. The student's code is never executed here."""
    witness = tmp_path / "executed"
    for notebook, points in ((judging.answered(3), 10), (judging.released(3), 0)):
        ids = [cell["id"] for cell in notebook["cells"] if is_test(cell)]
        ids = ids[:1] if which == "one" else ids
        changed = [change(cell) if cell["id"] in ids else cell for cell in notebook["cells"]]
        notebook["cells"] = [cell for cell in changed if cell is not None]
        notebook = with_a_cell(notebook, f"import sys\nif 'ipykernel' in sys.modules: open({str(witness)!r}, 'w')")
        assert judging.grade(3, notebook)[0] == points
    assert not witness.exists()


def without_metadata(notebook):
    return {**notebook, "cells": [{**cell, "metadata": {}} for cell in notebook["cells"]]}


def with_copies(notebook, which, change=lambda source: source):
    """The notebook with a copy behind each of the cells that `which` chooses: Jupyter copies the metadata, too."""
    cells = []
    for number, cell in enumerate(notebook["cells"]):
        cells.append(cell)
        if which(cell):
            source = change("".join(cell["source"]))
            cells.append({**copy.deepcopy(cell), "id": f"copy{number}", "source": source})
    return {**notebook, "cells": cells}


def is_solution_cell(cell):
    return cell["id"].startswith("solution-")


def stub(source):
    return 'raise NotImplementedError("not written yet")'


@pytest.mark.parametrize(
    "which, change, name",
    [
        pytest.param(is_solution_cell, lambda source: source, "solution-leaf", id="solution", marks=pytest.mark.slow),
        pytest.param(is_solution_cell, stub, "solution-leaf", id="a changed solution"),
        pytest.param(is_test, lambda source: source, "tests-adds", id="tests", marks=pytest.mark.slow),
        pytest.param(lambda cell: True, lambda source: source, "solution-leaf", id="all cells"),
    ],
)
def test_the_first_of_several_copies_is_graded(judging, which, change, name):
    """nbgrader alone keeps the last one, and stops at the others with KeyError: 'grade_id'."""
    student, score, words = judging.submit(3, with_copies(judging.answered(3), which, change))
    assert score == 10 and words.count("passed")
    page = judging.feedback(3, student)
    assert f"A copy of the cell {name}. " in page and "Only the first cell of that name is graded" in page


def test_a_copy_with_the_answer_does_not_count(judging):
    right = {cell["id"]: cell["source"] for cell in judging.answered(3)["cells"]}
    notebook = with_copies(judging.released(3), is_solution_cell)
    for cell, before in zip(notebook["cells"][1:], notebook["cells"]):
        if cell["id"].startswith("copy"):
            cell["source"] = right[before["id"]]
    student, score, words = judging.submit(3, notebook)
    assert score == 0 and "not written yet" in words
    assert "Write your answer into the first one" in judging.feedback(3, student)


@pytest.mark.parametrize(
    "change",
    [without_metadata, lambda notebook: {**notebook, "cells": []}],
    ids=["metadata stripped", "all cells deleted"],
)
def test_a_notebook_without_the_exercise_gets_no_points_and_a_sentence(judging, change):
    student, score, words = judging.submit(3, change(judging.answered(3)))
    assert score == 0 and words.count("None of the exercise's cells is in this notebook") == len(
        exercises.load(3).groups
    )
    page = judging.feedback(3, student)
    assert "Write your answer into the notebook that you were given" in page
    assert f"(Score: 0.0 / {float(exercises.load(3).points)})" in page


def edited(notebook, change):
    """The notebook with `change` made to nbgrader's metadata of each cell."""
    cells = copy.deepcopy(notebook["cells"])
    for cell in cells:
        change(cell["metadata"]["nbgrader"])
    return {**notebook, "cells": cells}


# {what a student did to the metadata: the change of the notebook}
EDITED = {
        "keys removed": lambda notebook: edited(notebook, lambda m: [m.pop(k) for k in list(m) if k != "grade_id"]),
        "tests deleted, and the solution's metadata": lambda notebook: {
            **notebook,
            "cells": [{**c, "metadata": {}} if is_solution_cell(c) else c for c in notebook["cells"] if not is_test(c)],
        },
        "tests and words deleted": lambda notebook: {
            **notebook, "cells": [c for c in notebook["cells"] if c["cell_type"] == "code" and not is_test(c)]
        },
        "empty": lambda notebook: edited(notebook, lambda m: m.clear() if m["grade"] else None),
        "other names": lambda notebook: edited(
            notebook, lambda m: m.update(grade_id="mine" + m["grade_id"]) if m["grade"] else None),
        "no dictionary": lambda notebook: {
            **notebook, "cells": [{**c, "metadata": {"nbgrader": []}} if is_test(c) else c for c in notebook["cells"]]
        },
        "other points": lambda notebook: edited(notebook, lambda m: m.update(points=100) if m["grade"] else None),
        "version 4.4": lambda notebook: {
            **with_copies(without_tests(notebook, kept=1), is_solution_cell), "nbformat_minor": 4
        },
}  # fmt: skip


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[] if what == "keys removed" else pytest.mark.slow) for what in EDITED]
)
def test_edited_metadata_cost_nothing(judging, what):
    notebook = EDITED[what](judging.answered(3))
    if notebook["nbformat_minor"] == 4:
        notebook["cells"] = [{key: cell[key] for key in cell if key != "id"} for cell in notebook["cells"]]
    assert judging.grade(3, notebook)[0] == 10


def test_a_student_who_ends_a_parent_process_is_one_student(judging):
    killing = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"
    assert judging.grade(3, with_a_cell(judging.released(3), killing))[0] == 0
    assert judging.grade(3, judging.answered(3))[0] == 10


def test_ipython_commands_cost_nothing(judging):
    notebook = judging.answered(3)
    for cell in notebook["cells"]:
        if cell["id"].startswith("solution-"):
            cell["source"] = "%%time\n%matplotlib inline\n!echo done\n" + "".join(cell["source"])
    assert judging.grade(3, notebook)[0] == 10


def test_judge_leaves_other_assignments_to_nbgrader(surroundings):
    from legacy_autograd.exercises.nbgrader_plugin import Judge

    grading = {"schema_version": 3, "grade": True, "grade_id": "one", "locked": True, "solution": False, "points": 1}
    cell = {
        "cell_type": "code",
        "id": "one",
        "metadata": {"nbgrader": grading},
        "source": "print(6 * 7)",
        "outputs": [],
    }
    cells = [{**cell, "execution_count": None}]
    notebook = as_notebook({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    Judge(timeout=600).preprocess(notebook, {"metadata": {"path": "."}})
    assert notebook.cells[0].outputs[0].text == "42\n"


def as_notebook(dictionary):
    from nbformat import from_dict

    return from_dict(dictionary)


@pytest.mark.slow
def test_a_loop_while_the_notebook_is_executed(plain):
    """The kernel runs definitions only; the loop runs in the limited process, and the other parts keep their points."""
    changes = [answers.write("clip", "while True: pass")]
    score, words = plain.grade(8, plain.answered(8, changes))
    assert score == expected_points(8, {"clip"}) and "within 10 seconds of computing" in words


# --- the round with the commands that a teacher types, and the exchange

# Each command runs in a process of its own, forked from one that has loaded nbgrader: loading it takes seconds.
COMMANDS = """
import gc, json, os, sys
from nbgrader.apps.nbgraderapp import main

gc.freeze()  # the processes end without a look at what is loaded
for line in sys.stdin:
    folder, arguments = json.loads(line)
    process = os.fork()
    if process == 0:
        os.chdir(folder)
        sys.argv[1:] = arguments
        sys.exit(main())
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


@pytest.fixture
def messages(tmp_path):
    """The file for what nbgrader's commands report."""
    return tmp_path / "messages"


@pytest.fixture
def commands(surroundings, messages):
    """The process that carries out nbgrader's commands: a line of JSON in, the exit code out."""
    with (
        open(messages, "w") as file,
        subprocess.Popen(
            [sys.executable, "-c", COMMANDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file, text=True
        ) as process,
    ):
        yield process


def test_the_whole_round(commands, messages, gradebook, tmp_path):
    name, exchange, course, home = "03_leaf", tmp_path / "exchange", tmp_path / "course", tmp_path / "home"
    exchange.mkdir(mode=0o777)
    exchange.chmod(0o777)
    shutil.copytree(SETTINGS.parent, course, ignore=shutil.ignore_patterns("ruff.toml"))
    shutil.copy(gradebook, course)
    home.mkdir()
    settings = (
        f"c = get_config()\nc.Exchange.root = {str(exchange)!r}\nc.CourseDirectory.course_id = 'autograd_of_2016'\n"
        f"c.Exchange.cache = {str(tmp_path / 'cache')!r}\n"
    )
    (home / "nbgrader_config.py").write_text(settings)
    with open(course / "nbgrader_config.py", "a") as file:
        file.write(settings.partition("\n")[2])

    def nbgrader(*arguments, folder=course):
        print(json.dumps([str(folder), arguments]), file=commands.stdin, flush=True)
        assert commands.stdout.readline() == "0\n", messages.read_text(encoding="utf-8")

    nbgrader("generate_assignment", name)
    nbgrader("release_assignment", name)
    nbgrader("fetch_assignment", name, folder=home)
    path = home / name / f"{name}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    solutions = solution_cells(answers.cells(3))
    for cell in notebook["cells"]:
        cell["source"] = solutions.get(cell["id"], cell["source"])
    path.write_text(json.dumps(notebook), encoding="utf-8")
    nbgrader("submit", name, folder=home)
    nbgrader("collect", name)
    nbgrader("autograde", name)
    nbgrader("generate_feedback", name)
    nbgrader("export", "--to", "grades.csv")
    header, row = [line.split(",") for line in (course / "grades.csv").read_text().splitlines() if line.strip()][:2]
    grades = dict(zip(header, row))
    assert float(grades["score"]) == float(grades["max_score"]) == 10
    (feedback,) = course.glob(f"feedback/*/{name}/{name}.html")
    assert "passed" in feedback.read_text(encoding="utf-8")


# --- a class of twenty, graded by one command


def without_tests(notebook, kept=0):
    tests = [cell["id"] for cell in notebook["cells"] if is_test(cell)][kept:]
    return {**notebook, "cells": [cell for cell in notebook["cells"] if cell["id"] not in tests]}


def with_sources(notebook, change):
    """The notebook with `change` made to the source of the solution cell."""
    cells = [
        {**cell, "source": change("".join(cell["source"]))} if cell["id"].startswith("solution-") else cell
        for cell in notebook["cells"]
    ]
    return {**notebook, "cells": cells}


def with_tests_that_pass(notebook):
    cells = [{**cell, "source": "assert True"} if is_test(cell) else cell for cell in notebook["cells"]]
    return {**notebook, "cells": cells}


def a_class(course):
    """{name: (the content of the notebook that is submitted, its points)}. Each part of exercise 3 is worth its own."""
    right, untouched = course.answered(3), course.released(3)
    killing = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"
    looping = answers.write(
        "leaf", "while self.backward_hooks:\n    pass\nself.variable.grad.add_(grad_output[0])\nreturn ()"
    )
    wrong = answers.of(3).WRONG
    styles = list(answers.of(3).RIGHT.values())
    notebooks = {
        "right": (right, 10),
        "right, another style": (course.answered(3, styles[1]), 10),
        "right, Black's line breaks": (course.answered(3, styles[2]), 10),
        "one part wrong": (course.answered(3, wrong["hooks forgotten"].changes), 7),
        "the end wrong": (course.answered(3, wrong["the gradient is answered"].changes), 9),
        "all parts wrong": (course.answered(3, wrong["no answer"].changes), 0),
        "not written": (untouched, 0),
        "one test cell deleted": (without_tests(right, kept=3), 10),
        "all test cells deleted": (without_tests(right), 10),
        "not written, all test cells deleted": (without_tests(untouched), 0),
        "test cells edited": (with_tests_that_pass(right), 10),
        "not written, test cells edited": (with_tests_that_pass(untouched), 0),
        "partly wrong, test cells edited": (
            with_tests_that_pass(course.answered(3, wrong["hooks forgotten"].changes)), 7
        ),
        "ends its parent": (with_a_cell(untouched, killing), 0),
        "ends its parent, and is right": (with_a_cell(right, killing), 10),
        "a loop without an end": (with_a_cell(right, "while True: pass"), 0),
        "a loop where there are hooks": (course.answered(3, [looping]), 6),
        "%%time": (with_sources(right, lambda source: f"%%time\n{source}"), 10),
        "%%capture": (with_sources(right, lambda source: f"%%capture said\n{source}"), 10),
        "byte order mark in a cell": (with_sources(right, lambda source: f"\ufeff{source}"), 10),
        "Windows line ends in a cell": (with_sources(right, lambda source: source.replace("\n", "\r\n")), 10),
        "syntax error": (with_sources(right, lambda source: source.replace("(self", "(:self")), 0),
    }  # fmt: skip
    submitted = {name: (json.dumps(notebook), points) for name, (notebook, points) in notebooks.items()}
    text = json.dumps(right, indent=1)
    submitted["byte order mark"] = ("\ufeff" + text, 0)  # nbformat reads no such file
    submitted["Windows line ends"] = (text.replace("\n", "\r\n"), 10)
    return submitted


@pytest.mark.slow
def test_a_class_of_twenty(commands, messages, judging, gradebook, tmp_path):
    """One `nbgrader autograde` grades the class. One student's end, loop or damage is that student's alone."""
    from nbgrader.api import Gradebook

    name, course = exercises.load(3).file_name, tmp_path / "course"
    shutil.copytree(SETTINGS.parent, course, ignore=shutil.ignore_patterns("ruff.toml"))
    shutil.copy(gradebook, course)
    with open(course / "nbgrader_config.py", "a") as file:
        file.write("c.Judge.seconds = 2\n")
    submitted = a_class(judging)
    students = {f"s{number:02}": key for number, key in enumerate(submitted)}
    paths = {key: course / "submitted" / student / name / f"{name}.ipynb" for student, key in students.items()}
    for key, path in paths.items():
        path.parent.mkdir(parents=True)
        path.write_bytes(submitted[key][0].encode())

    def nbgrader(*arguments, code=0):
        print(json.dumps([str(course), arguments]), file=commands.stdin, flush=True)
        assert commands.stdout.readline() == f"{code}\n", messages.read_text(encoding="utf-8")

    def grades():
        with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
            return {students[found.student.id]: found.score for found in book.assignment_submissions(name)}

    expected = {key: points for key, (_, points) in submitted.items()}
    nbgrader("generate_assignment", name)
    nbgrader("autograde", name, "--create", code=1)
    assert grades() == expected
    (unread,) = [student for student, key in students.items() if key == "byte order mark"]
    assert f"processing assignment '{name}' for student '{unread}'" in messages.read_text(encoding="utf-8")
    # A student who is graded is skipped, until --force.
    paths["byte order mark"].write_text(submitted["right"][0], encoding="utf-8")
    paths["not written"].write_text(submitted["right"][0], encoding="utf-8")
    paths["right"].write_text(submitted["one part wrong"][0], encoding="utf-8")
    nbgrader("autograde", name, "--force")
    assert grades() == {**expected, "byte order mark": 10, "not written": 10, "right": 7}
    nbgrader("generate_feedback", name)
    pages = {key: course / "feedback" / student / name / f"{name}.html" for student, key in students.items()}
    assert all(page.exists() for page in pages.values())
    assert "nothing within 2 seconds of computing" in pages["a loop where there are hooks"].read_text(encoding="utf-8")


def test_the_notebook_that_the_live_page_hands_in_is_graded(judging, monkeypatch):
    """It has the cells of the released one (playground/page/pages.py), with the student's code in them."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "playground" / "page"))
    import pages

    text = pages.exercise_texts("en")[2]
    del sys.modules["pages"]
    cells = template.solved(template.read(exercises.load(3)))
    for place in text["code_cells"]:
        text["notebook"]["cells"][place]["source"] = cells[place].source.rstrip("\n").splitlines(True)
    released = [cell["id"] for cell in judging.released(3)["cells"]]
    assert [cell["id"] for cell in text["notebook"]["cells"]] == released
    points, words = judging.grade(3, text["notebook"])
    assert points == exercises.load(3).points and "FAILED" not in words
