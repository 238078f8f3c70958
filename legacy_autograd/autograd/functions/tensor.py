"""Operations that move numbers and leave them as they are (2016: `torch/autograd/functions/tensor.py`).

g stands for the gradient of the output.
"""

import copy
import math

import numpy

from ...tensor import Tensor
from ...tensor._helpers import sizes_of
from ...tensor.base import shown_size, view_of, wrap
from ...tensor.creation import cat, stack, stacked_dimension
from ...tensor.dtypes import FLOATING
from ..function import Function
from ..variable import Variable
from ._utils import AlongDimension, as_tensor, call, sum_to_size, zeros_like

__all__ = [
    "Chunk", "Clone", "Concat", "Contiguous", "Copy", "Diag", "DiagBackward", "Expand", "Index", "IndexBackward",
    "Narrow", "Parts", "Permute", "Repeat", "Resize", "Select", "Split", "Squeeze", "Stack", "Trace", "Transpose",
    "Tril", "Triu", "Unfold", "UnfoldBackward", "Unsqueeze", "View",
]  # fmt: skip


class Index(Function):
    """x[key]: numbers, slices, None, Ellipsis, masks and index arrays. Gradient: g at the key, zeros elsewhere.

    A key that names one element gives a Variable of size (1,). What an index array names twice receives both
    gradients. (2016 took a slice where a number was asked for, and wrapped a Python number.)
    """

    holds_tensors = False

    def __init__(self, *key):
        key = key[0] if len(key) == 1 else key
        self.key = tuple([_unwrapped(k) for k in key]) if isinstance(key, tuple) else _unwrapped(key)

    def forward(self, x):
        self.input_size = x.array.shape
        key = self.key
        tensors = [k for k in (key if type(key) is tuple else (key,)) if isinstance(k, Tensor)]
        if tensors:
            self.holds_tensors = True
            self.save_for_backward(*tensors)
        return _as_view(x[key], x, key)

    def backward(self, grad_output):
        if self.holds_tensors:
            _ = self.saved_tensors  # raises if an index was changed since forward; the key holds the same tensors
        return call(IndexBackward(self.key, self.input_size), grad_output)


class IndexBackward(Function):
    """The gradient of `Index`: zeros of `size`, with the input added at the key. Gradient: g[key]."""

    def __init__(self, key, size):
        self.key = key
        self.size = size

    def forward(self, grad):
        self.grad_size = grad.array.shape
        result = wrap(numpy.zeros(self.size, grad.array.dtype))
        if _names_each_once(self.key):
            result[self.key] = grad  # into zeros this adds as well, ten times as fast
        else:
            result.index_put_(self.key, grad, accumulate=True)
        return result

    def backward(self, grad_output):
        return as_tensor(grad_output[self.key], grad_output).contiguous().view(*self.grad_size)


_NAMING_ONE = {int, slice, type(None), type(Ellipsis)}


def _names_each_once(key):
    """Whether `key` has nothing in it that could name an element twice, as an index array can."""
    return _NAMING_ONE.issuperset(map(type, key if type(key) is tuple else (key,)))


def _as_view(part, x, key):
    """`part`, which is x[key]; where that is a number, the place of it in `x` as a view of size (1,)."""
    if isinstance(part, Tensor):
        return part
    key = tuple([k for k in key if k is not Ellipsis]) if type(key) is tuple else (key,)
    return view_of(x, x.array[(*key, None)])


def _unwrapped(key):
    """One entry of a key: of a Variable its Tensor, of a list a copy, which nobody changes before backward."""
    if isinstance(key, Variable):
        return key.data
    return copy.deepcopy(key) if isinstance(key, (list, numpy.ndarray)) else key


class Narrow(Index):
    """The `length` parts of x from `start` on along `dim`, a view. Gradient: g there, zeros elsewhere."""

    def __init__(self, dim, start, length):
        self.place = dim, start, length

    def forward(self, x):
        dim, start, length = self.place
        result = x.narrow(dim, start, length)
        self.input_size = x.array.shape
        begin = start % max(self.input_size[dim], 1)
        self.key = (slice(None),) * (dim % x.array.ndim) + (slice(begin, begin + length),)
        return result


class Select(Index):
    """The part of x at `index` along `dim`, a view without that dimension. Gradient: g there, zeros elsewhere.

    Of a vector it is a Variable of size (1,).
    """

    def __init__(self, dim, index):
        self.place = dim, index

    def forward(self, x):
        dim, index = self.place
        result = x.select(dim, index)
        self.input_size = x.array.shape
        self.key = (slice(None),) * (dim % x.array.ndim) + (index,)
        return _as_view(result, x, index)


# --- another order, another size


