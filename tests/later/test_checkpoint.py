"""Checkpoints: the same gradients for less memory."""

import gc
import math
import threading
import tracemalloc
import warnings
import weakref

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, callbacks, grad
from legacy_autograd.autograd.later.grad_mode import is_grad_enabled
from legacy_autograd.utils.checkpoint import CheckpointError, checkpoint, checkpoint_sequential

from .both import same

both_forms = pytest.mark.parametrize("reentrant", [False, True], ids=["use_reentrant=False", "use_reentrant=True"])


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


@both_forms
def test_the_same_gradients_as_modern_torch(reentrant):
    def program(t):
        import torch.utils.checkpoint as modern

        checkpoint = modern.checkpoint if t.is_modern else t.torch.utils.checkpoint.checkpoint
        x, w = t.variable([0.3, -0.2]), t.variable([1.5, 0.7])
        calls = []

        def part(a, factor, b):
            calls.append(t.torch.is_grad_enabled())
            return (a * w).tanh() * factor, (b * a).exp()

        first, second = checkpoint(part, x, 2.0, x * 3, use_reentrant=reentrant)
        y = checkpoint(lambda a, b: (a * b).sum(), first, second, use_reentrant=reentrant)
        y.backward()
        return y, x.grad, w.grad, calls

    same(program)


def test_keyword_arguments_grad_and_double_backward():
    def program(t):
        import torch.utils.checkpoint as modern

        checkpoint = modern.checkpoint if t.is_modern else t.torch.utils.checkpoint.checkpoint
        x, w = t.variable([0.3, -0.2]), t.variable([1.5, 0.7])

        def part(a, *, weight, scale=1):
            return (a * weight).tanh() * scale

        y = checkpoint(part, x, weight=w, scale=3, use_reentrant=False)
        first = t.autograd.grad(y.sum(), [x, w], create_graph=True)
        return y, first, t.autograd.grad(first[0].sum() + (first[1] * x).sum(), [x, w])

    same(program)


def layers(count, seed=0, size=6):
    rng = numpy.random.default_rng(seed)
    weights = [Variable(torch.DoubleTensor(rng.standard_normal((size, size)) / 2)) for _ in range(count)]
    return weights, [lambda x, w=w: x.mm(w).tanh() for w in weights]


@both_forms
@pytest.mark.parametrize("segments", [1, 2, 3, 7])
def test_sequential(reentrant, segments):
    weights, functions = layers(7)
    start = torch.DoubleTensor(numpy.random.default_rng(1).standard_normal((3, 6)))
    gradients = []
    for checkpointed in (True, False):
        x = Variable(start, requires_grad=True)
        if checkpointed:
            y = checkpoint_sequential(functions, segments, x, use_reentrant=reentrant)
        else:
            y = x
            for function in functions:
                y = function(y)
        y.sum().backward()
        gradients.append([v.grad.tolist() for v in (x, *weights)])
        for w in weights:
            w.grad = None
    assert gradients[0] == gradients[1]


def test_a_sequential_of_nn():
    nn = torch.nn
    network = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.Sigmoid(), nn.Linear(4, 1))
    x = Variable(torch.DoubleTensor([[1.0, 2.0, 3.0]]))
    y = checkpoint_sequential(network, 2, x)
    assert y.data.tolist() == network(x).data.tolist()
    y.backward()
    found = [p.grad.tolist() for p in network.parameters()]
    network.zero_grad()
    network(x).backward()
    assert found == [p.grad.tolist() for p in network.parameters()]


@both_forms
def test_nested(reentrant):
    weights, functions = layers(8)

    def inner(x):
        return functions[3](functions[2](x))

    def middle(x):
        return checkpoint(inner, functions[1](x), use_reentrant=reentrant)

    def outer(x):
        return functions[5](functions[4](checkpoint(middle, functions[0](x), use_reentrant=reentrant)))

    results = []
    for run in (lambda x: checkpoint(outer, x, use_reentrant=reentrant), outer):
        x = Variable(torch.DoubleTensor(numpy.ones((2, 6)) / 3))
        run(x).sum().backward()
        results.append([v.grad.tolist() for v in (x, *weights[:6])])
        for w in weights:
            w.grad = None
    assert results[0] == results[1]


