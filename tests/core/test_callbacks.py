"""The callbacks of the core (callbacks.py): their order, how they come and go, and where the core calls them."""

import gc
import threading

import pytest

import legacy_autograd
from legacy_autograd import nn
from legacy_autograd.autograd import Function, Variable, callbacks
from legacy_autograd.autograd.callbacks import Event, Reason, WhileNeeded


@pytest.fixture
def event():
    return Event()


def noting(name, notes):
    def callback(subject, proceed, *arguments):
        notes.append(f"{name} begins")
        result = proceed(*arguments)
        notes.append(f"{name} ends")
        return result

    return callback


def one(subject, proceed, *arguments):
    return proceed(*arguments)


def two(subject, proceed, *arguments):
    return proceed(*arguments)


# --- Event


def test_the_newest_callback_runs_outermost_and_innermost_runs_inside_all(event):
    notes = []
    for name, innermost in (("first", False), ("second", False), ("inner", True), ("third", False), ("core", True)):
        event.register(noting(name, notes), innermost)
    event.run(None, lambda: notes.append("call"), ())
    names = ["third", "second", "first", "inner", "core"]
    begins, ends = [f"{name} begins" for name in names], [f"{name} ends" for name in reversed(names)]
    assert notes == [*begins, "call", *ends]


def test_run_without_callbacks_is_the_call(event):
    assert event.run("subject", lambda *arguments: arguments, (1, 2)) == (1, 2)


def test_a_callback_gets_the_subject_and_may_change_arguments_and_result(event):
    event.register(lambda subject, proceed, a, b: (subject, *proceed(b, a)))
    event.register(lambda subject, proceed, a, b: proceed(a, b + 1))
    assert event.run("subject", lambda *arguments: arguments, (1, 2)) == ("subject", 3, 1)


def test_a_callback_may_make_no_call_or_several(event):
    calls = []
    with event.within(lambda subject, proceed: None):
        event.run(None, lambda: calls.append(0), ())
    assert calls == []
    with event.within(lambda subject, proceed: [proceed(), proceed()]):
        assert event.run(None, lambda: len(calls), ()) == [0, 0]


def test_an_exception_leaves_run(event):
    event.register(one)
    with pytest.raises(ZeroDivisionError):
        event.run(None, lambda: 1 / 0, ())
    assert event.callbacks == (one,)


def test_a_change_during_a_run_applies_to_the_next(event):
    notes = []

    def replaces_itself(subject, proceed):
        event.remove(replaces_itself)
        event.register(noting("new", notes))
        return proceed()

    event.register(noting("old", notes))
    event.register(replaces_itself)
    event.run(None, list, ())
    assert notes == ["old begins", "old ends"]
    event.run(None, list, ())
    assert notes[2:] == ["new begins", "old begins", "old ends", "new ends"]


def test_notify_calls_the_newest_first(event):
    notes = []
    event.register(lambda subject: notes.append(("first", subject)))
    event.register(lambda subject: notes.append(("second", subject)))
    event.register(lambda subject: notes.append(("inner", subject)), innermost=True)
    event.notify("root")
    assert notes == [("second", "root"), ("first", "root"), ("inner", "root")]


def test_remove_takes_the_outermost_of_equal_callbacks(event):
    for callback in (one, two, one):
        event.register(callback)
    event.remove(one)
    assert event.callbacks == (two, one)
    event.remove(one)
    assert event.callbacks == (two,)
    with pytest.raises(ValueError):
        event.remove(one)
    assert event.callbacks == (two,)


def test_a_bound_method_is_removed_by_an_equal_one(event):
    notes = []
    assert notes.append is not notes.append
    event.register(notes.append)
    event.remove(notes.append)
    assert event.callbacks == ()


# --- Event.within


@pytest.mark.parametrize("error", [None, ValueError, KeyboardInterrupt, GeneratorExit])
def test_within_registers_for_the_block(event, error):
    notes = []
    event.register(noting("before", notes))
    before = event.callbacks
    try:
        with event.within(noting("within", notes)):
            event.run(None, list, ())
            if error:
                raise error
    except BaseException as raised:
        assert type(raised) is error
    assert event.callbacks == before and notes[:2] == ["within begins", "before begins"]


def test_within_innermost(event):
    notes = []
    event.register(noting("before", notes))
    with event.within(noting("within", notes), innermost=True):
        event.run(None, list, ())
    assert notes[:2] == ["before begins", "within begins"]


