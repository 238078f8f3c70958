"""The fast twin (fast/) is indistinguishable from the book, and steps aside for whatever changes the book."""

import abc
import contextlib
import inspect
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import pytest
from hypothesis import strategies as st
from properties.operations import Ours
from properties.programs import Program, execute, for_random_programs

import legacy_autograd
from legacy_autograd.autograd import ExecutionEngine, Function, Leaf, Variable, fast
from legacy_autograd.autograd.fast import walk
from legacy_autograd.autograd.functions import Exp, Mul, Sub
from legacy_autograd.autograd.functions._utils import Broadcasting
from legacy_autograd.autograd.functions.linear import Linear
from legacy_autograd.tensor import DoubleTensor, Tensor

PACKAGE = pathlib.Path(legacy_autograd.__file__).parent

pytestmark = pytest.mark.skipif(os.environ.get(fast.PLAIN) == "1", reason="the twin was left out")


@pytest.fixture(autouse=True, scope="module")
def implementation():
    """The tests here compare the twin with the book themselves."""


@contextlib.contextmanager
def the_book():
    fast.remove()
    try:
        yield
    finally:
        fast.install()


@contextlib.contextmanager
def noting(methods, note):
    """Within this context every call of these (class, name) is noted, by the class of its object.

    The interpreter notes them. The twin does not trust an operation whose methods were replaced.
    """
    names = {getattr(owner, name).__code__: name for owner, name in methods}

    def called(frame, event, _):
        if event == "call" and frame.f_code in names:
            note(f"{type(frame.f_locals['self']).__name__}.{names[frame.f_code]}")

    sys.setprofile(called)
    try:
        yield
    finally:
        sys.setprofile(None)


def operations(cls=Function):
    for subclass in cls.__subclasses__():
        if subclass.__module__.startswith("legacy_autograd."):
            yield from [(subclass, name) for name in ("forward", "backward") if name in vars(subclass)]
            yield from operations(subclass)


def ran_in_the_twin():
    """Whether a backward runs in the twin now: the book's engine asks `_is_ready_for_backward`."""
    x = Variable(DoubleTensor([2.0]))
    y = x * x
    y.backward()
    return type(y.creator._edges) is tuple


# --- what is left on every Function


def record(values):
    """All that the calls recorded, as plain data; Functions are known by the order in which they are reached."""
    numbers, queue = {}, [value.creator for value in values]
    for function in queue:
        if function not in numbers:
            numbers[function] = len(numbers)
            queue += [previous for previous, _ in function.previous_functions]
    return [_recorded(function, numbers) for function in numbers]


def _recorded(function, numbers):
    saved = function._saved
    return {
        "class": type(function).__name__,
        "previous": [(numbers[fn], fn.output_ids[key]) for fn, key in function.previous_functions],
        "outputs": list(function.output_ids.values()),
        "sizes": list(function._output_sizes),
        "needs": function.needs_input_grad,
        "requires_grad": function.requires_grad,
        "saved": None if saved is None else [tensor.tolist() for tensor in saved],
        "positions": list(function._saved_positions),
        "absent": list(function._absent),
        "non-differentiable": function.non_differentiable,
    }


def live_ids_are_ids(values):
    for value in values:
        assert value.creator.output_ids[id(value)] == value.output_nr
        for (function, key), operand in zip(value.creator.previous_functions, getattr(value, "operands", ())):
            assert function is operand.creator and key == id(operand)


# --- random programs, with hooks


KINDS = "variable replacing named function failing writing named-writing function-writing keeping prehook".split()
HOOKS = st.lists(st.tuples(st.integers(0, 30), st.sampled_from(KINDS)), max_size=4)
OWN_FUNCTIONS = st.dictionaries(st.integers(0, 20), st.booleans(), max_size=4)  # {number of a step: …}


class Failed(Exception):
    """Raised by a hook."""


