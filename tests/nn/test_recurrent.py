"""RNN, LSTM and GRU against modern torch."""

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from legacy_autograd import nn

from .agreement import agree, close, copy_parameters, modern, tensor, variable

few = settings(max_examples=12, deadline=None)
KINDS = [("RNN", {}), ("RNN", {"nonlinearity": "relu"}), ("LSTM", {}), ("GRU", {})]


def numbers(*size, seed=0):
    return numpy.random.default_rng(seed).normal(size=size)


@few
@given(
    length=st.integers(1, 4), batch=st.integers(1, 3), inputs=st.integers(1, 3), hidden=st.integers(1, 3),
    layers=st.integers(1, 2), bias=st.booleans(), first=st.booleans(), both=st.booleans(), given_state=st.booleans(),
)  # fmt: skip
@pytest.mark.parametrize(("kind", "named"), KINDS, ids=str)
def test_network(kind, named, length, batch, inputs, hidden, layers, bias, first, both, given_state):
    arguments = (inputs, hidden, layers, bias, first, 0, both)
    ours = getattr(nn, kind)(*arguments, **named)
    names = ("num_layers", "bias", "batch_first", "dropout", "bidirectional")
    theirs = getattr(torch.nn, kind)(
        inputs, hidden, **dict(zip(names, arguments[2:])), **named, dtype=torch.float64
    )  # fmt: skip
    x = numbers(*((batch, length) if first else (length, batch)), inputs)
    state = [numbers(layers * (2 if both else 1), batch, hidden, seed=n) for n in range(2 if kind == "LSTM" else 1)]
    if given_state:
        copy_parameters(ours, theirs)
        pair = (lambda h: h) if kind == "LSTM" else (lambda h: h[0])
        agree(lambda x, *h: ours(x, pair(h)), lambda x, *h: theirs(x, pair(h)), x, *state)
    agree(ours, theirs, x)


@pytest.mark.parametrize("kind", ["RNNCell", "LSTMCell", "GRUCell"])
@pytest.mark.parametrize("bias", [True, False])
def test_cell(kind, bias):
    ours = getattr(nn, kind)(3, 4, bias)
    theirs = getattr(torch.nn, kind)(3, 4, bias, dtype=torch.float64)
    agree(ours, theirs, numbers(2, 3))
    state = [numbers(2, 4, seed=n) for n in range(2 if kind == "LSTMCell" else 1)]
    pair = (lambda h: h) if kind == "LSTMCell" else (lambda h: h[0])
    agree(lambda x, *h: ours(x, pair(h)), lambda x, *h: theirs(x, pair(h)), numbers(2, 3), *state)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_two_hundred_steps(kind):
    ours, theirs = getattr(nn, kind)(5, 8, 2), getattr(torch.nn, kind)(5, 8, 2, dtype=torch.float64)
    copy_parameters(ours, theirs)
    x = numbers(200, 3, 5)
    own_x, their_x = variable(x), modern(x)
    output, expected = ours(own_x)[0], theirs(their_x)[0]
    close(output.data.array, expected, "output", 1e-11)
    # only the last step is asked for, so all of the gradient comes through all of the steps
    output[-1].pow(2).sum().backward()
    expected[-1].pow(2).sum().backward()
    close(own_x.grad.array, their_x.grad, "gradient of the input", 1e-11)
    for name, parameter in ours.named_parameters():
        close(parameter.grad.array, dict(theirs.named_parameters())[name].grad, name, 1e-11)


@pytest.mark.parametrize(("kind", "named"), KINDS, ids=str)
@pytest.mark.parametrize("both", [False, True])
def test_sequences_of_different_length(kind, named, both):
    pack, pad = nn.utils.rnn.pack_padded_sequence, nn.utils.rnn.pad_packed_sequence
    their_pack, their_pad = torch.nn.utils.rnn.pack_padded_sequence, torch.nn.utils.rnn.pad_packed_sequence
    ours = getattr(nn, kind)(3, 4, 2, bidirectional=both, **named)
    theirs = getattr(torch.nn, kind)(3, 4, 2, bidirectional=both, dtype=torch.float64, **named)
    copy_parameters(ours, theirs)
    lengths = [5, 3, 3, 1]

    def padded(network, pack, pad):
        def call(x):
            output, state = network(pack(x, lengths))
            return pad(output)[0], state

        return call

    agree(padded(ours, pack, pad), padded(theirs, their_pack, their_pad), numbers(5, 4, 3))
    packed = pack(variable(numbers(4, 5, 3)), lengths, batch_first=True)
    assert list(packed.batch_sizes) == [4, 3, 3, 1, 1]
    x, found = pad(packed, batch_first=True)
    assert found == lengths and x.size() == (4, 5, 3) and not x.data.array[3, 1:].any()


def test_dropout_between_layers():
    network = nn.LSTM(3, 50, 2, dropout=0.5)
    x = variable(numbers(4, 2, 3))
    assert not network(x)[0].data.equal(network(x)[0].data)
    network.eval()
    assert network(x)[0].data.equal(network(x)[0].data)
    single = nn.LSTM(3, 4, 1, dropout=0.5)
    assert single(x)[0].data.equal(single(x)[0].data)


def test_names_and_repr():
    network = nn.LSTM(3, 4, 2, bidirectional=True)
    assert list(network.state_dict())[:5] == [
        "weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse",
    ]  # fmt: skip
    assert [len(weights) for weights in network.all_weights] == [4, 4, 4, 4]
    assert repr(network) == "LSTM(3, 4, num_layers=2, bidirectional=True)"


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: nn.LSTM(3, 4)(x), ValueError, r"LSTM: expected an input of size \(T, N, 3\), got \(5, 2, 6\)"),
        (lambda x: nn.LSTM(6, 4, batch_first=True)(x[0]), ValueError, r"\(N, T, 6\), got \(2, 6\)"),
        (lambda x: nn.GRU(6, 4)(x, x), ValueError, r"GRU: expected a state h of size \(1, 2, 4\), got \(5, 2, 6\)"),
        (lambda x: nn.LSTM(6, 4)(x, x), ValueError, r"pair \(h, c\), got 1"),
        (
            lambda x: nn.LSTM(6, 4)(x.narrow(0, 0, 0)),
            ValueError,
            r"at least one time step, got an input of size \(0, 2, 6\)",
        ),
        (lambda x: nn.RNN(6, 4, nonlinearity="sin"), ValueError, "tanh or relu, got 'sin'"),
        (lambda x: nn.RNN(6, 0), ValueError, "hidden_size must be a positive integer, got 0"),
        (lambda x: nn.LSTM(6, 4, dropout=2), ValueError, "dropout must be a probability between 0 and 1, got 2"),
        (lambda x: nn.LSTMCell(3, 4)(x[0]), ValueError, r"LSTMCell: .*\(N, 3\), got \(2, 6\)"),
        (
            lambda x: nn.utils.rnn.pack_padded_sequence(x, [2, 5]),
            ValueError,
            r"in descending order, one for each sequence, got \[2, 5\]",
        ),
        (lambda x: nn.utils.rnn.pack_padded_sequence(x, [6, 5]), ValueError, "between 1 and 5"),
    ],
)
def test_bad_input(call, error, words):
    with pytest.raises(error, match=words):
        call(variable(numbers(5, 2, 6)))


def test_a_tensor_is_no_state():
    with pytest.raises(TypeError, match="state h must be a Variable, got DoubleTensor"):
        nn.GRU(6, 4)(variable(numbers(5, 2, 6)), tensor(numbers(1, 2, 4)))
