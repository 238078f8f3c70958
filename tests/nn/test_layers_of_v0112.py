"""The layers that v0.1.12 had and v0.1.1 did not: pooling with random windows and its way back, Bilinear, weight_norm …

The Functions behind them have their cases in tests/functions/table_nn.py; these tests call the modules.
"""

import itertools
import types

import numpy
import pytest
import torch
import torch.nn.functional as TF

import legacy_autograd
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional as F
from legacy_autograd.nn.utils import remove_weight_norm, weight_norm
from legacy_autograd.nn.utils.weight_norm import WeightNorm

from .agreement import agree, close, copy_parameters, tensor, variable


def numbers(*size, seed=0):
    return numpy.random.default_rng(seed).normal(size=size)


# --- the way back from a pooling


def test_the_second_derivative_of_an_index_that_is_named_twice():
    """Both gradients of x are g[0], so g[0] receives 1 + 10."""
    x, g = Variable(legacy_autograd.ones(1, 1, 2)), Variable(legacy_autograd.ones(1, 1, 3))
    indices = Variable(legacy_autograd.LongTensor([[[0, 0]]]))
    y = F.max_unpool1d(x, indices, 2, 1, 0, (3,))
    y.backward(g, create_graph=True)
    x.grad.backward(legacy_autograd.Tensor([[[1, 10]]]))
    assert g.grad.data.tolist() == [[[11, 0, 0]]]


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize(("kernel", "stride", "padding"), [(2, None, 0), (3, 2, 1), (2, 3, 0)])
def test_unpooling(dims, kernel, stride, padding):
    """Each result of the pooling is at its place again, with a gradient that reaches the pooling's input."""
    x = numbers(2, 3, *(7, 6, 5)[:dims])

    def there_and_back(library):
        pool = getattr(library, f"MaxPool{dims}d")(kernel, stride, padding, return_indices=True)
        unpool = getattr(library, f"MaxUnpool{dims}d")(kernel, stride, padding)
        return lambda x: unpool(*pool(x), output_size=tuple(x.size()))

    agree(there_and_back(nn), there_and_back(torch.nn), x)


def test_the_size_of_an_unpooling():
    x, indices = variable(numbers(1, 2, 3, 3)), variable(numpy.zeros((1, 2, 3, 3), numpy.int64))
    unpool = nn.MaxUnpool2d(3, stride=2)
    assert unpool(x, indices).size() == (1, 2, 7, 7)
    for rows, columns in itertools.product(range(4, 11), repeat=2):
        for size in ((rows, columns), legacy_autograd.Size((1, 2, rows, columns))):
            if {rows, columns} <= {6, 7, 8}:
                assert unpool(x, indices, size).size() == (1, 2, rows, columns)
                continue
            with pytest.raises(ValueError, match=r"output_size must be between \(6, 6\) and \(8, 8\) .*, got"):
                unpool(x, indices, size)


@pytest.mark.parametrize("index", [-1, 36])
def test_an_index_outside_of_the_unpoolings_output(index):
    x, indices = variable(numbers(1, 1, 3, 3)), numpy.zeros((1, 1, 3, 3), numpy.int64)
    indices[0, 0, 1, 1] = index
    with pytest.raises(RuntimeError, match=rf"MaxUnpool2d: found an invalid max index {index}: outputs of \(6, 6\)"):
        nn.MaxUnpool2d(2)(x, variable(indices))


def test_an_index_that_occurs_twice():
    """Windows of 3 with a stride of 2 share their edges. Each result has the whole gradient, as in modern torch."""
    x = numpy.array([[[0.0, 1, 5, 2, 0]]])

    def there_and_back(library):
        pool, unpool = library.MaxPool1d(3, 2, return_indices=True), library.MaxUnpool1d(3, 2)
        return lambda x: unpool(*pool(x))

    agree(there_and_back(nn), there_and_back(torch.nn), x)
    y = there_and_back(nn)(variable(x))
    assert y.data.array.tolist() == [[[0, 0, 5, 0, 0]]]
    indices = numpy.array([[[1, 0, 1]]])
    unpool = lambda nn: lambda x, i: nn.functional.max_unpool1d(x, i, 2, 2, output_size=[6])  # noqa: E731
    agree(unpool(nn), unpool(torch.nn), numpy.array([[[1.0, 2, 3]]]), indices)


