"""Exercise 5: the walk itself, `run_backward`."""

from ...autograd import engine as package
from ..model import Exercise
from ..programs import run_backward as programs
from ..programs.dependencies import BOTH_SIDES
from ..sandbox.package import ENGINES
from .reasons import IN_PLACE, OVERWRITTEN

exercise = Exercise(
    "05_run_backward",
    reference=dict(Engine=package.ExecutionEngine),
    withheld=ENGINES,
    needs=(4,),
    method="run_backward",
    dimensions=programs.DIMENSIONS,
)

_TOO_OFTEN = "run a Function once, with the sum, not once for each gradient that arrives"
_NUMBER = (
    "a number arrived instead of a Tensor: call _do_backward, which always returns a tuple; backward itself may return "
    "one Tensor, and it skips the hooks"
)
_OTHER = "the backward in the hook changed that of z: keep the state of a backward in local variables, not on self"
CAUGHT = "an exception in a hook must reach the caller: do not catch it"
LEFT_BEHIND = (
    "data of the interrupted backward was still there: keep the state of a backward in local variables, not on self"
)


def reasons(expected):
    """Return the reason for a mistake that a check does not list."""
    runs = [key for key in expected if key.startswith("backward of")]

    def times(key, got):
        return len(got.get(key) or ())

    return [
        (lambda got: got.get("written into") != "nothing", IN_PLACE),
        (lambda got: any(key not in got for key in expected if key.startswith("line ")), CAUGHT),
        (programs.is_kept, "the engine keeps Functions or gradients after the backward: store nothing on self"),
        (lambda got: any(times(key, got) > times(key, expected) for key in runs), _TOO_OFTEN),
        (lambda got: any(key.startswith("backward of") and key not in expected for key in got),
         "a Function ran that must not: one that received only None does not run, and its operands get None"),
        (lambda got: any(times(key, got) < times(key, expected) for key in runs),
         "a Function that must run did not: go through all operands, count every use down, that of a None too, and run "
         "the Leafs and what got zeros as well, in a second backward too"),
        (lambda got: True, "each Function ran as often as it must, but not with the right gradient: all that arrives "
         "for an output is added, unchanged, and goes to the place of that output, which output_ids[id(variable)] "
         "names for the root"),
        ("KeyError", "a Function that requires no gradient has no count: skip it before the lookup"),
        ("operands have different types", "zeros have the type of the other gradients: gradient.new(*size).zero_()"),
        ("AssertionError", "a Function may return a gradient for an operand that requires none, and a constant gets "
         "one: ignore it"),
        ("NoneType", "a backward may return None, which adds nothing, and the gradient of an unused output is zeros"),
        ("positional argument", "_do_backward takes a gradient for each output: fn._do_backward(*gradients)"),
        ("do not fit together", "a gradient went to the place of another output: each output has a size of its own, "
         "and so do the zeros for an unused output"),
        ("for 0 inputs", "the links of the Functions are gone: a second backward needs previous_functions too"),
        ("got float", _NUMBER), ("'float' object", _NUMBER),
    ]  # fmt: skip


exercise.explain(reasons)


def _example(group, title, *lines, hidden=False):
    exercise.example(group, title, programs.ENGINE, *lines, hidden=hidden)


def _x(*numbers, name="x"):
    return f"{name} = Variable(DoubleTensor({[float(n) for n in numbers]}))"


_example("simple", "chain", _x(2), "y = x * 3", "z = y + 1", "z.backward()",
    ({"x.grad": [0]}, "nothing reached x: call _do_backward of a Leaf as of any other Function; it adds to x.grad"),
    ({"x.grad": [1]}, "pass on the gradients that _do_backward returns, not the one that it was given"))  # fmt: skip
_example("simple", "square", _x(3), "y = x * x", "y.backward()",
    ({"x.grad": [3]}, "x * x has two operands with a gradient each: only one arrived"))  # fmt: skip
_example("simple", "used again after an exception", _x(2), _x(3, name="y"), *programs.INTERRUPTED, "z.backward()",
    (lambda got: "line 7" not in got, CAUGHT),
    (lambda got: True, LEFT_BEHIND),
    hidden=True)  # fmt: skip
