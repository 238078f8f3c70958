"""The parts of an exercise: groups with points, and checks, which ask the student's process for the results of probes.

Most checks run the same probe (`observers/`) a second time, in the judge's process, on this package's own classes
(`Exercise.reference`), and compare the two results.
"""

import functools
import importlib
import itertools
import json
import math
import re
import types
from dataclasses import dataclass, replace
from fractions import Fraction

from . import template
from .programs.assigned import Assigned
from .programs.dimensions import varied
from .programs.graphs import Program
from .programs.running import OUTSIDE
from .programs.shrinking import shrunk
from .words import WORDS

TOLERANCE = 1e-7
SHOWN = 3  # differences in a report


class Absolute(float):
    """A tolerance of numbers of any size; another one is relative to numbers over 1."""


class Wrong(Exception):
    """A failed check: the input, the expected and the actual data, and the reason if it is known.

    `kind` is "wrong" for wrong data, else the kind of Trouble that prevented data. `where` is the place in the
    code of what the check asked, where wrong data came from it. `program` are the lines that showed it, and
    `seed` is that of the random program which they were a part of.
    """

    def __init__(self, on, expected, got, because=None, kind="wrong", where=None, program=(), seed=None):
        super().__init__(on, expected, got, because)
        self.on, self.expected, self.got, self.because, self.kind = on, expected, got, because, kind
        self.where, self.program, self.seed = where, program, seed


@dataclass(frozen=True)
class Asked:
    """One call of a probe: its name, its inputs, its result, and the expected result if known."""

    probe: str
    inputs: dict
    expected: dict | None
    got: object
    tolerance: float


class Trouble(Exception):
    """The student's code gave no data: `kind` names what it did instead (sandbox/), and `got` describes it.

    `name` is the name of the exception's class, if there was one, and `because` explains the cause.
    """

    def __init__(self, kind, got, because=None, name=None):
        super().__init__(kind, got)
        self.kind, self.got, self.because, self.name = kind, got, because, name

    def explanation(self, mistakes):
        """Return the sentence of the first mistake that raises this exception."""
        for answer, sentence in mistakes:
            if isinstance(answer, str) and self.name is not None and (answer == self.name or answer in self.got):
                return sentence
        return None


@dataclass(frozen=True)
class Check:
    """One check: `run(trial)` raises Wrong. A hidden check is not in the student's notebook."""

    name: str
    title: str
    group: template.Group
    hidden: bool
    run: types.FunctionType


