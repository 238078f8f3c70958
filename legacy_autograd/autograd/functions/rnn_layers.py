"""Recurrent layers, each layer and direction as one Function over all time steps (2016: `CudnnRNN`, for all layers).

A Function a step spends most of its time between the steps. Here forward and backward are a loop over arrays, and what
needs no loop is computed for all steps at once: the products of the input before it, the gradients of the weights
after it. torch and cuDNN do so in compiled code.

Backward through time, for a step with the state h, its gates' inputs x W_ihᵀ + b_ih and h W_hhᵀ + b_hh, and the result
h'. Two gradients meet in h': that of the output of this step, and that which the next step sent back. The sum dh'
gives the gradients d of the gates' inputs, by the chain rule within the step: elementwise products of dh' with factors
that forward's gates determine. So the factors are computed for all steps before the loop, and the loop only multiplies.
The step sends d_hh W_hh back to h, and what reaches h past the gates. With D, the rows d of all steps, the
gradients are D_ih W_ih for x, D_ihᵀ x for W_ih, D_hhᵀ h for W_hh, and the sums of the rows for the biases.

An array of gates is (gates, rows, H), so that each gate is a piece of memory of its own.
"""

import numpy

from ...tensor.dtypes import wide
from ...tensor.messages import shown, shown_size
from ...tensor.reduce import sum_of_rows
from ...tensor.wrapping import wrap
from ..function import Function
from ..variable import Variable
from ._utils import call
from .activation import ReLU
from .linear import Linear
from .rnn import GRUGates, LSTMGates, logistic, through_tanh
from .tensor import Concat