class Transpose(Function):
    """x.transpose(dim1, dim2), a view. Gradient: g with the same dimensions exchanged."""

    def __init__(self, *dims):
        if len(dims) != 2:
            raise ValueError(f"Transpose: expected two dimensions, got {len(dims)}")
        self.dims = dims

    def forward(self, x):
        return x.transpose(*self.dims)

    def backward(self, grad_output):
        return grad_output.transpose(*self.dims)


class View(Function):
    """x.view(*sizes). Gradient: g, viewed in the size of x."""

    def __init__(self, *sizes):
        self.sizes = sizes

    def forward(self, x):
        self.input_size = x.array.shape
        return x.view(*self.sizes)

    def backward(self, grad_output):
        return grad_output.contiguous().view(*self.input_size)


class Resize(View):
    """x.resize(*sizes): x with the shape `sizes`, a view where memory allows it. Gradient: g in the shape of x."""

    def forward(self, x):
        self.input_size = x.array.shape
        sizes = sizes_of("resize", self.sizes)
        if x.array.size != math.prod(sizes):
            raise RuntimeError(
                f"resize: {shown_size(sizes)} is not a shape for the {x.array.size} elements of a Variable of size "
                f"{shown_size(x.array.shape)}"
            )
        return x.contiguous().view(*sizes)


class Permute(Function):
    """x with its dimensions in the order `dims`, a view. Gradient: g with its dimensions put back."""

    def __init__(self, *dims):
        self.dims = tuple(dims[0]) if len(dims) == 1 and isinstance(dims[0], (tuple, list)) else dims

    def forward(self, x):
        return x.permute(*self.dims)

    def backward(self, grad_output):
        dims = [dim % len(self.dims) for dim in self.dims]
        return grad_output.permute(*[dims.index(dim) for dim in range(len(dims))])


class Expand(Function):
    """x repeated from sizes of 1 to `sizes`, without a copy; -1 keeps a size.

    Gradient: g, summed over what was repeated.
    """

    def __init__(self, *sizes):
        self.sizes = sizes

    def forward(self, x):
        self.input_size = x.array.shape
        return x.expand(*self.sizes)

    def backward(self, grad_output):
        return sum_to_size(grad_output, self.input_size)


class Repeat(Function):
    """x set side by side `sizes` times along each dimension, a copy. Gradient: g, summed over the repetitions."""

    def __init__(self, *sizes):
        self.sizes = tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes

    def forward(self, x):
        self.input_size = x.array.shape
        return x.repeat(*self.sizes)

    def backward(self, grad_output):
        added = len(self.sizes) - len(self.input_size)
        sizes = []
        for times, length in zip(self.sizes, (1,) * added + tuple(self.input_size)):
            sizes += [times, length]
        grad = grad_output.contiguous().view(*sizes)
        for dim in range(0, len(sizes), 2):
            grad = grad.sum(dim)
        return grad.view(*self.input_size)


class Squeeze(View):
    """x without its dimensions of size 1, or without `dim` if that has size 1; a view. Gradient: g in the size of x."""

    def __init__(self, dim=None):
        self.dim = dim

    def forward(self, x):
        self.input_size = x.array.shape
        return x.squeeze(self.dim)


class Unsqueeze(AlongDimension):
    """x with a dimension of size 1 put in at `dim`, a view. Gradient: g without it."""

    def forward(self, x):
        return x.unsqueeze(self.dim)

    def backward(self, grad_output):
        return grad_output.squeeze(self.dim)


class Unfold(Function):
    """All windows of `size` along `dim`, `step` apart, in a last dimension of that size; a view.

    Gradient: the windows of g, added where they overlap.
    """

    def __init__(self, dim, size, step):
        self.windows = dim, size, step

    def forward(self, x):
        self.input_size = x.array.shape
        return x.unfold(*self.windows)

    def backward(self, grad_output):
        return call(UnfoldBackward(self.input_size, *self.windows), grad_output)


class UnfoldBackward(Function):
    """The gradient of `Unfold`: windows added into zeros of `input_size`. Gradient: the windows of g."""

    def __init__(self, input_size, *windows):
        self.input_size = input_size
        self.windows = windows

    def forward(self, grad):
        result = wrap(numpy.zeros(self.input_size, grad.array.dtype))
        dim, size, step = self.windows
        dim %= len(self.input_size)
        for number, window in enumerate(numpy.moveaxis(grad.array, dim, 0)):
            result.narrow(dim, number * step, size).add_(wrap(numpy.moveaxis(window, -1, dim)))
        return result

    def backward(self, grad_output):
        return grad_output.unfold(*self.windows)


# --- copies and conversions


class Clone(Function):
    """x.clone(). Gradient: g."""

    def forward(self, x):
        return x.clone()

    def backward(self, grad_output):
        return grad_output


class Contiguous(Clone):
    """x.contiguous(): the same numbers in one block of memory, copied only if they are not. Gradient: g."""

    def forward(self, x):
        result = x.contiguous()
        return x.clone() if result is x else result


