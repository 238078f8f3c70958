"""Products and factorizations, beside modern torch's."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import for_each

import legacy_autograd as torch

from .modern import FLOATING, assert_same, modern

TOLERANCE = {"float64": 1e-12, "float32": 1e-5}
SIZES = [(1, 1, 1), (2, 3, 4), (5, 1, 3), (1, 7, 1), (0, 3, 2), (3, 0, 2), (2, 3, 0), (40, 50, 60)]


def pair(*shape, dtype="float64", seed=0, layout="plain"):
    array = numpy.random.default_rng(seed).normal(size=shape).astype(dtype)
    if layout == "transposed":
        array = numpy.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)
    if layout == "stepped":
        wide = numpy.zeros((*shape[:-1], 2 * shape[-1]), dtype)
        wide[..., ::2] = array
        array = wide[..., ::2]
    return torch.from_numpy(array), modern.from_numpy(array)


@pytest.mark.parametrize("n, k, m", SIZES)
@for_each("dtype", FLOATING)
@for_each("layout", ["plain", "transposed", "stepped"])
def test_products(n, k, m, layout, dtype):
    rtol = TOLERANCE[dtype]
    a, p = pair(n, k, dtype=dtype, layout=layout)
    b, q = pair(k, m, dtype=dtype, layout=layout, seed=1)
    v, w = pair(k, dtype=dtype, seed=2)
    assert_same(a.mm(b), p.mm(q), rtol)
    assert_same(a @ b, p @ q, rtol)
    assert_same(a.mv(v), p.mv(w), rtol)
    assert_same(a.matmul(v), p.matmul(w), rtol)
    assert_same(v.matmul(b), w.matmul(q), rtol)
    assert_same(v.dot(v), w.dot(w), rtol)
    assert_same(v @ v, w @ w, rtol)
    assert_same(v.ger(v), w.outer(w), rtol)
    c, r = pair(3, n, k, dtype=dtype, layout=layout, seed=3)
    d, s = pair(3, k, m, dtype=dtype, layout=layout, seed=4)
    assert_same(c.bmm(d), r.bmm(s), rtol)
    assert_same(c.matmul(b), r.matmul(q), rtol)
    assert_same(c.matmul(v), r.matmul(w), rtol)
    assert_same(a.matmul(d), p.matmul(s), rtol)
    assert_same(v.matmul(d), w.matmul(s), rtol)


@given(
    st.lists(st.integers(1, 3), max_size=2), st.lists(st.booleans(), max_size=2), st.lists(st.booleans(), max_size=2)
)
def test_batches_broadcast(batch, left_ones, right_ones):
    left = [1 if one else n for n, one in zip(batch, left_ones)] + batch[len(left_ones) :]
    right = [1 if one else n for n, one in zip(batch, right_ones)] + batch[len(right_ones) :]
    a, p = pair(*left, 2, 3)
    b, q = pair(*right[len(right) // 2 :], 3, 4, seed=1)
    assert_same(a.matmul(b), p.matmul(q))


@for_each("layout", ["plain", "transposed", "stepped"])
def test_dot_of_more_dimensions_counts_the_elements_row_by_row(layout):
    a, p = pair(2, 3, 4, layout=layout)
    b, q = pair(6, 4, layout=layout, seed=1)
    assert_same(a.dot(b), p.reshape(-1).dot(q.reshape(-1)))
    # 1*1 + 2*3 + 3*2 + 4*4, since the transposed one is read by its own rows
    x = torch.Tensor([[1, 2], [3, 4]])
    assert torch.dot(x, x.t()) == 29 and type(x.dot(x)) is float


def test_products_of_integers_stay_integers():
    x = torch.LongTensor([[1, 2], [3, 4]])
    assert x.mm(x).tolist() == [[7, 10], [15, 22]] and x.mm(x).type() == "torch.LongTensor"
    assert x[0].dot(x[1]) == 11 and type(x[0].dot(x[1])) is int


@for_each("layout", ["plain", "transposed"])
def test_sums_of_products(layout):
    m, n = pair(2, 4, layout=layout, seed=5)
    a, p = pair(2, 3, layout=layout)
    b, q = pair(3, 4, layout=layout, seed=1)
    c, r = pair(5, 2, 3, seed=2)
    d, s = pair(5, 3, 4, seed=3)
    e, t = pair(5, 2, 4, seed=4)
    u, f = pair(2, seed=6)
    v, g = pair(3, seed=7)
    w, h = pair(4, seed=8)
    cases = {
        "addmm": (m, (a, b), n, (p, q)),
        "addmv": (u, (a, v), f, (p, g)),
        "addr": (m, (u, w), n, (f, h)),
        "addbmm": (m, (c, d), n, (r, s)),
        "baddbmm": (e, (c, d), t, (r, s)),
    }
    for name, (x, factors, y, others) in cases.items():
        method = getattr(x, name)
        function = getattr(torch, name)
        theirs = getattr(y, name)
        assert_same(method(*factors), theirs(*others))
        assert_same(method(0.5, *factors), theirs(*others, beta=0.5))
        assert_same(method(0.5, 2, *factors), theirs(*others, beta=0.5, alpha=2))
        assert_same(method(*factors, beta=0.5, alpha=2), theirs(*others, beta=0.5, alpha=2))
        assert_same(function(x, *factors), theirs(*others))
        assert_same(function(0.5, x, *factors), theirs(*others, beta=0.5))
        assert_same(function(x, 2, *factors), theirs(*others, alpha=2))
        assert_same(function(0.5, x, 2, *factors), theirs(*others, beta=0.5, alpha=2))
        assert_same(function(0, x * float("nan"), 1, *factors), theirs(*others, beta=0))
        changed = x.clone()
        assert getattr(changed, f"{name}_")(0.5, 2, *factors) is changed and changed._version == 1
        assert_same(changed, theirs(*others, beta=0.5, alpha=2))
    assert_same(w.addmm(a, b), h.addmm(p, q))
    assert_same(
        torch.LongTensor([[1]]).addmm(2, 3, torch.LongTensor([[2]]), torch.LongTensor([[5]])), modern.tensor([[32]])
    )


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda x: x.mm(x), ValueError, r"mm: expected two matrices.* sizes \(2, 3\) and \(2, 3\)"),
        (lambda x: x.mm(x[0]), ValueError, r"mm: .* sizes \(2, 3\) and \(3,\)"),
        (lambda x: x.mm(x.t().float()), TypeError, "mm: .*DoubleTensor and torch.FloatTensor"),
        (lambda x: x.mm(2), TypeError, "mm: expected a torch.DoubleTensor, got int"),
        (lambda x: x @ 2, TypeError, "matmul: expected a torch.DoubleTensor, got int"),
        (lambda x: x.mv(x[:, 0]), ValueError, r"mv: .* sizes \(2, 3\) and \(2,\)"),
        (lambda x: x[0].dot(x[:, 0]), ValueError, r"dot: .* sizes \(3,\) and \(2,\)"),
        (lambda x: x.dot(x[0]), ValueError, r"dot: .* as many elements.* sizes \(2, 3\) and \(3,\)"),
        (lambda x: x.ger(x[0]), ValueError, r"ger: .* sizes \(2, 3\) and \(3,\)"),
        (lambda x: x.bmm(x), ValueError, r"bmm: .* sizes \(2, 3\) and \(2, 3\)"),
        (lambda x: x[None].bmm(x[None]), ValueError, r"bmm: .* sizes \(1, 2, 3\) and \(1, 2, 3\)"),
        (lambda x: x.matmul(x), ValueError, r"matmul: .* sizes \(2, 3\) and \(2, 3\)"),
        (
            lambda x: x.expand(2, 2, 3).matmul(torch.zeros(4, 3, 2)),
            ValueError,
            r"matmul: .* sizes \(2, 2, 3\) and \(4, 3, 2\)",
        ),
        (lambda x: x.addmm(x, x.t()), ValueError, r"addmm: a product of size \(2, 2\) cannot be added to .*\(2, 3\)"),
        (lambda x: x[:1].clone().addmm_(x, x.t()), ValueError, r"addmm: a product of size \(2, 2\) cannot be added"),
        (lambda x: x[:1, :2].clone().addmm_(x, x.t()), ValueError, r"addmm_: sizes \(1, 2\) and \(2, 2\) do not fit"),
        (
            lambda x: x.addmm(0, 1, x, x.t()),
            ValueError,
            r"addmm: a product of size \(2, 2\) cannot be added to .*\(2, 3\)",
        ),
        (lambda x: x.addmm(x), TypeError, r"addmm: expected \(tensor, tensor\)"),
        (lambda x: x.addmm(1, 2, 3, x, x), TypeError, "addmm: expected"),
        (lambda x: x.addmm("a", x, x.t()), TypeError, "addmm: .*number, got str|cannot be added"),
        (
            lambda x: x.inverse(),
            ValueError,
            r"inverse: expected a square matrix, got a torch.DoubleTensor of size \(2, 3\)",
        ),
        (lambda x: x[0].inverse(), ValueError, "inverse: expected a matrix"),
        (lambda x: torch.zeros(2, 2).inverse(), RuntimeError, r"inverse: no result for a matrix of size \(2, 2\)"),
        (lambda x: (-torch.eye(2)).potrf(), RuntimeError, "potrf: no result"),
        (lambda x: torch.eye(2).half().inverse(), TypeError, "inverse: expected a FloatTensor or DoubleTensor"),
        (lambda x: torch.eye(2).long().inverse(), ValueError, "inverse: expected a matrix of floating-point numbers"),
        (lambda x: x.gesv(torch.eye(3)), ValueError, r"gesv: .* sizes \(3, 3\) and \(2, 3\)"),
        (lambda x: x.gesv(torch.eye(2).float()), TypeError, "gesv: .*different types"),
        (lambda x: x.gesv(2), ValueError, "gesv: expected a matrix .*int"),
    ],
)
def test_what_does_not_multiply(call, error, words):
    with pytest.raises(error, match=words):
        call(torch.zeros(2, 3))
