"""The layers that multiply by a weight or look one up, and dropout (2016: `torch/nn/functions/linear.py`, THNN)."""

import numpy

from ...tensor import Tensor, buffer_pool
from ...tensor.arguments import number_for
from ...tensor.generators import generator
from ...tensor.messages import shown, shown_size
from ...tensor.reduce import sum_of_rows
from ...tensor.wrapping import result_like, wrap, wrap_in_c_order
from ..function import Function
from ._utils import call, saves
from .blas import MmTN

_FLOAT = numpy.dtype("float32")
_FEW = 1 << 13  # up to this many elements, the order of the two factors makes no difference in time


class Linear(Function):
    """The linear layer x Wᵀ + b.

    A call takes x (…, in), W (out, in) and optionally b (out), and returns (…, out). v0.1.1 took x (N, in).

    Raises:
        TypeError: In the call, if the types differ.
        ValueError: In the call, if the shapes do not fit.

    Gradient:
        For x, g W; for W, gᵀ x; for b, the sum of g over all dimensions but the last, where g is the gradient of the
        output.

    Source:
        `torch/nn/functions/linear.py` (v0.1.1).
    """

    @saves(0, 1)
    def forward(self, x, weight, bias=None):
        array, w = x.array, weight.array
        try:
            out_features, in_features = w.shape
        except ValueError:
            in_features = None
        if array.shape[-1] != in_features:
            raise ValueError(
                f"{self._name}: a weight of size {shown_size(w.shape)} takes an input of {w.shape[-1]} features in its "
                f"last dimension, got {shown(x)}"
            )
        if type(x) is not type(weight) or bias is not None and type(bias) is not type(weight):
            others = "" if bias is None else f" and {shown(bias)}"
            raise TypeError(
                f"{self._name}: input, weight and bias must be of one type, got {shown(x)}, {shown(weight)}{others}"
            )
        self.save_for_backward(x, weight)
        if array.size <= _FEW:
            result = array.dot(w.T)
        elif w.size > array.size and array.ndim == 2 and w.dtype is _FLOAT:
            # BLAS is slow to transpose the larger of two float32 matrices.
            result = numpy.ascontiguousarray(w.dot(array.T).T)
        else:
            result = buffer_pool.dot(array, w.T)
        if bias is not None:
            b = bias.array
            if b.shape != (out_features,):
                raise ValueError(f"{self._name}: expected a bias of size {out_features}, got {shown(bias)}")
            # numpy adds an array without dimensions in a third of the time.
            result += b if out_features != 1 else b.reshape(())
        return result_like(x, result)

    def backward(self, grad_output):
        x, weight = self.saved_tensors
        needs = self.needs_input_grad
        rows = grad_output
        g = rows.array
        if g.ndim == 2 and isinstance(rows, Tensor):
            # The steps below, directly on the arrays, which saves a small network's calls.
            dot = buffer_pool.dot if g.size > _FEW else numpy.ndarray.dot
            grad_x = result_like(x, dot(g, weight.array)) if needs[0] else None
            grad_weight = result_like(x, dot(g.T, x.array)) if needs[1] else None
            if len(needs) == 2:
                return grad_x, grad_weight
            return grad_x, grad_weight, result_like(x, sum_of_rows(g)) if needs[2] else None
        if grad_output.dim() != 2:
            out_features, in_features = weight.size()
            rows = grad_output.contiguous().view(-1, out_features)
            if needs[1]:
                x = x.contiguous().view(-1, in_features)
        grad_x = rows.mm(weight) if needs[0] else None
        if needs[0] and rows is not grad_output:
            grad_x = grad_x.view(*grad_output.size()[:-1], in_features)
        grad_weight = call(MmTN(), rows, x) if needs[1] else None
        if len(needs) == 2:
            return grad_x, grad_weight
        return grad_x, grad_weight, rows.sum(0, keepdim=False) if needs[2] else None


