"""Convolution and pooling against modern torch, over random sizes and options and at their edges."""

import contextlib
from unittest import mock

import numpy
import pytest
import torch
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from legacy_autograd import conventions, nn
from legacy_autograd.autograd import Variable
from legacy_autograd.autograd.functions import conv, im2col

from .agreement import agree, tensor, variable

F = nn.functional
TF = torch.nn.functional
few = settings(max_examples=30)
# Whether also small images, and those with many places between the windows, are convolved by shifts.
shifts = st.sampled_from([{"SHORT": im2col.SHORT}, {"SHORT": 1, "WASTE": 99}])


@st.composite
def geometries(draw, dims):
    """The size of an input and arguments of a convolution that leave at least one window."""
    kernel = [draw(st.integers(1, 4)) for _ in range(dims)]
    stride = [draw(st.integers(1, 3)) for _ in range(dims)]
    dilation = [draw(st.integers(1, 2)) for _ in range(dims)]
    padding = [draw(st.integers(0, 2)) for _ in range(dims)]
    size = [
        max(1, d * (k - 1) + 1 - 2 * p) + draw(st.integers(0, 5 if dims < 3 else 3))
        for k, d, p in zip(kernel, dilation, padding)
    ]  # fmt: skip
    return size, tuple(kernel), tuple(stride), tuple(padding), tuple(dilation)


channels = st.tuples(st.integers(1, 3), st.integers(1, 2), st.integers(1, 3))  # groups; in and out of each


@few
@given(
    dims=st.sampled_from([1, 2, 3]),
    batch=st.integers(1, 3),
    channels=channels,
    bias=st.booleans(),
    data=st.data(),
    shifts=shifts,
)
def test_convolution(dims, batch, channels, bias, data, shifts):
    size, kernel, stride, padding, dilation = data.draw(geometries(dims))
    groups, inputs, outputs = channels[0], channels[0] * channels[1], channels[0] * channels[2]
    named = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups, "bias": bias}
    ours = getattr(nn, f"Conv{dims}d")(inputs, outputs, kernel, **named)
    theirs = getattr(torch.nn, f"Conv{dims}d")(inputs, outputs, kernel, dtype=torch.float64, **named)
    with mock.patch.multiple(im2col, **shifts):
        agree(ours, theirs, numpy.random.default_rng(0).normal(size=(batch, inputs, *size)))


@few
@given(
    dims=st.sampled_from([1, 2, 3]),
    batch=st.integers(1, 3),
    channels=channels,
    bias=st.booleans(),
    data=st.data(),
    shifts=shifts,
)
def test_transposed_convolution(dims, batch, channels, bias, data, shifts):
    size, kernel, stride, padding, dilation = data.draw(geometries(dims))
    extra = tuple([data.draw(st.integers(0, max(s, d) - 1)) for s, d in zip(stride, dilation)])
    reach = zip(size, kernel, stride, padding, dilation, extra)
    assume(min([(n - 1) * s - 2 * p + d * (k - 1) + 1 + e for n, k, s, p, d, e in reach]) > 0)
    named = {"stride": stride, "padding": padding, "output_padding": extra, "dilation": dilation, "groups": channels[0]}
    inputs, outputs = channels[0] * channels[1], channels[0] * channels[2]
    ours = getattr(nn, f"ConvTranspose{dims}d")(inputs, outputs, kernel, bias=bias, **named)
    theirs = getattr(torch.nn, f"ConvTranspose{dims}d")(
        inputs, outputs, kernel, bias=bias, dtype=torch.float64, **named
    )
    with mock.patch.multiple(im2col, **shifts):
        agree(ours, theirs, numpy.random.default_rng(0).normal(size=(batch, inputs, *size)))