# --- other poolings


@pytest.mark.parametrize("sizes", [{"output_size": (3, 4)}, {"output_size": 2}, {"output_ratio": (0.6, 0.5)}])
def test_fractional_pooling(sizes):
    samples = numpy.random.default_rng(1).random((2, 3, 2))
    ours = nn.FractionalMaxPool2d((2, 3), _random_samples=tensor(samples), **sizes)
    theirs = torch.nn.FractionalMaxPool2d((2, 3), _random_samples=torch.tensor(samples), **sizes)
    agree(ours, theirs, numbers(2, 3, 8, 9))


def test_the_windows_of_a_fractional_pooling_are_drawn():
    x = variable(numpy.arange(2 * 4 * 400.0).reshape(2, 4, 20, 20))
    pool = nn.FractionalMaxPool2d(2, output_ratio=0.7, return_indices=True)
    legacy_autograd.manual_seed(3)
    y, indices = pool(x)
    again, others = pool(x)
    assert y.size() == (2, 4, 14, 14) and not y.data.equal(again.data)
    legacy_autograd.manual_seed(3)
    assert pool(x)[0].data.equal(y.data)
    # The largest number of a window of 2x2 is at its lower right corner. The windows overlap, or follow one another.
    rows, columns = numpy.divmod(indices.data.array, 20)
    for starts in (rows[:, :, :, 0] - 1, columns[:, :, 0, :] - 1):
        assert (starts[..., 0] == 0).all() and (starts[..., -1] == 18).all()
        assert set(numpy.diff(starts).ravel().tolist()) == {1, 2}


@pytest.mark.parametrize("norm", [1, 2, 3.5])
@pytest.mark.parametrize(("kernel", "stride", "ceil"), [(2, None, False), ((3, 2), (2, 1), True)])
def test_lp_pooling(norm, kernel, stride, ceil):
    x = numpy.random.default_rng(0).uniform(0.1, 2, (2, 3, 5, 6))
    agree(nn.LPPool2d(norm, kernel, stride, ceil), torch.nn.LPPool2d(norm, kernel, stride, ceil), x)


def test_lp_pooling_of_zeros():
    x = numpy.array([[[[0.0, 0, 3, 4, -1, 0]]]])
    agree(nn.LPPool2d(2, (1, 2)), torch.nn.LPPool2d(2, (1, 2)), x)
    zeros = variable(numpy.zeros((1, 1, 2, 2)))
    nn.LPPool2d(1, 2)(zeros).sum().backward()  # a sum, which has a derivative everywhere; modern torch has 0 here too
    assert zeros.grad.array.tolist() == [[[[1, 1], [1, 1]]]]


@pytest.mark.parametrize("size", [1, 3, 7, 9])
def test_adaptive_pooling_of_one_dimension(size):
    x = numbers(2, 3, 7)
    agree(nn.AdaptiveAvgPool1d(size), torch.nn.AdaptiveAvgPool1d(size), x)
    agree(nn.AdaptiveMaxPool1d(size), torch.nn.AdaptiveMaxPool1d(size), x)
    _, indices = nn.AdaptiveMaxPool1d(size, return_indices=True)(variable(x))
    _, expected = TF.adaptive_max_pool1d(torch.tensor(x), size, return_indices=True)
    numpy.testing.assert_array_equal(indices.data.array, expected.numpy())


def test_maxima_come_without_their_places_by_default():
    for dims in (1, 2, 3):
        x = variable(numbers(2, 3, *[5] * dims))
        pools = [getattr(nn, f"{name}{dims}d", None) for name in ("MaxPool", "AdaptiveMaxPool", "FractionalMaxPool")]
        for pool in filter(None, pools):
            named = {"output_size": 2} if pool is nn.FractionalMaxPool2d else {}
            assert type(pool(2, **named)(x)) is Variable


