"""The short exercises of the notebooks: right answers pass, known mistakes are named."""

import ast
import importlib
import linecache
import math
import pkgutil
import re
from pathlib import Path

import numpy
import pytest

import legacy_autograd
from legacy_autograd.autograd import Function, Leaf, Variable, grad
from legacy_autograd.exercises import practice, practice_cases
from legacy_autograd.exercises.programs import inputs

from . import practice_variants
from .practice_answers import RIGHT, WRONG

pytestmark = pytest.mark.usefixtures("fewer_programs")

TEXTS_FOLDER = Path(__file__).resolve().parents[2] / "notebooks" / "text"


def said(capsys, *arguments, **options):
    if arguments[0] in ("7.2", "7.3"):
        pytest.importorskip("torch")
    practice.check(*arguments, **options)
    return capsys.readouterr().out


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_passes(name, capsys):
    for answer in RIGHT[name]:
        assert said(capsys, name, answer).startswith(f"{name}: right")


@pytest.mark.parametrize("name, answer, because", [(name, *case) for name, cases in WRONG.items() for case in cases])
def test_a_wrong_answer_is_told_why(name, answer, because, capsys):
    words = " ".join(said(capsys, name, answer).split())
    assert not words.startswith(f"{name}: right") and because in words


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_not_written_is_not_wrong(name, capsys):
    if isinstance(RIGHT[name][0], type):
        bases = RIGHT[name][0].__bases__
        stub = type("Stub", bases, {"forward": lambda self, *tensors: ...} if Function in bases[0].__mro__ else {})
        assert "not written yet" in said(capsys, name, stub)
    elif callable(RIGHT[name][0]):
        assert "not written yet" in said(capsys, name, lambda *arguments: None)
    else:
        assert "not written yet" in said(capsys, name, ...)


def test_every_short_exercise_has_answers():
    names = set()
    for module in pkgutil.iter_modules(practice_cases.__path__):
        if module.name == "n12":  # test_practice_12.py
            continue
        cases = importlib.import_module(f"{practice_cases.__name__}.{module.name}")
        names |= {f"{int(module.name[1:])}.{name[5:]}" for name in vars(cases) if name.startswith("case_")}
    assert names == set(RIGHT) == set(WRONG)


def test_an_exception_names_its_line(capsys):
    words = said(capsys, "3.1", lambda start, count: start.missing)
    assert "AttributeError: 'float' object has no attribute 'missing'" in words and "start.missing" in words


@pytest.mark.parametrize("name", [name for name, answers in RIGHT.items() if not callable(answers[0])])
def test_an_answer_that_is_plain_data_is_shown_on_request_only(name, capsys):
    wrong = said(capsys, name, WRONG[name][0][0])
    assert "expected: " not in wrong and "because: " in wrong
    assert f'practice.hint("{name}")' in wrong and f'practice.show("{name}")' in wrong
    practice.hint(name)
    assert len(capsys.readouterr().out.split()) > 5
    practice.show(name)
    shown = capsys.readouterr().out.strip()
    assert len(shown) == 1 or shown not in wrong
    assert said(capsys, name, shown if len(shown) == 1 else ast.literal_eval(shown)).startswith(f"{name}: right")


def test_an_answer_that_is_code_has_reasons_and_no_hint():
    for ask in (practice.hint, practice.show):
        with pytest.raises(ValueError, match=r"practice\.\w+: the answer of exercise 3.1 is code"):
            ask("3.1")
        with pytest.raises(ValueError, match="there is no exercise"):
            ask("3.9")


def test_a_blank_that_is_not_filled_is_not_wrong(capsys):
    class Engine:
        def run_backward(self, variable, grad, retain_variables=True):
            return ____  # noqa: F821

    assert said(capsys, "4.4", Engine) == "4.4: not written yet\n"


# --- by the checks of a graded exercise


def defined(source, name):
    """Return what a notebook's cell with that source defines under that name."""
    linecache.cache["a cell"] = len(source), None, source.splitlines(True), "a cell"
    names = {}
    exec(compile(source, "a cell", "exec"), names)
    return names[name]


