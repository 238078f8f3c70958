"""Every method of the book that a program replaces runs on the twin (fast.py) as it runs on the book.

The methods are read from the source. Each is replaced on an instance, on its class, on an operation's class and in a
subclass, before and after the call that records the graph, in four ways. Values, gradients, the order of calls,
exceptions and their messages must be equal to the bit.
"""

import ast
import contextlib
import inspect
import pathlib
import re

import pytest

import legacy_autograd
from legacy_autograd import conventions
from legacy_autograd.autograd import ExecutionEngine, Function, Leaf, Variable, fast, grad
from legacy_autograd.autograd.called_again import CalledAgain
from legacy_autograd.autograd.functions import Mul
from legacy_autograd.autograd.saved_tensors import SavedTensors
from legacy_autograd.tensor import DoubleTensor, Tensor

from .test_fast import the_book


def methods_of(*owners):
    """[(class of the book, name)] of all methods and properties that its source defines."""
    found = []
    for owner in owners:
        path = pathlib.Path(inspect.getsourcefile(owner))
        tree = ast.parse(path.read_text(encoding="utf-8"))
        (body,) = [node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner.__name__]
        names = [node.name for node in body if isinstance(node, ast.FunctionDef)]
        found += [(owner, name) for name in dict.fromkeys(names) if name != "__init_subclass__"]
    return found


METHODS = methods_of(Function, SavedTensors, CalledAgain, Leaf, Variable, ExecutionEngine)


class Failed(Exception):
    """Raised by a method that was replaced."""


def shown(value):
    """What a method received or returned, as plain data that two runs have in common."""
    if isinstance(value, (Tensor, Variable)):
        return value.data.tolist()
    if isinstance(value, (tuple, list)):
        return [shown(one) for one in value]
    if isinstance(value, dict):
        return [[shown(key), shown(one)] for key, one in value.items()]
    if isinstance(value, (int, float, str, type(None))):
        return "an id" if isinstance(value, int) and value > 100 else value
    return type(value).__name__


def altered(result):
    """Another result of the same kind."""
    if isinstance(result, Variable):
        return Variable(result.data * 2)
    if isinstance(result, Tensor):
        return result * 2
    if isinstance(result, bool):
        return not result
    if isinstance(result, (tuple, list)):
        return type(result)([altered(one) for one in result])
    return result


CHANGES = ("records", "raises", "does nothing", "returns something else", "returns a tuple with one more")


def changed(change, name, original, events):
    """A function in the place of the method `original`."""

    def replacement(*arguments, **keywords):
        events.append((name, shown(arguments), shown(keywords)))
        if change == "raises":
            raise Failed(name)
        if change == "does nothing":
            return None
        result = original(*arguments, **keywords)
        events.append((name, "returned", shown(result)))
        if change == "returns something else":
            return altered(result)
        if change == "returns a tuple with one more":
            return (*result, result[0]) if isinstance(result, tuple) and result else (result, result)
        return result

    return replacement


def on_class(owner, name, change, events):
    """The attribute `name` for a class, in the place of the one that `owner` has."""
    original = inspect.getattr_static(owner, name)
    if isinstance(original, property):
        return property(changed(change, name, original.fget, events), original.fset)
    return changed(change, name, getattr(owner, name), events)


@contextlib.contextmanager
def replaced(owner, name, value):
    """Set an attribute, and afterwards what the object itself had before."""
    had = name in vars(owner)
    before = vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if had:
            setattr(owner, name, before)
        else:
            delattr(owner, name)


def leaf(*numbers):
    return Variable(DoubleTensor(numbers))


class Pair(Function):
    """A user's Function with two outputs."""

    def forward(self, x):
        self.save_for_backward(x)
        return x * 2, x * 3

    def backward(self, double, triple):
        (x,) = self.saved_tensors
        return double * 2 + triple * 3 * x


class Places:
    """What a program reaches at one of its moments: `reached(place)` gives the object, if it is there by then."""

    def __init__(self, events):
        self.events, self.stack = events, contextlib.ExitStack()
        self.patches = {}  # {(moment, place): patch(object)}

    def reached(self, moment, **objects):
        for place, found in objects.items():
            if (moment, place) in self.patches:
                try:
                    self.patches[moment, place](found)
                except Exception as error:
                    self.events.append(described(error))


def described(error):
    return type(error).__name__, re.sub(r"0x[0-9a-f]+|\d{7,}", "an id", str(error))


