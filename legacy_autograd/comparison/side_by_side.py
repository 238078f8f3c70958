"""`side_by_side` runs one program in legacy_autograd and in modern torch, from the same numbers."""

import copy
import os
import random as python_random
import sys
from collections.abc import Callable
from typing import Any

import numpy

from .. import conventions
from ..autograd.variable import Variable
from ..tensor import Tensor, random
from ..tensor.base import wrap
from ..tensor.dtypes import supported
from ._torch import require_torch
from .entropy import same_entropy
from .legacy_recorder import Here
from .recording import collect
from .result import Comparison


def side_by_side(
    program: Callable[..., Any] | str | os.PathLike[str],
    *inputs: Any,
    tolerance: float | None = None,
    gradient: numpy.ndarray | Tensor | None = None,
    era: str | None = None,
    most_backwards: int | None = 3,
) -> Comparison:
    """Run a program in legacy_autograd and in modern torch, and compare every value and every gradient.

    A function is called as `program(torch, Variable, *inputs)`: first with this package and its Variable, then with
    modern torch under v0.1.x's names. Its result is compared: Variables, tensors and numbers, also in tuples, lists and
    dictionaries. If it returns a Variable and did not run backward, backward is run from this Variable.

    A script runs unchanged, once for each package, in separate processes. Its operations are recorded, and at its end
    the tensors and modules among its global variables are compared.

    Random numbers are the same in both runs: torch's random functions and initial parameters use this package's
    generator, and the generators of numpy and Python start from the same state.

    Args:
        program: A function, or the path of a script.
        inputs: The function's inputs: arrays and Tensors become tensors, Variables become leaves, other objects are
            copied. For a script: its command-line arguments.
        tolerance: A difference counts if it is larger than `tolerance` times (1 + the size of the number). Default:
            1e-10 for double, 1e-4 for float.
        gradient: The gradient for a backward from the function's result. Default: ones.
        era: The conventions of a script: "0.1.12" (the default), "0.1.9", "0.1.5" or "0.1.1".
        most_backwards: How many backwards of a script are recorded. None: all.

    Returns:
        The comparison. It prints as a table and can be saved as a page.

    Raises:
        TorchMissing: If modern torch is not installed.
        TypeError: If `program` is neither a function nor a path.
        ValueError: If `era` is unknown, or differs from that of this process for a function.
        FileNotFoundError: If there is no such script.
        RuntimeError: If the script fails. Errors of a function are raised unchanged.
    """
    require_torch()
    if isinstance(program, (str, os.PathLike)):
        from .subprocess_run import run_both

        here, modern = run_both(program, inputs, era or "0.1.12", most_backwards)
        return Comparison(os.path.basename(program), here, modern, tolerance)
    if era not in (None, conventions.era.version):
        raise ValueError(
            f"side_by_side: a function cannot use era={era!r}, because this process follows "
            f"{conventions.era.version}; pass the path of a script, which has its own process"
        )
    if not callable(program):
        raise TypeError(f"side_by_side needs a function or the path of a script, got {type(program).__name__}")
    here, modern = run_twice(program, inputs, gradient)
    return Comparison(getattr(program, "__name__", "program"), here, modern, tolerance)


def run_twice(program, inputs, gradient=None):
    """Return the `Run`s of `program(torch, Variable, *inputs)` in legacy_autograd and in modern torch."""
    from .initial_state import modules_noted
    from .legacy_api import Face
    from .torch_recorder import Modern

    states = random.get_rng_state(), numpy.random.get_state(), python_random.getstate()
    here = Here()
    import legacy_autograd

    with modules_noted() as made, here.recording(), same_entropy(sys._getframe()):
        result = program(legacy_autograd, Variable, *[_here(x) for x in inputs])
        backward_if_none(here, result, gradient, _here)
    collect(here, {"result": result})

    random.set_rng_state(states[0])
    numpy.random.set_state(states[1])
    python_random.setstate(states[2])
    modern = Modern(conventions.era, made)
    face = Face(conventions.era, note=modern.note)
    with modern.recording(), same_entropy(sys._getframe()):
        result = program(face, face.autograd.Variable, *[_there(x) for x in inputs])
        backward_if_none(modern, result, gradient, _there)
    collect(modern, {"result": result})
    return here.run, modern.run


def backward_if_none(recorder, result, gradient, convert):
    """Run backward from the Variable that the program returned, if the program ran no backward itself."""
    first = result[0] if isinstance(result, (tuple, list)) and result else result
    if recorder.run.roots or not isinstance(first, recorder.kind) or not first.requires_grad:
        return
    if gradient is None:
        gradient = numpy.ones(tuple(first.size()), numpy.asarray(first.data).dtype)
    first.backward(convert(gradient))


def _here(x):
    """Return a copy of an input as an object of legacy_autograd, so that neither run changes the other's input."""
    if isinstance(x, Variable):
        return copy.deepcopy(x)
    if isinstance(x, Tensor):
        return x.clone()
    return wrap(supported(x.copy())) if isinstance(x, numpy.ndarray) else copy.deepcopy(x)


def _there(x):
    from .convert import to_torch

    moved = _here(x)
    return to_torch(moved) if isinstance(moved, (Tensor, Variable)) else moved