def hook_on(value, kind, events, kept):
    def one(grad):
        events.append(("hook", kind, grad.tolist()))
        for one_kept in kept:
            one_kept.fill_(1000)  # felt by no one
        if kind == "failing":
            raise Failed
        if kind == "writing":
            grad.mul_(3)
        if kind == "keeping":
            kept.append(grad)
        return grad * 2 if kind == "replacing" else None

    def two(grad_input, grad_output):
        first = grad_output[0] if isinstance(grad_output, tuple) else grad_output
        events.append(("hook", kind, len(grad_input), first.tolist()))
        if kind.endswith("writing"):
            first.mul_(5)
            for grad in grad_input:
                if grad is not None:
                    grad.mul_(7)
            kept.append(first)

    def before(grad_output):
        for grad in grad_output:
            if grad is not None:
                grad.mul_(2)

    if not value.requires_grad:
        return
    if kind.startswith("named"):
        if "h" not in value.creator.backward_hooks:
            value.register_hook("h", two)
    elif kind == "prehook":
        value.creator.register_prehook(before)
    elif not kind.startswith("function"):
        value.register_hook(one)
    elif not isinstance(value.creator, Leaf):
        value.creator.register_hook(two)


class Writing(Function):
    """A user's Function: (x, x). Its backward writes into its gradients, and passes them on or a view of one."""

    def __init__(self, returns_view, kept):
        self.returns_view, self.kept = returns_view, kept

    def forward(self, x):
        return x.clone(), x.clone()

    def backward(self, first, second):
        self.kept.append(second)
        first.mul_(2)
        second.add_(1)
        return first.transpose(0, 0) if self.returns_view else first


def run(program, places, kept):
    """All values of `program`, in which the results of the steps `places` pass through a user's Function."""
    values = Program(program.leaves).run(Ours)
    for number, step in enumerate(program.steps):
        results = execute(Ours, step, values)
        if number in places:
            results = [through(result, places[number], kept) for result in results]
        values += results
    return values


def through(value, returns_view, kept):
    if value.data.array.dtype.kind != "f":
        return value
    first, second = Writing(returns_view, kept)(value)
    return first - second + value


def outcome(program, hooks, retain, places):
    """Everything that can be seen of a program: values, order of calls, gradients, errors, records."""
    events, kept = [], []
    with noting(list(operations()), events.append):
        values = run(program, places, kept)
        for place, kind in hooks:
            hook_on(values[place % len(values)], kind, events, kept)
        for number in program.roots:
            root = values[number]
            gradient = Tensor(numpy.cos(numpy.arange(root.numel()) + number).reshape(tuple(root.size())))
            try:
                root.backward(gradient, retain)
            except (RuntimeError, Failed) as error:
                events.append((type(error).__name__, str(error)))
    live_ids_are_ids(values)
    numbers = [value.data.array.tobytes() for value in values]
    gradients = [None if leaf._grad is None else leaf._grad.array.tobytes() for leaf in values[: len(program.leaves)]]
    return {"events": events, "numbers": numbers, "gradients": gradients, "records": record(values)}


@for_random_programs(200, HOOKS, st.booleans(), OWN_FUNCTIONS, most=2000)
def test_the_twin_does_what_the_book_does(program, hooks, retain, places):
    assert ran_in_the_twin()
    found = outcome(program, hooks, retain, places)
    with the_book():
        expected = outcome(program, hooks, retain, places)
    for what in expected:
        assert found[what] == expected[what], what


# --- what random programs do not reach


class Pair(Function):
    def forward(self, x):
        self.save_for_backward(x, None)
        return x * 2, x * 3

    def backward(self, double, triple):
        x, nothing = self.saved_tensors
        assert nothing is None
        return double * 2 + triple * 3 * x


class Indices(Function):
    def forward(self, x):
        values, indices = x.sort(0)
        self.mark_non_differentiable(indices)
        self.save_for_backward(indices)
        return values, indices

    def backward(self, values, indices):
        return values


class OneTooMany(Function):
    def forward(self, x):
        return x * 1

    def backward(self, g):
        return g, g


class Optional(OneTooMany):
    def backward(self, g):
        return g, None


class WrongSize(OneTooMany):
    def backward(self, g):
        return DoubleTensor([1.0, 2.0, 3.0])


