"""Exercise 5: the walk itself, `run_backward`."""

import types

from ...autograd import engine as package
from .. import template
from ..model import Exercise
from ..observers.programs import RANDOM, made, words
from ..observers.run_backward import gradients, of_long_chain, with_a_backward_in_a_hook, with_a_raising_hook
from ..sandbox.package import ENGINES
from .reasons import IN_PLACE, OVERWRITTEN

exercise = Exercise(
    title="run_backward: the engine, whole",
    minutes=90,
    reference=types.SimpleNamespace(Engine=package.ExecutionEngine),
    withheld=ENGINES,
    needs=(4,),
    groups=template.groups("05_run_backward"),
    method="run_backward",
)

for _probe in ("with_a_raising_hook", "with_a_backward_in_a_hook"):
    exercise.graphs[_probe] = lambda: ("z = x * y + x, with x = 2 and y = 3", made("z = x * y + x", x=[2.0], y=[3.0]))


def check(group, program, mistakes=(), hidden=False, title=None, only=("grad", "ran"), name=None, **options):
    """Register a check of one program. `only`: the gradients of leaves, who ran how often, the caller's gradient."""

    @exercise.check(group, hidden, name=name or program, title=title or words(program))
    def run(trial):
        expected = exercise.right(gradients, program=program, **options)
        keys = [key for key in expected if key.rpartition(".")[2] in only or key.rpartition(" ")[2] in only]
        on = words(program) + ("; from a random gradient" if program in RANDOM else "")
        on += f"; z.backward {options['backwards']} times" if "backwards" in options else ""
        known = [*mistakes, *_in_general(expected)]
        trial.expect(gradients, {key: expected[key] for key in keys}, on, known, program=program, **options)


_TOO_EARLY = "a Function ran before all of its gradients had arrived"
_TOO_OFTEN = "run a Function once, with the sum, not once for each gradient that arrives"


def _in_general(expected):
    """Return the reason for a mistake that the check does not list."""
    start, runs = "the gradient given to backward", [key for key in expected if key.startswith("backward of")]

    def times(found, key):
        return int(found[key].split()[0])

    return [
        (lambda got: got[start] != expected[start], "the argument of backward was written into: use add, not add_"),
        (lambda got: any(times(got, key) > times(expected, key) for key in runs), _TOO_OFTEN),
        (lambda got: any(times(got, key) < times(expected, key) for key in runs),
         "a Function that must run did not: go through all operands, count every use down, that of a None too, and run "
         "the Leafs and what got zeros as well"),
        (lambda got: True, "each Function ran as often as it must, but not with the right gradient: all that arrives "
         "for an output is added, unchanged, and goes to the place of that output"),
        ("KeyError", "a Function that requires no gradient has no count: skip it before the lookup"),
        ("AssertionError", "a Function may return a gradient for an operand that requires none: ignore it"),
        ("NoneType", "a backward may return None, which adds nothing, and the gradient of an unused output is zeros"),
        ("positional argument", "_do_backward takes a gradient for each output: fn._do_backward(*gradients)"),
        ("do not fit together", "a gradient went to the place of another output: each output has a size of its own, "
         "and so do the zeros for an unused output"),
        ("for 0 inputs", "the links of the Functions are gone: a second backward needs previous_functions too"),
        ("got float", _NUMBER), ("'float' object", _NUMBER),
    ]  # fmt: skip


_NUMBER = (
    "a number arrived instead of a Tensor: call _do_backward, which always returns a tuple; backward itself may return "
    "one Tensor, and it skips the hooks"
)

check("simple", "chain", [
    ({"x.grad": [0]}, "nothing reached x: call _do_backward of a Leaf as of any other Function; it adds to x.grad"),
    ({"x.grad": [1]}, "pass on the gradients that _do_backward returns, not the one that it was given"),
])  # fmt: skip
check("simple", "square", [
    ({"x.grad": [3]}, "x * x has two operands with a gradient each: only one arrived"),
    ({"backward of x ran": "2 times"}, _TOO_OFTEN),
], title="x * x")  # fmt: skip
check("simple", "nothing_but_a_leaf", [], hidden=True, title="a leaf as the root")
check("simple", "doubled_twice", [
    ({"a.grad": [2]}, OVERWRITTEN), ({"a.grad": [1]}, OVERWRITTEN), ({"backward of b ran": "2 times"}, _TOO_OFTEN),
], hidden=True)  # fmt: skip
check("simple", "used_often", hidden=True)
check("simple", "large_numbers", hidden=True)
check("simple", "chain", hidden=True, name="chain_twice", title="a second backward over the same graph", backwards=2)


AFTER_AN_EXCEPTION = [
    ({"exception": None}, "an exception in a hook must reach the caller: do not catch it"),
    ({"exception": "the hook's own"}, "data of the interrupted backward was still there: keep the state of a "
     "backward in local variables, not on self"),
    ("invalid number", "the links of the Functions are gone: a second backward needs previous_functions too"),
]  # fmt: skip


@exercise.check("simple", hidden=True)
def used_again(trial):
    """An engine can be used again after an exception."""
    on = "z = x * y + x, with x = 2 and y = 3; the first backward ends in a hook that raises"
    trial.same(with_a_raising_hook, on, AFTER_AN_EXCEPTION)


