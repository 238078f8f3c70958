"""Public docstrings and signatures have the project's form (tools/docstrings.py), and their examples run."""

import ast
import doctest
import importlib
import pathlib
import runpy

import pytest

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional as F

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = runpy.run_path(str(ROOT / "tools/docstrings.py"))
WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "legacy_autograd").rglob("*.py"))
    if "templates" not in path.parts and ">>> " in path.read_text(encoding="utf-8")
]


def test_every_public_docstring_has_the_form():
    assert list(TOOL["problems"]()) == []


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_run(name):
    module = importlib.import_module(name.removesuffix(".__init__"))
    names = {"torch": torch, "nn": nn, "F": F, "optim": optim, "Variable": Variable}
    failed, tried = doctest.testmod(module, extraglobs=names)
    assert tried > 0 and failed == 0  # pytest shows what doctest printed


# --- the tool itself

GOOD = '''
class Box:
    """Holds one tensor.

    Args:
        size: The number of elements.

    Raises:
        ValueError: If `size` is negative.
    """

    def __init__(self, size: int) -> None:
        self.size = size

    def scale(self, factor: float, *shifts: float) -> float:
        """Return the size times `factor`.

        Args:
            factor: The factor.
            *shifts: Numbers to add.
        """
'''


def problems_of(source):
    """Return the problems of a file that defines one class."""
    owner = ast.parse(source).body[0]
    methods = [node for node in owner.body if isinstance(node, ast.FunctionDef) and node.name != "__init__"]
    found = list(TOOL["problems_of"](owner, None, True))
    return found + [problem for method in methods for problem in TOOL["problems_of"](method, owner, True)]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("", "", None),
        ("Holds one tensor.", "Holds one tensor", "the first line is no sentence"),
        ("        size: The number of elements.\n", "        length: The number of elements.\n", "Args: without size"),
        ("            *shifts: Numbers to add.\n", "", "Args: without shifts"),
        ("*shifts: Numbers", "*others: Numbers", "Args: names others, no parameter"),
        ("factor: float,", "factor,", "no hint for factor"),
        (") -> float:", "):", "no hint for the result"),
        ("Return the size times `factor`.", "Return it or raise ValueError.", "an error outside of Raises:"),
        (
            "The factor.",
            "The\n            factor of each.",
            "Args: not indented under its entry: factor of each.",
        ),
        ("If `size` is", "If\n        `size` is", "Raises: not indented under its entry: `size` is negative."),
        ("    Raises:\n        ValueError", "    Errors:\n        ValueError", "unknown section Errors:"),
        ("times `factor`.\n\n", "times `factor`.\n", "no blank line after the first"),
    ],
)
def test_the_tool_names_what_is_missing(old, new, problem):
    found = problems_of(GOOD.replace(old, new, 1))
    assert found == [] if problem is None else problem in found
