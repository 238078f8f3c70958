"""Short exercises of the walkthrough's notebooks, about five minutes each, checked in the notebook.

    from legacy_autograd.exercises import practice

    practice.check("3.1", my_function)
    practice.hint("4.2")
    practice.show("4.2")  # the expected answer
    practice.exercise(5, Engine)  # by the checks of the graded exercise 5

The answer runs in the notebook itself and earns no points; the graded exercises (`python -m legacy_autograd exercises`)
run it in a process of its own, and so does `practice.exercise`. `practice_cases/n03.py` holds the exercises of notebook
3: `case_1(answer)` yields a `Case` for each input that the answer is tried on. `programs/short.py` draws these inputs.
"""

import importlib
import linecache
import traceback
from dataclasses import dataclass

from . import load, reports
from .model import TOLERANCE, agree, differences, in_general
from .words import WORDS

_right: set[str] = set()  # the names of the exercises whose last check was right


class Unwritten(Exception):
    """The answer is not written yet."""


def written(got):
    """Return `got`, an answer or what it returned. Raises Unwritten if it is None or `...`."""
    if got is None or got is ...:
        raise Unwritten
    return got


@dataclass(frozen=True)
class Case:
    """One input: `on` names it, `got` is the answer's result as plain data, `expected` the correct result.

    A result of several named parts is a dictionary of them. `mistakes` are pairs (a known mistake, the explanation). A
    mistake is the result that it gives, or the parts of it that it makes wrong, or the name of the only part that is
    wrong, or a function that recognizes it.

    With a `hint` the answer is plain data and `expected` is the answer itself. Then a wrong answer is told the reason,
    and where to ask for the hint and for the answer.
    """

    on: str
    got: object
    expected: object
    mistakes: tuple = ()
    tolerance: float = TOLERANCE
    hint: str = ""


def case(on, got, expected, *mistakes, tolerance=TOLERANCE, hint=""):
    """Return a Case with these mistakes."""
    return Case(on, got, expected, mistakes, tolerance, hint)


def seen(on, parts, *mistakes, tolerance=TOLERANCE):
    """Return the Case of a result of several parts, {name: (what is correct, what the answer gave)}."""
    right, got = ({name: both[place] for name, both in parts.items()} for place in (0, 1))
    return Case(on, got, right, mistakes, tolerance)


_SECOND = "that of a second call"


def twice(
    on, ask, name, right, *mistakes, plain=lambda got: got, another=None,
    other="another number", second=_SECOND, tolerance=TOLERANCE, state=None,
):  # fmt: skip
    """Return the Case of two calls `ask()`, which both give what is right. The first result is the part `name`.

    `plain(got)` is a result as plain data, `another()` calls the answer for something else, and `state()` is what no
    call may change.
    """

    def asked():
        got = ask()
        return list(got) if hasattr(got, "__next__") else got  # a generator is read once

    before, got = state and state(), asked()
    parts = {name: (right, plain(got))}
    if state:
        parts["it changes nothing"] = True, state() == before
    parts[second] = right, plain(asked())
    if another:
        another()
        parts["the first result after a call for another"] = right, plain(got)
        parts["that of a third call"] = right, plain(asked())
    if hasattr(got, "clear"):
        got.clear()  # it is the caller's
        parts["a call after the first result was emptied"] = right, plain(asked())
    again = (second, f"a second call gives {other}: what is kept from one call to the next?")
    return seen(on, parts, *mistakes, again, tolerance=tolerance)


_HALF_WIDTH = {0xFF01 + place: 0x21 + place for place in range(94)} | {0x3000: " ", 0xA0: " "}  # of an input method


def word(answer):
    """Return an answer that is a word, as it is compared: without spaces at its ends, full-width letters as plain ones.

    A class counts as its name. Other values are returned as they are.
    """
    if isinstance(answer, type):
        return answer.__name__
    return answer.translate(_HALF_WIDTH).strip() if isinstance(answer, str) else answer


def words(answer):
    """Return an answer that is a list of words, each as `word` gives it; other values as they are."""
    return [word(part) for part in answer] if isinstance(answer, (list, tuple)) else answer


def check(name, answer, lang="en"):
    """Check `answer`, a function or plain data, against the exercise `name`, such as "3.1", and print the verdict.

    lang: the language of the verdict, "en" or "zh".

    Raises ValueError if there is no exercise of that name.
    """
    _right.discard(name)
    texts = WORDS["report"][lang]
    count = 0
    cases = _cases_of(name)(answer)
    while True:
        try:
            case = next(cases, None)
            if case is not None:
                written(case.got)
        except Unwritten:
            print(f"{name}: {texts['unwritten']}")
            return
        except Exception as error:
            got = f"{type(error).__name__}: {error}"
            because = next((why for part, why in WORDS["exceptions"] if part in got), None)
            _print_wrong(name, lang, {"got": got, "in": _line_of(error), "because": because})
            return
        if case is None:
            _right.add(name)
            print(f"{name}: {texts['right'].format(count=count)}")
            return
        count += 1
        expected, got = case.expected, case.got
        if not isinstance(expected, dict):
            expected, got = {"answer": expected}, {"answer": got}
        if not agree(expected, got, case.tolerance):
            because = next((why for mistake, why in case.mistakes if _is_mistake(mistake, case)), None)
            because = because or in_general(expected, got)
            shown = [text.removeprefix("answer = ") for text in differences(expected, got, case.tolerance)]
            if case.hint:
                because = because or _place(case.expected, case.got)
                more = texts["ask"].format(name=name)
                _print_wrong(name, lang, {"on": case.on, "got": shown[1], "because": because, "more": more})
            else:
                _print_wrong(name, lang, {"on": case.on, "expected": shown[0], "got": shown[1], "because": because})
            return


