"""Notebook 12 as its readers run it: with nothing written, with all steps written, and with a wrong step."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest
from installed import needs

from legacy_autograd.exercises import practice

needs("sklearn")

_BUILD = Path(__file__).resolve().parents[2] / "notebooks" / "build.py"
_SPECIFICATION = importlib.util.spec_from_file_location("build_notebooks", _BUILD)
build = importlib.util.module_from_spec(_SPECIFICATION)
_SPECIFICATION.loader.exec_module(build)
(TEXT,) = build.texts("12")
CELLS = [
    (kind, build.code_of(content, "en"))
    for kind, content in build.cells_of(TEXT.read_text(encoding="utf-8"))
    if kind in ("cell", "answer", "check")
]
CHECK = re.compile(r'^practice\.check\("([\d.]+)".*$', re.MULTILINE)
STEPS = [f"12.{step}" for step in range(1, 11)]
FILE = build.FOLDER / "autograd_in_200_lines.py"


def solutions():
    """Return {step: the lines of its solution}, without the `if` around them."""
    found = {}
    for kind, code in CELLS:
        head, _, body = code.partition("\n")
        if kind == "answer" and head.startswith("if not practice.is_right("):
            name = head.split('"')[1]
            lines = [line.removeprefix("    ") for line in body.splitlines()]
            found[name] = found.get(name, "") + "\n".join(lines) + "\n"
    return found


def filled_in(answers):
    """Return the cells of a reader who wrote `answers`, {step: code}, into theirs."""
    cells = []
    for kind, code in CELLS:
        match = CHECK.search(code)
        if match and match[1] in answers:
            kept = [line for line in code.splitlines() if line.startswith(("Variable.__a", "practice.check"))]
            code = "\n".join([answers[match[1]], *kept])
        cells.append((kind, code))
    return cells


def run(cells):
    """Run the cells in one namespace, as the reader's kernel does."""
    names = {}
    for _, code in cells:
        exec(compile(code, "a cell", "exec"), names)
    return names


@pytest.fixture
def verdicts(capsys):
    def read():
        return re.findall(r"^(12\.\d+)[: ] ?(.*)$", capsys.readouterr().out, re.MULTILINE)

    for name in STEPS:
        practice._right.discard(name)
    return read


def test_every_step_has_a_solution():
    assert list(solutions()) == STEPS


def test_with_nothing_written_the_solutions_train_the_network(verdicts):
    names = run(CELLS)
    assert verdicts() == [(name, "not written yet") for name in STEPS]
    assert names["correct"]() > 330


def test_a_reader_who_writes_every_step_trains_the_network_with_it(verdicts):
    """The reader's class is in place at the end: no solution replaced it."""
    answers = solutions()
    answers["12.1"] += "\nVariable.written_by_the_reader = True\n"
    names = run(filled_in(answers))
    assert [name for name, verdict in verdicts() if verdict.startswith("right, on")] == STEPS
    assert names["Variable"].written_by_the_reader and names["correct"]() > 330


@pytest.mark.parametrize("step", STEPS)
def test_a_wrong_step_is_refused_and_the_rest_goes_on_with_its_solution(step, verdicts):
    wrong = {
        "12.1": ("np.asarray(data, dtype=np.float64)", "data"),
        "12.2": ("(arg.creator, id(arg))", "(arg, id(arg))"),
        "12.3": ("return grad_output * b, grad_output * a", "return grad_output * a, grad_output * b"),
        "12.4": ("grad_output + (0 if self.variable.grad is None else self.variable.grad)", "grad_output"),
        "12.5": ("keepdims=True", "keepdims=False"),
        "12.6": ("sum_to(shape, grad)", "grad"),
        "12.7": ("[fn] += 1", "[fn] = 1"),
        "12.8": ("arrived.get(output_nr, 0) + grad", "grad"),
        "12.9": ("grad_output @ b.T", "grad_output @ b"),
        "12.10": ("-= lr", "+= lr"),
    }[step]
    answers = solutions()
    assert wrong[0] in answers[step]
    answers[step] = answers[step].replace(*wrong)
    names = run(filled_in(answers))
    said = verdicts()
    assert [name for name, verdict in said if verdict.startswith("right, on")] == [s for s in STEPS if s != step]
    assert [verdict for name, verdict in said if name == step][0].startswith(("on:", "got:"))
    assert names["correct"]() > 330


def test_its_end_is_the_file_of_200_lines():
    """Each function of the solutions is one of the file, apart from docstrings and comments; none is left out."""
    in_notebook = "\n".join(solutions().values())
    in_notebook += next(code for _, code in CELLS if code.startswith("def backward(self, gradient=None)"))
    found = [function for function in plain_functions(in_notebook) if function[0] != "train_step"]
    assert sorted(found) == sorted(plain_functions(FILE.read_text(encoding="utf-8")))


def plain_functions(source):
    """Return (name, code without docstring) of each function and method."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            found.append((node.name, ast.unparse(ast.Module(body, []))))
    return found