_example(
    "simple", "a backward in a hook", _x(2), _x(3, name="y"), _x(4, name="v"), "u = v * v * v", "p = x * y",
    "z = p + x", "p.register_hook('a hook', note('p', 'runs', u))", "z.backward()",
    *[(match, _OTHER) for match in (lambda got: True, "KeyError", "IndexError", "AttributeError")], hidden=True,
)  # fmt: skip
_example("diamonds", "diamond", _x(5), "a = x * 2", "b = x * 3", "c = a * b", "c.backward()",
    (lambda got: "backward of b" not in got, "b was never reached: visit all operands, not only one"),
    ({"x.grad": [30]}, OVERWRITTEN))  # fmt: skip
_example("diamonds", "lopsided", _x(2), "a = x * x", "b = a * 2", "c = b * 3", "d = c + a", "d.backward()",
    (lambda got: len(got.get("backward of a") or ()) > 1, f"{_TOO_OFTEN}; here one path is longer than the other"),
    ({"x.grad": [4]},
     "a Function ran before all of its gradients had arrived; here one path is longer than the other"))  # fmt: skip
_example("own", "product_and_sum", _x(2), _x(3, name="y"), "z = x * y + (x + y)", "z.backward()")
_example("own", "one_gradient_for_three", _x(1, name="a"), _x(1, name="b"), "z = b * 7 + (a * b * 5 + (a + b))",
         "z.backward()")  # fmt: skip
_example("constants", "constant_operand", _x(2), "c = Variable(DoubleTensor([3.0]), requires_grad=False)",
    "z = x * c", "z.backward()",
    ("AttributeError", "c has no gradient to add to; its creator does not require one, so skip it"))  # fmt: skip
_example("outputs", "both outputs are used", _x(1), "p = Pair(x)", "z = p[0] * p[1]", "z.backward()",
    (lambda got: len(got.get("backward of p[0]") or ()) > 1,
     "Pair waits for the gradients of both outputs, until no use is left"),
    ({"x.grad": [13]}, "output_ids[arg_id] is the number of the output: these two are exchanged"))  # fmt: skip
_example("outputs", "the first output is not used", _x(1), "p = Pair(x)", "z = p[1] * 5", "z.backward()",
    ({"x.grad": [10]}, "the gradient is that of output 1, but went to backward as that of output 0"))  # fmt: skip
_example("outputs", "outputs of FloatTensors of different sizes", "x = Variable(FloatTensor([1.0, 2.0]))",
    "p = Parts(x)", "z = p[0] * 5", "z.backward(FloatTensor([1.0, 1.0]))", hidden=True)  # fmt: skip
_example(
    "random", "two outputs, a constant, a None and a diamond", _x(2),
    "c = Variable(DoubleTensor([3.0]), requires_grad=False)",
    "p = Pair(x)", "a = p[0] * c + p[1]", "b = Second(a, a * x)", "z = a * b + p[1]", "z.backward()",
)  # fmt: skip
_LARGE = [
    ({"x.grad": [0]}, "no gradient reached x: the walk ends when no Function is ready any more, not before"),
    (lambda got: True, "gradients that arrive at the same Function are added, in large graphs too"),
]
_example("large", "30 diamonds, one on the other", _x(1), "z = x", *["z = z * 1 + z * 0.5"] * 30, "z.backward()",
    *_LARGE)  # fmt: skip
_example("large", "chains of middle and of only operands", _x(2), *BOTH_SIDES, "z.backward()",
    *_LARGE, hidden=True)  # fmt: skip
_example("large", "the last of 300 outputs", _x(*[1] * 300), "p = x.chunk(300)", "(p[299] * 3).backward()",
    "p[299].backward()",
    (lambda got: True, "a gradient goes to the place of its own output, also the last of 300"),
    hidden=True)  # fmt: skip


for _group, _kinds in programs.STEPS.items():
    is_last = _group == "random"
    exercise.programs(_group, 220 if is_last else 20, programs.writes(_kinds, more=is_last))
