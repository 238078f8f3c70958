"""nn.init, nn.utils, and the two ways in which height and width are given."""

import math

import numpy
import pytest
import torch

import legacy_autograd
from legacy_autograd import nn

from .agreement import tensor, variable

init = nn.init


# --- init


@pytest.mark.parametrize("size", [(40, 30), (20, 10, 3, 3)])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("xavier_uniform_", (1.5,)), ("xavier_normal_", (0.7,)), ("kaiming_uniform_", (0.2, "fan_out")),
        ("kaiming_normal_", (0, "fan_in", "relu")), ("uniform_", (-1, 3)), ("normal_", (2, 0.5)),
    ],
)  # fmt: skip
def test_random_starts_are_distributed_as_modern_torchs(name, arguments, size):
    weight, expected = legacy_autograd.DoubleTensor(*size), torch.empty(*size, dtype=torch.float64)
    legacy_autograd.manual_seed(0)
    torch.manual_seed(0)
    assert getattr(init, name)(weight, *arguments) is weight
    getattr(torch.nn.init, name)(expected, *arguments)
    assert abs(weight.mean() - expected.mean().item()) < 0.15 * expected.std().item()
    assert abs(weight.std() / expected.std().item() - 1) < 0.1
    if "uniform" in name:
        assert abs(weight.array.max() / expected.max().item() - 1) < 0.03
    assert getattr(init, name[:-1]) is getattr(init, name)


def test_fixed_starts():
    parameter = nn.Parameter(tensor(numpy.ones((2, 3))))
    assert init.constant(parameter, 4) is parameter and (parameter.data.array == 4).all()
    assert (init.ones_(parameter).data.array == 1).all() and not init.zeros_(parameter).data.array.any()
    numpy.testing.assert_array_equal(init.eye_(parameter).data.array, numpy.eye(2, 3))
    weight = legacy_autograd.DoubleTensor(3, 2, 3, 3)
    init.dirac_(weight)
    x = variable(numpy.random.default_rng(0).normal(size=(1, 2, 4, 4)))
    y = nn.functional.conv2d(x, variable(weight.array), padding=1)
    numpy.testing.assert_allclose(y.data.array[:, :2], x.data.array)


@pytest.mark.parametrize("size", [(3, 5), (5, 3), (4, 2, 3)])
def test_orthogonal(size):
    array = init.orthogonal_(legacy_autograd.DoubleTensor(*size), 2).array.reshape(size[0], -1)
    product = array @ array.T if array.shape[0] <= array.shape[1] else array.T @ array
    numpy.testing.assert_allclose(product, 4 * numpy.eye(min(array.shape)), atol=1e-12)


def test_sparse():
    array = init.sparse_(legacy_autograd.DoubleTensor(10, 4), 0.35).array
    assert ((array == 0).sum(0) == 4).all()


def test_gains():
    for name, param in (("linear", None), ("conv2d", None), ("sigmoid", None), ("tanh", None), ("relu", None)):
        assert init.calculate_gain(name, param) == torch.nn.init.calculate_gain(name, param)
    assert init.calculate_gain("leaky_relu", 0.3) == torch.nn.init.calculate_gain("leaky_relu", 0.3)
    with pytest.raises(ValueError, match="nonlinearity 'cube'"):
        init.calculate_gain("cube")
    for slope in (True, [1], {"a": "b"}):
        with pytest.raises(ValueError, match="the slope of leaky_relu must be a number"):
            init.calculate_gain("leaky_relu", slope)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda w: init.xavier_uniform_(w), "2 dimensions or more"),
        (lambda w: init.eye_(w), "expected a matrix"),
        (lambda w: init.orthogonal_(w), "2 dimensions or more"),
        (lambda w: init.dirac_(w), "3 to 5 dimensions"),
        (lambda w: init.sparse_(w, 0.1), "expected a matrix"),
        (lambda w: init.kaiming_normal_(w.view(1, 3), mode="in"), "fan_in or fan_out, got 'in'"),
    ],
)
def test_bad_starts(call, words):
    with pytest.raises(ValueError, match=words):
        call(legacy_autograd.DoubleTensor(3))


