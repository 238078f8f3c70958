"""Write wrong answers without knowing the exercises, and count those that the checks accept.

    python tools/wrong_answers.py 1500             this many in all, drawn from all right answers of all exercises
    python tools/wrong_answers.py 200 3 5          from those of exercises 3 and 5

Each is a right answer (the reference, or one of tests/exercises/answers) with one change that students make: statements
exchanged or removed, a condition inverted, a result kept and returned again, a copy left out, a type fixed, state moved
to the object, the class or the module, an argument ignored, an operation in place, a loop cut short, an exception
caught. A change counts if the answer then behaves differently on a program: one of the assignment's, or of FURTHER
seeds. The exit code is 1 if more than 1 in 200 of those that count are accepted.
"""

import argparse
import ast
import contextlib
import copy
import io
import itertools
import os
import pathlib
import random
import resource
import signal
import sys
import traceback
import warnings
from dataclasses import replace

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from exercises import answers  # noqa: E402

from legacy_autograd import exercises  # noqa: E402
from legacy_autograd.exercises import grader  # noqa: E402
from legacy_autograd.exercises.answer import Answer, plain  # noqa: E402
from legacy_autograd.exercises.model import Trial, Trouble, Wrong  # noqa: E402
from legacy_autograd.exercises.sandbox.student_code import StudentCode  # noqa: E402
from legacy_autograd.exercises.sandbox.worker import observers_of  # noqa: E402

FURTHER = range(5 * 10**6, 5 * 10**6 + 50)  # seeds of further programs for each part of an exercise
SECONDS = 15  # of processor time for one answer; the reference takes up to 3 for all programs
IN_PLACE = {"add": "add_", "mul": "mul_", "sub": "sub_", "div": "div_", "neg": "neg_"}
ACCEPTED, REFUSED, SAME = range(3)


def changes(source):
    """Yield (kind, new source) of every change of a source."""
    tree = ast.parse(source)
    for position, node in enumerate(ast.walk(tree)):
        for kind, change in KINDS.items():
            for way in range(3):
                if not change(copy.deepcopy(node), way):
                    break
                changed = copy.deepcopy(tree)
                change(next(itertools.islice(ast.walk(changed), position, None)), way)
                yield kind, ast.unparse(ast.fix_missing_locations(changed))


def parsed(text):
    return ast.parse(text).body


def exchanged(node, number):
    body = getattr(node, "body", None)
    if not isinstance(body, list) or number + 1 >= len(body):
        return False
    body[number], body[number + 1] = body[number + 1], body[number]
    return True


def removed(node, number):
    body = getattr(node, "body", None)
    if not isinstance(body, list) or isinstance(node, ast.Module | ast.ClassDef) or number >= len(body):
        return False
    body[number] = ast.Pass()
    return True


def inverted(node, number):
    if number or not isinstance(node, ast.If | ast.IfExp | ast.While):
        return False
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return True


def without_copy(node, number):
    if number or not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr not in ("clone", "copy", "contiguous") or node.args:
        return False
    value = node.func.value
    node.__class__, node.__dict__ = value.__class__, value.__dict__
    return True


def in_place(node, number):
    if number:
        return False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in IN_PLACE:
        node.func.attr = IN_PLACE[node.func.attr]
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult | ast.Sub):
        name = {ast.Add: "add_", ast.Mult: "mul_", ast.Sub: "sub_"}[type(node.op)]
        call = ast.Call(ast.Attribute(node.left, name, ast.Load()), [node.right], [])
        node.__class__, node.__dict__ = call.__class__, call.__dict__
        return True
    return False