@both_forms
def test_random_numbers_are_the_same_again(reentrant):
    drop = torch.nn.Dropout(0.5)
    x = Variable(torch.DoubleTensor(numpy.ones(400)))

    def run(**options):
        torch.manual_seed(5)
        x.grad = None
        y = checkpoint(lambda a: drop(a) * 3, x, use_reentrant=reentrant, **options)
        after = torch.rand(3).tolist()
        y.sum().backward()
        return (x.grad.array == y.data.array).all(), after, torch.rand(3).tolist()

    preserved, first, second = run()
    assert preserved
    torch.manual_seed(5)
    torch.rand(400)
    assert not run(preserve_rng_state=False)[0]
    torch.manual_seed(5)
    drop(x)
    assert [first, second] == [torch.rand(3).tolist(), torch.rand(3).tolist()]  # the second run takes no numbers away


def test_running_twice_and_grad_of_a_part():
    weights, functions = layers(3)
    x = Variable(torch.DoubleTensor(numpy.ones((2, 6))))
    calls = []

    def part(a):
        calls.append(1)
        for function in functions:
            a = function(a)
        return a

    y = checkpoint(part, x).sum()
    y.backward()
    first = x.grad.tolist()
    y.backward()
    assert len(calls) == 3 and numpy.allclose(x.grad.numpy(), 2 * numpy.array(first))
    assert numpy.allclose(grad(y, weights[1])[0].numpy() * 2, weights[1].grad.numpy())


def test_without_recording_it_is_only_a_call():
    x, calls = variable(1.0), []
    with torch.no_grad():
        y = checkpoint(lambda a: calls.append(is_grad_enabled()) or a * a, x)
    assert calls == [False] and not y.requires_grad


def test_what_need_not_be_saved_is_computed_once():
    x, calls = variable(1.0), []
    checkpoint(lambda a: calls.append(1) or a + a, x).backward()
    assert calls == [1]


def test_it_stops_when_it_has_enough():
    x, calls = variable(0.5), []

    def part(a):
        b = a.exp()
        calls.append("exp")
        c = b + b
        calls.append("after")
        return c

    checkpoint(part, x).backward()
    assert calls == ["exp", "after"]  # in the second run, exp does not return
    checkpoint(part, x, early_stop=False).backward()
    assert calls == ["exp", "after"] * 3
    assert x.grad.tolist() == pytest.approx([4 * math.exp(0.5)])


def test_contexts():
    entered = []

    class Context:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            entered.append(self.name)

        def __exit__(self, *exception):
            pass

    checkpoint(lambda a: a.exp(), variable(1.0), context_fn=lambda: (Context("first"), Context("second"))).backward()
    assert entered == ["first", "second"]


# --- what goes wrong


def test_another_computation_the_second_time():
    x = variable(1.0, 2.0)
    state = {"calls": 0}

    def more(a):
        state["calls"] += 1
        return a.exp().exp() if state["calls"] > 1 else a.exp()

    def fewer(a):
        state["calls"] += 1
        return a.exp() if state["calls"] > 1 else a.exp().exp()

    def other(a):
        state["calls"] += 1
        return (a[0:1] if state["calls"] > 1 else a).exp().sum()

    for part, options, message in (
        (more, {"early_stop": False}, "saved 1 tensors in its first run and more in its second"),
        (fewer, {}, "saved 2 tensors in its first run and 1 in its second"),
        (
            other,
            {},
            r"tensor 0 .* was .* of size \(2,\) in its first run and a torch.DoubleTensor of size \(1,\) in",
        ),
    ):
        state["calls"] = 0
        y = checkpoint(part, x, **options)
        with pytest.raises(CheckpointError, match=message):
            y.sum().backward()
        assert is_grad_enabled() and callbacks.around_call.callbacks == ()
        assert issubclass(CheckpointError, RuntimeError)


def test_a_part_that_changes_what_it_saved():
    def part(a):
        b = a.exp()
        return (b + 0).mul(b.detach().add_(1)) + b

    x = variable(1.0)
    y = checkpoint(part, x, early_stop=False)
    with pytest.raises(
        RuntimeError, match=r"of the same part: a torch.DoubleTensor of size \(1,\) is at version 1; exp"
    ):
        y.backward()


def test_an_error_in_the_second_run():
    calls = []

    def part(a):
        calls.append(1)
        if len(calls) > 1:
            raise KeyError("second")
        return a.exp()

    state = torch.get_rng_state().tolist()
    y = checkpoint(part, variable(1.0))
    with pytest.raises(KeyError, match="second"):
        y.backward()
    assert is_grad_enabled() and torch.get_rng_state().tolist() == state


