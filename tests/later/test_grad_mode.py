"""no_grad and its sisters: what each does to results, contexts and decorators, threads, exceptions."""

import threading

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, callbacks
from legacy_autograd.autograd.later.grad_mode import recording

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


def modes(t):
    """{name: a context}; the default mode needs none, and has `enable_grad`, which changes nothing in it."""
    torch = t.torch
    return {
        "default": torch.enable_grad(),
        "no_grad": torch.no_grad(),
        "inference": torch.inference_mode(),
        "inference(False)": torch.inference_mode(False),
    }


def test_the_table_of_the_modes():
    """The articles' table: whether an operation is recorded, and the possible uses of its result."""

    def program(t):
        table = {}
        for name, mode in modes(t).items():
            x, w = t.variable([1.0, 2.0]), t.variable([3.0, 4.0])
            with mode:
                y = x * w
                made = t.variable([5.0, 6.0])
            table[name] = {
                "recorded": y.requires_grad,
                "leaf": y.is_leaf,
                "grad_fn": y.grad_fn is not None,
                "inference": y.is_inference(),
                "made by hand requires grad": made.requires_grad,
                "used without being saved": t.raised(lambda w=w, y=y: (w + y).sum().backward()),
                "saved for backward": t.raised(lambda w=w, y=y: w * y),
                "cloned and saved": t.raised(lambda w=w, y=y: w * y.clone()),
                "changed in place": t.raised(lambda y=y: y.add_(1)),
                "requires_grad_": t.raised(lambda y=y: y.requires_grad_()),
            }
        return table

    table = same(program)
    assert table["default"]["recorded"] and not table["no_grad"]["recorded"] and not table["inference"]["recorded"]
    assert table["no_grad"]["saved for backward"] is None
    assert table["inference"]["saved for backward"] == table["inference"]["changed in place"] == "RuntimeError"


def test_nesting():
    def program(t):
        torch, x, seen = t.torch, t.variable([1.0]), []

        def look():
            seen.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled(), (x * 2).requires_grad))

        with torch.no_grad():
            look()
            with torch.enable_grad():
                look()
                with torch.no_grad():
                    look()
                look()
            look()
            with torch.set_grad_enabled(True):
                look()
        look()
        with torch.inference_mode():
            look()
            with torch.inference_mode(False):
                look()
            with torch.enable_grad():
                look()
            look()
        look()
        return seen

    same(program)


def test_set_grad_enabled_at_once():
    def program(t):
        torch, x, seen = t.torch, t.variable([1.0]), []
        torch.set_grad_enabled(False)
        seen.append((x * 2).requires_grad)
        torch.set_grad_enabled(True)
        seen.append((x * 2).requires_grad)
        context = torch.set_grad_enabled(False)
        seen.append(torch.is_grad_enabled())
        with context:
            seen.append(torch.is_grad_enabled())
        seen.append(torch.is_grad_enabled())

        @torch.set_grad_enabled(False)
        def decorated():
            return torch.is_grad_enabled()

        return [*seen, torch.is_grad_enabled(), decorated(), decorated(), torch.is_grad_enabled()]

    same(program)


def test_decorators():
    def program(t):
        torch, x = t.torch, t.variable([1.0])

        @torch.no_grad()
        def with_parentheses(y):
            return y * 2

        @torch.no_grad
        def without(y):
            "doc"
            return y * 2

        @torch.enable_grad()
        def on(y):
            return y * 2

        @torch.inference_mode
        def inference(y):
            return y * 2

        @torch.inference_mode(mode=False)
        def no_inference(y):
            return y * 2

        @torch.no_grad()
        def recursive(n):
            return [torch.is_grad_enabled(), *(recursive(n - 1) if n else [])]

        answers = [f(x).requires_grad for f in (with_parentheses, without, on, inference, no_inference)]
        with torch.no_grad():
            answers += [f(x).requires_grad for f in (with_parentheses, without, on, inference, no_inference)]
        return [answers, without.__name__, without.__doc__, recursive(3), inference(x).is_inference()]

    same(program)


def test_generators_have_the_mode_and_their_callers_do_not():
    def program(t):
        torch, seen = t.torch, []

        @torch.no_grad()
        def numbers():
            try:
                seen.append(("start", torch.is_grad_enabled()))
                got = yield torch.is_grad_enabled()
                seen.append((got, torch.is_grad_enabled()))
                try:
                    yield torch.is_grad_enabled()
                except KeyError:
                    seen.append(("thrown", torch.is_grad_enabled()))
                yield 3
            finally:
                seen.append(("end", torch.is_grad_enabled()))
            return 4

        generator = numbers()
        seen.append((next(generator), torch.is_grad_enabled()))
        seen.append((generator.send("sent"), torch.is_grad_enabled()))
        seen.append((generator.throw(KeyError("k")), torch.is_grad_enabled()))
        try:
            next(generator)
        except StopIteration as stop:
            seen.append((stop.value, torch.is_grad_enabled()))
        closed = numbers()
        next(closed)
        closed.close()
        seen.append(torch.is_grad_enabled())
        return seen

    same(program)