class NoTensor(OneTooMany):
    def backward(self, g):
        return "a gradient"


class NoGradient(OneTooMany):
    def backward(self, g):
        return None


class NoTensorForward(OneTooMany):
    def forward(self, x):
        return 1.0


class KeepsInput(OneTooMany):
    def forward(self, x):
        self.input = x
        return x * x

    def backward(self, g):
        return g * self.input * 2


def leaf(*numbers, requires_grad=True):
    return Variable(DoubleTensor(numbers), requires_grad=requires_grad)


def by_hand(x):
    by_hand.result = x * 2  # it stays, so that no other Variable gets its id
    return Variable(DoubleTensor([1.0]), creator=by_hand.result.creator)


def write_to_saved(x):
    y = x * x
    x.data.add_(1)
    return y


def write_to_the_second_saved(x):
    x.data.add_(1)
    w = leaf(4.0, 5.0)
    y = x * w
    w.data.add_(1)  # now both were written to once
    return y


def freed(x):
    y = x * x
    y.backward(DoubleTensor([1.0, 1.0]), False)
    return y


def called_twice(x):
    function = Pair()
    function(x)
    return function(x)[0]


def in_place(x):
    y = x * 2
    y.add_(1)
    y.mul_(x)
    return y


def of_several(x):
    double, triple = Pair()(x)
    return double * triple + triple


def replaced_data(x):
    y = x * 2
    x.data = DoubleTensor([1.0, 2.0])
    return y


def lost_leaf(x):
    return x * leaf(1.0, 2.0)


def backward_in_a_hook(x):
    def hook(grad):
        (x * 5).sum().backward()

    y = x * 2
    y.register_hook(hook)
    return y


def twice(x):
    double, triple = Pair()(x)
    result = (triple * triple * double).exp().sum() * 1e-20
    (gradient,) = legacy_autograd.autograd.grad(result, x, create_graph=True)
    return gradient * x


SCENES = {
    "two outputs": of_several,
    "only the second output": lambda x: Pair()(x)[1] * 2,
    "a root that is a second output": lambda x: Pair()(x)[1],
    "indices": lambda x: Indices()(x)[0] * 2,
    "an index as the root": lambda x: Indices()(x)[1],
    "a gradient too many": lambda x: OneTooMany()(x)[0],
    "None too many": lambda x: Optional()(x)[0],
    "a gradient of the wrong size": lambda x: WrongSize()(x)[0],
    "no tensor": lambda x: NoTensor()(x)[0],
    "no gradient": lambda x: NoGradient()(x)[0] + x,
    "no gradient on one way": lambda x: NoGradient()(x * 3)[0] + x,
    "forward returns no tensor": lambda x: NoTensorForward()(x)[0],
    "an argument that is no Variable": lambda x: Pair()(3)[0],
    "keeps its input": lambda x: KeepsInput()(x)[0],
    "a Variable made by hand": by_hand,
    "used by an operation": lambda x: by_hand(x) * 2,
    "a saved tensor was written to": write_to_saved,
    "the second saved tensor was written to": write_to_the_second_saved,
    "freed": freed,
    "called twice": called_twice,
    "in place": in_place,
    "replaced data": replaced_data,
    "a leaf that is gone": lost_leaf,
    "a leaf as the root": lambda x: x,
    "constants only": lambda x: leaf(1.0, requires_grad=False) * 2,
    "a hook that runs backward": backward_in_a_hook,
    "the same operand twice": lambda x: x * x + x,
    "a gradient's gradient": twice,
    "three inputs": lambda x: legacy_autograd.cat([x, x * 2, x], 0),
}


def scene(make):
    events = []
    x = leaf(2.0, 3.0)
    x.register_hook(lambda grad: events.append(grad.data.tolist()))
    with noting(list(operations()), events.append):
        y = None
        try:
            y = make(x)
            y.backward(DoubleTensor(y.data.size()).fill_(1))
        except Exception as error:
            events.append((type(error).__name__, str(error)))
    functions = []
    if y is not None and "hand" not in make.__name__:
        with contextlib.suppress(RuntimeError, KeyError):
            functions = record([y])
    return events, x.grad.data.tolist(), functions


