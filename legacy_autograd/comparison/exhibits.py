"""Run the programs of `legacy_autograd.historical` in modern torch, for comparison with v0.1.1 and this package."""

import types
from dataclasses import dataclass
from typing import Any

from .. import conventions, historical
from ._torch import modern_torch


def in_torch(show_both: Any) -> historical.Outcome | None:
    """Run the program of an exhibit in modern torch.

    Args:
        show_both: A function of `historical.EXHIBITS`, for example `historical.product_and_sum`.

    Returns:
        The outcome, or None if modern torch has no counterpart: the program uses a class of an operation, or a part of
        v0.1.1's nn.

    Raises:
        TorchMissing: If modern torch is not installed.
    """
    modern_torch()
    from .legacy_api import Face
    from .torch_recorder import Modern

    recorder = Modern(conventions.era)
    face = Face(conventions.era, note=recorder.note)
    nn = _Only(AbsCriterion=face.nn.AbsCriterion, SGD=face.optim.SGD)
    classes = face.autograd.Variable, face.autograd.Function
    autograd = _InTorch(recorder.run.world, *classes, functions=_Only(), nn=nn, face=face)
    with recorder.recording():
        outcome = historical.outcome_of(show_both.program, autograd)
    return None if outcome.exception == "NoCounterpart" else outcome


class NoCounterpart(Exception):
    """A name without counterpart in modern torch."""


class _Only(types.SimpleNamespace):
    def __getattr__(self, name):
        raise NoCounterpart(name)


@dataclass(frozen=True)
class _InTorch(historical.Autograd):
    face: object = None

    def tensor(self, numbers):
        return self.face.DoubleTensor(numbers)
