"""Layers other than convolutions, losses and recurrent ones, against modern torch."""

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import legacy_autograd
from legacy_autograd import autograd, nn
from legacy_autograd.autograd import Variable

from .agreement import agree, close, tensor, variable

F = nn.functional
TF = torch.nn.functional
few = settings(max_examples=15)


def numbers(*size, low=-2, high=2, seed=0):
    return numpy.random.default_rng(seed).uniform(low, high, size)


# --- products and rows


@few
@given(
    size=st.lists(st.integers(1, 3), min_size=1, max_size=3),
    inputs=st.integers(1, 4),
    outputs=st.integers(1, 4),
    bias=st.booleans(),
)
def test_linear(size, inputs, outputs, bias):
    theirs = torch.nn.Linear(inputs, outputs, bias, dtype=torch.float64)
    agree(nn.Linear(inputs, outputs, bias), theirs, numbers(*size, inputs))


def test_sizes_may_be_numpys_integers():
    size = numpy.prod([2, 2])
    assert nn.Linear(size, size).weight.size() == (4, 4)
    assert nn.Conv2d(size, size, numpy.int64(3)).weight.size() == (4, 4, 3, 3)
    assert nn.LSTM(size, size).weight_hh_l0.size() == (16, 4)
    assert nn.BatchNorm2d(size).weight.size() == (4,)


def test_the_parts_of_the_sizes_have_their_names_of_2016():
    for layer in (nn.Conv2d, nn.ConvTranspose2d):
        conv = layer(1, 2, kernel_size=(3, 5), stride=(1, 2), padding=(0, 1))
        assert (conv.kh, conv.kw, conv.dh, conv.dw, conv.padh, conv.padw) == (3, 5, 1, 2, 0, 1)


@few
@given(
    count=st.integers(1, 5), width=st.integers(1, 3), size=st.lists(st.integers(1, 3), min_size=1, max_size=3),
    padding=st.booleans(), scaled=st.booleans(), seed=st.integers(0, 9),
)  # fmt: skip
def test_embedding(count, width, size, padding, scaled, seed):
    indices = numpy.random.default_rng(seed).integers(0, count, size)
    named = {"padding_idx": count - 1 if padding else None, "scale_grad_by_freq": scaled}
    theirs = torch.nn.Embedding(count, width, dtype=torch.float64, **named)
    agree(nn.Embedding(count, width, **named), theirs, indices, second=False)


def test_the_second_derivative_of_a_scaled_embedding():
    # Rows 0, 0, 1 of w = (1, 1), and the loss is the sum of their squares. The scaled gradient is 2 w for both rows;
    # the sum of its squares, 4 w0² + 4 w1², goes back through the lookups, and is scaled a second time.
    layer = nn.Embedding(2, 1, scale_grad_by_freq=True)
    layer.weight.data.fill_(1)
    (grad,) = autograd.grad((layer(variable(numpy.array([0, 0, 1]))) ** 2).sum(), [layer.weight], create_graph=True)
    assert grad.data.array.tolist() == [[2], [2]]
    (second,) = autograd.grad((grad**2).sum(), [layer.weight])
    # Through g = 2 x: by each x of row 0 2 (2 w0) / 2 * 2 = 4, whose mean is 4; by that of row 1 2 (2 w1) * 2 = 8.
    assert second.array.tolist() == [[4], [8]]


def test_embedding_with_a_largest_norm():
    ours, theirs = nn.Embedding(4, 3, max_norm=0.5), torch.nn.Embedding(4, 3, max_norm=0.5, dtype=torch.float64)
    agree(ours, theirs, numpy.array([[0, 2], [2, 2]]), second=False)
    close(ours.weight.data.array, theirs.weight, "the scaled weight", 1e-6)


def test_embedding_starts_with_zeros_at_the_padding():
    assert not nn.Embedding(3, 2, padding_idx=-1).weight.data.array[2].any()


# --- activations

ACTIVATIONS = [
    ("ReLU", ()),
    ("ReLU6", ()),
    ("Threshold", (0.1, 20)),
    ("Hardtanh", ()),
    ("Hardtanh", (-0.5, 2)),
    ("LeakyReLU", ()),
    ("LeakyReLU", (-0.3,)),
    ("ELU", (0.7,)),
    ("Sigmoid", ()),
    ("LogSigmoid", ()),
    ("Tanh", ()),
    ("Softplus", (2, 3)),
    ("Softsign", ()),
    ("PReLU", ()),
    ("PReLU", (3,)),
    ("Softmax", (1,)),
    ("LogSoftmax", (-1,)),
    ("Softmin", (0,)),
]


