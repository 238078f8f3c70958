"""LAPACK's functions beside modern torch's, and the names, flags and results of v0.1.x."""

import numpy
import pytest
import torch as modern
from steps import for_each

import legacy_autograd as torch

from .modern import FLOATING, assert_same, both


def pair(*size, dtype="float64", seed=0):
    return both(numpy.random.default_rng(seed).standard_normal(size), dtype)


def close(x, y, rtol=1e-10):
    numpy.testing.assert_allclose(x.array, y.array, rtol=rtol, atol=rtol)
    assert x.type() == y.type()


@for_each("dtype", FLOATING)
def test_factorizations(dtype):
    a, p = pair(4, 4, dtype=dtype)
    b, q = pair(4, 2, dtype=dtype, seed=1)
    wide, _ = pair(3, 5, dtype=dtype, seed=2)
    rtol = 1e-3 if dtype == "float32" else 1e-10

    eye = torch.eye(4).type(a.type())
    close(a.inverse() @ a, eye, rtol)
    assert_same(b.gesv(a)[0], modern.linalg.solve(p, q), rtol)
    assert_same(b.gesv(a)[1], modern.linalg.lu_factor(p).LU, rtol)
    symmetric = a @ a.t()
    close(symmetric.potrf().t() @ symmetric.potrf(), symmetric, rtol)
    close(symmetric.potrf(upper=False), symmetric.potrf().t(), rtol)
    close(symmetric.triu().potrf(), symmetric.potrf(), rtol)
    close(symmetric.tril().potrf(upper=False), symmetric.potrf(upper=False), rtol)
    assert symmetric.potrf().tril(-1).eq(0).all()
    for matrix in (a, wide, wide.t()):
        orthogonal, upper = matrix.qr()
        close(orthogonal @ upper, matrix, rtol)
        assert upper.tril(-1).eq(0).all()
        u, s, v = matrix.svd()
        close(u @ s.diag() @ v.t(), matrix, rtol)
        u, s, v = matrix.svd(some=False)
        assert u.size(0) == u.size(1) and v.size(0) == v.size(1)
    values, columns = a.eig(eigenvectors=True)
    expected, vectors = modern.linalg.eig(p)
    assert_same(values, modern.view_as_real(expected), rtol)
    assert (expected.imag != 0).any() and (expected.imag == 0).any()
    for j, value in enumerate(expected):
        if dtype == "float64":  # in single precision the sign is left to rounding
            assert_same(columns[:, j], -vectors[:, j].imag if value.imag < 0 else vectors[:, j].real, rtol)
        real, imaginary = columns[:, j], columns[:, j] * 0
        if value.imag > 0:
            imaginary = columns[:, j + 1]
        if value.imag < 0:
            real, imaginary = columns[:, j - 1], -columns[:, j]
        # a (x + iy) = (v + iw) (x + iy)
        close(a.mv(real), real * value.real.item() - imaginary * value.imag.item(), rtol)
        close(a.mv(imaginary), imaginary * value.real.item() + real * value.imag.item(), rtol)
    assert a.eig()[1].numel() == 0
    values, vectors = symmetric.symeig(eigenvectors=True)
    close(vectors @ values.diag() @ vectors.t(), symmetric, rtol)
    close(symmetric.triu().symeig()[0], values, rtol)
    close(symmetric.tril().symeig(upper=False)[0], values, rtol)
    assert symmetric.symeig()[1].numel() == 0


def test_the_eigenvalue_of_one_number_is_that_number():
    one = torch.DoubleTensor([[3]])
    for values, vectors, expected in ((*one.eig(), [[3, 0]]), (*one.symeig(), [3])):
        assert values.tolist() == expected and vectors.numel() == 0


RIGHT_SIDES = [(4,), (4, 1), (4, 3)]


