"""The layers and losses that are put together from others: outputs and derivatives are modern torch's."""

import re

import numpy
import pytest
import torch
import torch.nn.functional as TF

from legacy_autograd import conventions, nn
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional as F

from .agreement import agree, tensor, variable


def numbers(*size, seed=0):
    return numpy.random.default_rng(seed).normal(size=size)


@pytest.fixture(params=["0.1.1", "0.1.12"], autouse=True)
def era(request, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS[request.param])


# --- images


@pytest.mark.parametrize("kind", ["AdaptiveAvgPool2d", "AdaptiveMaxPool2d"])
@pytest.mark.parametrize("size", [1, 3, (2, 5), (7, 4)])
def test_adaptive_pooling(kind, size):
    agree(getattr(nn, kind)(size), getattr(torch.nn, kind)(size), numbers(2, 3, 7, 5))


@pytest.mark.parametrize("padding", [(1, 2, 3, 0), (2, 2, 2, 2), (-1, 2, 0, -2), 1])
@pytest.mark.parametrize(("kind", "value"), [("ReplicationPad2d", ()), ("ConstantPad2d", (1.5,)), ("ZeroPad2d", ())])
def test_padding(kind, value, padding):
    agree(getattr(nn, kind)(padding, *value), getattr(torch.nn, kind)(padding, *value), numbers(2, 3, 4, 5))


@pytest.mark.parametrize("padding", [(1, 2, 3, 0), (4, 4, 3, 3), 2])
def test_padding_by_reflection(padding):
    agree(nn.ReflectionPad2d(padding), torch.nn.ReflectionPad2d(padding), numbers(2, 3, 4, 5))


def test_padding_of_other_dimensions():
    x = numbers(2, 3, 4)
    for pad in ((1, 2), (0, 0, 1, 0), (1, 0, 2, 1, 0, 1)):
        agree(lambda x: F.pad(x, pad, value=2), lambda x: TF.pad(x, pad, value=2), x)  # noqa: B023


@pytest.mark.parametrize("pad", [(0, -3), (-1, -2), (-3, 0, 0, -2), (2, -3), (-3, 4), (1, -3, -2, 1), (0, -3, 1, 1)])
def test_padding_that_leaves_nothing_or_nothing_but_padding(pad):
    agree(lambda x: F.pad(x, pad, value=2), lambda x: TF.pad(x, pad, value=2), numbers(4, 2, 3))


def test_larger_images():
    x = numbers(2, 8, 3, 5)
    agree(nn.PixelShuffle(2), torch.nn.PixelShuffle(2), x)
    agree(nn.UpsamplingNearest2d(scale_factor=3), torch.nn.UpsamplingNearest2d(scale_factor=3), x)
    agree(nn.UpsamplingNearest2d((6, 5)), torch.nn.UpsamplingNearest2d((6, 5)), x)
    agree(nn.UpsamplingBilinear2d(scale_factor=2), torch.nn.UpsamplingBilinear2d(scale_factor=2), x)
    agree(nn.UpsamplingBilinear2d((7, 1)), torch.nn.UpsamplingBilinear2d((7, 1)), x)
    agree(nn.UpsamplingBilinear2d(4), torch.nn.UpsamplingBilinear2d(4), numbers(1, 1, 1, 1))


# --- normalization and activations


@pytest.mark.parametrize(("kind", "size"), [("InstanceNorm1d", (6,)), ("InstanceNorm2d", (3, 4))])
@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_instance_norm(kind, size, affine, training):
    ours = getattr(nn, kind)(2, momentum=0.3, affine=affine).double()
    theirs = getattr(torch.nn, kind)(2, momentum=0.3, affine=affine, track_running_stats=True, dtype=torch.float64)
    for round in range(2):
        for model in (nn.Sequential(ours), torch.nn.Sequential(theirs)):
            model.train(training or round == 0)
        agree(ours, theirs, numbers(3, 2, *size, seed=round))
        for name in ("running_mean", "running_var"):
            expected = getattr(theirs, name).numpy()
            numpy.testing.assert_allclose(getattr(ours, name).numpy(), expected, rtol=1e-10)


def test_eval_of_an_instance_norm_alone_changes_nothing():
    layer = nn.InstanceNorm2d(1)
    assert layer.eval() is layer and layer.training
    assert not nn.Sequential(layer).eval()[0].training


@pytest.mark.parametrize(("kind", "arguments"), [("Tanhshrink", ()), ("Softshrink", (0.3,)), ("Hardshrink", (0.7,))])
def test_shrinking(kind, arguments):
    x = numpy.concatenate([numbers(20), [0, 0.3, -0.3, 0.7, -0.7]])
    agree(getattr(nn, kind)(*arguments), getattr(torch.nn, kind)(*arguments), x)


