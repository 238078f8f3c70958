"""Short exercises of the walkthrough's notebooks, about five minutes each, checked in the notebook.

    from legacy_autograd.exercises import practice

    practice.check("3.1", my_function)

The answer runs in the notebook itself and earns no points; the graded exercises (`python -m legacy_autograd exercises`)
run it in a process of its own. `practice_cases/n03.py` holds the exercises of notebook 3: `case_1(answer)` yields a
`Case` for each input that the answer is tried on.
"""

import importlib
import textwrap
import traceback
from dataclasses import dataclass

from .model import TOLERANCE, agree, differences, in_general
from .words import WORDS

_WORDS = WORDS["practice"]  # {language: {key: text}}
_right = set()  # the names of the exercises whose last check was right


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
    """

    on: str
    got: object
    expected: object
    mistakes: tuple = ()
    tolerance: float = TOLERANCE


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

    lang: the language of the verdict's own words, "en" or "zh".

    Raises ValueError if there is no exercise of that name.
    """
    texts = _WORDS[lang]
    _right.discard(name)
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
            _print_wrong(name, texts, {"got": f"{type(error).__name__}: {error}", "because": _line_of(error)})
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
            named = [why for mistake, why in case.mistakes if _is_mistake(mistake, case)]
            because = named[0] if named else in_general(expected, got)
            shown = [text.removeprefix("answer = ") for text in differences(expected, got, case.tolerance)]
            _print_wrong(name, texts, {"on": case.on, "expected": shown[0], "got": shown[1], "because": because})
            return


def is_right(name):
    """Return whether the last answer that this process checked against the exercise `name` was right."""
    return name in _right


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


def _print_wrong(name, texts, parts):
    lines = []
    for key, text in parts.items():
        if text:
            lines += textwrap.wrap(
                f"{texts[key]}: {text}", 100, initial_indent=f"{name}  " if not lines else "     ",
                subsequent_indent=" " * 10,
            )  # fmt: skip
    print("\n".join(lines))
