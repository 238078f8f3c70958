"""An interrupt (Ctrl+C) in a context leaves no mode on, no callback registered and no attribute replaced."""

import contextlib
import dis
import functools
import itertools
import sys
import warnings

import pytest

import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable, callbacks, fast, graph, profiler
from legacy_autograd.autograd.later import anomaly_mode, checkpoint, grad_mode
from legacy_autograd.backends import cudnn
from legacy_autograd.drawing.replaced import replaced
from legacy_autograd.drawing.trace import recording_to
from legacy_autograd.tensor import random


def state():
    """Everything that a context of the package sets for a thread or for the process."""
    for _ in range(2):
        Variable(torch.ones(2)).mul(2).sum().backward()  # a callback that is needed no more removes itself
    events = [event.callbacks for event in vars(callbacks).values() if isinstance(event, callbacks.Event)]
    modes = grad_mode.is_grad_enabled(), grad_mode.is_inference_mode_enabled()
    anomaly = anomaly_mode.is_anomaly_enabled(), anomaly_mode.is_anomaly_check_nan_enabled()
    pairs = tuple(graph._pairs.stack), graph._pairs.forbidden
    return (
        events,
        modes,
        anomaly,
        pairs,
        profiler._profilers,
        fast.walk.is_watched,
        (cudnn.enabled, cudnn.benchmark, cudnn.deterministic, cudnn.verbose),
        torch.tanh,
        random.get_rng_state().tolist(),
    )


def detect():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.autograd.detect_anomaly()


CONTEXTS = {
    "no_grad": torch.no_grad,
    "enable_grad": torch.enable_grad,
    "inference_mode": torch.inference_mode,
    "saved_tensors_hooks": lambda: graph.saved_tensors_hooks(lambda x: x, lambda x: x),
    "disable_saved_tensors_hooks": lambda: graph.disable_saved_tensors_hooks("not here"),
    "detect_anomaly": detect,
    "profile": profiler.profile,
    "cudnn.flags": cudnn.flags,
    "drawing.record": drawing.record,
    "drawing.trace_forward": drawing.trace_forward,
    "Event.within": lambda: callbacks.around_call.within(lambda function, proceed, *input: proceed(*input)),
    "replaced": lambda: replaced({(torch, "tanh"): abs, (torch, "absent"): 1}),
    "recording_to": lambda: recording_to(None),
    "the book's walk": fast.the_books_walk,
    "checkpoint's random numbers": lambda: checkpoint._random_numbers_from(random.get_rng_state()),
}


@functools.cache
def places(code):
    """The offsets of the instructions before which Python looks for a signal: the first one, and one after a call.

    The first one of `__exit__` is not listed: no Python code can prevent an interrupt there.
    """
    pairs = itertools.pairwise(dis.get_instructions(code))
    after = ("CALL", "CALL_FUNCTION_EX") if code.co_name == "__exit__" else ("CALL", "CALL_FUNCTION_EX", "RESUME")
    return {second.offset for first, second in pairs if first.opname in after}


def interrupted(make, place):
    """Enter and leave a context with an interrupt at its place number `place`; return whether it has that many.

    Generator functions restore in several steps, one call each. They are interrupted until the body begins.
    """
    left, in_body = place, False
    until_body = isinstance(make(), (contextlib._GeneratorContextManager, profiler.profile))

    def trace(frame, event, argument):
        nonlocal left
        frame.f_trace_opcodes = True
        if event == "opcode" and not (in_body and until_body) and frame.f_lasti in places(frame.f_code):
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return trace

    outer = sys.gettrace()
    try:
        sys.settrace(trace)
        with make():  # which nothing else holds
            in_body = True
            if until_body:
                sys.settrace(outer)
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(outer)
    return left <= 0


@pytest.mark.parametrize("name", CONTEXTS)
def test_everything_is_as_before(name):
    with CONTEXTS[name]():
        pass  # loads what it needs
    torch.manual_seed(0)
    before, place = state(), 1
    while interrupted(CONTEXTS[name], place):
        assert state() == before, f"after an interrupt at place {place}"
        place += 1
    assert state() == before and place > 1
