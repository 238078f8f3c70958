"""record(): notes while it is on, keeps nothing alive, leaves nothing behind."""

import gc
import weakref

import pytest

from legacy_autograd import drawing
from legacy_autograd.autograd import callbacks
from legacy_autograd.drawing.recording import record_of

from .graphs import variable


def test_outputs_are_held_weakly():
    x = variable(1.0)
    with drawing.record():
        middle = x.exp()
        loss = middle.sin()
    record = record_of(middle.creator)
    assert record.outputs[0]() is middle
    function, middle = middle.creator, None
    assert record_of(function).outputs[0]() is None
    assert "v2_0" in drawing.make_dot(loss).source


def test_a_recorded_graph_goes_when_its_last_reference_goes():
    gc.disable()
    try:
        with drawing.record():
            x = variable(1.0)
            loss = (x * 2).exp()
        gone = [weakref.ref(loss.creator), weakref.ref(x)]
        del loss, x
        assert [reference() for reference in gone] == [None, None]
    finally:
        gc.enable()


def test_nothing_listens_afterwards_also_when_nested_or_after_an_error():
    before = (callbacks.around_call.callbacks, callbacks.around_module.callbacks)
    with drawing.record():
        with drawing.record():
            assert len(callbacks.around_call.callbacks) == len(before[0]) + 1
        assert record_of((variable(1.0) * 2).creator) is not None
    with pytest.raises(ZeroDivisionError):
        with drawing.record():
            1 / 0  # noqa: B018
    assert (callbacks.around_call.callbacks, callbacks.around_module.callbacks) == before
    assert record_of((variable(1.0) * 2).creator) is None
