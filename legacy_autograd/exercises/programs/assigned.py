"""The random programs of a check, or of the checks of several groups."""

import zlib

from .graphs import drawn, most_together
from .thresholds import programs_at


class Assigned:
    """`count` Programs that `make(graph)` writes, a graphs.Graph of these options. Their seeds follow from `name`.

    `tries` is how many are drawn for each that is used (graphs.most_together).
    """

    def __init__(self, name, make, count, dimensions, tries=1, **options):
        self.make, self.count, self.options = make, count, options
        self._dimensions, self._tries = dimensions, tries
        self._first = zlib.crc32(name.encode()) % 10**6  # of the seeds
        self._drawn = {}  # {seed: Program}

    def __call__(self, seeds=()):
        """Yield the programs of further `seeds`, then those that are assigned."""
        assigned = map(self._program, range(self._first, self._first + self._tries * self.count))
        yield from map(self._program, seeds)
        yield from assigned if self._tries == 1 else most_together(assigned, self._tries)

    def at(self, constants):
        """Yield programs at the numbers and exceptions of an answer (thresholds.constants_in)."""
        return programs_at(constants, self.make, self._dimensions, self._first, self.options)

    def _program(self, seed):
        if seed not in self._drawn:
            self._drawn[seed] = drawn(self.make, seed, self._dimensions, **self.options)
        return self._drawn[seed]