class Bilinear(Function):
    """The bilinear layer x1ᵀ W_k x2 + b_k for each k.

    A call takes x1 (N, in1), x2 (N, in2), W (out, in1, in2) and optionally b (out), and returns (N, out). It is linear
    in each of x1, x2 and W.

    Raises:
        TypeError: In the call, if the types differ.
        ValueError: In the call, if the shapes do not fit.

    Gradient:
        For x1 and x2, Bilinear of g and the other input, with the dimensions of W exchanged; for W, Σ g_k x1 x2ᵀ; for
        b, the sum of g, where g is the gradient of the output. v0.1.12's gradient of W had only the last k.

    Source:
        `torch/nn/_functions/linear.py` (v0.1.12).
    """

    def forward(self, x1, x2, weight, bias=None):
        self._check(x1, x2, weight, bias)
        a, b, w = x1.array, x2.array, weight.array
        self.save_for_backward(x1, x2, weight)
        # x2 times all W_k in one product, then the sum over in1 for each sample.
        partial = b.dot(w.reshape(-1, w.shape[2]).T).reshape(len(b), *w.shape[:2])
        result = numpy.matmul(partial, a[:, :, None])[:, :, 0]
        if bias is not None:
            result += bias.array
        return wrap_in_c_order(result)

    def backward(self, grad_output):
        x1, x2, weight = self.saved_tensors
        needs = self.needs_input_grad
        grads = [None] * len(needs)
        if needs[0]:
            grads[0] = call(Bilinear(), grad_output, x2, weight.permute(1, 0, 2))
        if needs[1]:
            grads[1] = call(Bilinear(), grad_output, x1, weight.permute(2, 0, 1))
        if needs[2]:
            products = x1.unsqueeze(2).bmm(x2.unsqueeze(1))  # `mul` is point by point under some conventions
            rows = products.contiguous().view(-1, weight.size(1) * weight.size(2))
            grads[2] = grad_output.t().mm(rows).view(*weight.size())
        if len(needs) == 4 and needs[3]:
            grads[3] = grad_output.sum(0, keepdim=False)
        return tuple(grads)

    def _check(self, x1, x2, weight, bias):
        a, b, w = x1.array, x2.array, weight.array
        if w.ndim != 3 or a.ndim != 2 or b.ndim != 2 or (len(a), *w.shape[1:]) != (len(b), a.shape[1], b.shape[1]):
            raise ValueError(
                f"{self._name}: expected inputs (N, in1) and (N, in2) and a weight (out, in1, in2), got the sizes "
                f"{shown_size(a.shape)}, {shown_size(b.shape)} and {shown_size(w.shape)}"
            )
        given = [x1, x2, weight] if bias is None else [x1, x2, weight, bias]
        if w.dtype.kind != "f" or any([tensor.array.dtype is not w.dtype for tensor in given]):
            raise TypeError(
                f"{self._name}: inputs, weight and bias must be of one floating-point type, got "
                f"{', '.join([tensor.type() for tensor in given])}"
            )
        if bias is not None and bias.array.shape != w.shape[:1]:
            raise ValueError(f"{self._name}: expected a bias of size {w.shape[0]}, got {shown(bias)}")


class Embedding(Function):
    """The rows of a weight at the indices.

    A call takes the indices (any shape, Long) and a weight (count, dim), and returns (*shape of the indices, dim).

    Args:
        padding_idx: A row that receives no gradient.
        scale_grad_by_freq: Whether a row receives the mean of its gradients instead of their sum.

    Raises:
        IndexError: In the call, if an index is no row.
        TypeError: In the call, if the indices are not integers of 32 or 64 bits.
        ValueError: In the call, if the weight is not a matrix.

    Gradient:
        For the weight, in each row the sum of g over the places that select it, where g is the gradient of the output.

    Source:
        `torch/nn/functions/thnn/sparse.py` (v0.1.5).
        `torch/lib/THNN/generic/LookupTable.c` (v0.1.1).
    """

    def __init__(self, padding_idx=None, scale_grad_by_freq=False):
        self.padding_idx = padding_idx
        self.scale_grad_by_freq = scale_grad_by_freq

    @saves(0)
    def forward(self, indices, weight):
        places, rows = indices.array, weight.array
        if places.dtype.kind not in "iu" or places.dtype.itemsize < 4:
            raise TypeError(f"{self._name}: expected a LongTensor of indices, got {shown(indices)}")
        if rows.ndim != 2:
            raise ValueError(f"{self._name}: expected a weight of 2 dimensions, got {shown(weight)}")
        if places.size and not (places.min() >= 0 and places.max() < rows.shape[0]):
            wrong = places[(places < 0) | (places >= rows.shape[0])].flat[0]
            raise IndexError(f"{self._name}: index {wrong} is out of range for a weight of {rows.shape[0]} rows")
        self.count = rows.shape[0]
        self.save_for_backward(indices)
        return wrap(rows.take(places.astype(numpy.intp, copy=False), 0))

    def backward(self, grad_output):
        (indices,) = self.saved_tensors
        return None, call(
            EmbeddingBackward(self.count, self.padding_idx, self.scale_grad_by_freq), grad_output, indices
        )


