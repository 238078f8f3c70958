"""Exercise 4: how many gradients a Function has to wait for."""

from ...autograd import engine as package
from ..model import Exercise, agree
from ..programs import dependencies as programs
from ..sandbox.package import ENGINES

exercise = Exercise(
    "04_dependencies",
    reference=dict(Engine=package.ExecutionEngine),
    withheld=ENGINES,
    dimensions="type: Double, Long; size: one, 1-D, 2-D; places; again: once, second, interleaved, another; "
    "returned: a tuple; requires_grad: all, some",
)

_OUTPUTS = "each output has a count of its own: a list, with one entry for each of prev_fn.output_ids"
_CHANGED = "counting changes nothing: the backward that follows needs previous_functions and output_ids"
_FREED = (
    "each call subtracts 1 from the count of one output in the dictionary that it is given, and returns its number: "
    "prev_fn.output_ids[arg_id]"
)
_READY = "a Function is ready when no use of any of its outputs is left in the dictionary that is given, and not before"


def _reasons(expected):
    """Return the reason for a mistake that a check does not list."""

    def wrong(got, kind):
        """Say whether data differ that have `kind` in their name."""
        return any(kind in key and not agree(right, got.get(key)) for key, right in expected.items())

    def shown(got, kinds):
        """Return the values of these types that are shown."""
        return [value for values in got.get("shown", ()) for value in values if isinstance(value, kinds)]

    return [
        (lambda got: wrong(got, "have changed"), _CHANGED),
        (lambda got: any("of another call" in key for key in got),
         "each call counts anew: return a new dictionary"),
        (lambda got: any(not isinstance(value, list) for key, value in got.items() if key.startswith("uses of")),
         _OUTPUTS),
        (lambda got: any(got.get(key) != right for key, right in expected.items() if key.startswith("counted in")),
         "an entry for each Function that is reached from the root and requires a gradient, and for no other: go "
         "through all operands, and begin each call with an empty dictionary"),
        (lambda got: wrong(got, "counted in"), "visit the operands of each Function once, and not those of a Function "
         "that requires no gradient; each pair is one use, of the output of prev_fn that output_ids[arg_id] names. "
         "Count anew in each call"),
        (lambda got: None in shown(got, type(None)), "return the number of the output"),
        (lambda got: shown(got, bool) == shown(expected, bool), _FREED),
        (lambda got: wrong(got, "left in"), _FREED),
        (lambda got: True, _READY),
        ("KeyError: <", "dependencies has no entry for this Function: the key is prev_fn, and there is one for each "
         "Function that is reached and requires a gradient; store nothing between calls"),
        ("KeyError", "arg_id is the id of an output of prev_fn: look it up in prev_fn.output_ids"),
        ("IndexError", _OUTPUTS), ("is not subscriptable", _OUTPUTS), ("'int' object is not iterable", _OUTPUTS),
    ]  # fmt: skip


exercise.explain(_reasons)
_X = "x = Variable(DoubleTensor([2.0]))"
_COUNT = "d = Engine()._compute_dependencies(z.creator)"
_CONSTANT = "c never receives a gradient, so its count never falls: leave out Functions that require no gradient"


def _uses(**counts):
    return {f"uses of {name} counted in d": uses for name, uses in counts.items()}


exercise.example("count", "x * x", _X, "z = x * x", _COUNT,
    (_uses(x=[1]), "an operation that uses an output twice counts as two uses: two gradients will arrive"),
    name="square")  # fmt: skip
exercise.example("count", "two ways to one Function", _X, "h = x * 2", "a = h * 2", "b = h * 3", "z = a * b", _COUNT,
    (_uses(x=[2]), "the operands of a Function with two consumers were visited twice and counted twice"),
    (_uses(h=[1]), "a Function that was visited before has one more use: count it, but do not visit its operands "
     "again"))  # fmt: skip
exercise.example("constants", "an operand that requires no gradient", _X,
    "c = Variable(DoubleTensor([3.0]), requires_grad=False)", "z = x * c", _COUNT,
    ({"counted in d": "c, x"}, _CONSTANT),
    ({"counted in d": "x, z"}, "z is the root: no Function in the graph uses it, and it has no entry"),
    ({"counted in d": ""}, "x requires a gradient, although the other operand, c, does not"))  # fmt: skip
exercise.example("large", "30 diamonds", _X, "z = x", *["z = z * 1 + z * 0.5"] * 30, _COUNT)
exercise.example("large", "chains of middle and of only operands", _X, *programs.BOTH_SIDES, _COUNT,
         hidden=True, name="both_sides")  # fmt: skip
exercise.example("large", "a chain of 20,000", _X, "z = x", "for _ in range(20_000): z = z + 0", _COUNT, hidden=True)
exercise.example("large", "an operation of 3,000 operands", _X, "z = Total(*[x] * 2999, x * 2)", _COUNT, hidden=True)


def _free(prev_fn):
    return f"e._free_backward_dependency(d, {prev_fn}.creator, z.creator, id({prev_fn}))"


_COUNTED = ("e = Engine()", "d = e._compute_dependencies(z.creator)")
exercise.example("free", "one use of each of two Functions", _X, "a = x * 2", "b = x * 3", "z = a * b", *_COUNTED,
    f"show({_free('a')}, {_free('b')})",
    ({"uses of a left in d": [1]}, "subtract 1 from the count of that output"))  # fmt: skip
exercise.example("ready", "ready when the last use is counted down", _X, "a = x * 2", "z = a * a", *_COUNTED,
    *[f"show({_free('a')}, bool(e._is_ready_for_backward(d, a.creator)))"] * 2,
    (lambda got: [0, True] in got["shown"][:1], "a Function waits until none of its uses is left"))  # fmt: skip


exercise.example(
    "random", "two outputs, a constant and a diamond", _X, "c = Variable(DoubleTensor([3.0]), requires_grad=False)",
    "p = Pair(x)", "a = p[0] * c + p[1]", "z = a * a + p[1]", _COUNT,
)  # fmt: skip


# --- random programs


_SIMPLE = ["arithmetic", "arithmetic", "spread"]
_ALL = [*_SIMPLE, "diamonds", "outputs", "outputs", "without_gradient", "selected"]
exercise.programs("count", 40, programs.writes(_ALL))
exercise.programs("constants", 40, programs.writes(_ALL, cuts=0.5))
exercise.programs("large", 3, programs.writes([*_SIMPLE, "diamonds"], most=60))
exercise.programs("free", 40, programs.writes(_ALL, frees=1))
exercise.programs("ready", 40, programs.writes(_ALL, frees=0.8, asks=0.8))
exercise.programs("random", 80, programs.writes(_ALL, frees=0.9, asks=0.5, most=12, cuts=0.2))
