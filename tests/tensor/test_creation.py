"""Functions that make tensors or join them, beside modern torch's."""

import numpy
import pytest
from steps import for_each

import legacy_autograd as torch
from legacy_autograd.tensor import creation

from .modern import INTEGERS, arrays, assert_same, both, modern

KINDS = sorted(arrays())


@pytest.fixture(autouse=True)
def doubles():
    before = modern.get_default_dtype()
    modern.set_default_dtype(modern.float64)
    yield
    modern.set_default_dtype(before)


def test_zeros_ones_eye():
    for sizes in ((3,), (2, 3), (0,), (0, 2), (1, 2, 3)):
        for name in ("zeros", "ones"):
            ours = getattr(torch, name)
            assert_same(ours(*sizes), getattr(modern, name)(*sizes))
            assert_same(ours(sizes), getattr(modern, name)(sizes))
            assert_same(ours(torch.Size(sizes)), getattr(modern, name)(sizes))
    assert_same(torch.eye(3), modern.eye(3))
    assert_same(torch.eye(2, 3), modern.eye(2, 3))
    x = torch.IntTensor([[1, 2]])
    assert torch.zeros_like(x).tolist() == [[0, 0]] and torch.ones_like(x).tolist() == [[1, 1]]
    assert torch.zeros_like(x).type() == torch.ones_like(x).type() == "torch.IntTensor"


@for_each("bounds", [(5,), (2, 5), (0, 1, 0.1), (5, 0, -2), (0,), (3, 3), (1, 2.5), (-1.5, 1, 0.5)])
def test_arange(bounds):
    assert_same(torch.arange(*bounds), modern.arange(*map(float, bounds)))
    assert torch.arange(*bounds).type() == "torch.DoubleTensor"


def test_arange_has_no_end():
    assert torch.arange(1, 10, 0.3).numel() == 30 == modern.arange(1, 10, 0.3).numel()


def test_range_includes_its_end():
    assert torch.range(1, 4).tolist() == [1, 2, 3, 4]
    assert torch.range(1, 4, 2).tolist() == [1, 3]
    assert torch.range(4, 1, -1.5).tolist() == [4, 2.5, 1]
    assert torch.range(2, 2).tolist() == [2]


def test_linspace_and_logspace():
    assert_same(torch.linspace(1, 2), modern.linspace(1, 2, 100))
    assert_same(torch.linspace(3, -2, 7), modern.linspace(3, -2, 7))
    assert_same(torch.logspace(-1, 2, 5), modern.logspace(-1, 2, 5))
    assert torch.linspace(1, 2, 0).numel() == 0 and torch.linspace(1, 2, 1).tolist() == [1]


@for_each("kind", KINDS)
def test_cat_and_stack(kind):
    x, y = both(arrays()[kind])
    a, b = both(arrays()[kind] + 1)
    for dim in range(-y.dim(), y.dim()):
        assert_same(torch.cat([x, a], dim), modern.cat([y, b], dim))
        assert_same(torch.cat((x, a, x), dim), modern.cat((y, b, y), dim))
        assert_same(
            torch.cat([x, a.narrow(dim, 0, min(1, a.size(dim)))], dim),
            modern.cat([y, b.narrow(dim, 0, min(1, b.size(dim)))], dim),
        )
    for dim in range(-y.dim() - 1, y.dim() + 1):
        assert_same(torch.stack([x, a], dim), modern.stack([y, b], dim))
    assert_same(torch.cat([x]), y)
    assert_same(torch.concat([x, a]), modern.cat([y, b]))
    assert not numpy.shares_memory(torch.cat([x]).array, x.array)


@for_each("dtype", INTEGERS)
def test_cat_keeps_the_type(dtype):
    x, y = both(numpy.array([1, 2]), dtype)
    assert_same(torch.cat([x, x]), modern.cat([y, y]))
    assert_same(torch.stack([x, x]), modern.stack([y, y]))


def test_cat_skips_empty_vectors():
    x = torch.ones(2, 3)
    assert torch.cat([torch.Tensor(), x, x], 1).size() == (2, 6)
    assert torch.cat([torch.Tensor(), torch.Tensor()]).size() == (0,)


def test_is_tensor():
    assert torch.is_tensor(torch.ones(1)) and not torch.is_tensor(numpy.ones(1))
    assert torch.isStorage(torch.ones(1).size()) and not torch.isStorage((1,))


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: torch.zeros(), TypeError, "zeros: expected sizes"),
        (lambda: torch.ones(-1), ValueError, r"ones: sizes must not be negative, got \(-1,\)"),
        (lambda: torch.ones(2, "a"), TypeError, "ones: expected integers.*str"),
        (lambda: torch.zeros(2.0), TypeError, "zeros: expected integers.*float"),
        (lambda: torch.eye(-1), ValueError, "eye: sizes must not be negative"),
        (lambda: torch.eye("a"), TypeError, "eye: .*str"),
        (lambda: torch.zeros_like([1]), TypeError, "zeros_like: expected a Tensor, got list"),
        (lambda: torch.arange(1, 5, 0), ValueError, "arange: steps of 0 do not lead from 1 to 5"),
        (lambda: torch.arange(5, 1), ValueError, "arange: steps of 1 do not lead from 5 to 1"),
        (lambda: torch.arange(float("inf")), ValueError, "arange: expected finite numbers, got inf"),
        (lambda: torch.range(1, "a"), TypeError, "range: expected numbers, got str"),
        (lambda: torch.linspace(0, "a"), TypeError, "linspace: expected numbers, got str"),
        (lambda: torch.logspace(0, float("nan")), ValueError, "logspace: expected finite numbers, got nan"),
        (lambda: torch.linspace(0, 1, 2.5), TypeError, "linspace: expected integers.*float"),
        (lambda: torch.linspace(0, 1, -1), ValueError, "linspace: the number of steps"),
        (lambda: creation.cat([]), ValueError, "cat: expected at least one Tensor"),
        (
            lambda: creation.cat(torch.ones(2)),
            TypeError,
            "cat: expected a list or tuple of Tensors, got a torch.Double",
        ),
        (lambda: creation.cat([torch.ones(2), 3]), TypeError, "cat: expected a Tensor, got int"),
        (
            lambda: creation.cat([torch.ones(2), torch.ones(2).float()]),
            TypeError,
            "cat: .*DoubleTensor and torch.FloatT",
        ),
        (
            lambda: creation.cat([torch.ones(2, 3), torch.ones(2, 4)]),
            ValueError,
            r"cat: sizes \(2, 3\), \(2, 4\) .*dimension 0",
        ),
        (
            lambda: creation.cat([torch.ones(2, 3), torch.ones(2)]),
            ValueError,
            r"cat: sizes \(2, 3\), \(2,\) do not fit",
        ),
        (lambda: creation.cat([torch.ones(2)], 1), IndexError, "cat: dimension 1 is out of range"),
        (lambda: creation.stack([torch.ones(2), torch.ones(3)]), ValueError, r"stack: sizes \(2,\), \(3,\) differ"),
        (lambda: creation.stack([torch.ones(2)], 2), IndexError, "stack: dimension 2 is out of range"),
        (lambda: creation.stack([]), ValueError, "stack: expected at least one Tensor"),
    ],
)
def test_what_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()