def test_the_engine_of_notebook_4_is_accepted_by_exercise_5(capsys):
    text = (TEXTS_FOLDER / "04_the_engine.md").read_text("utf-8")
    cells = re.findall(r"^```python cell\n(.*?)^```\n", text, re.MULTILINE | re.DOTALL)
    source = "".join(cell for cell in cells if cell.startswith(("def count", "class Engine:\n    def run_backward")))
    practice.exercise(5, defined(source, "Engine"))
    assert capsys.readouterr().out.endswith("\n5: 7 of 7 parts passed\n")


def test_a_graded_exercise_tells_what_is_wrong_with_a_cell(capsys):
    source = "class Engine:\n    def run_backward(self, variable, grad, retain_variables=True):\n        grad.add_(1)\n"
    practice.exercise(5, defined(source, "Engine"))
    report = capsys.readouterr().out
    assert ", line 2 of the cell" in report and report.endswith("5: 0 of 7 parts passed\n")


def test_a_graded_exercise_that_is_not_begun_is_not_written_yet(capsys):
    practice.exercise(5, type("Engine", (), {}))
    assert capsys.readouterr().out == "5: not written yet\n"
    with pytest.raises(ValueError, match="there is no exercise 12"):
        practice.exercise(12, Function)


def test_in_chinese(capsys):
    # Four backwards of x * x at 2/3: 4 · 2 · 2/3 = 16/3.
    assert "应为: 5.33333" in said(capsys, "3.1", lambda start, count: 2 * start, lang="zh")


def test_no_such_exercise():
    for name in ("3.9", "99.1", "x"):
        with pytest.raises(ValueError, match="there is no exercise"):
            practice.check(name, 1)


# --- answers of unlike kinds: practice_variants.py


def verdict_on(name, source, capsys):
    """What `check` prints about the `answer` that a source defines."""
    names = {
        "torch": legacy_autograd, "nn": legacy_autograd.nn, "numpy": numpy, "math": math, "grad": grad,
        "Variable": Variable, "Function": Function, "Leaf": Leaf,
    }  # fmt: skip
    exec(compile(source, "an answer", "exec"), names)
    return said(capsys, name, names["answer"])


@pytest.mark.parametrize("name", practice_variants.SOURCES)
def test_right_answers_of_every_style_pass(name, capsys):
    for source in practice_variants.SOURCES[name][0]:
        verdict = verdict_on(name, source, capsys)
        assert verdict.startswith(f"{name}: right"), f"{source}\n{verdict}"


@pytest.mark.parametrize("name", practice_variants.SOURCES)
def test_wrong_answers_of_every_kind_are_refused(name, capsys):
    for source in practice_variants.SOURCES[name][1]:
        verdict = verdict_on(name, source, capsys)
        assert not verdict.startswith(f"{name}: right"), source
        assert "got:" in verdict or "not written yet" in verdict, f"{source}\n{verdict}"


def test_every_function_that_a_reader_writes_has_variants():
    functions = {name for name, answers in RIGHT.items() if callable(answers[0])}
    assert functions == set(practice_variants.SOURCES)
    for right, wrong in practice_variants.SOURCES.values():
        assert len(right) >= 4 and len(wrong) >= 6


def test_the_inputs_are_the_same_each_time():
    first, second = ([graph.text for graph in inputs.graphs(1, None)] for _ in range(2))
    assert first == second
    assert len({graph.split("; ")[-1] for graph in first}) > 5
    tensors = [[draw.tensor(kind, size) for draw, kind, size in inputs.programs(2, None)] for _ in range(2)]
    assert tensors[0] == tensors[1]
    text = " ".join(tensors[0] + [draw.tensor(kind, size) for draw, kind, size in inputs.programs(3, None)])
    assert all(word in text for word in ("DoubleTensor", "FloatTensor", "expand", "select", "([])"))


