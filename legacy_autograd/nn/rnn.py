"""Recurrent networks (v0.1.4: `torch/nn/modules/rnn.py`).

A network computes each layer and direction as one Function (`autograd/functions/rnn_layers.py`). Where
`torch.backends.cudnn.enabled` is False, it computes the same as one Function a product, an addition and the gates, step
by step, which can be read and drawn. In 2017 the flag chose in this way between cuDNN and Functions.

The cells, and the layers step by step, multiply the state by `weight_hh`, add the input's part and call the gates:
three Functions a step for an LSTM.
"""

import math
from typing import Any

from ..autograd.functions import cat, rnn_layers, stack
from ..autograd.variable import Variable
from ..backends import cudnn
from ..tensor import Tensor
from ..tensor.messages import shown_size
from . import functional as F
from .functional._inputs import check_positive, check_variables
from .module import Module
from .parameter import Parameter
from .utils.rnn import PackedSequence

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell"]


# For each mode the Function of a layer. It says how many gates and states there are, and what one step computes.
_LAYERS = {
    "RNN_TANH": rnn_layers.RNNTanhLayer,
    "RNN_RELU": rnn_layers.RNNReLULayer,
    "LSTM": rnn_layers.LSTMLayer,
    "GRU": rnn_layers.GRULayer,
}

_tanh_step = _relu_step = _lstm_step = _gru_step = None  # modules that 1.0.0 pickled name one of these


_WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")  # of one layer and direction; the first two without a bias


def _mode_of(name, nonlinearity):
    if nonlinearity not in ("tanh", "relu"):
        raise ValueError(f"{name}: nonlinearity must be tanh or relu, got {nonlinearity!r}")
    return f"RNN_{nonlinearity.upper()}"


class _Recurrent(Module):
    """The base of networks and cells.

    Weights are initialized from the uniform distribution between ±1 / sqrt(hidden_size).
    """

    def __init__(self, mode, input_size, hidden_size, bias):
        super().__init__()
        check_positive(self._name, input_size=input_size, hidden_size=hidden_size)
        if mode not in _LAYERS:
            raise ValueError(f"{self._name}: mode must be one of {', '.join(_LAYERS)}, got {mode!r}")
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias

    @property
    def _layer(self):
        return _LAYERS[self.mode]

    def _add_weights(self, input_size, suffix):
        """Register the weights of one layer and direction."""
        wide, hidden = self._layer.gates * self.hidden_size, self.hidden_size
        sizes = {"weight_ih": (wide, input_size), "weight_hh": (wide, hidden)}
        if self.bias:
            sizes.update(bias_ih=(wide,), bias_hh=(wide,))
        for name, size in sizes.items():
            setattr(self, name + suffix, Parameter(Tensor(*size)))

    def reset_parameters(self) -> None:
        """Initialize all weights again."""
        bound = 1 / math.sqrt(self.hidden_size)
        for parameter in self.parameters():
            parameter.data.uniform_(-bound, bound)

    def _check_features(self, input, *dimensions):
        """Raise unless `input` is a Variable with these dimensions before the one of the features."""
        check_variables(self._name, input)
        if input.dim() != len(dimensions) + 1 or input.size(len(dimensions)) != self.input_size:
            expected = ", ".join([*dimensions, str(self.input_size)])
            raise ValueError(f"{self._name}: expected an input of size ({expected}), got {shown_size(input.size())}")

    def _state_of(self, hx, size, like):
        """Return the initial state as a tuple of Variables of this size; zeros if `hx` is None."""
        if hx is None:
            return tuple(
                [Variable(like.data.new(*size).zero_(), requires_grad=False) for _ in range(self._layer.states)]
            )
        state = tuple(hx) if self._layer.states > 1 and isinstance(hx, (tuple, list)) else (hx,)
        if len(state) != self._layer.states:
            raise ValueError(f"{self._name}: the state must be a pair (h, c), got {len(state)} Variables")
        for name, variable in zip(("h", "c"), state):
            if not isinstance(variable, Variable):
                raise TypeError(f"{self._name}: the state {name} must be a Variable, got {type(variable).__name__}")
            if tuple(variable.size()) != size:
                found = shown_size(variable.size())
                raise ValueError(f"{self._name}: expected a state {name} of size {shown_size(size)}, got {found}")
        return state


