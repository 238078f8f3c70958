"""`self._backend`, torch.nn._functions and torch._thnn: what programs of v0.1.x call past torch.nn.functional."""

import copy
import importlib
import inspect
import pickle

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import conventions, nn
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional as F
from legacy_autograd.nn._functions import rnn, thnn
from legacy_autograd.nn.backends.backend import FunctionBackend
from legacy_autograd.nn.utils.rnn import pack_padded_sequence

from .agreement import tensor, variable

backend = nn.Module()._backend


def numbers(*size):
    return numpy.random.default_rng(5).normal(size=size)


x, image, volume = variable(numbers(4, 3)), variable(numbers(2, 3, 4, 6)), variable(numbers(2, 3, 4, 4, 4))
square, row = variable(numbers(2, 3, 4, 4)), variable(numbers(2, 3, 6))
weight, bias = variable(numbers(2, 3)), variable(numbers(2))
classes = Variable(torch.LongTensor([0, 2, 1, 0]), requires_grad=False)
signs = Variable(torch.DoubleTensor([1, -1, 1, -1]), requires_grad=False)
kernel, volume_kernel = variable(numbers(3, 3, 2, 2)), variable(numbers(3, 3, 2, 2, 2))
pooled, deep = F.max_pool2d(square, 2, return_indices=True), F.max_pool3d(volume, 2, return_indices=True)
samples = torch.DoubleTensor(2, 3, 2).fill_(0.4)
several = Variable(torch.LongTensor([[1, 2, -1]] * 4), requires_grad=False)
share, logs = variable(numpy.full((4, 3), 0.3)), F.log_softmax(x)

