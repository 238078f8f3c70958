"""Exercise 4: how many gradients a Function has to wait for."""

import types

from ...autograd import engine as package
from .. import template
from ..model import Exercise, Wrong
from ..observers.dependencies import counts, counts_of_two, freed, how_many, readiness, who_is_counted
from ..observers.programs import RANDOM, made, words
from ..sandbox.package import ENGINES

exercise = Exercise(
    title="Counting dependencies",
    minutes=50,
    reference=types.SimpleNamespace(Engine=package.ExecutionEngine),
    withheld=ENGINES,
    groups=template.groups("04_dependencies"),
)

_OF_TWO = "y = x * 2, z = x * x, with x = 1; this is z's"
exercise.graphs["counts_of_two"] = lambda: (_OF_TWO, made("y = x * 2; z = x * x", x=[1.0]))

_BY_FUNCTION = "each output has a count of its own: a list, with one entry for each of prev_fn.output_ids"
_LOOKED_UP = [  # reasons for exceptions
    ("KeyError: <", "dependencies has no entry for this Function: the key is prev_fn, and there is one for each "
     "Function that is reached and requires a gradient"),
    ("KeyError", "arg_id is the id of an output of prev_fn: look it up in prev_fn.output_ids"),
    ("IndexError", _BY_FUNCTION),
    ("is not subscriptable", _BY_FUNCTION),
    ("'int' object is not iterable", _BY_FUNCTION),
]  # fmt: skip


def _counts_in(got):
    return [value for key, value in got.items() if "uses of" in key]


_IN_GENERAL = {  # the reason for a mistake that the check does not list
    counts: [
        (lambda got: not all(isinstance(value, list) for value in _counts_in(got)), _BY_FUNCTION),
        (lambda got: True, "visit the operands of each Function once; each pair is one use, of the output of prev_fn "
         "that output_ids[arg_id] names"),
    ],
    who_is_counted: [
        (lambda got: True, "an entry for each Function that is reached from z and requires a gradient, and for no "
         "other: go through all operands, and begin with an empty dictionary"),
    ],
    freed: [
        (lambda got: None in got.get("returned", []), "return the number of the output"),
        (lambda got: True, "each call subtracts 1 from the count of one output and returns its number: "
         "prev_fn.output_ids[arg_id]"),
    ],
}  # fmt: skip


def check(group, program, title, mistakes=(), hidden=False, probe=counts, **options):
    """Register a check of one program."""

    @exercise.check(group, hidden, name=f"{probe.__name__}_{program}", title=title)
    def run(trial):
        known = [*mistakes, *_IN_GENERAL[probe], *_LOOKED_UP]
        trial.same(probe, words(program), known, program=program, **options)


def check_ready(program, title, because, hidden=False, group="ready"):
    """Register a check that a Function is ready when, and only when, no count of it is left."""

    @exercise.check(group, hidden, name=f"ready_{program}", title=title)
    def run(trial):
        on = words(program)
        expected = "each Function is ready when its last use is counted down, and not before"
        for fn, prev_fn, left, ready in trial.ask(readiness, on, expected, _LOOKED_UP, program=program)["steps"]:
            if not isinstance(left, list):
                raise Wrong(f"{on}; the counts of {prev_fn}", "a list", f"{left}", _BY_FUNCTION)
            if ready == any(left):
                yes, no = "it is ready", "it is not ready"
                where = f"{on}; {fn} has given its gradient to {prev_fn}, whose outputs have these uses left: {left}"
                raise Wrong(where, no if any(left) else yes, yes if ready else no, because)


_ONCE = "an operation that uses an output twice counts as two uses: two gradients will arrive"
_AGAIN = "the operands of a Function with two consumers were visited twice and counted twice"

check("count", "chain", "a chain", [({"uses of y": 1}, _BY_FUNCTION)])
check("count", "square", "x * x", [({"uses of x": [1]}, _ONCE)])
check("count", "diamond_on_a_stem", "two ways to one Function", [
    ({"uses of x": [2]}, _AGAIN),
    ({"uses of h": [1]},
     "a Function that was visited before has one more use: count it, but do not visit its operands again"),
])  # fmt: skip
check("count", "lopsided", "two ways of different length", [({"uses of x": [4]}, _AGAIN)], hidden=True)
check("count", "used_often", "twelve uses of one leaf", hidden=True)
check("count", "doubled_twice", "twice, two times", [({"uses of b": [1]}, _ONCE), ({"uses of a": [4]}, _AGAIN)],
      hidden=True)  # fmt: skip