# --- distances and losses

SIGNS = numpy.array([1.0, -1, -1, 1, 1, -1])
REDUCTIONS = pytest.mark.parametrize("reduction", ["mean", "sum", "none"])


def losses(name, *arguments, **named):
    return getattr(nn, name)(*arguments, **named), getattr(torch.nn, name)(*arguments, **named)


def with_target(loss, target):
    """`loss` of the inputs and a target, which takes no part in the derivatives; `loss` is ours or modern torch's."""
    target = (
        torch.tensor(target) if isinstance(loss, torch.nn.Module) else Variable(tensor(target), requires_grad=False)
    )
    return lambda *inputs: loss(*inputs, target)


def compare(pair, target, *arrays, second=True):
    agree(*[with_target(loss, target) for loss in pair], *arrays, second=second)


def test_distances():
    x, y = numbers(4, 3), numbers(4, 3, seed=1)
    for p in (1, 2, 3):
        ours, theirs = nn.PairwiseDistance(p), torch.nn.PairwiseDistance(p, keepdim=True)
        agree(ours, theirs, x, y)
        agree(ours, theirs, numbers(2, 3, 4), numbers(2, 3, 4, seed=1))  # the last dimension, however many there are
    agree(nn.CosineSimilarity(), torch.nn.CosineSimilarity(), x, y)


def test_each_norm_of_a_cosine_has_a_lower_limit():
    # max(0.3, 1) max(4, 1) = 4, while 0.3 * 4 = 1.2 is not below 1: the cosine of (0.3, 0) and (4, 0) is 1.2 / 4.
    x, y = numpy.array([[0.3, 0], [0, 0]]), numpy.array([[4.0, 0], [1, 2]])
    x_variable = variable(x)
    cosine = nn.CosineSimilarity(eps=1)(x_variable, variable(y))
    cosine.sum().backward()
    # The derivative of (x y) / (1 * 4), where torch's is as if the norm below eps had been divided by.
    assert x_variable.grad.array[0].tolist() == [1, 0]
    numpy.testing.assert_allclose(cosine.data.numpy(), [0.3, 0], rtol=1e-15)
    numpy.testing.assert_allclose(torch.nn.CosineSimilarity(eps=1)(torch.tensor(x), torch.tensor(y)), [0.3, 0])


def test_the_cosine_loss_of_zeros():
    x, y = numpy.array([[0.0, 0], [1, 0]]), numpy.array([[1.0, 2], [0, 0]])
    ours, theirs = [with_target(loss, SIGNS[:2]) for loss in losses("CosineEmbeddingLoss")]
    agree(ours, theirs, x, y, second=False, tolerance=1e-8)  # torch's 1e-12 has the digits of a float


def test_a_target_of_the_hinge_that_is_no_sign():
    compare(losses("HingeEmbeddingLoss", 0.5), numpy.array([0.0, 2, -1, 1]), numbers(4))


@REDUCTIONS
@pytest.mark.parametrize("margin", [0, 0.4])
def test_losses_of_pairs(reduction, margin):
    x, y = numbers(6), numbers(6, seed=1)
    compare(losses("MarginRankingLoss", margin, reduction=reduction), SIGNS, x, y)
    compare(losses("HingeEmbeddingLoss", margin, reduction=reduction), SIGNS, x)
    compare(losses("SoftMarginLoss", reduction=reduction), SIGNS, x)
    pairs = numbers(6, 4), numbers(6, 4, seed=1)
    compare(losses("CosineEmbeddingLoss", margin, reduction=reduction), SIGNS, *pairs)


@REDUCTIONS
@pytest.mark.parametrize("weighted", [False, True])
def test_losses_of_classes(reduction, weighted):
    x, w = numbers(5, 4), numpy.array([0.2, 1.0, 3.0, 0.5])

    def both(name, *arguments):
        return [
            getattr(library, name)(*arguments, weight=make(w) if weighted else None, reduction=reduction)
            for library, make in ((nn, tensor), (torch.nn, torch.tensor))
        ]

    compare(both("MultiLabelSoftMarginLoss"), (numbers(5, 4, seed=1) > 0).astype(float), x)
    compare(both("MultiLabelSoftMarginLoss"), (numbers(5, 3, 4, seed=1) > 0).astype(float), numbers(5, 3, 4))
    at_the_margin = numpy.array([[0.5, 1.2, -0.2, 0.0]] * 5)  # x[0] - 0.7 = x[2]
    compare(both("MultiMarginLoss", 1, 0.7), numpy.array([1, 0, 0, 1, 2]), at_the_margin, second=False)
    for p in (1, 2):
        compare(both("MultiMarginLoss", p, 0.7), numpy.array([0, 3, 1, 1, 2]), x, second=False)  # nor has torch


