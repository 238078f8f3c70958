"""Every Function of the package can be differentiated twice: gradgradcheck over the table in tests/functions.

That table is complete, which a test there sees to. It holds every Function to its first derivative.
"""

import numpy
import pytest
from functions.table import all_cases

from legacy_autograd.later.gradcheck import gradgradcheck
from legacy_autograd.tensor.base import wrap
from legacy_autograd.variable import Variable


def spread_out(array):
    """The same numbers with gaps between them."""
    wide = numpy.zeros([2 * size for size in array.shape] + [2], array.dtype)
    view = wide[(*[slice(None, None, 2)] * array.ndim, 1)]
    view[...] = array
    return view


@pytest.mark.parametrize("case", [case for case in all_cases() if case.numerical], ids=str)
def test_second_derivative(case):
    for layout in (numpy.ascontiguousarray, numpy.asfortranarray, spread_out)[: 1 if case.contiguous else 3]:
        variables = [Variable(wrap(layout(a)), requires_grad=a.dtype.kind == "f") for a in case.arrays()]
        if any([output.requires_grad for output in case.call(*variables)]):
            fast = layout is not numpy.ascontiguousarray
            assert gradgradcheck(case.call, variables, atol=1e-4, fast_mode=fast), layout.__name__
