"""In-place methods of Tensor: their names end in an underscore, and they return the tensor.

Each counts as a write (`_wrote`), so that backward notices when a tensor was changed after it was saved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy

from . import buffer_pool
from .arguments import number_for, tensor_array
from .backcompat import paired
from .dtypes import HALF
from .elementwise import clamped, combine_into, copied_into, put, value_and_tensors, writable
from .errors import SizeError
from .messages import does_not_fit, not_writable, shown
from .no_cuda import accept_async
from .wrapping import TensorBase, is_tensor, wrap


class InPlace(TensorBase):
    """The in-place methods of Tensor."""

    __slots__ = ()

    # --- filling and copying

    def zero_(self) -> Self:
        """Set every element to 0 and return the tensor.

        Raises:
            RuntimeError: If the memory is read-only. This holds for all in-place methods.
        """
        array = self.array
        if array.nbytes >= buffer_pool.SMALLEST and array.flags.c_contiguous:
            array = array.view(numpy.uint8)  # which numpy fills faster
        if not array.flags.writeable:  # numpy 1 would fill it
            raise not_writable("zero_", array)
        array.fill(0)
        if self._base is not None:
            return self._wrote()
        self._writes += 1  # type: ignore[misc]  # a slot of Tensor; this is `_wrote`, written out for speed
        return self

    def fill_(self, value: float) -> Self:
        """Set every element to `value`.

        Args:
            value: The number.

        Returns:
            This tensor.

        Raises:
            TypeError: If `value` is a fraction and the tensor holds integers.
            OverflowError: If `value` does not fit into the type of the tensor.
        """
        array = writable("fill_", self.array)
        array.fill(number_for("fill_", array, value))
        return self._wrote()

    def copy_(self, source: TensorBase, non_blocking: bool = False, broadcast: bool = True, **keywords: bool) -> Self:
        """Copy the elements of `source`, converted to the type of this tensor.

        Integers are converted as by `type`: fractions are cut off, and a number that does not fit does not raise.

        Args:
            source: A Tensor whose shape broadcasts to that of this tensor, or of as many elements, which are taken in
                order, as in v0.1.x.
            non_blocking: Ignored: there is no device to copy to. v0.1.x calls it `async`.
            broadcast: Whether `source` may be broadcast (0.2), or must have as many elements.
            **keywords: Only `async`.

        Returns:
            This tensor.

        Raises:
            TypeError: If `source` is not a Tensor.
            ValueError: If `source` has neither a shape that broadcasts nor as many elements.
        """
        if keywords:
            accept_async("copy_", keywords)
        if not is_tensor(source):
            raise TypeError(f"copy_: expected a Tensor, got {type(source).__name__}; fill_ takes a number")
        if not broadcast and source.array.size != self.array.size:
            raise does_not_fit("copy_", self.array.shape, source.array.shape, into=True)
        put(self.array, "copy_", paired("copy_", self.array, source.array, into=True))
        return self._wrote()

    # --- arithmetic

    def add_(self, other: TensorBase | float, tensor: TensorBase | None = None) -> Self:
        """Add `other` in place; v0.1.x's `add_(value, tensor)` adds value * tensor.

        Args:
            other: A Tensor of the same type, or a number; with `tensor`, the factor of `tensor`.
            tensor: A Tensor of the same type. Default: none.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shape of `other` cannot be broadcast to that of this tensor.
        """
        if tensor is not None:
            other = _scaled("add_", self, other, tensor)
        return combine_into("add_", numpy.add, self, other)

    def sub_(self, other: TensorBase | float, tensor: TensorBase | None = None) -> Self:
        """Subtract `other` in place; v0.1.x's `sub_(value, tensor)` subtracts value * tensor.

        Args:
            other: A Tensor of the same type, or a number; with `tensor`, the factor of `tensor`.
            tensor: A Tensor of the same type. Default: none.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shape of `other` cannot be broadcast to that of this tensor.
        """
        if tensor is not None:
            other = _scaled("sub_", self, other, tensor)
        return combine_into("sub_", numpy.subtract, self, other)

    def mul_(self, other: TensorBase | float) -> Self:
        """Multiply by `other` in place.

        Args:
            other: A Tensor of the same type, or a number.

        Returns:
            This tensor.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shape of `other` cannot be broadcast to that of this tensor.
        """
        return combine_into("mul_", numpy.multiply, self, other)

    def __iadd__(self, other):
        return self.add_(other)

    def __isub__(self, other):
        return self.sub_(other)

    def __imul__(self, other):
        return self.mul_(other)

    def __itruediv__(self, other):
        return self.div_(other)

    def __ipow__(self, other):
        return self.pow_(other)

    def __imod__(self, other):
        return self.remainder_(other)

    def __iand__(self, other):
        return self._bits("and", numpy.bitwise_and, other, combine_into)

    def __ior__(self, other):
        return self._bits("or", numpy.bitwise_or, other, combine_into)

    def __ixor__(self, other):
        return self._bits("xor", numpy.bitwise_xor, other, combine_into)

    def clamp_(self, min: float | None = None, max: float | None = None) -> Self:
        """Apply `clamp` in place.

        Args:
            min: The lower limit. Default: none.
            max: The upper limit. Default: none.

        Returns:
            This tensor.

        Raises:
            ValueError: If both are None.
        """
        return self._clamped("clamp_", min, max)

    def clamp_min_(self, min: float) -> Self:
        """Apply `clamp_min` in place.

        Args:
            min: The lower limit.

        Returns:
            This tensor.
        """
        return self._clamped("clamp_min_", min, None)

    def clamp_max_(self, max: float) -> Self:
        """Apply `clamp_max` in place.

        Args:
            max: The upper limit.

        Returns:
            This tensor.
        """
        return self._clamped("clamp_max_", None, max)

    def _clamped(self, name, low, high):
        array = self.array
        try:
            clamped(name, array, low, high, array)
        except ValueError as error:
            raise not_writable(name, array) or error from None
        return self._wrote()

    def addcmul_(self, *arguments: TensorBase | float, value: float = 1) -> Self:
        """Apply `addcmul` in place.

        Args:
            *arguments: The Tensors (t1, t2), or v0.1.x's (value, t1, t2).
            value: A factor, unless it is among the arguments.

        Returns:
            This tensor.
        """
        value, first, second = value_and_tensors("addcmul_", value, arguments)
        if self.array.dtype is HALF:
            return copied_into("addcmul_", self, self.addcmul(value, first, second))
        return self.add_(value, first.mul(second))

    def addcdiv_(self, *arguments: TensorBase | float, value: float = 1) -> Self:
        """Apply `addcdiv` in place.

        Args:
            *arguments: The Tensors (t1, t2), or v0.1.x's (value, t1, t2).
            value: A factor, unless it is among the arguments.

        Returns:
            This tensor.
        """
        value, first, second = value_and_tensors("addcdiv_", value, arguments)
        if self.array.dtype is HALF:
            return copied_into("addcdiv_", self, self.addcdiv(value, first, second))
        return self.add_(value, first.div(second))

    # --- a Python function

    def apply_(self, function: Callable[[Any], float]) -> Self:
        """Replace every element x by function(x), computed in Python and therefore slowly.

        Args:
            function: A function of one number.

        Returns:
            This tensor.
        """
        return self._mapped("apply_", function)

    def map_(self, tensor: TensorBase, function: Callable[[Any, Any], float]) -> Self:
        """Replace every element x by function(x, y), where y is the element of `tensor` at the same place.

        Args:
            tensor: A Tensor of as many elements, or one that broadcasts to this one.
            function: A function of two numbers.

        Returns:
            This tensor.

        Raises:
            ValueError: If `tensor` fits in neither way.
        """
        return self._mapped("map_", function, tensor)

    def map2_(self, x: TensorBase, y: TensorBase, function: Callable[[Any, Any, Any], float]) -> Self:
        """Replace every element by function(element, element of x, element of y).

        Args:
            x: A Tensor of as many elements, or one that broadcasts to this one.
            y: Another one.
            function: A function of three numbers.

        Returns:
            This tensor.

        Raises:
            ValueError: If a Tensor fits in neither way.
        """
        return self._mapped("map2_", function, x, y)

    def _mapped(self, name, function, *others):
        array = self.array
        elements = [array.ravel().tolist()]
        for other in others:
            numbers = paired(name, array, other.array, into=True) if is_tensor(other) else array[:0]
            try:
                same = numbers.size == array.size
                wide = numbers.reshape(array.shape) if same else numpy.broadcast_to(numbers, array.shape)
            except ValueError:
                raise SizeError(
                    f"{name}: expected a Tensor of as many elements as {shown(self)}, or one that broadcasts to it, "
                    f"got {shown(other)}"
                ) from None
            elements.append(wide.ravel().tolist())
        # All results are computed first: a function that raises must leave the tensor unchanged.
        numbers = [number_for(name, array, result) for result in map(function, *elements)]
        return self._put(name, numpy.array(numbers, array.dtype).reshape(array.shape))

    def _put(self, name, source, key=...):
        put(self.array, name, source, key)
        return self._wrote()


def _scaled(name, tensor, value, other):
    """Return value * other as a Tensor of the type of `tensor`."""
    array = tensor_array(name, tensor.array, other)
    if is_tensor(value):
        raise TypeError(f"{name}: expected (number, tensor), got ({shown(value)}, {shown(other)})")
    # The product lives for one addition only, so its memory can be reused for the next.
    return wrap(numpy.multiply(array, number_for(name, array, value), buffer_pool.like(array)))