# {name: (constants, inputs, the same by torch.nn.functional)}
CALLS = {
    "AdaptiveAvgPool1d": ((2,), (row,), lambda: F.adaptive_avg_pool1d(row, 2)),
    "AdaptiveMaxPool1d": ((2,), (row,), lambda: F.adaptive_max_pool1d(row, 2)),
    "CrossMapLRN2d": ((3, 0.1, 0.5, 2), (image,), lambda: nn.CrossMapLRN2d(3, 0.1, 0.5, 2)(image)),
    "FractionalMaxPool2d": (
        (2, 2, (2, 2), None, False, samples),
        (square,),
        lambda: F.fractional_max_pool2d(square, 2, (2, 2), None, False, samples),
    ),
    "MaxUnpool2d": (((4, 4),), pooled, lambda: F.max_unpool2d(*pooled, 2)),
    "MaxUnpool3d": (((4, 4, 4), 2, 0), deep, lambda: F.max_unpool3d(*deep, 2)),
    "MultiLabelMarginLoss": ((False,), (x, several), lambda: F.multilabel_margin_loss(x, several, False)),
    "RReLU": ((0.1, 0.3, False), (x,), lambda: F.rrelu(x, 0.1, 0.3, False)),
    "ReplicationPad3d": ((1, 0, 2, 0, 0, 1), (volume,), lambda: F.pad(volume, (1, 0, 2, 0, 0, 1), "replicate")),
    "AdaptiveAvgPool2d": (((2, 3),), (image,), lambda: F.adaptive_avg_pool2d(image, (2, 3))),
    "AdaptiveMaxPool2d": ((2,), (image,), lambda: F.adaptive_max_pool2d(image, 2)),
    "AvgPool2d": ((2, 1), (image,), lambda: F.avg_pool2d(image, 2, 1)),
    "AvgPool3d": ((2,), (volume,), lambda: F.avg_pool3d(volume, 2)),
    "BCELoss": ((False,), (share, share.detach()), lambda: F.binary_cross_entropy(share, share.detach(), None, False)),
    "ConvNd": (
        ((2, 1), (1, 0), (1, 1), False, (0, 0), 1, False, False),
        (image, kernel),
        lambda: F.conv2d(image, kernel, None, (2, 1), (1, 0)),
    ),
    "CosineEmbeddingLoss": ((0.1,), (x, x * x, signs), lambda: F.cosine_embedding_loss(x, x * x, signs, 0.1)),
    "Dropout": ((0.5, False), (x,), lambda: x),
    "Dropout2d": ((0.5, False), (image,), lambda: image),
    "Dropout3d": ((0.5, False), (volume,), lambda: volume),
    "ELU": ((0.5,), (x,), lambda: F.elu(x, 0.5)),
    "Embedding": ((-1, None, 2, False), (classes, x), lambda: F.embedding(classes, x)),
    "GRUCell": None,
    "Hardshrink": ((0.3,), (x,), lambda: F.hardshrink(x, 0.3)),
    "Hardtanh": ((-0.2, 0.3), (x,), lambda: F.hardtanh(x, -0.2, 0.3)),
    "HingeEmbeddingLoss": ((0.5,), (bias, signs[:2]), lambda: F.hinge_embedding_loss(bias, signs[:2], 0.5)),
    "KLDivLoss": ((False,), (logs, share.detach()), lambda: F.kl_div(logs, share.detach(), False)),
    "L1Loss": ((False,), (x, share.detach()), lambda: F.l1_loss(x, share.detach(), False)),
    "LSTMCell": None,
    "LeakyReLU": ((0.3,), (x,), lambda: F.leaky_relu(x, 0.3)),
    "Linear": ((), (x, weight, bias), lambda: F.linear(x, weight, bias)),
    "LogSigmoid": ((), (x,), lambda: F.logsigmoid(x)),
    "LogSoftmax": ((), (x,), lambda: F.log_softmax(x, 1)),
    "MSELoss": ((False,), (x, share.detach()), lambda: F.mse_loss(x, share.detach(), False)),
    "MarginRankingLoss": (
        (0.2,),
        (bias, bias * 2, signs[:2]),
        lambda: F.margin_ranking_loss(bias, bias * 2, signs[:2], 0.2),
    ),
    "MaxPool1d": ((2, 1), (row,), lambda: F.max_pool1d(row, 2, 1)),
    "MaxPool2d": ((3, 2, 1, 1, False, True), (square,), lambda: F.max_pool2d(square, 3, 2, 1, 1, True)),
    "MaxPool3d": ((2,), (volume,), lambda: F.max_pool3d(volume, 2)),
    "MultiMarginLoss": ((False, 2, 0.7), (x, classes), lambda: F.multi_margin_loss(x, classes, 2, 0.7, None, False)),
    "NLLLoss": ((False,), (logs, classes), lambda: F.nll_loss(logs, classes, None, False)),
    "NLLLoss2d": None,
    "PReLU": ((), (x, bias[:1]), lambda: F.prelu(x, bias[:1])),
    "RNN": None,
    "RNNReLUCell": None,
    "RNNTanhCell": None,
    "ReflectionPad2d": ((1, 2, 0, 1), (image,), lambda: F.pad(image, (1, 2, 0, 1), "reflect")),
    "ReplicationPad2d": ((1, 2, 0, 1), (image,), lambda: F.pad(image, (1, 2, 0, 1), "replicate")),
    "Sigmoid": ((), (x,), lambda: F.sigmoid(x)),
    "SmoothL1Loss": ((False,), (x, share.detach()), lambda: F.smooth_l1_loss(x, share.detach(), False)),
    "SoftMarginLoss": ((False,), (bias, signs[:2]), lambda: F.soft_margin_loss(bias, signs[:2], False)),
    "Softmax": ((), (x,), lambda: F.softmax(x, 1)),
    "Softmin": ((), (x,), lambda: F.softmin(x, 1)),
    "Softplus": ((2, 3), (x,), lambda: F.softplus(x, 2, 3)),
    "Softshrink": ((0.3,), (x,), lambda: F.softshrink(x, 0.3)),
    "Softsign": ((), (x,), lambda: F.softsign(x)),
    "Tanh": ((), (x,), lambda: F.tanh(x)),
    "Threshold": ((0.1, 9), (x,), lambda: F.threshold(x, 0.1, 9)),
    "UpsamplingBilinear2d": ((None, 2), (image,), lambda: F.upsample_bilinear(image, None, 2)),
    "UpsamplingNearest2d": ((None, 2), (image,), lambda: F.upsample_nearest(image, None, 2)),
}  # fmt: skip


@pytest.fixture
def under_run(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])


def test_every_function_of_the_backend_is_in_the_table():
    assert set(CALLS) == set(backend.function_classes)


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if call is not None])
def test_constants_first_then_variables(name, under_run):
    constants, inputs, expected = CALLS[name]
    found = getattr(backend, name)(*constants)(*inputs)
    assert found.data.equal(expected().data) and found.requires_grad


