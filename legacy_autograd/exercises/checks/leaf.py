"""Exercise 3: `Leaf._do_backward`, which calls the hooks and adds the gradient to `variable.grad`."""

from ...autograd import leaf as package
from ..model import Exercise, agree
from ..programs import leaf as programs

exercise = Exercise(
    "03_leaf",
    reference=dict(Leaf=package.Leaf),
    withheld=(
        "autograd/leaf.py:Leaf._do_backward",
        "autograd/leaf.py:Leaf._accumulate",
        "autograd/later/hooks.py:add_to_grad",
    ),
    method="_do_backward",
    dimensions="type: Double, Float, Half; layout; size; places: apart, twice, shared, reused; again; returned: a "
    "tensor, a view, the argument; hooks: none, one, several, replaces, runs, again, raises, removes, twice, sets; "
    "requires_grad: all, some; values: ordinary, digits, zeros, cancel, nan, inf, -0",
)

_SAME = "an optimizer that holds x.grad must see the sum: add to the tensor in place, with add_"
_DATA = "do not change x.data: it is the optimizer that changes it"
_GIVEN = (
    "x.grad must be a tensor of its own: other code, such as another Leaf, a hook or the caller, holds the tensor in "
    "grad_output. Do not write into it, and keep only a clone of it"
)
_SUM = (
    "x.grad must be the sum of all gradients that have arrived: add each of them once, all of its elements, unchanged, "
    "whatever a hook returned, to the grad that self.variable has at that moment"
)
_ORDER = "call the hooks in the order of registration, which is the order of the dictionary"
_AFTER = "during the hooks x.grad holds the sum of earlier backwards: add the gradient once, after all hooks"
_TUPLES = "a hook takes two arguments, and both are the tuple grad_output: hook(grad_output, grad_output)"
_CAUGHT = "an exception in a hook must reach the caller: do not use try and except"
_RAISED = "if a hook raises, add nothing: accumulate after the hooks, without finally"
_LOOP = "a dictionary must not change during a loop over it: loop over a list of its values"
_END = "a leaf has no operands, so it returns no gradients: an empty tuple"


_ERRORS = [
    ("is not callable", "backward_hooks is a dictionary from names to hooks: call its values"),
    ("changed size during", _LOOP), ("mutated during", _LOOP),
    ("KeyError", "a hook was called that is gone: read self.backward_hooks in each backward"),
    ("read-only", _GIVEN), ("written", _GIVEN), ("shares its memory", _GIVEN),
    ("'NoneType' object is not iterable", "a function without a return statement returns None, which the engine "
     "cannot iterate over"),
]  # fmt: skip


def _reasons(expected):
    """Return the reason for a mistake that a check does not list."""
    calls = expected["calls of hooks"]

    def differ(got, part):
        return not agree(*([call[part] for call in each] for each in (calls, got["calls of hooks"])))

    def names(calls):
        return sorted(call[0] for call in calls)

    def wrong(got, kind, end=""):
        """Say whether data differ whose names begin and end so."""
        keys = [key for key in expected if key.startswith(kind) and key.endswith(end)]
        return any(key not in got or not agree(expected[key], got[key]) for key in keys)

    return [
        (lambda got: got["written into"].startswith("the data"), _DATA),
        (lambda got: got["written into"] != "nothing" or wrong(got, "writes into") or wrong(got, "g"), _GIVEN),
        (lambda got: wrong(got, "line ") and len(got["calls of hooks"]) >= len(calls), _CAUGHT),
        (lambda got: names(got["calls of hooks"]) != names(calls), "every hook is called in every backward, whatever "
         "the gradient is: those that are in self.backward_hooks at that moment, and no others"),
        (lambda got: differ(got, 0), _ORDER),
        (lambda got: differ(got, 1), _TUPLES),
        (lambda got: wrong(got, "shown"), _END),
        (lambda got: wrong(got, "", ".grad") and any(key.startswith("line ") for key in expected), _RAISED),
        (lambda got: wrong(got, "", ".grad"), _SUM),
        (lambda got: wrong(got, "k"), _SAME),
        (lambda got: differ(got, 4), _AFTER),
        (lambda got: True, _SUM),
        *_ERRORS,
    ]  # fmt: skip


def _x(name="x", numbers=(2.0,)):
    return f"{name} = Variable(DoubleTensor({list(numbers)})); {name}.creator = Leaf({name}, True)"


exercise.example("adds", "the gradients of two backwards are added", _x(), "(x * 3).backward()", "k = x.grad",
    "(x * 4).backward()",
    ({"k": [3], "x.grad": [4]}, "each gradient replaces the previous one; add it instead"),
    ({"x.grad": [0]}, "x.grad has not changed: nothing was added to it"),
    ({"x.grad": [14]}, "the gradient is added twice"))  # fmt: skip
exercise.example("adds", "the sum is in the tensor that x.grad was before the first backward", _x(), "k = x.grad",
    "(x * 3).backward()",
    ({"x.grad": [3]}, _SAME),
    hidden=True)  # fmt: skip
exercise.example("own", "a change of x.grad changes no other gradient", _x(), _x("y"), "g = DoubleTensor([1.0])",
    "z = x + y", "z.backward(g)", "x.grad.mul_(10)",
    (lambda got: got["y.grad"] == [0], "nothing was added to y.grad: each Leaf adds to its own Variable"))  # fmt: skip
exercise.example("hooks", "a hook is called with grad_output twice, before the addition", _x(),
    "x.register_hook('see', note('see', x))", "(x * 3).backward()",
    (lambda got: not got["calls of hooks"], "the hooks in self.backward_hooks were not called"))  # fmt: skip


# --- random programs


def _reasons_of_end(expected):
    raised = (lambda got: len(got["shown"]) > len(expected["shown"]), _CAUGHT)
    return [raised, (lambda got: True, _END), *_ERRORS]


# What a direct call returned counts for the last part alone, so that a mistake there costs no other.
exercise.explain(_reasons, reads=lambda seen: {key: value for key, value in seen.items() if key != "shown"})
exercise.explain(_reasons_of_end, "end", reads=lambda seen: {"shown": seen.get("shown", [])})
exercise.programs("adds", 45, programs.writes(programs.backwards, programs.on_the_sum))
exercise.programs("own", 45, programs.writes(programs.backwards, programs.directly, programs.on_the_sum))
exercise.programs("hooks", 65, programs.writes(programs.backwards, programs.hooks, programs.hooks, programs.on_the_sum))
exercise.example(
    "end", "_do_backward returns an empty tuple", _x(), "show(x.creator._do_backward(DoubleTensor([5.0])))"
)
exercise.programs("end", 36, programs.writes(programs.directly, programs.hooks, programs.on_the_sum))
