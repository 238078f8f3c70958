"""The shape of a Tensor, its views, and copies in another shape (2016: `torch/tensor.py`, TH's THTensor.c).

A view shares the memory of its tensor, and the count of writes to it.
"""

import math
import numbers
from collections.abc import Sequence
from typing import Any, Self

import numpy

from .. import conventions
from .arguments import check_count, dimension, sizes_of, tensor_array
from .dtypes import Size
from .errors import RangeError, SizeError
from .messages import shown, shown_size
from .storage import Storage, seen_as
from .wrapping import TensorBase, view_of, wrap, wrap_in_c_order

_tuple_new = tuple.__new__


class Shaping(TensorBase):
    """The methods of Tensor that return its shape or change it."""

    __slots__ = ()

    # --- properties

    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the size of one dimension.

        Args:
            dim: The dimension. Default: all of them.

        Returns:
            A `Size` if `dim` is None, else an integer.

        Raises:
            IndexError: If there is no such dimension.
        """
        shape = self.array.shape
        if dim is None:
            return _tuple_new(Size, shape if shape[0] or not conventions.era.empty_has_no_dimension else ())
        return shape[dim if type(dim) is int and 0 <= dim < len(shape) else dimension("size", shape, dim)]

    @property
    def shape(self) -> Size:
        """Return the shape, as `size()` does."""
        return self.size()

    def dim(self) -> int:
        """Return the number of dimensions: at least 1, or under the conventions of v0.1.x 0 for an empty tensor."""
        shape = self.array.shape
        return len(shape) if shape[0] or not conventions.era.empty_has_no_dimension else 0

    ndimension = dim

    def numel(self) -> int:
        """Return the number of elements."""
        return self.array.size

    nelement = numel

    def stride(self, dim: int | None = None) -> Any:
        """Return the distances in memory between neighbouring elements, counted in elements.

        Args:
            dim: The dimension. Default: all of them.

        Returns:
            A tuple if `dim` is None, else an integer.

        Raises:
            IndexError: If there is no such dimension.
        """
        array = self.array
        if dim is None:
            return tuple([step // array.itemsize for step in array.strides])
        return array.strides[dimension("stride", array.shape, dim)] // array.itemsize

    def storage_offset(self) -> int:
        """Return the index in the storage of the first element; 0 for a tensor that is not a view."""
        return (self.data_ptr() - self._memory().data_ptr()) // self.array.itemsize

    def element_size(self) -> int:
        """Return the number of bytes of one element."""
        return self.array.itemsize

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return self.array.__array_interface__["data"][0]

    def is_contiguous(self) -> bool:
        """Return whether the elements lie in memory one after another, in C order."""
        return self.array.flags.c_contiguous

    def is_same_size(self, other: TensorBase) -> bool:
        """Return whether `other` has the shape of this tensor.

        Args:
            other: A Tensor.
        """
        return self.array.shape == other.array.shape

    def is_size(self, size: Sequence[int]) -> bool:
        """Return whether this tensor has the shape `size`.

        Args:
            size: A Size, tuple or list.
        """
        return self.array.shape == tuple(size)

    def is_set_to(self, other: TensorBase) -> bool:
        """Return whether `other` has the same memory, shape and strides.

        Args:
            other: A Tensor.
        """
        return self.array.__array_interface__ == other.array.__array_interface__

    # --- views

    def contiguous(self) -> Self:
        """Return the tensor itself if it is contiguous, else a contiguous copy."""
        array = self.array
        return self if array.flags.c_contiguous else wrap(array.copy("C"))

    def view(self, *sizes: int | Sequence[int]) -> Self:
        """Return a view in another shape.

        Args:
            *sizes: The sizes as integers, or as one tuple, list, Size or LongStorage. One of them may be -1; it
                is computed from the others.

        Raises:
            RuntimeError: If the sizes do not fit the number of elements, or the tensor is not contiguous.

        Example:
            >>> torch.zeros(4, 6).view(-1, 8).size()
            torch.Size([3, 8])
        """
        array = self.array
        if not array.flags.c_contiguous:
            raise RuntimeError(
                f"view: the elements of {shown(self)} and strides {self.stride()} are not contiguous in memory; "
                "call .contiguous() before .view()"
            )
        shape: Any = sizes
        if shape and type(shape[0]) is not int:
            shape = tuple(sizes_of("view", shape))
        if not shape and not array.size and conventions.era.empty_has_no_dimension:
            shape = (0,)
        try:
            viewed = array.reshape(*shape)
        except (ValueError, TypeError):
            raise _view_error(array, shape) from None
        if viewed.shape != shape and (viewed.ndim == 0 or min(shape) < -1):  # numpy takes any negative size for -1
            raise _view_error(array, shape)
        return view_of(self, viewed)

    def view_as(self, other: TensorBase) -> Self:
        """Return a view in the shape of `other`.

        Args:
            other: A Tensor of as many elements.

        Raises:
            RuntimeError: If the shape does not fit, or the tensor is not contiguous.
        """
        return self.view(*other.size())

    def reshape(self, *sizes: int | Sequence[int]) -> Self:
        """Return a view in another shape, or a copy if the tensor is not contiguous (added to torch after v0.1.x).

        Args:
            *sizes: As for `view`.

        Raises:
            RuntimeError: If the sizes do not fit the number of elements.
        """
        return self.contiguous().view(*sizes)

    def t(self) -> Self:
        """Return the transpose of a matrix, as a view.

        Raises:
            RuntimeError: If the tensor does not have two dimensions.
        """
        array = self.array
        if array.ndim != 2:
            raise RuntimeError(f"t: expected a matrix (2 dimensions), got {shown(self)}; see transpose and permute")
        return view_of(self, array.T)

    def transpose(self, dim0: int, dim1: int) -> Self:
        """Return a view with two dimensions exchanged.

        Args:
            dim0: A dimension.
            dim1: The other dimension.

        Raises:
            IndexError: If there is no such dimension.
        """
        array = self.array
        swapped = array.swapaxes(dimension("transpose", array.shape, dim0), dimension("transpose", array.shape, dim1))
        return view_of(self, swapped)

    def permute(self, *dims: int | Sequence[int]) -> Self:
        """Return a view with the dimensions in another order.

        Args:
            *dims: The dimensions, each of them once, as integers or as one tuple or list.

        Raises:
            ValueError: If a dimension is missing or is given twice.
        """
        array = self.array
        order = [dimension("permute", array.shape, dim) for dim in sizes_of("permute", dims)]
        if sorted(order) != list(range(array.ndim)):
            raise SizeError(f"permute: {shown(self)} needs each of its dimensions once, got {tuple(order)}")
        return view_of(self, array.transpose(order))

    def expand(self, *sizes: int | Sequence[int]) -> Self:
        """Return a view in which dimensions of size 1 are repeated.

        The repeated elements share one place in memory, so the result is read-only.

        Args:
            *sizes: The sizes of the result, as integers or as one tuple, list, Size or LongStorage. -1 keeps a size.
                Additional dimensions come first.

        Raises:
            ValueError: If a dimension has neither size 1 nor the requested size.

        Example:
            >>> torch.Tensor([[1], [2]]).expand(2, 3).tolist()
            [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]
        """
        array = self.array
        wanted = sizes_of("expand", sizes)
        added = len(wanted) - array.ndim
        if added < 0:
            raise SizeError(f"expand: {shown(self)} has more dimensions than the {len(wanted)} sizes {tuple(wanted)}")
        shape, strides = list(wanted), [0] * len(wanted)
        dim = added
        for length, stride in zip(array.shape, array.strides):
            if shape[dim] == length or shape[dim] == -1:
                shape[dim], strides[dim] = length, stride
            elif length != 1:
                raise SizeError(
                    f"expand: {shown(self)} cannot become {shown_size(wanted)}: dimension {dim} has the size {length}, "
                    "and only size 1 can be repeated"
                )
            dim += 1
        for dim in reversed(range(added)):
            if shape[dim] == 1:  # the stride that unsqueeze gives
                strides[dim] = shape[dim + 1] * strides[dim + 1]
        if min(shape, default=0) < 0:
            raise SizeError(f"expand: a size must not be negative, except -1 for an existing dimension; got {wanted}")
        if array.flags.c_contiguous and array.size:
            # The same as broadcast_to, and faster. It needs one block of memory.
            expanded = numpy.ndarray(shape, array.dtype, array, 0, strides)
            if expanded.size != array.size:
                expanded.setflags(write=False)
        else:
            expanded = numpy.broadcast_to(array, shape)
            if expanded.size == array.size and array.flags.writeable:
                expanded = array.reshape(shape)
        return view_of(self, expanded)

    def expand_as(self, other: TensorBase) -> Self:
        """Return `expand` to the shape of `other`.

        Args:
            other: A Tensor.
        """
        return self.expand(*other.size())

    def squeeze(self, dim: int | None = None) -> Self:
        """Return a view without the dimensions of size 1; one dimension always stays.

        Args:
            dim: The only dimension to remove, if it has size 1. Default: all of size 1.
        """
        array = self.array
        if dim is None:
            array = array.squeeze()
        else:
            dim = dimension("squeeze", array.shape, dim)
            if array.shape[dim] == 1:
                array = array.squeeze(dim)
        return view_of(self, array if array.ndim else array.reshape(1))

    def unsqueeze(self, dim: int) -> Self:
        """Return a view with an additional dimension of size 1.

        Args:
            dim: The position of the new dimension; negative ones count from the end of the result.
        """
        dim = dimension("unsqueeze", self.array.shape, dim, new=1)
        if not self.array.shape[0] and conventions.era.empty_has_no_dimension:
            raise SizeError("unsqueeze: expected a tensor with elements, got an empty one")
        return view_of(self, numpy.expand_dims(self.array, dim))

    def select(self, dim: int, index: int) -> Any:
        """Return the part at `index` along `dim`.

        Args:
            dim: The dimension; negative ones count from the end.
            index: The index; negative ones count from the end.

        Returns:
            A view without `dim`, or a number if this tensor is a vector.

        Raises:
            IndexError: If `dim` or `index` is out of range.
        """
        array = self.array
        dim = dimension("select", array.shape, dim)
        if not isinstance(index, numbers.Integral) or isinstance(index, bool):
            raise TypeError(f"select: the index is an integer, got {shown(index)}")
        length = array.shape[dim]
        if not -length <= index < length:
            where = f"dimension {dim} of size {length} (of a tensor of size {shown_size(array.shape)})"
            raise RangeError(f"select: index {index} is out of range for {where}")
        part = array[(slice(None),) * dim + (index,)]  # not `self[…]`: the conventions may keep the dimension there
        return view_of(self, part) if part.ndim else part.item()

    def narrow(self, dim: int, start: int, length: int) -> Self:
        """Return a view of `length` parts along `dim`, beginning at `start`.

        Args:
            dim: The dimension; negative ones count from the end.
            start: The first index; negative ones count from the end.
            length: The number of parts.

        Raises:
            IndexError: If there are fewer parts.
        """
        shape = self.array.shape
        dim = dimension("narrow", shape, dim)
        start, length = sizes_of("narrow", (start, length))
        first = start + shape[dim] if start < 0 else start
        if first < 0 or length < 0 or first + length > shape[dim]:
            raise RangeError(
                f"narrow: dimension {dim} of {shown(self)} has size {shape[dim]}, too small for {length} elements from "
                f"{start} on"
            )
        return view_of(self, self.array[(slice(None),) * dim + (slice(first, first + length),)])

    def split(self, split_size: int | Sequence[int], dim: int = 0) -> tuple[Self, ...]:
        """Return a tuple of views: the pieces of this tensor along `dim`.

        Args:
            split_size: The size of a piece, of which the last may be smaller; or a list with the size of each.
            dim: The dimension; negative ones count from the end.

        Raises:
            ValueError: If the sizes are not positive, or do not add up to that of `dim`.
        """
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

    def chunk(self, chunks: int, dim: int = 0) -> tuple[Self, ...]:
        """Return a tuple of at most `chunks` views along `dim`, of equal size except for the last.

        Args:
            chunks: The number of pieces.
            dim: The dimension; negative ones count from the end.

        Raises:
            ValueError: If `chunks` is not positive.
        """
        (count,) = sizes_of("chunk", (chunks,))
        if count <= 0:
            raise SizeError(f"chunk: the number of parts must be positive, got {count}")
        length = self.array.shape[dimension("chunk", self.array.shape, dim)]
        if length == 0:
            return (self.narrow(dim, 0, 0),) * count
        return self.split(-(-length // count), dim)

    def unfold(self, dim: int, size: int, step: int) -> Self:
        """Return all windows of `size` along `dim` as a view, with their elements in an additional last dimension.

        The size L of `dim` becomes (L - size) // step + 1. Windows that overlap share memory.

        Args:
            dim: The dimension; negative ones count from the end.
            size: The size of a window.
            step: The distance between the beginnings of two windows.

        Raises:
            ValueError: If a window does not fit, or `size` or `step` is not positive.

        Example:
            >>> torch.arange(5).unfold(0, 3, 1).tolist()
            [[0.0, 1.0, 2.0], [1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]
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

    def repeat(self, *sizes: int | Sequence[int]) -> Self:
        """Return a copy in which each dimension is repeated.

        Args:
            *sizes: How often to repeat each dimension, as integers or as one tuple, list, Size or LongStorage.
                Additional numbers add dimensions in front.

        Raises:
            ValueError: If there are fewer numbers than dimensions, or one is negative.

        Example:
            >>> torch.Tensor([1, 2]).repeat(2, 2).tolist()
            [[1.0, 2.0, 1.0, 2.0], [1.0, 2.0, 1.0, 2.0]]
        """
        counts = sizes_of("repeat", sizes)
        if len(counts) < self.array.ndim or any([count < 0 for count in counts]):
            raise SizeError(f"repeat: {shown(self)} needs {self.array.ndim} or more numbers >= 0, got {tuple(counts)}")
        before = (1,) * (len(counts) - self.array.ndim) + self.array.shape
        check_count("repeat", [size * count for size, count in zip(before, counts)])
        return wrap_in_c_order(numpy.tile(self.array, counts))

    def diag(self, k: int = 0) -> Self:
        """Return a diagonal of a matrix as a vector, or the matrix with this vector as a diagonal; a copy.

        Args:
            k: The diagonal: 0 is the main one, positive ones are above it.

        Raises:
            ValueError: If the tensor has more than two dimensions.
        """
        if self.array.ndim > 2:
            raise SizeError(f"diag: expected a vector or a matrix, got {shown(self)}")
        return wrap(numpy.array(numpy.diag(self.array, *sizes_of("diag", (k,)))))

    def tril(self, k: int = 0) -> Self:
        """Return a copy of a matrix, or of a batch of them, with zeros above a diagonal.

        Args:
            k: The diagonal: 0 is the main one, positive ones are above it.

        Raises:
            ValueError: If the tensor is a vector.
        """
        return wrap_in_c_order(numpy.tril(self._matrices("tril"), *sizes_of("tril", (k,))))

    def triu(self, k: int = 0) -> Self:
        """Return a copy of a matrix, or of a batch of them, with zeros below a diagonal.

        Args:
            k: The diagonal: 0 is the main one, positive ones are above it.

        Raises:
            ValueError: If the tensor is a vector.
        """
        return wrap_in_c_order(numpy.triu(self._matrices("triu"), *sizes_of("triu", (k,))))

    def trace(self) -> float:
        """Return the sum of the diagonal of a matrix.

        Raises:
            ValueError: If the tensor is not a matrix.
        """
        if self.array.ndim != 2:
            raise SizeError(f"trace: expected a matrix, got {shown(self)}")
        return self.array.trace().item()

    def _matrices(self, name):
        if self.array.ndim < 2:
            raise SizeError(f"{name}: expected a matrix, got {shown(self)}")
        return self.array

    # --- changes of this tensor's own shape or memory

    def resize_(self, *sizes: int | Sequence[int]) -> Self:
        """Change the shape of this tensor. The elements stay in their order; additional ones are zeros.

        If elements are added, the tensor gets memory of its own: views and arrays of numpy keep the old memory.

        Args:
            *sizes: The sizes as integers, or as one tuple, list, Size or LongStorage.

        Returns:
            This tensor.

        Raises:
            ValueError: If a size is negative.
        """
        shape = sizes_of("resize_", sizes)
        if len(shape) == 0 and conventions.era.empty_has_no_dimension:
            shape = (0,)
        if not shape or any([size < 0 for size in shape]):
            raise SizeError(f"resize_: sizes must not be negative, got {tuple(shape)}")
        count, array = math.prod(shape), self.array
        if count <= array.size and array.flags.c_contiguous:
            self.array = array.reshape(-1)[:count].reshape(shape)  # type: ignore[misc]  # a slot of Tensor
            return self._wrote()
        check_count("resize_", shape)
        grown = numpy.zeros(count, array.dtype)
        grown[: array.size] = array.reshape(-1)[:count]
        return self._moved(grown.reshape(shape), None)

    def resize_as_(self, other: TensorBase) -> Self:
        """Resize this tensor to the shape of `other`, as `resize_` does.

        Args:
            other: A Tensor.

        Returns:
            This tensor.
        """
        return self.resize_(*other.size())

    def set_(
        self,
        source: TensorBase | Storage | None = None,
        storage_offset: int = 0,
        size: Sequence[int] | None = None,
        stride: Sequence[int] | None = None,
    ) -> Self:
        """Let this tensor share the memory of a Tensor or Storage.

        Args:
            source: A Tensor or Storage of the same type. Default: none, which makes this tensor empty.
            storage_offset: The index in a Storage at which the tensor begins.
            size: The shape, for a Storage. Default: a vector of all that follows.
            stride: The strides, for a Storage. Default: those of C order.

        Returns:
            This tensor.

        Raises:
            TypeError: If `source` has another type, or a Tensor is given with an offset, a size or strides.
            RuntimeError: If the Storage is too small.
        """
        if source is None:
            return self._moved(numpy.empty(0, self.array.dtype), None)
        part = None
        if isinstance(source, Storage):
            array = seen_as("set_", source, storage_offset, size, stride)
            part, tensor = source, source._row
            tensor_array("set_", self.array, tensor)
        else:
            array, tensor = tensor_array("set_", self.array, source), source
            if storage_offset or size is not None or stride is not None:
                raise TypeError("set_: an offset, a size and strides need a Storage; pass tensor.storage()")
        owner = tensor if tensor._base is None else tensor._base
        is_part = part is not None and owner is not self and part._is_part()
        self._part = part if is_part else None
        return self._moved(array, None if owner is self and array.flags.c_contiguous else owner)

    def _moved(self, array, owner):
        """Use `array` as the memory of this tensor; it belongs to the tensor `owner`, or to this one."""
        writes = self._writes if self._base is None else self._base._writes
        self.array = array
        self._base = owner
        # Backward must notice that a saved tensor has other memory now, so the count must not decrease.
        holder = self if owner is None else owner
        self._writes = holder._writes = max(writes, holder._writes) + 1
        return self

    def transpose_(self, dim0: int, dim1: int) -> Self:
        """Apply `transpose` in place.

        Args:
            dim0: A dimension.
            dim1: The other dimension.

        Returns:
            This tensor.
        """
        return self._reordered(self.transpose(dim0, dim1).array)

    def t_(self) -> Self:
        """Apply `t` in place and return the tensor."""
        return self._reordered(self.t().array)

    def squeeze_(self, dim: int | None = None) -> Self:
        """Apply `squeeze` in place.

        Args:
            dim: The only dimension to remove, if it has size 1. Default: all of size 1.

        Returns:
            This tensor.
        """
        return self._reordered(self.squeeze(dim).array)

    def unsqueeze_(self, dim: int) -> Self:
        """Apply `unsqueeze` in place.

        Args:
            dim: The position of the new dimension; negative ones count from the end of the result.

        Returns:
            This tensor.
        """
        return self._reordered(self.unsqueeze(dim).array)

    def _reordered(self, array):
        """Use `array` as this tensor's array: its own memory in another shape or order."""
        self.array = array
        if self._base is None and not array.flags.c_contiguous:
            self._base = self  # a view of itself, because operations check the order of views only
        return self._wrote()


def _view_error(array, sizes):
    sizes = sizes_of("view", sizes)
    if not sizes:
        return RuntimeError("view: expected at least one size: there are no zero-dimensional tensors in v0.1.x")
    return RuntimeError(
        f"view: a size of {shown_size(sizes)} does not hold the {array.size} elements of a tensor of size "
        f"{shown_size(array.shape)}"
    )
