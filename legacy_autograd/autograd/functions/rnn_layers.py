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

An array over all steps is (T, …, N), in the order in which the steps run: a step's numbers of one sequence are a
column, and a gate is one stretch of memory. Step k has the first `sizes[k]` sequences. The others keep their state.
The columns h, 1 and x of a step are one matrix, so that one product has both parts of the gates' inputs and the biases,
and backward one product has the gradients of all weights.
"""

from functools import partial
from itertools import repeat

import numpy

from ...tensor import buffer_pool
from ...tensor.arithmetic import negative
from ...tensor.dtypes import wide
from ...tensor.messages import shown, shown_size
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
    order: tuple[int, ...] = (0,)  # of the gates in `derivatives`, by their numbers in the weights

    def __init__(self, batch_sizes=None, reverse=False):
        self.batch_sizes = batch_sizes
        self.reverse = reverse

    def forward(self, x, *others):
        self.check(x, others)
        rows, *arrays = [wide(tensor.array) for tensor in (x, *others)]
        state, (w_ih, w_hh, *biases) = [array[0].T for array in arrays[: self.states]], arrays[self.states :]
        (length, batch), hidden = self.padded, w_hh.shape[1]
        inputs = self.empty(length + 1, hidden + 1 + w_ih.shape[1], batch, like=rows)
        inputs[:, hidden] = 1
        inputs[:-1, hidden + 1 :] = self.in_order(rows).transpose(0, 2, 1)
        inputs[-1, hidden + 1 :] = 0
        inputs[0, :hidden] = state[0]
        b_ih, b_hh = biases or 2 * [numpy.zeros(len(w_hh), w_hh.dtype)]
        kept, state[1:] = self.run(inputs, state, w_ih, w_hh, b_ih[:, None], b_hh[:, None])
        state[0] = inputs[-1, :hidden]
        self.save_for_backward(*map(wrap, (inputs, *kept)), x, *others)
        results = [self.in_order(inputs[1:, :hidden].transpose(0, 2, 1), True), *[part.T[None] for part in state]]
        # Copies, because `inputs` and `kept` hold the same memory.
        return tuple([wrap(result.astype(x.array.dtype, "C")) for result in results])

    def backward(self, grad_output, *grad_state):
        saved, needs = self.saved_tensors, self.needs_input_grad
        kept = len(saved) - len(needs)
        x, *others = saved[kept:]
        state, weights = others[: self.states], others[self.states :]
        if isinstance(x, Variable):
            return self.through_the_steps(x, state, weights, grad_output, grad_state)
        w_ih, w_hh = [wide(weight.array) for weight in weights[:2]]
        inputs, *kept = [tensor.array for tensor in saved[:kept]]
        hidden, grad = w_hh.shape[1], self.in_order(wide(grad_output.array)).transpose(0, 2, 1)
        d_state = [wide(grad.array)[0].T.copy() for grad in grad_state]
        d = self.derivatives(inputs, kept, buffer_pool.copy(grad), d_state, w_hh)
        d, inputs = self.as_rows(d), self.as_rows(inputs[:-1])
        d_ih, d_hh = d[:, : len(w_ih)], d[:, -len(w_hh) :]
        grads = [None, *[part.T[None] for part in d_state]]
        if needs[0]:
            grads[0] = numpy.matmul(d_ih, _blocks(w_ih, self.order)).reshape(x.array.shape)
        if d.shape[1] == len(w_hh):  # both parts have the same gradients
            of_hh = _blocks(d.T.dot(inputs), self.order, back=True)
            of_ih = of_hh[:, hidden:]
        else:
            of_hh = numpy.matmul(d_hh.T, inputs[:, : hidden + 1])
            of_ih = _blocks(numpy.matmul(d_ih.T, inputs[:, hidden:]), self.order, back=True)
        grads += [of_ih[:, 1:], of_hh[:, :hidden], of_ih[:, 0], of_hh[:, hidden]]
        # A copy also of a column, for two biases may have the same gradient.
        return tuple([wrap(grad.astype(x.array.dtype, "C")) if needed else None for grad, needed in zip(grads, needs)])

    def run(self, inputs, state, w_ih, w_hh, b_ih, b_hh):
        """Compute all steps: write the state h after each to `inputs`.

        Args:
            inputs: The columns h, 1 and x before each step, (T + 1, H + 1 + I, N). Only the first h is there.
            state: The initial state, a list of arrays (H, N).
            w_ih: The weight of the input.
            w_hh: The weight of the state.
            b_ih: The bias of the input's part, a column.
            b_hh: The bias of the state's part, a column.

        Returns:
            A list of arrays that `derivatives` needs, and a list of the final states after h.
        """
        raise NotImplementedError(f"{self._name} does not define run")

    def derivatives(self, inputs, kept, grad_output, grad_state, w_hh):
        """Return the gradients of the gates' inputs (T, gates H, N).

        The gates are in the order `order`. If the two parts have different gradients there is one gate more: those of
        the input's part begin with the first, and those of the state's part end with the last.

        Args:
            inputs: As in `run`, with all states.
            kept: The list of `run`.
            grad_output: The gradient of the outputs (T, H, N).
            grad_state: The gradients of the final state. They become those of the initial state.
            w_hh: The weight of the state.
        """
        raise NotImplementedError(f"{self._name} does not define derivatives")

    # --- time

    def by_step(self, *arrays, always=(), back=False):
        """Iterate over the steps: each time the parts of all arrays for the sequences that have the step.

        Args:
            *arrays: Arrays over all steps (T, …, N).
            always: Arrays (…, N) of which each step has the same. Their parts come first.
            back: Whether to begin with the last step.
        """
        steps = zip(*map(repeat, always), *[array[::-1] for array in arrays] if back else arrays)
        if self.sizes[-1] == self.padded[1]:
            return steps
        sizes = self.sizes[::-1] if self.reverse != back else self.sizes
        return ([part[..., :n] for part in parts] for n, parts in zip(sizes, steps))

    def product(self, weight):
        """Return a function of columns and a result: it writes `weight` times the columns to the result.

        Args:
            weight: The matrix.
        """
        # `dot` takes half a microsecond less than `matmul`, and needs whole arrays.
        return weight.dot if self.sizes[-1] == self.padded[1] else partial(numpy.matmul, weight)

    def in_order(self, array, back=False):
        """Return an array of the input's form as (T, N, …) in the order in which the steps run, or with `back` again.

        A step that has fewer sequences than N ends with zeros.

        Args:
            array: The array.
            back: Whether `array` is (T, N, …) and the input's form is wanted.
        """
        if self.batch_sizes is None:
            return array[::-1] if self.reverse else array
        places = numpy.arange(self.padded[1]) < numpy.array(self.sizes)[:, None]
        if back:
            return (array[::-1] if self.reverse else array)[places]
        whole = numpy.zeros((*self.padded, array.shape[1]), array.dtype)
        whole[places] = array
        return whole[::-1] if self.reverse else whole

    def as_rows(self, array):
        """Return an array over all steps (T, F, N) as rows (…, F), in the order of the input's rows.

        Args:
            array: The array.
        """
        rows = self.in_order(array.transpose(0, 2, 1), True)
        return rows if rows.ndim == 2 else buffer_pool.copy(rows).reshape(-1, array.shape[1])

    def empty(self, *size, like):
        """Return an array for all steps; zeros if a step has fewer sequences than N, and so does not fill its part.

        Args:
            *size: The size.
            like: An array of the type.
        """
        make = buffer_pool.empty if self.sizes[-1] == self.padded[1] else buffer_pool.zeros
        return make(size, like.dtype)

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
            x: As in `step`.
            y: As in `step`.
            state: The state before the step, a list.
            grads: The gradients of the state after it.
        """
        raise NotImplementedError(f"{self._name} does not define slopes")

    def through_the_steps(self, x, state, weights, grad_output, grad_state):
        """Return the gradients of all inputs as Variables: forward again, then backward, as Functions a step.

        Args:
            x: The input.
            state: The initial state, a list.
            weights: The weights and biases, a list.
            grad_output: The gradient of the outputs.
            grad_state: The gradients of the final state.
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
        """Raise unless the inputs fit, as the class says. Set `sizes`, the sequences of a step, and `padded`, (T, N).

        Args:
            x: The input.
            others: The other inputs.
        """
        size, packed = x.array.shape, self.batch_sizes is not None
        names = [*("h", "c")[: self.states], "W_ih", "W_hh", "b_ih", "b_hh"]
        if len(others) not in (len(names) - 2, len(names)):
            raise TypeError(f"{self._name}: expected x and {', '.join(names)}, got {len(others)} after x")
        if len(size) != 3 - packed or packed and sum(self.batch_sizes) != size[0]:
            raise ValueError(
                f"{self._name}: expected an input of size "
                f"{f'({sum(self.batch_sizes)}, I)' if packed else '(T, N, I)'}, got {shown(x)}"
            )
        self.sizes = list(self.batch_sizes) if packed else [size[1]] * size[0]
        if not self.sizes or sorted(self.sizes, reverse=True) != self.sizes:
            raise ValueError(
                f"{self._name}: expected no more sequences in a step than in the last one, got {self.sizes}"
            )
        self.padded = (len(self.sizes), self.sizes[0])
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
    order = (2, 0, 1, 3)  # g, i, f, o: dc is a factor of three gates
    _saved_names = ("h, 1, x", "i, f, o, g, c, tanh(c')")

    def run(self, inputs, state, w_ih, w_hh, b_ih, b_hh):
        (length, batch), hidden = self.padded, w_hh.shape[1]
        # i, f, o, g: σ is computed for three gates at once.
        weight = _blocks(numpy.concatenate((w_hh, b_ih + b_hh, w_ih), 1), (0, 1, 3, 2))
        negative(weight[: 3 * hidden], weight[: 3 * hidden])
        # Neighbours in a step are multiplied with one call: i, f by g, c, and in backward i, f, o by g, c, tanh(c').
        parts = self.empty(length + 1, 6, hidden, batch, like=weight)
        parts[0, 4] = state[1]
        gates, now = parts.reshape(length + 1, 6 * hidden, batch)[:-1, : 4 * hidden], parts[:-1]
        both = numpy.empty_like(parts[0, :2])
        steps = self.by_step(
            *(inputs[:-1], gates, now[:, :3], now[:, 3], now[:, :2], now[:, 3:5], now[:, 2], now[:, 5]),
            *(parts[1:, 4], inputs[1:, :hidden]),
            always=[both, *both],
        )
        multiply = self.product(weight)
        for k, (products, i_g, f_c, columns, gates, i_f_o, g, i_f, g_c, o, of_c, new_c, new_h) in enumerate(steps):
            n = columns.shape[1]
            if n < batch:
                parts[k + 1, 4, :, n:], inputs[k + 1, :hidden, n:] = parts[k, 4, :, n:], inputs[k, :hidden, n:]
            multiply(columns, gates)
            logistic(i_f_o)
            numpy.tanh(g, g)
            numpy.multiply(i_f, g_c, products)
            numpy.add(i_g, f_c, new_c)
            numpy.tanh(new_c, of_c)
            numpy.multiply(o, of_c, new_h)
        return [parts], [parts[-1, 4]]

    def derivatives(self, inputs, kept, grad_output, grad_state, w_hh):
        parts = kept[0][:-1]
        (length, batch), hidden = self.padded, w_hh.shape[1]
        # The factors of g, i, f, o, and that of dh' for dc: first the slopes σ' and 1 - tanh².
        factors = buffer_pool.empty((length, 5, hidden, batch), parts.dtype)
        sigmoids, tanhs, of_sigmoids, of_tanhs = parts[:, :3], parts[:, 3::2], factors[:, 1:4], factors[:, ::4]
        numpy.multiply(sigmoids, sigmoids, of_sigmoids)
        numpy.subtract(sigmoids, of_sigmoids, of_sigmoids)
        numpy.multiply(of_sigmoids, parts[:, 3:], of_sigmoids)
        numpy.multiply(tanhs, tanhs, of_tanhs)
        numpy.subtract(1, of_tanhs, of_tanhs)
        numpy.multiply(of_tanhs, parts[:, :3:2], of_tanhs)
        d = factors.reshape(length, 5 * hidden, batch)[:, : 4 * hidden]
        multiply = self.product(_blocks(w_hh, self.order).T)
        arrays = grad_output, factors[:, 3:], factors[:, 4], factors[:, :3], d, parts[:, 1]
        for dh, dc, grad, of_dh, to_c, of_dc, columns, f in self.by_step(*arrays, always=grad_state, back=True):
            dh += grad
            of_dh *= dh
            dc += to_c
            of_dc *= dc
            multiply(columns, dh)
            dc *= f
        return d

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
    order = (2, 0, 1)  # n, r, z, and after them n of the state's part
    _saved_names = ("h, 1, x", "r, z, n, y_n")

    def run(self, inputs, state, w_ih, w_hh, b_ih, b_hh):
        (length, batch), hidden = self.padded, w_hh.shape[1]
        weight = numpy.concatenate((w_hh, b_hh), 1)
        parts = self.empty(length, 4, hidden, batch, like=weight)
        from_x = parts.reshape(length, 4 * hidden, batch)[:, : 3 * hidden]
        numpy.matmul(numpy.concatenate((b_ih, w_ih), 1), inputs[:-1, hidden:], from_x)
        products, multiply = numpy.empty_like(from_x[0]), self.product(weight)
        arrays = inputs[:-1, : hidden + 1], from_x[:, : 2 * hidden], parts, inputs[1:, :hidden]
        for k, (product, columns, sigmoids, step, new) in enumerate(self.by_step(*arrays, always=[products])):
            size = columns.shape[1]
            if size < batch:
                inputs[k + 1, :hidden, size:] = inputs[k, :hidden, size:]
            h, (r, z, n, y_n) = columns[:-1], step
            multiply(columns, product)
            sigmoids += product[: 2 * hidden]
            logistic(negative(sigmoids, sigmoids))
            y_n[...] = product[2 * hidden :]
            n += numpy.multiply(r, y_n, new)
            numpy.tanh(n, n)
            numpy.subtract(h, n, new)
            numpy.multiply(new, z, new)
            numpy.add(new, n, new)
        return [parts], []

    def derivatives(self, inputs, kept, grad_output, grad_state, w_hh):
        (parts,) = kept
        (length, batch), hidden = self.padded, w_hh.shape[1]
        r, z, n, y_n = [parts[:, number] for number in range(4)]
        factors = buffer_pool.empty((length, 4, hidden, batch), parts.dtype)  # of x_n, r, z and y_n
        of_x, of_r, of_z, of_y = [factors[:, number] for number in range(4)]
        numpy.multiply(n, n, of_x)
        numpy.subtract(1, of_x, of_x)
        numpy.subtract(1, z, of_z)
        numpy.multiply(of_x, of_z, of_x)
        numpy.multiply(of_x, r, of_y)
        numpy.multiply(parts[:, :2], parts[:, :2], factors[:, 1:3])
        numpy.subtract(parts[:, :2], factors[:, 1:3], factors[:, 1:3])
        numpy.multiply(of_r, of_x, of_r)
        numpy.multiply(of_r, y_n, of_r)
        numpy.multiply(of_z, inputs[:-1, :hidden] - n, of_z)
        d, multiply = factors.reshape(length, 4 * hidden, batch), self.product(w_hh.T)
        always = *grad_state, numpy.empty_like(grad_state[0])
        each = self.by_step(grad_output, factors, d[:, hidden:], z, always=always, back=True)
        for dh, from_h, grad, factor, columns, gate in each:
            dh += grad
            factor *= dh
            dh *= gate
            dh += multiply(columns, from_h)
        return d

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

    _saved_names = ("h, 1, x",)

    def run(self, inputs, state, w_ih, w_hh, b_ih, b_hh):
        multiply, hidden = self.product(numpy.concatenate((w_hh, b_ih + b_hh, w_ih), 1)), w_hh.shape[1]
        for k, (columns, new) in enumerate(self.by_step(inputs[:-1], inputs[1:, :hidden])):
            n = columns.shape[1]
            inputs[k + 1, :hidden, n:] = inputs[k, :hidden, n:]
            multiply(columns, new)
            self.activate(new)
        return [], []

    def activate(self, x):
        """Replace x by the activation.

        Args:
            x: The array.
        """
        numpy.tanh(x, x)

    def slope(self, result):
        """Return the derivative of the activation.

        Args:
            result: The result of the activation, an array.
        """
        return 1 - result * result

    def derivatives(self, inputs, kept, grad_output, grad_state, w_hh):
        hidden, multiply = w_hh.shape[1], self.product(w_hh.T)
        slopes, d = self.slope(inputs[1:, :hidden]), self.empty(len(grad_output), hidden, self.padded[1], like=inputs)
        for dh, grad, slope, columns in self.by_step(grad_output, slopes, d, always=grad_state, back=True):
            dh += grad
            numpy.multiply(dh, slope, columns)
            multiply(columns, dh)
        return d

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
        numpy.maximum(x, 0, out=x)

    def slope(self, result):
        return (result > 0).astype(result.dtype)

    def step(self, x, y, h):
        return (call(ReLU(), x.add(y)),)

    def slopes(self, x, y, state, grads):
        grad = call(ReLU(), x.add(y)).sign().mul(grads[0])
        return grad, grad, (None,)


def _blocks(weight, order, back=False):
    """Return a copy of `weight` (gates H, …) with its gates in the order given, or with `back` again in that of torch.

    Args:
        weight: The weight.
        order: The numbers of the gates.
        back: Whether the gates of `weight` are in that order.
    """
    parts, result = weight.reshape(len(order), -1, *weight.shape[1:]), numpy.empty(weight.shape, weight.dtype)
    into = result.reshape(parts.shape)
    for place, number in enumerate(order):
        if back:
            into[number] = parts[place]
        else:
            into[place] = parts[number]
    return result
