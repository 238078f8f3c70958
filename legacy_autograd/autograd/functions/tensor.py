"""Operations that move numbers without changing them (2016: `torch/autograd/functions/tensor.py`)."""

import copy
import math

import numpy

from ...tensor import Tensor
from ...tensor.arguments import sizes_of
from ...tensor.base import shown_size, view_of, wrap
from ...tensor.creation import cat, stack, stacked_dimension
from ...tensor.dtypes import FLOATING
from ...tensor.index import is_simple
from ..function import Function
from ..variable import Variable
from ._utils import AlongDimension, as_tensor, call, saves, sum_to_size, zeros_like

__all__ = [
    "Chunk", "Clone", "Concat", "Contiguous", "Copy", "Diag", "DiagBackward", "Expand", "Index", "IndexBackward",
    "Narrow", "Parts", "Permute", "Repeat", "Resize", "Select", "Split", "Squeeze", "Stack", "Trace", "Transpose",
    "Tril", "Triu", "Unfold", "UnfoldBackward", "Unsqueeze", "View",
]  # fmt: skip


class Index(Function):
    """x[key], for numbers, slices, None, Ellipsis, masks and index arrays.

    A key of one element gives a Variable of shape (1,). (2016 took a slice for a number, and wrapped a Python number.)

    Args:
        *key: The key, or the entries of a tuple.

    Gradient:
        g at the key, zeros elsewhere, where g is the gradient of the output. An element that an index array names twice
        receives both gradients.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.1).
    """

    holds_tensors = False

    def __init__(self, *key):
        key = key[0] if len(key) == 1 else key
        self.is_simple = is_simple(key)
        if not self.is_simple:
            key = tuple([_unwrapped(k) for k in key]) if isinstance(key, tuple) else _unwrapped(key)
        self.key = key

    @saves()
    def forward(self, x):
        array, key = x.array, self.key
        self.input_size = array.shape
        if self.is_simple:
            try:
                part = array[key]
            except IndexError:
                return x[key]  # its message says more
            if part.ndim:
                return view_of(x, part)
        else:
            tensors = [k for k in (key if type(key) is tuple else (key,)) if isinstance(k, Tensor)]
            if tensors:
                self.holds_tensors = True
                self.save_for_backward(*tensors)
            part = x[key]
            if isinstance(part, Tensor):
                return part
        return view_of(x, array[(*key, None) if type(key) is tuple else (key, None)])  # one number, at its place

    def backward(self, grad_output):
        if self.holds_tensors:
            _ = self.saved_tensors  # raises if an index was changed since forward; the key holds the same tensors
        return call(IndexBackward(self.key, self.input_size), grad_output)


class IndexBackward(Function):
    """The gradient of `Index`: zeros of `size`, with the input added at the key.

    Args:
        key: The key.
        size: The shape of the result.

    Gradient:
        g[key], where g is the gradient of the output.
    """

    def __init__(self, key, size):
        self.key = key
        self.size = size

    def forward(self, grad):
        self.grad_size = grad.array.shape
        result = wrap(numpy.zeros(self.size, grad.array.dtype))
        if _names_each_once(self.key):
            result[self.key] = grad  # into zeros this equals addition, and is faster
        else:
            result.index_put_(self.key, grad, accumulate=True)
        return result

    def backward(self, grad_output):
        return as_tensor(grad_output[self.key], grad_output).contiguous().view(*self.grad_size)


_NAMING_ONE = {int, slice, type(None), type(Ellipsis)}


def _names_each_once(key):
    """Return whether no part of `key` can name an element twice, as an index array can."""
    return _NAMING_ONE.issuperset(map(type, key if type(key) is tuple else (key,)))


def _unwrapped(key):
    """Return one entry of a key: the Tensor of a Variable, a copy of a list, which cannot change before backward."""
    if isinstance(key, Variable):
        return key.data
    return copy.deepcopy(key) if isinstance(key, (list, numpy.ndarray)) else key


class Narrow(Index):
    """A view of the `length` slices of x from `start` on along `dim`.

    Args:
        dim: The dimension.
        start: The first slice.
        length: The number of slices.

    Gradient:
        g at these slices, zeros elsewhere, where g is the gradient of the output.
    """

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
    """A view of the slice of x at `index` along `dim`, without that dimension; for a vector, of shape (1,).

    Args:
        dim: The dimension.
        index: The number of the slice.

    Gradient:
        g at that slice, zeros elsewhere, where g is the gradient of the output.
    """

    def __init__(self, dim, index):
        self.place = dim, index

    def forward(self, x):
        dim, index = self.place
        result = x.select(dim, index)
        self.input_size = x.array.shape
        before = (slice(None),) * (dim % x.array.ndim)
        self.key = (*before, index) if before else index
        return result if isinstance(result, Tensor) else view_of(x, x.array[index, None])


