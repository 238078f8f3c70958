"""Operations that pick elements: by their numbers, by a mask, by their order. (v0.1.1 had none of them but Index.)

g stands for the gradient of the output.
"""

import math

import numpy

from ...tensor import Tensor
from ...tensor.base import wrap
from ..function import Function
from ._utils import AlongDimension, as_tensor, call, sum_to_size
from .tensor import IndexBackward

__all__ = [
    "Gather", "IndexAdd", "IndexCopy", "IndexFill", "IndexSelect", "IndexSelectBackward", "MaskedCopy", "MaskedFill",
    "MaskedSelect", "MaskedSelectBackward", "Scatter", "ScatterAdd", "ScatterZeros", "Selection", "Sort", "Topk",
]  # fmt: skip

# --- elements picked by their numbers: the index is the last but one input of a call, a Variable of a LongTensor


class IndexSelect(AlongDimension):
    """The parts of x that the index names along `dim`. Gradient: g, added at the places it names."""

    def forward(self, x, index):
        self.input_size = x.array.shape
        self.save_for_backward(index)
        return x.index_select(self.dim, index)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return call(IndexSelectBackward(self.dim, self.input_size), grad_output, index), None


class IndexSelectBackward(Function):
    """The gradient of `IndexSelect`: the input added into zeros of `size`. Gradient: the parts of g at the index."""

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
    """x with the parts of a source added where the index says, along `dim`. Gradients: g, none, g at the index."""

    def forward(self, x, index, source):
        self.save_for_backward(index)
        return x.index_add(self.dim, index, source)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return grad_output, None, grad_output.index_select(self.dim, index) if self.needs_input_grad[2] else None


class IndexCopy(AlongDimension):
    """x with the parts of a source written where the index says, along `dim`; the index names no place twice.

    Gradients: g with zeros at the index, none, g at the index.
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
    """x with a number written where the index says, along `dim`. Gradient: g with zeros there."""

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
    """For dim 0, element (i, j) is x[index[i, j], j]. Gradient: g, added at the places that the index names."""

    def forward(self, x, index):
        self.input_size = x.array.shape
        self.save_for_backward(index)
        return x.gather(self.dim, index)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return call(ScatterZeros(self.dim, self.input_size), grad_output, index), None


class ScatterZeros(Function):
    """The gradient of `Gather`, `Sort` and their kin: the input added into zeros of `size`. Gradient: g at the index.

    `once` promises that the index names no place twice, which is faster.
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
    """x with a source written where the index says: for dim 0, (index[i, j], j) becomes source[i, j].

    The index names no place twice. Gradients: g with zeros there, none, g at the index (zeros where the source is
    larger than the index). With a number in place of the source, an argument of the constructor, only the first.
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
    """x with a source added where the index says. Gradients: g, none, g at the index."""

    def forward(self, x, index, source):
        self.source_size = source.array.shape
        self.save_for_backward(index)
        return x.scatter_add(self.dim, index, source)

    def backward(self, grad_output):
        (index,) = self.saved_tensors
        return grad_output, None, _padded(grad_output.gather(self.dim, index), self.source_size)


def _padded(grad, size):
    """`grad` in the corner of zeros of `size`."""
    if tuple(grad.size()) == tuple(size):
        return grad
    return call(IndexBackward(tuple([slice(n) for n in grad.size()]), size), grad)


# --- elements picked by a mask: a Variable of a ByteTensor


class MaskedSelect(Function):
    """The elements of x where the mask is not 0, in a vector. x and the mask are broadcast to one size.

    Gradient: the elements of g in those places, zeros elsewhere.
    """

    def forward(self, x, mask):
        self.input_size = x.array.shape
        self.save_for_backward(mask)
        return x.masked_select(mask)

    def backward(self, grad_output):
        (mask,) = self.saved_tensors
        size = self.input_size
        if math.prod(size) != mask.numel():
            size = numpy.broadcast_shapes(size, mask.size())
        return sum_to_size(call(MaskedSelectBackward(size), grad_output, mask), self.input_size), None


class MaskedSelectBackward(Function):
    """The gradient of `MaskedSelect`: a vector written into zeros of `size` where the mask says. Gradient: g there."""

    def __init__(self, size):
        self.size = size

    def forward(self, grad, mask):
        self.save_for_backward(mask)
        return wrap(numpy.zeros(self.size, grad.array.dtype)).masked_scatter_(mask, grad)

    def backward(self, grad_output):
        (mask,) = self.saved_tensors
        return grad_output.masked_select(mask), None


class MaskedFill(Function):
    """x with a number where the mask is not 0. Gradient: g with zeros there."""

    def __init__(self, value):
        self.value = value

    def forward(self, x, mask):
        self.save_for_backward(mask)
        return x.masked_fill(mask, self.value)

    def backward(self, grad_output):
        (mask,) = self.saved_tensors
        return grad_output.masked_fill(mask, 0), None


class MaskedCopy(Function):
    """x with the elements of a source, in their order, where the mask is not 0.

    Gradients: g with zeros there, none, the elements of g there (zeros for what is left of the source).
    """

    def forward(self, x, mask, source):
        self.source_size = source.array.shape
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


# --- elements picked by their order


class Selection(Function):
    """What picks elements along `dim` shares: a second output says where they were. It has no derivative.

    Gradient: g at the places that were picked, zeros elsewhere. A subclass defines `select(x)`.
    """

    keepdim = True
    _saved_names = ("indices",)

    def __init__(self, dim=-1, keepdim=True):
        self.dim = dim
        self.keepdim = keepdim

    def forward(self, x):
        self.input_size = x.array.shape
        values, indices = self.select(x)
        if not isinstance(values, Tensor):
            values, indices = as_tensor(values, x), wrap(numpy.array([indices]))
        self.save_for_backward(indices)
        self.mark_non_differentiable(indices)
        return values, indices

    def backward(self, grad_values, grad_indices):
        (indices,) = self.saved_tensors
        if not self.keepdim and len(self.input_size) > 1:
            grad_values, indices = grad_values.unsqueeze(self.dim), indices.unsqueeze(self.dim)
        return call(ScatterZeros(self.dim, self.input_size, once=True), grad_values, indices)


class Sort(Selection):
    """The elements in order along `dim` (equal ones stay in theirs), and where they were. Gradient: g, put back."""

    def __init__(self, dim=-1, descending=False):
        self.dim = dim
        self.descending = descending

    def select(self, x):
        return x.sort(self.dim, self.descending)


class Topk(Selection):
    """The `k` largest (or smallest) along `dim`, in order, and where they were. Gradient: g there, zeros elsewhere."""

    def __init__(self, k, dim=-1, largest=True, sorted=True):
        self.k = k
        self.dim = dim
        self.largest = largest
        self.sorted = sorted

    def select(self, x):
        return x.topk(self.k, self.dim, self.largest, self.sorted)
