"""No test may leave a mode switched on, or a callback registered with the core."""

import gc

import pytest

import legacy_autograd
from legacy_autograd.autograd import Variable, callbacks
from legacy_autograd.autograd.later import anomaly_mode, grad_mode, graph

_FAILED = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


@pytest.fixture(autouse=True)
def nothing_left_behind(request):
    yield
    assert grad_mode.is_grad_enabled() and not grad_mode.is_inference_mode_enabled()
    assert not anomaly_mode.is_anomaly_enabled()
    assert not graph._pairs.stack
    if not request.node.stash[_FAILED]:  # a failed test's Variables live on in its traceback
        if _registered():  # for a Variable in a cycle of references: a test of another file may have left it
            gc.collect()
        assert _registered() == []


def _registered():
    """The callbacks after a backward: one that waited for something to be gone is removed at its next run."""
    x = Variable(legacy_autograd.DoubleTensor([1.0]))
    (x + x).backward()
    events = [event for event in vars(callbacks).values() if isinstance(event, callbacks.Event)]
    return [callback for event in events for callback in event.callbacks]
