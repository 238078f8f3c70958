"""`inplace=True` under the conventions of `run`: the result is in the memory of the input, as in modern torch."""

import numpy
import pytest
import torch

from legacy_autograd import conventions, nn
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional as F

from .agreement import tensor

LAYERS = {
    "ReLU": (),
    "ReLU6": (),
    "Threshold": (0.5, 2.0),
    "Hardtanh": (-0.5, 0.5),
    "ELU": (0.7,),
    "LeakyReLU": (0.2,),
    "RReLU": (0.2, 0.2),
}


@pytest.fixture(autouse=True)
def under_run(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])


def numbers():
    return numpy.random.default_rng(3).normal(0, 2, (3, 4))


@pytest.mark.parametrize("name", LAYERS)
def test_values_and_gradients_are_modern_torchs(name):
    x = Variable(tensor(numbers()), requires_grad=True)
    y = torch.tensor(numbers(), requires_grad=True)
    inner, theirs = x * 2, y * 2
    joined = getattr(nn, name)(*LAYERS[name], inplace=True)(inner) + inner  # the second operand is the changed one
    expected = getattr(torch.nn, name)(*LAYERS[name], inplace=True)(theirs) + theirs
    (joined * joined).sum().backward()
    (expected * expected).sum().backward()
    assert numpy.allclose(joined.data.numpy(), expected.detach().numpy())
    assert numpy.allclose(x.grad.data.numpy(), y.grad.numpy())


@pytest.mark.parametrize("name", "elu hardtanh leaky_relu relu relu6 rrelu selu".split())
@pytest.mark.parametrize("inplace", [False, True])
def test_functions(name, inplace):
    x, theirs = Variable(tensor(4 * numbers()), requires_grad=True), torch.tensor(4 * numbers(), requires_grad=True)
    inner = x * 1
    result = getattr(F, name)(inner, inplace=inplace)
    expected = getattr(torch.nn.functional, name)(theirs * 1)
    assert (result is inner) == inplace and numpy.allclose(result.data.numpy(), expected.detach().numpy())
    result.sum().backward()
    expected.sum().backward()
    assert numpy.allclose(x.grad.data.numpy(), theirs.grad.numpy())


def test_what_was_before_has_its_own_history():
    x = Variable(tensor(numbers()), requires_grad=True)
    inner = x * 2
    before = inner * 3
    after = F.relu(inner, inplace=True)
    assert after is inner and inner._version == 1
    (before + after).sum().backward()
    assert numpy.allclose(x.grad.data.numpy(), 6 + 2 * (numbers() > 0))


def test_a_saved_tensor_that_is_written_over_is_noticed():
    inner = Variable(tensor(numbers()), requires_grad=True).exp()  # saves its result
    F.relu(F.threshold(inner, 0, 0, inplace=True).sub(1), inplace=True).sum()
    with pytest.raises(RuntimeError):
        F.hardtanh(inner, -1, 1, inplace=True).sum().backward()


def test_a_leaf_that_requires_a_gradient_is_refused_and_one_that_does_not_is_written():
    with pytest.raises(RuntimeError, match="ReLU: a leaf Variable that requires grad"):
        F.relu(Variable(tensor(numbers()), requires_grad=True), inplace=True)
    x = Variable(tensor(numbers()), volatile=True)
    assert F.relu(x, inplace=True) is x and x.data.min() == 0 and x.volatile


@pytest.mark.parametrize("layer", [nn.Dropout, nn.Dropout2d])
def test_dropout(layer):
    x = Variable(tensor(numpy.ones((5, 6, 2))), requires_grad=True)
    inner = x * 1
    assert layer(0.5, inplace=True)(inner) is inner and set(inner.data.array.ravel()) == {0.0, 2.0}
    inner.sum().backward()
    assert x.grad.data.equal(inner.data)
    assert layer(0.5, inplace=True).eval()(x) is x