@few
@given(extra=st.lists(st.integers(1, 3), max_size=2), scale=st.sampled_from([1, 10]), seed=st.integers(0, 9))
@pytest.mark.parametrize(("name", "arguments"), ACTIVATIONS, ids=str)
def test_activation(name, arguments, extra, scale, seed):
    kind = getattr(torch.nn, name)
    theirs = kind(*arguments, dtype=torch.float64) if name == "PReLU" else kind(*arguments)
    agree(getattr(nn, name)(*arguments), theirs, numbers(2, 3, *extra, seed=seed) * scale)


@pytest.mark.parametrize(("name", "arguments"), ACTIVATIONS[:12], ids=str)
def test_activation_at_special_points(name, arguments):
    """The kinks, the infinities and nan: values and first derivatives are modern torch's."""
    x = numpy.array([-numpy.inf, -1, -0.5, 0, 0.1, 1, 2, 6, numpy.inf, numpy.nan, 1e-300, 700.0])
    agree(getattr(nn, name)(*arguments), getattr(torch.nn, name)(*arguments), x, second=False)


@pytest.mark.parametrize(
    "name",
    "elu glu hardshrink hardtanh leaky_relu logsigmoid normalize relu relu6 rrelu selu sigmoid softplus softshrink "
    "softsign tanh tanhshrink".split(),
)
def test_functions_of_one_variable(name):
    agree(getattr(F, name), getattr(TF, name), numbers(4, 6, low=-9, high=9))


def test_the_second_derivative_of_elu_at_0():
    agree(nn.ELU(0.7), torch.nn.ELU(0.7), numpy.array([-1, 0, 2.0]))


def test_softmax_of_v01():
    """The default dimension: 0 for one and three dimensions, 1 for two and four."""
    for size, dim in (((4,), 0), ((2, 3), 1), ((2, 3, 4), 0), ((2, 3, 4, 2), 1)):
        agree(nn.Softmax(), torch.nn.Softmax(dim), numbers(*size))
        agree(nn.LogSoftmax(), torch.nn.LogSoftmax(dim), numbers(*size))
    agree(nn.Softmax2d(), torch.nn.Softmax2d(), numbers(2, 3, 2, 2))
    with pytest.raises(ValueError, match="Softmax2d: expected an input of 4 dimensions"):
        nn.Softmax2d()(variable(numbers(2, 3)))


def test_inplace_is_accepted_and_leaves_the_input_alone():
    x = variable(numbers(2, 3))
    before = x.data.clone()
    for layer in (nn.ReLU(True), nn.Threshold(0, 1, True), nn.Hardtanh(-1, 1, True), nn.ELU(1, True)):
        layer(x).sum().backward()
        assert x.data.equal(before)


# --- normalization


@few
@given(
    size=st.sampled_from([(4, 3), (2, 3), (2, 3, 4), (2, 3, 2, 2), (3, 1, 2, 3)]), affine=st.booleans(),
    momentum=st.sampled_from([0.1, 0.5]), training=st.booleans(), seed=st.integers(0, 9),
)  # fmt: skip
def test_batch_norm(size, affine, momentum, training, seed):
    dims = 2 if len(size) == 4 else 1
    ours = (nn.BatchNorm1d, nn.BatchNorm2d)[dims - 1](size[1], 1e-3, momentum, affine)
    theirs = (torch.nn.BatchNorm1d, torch.nn.BatchNorm2d)[dims - 1](
        size[1], 1e-3, momentum, affine, dtype=torch.float64
    )
    if affine:
        ours.bias.data.uniform_(-1, 1)
    for step in range(2):  # the second time without starting values
        ours.train(training or step == 0)
        theirs.train(training or step == 0)
        agree(ours, theirs, numbers(*size, seed=seed + step), tolerance=1e-9)
        close(ours.running_mean.array, theirs.running_mean, "running_mean")
        close(ours.running_var.array, theirs.running_var, "running_var")