def test_adaptive_max_pooling_gives_the_places_and_notices_a_write_to_them():
    x = variable(numbers(2, 3, 7, 5))
    y, indices = nn.AdaptiveMaxPool2d((3, 2), return_indices=True)(x)
    _, expected = TF.adaptive_max_pool2d(torch.tensor(x.data.array), (3, 2), return_indices=True)
    numpy.testing.assert_array_equal(indices.data.array, expected.numpy())
    indices.data.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_the_mean_over_a_volume_has_modern_torchs_options():
    x = numbers(1, 2, 4, 5, 6)
    for named in ({}, {"padding": 1}, {"padding": 1, "count_include_pad": False, "ceil_mode": True}):
        agree(nn.AvgPool3d(3, 2, **named), torch.nn.AvgPool3d(3, 2, **named), x)


def test_the_zeros_around_an_image_count_by_default():
    """Of the functions, which pass the option on: the mean of 3 x 3 ones at a corner is 4 / 9."""
    x = legacy_autograd.ones(1, 1, 3, 3)
    assert F.avg_pool2d(Variable(x), 3, 1, 1).data[0, 0, 0, 0] == pytest.approx(4 / 9)
    assert F.avg_pool2d(Variable(x), 3, 1, 1, False, False).data[0, 0, 0, 0] == 1
    assert F.avg_pool1d(Variable(x[0]), 3, 1, 1).data[0, 0, 0] == pytest.approx(2 / 3)
    assert F.avg_pool3d(Variable(x.view(1, 1, 1, 3, 3)), (1, 3, 3), 1, (0, 1, 1)).data.view(-1)[0] == pytest.approx(
        4 / 9
    )


def test_padding_of_volumes():
    for padding in (1, (1, 2, 0, 3, 2, 1)):
        agree(nn.ReplicationPad3d(padding), torch.nn.ReplicationPad3d(padding), numbers(2, 3, 4, 5, 2))


# --- activations, normalization and products


def test_rrelu():
    agree(nn.RReLU(0.1, 0.4).eval(), torch.nn.RReLU(0.1, 0.4).eval(), numbers(5, 6))
    legacy_autograd.manual_seed(0)
    x = variable(numbers(40, 50))
    y = nn.RReLU(0.1, 0.4)(x)
    y.sum().backward()
    slopes, below = x.grad.array, x.data.array <= 0
    assert (slopes[~below] == 1).all() and ((slopes[below] >= 0.1) & (slopes[below] < 0.4)).all()
    assert abs(slopes[below].mean() - 0.25) < 0.01
    numpy.testing.assert_allclose(y.data.array, x.data.array * slopes)


@pytest.mark.parametrize("bias", [False, True])
def test_bilinear(bias):
    agree(
        nn.Bilinear(3, 4, 2, bias=bias).double(),
        torch.nn.Bilinear(3, 4, 2, bias=bias, dtype=torch.float64),
        numbers(5, 3),
        numbers(5, 4, seed=1),
    )


@pytest.mark.parametrize("size", [1, 3, 4, 5, 20])
def test_response_normalization(size):
    """The result is modern torch's. Its gradient is that of another window; the table has the formula's."""
    x = numbers(2, 9, 2, 3)
    expected = torch.nn.CrossMapLRN2d(size, 0.8, 0.6, 1.5)(torch.tensor(x))
    close(nn.CrossMapLRN2d(size, 0.8, 0.6, 1.5)(variable(x)).data.array, expected, "result")


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_multilabel_margin(reduction):
    x, target = numbers(4, 5), numpy.array([[1, 3, -1, 0, 0], [-1] * 5, [4, 0, 0, 2, -1], [0, 1, 2, 3, 4]])
    for inputs, classes in ((x, target), (x[0], target[0])):
        agree(
            lambda x, t=classes: nn.MultiLabelMarginLoss(reduction=reduction)(x, tensor(t)),
            lambda x, t=classes: torch.nn.MultiLabelMarginLoss(reduction=reduction)(x, torch.tensor(t)),
            inputs,
            second=False,
        )


# --- weight_norm


def weights_apart(make, name="weight", dim=0):
    ours, theirs = make(nn).double(), make(torch.nn).double()
    ours = weight_norm(ours, name, dim)
    theirs = torch.nn.utils.weight_norm(theirs, name, -1 if dim is None else dim)
    copy_parameters(ours, theirs)
    return ours, theirs