@pytest.mark.parametrize(
    "name", ["conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]
)
def test_a_convolution_without_options(name):
    size = [4] * int(name[-2])
    generator = numpy.random.default_rng(3)
    x, weight = generator.normal(size=(2, 3, *size)), generator.normal(size=(3, 3, *[2] * len(size)))
    expected = getattr(TF, name)(torch.tensor(x), torch.tensor(weight))
    numpy.testing.assert_allclose(getattr(F, name)(variable(x), variable(weight)).data.array, expected, rtol=1e-10)


def test_convolution_in_several_blocks(monkeypatch):
    """More windows than fit into one block are made a few samples at a time."""
    monkeypatch.setattr(conv, "BLOCK", 3 * 2 * 9 * 16 * 8)
    ours, theirs = nn.Conv2d(2, 3, kernel_size=3), torch.nn.Conv2d(2, 3, 3, dtype=torch.float64)
    agree(ours, theirs, numpy.random.default_rng(0).normal(size=(8, 2, 6, 6)))
    agree(ours, theirs, numpy.random.default_rng(0).normal(size=(1, 2, 16, 16)))  # one sample is more than a block


@pytest.mark.parametrize("groups", (1, 2))
def test_convolution_in_several_pieces(monkeypatch, groups):
    """Eight samples of 16 windows: four products of two samples each, of which 3 and then 1 are made at a time."""
    monkeypatch.setattr(conv, "COLUMNS", 32)
    monkeypatch.setattr(conv, "CACHE", 3 * 2 * 2 * 9 * 16 * 8)
    ours = nn.Conv2d(2, 4, kernel_size=3, groups=groups)
    theirs = torch.nn.Conv2d(2, 4, 3, groups=groups, dtype=torch.float64)
    agree(ours, theirs, numpy.random.default_rng(0).normal(size=(8, 2, 6, 6)))


@pytest.mark.parametrize("groups", (1, 2))
@pytest.mark.parametrize("batch", (1, 3))
def test_the_places_of_a_large_image_in_parts(monkeypatch, batch, groups):
    """1 KB of windows at a time are 3 places of an image with 4 channels, so 5 at a time; sums over 2 KB are large."""
    monkeypatch.setattr(conv, "CACHE", 1000)
    monkeypatch.setattr(conv, "ROW", 5)
    for dims, size in ((1, 150), (2, 15), (3, 8)):
        ours = getattr(nn, f"Conv{dims}d")(4, 8, kernel_size=3, padding=1, groups=groups)
        theirs = getattr(torch.nn, f"Conv{dims}d")(4, 8, 3, padding=1, groups=groups, dtype=torch.float64)
        agree(ours, theirs, numpy.random.default_rng(0).normal(size=(batch, 4, *[size] * dims)))


@pytest.mark.parametrize("padding", (0, 1, 2, (0, 3)))
@pytest.mark.parametrize("block", (1 << 23, 9000))
def test_convolution_by_rows(monkeypatch, padding, block):
    """Many samples are convolved by rows of windows, here all at a time or a few."""
    monkeypatch.setattr(conv, "ROW", 16)
    monkeypatch.setattr(conv, "SAMPLES", 2)
    monkeypatch.setattr(conv, "BLOCK", block)
    x = numpy.random.default_rng(0).normal(size=(9, 2, 5, 4))
    for kernel, stride, bias in ((3, 1, True), ((2, 1), 1, False), ((1, 4), 1, True), (3, 2, False), (2, (1, 3), True)):
        named = {"stride": stride, "padding": padding, "bias": bias}
        ours = nn.Conv2d(2, 3, kernel_size=kernel, **named)
        theirs = torch.nn.Conv2d(2, 3, kernel, dtype=torch.float64, **named)
        agree(ours, theirs, x)
        agree(ours, theirs, x, second=False)


@pytest.mark.parametrize("dims", (1, 2, 3))
def test_a_window_as_large_as_the_image(dims):
    size = (3, 2, 2)[:dims]
    generator = numpy.random.default_rng(0)
    ours, theirs = getattr(nn, f"Conv{dims}d")(2, 5, size), getattr(torch.nn, f"Conv{dims}d")(2, 5, size).double()
    agree(ours, theirs, generator.normal(size=(4, 2, *size)))
    ours = getattr(nn, f"ConvTranspose{dims}d")(5, 2, size)
    theirs = getattr(torch.nn, f"ConvTranspose{dims}d")(5, 2, size).double()
    agree(ours, theirs, generator.normal(size=(4, 5, *[1] * dims)))


@pytest.mark.parametrize("stride", (1, 2))
def test_samples_a_power_of_two_apart(stride):
    """Eight samples of 512 bytes each share a product, and are moved apart before they are turned."""
    x = numpy.random.default_rng(0).normal(size=(8, 4, 4, 4))
    for name in ("Conv2d", "ConvTranspose2d"):
        ours = getattr(nn, name)(4, 4, kernel_size=2, stride=stride)
        agree(ours, getattr(torch.nn, name)(4, 4, 2, stride, dtype=torch.float64), x)


def test_what_is_kept_for_backward_goes_with_the_saved_tensors():
    x = variable(numpy.ones((2, 1, 5, 5)))
    y = nn.Conv2d(1, 1, kernel_size=3)(x)
    assert y.creator.saved_tensors.view.shape == (1, 1, 3, 3, 3, 3, 2)
    y.backward(tensor(numpy.ones((2, 1, 3, 3))), retain_variables=False)
    with pytest.raises(RuntimeError, match="freed"):
        y.backward(tensor(numpy.ones((2, 1, 3, 3))))


@pytest.mark.parametrize("fails", [False, True])
def test_what_the_two_gradients_of_a_backward_share_goes_with_it(monkeypatch, fails):
    monkeypatch.setattr(conv, "ROW", 16)
    monkeypatch.setattr(conv, "SAMPLES", 2)
    shared, by_second = [], conv.Conv2d.by_second

    def seen(function, grad, saved):
        result = by_second(function, grad, saved)
        shared.append(function.shared)
        assert function.shared  # the turned gradient
        if fails:
            raise KeyboardInterrupt
        return result

    monkeypatch.setattr(conv.Conv2d, "by_second", seen)
    y = nn.Conv2d(2, 3, kernel_size=3)(variable(numpy.ones((9, 2, 6, 6))))
    for create_graph in (False, True):
        with pytest.raises(KeyboardInterrupt) if fails else contextlib.nullcontext():
            y.sum().backward(create_graph=create_graph)
        assert y.creator.shared == () and shared.pop() == []


def test_an_input_changed_after_the_convolution_is_noticed():
    x = Variable(tensor(numpy.ones((1, 1, 4, 4))), requires_grad=False)
    y = nn.Conv2d(1, 1, kernel_size=2)(x)
    x.data.fill_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward(tensor(numpy.ones((1, 1, 3, 3))))


def test_nothing_is_computed_for_what_requires_no_gradient():
    layer = nn.Conv2d(1, 2, kernel_size=3)
    layer.weight.requires_grad = False
    x = Variable(tensor(numpy.ones((1, 1, 5, 5))), requires_grad=False)
    y = layer(x)
    grads = y.creator._do_backward(tensor(numpy.ones((1, 2, 3, 3))))
    assert grads[0] is None and grads[1] is None and grads[2].array.tolist() == [9, 9]


@st.composite
def pools(draw, dims):
    kernel = [draw(st.integers(1, 4)) for _ in range(dims)]
    stride = draw(st.none() | st.tuples(*[st.integers(1, 4)] * dims))
    padding = [draw(st.integers(0, k // 2)) for k in kernel]
    size = [max(1, k - 2 * p) + draw(st.integers(0, 6)) for k, p in zip(kernel, padding)]
    return size, tuple(kernel), stride, tuple(padding), draw(st.booleans())


def pool_inputs(size, ties, seed):
    rng = numpy.random.default_rng(seed)
    return rng.integers(-1, 2, (2, 2, *size)).astype(float) if ties else rng.normal(size=(2, 2, *size))


@few
@given(dims=st.sampled_from([1, 2, 3]), ties=st.booleans(), seed=st.integers(0, 99), data=st.data())
def test_max_pooling(dims, ties, seed, data):
    size, kernel, stride, padding, ceil = data.draw(pools(dims))
    dilation = tuple([data.draw(st.integers(1, 2 if k > 1 and n > 2 * k else 1)) for k, n in zip(kernel, size)])
    named = {"stride": stride, "padding": padding, "dilation": dilation, "ceil_mode": ceil}
    ours = getattr(nn, f"MaxPool{dims}d")(kernel, **named)
    theirs = getattr(torch.nn, f"MaxPool{dims}d")(kernel, **named)
    x = pool_inputs(size, ties, seed)
    agree(ours, theirs, x)
    function = getattr(F, f"max_pool{dims}d")
    _, indices = function(variable(x), kernel, return_indices=True, **named)
    _, expected = getattr(TF, f"max_pool{dims}d")(torch.tensor(x), kernel, return_indices=True, **named)
    numpy.testing.assert_array_equal(indices.data.array, expected.numpy())
    assert not indices.requires_grad


@few
@given(dims=st.sampled_from([1, 2, 3]), include=st.booleans(), data=st.data())
@example(dims=2, include=True, data=None)
def test_mean_pooling(dims, include, data):
    size, kernel, stride, padding, ceil = data.draw(pools(dims)) if data else ([4, 3], (3, 2), (2, 2), (1, 0), True)
    assume(dims < 3 or all(k <= n for k, n in zip(kernel, size)))  # modern torch's condition, in three dimensions only
    named = {"stride": stride, "padding": padding, "ceil_mode": ceil, "count_include_pad": include}
    ours = getattr(nn, f"AvgPool{dims}d")(kernel, **named)
    theirs = getattr(torch.nn, f"AvgPool{dims}d")(kernel, **named)
    agree(ours, theirs, pool_inputs(size, False, 0))


@pytest.mark.parametrize(
    ("size", "kernel", "mean", "grad"),
    [
        ((4, 4), 4, [7.5], [1 / 16] * 16),  # one window: the mean of 0 to 15
        # Tiles of 2 x 3: 0, 1, 2, 6, 7, 8 have the mean 4, the next ones 3 more, and those of the rows below 12 more.
        ((4, 6), (2, 3), [4, 7, 16, 19], numpy.kron([[1, 2], [3, 4]], numpy.ones((2, 3))).ravel() / 6),
    ],
)
def test_means_of_tiles(size, kernel, mean, grad):
    """Every element is in one window. The sum of the windows, the first once, the second twice, ... is derived."""
    x = variable(numpy.arange(float(numpy.prod(size))).reshape(1, 1, *size))
    y = F.avg_pool2d(x, kernel)
    assert y.data.array.ravel().tolist() == mean
    y.backward(tensor(numpy.arange(1.0, 1 + len(mean)).reshape(y.data.array.shape)))
    numpy.testing.assert_allclose(x.grad.array.ravel(), grad, rtol=1e-15)
    for dims in (1, 2, 3):
        agree(
            getattr(nn, f"AvgPool{dims}d")(2),
            getattr(torch.nn, f"AvgPool{dims}d")(2),
            pool_inputs([4, 6, 2][:dims], False, 0),
        )


def test_pooling_of_infinities_and_nan():
    rng = numpy.random.default_rng(0)
    for seed in range(30):
        x = rng.normal(size=(1, 1, 5, 6))
        x[rng.random(x.shape) < 0.6] = -numpy.inf
        if seed % 2:
            x[rng.random(x.shape) < 0.2] = numpy.nan
        arguments = (3, 2, 1, 1, bool(seed % 3))
        y, indices = F.max_pool2d(variable(x), *arguments, return_indices=True)
        expected, places = TF.max_pool2d(torch.tensor(x), *arguments, return_indices=True)
        numpy.testing.assert_array_equal(y.data.array, expected.numpy())
        numpy.testing.assert_array_equal(indices.data.array, places.numpy())


def test_a_write_to_the_indices_is_noticed():
    x = variable(numpy.arange(16.0).reshape(1, 1, 4, 4))
    y, indices = F.max_pool2d(x, 2, return_indices=True)
    y.backward(tensor(numpy.ones((1, 1, 2, 2))))
    assert x.grad.array.ravel().nonzero()[0].tolist() == indices.data.array.ravel().tolist() == [5, 7, 13, 15]
    indices.data.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward(tensor(numpy.ones((1, 1, 2, 2))))


def test_a_large_window():
    """More places than a byte can count."""
    agree(nn.MaxPool2d(20, 5), torch.nn.MaxPool2d(20, 5), pool_inputs((31, 26), False, 0))
    agree(nn.MaxPool2d((1, 300)), torch.nn.MaxPool2d((1, 300)), pool_inputs((2, 300), False, 0))


# --- bad input


def images(*size):
    return variable(numpy.zeros(size))


def test_a_second_call_after_backward_sees_what_was_written_to_the_input(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.1"])  # where a Function may be called again
    rng = numpy.random.default_rng(0)
    x, w = [variable(rng.standard_normal(size).astype("float32")) for size in [(16, 4, 16, 16), (4, 4, 3, 3)]]
    function = conv.Conv2d(padding=1)
    (y,) = function(x, w)
    y.backward(y.data)
    function(x, w)
    x.data.fill_(1)
    (again,) = function(x, w)
    expected = TF.conv2d(torch.ones(16, 4, 16, 16), torch.from_numpy(w.data.numpy()), padding=1)
    numpy.testing.assert_allclose(again.data.numpy(), expected, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: nn.Conv2d(3, 6, 5, 5)(images(1, 1, 8, 8)),
            ValueError,
            r"Conv2d: .*\(6, 3, 5, 5\) needs .*3 channels, got 1",
        ),
        (
            lambda: nn.Conv2d(3, 6, 5, 5)(images(3, 8, 8)),
            ValueError,
            r"Conv2d: .*4 dimensions, \(N, C, H, W\).*\(3, 8, 8\)",
        ),
        (lambda: nn.Conv1d(3, 6, 5)(images(1, 3, 8, 8)), ValueError, r"Conv1d: .*3 dimensions, \(N, C, L\)"),
        (lambda: nn.Conv3d(3, 6, 5)(images(1, 3, 8, 8)), ValueError, r"Conv3d: .*5 dimensions, \(N, C, D, H, W\)"),
        (lambda: nn.Conv3d(3, 6, (5, 5)), ValueError, "Conv3d: kernel_size must be an integer or a tuple of 3"),
        (lambda: nn.MaxPool3d(2)(images(1, 8, 8, 8)), ValueError, "MaxPool3d: .*5 dimensions"),
        (
            lambda: nn.Conv2d(1, 6, 5, 5)(images(1, 1, 4, 8)),
            ValueError,
            r"kernel of \(5, 5\) .* larger than the input of \(4, 8\)",
        ),
        (lambda: nn.Conv2d(1, 6, 5, 5).float()(images(1, 1, 8, 8)), RuntimeError, "DoubleTensor.*FloatTensor"),
        (lambda: nn.Conv2d(1, 6, 5, 5)(tensor(numpy.zeros((1, 1, 8, 8)))), TypeError, "argument 0 is a DoubleTensor"),
        (lambda: nn.Conv2d(3, 4, 5, 5, groups=2), ValueError, "in_channels must be divisible by groups, got 3 and 2"),
        (lambda: nn.Conv2d(3, 4, kernel_size=0), ValueError, "kernel_size must be 1 or more, got 0"),
        (lambda: nn.Conv2d(3, 4, kernel_size=(2, 2, 2)), ValueError, "kernel_size .* tuple of 2"),
        (lambda: nn.Conv2d(3, 4, kernel_size=2.5), TypeError, "kernel_size .*got 2.5"),
        (lambda: nn.Conv2d(3, 4, kernel_size=2, kernel=2), TypeError, "unknown argument 'kernel'"),
        (lambda: nn.Conv2d(3, 4), TypeError, "kernel_size is missing"),
        (lambda: nn.Conv2d(0, 4, 2), ValueError, "in_channels must be a positive integer, got 0"),
        (
            lambda: nn.MaxPool2d(3)(images(1, 1, 2, 8)),
            ValueError,
            r"MaxPool2d: a kernel of \(3, 3\) .*input of \(2, 8\)",
        ),
        (lambda: nn.MaxPool2d(2)(images(4, 8)), ValueError, r"MaxPool2d: .*4 dimensions.*\(4, 8\)"),
        (lambda: nn.MaxPool2d(2, padding=2)(images(1, 1, 8, 8)), ValueError, "padding must be at most half"),
        (
            lambda: nn.MaxPool2d(3, 1, 2, dilation=2)(images(1, 1, 8, 8)),
            ValueError,
            r"MaxPool2d: padding must be at most half of the kernel of \(3, 3\), got \(2, 2\)",
        ),
        (
            lambda: nn.MaxPool2d(2, 1, 1, 2)(images(1, 1, 1, 4)),
            ValueError,
            r"input of \(1, 4\) .*than the dilation \(2, 2\)",
        ),
        (lambda: nn.MaxPool2d(2, stride=0)(images(1, 1, 8, 8)), ValueError, "stride must be 1 or more"),
        (
            lambda: F.conv_transpose2d(images(1, 2, 3, 3), images(2, 1, 2, 2), output_padding=1),
            ValueError,
            "output_padding must be smaller",
        ),
        (
            lambda: F.conv2d(images(1, 2, 3, 3), images(2, 2, 2, 2), images(3)),
            ValueError,
            "bias of 2",
        ),
    ],
)
def test_bad_input(call, error, words):
    with pytest.raises(error, match=words):
        call()