@for_each("size", RIGHT_SIDES)
@for_each("upper", [True, False])
def test_systems_of_triangular_matrices(size, upper):
    a, p = pair(4, 4)
    b, q = pair(*size, seed=1)
    q = q.reshape(4, -1)
    for transpose in (False, True):
        for ones in (False, True):
            x, copy = b.trtrs(a, upper, transpose, ones)
            triangle = p.triu() if upper else p.tril()
            expected = modern.linalg.solve_triangular(
                triangle.T if transpose else triangle, q, upper=upper != transpose, unitriangular=ones
            )
            assert_same(x, expected, 1e-8)
            letters = ["NU"[upper].replace("N", "L"), "NT"[transpose], "NU"[ones]]
            close(torch.trtrs(b, a, *letters)[0], x)
            close(copy, a)
    assert b.gesv(a)[0].size() == (4, q.shape[1])


@for_each("size", RIGHT_SIDES)
@for_each("upper", [True, False])
def test_systems_of_factored_symmetric_matrices(size, upper):
    a, p = pair(4, 4)
    b, q = pair(*size, seed=1)
    a, p = a @ a.t(), p @ p.T
    factor, expected = a.potrf(upper), modern.linalg.cholesky(p, upper=upper)
    assert_same(factor, expected, 1e-10)
    # What is on the other side of the diagonal is not looked at.
    marked = factor + torch.ones(4, 4).tril(-1) * 7 if upper else factor + torch.ones(4, 4).triu(1) * 7
    assert_same(b.potrs(marked, upper), modern.cholesky_solve(q.reshape(4, -1), expected, upper=upper), 1e-8)
    assert_same(marked.potri(upper), modern.cholesky_inverse(expected, upper=upper), 1e-8)


@for_each("upper", [True, False])
@for_each("rank", [1, 3, 5])
def test_cholesky_of_a_permuted_matrix(upper, rank):
    m = pair(5, rank)[0]
    a = m @ m.t() + torch.eye(5) * 1e-7
    factor, permutation = a.pstrf(upper)
    assert permutation.type() == "torch.IntTensor" and sorted(permutation.tolist()) == list(range(5))
    order = permutation.long()
    product = factor.t() @ factor if upper else factor @ factor.t()
    close(product, a.index_select(0, order).index_select(1, order))
    diagonal = factor.diag()
    assert (diagonal[:-1] - diagonal[1:]).min() >= 0  # the largest first
    assert not (factor.tril(-1) if upper else factor.triu(1)).ne(0).any()


@for_each("dtype", FLOATING)
@for_each("m, n", [(4, 4), (6, 4), (3, 5)])
def test_least_squares(dtype, m, n):
    a, p = pair(m, n, dtype=dtype)
    b, q = pair(m, 2, dtype=dtype, seed=1)
    rtol = 1e-3 if dtype == "float32" else 1e-10
    x, packed = b.gels(a)
    assert_same(x, modern.linalg.lstsq(p, q, driver="gels").solution, rtol)
    assert_same(b[:, 0].gels(a)[0], modern.linalg.lstsq(p, q[:, :1], driver="gels").solution, rtol)
    assert packed.size() == (m, n)
    if m >= n:
        close(packed, a.geqrf()[0])


@for_each("m, n", [(4, 4), (6, 4), (3, 5)])
def test_reflections(m, n):
    a, p = pair(m, n)
    packed, tau = a.geqrf()
    expected, taus = modern.geqrf(p)
    assert_same(packed, expected, 1e-10)
    assert_same(tau, taus, 1e-10)
    if m >= n:
        q, itself = packed.orgqr(tau)
        assert_same(q, modern.linalg.householder_product(expected, taus), 1e-10)
        assert itself is packed
    c, d = pair(m, 3, seed=1)
    for left in (True, False):
        for transpose in (True, False):
            mine, theirs = (c, d) if left else (c.t(), d.T)
            product, itself = packed.ormqr(tau, mine, left, transpose)
            assert_same(product, modern.ormqr(expected[:, : len(taus)], taus, theirs, left, transpose), 1e-9)
            close(torch.ormqr(packed, tau, mine, "RL"[left], "NT"[transpose])[0], product)


