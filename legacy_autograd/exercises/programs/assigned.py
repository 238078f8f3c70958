"""The random programs of a check, or of the checks of several groups."""

import zlib

from .chosen import CHOSEN
from .graphs import drawn
from .thresholds import programs_at


class Assigned:
    """`count` Programs that `make(graph)` writes, a graphs.Graph of these options. Their seeds follow from `name`.

    Of those that chosen.py has, one of three is used.
    """

    def __init__(self, name, make, count, dimensions, **options):
        self.make, self.count, self.options = make, count, options
        self.chosen, self._dimensions = CHOSEN.get(name), dimensions
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