@pytest.mark.parametrize("size", [(4, 3), (3, 2, 5), (2, 3, 8, 8)])  # one number, few and many numbers a channel
@pytest.mark.parametrize("training", (True, False))
def test_batch_norm_on_arrays(size, training):
    """Without a graph of the gradients backward computes on arrays."""
    x, w, b, mean, variance = (
        numbers(*size),
        *[numbers(size[1], seed=seed) for seed in (1, 2, 3)],
        numbers(size[1]) ** 2,
    )

    def norm(package, x, w, b, tensor):
        return package.batch_norm(x, tensor(mean), tensor(variance), w, b, training, 0.1, 1e-3)

    agree(lambda *given: norm(F, *given, tensor), lambda *given: norm(TF, *given, torch.tensor), x, w, b, second=False)
    given, step = (x, w, b), 1e-6
    g = numbers(*size, seed=4)
    variables = [variable(array) for array in given]
    norm(F, *variables, tensor).backward(tensor(g))

    def loss(*given):
        return (norm(TF, *map(torch.tensor, given), torch.tensor).numpy() * g).sum()

    for number, found in enumerate(variables):
        for place in numpy.ndindex(found.grad.array.shape):
            above, below = [[array.copy() for array in given] for _ in range(2)]
            above[number][place] += step
            below[number][place] -= step
            expected = (loss(*above) - loss(*below)) / (2 * step)
            assert found.grad.array[place] == pytest.approx(expected, rel=1e-5, abs=1e-7)


def test_batch_norm_without_running_statistics():
    x = numbers(4, 3)
    agree(
        lambda x: F.batch_norm(x, None, None, training=True),
        lambda x: TF.batch_norm(x, None, None, training=True),
        x,
    )
    with pytest.raises(ValueError, match="training=False needs running_mean and running_var"):
        F.batch_norm(variable(x), None, None)


def test_batch_norm_of_a_bias_alone():
    agree(
        lambda x, b: nn.functional.batch_norm(x, None, None, None, b, training=True),
        lambda x, b: torch.nn.functional.batch_norm(x, None, None, torch.ones(3, dtype=b.dtype), b, training=True),
        numbers(4, 3),
        numbers(3),
    )


def test_batch_norm_in_evaluation_does_not_notice_a_later_training_step():
    layer = nn.BatchNorm1d(3).eval()
    x = variable(numbers(4, 3))
    y = layer(x)
    layer.train()(variable(numbers(4, 3, seed=1) + 10))
    y.sum().backward()
    scale = 1 / numpy.sqrt(1 + 1e-5)
    numpy.testing.assert_allclose(x.grad.array, numpy.broadcast_to(layer.weight.data.array * scale, (4, 3)))
    numpy.testing.assert_allclose(layer.weight.grad.array, x.data.array.sum(0) * scale)


def test_batch_norm_of_2016():
    with pytest.raises(ValueError, match=r"BatchNorm: expected an input of 2 dimensions, got the size \(2, 3, 4\)"):
        nn.BatchNorm(3)(variable(numbers(2, 3, 4)))
    assert nn.BatchNorm(3)(variable(numbers(2, 3))).size() == (2, 3)
    base = nn.modules.batchnorm._BatchNorm(3)  # VNet's layer of its own calls this check, which is of features only
    assert base(variable(numbers(2, 3, 2, 2, 2))).size() == (2, 3, 2, 2, 2) and isinstance(
        nn.BatchNorm2d(3), type(base)
    )
    with pytest.raises(ValueError, match="expected 3 channels, got 2"):
        base(variable(numbers(2, 2, 2)))
    with pytest.raises(ValueError, match="at least 2 dimensions"):
        base(variable(numbers(3)))
    assert 0 <= nn.BatchNorm(50).weight.data.array.min() < nn.BatchNorm(50).weight.data.array.max() < 1


# --- dropout


@pytest.mark.parametrize("layer", [nn.Dropout(0.25), nn.Dropout2d(0.25)])
def test_dropout(layer):
    legacy_autograd.manual_seed(0)
    x = variable(numpy.ones((50, 40, 5)))
    y = layer(x)
    kept = y.data.array != 0
    assert abs(kept.mean() - 0.75) < 0.03
    numpy.testing.assert_allclose(y.data.array[kept], 4 / 3)
    if isinstance(layer, nn.Dropout2d):
        assert (kept.all(2) | ~kept.any(2)).all()
    y.backward(tensor(numpy.full((50, 40, 5), 2.0)))
    numpy.testing.assert_allclose(x.grad.array, 2 * y.data.array)
    same = layer.eval()(x)
    assert same is not x and same.data.tolist() == x.data.tolist()
    layer.train()
    legacy_autograd.manual_seed(0)
    assert layer(x).data.equal(y.data)


