"""Anomaly mode: the line of forward whose backward failed."""

import gc
import warnings
import weakref

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, callbacks, detect_anomaly, grad, set_detect_anomaly

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


class Fails(Function):
    def forward(self, x):
        return x.clone()

    def backward(self, gradient):
        raise ZeroDivisionError("in backward")


def a_line_of_the_program(x):
    return Fails()(x)[0] * 2


def warned(run):
    """(the exception that `run` raises, all warnings as one text)"""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(Exception) as raised:  # noqa: B017, PT011
            run()
    return raised.value, "\n".join([str(warning.message) for warning in caught])


def test_a_failing_backward_shows_where_it_was_called():
    x = variable(1.0)
    with set_detect_anomaly(True):
        y = a_line_of_the_program(x)
        error, text = warned(y.backward)
    assert isinstance(error, ZeroDivisionError)
    assert "Error detected in FailsBackward. Traceback of forward call that caused the error:" in text
    assert "in a_line_of_the_program\n    return Fails()(x)[0] * 2" in text
    assert text.index("in test_a_failing") < text.index("in a_line")  # the innermost last, as in every traceback
    assert 'in a_line_of_the_program: "return Fails()(x)[0] * 2"' in error.__notes__[0]


def test_nan_raises():
    def program(t):
        x = t.variable([-1.0, 4.0])

        def run(check_nan):
            with t.autograd.set_detect_anomaly(True, check_nan=check_nan):
                y = x.sqrt()
                y.sum().backward()

        def message():
            try:
                run(True)
            except RuntimeError as error:
                return str(error).replace("Backward0", "Backward")

        return message(), t.raised(run, True), t.raised(run, False)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        message, *_ = same(program)
    assert message == "Function 'SqrtBackward' returned nan values in its 0th output."


def test_the_line_of_a_nan():
    def my_layer(v):
        return v.sqrt()

    with set_detect_anomaly(True):
        y = my_layer(variable(-1.0))
        error, text = warned(y.backward)
    assert "Error detected in SqrtBackward" in text and "return v.sqrt()" in text
    assert error.__notes__[0].endswith('in my_layer: "return v.sqrt()"')  # not a line of the package itself


def test_forward_outside_of_the_mode():
    y = a_line_of_the_program(variable(1.0))
    with set_detect_anomaly(True):
        error, text = warned(y.backward)
    assert isinstance(error, ZeroDivisionError) and "The place of its forward call is unknown" in text


def test_the_backward_that_made_a_function():
    def program_line(x):
        return x.sin()

    with set_detect_anomaly(True):
        x = variable(0.5)
        (first,) = grad(program_line(x).sum(), x, create_graph=True)
        first.creator.backward = lambda *gradients: 1 / 0
        error, text = warned(first.backward)
    assert isinstance(error, ZeroDivisionError)
    assert "Error detected in MulBackward" in text
    assert "This is part of the backward of SinBackward. Traceback of its forward call:" in text
    assert "in program_line\n    return x.sin()" in text


def test_switching():
    def program(t):
        torch, states = t.torch, []

        def look():
            states.append((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))

        look()
        with t.autograd.set_detect_anomaly(True, check_nan=False):
            look()
            with t.autograd.set_detect_anomaly(False):
                look()
            look()
            with t.autograd.detect_anomaly():
                look()
            look()
        look()
        t.autograd.set_detect_anomaly(True)
        look()
        t.autograd.set_detect_anomaly(False)
        look()
        try:
            with t.autograd.set_detect_anomaly(True):
                raise ValueError
        except ValueError:
            look()
        return states

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(program)
    assert callbacks.around_call.callbacks == callbacks.around_backward.callbacks == ()


def test_detect_anomaly_warns_that_it_is_slow():
    with pytest.warns(UserWarning, match="Anomaly detection is on"):
        detect_anomaly()


def test_gradients_are_the_same():
    def gradients():
        x = variable(*numpy.linspace(0.1, 1, 5))
        (first,) = grad((x.sin() * x).exp().sum(), x, create_graph=True)
        first.sum().backward()
        return x.grad.tolist()

    expected = gradients()
    with set_detect_anomaly(True):
        assert gradients() == expected


def test_nothing_stays_behind():
    gc.disable()
    try:
        with set_detect_anomaly(True):
            x = variable(0.5)
            y = (x * x).sin()
            (first,) = grad(y, x, create_graph=True)
            gone = [weakref.ref(y.creator), weakref.ref(first.creator)]
            del y, first
            assert [reference() for reference in gone] == [None, None]
    finally:
        gc.enable()