def test_reentrant_says_what_it_cannot():
    x = variable(1.0)
    w = variable(2.0)
    y = checkpoint(lambda a: a * w, x, use_reentrant=True)
    for walk in (
        lambda: grad(y, x),
        lambda: y.backward(inputs=[x]),
        lambda: y.backward(create_graph=True),
    ):
        with pytest.raises(RuntimeError, match="use_reentrant=False supports all of them"):
            walk()
    assert w._grad is None and x._grad is None
    with pytest.raises(ValueError, match="neither keyword arguments"):
        checkpoint(lambda a, b: a, x, b=3, use_reentrant=True)
    with pytest.warns(UserWarning, match="no argument requires a gradient"):
        z = checkpoint(lambda a: a * w, variable(1.0, requires_grad=False), use_reentrant=True)
    assert not z.requires_grad


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: checkpoint(3), TypeError, "checkpoint needs a function, got int"),
        (lambda: checkpoint(abs, determinism_check="x"), ValueError, "determinism_check must be 'default' or 'none'"),
        (lambda: checkpoint_sequential([abs], 2, variable(1.0)), ValueError, "1 functions cannot be divided into 2"),
    ],
)
def test_messages(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_functions_that_keep_their_input_work():
    class Old(Function):
        def forward(self, x):
            self.x = x
            return x.mul(x)

        def backward(self, g):
            return g.mul(self.x).mul(2)

    x = variable(3.0)
    checkpoint(lambda a: Old()(a)[0].exp(), x).backward()
    assert x.grad.tolist() == pytest.approx([6 * math.exp(9)])


def test_outputs_of_other_kinds():
    x = variable(3.0, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values, index, word = checkpoint(lambda a: (*a.max(0), "word"), x, use_reentrant=True)
        assert index.data.tolist() == [0] and not index.requires_grad and word == "word"
        values.backward()
        assert x.grad.tolist() == [1.0, 0.0]
        assert checkpoint(lambda: 7) == 7


def test_in_threads():
    weights, functions = layers(4)
    start = torch.DoubleTensor(numpy.ones((2, 6)))
    expected, found = None, []
    for _ in range(2):
        x = Variable(start, requires_grad=True)
        expected = grad(checkpoint_sequential(functions, 1, x).sum(), x)[0].tolist()

    def run():
        x = Variable(start, requires_grad=True)
        for _ in range(5):
            found.append(grad(checkpoint_sequential(functions, 2, x).sum(), x)[0].tolist() == expected)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [True] * 15


# --- memory


def peak(run):
    """The peak of additional memory during `run()`, in bytes."""
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        run()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


@both_forms
def test_memory_grows_as_the_square_root(reentrant):
    """Of a chain of n results of 80 kB all n at once without checkpoints; with √n parts √n between them and √n in one,
    where backward frees what it is done with."""
    kilobytes = 80
    start = torch.DoubleTensor(numpy.zeros(kilobytes * 128))

    def results_held(n, checkpointed):
        def run():
            x = Variable(start, requires_grad=True)
            functions = [lambda a: a.tanh()] * n
            if checkpointed:
                y = checkpoint_sequential(functions, math.isqrt(n), x, use_reentrant=reentrant)
            else:
                y = checkpoint_sequential(functions, 1, x)
            y.sum().backward(retain_variables=False)

        return peak(run) / (kilobytes * 1024)

    small, large = 36, 144
    assert results_held(small, False) > small and results_held(large, False) > large
    for n in (small, large):
        held = results_held(n, True)
        assert held < 2.5 * math.sqrt(n) + 6, held
    assert results_held(large, True) < 2.3 * results_held(small, True)  # √4 = 2


def test_nothing_stays_behind():
    gc.disable()
    try:
        x, w = variable(1.0), variable(2.0)

        def part(a):
            return checkpoint(lambda b: (b * w).exp(), a * w).tanh()

        for create_graph in (False, True):
            y = checkpoint(part, x)
            found = grad(y, x, create_graph=create_graph)
            record = y.creator._unpack.unpack if create_graph else y.creator._unpack
            gone = [weakref.ref(thing) for thing in (y, y.creator, record, record.entries[0][0].part)]
            del y, found, record
            assert [reference() for reference in gone] == [None] * 4
    finally:
        gc.enable()


def step(w, x):
    optimizer = torch.optim.SGD([w], lr=0.1)
    w.grad = torch.ones(1)
    optimizer.step()


CHANGES = {
    "in place": lambda w, x: w.data.fill_(10),
    "through a view": lambda w, x: w.data.view(1, 1).mul_(2),
    "through a storage": lambda w, x: w.data.storage().fill_(2),
    "through numpy's memory": lambda w, x: torch.from_numpy(w.data.numpy()).zero_(),
    "other data": lambda w, x: setattr(w, "data", torch.ones(1)),
    "other memory": lambda w, x: w.data.set_(torch.ones(1)),
    "an optimizer's step": step,
    "the input": lambda w, x: x.data.fill_(10),
    "the input, by a step": lambda w, x: step(x, w),
}
PARTS = {
    "saved": lambda w: lambda a: a * w * w,
    "read and not saved": lambda w: lambda a: (a + w).tanh(),
    "read as a view": lambda w: lambda a: a * w.view(1, 1).t()[0] * a,
    "read as a constant": lambda w: lambda a: a * Variable(w.data, requires_grad=False) * w,
    "read under no_grad": lambda w: lambda a: a * torch.autograd.enable_grad()(lambda: w * 2)() * w,
}


@both_forms
@pytest.mark.parametrize("version", torch.conventions.ERAS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_variable_that_is_changed_before_backward_is_refused(change, version, reentrant, monkeypatch):
    monkeypatch.setattr(torch.conventions, "era", torch.conventions.ERAS[version])
    for part in PARTS.values():
        w, x = Variable(torch.ones(1).fill_(2), requires_grad=True), Variable(torch.ones(1), requires_grad=True)
        y = checkpoint(part(w), x * 3 if "input" not in change else x, use_reentrant=reentrant)
        CHANGES[change](w, x)
        w.grad = x.grad = None
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.backward()
        assert w._grad is None and x._grad is None


@both_forms
def test_what_is_changed_after_backward_or_was_not_read_is_of_no_matter(reentrant):
    w, other, x = variable(2), variable(3), variable(1)
    h = other * 2
    y = checkpoint(lambda a: (a * w * w).exp(), x, use_reentrant=reentrant)
    other.data.fill_(10)
    h.data.fill_(10)
    y.backward()
    expected = x.grad.tolist()
    y.backward()
    assert x.grad.tolist() == [2 * number for number in expected]  # 4 exp(4), twice
    y = checkpoint(lambda a: (a * w * h).exp(), x, use_reentrant=reentrant)
    h.data.fill_(20)
    with pytest.raises(CheckpointError, match="version 2; expected version 1"):
        y.backward()
    assert callbacks.around_call.callbacks == ()


def test_an_argument_may_get_other_data():
    x, w = variable(1), variable(2)
    y = checkpoint(lambda a, b: a * b * b, x, b=w)
    x.data = w.data = torch.DoubleTensor([10])
    y.backward()
    assert x.grad.tolist() == [4] and w.grad.tolist() == [4]


@both_forms
def test_what_the_part_itself_makes_and_writes_is_no_change(reentrant):
    norm, table = torch.nn.BatchNorm1d(2), torch.nn.Embedding(3, 2, max_norm=1)
    rows = Variable(torch.LongTensor([0, 2]))
    log = []

    def part(a):
        state = Variable(torch.DoubleTensor([[1, 1], [1, 1]]), requires_grad=False)
        with torch.autograd.no_grad():
            mean = a.mean()
        log.append((state, mean, a.detach()))
        hidden = table(rows) + a * mean * log[-1][2]
        hidden.mul_(state)
        return norm(hidden).tanh(), mean

    x = Variable(torch.DoubleTensor([[1, 2], [3, 5]]))
    first, mean = checkpoint(part, x, use_reentrant=reentrant)
    second, _ = checkpoint(part, x * 2, use_reentrant=reentrant)
    mean.data.fill_(7)  # an output is computed again
    norm.running_mean.fill_(9)
    ((first - second) ** 3).sum().backward()
    found = x.grad.tolist()
    x.grad = None
    ((part(x)[0] - part(x * 2)[0]) ** 3).sum().backward()
    numpy.testing.assert_allclose(found, x.grad.tolist(), rtol=1e-12)


def test_a_part_inside_of_a_part_that_is_changed():
    w, x = variable(2), variable(1)
    y = checkpoint(lambda a: checkpoint(lambda b: (b * w).tanh(), a * 3) * a, x)
    w.data.fill_(3)
    with pytest.raises(CheckpointError, match="modified by an inplace operation"):
        y.backward()


def test_other_threads_do_not_disturb():
    w, other, x = variable(2), variable(3), variable(1)

    def part(a):
        thread = threading.Thread(target=lambda: (other * 2).tanh())
        thread.start()
        thread.join()
        return (a * w).tanh()

    y = checkpoint(part, x)
    other.data.fill_(7)
    y.backward()
    assert x.grad.tolist() == [2 * (1 - math.tanh(2) ** 2)]