def is_right(name):
    """Return whether the last answer that this process checked against the exercise `name` was right."""
    return name in _right


def hint(name, lang="en"):
    """Print the hint of the exercise `name`, whose answer is plain data, in the language `lang`, "en" or "zh".

    Raises ValueError if there is no exercise of that name, or if it has no hint.
    """
    print(reports.in_language(_with_hint("hint", name).hint, lang))


def show(name):
    """Print the expected answer of the exercise `name`, which is plain data.

    Raises ValueError if there is no exercise of that name, or if its answer is a function or a class.
    """
    print(_with_hint("show", name).expected)


def _with_hint(caller, name):
    cases = _cases_of(name)
    try:
        case = next(cases(None))
    except Exception:  # it calls its answer, which is code
        case = None
    if case is None or not case.hint:
        raise ValueError(f"practice.{caller}: the answer of exercise {name} is code; practice.check gives its reasons")
    return case


def exercise(number, answer, lang="en"):
    """Judge a class or a function by the checks of the graded exercise `number`, and print the report.

    The judge executes the cell of the notebook that defines `answer`, and no other cell, in a process of its own.

    lang: the language of the report, "en" or "zh".

    Raises ValueError if there is no exercise of that number, and RuntimeError in a web page, which has no processes.
    """
    from . import grader, template

    asked, texts = load(number), WORDS["report"][lang]
    codes = [value.__code__ for value in [answer, *vars(answer).values()] if hasattr(value, "__code__")]
    if not codes:  # neither a function nor a class with methods
        print(f"{number}: {texts['unwritten']}")
        return
    source = "".join(linecache.getlines(codes[0].co_filename))  # of its cell
    cell = {"source": template.without_magics(source), "label": "the cell"}
    try:
        results = grader.judge_in_child(asked, [cell])
    except (ImportError, RuntimeError) as error:
        what = f"practice.exercise({number}, …) starts a process, and there is none in a web page"
        raise RuntimeError(f"{what}: exercise {number} of the playground has the same checks") from error
    print(grader.report(asked, results, lang))
    states = list(grader.states(asked, results).values())
    print(f"{number}: {texts['parts'].format(passed=states.count('passed'), count=len(states))}")


def _place(expected, got):
    """Return a sentence on where plain data differ, which does not give the expected value."""
    if not isinstance(expected, list):
        return None
    if not isinstance(got, (list, tuple)):
        return "the answer is a list"
    for number, (value, other) in enumerate(zip(expected, got), 1):
        if type(value) is not type(other):
            return f"entry {number} must be of the type {type(value).__name__}, got {type(other).__name__}"
        if not agree(value, other):
            return f"entry {number} is the first that is wrong"
    return f"the list has too {'few' if len(got) < len(expected) else 'many'} entries; those that are there are correct"


def _is_mistake(mistake, case):
    if callable(mistake):
        return mistake(case.got)
    if not isinstance(case.expected, dict):
        return agree(mistake, case.got, case.tolerance)
    if isinstance(mistake, str):
        others = {part: value for part, value in case.expected.items() if part != mistake}
        return agree(others, case.got, case.tolerance)
    # A reason must not match the parts that are correct.
    return agree(mistake, case.got, case.tolerance) and not agree(mistake, case.expected, case.tolerance)


def _cases_of(name):
    number, _, rest = name.partition(".")
    if number.isdecimal() and rest.isdecimal():
        try:
            module = importlib.import_module(f"{__package__}.practice_cases.n{int(number):02}")
        except ModuleNotFoundError:
            module = None
        if hasattr(module, f"case_{rest}"):
            return getattr(module, f"case_{rest}")
    raise ValueError(f"practice.check: there is no exercise {name!r}; names are like '3.1', the first of notebook 3")


def _line_of(error):
    """Return where the reader's code raised: the last frame outside this package, with its source line."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "legacy_autograd" not in f.filename]
    return f"line {frames[-1].lineno}: {frames[-1].line}" if frames else None


def _print_wrong(name, lang, parts):
    lines = []
    for key, text in parts.items():
        if text:
            said = f"{WORDS['report'][lang][key]}: {reports.in_language(text, lang)}"
            lines += reports.wrapped(said, "     " if lines else f"{name}  ", " " * 10)
    print("\n".join(lines))