def test_an_exception_restores_the_mode():
    def program(t):
        torch, seen = t.torch, []
        for mode in (torch.no_grad, torch.inference_mode, lambda: torch.set_grad_enabled(False)):
            try:
                with mode():
                    raise ValueError
            except ValueError:
                seen.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled()))

        @torch.no_grad()
        def fails():
            raise ValueError

        return [*seen, t.raised(fails), torch.is_grad_enabled()]

    same(program)


def test_a_failing_function_leaves_the_mode_alone():
    class Fails(Function):
        def forward(self, x):
            raise ValueError("no")

    x = variable(1.0)
    with torch.no_grad():
        with pytest.raises(ValueError, match="no"):
            Fails()(x)
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad


def test_threads_have_modes_of_their_own():
    inside, done = threading.Barrier(2, timeout=60), []
    x = variable(1.0, 2.0)

    def without():
        with torch.no_grad():
            inside.wait()
            done.append(("without", [(x * x).requires_grad for _ in range(200)]))
            inside.wait()

    def with_():
        inside.wait()
        done.append(("with", [(x * x).requires_grad for _ in range(200)]))
        inside.wait()

    threads = [threading.Thread(target=target) for target in (without, with_)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(done) == [("with", [True] * 200), ("without", [False] * 200)]


@pytest.mark.parametrize("kind", ["function", "generator"])
def test_threads_that_call_one_decorated_function_at_once_get_their_own_modes_back(kind):
    """The first enters before and leaves before the second, which has another mode outside."""
    entered, entered_too, left, seen = threading.Event(), threading.Event(), threading.Event(), []

    def wait(is_first):
        (entered if is_first else entered_too).set()
        return (entered_too if is_first else left).wait(60)

    @torch.no_grad()
    def function(is_first):
        return wait(is_first)

    @torch.no_grad()
    def generator(is_first):
        yield wait(is_first)

    def call(is_first):
        seen.append(function(is_first) if kind == "function" else next(generator(is_first)))
        seen.append(torch.is_grad_enabled())
        left.set()

    first = threading.Thread(target=call, args=(True,))
    first.start()
    seen.append(entered.wait(60))
    with torch.set_grad_enabled(False):
        call(False)
    first.join(60)
    # `entered`; what the first waited for, and its mode; the same of the second
    assert seen == [True, True, True, True, False]


def test_a_thread_that_ends_within_a_mode_leaves_nothing():
    thread = threading.Thread(target=lambda: torch.set_grad_enabled(False))
    thread.start()
    thread.join(60)
    x = variable(1.0)
    assert (x * 2).requires_grad and (x * 2).requires_grad
    assert callbacks.around_call.callbacks == ()


def test_nobody_listens_after_a_mode():
    x = variable(1.0)
    with torch.no_grad():
        assert len(callbacks.around_call.callbacks) == 1
        y = x * 2
    assert callbacks.around_call.callbacks == ()
    assert (x * y).requires_grad


def test_nothing_is_kept_without_recording():
    x = variable(1.0, 2.0)
    function = torch.autograd.functions.Exp()
    with torch.no_grad():
        (y,) = function(x)
    assert function.previous_functions == [] and function._saved == () and not function.requires_grad
    assert y.creator is not function
    with pytest.raises(RuntimeError, match="called before"):
        function(x)


def test_several_outputs_and_those_that_are_not_differentiable():
    x = variable(3.0, 1.0, 2.0)
    with torch.no_grad():
        values, index = x.max(0)
        parts = x.split(1)
    assert not any(v.requires_grad for v in (values, index, *parts)) and index.data.tolist() == [0]


def test_a_view_of_an_inference_result_is_one():
    x = variable(1.0, 2.0)
    with torch.inference_mode():
        y = x * 2
    assert y.view(2, 1).is_inference() and y[0:1].is_inference() and y.detach().is_inference()
    assert not y.clone().is_inference() and not (y + 1).is_inference()
    assert (y.clone() * x).requires_grad


def test_messages():
    x = variable(1.0)
    with torch.inference_mode():
        y = x * 2
    with pytest.raises(RuntimeError, match=r"Mul: a Variable computed in inference_mode cannot be saved .* clone\(\)"):
        x * y
    with pytest.raises(TypeError, match="no_grad decorates functions, got <class"):
        torch.no_grad()(int)


def test_gradients_computed_within_no_grad():
    """Backward itself is no call that a mode could leave out."""

    def program(t):
        x = t.variable([1.0, 2.0])
        y = (x * x * x).sum()
        with t.torch.no_grad():
            y.backward(retain_graph=True)
            (recorded,) = t.autograd.grad(y, x, create_graph=True)
            enabled = t.torch.is_grad_enabled()
        return x.grad, recorded, recorded.requires_grad, enabled

    same(program)
    assert recording()
