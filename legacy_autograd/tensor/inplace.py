"""Methods that write into the tensor itself: their names end in an underscore, and they return the tensor.

Each counts as a write (`_wrote`), by which backward notices that a tensor was changed after it was saved.
"""

import numpy

from . import memory
from .arithmetic import divide, fmod, power, remainder
from .pointwise import FUNCTIONS, clamped, documented, refuses_integers, value_and_tensors
from .types import TYPE_NAMES
from .wrapping import combine_into, does_not_fit, is_tensor, not_writable, number_for, shown, tensor_array, wrap


def _function(name, function, fractions, doc):
    """The in-place form of one of pointwise.FUNCTIONS."""
    name += "_"

    def method(self):
        array = self.array
        if fractions and array.dtype.kind != "f":
            raise refuses_integers(name, array)
        try:
            function(array, array)
        except ValueError:
            raise not_writable(name, array) from None
        return self._wrote()

    return documented(method, "InPlace", name, doc + ", pointwise, in place.")


def _of_two(name, ufunc, doc):
    """The in-place form of an operation with a Tensor or a number."""
    name += "_"

    def method(self, other):
        return combine_into(name, ufunc, self, other)

    return documented(method, "InPlace", name, doc + ", pointwise, in place; other is a Tensor or a number.")


def _as_copy(name):
    """The in-place form of a method that has no shorter way than to compute and copy."""

    def method(self, *arguments, **named):
        result = getattr(self, name)(*arguments, **named)
        if result.array.shape != self.array.shape:
            raise does_not_fit(f"{name}_", self.array.shape, result.array.shape, into=True)
        return self.copy_(result)

    return documented(method, "InPlace", f"{name}_", f"`{name}`, in place.")


class InPlace:
    __slots__ = ()

    # --- numbers put in

    def zero_(self):
        """Make every element 0."""
        array = self.array
        try:
            array.fill(0)
        except ValueError:
            raise not_writable("zero_", array) from None
        return self._wrote()

    def fill_(self, value):
        """Make every element the number `value`."""
        array = self.array
        try:
            array.fill(number_for("fill_", array, value))
        except ValueError:
            raise not_writable("fill_", array) from None
        return self._wrote()

    def copy_(self, source):
        """Take over the elements of the Tensor `source`, converted to this tensor's type.

        `source` has a size that broadcasts to this tensor's, or as in v0.1.x another one with as many elements, which
        are then taken in order. Raises ValueError otherwise. A fraction is cut off where integers take it.
        """
        if not is_tensor(source):
            raise TypeError(f"copy_: expected a Tensor, got {type(source).__name__}; fill_ takes a number")
        put(self.array, "copy_", source.array)
        return self._wrote()

    # --- arithmetic

    def add_(self, other, tensor=None):
        """Add `other`, a Tensor or number; v0.1.x's `add_(value, tensor)` adds value * tensor."""
        if tensor is not None:
            other = _scaled("add_", self, other, tensor)
        return combine_into("add_", numpy.add, self, other)

    def sub_(self, other, tensor=None):
        """Subtract `other`, a Tensor or number; v0.1.x's `sub_(value, tensor)` subtracts value * tensor."""
        if tensor is not None:
            other = _scaled("sub_", self, other, tensor)
        return combine_into("sub_", numpy.subtract, self, other)

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
        return combine_into("and", numpy.bitwise_and, _integers("and", self), other)

    def __ior__(self, other):
        return combine_into("or", numpy.bitwise_or, _integers("or", self), other)

    def __ixor__(self, other):
        return combine_into("xor", numpy.bitwise_xor, _integers("xor", self), other)

    def clamp_(self, min=None, max=None):
        """`clamp`, in place."""
        return self._clamped("clamp_", min, max)

    def clamp_min_(self, min):
        """`clamp_min`, in place."""
        return self._clamped("clamp_min_", min, None)

    def clamp_max_(self, max):
        """`clamp_max`, in place."""
        return self._clamped("clamp_max_", None, max)

    def _clamped(self, name, low, high):
        array = self.array
        try:
            clamped(name, array, low, high, array)
        except ValueError:
            raise not_writable(name, array) or ValueError(f"{name}: expected min, max or both") from None
        return self._wrote()

    def addcmul_(self, *arguments, value=1):
        """`addcmul`, in place."""
        value, first, second = value_and_tensors("addcmul_", value, arguments)
        return self.add_(value, first.mul(second))

    def addcdiv_(self, *arguments, value=1):
        """`addcdiv`, in place."""
        value, first, second = value_and_tensors("addcdiv_", value, arguments)
        return self.add_(value, first.div(second))

    # --- a Python function

    def apply_(self, function):
        """Replace every element x by function(x). As slow as Python; for anything large use the other methods."""
        array = self.array
        # The results first, all of them: a function that raises, or gives nonsense, must not leave half a tensor.
        return self._take_over("apply_", [function(x) for x in array.ravel().tolist()])

    def map_(self, tensor, function):
        """Replace every element x by function(x, y), y the element of `tensor` in the same place."""
        a, b = self.array, _of_equal_count("map_", self, tensor)
        return self._take_over("map_", [function(x, y) for x, y in zip(a.ravel().tolist(), b)])

    def map2_(self, x, y, function):
        """Replace every element by function(element, x's element, y's element)."""
        a, b, c = self.array, _of_equal_count("map2_", self, x), _of_equal_count("map2_", self, y)
        return self._take_over("map2_", [function(*three) for three in zip(a.ravel().tolist(), b, c)])

    def _take_over(self, name, results):
        array = self.array
        numbers = [number_for(name, array, result) for result in results]
        put(array, name, numpy.array(numbers, array.dtype).reshape(array.shape))
        return self._wrote()