def test_dropout_of_a_function_is_off_unless_asked_for():
    x = variable(numbers(3, 4))
    assert F.dropout(x).data.tolist() == x.data.tolist()
    assert not F.dropout(x, 1, training=True).data.array.any()


def test_what_dropout_leaves_alone_is_no_parameter():
    module, weight = nn.Module(), nn.Parameter(tensor(numpy.ones(2)))
    module.weight_now = F.dropout(weight, training=False)
    module.weight_now.sum().backward()
    assert list(module.parameters()) == []
    assert weight.grad.tolist() == [1, 1]


# --- bad input


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: nn.Linear(3, 2)(variable(numbers(2, 4))),
            ValueError,
            r"Linear: .*\(2, 3\) takes an input of 3 .*\(2, 4\)",
        ),
        (lambda: nn.Linear(3, 2)(variable(numbers(2, 3).astype("f"))), TypeError, "FloatTensor.*DoubleTensor"),
        (lambda: nn.Linear(3, 2)(tensor(numbers(2, 3))), TypeError, "Linear: argument 0 is a DoubleTensor"),
        (lambda: nn.Linear(-1, 2), ValueError, "in_features .*got -1"),
        (lambda: nn.Embedding(3, 2)(variable(numpy.array([0, 3]))), IndexError, "index 3 .*3 rows"),
        (lambda: nn.Embedding(3, 2)(variable(numpy.array([0, -1]))), IndexError, "index -1"),
        (lambda: nn.Embedding(3, 2)(variable(numbers(2))), TypeError, "LongTensor of indices"),
        (lambda: nn.Embedding(3, 2, padding_idx=3), ValueError, "padding_idx 3"),
        (lambda: nn.BatchNorm1d(3)(variable(numbers(2, 4))), ValueError, "BatchNorm1d: expected 3 channels, got 4"),
        (
            lambda: nn.BatchNorm2d(3)(variable(numbers(2, 3))),
            ValueError,
            r"BatchNorm2d: .*4 dimensions, got the size \(2, 3\)",
        ),
        (lambda: nn.BatchNorm1d(3)(variable(numbers(1, 3))), ValueError, "more than one value for each channel"),
        (lambda: nn.BatchNorm1d(3)(variable(numbers(2, 3).astype("f"))), TypeError, "FloatTensor.*DoubleTensor"),
        (lambda: nn.Dropout(1.5), ValueError, "between 0 and 1, got 1.5"),
        (lambda: nn.HardTanh(1, 1), ValueError, "min_value must be below max_value"),
        (lambda: nn.ReLU()(variable(numpy.array([1, 2]))), TypeError, "ReLU: .*LongTensor"),
        (lambda: nn.PReLU(2)(variable(numbers(2, 3))), ValueError, "expected 1 or 3 weights"),
    ],
)
def test_bad_input(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_failed_call_changes_nothing():
    layer = nn.BatchNorm1d(3)
    before = {name: value.clone() for name, value in layer.state_dict().items()}
    for wrong in (numbers(1, 3), numbers(2, 4), numbers(2, 3).astype("f")):
        with pytest.raises((ValueError, TypeError)):
            layer(variable(wrong))
    assert all(value.equal(before[name]) for name, value in layer.state_dict().items())


def test_starting_values():
    """v0.1.x's formulas: uniform between ±1 / sqrt(inputs), in the default type, repeatable."""
    legacy_autograd.manual_seed(3)
    layers = [nn.Linear(400, 50), nn.Conv2d(16, 8, 5, 5), nn.Conv1d(100, 8, 4), nn.LSTM(3, 400)]
    for layer in layers:
        for parameter in layer.parameters():
            assert isinstance(parameter.data, legacy_autograd.DoubleTensor)
            largest = abs(parameter.data.array).max()
            assert largest <= 0.05
            if parameter.numel() > 100:
                assert largest > 0.049
    legacy_autograd.manual_seed(3)
    assert nn.Linear(400, 50).weight.data.equal(layers[0].weight.data)


def test_a_layer_that_is_trained_only_in_part():
    layer = nn.Linear(3, 2)
    layer.bias.requires_grad = False
    layer(Variable(tensor(numbers(2, 3)), requires_grad=False)).sum().backward()
    assert layer.bias.grad is None and layer.weight.grad.array.any()
