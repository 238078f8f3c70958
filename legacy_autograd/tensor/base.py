"""`Tensor`: torch's v0.1.x method names over one numpy array (2016: C structs behind `torch/tensor.py`).

This file holds what every other part of the class rests on: the memory, who shares it, the count of writes to it, the
types, and arithmetic. The other families of methods are mixed in from the files beside this one.
"""

import mmap
import numbers
import os
import warnings

import numpy

from . import memory, wrapping
from .arithmetic import divide, fmod, power, remainder
from .blas import Blas
from .index import Indexing
from .inplace import InPlace
from .pointwise import Pointwise
from .printing import Printing
from .random import Randomness
from .reduce import Reductions
from .shape import Shaping
from .types import TYPE_NAMES, Size, default_dtype, dtype_of_type, supported
from .wrapping import combine, from_result, shown_size, view_of, wrap  # noqa: F401

# As in torch, 1/0 is inf and 0/0 is nan without a word. Only warnings raised by this package's own lines are silenced:
# numpy.errstate around every operation would cost four times as much as the operation (0.8 µs to 0.2 µs).
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"legacy_autograd\.")

STEP = 1 << 40  # an optimizer's step counts as so many writes at once: more than there ever are of the other kind


class Tensor(Pointwise, Reductions, Shaping, Indexing, Blas, InPlace, Randomness, Printing):
    """A multi-dimensional array of numbers of one type, with v0.1.x's methods.

    `Tensor(2, 3)` has that size and holds zeros (2016: whatever the memory held), `Tensor([[1, 2]])` those numbers,
    `Tensor(ndarray)` shares the array's memory if its dtype is the tensor's and copies it otherwise. `Tensor` makes
    the default type (double); `FloatTensor`, `LongTensor` … make theirs. Every tensor is an instance of Tensor, and
    `isinstance(x, FloatTensor)` asks for its type.

    There are no zero-dimensional tensors, as in v0.1.x: what would be one is a Python number.
    """

    __slots__ = ("array", "_base", "_writes", "__weakref__")
    __array_priority__ = 1000  # so that `ndarray * tensor` comes here, and is refused with a sentence

    dtype_of_class = None  # the numpy dtype of FloatTensor and its sisters

    def __new__(cls, *contents):
        return wrap(_array_of(contents, cls.dtype_of_class or default_dtype(), cls.__name__))

    # --- the memory

    @property
    def data(self):
        """The tensor itself, so that `w.grad.data` works whether `w.grad` is a Tensor or a Variable.

        What is assigned to it, this tensor becomes: `w.grad.data = w.grad.data.clone()`, `w.grad.data *= 2`.
        """
        return self

    @data.setter
    def data(self, tensor):
        if type(tensor) is not Tensor:
            raise TypeError(f"data must be a Tensor, got {type(tensor).__name__}")
        if tensor is not self:
            self.set_(tensor)

    @property
    def _version(self):
        """How often the memory was written to in place, through this tensor or any other that shares it.

        Writes through the array that `numpy()` gave, or that `from_numpy` was given, cannot be seen.
        """
        writes = self._writes if self._base is None else self._base._writes
        return writes % STEP + writes // STEP

    def _wrote(self):
        """Count a write; every in-place method ends with it. Returns the tensor."""
        owner = self if self._base is None else self._base
        owner._writes += 1
        return self

    def _stepped(self):
        """Count a write by an optimizer's step: in a place of its own, so that it can be told from all others."""
        owner = self if self._base is None else self._base
        owner._writes += STEP

    def numpy(self):
        """The numpy array under this tensor: same memory, no copy."""
        return self.array

    def share_memory_(self):
        """Move the numbers into memory that processes forked from here on share (v0.1.4). Returns this tensor.

        Views of this tensor stay in the old memory. RuntimeError for a view itself, and where the system cannot fork.
        """
        if self._base is not None:
            raise RuntimeError("share_memory_: this tensor is a view; share the tensor it is a part of, or a clone()")
        if not hasattr(os, "fork"):
            raise RuntimeError("share_memory_: processes of this system cannot be forked, and so share no memory")
        if not self.is_shared():
            memory = mmap.mmap(-1, max(1, self.array.nbytes))
            shared = numpy.frombuffer(memory, self.array.dtype, self.array.size).reshape(self.array.shape)
            shared[...] = self.array
            self.array = shared
        return self

    def is_shared(self):
        """Did `share_memory_` move this tensor, or the one that it is a part of?"""
        owner = self.array
        while isinstance(owner, numpy.ndarray):
            owner = owner.base
        return isinstance(owner.obj if isinstance(owner, memoryview) else owner, mmap.mmap)

    def storage(self):
        """The memory that this tensor is in, all of it, as a vector over it (2016: a Storage).

        RuntimeError for a tensor over a part of an array of numpy, of which the rest is not known.
        """
        owner = self if self._base is None else self._base
        flat = owner.array.ravel(order="K")
        if not numpy.shares_memory(flat, owner.array) and flat.size:
            raise RuntimeError("storage: this tensor lies scattered in an array of numpy; take contiguous().storage()")
        return view_of(owner, flat)

    def __array__(self, dtype=None, copy=None):
        if copy is False and dtype is not None and dtype != self.array.dtype:
            raise ValueError(f"a {self.type()} cannot be seen as {dtype} without a copy")
        array = self.array if dtype is None else self.array.astype(dtype, copy=False)
        return array.copy() if copy else array

    def clone(self):
        """A tensor of the same numbers in memory of its own."""
        array = self.array
        return wrap(array.copy() if array.nbytes < memory.LARGE else memory.copy(array))

    def new(self, *contents):
        """A tensor of this tensor's type; the arguments are those of the constructors."""
        return wrap(_array_of(contents, self.array.dtype, "new"))

    def __copy__(self):
        return view_of(self, self.array)

    def __deepcopy__(self, memo):
        return self.clone()

    def __reduce__(self):
        return _restored, (self.array,)

    # --- the type

    def type(self, new_type=None):
        """The name of the tensor's type; with `new_type` (a class, or such a name), the tensor converted to it.

        A tensor that has the type already is returned itself, without a copy.
        """
        if new_type is None:
            return TYPE_NAMES[self.array.dtype]
        dtype = dtype_of_type(new_type)
        return self if dtype is self.array.dtype else wrap(self.array.astype(dtype))

    def type_as(self, other):
        """This tensor converted to the type of `other`."""
        return self.type(other.type())

    def double(self):
        """This tensor as a DoubleTensor; like the following, itself if it is one already."""
        return self.type("torch.DoubleTensor")

    def float(self):
        """This tensor as a FloatTensor."""
        return self.type("torch.FloatTensor")

    def half(self):
        """This tensor as a HalfTensor."""
        return self.type("torch.HalfTensor")

    def long(self):
        """This tensor as a LongTensor; fractions are cut off."""
        return self.type("torch.LongTensor")

    def int(self):
        """This tensor as an IntTensor; fractions are cut off."""
        return self.type("torch.IntTensor")

    def short(self):
        """This tensor as a ShortTensor; fractions are cut off."""
        return self.type("torch.ShortTensor")

    def char(self):
        """This tensor as a CharTensor; fractions are cut off."""
        return self.type("torch.CharTensor")

    def byte(self):
        """This tensor as a ByteTensor; fractions are cut off."""
        return self.type("torch.ByteTensor")

    def cuda(self, *device):
        """Raises RuntimeError: there is no CUDA here. The tensor itself where that is ignored (cuda.py)."""
        from ..cuda import refuse

        refuse("Tensor.cuda()")
        return self

    def cpu(self):
        """The tensor itself: its memory is the processor's already."""
        return self

    def is_signed(self):
        """Can the type hold negative numbers?"""
        return self.array.dtype.kind != "u"

    @property
    def is_cuda(self):
        return False

    @property
    def is_sparse(self):
        return False

    # --- arithmetic

    def add(self, other, tensor=None):
        """self + other, a Tensor or number; v0.1.x's `add(value, tensor)` is self + value * tensor."""
        if tensor is not None:
            other = tensor.mul(other)
        return combine("add", numpy.add, self, other)

    def sub(self, other, tensor=None):
        """self - other, a Tensor or number; v0.1.x's `sub(value, tensor)` is self - value * tensor."""
        if tensor is not None:
            other = tensor.mul(other)
        return combine("sub", numpy.subtract, self, other)

    def mul(self, other):
        """self * other, pointwise; other is a Tensor or a number."""
        return combine("mul", numpy.multiply, self, other)

    def div(self, other):
        """self / other, pointwise; integers are rounded towards zero. Raises ZeroDivisionError for integers by 0."""
        return combine("div", divide, self, other)

    def pow(self, exponent):
        """self ** exponent, pointwise; the exponent is a Tensor or a number."""
        return combine("pow", power, self, exponent)

    def remainder(self, divisor):
        """The remainder of self / divisor with the sign of the divisor, pointwise."""
        return combine("remainder", remainder, self, divisor)

    def fmod(self, divisor):
        """The remainder of self / divisor with the sign of self, pointwise, as C's fmod."""
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

    def __bool__(self):
        """The truth of the one element; an empty tensor is false. Raises RuntimeError where there are several."""
        if self.array.size > 1:
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

    def item(self):
        """The only element as a Python number; ValueError if there are more, or none."""
        if self.array.size != 1:
            raise ValueError(f"item needs a tensor of one element, got the size {shown_size(self.array.shape)}")
        return self.array.item()

    def tolist(self):
        """The numbers as nested Python lists."""
        return self.array.tolist()