class RNNBase(_Recurrent):
    """A recurrent network of one or more layers. Each layer's input is the output of the layer before it.

    The weights of layer k are `weight_ih_lk`, `weight_hh_lk`, `bias_ih_lk` and `bias_hh_lk`; those of the backward
    direction end in `_reverse`.

    Each layer and direction is one Function, for example LSTMLayer. Where `torch.backends.cudnn.enabled` is False, as
    under `drawing.record()` and in comparisons, each step is several Functions. The results are the same.

    Args:
        mode: "RNN_TANH", "RNN_RELU", "LSTM" or "GRU".
        input_size: The number of features of the input.
        hidden_size: The number of features of the state.
        num_layers: The number of layers.
        bias: Whether there are biases.
        batch_first: Whether input and output are (N, T, …) instead of (T, N, …).
        dropout: The probability of Dropout in training, after each layer but the last.
        bidirectional: Whether each layer also runs from the last step to the first.

    Raises:
        ValueError: If an argument, or when called a shape, does not fit.

    Shape:
        Input (T, N, input_size), or a PackedSequence. hx, the state before the first step: (num_layers · directions, N,
        hidden_size), for an LSTM a pair of them; zeros by default. Output (T, N, directions · hidden_size), or a
        PackedSequence, and the state after the last step, in the form of hx.
    """

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0,
        bidirectional: bool = False,
    ) -> None:
        super().__init__(mode, input_size, hidden_size, bias)
        if not 0 <= dropout <= 1:
            raise ValueError(f"{self._name}: dropout must be a probability between 0 and 1, got {dropout}")
        check_positive(self._name, num_layers=num_layers)
        self.num_layers = num_layers
        self.batch_first = batch_first
        self.dropout = dropout
        self.bidirectional = bidirectional
        self._name_weights()
        for layer in range(num_layers):
            for direction in self._directions:
                width = input_size if layer == 0 else hidden_size * len(self._directions)
                self._add_weights(width, f"_l{layer}{direction}")
        self.reset_parameters()

    def __setstate__(self, state):
        """Restore a pickled module; attributes that one of PyTorch v0.1.x does not have are derived from the others."""
        vars(self).update(state)
        self._name_weights()

    def _name_weights(self):
        self._directions = ("", "_reverse") if self.bidirectional else ("",)
        self._all_weights = [
            [f"{name}_l{layer}{direction}" for name in _WEIGHTS[: 4 if self.bias else 2]]
            for layer in range(self.num_layers)
            for direction in self._directions
        ]

    def flatten_parameters(self) -> None:
        """Do nothing. On a graphics card this made all weights contiguous in memory (0.2)."""

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The weights of each layer and direction, as a list of lists."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def forward(self, input, hx=None):
        run = self._as_one_function if cudnn.enabled else self._step_by_step
        if isinstance(input, PackedSequence):
            x, sizes = input
            self._check_features(x, "rows")
        else:
            self._check_features(input, *("NT" if self.batch_first else "TN"))
            x, sizes = input.transpose(0, 1) if self.batch_first else input, None
            length, batch, features = x.size()
            if not length:
                raise ValueError(
                    f"{self._name}: expected at least one time step, got an input of size {shown_size(input.size())}"
                )
            if not cudnn.enabled:
                x, sizes = x.contiguous().view(length * batch, features), [batch] * length
        number = self.num_layers * len(self._directions)
        initial = self._state_of(hx, (number, batch if sizes is None else sizes[0], self.hidden_size), x)

        weights, final = self.all_weights, []
        for layer in range(self.num_layers):
            outputs = []
            for direction in self._directions:
                state = [part.narrow(0, len(final), 1) if number > 1 else part for part in initial]
                output, state = run(x, sizes, bool(direction), state, *weights[len(final)])
                outputs.append(output)
                final.append(state)
            x = cat(outputs, x.dim() - 1) if len(outputs) > 1 else outputs[0]
            if layer < self.num_layers - 1 and self.training and self.dropout > 0:
                x = F.dropout(x, self.dropout, True)

        hidden = tuple([cat(parts, 0) if number > 1 else parts[0] for parts in zip(*final)])
        hidden = hidden if self._layer.states > 1 else hidden[0]
        if isinstance(input, PackedSequence):
            return PackedSequence(x, sizes), hidden
        if x.dim() == 2:
            x = x.view(length, batch, x.size(1))
        return x.transpose(0, 1) if self.batch_first else x, hidden

    def _as_one_function(self, x, sizes, reverse, state, *weights):
        """Return the output and the final state of one layer and direction. A state is a list of (1, N, H)."""
        output, *state = self._layer(sizes, reverse)(x, *state, *weights)
        return output, state

    def _step_by_step(self, rows, sizes, reverse, state, weight_ih, weight_hh, bias_ih=None, bias_hh=None):
        """Return the same, computed by Functions a step. `weight_ih` multiplies the input of all steps at once."""
        x = F.linear(rows, weight_ih, bias_ih)

        def step(x_t, state):
            return self._layer().step(x_t, F.linear(state[0], weight_hh, bias_hh), *state)

        inputs = x.split(sizes, 0) if len(sizes) > 1 else (x,)
        output, state = rnn_layers.through_time(step, inputs, sizes, [part.select(0, 0) for part in state], reverse)
        return cat(output, 0), [stack([part], 0) for part in state]

    def extra_repr(self):
        unusual = self._unusual(num_layers=1, bias=True, batch_first=False, dropout=0, bidirectional=False)
        return f"{self.input_size}, {self.hidden_size}{unusual}"