@pytest.mark.parametrize("name", SCENES)
def test_scenes(name):
    found = scene(SCENES[name])
    with the_book():
        assert found == scene(SCENES[name])


# --- stepping aside


def seen(change):
    """The methods of the book's engine that a backward calls within `change`."""
    calls = []
    watched = {"_is_ready_for_backward": ExecutionEngine._is_ready_for_backward}

    def ask(self, dependencies, function):
        calls.append(function)
        return watched["_is_ready_for_backward"](self, dependencies, function)

    with change(ask):
        x = leaf(2.0)
        (x * x).backward()
    assert x.grad.tolist() == [4.0]
    return calls


def test_a_patched_method_of_the_engine_is_called(monkeypatch):
    @contextlib.contextmanager
    def patched(ask):
        with monkeypatch.context() as patch:
            patch.setattr(ExecutionEngine, "_is_ready_for_backward", ask)
            yield

    assert len(seen(patched)) == 2
    assert ran_in_the_twin()


def test_an_engine_that_overrides_a_method_gets_the_books_walk(monkeypatch):
    @contextlib.contextmanager
    def overridden(ask):
        engine = type("Engine", (ExecutionEngine,), {"_is_ready_for_backward": ask})()
        with monkeypatch.context() as patch:
            patch.setattr(Variable, "_execution_engine", engine)
            yield

    assert len(seen(overridden)) == 2


@pytest.mark.parametrize(
    "owner, name", [(Function, "_do_forward"), (Function, "_do_backward"), (Function, "_check_gradient"),
                    (Function, "_check_count"), (Function, "_check_call"), (Function, "_note_saved"),
                    (Function, "_own"), (Leaf, "_do_backward"), (Leaf, "_accumulate"), (Variable, "__init__")],
)  # fmt: skip
def test_a_patched_method_of_the_book_is_called(monkeypatch, owner, name):
    calls, original = [], getattr(owner, name)

    def patched(self, *arguments, **named):
        calls.append(self)
        return original(self, *arguments, **named)

    monkeypatch.setattr(owner, name, patched)
    x = leaf(2.0)
    (x * x).backward()
    assert calls and x.grad.tolist() == [4.0]


def test_an_operation_whose_backward_is_replaced_is_checked(monkeypatch):
    x = leaf(2.0)
    y = x - x * 3
    monkeypatch.setattr(Sub, "backward", lambda self, grad: (DoubleTensor([1.0, 2.0]), grad))
    message = r"^Sub\.backward returned for input 0 .*the size \(2,\); that output of Leaf has the size \(1,\)$"
    with pytest.raises(RuntimeError, match=message):
        y.backward()
    monkeypatch.undo()
    y.backward()
    assert x.grad.tolist() == [-2.0]  # d(x - 3 x)/dx


@pytest.mark.parametrize("owner", [Function, Broadcasting, Sub])
def test_a_call_replaced_in_any_class_is_seen(monkeypatch, owner):
    calls, original = [], owner.__call__

    def call(self, *input):
        calls.append(type(self))
        return original(self, *input)

    monkeypatch.setattr(owner, "__call__", call)
    x = leaf(2.0)
    y = x - x
    assert calls == [Sub]
    monkeypatch.undo()
    assert (x - x).data.tolist() == y.data.tolist() == [0.0] and calls == [Sub]


def test_a_forward_replaced_in_an_operation_may_save_something_else(monkeypatch):
    def forward(self, a, b):
        self.save_for_backward(b, a)
        return a.mul(b)

    monkeypatch.setattr(Mul, "forward", forward)
    x, w = leaf(2.0), leaf(5.0)
    y = x * w
    assert list(y.creator._saved_positions) == [1, 0]


def test_a_subclass_of_an_operation_runs_its_own_forward():
    class Half(Mul):
        def forward(self, a, b):
            return super().forward(a, b) / 2

    x, w = leaf(2.0), leaf(5.0)
    assert Half()(x, w)[0].data.tolist() == [5.0]
    assert list((x * w).creator._saved_positions) == [0, 1]


