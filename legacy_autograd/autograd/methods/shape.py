"""Shapes and views of a Variable; their Functions are in `functions/tensor.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

from ... import conventions
from ...tensor import Tensor
from ...tensor.dtypes import Size
from ..functions.tensor import (
    Chunk,
    Contiguous,
    Diag,
    Expand,
    Narrow,
    Permute,
    Repeat,
    Resize,
    Select,
    Split,
    Squeeze,
    Trace,
    Tril,
    Triu,
    Unfold,
    Unsqueeze,
)
from ..variable import Variable
from ._attach import attach


class ShapeMethods:
    """The shape, views and parts."""

    # Of Variable, to which these methods are attached.
    data: Tensor
    contiguous_: Callable[[], Self]
    view: Callable[..., Variable]

    def size(self, dim: int | None = None) -> Any:
        """Return the shape as a Size, or the size of one dimension as an int.

        Args:
            dim: The dimension. Default: all.

        Raises:
            IndexError: For an unknown dimension.
        """
        return self.data.size(dim)

    @property
    def shape(self) -> Size:
        """The shape, as `size()` returns it."""
        return self.data.shape

    def dim(self) -> int:
        """Return the number of dimensions, at least 1."""
        return self.data.dim()

    def numel(self) -> int:
        """Return the number of elements."""
        return self.data.numel()

    def stride(self, dim: int | None = None) -> Any:
        """Return the strides in elements as a tuple, or the stride of one dimension as an int.

        Args:
            dim: The dimension. Default: all.
        """
        return self.data.stride(dim)

    def storage_offset(self) -> int:
        """Return the index of the first element in the memory that `data` shares; 0 if it is no view."""
        return self.data.storage_offset()

    def element_size(self) -> int:
        """Return the number of bytes of one element."""
        return self.data.element_size()

    def is_contiguous(self) -> bool:
        """Return whether the elements are adjacent in memory, the last dimension varying fastest."""
        return self.data.is_contiguous()

    def is_same_size(self, other: Variable | Tensor) -> bool:
        """Return whether `other` has the same shape.

        Args:
            other: The Variable or Tensor to compare with.
        """
        return self.data.is_same_size(other)

    def is_set_to(self, other: Variable | Tensor) -> bool:
        """Return whether `other` is the same memory with the same shape and strides.

        Args:
            other: The Variable or Tensor to compare with.
        """
        return self.data.is_set_to(other.data)

    def contiguous(self) -> Self:
        """Return x itself if it is contiguous, else a contiguous copy.

        Under v0.1.12's conventions it returns x in both cases and replaces its data, as `contiguous_` does.

        Gradient:
            `g`, the gradient of the result.
        """
        if self.is_contiguous():
            return self
        return Contiguous()(self)[0] if conventions.era.contiguous_is_another else self.contiguous_()

    def reshape(self, *sizes: int | Sequence[int]) -> Variable:
        """Return x with another shape: a view where memory allows it, else a copy.

        Args:
            *sizes: The new shape.

        Gradient:
            g, the gradient of the result, in the shape of x.
        """
        return self.contiguous().view(*sizes)

    def resize(self, *sizes: int | Sequence[int]) -> Variable:
        """Return x with another shape: a view where memory allows it, else a copy (v0.1.5).

        Args:
            *sizes: The new shape, with as many elements.

        Raises:
            RuntimeError: For another number of elements.

        Gradient:
            g, the gradient of the result, in the shape of x.
        """
        return Resize(*sizes)(self)[0]

    def resize_as(self, other: Variable) -> Variable:
        """Return `resize` to the shape of `other`.

        Args:
            other: The Variable that gives the shape. It receives no gradient.
        """
        return self.resize(*other.size())

    def view_as(self, other: Variable) -> Variable:
        """Return `view` with the shape of `other`.

        Args:
            other: The Variable that gives the shape. It receives no gradient.
        """
        return self.view(*other.size())

    def permute(self, *dims: int) -> Variable:
        """Return a view with the dimensions in another order.

        Args:
            *dims: The numbers of the dimensions in their new order.

        Gradient:
            g, the gradient of the result, with its dimensions in their old order.
        """
        return Permute(*dims)(self)[0]

    def expand(self, *sizes: int | Sequence[int]) -> Variable:
        """Return a view in which dimensions of size 1 are repeated.

        Args:
            *sizes: The new sizes; -1 keeps a size.

        Raises:
            ValueError: For a dimension whose size is neither 1 nor the new one.

        Gradient:
            g, the gradient of the result, summed over the repetitions.
        """
        return Expand(*sizes)(self)[0]

    def expand_as(self, other: Variable) -> Variable:
        """Return `expand` to the shape of `other`.

        Args:
            other: The Variable that gives the shape. It receives no gradient.
        """
        return self.expand(*other.size())

    def repeat(self, *sizes: int | Sequence[int]) -> Variable:
        """Return a copy that repeats x along each dimension.

        Args:
            *sizes: How often to repeat along each dimension.

        Gradient:
            g, the gradient of the result, summed over the repetitions.
        """
        return Repeat(*sizes)(self)[0]

    def squeeze(self, dim: int | None = None) -> Variable:
        """Return a view without the dimensions of size 1.

        Args:
            dim: The only dimension to remove, if it has size 1. Default: all of size 1.

        Gradient:
            g, the gradient of the result, in the shape of x.
        """
        return Squeeze(dim)(self)[0]

    def unsqueeze(self, dim: int) -> Variable:
        """Return a view with a new dimension of size 1.

        Args:
            dim: The number of the new dimension.

        Gradient:
            g, the gradient of the result, without that dimension.
        """
        return Unsqueeze(dim)(self)[0]

    def unfold(self, dim: int, size: int, step: int) -> Variable:
        """Return a view of all windows along `dim`, in a new last dimension.

        Args:
            dim: The dimension.
            size: The size of a window.
            step: The distance between the starts of two windows.

        Gradient:
            The windows of g, the gradient of the result, added where they overlap.

        Example:
            >>> Variable(torch.Tensor([1, 2, 3, 4, 5])).unfold(0, 3, 2).data.tolist()
            [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]
        """
        return Unfold(dim, size, step)(self)[0]

    def narrow(self, dim: int, start: int, length: int) -> Variable:
        """Return a view of consecutive slices along `dim`.

        Args:
            dim: The dimension.
            start: The first slice.
            length: The number of slices.

        Raises:
            IndexError: If there are not that many slices.

        Gradient:
            g, the gradient of the result, in those slices; 0 elsewhere.
        """
        return Narrow(dim, start, length)(self)[0]

    def select(self, dim: int, index: int) -> Variable:
        """Return a view of one slice, without the dimension `dim`; of a vector, shape (1,).

        Args:
            dim: The dimension.
            index: The position of the slice along it.

        Gradient:
            g, the gradient of the result, in that slice; 0 elsewhere.
        """
        return Select(dim, index)(self)[0]

    def split(self, split_size: int | Sequence[int], dim: int = 0) -> tuple[Variable, ...]:
        """Return x in parts along `dim`, as a tuple of views.

        Args:
            split_size: The size of each part, of which the last may be smaller, or a list of sizes.
            dim: The dimension.

        Gradient:
            The gradients of the parts, concatenated.
        """
        return Split(split_size, dim)(self)

    def chunk(self, chunks: int, dim: int = 0) -> tuple[Variable, ...]:
        """Return x in parts of equal size along `dim`, as a tuple of views. The last part may be smaller.

        Args:
            chunks: The largest number of parts.
            dim: The dimension.

        Gradient:
            The gradients of the parts, concatenated.
        """
        return Chunk(chunks, dim)(self)

    def diag(self, k: int = 0) -> Variable:
        """Return a diagonal of a matrix, or a matrix with this vector as a diagonal and 0 elsewhere.

        Args:
            k: The number of the diagonal: 0 the main one, above it positive, below it negative.

        Gradient:
            Of a matrix: g, the gradient of the result, on that diagonal and 0 elsewhere. Of a vector: that diagonal of
            g.
        """
        return Diag(k)(self)[0]

    def tril(self, k: int = 0) -> Variable:
        """Return x with zeros above the `k`-th diagonal.

        Args:
            k: The number of the diagonal, as for `diag`.

        Gradient:
            `tril(g, k)`, where g is the gradient of the result.
        """
        return Tril(k)(self)[0]

    def triu(self, k: int = 0) -> Variable:
        """Return x with zeros below the `k`-th diagonal.

        Args:
            k: The number of the diagonal, as for `diag`.

        Gradient:
            `triu(g, k)`, where g is the gradient of the result.
        """
        return Triu(k)(self)[0]

    def trace(self) -> Variable:
        """Return the sum of the diagonal of a matrix, with shape (1,).

        Gradient:
            `g * eye(*x.shape)`, where g is the gradient of the result.
        """
        return Trace()(self)[0]


attach(ShapeMethods)
