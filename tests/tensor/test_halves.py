"""HalfTensors are added up, squared and normalized in floats, as in torch: many, large and tiny numbers."""

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional as F

modern = pytest.importorskip("torch")
MF = modern.nn.functional

INDEX = [0] * 3000
CLASSES = [row % 20 for row in range(500)]


def image(x):
    return x.view(1, 1, *x.size())


def zeros(x):
    return Variable(x.data * 0)


PROGRAMS = {
    "sum": (lambda x: x.sum(), lambda x: x.sum()),
    "sum(0)": (lambda x: x.sum(0), lambda x: x.sum(0)),
    "mean": (lambda x: x.mean(), lambda x: x.mean()),
    "mean(0)": (lambda x: x.mean(0), lambda x: x.mean(0)),
    "var": (lambda x: x.var(), lambda x: x.var()),
    "std": (lambda x: x.std(), lambda x: x.std()),
    "std(0)": (lambda x: x.std(0), lambda x: x.std(0)),
    "norm": (lambda x: x.norm(), lambda x: x.norm()),
    "norm(1)": (lambda x: x.norm(1), lambda x: x.norm(1)),
    "norm(3)": (lambda x: x.norm(3), lambda x: x.norm(3)),
    "norm(2, 1)": (lambda x: x.norm(2, 1), lambda x: x.norm(2, 1)),
    "prod(0)": (lambda x: x.prod(0), lambda x: x.prod(0)),
    "cumprod": (lambda x: x.cumprod(1), lambda x: x.cumprod(1)),
    "softmax": (lambda x: F.softmax(x, 0), lambda x: MF.softmax(x, 0)),
    "log_softmax": (lambda x: F.log_softmax(x, 0), lambda x: MF.log_softmax(x, 0)),
    "mse_loss": (lambda x: F.mse_loss(x, zeros(x)), lambda x: MF.mse_loss(x, x.detach() * 0)),
    "l1_loss": (lambda x: F.l1_loss(x, zeros(x)), lambda x: MF.l1_loss(x, x.detach() * 0)),
    "smooth_l1_loss": (lambda x: F.smooth_l1_loss(x, zeros(x)), lambda x: MF.smooth_l1_loss(x, x.detach() * 0)),
    "normalize": (F.normalize, MF.normalize),
    "dist": (lambda x: x.dist(zeros(x)), lambda x: x.dist(x.detach() * 0)),
    "pairwise_distance": (
        lambda x: F.pairwise_distance(x, zeros(x)), lambda x: MF.pairwise_distance(x, x.detach() * 0, keepdim=True),
    ),
    "batch_norm": (
        lambda x: F.batch_norm(x, None, None, training=True), lambda x: MF.batch_norm(x, None, None, training=True),
    ),
    "a bias": (lambda x: zeros(x) + x[0].view(1, -1), lambda x: x.detach() * 0 + x[0].view(1, -1)),
    "mm": (lambda x: x.mm(x.t()), lambda x: x.mm(x.t())),
    "avg_pool2d": (lambda x: F.avg_pool2d(image(x), (50, 10)), lambda x: MF.avg_pool2d(x[None, None], (50, 10))),
    "adaptive_avg_pool2d": (
        lambda x: F.adaptive_avg_pool2d(image(x), (3, 3)), lambda x: MF.adaptive_avg_pool2d(x[None, None], (3, 3)),
    ),
    "renorm": (lambda x: x.renorm(2, 0, 1.0), lambda x: x.renorm(2, 0, 1.0)),
}  # fmt: skip
NUMBERS = {
    "large": lambda rng: rng.uniform(100, 1000, (500, 20)),
    "tiny": lambda rng: rng.uniform(0.5, 2, (500, 20)) * 1e-4,
    "normal": lambda rng: rng.normal(size=(500, 20)),
}


def agree(ours, theirs):
    ours, theirs = (numpy.asarray(array, float).ravel() for array in (ours, theirs))
    assert ours.shape == theirs.shape
    scale = numpy.abs(theirs[numpy.isfinite(theirs)]).max(initial=1e-5)
    numpy.testing.assert_allclose(ours, theirs, rtol=1e-2, atol=5e-3 * scale)


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_values_and_gradients_are_torchs(name, kind):
    ours, theirs = PROGRAMS[name]
    numbers = NUMBERS[kind](numpy.random.default_rng(0)).astype(numpy.float16)
    x, modern_x = Variable(torch.from_numpy(numbers.copy())), modern.tensor(numbers, requires_grad=True)
    y, modern_y = ours(x), theirs(modern_x)
    gradient = numpy.cos(numpy.arange(modern_y.numel())).astype(numpy.float16)
    y.backward(torch.from_numpy(gradient.reshape(y.data.array.shape).copy()))
    modern_y.backward(modern.tensor(gradient).view(modern_y.shape))
    agree(y.data.array, modern_y.detach())
    agree(x.grad.array, modern_x.grad)


