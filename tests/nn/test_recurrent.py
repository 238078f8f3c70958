"""RNN, LSTM and GRU against modern torch."""

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from properties.programs import for_random

import legacy_autograd
from legacy_autograd import drawing, nn
from legacy_autograd.autograd import Variable
from legacy_autograd.backends import cudnn

from .agreement import agree, close, copy_parameters, flat, modern, tensor, variable

few = settings(max_examples=12)
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


@pytest.mark.parametrize(("kind", "named"), KINDS, ids=str)
@pytest.mark.parametrize("batch", [4, 8, 9])
def test_sequences_of_different_length_in_single_precision(kind, named, batch):
    """Memory has other distances than in double precision, and NumPy other loops for them."""
    lengths = [5, 3, *[2] * (batch - 3), 1]
    double = getattr(nn, kind)(3, 4, 2, bidirectional=True, **named).double()
    single = getattr(nn, kind)(3, 4, 2, bidirectional=True, **named).float()
    found = []
    for network, dtype in ((double, "float64"), (single, "float32")):
        for parameter, drawn in zip(network.parameters(), double.parameters()):
            parameter.data.copy_(drawn.data)
        x = variable(numbers(5, batch, 3).astype(dtype))
        output, state = network(nn.utils.rnn.pack_padded_sequence(x, lengths))
        sum([part.pow(2).sum() for part in [output.data, *flat(state)]]).backward()
        found.append([output.data, *flat(state), x.grad, *[parameter.grad for parameter in network.parameters()]])
    for in_double, in_single in zip(*found):
        numpy.testing.assert_allclose(in_single.data.numpy(), in_double.data.numpy(), rtol=1e-4, atol=1e-5)


def functions_behind(*variables):
    """The names of the Functions that made these Variables, and all before them."""
    queue, seen, names = [v.creator for v in variables], set(), []
    while queue:
        function = queue.pop()
        if function not in seen:
            seen.add(function)
            names.append(type(function).__name__)
            queue += [before for before, _ in function.previous_functions]
    return names


@st.composite
def networks(draw):
    """The kind of a network, its arguments, the lengths of the sequences, and whether they are packed."""
    kind, named = draw(st.sampled_from(KINDS))
    sizes = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    names = ("bias", "batch_first", "bidirectional")
    named = {**named, "num_layers": draw(st.integers(1, 2)), **{name: draw(st.booleans()) for name in names}}
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    packed = draw(st.booleans())
    return kind, sizes, named, sorted(lengths if packed else lengths[:1] * len(lengths), reverse=True), packed


@for_random(25, networks(), st.booleans(), st.booleans(), st.integers(0, 10**6))
def test_random_networks_by_layers_and_by_steps(network, given_state, hooked, seed):
    """Both ways agree with modern torch: outputs, states, what hooks see, and the gradients of everything."""
    kind, (inputs, hidden), named, lengths, packed = network
    ours, theirs = getattr(nn, kind)(inputs, hidden, **named), getattr(torch.nn, kind)(inputs, hidden, **named)
    theirs.double()
    copy_parameters(ours, theirs)
    first, directions = named["batch_first"], 1 + named["bidirectional"]
    x = numbers(*((len(lengths), lengths[0]) if first else (lengths[0], len(lengths))), inputs, seed=seed)
    size = (named["num_layers"] * directions, len(lengths), hidden)
    states = [numbers(*size, seed=seed + n) for n in range((2 if kind == "LSTM" else 1) * given_state)]
    rng = numpy.random.default_rng(seed)

    def run(network, library, make):
        given = [make(array) for array in (x, *states)]
        input, state = given[0], given[1:] if len(states) > 1 else given[1] if states else None
        if packed:
            input = library.nn.utils.rnn.pack_padded_sequence(input, lengths, first)
        if hooked:
            handle = network.register_forward_hook(lambda module, inputs, output: seen.append(output[0]))
        output, final = network(input, tuple(state) if len(states) > 1 else state)
        rows = output[0] if packed else output
        if hooked:
            handle.remove()
            rows.register_hook(lambda grad: seen.append(grad) or grad * 2)
        return given, [rows, *flat(final)]

    def gradients(given, outputs, network, weights, make):
        total = sum([(output * make(weight)).sum() for output, weight in zip(outputs, weights)])
        total.backward()
        return [v.grad for v in given] + [p.grad for p in network.parameters()]

    seen = []
    their_given, their_outputs = run(theirs, torch, modern)
    weights = [rng.normal(size=tuple(output.shape)) for output in their_outputs]
    expected = gradients(their_given, their_outputs, theirs, weights, torch.tensor)
    what_they_saw = seen
    for enabled in (True, False):
        seen = []
        ours.zero_grad()
        with cudnn.flags(enabled=enabled):
            own_given, own_outputs = run(ours, legacy_autograd, variable)
        assert any("Layer" in name for name in functions_behind(*own_outputs)) is enabled
        found = gradients(own_given, own_outputs, ours, weights, lambda w: variable(w, False))
        assert len(seen) == len(what_they_saw) == 2 * hooked
        for number, (a, b) in enumerate(zip([*own_outputs, *found], [*their_outputs, *expected])):
            close(a.data.array, b, f"result {number}, layers as one Function: {enabled}")
        for a, b in zip(seen[1:], what_they_saw[1:]):
            close(a.data.array, b, "what the hook saw")


