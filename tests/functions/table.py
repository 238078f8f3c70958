"""The table that holds every Function to its derivative: one or more cases for each, from the files table_*.py.

A case says how the Function is made and called, and what modern torch computes in its place. `test_table.py` runs
every case in several ways, each of them a step of the Function's test. A new Function needs cases in the list CASES of
its family's table_*.py, and nothing else; a class that only shares code between Functions, and is never called itself,
is named in the set BASES there.
"""

import functools
import importlib
import pathlib
import zlib
from dataclasses import dataclass, field

import numpy


@dataclass
class Case:
    """`function(*constants, **named)(*inputs)`, and `reference(*inputs)`, the same with modern torch's tensors.

    `inputs` are what the functions below make. `contiguous` says that the Function needs its inputs contiguous (View):
    such a case skips the step with inputs that are not. `numerical=False` leaves out the numerical derivative: for a
    Function that has jumps, and no derivative there.
    """

    function: type
    reference: object
    inputs: tuple
    constants: tuple = ()
    named: dict = field(default_factory=dict)
    contiguous: bool = False
    numerical: bool = True
    note: str = ""

    def __str__(self):
        sizes = " ".join(["x".join(map(str, array.shape)) for array in self.arrays()])
        constants = ", ".join([*map(_shown, self.constants), *[f"{k}={_shown(v)}" for k, v in self.named.items()]])
        return f"{self.function.__name__}({constants})-{sizes}{'-' if self.note else ''}{self.note}"

    def arrays(self):
        """The inputs as fresh arrays, the same ones each time."""
        rng = numpy.random.default_rng(zlib.crc32(self.function.__name__.encode()))
        return [make(rng) for make in self.inputs]

    def call(self, *variables):
        """The outputs, as a tuple of Variables."""
        return self.function(*self.constants, **self.named)(*variables)

    def expected(self, *tensors):
        """The outputs of modern torch, as a tuple."""
        outputs = self.reference(*tensors)
        return tuple(outputs) if isinstance(outputs, (tuple, list)) else (outputs,)


def _shown(constant):
    plain = constant is None or isinstance(constant, (int, float, str, tuple, list))
    return repr(constant) if plain else type(constant).__name__


def cases(function, reference, *many_inputs, **options):
    """A case for each of `many_inputs`, which are tuples of inputs (or single ones)."""
    rows = [inputs if isinstance(inputs, tuple) else (inputs,) for inputs in many_inputs]
    return [Case(function, reference, inputs, **options) for inputs in rows]


# --- inputs


def real(*size, low=-2.0, high=2.0, away_from=()):
    """Numbers between `low` and `high`, none of them close to one of `away_from`, where a Function has a kink."""

    def make(rng):
        array = rng.uniform(low, high, size)
        for kink in away_from:
            array = numpy.where(abs(array - kink) < 0.05, kink + 0.1, array)
        return array

    return make


def positive(*size):
    return real(*size, low=0.3, high=3.0)


def distinct(*size):
    """Numbers that are well apart, in any order: a small step does not change which is the largest."""

    def make(rng):
        count = int(numpy.prod(size))
        return ((rng.permutation(count) - count // 2) * 0.37 + 0.11).reshape(size)

    return make


def given(array):
    """These numbers."""
    return lambda rng: numpy.array(array, dtype=numpy.float64)


def index(array):
    """An index: a LongTensor, for which there is no gradient."""
    return lambda rng: numpy.array(array, dtype=numpy.int64)


def mask(array):
    """A mask: a ByteTensor, for which there is no gradient."""
    return lambda rng: numpy.array(array, dtype=numpy.uint8)


# A size for every habit of numpy that a Function could stumble over.
SIZES = ((3, 4), (5,), (1,), (2, 1, 3), (0,), (0, 3))
# Two operands that are broadcast, or not.
PAIRS = (
    ((3, 4), (3, 4)),
    ((5,), (5,)),
    ((3, 4), (4,)),
    ((4,), (3, 4)),
    ((2, 1, 4), (3, 1)),
    ((1,), (2, 3)),
    ((2, 3), (1, 1)),
    ((1,), (1,)),
    ((0, 3), (3,)),
    ((2, 0), (1, 1)),
)


@functools.cache
def _tables():
    paths = sorted(pathlib.Path(__file__).parent.glob("table_*.py"))
    return [importlib.import_module(f".{path.stem}", __package__) for path in paths]


def all_cases():
    """The cases of every table_*.py beside this file."""
    return [case for table in _tables() for case in table.CASES]


def cases_by_function(wanted=lambda case: True):
    """{name of a Function: its cases}, as far as they are `wanted`."""
    found = {}
    for case in all_cases():
        if wanted(case):
            found.setdefault(case.function.__name__, []).append(case)
    return found


def all_bases():
    """The names of the classes that need no case."""
    return {name for table in _tables() for name in getattr(table, "BASES", ())}
