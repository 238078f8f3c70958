"""Exercises: rebuild the autograd of 2016 piece by piece, with checks that report mistakes.

One text for each exercise (`templates/`) is what the nbgrader notebooks and the lone learner's files are made from. One
body of checks (`checks/`) judges both. A student's code runs in a process of its own (`sandbox/worker.py`), with limits
of time and memory; the judge (`grader.py`) asks it for plain data, and compares them in another process.
"""

import importlib
from pathlib import Path

# The names by number, found by their texts being here.
NAMES = tuple(path.stem[3:] for path in sorted(Path(__file__).parent.glob("templates/[0-9][0-9]_*.py")))


def numbers():
    """The numbers of all exercises."""
    return range(1, len(NAMES) + 1)


def load(number):
    """The `Exercise` of that number, with its checks. Raises ValueError if there is none."""
    if number not in numbers():
        raise ValueError(f"there is no exercise {number}; they are numbered 1 to {len(NAMES)}")
    name = NAMES[number - 1]
    exercise = importlib.import_module(f"{__name__}.checks.{name}").exercise
    exercise.number, exercise.name = number, name
    return exercise
