"""Operations on every element by itself, beside modern torch's."""

import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import for_each

import legacy_autograd as torch

from .modern import FLOATING, INTEGERS, arrays, assert_same, both, modern

# Of one number; those in the second list result in fractions, and so refuse integers.
FRACTIONS = "exp expm1 log log1p sqrt rsqrt reciprocal sigmoid tanh sin cos tan asin acos atan sinh cosh frac".split()
FUNCTIONS = "abs neg sign floor ceil round trunc".split() + FRACTIONS
COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@for_each("dtype", FLOATING)
@for_each("kind", arrays())
def test_functions_of_one_number(name, kind, dtype):
    for scale in (1, 0.3, 40):
        x, y = both(arrays()[kind] * scale, dtype)
        expected = getattr(y, name)()
        before = x.tolist()
        assert_same(getattr(x, name)(), expected, rtol=3e-6 if dtype == "float32" else 1e-12)
        assert x._version == 0 and repr(x.tolist()) == repr(before)
        assert getattr(x, f"{name}_")() is x
        assert_same(x, expected, rtol=3e-6 if dtype == "float32" else 1e-12)
        assert x._version == 1


@for_each("name", FUNCTIONS)
def test_functions_of_one_number_on_half(name):
    x, y = both(numpy.array([0.25, 0.5, 0.75, 1.0]), "float16")
    assert_same(getattr(x, name)(), getattr(y, name)(), rtol=4e-3)


@for_each("dtype", INTEGERS)
@for_each("name", FUNCTIONS)
def test_functions_of_one_number_on_integers(name, dtype):
    x, y = both(numpy.array([[0, 1, 2], [3, 100, 5]]), dtype)
    if name not in FRACTIONS:
        assert_same(getattr(x, name)(), getattr(y, name)())
        assert_same(getattr(x, f"{name}_")(), getattr(y, name)())
        return
    for form in (name, f"{name}_"):
        with pytest.raises(TypeError, match=f"^{form}: a {x.type()} cannot hold fractions"):
            getattr(x, form)()
    assert x._version == 0


def test_functions_are_spelled_out_in_the_help():
    assert "every element" in torch.Tensor.exp.__doc__ and torch.Tensor.exp.__qualname__ == "Pointwise.exp"
    assert torch.Tensor.exp_.__name__ == "exp_"


def test_rounding_goes_to_the_even_neighbour():
    assert torch.DoubleTensor([0.5, 1.5, 2.5, -0.5]).round().tolist() == [0, 2, 2, 0]


def test_sigmoid_keeps_its_digits_on_both_sides():
    x = torch.DoubleTensor([-1000, -700, -40, 0, 40, 1000])
    expected = [0, math.exp(-700), math.exp(-40) / (1 + math.exp(-40)), 0.5, 1, 1]
    numpy.testing.assert_allclose(x.sigmoid().array, expected, rtol=1e-14)


@pytest.mark.parametrize("name", COMPARISONS)
@for_each("dtype", FLOATING + INTEGERS)
@for_each("kind", arrays())
def test_comparisons(name, kind, dtype):
    x, y = both(arrays()[kind], dtype)
    a, b = both(arrays()[kind][..., ::-1], dtype)
    operator = COMPARISONS[name]
    assert_same(getattr(x, name)(a), getattr(y, name)(b))
    assert_same(operator(x, a), operator(y, b))
    for number in (0, 1.5, 0.5, 2, math.nan, math.inf):
        assert_same(getattr(x, name)(number), getattr(y, name)(number))
        assert_same(operator(x, number), operator(y, number))
        assert_same(operator(number, x), operator(number, y))
    assert x.eq(x).type() == "torch.ByteTensor"


def test_comparisons_of_integers_are_exact():
    large = 2**53
    x = torch.LongTensor([large, large + 1])
    assert (x == large + 1).tolist() == [0, 1]
    assert (x == float(large)).tolist() == [1, 0]
    assert (x > large + 0.0).tolist() == [0, 1]
    assert (torch.ByteTensor([1, 255]) < 300).tolist() == [1, 1]
    assert (torch.ByteTensor([1, 255]) == -1).tolist() == [0, 0]


@for_each("dtype", FLOATING)
@for_each("kind", arrays())
def test_limits(kind, dtype):
    x, y = both(arrays()[kind], dtype)
    a, b = both(arrays()[kind][..., ::-1], dtype)
    assert_same(x.clamp(-1, 1), y.clamp(-1, 1))
    assert_same(x.clamp(min=0.5), y.clamp(min=0.5))
    assert_same(x.clamp(max=0.5), y.clamp(max=0.5))
    assert_same(x.clamp(2, 1), y.clamp(2, 1))
    assert_same(x.clamp_min(0), y.clamp_min(0))
    assert_same(x.clamp_max(0), y.clamp_max(0))
    assert_same(x.cmax(a), modern.maximum(y, b))
    assert_same(x.cmin(a), modern.minimum(y, b))
    assert_same(x.cmax(0.5), y.clamp(min=0.5))
    assert_same(x.max(a), modern.maximum(y, b))
    assert_same(x.min(a), modern.minimum(y, b))
    assert_same(x.clone().clamp_(-1, 1), y.clamp(-1, 1))
    assert_same(x.clone().clamp_min_(0), y.clamp_min(0))
    assert_same(x.clone().clamp_max_(0), y.clamp_max(0))
    assert_same(x.clone().cmax_(a), modern.maximum(y, b))


