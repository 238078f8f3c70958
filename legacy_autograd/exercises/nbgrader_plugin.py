"""`Judge` replaces nbgrader's `Execute`: no student's code runs in the instructor's kernel. `Restore` runs before it.

    c.Autograde.sanitize_preprocessors = ["legacy_autograd.exercises.nbgrader_plugin.Restore", …]
    c.Autograde.autograde_preprocessors = ["legacy_autograd.exercises.nbgrader_plugin.Judge", …]

(notebooks/exercises/nbgrader_config.py has the whole lines.) nbgrader executes a submitted notebook with the
instructor's rights, and trusts the results that the notebook's kernel gives for its test cells. Judge takes the answers
out of the notebook, has them judged in a child process, and writes the outputs of the test cells itself. A student's
code that ends its parents ends only this child. A notebook without cells of these exercises is executed.

nbgrader knows a cell by its metadata. Jupyter copies them with a cell, and other editors drop them; then nbgrader stops
without a grade. Restore puts them right, and writes into the notebook what it changed.
"""

import ast
import contextlib
import re

from . import grader, load, numbers, template
from .sandbox.limits import Limits

try:
    from nbformat import NotebookNode
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
    from nbgrader.api import Gradebook
    from nbgrader.preprocessors import Execute, NbGraderPreprocessor
    from nbgrader.utils import is_grade, is_solution
    from traitlets import Integer
except ImportError as error:
    raise ImportError("grading with nbgrader needs it: pip install 'legacy_autograd[exercises]'") from error

_TEST = re.compile(rf"(?:\s*#.*\n|\s*\n)*{re.escape(template.TEST)}\ncheck(\(.*\))\s*", re.DOTALL)


_COPY = (
    "**A copy of the cell `{name}`.** Jupyter copies a cell's name with it. Only the first cell of that name is "
    "graded, and the code below was not run. Write your answer into the first one."
)
_NOTHING = (
    "None of the exercise's cells is in this notebook, so there is nothing to grade: the cells were deleted, or an "
    "editor removed their metadata. Write your answer into the notebook that you were given, and hand that in."
)


class Restore(NbGraderPreprocessor):
    """Gives each cell of an exercise's notebook the metadata that nbgrader made for it; other notebooks are left alone.

    Of several cells with one name the first stays, and the others become text. Tests that are missing are added. A
    notebook in which no cell of the exercise is left is marked, so that Judge gives no points.
    """

    def preprocess(self, notebook, resources):
        if _exercise_of(notebook, resources) is None:
            return notebook, resources
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            source = gradebook.find_notebook(names["notebook"], names["assignment"])
            metadata = _metadata_of(source)
            tests = {
                cell.name: cell.source for cell in source.source_cells
                if metadata[cell.name].grade and not metadata[cell.name].solution
            }  # fmt: skip
        order, found = list(metadata), []
        for place, cell in enumerate(notebook.cells):
            name = _grade_id(cell)
            cell.metadata.pop("nbgrader", None)
            if name in found:
                text = f"{_COPY.format(name=name)}\n\n```python\n{cell.source}\n```"
                notebook.cells[place] = _numbered(notebook, new_markdown_cell(text))
            elif name in metadata:
                found.append(name)
                cell.metadata.nbgrader = metadata[name]
        notebook.metadata.legacy_autograd = {"nothing_left": not found}
        if not found:
            notebook.cells.insert(0, _numbered(notebook, new_markdown_cell(f"**{_NOTHING}**")))
        for name in tests:
            if name not in found:
                before = order[: order.index(name)]
                places = [place for place, cell in enumerate(notebook.cells, 1) if _grade_id(cell) in before]
                test = new_code_cell(tests[name], metadata={"nbgrader": metadata[name]})
                notebook.cells.insert(max(places, default=len(notebook.cells)), _numbered(notebook, test, name))
        return notebook, resources


def _metadata_of(source):
    """Return {name: nbgrader's metadata} of the cells of an assignment's notebook."""
    graded = {cell.name: cell.max_score for cell in source.grade_cells}
    tasks = {cell.name: cell.max_score for cell in source.task_cells}
    solutions = {cell.name for cell in source.solution_cells}
    found = {}
    for cell in source.source_cells:
        found[cell.name] = NotebookNode(
            schema_version=3, grade_id=cell.name, cell_type=cell.cell_type, checksum=cell.checksum, locked=cell.locked,
            grade=cell.name in graded, solution=cell.name in solutions, task=cell.name in tasks,
        )  # fmt: skip
        if cell.name in graded or cell.name in tasks:
            found[cell.name].points = {**graded, **tasks}[cell.name]
    return found