def outcome(patch=None, moment=None, place=None, before=None, Operation=Mul, Own=Pair, variable=Variable):
    """All that can be seen of a program in which `patch` replaced a method at one place."""
    events = []
    places = Places(events)
    if patch is not None:
        places.patches[moment, place] = lambda found: places.stack.enter_context(patch(found, events))
    found = {}

    def attempt(what, run):
        try:
            found[what] = run()
            events.append((what, shown(found[what])))
        except Exception as error:
            events.append((what, *described(error)))

    def forward():
        x, w = variable(DoubleTensor([2.0, 3.0])), leaf(5.0, 7.0)
        found.update(x=x, w=w, leaf=x.creator, operation=Operation(), own=Own())
        places.reached("made", leaf=x.creator, operation=found["operation"], own=found["own"], engine=engine, x=x)
        x.register_hook(lambda grad: events.append(("hook of x", shown(grad))))
        found["y"] = y = found["operation"](x * 2, w)[0]
        y.register_hook(lambda grad: grad * 3)
        first, second = found["own"](y)
        z = (first * w + second - x * y).sum()
        places.reached("called", leaf=x.creator, operation=y.creator, own=first.creator, engine=engine, x=x)
        return z

    def two_hooks():
        found["operation"].register_hook("h", lambda grad_input, grad_output: events.append(("h", shown(grad_input))))
        found["own"].register_hook(lambda grad_input, grad_output: events.append(("own", shown(grad_output))))

    engine = Variable._execution_engine
    with places.stack, before(events) if before is not None else contextlib.nullcontext():
        attempt("forward", forward)
        z = found.get("forward")
        if isinstance(z, Variable):
            attempt("backward", lambda: z.backward())
            attempt("twice", lambda: grad(z, [found["x"]], create_graph=True))
            attempt("hooks", two_hooks)
            attempt("freeing", lambda: z.backward(DoubleTensor([2.0]), False))
            attempt("once more", lambda: z.backward())
        attempt("again", lambda: found["operation"](found["w"], found["w"]))
    if "x" in found:  # and reused, without what was replaced
        attempt("reused", lambda: (found["x"] * found["x"]).sum().backward())
        if "y" in found:
            attempt("reused y", lambda: found["y"].sum().backward())
        for name in ("x", "w"):
            gradient = found[name]._grad
            events.append((name, None if gradient is None else gradient.data.array.tobytes()))
        for name in ("operation", "own", "leaf"):
            attempt(f"record of {name}", lambda name=name: record(found[name]))
    return events


def record(function):
    return [
        [[type(fn).__name__, fn.output_ids[key]] for fn, key in function.previous_functions],
        list(function.output_ids.values()), list(function._output_sizes), function.needs_input_grad,
        function.requires_grad, shown(function._saved) and list(zip(shown(function._saved), function._saved_positions)),
    ]  # fmt: skip


def on_instance(name, change):
    """A patch of one object."""

    def patch(found, events):
        events.append("patched")
        return replaced_on_instance(found, name, changed(change, name, getattr(found, name), events))

    return patch


@contextlib.contextmanager
def replaced_on_instance(owner, name, value):
    setattr(owner, name, value)
    try:
        yield
    finally:
        delattr(owner, name)


def on_owner(owner, name, change):
    """A patch of a class, whatever object was reached."""
    return lambda found, events: replaced(owner, name, on_class(owner, name, change, events))


def outcomes(owner, name):
    """{description: all that can be seen} of every way to replace one method."""
    found = {}
    for change in CHANGES:
        patch = on_owner(owner, name, change)
        for moment in ("made", "called"):
            found[change, "class", moment] = outcome(patch, moment, "leaf")
        found[change, "class", "before"] = outcome(before=lambda events: patch(None, events))
        found.update(of_functions(owner, name, change) if owner in (Function, SavedTensors, CalledAgain) else {})
        found.update(of_one_class(owner, name, change) if owner in (Leaf, ExecutionEngine, Variable) else {})
    return found


def of_functions(owner, name, change):
    found, instance = {}, on_instance(name, change)
    for moment in ("made", "called"):
        for place in ("operation", "own", "leaf"):
            found[change, place, moment] = outcome(instance, moment, place)
        for one in (Mul, Pair, Leaf):
            found[change, one.__name__, moment] = outcome(on_owner(one, name, change), moment, "leaf")
    for one, argument in ((Mul, "Operation"), (Pair, "Own")):
        found[change, "subclass", argument] = in_subclass(one, name, change, argument)
    return found


def in_subclass(base, name, change, argument):
    events = []
    subclass = type(base.__name__, (base,), {name: on_class(base, name, change, events)})
    return outcome(**{argument: subclass}), events


def of_one_class(owner, name, change):
    found = {}
    place = {Leaf: "leaf", ExecutionEngine: "engine", Variable: "x"}[owner]
    for moment in ("made", "called"):
        found[change, "instance", moment] = outcome(on_instance(name, change), moment, place)
    events = []
    subclass = type("Derived", (owner,), {name: on_class(owner, name, change, events)})
    if owner is ExecutionEngine:
        with replaced(Variable, "_execution_engine", subclass()):
            found[change, "subclass"] = outcome(), events
    elif owner is Variable:
        found[change, "subclass"] = outcome(variable=subclass), events
    else:

        def give(found, _):
            variable = found.variable
            variable.creator = subclass(variable, True)
            return contextlib.nullcontext()

        found[change, "subclass"] = outcome(give, "made", "leaf"), events
    return found


@pytest.mark.parametrize("owner, name", METHODS, ids=[f"{owner.__name__}.{name}" for owner, name in METHODS])
def test_a_replaced_method_runs_as_in_the_book(owner, name):
    found = outcomes(owner, name)
    with the_book():
        expected = outcomes(owner, name)
    for what in expected:
        assert found[what] == expected[what], what
