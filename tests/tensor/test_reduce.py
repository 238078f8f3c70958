"""Reductions, beside modern torch's."""

import math

import numpy
import pytest
from steps import for_each

import legacy_autograd as torch

from .modern import FLOATING, INTEGERS, arrays, assert_same, both, modern

DIMS = [(kind, dim) for kind, array in arrays().items() for dim in range(-array.ndim, array.ndim)]


@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "norm"])
@for_each("dtype", FLOATING)
@for_each("kind", arrays())
def test_whole(name, kind, dtype):
    x, y = both(arrays()[kind], dtype)
    result = getattr(x, name)()
    assert type(result) is float
    assert_same(result, getattr(y, name)(), rtol=1e-5 if dtype == "float32" else 1e-12)


@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "std", "norm", "cumsum", "cumprod"])
@for_each("dtype", FLOATING)
@for_each("kind, dim", DIMS)
def test_along_a_dimension(name, kind, dim, dtype):
    x, y = both(arrays()[kind], dtype)
    rtol = 1e-5 if dtype == "float32" else 1e-12
    if name.startswith("cum"):
        assert_same(getattr(x, name)(dim), getattr(y, name)(dim), rtol=rtol)
        return
    dims = {"dim": dim} if name != "norm" else {"p": 2, "dim": dim}
    kept = getattr(y, name)(**dims, keepdim=True)
    assert_same(getattr(x, name)(**dims), kept, rtol=rtol)
    assert_same(getattr(x, name)(**dims, keepdim=False), kept.squeeze(dim), rtol=rtol)


@for_each("dtype", INTEGERS)
def test_integers_stay_of_their_type(dtype):
    x, y = both(numpy.array([[1, 2, 3], [4, 5, 1]]), dtype)
    assert x.sum() == 16 and type(x.sum()) is int and x.prod() == 120
    for name in ("sum", "prod", "cumsum", "cumprod"):
        for dim in (0, 1, -1):
            expected = getattr(y, name)(dim, *[True] * (not name.startswith("cum"))).to(y.dtype)
            assert_same(getattr(x, name)(dim), expected)
    assert x[0].sum(0, keepdim=False) == 6
    for name in ("mean", "var", "std", "norm"):
        with pytest.raises(TypeError, match=f"{name}: a {x.type()} cannot hold fractions"):
            getattr(x, name)()
    with pytest.raises(TypeError, match="renorm"):
        x.renorm(2, 0, 1)


@for_each("name", ["ByteTensor", "CharTensor", "ShortTensor", "IntTensor", "LongTensor"])
def test_a_number_made_of_integers_has_64_bits(name):
    # 100 + 100 + 50, 100 * 100 * 50 and 100² + 100² + 50² fit into no byte; in TH they were an `accreal`: a long.
    x = getattr(torch, name)([100, 100, 50])
    assert (x.sum(), x.prod(), x.dot(x)) == (250, 500_000, 22_500)
    assert getattr(torch, name)([[100, 1], [2, 100]]).trace() == 200
    assert getattr(torch, name)([100] * 9).prod() == 100**9


def test_what_does_not_fit_into_the_type_is_refused():
    x = torch.ByteTensor([[200, 100], [100, 1]])
    assert x.sum() == 401
    for name in ("sum", "prod", "cumsum", "cumprod"):
        with pytest.raises(OverflowError, match=f"{name}: the result.*ByteTensor.*long"):
            getattr(x, name)(0)
    assert x.long().sum(0).tolist() == [[300, 101]]


def _hilly(*shape):
    return (numpy.random.default_rng(0).random(shape) + 0.5).astype("float32")


@pytest.mark.parametrize("shape", [(20000, 3), (3, 20000), (4097, 2, 2), (2, 2, 9000), (20000,)])
def test_long_sums_of_floats_are_as_exact_as_modern_ones(shape):
    array = _hilly(*shape)
    for x in (torch.from_numpy(array), torch.from_numpy(numpy.asfortranarray(array))):
        assert abs(x.sum() / array.sum(dtype=float) - 1) < 1e-6
        for dim in range(array.ndim):
            if array.ndim == 3 and not x.is_contiguous():
                continue
            numpy.testing.assert_allclose(x.sum(dim).array, array.sum(dim, dtype=float, keepdims=True), rtol=1e-6)
            numpy.testing.assert_allclose(x.mean(dim).array, array.mean(dim, dtype=float, keepdims=True), rtol=1e-6)
            expected = array.var(dim, dtype=float, keepdims=True, ddof=1)
            numpy.testing.assert_allclose(x.var(dim).array, expected, rtol=1e-5, atol=1e-8)
            norm = numpy.linalg.norm(array.astype(float), axis=dim, keepdims=True)
            numpy.testing.assert_allclose(x.norm(2, dim).array, norm, rtol=1e-6)
            numpy.testing.assert_allclose(x.cumsum(dim).array, array.cumsum(dim, dtype=float), rtol=1e-7)


def test_sums_take_nan_and_infinity_along():
    x = torch.DoubleTensor([[math.nan, 1], [math.inf, 2], [math.inf, -math.inf]])
    assert repr(x.sum(0).tolist()) == "[[nan, -inf]]" and repr(x.sum(1).tolist()) == "[[nan], [inf], [nan]]"
    assert math.isnan(x.sum()) and x[1].sum() == math.inf and math.isnan(x[2].mean())


def test_a_dimension_may_be_named():
    x = torch.DoubleTensor([[1, 2], [4, 3]])
    assert x.max(dim=1)[1].tolist() == [[1], [0]] and x.min(dim=0, keepdim=False)[0].tolist() == [1, 2]
    assert x.sum(dim=0).tolist() == [[5, 5]] and x.mean(dim=1).tolist() == [[1.5], [3.5]]


