"""The museum's programs in modern torch: the third number beside v0.1.1's and this package's."""

import types
from dataclasses import dataclass

from .. import conventions, historical
from ._torch import modern_torch


def in_torch(show_both):
    """What the program of an exhibit (`historical.product_and_sum`, for example) gives in modern torch: an `Outcome`.

    None where the program has no counterpart there: it names a class of operation, or what only v0.1.1's nn had.
    Raises TorchMissing without modern torch.
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
    """A name that modern torch has nothing for."""


class _Only(types.SimpleNamespace):
    def __getattr__(self, name):
        raise NoCounterpart(name)


@dataclass(frozen=True)
class _InTorch(historical.Autograd):
    face: object = None

    def tensor(self, numbers):
        return self.face.DoubleTensor(numbers)
