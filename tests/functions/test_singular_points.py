"""Points where a Function has no derivative, or an infinite one: values and gradients are those of modern torch.

The docstrings of the Functions say these values in words.
"""

import math
from functools import partial

import numpy
import pytest
import torch

from legacy_autograd.autograd import functions as f
from legacy_autograd.autograd.functions.activation import ReLU
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.tensor import Tensor

INF, NAN = math.inf, math.nan
EXTREME = [-INF, -1.0, -0.0, 0.0, 1.0, INF, NAN]
SQUARE = [[2.0, 2.0, 1.0], [2.0, 0.0, 0.0]]
ALL_PAIRS = ([a for a in EXTREME for _ in EXTREME], [b for _ in EXTREME for b in EXTREME])

POINTS = [
    # kinks
    (f.Abs, torch.abs, EXTREME),
    (f.Sign, torch.sign, EXTREME),
    (partial(f.Clamp, -1.0, 1.0), lambda x: x.clamp(-1.0, 1.0), EXTREME),
    (partial(f.Clamp, 0.0), lambda x: x.clamp(0.0), EXTREME),
    (partial(f.Clamp, None, 0.0), lambda x: x.clamp(max=0.0), EXTREME),
    (f.Cmax, torch.maximum, *ALL_PAIRS),
    (f.Cmin, torch.minimum, *ALL_PAIRS),
    (partial(f.CmaxConstant, 0.0), lambda x: x.maximum(torch.zeros_like(x)), EXTREME),
    (partial(f.CminConstant, 1.0), lambda x: x.minimum(torch.ones_like(x)), EXTREME),
    # steps
    (f.Floor, torch.floor, [-1.5, -1.0, 0.0, 0.5, 1.0]),
    (f.Ceil, torch.ceil, [-1.5, -1.0, 0.0, 0.5, 1.0]),
    (f.Round, torch.round, [-1.5, -0.5, 0.5, 1.5, 2.5]),
    (f.Trunc, torch.trunc, [-1.5, -1.0, 0.0, 0.5, 1.0]),
    (f.Frac, torch.frac, [-1.5, -1.0, 0.0, 0.5, 1.0]),
    (f.Remainder, torch.remainder, [3.0, -3.0, 0.0, 4.5], [1.5, 1.5, 1.5, -1.5]),
    (f.Fmod, torch.fmod, [3.0, -3.0, 0.0, 4.5], [1.5, 1.5, 1.5, -1.5]),
    # poles and edges of the domain
    (f.Sqrt, torch.sqrt, EXTREME),
    (f.Rsqrt, torch.rsqrt, EXTREME),
    (f.Log, torch.log, EXTREME),
    (f.Log1p, torch.log1p, EXTREME),
    (f.Reciprocal, torch.reciprocal, EXTREME),
    (f.Asin, torch.asin, [-2.0, -1.0, 1.0, 2.0, NAN]),
    (f.Acos, torch.acos, [-2.0, -1.0, 1.0, 2.0, NAN]),
    (f.Atan, torch.atan, EXTREME),
    (f.Atan2, torch.atan2, [0.0, 0.0, 0.0, 1.0, -1.0], [0.0, 1.0, -1.0, 0.0, 0.0]),
    (f.Exp, torch.exp, EXTREME + [800.0, -800.0]),
    (f.Sigmoid, torch.sigmoid, EXTREME + [800.0, -800.0]),
    (f.Tanh, torch.tanh, EXTREME + [800.0, -800.0]),
    (f.Div, torch.div, *ALL_PAIRS),
    (partial(f.DivConstant, 0), lambda x: x / 0, EXTREME),
    (partial(f.DivConstant, 1.0, True), lambda x: 1.0 / x, EXTREME),
    # powers
    (f.Pow, torch.pow, *ALL_PAIRS),
    (f.Pow, torch.pow, [0.0, 0.0, 0.0, -2.0, -2.0], [0.0, 2.0, -1.0, 2.0, 0.5]),
    *[(partial(f.PowConstant, c), lambda x, c=c: x**c, EXTREME) for c in (-1, 0, 0.5, 1, 2, 3)],
    *[(partial(f.PowConstant, c, tensor_power=True), lambda x, c=c: c**x, EXTREME) for c in (-2.0, 0.0, 1.0, 2.0)],
    # ties
    (f.Max, torch.max, SQUARE),
    (f.Min, torch.min, SQUARE),
    (f.Max, torch.max, [1.0, NAN, 2.0, NAN]),
    (f.Min, torch.min, [1.0, NAN, 2.0, NAN]),
    (f.Max, torch.max, [INF, INF, 2.0]),
    (partial(f.Max, 0), lambda x: x.max(0, keepdim=True), SQUARE),
    (partial(f.Max, 1), lambda x: x.max(1, keepdim=True), SQUARE),
    (partial(f.Min, 1), lambda x: x.min(1, keepdim=True), SQUARE),
    (partial(f.Max, 0), lambda x: x.max(0, keepdim=True), [1.0, NAN, 2.0, NAN]),
    (partial(f.Median, 1), lambda x: x.median(1, keepdim=True), [[3.0, 1.0, 2.0, 4.0], [7.0, 5.0, 6.0, 8.0]]),
    (partial(f.Median, 0), lambda x: x.median(0, keepdim=True), [1.0, NAN, 2.0]),
    (partial(f.Sort, 1), lambda x: x.sort(dim=1, stable=True), SQUARE),
    (partial(f.Sort, 1, True), lambda x: x.sort(dim=1, descending=True, stable=True), SQUARE),
    (partial(f.Sort, 0), lambda x: x.sort(dim=0, stable=True), [1.0, NAN, -INF, 2.0, INF]),
    # products with zeros
    *[
        point
        for x in ([2.0, 0.0, 3.0], [2.0, 0.0, 0.0], [0.0], [0.0, 0.0, 0.0], [-0.0, 4.0, 5.0, 0.5])
        for point in ((f.Prod, torch.prod, x), (partial(f.Cumprod, 0), lambda x: x.cumprod(0), x))
    ],
    # norms and deviations without length
    *[
        point
        for p in (0, 0.5, 1, 1.5, 2, 3, INF, -INF)
        for point in (
            (partial(f.Norm, p), lambda x, p=p: x.norm(p), [0.0, 0.0, 0.0]),
            (partial(f.Norm, p), lambda x, p=p: x.norm(p), [0.0, 3.0, -4.0, 4.0, 3.0]),
            (partial(f.Norm, p, 1), lambda x, p=p: x.norm(p, 1, keepdim=True), [[0.0, 0.0], [3.0, -3.0]]),
        )
    ],
    (partial(f.Norm, 2), torch.norm, [1.0, NAN]),
    (partial(f.Norm, INF), lambda x: x.norm(INF), [1.0, NAN]),
    (f.Var, torch.var, [4.0]),
    (f.Var, torch.var, [4.0, 4.0, 4.0]),
    (f.Std, torch.std, [4.0]),
    (f.Std, torch.std, [4.0, 4.0, 4.0]),
    (partial(f.Std, 1), lambda x: x.std(1, keepdim=True), [[4.0, 4.0], [1.0, 2.0]]),
    (partial(f.Std, None, False), lambda x: x.std(correction=0), [4.0]),
    (f.Mean, torch.mean, [INF, 1.0]),
    # exponentials that overflow
    (partial(f.Softmax, 0), lambda x: x.softmax(0), [1000.0, -1000.0, 999.0]),
    (partial(f.Softmax, 0), lambda x: x.softmax(0), [1.0, -INF, 2.0]),
    (partial(f.LogSoftmax, 0), lambda x: x.log_softmax(0), [1000.0, -1000.0, 999.0]),
    (partial(f.Softmax, 0), lambda x: x.softmax(0), [-INF, -INF]),
    (partial(f.Softmax, 0), lambda x: x.softmax(0), [1.0, NAN]),
]