@exercise.check("simple", hidden=True)
def backward_in_a_hook(trial):
    """A hook may run a backward of another graph."""
    state = "the backward in the hook changed that of z: keep the state of a backward in local variables, not on self"
    on = "z = x * y + x, with x = 2 and y = 3; a hook of x * y runs the backward of v * v * v, with v = 4"
    mistakes = [(lambda got: True, state), *[(error, state) for error in ("KeyError", "IndexError", "AttributeError")]]
    trial.same(with_a_backward_in_a_hook, on, mistakes)


check("diamonds", "diamond", [
    ({"x.grad": [30], "backward of b ran": "0 times"}, "b was never reached: visit all operands, not only one"),
    ({"x.grad": [30]}, OVERWRITTEN),
    ({"backward of x ran": "2 times"}, _TOO_OFTEN),
])  # fmt: skip
check("diamonds", "diamond_on_a_stem", [
    ({"backward of h ran": "2 times"}, _TOO_OFTEN),
    ({"x.grad": [12]}, f"{_TOO_EARLY}, or {OVERWRITTEN}"),
])  # fmt: skip
check("diamonds", "lopsided", [
    ({"backward of a ran": "2 times"}, f"{_TOO_OFTEN}; here one path is longer than the other"),
    ({"x.grad": [4]}, f"{_TOO_EARLY}; here one path is longer than the other"),
    ({"x.grad": [24]}, OVERWRITTEN),
], hidden=True)  # fmt: skip
check("diamonds", "leaf_in_many_places", [], hidden=True)

check("own", "product_and_sum", [({"x.grad": [6], "y.grad": [6]}, IN_PLACE)], only=("grad",))
check("own", "sum_in_a_sum", [({"y.grad": [2]}, IN_PLACE)], hidden=True, only=("grad",))
check("own", "one_gradient_for_three", [
    ({"b.grad": [88]}, IN_PLACE),
    ({"b.grad": [48]}, "a copy was made once, but two Functions held that tensor: the second wrote into it"),
], hidden=True, only=("grad",))  # fmt: skip
check("own", "through_a_view", [
    ({"the gradient given to backward": [[2]]}, "the caller's gradient was written into, through a view of it"),
], hidden=True, only=("backward",), gradient=[[1.0]])  # fmt: skip

check("constants", "constant_operand", [
    ("AttributeError", "c has no gradient to add to; its creator does not require one, so skip it"),
    ("KeyError", "a Function that requires no gradient has no count, so skip it before the lookup"),
], only=("grad",))  # fmt: skip
check("constants", "constant_part", [
    ("AssertionError", "Add returns a gradient for each operand, needed or not: ignore that of c"),
], hidden=True, only=("grad",))  # fmt: skip
check("constants", "none_on_one_way", [
    ({"x.grad": [0]}, "a None that arrives is a use too: x waits for ever if it is not counted down"),
    ("AttributeError", "a backward may return None for an operand: then there is nothing to add"),
    ("TypeError", "a backward may return None for an operand: then there is nothing to add"),
], hidden=True, only=("grad",))  # fmt: skip

_ZERO = "the gradient of an unused output is zeros, not None"
_UNUSED = [("AttributeError", _ZERO), ("TypeError", _ZERO)]
check("outputs", "both_outputs", [
    ({"x.grad": [13]}, "output_ids[arg_id] is the number of the output: these two are exchanged"),
    ({"backward of double ran": "2 times"}, "Pair waits for the gradients of both outputs, until no use is left"),
], title="both outputs are used")  # fmt: skip
check("outputs", "first_output", _UNUSED, title="the second output is not used")
check("outputs", "second_output", [
    ({"x.grad": [10]}, "the gradient is that of output 1, but went to backward as that of output 0"), *_UNUSED,
], hidden=True, title="the first output is not used")  # fmt: skip
check("outputs", "of_floats", [
    ("TypeError", "zeros have the type of the other gradients: gradient.new(*size).zero_()"),
], hidden=True, title="unused outputs of FloatTensors")  # fmt: skip
check("outputs", "second_output_twice", [], hidden=True, title="the second output is used twice")
check("outputs", "first_output_as_root", [({"x.grad": [3]}, "backward was called on output 0")], hidden=True,
      title="the first output is the root")  # fmt: skip
check("outputs", "second_output_as_root", [
    ({"x.grad": [2]}, "backward was called on output 1; output_ids[id(variable)] says so"), *_UNUSED,
], hidden=True, title="the second output is the root")  # fmt: skip


check("random", RANDOM[0], name="random_twice", title="a random program, backward twice", backwards=2)
for _name in RANDOM:
    check("random", _name, hidden=True, title=f"random program {_name.removeprefix('random_')}",
          only=("grad", "ran", "backward"))  # fmt: skip


_LONG = [
    ({"x.grad": [0]}, "no gradient reached x: the walk ends when no Function is ready any more, not before"),
    (lambda got: True, "gradients that arrive at the same Function are added, in large graphs too"),
    ("'float' object", _NUMBER),
]  # fmt: skip


@exercise.check("large")
def diamonds(trial):
    """30 diamonds."""
    trial.expect(gradients, {"x.grad": [1.5**30]}, words("ladder"), _LONG, tolerance=1e-6, program="ladder")


@exercise.check("large", hidden=True)
def long_chain(trial):
    """A chain of 100,000."""
    trial.expect(of_long_chain, {"x.grad": [1]}, words("long_chain"), _LONG)
