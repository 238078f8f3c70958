"""Operations that select elements by number, by mask, or by order; v0.1.1 had only Index."""

import math

import numpy

from ... import conventions
from ...tensor import Tensor
from ...tensor.backcompat import keeps, paired
from ...tensor.wrapping import wrap
from ..function import Function
from ._utils import AlongDimension, as_tensor, call, sum_to_size
from .tensor import IndexBackward

__all__ = [
    "Gather", "IndexAdd", "IndexCopy", "IndexFill", "IndexSelect", "IndexSelectBackward", "MaskedCopy", "MaskedFill",
    "MaskedSelect", "MaskedSelectBackward", "Scatter", "ScatterAdd", "ScatterZeros", "Selection", "Sort", "Topk",
]  # fmt: skip

# --- elements selected by number: the second input of a call is the index, a Variable of a LongTensor


class IndexSelect(AlongDimension):
    """The slices of x at the indices along `dim`.

    Args:
        dim: The dimension.

    Gradient:
        g, added at the indices; for the index, none; g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def forward(self, x, index):
        self.input_size = x.array.shape
        self.save_for_backward(index)
        return x.index_select(self.dim, index)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return call(IndexSelectBackward(self.dim, self.input_size), grad_output, index), None


class IndexSelectBackward(Function):
    """The gradient of `IndexSelect`: the input, added into zeros at the indices.

    Args:
        dim: The dimension.
        size: The shape of the result.

    Gradient:
        The slices of g at the indices, where g is the gradient of the output.
    """

    def __init__(self, dim, size):
        self.dim = dim
        self.size = size

    def forward(self, grad, index):
        self.save_for_backward(index)
        return wrap(numpy.zeros(self.size, grad.array.dtype)).index_add_(self.dim, index, grad)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return grad_output.index_select(self.dim, index), None


class IndexAdd(AlongDimension):
    """x with the slices of a source added at the indices along `dim`.

    Args:
        dim: The dimension.

    Gradient:
        For x, g; for the index, none; for the source, g at the indices, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def forward(self, x, index, source):
        self.save_for_backward(index)
        return x.index_add(self.dim, index, source)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return grad_output, None, grad_output.index_select(self.dim, index) if self.needs_input_grad[2] else None


class IndexCopy(AlongDimension):
    """x with the slices of a source written at the indices along `dim`; no index occurs twice.

    Args:
        dim: The dimension.

    Gradient:
        For x, g with zeros at the indices; for the index, none; for the source, g at the indices, where g is the
        gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def forward(self, x, index, source):
        self.save_for_backward(index)
        return x.index_copy(self.dim, index, source)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        needs_x, _, needs_source = self.needs_input_grad
        return (
            grad_output.index_fill(self.dim, index, 0) if needs_x else None,
            None,
            grad_output.index_select(self.dim, index) if needs_source else None,
        )


class IndexFill(Function):
    """x with a number written at the indices along `dim`.

    Args:
        dim: The dimension.
        value: The number.

    Gradient:
        g with zeros at the indices, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def __init__(self, dim, value):
        self.dim = dim
        self.value = value

    def forward(self, x, index):
        self.save_for_backward(index)
        return x.index_fill(self.dim, index, self.value)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return grad_output.index_fill(self.dim, index, 0), None


class Gather(AlongDimension):
    """Elements of x, selected along `dim`: for dim 0, element (i, j) is x[index[i, j], j].

    Args:
        dim: The dimension.

    Gradient:
        g, added at the indices, where g is the gradient of the output.

    Source:
        `torch/autograd/_functions/tensor.py` (v0.1.9).
    """

    def forward(self, x, index):
        self.input_size = x.array.shape
        self.save_for_backward(index)
        return x.gather(self.dim, index)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return call(ScatterZeros(self.dim, self.input_size), grad_output, index), None


class ScatterZeros(Function):
    """The gradient of `Gather`, `Sort` and similar operations: the input, added into zeros at the indices.

    Args:
        dim: The dimension.
        size: The shape of the result.
        once: Whether every place occurs at most once, which is faster.

    Gradient:
        g at the indices, where g is the gradient of the output.
    """

    def __init__(self, dim, size, once=False):
        self.dim = dim
        self.size = size
        self.once = once

    def forward(self, grad, index):
        self.save_for_backward(index)
        zeros = wrap(numpy.zeros(self.size, grad.array.dtype))
        return (zeros.scatter_ if self.once else zeros.scatter_add_)(self.dim, index, grad)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return grad_output.gather(self.dim, index), None


class Scatter(Function):
    """x with a source written at the indices: for dim 0, element (index[i, j], j) becomes source[i, j].

    No place occurs twice.

    Args:
        dim: The dimension.
        *number: The source, if it is a number.

    Gradient:
        For x, g with zeros at the indices; for the index, none; for a source, g at the indices (zeros where the source
        is larger than the index); g is the gradient of the output.

    Source:
        `torch/autograd/_functions/tensor.py` (v0.1.9).
    """

    def __init__(self, dim, *number):
        self.dim = dim
        self.number = number

    def forward(self, x, index, *source):
        self.source_size = [s.array.shape for s in source]
        self.save_for_backward(index)
        return x.scatter(self.dim, index, *source, *self.number)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        by_x = grad_output.scatter(self.dim, index, 0) if self.needs_input_grad[0] else None
        if not self.source_size:
            return by_x, None
        by_source = None
        if self.needs_input_grad[2]:
            by_source = _padded(grad_output.gather(self.dim, index), self.source_size[0])
        return by_x, None, by_source


