"""Every method of the book that a program replaces runs on the twin (fast/) as it runs on the book.

The methods are read from the source. Each is replaced on an instance, on its class, on an operation's class and in a
subclass, before and after the call that records the graph, in four ways. Values, gradients, the order of calls,
exceptions and their messages must be equal to the bit.
"""

import ast
import contextlib
import inspect
import itertools
import pathlib
import re
from functools import partial
from unittest import mock

import pytest
from hypothesis import strategies as st
from properties.operations import Ours
from properties.programs import for_random_programs

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.autograd import ExecutionEngine, Function, Leaf, Variable, grad
from legacy_autograd.autograd.functions import Index, Mul
from legacy_autograd.autograd.record import Record
from legacy_autograd.autograd.saved_tensors import SavedTensors
from legacy_autograd.tensor import DoubleTensor, Tensor
from legacy_autograd.utils import hooks

from .test_fast import the_book


@pytest.fixture(autouse=True, scope="module")
def implementation():
    """The tests here compare the twin with the book themselves."""


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


METHODS = methods_of(Function, SavedTensors, Record, Leaf, Variable, ExecutionEngine)


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
    numbers = replaced(hooks, "next_key", itertools.count())  # of hooks: `shown` writes large ones otherwise
    with numbers, places.stack, before(events) if before is not None else contextlib.nullcontext():
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
    needs = function.needs_input_grad and [bool(need) for need in function.needs_input_grad]  # the twin keeps no None
    return [
        [[type(fn).__name__, fn.output_ids[key]] for fn, key in function.previous_functions],
        list(function.output_ids.values()), list(function._output_sizes), needs,
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
    """{description: all that can be seen} of every way to replace one method.

    Where the program does not call the method, the ways differ in nothing, and the first one is enough.
    """
    found, called = {}, None
    for change in CHANGES:
        for way, run in ways(owner, name, change).items():
            if called is None or way in called:
                found[change, way] = run()
        if called is None:
            called = {way for (_, way), seen in found.items() if was_called(name, seen)}
    return found


def was_called(name, seen):
    program, *subclass = seen if isinstance(seen, tuple) else (seen,)
    return any(event[0] == name for event in itertools.chain(program, *subclass) if isinstance(event, tuple))


def ways(owner, name, change):
    """{description: run} of every place where a method can be replaced; `run` gives all that can be seen."""
    patch, instance = on_owner(owner, name, change), on_instance(name, change)
    found = {("class", moment): partial(outcome, patch, moment, "leaf") for moment in ("made", "called")}
    found["class", "before"] = partial(outcome, before=partial(patch, None))
    if owner in (Function, SavedTensors, Record):
        for moment in ("made", "called"):
            for place in ("operation", "own", "leaf"):
                found[place, moment] = partial(outcome, instance, moment, place)
            for one in (Mul, Pair, Leaf):
                found[one.__name__, moment] = partial(outcome, on_owner(one, name, change), moment, "leaf")
        for one, argument in ((Mul, "Operation"), (Pair, "Own")):
            found["subclass", argument] = partial(in_subclass, one, name, change, argument)
    else:
        for moment in ("made", "called"):
            place = {Leaf: "leaf", ExecutionEngine: "engine", Variable: "x"}[owner]
            found["instance", moment] = partial(outcome, instance, moment, place)
        found["subclass", ""] = partial(in_derived, owner, name, change)
    return found


def in_subclass(base, name, change, argument):
    events = []
    subclass = type(base.__name__, (base,), {name: on_class(base, name, change, events)})
    return outcome(**{argument: subclass}), events


def in_derived(owner, name, change):
    events = []
    subclass = type("Derived", (owner,), {name: on_class(owner, name, change, events)})
    if owner is ExecutionEngine:
        with replaced(Variable, "_execution_engine", subclass()):
            return outcome(), events
    if owner is Variable:
        return outcome(variable=subclass), events

    def give(found, _):
        variable = found.variable
        variable.creator = subclass(variable, True)
        return contextlib.nullcontext()

    return outcome(give, "made", "leaf"), events


@pytest.mark.parametrize("owner, name", METHODS, ids=[f"{owner.__name__}.{name}" for owner, name in METHODS])
def test_a_replaced_method_runs_as_in_the_book(owner, name):
    found = outcomes(owner, name)
    with the_book():
        expected = outcomes(owner, name)
    assert found.keys() == expected.keys()
    for what in expected:
        assert found[what] == expected[what], what


# --- where it was seen


def test_a_wrapper_on_a_creator_traces_backward():
    x, w = leaf(2.0, 3.0), leaf(5.0, 7.0)
    y = x * w
    z = Pair()(y)[0]
    order = []

    def trace(function):
        def wrapper(*grad_output):
            order.append(type(function).__name__)
            return original(*grad_output)

        original = function._do_backward
        function._do_backward = wrapper

    for variable in (x, y, z):
        trace(variable.creator)
    z.sum().backward()
    assert order == ["Pair", "Mul", "Leaf"]
    assert x.grad.tolist() == [10.0, 14.0]  # 2 w
    del y.creator._do_backward
    z.sum().backward()
    assert order == ["Pair", "Mul", "Leaf", "Pair", "Leaf"] and x.grad.tolist() == [20.0, 28.0]


def test_a_backward_of_an_instance_that_returns_too_few_gradients_is_refused():
    x, w = leaf(2.0), leaf(5.0)
    y = x * w
    y.creator.backward = lambda g: g
    with pytest.raises(RuntimeError, match=r"Mul\.backward returned an invalid number of gradient tensors: 1, for 2"):
        y.backward()
    assert (x.grad.tolist(), w.grad.tolist()) == ([0.0], [0.0])


def test_a_backward_of_another_instance():
    x, w, three = leaf(2.0), leaf(5.0), leaf(1.0, 2.0, 3.0)
    y, other = x * w, three * three
    y.creator.backward = other.creator.backward
    with pytest.raises(
        RuntimeError, match=r"^Mul\.backward returned for input 0 .* size \(3,\); that output of Leaf has .*\(1,\)"
    ):
        y.backward()


def test_a_forward_of_an_instance_may_return_a_tuple():
    x, w = leaf(2.0), leaf(5.0)
    function = Mul()
    function.forward = lambda a, b: (a * b, a + b)
    product, total = function(x, w)
    assert (product.data.tolist(), total.data.tolist()) == ([10.0], [7.0])
    assert product.output_nr == 0 and total.output_nr == 1


def test_a_method_of_the_engine_object_is_called():
    engine, asked = Variable._execution_engine, []
    original = engine._is_ready_for_backward

    def mine(dependencies, function):
        asked.append(type(function).__name__)
        return original(dependencies, function)

    x = leaf(2.0)
    with replaced_on_instance(engine, "_is_ready_for_backward", mine):
        (x * x * 3).backward()
    assert asked == ["Mul", "Leaf", "Leaf"] and x.grad.tolist() == [12.0]


def test_a_gradient_that_is_read_only_is_refused_with_advice():
    def refused():
        x = leaf(2.0, 3.0)
        x._grad = torch.ones(1).double().expand(2)
        with pytest.raises(RuntimeError) as error:
            (x * x).sum().backward()
        return str(error.value), x._grad.tolist(), x.creator._lock._is_owned()

    found = refused()
    assert "read-only" in found[0] and found[1:] == ([1.0, 1.0], False)
    with the_book():
        assert refused() == found


def test_super_in_a_class_whose_instance_was_given_a_method():
    events = []

    class Noting(Mul):
        def _do_backward(self, *grad_output):
            events.append("of the class")
            return super()._do_backward(*grad_output)

    x = leaf(2.0)
    y = Noting()(x, x)[0]
    of_class = y.creator._do_backward

    def of_instance(*grad_output):
        events.append("of the instance")
        return of_class(*grad_output)

    y.creator._do_backward = of_instance
    y.backward()
    assert events == ["of the instance", "of the class"] and x.grad.tolist() == [4.0]


def test_a_leaf_of_a_large_graph_that_was_given_a_method():
    x, w, seen = leaf(1.0), leaf(2.0), []
    y = x
    for _ in range(80):  # more than the twin takes for a small tree
        y = y + w
    w.creator._accumulate = lambda variable, grad: seen.append(grad.tolist())
    y.backward()
    assert seen == [[80.0]] and w.grad.tolist() == [0.0] and x.grad.tolist() == [1.0]


def test_an_instance_without_its_method_again_runs_as_before():
    x, w = leaf(2.0), leaf(5.0)
    function = Mul()
    function._check_call = lambda input: None
    del function._check_call
    with pytest.raises(AttributeError, match="_check_call"):
        del function._check_call
    function(x, w)[0].backward()
    assert x.grad.tolist() == [5.0]


def test_an_operation_called_again_warns_of_the_variable_of_its_first_call(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.column("0.1.1"))
    function, x, w = Mul(), leaf(2.0), leaf(3.0)
    of_first, of_second = function(x, x)[0], function(w, w)[0]  # kept: outputs are known by their ids
    first, second = of_first * 2, of_second * 3
    with pytest.warns(UserWarning, match="was called again after it had made a Variable of this graph") as caught:
        first.backward()
    assert {warning.filename for warning in caught} == {__file__}  # it points to the line that called backward
    assert (x.grad.tolist(), w.grad.tolist()) == ([0.0], [12.0])  # 2 * 2 w: to the inputs of the last call
    second.backward()
    assert w.grad.tolist() == [12.0 + 18.0]  # 3 * 2 w


def test_a_method_in_the_dict_of_its_class_is_called():
    assert vars(Mul)["forward"](Mul(), DoubleTensor([2.0]), DoubleTensor([3.0])).tolist() == [6.0]
    x = leaf(2.0)
    assert vars(Leaf)["_do_backward"](x.creator, DoubleTensor([3.0])) == () and x.grad.tolist() == [3.0]


@pytest.mark.parametrize("place", ["x", "y", "first"])
def test_the_ids_of_outputs_that_were_removed(place):
    def refused():
        x, w = leaf(2.0), leaf(5.0)
        y = x * w
        first, second = Pair()(y)
        loss = first * second
        {"x": x, "y": y, "first": first}[place].creator.output_ids = {}
        with pytest.raises(RuntimeError) as error:
            loss.backward()
        return str(error.value)

    found = refused()
    with the_book():
        assert refused() == found


def test_an_engine_that_watches_its_attributes():
    asked = []

    class Watching(ExecutionEngine):
        def __getattribute__(self, name):
            asked.append(name)
            return super().__getattribute__(name)

    def found():
        asked.clear()
        x = leaf(2.0)
        with replaced(Variable, "_execution_engine", Watching()):
            (x * x).backward()
        return [*asked], x.grad.tolist()

    of_twin = found()
    assert "_is_ready_for_backward" in of_twin[0]
    with the_book():
        assert found() == of_twin


@pytest.mark.parametrize("change", CHANGES)
def test_a_replaced_note_saved_of_an_operation_whose_output_is_a_view(change):
    def found(kind):
        events, x = [], leaf(2.0, 3.0)
        operation = Index(0)
        with contextlib.ExitStack() as stack:
            if kind == "class":
                stack.enter_context(replaced(Index, "_note_saved", on_class(Index, "_note_saved", change, events)))
            else:
                stack.enter_context(on_instance("_note_saved", change)(operation, events))
            try:
                y = operation(x)[0]
                y.backward()
                events.append((shown(y), y.creator._viewed == {}))
            except Exception as error:
                events.append(described(error))
        return events, x.grad.tolist()

    of_twin = found("class"), found("instance")
    with the_book():
        assert (found("class"), found("instance")) == of_twin


# --- random programs

# Methods only: on an instance, a program assigns to a property or is refused.
PATCHED = sorted(
    {name for owner, name in METHODS if owner not in (Variable, ExecutionEngine)}
    - {name for owner, name in METHODS if isinstance(inspect.getattr_static(owner, name), property)}
)
PATCHES = st.lists(
    st.tuples(
        st.integers(0, 30), st.sampled_from(PATCHED), st.sampled_from(CHANGES), st.sampled_from(["instance", "class"]),
        st.booleans(),
    ), min_size=1, max_size=3,
)  # fmt: skip


def random_outcome(program, patches, retain):
    """What is seen of a program whose methods are replaced between its backward passes, and put back."""
    events = []

    def attempt(what, run):
        try:
            events.append((what, shown(run())))
        except Exception as error:
            events.append((what, *described(error)))

    values = program.run(Ours)
    for place, name, change, kind, is_after in patches:
        function = values[place % len(values)].creator
        if is_after:
            attempt("before", lambda: values[program.roots[0]].sum().backward())
        with contextlib.ExitStack() as stack:
            if not hasattr(type(function), name):
                continue
            if kind == "class":
                stack.enter_context(replaced(type(function), name, on_class(type(function), name, change, events)))
            else:
                patch = partial(stack.enter_context, on_instance(name, change)(function, events))
                attempt("patch", patch)
            for number in program.roots:
                attempt(number, lambda number=number: values[number].sum().backward(None, retain))
            attempt("another", lambda: program.run(Ours)[-1].sum().data)
        for number in program.roots:
            attempt(("reused", number), lambda number=number: values[number].sum().backward())
    gradients = [None if one._grad is None else one._grad.array.tobytes() for one in values[: len(program.leaves)]]
    return events, gradients


@for_random_programs(60, PATCHES, st.booleans(), most=600)
def test_random_programs_with_replaced_methods(program, patches, retain):
    found = random_outcome(program, patches, retain)
    with the_book():
        assert found == random_outcome(program, patches, retain)


@pytest.mark.parametrize(
    "owner, name", [(Mul, "forward"), (Mul, "backward"), (Function, "_do_backward"), (Function, "_check_count")]
)
def test_a_spy_of_unittest_sees_a_call_and_changes_nothing(owner, name):
    def spied_on():
        with mock.patch.object(owner, name, autospec=True, side_effect=getattr(owner, name)) as spy:
            x = Variable(torch.Tensor([3]))
            (x * x).backward()
            return x.grad.tolist(), spy.call_count

    assert spied_on() == ([6.0], 1)  # d(x x)/dx = 2 x
    with the_book():
        assert spied_on() == ([6.0], 1)


def test_a_method_of_a_class_passes_for_a_function():
    assert inspect.isfunction(vars(Mul)["forward"])
    assert list(inspect.signature(vars(Mul)["forward"]).parameters) == ["self", "a", "b"]