@dataclass
class Exercise:
    """One exercise, with the title, the minutes and the groups of its text (template.py).

    `reference` has this package's own classes, under the names that the student's have. `withheld` is what the exercise
    asks for and the package has: that of a student's process is without it (sandbox/package.py). `dimensions` are what
    the programs vary (programs/dimensions.py).
    """

    file_name: str  # without the suffix: 03_leaf
    reference: dict
    dimensions: str
    withheld: tuple = ()
    needs: tuple = ()  # recommended earlier exercises
    method: str = ""  # the method that the student writes

    def __post_init__(self):
        self.number, self.name = int(self.file_name[:2]), self.file_name[3:]
        self.title, self.minutes, self.groups = template.about(self.file_name)
        self.reference, self.dimensions = types.SimpleNamespace(**self.reference), varied(self.dimensions)
        self.checks = {}
        self.random = {}  # {name of a check: its programs, an Assigned}
        self.reasons, self.reads = {}, {}  # by the name of a group, see `explain`
        self._right = {}  # what `right` has computed

    @property
    def behaviour(self):
        """The probe that runs the lines of a program."""
        return importlib.import_module(f"{__package__}.observers.{self.name}").behaviour

    @property
    def points(self):
        return sum(group.points for group in self.groups)

    def right(self, probe, **inputs):
        """Return the probe's result on this package's own classes. It is computed once for each inputs."""
        key = json.dumps([probe.__name__, inputs], sort_keys=True)
        if key not in self._right:
            self._right[key] = probe(self.reference, **inputs)
        return self._right[key]

    def right_on(self, program):
        """Return what is seen of a Program with this package's own classes."""
        return self.right(self.behaviour, lines=list(program.lines))

    def check(self, group, name, title, hidden=False):
        """Make `function(trial)` a check of that group (a decorator). `title` says what must hold."""
        (group,) = [candidate for candidate in self.groups if candidate.name == group]

        def register(function):
            self.checks[name] = Check(name, title, group, hidden, function)
            return function

        return register

    def explain(self, reasons, *groups, reads=None):
        """Use `reasons(expected)` for mistakes (of `Trial.expect`) in the programs of these groups, or of all.

        `reads(got)` returns what is compared there of what the behaviour returned; it may raise Trouble.
        """
        for group in groups or [group.name for group in self.groups]:
            self.reasons[group], self.reads[group] = reasons, reads

    def example(self, group, title, *lines_and_mistakes, hidden=False, name=None):
        """Register a check of one program: its lines, then mistakes. The name is made of the title.

        The mistakes, or what a function returns of what is expected, come before those of the group.
        """
        lines = tuple(line for line in lines_and_mistakes if isinstance(line, str))
        self.check(group, name or re.sub(r"\W+", "_", title).strip("_").lower(), title, hidden)(
            lambda trial: trial.behaves(group, Program(lines), lines_and_mistakes[len(lines) :])
        )

    def programs(self, group, count, make, title=None, shared_by=(), **options):
        """Register a hidden check of `count` programs that `make(graph)` writes, a graphs.Graph with these options.

        The seeds of the assignment are fixed. A trial may add seeds of its own, which are tried first, and programs at
        the numbers and exceptions in the answer's code. The groups `shared_by` have such a check, too: each compares
        what it reads of the same programs.
        """
        assigned = self.assign(f"{group}_programs", make, count, **options)

        def run(trial, group):
            programs = itertools.chain(assigned(trial.seeds), [None])
            for program, following in itertools.pairwise(programs):
                trial.behaves(group, program, following=following)
            further = [program for program in assigned.at(trial.constants) if self._fits(program)]
            trial.code.announce(self.behaviour.__name__, [{"lines": list(program.lines)} for program in further])
            for program in further:
                trial.behaves(group, program)

        for one in (group, *shared_by):
            self.random[f"{one}_programs"] = assigned
            register = self.check(one, f"{one}_programs", title or f"{count} random programs", hidden=True)
            register(functools.partial(run, group=one))

    def assign(self, name, make, count, **options):
        """Return the Assigned programs of the check of that name."""
        self.random[name] = Assigned(f"{self.name} {name}", make, count, self.dimensions, **options)
        return self.random[name]

    def _fits(self, program):
        """Return whether a changed Program runs with the package's own part, and no number becomes too large there."""
        try:
            seen = self.right_on(program)
        except Exception:
            return False
        return largest(seen) < 1e15 and not re.search(r"\b(inf|nan)\b", repr(seen))

    def prepare(self, names, seeds, has_time):
        """Compute what is right on the random programs of these checks, while `has_time()`."""
        for name in [name for name in self.random if name in names]:
            for program in self.random[name](seeds):
                if not has_time():
                    return
                self.right_on(program)


_SHRINKING = ("wrong", "error", "recursion", "unreadable")  # kinds of Wrong with a smaller program; others take seconds