def test_which_way_a_layer_runs():
    network, x = nn.LSTM(3, 4, 2, bidirectional=True), variable(numbers(5, 2, 3), False)
    as_layers = functions_behind(*flat(network(x)))
    assert as_layers.count("LSTMLayer") == 4 and "LSTMGates" not in as_layers
    with cudnn.flags(enabled=False):
        by_steps = functions_behind(*flat(network(x)))
    assert by_steps.count("LSTMGates") == 20 and "LSTMLayer" not in by_steps
    with drawing.record():
        recorded = functions_behind(*flat(network(x)))
    assert sorted(recorded) == sorted(by_steps)
    assert cudnn.enabled and functions_behind(*flat(network(x))) == as_layers


def test_without_a_gradient_to_the_input_and_with_frozen_weights():
    network = nn.GRU(3, 4)
    network.weight_hh_l0.requires_grad = False
    x = variable(numbers(5, 2, 3), False)
    network(x)[0].sum().backward()
    frozen = network.weight_hh_l0
    assert not frozen.grad or not frozen.grad.data.array.any()
    assert network.weight_ih_l0.grad.data.array.any() and network.bias_hh_l0.grad.data.array.any()
    assert not network(Variable(x.data, volatile=True))[0].requires_grad


def test_the_output_may_be_changed_before_backward():
    network, expected = nn.LSTM(3, 4), []
    x = variable(numbers(3, 2, 3), False)
    for change in (lambda output: output.mul(2), lambda output: output.mul_(2)):
        network.zero_grad()
        change(network(x)[0]).sum().backward()
        expected.append([p.grad.data.array.copy() for p in network.parameters()])
    for a, b in zip(*expected):
        numpy.testing.assert_array_equal(a, b)


def test_a_weight_changed_before_backward_is_noticed():
    network = nn.LSTM(3, 4)
    output = network(variable(numbers(3, 2, 3), False))[0]
    network.weight_hh_l0.data.add_(1)
    with pytest.raises(RuntimeError, match="LSTMLayer: one of the variables needed .* modified by an inplace"):
        output.sum().backward()


@pytest.mark.parametrize(("kind", "named"), KINDS, ids=str)
def test_halves_are_rounded_once(kind, named):
    network, x = getattr(nn, kind)(3, 4, **named).float(), variable(numbers(5, 2, 3).astype("f"), False)
    parameters = [p.data for p in network.parameters()]
    for p in parameters:
        p.copy_(p.half().float())
    x = Variable(x.data.half(), requires_grad=False)
    expected = network(Variable(x.data.float(), requires_grad=False))[0]
    network.half()
    output = network(x)[0]
    assert output.data.type() == "torch.HalfTensor"
    numpy.testing.assert_array_equal(output.data.array, expected.data.array.astype(numpy.float16))


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
