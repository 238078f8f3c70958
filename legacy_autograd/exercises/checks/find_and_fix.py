"""Exercise 6: five engines with one fault each. For each a program that shows it, and the fixed engine."""

import random
import sys
import types

import numpy

from ...autograd import engine as package
from ...autograd.variable import Variable
from ...drawing import note, trace_backward
from .. import template
from ..model import Exercise, Wrong, attempt, plain, shown
from ..sandbox.blocked import ENGINES
from .programs import IN_PLACE, OVERWRITTEN, PROGRAMS, RANDOM, gradients_of, root_of, start_for, words
from .run_backward import AFTER_AN_EXCEPTION, with_a_raising_hook
from .support import engine

_RIGHT = package.ExecutionEngine

exercise = Exercise(
    title="Find and fix: five faulty engines",
    minutes=90,
    reference=types.SimpleNamespace(**{f"Fixed{number}": _RIGHT for number in range(1, 6)}),
    withheld=ENGINES,
    needs=(5,),
    groups=template.groups("06_find_and_fix"),
)

_PROGRAMS = (
    "chain square doubled_twice diamond diamond_on_a_stem lopsided product_and_sum sum_in_a_sum one_gradient_for_three "
    "through_a_view leaf_in_many_places constant_operand constant_part both_outputs first_output second_output "
    "second_output_twice first_output_as_root second_output_as_root none_on_one_way nothing_but_a_leaf"
).split()
_TYPICAL = {
    1: ("product_and_sum", "the gradient of another Function is still written into"),
    2: ("constant_part", "ignore a gradient for an operand that requires none"),
    3: ("second_output_as_root", "the gradient still goes to output 0"),
    4: ("one_gradient_for_three", "a tensor that waits at several Functions is still written into"),
    5: ("none_on_one_way", "a None that arrives is still not counted down, and x waits for ever"),
}
_THE_CALLERS = "the gradients are correct, but the argument of backward was written into"
_EVERYWHERE = "each output was given the gradient; only the one that backward was called on gets it"
_NEW_FAULTS = {
    "square": [({"x.grad": [3]}, OVERWRITTEN)],
    "one_gradient_for_three": [({"b.grad": [88]}, f"{IN_PLACE}; this is the fault of the first engine")],
    "first_output_as_root": [
        ({"x.grad": [3]}, "backward was called on the first output, but the second got the gradient"),
        ({"x.grad": [5]}, _EVERYWHERE),
    ],
    "second_output_as_root": [({"x.grad": [5]}, _EVERYWHERE)],
}


# What the text gives, whatever the student's code does to its own copy. A student's process may not open the text.
_GIVEN: dict = {}
for _cell in template.parse((template.FOLDER / "06_find_and_fix.py").read_text(encoding="utf-8")):
    if _cell.kind == "given":
        exec(compile(_cell.source, "the text of the exercise", "exec"), _GIVEN)


def _hidden(name, engine):
    """Return a class of that name whose instances run `engine`: a program must compare gradients, not code."""

    class Hidden:
        def run_backward(self, variable, grad, retain_variables=True):
            return engine().run_backward(variable, grad, retain_variables)

    Hidden.__name__ = Hidden.__qualname__ = name
    return Hidden


@exercise.probe
def outcomes(answer, number):
    """Return the student's results with the faulty engine and with a correct one, in several runs of each.

    The order of the runs is random, so that a program that counts its calls does not pass.
    """
    program = getattr(answer, f"program_{number}")
    engines = {"with the faulty engine": _GIVEN[f"Engine{number}"], "with a correct engine": _RIGHT}
    engines = {key: _hidden(f"Engine{number}", made) for key, made in engines.items()}
    runs = [*engines] * 3
    random.SystemRandom().shuffle(runs)
    results = {key: [] for key in engines}
    for key in runs:
        with engine(engines[key]()):
            results[key].append(attempt(lambda: plain(program())))
    first = {key: found[0] for key, found in results.items()}
    return first | {"changes": any(found.count(first[key]) < len(found) for key, found in results.items())}


class WatchedEngine4(_RIGHT):
    """The fourth engine with a method for each step, which can be traced. It records its copies and its writes."""

    def _begin(self, variable, grad):
        self._need_copy = {id(grad)}
        self._holders = {id(grad): ["the caller"]}  # {id of a gradient: who waits with it}
        self._kept = [grad]  # so that no other gradient gets the id of one that is gone
        self._ran = set()
        return super()._begin(variable, grad)

    def _run(self, fn, grad_output):
        self._ran.add(self._recorder.label(fn))
        return super()._run(fn, grad_output)

    def _add(self, gradients, fn, output_nr, grad):
        waiting, name = gradients[output_nr], self._recorder.label(fn)
        if waiting is None:
            gradients[output_nr] = grad
            self._need_copy.add(id(grad))
            self._holders.setdefault(id(grad), []).append(name)
            self._kept.append(grad)
            return
        if id(waiting) in self._need_copy:
            self._need_copy.remove(id(waiting))
            self._holders[id(waiting)].remove(name)
            waiting = gradients[output_nr] = waiting.clone()
            note(f"{_COPIED} the gradient that {name} waits with, and added to the copy")
        else:
            holders = dict.fromkeys(self._holders.get(id(waiting), []))
            others = [holder for holder in holders if holder != name and holder not in self._ran]
            held = f"; {_HELD_BY} {', '.join(others)}" if others else "; no other Function holds it"
            note(f"{_WROTE} the gradient that {name} waits with{held}")
        waiting.add_(grad)


_COPIED, _WROTE, _HELD_BY = "copied", "wrote in place into", "it is also held by"