class Trial:
    """The argument of a check: calls probes on the student's answer, and compares; comparisons raise Wrong.

    Known mistakes are pairs of a sentence and, before it, what the mistake answers: some of the expected keys, or a
    function that returns whether an answer is that.
    """

    def __init__(self, exercise, code, seeds=(), constants=(), shrinks=True):
        self.exercise = exercise
        self.code = code  # the student's, a StudentCode (sandbox/student_code.py)
        self._shrinks = shrinks and code.shrinks  # whether a random program that fails is made smaller
        self.seeds = seeds  # of programs beside those of the assignment
        self.constants = constants  # numbers and exceptions that only the answer's code has
        self.asked = None  # the last call, for its picture

    def behaves(self, group, program, mistakes=(), following=None):
        """Require of a Program what the package's own part does. A random one that fails is made smaller first.

        The student's process runs it, and then the `following` one, while the judge computes what is right.
        """
        for one in filter(None, (program, following)):
            self.code.ahead(self.exercise.behaviour.__name__, {"lines": list(one.lines)})
        wrong, asked = self._on(group, program, mistakes), self.asked
        if wrong is None:
            return
        if self._shrinks and program.seed is not None and wrong.kind in _SHRINKING:

            def still_fails(lines):
                nonlocal wrong, asked
                try:
                    self._right(group, smaller := replace(program, lines=tuple(lines)))
                except Exception:  # smaller lines need not fit together
                    return False
                found = self._on(group, smaller, mistakes)
                if found is None or found.kind != wrong.kind:
                    return False
                wrong, asked = found, self.asked
                return True

            shrunk(program.lines, still_fails)
            self.asked = asked  # the last program that was tried may be right
        raise wrong

    def _right(self, group, program):
        """Return what is compared of what the package's own part does."""
        expected, reads = self.exercise.right_on(program), self.exercise.reads[group]
        return reads(expected) if reads else expected

    def _on(self, group, program, mistakes):
        """Return what is Wrong on this program, or None if nothing is."""
        if program.lines in self.code.as_right:
            return None
        reasons, reads = self.exercise.reasons[group], self.exercise.reads[group]
        expected = self._right(group, program)

        def known(expected=expected):  # before parts are added below
            return [one for found in (*mistakes, reasons) for one in (found(expected) if callable(found) else [found])]

        on = "the program below"
        if program.seed is not None:
            on += f" (seed {program.seed}, made smaller)" if self._shrinks else f" (seed {program.seed})"
        try:
            once = program.seed is not None  # several groups may look at one random program
            got = self.ask(self.exercise.behaviour, on, expected, known, reads, once, lines=list(program.lines))
            if once and repr(self.exercise.right_on(program)) == repr(self.asked.got):  # as of most answers
                self.code.as_right.add(program.lines)
                return None
            tolerance = Absolute(program.tolerance * max(1, largest(expected)))
            expected = {**dict.fromkeys(got, "nothing"), **expected}
            self.asked = replace(self.asked, expected=expected, tolerance=tolerance)
            if agree(expected, got, tolerance):
                return None
            if OUTSIDE in got:
                because = "leave the state of random numbers and of the garbage collector as they are"
            else:
                because = explanation(got, known(), tolerance) or in_general(expected, got)
            raise Wrong(on, *differences(expected, got, tolerance), because)
        except Wrong as wrong:
            wrong.program, wrong.seed = program.lines, program.seed
            return wrong

    def ask(self, probe, on, expected, mistakes=(), reads=None, once=False, **inputs):
        """Return the probe's result, of which `reads(result)` is compared. Raises Wrong if there is none.

        A question that is asked `once` runs the student's code only once, in all checks together.
        `expected` is the correct result, a dictionary, or describes it. A mistake that is a text names an exception:
        the name of its class, or a part of what it says. `mistakes` may be a function that returns them.
        """
        numbers = expected if isinstance(expected, dict) else None
        self.asked = Asked(probe.__name__, inputs, numbers, None, TOLERANCE)
        try:
            got = self.code.ask(probe.__name__, inputs, once)
            self.asked = replace(self.asked, got=got)
            return reads(got) if reads else got
        except Trouble as trouble:
            mistakes = mistakes() if callable(mistakes) else mistakes
            because = trouble.explanation(mistakes) or trouble.because or trouble.explanation(WORDS["exceptions"])
            if because is None and trouble.kind != "not written":
                because = "this input must not raise an exception"
            words = shown_dict(_first(expected)) if isinstance(expected, dict) else expected
            raise Wrong(on, words, trouble.got, because, trouble.kind) from None


# --- comparisons and their texts


def agree(expected, got, tolerance=TOLERANCE):
    """Return whether plain data are equal, numbers up to `tolerance`."""
    if isinstance(expected, dict):
        return isinstance(got, dict) and all(
            key in got and agree(value, got[key], tolerance) for key, value in expected.items()
        )
    if isinstance(expected, (list, tuple)):
        return (
            isinstance(got, (list, tuple))
            and len(expected) == len(got)
            and all(agree(one, other, tolerance) for one, other in zip(expected, got))
        )
    if _is_number(expected) and _is_number(got):
        if math.isfinite(expected) and math.isfinite(got):
            return abs(expected - got) <= tolerance * (1 if isinstance(tolerance, Absolute) else max(1, abs(expected)))
        return expected == got or (math.isnan(expected) and math.isnan(got))
    return type(expected) is type(got) and expected == got


