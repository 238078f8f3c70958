"""Everything that a check says is there in Chinese: exercises/reports.zh.toml.

Code stays as it is: names, numbers, the lines of programs, and the messages of exceptions.
"""

import ast
import itertools
import re
import tomllib
from pathlib import Path

import pytest

from legacy_autograd import exercises
from legacy_autograd.__main__ import main
from legacy_autograd.exercises import grader, practice, reports, template
from legacy_autograd.exercises.sandbox.limits import Limits
from legacy_autograd.exercises.words import WORDS

from . import answers
from .english import FOLDER, english, left_in_english
from .practice_answers import WRONG

pytestmark = pytest.mark.usefixtures("fewer_programs")

ROOT = Path(__file__).resolve().parents[2]
MODULES = [
    FOLDER / name
    for name in (
        "answer.py", "grader.py", "model.py", "pictures.py", "practice.py", "programs/inputs.py", "programs/running.py",
        "sandbox/audit.py", "sandbox/host.py", "sandbox/student_code.py", "sandbox/worker.py",
    )
]  # fmt: skip
MODULES += [path for name in ("checks", "observers", "practice_cases") for path in sorted((FOLDER / name).glob("*.py"))]
MODULES.append(ROOT / "playground/python/playground/judge.py")
# Of these some texts reach a report.
OTHERS = [
    FOLDER / name
    for name in ("template.py", "own_parts.py", "programs/short.py", "../drawing/layout.py", "../drawing/text.py")
]
COMMAND = FOLDER.parent / "commands/exercises.py"


# --- the sentences of a module

# Methods whose texts are compared with others, looked up, or lines of a program.
_LOOKS_UP = set("startswith endswith removeprefix removesuffix partition rpartition split pop replace".split())
_LOOKS_UP |= set("pick one_of index count search match fullmatch compile sub add result results".split())
_LOOKS_UP |= set("register_hook wrong _any _differs nan_in".split())