class Watcher:
    """Runs each backward with WatchedEngine4 and traces it."""

    found: dict = {"said": []}  # a program may call no backward

    def run_backward(self, variable, grad, retain_variables=True):
        frame = sys._getframe()
        while frame.f_globals.get("__name__", "").startswith("legacy_autograd."):
            frame = frame.f_back  # up to the program
        leaves = {name: v for name, v in frame.f_locals.items() if isinstance(v, Variable) and v.is_leaf}
        with engine(WatchedEngine4()):
            trace = trace_backward(variable, grad, params=leaves, title="program_4() with the fourth engine")
        said = [step.text for step in trace.steps if step.event == "note"]
        self.found = {"said": said, "trace": trace.to_json()}


@exercise.probe
def watched(answer):
    """Return the copies and writes of the fourth engine in the last backward of program_4, and its trace as JSON."""
    watcher = Watcher()
    with engine(watcher):
        answer.program_4()
    return watcher.found


@exercise.probe
def gradients(answer, number, program, backwards=1):
    """Return the gradients of the leaves. A random program starts from a random gradient."""
    variables = PROGRAMS[program]()
    root = root_of(variables)
    start = start_for(program, root)
    with engine(getattr(answer, f"Fixed{number}")()):
        for _ in range(backwards):
            root.backward(start)
    return gradients_of(variables) | {"the gradient given to backward": plain(start)}


def _what_it_did(said):
    """Return why a program does not trigger the fault of the fourth engine."""
    copies = sum(sentence.startswith(_COPIED) for sentence in said)
    did = f"Copies that the engine made: {copies}; times that it wrote in place: {len(said) - copies}"
    if any(_HELD_BY in sentence for sentence in said):
        return f"{did}, also into a gradient that another held; but the program does not return what that changed"
    return f"this program does not trigger the fault. {did}; it never wrote into a gradient that another held"


@exercise.probe
def after_an_exception(answer, number):
    return with_a_raising_hook(types.SimpleNamespace(Engine=getattr(answer, f"Fixed{number}")))


def register(number):
    group = f"engine{number}"

    @exercise.check(group, name=f"{group}_shows", title=f"program_{number} shows the fault")
    def shows(trial):
        on = f"program_{number}()"
        found = trial.ask(outcomes, on, "one result with the faulty engine, another with a correct one", number=number)
        faulty, right = found["with the faulty engine"], found["with a correct engine"]
        if found["changes"]:
            why = "use fixed numbers: no random numbers, no count of its calls, no clock"
            raise Wrong(on, "the same result whenever it runs with the same engine", "different results", why)
        if right is None:
            raise Wrong(on, "a gradient, or several in a tuple or list", "None", "return the gradients to compare")
        if isinstance(right, str):
            raise Wrong(on, "a gradient with a correct engine", shown(right), "no exception with a correct engine")
        if faulty == right:
            expected = "one result with the faulty engine, another with a correct one"
            why = "this program does not trigger the fault: which graph does?"
            if number == 4:
                why = _what_it_did(trial.ask(watched, on, expected)["said"])
            raise Wrong(on, expected, f"{shown(right)} with both", why)

    @exercise.check(group, name=f"{group}_fixed", title=f"Fixed{number} does not have the fault")
    def fixed(trial):
        program, because = _TYPICAL[number]
        faults = [(kind, because) for kind in ("AssertionError", "KeyError", "AttributeError", "TypeError")]
        expected = exercise.right(gradients, number=number, program=program)
        answer = types.SimpleNamespace(**{f"Fixed{number}": _GIVEN[f"Engine{number}"]})
        wrong = attempt(gradients, answer, number, program)  # a text if the faulty engine raises, which matches nothing
        leaves = {key: value for key, value in expected.items() if key.endswith(".grad")}
        trial.expect(
            gradients, expected, words(program),
            [*faults, (wrong, because), *_NEW_FAULTS.get(program, ()), (leaves, _THE_CALLERS)],
            number=number, program=program,
        )  # fmt: skip

    @exercise.check(group, True, name=f"{group}_nothing_new", title=f"Fixed{number} is correct on other graphs too")
    def nothing_new(trial):
        for program in (*_PROGRAMS, *RANDOM, "ladder", "chain_of_5000"):
            on, inputs = words(program), {"number": number, "program": program}
            if program in RANDOM:
                on, inputs = f"{on}; from a random gradient, backward twice", inputs | {"backwards": 2}
            right = exercise.right(gradients, **inputs)
            known = [*_NEW_FAULTS.get(program, ()), *_in_general(right)]
            trial.expect(gradients, right, on, known, **inputs)
        on = "z = x * y + x, with x = 2 and y = 3; the first backward ends in a hook that raises"
        trial.same(after_an_exception, on, AFTER_AN_EXCEPTION, number=number)


def _in_general(right):
    """Return the reasons for new faults that no check lists."""
    start = "the gradient given to backward"
    half = {key: (numpy.array(value) / 2).tolist() for key, value in right.items() if key != start}
    return [
        (lambda got: got[start] != right[start], _THE_CALLERS),
        (half, "the first backward is correct and the second does nothing: keep nothing between them"),
        (lambda got: True, "the fixed engine is wrong here: it must start with its argument, add the gradients that "
         "arrive, unchanged, and pass them to the output that output_ids gives"),
        *[(kind, "the fixed engine raises an exception here: is each use counted, that of a None and of a constant "
           "too, and is the gradient of an unused output zeros?")
          for kind in ("AssertionError", "KeyError", "AttributeError", "TypeError", "ValueError", "IndexError")],
    ]  # fmt: skip


for _number in _TYPICAL:
    register(_number)