def _label(point):
    function, _, *inputs = point
    made = function if isinstance(function, partial) else partial(function)
    constants = ",".join(map(str, [*made.args, *made.keywords.values()]))
    return f"{made.func.__name__}({constants})-{numpy.size(inputs[0])}"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # pytest sets aside the filter of the package
@pytest.mark.parametrize("point", POINTS, ids=_label)
def test_value_and_gradient_are_modern_torchs(point):
    function, reference, *inputs = point
    variables = [Variable(Tensor(x)) for x in inputs]
    tensors = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in inputs]
    output, expected = function()(*variables)[0], reference(*tensors)
    expected = expected if isinstance(expected, torch.Tensor) else expected[0]
    same(output.data, expected.detach().reshape(output.size()))
    output.backward(Tensor(numpy.full(output.size(), 2.0)))
    expected.backward(torch.full_like(expected, 2.0))
    for variable, tensor in zip(variables, tensors):
        same(variable.grad, torch.zeros_like(tensor) if tensor.grad is None else tensor.grad)


def same(tensor, expected):
    numpy.testing.assert_allclose(tensor.numpy(), expected.numpy(), rtol=1e-12, atol=1e-300)


def test_relu_has_the_attributes_of_the_threshold_that_it_is():
    assert (ReLU().threshold, ReLU().value) == (0, 0)


@pytest.mark.parametrize("times", [1, 2000])  # large arrays take another way
def test_relu_of_few_and_of_many_numbers(times):
    x = Variable(Tensor(EXTREME * times))
    result = ReLU()(x)[0]
    expected = torch.tensor(EXTREME * times, dtype=torch.float64, requires_grad=True)
    same(result.data, torch.relu(expected).detach())
    result.backward(Tensor(numpy.ones(len(EXTREME) * times)))
    numbers = ~numpy.isnan(x.data.numpy())  # the gradient at nan is g here
    assert x.grad.numpy()[numbers].tolist() == ([0.0, 0.0, 0.0, 0.0, 1.0, 1.0] * times)


@pytest.mark.parametrize("p", [0.5, 1, 2, 3.5, numpy.inf])
@pytest.mark.parametrize("dim", [0, 1])
def test_renorm_leaves_a_slice_with_a_nan_as_it_is(dim, p):
    numbers = [[3.0, 4.0], [numpy.nan, 1.0], [0.3, 0.4]]
    ours, theirs = Variable(Tensor(numbers)), torch.tensor(numbers, dtype=torch.float64, requires_grad=True)
    result, expected = ours.renorm(p, dim, 1.0), theirs.renorm(p, dim, 1.0)
    result.sum().backward()
    expected.sum().backward()
    numpy.testing.assert_allclose(result.data.array, expected.detach().numpy(), rtol=1e-12)
    numpy.testing.assert_allclose(ours.grad.array, theirs.grad.numpy(), rtol=1e-6, atol=1e-8)  # 1e-7 joins the norm