@pytest.mark.parametrize(
    "name, answer, shown",
    [
        ("3.3", ["True", "False", "True", "False"], ("", "answer[0] = 'True', a text")),
        ("3.3", [1, 0, 1, 0], ("", "[1, 0, 1, 0]")),
        ("6.3", ["1", "3", "5", "6"], ("", "answer[0] = '1', a text")),
        ("8.3", ["b"], ("", "[b]")),
        ("2.1", ["SubConstant", "SubConstant", "Neg\u200bate", "Mul"], ("", r"'Neg\u200bate', a text")),
        ("10.3", lambda n, parts: str(parts + n // parts), ("an int 27", "a text 27")),
    ],
)
def test_what_looks_alike_is_shown_with_its_difference(name, answer, shown, capsys):
    words = " ".join(said(capsys, name, answer).split())
    expected, _, got = words.partition("expected: ")[2].partition(" got: ")
    got = got or words.partition("got: ")[2]  # the expected answer is shown on request
    assert shown[0] in expected and shown[1] in got.partition(" because")[0]


@pytest.mark.parametrize(
    "name, answer",
    [
        ("8.3", " b "), ("8.3", "\uff22"), ("9.3", "\u3000b"),
        ("2.1", ("SubConstant", "SubConstant ", "Negate", "Mul")),
        ("1.1", [" Mean", "PowConstant", "Sub", "\uff2d\uff4d"]), ("4.2", ["Mul\u00a0#5", *RIGHT["4.2"][0][1:]]),
    ],
)  # fmt: skip
def test_spaces_and_full_width_letters_make_no_answer_wrong(name, answer, capsys):
    assert said(capsys, name, answer).startswith(f"{name}: right")


def test_a_wrong_answer_leaves_recording_on(capsys):
    def without_finally(f, *variables):
        before = legacy_autograd.is_grad_enabled()
        legacy_autograd.set_grad_enabled(False)
        result = f(*variables)
        legacy_autograd.set_grad_enabled(before)
        return result

    words = " ".join(said(capsys, "11.2", without_finally).split())
    assert "after an exception nothing is recorded any more" in words and legacy_autograd.is_grad_enabled()


TEXTS = sorted(
    path for path in TEXTS_FOLDER.glob("*.md") if not path.name.startswith("12")
)  # test_from_an_empty_file.py


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_the_cells_of_the_notebooks_are_not_written_yet(path, capsys):
    """Each exercise's cell as a reader finds it, and all exercises of the notebook are there."""
    if path.stem.startswith("07"):
        pytest.importorskip("torch")
    cells = re.findall(r"^```python cell\n(.*?)^```\n", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names = {"torch": legacy_autograd, "Variable": Variable, "Function": Function, "practice": practice}
    for cell in cells:
        if "practice.check(" in cell or "____" in cell:
            exec(cell.partition("\ndrawing.")[0], names)
    number = int(path.stem[:2])
    places = (1, 2, 3, 4) if number == 4 else (1, 2, 3)
    assert capsys.readouterr().out == "".join(f"{number}.{place}: not written yet\n" for place in places)


@pytest.mark.parametrize(
    "name, source, reason, other",
    [
        ("1.2", "def answer(W, lr):\n    W.data = W.data - W.grad * lr\n    W.grad.zero_()", "was replaced", "against"),
        ("3.2", "def answer(seen):\n    def hook(gi, go):\n        seen[:] = [*seen[1:], (go[0] * 2).tolist()]\n"
         "    return hook", "", "not twice the gradient"),
        ("9.2", "def answer(parameters, velocities, lr, momentum):\n"
         "    for p, v in zip(parameters, velocities):\n        v.mul_(momentum).add_(p.grad)\n"
         "        p.data -= v * lr\n        p.grad.zero_()", "the step changed a gradient", "without momentum"),
        ("10.1", "def answer(f, x, n):\n    return 12.0", "", "that is the first derivative"),
        ("11.1", "def answer(counts):\n    def hook(f, proceed, *v):\n        counts[1] = counts.get(1, 0) + 1\n"
         "        return proceed(*v)\n    return hook", "", "counts again"),
        ("11.3", "def answer(a, b):\n    return torch.sqrt(torch.sum((a - b.detach()) ** 2) + 1e-12)",
         "the gradient of `b` is 0", "back to `a`"),
    ],
)  # fmt: skip
def test_a_reason_is_about_what_is_wrong(name, source, reason, other, capsys):
    words = " ".join(verdict_on(name, source, capsys).split())
    assert "got:" in words and reason in words and other not in words.partition("because:")[2], words