class RecurrentLayer(Function):
    """The base of layers: what does not depend on the kind of the gates.

    A call takes x (T, N, I), the state before the first step (1, N, H), for an LSTM two of them, the weights W_ih
    (gates H, I) and W_hh (gates H, H), and optionally the biases b_ih and b_hh (gates H). It returns the outputs
    (T, N, H) and the state after the last step.

    Args:
        batch_sizes: For the rows of a PackedSequence, x (rows, I): the number of sequences at each step.
        reverse: Whether the steps run from the last to the first. A sequence then starts at its own last step.

    Raises:
        TypeError: In the call, if the types differ, or are not of floating-point numbers, or inputs are missing.
        ValueError: In the call, if a shape does not fit.
    """

    gates = 1
    states = 1

    def __init__(self, batch_sizes=None, reverse=False):
        self.batch_sizes = batch_sizes
        self.reverse = reverse

    def forward(self, x, *others):
        self.check(x, others)
        rows, *arrays = [wide(tensor.array) for tensor in (x, *others)]
        state = [array[0] for array in arrays[: self.states]]
        rows = rows.reshape(-1, rows.shape[-1])
        outputs, state, kept = self.run(rows, state, *arrays[self.states :])
        self.save_for_backward(*map(wrap, kept), x, *others)
        dtype, size = x.array.dtype, (*x.array.shape[:-1], outputs.shape[1])
        results = [outputs.reshape(size), *[part[None] for part in state]]
        return tuple([wrap(result.astype(dtype, copy=False)) for result in results])

    def backward(self, grad_output, *grad_state):
        saved = self.saved_tensors
        kept = len(saved) - len(self.needs_input_grad)
        x, *others = saved[kept:]
        state, weights = others[: self.states], others[self.states :]
        if isinstance(x, Variable):
            return self.through_the_steps(x, state, weights, grad_output, grad_state)
        w_ih, w_hh = [wide(weight.array) for weight in weights[:2]]
        d_ih, d_hh, before, d_state = self.derivatives(
            [tensor.array for tensor in saved[:kept]],
            wide(grad_output.array).reshape(-1, w_hh.shape[1]),
            [wide(grad.array)[0] for grad in grad_state],
            w_hh,
        )
        needs = self.needs_input_grad
        of_x, of_w_ih, of_w_hh, *of_biases = needs[0], *needs[1 + self.states :]
        grads = [d_ih.dot(w_ih).reshape(x.array.shape) if of_x else None, *[part[None] for part in d_state]]
        rows = wide(x.array).reshape(-1, w_ih.shape[1])
        grads.append(d_ih.T.dot(rows) if of_w_ih else None)
        grads.append(d_hh.T.dot(before) if of_w_hh else None)
        if of_biases:
            grads.append(sum_of_rows(d_ih))
            grads.append(grads[-1].copy() if d_hh is d_ih else sum_of_rows(d_hh))
        dtype = x.array.dtype
        return tuple([None if grad is None else wrap(grad.astype(dtype, copy=False)) for grad in grads])

    def run(self, rows, state, w_ih, w_hh, b_ih=None, b_hh=None):
        """Compute all steps. Return the outputs, the final state, and a list of what `derivatives` needs, as arrays.

        Args:
            rows: The input of all steps (rows, I).
            state: The initial state, a list of arrays (N, H).
            w_ih, w_hh, b_ih, b_hh: The weights.
        """
        raise NotImplementedError(f"{self._name} does not define run")

    def derivatives(self, kept, grad_output, grad_state, w_hh):
        """Return the gradients D_ih and D_hh, the state h before each step, and the gradients of the initial state.

        Args:
            kept: The list of `run`.
            grad_output: The gradient of the outputs (rows, H).
            grad_state: The gradients of the final state.
            w_hh: The weight.
        """
        raise NotImplementedError(f"{self._name} does not define derivatives")

    # --- time

    def spans(self, backward=False):
        """Return the first and the last row + 1 of each step, in the order of forward or of backward."""
        spans, end = [], 0
        for size in self.sizes:
            spans.append((end, end + size))
            end += size
        return spans if self.reverse is backward else spans[::-1]

    def resized(self, size, state, whole):
        """Return the state of the first `size` sequences, when some end or begin.

        Args:
            size: The number of sequences that have the next step.
            state: The state of those that had the last one.
            whole: The state of all sequences: the final one of those that have ended, the initial one of those that
                have not begun. `state` is written to it.
        """
        for part, array in zip(state, whole):
            array[: len(part)] = part
        return [array[:size].copy() for array in whole]

    def in_order(self, parts):
        """Return one array of the rows of all steps.

        Args:
            parts: An array for each step, in the order of forward.
        """
        return numpy.concatenate(parts[::-1] if self.reverse else parts)

    # --- double backward

    def step(self, x, y, *state):
        """Return the state after one step, computed by Functions.

        Args:
            x: The input's part of the gates' inputs (N, gates H).
            y: The state's part.
            *state: The state before the step (N, H).
        """
        raise NotImplementedError(f"{self._name} does not define step")

    def slopes(self, x, y, state, grads):
        """Return the gradients of x, of y, and of the state as far as it does not come through y.

        Args:
            x, y, state: The inputs of `step`.
            grads: The gradients of its results.
        """
        raise NotImplementedError(f"{self._name} does not define slopes")

    def through_the_steps(self, x, state, weights, grad_output, grad_state):
        """Return the gradients of all inputs as Variables: forward again, then backward, as Functions a step.

        Args:
            x, state, weights: The inputs.
            grad_output, grad_state: The gradients of the results.
        """
        (w_ih, w_hh, *biases), sizes = weights, self.sizes
        rows = x.contiguous().view(-1, w_ih.size(1))
        flat = grad_output.contiguous().view(-1, w_hh.size(1))
        from_x = call(Linear(), rows, w_ih, *biases[:1]).split(sizes, 0)
        steps, gradients = [], []

        def forward(x, state):
            y = call(Linear(), state[0], w_hh, *biases[1:])
            steps.append((x, y, state))
            return self.step(x, y, *state)

        def backward(number_and_grad, grads):
            number, grad = number_and_grad
            x, y, state = steps[number]
            grads_x, grads_y, past = self.slopes(x, y, state, [grads[0].add(grad), *grads[1:]])
            gradients.append((grads_x, grads_y, state[0]))
            to_h = grads_y.mm(w_hh)
            return [to_h if past[0] is None else to_h.add(past[0]), *past[1:]]

        through_time(forward, from_x, sizes, [part.select(0, 0) for part in state], self.reverse)
        if self.reverse:
            steps.reverse()
        grads = list(enumerate(flat.split(sizes, 0)))
        _, of_state = through_time(backward, grads, sizes, [part.select(0, 0) for part in grad_state], not self.reverse)
        if not self.reverse:
            gradients.reverse()
        d_ih, d_hh, before = [call(Concat(0), *parts) for parts in zip(*gradients)]
        results = [d_ih.mm(w_ih).view(*x.size()), *[part.unsqueeze(0) for part in of_state]]
        results += [d_ih.t().mm(rows), d_hh.t().mm(before)]
        return tuple(results + [part.sum(0, keepdim=False) for part in (d_ih, d_hh)][: len(biases)])

    def check(self, x, others):
        """Raise unless the inputs fit, as the class says. It sets `sizes`, the number of sequences at each step.

        Args:
            x: The input.
            others: The other inputs.
        """
        size, packed = x.array.shape, self.batch_sizes is not None
        names = [*("h", "c")[: self.states], "W_ih", "W_hh", "b_ih", "b_hh"]
        if len(others) not in (len(names) - 2, len(names)):
            raise TypeError(f"{self._name}: expected x, {', '.join(names)}, the last two optional; got {len(others)} after x")
        if len(size) != 3 - packed or packed and sum(self.batch_sizes) != size[0]:
            raise ValueError(
                f"{self._name}: expected an input of size "
                f"{f'({sum(self.batch_sizes)}, I)' if packed else '(T, N, I)'}, got {shown(x)}"
            )
        self.sizes = list(self.batch_sizes) if packed else [size[1]] * size[0]
        if not self.sizes or sorted(self.sizes, reverse=True) != self.sizes:
            raise ValueError(f"{self._name}: the numbers of sequences must not increase, got {self.sizes}")
        hidden = others[0].array.shape[-1]
        every = self.gates * hidden
        sizes = [(1, self.sizes[0], hidden)] * self.states + [(every, size[-1]), (every, hidden), (every,), (every,)]
        for name, tensor, expected in zip(names, others, sizes):
            if tensor.array.shape != expected:
                raise ValueError(f"{self._name}: expected {name} of size {shown_size(expected)}, got {shown(tensor)}")
            if tensor.array.dtype is not x.array.dtype or x.array.dtype.kind != "f":
                raise TypeError(
                    f"{self._name}: all inputs must be of one floating-point type, got {shown(x)} and as {name} "
                    f"{shown(tensor)}"
                )


