"""The second derivatives of random programs are modern torch's.

tests/properties/programs.py says how to repeat a failure.
"""

import numpy
import torch
from hypothesis import assume
from properties.operations import Ours
from properties.programs import ModernTorch, for_random_programs

from legacy_autograd import autograd
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.tensor.base import wrap


class Here(Ours):
    grad = staticmethod(autograd.grad)
    constant = staticmethod(lambda numbers: Variable(wrap(numbers), requires_grad=False))
    numbers = staticmethod(lambda gradient: gradient.data.array)


class There(ModernTorch):
    grad = staticmethod(torch.autograd.grad)
    constant = staticmethod(torch.tensor)

    @staticmethod
    def numbers(gradient):
        # A gradient of which torch knows that it is 0 has no memory that numpy could look at.
        return numpy.zeros(tuple(gradient.shape)) if gradient._is_zerotensor() else gradient.detach().numpy()


def weighted(library, values):
    """The sum of all elements of `values`, no two of which count the same."""
    total = None
    for number, value in enumerate(values):
        size = tuple(value.size())
        weights = numpy.cos(numpy.arange(numpy.prod(size, dtype=int)) + number).reshape(size)
        part = (value * library.constant(weights)).sum()
        total = part if total is None else total + part
    return total


def derivatives(library, program):
    """The first and the second derivative by each leaf; None where there is none."""
    values = program.run(library)
    leaves = [leaf for leaf in values[: len(program.leaves)] if leaf.requires_grad]
    roots = [values[number] for number in program.roots if values[number].requires_grad]
    if not leaves or not roots:
        return None
    options = {"allow_unused": True, "create_graph": True}
    first = library.grad(weighted(library, roots), leaves, **options)
    reached = [gradient for gradient in first if gradient is not None and gradient.requires_grad]
    second = library.grad(weighted(library, reached), leaves, **options) if reached else [None] * len(leaves)
    return [[None if g is None else library.numbers(g) for g in gradients] for gradients in (first, second)]


@for_random_programs(100)
def test_second_derivatives_of_random_programs_are_modern_torchs(program):
    expected = derivatives(There, program)
    assume(expected is not None)
    found = derivatives(Here, program)
    for order, gradients_here, gradients_there in zip(("first", "second"), found, expected):
        for number, (here, there) in enumerate(zip(gradients_here, gradients_there)):
            here, there = [0.0 if gradient is None else gradient for gradient in (here, there)]
            assume(numpy.isfinite(there).all() and numpy.abs(there).max(initial=0) < 1e8)
            scale = max(1.0, numpy.abs(there).max(initial=0))
            numpy.testing.assert_allclose(
                here, numpy.broadcast_to(there, numpy.shape(here)) if numpy.ndim(there) == 0 else there,
                rtol=1e-7, atol=1e-9 * scale, err_msg=f"{order} derivative by leaf {number}",
            )  # fmt: skip