def test_mean_of_half_does_not_overflow():
    x = torch.HalfTensor(1000).fill_(100)
    assert x.mean() == 100 and x.mean(0).tolist() == [100] and x.mean(0).type() == "torch.HalfTensor"
    assert math.isnan(torch.HalfTensor().mean())


def test_var_and_std():
    x, y = both(arrays()["3-d"])
    for unbiased in (True, False):
        assert_same(x.var(unbiased=unbiased), y.var(unbiased=unbiased))
        assert_same(x.var(unbiased), y.var(unbiased))
        assert_same(x.std(1, unbiased), y.std(1, unbiased, keepdim=True))
    assert math.isnan(torch.ones(1).var()) and torch.ones(1).var(unbiased=False) == 0
    assert abs((torch.DoubleTensor([1e9, 1e9 + 1])).var() - 0.5) < 1e-9


@for_each("p", [0, 1, 2, 3, 0.5, -1, math.inf, -math.inf])
@for_each("kind", ["matrix", "3-d", "transposed", "vector", "one"])
def test_norms(kind, p):
    x, y = both(arrays()[kind])
    a, b = both(arrays()[kind][..., ::-1])
    assert_same(x.norm(p), y.norm(p))
    for dim in range(x.dim()):
        assert_same(x.norm(p, dim), y.norm(p, dim, keepdim=True))
    assert_same(x.dist(a, p), y.dist(b, p))


def test_renorm():
    x, y = both(arrays()["3-d"])
    for dim in range(3):
        for p in (1, 2, 3):
            assert_same(x.renorm(p, dim, 2.5), y.renorm(p, dim, 2.5))
    assert_same(x.clone().renorm_(2, 0, 1), y.renorm(2, 0, 1))
    with pytest.raises(ValueError, match="renorm: expected 2 dimensions"):
        x[0, 0].renorm(2, 0, 1)


@pytest.mark.parametrize("name", ["max", "min"])
@for_each("dtype", FLOATING + INTEGERS)
@for_each("kind", arrays())
def test_extremes(name, kind, dtype):
    x, y = both(arrays()[kind], dtype)
    if not x.numel():
        for method in (name, f"arg{name}"):
            with pytest.raises(ValueError, match=f"{method}: an empty tensor"):
                getattr(x, method)()
        with pytest.raises(IndexError, match=f"{name}: dimension 0 has size 0"):
            getattr(x, name)(0)
        return
    assert_same(getattr(x, name)(), getattr(y, name)())
    assert_same(getattr(x, f"arg{name}")(), getattr(y, f"arg{name}")())
    for dim in range(-x.dim(), x.dim()):
        assert_same(getattr(x, name)(dim), tuple(getattr(y, name)(dim, keepdim=True)))
        assert_same(getattr(x, name)(dim, keepdim=False), tuple(getattr(y, name)(dim)))
        assert_same(getattr(x, f"arg{name}")(dim), getattr(y, f"arg{name}")(dim, keepdim=True))
        assert_same(getattr(x, f"arg{name}")(dim, keepdim=False), getattr(y, f"arg{name}")(dim))


def test_of_equals_the_first_is_found_and_nan_before_all():
    x = torch.DoubleTensor([[1, 3, 3, 1], [2, math.nan, 5, math.nan]])
    assert x.max(1)[1].tolist() == [[1], [1]] and x.min(1)[1].tolist() == [[0], [1]]
    assert math.isnan(x.max(1)[0][1, 0]) and math.isnan(x.max()) and x.argmax() == 5
    assert x.max(1)[1].type() == "torch.LongTensor"


@for_each("kind", arrays())
def test_all_any_nonzero(kind):
    x, y = both(arrays()[kind])
    x, y = x > 0, y > 0
    assert_same(x.all(), y.all())
    assert_same(x.any(), y.any())
    for dim in range(x.dim()):
        assert_same(x.all(dim), y.all(dim, keepdim=True))
        assert_same(x.any(dim), y.any(dim, keepdim=True))
        assert_same(x.any(dim, keepdim=False), y.any(dim))
    assert_same(x.nonzero(), y.nonzero())
    assert x.double().any() is x.any()


def test_histc():
    x, y = both(numpy.random.default_rng(0).normal(size=200))
    assert_same(x.histc(), y.histc())
    assert_same(x.histc(7, -1, 2), y.histc(7, -1, 2))
    assert_same(x.histc(4), y.histc(4))
    assert_same(torch.ones(3).histc(3), modern.ones(3, dtype=modern.float64).histc(3))
    with pytest.raises(ValueError, match="histc.*bins"):
        x.histc(0)
    with pytest.raises(ValueError, match="not finite"):
        torch.DoubleTensor([1, math.inf]).histc()


@for_each(
    "name",
    "sum prod mean var std cumsum cumprod max min argmax argmin all any median mode sort".split(),
)
def test_a_dimension_that_there_is_not(name):
    for dim in (2, -3):
        with pytest.raises(IndexError, match=rf"^{name}: dimension {dim} is out of range.*\(2, 3\)"):
            getattr(torch.ones(2, 3), name)(dim)
    with pytest.raises(TypeError, match="a dimension is an integer, got (float|str)"):
        getattr(torch.ones(2, 3), name)("0" if name in ("max", "min") else 0.5)


def test_norm_of_a_dimension_that_there_is_not():
    with pytest.raises(IndexError, match="norm: dimension 2 is out of range"):
        torch.ones(2, 3).norm(2, 2)
    with pytest.raises(TypeError, match="norm: .*number, got str"):
        torch.ones(2).norm("fro")