def test_limits_of_integers():
    x = torch.LongTensor([1, 5, 9])
    assert x.clamp(2, 7).tolist() == [2, 5, 7] and x.clamp(2, 7).type() == "torch.LongTensor"
    with pytest.raises(TypeError, match="clamp: a torch.LongTensor cannot take the number 2.5"):
        x.clamp(min=2.5)
    for method in (x.clamp, x.clamp_):
        with pytest.raises(ValueError, match="expected min, max or both"):
            method()
    with pytest.raises(TypeError, match="expected a torch.LongTensor or a number, got str"):
        x.clamp("a")


@for_each("dtype", FLOATING)
@for_each("kind", arrays())
def test_functions_of_several_tensors(kind, dtype):
    x, y = both(arrays()[kind], dtype)
    a, b = both(arrays()[kind][..., ::-1] + 0.5, dtype)
    assert_same(x.atan2(a), y.atan2(b))
    assert_same(x.lerp(a, 0.3), y.lerp(b, 0.3), rtol=1e-5 if dtype == "float32" else 1e-12)
    assert_same(x.addcmul(a, a), y.addcmul(b, b), rtol=1e-5)
    assert_same(x.addcmul(0.5, a, x), y.addcmul(b, y, value=0.5), rtol=1e-5)
    assert_same(x.addcmul(a, x, value=0.5), y.addcmul(b, y, value=0.5), rtol=1e-5)
    assert_same(x.addcdiv(-2, a, x), y.addcdiv(b, y, value=-2), rtol=1e-5)
    assert_same(torch.addcdiv(x, -2, a, x), y.addcdiv(b, y, value=-2), rtol=1e-5)
    assert_same(x.clone().atan2_(a), y.atan2(b))
    assert_same(x.clone().lerp_(a, 0.3), y.lerp(b, 0.3), rtol=1e-5)
    assert_same(x.clone().addcmul_(0.5, a, x), y.addcmul(b, y, value=0.5), rtol=1e-5)
    assert_same(x.clone().addcdiv_(0.5, a, x), y.addcdiv(b, y, value=0.5), rtol=1e-5)


def test_cross():
    x, y = both(numpy.random.default_rng(0).random((2, 3, 3)))
    a, b = both(numpy.random.default_rng(1).random((2, 3, 3)))
    assert_same(x.cross(a), y.cross(b, 1))
    assert_same(x.cross(a, 2), y.cross(b, 2))
    assert_same((x * math.inf).cross(a), (y * math.inf).cross(b, 1))
    assert_same(x.cross(a, -1), y.cross(b, -1))
    wide, other = numpy.random.default_rng(2).random((2, 4, 3))  # the first dimension of size 3 is the last
    (x43, y43), (a43, b43) = both(wide), both(other)
    assert_same(x43.cross(a43), y43.cross(b43, 1))
    assert_same(x43.t().cross(a43.t()), y43.t().cross(b43.t(), 0))
    with pytest.raises(ValueError, match="cross: expected a dimension of size 3"):
        x.cross(a, 0)
    with pytest.raises(ValueError, match="cross: sizes"):
        x.cross(a[0])


def test_wrong_arguments_are_shown():
    x = torch.ones(2)
    with pytest.raises(
        TypeError, match=r"addcmul: expected \(tensor, tensor\).*float, .*DoubleTensor of size \(2,\)\)"
    ):
        x.addcmul(2.0, x)
    with pytest.raises(TypeError, match="addcdiv_: expected"):
        x.addcdiv_(x, 1, x)
    with pytest.raises(TypeError, match="add_: .*FloatTensor"):
        x.add_(2, x.float())
    for name in ("atan2", "lerp"):
        with pytest.raises(TypeError, match=f"{name}: a torch.LongTensor"):
            getattr(x.long(), name)(x.long(), *[1] * (name == "lerp"))


def test_equal():
    x = torch.DoubleTensor([[1, 2]])
    assert x.equal(x.clone()) is True and x.equal(x + 1) is False and x.equal(x.t()) is False
    assert torch.Tensor().equal(torch.Tensor())
    with pytest.raises(TypeError, match="equal: .*different types"):
        x.equal(x.float())


def test_bits():
    a, b = torch.ByteTensor([0, 1, 0, 1]), torch.ByteTensor([0, 0, 1, 1])
    assert (a & b).tolist() == [0, 0, 0, 1] and (a | b).tolist() == [0, 1, 1, 1] and (a ^ b).tolist() == [0, 1, 1, 0]
    assert (~a).tolist() == [1, 0, 1, 0]
    assert (1 & a).tolist() == [0, 1, 0, 1] and (2 | a).tolist() == [2, 3, 2, 3] and (1 ^ a).tolist() == [1, 0, 1, 0]
    assert (a << 3).tolist() == [0, 8, 0, 8] and (torch.IntTensor([-8]) >> 1).tolist() == [-4]
    a &= b
    a |= torch.ByteTensor([1, 0, 0, 0])
    a ^= 1
    assert a.tolist() == [0, 1, 1, 0] and a._version == 3
    with pytest.raises(TypeError, match="ByteTensor, got a torch.LongTensor"):
        ~a.long()
    for operation in (lambda x: x & 1, lambda x: x.__iand__(1), lambda x: x << 1):
        with pytest.raises(TypeError, match="expected a tensor of integers, got a torch.DoubleTensor"):
            operation(torch.ones(1))


@given(st.lists(st.floats(width=64), min_size=1, max_size=20), st.sampled_from(sorted(FUNCTIONS)))
def test_functions_agree_on_any_number(numbers, name):
    x, y = both(numpy.array(numbers))
    assert_same(getattr(x, name)(), getattr(y, name)(), rtol=1e-9)
