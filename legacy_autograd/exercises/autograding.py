"""`Judge`, in place of nbgrader's `Execute`: grading in which no student's code runs in the grader's own kernel.

    c.Autograde.autograde_preprocessors = ["legacy_autograd.exercises.autograding.Judge", …]

(notebooks/exercises/nbgrader_config.py has the whole line.) nbgrader executes a submitted notebook with the rights of
whoever grades, and believes what the notebook's own kernel says of its test cells. Judge takes the answers out of the
notebook, has them judged in their limited process, and writes the outputs of the test cells itself.
"""

import ast
import re

from . import judge, load, text

try:
    from nbformat.v4 import new_output
    from nbgrader.preprocessors import NbGraderPreprocessor
    from nbgrader.utils import is_grade
except ImportError as error:
    raise ImportError("grading with nbgrader needs it: pip install 'legacy_autograd[exercises]'") from error

_CALL = re.compile(r"^check(\(.*\))", re.DOTALL | re.MULTILINE)


class Judge(NbGraderPreprocessor):
    """Fills the test cells of an exercise's notebook with the verdict of the judge."""

    def preprocess(self, notebook, resources):
        cells = text.cells_of_notebook(notebook)
        asked = {}  # {position of a test cell: (number of the exercise, names of checks)}
        for position, cell in enumerate(notebook.cells):
            if cell.cell_type != "code":
                continue
            cell.outputs, cell.execution_count = [], None
            call = _CALL.search(cell.source) if is_grade(cell) else None
            if call:
                number, *names = ast.literal_eval(call[1])
                asked[position] = (number, names)
        for number in {number for number, _ in asked.values()}:
            exercise = load(number)
            names = {name for other, names in asked.values() if other == number for name in names}
            results = {result.check.name: result for result in judge.judge(exercise, cells, names)}
            for position, (other, names) in asked.items():
                if other == number:
                    notebook.cells[position].outputs = _outputs(exercise, [results[name] for name in names])
        return notebook, resources


def _outputs(exercise, results):
    outputs = [new_output("stream", name="stdout", text=judge.report(exercise, results) + "\n")]
    failed = sum(not result.passed for result in results)
    if failed:
        sentence = judge.not_passed(failed, len(results))
        outputs.append(new_output("error", ename="NotPassed", evalue=sentence, traceback=[f"NotPassed: {sentence}"]))
    return outputs
