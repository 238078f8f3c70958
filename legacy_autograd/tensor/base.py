"""`Tensor`: torch's v0.1.x method names over one numpy array (2016: C structs behind `torch/tensor.py`).

This file holds what all other parts need: the memory, the count of writes to it, and arithmetic; then one subclass for
each type. The other families of methods are inherited from classes in the files beside this one.
"""

from __future__ import annotations

import numbers
import os
import warnings
from typing import Any, Self

import numpy

from .. import conventions
from ..modern_names import NotInTensor
from . import buffer_pool
from .arguments import check_count, converted, numbers_of
from .arithmetic import divide, fmod, power, remainder
from .camel_case_methods import CamelCase
from .conversion import Conversion
from .draws import Randomness
from .dtypes import CLASSES, TYPE_NAMES, Size, default_dtype, supported
from .elementwise import combine
from .index import Indexing
from .inplace import InPlace
from .inplace_forms import InPlaceForms
from .messages import does_not_fit, shown_size
from .numpy_memory import byte_bounds, is_mapped, memory_of
from .printing import Printing
from .storage import LongStorage, Storage, seen_as, storage_class, storage_of
from .wrapping import TensorBase, over_numpy, shared_with_numpy, view_of, wrap

__all__ = [
    "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor", "LongTensor", "ShortTensor",
    "Tensor",
]  # fmt: skip

# As in torch, 1/0 is inf and 0/0 is nan without a warning. Only warnings from this package's own lines are silenced.
# numpy.errstate around every operation would take longer than most operations.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"legacy_autograd\.")

_new = object.__new__
# The count of writes has three digits: writes to a Tensor, optimizers' steps, in-place operations of Variables.
STEP, OPERATION = 1 << 40, 1 << 80  # a step or an operation adds this to the count