class EmbeddingBackward(Function):
    """The gradient of `Embedding`: the input, added into `count` rows of zeros at the indices.

    Args:
        count: The number of rows.
        padding_idx: As in `Embedding`.
        scale_grad_by_freq: As in `Embedding`.

    Gradient:
        The rows of g at the indices, scaled in the same way, where g is the gradient of the output.
    """

    def __init__(self, count, padding_idx, scale_grad_by_freq):
        self.count = count
        self.padding_idx = padding_idx
        self.scale_grad_by_freq = scale_grad_by_freq

    def forward(self, grad, indices):
        places = indices.array.ravel().astype(numpy.intp, copy=False)
        rows = grad.array.reshape(places.size, grad.array.shape[-1])
        result = numpy.zeros((self.count, rows.shape[1]), rows.dtype)
        if places.size == 1:  # one character of a text
            result[places] = rows
        elif places.size:
            # Sorting makes the gradients of one row adjacent, so one reduction replaces a loop over all places.
            order = places.argsort(kind="stable")
            places_in_order = places[order]
            starts = numpy.flatnonzero(numpy.concatenate(([True], places_in_order[1:] != places_in_order[:-1])))
            result[places_in_order[starts]] = numpy.add.reduceat(rows[order], starts)
        factors = self.factors(places, rows.dtype)
        for factor in factors:
            result *= factor.array
        self.save_for_backward(indices, *factors)
        return wrap(result)

    def factors(self, places, dtype):
        """Return a list of the factors of the rows, as one Tensor of shape (count, 1); [] if all are 1.

        Args:
            places: The indices, as a vector.
            dtype: The dtype of the factors.
        """
        if self.padding_idx is None and not self.scale_grad_by_freq:
            return []
        counts = numpy.bincount(places, minlength=self.count) if self.scale_grad_by_freq else numpy.ones(self.count)
        factors = (1 / numpy.maximum(counts, 1)).astype(dtype)
        if self.padding_idx is not None:
            factors[self.padding_idx] = 0
        return [wrap(factors[:, None])]

    def backward(self, grad_output):
        indices, *factors = self.saved_tensors
        for factor in factors:
            grad_output = grad_output.mul(factor)
        return call(Embedding(), indices, grad_output), None


class Dropout(Function):
    """x with each element set to 0 with probability p, and divided by 1 - p otherwise, which keeps the mean.

    Args:
        p: The probability.

    Raises:
        TypeError: In the call, if x holds integers.
        ValueError: If `p` is not between 0 and 1.

    Gradient:
        g times the same factors, where g is the gradient of the output.

    Source:
        `torch/nn/functions/dropout.py` (v0.1.5).
    """

    _saved_names = ("factors",)

    def __init__(self, p=0.5):
        if not 0 <= p <= 1:
            raise ValueError(f"{self._name}: p must be a probability between 0 and 1, got {p}")
        self.p = p

    def forward(self, x):
        if x.array.dtype.kind != "f":
            raise TypeError(f"{self._name}: expected floating-point numbers, got {shown(x)}")
        draws = generator.random(self.size_of_draws(x), numpy.float32)
        scale = 1 / (1 - self.p) if self.p < 1 else 0
        factors = wrap((draws >= self.p) * number_for("dropout", x.array, scale))
        self.save_for_backward(factors)
        return x.mul(factors)

    def size_of_draws(self, x):
        return x.array.shape

    def backward(self, grad_output):
        (factors,) = self.saved_tensors
        return grad_output.mul(factors)


class FeatureDropout(Dropout):
    """Dropout of whole channels: of x (N, C, …), each x[n, c] is kept or set to 0.

    Raises:
        ValueError: In the call, if x has fewer than 2 dimensions.

    Gradient:
        g times the same factors, where g is the gradient of the output.

    Source:
        `torch/nn/functions/dropout.py` (v0.1.5).
    """

    def size_of_draws(self, x):
        if x.array.ndim < 2:
            raise ValueError(f"{self._name}: expected an input of at least 2 dimensions, (N, C, …), got {shown(x)}")
        return (*x.array.shape[:2], *[1] * (x.array.ndim - 2))
