"""Exercise 3: `Leaf._do_backward`, which calls the hooks and adds the gradient to `variable.grad`."""

import types

from ...autograd import leaf as package
from ..model import Exercise, agree
from ..programs.dimensions import varied

exercise = Exercise(
    "03_leaf",
    reference=types.SimpleNamespace(Leaf=package.Leaf),
    withheld=(
        "autograd/leaf.py:Leaf._do_backward",
        "autograd/leaf.py:Leaf._accumulate",
        "autograd/later/hooks.py:add_to_grad",
    ),
    method="_do_backward",
    dimensions=varied(
        "type: Double, Float, Half; layout; size; places: apart, twice, shared, reused; again; returned: a tensor, "
        "a view, the argument; hooks; requires_grad: all, some; values: ordinary, digits, zeros, cancel, nan, inf, "
        "-0"
    ),
)

_SAME = "an optimizer that holds x.grad must see the sum: add to the tensor in place, with add_"
_DATA = "do not change x.data: it is the optimizer that changes it"
_GIVEN = (
    "x.grad must be a tensor of its own: other code, such as another Leaf, a hook or the caller, holds the tensor in "
    "grad_output. Do not write into it, and keep only a clone of it"
)
_SUM = (
    "x.grad must be the sum of all gradients that have arrived: add each of them once, all of its elements, unchanged, "
    "to the grad that self.variable has at that moment"
)
_EVERY_HOOK = (
    "every hook is called in every backward, whatever the gradient is: those that are in self.backward_hooks at that "
    "moment, and no others"
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
        (lambda got: wrong(got, "line "), _CAUGHT),
        (lambda got: names(got["calls of hooks"]) != names(calls), _EVERY_HOOK),
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


exercise.example(
    "adds", "the gradients of two backwards are added", _x(), "(x * 3).backward()", "k = x.grad", "(x * 4).backward()",
    mistakes=[
        ({"k": [3], "x.grad": [4]}, "each gradient replaces the previous one; add it instead"),
        ({"x.grad": [0]}, "x.grad has not changed: nothing was added to it"),
        ({"x.grad": [14]}, "the gradient is added twice"),
        (lambda got: got["k"] != got["x.grad"], _SAME),
    ],
)  # fmt: skip
exercise.example(
    "adds", "the sum is in the tensor that x.grad was before the first backward", _x(), "k = x.grad",
    "(x * 3).backward()", hidden=True, mistakes=[({"x.grad": [3]}, _SAME)],
)  # fmt: skip
exercise.example(
    "own", "a change of x.grad changes no other gradient", _x(), _x("y"), "g = DoubleTensor([1.0])", "z = x + y",
    "z.backward(g)", "x.grad.mul_(10)",
    mistakes=[(lambda got: got["y.grad"] == [0], "nothing was added to y.grad: each Leaf adds to its own Variable")],
)  # fmt: skip
exercise.example(
    "hooks", "a hook is called with grad_output twice, before the addition", _x(),
    "x.register_hook('see', note('see', x))", "(x * 3).backward()",
    mistakes=[(lambda got: not got["calls of hooks"], "the hooks in self.backward_hooks were not called")],
)  # fmt: skip
exercise.example(
    "hooks", "the return value of a hook is ignored, as in v0.1.1", _x(),
    "x.register_hook('see', note('see', x, 'replaces'))", "(x * 3).backward()", hidden=True,
    mistakes=[({"x.grad": [6]}, "the return value of the hook was added; ignore it")],
)  # fmt: skip


# --- random programs


def _leaf(graph, size=None):
    """Add a leaf whose creator is the student's, and return its name."""
    name = graph.leaf(size=size)
    graph.add(f"{name}.creator = Leaf({name}, True)")
    return name


def _begin(graph):
    """Add leaves, the student's, and results of them."""
    graph.some_leaves()
    for name in graph.leaves:
        graph.add(f"{name}.creator = Leaf({name}, True)")
    graph.steps(["arithmetic", "arithmetic", "sums", "reused", "view", "handed_on"], graph.draw.whole(0, 2))


def _root(graph):
    """Return a root of a backward: a leaf itself passes the gradient on as it is."""
    return (graph.draw.one_of(graph.leaves), graph.size) if graph.draw.chance(0.3) else graph.root()


def _directly(graph):
    """Add a direct call, whose result is shown."""
    gradient = graph.name("g")
    graph.add(f"{gradient} = {graph.draw.tensor(graph.size, graph.kind)}")
    graph.add(f"show({graph.draw.one_of(graph.leaves)}.creator._do_backward({gradient}))")


def _backwards(graph):
    match graph.draw.pick("again", ("once", "second", "interleaved", "another")):
        case "once":
            _directly(graph) if graph.draw.chance(0.3) else graph.backward(_root(graph))
        case "second":
            line = graph.backward(_root(graph))
            for _ in range(graph.draw.whole(1, 4)):
                graph.add(line)
        case "interleaved":
            line = graph.backward(_root(graph))
            graph.backward(_root(graph))
            graph.add(line)
        case "another":
            line = graph.backward(_root(graph))
            name = graph.draw.one_of(graph.leaves)
            graph.add(f"{name}.creator = Leaf({name}, True)")
            graph.backward((name, graph.size))
            graph.add(line)


def _on_the_sum(graph):
    """Add a line of code that reads or changes `x.grad` between backwards."""
    x = graph.draw.one_of(graph.leaves)
    match graph.draw.whole(0, 4):
        case 0 | 1:
            graph.add(f"{graph.name('k')} = {x}.grad")
        case 2:
            graph.add(f"{x}.grad.zero_()")
        case 3:
            graph.add(f"{x}.grad.mul_(10)")
        case 4:
            graph.add(f"{x}.grad = {graph.tensor()}.clone()")


def _hooks(graph):
    """Register hooks of one kind on leaves. Those of them that raise go after their backward.

    No hook goes while an outer call still has to come to it: it is free whether it is called again.
    """
    kinds, there = set(exercise.dimensions["hooks"]), " ".join(graph.lines)
    if "'runs'" in there:
        kinds -= {"runs", "removes"}
    elif "'removes'" in there:
        kinds -= {"runs"}
    kind, other = graph.draw.pick("hooks", kinds), None
    handles = []
    for _ in range({"none": 0, "several": graph.draw.whole(2, 5), "removes": graph.draw.whole(1, 3)}.get(kind, 1)):
        x, hook = graph.draw.one_of(graph.leaves), graph.name("h")
        label = repr(f"{graph.draw.one_of('abcdefgh')}{hook}")
        if kind == "runs":
            other = graph.draw.one_of(
                [*graph.differentiable, graph.result(f"{x} * {x} + {x}", operands=[x]), _leaf(graph)]
            )
        elif kind == "raises":
            other = graph.draw.one_of(["ArithmeticError", "KeyError", "TypeError", "AttributeError", "IndexError"])
        asked = "" if kind in ("one", "several") else f", {kind!r}" + (f", {other}" if other else "")
        graph.add(f"{hook} = {x}.register_hook({label}, note({label}, {x}{asked}))")
        handles.append(hook)
    if kind == "raises":
        graph.draw.pick("again", ("after an exception",))
        line = graph.backward(_root(graph))
        if graph.draw.chance(0.5):
            graph.add(f"{graph.name('k')} = {graph.draw.one_of(graph.leaves)}.grad.clone()")
        graph.add(f"{handles[0]}.remove()")
        graph.add(line)
    elif handles and kind not in ("runs", "removes") and graph.draw.chance(0.5):
        _backwards(graph)
        graph.add(f"{graph.draw.one_of(handles)}.remove()")


def _writes(*actions):
    def make(graph):
        _begin(graph)
        for _ in range(graph.draw.whole(1, 4)):
            graph.draw.one_of(actions)(graph)
        _backwards(graph)

    return make


def _without_shown(seen):
    """What a direct call returned counts for the last part alone, so that a mistake there costs no other."""
    return {key: value for key, value in seen.items() if key != "shown"}


def _shown(seen):
    return {"shown": seen.get("shown", [])}


def _reasons_of_end(expected):
    raised = (lambda got: len(got["shown"]) > len(expected["shown"]), _CAUGHT)
    return [raised, (lambda got: True, _END), *_ERRORS]


exercise.explain(_reasons, reads=_without_shown)
exercise.explain(_reasons_of_end, "end", reads=_shown)
exercise.programs("adds", 40, _writes(_backwards, _on_the_sum))
exercise.programs("own", 40, _writes(_backwards, _directly, _on_the_sum))
exercise.programs("hooks", 60, _writes(_backwards, _hooks, _hooks, _on_the_sum))
exercise.example(
    "end",
    "_do_backward returns an empty tuple",
    _x(),
    "show(x.creator._do_backward(DoubleTensor([5.0])))",
)
exercise.programs("end", 30, _writes(_directly, _hooks, _on_the_sum))