@for_each("size", [(3, 4), (3, 4, 2)])
@for_each("dtype", FLOATING)
def test_batches(size, dtype):
    a, p = pair(3, 4, 4, dtype=dtype)
    b, q = pair(*size, dtype=dtype, seed=1)
    rtol = 1e-3 if dtype == "float32" else 1e-9
    factors, pivots = a.btrifact()
    expected, expected_pivots = modern.linalg.lu_factor(p)
    assert_same(factors, expected, rtol)
    assert_same(pivots, expected_pivots)
    solution = b.btrisolve(factors, pivots)
    assert_same(solution, modern.linalg.solve(p, q.reshape(3, 4, -1)).reshape(q.shape), rtol)
    parts = torch.btriunpack(factors, pivots)
    for mine, theirs in zip(parts, modern.lu_unpack(expected, expected_pivots)):
        assert_same(mine, theirs, rtol)
    assert torch.btriunpack(factors, pivots, unpack_data=False)[1:] == (None, None)
    assert torch.btriunpack(factors, pivots, unpack_pivots=False)[0] is None


def test_info_says_which_matrix_of_a_batch_is_singular():
    batch = torch.stack([torch.eye(2), torch.ones(2, 2), torch.zeros(2, 2)])
    info = torch.IntTensor()
    batch.btrifact(info=info)
    assert info.tolist() == [0, 2, 1]
    with pytest.raises(RuntimeError, match="btrifact: matrix 1 of the batch is singular"):
        batch.btrifact()


def test_matrices_are_in_column_order():
    a = pair(3, 3)[0]
    for result in (a.inverse(), *a.gesv(a), *a.qr(), a.svd()[0], (a @ a.t()).potrf(), a.eig(True)[1]):
        assert not result.is_contiguous() and result.t().is_contiguous()
        assert (result + 0).is_contiguous() and result.exp().is_contiguous()  # nothing else is


def singular():
    return torch.DoubleTensor([[1, 2], [2, 4]])


@for_each(
    "call, error, words",
    [
        (lambda x: x.gesv(singular()), RuntimeError, r"gesv: no result for a matrix of size \(2, 2\) and \(2, 3\)"),
        (lambda x: x.trtrs(torch.zeros(2, 2)), RuntimeError, "trtrs: no result"),
        (lambda x: x.gels(singular() * 0), RuntimeError, "gels: .* rank is below 2"),
        (lambda x: x.gels(torch.ones(3, 2)), ValueError, r"gels: .* sizes \(3, 2\) and \(2, 3\)"),
        (lambda x: x.potrs(torch.ones(3, 3)), ValueError, r"potrs: .* sizes \(3, 3\) and \(2, 3\)"),
        (
            lambda x: x.potri(),
            ValueError,
            r"potri: expected a square matrix, got a torch.DoubleTensor of size \(2, 3\)",
        ),
        (lambda x: (-torch.eye(2)).pstrf(), RuntimeError, "pstrf: .*not positive semidefinite"),
        (lambda x: (-torch.eye(2)).potrf("U"), RuntimeError, "potrf: no result"),
        (
            lambda x: torch.eye(2).potrf("X"),
            ValueError,
            "potrf: upper must be a bool, .U. .True. .* got .X.",
        ),
        (lambda x: x.orgqr(torch.ones(4)), ValueError, r"orgqr: .* sizes \(2, 3\) and \(4,\)"),
        (lambda x: x.ormqr(torch.ones(2), x.t()), ValueError, r"ormqr: .* sizes \(2, 3\) and \(3, 2\)"),
        (lambda x: x.btrifact(), ValueError, r"btrifact: expected a batch of square matrices, .* got .* \(2, 3\)"),
        (lambda x: torch.ones(1, 2, 2).btrifact(x), TypeError, "btrifact: info must be an IntTensor"),
        (
            lambda x: x.btrisolve(torch.ones(2, 3, 3), torch.ones(2, 3)),
            TypeError,
            "the pivots are an IntTensor",
        ),
        (lambda x: x.btrisolve(torch.ones(2, 3, 3), torch.zeros(2, 3).int()), ValueError, "does not hold the pivots"),
        (
            lambda x: x.btrisolve(torch.ones(2, 2, 2), torch.ones(2, 2).int()),
            ValueError,
            r"btrisolve: .* \(2, 2, 2\) and \(2, 3\)",
        ),
    ],
)
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call(torch.ones(2, 3))