# --- another order, another shape


class Transpose(Function):
    """A view of x with two dimensions exchanged.

    Args:
        *dims: The two dimensions.

    Raises:
        ValueError: If there are not two dimensions.

    Gradient:
        g with the same dimensions exchanged, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.1).
    """

    def __init__(self, *dims):
        if len(dims) != 2:
            raise ValueError(f"Transpose: expected two dimensions, got {len(dims)}")
        self.dims = dims

    def forward(self, x):
        return x.transpose(*self.dims)

    def backward(self, grad_output):
        return grad_output.transpose(*self.dims)


class View(Function):
    """x.view(*sizes).

    Args:
        *sizes: The new shape.

    Gradient:
        g in the shape of x, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.1).
    """

    def __init__(self, *sizes):
        self.sizes = sizes

    def forward(self, x):
        self.input_size = x.array.shape
        return x.view(*self.sizes)

    def backward(self, grad_output):
        return grad_output.contiguous().view(*self.input_size)


class Resize(View):
    """x in the shape `sizes`, as a view if memory allows it.

    Args:
        *sizes: The new shape.

    Raises:
        RuntimeError: In the call, if x has another number of elements.

    Gradient:
        g in the shape of x, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

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
    """A view of x with its dimensions in the order `dims`.

    Args:
        *dims: The dimensions, or one tuple of them.

    Gradient:
        g with its dimensions in their former order, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def __init__(self, *dims):
        self.dims = tuple(dims[0]) if len(dims) == 1 and isinstance(dims[0], (tuple, list)) else dims

    def forward(self, x):
        return x.permute(*self.dims)

    def backward(self, grad_output):
        dims = [dim % len(self.dims) for dim in self.dims]
        return grad_output.permute(*[dims.index(dim) for dim in range(len(dims))])


class Expand(Function):
    """A view of x with dimensions of size 1 repeated to `sizes`.

    Args:
        *sizes: The new shape; -1 keeps a size.

    Gradient:
        g, summed over the repetitions, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def __init__(self, *sizes):
        self.sizes = sizes

    def forward(self, x):
        self.input_size = x.array.shape
        return x.expand(*self.sizes)

    def backward(self, grad_output):
        return sum_to_size(grad_output, self.input_size)


class Repeat(Function):
    """A copy of x, repeated `sizes` times along each dimension.

    Args:
        *sizes: The numbers of repetitions, or one tuple of them.

    Gradient:
        g, summed over the repetitions, where g is the gradient of the output.

    Source:
        `torch/autograd/_functions/tensor.py` (v0.1.9).
    """

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
            grad = grad.sum(dim, True)
        return grad.view(*self.input_size)


class Squeeze(View):
    """A view of x without its dimensions of size 1.

    Args:
        dim: The only dimension to remove, if it has size 1. Default: all of size 1.

    Gradient:
        g in the shape of x, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def __init__(self, dim=None):
        self.dim = dim

    def forward(self, x):
        self.input_size = x.array.shape
        return x.squeeze(self.dim)


class Unsqueeze(AlongDimension):
    """A view of x with a new dimension of size 1 at `dim`.

    Args:
        dim: The position of the new dimension.

    Gradient:
        g without that dimension, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def forward(self, x):
        return x.unsqueeze(self.dim)

    def backward(self, grad_output):
        return grad_output.squeeze(self.dim)


class Unfold(Function):
    """A view of all windows of `size` elements along `dim`, `step` apart, with a last dimension of `size`.

    Args:
        dim: The dimension.
        size: The number of elements of a window.
        step: The distance of two windows.

    Gradient:
        The windows of g, added where they overlap; g is the gradient of the output.
    """

    def __init__(self, dim, size, step):
        self.windows = dim, size, step

    def forward(self, x):
        self.input_size = x.array.shape
        return x.unfold(*self.windows)

    def backward(self, grad_output):
        return call(UnfoldBackward(self.input_size, *self.windows), grad_output)


class UnfoldBackward(Function):
    """The gradient of `Unfold`: windows added into zeros of `input_size`.

    Args:
        input_size: The shape of the result.
        *windows: The dim, size and step of `Unfold`.

    Gradient:
        The windows of g, where g is the gradient of the output.
    """

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
    """A copy of x.

    Gradient:
        g, the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def forward(self, x):
        return x.clone()

    def backward(self, grad_output):
        return grad_output


class Contiguous(Clone):
    """x in contiguous memory; as a Function's output always a new Tensor.

    Gradient:
        g, the gradient of the output.
    """

    def forward(self, x):
        result = x.contiguous()
        return x.clone() if result is x else result


