"""Recurrent cells and networks as functions of their weights (v0.1.5: the same file).

A cell is called with the input (N, I), the hidden state and the weights, and returns the new state: (h, c) for an LSTM,
h otherwise. A layer is called with all time steps, (T, N, I), the state and the tuple of weights, and returns the last
state and the outputs, (T, N, H). The results are those of the layers of `nn/rnn.py`, which compute faster.
"""

from ...autograd.functions import cat, stack
from ...autograd.functions.rnn import GRUGates, LSTMGates
from ...autograd.functions.rnn_layers import through_time
from .. import functional as F


def RNNReLUCell(input, hidden, w_ih, w_hh, b_ih=None, b_hh=None):
    """Return max(0, w_ih x + b_ih + w_hh h + b_hh)."""
    return F.relu(F.linear(input, w_ih, b_ih) + F.linear(hidden, w_hh, b_hh))


def RNNTanhCell(input, hidden, w_ih, w_hh, b_ih=None, b_hh=None):
    """Return tanh(w_ih x + b_ih + w_hh h + b_hh)."""
    return F.tanh(F.linear(input, w_ih, b_ih) + F.linear(hidden, w_hh, b_hh))


def LSTMCell(input, hidden, w_ih, w_hh, b_ih=None, b_hh=None):
    """Return the state (h, c) of an LSTM after one step; `hidden` is such a pair. See the Function LSTMGates."""
    h, c = hidden
    return LSTMGates()(F.linear(input, w_ih, b_ih) + F.linear(h, w_hh, b_hh), c)


def GRUCell(input, hidden, w_ih, w_hh, b_ih=None, b_hh=None):
    """Return the state of a GRU after one step. See the Function GRUGates."""
    return GRUGates()(F.linear(input, w_ih, b_ih), F.linear(hidden, w_hh, b_hh), hidden)[0]


_CELLS = {"RNN_RELU": RNNReLUCell, "RNN_TANH": RNNTanhCell, "LSTM": LSTMCell, "GRU": GRUCell}


def Recurrent(inner, reverse=False):
    """Return a layer that calls the cell `inner` for all time steps, from the last to the first with `reverse`."""

    def forward(input, hidden, weight):
        outputs = []
        steps = range(input.size(0))
        for step in reversed(steps) if reverse else steps:
            hidden = inner(input[step], hidden, *weight)
            outputs.append(hidden[0] if isinstance(hidden, tuple) else hidden)
        return hidden, stack(outputs[::-1] if reverse else outputs, 0)

    return forward


def VariableRecurrent(batch_sizes, inner):
    """Return a layer over the rows of a PackedSequence: step t has the first `batch_sizes[t]` sequences."""
    return _over_rows(batch_sizes, inner, False)


def VariableRecurrentReverse(batch_sizes, inner):
    """Return the same for the backward direction, in which each sequence starts at its own last step."""
    return _over_rows(batch_sizes, inner, True)


def _over_rows(batch_sizes, inner, reverse):
    def forward(input, hidden, weight):
        is_pair = isinstance(hidden, tuple)

        def step(rows, state):
            return inner(rows, tuple(state), *weight) if is_pair else (inner(rows, *state, *weight),)

        state = hidden if is_pair else (hidden,)
        outputs, state = through_time(step, input.split(list(batch_sizes), 0), batch_sizes, state, reverse)
        return tuple(state) if is_pair else state[0], cat(outputs, 0)

    return forward


def variable_recurrent_factory(batch_sizes):
    """Return a function of a cell and `reverse` that returns one of the two layers above for these batch sizes."""

    def factory(inner, reverse=False):
        return (VariableRecurrentReverse if reverse else VariableRecurrent)(batch_sizes, inner)

    return factory


def StackedRNN(inners, num_layers, lstm=False, dropout=0, train=True):
    """Return a network of `num_layers`, each with the layers `inners`, one for each direction.

    It is called with the input, the initial states (num_layers * directions, N, H) and a list of weights for each layer
    and direction. It returns the last states and the outputs of the last layer. `dropout` is applied to the outputs of
    each layer but the last. The call raises ValueError if the number of weights differs.
    """

    def forward(input, hidden, weight):
        if len(weight) != num_layers * len(inners):
            raise ValueError(
                f"StackedRNN: {num_layers} layers of {len(inners)} directions need {num_layers * len(inners)} lists of "
                f"weights, got {len(weight)}"
            )
        initial = list(zip(*hidden)) if lstm else hidden
        final = []
        for layer in range(num_layers):
            outputs = []
            for inner in inners:
                number = len(final)
                state, output = inner(input, initial[number], weight[number])
                final.append(state)
                outputs.append(output)
            input = cat(outputs, input.dim() - 1)
            if layer < num_layers - 1:
                input = F.dropout(input, dropout, train and dropout > 0)
        return tuple([stack(parts, 0) for parts in zip(*final)]) if lstm else stack(final, 0), input

    return forward


def AutogradRNN(
    mode,
    input_size,
    hidden_size,
    num_layers=1,
    batch_first=False,
    dropout=0,
    train=True,
    bidirectional=False,
    batch_sizes=None,
    dropout_state=None,
):
    """Return a network that is called with (input, weights, hidden) and returns (output, hidden).

    `mode` is RNN_RELU, RNN_TANH, LSTM or GRU; another one raises ValueError. `batch_sizes` are those of a
    PackedSequence whose rows are the input. The two sizes are ignored, because the weights have them, and so is
    `dropout_state`, which was for graphics cards.
    """
    if mode not in _CELLS:
        raise ValueError(f"AutogradRNN: mode must be one of {', '.join(_CELLS)}, got {mode!r}")
    layer_of = Recurrent if batch_sizes is None else variable_recurrent_factory(batch_sizes)
    cell = _CELLS[mode]
    layers = (layer_of(cell), layer_of(cell, reverse=True)) if bidirectional else (layer_of(cell),)
    network = StackedRNN(layers, num_layers, mode == "LSTM", dropout, train)
    turned = batch_first and batch_sizes is None

    def forward(input, weight, hidden):
        hidden, output = network(input.transpose(0, 1) if turned else input, hidden, weight)
        return output.transpose(0, 1) if turned else output, hidden

    return forward


def RNN(*args, **kwargs):
    """Return `AutogradRNN(*args, **kwargs)`; on a graphics card it was another function."""
    return AutogradRNN(*args, **kwargs)
