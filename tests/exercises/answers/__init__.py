"""Answers to the exercises, right ones in another style than the reference and wrong ones that students write.

Each is a set of changes to the reference solution, so that what is special about it can be seen at once. One module
for each exercise: `RIGHT` and `WRONG`, dictionaries by name.

A change is a pair: a piece of the text, which must be in one place, and what comes in its place; lines that begin with
a line break are indented as the piece is, and a piece keeps the spaces at its end. Or it is `write(NAME, code)`: the
code comes in place of what stands between the marks in the solution cell of that name.
"""

import importlib
import re
from dataclasses import dataclass, replace

from legacy_autograd import exercises
from legacy_autograd.exercises import template

# The end of an engine's loop, which is right: it passes the gradient of one operand on.
PASS_ON = """\
        output_nr = prev_fn.output_ids[arg_id]
        dependencies[prev_fn][output_nr] -= 1
        waiting = not_ready.setdefault(prev_fn, [None] * len(prev_fn.output_ids))
        if grad is not None:
            waiting[output_nr] = grad if waiting[output_nr] is None else waiting[output_nr] + grad
        if not any(dependencies[prev_fn]):
            ready.append((prev_fn, not_ready.pop(prev_fn)))
"""

_REGION = re.compile(r"^([ \t]*)### BEGIN SOLUTION\n(.*?)^[ \t]*### END SOLUTION\n", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Wrong:
    """Changes that make the reference wrong, groups of which one must fail, and a part of the reason that is given.

    `says` is None where the mistake, and so the reason, changes from run to run.
    `seconds` is the limit for a check, where the answer runs into it; None for all others.
    """

    changes: list
    fails: set
    says: str | None
    seconds: int | None


@dataclass(frozen=True)
class Written:
    """Code for one region of a solution cell, not indented."""

    cell: str
    code: str
    region: int = 1


def wrong(fails, says, *changes, seconds=None):
    return Wrong(list(changes), set(fails.split()), says, seconds)


write = Written


def of(number):
    """The module of the answers to exercise `number`."""
    return importlib.import_module(f"{__name__}.ex{number:02}")


def cells(number, changes=()):
    """The cells of the reference solution with the changes made."""
    changed = template.read(exercises.load(number))
    for change in changes:
        changed = _written(changed, change) if isinstance(change, Written) else _replaced(changed, *change)
    return template.solved(changed)


def _written(changed, change):
    (position,) = [i for i, cell in enumerate(changed) if (cell.kind, cell.name) == ("solution", change.cell)]
    region = list(_REGION.finditer(changed[position].source))[change.region - 1]
    code = _indented(change.code, region[1]) + "\n"
    source = changed[position].source
    changed[position] = replace(changed[position], source=source[: region.start(2)] + code + source[region.end(2) :])
    return changed


def _replaced(changed, old, new):
    places = [i for i, cell in enumerate(changed) if cell.kind != "markdown" and old in cell.source]
    assert len(places) == 1 and changed[places[0]].source.count(old) == 1, f"fits in {len(places)} cells: {old!r}"
    cell = changed[places[0]]
    if new.startswith("\n"):
        line = cell.source[: cell.source.index(old)].rpartition("\n")[2]
        indent = re.match(r"[ \t]*", line + old)[0]
        new = _indented(new, indent).strip() + old[len(old.rstrip()) :]
    changed[places[0]] = replace(cell, source=cell.source.replace(old, new))
    return changed


def _indented(code, indent):
    """The code with its first line at `indent`; a line that is less deep stays so."""
    lines = code.strip("\n").rstrip().split("\n")
    shift = len(indent) - (len(lines[0]) - len(lines[0].lstrip()))
    return "\n".join(" " * (len(line) - len(line.lstrip()) + shift) + line.lstrip() for line in lines)


def all_right():
    """(number, name, changes) of every right answer, the reference first."""
    for number in exercises.numbers():
        yield number, "reference", []
        for name, changes in of(number).RIGHT.items():
            yield number, name, changes


def all_wrong():
    """(number, name, Wrong) of every wrong answer."""
    for number in exercises.numbers():
        for name, answer in of(number).WRONG.items():
            yield number, name, answer
