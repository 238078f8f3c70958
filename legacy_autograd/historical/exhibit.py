"""An exhibit: one short program, what v0.1.1 made of it, what is right, and why they differ."""

import ast
import functools
import inspect
import re
import textwrap
import types
from dataclasses import dataclass

from .. import nn as mended_nn
from .. import optim
from ..autograd import function, functions, variable
from ..tensor import DoubleTensor
from . import nn, operations
from .function import HistoricalFunction
from .variable import HalfRepairedVariable, HistoricalVariable

EXHIBITS: list = []


@dataclass(frozen=True)
class Autograd:
    """What a program of the museum is given: the classes of one version."""

    version: str
    Variable: type
    Function: type
    functions: object  # the module of its operations
    nn: object  # its modules, criterions and optimizers

    def tensor(self, numbers):
        """A DoubleTensor of `numbers`, a list."""
        return DoubleTensor(numbers)

    def variable(self, numbers, requires_grad=True):
        """A leaf that holds `numbers`, a list."""
        return self.Variable(self.tensor(numbers), requires_grad=requires_grad)

    def leaves(self, *numbers):
        """For each number a leaf that holds it."""
        return [self.variable([float(number)]) for number in numbers]


_MENDED_NN = types.SimpleNamespace(
    Linear=mended_nn.Linear, Sequential=mended_nn.Sequential, AbsCriterion=mended_nn.AbsCriterion, SGD=optim.SGD
)
MENDED = Autograd("this package", variable.Variable, function.Function, functions, _MENDED_NN)
V0_1_1 = Autograd("v0.1.1", HistoricalVariable, HistoricalFunction, operations, nn)
V0_1_2 = Autograd("v0.1.2", HalfRepairedVariable, HistoricalFunction, operations, nn)


@dataclass(frozen=True)
class Outcome:
    """What a program gave: named values as nested lists, or the exception that ended it."""

    values: dict | None = None
    exception: str | None = None  # the name of its class
    message: str = ""

    def __str__(self):
        if self.exception is None:
            return ", ".join(f"{name} = {_shown(value)}" for name, value in self.values.items())
        # A KeyError of v0.1.1 names an id, which is another one every time.
        message = "an id" if re.fullmatch(r"\d+", self.message) else self.message
        return f"{self.exception}: {message}" if message else self.exception


def outcome_of(program, autograd):
    """Run `program(autograd)` and say what came of it."""
    try:
        values = program(autograd)
    except Exception as error:
        return Outcome(exception=type(error).__name__, message=" ".join(map(str, error.args)))
    return Outcome({name: value.tolist() if hasattr(value, "tolist") else value for name, value in values.items()})


@dataclass(frozen=True)
class Exhibit:
    """One defect: its program, what came of it then (`then`) and what comes of it in this package (`right`)."""

    id: str
    title: str
    program: str
    version: str  # where `then` was seen
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
                f"  {'right':14}{self.right}",
                f"  {'why':14}" + textwrap.fill(self.reason, 104, subsequent_indent=" " * 16),
                f"  {'cured in':14}{self.cured}",
            ]
        )


def exhibit(id, cured, cause="", version=V0_1_1, helpers=()):
    """Make of a program a function that exhibits it: called, it runs the program in both versions.

    The program takes an `Autograd` and returns named values. The first line of its docstring is the title, the rest the
    reason, which `cause` begins. `helpers` are functions that it calls, shown with it.
    """

    def decorate(program):
        @functools.wraps(program)
        def show_both():
            title, reason, body = _parts_of(program)
            shown = "\n\n".join([*map(_source, helpers), body])
            then, right = outcome_of(program, version), outcome_of(program, MENDED)
            return Exhibit(id, title, shown, version.version, then, right, f"{cause} {reason}".lstrip(), cured)

        show_both.id = id
        show_both.program = program
        show_both.version = version
        title = (program.__doc__ or "").partition("\n")[0]  # python -OO leaves no docstrings
        show_both.__doc__ = f"{id}: {title}. Returns the `Exhibit`."
        EXHIBITS.append(show_both)
        return show_both

    return decorate


def _source(function):
    return textwrap.dedent(inspect.getsource(function)).rstrip()


def _parts_of(program):
    """The title and the reason in a program's docstring, and its lines without comments, which tell the answer."""
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