def largest(value):
    """Return the largest finite absolute number in plain data, or 0."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return max(map(largest, value), default=0)
    return abs(value) if _is_number(value) and math.isfinite(value) else 0


def differences(expected, got, tolerance=TOLERANCE):
    """Return the texts of the expected and the actual data, for the first keys that differ."""
    if not isinstance(got, dict):
        return shown_dict(expected), shown(got)
    keys = [key for key in expected if key not in got or not agree(expected[key], got[key], tolerance)][:SHOWN]
    expected, got = {key: expected[key] for key in keys}, {key: got.get(key) for key in keys}
    for digits in (6, 15):
        texts = shown_dict(expected, digits), shown_dict(got, digits)
        if _look_different(*texts):
            return texts
    return _first_entries(expected, got, tolerance)


def _first_entries(expected, got, tolerance):
    """Return the texts of the first entry that differs between two long lists, or of two values that look alike."""
    name, value = next(iter(expected.items()))
    other = got[name]
    if isinstance(value, (list, tuple)) and isinstance(other, (list, tuple)):
        pairs = enumerate(itertools.zip_longest(value, other, fillvalue="nothing"))
        number, (value, other) = next((n, pair) for n, pair in pairs if not agree(*pair, tolerance))
        name = f"{name}[{number}]"
        texts = shown(value, 15), shown(other, 15)
    else:
        texts = f"{_kind(value)} {shown(value)}", f"{_kind(other)} {shown(other)}"
    if not _look_different(*texts):
        texts = f"{value!r}, {_kind(value)}", f"{other!r}, {_kind(other)}"
    return tuple(f"{name} = {text}" for text in texts)


def _look_different(one, other):
    """Return whether a reader sees a difference: spaces and characters without a picture are none."""
    one, other = ("".join(c for c in text if c.isprintable()).replace(" ", "") for text in (one, other))
    return one != other


def explanation(got, mistakes, tolerance=TOLERANCE):
    """Return the sentence of the first mistake that gives the numbers in `got`."""
    for answer, sentence in mistakes:
        if answer(got) if callable(answer) else agree(answer, got, tolerance):
            return sentence
    return None


def in_general(expected, got):
    """Return a sentence on the first difference, of type, shape or numbers, for mistakes that no check lists."""
    if agree(expected, got, 1e-5) and all(
        math.isclose(right, found, rel_tol=1e-4) for right, found in zip(*_all_numbers(expected, got))
    ):
        return "these are the correct numbers, but not to the last digits: is a part computed in another type?"
    for key, value in expected.items():
        found = got.get(key) if isinstance(got, dict) else None
        if agree(value, found):
            continue
        if not _lengths(value):
            if _is_number(value) and _is_number(found):
                return f"{key}: that is {'more' if found > value else 'less'} than expected"
            continue
        if found is None or isinstance(found, (str, bool, dict)):
            return f"{key} must be numbers, and this is {_kind(found)}"
        if _lengths(found) == _lengths(value):
            sentence = _between(_flat(value), _flat(found))
            return sentence if sentence == _between(*_all_numbers(expected, got)) else f"{key}: {sentence}"
        if "grad" in key or key[0] == "d":  # what a direct call of backward returned
            return "the sizes differ: a gradient must have the shape of its Variable"
        return f"the shape of {key} is wrong"
    return None


def _all_numbers(expected, got):
    """Return the numbers of all entries whose shapes agree."""
    keys = [key for key, value in expected.items() if _lengths(value) and _lengths(value) == _lengths(got.get(key))]
    return [[number for key in keys for number in _flat(data[key])] for data in (expected, got)]


def _between(right, found):
    """Return a sentence about how two lists of numbers differ."""
    if any(math.isfinite(number) and not math.isfinite(other) for number, other in zip(right, found)):
        return "some of the numbers are inf or nan: a division by 0, or an overflow"
    if agree([-number for number in right], found):
        return "these are the correct numbers with the opposite sign"
    if agree([abs(number) for number in right], [abs(number) for number in found]):
        return "the absolute values are correct, and some signs are not"
    if not any(found):
        return "all numbers are 0: a gradient was lost or never added"
    ratio = next((two / one for one, two in zip(right, found) if one and math.isfinite(two / one)), 0)
    is_simple = math.isclose(ratio, Fraction(ratio).limit_denominator(12), rel_tol=1e-6)  # as 2, 1/3 or 3/4, of a count
    if is_simple and agree([ratio * number for number in right], found):
        return f"each number is {ratio:.4g} times the correct one"
    if len(right) > 1 and agree(sorted(right), sorted(found)):
        return "these are the correct numbers in other places"
    same = sum(agree(number, other) for number, other in zip(right, found))
    if same:
        return f"{same} of the {len(right)} numbers are correct; what do the others have in common?"
    return "no number is correct: work through the formula with this example"


def _flat(value):
    return [number for item in value for number in _flat(item)] if isinstance(value, (list, tuple)) else [value]


def _kind(value):
    """Return the type in words; `plain` has written other types as "a dict"."""
    if isinstance(value, str):
        return value if value.startswith(("a ", "an ")) else "a text"
    name = type(value).__name__
    if value is None:
        return "None"
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _lengths(value):
    """Return the shape of nested lists of numbers; () for anything else."""
    size = []
    while isinstance(value, (list, tuple)) and len(value):
        size.append(len(value))
        value = value[0]
    return tuple(size) if _is_number(value) else ()


def _first(expected):
    """Return the first entries, the gradients before others."""
    keys = sorted(expected, key=lambda key: not key.endswith(".grad"))
    return {key: expected[key] for key in keys[:SHOWN]}


def shown_dict(values, digits=6):
    return ", ".join(f"{key} = {shown(value, digits)}" for key, value in values.items())


def shown(value, digits=6, limit=120):
    """Return the text of plain data, shortened if it is long."""
    text = _shown(value, digits)
    return text if len(text) <= limit else f"{text[: limit - 2].rpartition(' ')[0] or text[: limit - 2]} …"


def _shown(value, digits):
    if isinstance(value, dict):
        return f"{{{shown_dict(value, digits)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_shown(item, digits) for item in value)}]"
    if _is_number(value):
        return f"{value:.{digits}g}"
    return value if isinstance(value, str) else str(value)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)