class ScatterAdd(AlongDimension):
    """x with a source added at the indices.

    Args:
        dim: The dimension.

    Gradient:
        For x, g; for the index, none; for the source, g at the indices, where g is the gradient of the output.
    """

    def forward(self, x, index, source):
        self.source_size = source.array.shape
        self.save_for_backward(index)
        return x.scatter_add(self.dim, index, source)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return grad_output, None, _padded(grad_output.gather(self.dim, index), self.source_size)


def _padded(grad, size):
    """Return `grad` in the corner of zeros of `size`."""
    if tuple(grad.size()) == tuple(size):
        return grad
    return call(IndexBackward(tuple([slice(n) for n in grad.size()]), size), grad)


# --- elements selected by a mask, a Variable of a ByteTensor


def _paired_mask(name, x, mask, into=False):
    """Return the mask, in the shape of `x` if the conventions take both point by point."""
    array = paired(name, x.array, mask.array, into)
    return mask if array is mask.array else wrap(array)


class MaskedSelect(Function):
    """A vector of the elements of x where the mask is not 0. x and the mask are broadcast to one shape.

    Gradient:
        The elements of g at their places, zeros elsewhere, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def forward(self, x, mask):
        mask = _paired_mask("masked_select", x, mask)
        self.input_size = x.array.shape
        self.save_for_backward(mask)
        return x.masked_select(mask)

    def backward(self, grad_output):
        (mask,) = self.saved_tensors
        size = numpy.broadcast_shapes(self.input_size, mask.size())
        return sum_to_size(call(MaskedSelectBackward(size), grad_output, mask), self.input_size), None


class MaskedSelectBackward(Function):
    """The gradient of `MaskedSelect`: a vector, written into zeros where the mask is not 0.

    Args:
        size: The shape of the result.

    Gradient:
        The elements of g where the mask is not 0; g is the gradient of the output.
    """

    def __init__(self, size):
        self.size = size

    def forward(self, grad, mask):
        self.save_for_backward(mask)
        return wrap(numpy.zeros(self.size, grad.array.dtype)).masked_scatter_(mask, grad)

    def backward(self, grad_output):
        (mask,) = self.saved_tensors
        return grad_output.masked_select(mask), None


class MaskedFill(Function):
    """x with a number where the mask is not 0.

    Args:
        value: The number.

    Gradient:
        g with zeros where the mask is not 0; g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def __init__(self, value):
        self.value = value

    def forward(self, x, mask):
        mask = _paired_mask("masked_fill", x, mask, into=True)
        self.save_for_backward(mask)
        return x.masked_fill(mask, self.value)

    def backward(self, grad_output):
        (mask,) = self.saved_tensors
        return grad_output.masked_fill(mask, 0), None


class MaskedCopy(Function):
    """x with the elements of a source, in their order, where the mask is not 0.

    Gradient:
        For x, g with zeros where the mask is not 0; for the mask, none; for the source, the elements of g there (zeros
        for the unused rest); g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def forward(self, x, mask, source):
        self.source_size = source.array.shape
        mask = _paired_mask("masked_copy", x, mask, into=True)
        self.save_for_backward(mask)
        return x.masked_copy(mask, source)

    def backward(self, grad_output):
        (mask,) = self.saved_tensors
        needs_x, _, needs_source = self.needs_input_grad
        by_source = None
        if needs_source:
            by_source = grad_output.masked_select(mask.expand_as(grad_output))
            by_source = _padded(by_source, (math.prod(self.source_size),)).view(*self.source_size)
        return grad_output.masked_fill(mask, 0) if needs_x else None, None, by_source


# --- elements selected by order


class Selection(Function):
    """The base of operations that select elements along `dim`. A second output is their indices.

    A subclass defines `select(x)`.

    Args:
        dim: The dimension.
        keepdim: Whether the result keeps `dim`, with size 1.

    Gradient:
        g at the selected places, zeros elsewhere; the indices have no derivative, where g is the gradient of the
        output.
    """

    dim: int | None
    input_size: tuple[int, ...]
    keepdim = True
    _saved_names = ("indices",)

    def __init__(self, dim=-1, keepdim=None):
        self.dim = dim
        self.keepdim = keeps(type(self).__name__.lower(), keepdim)

    def forward(self, x):
        self.input_size = x.array.shape
        values, indices = self.select(x)
        if not isinstance(values, Tensor):
            values, indices = as_tensor(values, x), wrap(numpy.array([indices], numpy.int64))
        self.save_for_backward(indices)
        if not conventions.era.selections_have_indices:
            self._returns_tuple = False
            return values
        self.mark_non_differentiable(indices)
        return values, indices

    def backward(self, grad_values, grad_indices=None):
        (indices,) = self.saved_tensors
        if not self.keepdim and len(self.input_size) > 1:
            grad_values, indices = grad_values.unsqueeze(self.dim), indices.unsqueeze(self.dim)
        return call(ScatterZeros(self.dim, self.input_size, once=True), grad_values, indices)


class Sort(Selection):
    """The elements in order along `dim`, and their indices. The sort is stable.

    Args:
        dim: The dimension.
        descending: Whether the largest is first.

    Gradient:
        g, moved back to the former places, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def __init__(self, dim=-1, descending=False):
        self.dim = dim
        self.descending = descending

    def select(self, x):
        return x.sort(self.dim, self.descending)


class Topk(Selection):
    """The `k` largest elements along `dim`, and their indices.

    Args:
        k: The number of elements.
        dim: The dimension.
        largest: False selects the smallest instead.
        sorted: Whether the elements are in order.

    Gradient:
        g at the selected places, zeros elsewhere, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def __init__(self, k, dim=-1, largest=True, sorted=True):
        self.k = k
        self.dim = dim
        self.largest = largest
        self.sorted = sorted

    def select(self, x):
        return x.topk(self.k, self.dim, self.largest, self.sorted)