class Tensor(InPlaceForms, Indexing, InPlace, Randomness, Conversion, Printing, CamelCase, NotInTensor):
    """A multi-dimensional array of numbers of one type, with v0.1.x's methods.

    Every tensor is an instance of FloatTensor, LongTensor or another subclass, one for each type. `Tensor` itself makes
    the default type (double). There are no zero-dimensional tensors, as in v0.1.x: a single number is a Python number.

    Args:
        *contents: Sizes, for a tensor of zeros (2016: uninitialized memory); a sequence of numbers; an ndarray, whose
            memory is shared if its dtype is that of the tensor; a Tensor of the same type, whose memory is shared; or a
            Storage of the same type, whose memory is shared, with an offset, a size and strides (see `set_`). Default:
            an empty tensor.

    Example:
        >>> torch.DoubleTensor(2, 3).size()
        torch.Size([2, 3])
        >>> torch.DoubleTensor([[1, 2], [3, 4]]).sum()
        10.0
    """

    __slots__ = ("array", "_base", "_writes", "_viewers", "_part", "__weakref__")
    _viewers: Any  # of autograd/later/views.py
    __array_priority__ = 1000  # so that `ndarray * tensor` calls Tensor's method, whose error says what to do

    _dtype = None  # the numpy dtype of FloatTensor and the other subclasses

    def __init_subclass__(cls, dtype=None):
        if dtype is not None:
            cls._dtype = numpy.dtype(dtype)
            CLASSES[cls._dtype] = cls

    def __new__(cls, *contents: Any) -> Tensor:
        return _made(contents, cls._dtype or default_dtype(), cls.__name__)

    # --- the memory

    @property
    def data(self) -> Tensor:
        """The tensor itself, so that `w.grad.data` works whether `w.grad` is a Tensor or a Variable.

        An assignment makes this tensor share the memory of the other one, as `w.grad.data = w.grad.data.clone()` does.
        """
        return self

    @data.setter
    def data(self, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"data must be a Tensor, got {type(tensor).__name__}")
        if tensor is not self:
            self.set_(tensor)

    @property
    def _version(self):
        """The number of in-place writes to the memory, through this tensor or any other that shares it.

        Writes through an array from `numpy()`, or one that was passed to `from_numpy`, are not seen.
        """
        return version(self._writes if self._base is None else self._base._writes)

    def _wrote(self):
        """Count a write and return the tensor. Every in-place method ends with it."""
        owner = self if self._base is None else self._base
        owner._writes += 1
        return self

    def _wrote_as(self, kind):
        """Count a write of a kind, STEP or OPERATION, which can be told from writes to a Tensor."""
        owner = self if self._base is None else self._base
        owner._writes += kind

    def numpy(self) -> numpy.ndarray:
        """Return the numpy array behind this tensor, without a copy."""
        return shared_with_numpy(self)

    def share_memory_(self) -> Self:
        """Move the elements into memory that processes share (v0.1.4), and return this tensor.

        All tensors over the same memory move with it. Arrays from `numpy()` keep the old memory. Backward does not
        notice writes by another process.

        Raises:
            RuntimeError: If the system cannot fork.
        """
        if not hasattr(os, "fork"):
            raise RuntimeError("share_memory_: processes of this system cannot be forked, and so share no memory")
        if not self.is_shared():
            from . import shared_memory  # a web page has no processes

            shared_memory.move(self._memory(), self)
        return self

    def is_shared(self) -> bool:
        """Return whether `share_memory_` moved this tensor, or the one that it is a view of."""
        return is_mapped(memory_of(self.array))

    def _memory(self):
        """Return a Tensor over the memory that this one shares with others: itself, or the one that it is a view of.

        If the latter has moved to other memory, it is a new Tensor over all of the memory that its views share. It
        has their count of writes.
        """
        owner = self if self._base is None else self._base
        if owner is self or owner.array.dtype is not self.array.dtype:
            return self
        (low, high), (first, end) = map(byte_bounds, (owner.array, self.array))
        if low <= first and end <= high:
            return owner
        memory = memory_of(self.array)
        is_ours = isinstance(memory, numpy.ndarray) and memory.dtype is self.array.dtype and memory.flags.c_contiguous
        return wrap(memory, owner) if is_ours else self

    @classmethod
    def storage_type(cls) -> type[Storage]:
        """Return the class of this class's storages: FloatStorage for FloatTensor."""
        return storage_class(cls._dtype or default_dtype())

    def storage(self) -> Storage:
        """Return the Storage of this tensor: all of the memory that it and its views share, as one row of numbers.

        A tensor that was made over a part of a storage (`set_`) returns that part.

        Raises:
            RuntimeError: If the tensor is over a part of an array of numpy, whose memory is not contiguous.
        """
        owner = self._memory()
        part = getattr(self, "_part", None)
        if part is not None and part._row._memory() is owner:
            return part
        flat = owner.array.ravel(order="K")
        if flat.size and not (flat.flags.c_contiguous and numpy.shares_memory(flat, owner.array)):
            raise RuntimeError("storage: this tensor is a scattered part of a numpy array; call contiguous().storage()")
        return storage_of(owner, flat)

    def __array__(self, dtype=None, copy=None):
        if copy is False and dtype is not None and dtype != self.array.dtype:
            raise ValueError(f"a {self.type()} cannot be converted to {dtype} without a copy")
        array = self.array if dtype is None else self.array.astype(dtype, copy=False)
        return array.copy() if copy else shared_with_numpy(self) if array is self.array else array

    def clone(self) -> Self:
        """Return a copy in memory of its own."""
        array = self.array
        return wrap(array.copy() if array.nbytes < buffer_pool.LARGE else buffer_pool.copy(array))

    def new(self, *contents: Any) -> Self:
        """Return a tensor of the same type.

        Args:
            *contents: As for the constructors.
        """
        return _made(contents, self.array.dtype, "new")

    def __copy__(self):
        return view_of(self, self.array) if conventions.era.copy_shares_memory else self.clone()

    def __deepcopy__(self, memo):
        owner = self._memory()
        if not owner.array.flags.c_contiguous:  # over an array of numpy
            return self.clone()
        # Tensors that share memory share that of the copies.
        key = "legacy_autograd memory", id(owner if owner is self or owner is self._base else owner.array)
        copied = memo.get(key)
        if copied is None:
            copied = memo[key] = owner.clone()
        if owner is self:
            return copied
        offset = self.data_ptr() - owner.data_ptr()
        memory = copied.array.reshape(-1).view(numpy.uint8)
        array = numpy.ndarray(self.array.shape, self.array.dtype, memory, offset, self.array.strides)
        array.flags.writeable = self.array.flags.writeable
        return view_of(copied, array)

    def __reduce__(self):
        return _restored, (shared_with_numpy(self),)  # protocol 5 can pass the memory itself

    # --- arithmetic

    # A backward pass mostly computes sums, differences and products of two tensors. For speed, these three methods
    # do without `combine`, and write out `wrap`, if the tensors are neither views nor large.

    def add(self, other: TensorBase | float, tensor: TensorBase | None = None) -> Self:
        """Return self + other, pointwise; v0.1.x's `add(value, tensor)` is self + value * tensor.

        Args:
            other: A Tensor of the same type, or a number; with `tensor`, the factor of `tensor`.
            tensor: A Tensor of the same type. Default: none.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
        """
        if tensor is not None:
            other = tensor.mul(other)
        if type(other) is type(self) and self._base is other._base is None:
            a, b = self.array, other.array
            if a.nbytes < buffer_pool.LARGE and (conventions.era.broadcast == "always" or a.shape == b.shape):
                try:
                    result = numpy.add(a, b)
                except ValueError:
                    raise does_not_fit("add", a.shape, b.shape) from None
                tensor = _new(type(self))
                tensor.array = result
                tensor._base = None
                tensor._writes = 0
                return tensor
        return combine("add", numpy.add, self, other)

    def sub(self, other: TensorBase | float, tensor: TensorBase | None = None) -> Self:
        """Return self - other, pointwise; v0.1.x's `sub(value, tensor)` is self - value * tensor.

        Args:
            other: A Tensor of the same type, or a number; with `tensor`, the factor of `tensor`.
            tensor: A Tensor of the same type. Default: none.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
        """
        if tensor is not None:
            other = tensor.mul(other)
        if type(other) is type(self) and self._base is other._base is None:
            a, b = self.array, other.array
            if a.nbytes < buffer_pool.LARGE and (conventions.era.broadcast == "always" or a.shape == b.shape):
                try:
                    result = numpy.subtract(a, b)
                except ValueError:
                    raise does_not_fit("sub", a.shape, b.shape) from None
                tensor = _new(type(self))
                tensor.array = result
                tensor._base = None
                tensor._writes = 0
                return tensor
        return combine("sub", numpy.subtract, self, other)

    def mul(self, other: TensorBase | float) -> Self:
        """Return self * other, pointwise.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
        """
        if type(other) is type(self) and self._base is other._base is None:
            a, b = self.array, other.array
            if a.nbytes < buffer_pool.LARGE and (conventions.era.broadcast == "always" or a.shape == b.shape):
                try:
                    result = numpy.multiply(a, b)
                except ValueError:
                    raise does_not_fit("mul", a.shape, b.shape) from None
                tensor = _new(type(self))
                tensor.array = result
                tensor._base = None
                tensor._writes = 0
                return tensor
        return combine("mul", numpy.multiply, self, other)

    def div(self, other: TensorBase | float) -> Self:
        """Return self / other, pointwise; quotients of integers are rounded towards zero.

        Args:
            other: A Tensor of the same type, or a number.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
            ZeroDivisionError: If an integer is divided by 0.
        """
        return combine("div", divide, self, other)

    def pow(self, exponent: TensorBase | float) -> Self:
        """Return self ** exponent, pointwise.

        Args:
            exponent: A Tensor of the same type, or a number.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
            RuntimeError: If an integer is raised to a negative exponent.
        """
        return combine("pow", power, self, exponent)

    def remainder(self, divisor: TensorBase | float) -> Self:
        """Return the remainder of self / divisor with the sign of the divisor, pointwise.

        Args:
            divisor: A Tensor of the same type, or a number.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
            ZeroDivisionError: If an integer is divided by 0.
        """
        return combine("remainder", remainder, self, divisor)

    def fmod(self, divisor: TensorBase | float) -> Self:
        """Return the remainder of self / divisor with the sign of self, pointwise, like C's fmod.

        Args:
            divisor: A Tensor of the same type, or a number.

        Raises:
            TypeError: If a Tensor has another type, or a fraction meets integers.
            ValueError: If the shapes cannot be broadcast.
            ZeroDivisionError: If an integer is divided by 0.
        """
        return combine("fmod", fmod, self, divisor)

    def __add__(self, other):
        return self.add(other)

    __radd__ = __add__

    def __sub__(self, other):
        return self.sub(other)

    def __rsub__(self, other):
        return combine("sub", _reversed(numpy.subtract), self, other)

    def __mul__(self, other):
        return self.mul(other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self.div(other)

    def __rtruediv__(self, other):
        return combine("div", _reversed(divide), self, other)

    def __pow__(self, other):
        return self.pow(other)

    def __rpow__(self, other):
        return combine("pow", _reversed(power), self, other)

    def __mod__(self, other):
        return self.remainder(other)

    def __matmul__(self, other):
        return self.matmul(other)

    def __neg__(self):
        return self.neg()

    def __pos__(self):
        return self

    # --- Python's protocols

    def __len__(self):
        return self.array.shape[0]

    def __bool__(self) -> bool:
        """Return the truth of the only element; an empty tensor is false.

        Under the conventions of v0.1.1 a tensor is always true; under those of v0.1.12 only an empty one has a truth
        value.

        Raises:
            RuntimeError: If the tensor has several elements.
        """
        truth = conventions.era.truth_of_tensor
        if truth == "always":
            return True
        if self.array.size > (0 if truth == "empty" else 1):
            raise RuntimeError(f"bool value of a {self.type()} with {self.array.size} elements is ambiguous")
        return bool(self.array.any())

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __index__(self):
        number = self.item()
        if not isinstance(number, int):
            raise TypeError(f"only an integer tensor can be an index, not a {self.type()}")
        return number

    def item(self) -> Any:
        """Return the only element as a Python number.

        Raises:
            ValueError: If the tensor does not have exactly one element.
        """
        if self.array.size != 1:
            raise ValueError(f"item needs a tensor of one element, got the size {shown_size(self.array.shape)}")
        return self.array.item()

    def tolist(self) -> list:
        """Return the elements as nested lists of Python numbers."""
        return self.array.tolist()


CLASSES[None] = Tensor


def version(writes: int) -> int:
    """Return the number of in-place writes of all kinds.

    Args:
        writes: A count of writes.
    """
    return writes % STEP + writes % OPERATION // STEP + writes // OPERATION


def _reversed(operation):
    return lambda a, b, out=None: operation(b, a, out)


def _restored(array):
    return over_numpy(supported(array))  # an array that was unpickled has a dtype object of its own


class DoubleTensor(Tensor, dtype="float64"):
    """Tensors of numpy's float64. The constructor takes the arguments of `Tensor`."""

    __slots__ = ()


class FloatTensor(Tensor, dtype="float32"):
    """Tensors of numpy's float32. The constructor takes the arguments of `Tensor`."""

    __slots__ = ()


class HalfTensor(Tensor, dtype="float16"):
    """Tensors of numpy's float16. The constructor takes the arguments of `Tensor`."""

    __slots__ = ()


class LongTensor(Tensor, dtype="int64"):
    """Tensors of numpy's int64. The constructor takes the arguments of `Tensor`."""

    __slots__ = ()


class IntTensor(Tensor, dtype="int32"):
    """Tensors of numpy's int32. The constructor takes the arguments of `Tensor`."""

    __slots__ = ()


class ShortTensor(Tensor, dtype="int16"):
    """Tensors of numpy's int16. The constructor takes the arguments of `Tensor`."""

    __slots__ = ()


class CharTensor(Tensor, dtype="int8"):
    """Tensors of numpy's int8. The constructor takes the arguments of `Tensor`."""

    __slots__ = ()


class ByteTensor(Tensor, dtype="uint8"):
    """Tensors of numpy's uint8, which are masks as well. The constructor takes the arguments of `Tensor`."""

    __slots__ = ()


_tensor_classes = {kind for kind in CLASSES.values() if kind is not Tensor}


def _made(contents, dtype, name):
    """Return the Tensor for the arguments of a constructor (see `Tensor`)."""
    if not contents:
        return wrap(numpy.empty(0, dtype))
    content = contents[0]
    if isinstance(content, Storage):
        if content._dtype is dtype:
            tensor = view_of(content._row, seen_as(name, *contents))
            if content._is_part():
                tensor._part = content
            return tensor
        if len(contents) > 1 or not isinstance(content, LongStorage):
            raise TypeError(f"{name}: a {TYPE_NAMES[dtype]} cannot share the memory of a {content.type()}")
        contents = content.tolist()  # sizes, which were LongStorages in v0.1.1
    elif len(contents) == 1:
        if isinstance(content, Tensor):
            if content.array.dtype is not dtype:
                raise TypeError(f"{name}: expected a {TYPE_NAMES[dtype]}, got a {content.type()}")
            return view_of(content, content.array)
        if isinstance(content, numpy.ndarray):
            return over_numpy(converted(supported(content), dtype, name))
        if isinstance(content, (list, tuple, range)) and not isinstance(content, Size):
            return wrap(numbers_of(content, dtype, name))
        if isinstance(content, Size):
            contents = content
    if not all(isinstance(size, numbers.Integral) and not isinstance(size, bool) for size in contents):
        raise TypeError(
            f"{name}: expected sizes or one sequence of numbers, got ({', '.join(type(c).__name__ for c in contents)})"
        )
    if not contents:
        return wrap(numpy.empty(0, dtype))  # of the size of an empty tensor
    if any(size < 0 for size in contents):
        raise ValueError(f"{name}: sizes must not be negative, got {shown_size(contents)}")
    check_count(name, contents)
    return wrap(numpy.zeros(tuple(contents), dtype))