def through_time(step, inputs, sizes, state, reverse=False):
    """Return the outputs and the final state of one layer, which calls `step(input, state)` for each time step.

    Args:
        step: Returns the new state, a list or tuple of Variables, with the output first.
        inputs: The input of each step.
        sizes: The number of sequences that have each step. It never increases.
        state: The initial state, a list of Variables (N, H).
        reverse: Whether the steps run from the last to the first. A sequence then starts at its own last step.
    """
    steps = list(zip(inputs, sizes))
    if reverse:
        steps.reverse()
    initial, running, outputs, finished = state, steps[0][1], [], []
    if running < sizes[0]:
        state = [part.narrow(0, 0, running) for part in state]
    for input, size in steps:
        if size < running:
            finished.append([part.narrow(0, size, running - size) for part in state])
            state = [part.narrow(0, 0, size) for part in state]
        elif size > running:
            begun = [part.narrow(0, running, size - running) for part in initial]
            state = [call(Concat(0), *parts) for parts in zip(state, begun)]
        running = size
        state = step(input, state)
        outputs.append(state[0])
    if finished:
        state = [call(Concat(0), part, *rest) for part, *rest in zip(state, *reversed(finished))]
    return outputs[::-1] if reverse else outputs, state


class LSTMLayer(RecurrentLayer):
    """A layer and direction of an LSTM: i, f, g, o = gates; c' = f c + i g and h' = o tanh(c') for each step.

    i, f and o are passed through σ, g through tanh. The state is (h, c).

    Gradient:
        With dh', dc' for a step, dc = dc' + dh' o (1 - tanh²(c')) is all that reaches c'. For the gates' inputs it is
        dc g σ'(i), dc c σ'(f), dc i (1 - g²) and dh' tanh(c') σ'(o), where σ' = σ (1 - σ). dc f is sent back to c.

    Source:
        Hochreiter and Schmidhuber, "Long short-term memory", 1997, with the gate f of Gers et al., 2000.
        `torch/nn/_functions/rnn.py` (v0.1.9), `CudnnRNN`.
    """

    gates = 4
    states = 2
    _saved_names = ("i, f, o, g", "tanh(c')", "h before each step", "c before each step")

    def run(self, rows, state, w_ih, w_hh, b_ih=None, b_hh=None):
        gates = _products(rows, _split(w_ih, (0, 1, 3, 2), 3))  # the sigmoids' inputs negated, for e^-x
        if b_ih is not None:
            gates += _split(b_ih + b_hh, (0, 1, 3, 2), 3)[:, None]
        weight = numpy.ascontiguousarray(_split(w_hh, (0, 1, 3, 2), 3).transpose(0, 2, 1))
        cells, tanhs, outputs = numpy.empty((3, *gates.shape[1:]), gates.dtype)
        whole = [part.copy() for part in state]
        (h, c), before, product, part = state, ([], []), None, None
        for lo, hi in self.spans():
            if product is None or hi - lo != len(h):
                h, c = self.resized(hi - lo, (h, c), whole)
                product = numpy.empty((4, *h.shape), h.dtype)
                part = numpy.empty_like(h)
            before[0].append(h)
            before[1].append(c)
            step = gates[:, lo:hi]
            i, f, o, g = step
            numpy.matmul(h, weight, product)
            numpy.add(step, product, step)
            logistic(step[:3])
            numpy.tanh(g, g)
            c = numpy.multiply(f, c, cells[lo:hi])
            numpy.multiply(i, g, part)
            numpy.add(c, part, c)
            t = numpy.tanh(c, tanhs[lo:hi])
            h = numpy.multiply(o, t, outputs[lo:hi])
        kept = [gates, tanhs, *map(self.in_order, before)]
        return outputs, self.resized(len(whole[0]), (h, c), whole), kept

    def derivatives(self, kept, grad_output, grad_state, w_hh):
        (i, f, o, g), t, before, before_c = kept[0], *kept[1:]
        factors = numpy.empty_like(kept[0])  # in the order of the weights, i, f, g, o
        _slope(i, g, factors[0])
        _slope(f, before_c, factors[1])
        numpy.multiply(g, g, factors[2])
        numpy.subtract(1, factors[2], factors[2])
        numpy.multiply(factors[2], i, factors[2])
        _slope(o, t, factors[3])
        to_c = t * t
        numpy.subtract(1, to_c, to_c)
        to_c *= o
        d = numpy.empty((len(t), 4, t.shape[1]), t.dtype)
        rows, by_gate, whole = d.reshape(len(t), -1), d.transpose(1, 0, 2), [grad.copy() for grad in grad_state]
        dh, dc = whole
        for lo, hi in self.spans(backward=True):
            if dh is whole[0] or hi - lo != len(dh):
                dh, dc = self.resized(hi - lo, (dh, dc), whole)
            dh += grad_output[lo:hi]
            dc += dh * to_c[lo:hi]
            numpy.multiply(factors[:3, lo:hi], dc, by_gate[:3, lo:hi])
            numpy.multiply(factors[3, lo:hi], dh, by_gate[3, lo:hi])
            dh = rows[lo:hi].dot(w_hh)
            dc *= f[lo:hi]
        return rows, rows, before, self.resized(len(whole[0]), (dh, dc), whole)

    def step(self, x, y, h, c):
        return call(LSTMGates(), x.add(y), c)

    def slopes(self, x, y, state, grads):
        grad_x, grad_c = LSTMGates().slopes(x.add(y), state[1], *grads)
        return grad_x, grad_x, (None, grad_c)