check("count", "second_output_twice", "two outputs, one of them used twice", [
    ({"uses of double": [1, 1]}, _ONCE),
    ({"uses of double": [3, 0]}, "output_ids[arg_id] says which output was used; not every use is of output 0"),
], hidden=True)  # fmt: skip
check("count", "second_output", "an unused output", [
    ({"uses of double": [1]}, "there are two outputs; an unused output has the count 0"),
], hidden=True)  # fmt: skip


@exercise.check("count", hidden=True)
def counted_anew(trial):
    """Each call starts from zero and counts only the uses in its own root's graph."""
    trial.same(
        counts_of_two, "y = x * 2, z = x * x; for y, and then for z with the same engine", [
            ({"for z: uses of x": [3]}, "the counts of the first call are still there: start with an empty dictionary"),
            ({"for y: uses of x": [3]}, "uses outside of the root's graph are counted"),
            (lambda got: got["links that y and z have afterwards"] != [1, 2],
             "counting changes nothing: the backward that follows needs previous_functions"),
            ("KeyError", "the second call finds data of the first: store nothing on the Functions or on the engine"),
        ],
    )  # fmt: skip


_CONSTANTS = "c never receives a gradient, so its count never falls: leave out Functions that require no gradient"
_ROOT = "z is the root: no Function in the graph uses it, and it has no entry"
check("constants", "constant_operand", "an operand that requires no gradient", [
    ({"there are counts of": ["c", "x"]}, _CONSTANTS),
    ({"there are counts of": ["x", "z"]}, _ROOT),
    ({"there are counts of": []}, "x requires a gradient, although the other operand, c, does not"),
], probe=who_is_counted)  # fmt: skip
check("constants", "constant_part", "a part of the graph that requires no gradient", [
    ({"there are counts of": ["c", "d", "p", "x"]}, _CONSTANTS),
], hidden=True, probe=who_is_counted)  # fmt: skip


_TOO_MANY = [
    (lambda got: True, "an entry for each Function that is reached, and for no other: go through all operands of each, "
     "and begin with an empty dictionary"),
]  # fmt: skip


@exercise.check("large")
def diamonds(trial):
    """30 diamonds."""
    trial.expect(how_many, {"Functions with counts": 90}, words("ladder"), _TOO_MANY, program="ladder")


@exercise.check("large", hidden=True)
def chain(trial):
    """A chain of 100,000."""
    trial.expect(how_many, {"Functions with counts": 100_000}, words("long_chain"), _TOO_MANY, program="long_chain")


_NOT_FREED = "subtract 1 from the count of that output"
check("free", "diamond", "one use of each of two Functions", [
    ({"returned": [None, None]}, "return the number of the output"),
    ({"taken from the uses of a": [0]}, _NOT_FREED),
], probe=freed)  # fmt: skip
check("free", "both_outputs", "one use of each of two outputs", [
    ({"returned": [0, 0]}, "output_ids[arg_id] is the number of the output: the second here is number 1"),
], probe=freed, hidden=True)  # fmt: skip
check("free", "lopsided", "one of two uses of a Function", [
    ({"taken from the uses of a": [2]}, "each call removes one use, not all of them"),
], probe=freed, hidden=True)  # fmt: skip

check_ready("diamond", "ready when the last use is counted down", "a Function waits until none of its uses is left")
check_ready("both_outputs", "ready when both outputs are",
            "Pair made double and triple, and waits for the gradients of both: no count may be left, not one",
            hidden=True)  # fmt: skip
check_ready("second_output", "ready although the first output is unused",
            "do not wait for an unused output: its count is 0 from the start", hidden=True)  # fmt: skip


def check_walk(program, title):
    """Register a check that the whole walk from the root takes the uses away one by one."""

    @exercise.check("random", hidden=True, name=f"walk_{program}", title=title)
    def run(trial):
        because = "each call removes one use, of the output of prev_fn that arg_id names and of no other"
        trial.same(readiness, words(program), [(lambda got: True, because), *_LOOKED_UP], program=program)


for _name in RANDOM:
    _title = f"random program {_name.removeprefix('random_')}"
    check("random", _name, f"{_title}: the counts", hidden=_name != RANDOM[0])
    check("random", _name, f"{_title}: the uses that its root removes", hidden=True, probe=freed)
    check_ready(_name, f"{_title}: which Functions are ready",
                "a Function is ready when no use of any of its outputs is left",
                hidden=True, group="random")  # fmt: skip
    check_walk(_name, f"{_title}: the counts left after each use")
