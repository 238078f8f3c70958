"""`Judge`, in place of nbgrader's `Execute`: grading in which no student's code runs in the grader's own kernel.

    c.Autograde.autograde_preprocessors = ["legacy_autograd.exercises.nbgrader_plugin.Judge", …]

(notebooks/exercises/nbgrader_config.py has the whole line.) nbgrader executes a submitted notebook with the rights of
whoever grades, and believes what the notebook's own kernel says of its test cells. Judge takes the answers out of the
notebook, has them judged in their limited process, and writes the outputs of the test cells itself. A notebook of
another assignment, without tests of these exercises, is executed as ever.
"""

import ast
import re

from . import grader, load, template
from .sandbox.limits import Limits

try:
    from nbformat.v4 import new_output
    from nbgrader.preprocessors import Execute
    from nbgrader.utils import is_grade, is_solution
    from traitlets import Integer
except ImportError as error:
    raise ImportError("grading with nbgrader needs it: pip install 'legacy_autograd[exercises]'") from error

_TEST = re.compile(rf"{re.escape(template.TEST)}\ncheck(\(.*\))\s*", re.DOTALL)


class Judge(Execute):
    """Fills the test cells of an exercise's notebook with the verdict of the judge.

    Raises ValueError where a notebook of these exercises holds a test that is none of theirs: it would go ungraded.
    """

    seconds = Integer(Limits.seconds, help="Seconds of computing that one check may take.").tag(config=True)
    megabytes = Integer(Limits.megabytes, help="Megabytes of memory that a student's code may take.").tag(config=True)

    def preprocess(self, notebook, resources, **options):
        tests = [cell for cell in notebook.cells if is_grade(cell) and not is_solution(cell)]
        if not any(cell.source.startswith(template.TEST) for cell in tests):
            return super().preprocess(notebook, resources, **options)
        asked = [_asked(cell) for cell in tests]
        answer = template.cells_of_notebook(notebook)
        results = {}  # {(number of the exercise, name of a check): Result}
        for number in {number for number, _ in asked}:
            names = [name for other, names in asked if other == number for name in names]
            for result in grader.judge(load(number), answer, names, Limits(self.seconds, self.megabytes)):
                results[number, result.check.name] = result
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        for cell, (number, names) in zip(tests, asked):
            cell.outputs = _outputs(load(number), [results[number, name] for name in names])
        return notebook, resources


def _asked(cell):
    """(number of the exercise, names of the checks) that a test cell asks for. Raises ValueError if it is another."""
    match = _TEST.fullmatch(cell.source)
    try:
        number, *names = ast.literal_eval(match[1])
        known = names and set(names) <= set(load(number).checks)
    except (TypeError, ValueError, SyntaxError):
        known = False
    if not known:
        raise ValueError(
            f"the test cell {cell.metadata.nbgrader.grade_id!r} does not ask for checks of one of these exercises, "
            "and Judge carries out no other tests; take Judge out of nbgrader_config.py to have this notebook executed"
        )
    return number, names


def _outputs(exercise, results):
    outputs = [new_output("stream", name="stdout", text=grader.report(exercise, results) + "\n")]
    sentence = grader.not_passed(results)
    if sentence:
        outputs.append(new_output("error", ename="NotPassed", evalue=sentence, traceback=[f"NotPassed: {sentence}"]))
    return outputs
