"""An exhibit: one short program, v0.1.1's outcome, the correct outcome, and the reason for the difference."""

import ast
import functools
import inspect
import re
import textwrap
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import nn as fixed_nn
from .. import optim
from ..autograd import function, functions, variable
from ..tensor import DoubleTensor
from . import nn, operations
from .function import HistoricalFunction
from .variable import HalfRepairedVariable, HistoricalVariable


@dataclass(frozen=True)
class Autograd:
    """The classes of one version, which an exhibit's program gets."""

    version: str
    Variable: type
    Function: type
    functions: object  # the module of its operations
    nn: object  # its modules, criterions and optimizers

    def tensor(self, numbers):
        """Return a DoubleTensor of `numbers`, a list."""
        return DoubleTensor(numbers)

    def variable(self, numbers, requires_grad=True):
        """Return a leaf with `numbers`, a list."""
        return self.Variable(self.tensor(numbers), requires_grad=requires_grad)

    def leaves(self, *numbers):
        """Return a leaf for each number."""
        return [self.variable([float(number)]) for number in numbers]


_FIXED_NN = types.SimpleNamespace(
    Linear=fixed_nn.Linear, Sequential=fixed_nn.Sequential, AbsCriterion=fixed_nn.AbsCriterion, SGD=optim.SGD
)
FIXED = Autograd("this package", variable.Variable, function.Function, functions, _FIXED_NN)
V0_1_1 = Autograd("v0.1.1", HistoricalVariable, HistoricalFunction, operations, nn)
V0_1_2 = Autograd("v0.1.2", HalfRepairedVariable, HistoricalFunction, operations, nn)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a program: named values as nested lists, or the exception that ended it."""

    values: dict | None = None
    exception: str | None = None  # the name of its class
    message: str = ""

    def __str__(self):
        if self.exception is None:
            return ", ".join(f"{name} = {_shown(value)}" for name, value in self.values.items())
        # A KeyError of v0.1.1 contains an id, which varies between runs.
        message = "an id" if re.fullmatch(r"\d+", self.message) else self.message
        return f"{self.exception}: {message}" if message else self.exception


def outcome_of(program: Callable[[Autograd], dict[str, Any]], autograd: Autograd) -> Outcome:
    """Run `program(autograd)` and return its `Outcome`.

    Args:
        program: A function that takes an `Autograd` and returns {name: value}.
        autograd: The classes to run it with: `V0_1_1`, `V0_1_2` or `FIXED`.
    """
    try:
        values = program(autograd)
    except Exception as error:
        return Outcome(exception=type(error).__name__, message=" ".join(map(str, error.args)))
    return Outcome({name: value.tolist() if hasattr(value, "tolist") else value for name, value in values.items()})


@dataclass(frozen=True)
class Exhibit:
    """One defect: its program, the historical outcome (`then`) and the outcome in this package (`right`)."""

    id: str
    title: str
    program: str
    version: str  # the version of `then`
    then: Outcome
    right: Outcome
    reason: str
    cured: str

    def __str__(self):
        return "\n".join(
            [
                f"{self.id}  {self.title}",
                "",
                textwrap.indent(self.program, "    "),
                "",
                f"  {self.version:14}{self.then}",
                f"  {'correct':14}{self.right}",
                f"  {'why':14}" + textwrap.fill(self.reason, 104, subsequent_indent=" " * 16),
                f"  {'fixed in':14}{self.cured}",
            ]
        )


EXHIBITS: list[Callable[[], Exhibit]] = []


def exhibit(id, cured, cause="", version=V0_1_1, helpers=()):
    """Return a decorator that turns a program into a function that runs it in both versions and returns its `Exhibit`.

    The program takes an `Autograd` and returns named values. The first line of its docstring is the title; the rest,
    after `cause`, is the reason. `helpers` are functions that the program calls, and are shown with it.
    """

    def decorate(program):
        @functools.wraps(program)
        def show_both():
            title, reason, body = _parts_of(program)
            shown = "\n\n".join([*map(_source, helpers), body])
            then, right = outcome_of(program, version), outcome_of(program, FIXED)
            return Exhibit(id, title, shown, version.version, then, right, f"{cause} {reason}".lstrip(), cured)

        show_both.id = id
        show_both.program = program
        show_both.version = version
        title = (program.__doc__ or "").partition("\n")[0]  # python -OO removes docstrings
        show_both.__doc__ = f"{id}: {title}. Returns the `Exhibit`."
        EXHIBITS.append(show_both)
        return show_both

    return decorate


def _source(function):
    return textwrap.dedent(inspect.getsource(function)).rstrip()


def _parts_of(program):
    """Return title and reason from a program's docstring, and its lines without comments, which give the answer."""
    source = _source(program)
    (definition,) = ast.parse(source).body
    title, reason = ast.get_docstring(definition).split("\n\n")
    lines = source.splitlines()[definition.body[1].lineno - 1 :]
    body = textwrap.dedent("\n".join(line for line in lines if not line.lstrip().startswith("#")))
    return title, reason.replace("\n", " "), body


def _shown(value):
    if isinstance(value, list):
        return _shown(value[0]) if len(value) == 1 else f"[{', '.join(map(_shown, value))}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
