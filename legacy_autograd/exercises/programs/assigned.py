"""The random programs of a check, or of the checks of several groups."""

import zlib

from .graphs import drawn
from .thresholds import programs_at


class Assigned:
    """`count` Programs that `make(graph)` writes, a graphs.Graph of these options. Their seeds follow from `name`.

    With `chosen`, of three seeds in a row one is used: the digit for each program says which. It is the one with most
    values of `DIMENSIONS` together that none before it has (tests/exercises/test_programs.py). Such programs find
    faults that show only where things meet, as a FloatTensor of four dimensions behind two Variables.
    """

    def __init__(self, name, make, count, dimensions, chosen="", **options):
        self.make, self.count, self.options = make, count, options
        self.chosen, self._dimensions = chosen, dimensions
        self._first = zlib.crc32(name.encode()) % 10**6  # of the seeds
        self._drawn = {}  # {seed: Program}

    def __call__(self, seeds=()):
        """Yield the programs of further `seeds`, then those that are assigned."""
        assigned = range(self.count)
        if self.chosen:
            assigned = [3 * number + int(self.chosen[number]) for number in assigned]
        yield from map(self._program, seeds)
        yield from (self._program(self._first + number) for number in assigned)

    def at(self, constants):
        """Yield programs at the numbers and exceptions of an answer (thresholds.constants_in)."""
        return programs_at(constants, self.make, self._dimensions, self._first, self.options)

    def _program(self, seed):
        if seed not in self._drawn:
            self._drawn[seed] = drawn(self.make, seed, self._dimensions, **self.options)
        return self._drawn[seed]
