"""Reads the text of an exercise in `templates/`, and makes the student's file and nbgrader's source notebook from it.

A text begins with the minutes and the title of its exercise:

    Exercise 3, 40 minutes: Leaf: where gradients are summed. …

It is Python in cells, each headed by a line that begins with `# %%`:

    # %% [markdown]         words, as comments
    # %% given              code that the student is given
    # %% changed: CLASS     the same code as that of an earlier class, but for a few lines
    # %% solution: NAME     code to write; the part between ### BEGIN SOLUTION and ### END SOLUTION is removed
    # %% tests: GROUP       where that group of checks is in the notebook; the checks themselves are in checks/

The comment in a cell of tests describes its group and is in no notebook: the title, the points and three hints.

    # Gradients are added up (3 points)
    # - The first hint, in one line.
    # - The second.
    # - The third.

The comment in a cell of changed code has the old lines, and below them those that take their place.

    # -     gradients[output_nr] = grad
    # +     gradients[0] = grad
"""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

FOLDER = Path(__file__).parent / "templates"
_HEADING = re.compile(r"# %%\s*(\[markdown\]|given|changed|solution|tests)?:?\s*([\w-]*)\s*$")
_TITLE = re.compile(r'"""Exercise \d+, (\d+) minutes: (.*)\. Format')
_GROUP = re.compile(r"# (.*) \((\d+) points?\)\n((?:# - .+\n){3})")
_SOLUTION = re.compile(r"^([ \t]*)### BEGIN SOLUTION\n(.*?)^[ \t]*### END SOLUTION\n", re.DOTALL | re.MULTILINE)
TEST = "%run -m legacy_autograd.exercises.notebook_check"  # the first line of a notebook's test cells
_RUN_THEIR_CODE = ("time", "timeit", "capture", "prun")  # cell magics
_COMMAND = re.compile(r"get_ipython\(\)\.(run_line_magic|system|getoutput)\(.*\)")  # as IPython writes a command
_STUB = 'raise NotImplementedError("not written yet")'


@dataclass(frozen=True)
class Group:
    """Checks that earn their points together, with three hints of increasing detail."""

    name: str
    title: str
    points: int
    hints: tuple


@dataclass(frozen=True)
class Cell:
    """One cell: `kind` is markdown, given, solution or tests; `name` that of a solution.

    A cell of tests has no source but a `group`.
    """

    kind: str
    name: str
    source: str
    group: Group | None = None


def read(exercise):
    """The cells of an exercise's text, solutions included."""
    return parse(text(exercise.file_name))


def text(file_name):
    """The text of the exercise with files of this name."""
    return (FOLDER / f"{file_name}.py").read_text(encoding="utf-8")


def about(file_name):
    """(title, minutes, groups of checks) of the exercise with files of this name."""
    minutes, title = _TITLE.match(written := text(file_name)).groups()
    return title, int(minutes), tuple(cell.group for cell in parse(written) if cell.kind == "tests")


def parse(text):
    """The cells of a text. Raises ValueError for a heading or a comment that is none of those above."""
    cells = []
    for piece in re.split(r"^(?=# %%)", text, flags=re.MULTILINE)[1:]:
        heading, _, source = piece.partition("\n")
        match = _HEADING.match(heading)
        if match is None or match[1] is None:
            raise ValueError(f"unknown kind of cell: {heading!r}")
        kind, name, source = match[1].strip("[]"), match[2], source.strip("\n") + "\n" if source.strip() else ""
        if kind == "changed":
            (original,) = [cell.source for cell in cells if re.search(rf"^class {name}\b", cell.source, re.MULTILINE)]
            kind, name, source = "given", "", _changed(original, source)
        cells.append(Cell(kind, name, "", _group(name, source)) if kind == "tests" else Cell(kind, name, source))
    return cells


def _changed(source, changes):
    """Return the code `source` with the lines replaced that the comment `changes` describes."""
    for pair in re.findall(r"((?:# - .*\n)+)((?:# \+ .*\n)+)", changes):
        old, new = (re.sub("^# . ", "", lines, flags=re.MULTILINE) for lines in pair)
        if source.count(old) != 1:
            raise ValueError(f"the changed code must have these lines once:\n{old}")
        source = source.replace(old, new)
    return source


def _group(name, source):
    match = _GROUP.fullmatch(source)
    if match is None:
        raise ValueError(f"the tests {name!r} need a comment with a title, (N points) and three hints, each a line")
    return Group(name, match[1], int(match[2]), tuple(re.findall("# - (.*)", match[3])))


def solutions(cell):
    """(indentation, code) of each solution in a cell."""
    return _SOLUTION.findall(cell.source)


def solved(cells):
    """The cells without the marks around the solutions."""
    return [replace(cell, source=_SOLUTION.sub(r"\2", cell.source)) for cell in cells]


def unsolved(cells):
    """The cells as a student gets them."""
    return [replace(cell, source=_SOLUTION.sub(rf"\1{_STUB}\n", cell.source)) for cell in cells]