class GRULayer(RecurrentLayer):
    """A layer and direction of a GRU: r, z, n = gates; h' = (1 - z) n + z h for each step.

    With x and y for the two parts of the gates' inputs, r = σ(x_r + y_r), z = σ(x_z + y_z) and n = tanh(x_n + r y_n).

    Gradient:
        For x_n, dn = dh' (1 - z) (1 - n²), for y_n it is dn r, for the inputs of r dn y_n σ'(r), for those of z
        dh' (h - n) σ'(z), where σ' = σ (1 - σ). dh' z is sent back to h past the gates.

    Source:
        Cho et al., "Learning phrase representations using RNN encoder-decoder", 2014, with r applied after the product.
        `torch/nn/_functions/rnn.py` (v0.1.9), `CudnnRNN`.
    """

    gates = 3
    _saved_names = ("r, z, n", "y_n", "h before each step")

    def run(self, rows, state, w_ih, w_hh, b_ih=None, b_hh=None):
        gates = _products(rows, _split(w_ih, (0, 1, 2), 2))  # the sigmoids' inputs negated, for e^-x
        bias = 0  # of y_n
        if b_ih is not None:
            hidden = w_hh.shape[1]
            bias = b_hh[2 * hidden :]
            both = b_ih.copy()
            both[: 2 * hidden] += b_hh[: 2 * hidden]
            gates += _split(both, (0, 1, 2), 2)[:, None]
        weight = numpy.ascontiguousarray(_split(w_hh, (0, 1, 2), 2).transpose(0, 2, 1))
        from_state, outputs = numpy.empty((2, *gates.shape[1:]), gates.dtype)
        (h,), whole, before, product, part = state, [state[0].copy()], [], None, None
        for lo, hi in self.spans():
            if product is None or hi - lo != len(h):
                (h,) = self.resized(hi - lo, (h,), whole)
                product = numpy.empty((3, *h.shape), h.dtype)
                part = numpy.empty_like(h)
            before.append(h)
            numpy.matmul(h, weight, product)
            y_n = numpy.add(product[2], bias, from_state[lo:hi])
            r, z, n = gates[:, lo:hi]
            both = gates[:2, lo:hi]
            numpy.add(both, product[:2], both)
            logistic(both)
            numpy.multiply(r, y_n, part)
            numpy.add(n, part, n)
            numpy.tanh(n, n)
            new = numpy.subtract(h, n, outputs[lo:hi])
            numpy.multiply(new, z, new)
            h = numpy.add(new, n, new)
        return outputs, self.resized(len(whole[0]), (h,), whole), [gates, from_state, self.in_order(before)]

    def derivatives(self, kept, grad_output, grad_state, w_hh):
        (r, z, n), y_n, before = kept[0], *kept[1:]
        factors = numpy.empty((4, *n.shape), n.dtype)  # of the inputs of r, z, y_n and x_n
        numpy.multiply(n, n, factors[3])
        numpy.subtract(1, factors[3], factors[3])
        numpy.subtract(1, z, factors[1])
        numpy.multiply(factors[3], factors[1], factors[3])
        numpy.multiply(factors[3], r, factors[2])
        _slope(r, factors[3], factors[0])
        numpy.multiply(factors[0], y_n, factors[0])
        _slope(z, before - n, factors[1])
        hidden = n.shape[1]
        d = numpy.empty((len(n), 4, hidden), n.dtype)
        rows, by_gate, whole = d.reshape(len(n), -1)[:, : 3 * hidden], d.transpose(1, 0, 2), [grad_state[0].copy()]
        dh = whole[0]
        for lo, hi in self.spans(backward=True):
            if dh is whole[0] or hi - lo != len(dh):
                (dh,) = self.resized(hi - lo, (dh,), whole)
            dh += grad_output[lo:hi]
            numpy.multiply(factors[:, lo:hi], dh, by_gate[:, lo:hi])
            dh *= z[lo:hi]
            dh += rows[lo:hi].dot(w_hh)
        from_x = d.take((0, 1, 3), 1).reshape(len(n), -1)
        return from_x, rows, before, self.resized(len(whole[0]), (dh,), whole)

    def step(self, x, y, h):
        return (call(GRUGates(), x, y, h),)

    def slopes(self, x, y, state, grads):
        grad_x, grad_y, grad_h = GRUGates().slopes(x, y, state[0], grads[0])
        return grad_x, grad_y, (grad_h,)


