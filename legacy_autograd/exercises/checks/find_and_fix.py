"""Exercise 6: five engines with one fault each. For each a program that shows it, and the fixed engine."""

import re
from dataclasses import replace

from ...autograd.engine import ExecutionEngine
from ..model import Exercise, Wrong, agree, shown
from ..observers.find_and_fix import COPIED, HELD_BY, outcome, watched
from ..programs import engines
from ..programs.dependencies import BOTH_SIDES
from ..programs.run_backward import DIMENSIONS, INTERRUPTED, STEPS, writes
from ..sandbox.package import ENGINES
from ..sandbox.student_code import TOO_DEEP
from .reasons import IN_PLACE, OVERWRITTEN
from .run_backward import CAUGHT, LEFT_BEHIND, reasons


class _FixedEngines(Exercise):
    """All engines are the package's own where it says what is right: a program runs there once for all of them."""

    def right_on(self, program):
        return super().right_on(replace(program, lines=tuple(re.sub(r"\bFixed\d", "Fixed1", s) for s in program.lines)))


exercise = _FixedEngines(
    "06_find_and_fix",
    reference={f"Fixed{number}": ExecutionEngine for number in range(1, 6)},
    withheld=ENGINES,
    needs=(5,),
    dimensions=DIMENSIONS,
)


def results(run, number, chance):
    """Return the results of a program with the faulty engine and with the correct gradients, each several times.

    `run(engines)` returns the program's result with each of these engines, in turn; `chance` draws their order.

    Where the fault plays no part, most engines with other faults give the result of the faulty one: "engines that
    agree" is how many do.
    """
    names, sources = zip(*engines.drawn(number, chance))
    found = {}
    for name, result in zip(names, run(sources)):
        found.setdefault(name, []).append(result)
    faulty, right = found.pop(number), found.pop("right")
    return {
        "with the faulty engine": faulty[0],
        "with a correct engine": right[0],
        "engines that agree": sum(other[0] == faulty[0] for other in found.values()),
        "changes": any(each.count(each[0]) < len(each) for each in (faulty, right)),
    }


ROUNDING = 1e-5  # of FloatTensors: the gradients are added in another order
_X, _A = (f"{name} = Variable(DoubleTensor([1.0]))" for name in "xa")
_C = "c = Variable(DoubleTensor([3.0]), requires_grad=False)"
_Y = "y = Variable(DoubleTensor([3.0]))"
_EVERYWHERE = "each output was given the gradient; only the one that backward was called on gets it"
_THE_FAULT = {  # lines of a program that shows it, and the results of mistakes: of the fault itself, then of others
    1: ([_X, _Y, "z = x * y + (x + y)"],
        ({"x.grad": [5], "y.grad": [5]}, "the gradient of another Function is still written into")),
    2: ([_X, _C, "p = c * c", "z = p * x + c"],
        ("AssertionError", "ignore a gradient for an operand that requires none")),
    3: ([_X, "p = Pair(x)", "z = p[1]"],
        ({"x.grad": [2]}, "the gradient still goes to output 0"), ({"x.grad": [5]}, _EVERYWHERE)),
    4: ([_A, "b = Variable(DoubleTensor([1.0]))", "z = b * 7 + (a * b * 5 + (a + b))"],
        ({"b.grad": [48]}, "a tensor that waits at several Functions is still written into"),
        ({"b.grad": [88]}, f"{IN_PLACE}; this is the fault of the first engine")),
    5: ([_X, "a = x * 5", "z = Second(a, x)"],
        ({"x.grad": [0]}, "a None that arrives is still not counted down, and x waits for ever")),
}  # fmt: skip
_RAISED = (
    "the fixed engine raises an exception here: is each use counted, that of a None and of a constant too, and is the "
    "gradient of an unused output zeros?"
)


def _what_it_did(said):
    """Return why a program does not trigger the fault of the fourth engine."""
    copies = sum(sentence.startswith(COPIED) for sentence in said)
    did = f"Copies that the engine made: {copies}; times that it wrote in place: {len(said) - copies}"
    if any(HELD_BY in sentence for sentence in said):
        return f"{did}, also into a gradient that another held; but the program does not return what that changed"
    return f"this program does not trigger the fault. {did}; it never wrote into a gradient that another held"


