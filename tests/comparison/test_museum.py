"""The exhibits of the museum beside modern torch."""

import pytest

pytest.importorskip("torch", reason="the comparison needs modern torch")

from legacy_autograd import historical  # noqa: E402
from legacy_autograd.comparison import in_torch  # noqa: E402

NO_COUNTERPART = {
    "a_count_that_never_falls", "a_full_index", "a_function_called_twice", "a_creator_named_by_hand",
    "a_sequential_without_names",
}  # fmt: skip
OTHERWISE = {
    # modern torch does not see what is written through .data, this package does
    "data_changed_in_between": {"x.grad": [20]},
    "data_of_another_size": {"x.grad": [9]},  # it adds up what no longer fits
}


@pytest.mark.parametrize("show_both", historical.EXHIBITS, ids=lambda exhibit: exhibit.__name__)
def test_torch_gives_the_right_number(show_both):
    outcome, exhibit = in_torch(show_both), show_both()
    name = show_both.__name__
    if name in NO_COUNTERPART:
        assert outcome is None
    elif name in OTHERWISE:
        assert outcome.values == OTHERWISE[name]
    elif exhibit.right.exception is not None:
        assert outcome.exception is not None
    else:
        assert outcome.exception is None, outcome
        for key, value in exhibit.right.values.items():
            flat = [value] if not isinstance(value, list) else value
            theirs = outcome.values[key]
            theirs = [theirs] if not isinstance(theirs, list) else theirs
            assert theirs == (pytest.approx(flat) if not isinstance(flat[0], list) else flat)
