"""The gates of recurrent networks, each as one Function (2016: `torch/nn/_functions/rnn.py`, as a dozen Functions).

One step of an LSTM is a product with the weights, an addition and `LSTMGates`. σ(x) = 1 / (1 + e^-x). Backward
uses the gates that forward computed. For double backward it computes them again, as functions of x.
"""

from ...tensor.messages import shown
from ..function import Function
from ..variable import Variable
from ._utils import call
from .tensor import Concat


class Gates(Function):
    """The base of both: a check that the gates are `gates` times as wide as the state."""

    gates = 0

    def check(self, state, *wide):
        """Raise unless each of `wide` has `gates` times as many columns as `state`, and its type.

        Args:
            state: The state (N, H).
            *wide: The inputs of the gates.

        Raises:
            TypeError: If the types differ.
            ValueError: If a shape does not fit.
        """
        size = state.array.shape
        for x in wide:
            if len(size) != 2 or x.array.shape != (size[0], self.gates * size[1]):
                raise ValueError(
                    f"{self._name}: expected gates of size (N, {self.gates} H) for a state of size (N, H), got "
                    f"{shown(x)} and {shown(state)}"
                )
            if x.array.dtype is not state.array.dtype:
                raise TypeError(f"{self._name}: gates and state must be of one type, got {shown(x)} and {shown(state)}")

    def parts(self, x):
        """Return the gates of a Tensor or Variable, which are side by side in memory, as a list.

        Args:
            x: The inputs of the gates.
        """
        width = x.size(1) // self.gates
        return [x.narrow(1, number * width, width) for number in range(self.gates)]


class LSTMGates(Gates):
    """The gates of an LSTM: c' = σ(f) c + σ(i) tanh(g) and h' = σ(o) tanh(c').

    A call takes x (N, 4 H), the inputs of the gates in the order i, f, g, o, and the cell state c (N, H). It returns h'
    and c'.

    Gradient:
        By the chain rule.

    Source:
        `torch/nn/_functions/rnn.py` (v0.1.9), `LSTMCell`.
    """

    gates = 4
    _saved_names = ("x", "c", "i", "f", "g", "o", "tanh(c')")

    def forward(self, x, c):
        self.check(c, x)
        i, f, g, o, t, new_c = self._computed(x, c)
        self.save_for_backward(x, c, i, f, g, o, t)
        return o.mul(t), new_c

    def _computed(self, x, c):
        i, f, g, o = self.parts(x)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        new_c = f.mul(c).add(i.mul(g))
        return i, f, g, o, new_c.tanh(), new_c

    def backward(self, grad_h, grad_c):
        x, c, i, f, g, o, t = self.saved_tensors
        if isinstance(x, Variable):
            i, f, g, o, t, _ = self._computed(x, c)
        grad_c = grad_c.add(_through_tanh(grad_h.mul(o), t))
        grads = (
            _through_sigmoid(grad_c.mul(g), i),
            _through_sigmoid(grad_c.mul(c), f),
            _through_tanh(grad_c.mul(i), g),
            _through_sigmoid(grad_h.mul(t), o),
        )
        return call(Concat(1), *grads), grad_c.mul(f)


class GRUGates(Gates):
    """The gates of a GRU: r = σ(x_r + y_r), z = σ(x_z + y_z), n = tanh(x_n + r y_n), and the result (1 - z) n + z h.

    A call takes x and y (N, 3 H), the inputs of the gates from the layer below and from the state, in the order r, z,
    n, and the state h (N, H).

    Gradient:
        By the chain rule.

    Source:
        `torch/nn/_functions/rnn.py` (v0.1.9), `GRUCell`.
    """

    gates = 3
    _saved_names = ("x", "y", "h", "r", "z", "n")

    def forward(self, x, y, h):
        self.check(h, x, y)
        r, z, n = self._computed(x, y)
        self.save_for_backward(x, y, h, r, z, n)
        return h.sub(n).mul(z).add(n)

    def _computed(self, x, y):
        x_r, x_z, x_n = self.parts(x)
        y_r, y_z, y_n = self.parts(y)
        r, z = x_r.add(y_r).sigmoid(), x_z.add(y_z).sigmoid()
        return r, z, x_n.add(r.mul(y_n)).tanh()

    def backward(self, grad_output):
        x, y, h, r, z, n = self.saved_tensors
        if isinstance(x, Variable):
            r, z, n = self._computed(x, y)
        y_n = self.parts(y)[2]
        grad_n = _through_tanh(grad_output.sub(grad_output.mul(z)), n)
        grad_z = _through_sigmoid(grad_output.mul(h.sub(n)), z)
        grad_r = _through_sigmoid(grad_n.mul(y_n), r)
        return (
            call(Concat(1), grad_r, grad_z, grad_n),
            call(Concat(1), grad_r, grad_z, grad_n.mul(r)),
            grad_output.mul(z),
        )


def _through_sigmoid(grad, result):
    """Return the gradient before σ, from the one after it and its result: grad σ (1 - σ)."""
    part = grad.mul(result)
    return part.sub(part.mul(result))


def _through_tanh(grad, result):
    """Return the gradient before tanh, from the one after it and its result: grad (1 - tanh²)."""
    return grad.sub(grad.mul(result).mul(result))