def test_an_interrupt_while_within_registers_leaves_nothing(event, monkeypatch):
    def interrupted(*arguments):
        Event.register(event, *arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(event, "register", interrupted)
    with pytest.raises(KeyboardInterrupt), event.within(one):
        raise AssertionError("the body must not run")
    assert event.callbacks == ()


def test_an_interrupt_before_within_registers_leaves_an_equal_callback(event, monkeypatch):
    """It may be that of another thread."""

    def interrupted(*arguments):
        raise KeyboardInterrupt

    with event.within(one):
        before = event.callbacks
        with monkeypatch.context() as patch:
            patch.setattr(event, "register", interrupted)
            with pytest.raises(KeyboardInterrupt), event.within(one):
                raise AssertionError("the body must not run")
        assert event.callbacks == before
    assert event.callbacks == ()


def test_within_removes_its_own_of_equal_callbacks(event):
    notes = []
    callback = noting("equal", notes)
    with event.within(callback), event.within(noting("between", notes), innermost=True):
        with event.within(callback, innermost=True):
            pass
        event.run(None, list, ())
    assert notes[:2] == ["equal begins", "between begins"]


# --- WhileNeeded


def test_a_callback_is_registered_once_for_all_reasons(event):
    needed, first, second = WhileNeeded(event, one), Reason(), Reason()
    needed.add(first)
    needed.add(second)
    needed.add(second)
    assert event.callbacks == (one,)
    needed.drop(first)
    assert event.callbacks == (one,)
    needed.drop(second)
    assert event.callbacks == ()
    needed.drop(second)  # again: nothing happens
    needed.add(first)
    assert event.callbacks == (one,)


def test_the_callback_of_a_dead_reason_removes_itself(event):
    runs = []

    def callback(subject, proceed):
        runs.append(subject)
        needed.rest()
        return proceed()

    needed, first, second = WhileNeeded(event, callback), Reason(), Reason()
    needed.add(first)
    needed.add(second)
    del first
    gc.collect()
    event.run(1, list, ())
    assert event.callbacks == (callback,)
    del second
    gc.collect()
    event.run(2, list, ())
    assert event.callbacks == ()
    event.run(3, list, ())
    assert runs == [1, 2]


def test_a_reason_that_cannot_be_referred_to_weakly(event):
    with pytest.raises(TypeError):
        WhileNeeded(event, one).add(1)
    assert event.callbacks == ()


def test_rest_leaves_the_callbacks_of_others(event):
    event.register(two)
    needed, reason = WhileNeeded(event, one), Reason()
    needed.rest()
    needed.add(reason)
    needed.drop(reason)
    assert event.callbacks == (two,)


# --- threads


def meanwhile(action):
    """Start a thread that does `action`, give it time to reach a lock, and return it."""
    thread = threading.Thread(target=action)
    thread.start()
    thread.join(0.05)
    return thread


@pytest.mark.parametrize("change", ["register", "remove", "add", "drop"])
def test_a_change_waits_for_the_lock(event, change):
    needed, reason = WhileNeeded(event, two), Reason()
    event.register(one)
    if change == "drop":
        needed.add(reason)
    before = event.callbacks
    action = {
        "register": lambda: event.register(two),
        "remove": lambda: event.remove(one),
        "add": lambda: needed.add(reason),
        "drop": lambda: needed.drop(reason),
    }[change]
    with callbacks.lock:
        thread = meanwhile(action)
        assert event.callbacks == before
    thread.join(60)
    assert event.callbacks == {"register": (two, one), "remove": (), "add": (two, one), "drop": (one,)}[change]


def test_two_threads_that_add_the_first_reason_register_the_callback_once(event):
    needed, reasons = WhileNeeded(event, one), [Reason(), Reason()]
    with callbacks.lock:
        threads = [meanwhile(lambda reason=reason: needed.add(reason)) for reason in reasons]
    for thread in threads:
        thread.join(60)
    assert event.callbacks == (one,)


def test_a_reason_that_is_added_while_another_thread_rests(event):
    needed, reason = WhileNeeded(event, one), Reason()
    event.register(one)
    with callbacks.lock:
        thread = meanwhile(needed.rest)  # there is no reason yet
        needed.add(reason)
    thread.join(60)
    assert event.callbacks == (one,)


def test_the_lock_is_reentrant():
    """The garbage collector may end a reason while the same thread holds the lock."""
    with callbacks.lock:
        entered = callbacks.lock.acquire(blocking=False)
        assert entered
        callbacks.lock.release()


# --- the events of the core


class Double(Function):
    def forward(self, x):
        return x * 2

    def backward(self, grad):
        return grad * 2


@pytest.fixture
def notes():
    """What each event of the core calls its callbacks with, in order."""
    notes = []

    def around(name):
        def callback(subject, proceed, *arguments):
            notes.append((name, subject, arguments))
            return proceed(*arguments)

        return callback

    def ended(root):
        notes.append(("backward_ended", root, ()))

    names = ("around_call", "around_backward", "around_module", "around_accumulate")
    registered = [(getattr(callbacks, name), around(name)) for name in names] + [(callbacks.backward_ended, ended)]
    for event, callback in registered:
        event.register(callback)
    yield notes
    for event, callback in registered:
        event.remove(callback)


def test_the_core_calls_each_event_as_the_table_says(notes):
    class Doubling(nn.Module):
        def forward(self, x):
            return Double()(x)[0]

    x, module = Variable(legacy_autograd.ones(1), requires_grad=True), Doubling()
    y = module(x)
    y.backward(legacy_autograd.Tensor([3]))
    double, leaf = y.creator, x.creator
    assert [note[:2] for note in notes] == [
        ("around_module", module),
        ("around_call", double),
        ("around_backward", double),
        ("around_backward", leaf),
        ("around_accumulate", leaf),
        ("backward_ended", double),
    ]
    arguments = [note[2] for note in notes]
    assert arguments[0][0] is x and arguments[1][0] is x and arguments[4][0] is x
    assert [len(each) for each in arguments] == [1, 1, 1, 1, 2, 0]
    assert [each[-1].tolist() for each in arguments[2:5]] == [[3], [6], [6]]


def test_a_backward_that_fails_has_not_ended(notes):
    (y,) = Double()(Variable(legacy_autograd.ones(1), requires_grad=True))
    with callbacks.around_accumulate.within(lambda leaf, proceed, variable, grad: 1 / 0):
        with pytest.raises(ZeroDivisionError):
            y.backward()
    assert "backward_ended" not in [name for name, *_ in notes]