@pytest.mark.filterwarnings("ignore:.*weight_norm.* is deprecated")
@pytest.mark.parametrize(
    ("make", "dim", "size"),
    [
        (lambda nn: nn.Linear(4, 3), 0, (5, 4)),
        (lambda nn: nn.Linear(4, 3, bias=False), 1, (5, 4)),
        (lambda nn: nn.Conv1d(4, 3, 2), 2, (2, 4, 5)),
        (lambda nn: nn.ConvTranspose2d(2, 3, kernel_size=2), 1, (1, 2, 3, 3)),
        (lambda nn: nn.Conv2d(2, 3, kernel_size=2), 0, (1, 2, 3, 3)),
    ],
    ids=["rows", "columns", "last", "transposed", "images"],
)
def test_weight_norm(make, dim, size):
    """Second derivatives have a test of their own: modern torch's, of the first and last dimension, are incorrect."""
    agree(*weights_apart(make, dim=dim), numbers(*size), second=False)


@pytest.mark.parametrize("dim", [0, 1, 2, None])
def test_second_derivatives_of_a_weight_with_a_norm(dim):
    others = [d for d in range(3) if d != dim]

    def ours(g, v):
        return WeightNorm("weight", dim).compute_weight(types.SimpleNamespace(weight_g=g, weight_v=v))

    g = numbers(1) if dim is None else numbers(*[4 - dim if d == dim else 1 for d in range(3)])
    agree(ours, lambda g, v: v * (g / v.norm(2, others, keepdim=True)), g, numbers(4, 3, 2))


@pytest.mark.filterwarnings("ignore:.*weight_norm.* is deprecated")
def test_weight_norm_of_a_whole_weight_and_of_a_recurrent_one():
    ours, theirs = nn.Linear(4, 3).double(), torch.nn.Linear(4, 3).double()
    copy_parameters(ours, theirs)
    ours, theirs = weight_norm(ours, dim=None), torch.nn.utils.weight_norm(theirs, dim=None)
    close(ours.weight_g.data.array, theirs.weight_g, "norm")
    agree(lambda x: ours(x), lambda x: theirs(x), numbers(5, 4))
    agree(*weights_apart(lambda nn: nn.LSTMCell(4, 3), "weight_hh"), numbers(2, 4))


def test_the_parameters_of_a_weight_with_a_norm():
    layer = nn.Linear(4, 3)
    before = layer.weight.data.clone()
    assert weight_norm(layer) is layer
    assert [name for name, _ in layer.named_parameters()] == ["bias", "weight_g", "weight_v"]
    assert layer.weight_g.size() == (3, 1) and not isinstance(layer.weight, nn.Parameter)
    numpy.testing.assert_allclose(layer.weight.data.array, before.array, rtol=1e-6)
    layer.weight_g.data.mul_(2)
    layer(Variable(legacy_autograd.ones(1, 4).type(before.type())))
    numpy.testing.assert_allclose(layer.weight.data.array, 2 * before.array, rtol=1e-6)
    assert remove_weight_norm(layer) is layer
    assert [name for name, _ in layer.named_parameters()] == ["bias", "weight"]
    numpy.testing.assert_allclose(layer.weight.data.array, 2 * before.array, rtol=1e-6)
    assert not layer._forward_pre_hooks


# --- bad input