def test_a_function_with_an_abstract_base():
    class Named(abc.ABC):
        @abc.abstractmethod
        def title(self):
            """The title."""

    class Third(Function, Named):
        def forward(self, x):
            return x / 3

        def backward(self, g):
            return g / 3

        def title(self):
            return "a third"

    x = leaf(6.0)
    y = Third()(x)[0]
    y.backward()
    assert (y.data.tolist(), x.grad.tolist(), Third().title()) == ([2.0], [1 / 3], "a third")
    assert isinstance(y.creator, Named) and isinstance(y.creator, Function) and not isinstance(x, Function)


def test_hooks_of_a_function_that_is_called_afterwards():
    x, events = leaf(2.0), []
    function = Mul()
    assert function.previous_functions is None
    function.register_hook("h", lambda grad_input, grad_output: events.append(grad_output.tolist()))
    assert function.previous_functions is None
    (function(x, x)[0] * 3).backward()
    assert (events, x.grad.tolist()) == ([[3.0]], [12.0])  # d(3 x²)/dx = 6 x


def test_hooks_that_are_assigned_are_called():
    x, events = leaf(2.0), []
    y = x * x
    y.creator.backward_hooks = {"h": lambda grad_input, grad_output: events.append(grad_output.tolist())}
    y.backward()
    assert (events, x.grad.tolist()) == ([[1.0]], [4.0])


def test_a_leaf_whose_data_changed_its_shape():
    x = leaf(2.0)
    y = x * 3
    x.data, x._grad = DoubleTensor([1.0, 2.0]), DoubleTensor([0.0, 0.0])
    with pytest.raises(
        RuntimeError,
        match=r"^data has changed its size: got a gradient of the size \(1,\); .* Leaf has the size \(2,\)$",
    ):
        y.backward()
    assert x._grad.tolist() == [0.0, 0.0]


def test_three_inputs_of_which_one_is_a_second_output():
    x = leaf(1.0, 5.0, 2.0, 7.0)
    first, second = x.view(2, 2).split(1, 0)  # [1, 5] and [2, 7]
    w, b = Variable(DoubleTensor([[3.0, 4.0]])), leaf(10.0)
    y = Linear()(second, w, b)[0]
    assert y.data.tolist() == [[44.0]]  # 2 * 3 + 7 * 4 + 10
    y.backward()
    assert (x.grad.tolist(), w.grad.tolist(), b.grad.tolist()) == ([0.0, 0.0, 3.0, 4.0], [[2.0, 7.0]], [1.0])


def test_the_engine_keeps_what_was_saved_unless_told_otherwise():
    x = leaf(3.0)
    y = x * x
    for _ in range(2):
        Variable._execution_engine.run_backward(y, DoubleTensor([1.0]))
    assert x.grad.tolist() == [12.0]  # 2 * 2 x


def test_more_functions_than_a_small_tree_has():
    x = leaf(2.0)
    y = x
    for _ in range(100):
        y = y + 1
    y.backward()
    assert x.grad.tolist() == [1.0]
    z = y * y  # one more edge, and the tree is none
    z.backward()
    assert x.grad.tolist() == [1.0 + 2 * 102]


def test_a_function_with_a_do_forward_or_do_backward_of_its_own():
    events = []

    class Noting(Function):
        def _do_forward(self, *input):
            events.append("forward")
            return super()._do_forward(*input)

        def _do_backward(self, *grad_output):
            events.append("backward")
            return super()._do_backward(*grad_output)

        def forward(self, x):
            return x * 3

        def backward(self, g):
            return g * 3

    x = leaf(2.0)
    (Noting()(x * 2)[0] * x).backward()
    assert events == ["forward", "backward"]
    assert x.grad.tolist() == [24.0]  # 6 x² by x


