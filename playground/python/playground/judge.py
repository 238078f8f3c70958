"""Checks an answer to an exercise. The student's code runs in another worker, which answers the judge's questions.

Python waits for no message here. So the page asks the student's worker all questions that an answer without a mistake
meets (`questions`), and the judge runs with the replies. Where it needs another reply, `verdict` returns the question
with those that a check has announced to follow it, and is called again with their replies too. What a check draws by
chance must be the same each time, so `questions` chooses the `seed`, which the student's worker does not get.
"""

import json
import os
import random
from pathlib import Path

from legacy_autograd.exercises import grader, load, model, template
from legacy_autograd.exercises.sandbox import package
from legacy_autograd.exercises.sandbox.limits import Limits
from legacy_autograd.exercises.sandbox.student_code import TOO_DEEP, StudentCode, first_request

LIMITS = Limits(seconds=60)  # by the clock of the page, where Python is several times slower than elsewhere
_LABEL = "your answer"
_QUESTIONS = Path("/usr/share/questions.json")
_WITHHELD = Path("/usr/share/withheld.json")


class _Unanswered(BaseException):
    """The questions that the student's worker must answer next. No check may catch it."""


class Recorded(StudentCode):
    """The student's code as its replies: pairs of a question and its reply, in the order in which they were asked."""

    shrinks = False  # each question that is not among `questions`, and not announced, runs the judge once more

    def __init__(self, exercise, cells, replies, seed):
        super().__init__(exercise, cells, LIMITS)
        self.chance = random.Random(seed)
        self._announced = []
        self._replies = {}
        for question, reply in reversed(replies):
            self._replies.setdefault(question, []).append(reply)

    def begin_check(self):
        super().begin_check()
        self._announced = []

    def announce(self, probe, each):
        self._announced = [text_of({"probe": probe, "inputs": inputs}) for inputs in each]

    def exchange(self, request):
        question = text_of(first(self._exercise, self._cells) if "cells" in request else request)
        if question in self._announced:
            del self._announced[: self._announced.index(question) + 1]
        if not self._replies.get(question):
            raise _Unanswered([question, *self._announced])
        reply = self._replies[question].pop()
        if "ended" not in reply:
            return reply | ({"value": json.loads(reply["value"])} if "value" in reply else {})
        self.is_loaded = False
        if reply["ended"] == "time":
            raise self.out_of_time()
        raise model.Trouble("crash", f"nothing: {reply['ended']}", TOO_DEEP)


def first(exercise, cells):
    """Return the first request to the student's worker, with the modules that its package must still get.

    It has no part that any exercise asks for: these are the sources of the files where one is left out, without the
    part that this exercise asks for.
    """
    withheld = json.loads(_WITHHELD.read_text(encoding="utf-8"))
    every = [entry for entries in withheld.values() for entry in entries]
    own = withheld[str(exercise.number)]
    modules = {}
    for file in sorted(package.ROOT.rglob("*.py")):
        path = file.relative_to(package.ROOT).as_posix()
        if package.place_of(path) and package.removed(every, path):
            source = package.without(file.read_bytes(), package.removed(own, path)).decode("utf-8")
            modules[f"{package.ROOT.name}/{path}"] = source
    return {**first_request(exercise, cells, LIMITS), "modules": modules}


def text_of(request):
    """Return a request as text, the same for equal requests."""
    return json.dumps(request, sort_keys=True)


def questions(number, source):
    """Return the `questions` to the answer `source`, as long as it makes no mistake, and the `seed` of this check."""
    begin = first(load(number), template.cells_of_text(source, _LABEL))
    known = json.loads(_QUESTIONS.read_text(encoding="utf-8"))[str(number)]
    return {"questions": [text_of(begin), *known], "seed": os.urandom(16).hex()}


def verdict(number, source, replies, seed, lang="en"):
    """Return the verdict on the answer `source`, or {"questions": …} if other replies are needed for it.

    The verdict has the report and the `pictures` as SVG in the language `lang`, `passed`, `points` ([got, of]), and
    `states` of the groups.
    """
    exercise = load(number)
    cells = template.cells_of_text(source, _LABEL)
    try:
        process = Recorded(exercise, cells, replies, seed)
        results = grader.judge(exercise, cells, draw="svg", process=process, lang=lang)
    except _Unanswered as unanswered:
        return {"questions": unanswered.args[0]}
    lines = grader.report(exercise, results, lang).splitlines()
    return {
        "report": "\n".join(line for line in lines if "legacy_autograd exercises hint" not in line),
        "passed": all(result.passed for result in results),
        "points": [grader.points(exercise, results), exercise.points],
        "states": grader.states(exercise, results),
        "pictures": [result.picture.svg for result in results if result.picture and result.picture.svg],
    }
