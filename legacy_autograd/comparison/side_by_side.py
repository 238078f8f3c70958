"""`side_by_side`: one program run here and in modern torch, from the same numbers."""

import copy
import os
import random as python_random

import numpy

from .. import conventions
from ..autograd.variable import Variable
from ..tensor import Tensor, random
from ..tensor.base import wrap
from ..tensor.dtypes import supported
from ._torch import require_torch
from .legacy_recorder import Here
from .recording import collect


def side_by_side(program, *inputs, tolerance=None, gradient=None, era=None, most_backwards=3):
    """Run `program` here and in modern torch, and compare every value and every gradient. Returns a `Comparison`.

    `program` is a function `program(torch, Variable, *inputs)`, written once for both: it is given this package and
    its Variable, then modern torch behind a face that knows v0.1.x's spellings. `inputs` are given to both: numpy
    arrays and Tensors as tensors, Variables as leaves, everything else as it is. What it returns (Variables, tensors,
    numbers, also in tuples, lists and dictionaries) is compared. If it returns a Variable and did not run backward,
    backward is run from there, with `gradient` (an array or a Tensor; ones if it is left out).

    Random numbers are the same in both: torch's draws, and the first parameters of modules, are this package's.
    numpy's and Python's own generators start from one state twice.

    `program` may also be the path of a script: it runs unchanged, once in each world, in processes of their own, under
    the conventions of `era` ("0.1.12" if nothing is said), and `inputs` are its arguments. Its operations are recorded
    to the end of the backward number `most_backwards` (None: of all), and the tensors and modules among its global
    variables are compared at its end.

    A difference is an error where it is larger than `tolerance` times (1 + the size of the number): by default 1e-10 in
    double, 1e-4 in float. Raises TorchMissing without modern torch, and what the program itself raises.
    """
    require_torch()
    from .result import Comparison

    if isinstance(program, (str, os.PathLike)):
        from .subprocess_run import run_both

        here, modern = run_both(program, inputs, era or "0.1.12", most_backwards)
        return Comparison(os.path.basename(program), here, modern, tolerance)
    if era not in (None, conventions.era.version):
        raise ValueError(
            f"the conventions of {era} cannot be chosen here: this process follows {conventions.era.version}; a "
            "script, given by its path, has a process of its own"
        )
    if not callable(program):
        raise TypeError(f"side_by_side needs a function or the path of a script, got {type(program).__name__}")
    return Comparison(getattr(program, "__name__", "program"), *run_twice(program, inputs, gradient), tolerance)


def run_twice(program, inputs, gradient=None):
    """The `Run` of `program(torch, Variable, *inputs)` here, and that in modern torch."""
    from .initial_state import modules_noted
    from .legacy_api import Face
    from .torch_recorder import Modern

    states = random.get_rng_state(), numpy.random.get_state(), python_random.getstate()
    here = Here()
    import legacy_autograd

    with modules_noted() as made, here.recording():
        result = program(legacy_autograd, Variable, *[_here(x) for x in inputs])
        backward_if_none(here, result, gradient, _here)
    collect(here, {"result": result})

    random.set_rng_state(states[0])
    numpy.random.set_state(states[1])
    python_random.setstate(states[2])
    modern = Modern(conventions.era, made)
    face = Face(conventions.era, note=modern.note)
    with modern.recording():
        result = program(face, face.autograd.Variable, *[_there(x) for x in inputs])
        backward_if_none(modern, result, gradient, _there)
    collect(modern, {"result": result})
    return here.run, modern.run


def backward_if_none(recorder, result, gradient, convert):
    """Run backward from a Variable that the program returned, if it ran none itself."""
    first = result[0] if isinstance(result, (tuple, list)) and result else result
    if recorder.run.roots or not isinstance(first, recorder.kind) or not first.requires_grad:
        return
    if gradient is None:
        gradient = numpy.ones(tuple(first.size()), numpy.asarray(first.data).dtype)
    first.backward(convert(gradient))


def _here(x):
    """An input as this package's: memory of its own, so that neither run changes the other's."""
    if isinstance(x, Variable):
        return copy.deepcopy(x)
    if isinstance(x, Tensor):
        return x.clone()
    return wrap(supported(x.copy())) if isinstance(x, numpy.ndarray) else copy.deepcopy(x)


def _there(x):
    from .convert import to_torch

    moved = _here(x)
    return to_torch(moved) if isinstance(moved, (Tensor, Variable)) else moved