def _grade_id(cell):
    """Return nbgrader's name of a cell, None if it has none. A student may have edited the metadata."""
    metadata = cell.metadata.get("nbgrader")
    name = metadata.get("grade_id") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) else None


def _numbered(notebook, cell, name=None):
    """Return the cell with the id `name`, or with its own; without one where the notebook's version has no ids."""
    number = cell.pop("id", None)
    if (notebook.nbformat, notebook.nbformat_minor) >= (4, 5):
        cell["id"] = name or number
    return cell


class Judge(Execute):
    """Fills the test cells of an exercise's notebook with the verdict of the judge.

    Raises ValueError where a notebook of these exercises has a test cell that belongs to no part of its exercise.
    """

    seconds = Integer(Limits.seconds, help="Seconds of computing that one check may take.").tag(config=True)
    megabytes = Integer(Limits.megabytes, help="Megabytes of memory that a student's code may take.").tag(config=True)

    def preprocess(self, notebook, resources, **options):
        exercise = _exercise_of(notebook, resources)
        if exercise is None:
            return super().preprocess(notebook, resources, **options)
        tests = [cell for cell in notebook.cells if is_grade(cell) and not is_solution(cell)]
        asked = [_asked(exercise, cell) for cell in tests]
        names = {name for names in asked for name in names}
        nothing_left = notebook.metadata.get("legacy_autograd", {}).get("nothing_left")
        results = {}
        if not nothing_left:
            answer = template.cells_of_notebook(notebook)
            found = grader.judge_in_child(exercise, answer, names, Limits(self.seconds, self.megabytes), draw="svg")
            results = {result.check.name: result for result in found}
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        for cell, names in zip(tests, asked):
            cell.outputs = [_error(_NOTHING)] if nothing_left else _outputs(exercise, [results[name] for name in names])
        return notebook, resources


def _exercise_of(notebook, resources):
    """The exercise that a notebook belongs to, None if it is none of these.

    A student may have deleted or edited every test cell. So the name of the notebook and nbgrader's names of the cells
    that are left tell it too.
    """
    submitted = resources.get("nbgrader", {})
    names = {submitted.get("notebook"), submitted.get("assignment")}
    cells = {_grade_id(cell) for cell in notebook.cells}
    likeness = {}  # {number: how many of its cells are there}
    for number in numbers():
        exercise = load(number)
        own = [f"{cell.kind}-{cell.name}" for cell in template.read(exercise) if cell.name]
        likeness[number] = len(cells.intersection(own)) + 100 * (exercise.file_name in names)
    for cell in notebook.cells:
        match = _TEST.fullmatch(template.source_of(cell))
        found = re.match(r"\(\s*(\d+)", match[1]) if match else None
        if found and int(found[1]) in likeness:
            likeness[int(found[1])] += 10
    number = max(likeness, key=likeness.get)
    return load(number) if likeness[number] else None


def _asked(exercise, cell):
    """The names of the checks that a test cell asks for.

    Of a cell that a student has edited, and nbgrader has not put back, the checks of the part that it is named after.
    Raises ValueError if it is named after none.
    """
    match = _TEST.fullmatch(template.source_of(cell))
    with contextlib.suppress(TypeError, ValueError, SyntaxError):
        number, *names = ast.literal_eval(match[1]) if match else [None]
        if number == exercise.number and names and set(names) <= set(exercise.checks):
            return names
    group = cell.metadata.nbgrader.grade_id.removeprefix("tests-")
    names = [check.name for check in exercise.checks.values() if check.group.name == group]
    if not names:
        parts = ", ".join(f"tests-{group.name}" for group in exercise.groups)
        raise ValueError(
            f"the test cell {cell.metadata.nbgrader.grade_id!r} does not ask for checks of exercise {exercise.number}. "
            f"Judge runs no other tests: name it after a part of the exercise ({parts}) or put it elsewhere"
        )
    return names


def _outputs(exercise, results):
    outputs = [new_output("stream", name="stdout", text=grader.report(exercise, results) + "\n")]
    for result in results:
        if result.picture and result.picture.svg:
            data = {"image/svg+xml": result.picture.svg, "text/plain": f"the graph of {result.check.title!r}"}
            outputs.append(new_output("display_data", data=data))
    sentence = grader.not_passed(results)
    return [*outputs, _error(sentence)] if sentence else outputs


def _error(sentence):
    return new_output("error", ename="NotPassed", evalue=sentence, traceback=[f"NotPassed: {sentence}"])
