"""Exercise 6: five engines with one fault each. For each a program that shows it, and the fixed engine."""

import random
import re
import types

import numpy

from ...autograd.engine import ExecutionEngine
from .. import template
from ..answer import attempt
from ..model import Exercise, Wrong, shown
from ..observers.find_and_fix import COPIED, HELD_BY, after_an_exception, gradients, outcome, watched
from ..observers.programs import RANDOM, words
from ..sandbox.package import ENGINES
from .reasons import IN_PLACE, OVERWRITTEN

AFTER_AN_EXCEPTION = [
    ({"exception": None}, "an exception in a hook must reach the caller: do not catch it"),
    ({"exception": "the hook's own"}, "data of the interrupted backward was still there: keep the state of a "
     "backward in local variables, not on self"),
    ("invalid number", "the links of the Functions are gone: a second backward needs previous_functions too"),
]  # fmt: skip

exercise = Exercise(
    title="Find and fix: five faulty engines",
    minutes=90,
    reference=types.SimpleNamespace(**{f"Fixed{number}": ExecutionEngine for number in range(1, 6)}),
    withheld=ENGINES,
    needs=(5,),
    groups=template.groups("06_find_and_fix"),
    needs_whole=True,
)

_CELLS = template.solved(template.parse((template.FOLDER / "06_find_and_fix.py").read_text(encoding="utf-8")))
# What the text gives, whatever the student's code does to its own copy.
_GIVEN: dict = {}
exec("\n".join([cell.source for cell in _CELLS if cell.kind == "given"]), _GIVEN)


def _source_of(name):
    """Return the source of a class Engine that is the class `name` of the text or of its solution.

    All engines have the same names and the same file: a program must compare gradients, not code.
    """
    sources = [cell.source for cell in _CELLS]
    (parts,) = [source for source in sources if "class Parts:" in source]
    (engine,) = [source for source in sources if f"class {name}(" in source]
    return f"{parts}\n" + re.sub(rf"class {name}\(\w+\):", "class Engine(Parts):", engine)


def results(run, number):
    """Return the results of `run(engine)` with the faulty engine and with a correct one, in several runs of each.

    The order of the runs is random, so that a program that counts its calls does not pass.
    """
    engines = {"with the faulty engine": _source_of(f"Engine{number}"), "with a correct engine": _source_of("Fixed1")}
    runs = [*engines] * 3
    random.SystemRandom().shuffle(runs)
    found = {key: [] for key in engines}
    for key in runs:
        found[key].append(run(engines[key]))
    first = {key: values[0] for key, values in found.items()}
    return first | {"changes": any(values.count(first[key]) < len(values) for key, values in found.items())}


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


def _what_it_did(said):
    """Return why a program does not trigger the fault of the fourth engine."""
    copies = sum(sentence.startswith(COPIED) for sentence in said)
    did = f"Copies that the engine made: {copies}; times that it wrote in place: {len(said) - copies}"
    if any(HELD_BY in sentence for sentence in said):
        return f"{did}, also into a gradient that another held; but the program does not return what that changed"
    return f"this program does not trigger the fault. {did}; it never wrote into a gradient that another held"


def register(number):
    group = f"engine{number}"

    @exercise.check(group, name=f"{group}_shows", title=f"program_{number} shows the fault")
    def shows(trial):
        on = f"program_{number}()"

        def run(engine):
            expected = "one result with the faulty engine, another with a correct one"
            return trial.ask(outcome, on, expected, whole=True, number=number, engine=engine)["result"]

        found = results(run, number)
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
                why = _what_it_did(trial.ask(watched, on, expected, whole=True)["said"])
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