@REDUCTIONS
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("p", [1, 2])
def test_triplets(reduction, swap, p):
    for size in ((5, 3), (2, 4, 3)):
        agree(
            *losses("TripletMarginLoss", 0.6, p, swap=swap, reduction=reduction),
            *[numbers(*size, seed=s) for s in range(3)],
        )


# --- bad input


def longs(*values):
    return variable(numpy.array(values))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: F.pad(x, (1, 2, 3)), r"pad: expected two integers.*\(1, 2, 3\)"),
        (lambda x: F.pad(x, (4, 0, 0, 0), "reflect"), r"padding \(4, 0\) must be smaller than the 4 elements"),
        (lambda x: F.pad(x, (4, 0), "around"), "mode must be constant, reflect or replicate, got 'around'"),
        (
            lambda x: F.pad(x, (1, 0), "reflect"),
            r"pad: mode 'reflect' .* for each dimension after the channels.*\(1, 0\)",
        ),
        (lambda x: nn.ReplicationPad2d(0)(x[0, 0]), "pad: mode 'replicate' .* an input of 2 dimensions"),
        (lambda x: nn.ZeroPad2d((1, 2)), "ZeroPad2d: padding must be one number or"),
        (lambda x: nn.PixelShuffle(2)(x), "number of channels must be divisible by 2 · 2, got 3"),
        (lambda x: nn.PixelShuffle(2)(x[0]), r"pixel_shuffle: expected an input \(N, C, H, W\), got 3 dimensions"),
        (lambda x: nn.UpsamplingNearest2d(), "needs either size or scale_factor"),
        (lambda x: F.upsample_nearest(x, (5, 4)), r"size must be a multiple of \(4, 4\), got \(5, 4\)"),
        (lambda x: F.upsample_bilinear(x), "upsample_bilinear: needs either size or scale_factor"),
        (lambda x: F.adaptive_avg_pool2d(x, 0), "adaptive_avg_pool2d: output_size must be 1 or more"),
        (
            lambda x: F.adaptive_max_pool2d(x[0], 2),
            r"AdaptiveMaxPool2d: .*4 dimensions, \(N, C, H, W\), got .* size \(3, 4, 4\)",
        ),
        (lambda x: nn.InstanceNorm2d(2)(x), "InstanceNorm2d: expected 2 channels, got 3"),
        (
            lambda x: nn.InstanceNorm2d(3)(x[:, :, :1, :1]),
            r"InstanceNorm2d: training needs more than one .* \(2, 3, 1, 1\)",
        ),
        (lambda x: nn.Softshrink(-0.5)(x), "softshrink: lambd must not be negative, got -0.5"),
        (lambda x: F.multi_margin_loss(x[:, :, 0, 0], longs(0, 1), p=3), "multi_margin_loss: p must be 1 or 2, got 3"),
        (
            lambda x: F.multi_margin_loss(x[:, :, 0, 0], longs(0, 1), weight=tensor(numpy.ones(4))),
            r"multi_margin_loss: expected a weight for each of the 3 classes, got the size \(4,\)",
        ),
        (lambda x: F.triplet_margin_loss(x, x, x, margin=0), "triplet_margin_loss: margin must be above 0, got 0"),
        (
            lambda x: F.cosine_embedding_loss(x[0, :, 0], x[1, :, 0], longs(1, -1)),
            r"cosine_embedding_loss: expected two inputs \(N, D\) and N targets, got .* \(3, 4\), \(3, 4\), \(2,\)",
        ),
        (lambda x: F.soft_margin_loss(x, x, reduction="avg"), "one of mean, sum, none, got 'avg'"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call(variable(numbers(2, 3, 4, 4)))


@pytest.mark.parametrize("given", [None, 3, "x", numpy.ones((2, 3, 4, 4))], ids=str)
@pytest.mark.parametrize(
    "layer",
    [
        nn.BatchNorm2d(3),
        nn.InstanceNorm2d(3),
        nn.Softmax2d(),
        nn.LSTM(3, 2),
        nn.GRUCell(3, 2),
        nn.ConvTranspose2d(3, 2, 2),
        nn.PixelShuffle(2),
        nn.ZeroPad2d(1),
        nn.AdaptiveAvgPool2d(1),
        nn.PairwiseDistance(),
        nn.MarginRankingLoss(),
    ],
    ids=lambda layer: type(layer).__name__,
)
def test_what_is_no_variable_is_named(layer, given):
    arguments = {"PairwiseDistance": 2, "MarginRankingLoss": 3}.get(type(layer).__name__, 1)
    with pytest.raises(TypeError, match=f"must be a Variable, got {type(given).__name__}"):
        layer(*[given] * arguments)


def test_targets_of_another_size():
    with pytest.raises(
        ValueError, match=r"multi_margin_loss: expected an input \(N, C\) and N targets.* \(3, 4\) and \(2,\)"
    ):
        F.multi_margin_loss(variable(numbers(3, 4)), variable(numpy.array([0, 1])))


@pytest.mark.parametrize("size", [(8, 9), (9, 10), [2, 3, 7, 10]])
def test_a_transposed_convolution_of_a_size_that_is_asked_for(size):
    ours = nn.ConvTranspose2d(2, 3, 3, stride=(3, 2), padding=1, dilation=(1, 2)).double()
    theirs = torch.nn.ConvTranspose2d(2, 3, 3, stride=(3, 2), padding=1, dilation=(1, 2), dtype=torch.float64)
    assert tuple(ours(variable(numbers(2, 2, 3, 4)), size).size())[2:] == tuple(size[-2:])
    copied = (lambda x, layer=layer: layer(x, output_size=size) for layer in (ours, theirs))
    for (_, a), (_, b) in zip(ours.named_parameters(), theirs.named_parameters()):
        b.data.copy_(torch.from_numpy(a.data.numpy()))
    agree(*copied, numbers(2, 2, 3, 4))


@pytest.mark.parametrize("size", [(6, 9), (10, 11), (9,), (1, 9, 9)])
def test_a_size_that_a_transposed_convolution_cannot_have(size):
    layer = nn.ConvTranspose2d(2, 3, 3, stride=(3, 2), padding=1, dilation=(1, 2)).double()
    shown = re.escape(str(tuple(size)))
    with pytest.raises(
        ValueError, match=rf"must be between \(7, 9\) and \(9, 10\) for an input of size \(2, 2, 3, 4\), got {shown}"
    ):
        layer(variable(numbers(2, 2, 3, 4)), size)


# --- what came with 0.2 in August 2017


@pytest.mark.parametrize("mode", ["nearest", "bilinear"])
def test_upsample(mode):
    x, y = variable(numbers(2, 3, 3, 4)), torch.tensor(numbers(2, 3, 3, 4))
    expected = torch.nn.functional.interpolate(
        y, scale_factor=2, mode=mode, align_corners=None if mode == "nearest" else True
    )
    assert numpy.allclose(nn.Upsample(scale_factor=2, mode=mode)(x).data.numpy(), expected.numpy())
    assert F.upsample(x, (6, 8), mode=mode).data.equal(nn.Upsample((6, 8), mode=mode)(x).data)
    assert repr(nn.Upsample(scale_factor=2, mode=mode)) == f"Upsample(scale_factor=2, mode={mode!r})"


def test_normalize_and_dropout_of_volumes():
    x, y = variable(numbers(3, 4)), torch.tensor(numbers(3, 4), requires_grad=True)
    for p, dim in ((2, 1), (1, 0)):
        ours, theirs = F.normalize(x, p, dim), torch.nn.functional.normalize(y, p, dim)
        assert numpy.allclose(ours.data.numpy(), theirs.detach().numpy())
    ours.mul(ours).mul(x).sum().backward()
    (theirs * theirs * y).sum().backward()
    assert numpy.allclose(x.grad.data.numpy(), y.grad.numpy())
    volume = variable(numpy.ones((4, 5, 2, 2, 2)))
    dropped = F.dropout3d(volume, 0.5, True).data.view(20, 8)
    assert ((dropped.array == 0).all(1) | (dropped.array == 2).all(1)).all()
    assert nn.LSTM(2, 2).flatten_parameters() is None


def test_upsample_of_another_mode_is_refused():
    for call in (
        lambda: nn.Upsample(2, mode="cubic"),
        lambda: F.upsample(variable(numbers(1, 1, 2, 2)), 2, None, "cubic"),
    ):
        with pytest.raises(ValueError, match="mode must be nearest, bilinear or trilinear, got 'cubic'"):
            call()
    with pytest.raises(ValueError, match="Upsample: needs either size or scale_factor"):
        nn.Upsample()