def put(array, name, source):
    """Write the array `source` into `array`, as copy_ says; `name` is the operation, for the errors."""
    try:
        array[...] = source
    except ValueError:
        if not array.flags.writeable:
            raise not_writable(name, array) from None
        if source.size != array.size:
            raise does_not_fit(name, array.shape, source.shape, into=True) from None
        array[...] = source.reshape(array.shape)


def _scaled(name, tensor, value, other):
    """value * other as a Tensor of the type of `tensor`."""
    array = tensor_array(name, tensor.array, other)
    if is_tensor(value):
        raise TypeError(f"{name}: expected (number, tensor), got ({shown(value)}, {shown(other)})")
    # What is large lives for this one addition, and its memory is there for the next.
    return wrap(numpy.multiply(array, number_for(name, array, value), memory.like(array)))


def _of_equal_count(name, tensor, other):
    if not is_tensor(other) or other.array.size != tensor.array.size:
        raise ValueError(f"{name}: expected a Tensor of as many elements as {shown(tensor)}, got {shown(other)}")
    return other.array.ravel().tolist()


def _integers(name, tensor):
    if tensor.array.dtype.kind == "f":
        raise TypeError(f"{name}: expected a tensor of integers, got a {TYPE_NAMES[tensor.array.dtype]}")
    return tensor


for _name, (_of_one, _fractions, _doc) in FUNCTIONS.items():
    setattr(InPlace, f"{_name}_", _function(_name, _of_one, _fractions, _doc))
for _name, _ufunc, _doc in (
    ("mul", numpy.multiply, "self * other"),
    ("div", divide, "self / other; integers are rounded towards zero"),
    ("pow", power, "self ** other"),
    ("remainder", remainder, "The remainder of self / other with the sign of other"),
    ("fmod", fmod, "The remainder of self / other with the sign of self"),
    ("cmax", numpy.maximum, "The larger of self and other"),
    ("cmin", numpy.minimum, "The smaller of self and other"),
):
    setattr(InPlace, f"{_name}_", _of_two(_name, _ufunc, _doc))
for _name in ("atan2 lerp renorm cumsum cumprod tril triu eq ne lt le gt ge addmm addmv addr addbmm baddbmm").split():
    setattr(InPlace, f"{_name}_", _as_copy(_name))