# --- utils


@pytest.mark.parametrize("norm_type", [1, 2, 3, math.inf])
@pytest.mark.parametrize("max_norm", [0.1, 100])
def test_clip_grad_norm(norm_type, max_norm):
    grads = [numpy.random.default_rng(n).normal(size=size) for n, size in enumerate([(2, 3), (4,)])]
    ours = [nn.Parameter(tensor(numpy.zeros_like(g))) for g in grads] + [nn.Parameter(tensor(numpy.ones(2)))]
    theirs = [torch.nn.Parameter(torch.zeros(g.shape, dtype=torch.float64)) for g in grads]
    for a, b, g in zip(ours, theirs, grads):
        a.grad, b.grad = tensor(g), torch.tensor(g)
    total = nn.utils.clip_grad_norm(ours, max_norm, norm_type)
    expected = torch.nn.utils.clip_grad_norm_(theirs, max_norm, norm_type)
    assert isinstance(total, float)
    numpy.testing.assert_allclose(total, expected.item())
    for a, b in zip(ours, theirs):
        numpy.testing.assert_allclose(a.grad.array, b.grad.numpy(), rtol=1e-12)
    nn.utils.clip_grad_value_(ours, 0.05)
    torch.nn.utils.clip_grad_value_(theirs, 0.05)
    for a, b in zip(ours, theirs):
        numpy.testing.assert_array_equal(a.grad.array, b.grad.numpy())
    assert nn.utils.clip_grad_norm_(ours[2], 1) == 0
    with pytest.raises(ValueError, match="must not be negative, got -1"):
        nn.utils.clip_grad_norm_(ours, -1)


def test_parameters_as_a_vector():
    net = nn.Linear(3, 2)
    vector = nn.utils.parameters_to_vector(net.parameters())
    assert vector.size() == (8,)
    nn.utils.vector_to_parameters(vector * 2, net.parameters())
    numpy.testing.assert_allclose(nn.utils.parameters_to_vector(net.parameters()).data.array, 2 * vector.data.array)
    with pytest.raises(ValueError, match="expected 8 elements, .*got 7"):
        nn.utils.vector_to_parameters(vector[:7], net.parameters())


# --- height and width


def shape(layer):
    return layer.kernel_size, layer.stride, layer.padding, getattr(layer, "dilation", None)