class Copy(Function):
    """x converted to another type.

    Args:
        dest_type: The type, a class or its name.

    Gradient:
        g, converted back; none for a conversion to integers, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.1).
    """

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


# --- several tensors to one, and one to several


class Concat(Function):
    """The inputs, concatenated along `dim`.

    Args:
        dim: The dimension.

    Gradient:
        For each input its part of g, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

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
            if size == (0,):  # an empty vector fits every shape and adds nothing to the result
                grads.append(zeros_like(grad_output.contiguous().view(-1).narrow(0, 0, 0)) if needed else None)
                continue
            width = size[self.dim] if self.dim < len(size) else 1  # cat treated missing dimensions as of size 1
            grad = grad_output.narrow(self.dim, start, width)
            grads.append((grad if grad.dim() == len(size) else grad.contiguous().view(*size)) if needed else None)
            start += width
        return tuple(grads)


class Stack(Function):
    """The inputs, all of one shape, stacked along a new dimension.

    Args:
        dim: The new dimension.

    Gradient:
        For each input its slice of g, where g is the gradient of the output.
    """

    def __init__(self, dim=0):
        self.dim = dim

    def forward(self, *inputs):
        self.dim = stacked_dimension(inputs[0].array.shape, self.dim)
        return stack(inputs, self.dim)

    def backward(self, grad_output):
        needs = self.needs_input_grad
        return tuple([grad_output.select(self.dim, i) if needed else None for i, needed in enumerate(needs)])


class Parts(Function):
    """The base of Split and Chunk: several outputs, which are views along `dim`. A subclass defines `parts(x)`.

    Gradient:
        The gradients of the outputs, concatenated.
    """

    def forward(self, x):
        return self.parts(x)

    def backward(self, *grad_output):
        return call(Concat(self.dim), *grad_output)


class Split(Parts):
    """A tuple of the parts of x along a dimension.

    Args:
        split_size: The size of each part (the last may be smaller), or a list of the sizes.
        dim: The dimension.

    Gradient:
        The gradients of the parts, concatenated.
    """

    def __init__(self, split_size, dim=0):
        self.split_size = split_size
        self.dim = dim

    def parts(self, x):
        return x.split(self.split_size, self.dim)


class Chunk(Parts):
    """A tuple of at most `chunks` parts of x along a dimension, of equal size except the last.

    Args:
        chunks: The largest number of parts.
        dim: The dimension.

    Gradient:
        The gradients of the parts, concatenated.

    Source:
        `torch/autograd/functions/tensor.py` (v0.1.5).
    """

    def __init__(self, chunks, dim=0):
        self.chunks = chunks
        self.dim = dim

    def parts(self, x):
        return x.chunk(self.chunks, self.dim)


# --- triangles and diagonals


class Diag(Function):
    """A diagonal of a matrix, or a matrix with a vector as its diagonal.

    Args:
        k: The number of the diagonal; 0 is the main one, positive numbers are above it.

    Gradient:
        For a matrix, g on the diagonal of zeros; for a vector, the diagonal of g, where g is the gradient of the
        output.

    Source:
        `torch/autograd/functions/linalg.py` (v0.1.5).
    """

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
    """The gradient of `Diag` of a matrix: a vector on the `k`-th diagonal of zeros.

    Args:
        k: The number of the diagonal.
        size: The shape of the result.

    Gradient:
        The diagonal of g, where g is the gradient of the output.
    """

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
    """The sum of the diagonal of a matrix, of shape (1,).

    Gradient:
        g on the diagonal, zeros elsewhere, where g is the gradient of the output.

    Source:
        `torch/autograd/_functions/linalg.py` (v0.1.12).
    """

    def forward(self, x):
        self.input_size = x.array.shape
        return as_tensor(x.trace(), x)

    def backward(self, grad_output):
        return call(DiagBackward(0, self.input_size), grad_output.expand(min(self.input_size)))


class Tril(Function):
    """Matrices with zeros above a diagonal.

    Args:
        k: The number of the diagonal.

    Gradient:
        g with zeros at the same places, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/linalg.py` (v0.1.5).
    """

    def __init__(self, k=0):
        self.k = k

    def forward(self, x):
        return x.tril(self.k)

    def backward(self, grad_output):
        return grad_output.tril(self.k)


class Triu(Function):
    """Matrices with zeros below a diagonal.

    Args:
        k: The number of the diagonal.

    Gradient:
        g with zeros at the same places, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/linalg.py` (v0.1.5).
    """

    def __init__(self, k=0):
        self.k = k

    def forward(self, x):
        return x.triu(self.k)

    def backward(self, grad_output):
        return grad_output.triu(self.k)