class Sentences(ast.NodeVisitor):
    """Collects the texts of a module that are no docstrings, no names and not compared with others.

    A hole of an f-string is {}; a name of the module's own text is that text. With `calling` only the functions count
    that call the function of this name.
    """

    def __init__(self, path, calling=None):
        self.found, self.constants, self.is_observer = [], {}, path.parent.name == "observers"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.Assign):
                names, values = (getattr(part, "elts", [part]) for part in (node.targets[0], node.value))
                for name, value in zip(names, values):
                    if isinstance(name, ast.Name) and (text := self.text(value)) is not None:
                        self.constants[name.id] = text
        for node in tree.body if calling else [tree]:
            if calling is None or (isinstance(node, ast.FunctionDef) and f"{calling}(" in ast.unparse(node.body)):
                self.visit(node)

    def text(self, node):
        """Return the text of a constant, an f-string or a sum of them, or None."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.JoinedStr):
            return "".join(
                part.value if hasattr(part.value, "strip") else self._hole(part.value) for part in node.values
            )
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            one, other = self.text(node.left), self.text(node.right)
            return None if one is None and other is None else f"{one or '{}'}{other or '{}'}"
        return None

    def _hole(self, node):
        return self.constants.get(node.id, "{}") if isinstance(node, ast.Name) else "{}"

    def visit(self, node):
        text = self.text(node)
        if text is None:
            super().visit(node)
            return
        self.found.append(text)
        parts = [node]
        for part in parts:  # what fills the holes
            if isinstance(part, ast.BinOp):
                parts += [part.left, part.right]
            elif isinstance(part, ast.JoinedStr):
                for hole in part.values:
                    if isinstance(hole, ast.FormattedValue):
                        self.visit(hole.value)
            elif self.text(part) is None:
                self.visit(part)

    def visit_Compare(self, node):
        for part in (node.left, *node.comparators):
            if not self._is_of_texts(part):
                self.visit(part)

    def visit_Subscript(self, node):
        self.visit(node.value)
        if isinstance(node.ctx, ast.Store):
            self.visit(node.slice)

    def visit_Raise(self, node):
        if self.is_observer or getattr(getattr(node.exc, "func", None), "id", None) not in ("SystemExit", "ValueError"):
            self.generic_visit(node)

    def visit_Tuple(self, node):
        """Of a pair (a part of an exception's message, the reason) the first is no sentence."""
        is_mistake = (
            len(node.elts) == 2
            and isinstance(node.elts[0], ast.Constant)
            and (self.text(node.elts[1]) is not None or isinstance(node.elts[1], ast.Name))
        )
        for part in node.elts[is_mistake:]:
            self.visit(part)

    def visit_Dict(self, node):
        """Keys of functions and of tuples of texts are choices of a random program."""
        for key, value in zip(node.keys, node.values):
            is_choice = isinstance(value, ast.Lambda) or (isinstance(value, ast.Tuple) and self._is_of_texts(value))
            if key is not None and not is_choice:
                self.visit(key)
            self.visit(value)

    def visit_Call(self, node):
        name = getattr(node.func, "attr", getattr(node.func, "id", None))
        self.visit(node.func)
        if name == "get":  # its value stands where the key is missing
            node.args = node.args[1:]
        elif name in _LOOKS_UP and not (name == "add" and len(node.args) == 2):
            node.args = [argument for argument in node.args if not self._is_of_texts(argument)]
        for argument in node.args:
            self.visit(argument)
        for keyword_ in node.keywords:
            if keyword_.arg not in ("dimensions", "withheld", "name", "letter", "title" if name == "Exercise" else ""):
                self.visit(keyword_.value)

    def visit_Assign(self, node):
        """Several names of texts, in one line, are parts of sentences."""
        if not (isinstance(node.targets[0], ast.Tuple) and self._is_of_texts(node.value)):
            self.generic_visit(node)

    def _is_of_texts(self, node):
        """Return whether a node is a text, or holds texts only."""
        return all(self.text(part) is not None for part in getattr(node, "elts", [node]))

    def _body(self, node):
        body = node.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        for part in [*body, *getattr(node, "decorator_list", [])]:
            self.visit(part)

    visit_Module = visit_FunctionDef = visit_ClassDef = _body


def is_code(text):
    """Return whether a text is Python or DOT, such as a line of a program, or a path."""
    if "\n" in text or text.startswith("/"):
        return True
    try:
        ast.parse(text.replace("{}", "x"))
    except SyntaxError:
        return False
    return True


def filled(text):
    """Return a text with something in its holes."""
    numbers = itertools.count(1)
    return re.sub(r"\{\}", lambda _: f"x{next(numbers)}", text)


def sentences():
    """Yield (module, text) of all that may be said: of modules, of words.toml, and of the command."""
    for path in MODULES:
        yield from ((path.name, text) for text in dict.fromkeys(Sentences(path).found))
    yield from ((COMMAND.name, text) for text in Sentences(COMMAND, calling="_say").found)
    yield from (("words.toml", sentence) for _, sentence in WORDS["exceptions"])


def test_every_sentence_has_an_entry():
    chinese, missing = reports._catalogue("zh"), {}
    for module, text in sentences():
        # A text that ends with a space is a part of a sentence.
        if len(english(text)) > 1 and not is_code(text) and not text.endswith(" "):
            left = english(chinese.translated(filled(text)))
            if left:
                missing[module, text] = left
    assert not missing


def test_every_entry_is_said():
    entries = tomllib.loads((FOLDER / "reports.zh.toml").read_text(encoding="utf-8"))["sentences"]
    marks = {chr(0xE000 + number): english for number, english in enumerate(entries)}
    marked = reports.Catalogue({english: entries[english] + mark for mark, english in marks.items()}, {})
    said = [filled(text) for _, text in sentences()]
    said += [filled(text) for path in OTHERS for text in Sentences(path).found]
    said = "".join(map(marked.translated, [*said, "output 1 of Pair (no gradient)"]))  # of drawing/text.py
    assert [one for mark, one in marks.items() if mark not in said] == []


def test_a_translation_has_the_holes_of_its_sentence():
    entries = tomllib.loads((FOLDER / "reports.zh.toml").read_text(encoding="utf-8"))["sentences"]
    for one, other in entries.items():
        assert len(re.findall(r"\{\w*\}", one)) == len(re.findall(r"\{\w*\}", other)), one
        assert not english(re.sub(r"\{\w*\}", "x1", other)), one


# --- whole reports


def first_of(found, numbers):
    """Return the parameters of a test. Those are slow that are not the first of one of these exercises."""
    left, tests = list(numbers), []
    for number, *rest in found:
        is_fast = number in left
        tests.append(pytest.param(number, *rest, marks=[] if is_fast else [pytest.mark.slow]))
        if is_fast:
            left.remove(number)
    return tests


# test_answers.py asks for the report of every wrong answer, without its pictures.
FIRST = [next(found for found in answers.all_wrong() if found[0] == number) for number in exercises.numbers()]


@pytest.mark.parametrize("number, name, answer", first_of(FIRST, [1, 3, 6, 9]))
def test_the_report_of_a_wrong_answer(request, number, name, answer):
    exercise = exercises.load(number)
    source = template.as_file(exercise, answers.cells(number, answer.changes))
    checks = [name for name, check in exercise.checks.items() if check.group.name in answer.fails]
    if not request.node.get_closest_marker("slow"):
        checks = [name for name in checks if name not in exercise.random]
    cells = template.cells_of_text(source, "answer.py")
    limits = Limits(answer.seconds or 60)
    results = grader.judge(exercise, cells, checks, limits, draw="text", lang="zh")
    said = grader.report(exercise, results, "zh")
    programs = [line for result in results if result.wrong for line in result.wrong.program]
    assert "未通过" in said and "原因" in said
    assert left_in_english(said, source, programs, [group.name for group in exercise.groups]) == [], said


@pytest.mark.parametrize("number", [1, 9])
def test_the_report_of_an_answer_that_is_not_written(number):
    exercise = exercises.load(number)
    cells = template.cells_of_text(template.as_file(exercise, template.unsolved(template.read(exercise))), "answer.py")
    said = grader.report(exercise, grader.judge(exercise, cells), "zh").splitlines()
    assert len(said) == len(exercise.groups) and all(line.startswith("还没有写") for line in said)


def test_the_report_of_a_process_that_ended_and_said_nothing():
    exercise, source = exercises.load(3), "import os; os._exit(3)"
    results = grader.judge(exercise, template.cells_of_text(source, "answer.py"))
    said = grader.report(exercise, results, "zh")
    assert "退出码是 3\n" in said
    assert left_in_english(said, source, [], [group.name for group in exercise.groups]) == [], said


SHORT = [(name, case[0]) for name, cases in WRONG.items() for case in cases]


@pytest.mark.parametrize("name, answer", first_of(SHORT, [name for name in WRONG if not name.startswith("7.")]))
def test_what_a_short_exercise_says(name, answer, capsys):
    if name.startswith("7."):
        pytest.importorskip("torch")
    practice.check(name, answer, lang="zh")
    said = capsys.readouterr().out
    cases = FOLDER / f"practice_cases/n{int(name.partition('.')[0]):02}.py"
    assert "原因: " in said and any(word in said for word in ("应为: ", "帮助: ", "位置: "))
    assert left_in_english(said, cases.read_text(encoding="utf-8"), [repr(answer)]) == [], said


def test_the_command_says_it_in_chinese(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(grader, "judge_in_child", grader.judge)
    exercise = exercises.load(1)
    path = tmp_path / "mine.py"
    changes = answers.of(1).WRONG["b of Sub without its minus"].changes
    path.write_text(template.as_file(exercise, answers.cells(1, changes)), encoding="utf-8")
    assert main(["exercises", "check", "1", str(path), "--lang", "zh"]) == 1
    said = capsys.readouterr().out
    assert f"{path}: 局部导数\n" in said and "\n7 / 8 分。\n" in said and "的计算图\n" in said
    assert main(["exercises", "hint", "1", "sub", "2", "--lang", "zh"]) == 0
    assert capsys.readouterr().out == "sub: a - b\n导数是 1 和 -1。backward 返回它们各自乘以 grad_output 的结果。\n"


def test_lines_of_chinese_end_between_characters():
    lines = reports.wrapped("原因" * 30 + "，见 self.variable.grad。", "    原因  ", " " * 10, width=40)
    assert all(sum(1 + (letter > "\u2e80") for letter in line) <= 42 for line in lines)
    assert "".join("".join(lines).split()) == f"原因{'原因' * 30}，见self.variable.grad。"
    assert not any(line.lstrip().startswith("，") for line in lines)
