"""What is English in a report in Chinese, apart from code: names, the lines of programs, messages of exceptions."""

import ast
import builtins
import keyword
import re
from pathlib import Path

import numpy

import legacy_autograd
from legacy_autograd import exercises
from legacy_autograd.autograd import functions

FOLDER = Path(exercises.__file__).parent


def names_in(source):
    """Return the names and texts in Python code; none if it cannot be read."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    fields = ("id", "name", "attr", "arg", "value")
    found = (getattr(node, field, None) for node in ast.walk(tree) for field in fields)
    return {name for name in found if isinstance(name, str)}


def _names():
    """Return the words that are code: Python's own, and the names in the exercises and of operations."""
    found = {*keyword.kwlist, *dir(builtins), *dir(legacy_autograd), *dir(functions), *dir(numpy)}
    for path in [
        *(FOLDER / "templates").glob("*.py"),
        FOLDER / "programs/functions.py",
        FOLDER / "programs/do_forward.py",
    ]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            fields = ("id", "name", "attr", "arg") if path.parent.name == "templates" else ("name",)
            found.update(getattr(node, field) for field in fields if isinstance(getattr(node, field, None), str))
    return found | set(
        "nan inf ln numpy Python Graphviz digraph strict node edge graph style fillcolor name value worker outputs "
        "inputs dampening Nesterov eps Barrier shared point Hessian Ctrl".split()
    )


NAMES = _names()


def english(text):
    """Return the words of a text that are English: of small letters, outside of backticks, and no names of code."""
    text = re.sub(r"`[^`]*`|'[^']*'", "", text)
    words = re.findall(r"(?<![\w.'=-])[A-Za-z]?[a-z]+(?![\w(]|\.\w)", text)
    return [word for word in words if len(word) > 1 and word not in NAMES]


def left_in_english(said, source, programs=(), groups=()):
    """Return the English words of a report outside of code: of programs, of the answer, of messages of exceptions."""
    shown = {f"{' ' * 18}{line}" for line in programs}
    lines = [line for line in said.splitlines() if line not in shown and not line.startswith(f"{' ' * 10}| ")]
    text = re.sub(r"\n {10,18}(?! )", " ", "\n".join(lines))
    text = re.sub(r"\w+(Error|Exception): .*?(?=，在 |，发生在|$)", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<= 行：).*|python -m .*", "", text)
    text = re.sub(r"(节点|边|操作数) = \[.*?(\]|…)", "", text)  # labels that the answer has drawn; a long list is cut
    names = {*groups, *names_in(source)}.union(*map(names_in, programs))
    return [word for word in english(text) if word not in names]
