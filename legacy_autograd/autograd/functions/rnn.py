"""The gates of recurrent networks, each as one Function (2016: `torch/nn/_functions/rnn.py`, as a dozen Functions).

One step of an LSTM is a product with the weights, an addition and `LSTMGates`. σ(x) = 1 / (1 + e^-x). Forward and
backward compute on arrays; backward uses the gates that forward computed. Double backward computes them again, as
functions of x, by operations on Variables.
"""

import numpy

from ...tensor.arithmetic import negative
from ...tensor.dtypes import wide
from ...tensor.messages import shown
from ...tensor.wrapping import wrap
from ..function import Function
from ..variable import Variable
from ._utils import call, saves
from .tensor import Concat

_ONE = {numpy.dtype(name): numpy.array(1, name) for name in ("float32", "float64")}


def logistic(minus):
    """Replace -x, an array, by σ(x). If e^-x overflows to inf, its reciprocal is 0, which is correct.

    Args:
        minus: The array.
    """
    numpy.exp(minus, minus)
    numpy.add(minus, _ONE[minus.dtype], minus)
    numpy.reciprocal(minus, minus)


class Gates(Function):
    """The base of both: a check that the gates are `gates` times as wide as the state."""

    gates = 0

    def check(self, state, *wide):
        """Raise unless each of `wide` has `gates` times as many columns as `state`, and its type.

        Args:
            state: The state (N, H).
            *wide: The inputs of the gates.

        Raises:
            TypeError: If the types differ, or are not of floating-point numbers.
            ValueError: If a shape does not fit.
        """
        size, dtype = state.array.shape, state.array.dtype
        for x in wide:
            if len(size) != 2 or x.array.shape != (size[0], self.gates * size[1]):
                raise ValueError(
                    f"{self._name}: expected gates of size (N, {self.gates} H) for a state of size (N, H), got "
                    f"{shown(x)} and {shown(state)}"
                )
            if x.array.dtype is not dtype or dtype.kind != "f":
                raise TypeError(
                    f"{self._name}: gates and state must be of one floating-point type, got {shown(x)} and "
                    f"{shown(state)}"
                )

    def parts(self, x):
        """Return the gates of a Tensor or Variable, which are side by side in memory, as a list.

        Args:
            x: The inputs of the gates.
        """
        width = x.size(1) // self.gates
        return [x.narrow(1, number * width, width) for number in range(self.gates)]

    def one_by_one(self, array):
        """Return the same as a view (gates, N, H) of an array (N, gates H).

        Args:
            array: The inputs of the gates.
        """
        rows, columns = array.shape
        return array.reshape(rows, self.gates, columns // self.gates).transpose(1, 0, 2)


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
    _saved_names = ("x", "c", "i, f, o, g", "tanh(c')")

    @saves(0, 1, None, None, several=True)
    def forward(self, x, c):
        self.check(c, x)
        a, before, dtype = wide(x.array), wide(c.array), x.array.dtype
        gates = numpy.empty((4, *before.shape), before.dtype)
        x_i, x_f, x_g, x_o = self.one_by_one(a)
        i, f, o, g = gates
        i[...], f[...], o[...] = x_i, x_f, x_o
        logistic(negative(gates[:3], gates[:3]))
        numpy.tanh(x_g, g)
        new_c = f * before
        new_c += i * g
        t = numpy.tanh(new_c)
        self.save_for_backward(x, c, wrap(gates), wrap(t))
        return wrap((o * t).astype(dtype, copy=False)), wrap(new_c.astype(dtype, copy=False))

    def backward(self, grad_h, grad_c):
        x, c, gates, t = self.saved_tensors
        if isinstance(x, Variable):
            return self.slopes(x, c, grad_h, grad_c)
        gates, t, grad_h, grad_c, dtype = gates.array, t.array, wide(grad_h.array), wide(grad_c.array), x.array.dtype
        i, f, o, g = gates
        total = t * t
        numpy.subtract(1, total, total)
        total *= o
        total *= grad_h
        total += grad_c
        slopes = gates * gates  # σ' = σ - σ², tanh' = 1 - tanh²
        numpy.subtract(gates[:3], slopes[:3], slopes[:3])
        numpy.subtract(1, slopes[3], slopes[3])
        slopes[0] *= g
        slopes[1] *= wide(c.array)
        slopes[2] *= t
        slopes[3] *= i
        grad_x = numpy.empty(x.array.shape, t.dtype)
        grads = self.one_by_one(grad_x)
        numpy.multiply(slopes[:2], total, grads[:2])
        numpy.multiply(slopes[3], total, grads[2])
        numpy.multiply(slopes[2], grad_h, grads[3])
        total *= f
        return wrap(grad_x.astype(dtype, copy=False)), wrap(total.astype(dtype, copy=False))

    def slopes(self, x, c, grad_h, grad_c):
        """Return the gradients of x and c, computed by operations on Variables.

        Args:
            x: The inputs of the gates.
            c: The cell state.
            grad_h: The gradient of h'.
            grad_c: The gradient of c'.
        """
        i, f, g, o = self.parts(x)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        t = f.mul(c).add(i.mul(g)).tanh()
        grad_c = grad_c.add(through_tanh(grad_h.mul(o), t))
        grads = (
            _through_sigmoid(grad_c.mul(g), i),
            _through_sigmoid(grad_c.mul(c), f),
            through_tanh(grad_c.mul(i), g),
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
    _saved_names = ("x", "y", "h", "r, z, n")

    @saves(0, 1, 2, None)
    def forward(self, x, y, h):
        self.check(h, x, y)
        before, dtype = wide(h.array), h.array.dtype
        from_x, from_y = self.one_by_one(wide(x.array)), self.one_by_one(wide(y.array))
        gates = numpy.empty((3, *before.shape), before.dtype)
        r, z, n = gates
        both = gates[:2]
        numpy.add(from_x[:2], from_y[:2], both)
        logistic(negative(both, both))
        numpy.multiply(r, from_y[2], n)
        numpy.add(n, from_x[2], n)
        numpy.tanh(n, n)
        result = before - n
        result *= z
        result += n
        self.save_for_backward(x, y, h, wrap(gates))
        return wrap(result.astype(dtype, copy=False))

    def backward(self, grad_output):
        x, y, h, gates = self.saved_tensors
        if isinstance(x, Variable):
            return self.slopes(x, y, h, grad_output)
        r, z, n = gates.array
        grad, before, y, dtype = wide(grad_output.array), wide(h.array), wide(y.array), h.array.dtype
        grad_x, grad_y = numpy.empty(y.shape, y.dtype), numpy.empty(y.shape, y.dtype)
        grads, others = self.one_by_one(grad_x), self.one_by_one(grad_y)
        grad_h = grad * z
        grad_n = n * n
        numpy.subtract(1, grad_n, grad_n)
        numpy.multiply(grad_n, grad - grad_h, grads[2])
        numpy.multiply(grads[2], r, others[2])
        numpy.multiply(grads[2], self.one_by_one(y)[2], grads[0])
        numpy.subtract(before, n, grads[1])
        numpy.multiply(grads[1], grad, grads[1])
        both = gates.array[:2]
        slopes = 1 - both
        slopes *= both
        numpy.multiply(grads[:2], slopes, grads[:2])
        others[:2] = grads[:2]
        return tuple([wrap(grad.astype(dtype, copy=False)) for grad in (grad_x, grad_y, grad_h)])

    def slopes(self, x, y, h, grad):
        """Return the gradients of x, y and h, computed by operations on Variables.

        Args:
            x: The inputs of the gates from the layer below.
            y: Those from the state.
            h: The state.
            grad: The gradient of the result.
        """
        x_r, x_z, x_n = self.parts(x)
        y_r, y_z, y_n = self.parts(y)
        r, z = x_r.add(y_r).sigmoid(), x_z.add(y_z).sigmoid()
        n = x_n.add(r.mul(y_n)).tanh()
        grad_n = through_tanh(grad.sub(grad.mul(z)), n)
        grad_z = _through_sigmoid(grad.mul(h.sub(n)), z)
        grad_r = _through_sigmoid(grad_n.mul(y_n), r)
        return (
            call(Concat(1), grad_r, grad_z, grad_n),
            call(Concat(1), grad_r, grad_z, grad_n.mul(r)),
            grad.mul(z),
        )


def _through_sigmoid(grad, result):
    """Return the gradient before σ, from the one after it and its result: grad σ (1 - σ)."""
    part = grad.mul(result)
    return part.sub(part.mul(result))


def through_tanh(grad, result):
    """Return the gradient before tanh, from the one after it and its result: grad (1 - tanh²).

    Args:
        grad: The gradient after tanh.
        result: The result of tanh.
    """
    return grad.sub(grad.mul(result).mul(result))
