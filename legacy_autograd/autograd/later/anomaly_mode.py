"""`detect_anomaly` and `set_detect_anomaly` (0.4.1, July 2018): the forward call behind a failed backward.

The problem: an error in backward has a traceback that leads to the line `loss.backward()`. The line that matters is the
one in forward that called the operation, and that call is over. A nan is worse: it raises nothing, and when it is
noticed, all parameters are nan.

How the 2016 core makes room for it: a callback around every call (`callbacks.around_call`) records on the Function
where it was called. Another one around every backward (`callbacks.around_backward`) shows this place when the backward
fails or returns nan. A Function that a backward created (`create_graph`) also records the Function of that backward.
"""

import linecache
import os
import sys
import threading
import traceback
import warnings

import numpy

from .. import callbacks
from .. import function as _function
from .node_api import metadata, name

_enabled = False
_check_nan = True
_PACKAGE = os.path.dirname(os.path.dirname(callbacks.__file__)) + os.sep
_INTERNAL = {callbacks.__file__, _function.__file__, __file__}


class _Running(threading.local):
    function = None  # the Function whose backward this thread runs


_running = _Running()


def is_anomaly_enabled() -> bool:
    """Return whether anomaly mode is on."""
    return _enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether anomaly mode, when on, checks for nan."""
    return _check_nan


class set_detect_anomaly:
    """Turn anomaly mode on or off at once, for all threads; used as a context, until the context ends.

    While it is on, a backward that raises also warns with the traceback of its forward call. The last line of that
    traceback is added to the exception.

    Args:
        mode: Whether anomaly mode is on.
        check_nan: Whether a backward that returns nan raises.

    Raises:
        RuntimeError: In backward, if a gradient contains nan and `check_nan` is True.
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        global _enabled, _check_nan
        self._before = (_enabled, _check_nan)
        _register()
        _enabled, _check_nan = bool(mode), bool(check_nan)
        _rest()

    def __enter__(self):
        pass

    def __exit__(self, *exception):
        global _enabled, _check_nan
        _enabled, _check_nan = self._before
        _rest()


class detect_anomaly(set_detect_anomaly):
    """Turn anomaly mode on within this context, for all threads (see `set_detect_anomaly`).

    The constructor warns that calls become several times slower.

    Args:
        check_nan: Whether a backward that returns nan raises.
    """

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly detection is on and makes calls several times slower; use it for debugging only", stacklevel=2
        )

    def __enter__(self):
        global _enabled, _check_nan
        self._before = (_enabled, _check_nan)
        _register()
        _enabled, _check_nan = True, self.check_nan  # last, so that no interrupt comes before the body


def _register():
    for registration in _registrations:
        registration.add(_reason)


def _rest():
    if not _enabled:
        for registration in _registrations:
            registration.drop(_reason)


def _note_where(function, proceed, *variables):
    if not _enabled:
        _rest()
        return proceed(*variables)
    stack = traceback.StackSummary.extract(traceback.walk_stack(sys._getframe(1)), lookup_lines=False)
    output = proceed(*variables)
    notes = metadata(function)
    notes["traceback_"] = [frame for frame in reversed(stack) if frame.filename not in _INTERNAL]
    if _running.function is not None:
        notes["parent_"] = _running.function
    return output


def _watch(function, proceed, *gradients):
    if not _enabled:
        _rest()
        return proceed(*gradients)
    before, _running.function = _running.function, function
    try:
        grad_input = proceed(*gradients)
    except Exception as error:
        _report(function, error)
        raise
    finally:
        _running.function = before
    if _check_nan:
        for number, grad in enumerate(grad_input):
            if grad is not None and numpy.isnan(grad.array).any():
                nan_error = RuntimeError(f"Function '{name(function)}' returned nan values in its {number}th output.")
                _report(function, nan_error)
                raise nan_error
    return grad_input


def _report(function, error):
    frames = metadata(function).get("traceback_")
    if frames is None:
        warnings.warn(
            f"Error detected in {name(function)}. The place of its forward call is unknown. Turn anomaly mode on "
            "before forward too",
            stacklevel=2,
        )
        return
    text = f"Error detected in {name(function)}. Traceback of forward call that caused the error:\n{_formatted(frames)}"
    parent = metadata(function).get("parent_")
    while parent is not None:
        stack = metadata(parent).get("traceback_", ())
        text += (
            f"\n\nThis is part of the backward of {name(parent)}. Traceback of its forward call:\n{_formatted(stack)}"
        )
        parent = metadata(parent).get("parent_")
    warnings.warn(text, stacklevel=2)
    # The last line outside the package, which is one of the user's program.
    last = ([frame for frame in frames if not frame.filename.startswith(_PACKAGE)] or frames)[-1]
    line = linecache.getline(last.filename, last.lineno).strip()
    error.add_note(f'its forward call was at {last.filename}:{last.lineno}, in {last.name}: "{line}"')


def _formatted(stack):
    return "".join(traceback.format_list(stack)).rstrip() or "  (unknown)"


_registrations = (
    callbacks.WhileNeeded(callbacks.around_call, _note_where),
    callbacks.WhileNeeded(callbacks.around_backward, _watch),
)
_reason = callbacks.Reason()