class RNNTanhLayer(RecurrentLayer):
    """A layer and direction of h' = tanh(x W_ihᵀ + b_ih + h W_hhᵀ + b_hh).

    Gradient:
        For the input of tanh, dh' (1 - h'²).

    Source:
        Elman, "Finding structure in time", 1990.
        `torch/nn/_functions/rnn.py` (v0.1.9), `CudnnRNN`.
    """

    _saved_names = ("slopes", "h before each step")

    def run(self, rows, state, w_ih, w_hh, b_ih=None, b_hh=None):
        outputs = rows.dot(w_ih.T)
        if b_ih is not None:
            outputs += b_ih + b_hh
        weight = numpy.ascontiguousarray(w_hh.T)
        (h,), whole, before = state, [state[0].copy()], []
        for lo, hi in self.spans():
            if hi - lo != len(h):
                (h,) = self.resized(hi - lo, (h,), whole)
            before.append(h)
            new = outputs[lo:hi]
            new += h.dot(weight)
            h = self.activate(new)
        return outputs, self.resized(len(whole[0]), (h,), whole), [self.slope(outputs), self.in_order(before)]

    def activate(self, x):
        """Replace x, an array, by the activation, and return it."""
        return numpy.tanh(x, x)

    def slope(self, result):
        """Return the derivative of the activation, from its result, an array."""
        return 1 - result * result

    def derivatives(self, kept, grad_output, grad_state, w_hh):
        slopes, before = kept
        rows, whole = numpy.empty_like(slopes), [grad_state[0].copy()]
        dh = whole[0]
        for lo, hi in self.spans(backward=True):
            if dh is whole[0] or hi - lo != len(dh):
                (dh,) = self.resized(hi - lo, (dh,), whole)
            dh += grad_output[lo:hi]
            dh = numpy.multiply(dh, slopes[lo:hi], rows[lo:hi]).dot(w_hh)
        return rows, rows, before, self.resized(len(whole[0]), (dh,), whole)

    def step(self, x, y, h):
        return (x.add(y).tanh(),)

    def slopes(self, x, y, state, grads):
        grad = through_tanh(grads[0], x.add(y).tanh())
        return grad, grad, (None,)