def test_a_function_that_records_itself():
    class ByHand(Function):
        def _do_forward(self, x):
            variable = Variable(x.data * 3, self)
            self.needs_input_grad, self.requires_grad = (True,), True
            self.previous_functions = []
            self.output_ids = {id(variable): 0}
            self._output_sizes = [(1,)]
            self.previous_functions.append((x.creator, id(x)))
            return (variable,)

        def backward(self, g):
            return g * 3

    x = leaf(2.0)
    y = ByHand()(x * 2)[0]
    (y * x).backward()
    assert x.grad.tolist() == [24.0]


def test_an_edge_that_is_added_to_a_record_counts():
    x, w = leaf(2.0), leaf(5.0)

    class Twice(Function):
        def forward(self, x):
            return x * 2

        def backward(self, g):
            return (g * 2, g * 7)[: len(self.previous_functions)]

    y = Twice()(x)[0]
    y.creator.previous_functions.append((w.creator, id(w)))
    assert y.creator.next_functions == ((x.creator, 0), (w.creator, 0))
    y.backward()
    assert (x.grad.tolist(), w.grad.tolist()) == ([2.0], [7.0])


def test_a_hook_may_read_a_record_further_back():
    x = Variable(Tensor([1.0]))
    y = x * 2
    z = y * 3
    read = []
    z.register_hook(lambda grad: read.append(y.creator.previous_functions))
    z.backward()
    assert read == [[(x.creator, id(x))]]
    assert x.grad.tolist() == [6]  # d(2 * 3 x)/dx


def test_reading_a_record_of_leaves_does_not_end_the_twins_walks():
    x = leaf(2.0)
    y = x * x
    assert [fn.previous_functions for fn, _ in y.creator.previous_functions] == [[], []]
    assert x.creator.output_ids == {id(x): 0}
    z = x * x
    z.backward()
    assert type(z.creator._edges) is tuple


def test_a_debugger_steps_through_the_book(monkeypatch):
    monkeypatch.setattr(walk, "_forced", False)
    lines = set()

    def tracer(frame, event, argument):
        lines.add((pathlib.Path(frame.f_code.co_filename).name, frame.f_code.co_name))
        return tracer

    x = leaf(2.0)
    y = x * x
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        y.backward()
    finally:
        sys.settrace(before)
    assert ("engine.py", "run_backward") in lines and ("engine.py", "_is_ready_for_backward") in lines


def test_the_books_walk_ends_with_an_exception():
    with fast.the_books_walk():
        with pytest.raises(KeyboardInterrupt), fast.the_books_walk():
            raise KeyboardInterrupt
        assert walk.is_watched  # as before the inner context
    with pytest.raises(KeyboardInterrupt), fast.the_books_walk():
        raise KeyboardInterrupt
    assert not walk.is_watched and ran_in_the_twin()


def test_getsource_shows_the_book():
    for method, first in (
        (ExecutionEngine.run_backward, "    def run_backward("),
        (Function.__call__, "    def __call__("),
        (Leaf.__init__, "    def __init__("),
    ):
        assert inspect.getsource(method).startswith(first)
        assert pathlib.Path(inspect.getsourcefile(inspect.unwrap(method))).name in fast.MIRRORED
    assert inspect.signature(ExecutionEngine.run_backward).parameters.keys() == {
        "self", "variable", "grad", "retain_variables",
    }  # fmt: skip


def test_the_number_of_an_output_does_not_end_the_twins_walks():
    x = Variable(Tensor([1.0, 2.0, 3.0]))
    parts = x.chunk(3)
    assert [part.output_nr for part in parts] == [0, 1, 2] and (x * 2).output_nr == x.output_nr == 0
    assert type(parts[0].creator._edges) is tuple


# --- which call and which walk a class has


def decided(cls):
    return next(line.split()[1:] for line in fast.table() if line.startswith(f"{cls.__module__}.{cls.__qualname__} "))