def test_height_and_width_apart_under_v0_1_1():
    assert shape(nn.Conv2d(1, 6, 5, 3)) == ((5, 3), (1, 1), (0, 0), (1, 1))
    assert shape(nn.Conv2d(1, 6, 5, 3, 2, 1, 4, 3)) == ((5, 3), (2, 1), (4, 3), (1, 1))
    assert shape(nn.Conv2d(1, 6, 5)) == ((5, 5), (1, 1), (0, 0), (1, 1))
    assert shape(nn.Conv2d(1, 6, (5, 3), 2, 1)) == ((5, 3), (2, 2), (1, 1), (1, 1))
    assert shape(nn.Conv2d(1, 6, 5, stride=2)) == ((5, 5), (2, 2), (0, 0), (1, 1))
    assert shape(nn.Conv2d(1, 6, kernel_size=5, stride=(2, 3), padding=1, dilation=2, groups=1, bias=False))[3] == (
        2,
        2,
    )
    assert shape(nn.Conv2d(1, 6, kh=5, kw=3, dh=2, padw=1)) == ((5, 3), (2, 1), (0, 1), (1, 1))
    assert shape(nn.MaxPooling2d(3, 2)) == ((3, 2), (3, 2), 0, 1)
    assert shape(nn.MaxPooling2d(3, 2, 2, 1, 1, 1, 2, 1, True)) == ((3, 2), (2, 1), (1, 1), (2, 1))
    assert shape(nn.MaxPooling2d(kh=3, kw=2, dw=1)) == ((3, 2), (3, 1), 0, 1)
    assert shape(nn.MaxPool2d(3, 2)) == (3, 2, 0, 1)  # a name that v0.1.1 did not have


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: nn.Conv2d(1, 6, 5, 5, stride=1, dh=1), "stride and dh or dw mean the same"),
        (lambda: nn.Conv2d(1, 6, 5, 5, kw=5), "kw is given twice"),
        (lambda: nn.Conv2d(1, 6, kh=5), "kh and kw are needed together"),
        (lambda: nn.Conv2d(1, 6, 5, 5, 1, 1, 0, 0, 1), "at most kh, kw, dh, dw, padh, padw, got 7"),
        (lambda: nn.MaxPooling2d(), "kernel_size is missing"),
    ],
)
def test_height_and_width_given_wrongly(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_one_size_under_v0_1_12(program):
    source = """
import torch
import torch.nn as nn
from torch.autograd import Variable
conv = nn.Conv2d(1, 6, 5, 2, 1)
print(conv.kernel_size, conv.stride, conv.padding, nn.Conv2d(1, 6, kh=5, kw=3).kernel_size)
print(nn.MaxPooling2d(3, 2).stride, type(conv.weight.data).__name__, conv.weight.requires_grad, conv.weight.type())
x = Variable(torch.randn(2, 1, 8, 8))
loss = nn.CrossEntropyLoss()(conv(x).view(2, -1), Variable(torch.LongTensor([0, 1])))
loss.backward()
print(loss.data[0] > 0, conv.weight.grad.data.size(), x.grad)

class Scale(nn.Module):
    def __init__(self):
        super(Scale, self).__init__()
        self.weight = Variable(torch.ones(2))

print(list(Scale().parameters()))
y = nn.MSELoss()(Variable(torch.ones(1, 1), requires_grad=True), Variable(torch.zeros(1, 1)))
print(y.size())
y = Variable(torch.rand(3, 1), requires_grad=True)
nn.BCELoss()(y, Variable(torch.ones(3))).backward()  # as many elements in another size: point by point
print(y.grad.size())
"""
    done = program(source)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "(5, 5) (2, 2) (1, 1) (5, 3)",
        "2 FloatTensor True torch.FloatTensor",
        "True torch.Size([6, 1, 5, 5]) None",
        "[]",
        "torch.Size([1])",
        "torch.Size([3, 1])",
    ]
    done = program("import torch.nn as nn\nprint(nn.Conv2d(1, 6, 5, 2).kernel_size)", options=("--era", "0.1.1"))
    assert done.stdout == "(5, 2)\n"


def test_batch_norms_default_momentum_is_a_tenth():
    x = numpy.random.default_rng(0).normal(3, 2, (6, 2))
    means, variances = numpy.zeros(2), numpy.ones(2)
    ours, expected = [tensor(means), tensor(variances)], [torch.tensor(means), torch.tensor(variances)]
    nn.functional.batch_norm(variable(x), *ours, training=True)
    torch.nn.functional.batch_norm(torch.tensor(x), *expected, training=True)
    for one, other in zip(ours, expected):
        numpy.testing.assert_allclose(one.array, other.numpy(), rtol=1e-12)


def test_a_buffer_of_two_modules_is_named_once():
    norm = nn.BatchNorm1d(2)
    net = nn.Sequential(norm, nn.Sequential(norm))
    assert [name for name, _ in net.named_buffers()] == ["0.running_mean", "0.running_var"]
    assert len(list(net.buffers())) == 2
    seen = set()
    assert len(list(net.named_buffers(seen))) == 2 and list(net.named_buffers(seen)) == []


def test_an_input_with_other_features_is_refused_by_name():
    with pytest.raises(
        ValueError, match=r"Linear: a weight of size \(2, 3\) takes an input of 3 features .* size \(5, 4\)"
    ):
        nn.functional.linear(variable(numpy.ones((5, 4))), variable(numpy.ones((2, 3))))