# --- the lone learner's file


def as_file(exercise, cells):
    """Return a Python file of the cells. The command that runs the tests is at the top."""
    number = exercise.number
    parts = [f"# Exercise {number}. Write the missing code, then check it:\n"
             f"#     python -m legacy_autograd exercises check {number}\n"]  # fmt: skip
    for cell in cells:
        if cell.kind != "tests":
            parts.append(f"# %% [markdown]\n{cell.source}" if cell.kind == "markdown" else f"# %%\n{cell.source}")
    return "\n".join(parts)


def cells_of(path):
    """The code cells of a student's file, a notebook (.ipynb) or Python, as the judge takes them.

    Raises ValueError for a notebook that is damaged.
    """
    text = path.read_text(encoding="utf-8-sig")  # Windows editors may write a byte order mark
    if path.suffix == ".ipynb":
        try:
            return cells_of_notebook(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is no notebook: {type(error).__name__}: {error}") from error
    return cells_of_text(text, path.name)


def cells_of_text(text, label):
    """The cells of a Python file, each behind so many empty lines that its line numbers are those of the file."""
    cells, line = [], 0
    for piece in re.split(r"^(?=# %%)", text, flags=re.MULTILINE):
        cells.append({"source": "\n" * line + piece, "label": label})
        line += piece.count("\n")
    return cells


def cells_of_notebook(notebook):
    """The code cells of a notebook (a dictionary of nbformat 4) except those that hold tests."""
    cells = []
    for position, cell in enumerate(notebook["cells"], 1):
        source = source_of(cell)
        if cell["cell_type"] == "code" and not cell["metadata"].get("nbgrader", {}).get("grade"):
            cells.append({"source": without_magics(source), "label": f"cell {position}"})
    return cells


def source_of(cell):
    """The source of a notebook's cell, which nbformat stores as a text or as its lines."""
    return cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])


def without_magics(source):
    """Return the Python code of a notebook's cell, without IPython's commands and a byte order mark.

    Lines keep their numbers. Code under `%%time`, `%%timeit`, `%%capture` and `%%prun` is kept; the kernel does not run
    code under other cell magics as Python, so it is removed. Raises ImportError if the cell has commands and IPython is
    not installed.
    """
    source = source.removeprefix("\ufeff")
    magic = re.match(r"\s*%%(\w+).*", source)
    if magic is not None:
        source = source.replace(magic[0].lstrip(), "", 1) if magic[1] in _RUN_THEIR_CODE else ""
    try:
        compile(source, "cell", "exec", dont_inherit=True)
        return source
    except (SyntaxError, ValueError):
        if not re.search(r"^[ \t]*(\w+\s*=\s*)?[%!?]|\?\s*$", source, re.MULTILINE):
            return source  # the student's own mistake
    try:
        from IPython.core.inputtransformer2 import TransformerManager
    except ImportError:
        raise ImportError(
            "a cell of the notebook has IPython's commands (% or !), which need IPython: "
            "pip install 'legacy_autograd[notebooks]'"
        ) from None
    above = re.match(r"(?:[ \t]*\n)*", source)[0]  # IPython drops empty lines at the top
    return above + _COMMAND.sub("None", TransformerManager().transform_cell(source[len(above) :]))


# --- nbgrader's source notebook


def as_notebook(exercise, cells):
    """A notebook of nbformat 4.5 with nbgrader's metadata, as a dictionary. The same text makes the same notebook."""
    made = []
    for number, cell in enumerate(cells, 1):
        grading = {"schema_version": 3, "grade": False, "locked": True, "solution": False, "task": False}
        source = cell.source.rstrip("\n")
        name = f"{cell.kind}-{cell.name or number}"
        if cell.kind == "markdown":
            source = re.sub(r"^# ?", "", source, flags=re.MULTILINE)
        elif cell.kind == "solution":
            grading |= {"locked": False, "solution": True}
        elif cell.kind == "tests":
            source = _test_source(exercise, cell.name)
            grading |= {"grade": True, "points": cell.group.points}
        kind = {"cell_type": "code", "execution_count": None, "outputs": []}
        if cell.kind == "markdown":
            kind = {"cell_type": "markdown"}
        metadata = {"nbgrader": {"grade_id": name, **grading}}
        made.append({**kind, "id": name, "metadata": metadata, "source": source.splitlines(True)})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": made,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def notebook_json(notebook):
    """A notebook's JSON, as nbformat writes it."""
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _test_source(exercise, group):
    checks = [check for check in exercise.checks.values() if check.group.name == group]
    lines = [TEST, "check(", f"    {exercise.number},"]
    lines += [f'    "{check.name}",' for check in checks if not check.hidden]
    hidden = [f'    "{check.name}",' for check in checks if check.hidden]
    if hidden:
        lines += ["    ### BEGIN HIDDEN TESTS", *hidden, "    ### END HIDDEN TESTS"]
    return "\n".join([*lines, ")"])
