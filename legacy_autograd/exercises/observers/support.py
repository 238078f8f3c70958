"""Helpers for the probes of several exercises."""

import contextlib
import sys
import traceback

from ...autograd.variable import Variable
from ...tensor import Tensor
from ...utils.hooks import RemovableHandle
from ..programs.running import Run, described, variables_in


@contextlib.contextmanager
def replaced(owner, name, value):
    """Replace an attribute of a class in the block."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def engine(instance):
    """Let `instance` run every backward in the block."""
    return replaced(Variable, "_execution_engine", instance)


@contextlib.contextmanager
def no_deeper():
    """Keep the usual limit of recursion in the block: what asks for a higher one does not get it."""
    set_limit, before = sys.setrecursionlimit, sys.getrecursionlimit()
    set_limit(1000 + sum(1 for _ in traceback.walk_stack(None)))
    try:
        with replaced(sys, "setrecursionlimit", lambda limit: None):
            yield
    finally:
        set_limit(before)


def used(answer, names, lines):
    """Return those of the student's `names` that the lines of a program call."""
    return {name: getattr(answer, name) for name in names if f"{name}(" in " ".join(lines)}


class Strict(Run):
    """A Run that notes a write into a Tensor of the lines or into the data of a Variable.

    What the lines have made is seen as well if it is no Variable or Function, in whatever form.
    """

    def __init__(self, names, watch=True):
        super().__init__(names, watch)
        self._looked_at = {}  # {name: its value}

    def look(self, names):
        for name in names:
            value = self.names.get(name)
            if self._looked_at.get(name) is value:
                continue
            self._looked_at[name] = value
            self.hold(name, value)
            for of, variable in variables_in(name, value):
                self.hold(f"the data of {of}", variable.data)
                if self._watches:
                    self.watch(of, variable.creator)

    def at_the_end(self):
        variables = {name.partition("[")[0] for name, _ in self.variables()}
        found = {key: value for key, value in super().at_the_end().items() if not key.startswith("writes into")}
        for name, value in self.made():
            if name not in variables and not callable(value) and not isinstance(value, (Tensor, RemovableHandle)):
                found[name] = described(value)
        return found