def test_the_table_of_the_classes():
    class OfAUser(Function):
        def forward(self, x):
            return x * 2

        def backward(self, g):
            return g * 2

    class RunsItself(OfAUser):
        def _do_forward(self, *input):
            return super()._do_forward(*input)

    assert [decided(cls) for cls in (Exp, Leaf, OfAUser, RunsItself)] == [
        ["call_declared", "trusted"], ["call", "trusted"], ["call", "checked"], ["the", "book", "the", "book"],
    ]  # fmt: skip
    assert OfAUser()(leaf(1.0, 2.0))[0].data.tolist() == [2, 4]


def test_an_attribute_that_a_program_assigns_makes_an_operation_one_of_its_own(monkeypatch):
    monkeypatch.setattr(Exp, "_private", 1, raising=False)
    assert decided(Exp) == ["call_declared", "trusted"]
    monkeypatch.setattr(Exp, "p_", 1, raising=False)
    assert decided(Exp) == ["call", "checked"]
    monkeypatch.undo()
    assert decided(Exp) == ["call_declared", "trusted"]


@pytest.mark.parametrize("without_the_twin", [False, True])
@pytest.mark.parametrize("name", ["forward", "backward"])
def test_an_operation_that_is_as_it_was_made_is_trusted_again(name, without_the_twin):
    made = getattr(Exp, name)
    with the_book() if without_the_twin else contextlib.nullcontext():
        setattr(Exp, name, lambda self, x: made(self, x))
    try:
        assert decided(Exp) == ["call", "checked"]
    finally:
        setattr(Exp, name, made)
    assert decided(Exp) == ["call_declared", "trusted"]
    assert leaf(0.0).exp().data.tolist() == [1.0]


# --- the digest


def test_the_digest_is_that_of_the_book():
    assert fast.digest() == fast.MIRRORS, "the book changed: change the twin too, then set MIRRORS to the new digest"


def run_copy(tmp_path, edit, **environment):
    """A program in a copy of the package, of which `edit` may change files: what it printed and warned."""
    shutil.copytree(PACKAGE, tmp_path / "legacy_autograd", ignore=shutil.ignore_patterns("__pycache__"))
    edit(tmp_path / "legacy_autograd" / "autograd")
    program = (
        "import legacy_autograd as torch\n"
        "from legacy_autograd.autograd import Variable, ExecutionEngine\n"
        "x = Variable(torch.Tensor([2.0]))\n(x * x).backward()\n"
        "print(x.grad.tolist(), hasattr(ExecutionEngine.run_backward, '__wrapped__'))\n"
    )
    clean = {name: value for name, value in os.environ.items() if name != fast.PLAIN}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**clean, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_an_edited_book_runs_as_it_was_edited(tmp_path):
    said, warned = run_copy(
        tmp_path, lambda folder: replace(folder / "leaf.py", "grad.clone()", "grad.clone().mul_(10)")
    )
    assert said == "[40.0] False"  # 2 x = 4, ten times
    assert warned.count("without its fast twin") == 1


def test_other_line_ends_are_no_edit(tmp_path):
    def edit(folder):
        path = folder / "leaf.py"
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    assert run_copy(tmp_path, edit) == ("[4.0] True", "")


def test_the_encoding_of_the_system_is_no_edit(tmp_path):
    c_locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert run_copy(tmp_path, lambda folder: None, **c_locale) == ("[4.0] True", "")


def test_without_sources_the_twin_is_used(monkeypatch):
    monkeypatch.setattr(fast, "MIRRORED", ("nowhere.py",))
    assert fast.digest() is None
    with the_book():
        fast.install()
        assert ran_in_the_twin()


def test_the_environment_variable_leaves_the_twin_out(tmp_path):
    assert run_copy(tmp_path, lambda folder: None, **{fast.PLAIN: "1"}) == ("[4.0] False", "")


def test_a_sum_of_gradients_leaves_those_that_others_hold():
    """Add passes one gradient on to both operands. Of x, four gradients are added up; that of y must stay 1."""
    x, y = leaf(2.0, 3.0), leaf(5.0, 7.0)
    doubled = x * 2
    ((doubled + y) + doubled + doubled + doubled).sum().backward()
    assert x.grad.data.tolist() == [8.0, 8.0] and y.grad.data.tolist() == [1.0, 1.0]