def _lines(number, lines):
    gradient = "g = DoubleTensor([1.0])"
    return [f"Variable._execution_engine = Fixed{number}()", *lines, gradient, "z.backward(g)"]


def _reasons(expected):
    return [*reasons(expected), ("RecursionError", TOO_DEEP), ("Error", _RAISED)]


exercise.explain(_reasons)


def register(number):
    group = f"engine{number}"

    @exercise.check(group, f"{group}_shows", f"program_{number} shows the fault")
    def shows(trial):
        on = f"program_{number}()"
        expected = "one result with the faulty engine, another with a correct one"

        def run(sources):
            each = [{"number": number, "source": source} for source in sources]
            trial.code.announce("outcome", each)
            return [trial.ask(outcome, on, expected, **inputs)["result"] for inputs in each]

        found = results(run, number, trial.code.chance)
        faulty, right = found["with the faulty engine"], found["with a correct engine"]
        if found["changes"]:
            why = "use fixed numbers: no random numbers, no count of its calls, no clock, nothing of the engine's code"
            raise Wrong(on, "the same result whenever it runs with the same engine", "different results", why)
        if right is None:
            raise Wrong(on, "a gradient, or several in a tuple or list", "None", "return the gradients to compare")
        if isinstance(right, str):
            raise Wrong(on, "a gradient with a correct engine", shown(right), "no exception with a correct engine")
        if agree(right, faulty, ROUNDING) or found["engines that agree"] > 1:
            why = "this program does not trigger the fault: which graph does?"
            if number == 4:
                why = _what_it_did(trial.ask(watched, on, expected, source=engines.PARTS)["said"])
            raise Wrong(on, expected, f"{shown(faulty)} with both", why)

    lines, *mistakes = _THE_FAULT[number]
    title = f"Fixed{number} does not have the fault"
    exercise.example(group, title, *_lines(number, lines), *mistakes, ("Error", mistakes[0][1]), name=f"{group}_fixed")


for _number in _THE_FAULT:
    register(_number)

exercise.example("engine2", "Fixed2: a constant that requires a gradient later",
    *_lines(2, [_X, _C, "(x + c).backward()", "c.requires_grad = True", "z = x + c"]), hidden=True)  # fmt: skip
exercise.example("engine3", "Fixed3: the first output is the root", *_lines(3, [_X, "p = Pair(x)", "z = p[0]"]),
    ({"x.grad": [3]}, "backward was called on the first output, but the second got the gradient"),
    ({"x.grad": [5]}, _EVERYWHERE),
    hidden=True)  # fmt: skip
exercise.example("engine4", "Fixed4: one output of two has the gradient of a leaf that waits",
    *_lines(4, [_X, _Y, "p = Pair(x)", "z = y * 7 + (p[0] + y)"]),
    (lambda got: got.get("written into") != "nothing",
     "a tensor that waits at several Functions is still written into"),
    hidden=True)  # fmt: skip
exercise.example("engine5", "Fixed5: a square", *_lines(5, [_X, "z = x * x"]),
    ({"x.grad": [1]}, OVERWRITTEN),
    hidden=True)  # fmt: skip
for _number in _THE_FAULT:
    exercise.example(f"engine{_number}", f"Fixed{_number}: used again after an exception",
        *_lines(_number, [_X, _Y, *INTERRUPTED]),
        (lambda got: "line 7" not in got, CAUGHT),
        (lambda got: True, LEFT_BEHIND),
        hidden=True)  # fmt: skip
    exercise.example(f"engine{_number}", f"Fixed{_number}: chains of middle and of only operands",
        *_lines(_number, [_X, *BOTH_SIDES]),
        hidden=True)  # fmt: skip
    exercise.programs(
        f"engine{_number}", 40, writes(STEPS["random"], f"Variable._execution_engine = Fixed{_number}()"),
        title=f"Fixed{_number} is correct in 40 random programs too",
    )  # fmt: skip
