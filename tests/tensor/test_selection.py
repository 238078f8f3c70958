"""The methods that take an index tensor or a mask, beside modern torch's."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import for_each

import legacy_autograd as torch

from .modern import FLOATING, INTEGERS, arrays, assert_same, both, modern

KINDS = [kind for kind, array in arrays().items() if array.size]
DIMS = [(kind, dim) for kind in KINDS for dim in range(-arrays()[kind].ndim, arrays()[kind].ndim)]


def indices(high, *shape, seed=0):
    return both(numpy.random.default_rng(seed).integers(0, high, shape))


@for_each("kind, dim", DIMS)
def test_along_a_dimension(kind, dim):
    x, y = both(arrays()[kind])
    length = y.size(dim)
    i, j = indices(length, 3)
    assert_same(x.index_select(dim, i), y.index_select(dim, j))
    assert_same(x.index_fill(dim, i, 2.5), y.index_fill(dim, j, 2.5))
    a, b = both(numpy.random.default_rng(1).random(y.index_select(dim, j).shape))
    assert_same(x.index_add(dim, i, a), y.index_add(dim, j, b))
    assert_same(x.clone().index_add_(dim, i, a), y.index_add(dim, j, b))
    once = numpy.random.default_rng(0).permutation(length)
    i, j = both(once)
    a, b = both(numpy.random.default_rng(1).random(y.shape))
    assert_same(x.index_copy(dim, i, a), y.index_copy(dim, j, b))
    none = torch.LongTensor()
    assert_same(x.index_select(dim, none), y.index_select(dim, modern.tensor([], dtype=modern.int64)))


@pytest.mark.parametrize("dtype", FLOATING + INTEGERS)
@for_each("kind, dim", DIMS)
def test_element_by_element(kind, dim, dtype):
    x, y = both(arrays()[kind], dtype)
    length = y.size(dim)
    for shape in (y.shape, [5 if d == dim % y.dim() else max(n - 1, 1) for d, n in enumerate(y.shape)]):
        i, j = indices(length, *shape)
        assert_same(x.gather(dim, i), y.gather(dim, j))
        a, b = both(numpy.arange(float(numpy.prod(shape))).reshape(shape), dtype)
        assert_same(x.scatter_add(dim, i, a), y.scatter_add(dim, j, b))
        assert_same(x.clone().scatter_add_(dim, i, a), y.scatter_add(dim, j, b))
        assert_same(x.scatter(dim, i, 3), y.scatter(dim, j, 3))
        # Without repetitions, because which write counts is left open.
        order = numpy.argsort(numpy.random.default_rng(0).random(y.shape), dim)
        i, j = both(order)
        a, b = both(numpy.arange(float(y.numel())).reshape(y.shape), dtype)
        assert_same(x.scatter(dim, i, a), y.scatter(dim, j, b))
        assert_same(x.clone().scatter_(dim, i, a), y.scatter(dim, j, b))


def test_gather_and_scatter_of_nothing():
    x = torch.ones(2, 3)
    assert x.gather(1, torch.LongTensor(2, 0)).size() == (2, 0)
    assert x.scatter_(1, torch.LongTensor(2, 0), 5).sum() == 6
    assert x.gather(0, torch.LongTensor(0, 3)).size() == (0, 3)


@pytest.mark.parametrize("dtype", FLOATING + INTEGERS)
@for_each("kind", KINDS)
def test_masks(kind, dtype):
    x, y = both(arrays()[kind], dtype)
    a, b = both((numpy.random.default_rng(0).random(y.shape) > 0.5).astype("uint8") * 2)
    mask = b.bool()
    assert_same(x.masked_select(a), y.masked_select(mask))
    assert_same(x.masked_fill(a, 3), y.masked_fill(mask, 3))
    source, expected_source = both(numpy.arange(100.0, 100 + y.numel()), dtype)
    for form in (x.masked_scatter, x.masked_copy, x.clone().masked_scatter_, x.clone().masked_copy_):
        assert_same(form(a, source), y.masked_scatter(mask, expected_source))
    filled = x.clone()
    assert filled.masked_fill_(a, 3) is filled and filled._version == 1
    assert_same(filled, y.masked_fill(mask, 3))


def test_masks_broadcast():
    x, y = both(arrays()["matrix"])
    for shape in ((4,), (3, 1), (1, 1)):
        a, b = both((numpy.random.default_rng(0).random(shape) > 0.3).astype("uint8"))
        assert_same(x.masked_fill(a, 3), y.masked_fill(b.bool(), 3))
        assert_same(x.masked_select(a), y.masked_select(b.bool()))
    a, b = both((numpy.random.default_rng(0).random((2, 3, 4)) > 0.3).astype("uint8"))
    assert_same(x.masked_select(a), y.masked_select(b.bool()))
    with pytest.raises(ValueError, match=r"masked_fill_: sizes \(3, 4\) and \(2, 3, 4\)"):
        x.masked_fill_(a, 1)


@given(st.lists(st.integers(-12, 11), max_size=6))
def test_take(places):
    x, y = both(arrays()["transposed"])
    i, j = both(numpy.array(places, int).reshape(-1, 1))
    assert_same(x.take(i), y.take(j))


X = torch.zeros(2, 3)
INDEX, MASK = torch.LongTensor([0]), torch.ByteTensor(2, 3)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (
            lambda: X.index_select(0, torch.LongTensor([2])),
            IndexError,
            "index_select: index 2 .* dimension 0 of size 2",
        ),
        (
            lambda: X.index_select(1, torch.LongTensor([-1])),
            IndexError,
            "index_select: index -1 .* dimension 1 of size 3",
        ),
        (lambda: X.index_select(2, INDEX), IndexError, "index_select: dimension 2 is out of range"),
        (lambda: X.index_select(0, INDEX.int()), TypeError, "index_select: expected a LongTensor .*IntTensor"),
        (lambda: X.index_select(0, INDEX.view(1, 1)), TypeError, r"index_select: .* one dimension .*size \(1, 1\)"),
        (lambda: X.index_select(0, [0]), TypeError, "index_select: expected a LongTensor .*list"),
        (lambda: X.index_fill_(0, torch.LongTensor([5]), 1), IndexError, "index_fill_: index 5"),
        (lambda: X.index_fill_(0, INDEX, "a"), TypeError, "index_fill_: .*number, got str"),
        (
            lambda: X.index_copy_(0, INDEX, torch.ones(2, 3)),
            ValueError,
            r"index_copy_: 1 indices .*size \(1, 3\), got \(2, 3\)",
        ),
        (lambda: X.index_add_(0, INDEX, torch.ones(1, 2)), ValueError, r"index_add_: .*size \(1, 3\), got \(1, 2\)"),
        (lambda: X.index_add_(0, torch.LongTensor([2]), torch.ones(1, 3)), IndexError, "index_add_: index 2"),
        (lambda: X.index_add_(0, INDEX, torch.ones(1, 3).float()), TypeError, "index_add_: .*FloatTensor"),
        (lambda: X.gather(0, torch.LongTensor([[2]])), IndexError, "gather: index 2 .* dimension 0 of size 2"),
        (lambda: X.gather(1, torch.LongTensor([[-1]])), IndexError, "gather: index -1 .* dimension 1 of size 3"),
        (
            lambda: X.gather(0, torch.LongTensor(1, 4)),
            ValueError,
            r"gather: an index of size \(1, 4\) does not fit .*\(2, 3\)",
        ),
        (lambda: X.gather(0, INDEX), ValueError, r"gather: an index of size \(1,\) does not fit"),
        (lambda: X.gather(0, torch.zeros(1, 1)), TypeError, "gather: expected a LongTensor .*DoubleTensor"),
        (lambda: X.scatter_(0, torch.LongTensor([[2]]), 1), IndexError, "scatter_: index 2"),
        (
            lambda: X.scatter_(1, torch.LongTensor(2, 3), torch.ones(1, 3)),
            ValueError,
            r"scatter_: .*\(2, 3\) .*got \(1, 3\)",
        ),
        (lambda: X.scatter_(1, torch.LongTensor(2, 3), "a"), TypeError, "scatter_: .*number, got str"),
        (lambda: X.scatter_add_(1, torch.LongTensor(2, 3), torch.ones(2, 3).float()), TypeError, "scatter_add_"),
        (lambda: X.take(torch.LongTensor([6])), IndexError, "take: index 6 is out of range for elements of size 6"),
        (lambda: X.take(torch.LongTensor([-7])), IndexError, "take: index -7"),
        (lambda: X.take([0]), TypeError, "take: expected a LongTensor .*list"),
        (
            lambda: X.masked_select(X),
            TypeError,
            r"masked_select: expected a ByteTensor .*DoubleTensor of size \(2, 3\)",
        ),
        (lambda: X.masked_select(torch.ByteTensor(4)), ValueError, r"masked_select: sizes \(2, 3\) and \(4,\)"),
        (lambda: X.masked_fill_(MASK, None), TypeError, "masked_fill_: .*number, got NoneType"),
        (
            lambda: X.masked_scatter_(MASK + 1, torch.ones(5)),
            ValueError,
            "masked_scatter_: the mask selects 6 .* only 5",
        ),
        (lambda: X.masked_scatter_(MASK, torch.ones(5).float()), TypeError, "masked_scatter_: .*FloatTensor"),
    ],
)
def test_what_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()
    assert X.sum() == 0 and X._version == 0


def test_repeated_indices_add_up():
    x = torch.zeros(2)
    assert x.index_add_(0, torch.LongTensor([1, 1, 0]), torch.DoubleTensor([1, 2, 4])).tolist() == [4, 3]
    assert x.scatter_add_(0, torch.LongTensor([0, 0]), torch.DoubleTensor([1, 1])).tolist() == [6, 3]
    assert x._version == 2


def test_writes_go_through_views():
    x = torch.zeros(3, 4)
    x.t().index_fill_(0, torch.LongTensor([1]), 1)
    x[1:, ::2].masked_fill_(torch.ByteTensor([[1, 0], [0, 1]]), 2)
    x.t().scatter_(1, torch.LongTensor([[2]]), 5)
    assert x.tolist() == [[0, 1, 0, 0], [2, 1, 0, 0], [5, 1, 2, 0]] and x._version == 3
