"""The programs without layers for libraries whose results have a method `backward`."""

import numpy

from . import programs


class Eager:
    """Base of the peers. A subclass says how to make a leaf and how to read its gradient."""

    def leaf(self, array, requires_grad=True):
        """Return a leaf with the numbers of `array`."""
        raise NotImplementedError

    def gradient(self, leaf):
        """Return the gradient of `leaf` as an array."""
        raise NotImplementedError

    def _gradients(self, leaves):
        return lambda: [numpy.array(self.gradient(leaf)) for leaf in leaves]

    def chain_graph(self, operations, x, c, d):
        """Return a function that builds the chain and returns its last result, whose graph is then alive."""
        x, c, d = self.leaf(x), self.leaf(c), self.leaf(d)
        return lambda: programs.chain(operations, x, c, d)

    def chain(self, operations, x, c, d):
        x, c, d = self.leaf(x), self.leaf(c), self.leaf(d)

        def step():
            programs.chain(operations, x, c, d).backward()

        return step, self._gradients([x, c, d])

    def chain_with_constants(self, operations, x, c, d):
        x = self.leaf(x)

        def step():
            programs.chain(operations, x, c, d).backward()

        return step, self._gradients([x])

    def fan_out(self, x, factors):
        x, factors = self.leaf(x), [self.leaf(factor) for factor in factors]
        zero = self.leaf(numpy.zeros(1), False)

        def step():
            programs.fan_out(x, factors, zero).backward()

        return step, self._gradients([x])

    def doubling(self, x, depth):
        x = self.leaf(x)

        def step():
            programs.doubling(x, depth).backward()

        return step, self._gradients([x])
