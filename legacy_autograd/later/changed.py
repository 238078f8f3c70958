"""What is said when a saved tensor was written to before backward reads it (v0.1.5; the origin in the message: 1.1).

`Function.saved_tensors` compares the count of writes to each tensor with the count when it was saved. Where they
differ, the derivative would be computed from numbers that forward never saw. `complain` finds out which tensor it was,
where it came from, and whether an optimizer's step did it.
"""

import itertools
import sys
import warnings

from .. import eras
from ..function import _versions
from ..tensor.base import STEP, shown_size
from ..tensor.types import TYPE_NAMES
from .double_backward import positions_of_saved

_PACKAGE = __package__.partition(".")[0]
_STEPPED = (
    ". An optimizer's step wrote to it between this forward and its backward: run this backward before the step, or "
    "compute forward again after it"
)
_GOES_ON = (
    "was written to by an optimizer's step between this forward and its backward. v0.1.12 did not notice, and neither "
    "does this run stop: the gradient mixes numbers from before and after the step. For the right one run this "
    "backward before the step, or compute forward again after it"
)


def complain(fn):
    """Raise RuntimeError for the tensors saved by `fn` that were written to since.

    Where only an optimizer's steps did it, and the era lets that pass (eras.py), it is a warning.
    """
    now = _versions(fn._saved) or itertools.repeat(0)
    expected = fn._saved_versions or itertools.repeat(0)
    for number, (tensor, version, writes) in enumerate(zip(fn._saved, expected, now)):
        by_steps = writes != version and (writes - version) % STEP == 0
        if by_steps and not eras.era.stale_parameters_raise:
            warnings.warn(f"{_what(fn, number)} {_GOES_ON}", stacklevel=_level_outside())
        elif writes != version:
            raise RuntimeError(
                f"{_what(fn, number)} is at version {tensor._version}; expected version "
                f"{version % STEP + version // STEP} instead{_STEPPED if by_steps else ''}"
            )


def _level_outside():
    """How many frames above the caller's the first one is that is not of this package: where backward was called."""
    level, frame = 0, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    return level


def _what(fn, number):
    tensor = fn._saved[number]
    return (
        f"{fn._name}: one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"a {TYPE_NAMES[tensor.array.dtype]} of size {shown_size(tensor.array.shape)}{_origin(fn, number)}"
    )


def _origin(fn, number):
    """Where the saved tensor of that number came from."""
    position = positions_of_saved(fn)[number]
    if not isinstance(position, int):
        return ""
    source, output_nr = fn, -1 - position
    if position >= 0:
        source, arg_id = fn.previous_functions[position]
        output_nr = source.output_ids[arg_id]
    return f", which is output {output_nr} of {source._name}," if source.previous_functions else ""
