"""The gradients of `remainder` and `fmod` by the divisor: minus the quotient that the value belongs to."""

from fractions import Fraction

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Variable
from legacy_autograd.autograd.functions import Fmod, Remainder

modern = pytest.importorskip("torch")

TENTHS = [number / 10 for number in range(-29, 30)]
SPECIAL = [5e-324, -5e-324, 2e-320, 1e-310, 1e-40, 6e-8, 3.7, 1e-300, 1e308, float("inf"), -float("inf"), float("nan")]
TYPES = {"float64": torch.DoubleTensor, "float32": torch.FloatTensor, "float16": torch.HalfTensor}


def grid(dtype, numbers):
    """Return every pair of the numbers, as two arrays."""
    with numpy.errstate(over="ignore"):
        return [part.ravel().astype(dtype) for part in numpy.meshgrid(numbers, numbers)]


def gradients(name, a, b):
    a, b = Variable(torch.from_numpy(a.copy())), Variable(torch.from_numpy(b.copy()))
    getattr(a, name)(b).backward(torch.from_numpy(numpy.ones_like(a.array)))
    return a.grad.numpy(), b.grad.numpy()


def same(ours, theirs):
    return numpy.array_equal(ours, theirs, equal_nan=True)


@pytest.mark.parametrize("dtype", TYPES)
def test_remainder_is_torchs_on_the_whole_grid(dtype):
    a, b = grid(dtype, TENTHS + SPECIAL)
    theirs = [modern.tensor(part, requires_grad=True) for part in (a, b)]
    modern.remainder(*theirs).sum().backward()
    ours = gradients("remainder", a, b)
    assert same(ours[0], theirs[0].grad.numpy()) and same(ours[1], theirs[1].grad.numpy())


@pytest.mark.parametrize("dtype", TYPES)
def test_fmod_has_the_quotient_of_its_value(dtype):
    """The quotient is worked out in fractions. torch 2.13 takes trunc(a / b) of rounded numbers, 10 for 1 and 0.1."""
    a, b = grid(dtype, [number for number in TENTHS if number])
    by_a, by_b = gradients("fmod", a, b)
    exact = [int(Fraction(float(x)) / Fraction(float(y))) for x, y in zip(a, b)]  # int() rounds towards zero
    assert same(by_a, numpy.ones_like(a)) and same(by_b, -numpy.array(exact, dtype))
    assert gradients("fmod", numpy.ones(1), numpy.full(1, 0.1))[1] == -9
    theirs = modern.tensor(0.1, dtype=modern.float64, requires_grad=True)
    modern.fmod(modern.tensor(1.0, dtype=modern.float64), theirs).backward()
    assert theirs.grad == -10  # the day torch changes this, FIDELITY.md's sentence about it goes


def test_fmod_of_numbers_that_are_not_finite():
    infinite = float("inf")
    a, b = numpy.array([1.0, -1.0, 2.0, infinite, 1.0]), numpy.array([infinite, infinite, -infinite, 2.0, 0.0])
    assert same(gradients("fmod", a, b)[1], numpy.array([0, 0, 0, numpy.nan, numpy.nan]))


@pytest.mark.parametrize("function", [Remainder, Fmod])
def test_the_second_derivative_goes_to_the_gradient_alone(function):
    """g times a quotient that is constant between its jumps: d/dg is minus the quotient, d/da and d/db are 0."""
    a, b, g = (Variable(torch.DoubleTensor([number])) for number in (-7.0, 2.0, 3.0))
    (result,) = function()(a, b)
    result.backward(g, create_graph=True)
    by_b = b.grad
    assert by_b.data.tolist() == [{Remainder: 12.0, Fmod: 9.0}[function]]  # -3 times -4, and -3 times -3
    (by_b * 1).backward()
    assert g.grad.data.tolist() == [{Remainder: 4.0, Fmod: 3.0}[function]]


def test_a_divisor_that_was_broadcast():
    a, b = Variable(torch.DoubleTensor([[1, 2], [3, 4]])), Variable(torch.DoubleTensor([0.1, 3]))
    (a % b).backward(torch.DoubleTensor([[1, 1], [1, 1]]))
    assert b.grad.tolist() == [-(9 + 29), -(0 + 1)]  # 3 % 0.1 is almost 0.1: 0.1 is a little more than a tenth
