"""Programs of different kinds agree with modern torch in every value and gradient."""

import pytest

pytest.importorskip("torch", reason="the comparison needs modern torch")

from legacy_autograd.comparison import side_by_side  # noqa: E402

from .programs import PROGRAMS  # noqa: E402


def test_there_are_thirty():
    assert len(PROGRAMS) >= 30


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_modern_torch(name):
    function, inputs = PROGRAMS[name]
    comparison = side_by_side(function, *inputs, tolerance=1e-10)
    assert comparison.agrees, str(comparison)
    assert comparison.first_difference is None
    assert any(row.gradient is not None for row in comparison.rows)
    unmatched = [row for row in comparison.rows if not (row.here and row.there)]
    assert not unmatched, str(comparison)
