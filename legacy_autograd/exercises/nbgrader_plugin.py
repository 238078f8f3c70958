"""`Judge` replaces nbgrader's `Execute`: no student's code runs in the instructor's kernel.

    c.Autograde.autograde_preprocessors = ["legacy_autograd.exercises.nbgrader_plugin.Judge", …]

(notebooks/exercises/nbgrader_config.py has the whole line.) nbgrader executes a submitted notebook with the
instructor's rights, and trusts the results that the notebook's kernel gives for its test cells. Judge takes the answers
out of the notebook, has them judged in a child process, and writes the outputs of the test cells itself. A student's
code that ends its parents ends only this child. A notebook without cells of these exercises is executed.
"""

import ast
import contextlib
import re

from . import grader, load, numbers, template
from .sandbox.limits import Limits

try:
    from nbformat.v4 import new_output
    from nbgrader.preprocessors import Execute
    from nbgrader.utils import is_grade, is_solution
    from traitlets import Integer
except ImportError as error:
    raise ImportError("grading with nbgrader needs it: pip install 'legacy_autograd[exercises]'") from error

_TEST = re.compile(rf"(?:\s*#.*\n|\s*\n)*{re.escape(template.TEST)}\ncheck(\(.*\))\s*", re.DOTALL)


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
        answer = template.cells_of_notebook(notebook)
        found = grader.judge_in_child(exercise, answer, names, Limits(self.seconds, self.megabytes), draw="svg")
        results = {result.check.name: result for result in found}
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        for cell, names in zip(tests, asked):
            cell.outputs = _outputs(exercise, [results[name] for name in names])
        return notebook, resources


def _exercise_of(notebook, resources):
    """The exercise that a notebook belongs to, None if it is none of these.

    A student may have deleted or edited every test cell. So the name of the notebook and nbgrader's names of the cells
    that are left tell it too.
    """
    submitted = resources.get("nbgrader", {})
    names = {submitted.get("notebook"), submitted.get("assignment")}
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells}
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
    if sentence:
        outputs.append(new_output("error", ename="NotPassed", evalue=sentence, traceback=[f"NotPassed: {sentence}"]))
    return outputs