wrapping.Tensor = Tensor


def _reversed(operation):
    return lambda a, b, out=None: operation(b, a, out)


def _restored(array):
    return wrap(supported(array))  # an array that was unpickled has a dtype object of its own


def _array_of(contents, dtype, name):
    """The array that a constructor's arguments ask for: sizes, or one sequence, ndarray, Tensor or Size."""
    if not contents:
        return numpy.empty(0, dtype)
    if len(contents) == 1:
        content = contents[0]
        if type(content) is Tensor:
            content = content.array
            if content.dtype is not dtype:
                raise TypeError(f"{name}: expected a {TYPE_NAMES[dtype]}, got a {TYPE_NAMES[content.dtype]}")
            return content
        if isinstance(content, numpy.ndarray):
            return _converted(supported(content)[...], dtype, name)  # a view: see creation.from_numpy
        if isinstance(content, (list, tuple)) and not isinstance(content, Size):
            try:
                array = numpy.array(content)
                if array.size and array.dtype.kind not in "fiub":
                    raise ValueError
            except ValueError:
                raise TypeError(f"{name}: expected nested sequences of numbers, all of one length") from None
            return _converted(array.reshape(1) if array.ndim == 0 else array, dtype, name)
        if isinstance(content, Size):
            contents = content
    if not all(isinstance(size, numbers.Integral) for size in contents):
        raise TypeError(
            f"{name}: expected sizes or one sequence of numbers, got ({', '.join(type(c).__name__ for c in contents)})"
        )
    if any(size < 0 for size in contents):
        raise ValueError(f"{name}: sizes must not be negative, got {shown_size(contents)}")
    return numpy.zeros(tuple(contents), dtype)


def _converted(array, dtype, name):
    if array.dtype == dtype:
        return array.view(dtype) if array.dtype is not dtype else array
    if array.dtype.kind == "f" and dtype.kind != "f" and not numpy.array_equal(array, numpy.trunc(array)):
        raise TypeError(f"{name}: {TYPE_NAMES[dtype]} holds integers; got fractions")
    return array.astype(dtype)


class _TensorType(type):
    """The class of FloatTensor and its sisters: an instance is every Tensor whose numbers are of that type."""

    def __instancecheck__(cls, instance):
        return type(instance) is Tensor and instance.array.dtype == cls.dtype_of_class


def _tensor_class(name, dtype):
    doc = f"The tensors of numpy's {dtype}. Constructing one takes the arguments of `Tensor`."
    members = {"__slots__": (), "__doc__": doc, "__module__": __name__, "dtype_of_class": dtype, "dtype": dtype}
    return _TensorType(name, (Tensor,), members)


DoubleTensor, FloatTensor, HalfTensor, LongTensor, IntTensor, ShortTensor, CharTensor, ByteTensor = (
    _tensor_class(name.removeprefix("torch."), dtype) for dtype, name in TYPE_NAMES.items()
)
