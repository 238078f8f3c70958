"""The size of a Tensor, and its numbers seen in another size or order (2016: `torch/tensor.py`, TH's THTensor.c).

A view shares the memory of its tensor, and the count of writes to it.
"""

import math
import numbers

import numpy

from .. import conventions
from ._helpers import (
    TensorMethods,
    check_count,
    dimension,
    shown,
    shown_size,
    sizes_of,
    tensor_array,
    view_of,
    wrap,
    wrap_in_c_order,
)
from .dtypes import Size
from .errors import RangeError, SizeError
from .storage import Storage, seen_as

_tuple_new = tuple.__new__


class Shaping(TensorMethods):
    __slots__ = ()

    # --- questions

    def size(self, dim=None):
        """Return the size as a `Size`, or the length of dimension `dim` as an int; IndexError if there is none."""
        shape = self.array.shape
        if dim is None:
            return _tuple_new(Size, shape if shape[0] or not conventions.era.empty_has_no_dimension else ())
        return shape[dim if type(dim) is int and 0 <= dim < len(shape) else dimension("size", shape, dim)]

    @property
    def shape(self):
        """Return the size, as `size()` gives it."""
        return self.size()

    def dim(self):
        """Return the number of dimensions: at least 1, or in v0.1.x 0 for a tensor without elements."""
        shape = self.array.shape
        return len(shape) if shape[0] or not conventions.era.empty_has_no_dimension else 0

    ndimension = dim

    def numel(self):
        """Return the number of elements."""
        return self.array.size

    nelement = numel

    def stride(self, dim=None):
        """Return the steps in memory, in elements, to the next element: of all dimensions, or of `dim` as an int."""
        array = self.array
        if dim is None:
            return tuple([step // array.itemsize for step in array.strides])
        return array.strides[dimension("stride", array.shape, dim)] // array.itemsize

    def storage_offset(self):
        """Return the element of the storage at which this tensor begins; 0 for a tensor that is not a view."""
        return (self.data_ptr() - self._memory().data_ptr()) // self.array.itemsize

    def element_size(self):
        """Return the bytes of one element."""
        return self.array.itemsize

    def data_ptr(self):
        """Return the address of the first element."""
        return self.array.__array_interface__["data"][0]

    def is_contiguous(self):
        """Return whether the elements lie in memory one after another, the last dimension running fastest."""
        return self.array.flags.c_contiguous

    def is_same_size(self, other):
        """Return whether `other` has this tensor's size."""
        return self.array.shape == other.array.shape

    def is_size(self, size):
        """Return whether `size`, a Size or tuple, is this tensor's."""
        return self.array.shape == tuple(size)

    def is_set_to(self, other):
        """Return whether `other` is the same piece of memory, seen in the same size and order."""
        return self.array.__array_interface__ == other.array.__array_interface__

    # --- views

    def contiguous(self):
        """Return the tensor itself if it is contiguous, otherwise a contiguous copy."""
        array = self.array
        return self if array.flags.c_contiguous else wrap(array.copy("C"))

    def view(self, *sizes):
        """Return the same memory in another size; one of the sizes may be -1, and follows from the others.

        Raises RuntimeError where the sizes do not hold the elements, or where the tensor is not contiguous.
        """
        array = self.array
        if not array.flags.c_contiguous:
            raise RuntimeError(
                f"view: the elements of {shown(self)} and strides {self.stride()} are not contiguous in memory; "
                "call .contiguous() before .view()"
            )
        if sizes and type(sizes[0]) is not int:
            sizes = tuple(sizes_of("view", sizes))
        if not sizes and not array.size and conventions.era.empty_has_no_dimension:
            sizes = (0,)
        try:
            viewed = array.reshape(*sizes)
        except (ValueError, TypeError):
            raise _view_error(array, sizes) from None
        if viewed.shape != sizes and (viewed.ndim == 0 or min(sizes) < -1):  # which numpy would take for -1
            raise _view_error(array, sizes)
        return view_of(self, viewed)

    def view_as(self, other):
        """Return `view` in the size of `other`."""
        return self.view(*other.size())

    def reshape(self, *sizes):
        """Return `view` where memory allows it, otherwise a copy of that size. (Added to torch after v0.1.x.)"""
        return self.contiguous().view(*sizes)

    def t(self):
        """Return the transpose of a matrix, as a view. RuntimeError for what is not 2-dimensional."""
        array = self.array
        if array.ndim != 2:
            raise RuntimeError(f"t: expected a matrix (2 dimensions), got {shown(self)}; see transpose and permute")
        return view_of(self, array.T)

    def transpose(self, dim0, dim1):
        """Return a view with the dimensions `dim0` and `dim1` exchanged."""
        array = self.array
        swapped = array.swapaxes(dimension("transpose", array.shape, dim0), dimension("transpose", array.shape, dim1))
        return view_of(self, swapped)

    def permute(self, *dims):
        """Return a view with the dimensions in the order `dims`, which names each once."""
        array = self.array
        dims = [dimension("permute", array.shape, dim) for dim in sizes_of("permute", dims)]
        if sorted(dims) != list(range(array.ndim)):
            raise SizeError(f"permute: {shown(self)} needs each of its dimensions once, got {tuple(dims)}")
        return view_of(self, array.transpose(dims))

    def expand(self, *sizes):
        """Return a view in which dimensions of size 1 are repeated to `sizes`; -1 keeps a size, new dimensions lead.

        The repeated elements share one place in memory, so nothing can be written to the result. Raises ValueError
        where a dimension is neither 1 nor of the size asked for.
        """
        array = self.array
        sizes = sizes_of("expand", sizes)
        added = len(sizes) - array.ndim
        if added < 0:
            raise SizeError(f"expand: {shown(self)} has more dimensions than the {len(sizes)} sizes {tuple(sizes)}")
        shape, strides = list(sizes), [0] * len(sizes)
        dim = added
        for length, stride in zip(array.shape, array.strides):
            if shape[dim] == length or shape[dim] == -1:
                shape[dim], strides[dim] = length, stride
            elif length != 1:
                raise SizeError(
                    f"expand: {shown(self)} cannot become {shown_size(sizes)}: dimension {dim} has the size {length}, "
                    "and only 1 can be repeated"
                )
            dim += 1
        for dim in reversed(range(added)):
            if shape[dim] == 1:  # the stride that unsqueeze gives
                strides[dim] = shape[dim + 1] * strides[dim + 1]
        if min(shape, default=0) < 0:
            raise SizeError(f"expand: sizes are not negative, except -1 for a dimension that there is; got {sizes}")
        if array.flags.c_contiguous and array.size:
            # What broadcast_to makes, in a fraction of its time; it needs one block of memory.
            expanded = numpy.ndarray(shape, array.dtype, array, 0, strides)
            if expanded.size != array.size:
                expanded.setflags(write=False)
        else:
            expanded = numpy.broadcast_to(array, shape)
            if expanded.size == array.size and array.flags.writeable:
                expanded = array.reshape(shape)
        return view_of(self, expanded)

    def expand_as(self, other):
        """Return `expand` to the size of `other`."""
        return self.expand(*other.size())

    def squeeze(self, dim=None):
        """Return a view without the dimensions of size 1, or without `dim` if that has size 1. One dimension stays."""
        array = self.array
        if dim is None:
            array = array.squeeze()
        else:
            dim = dimension("squeeze", array.shape, dim)
            if array.shape[dim] == 1:
                array = array.squeeze(dim)
        return view_of(self, array if array.ndim else array.reshape(1))

    def unsqueeze(self, dim):
        """Return a view with a dimension of size 1 put in at `dim`."""
        dim = dimension("unsqueeze", self.array.shape, dim, new=1)
        if not self.array.shape[0] and conventions.era.empty_has_no_dimension:
            raise SizeError("unsqueeze: expected a tensor with elements, got an empty one")
        return view_of(self, numpy.expand_dims(self.array, dim))

    def select(self, dim, index):
        """Return the part at `index` of dimension `dim`, a view without it; a Python number of a vector."""
        array = self.array
        dim = dimension("select", array.shape, dim)
        if not isinstance(index, numbers.Integral) or isinstance(index, bool):
            raise TypeError(f"select: the index is an integer, got {shown(index)}")
        length = array.shape[dim]
        if not -length <= index < length:
            where = f"dimension {dim} of size {length} (of a tensor of size {shown_size(array.shape)})"
            raise RangeError(f"select: index {index} is out of range for {where}")
        return self[(slice(None),) * dim + (index,)]

    def narrow(self, dim, start, length):
        """Return a view of `length` parts of dimension `dim` from `start` on. IndexError where there are fewer."""
        shape = self.array.shape
        dim = dimension("narrow", shape, dim)
        start, length = sizes_of("narrow", (start, length))
        first = start + shape[dim] if start < 0 else start
        if first < 0 or length < 0 or first + length > shape[dim]:
            raise RangeError(
                f"narrow: dimension {dim} of {shown(self)} has size {shape[dim]}, not {length} elements from {start} on"
            )
        return view_of(self, self.array[(slice(None),) * dim + (slice(first, first + length),)])

    def split(self, split_size, dim=0):
        """Return a tuple of views of `split_size` along `dim` (the last may be smaller), or of the sizes in a list."""
        dim = dimension("split", self.array.shape, dim)
        length = self.array.shape[dim]
        if isinstance(split_size, (tuple, list)):
            lengths = sizes_of("split", split_size)
            if sum(lengths) != length or min(lengths, default=0) < 0:
                raise SizeError(f"split: {list(lengths)} do not add up to the size of dimension {dim} of {shown(self)}")
        else:
            (step,) = sizes_of("split", (split_size,))
            if step <= 0:
                raise SizeError(f"split: the size of a part must be positive, got {step}")
            lengths = [min(step, length - start) for start in range(0, length, step)] or [0]
        starts = [sum(lengths[:i]) for i in range(len(lengths))]
        return tuple([self.narrow(dim, start, size) for start, size in zip(starts, lengths)])

    def chunk(self, chunks, dim=0):
        """Return a tuple of at most `chunks` views along `dim`, of equal size but for the last."""
        (count,) = sizes_of("chunk", (chunks,))
        if count <= 0:
            raise SizeError(f"chunk: the number of parts must be positive, got {count}")
        length = self.array.shape[dimension("chunk", self.array.shape, dim)]
        if length == 0:
            return (self.narrow(dim, 0, 0),) * count
        return self.split(-(-length // count), dim)

    def unfold(self, dim, size, step):
        """Return all windows of `size` along `dim`, `step` apart, as a view with a last dimension of `size` more.

        The length L of `dim` becomes (L - size) // step + 1. Windows that overlap share memory.
        """
        array = self.array
        dim = dimension("unfold", array.shape, dim)
        size, step = sizes_of("unfold", (size, step))
        if not 0 < size <= array.shape[dim] or step <= 0:
            raise SizeError(
                f"unfold: windows of {size}, {step} apart, do not fit into dimension {dim} of {shown(self)}; "
                "both must be positive"
            )
        windows = numpy.lib.stride_tricks.sliding_window_view(array, size, dim, writeable=array.flags.writeable)
        return view_of(self, windows[(slice(None),) * dim + (slice(None, None, step),)])

    # --- copies

    def repeat(self, *sizes):
        """Return a copy in which dimension d is repeated `sizes[d]` times; further sizes add dimensions."""
        sizes = sizes_of("repeat", sizes)
        if len(sizes) < self.array.ndim or any([size < 0 for size in sizes]):
            raise SizeError(f"repeat: {shown(self)} needs {self.array.ndim} or more numbers >= 0, got {tuple(sizes)}")
        before = (1,) * (len(sizes) - self.array.ndim) + self.array.shape
        check_count("repeat", [size * times for size, times in zip(before, sizes)])
        return wrap_in_c_order(numpy.tile(self.array, sizes))

    def diag(self, k=0):
        """Return the `k`-th diagonal of a matrix, or the matrix that has this vector as its `k`-th diagonal; a copy."""
        if self.array.ndim > 2:
            raise SizeError(f"diag: expected a vector or a matrix, got {shown(self)}")
        return wrap(numpy.array(numpy.diag(self.array, *sizes_of("diag", (k,)))))

    def tril(self, k=0):
        """Return a copy of a matrix (or of several) with zeros above the `k`-th diagonal."""
        return wrap_in_c_order(numpy.tril(self._matrices("tril"), *sizes_of("tril", (k,))))

    def triu(self, k=0):
        """Return a copy of a matrix (or of several) with zeros below the `k`-th diagonal."""
        return wrap_in_c_order(numpy.triu(self._matrices("triu"), *sizes_of("triu", (k,))))

    def trace(self):
        """Return the sum of the diagonal of a matrix, a Python number."""
        if self.array.ndim != 2:
            raise SizeError(f"trace: expected a matrix, got {shown(self)}")
        return self.array.trace().item()

    def _matrices(self, name):
        if self.array.ndim < 2:
            raise SizeError(f"{name}: expected a matrix, got {shown(self)}")
        return self.array

    # --- another size or memory for the same tensor

    def resize_(self, *sizes):
        """Give the tensor another size. The elements stay in their order; memory is added as needed, filled with zeros.

        Where memory is added, the tensor shares it with nothing any more, neither with views nor with numpy.
        """
        sizes = sizes_of("resize_", sizes)
        if len(sizes) == 0 and conventions.era.empty_has_no_dimension:
            sizes = (0,)
        if not sizes or any([size < 0 for size in sizes]):
            raise SizeError(f"resize_: expected sizes that are not negative, got {tuple(sizes)}")
        count, array = math.prod(sizes), self.array
        if count <= array.size and array.flags.c_contiguous:
            self.array = array.reshape(-1)[:count].reshape(sizes)
            return self._wrote()
        check_count("resize_", sizes)
        grown = numpy.zeros(count, array.dtype)
        grown[: array.size] = array.reshape(-1)[:count]
        return self._moved(grown.reshape(sizes), None)

    def resize_as_(self, other):
        """Resize to the size of `other`; see `resize_`."""
        return self.resize_(*other.size())

    def set_(self, source=None, storage_offset=0, size=None, stride=None):
        """Make this tensor share the memory of `source`, a Tensor or Storage of its type; without one, make it empty.

        It gets the size of a Tensor `source`. From a Storage it begins at element `storage_offset` and has the size
        and strides that are given, by default those of a vector of the rest. Raises RuntimeError where the storage is
        too small, TypeError for another type.
        """
        if source is None:
            return self._moved(numpy.empty(0, self.array.dtype), None)
        part = None
        if isinstance(source, Storage):
            array = seen_as("set_", source, storage_offset, size, stride)
            part, source = source, source._row
            tensor_array("set_", self.array, source)
        else:
            array = tensor_array("set_", self.array, source)
            if storage_offset or size is not None or stride is not None:
                raise TypeError("set_: an offset, a size and strides need a Storage; pass tensor.storage()")
        owner = source if source._base is None else source._base
        self._part = part if part is not None and owner is not self and part._is_part() else None
        return self._moved(array, None if owner is self and array.flags.c_contiguous else owner)

    def _moved(self, array, owner):
        """Make this tensor one over `array`, memory that belongs to the tensor `owner` or to this one."""
        writes = self._writes if self._base is None else self._base._writes
        self.array = array
        self._base = owner
        # Backward must notice that a saved tensor has other memory now: the count may not fall back to what it was.
        holder = self if owner is None else owner
        self._writes = holder._writes = max(writes, holder._writes) + 1
        return self

    def transpose_(self, dim0, dim1):
        """Apply `transpose` to this tensor itself."""
        return self._reordered(self.transpose(dim0, dim1).array)

    def t_(self):
        """Apply `t` to this tensor itself."""
        return self._reordered(self.t().array)

    def squeeze_(self, dim=None):
        """Apply `squeeze` to this tensor itself."""
        return self._reordered(self.squeeze(dim).array)

    def unsqueeze_(self, dim):
        """Apply `unsqueeze` to this tensor itself."""
        return self._reordered(self.unsqueeze(dim).array)

    def _reordered(self, array):
        """Make this tensor one over `array`, its own memory in another shape or order."""
        self.array = array
        if self._base is None and not array.flags.c_contiguous:
            self._base = self  # a view of itself: operations do not look at the order of what is not a view
        return self._wrote()


def _view_error(array, sizes):
    sizes = sizes_of("view", sizes)
    if not sizes:
        return RuntimeError("view: expected at least one size: there are no zero-dimensional tensors in v0.1.x")
    return RuntimeError(
        f"view: a size of {shown_size(sizes)} does not hold the {array.size} elements of a tensor of size "
        f"{shown_size(array.shape)}"
    )
