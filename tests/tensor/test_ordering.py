"""sort, topk, kthvalue, median, mode, beside modern torch's."""

import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import for_each

import legacy_autograd as torch

from .modern import arrays, assert_same, both, modern

DIMS = [(kind, dim) for kind, array in arrays().items() for dim in range(-array.ndim, array.ndim)]
ROWS = st.integers(1, 8).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from([0.0, 1.0, 2.0, -1.0, math.nan, math.inf]), min_size=n, max_size=n),
        min_size=1,
        max_size=3,
    )
)


@for_each("kind, dim", DIMS)
def test_sort_and_topk(kind, dim):
    x, y = both(arrays()[kind])
    for descending in (False, True):
        expected = tuple(modern.sort(y, dim=dim, descending=descending, stable=True))
        assert_same(x.sort(dim, descending), expected)
        for k in range(min(3, y.size(dim) + 1)):
            part = tuple(t.narrow(dim, 0, k) for t in expected)
            assert_same(x.topk(k, dim, largest=descending), part)
    with pytest.raises(ValueError, match="topk: dimension .* has fewer than 100 elements"):
        x.topk(100, dim)


@given(ROWS)
def test_rows_with_equals_and_nan(rows):
    x, y = both(numpy.array(rows))
    assert_same(x.sort(1), tuple(modern.sort(y, dim=1, stable=True)))
    assert_same(x.sort(1, True), tuple(modern.sort(y, dim=1, descending=True, stable=True)))
    # Which of several equals is found, modern torch leaves open.
    values, indices = x.median(1)
    assert_same(values, y.median(1, keepdim=True).values)
    assert_same(x.gather(1, indices), y.median(1, keepdim=True).values)
    assert_same(x.median(1, keepdim=False)[0], y.median(1).values)
    for k in range(1, len(rows[0]) + 1):
        values, indices = x.kthvalue(k, 1)
        assert_same(values, y.kthvalue(k, 1, keepdim=True).values)
        assert_same(x.gather(1, indices), y.kthvalue(k, 1, keepdim=True).values)


@given(ROWS)
def test_mode_is_the_smallest_of_the_most_frequent(rows):
    rows = numpy.nan_to_num(numpy.array(rows), posinf=3)
    x, y = both(rows)
    values, indices = x.mode(1)
    assert_same(values, y.mode(1, keepdim=True).values)
    assert_same(indices, y.mode(1, keepdim=True).indices)


def test_without_a_dimension_it_is_the_last():
    x = torch.DoubleTensor([[3, 1, 2], [9, 9, 7]])
    assert [t.tolist() for t in x.median()] == [[[2], [9]], [[2], [0]]]
    assert [t.tolist() for t in x.sort()] == [[[1, 2, 3], [7, 9, 9]], [[1, 2, 0], [2, 0, 1]]]
    assert [t.tolist() for t in x.topk(1)] == [[[3], [9]], [[0], [0]]]
    assert [t.tolist() for t in x.kthvalue(1)] == [[[1], [7]], [[1], [2]]]
    assert [t.tolist() for t in x.mode()] == [[[1], [9]], [[1], [1]]]
    assert x[0].median(keepdim=False) == (2.0, 2)


def test_what_there_is_not():
    x = torch.zeros(2, 0)
    with pytest.raises(IndexError, match="median: dimension 1 .* no elements"):
        x.median()
    with pytest.raises(IndexError, match="mode: dimension 1 .* no elements"):
        x.mode()
    for call in (
        lambda: torch.ones(2).topk(1.5),
        lambda: torch.ones(2).kthvalue(1.5),
        lambda: torch.ones(2).histc(1.5),
    ):
        with pytest.raises(TypeError, match="(topk|kthvalue|histc): expected integers, .*float"):
            call()
    for k in (0, 3):
        with pytest.raises(ValueError, match=f"kthvalue: .* has no {k}-th element"):
            torch.ones(2).kthvalue(k)