def test_renorm_of_a_variable_takes_norms_in_floats():
    """The norm of the first row is 84,853: more than a half can hold. torch in halves gives the same value."""
    x = Variable(torch.HalfTensor([[60000, -60000, 100], [0.25, 0.5, 0]]))
    result = x.renorm(2, 0, 1)
    assert result.data.tolist() == x.data.renorm(2, 0, 1).tolist()
    assert result.data[0].tolist() == pytest.approx([60000 / 84853, -60000 / 84853, 100 / 84853], rel=1e-3)
    assert result.data[1].tolist() == [0.25, 0.5, 0]
    result.sum().backward()
    assert x.grad[0].tolist() == pytest.approx([1 / 84853] * 3, rel=0.02)  # (1, 1, 1) less its part along the row
    assert x.grad[1].tolist() == [1, 1, 1]


def test_numbers_of_a_tensor():
    x = torch.HalfTensor([100, 200, 300])
    assert x.norm() == 374.25 == modern.tensor([100, 200, 300], dtype=modern.float16).norm().item()
    assert x.dist(x * 0) == 374.25 and x.var() == 10000 and x.std() == 100
    assert torch.HalfTensor([1e-4] * 4).norm() == pytest.approx(2e-4, rel=1e-3)  # the squares are below 6e-8


def test_sums_of_many_halves_are_exact_to_the_last_bit():
    ones = torch.ones(5000, 2).half()
    assert ones.sum() == 10000 and ones.sum(0).tolist() == [[5000, 5000]]  # 2048 + 1 is 2048 in halves
    assert ones[:, 0].sum() == 5000 and ones.t().sum(1).tolist() == [[5000], [5000]]


@pytest.mark.parametrize("row", [[1000.0, -1000.0, 3.0], [1e-4, 2e-4, 3e-4]])
def test_clip_grad_norm(row):
    x = Variable(torch.HalfTensor([row]))
    x.backward(torch.HalfTensor([row]))
    theirs = modern.tensor([row], dtype=modern.float16, requires_grad=True)
    theirs.grad = modern.tensor([row], dtype=modern.float16)
    assert nn.utils.clip_grad_norm_([x], 1e-4) == pytest.approx(
        modern.nn.utils.clip_grad_norm_([theirs], 1e-4).item(), rel=2e-3
    )
    agree(x.grad.array, theirs.grad)


def test_a_place_that_is_named_often_receives_every_number():
    """3,000 ones, added one after the other in halves, end at 2,048."""
    x = Variable(torch.zeros(2, 1).half())
    for picked in (x[torch.LongTensor(INDEX)], x.index_select(0, Variable(torch.LongTensor(INDEX)))):
        x.grad = None
        picked.backward(torch.ones(3000, 1).half())
        assert x.grad.tolist() == [[3000], [0]]


@pytest.mark.parametrize("loss", ["nll_loss", "cross_entropy"])
def test_mean_over_many_samples(loss):
    numbers = numpy.random.default_rng(1).normal(size=(500, 20)).astype(numpy.float16)
    x, theirs = Variable(torch.from_numpy(numbers.copy())), modern.tensor(numbers, requires_grad=True)
    (ours := getattr(F, loss)(x, Variable(torch.LongTensor(CLASSES)))).backward()
    (modern_loss := getattr(MF, loss)(theirs, modern.tensor(CLASSES))).backward()
    agree(ours.data.array, modern_loss.detach())
    agree(x.grad.array, theirs.grad)


def test_batch_norm_of_large_numbers_and_its_running_averages():
    """Squares of 1,000 are no halves: all results were 0."""
    numbers = numpy.array([[900.0], [1000.0], [1100.0]], numpy.float16)
    layer, theirs = nn.BatchNorm1d(1).half(), modern.nn.BatchNorm1d(1).half()
    layer.weight.data.fill_(1)
    agree(layer(Variable(torch.from_numpy(numbers))).data.array, theirs(modern.tensor(numbers)).detach())
    assert layer.running_mean.tolist() == [100]  # a tenth of 1,000
    assert layer.running_var.tolist() == pytest.approx([1001], rel=1e-3)  # 0.9 + a tenth of 10,000