def moved(node, number):
    """Keep what a call begins with empty on the object, its class or the module."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return False
    is_call = isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and not node.value.args
    if number > 1 or not (is_call or isinstance(node.value, ast.List | ast.Dict)):
        return False
    name, value = node.targets[0].id, ast.unparse(node.value)
    where = ("globals()", "self.__dict__")[number]
    node.value = parsed(f"{where}.setdefault('_moved_{name}', {value})")[0].value
    return True


def to_class(node, number):
    if number or not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or node.value.id != "self":
        return False
    node.value = parsed("type(self)")[0].value
    return True


def cut_short(node, number):
    if not isinstance(node, ast.For | ast.comprehension) or number > 2:
        return False
    form = ("list({})[:1]", "list({})[:2]", "list({})[::-1]")[number]
    node.iter = parsed(form.format(ast.unparse(node.iter)))[0].value
    return True


def caught(node, number):
    if number or not isinstance(node, ast.FunctionDef | ast.For | ast.While) or isinstance(node.body[0], ast.Try):
        return False
    node.body = [ast.Try(node.body, [ast.ExceptHandler(parsed("Exception")[0].value, None, [ast.Pass()])], [], [])]
    return True


def ignored(node, number):
    """Use another argument in place of one."""
    if not isinstance(node, ast.FunctionDef) or number > 2:
        return False
    names = [argument.arg for argument in node.args.args if argument.arg != "self"]
    if len(names) < 2 or number >= len(names):
        return False
    node.body.insert(0, parsed(f"{names[number]} = {names[number - 1]}")[0])
    return True


def guarded(node, number):
    """Leave out what is zero, nan or empty."""
    if not isinstance(node, ast.For) or not isinstance(node.target, ast.Tuple | ast.Name) or number > 0:
        return False
    name = node.target.elts[-1] if isinstance(node.target, ast.Tuple) else node.target
    if not isinstance(name, ast.Name):
        return False
    node.body.insert(0, parsed(f"if hasattr({name.id}, 'sum') and not {name.id}.sum() > 0: continue")[0])
    return True


def other_number(node, number):
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float) or number > 1:
        return False
    node.value = node.value + (1, -1)[number]
    return True


def other_operator(node, number):
    others = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Lt: ast.LtE,
              ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
    if number:
        return False
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in others:
        node.op = others[type(node.op)]()
        return True
    if isinstance(node, ast.Compare) and type(node.ops[0]) in others:
        node.ops[0] = others[type(node.ops[0])]()
        return True
    return False


def never_again(node, number):
    """Return the first result again: for ever, or for the same objects."""
    if not isinstance(node, ast.FunctionDef) or number > 1 or "return" not in ast.unparse(node):
        return False
    names = [a.arg for a in node.args.args] + ([node.args.vararg.arg] if node.args.vararg else [])
    key = ("0", f"tuple(map(id, ({', '.join([*names, ''])})))")[number]
    inner = ast.FunctionDef(
        "_first", ast.arguments([], [], None, [], [], None, []), node.body, [], None, None, **_type_params()
    )
    node.body = [
        inner,
        *parsed(f"_kept = globals().setdefault('_kept_{node.name}', {{}})\n"
                f"if {key} not in _kept: _kept[{key}] = _first()\n"
                f"return _kept[{key}]"),
    ]  # fmt: skip
    return True


def _type_params():
    return {"type_params": []} if sys.version_info >= (3, 12) else {}


def as_doubles(node, number):
    if number or not isinstance(node, ast.Return) or node.value is None:
        return False
    node.value = ast.Call(ast.Name("_doubles", ast.Load()), [node.value], [])
    return True


KINDS = {
    "statements exchanged": exchanged, "a statement removed": removed, "a condition inverted": inverted,
    "the first result again": never_again, "a copy left out": without_copy, "a type fixed": as_doubles,
    "in place": in_place, "state moved": moved, "state on the class": to_class, "a loop cut short": cut_short,
    "an exception caught": caught, "an argument ignored": ignored, "a guard": guarded, "a number": other_number,
    "an operator": other_operator,
}  # fmt: skip


def doubles(value):
    """Return DoubleTensors of the numbers, for the change "a type fixed"."""
    from legacy_autograd.tensor import DoubleTensor, Tensor

    if isinstance(value, (tuple, list)):
        return type(value)([doubles(one) for one in value])
    return DoubleTensor(value.tolist()) if isinstance(value, Tensor) and value.numel() else value


def sources_of(cells):
    return [cell.source for cell in cells if cell.kind != "markdown"]


def wrong_answers(number):
    """Yield (name of the right answer, kind, cells) of every change of every right answer of an exercise."""
    for of, name, made in answers.all_right():
        if of != number:
            continue
        cells = answers.cells(number, made)
        for position, cell in enumerate(cells):
            if cell.kind == "solution" and not cell.name.startswith(("program", "train")):
                for kind, source in changes(cell.source):
                    changed = [replace(c, source=source) if n == position else c for n, c in enumerate(cells)]
                    yield name, kind, sources_of(changed)


def verdict(exercise, sources):
    """Judge an answer in a process of its own. Return ACCEPTED, REFUSED, or SAME on all programs."""
    child = os.fork()
    if child == 0:
        code = REFUSED
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
            resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                code = _judged(exercise, sources)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else REFUSED


class Here(StudentCode):
    """Asks an answer in this process, whose names are `namespace`."""

    def __init__(self, exercise, cells, namespace):
        super().__init__(exercise, cells)
        self._namespace = namespace

    def ask(self, probe, inputs, once=False):
        try:
            found = getattr(observers_of(self._exercise.name), probe)(Answer(self._namespace), **inputs)
            return {key: plain(value) for key, value in found.items()}
        except BaseException as error:
            raise Trouble("error", traceback.format_exc(), None, type(error).__name__) from None


def _judged(exercise, sources):
    namespace = {"__name__": "answer", "_doubles": doubles}
    try:
        for source in sources:
            exec(compile(source, "answer", "exec"), namespace)
    except BaseException:
        return REFUSED
    cells = [{"source": source} for source in sources]
    code = Here(exercise, cells, namespace)
    trial = Trial(exercise, code, constants=grader.constants_of(exercise, cells), shrinks=False)
    try:
        for check in exercise.checks.values():
            check.run(trial)
    except Exception:
        return REFUSED
    further = Trial(exercise, code, FURTHER, shrinks=False)
    try:
        for name in exercise.random:
            exercise.checks[name].run(further)
    except Wrong as wrong:
        sys.__stdout__.write(f"found by the seed {wrong.seed}: {wrong.expected} | {wrong.got}\n")
        sys.__stdout__.flush()
        return ACCEPTED
    return SAME


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, help="how many answers are tried")
    parser.add_argument("exercise", type=int, nargs="*", help="numbers of exercises (default: all)")
    parser.add_argument("--seed", default="2016")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    numbers = arguments.exercise or exercises.numbers()
    counts = [0, 0, 0]
    for number in numbers:
        exercise = exercises.load(number)
        found = list({"\n".join(cells): (name, kind, cells) for name, kind, cells in wrong_answers(number)}.values())
        drawn = random.Random(f"{arguments.seed} {number}").sample(
            found, min(len(found), arguments.count // len(numbers))
        )
        # What is right is computed here once, and not in each answer's process.
        if _judged(exercise, sources_of(answers.cells(number))) != SAME:
            raise SystemExit(f"exercise {number}: the reference is not accepted")
        own = [0, 0, 0]
        for name, kind, sources in drawn:
            answer = verdict(exercise, sources)
            own[answer] += 1
            if answer == ACCEPTED:
                print(f"exercise {number}, {name}: {kind}: accepted\n" + "\n".join(sources[-1:]) + "\n", flush=True)
        counts = [one + other for one, other in zip(counts, own)]
        print(f"exercise {number}: {len(drawn)} of {len(found)}: {own[REFUSED]} refused, {own[ACCEPTED]} accepted, "
              f"{own[SAME]} the same on all programs", flush=True)  # fmt: skip
    print(f"{counts[REFUSED]} refused, {counts[ACCEPTED]} accepted, {counts[SAME]} the same")
    return int(counts[ACCEPTED] * 200 > counts[REFUSED] + counts[ACCEPTED])


if __name__ == "__main__":
    sys.exit(main())