class RNNReLULayer(RNNTanhLayer):
    """A layer and direction of h' = max(0, x W_ihᵀ + b_ih + h W_hhᵀ + b_hh).

    Gradient:
        For the input of the maximum, dh' where h' > 0, and 0 elsewhere.

    Source:
        `torch/nn/_functions/rnn.py` (v0.1.9), `CudnnRNN`.
    """

    def activate(self, x):
        return numpy.maximum(x, 0, out=x)

    def slope(self, result):
        return (result > 0).astype(result.dtype)

    def step(self, x, y, h):
        return (call(ReLU(), x.add(y)),)

    def slopes(self, x, y, state, grads):
        grad = call(ReLU(), x.add(y)).sign().mul(grads[0])
        return grad, grad, (None,)


def _split(weight, order, sigmoids):
    """Return the gates' parts of a weight (gates H, …) as an array (gates, H, …) in this order, the first ones negated."""
    parts = weight.reshape(len(order), -1, *weight.shape[1:])[list(order)]
    numpy.negative(parts[:sigmoids], parts[:sigmoids])
    return parts


def _products(rows, weight):
    """Return the products of all rows with each gate's weight, (gates, rows, H)."""
    products = numpy.empty((weight.shape[0], len(rows), weight.shape[1]), rows.dtype)
    return numpy.matmul(rows, weight.transpose(0, 2, 1), products)


def _slope(result, factor, out):
    """Write σ (1 - σ) times a factor to `out`, from the result of σ."""
    numpy.multiply(result, result, out)
    numpy.subtract(result, out, out)
    numpy.multiply(out, factor, out)
