"""Write the questions that the judge asks an answer without a mistake, for each exercise, to standard output."""

import json
import sys

from legacy_autograd import exercises
from legacy_autograd.exercises import grader, template
from legacy_autograd.exercises.sandbox import worker
from legacy_autograd.exercises.sandbox.student_code import StudentCode


class Solution(StudentCode):
    """The solution as the student's code, in this process."""

    def __init__(self, exercise):
        cells = template.solved(template.read(exercise))
        super().__init__(exercise, template.cells_of_text(template.as_file(exercise, cells), "the solution"))
        self._student = worker.Student(worker.observers_of(exercise.name), self._limits.seconds)
        self._student._printed = worker.Printed()
        self.asked_for = []
        self._announced = []

    def announce(self, probe, each):
        self._announced = [{"probe": probe, "inputs": inputs} for inputs in each]

    def exchange(self, request):
        if "cells" in request:
            return self._student.execute(request["cells"])
        if request not in self._announced:  # the page's judge hears of the others in time
            self.asked_for.append(json.dumps(request, sort_keys=True))
        return self._student.run(request["probe"], request["inputs"])


def main():
    found = {}
    worker.limits.resource = None
    for number in exercises.numbers():
        exercise = exercises.load(number)
        solution = Solution(exercise)
        results = grader.judge(exercise, solution._cells, process=solution)
        if not all(result.passed for result in results):
            raise SystemExit(f"exercise {number}: its own solution does not pass:\n{grader.report(exercise, results)}")
        found[number] = solution.asked_for
        sys.modules.pop(worker.MODULE, None)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