class Copy(Function):
    """x.type(dest_type), a conversion. Gradient: g, converted back; none where the conversion is to integers."""

    def __init__(self, dest_type):
        self.dest_type = dest_type

    def forward(self, x):
        self.input_type = x.type()
        result = x.type(self.dest_type)
        if result is x:
            result = x.clone()
        if result.array.dtype not in FLOATING:
            self.mark_non_differentiable(result)
        return result

    def backward(self, grad_output):
        return grad_output.type(self.input_type)


# --- several tensors into one, and one into several


class Concat(Function):
    """The inputs one after another along `dim`. Gradient of each: its part of g."""

    def __init__(self, dim=0):
        self.dim = dim

    def forward(self, *inputs):
        self.sizes = [x.array.shape for x in inputs]
        result = cat(inputs, self.dim)
        self.dim = self.dim % result.array.ndim
        return result

    def backward(self, grad_output):
        grads, start = [], 0
        for size, needed in zip(self.sizes, self.needs_input_grad):
            if size == (0,):  # an empty vector fits to every size, and has no part in the result
                grads.append(zeros_like(grad_output.contiguous().view(-1).narrow(0, 0, 0)) if needed else None)
                continue
            if len(size) == self.dim:  # a vector that cat took as a column
                grads.append(grad_output.select(self.dim, start) if needed else None)
                start += 1
                continue
            grads.append(grad_output.narrow(self.dim, start, size[self.dim]) if needed else None)
            start += size[self.dim]
        return tuple(grads)


class Stack(Function):
    """The inputs, all of one size, side by side along a new dimension `dim`. Gradient of each: its part of g."""

    def __init__(self, dim=0):
        self.dim = dim

    def forward(self, *inputs):
        self.dim = stacked_dimension(inputs[0].array.shape, self.dim)
        return stack(inputs, self.dim)

    def backward(self, grad_output):
        needs = self.needs_input_grad
        return tuple([grad_output.select(self.dim, i) if needed else None for i, needed in enumerate(needs)])


class Parts(Function):
    """What Split and Chunk share: several outputs, views along `dim`. Gradient: theirs, one after another.

    A subclass defines `parts(x)`.
    """

    def forward(self, x):
        return self.parts(x)

    def backward(self, *grad_output):
        return call(Concat(self.dim), *grad_output)


class Split(Parts):
    """A tuple of the parts of `split_size` along `dim` (the last may be smaller), or of the sizes that a list says."""

    def __init__(self, split_size, dim=0):
        self.split_size = split_size
        self.dim = dim

    def parts(self, x):
        return x.split(self.split_size, self.dim)


class Chunk(Parts):
    """A tuple of at most `chunks` parts along `dim`, of equal size but for the last."""

    def __init__(self, chunks, dim=0):
        self.chunks = chunks
        self.dim = dim

    def parts(self, x):
        return x.chunk(self.chunks, self.dim)


# --- triangles and diagonals


class Diag(Function):
    """The `k`-th diagonal of a matrix, or a matrix with a vector as its `k`-th diagonal. Gradient: the way back."""

    def __init__(self, k=0):
        self.k = k

    def forward(self, x):
        self.input_size = x.array.shape
        return x.diag(self.k)

    def backward(self, grad_output):
        if len(self.input_size) == 1:
            return grad_output.diag(self.k)
        return call(DiagBackward(self.k, self.input_size), grad_output)


class DiagBackward(Function):
    """The gradient of `Diag` of a matrix: a vector on the `k`-th diagonal of zeros of `size`. Gradient: that of g."""

    def __init__(self, k, size):
        self.k = k
        self.size = size

    def forward(self, grad):
        result = numpy.zeros(self.size, grad.array.dtype)
        rows = numpy.arange(grad.array.size) + max(-self.k, 0)
        result[rows, rows + self.k] = grad.array
        return wrap(result)

    def backward(self, grad_output):
        return grad_output.diag(self.k)


class Trace(Function):
    """The sum of the diagonal of a matrix, of size (1,). Gradient: g on the diagonal, zeros elsewhere."""

    def forward(self, x):
        self.input_size = x.array.shape
        return as_tensor(x.trace(), x)

    def backward(self, grad_output):
        return call(DiagBackward(0, self.input_size), grad_output.expand(min(self.input_size)))


class Tril(Function):
    """Matrices with zeros above the `k`-th diagonal. Gradient: g with zeros there."""

    def __init__(self, k=0):
        self.k = k

    def forward(self, x):
        return x.tril(self.k)

    def backward(self, grad_output):
        return grad_output.tril(self.k)


class Triu(Function):
    """Matrices with zeros below the `k`-th diagonal. Gradient: g with zeros there."""

    def __init__(self, k=0):
        self.k = k

    def forward(self, x):
        return x.triu(self.k)

    def backward(self, grad_output):
        return grad_output.triu(self.k)
