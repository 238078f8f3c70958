"""Exercises: rebuild the autograd of 2016 piece by piece, with checks that report mistakes.

The text of each exercise (`templates/`) is the source of its nbgrader notebook and of a learner's Python file. The same
checks (`checks/`) judge both. A student's code runs in its own process (`sandbox/worker.py`), with limits of time and
memory, beside probes (`observers/`) that return plain data. The judge (`grader.py`) compares them in another process.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Exercise

# The names by number; each text in the folder is an exercise.
NAMES = tuple(path.stem[3:] for path in sorted(Path(__file__).parent.glob("templates/[0-9][0-9]_*.py")))


def numbers() -> range:
    """Return the numbers of all exercises."""
    return range(1, len(NAMES) + 1)


def load(number: int) -> Exercise:
    """Return the exercise of a number, with its checks.

    Args:
        number: The number of the exercise, from 1 to 11.

    Raises:
        ValueError: If there is no exercise of that number.
    """
    if number not in numbers():
        raise ValueError(f"there is no exercise {number}; they are numbered 1 to {len(NAMES)}")
    return importlib.import_module(f"{__name__}.checks.{NAMES[number - 1]}").exercise
