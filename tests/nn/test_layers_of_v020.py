"""The layers and functions that came with v0.2.0, beside modern torch: values, gradients and second derivatives."""

import math

import numpy
import pytest
import torch
import torch.nn.functional as TF

import legacy_autograd
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional as F

from .agreement import agree, close, modern, variable


def numbers(*size, seed=0):
    return numpy.random.default_rng(seed).normal(size=size)


def test_selu_and_glu():
    agree(nn.SELU(), torch.nn.SELU(), numbers(3, 4))
    agree(nn.GLU(1), torch.nn.GLU(1), numbers(2, 6, 3))
    x = Variable(legacy_autograd.ones(2)) * -1
    assert F.selu(x, inplace=True).data.tolist() == F.selu(Variable(legacy_autograd.ones(2)) * -1).data.tolist()
    with pytest.raises(ValueError, match="glu: dimension -1 must have an even size, got 3"):
        F.glu(variable(numbers(2, 3)))


@pytest.mark.parametrize("size", [(2, 3, 4, 5), (2, 1, 1, 3)])
def test_sampling_at_the_places_of_a_grid(size):
    """Some places are outside of the image, where the values fall to 0."""
    n, channels, height, width = size
    image, theta = numbers(*size), numbers(n, 2, 3, seed=1)
    ours = lambda image, theta: F.grid_sample(image, F.affine_grid(theta, (n, channels, 4, 3)))  # noqa: E731

    def theirs(image, theta):
        grid = TF.affine_grid(theta, (n, channels, 4, 3), align_corners=True)
        return TF.grid_sample(image, grid, align_corners=True)

    agree(ours, theirs, image, theta)
    agree(F.grid_sample, lambda x, g: TF.grid_sample(x, g, align_corners=True), image, 0.6 * numbers(n, 3, 2, 2))


def test_sampling_refuses_what_does_not_fit():
    x = variable(numbers(1, 2, 3, 3))
    with pytest.raises(ValueError, match="expected a grid"):
        F.grid_sample(x, variable(numbers(2, 3, 3, 2)))
    with pytest.raises(ValueError, match="mode must be bilinear, got 'nearest'"):
        F.grid_sample(x, variable(numbers(1, 3, 3, 2)), "nearest")


@pytest.mark.parametrize("mode", ["nearest", "trilinear"])
def test_enlarging_volumes(mode):
    x = numbers(1, 2, 2, 3, 2)
    corners = {} if mode == "nearest" else {"align_corners": True}
    agree(nn.Upsample(scale_factor=2, mode=mode), torch.nn.Upsample(scale_factor=2, mode=mode, **corners), x)


@pytest.mark.parametrize("mode", ["sum", "mean"])
def test_bags_of_rows(mode):
    indices, offsets = numpy.array([4, 1, 1, 0, 3]), numpy.array([0, 0, 2])  # the first bag is empty
    ours, theirs = nn.EmbeddingBag(5, 3, mode=mode).double(), torch.nn.EmbeddingBag(5, 3, mode=mode).double()
    agree(ours, theirs, indices, offsets, second=False)
    agree(ours, theirs, indices[:4].reshape(2, 2), second=False)
    with pytest.raises(ValueError, match="offsets must rise from 0 to 5 or less"):
        ours(variable(indices), variable(numpy.array([1, 2])))


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("log_input", [False, True])
def test_poisson_nll_loss(log_input, full):
    x, counts = numpy.abs(numbers(3, 2)) + 0.1, numpy.array([[0.0, 1.0], [2.0, 5.0], [1.0, 9.0]])
    theirs = torch.nn.PoissonNLLLoss(log_input, full, eps=0)
    target = modern(counts).detach()
    agree(
        lambda x: nn.PoissonNLLLoss(log_input, full)(x, Variable(legacy_autograd.from_numpy(counts))),
        lambda x: theirs(x, target),
        x,
    )


def test_alpha_dropout_keeps_mean_and_variance():
    legacy_autograd.manual_seed(0)
    x = Variable(legacy_autograd.DoubleTensor(200, 200).normal_(0, 1))
    y = nn.AlphaDropout(0.3)(x)
    # 40,000 draws: the mean of as many numbers has a standard deviation of 0.005, their variance of about 0.007.
    assert abs(y.data.mean()) < 0.03 and abs(y.data.var() - 1) < 0.05
    assert F.alpha_dropout(x, 0.3) is x and nn.AlphaDropout(0.3).eval()(x) is x
    with pytest.raises(ValueError, match="p must be a probability"):
        F.alpha_dropout(x, 1.5, True)


def test_the_limits_of_hardtanh_have_two_names():
    assert nn.Hardtanh(min_val=-2, max_val=3).max_val == nn.Hardtanh(min_value=-2, max_value=3).max_val == 3


def test_gradients_that_a_graph_holds_are_not_overwritten():
    """A gradient that is not volatile may be part of a graph: zero_grad replaces it (0.2)."""
    layer = nn.Linear(2, 1)
    first = layer.weight.grad = Variable(legacy_autograd.ones(1, 2))
    layer.zero_grad()
    assert first.data.tolist() == [[1, 1]] and layer.weight.grad.data.tolist() == [[0, 0]]


def test_lgamma():
    x = legacy_autograd.DoubleTensor([0.5, 1, 5, 0, -1, -0.5])
    # Γ(1/2) = √π, Γ(5) = 24, |Γ(-1/2)| = 2 √π; infinite at 0 and the negative integers
    expected = [math.log(math.pi) / 2, 0, math.log(24), math.inf, math.inf, math.log(4 * math.pi) / 2]
    numpy.testing.assert_allclose(x.lgamma().numpy(), expected, rtol=1e-15)
    assert x.lgamma_() is x and x[3] == math.inf
    close(legacy_autograd.lgamma(legacy_autograd.FloatTensor([2.5])).numpy(), torch.lgamma(torch.tensor([2.5])), "2.5")


def test_a_storage_over_a_file(tmp_path):
    path = tmp_path / "numbers"
    shared = legacy_autograd.FloatStorage.from_file(str(path), True, 3)
    legacy_autograd.FloatTensor(shared).copy_(legacy_autograd.FloatTensor([1, 2, 3]))
    again = legacy_autograd.FloatStorage.from_file(str(path), True, 3)
    alone = legacy_autograd.FloatStorage.from_file(str(path))
    again.fill_(4)
    alone[0] = 7
    assert shared.tolist() == [4, 4, 4] and alone.tolist() == [7, 4, 4]


def test_a_mask_that_is_broadcast_to_as_many_elements():
    """(2, 1, 2) and (2, 2) have four elements each, and are broadcast to (2, 2, 2)."""
    mask = numpy.array([[1, 0], [1, 1]], numpy.uint8)
    agree(
        lambda x: x.masked_select(variable(mask)),
        lambda x: x.masked_select(torch.tensor(mask) > 0),
        numbers(2, 1, 2),
    )