def test_transposed_convolution_and_losses_of_images(under_run):
    convolution = backend.ConvNd((2, 2, 2), (0, 0, 0), (1, 1, 1), True, (1, 0, 0), 1)
    expected = F.conv_transpose3d(volume, volume_kernel, None, 2, 0, (1, 0, 0))
    assert convolution(volume, volume_kernel).data.equal(expected.data)
    with pytest.raises(ValueError, match="ConvNd: stride must have an entry for each of 1, 2 or 3 dimensions"):
        backend.ConvNd((1,) * 4, (0,) * 4, (1,) * 4, False, (0,) * 4, 1)
    target = Variable(torch.LongTensor(2, 4, 6).fill_(1), requires_grad=False)
    assert backend.NLLLoss2d(False)(image, target).data[0] == -image.data[:, 1].sum()


def test_a_call_returns_a_tuple_under_the_conventions_of_v0_1_1():
    (result,) = backend.Linear()(x, weight)
    assert result.data.equal(F.linear(x, weight).data)


MODES = {"RNN_TANH": nn.RNN, "RNN_RELU": nn.RNN, "LSTM": nn.LSTM, "GRU": nn.GRU}


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_networks_of_cells_are_those_of_nn(mode, bidirectional):
    layer = nn.rnn.RNNBase(mode, 3, 4, num_layers=2, batch_first=True, bidirectional=bidirectional).double()
    directions = 2 if bidirectional else 1
    states = [variable(numbers(2 * directions, 2, 4)) for _ in range(2 if mode == "LSTM" else 1)]
    hidden = tuple(states) if mode == "LSTM" else states[0]
    input = variable(numbers(2, 5, 3))
    sizes = (mode, 3, 4, 2, True, 0, True, bidirectional)
    for given, batch_sizes in ((input, None), (pack_padded_sequence(input, [5, 3], True), [2, 2, 2, 1, 1])):
        rows = given if batch_sizes is None else given.data
        output, state = backend.RNN(*sizes, batch_sizes=batch_sizes)(rows, layer.all_weights, hidden)
        expected, last = layer(given, hidden)
        assert (output - (expected if batch_sizes is None else expected.data)).data.abs().max() < 1e-12
        pairs = zip(state, last) if mode == "LSTM" else [(state, last)]
        assert all((a - b).data.abs().max() < 1e-12 for a, b in pairs)


def test_mistakes_in_networks_of_cells():
    with pytest.raises(ValueError, match="mode must be one of RNN_RELU, RNN_TANH, LSTM, GRU, got 'lstm'"):
        backend.RNN("lstm", 2, 2)
    with pytest.raises(ValueError, match="2 layers of 1 directions need 2 lists of weights, got 0"):
        rnn.StackedRNN([rnn.Recurrent(rnn.RNNTanhCell)], 2)(x, x, [])


def test_the_backend_is_one_object_and_programs_register_in_their_own():
    assert (
        copy.deepcopy(nn.Linear(1, 1))._backend is pickle.loads(pickle.dumps(backend)) is copy.copy(backend) is backend
    )
    own = FunctionBackend()
    own.register_function("Twice", lambda: lambda v: v * 2)
    assert own.Twice()(bias).data.equal(bias.data * 2)
    with pytest.raises(RuntimeError, match="FunctionBackend has a function named 'Twice' already"):
        own.register_function("Twice", None)
    with pytest.raises(NotImplementedError, match="THNNFunctionBackend has no function Nonsense; use the one"):
        backend.Nonsense


def test_the_c_functions_are_refused_by_name():
    thnn = importlib.import_module("legacy_autograd._thnn")
    library = thnn.type2backend[type(tensor(numbers(1)))]
    assert library is thnn.type2backend["torch.DoubleTensor"] and library.library_state is None
    with pytest.raises(NotImplementedError, match="Threshold_updateOutput is a C function of THNN for torch.DoubleT"):
        library.Threshold_updateOutput(library.library_state)


def test_constants_have_the_defaults_of_the_layers():
    compared = set()
    for name, function in vars(thnn).items():
        layer = getattr(nn, name, None)
        if not inspect.isfunction(function) or layer is None:
            continue
        ours, theirs = (inspect.signature(each).parameters for each in (function, layer.__init__))
        for option in ours.keys() & theirs.keys():
            default, expected = ours[option].default, theirs[option].default
            if default is inspect.Parameter.empty or default is None or expected is None:  # an option with two names
                continue
            assert default == expected, f"{name}: {option}"
            compared.add((name, option))
    assert len(compared) > 30 and ("CrossMapLRN2d", "beta") in compared