def longs(*values):
    return variable(numpy.array(values))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: nn.MaxUnpool1d(2)(x, x), ValueError, r"max_unpool1d: expected an input of 3 dimensions, got 4"),
        (lambda x: nn.MaxUnpool2d(2)(x, x), ValueError, "MaxUnpool2d: expected a LongTensor of indices"),
        (lambda x: nn.MaxUnpool2d(2)(x, longs(1, 2)), ValueError, "in the input's size, got .* and .*LongTensor of"),
        (lambda x: nn.MaxUnpool2d((2, 2, 2)), ValueError, "MaxUnpool2d: kernel_size must be .* tuple of 2"),
        (lambda x: nn.FractionalMaxPool2d(2), ValueError, "needs either output_size or output_ratio"),
        (lambda x: nn.FractionalMaxPool2d(2, 3, 0.5), ValueError, "needs either output_size or output_ratio"),
        (lambda x: nn.FractionalMaxPool2d(2, output_ratio=1.5)(x), ValueError, "must be between 0 and 1, .* 1.5"),
        (
            lambda x: nn.FractionalMaxPool2d(3, 3)(x),
            ValueError,
            r"an input of \(4, 4\) has no \(3, 3\) different windows of \(3, 3\)",
        ),
        (
            lambda x: F.fractional_max_pool2d(x, 2, 2, _random_samples=tensor(numpy.ones((2, 3)))),
            ValueError,
            r"expected samples of size \(2, 3, 2\), got .* of size \(2, 3\)",
        ),
        (lambda x: nn.AdaptiveMaxPool1d(2)(x), ValueError, r"AdaptiveMaxPool1d: .*3 dimensions, \(N, C, L\)"),
        (
            lambda x: nn.AdaptiveAvgPool1d(2)(x),
            ValueError,
            r"adaptive_avg_pool1d: expected an input \(N, C, L\), got 4",
        ),
        (lambda x: nn.LPPool2d(2, 3)(x[0]), ValueError, "AvgPool2d: expected an input of 4 dimensions"),
        (lambda x: nn.ReplicationPad3d((1, 1)), ValueError, r"one number or \(left, right, top, bottom, front, back\)"),
        (lambda x: F.rrelu(x, 0.5, 0.1), ValueError, "RReLU: lower must not be above upper, got 0.5 and 0.1"),
        (lambda x: F.rrelu(longs(1, 2)), TypeError, "RReLU: expected floating-point numbers"),
        (lambda x: nn.Bilinear(0, 2, 3), ValueError, "Bilinear: in1_features must be a positive integer, got 0"),
        (
            lambda x: nn.Bilinear(4, 4, 3)(x[0, 0], x[0, 0, :3]),
            ValueError,
            r"Bilinear: expected inputs .* got the sizes \(4, 4\), \(3, 4\) and \(3, 4, 4\)",
        ),
        (
            lambda x: nn.Bilinear(4, 4, 3).float()(x[0, 0], x[0, 0]),
            TypeError,
            "Bilinear: .* of one floating-point type",
        ),
        (lambda x: nn.CrossMapLRN2d(3)(x[0]), ValueError, "CrossMapLRN2d: expected an input of 4 dimensions"),
        (lambda x: nn.CrossMapLRN2d(0)(x), ValueError, "CrossMapLRN2d: size must be a positive integer, got 0"),
        (
            lambda x: F.multilabel_margin_loss(x[0, 0], longs(1, 2)),
            ValueError,
            r"MultiLabelMarginLoss: expected .* \(N, C\) or \(C\).*size \(4, 4\) and .*size \(2,\)",
        ),
        (lambda x: F.multilabel_margin_loss(x[0, 0, 0], longs(0, 4, -1, 0)), IndexError, "target 4 is out of range"),
        (lambda x: F.multilabel_margin_loss(x[0, 0], x[0, 0]), TypeError, "expected the targets as a torch.LongTensor"),
        (lambda x: weight_norm(nn.Linear(2, 3), "weights"), ValueError, "no parameter 'weights'; it has weight, bias"),
        (lambda x: weight_norm(nn.Linear(2, 3), dim=2), IndexError, "weight_norm: .*2"),
        (lambda x: remove_weight_norm(nn.Linear(2, 3)), ValueError, "Linear has no weight norm of 'weight'"),
        (lambda x: nn.UpsamplingNearest2d(), ValueError, "needs either size or scale_factor"),
    ],
)
def test_bad_input(call, error, words):
    with pytest.raises(error, match=words):
        call(variable(numbers(2, 3, 4, 4)))


def test_a_factor_of_enlargement_goes_before_a_size():
    x = variable(numbers(1, 1, 2, 3))
    for layer in (nn.UpsamplingNearest2d, nn.UpsamplingBilinear2d):
        assert layer(12, 16)(x).size() == (1, 1, 32, 48)
