"""The shipped data are what their sources say: NIST's certified values come out of the Norris file."""

import numpy
import pytest

from legacy_autograd.demos import datasets


def test_norris_gives_the_values_that_nist_certifies():
    x, y = datasets.load_norris()
    assert x.shape == y.shape == (36,)
    assert x.dtype == y.dtype == numpy.float64
    design = numpy.stack([numpy.ones_like(x), x], axis=1)
    coefficients, (residual_sum_of_squares,), _, _ = numpy.linalg.lstsq(design, y, rcond=None)
    assert coefficients == pytest.approx([-0.262323073774029, 1.00211681802045], rel=1e-12)
    # NIST also certifies the standard deviation of the residuals, which a swapped pair of rows would not change
    # but a mistyped digit in any of them would.
    assert numpy.sqrt(residual_sum_of_squares / 34) == pytest.approx(0.884796396144373, rel=1e-12)


def test_norris_arrays_are_the_callers_own():
    x, _ = datasets.load_norris()
    x[:] = 0
    assert datasets.load_norris()[0].any()