class RNN(RNNBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh) for each time step, or relu instead of tanh.

    Args:
        *sizes: input_size, hidden_size and the further arguments of `RNNBase`.
        nonlinearity: "tanh" or "relu".
        **named: The same arguments with keywords.

    Example:
        >>> network = torch.nn.RNN(3, 4)
        >>> output, state = network(Variable(torch.zeros(5, 2, 3)))
        >>> output.size(), state.size()
        (torch.Size([5, 2, 4]), torch.Size([1, 2, 4]))
    """

    def __init__(self, *sizes: Any, nonlinearity: str = "tanh", **named: Any) -> None:
        super().__init__(_mode_of("RNN", nonlinearity), *sizes, **named)


class LSTM(RNNBase):
    """Long short-term memory: i, f, g, o = gates; c' = f c + i g and h' = o tanh(c') for each time step.

    The gates are W_ih x + b_ih + W_hh h + b_hh, passed through a sigmoid (g: tanh); see the Functions LSTMLayer and
    LSTMGates.

    Args:
        *sizes: input_size, hidden_size and the further arguments of `RNNBase`.
        **named: The same arguments with keywords.
    """

    def __init__(self, *sizes: Any, **named: Any) -> None:
        super().__init__("LSTM", *sizes, **named)


class GRU(RNNBase):
    """Gated recurrent units with the gates r, z, n for each time step; see the Functions GRULayer and GRUGates.

    Args:
        *sizes: input_size, hidden_size and the further arguments of `RNNBase`.
        **named: The same arguments with keywords.
    """

    def __init__(self, *sizes: Any, **named: Any) -> None:
        super().__init__("GRU", *sizes, **named)


class RNNCellBase(_Recurrent):
    """One time step of a recurrent network.

    Args:
        mode: "RNN_TANH", "RNN_RELU", "LSTM" or "GRU".
        input_size: The number of features of the input.
        hidden_size: The number of features of the state.
        bias: Whether there are biases.

    Shape:
        Input (N, input_size); state (N, hidden_size), for an LSTM a pair of them; zeros by default. The output is the
        new state.
    """

    def __init__(self, mode: str, input_size: int, hidden_size: int, bias: bool = True) -> None:
        super().__init__(mode, input_size, hidden_size, bias)
        self._add_weights(input_size, "")
        self.reset_parameters()

    def forward(self, input, hx=None):
        self._check_features(input, "N")
        state = self._state_of(hx, (input.size(0), self.hidden_size), input)
        weight_ih, weight_hh, *biases = [getattr(self, name) for name in _WEIGHTS[: 4 if self.bias else 2]]
        x, y = F.linear(input, weight_ih, *biases[:1]), F.linear(state[0], weight_hh, *biases[1:])
        state = self._layer().step(x, y, *state)
        return tuple(state) if self._layer.states > 1 else state[0]

    def extra_repr(self):
        return f"{self.input_size}, {self.hidden_size}{self._unusual(bias=True)}"


class RNNCell(RNNCellBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu instead of tanh.

    Args:
        input_size: The number of features of x.
        hidden_size: The number of features of h.
        bias: Whether there are biases.
        nonlinearity: "tanh" or "relu".

    Shape:
        Input x (N, input_size), state h (N, hidden_size), output h' (N, hidden_size).
    """

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh") -> None:
        super().__init__(_mode_of("RNNCell", nonlinearity), input_size, hidden_size, bias)
        self.nonlinearity = nonlinearity

    def __setstate__(self, state):
        vars(self).update({"mode": _mode_of("RNNCell", state["nonlinearity"]), **state})


class LSTMCell(RNNCellBase):
    """One time step of an `LSTM`.

    Args:
        input_size: The number of features of the input.
        hidden_size: The number of features of the state.
        bias: Whether there are biases.

    Shape:
        Input (N, input_size), state (h, c), both (N, hidden_size). The output is the new (h, c).
    """

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None:
        super().__init__("LSTM", input_size, hidden_size, bias)

    def __setstate__(self, state):
        vars(self).update({"mode": "LSTM", **state})


class GRUCell(RNNCellBase):
    """One time step of a `GRU`.

    Args:
        input_size: The number of features of the input.
        hidden_size: The number of features of the state.
        bias: Whether there are biases.

    Shape:
        Input (N, input_size), state (N, hidden_size), output (N, hidden_size).
    """

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None:
        super().__init__("GRU", input_size, hidden_size, bias)

    def __setstate__(self, state):
        vars(self).update({"mode": "GRU", **state})
