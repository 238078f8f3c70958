"""Break the reference answers of the exercises in every place, one at a time, and test whether the checks reject them.

    python tools/mutate_answers.py                 all exercises
    python tools/mutate_answers.py 3 7             these exercises
    python tools/mutate_answers.py --sample 40     forty breaks of each, drawn with a fixed seed

It changes operators, constants, conditions and the order of arguments and results, removes statements, and replaces a
variable or method by another. It prints the breaks that no check rejects. `equivalent_answers.txt` lists, in the
printed form and with reasons, breaks after which the answer is still correct. The exit code is 1 if another break
survives.
"""

import argparse
import ast
import pathlib
import random
import re
import sys
import warnings
from dataclasses import replace

from breaks import ROOT, Places, name_of

from legacy_autograd import exercises
from legacy_autograd.exercises import grader, template
from legacy_autograd.exercises.model import Trial, Wrong
from legacy_autograd.exercises.sandbox.host import StudentProcess
from legacy_autograd.exercises.sandbox.limits import Limits

METHODS = {
    "add": ("sub", "add_"), "sub": ("add",), "mul": ("div", "add"), "div": ("mul",), "neg": ("abs",), "sign": ("abs",),
    "append": ("remove",), "pop": ("copy",), "sum": ("mean",), "mm": ("mul",), "any": ("all",), "all": ("any",),
    "max": ("min",), "exp": ("log",), "log": ("exp",), "mul_": ("mul", "div_"), "add_": ("add", "sub_"),
    "sub_": ("sub", "add_"), "zero_": ("clone",), "copy_": ("add",), "norm": ("sum",),
}  # fmt: skip
# Cells in which a different number or order is also correct: programs that distinguish engines, and a training.
OF_FREE_CHOICE = {("find_and_fix", "program"), ("network", "train")}
LIMITS = Limits(seconds=5)


class AnswerPlaces(Places):
    """The places of `Places` and further ones: an answer is short, so every possible break is tried."""

    def __init__(self, source):
        self.locals = []
        super().__init__(source)

    def look_at(self, node):
        super().look_at(node)
        match node:
            case ast.FunctionDef():
                names = [argument.arg for argument in node.args.args if argument.arg != "self"]
                stored = [found.id for found in ast.walk(node) if isinstance(found, ast.Name) and is_stored(found)]
                self.locals = list(dict.fromkeys([*names, *stored]))
            case ast.Assign() | ast.Expr() | ast.Return(value=ast.AST()) | ast.Continue() | ast.Delete():
                if not isinstance(getattr(node, "value", None), ast.Constant):
                    self.replace("statement", node, "pass")
            case ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()):
                for first, second in zip(node.elts, node.elts[1:]):
                    self.exchange(first, second)
            case ast.Name(ctx=ast.Load()) if node.id in self.locals:
                position = self.locals.index(node.id)
                self.replace("variable", node, self.locals[(position + 1) % len(self.locals)])
            case ast.Attribute() if node.attr in METHODS:
                for other in METHODS[node.attr]:
                    start, end = self.span(node)
                    self.found.append(("method", end - len(node.attr), end, other))
            case ast.Constant(value=int() | float()):
                self.constant("constant", node)
            case ast.While():
                self.condition(node.test)
        if isinstance(node, ast.Call) and name_of(node.func) in METHODS and isinstance(node.func, ast.Name):
            for other in METHODS[node.func.id]:
                self.replace("function", node.func, other)

    def exchange(self, first, second):
        (start, first_end), (second_start, end) = self.span(first), self.span(second)
        between = self.source[first_end:second_start].decode()
        self.found.append(("order", start, end, self.text(second) + between + self.text(first)))


def is_stored(name):
    return isinstance(name.ctx, ast.Store)


def broken_answers(exercise):
    """Yield (description, cells) of every break of the reference answer."""
    cells = template.read(exercise)
    solved = template.solved(cells)
    for position, cell in enumerate(cells):
        if cell.kind != "solution" or (exercise.name, cell.name.rstrip("12345")) in OF_FREE_CHOICE:
            continue
        source = solved[position].source.encode()
        inside = _solution_lines(cell.source)
        seen = set()
        for kind, start, end, new in AnswerPlaces(source).found:
            line = source.count(b"\n", 0, start)
            broken = (source[:start] + new.encode() + source[end:]).decode()
            if line not in inside or not _is_another_program(source.decode(), broken) or broken in seen:
                continue
            seen.add(broken)
            before, after = source.decode().splitlines(), broken.splitlines()
            changed = "\n".join([f"-{before[line]}", f"+{after[line] if line < len(after) else ''}"])
            description = f"{exercise.number} {cell.name}, {kind}\n{changed}"
            yield description, [replace(c, source=broken) if n == position else c for n, c in enumerate(solved)]


def _solution_lines(source):
    """Return the numbers, from 0, of the lines between the marks, counted without the marks."""
    lines, number, inside = set(), 0, False
    for line in source.splitlines():
        if line.strip() in ("### BEGIN SOLUTION", "### END SOLUTION"):
            inside = "BEGIN" in line
            continue
        if inside:
            lines.add(number)
        number += 1
    return lines


def _is_another_program(before, after):
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(after, "answer", "exec")
    except SyntaxError:
        return False
    return ast.dump(ast.parse(before)) != ast.dump(ast.parse(after))


def refused_by(exercise, cells):
    """Return the name of the first check that rejects an answer, or None."""
    cells = template.cells_of_text(template.as_file(exercise, cells), "answer.py")
    constants = grader.constants_of(exercise, cells)
    with StudentProcess(exercise, cells, LIMITS) as process:
        for check in exercise.checks.values():
            process.begin_check()
            try:
                check.run(Trial(exercise, process, constants=constants, shrinks=False))
            except (Wrong, ValueError, TypeError, KeyError):  # the judge rejects values that it cannot compare
                return check.name
    return None


def equivalent():
    """Return the blocks of equivalent_answers.txt without their reasons."""
    text = (ROOT / "tools/equivalent_answers.txt").read_text(encoding="utf-8")
    return {re.sub(r"(?m)^#.*\n?", "", block).strip("\n") for block in text.split("\n\n")} - {""}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exercise", type=int, nargs="*", help="numbers of exercises (default: all)")
    parser.add_argument("--sample", type=int, help="the number of breaks of each exercise (default: all)")
    arguments = parser.parse_args()
    known, survivors, tried, right = equivalent(), [], 0, 0
    for number in arguments.exercise or exercises.numbers():
        exercise = exercises.load(number)
        found = list(broken_answers(exercise))
        if arguments.sample is not None and arguments.sample < len(found):
            found = random.Random(f"2016 {number}").sample(found, arguments.sample)
        own = 0
        for description, cells in found:
            if description in known:
                right += 1
            elif refused_by(exercise, cells) is None:
                own += 1
                survivors.append(description)
                print(f"{description}\n", flush=True)
        tried += len(found)
        print(f"exercise {number}: {len(found)} breaks, {own} not refused", flush=True)
    print(
        f"{tried} breaks: {tried - right - len(survivors)} refused, {right} listed as right, {len(survivors)} survive"
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    sys.exit(main())
