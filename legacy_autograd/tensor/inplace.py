"""Methods that write into the tensor itself: their names end in an underscore, and they return the tensor.

Each counts as a write (`_wrote`), by which backward notices that a tensor was changed after it was saved.
"""

import numpy

from . import buffer_pool
from ._helpers import combine_into, does_not_fit, is_tensor, not_writable, number_for, shown, tensor_array, wrap
from .arithmetic import ceil, divide, floor, fmod, frac, power, remainder, rint, rsqrt, sigmoid, sign, trunc
from .no_cuda import accept_async
from .pointwise import clamped, refuses_integers, value_and_tensors


class InPlace:
    __slots__ = ()

    # --- numbers put in

    def zero_(self):
        """Set every element to 0."""
        array = self.array
        if array.nbytes >= buffer_pool.SMALLEST and array.flags.c_contiguous:
            array = array.view(numpy.uint8)  # which numpy fills in half of the time
        try:
            array.fill(0)
        except ValueError:
            raise not_writable("zero_", array) from None
        if self._base is not None:
            return self._wrote()
        self._writes += 1  # `_wrote`, written out
        return self

    def fill_(self, value):
        """Set every element to the number `value`. Raises TypeError for a fraction in integers."""
        array = self.array
        try:
            array.fill(number_for("fill_", array, value))
        except ValueError:
            raise not_writable("fill_", array) from None
        return self._wrote()

    def copy_(self, source, non_blocking=False, **keywords):
        """Take over the elements of the Tensor `source`, converted to this tensor's type.

        `source` has a size that broadcasts to this tensor's, or as in v0.1.x another one with as many elements, which
        are then taken in order. Raises ValueError otherwise. Integers take numbers as `type` says: fractions are cut
        off, and what does not fit is not refused. `non_blocking`, `async` in v0.1.x, changes nothing.
        """
        if keywords:
            accept_async("copy_", keywords)
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

    def mul_(self, other):
        """Multiply by `other`, a Tensor of this type or a number, in place."""
        return combine_into("mul_", numpy.multiply, self, other)

    def div_(self, other):
        """Divide by `other`, a Tensor of this type or a number, in place; integers as in `div`."""
        return combine_into("div_", divide, self, other)

    def pow_(self, exponent):
        """Apply `pow` in place."""
        return combine_into("pow_", power, self, exponent)

    def remainder_(self, divisor):
        """Apply `remainder` in place."""
        return combine_into("remainder_", remainder, self, divisor)

    def fmod_(self, divisor):
        """Apply `fmod` in place."""
        return combine_into("fmod_", fmod, self, divisor)

    def cmax_(self, other):
        """Apply `cmax` in place."""
        return combine_into("cmax_", numpy.maximum, self, other)

    def cmin_(self, other):
        """Apply `cmin` in place."""
        return combine_into("cmin_", numpy.minimum, self, other)

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

    def clamp_(self, min=None, max=None):
        """Apply `clamp` in place."""
        return self._clamped("clamp_", min, max)

    def clamp_min_(self, min):
        """Apply `clamp_min` in place."""
        return self._clamped("clamp_min_", min, None)

    def clamp_max_(self, max):
        """Apply `clamp_max` in place."""
        return self._clamped("clamp_max_", None, max)

    def _clamped(self, name, low, high):
        array = self.array
        try:
            clamped(name, array, low, high, array)
        except ValueError as error:
            raise not_writable(name, array) or error from None
        return self._wrote()

    def addcmul_(self, *arguments, value=1):
        """Apply `addcmul` in place."""
        value, first, second = value_and_tensors("addcmul_", value, arguments)
        return self.add_(value, first.mul(second))

    def addcdiv_(self, *arguments, value=1):
        """Apply `addcdiv` in place."""
        value, first, second = value_and_tensors("addcdiv_", value, arguments)
        return self.add_(value, first.div(second))

    # --- functions of one number

    def abs_(self):
        """Apply `abs` in place."""
        return _each_into("abs_", numpy.absolute, self)

    def neg_(self):
        """Apply `neg` in place."""
        return _each_into("neg_", numpy.negative, self)

    def sign_(self):
        """Apply `sign` in place."""
        return _each_into("sign_", sign, self)

    def exp_(self):
        """Apply `exp` in place."""
        return _each_into("exp_", numpy.exp, self, fractions=True)

    def expm1_(self):
        """Apply `expm1` in place."""
        return _each_into("expm1_", numpy.expm1, self, fractions=True)

    def log_(self):
        """Apply `log` in place."""
        return _each_into("log_", numpy.log, self, fractions=True)

    def log1p_(self):
        """Apply `log1p` in place."""
        return _each_into("log1p_", numpy.log1p, self, fractions=True)

    def sqrt_(self):
        """Apply `sqrt` in place."""
        return _each_into("sqrt_", numpy.sqrt, self, fractions=True)

    def rsqrt_(self):
        """Apply `rsqrt` in place."""
        return _each_into("rsqrt_", rsqrt, self, fractions=True)

    def reciprocal_(self):
        """Apply `reciprocal` in place."""
        return _each_into("reciprocal_", numpy.reciprocal, self, fractions=True)

    def sigmoid_(self):
        """Apply `sigmoid` in place."""
        return _each_into("sigmoid_", sigmoid, self, fractions=True)

    def tanh_(self):
        """Apply `tanh` in place."""
        return _each_into("tanh_", numpy.tanh, self, fractions=True)

    def sin_(self):
        """Apply `sin` in place."""
        return _each_into("sin_", numpy.sin, self, fractions=True)

    def cos_(self):
        """Apply `cos` in place."""
        return _each_into("cos_", numpy.cos, self, fractions=True)

    def tan_(self):
        """Apply `tan` in place."""
        return _each_into("tan_", numpy.tan, self, fractions=True)

    def asin_(self):
        """Apply `asin` in place."""
        return _each_into("asin_", numpy.arcsin, self, fractions=True)

    def acos_(self):
        """Apply `acos` in place."""
        return _each_into("acos_", numpy.arccos, self, fractions=True)

    def atan_(self):
        """Apply `atan` in place."""
        return _each_into("atan_", numpy.arctan, self, fractions=True)

    def sinh_(self):
        """Apply `sinh` in place."""
        return _each_into("sinh_", numpy.sinh, self, fractions=True)

    def cosh_(self):
        """Apply `cosh` in place."""
        return _each_into("cosh_", numpy.cosh, self, fractions=True)

    def floor_(self):
        """Apply `floor` in place."""
        return _each_into("floor_", floor, self)

    def ceil_(self):
        """Apply `ceil` in place."""
        return _each_into("ceil_", ceil, self)

    def round_(self):
        """Apply `round` in place."""
        return _each_into("round_", rint, self)

    def trunc_(self):
        """Apply `trunc` in place."""
        return _each_into("trunc_", trunc, self)

    def frac_(self):
        """Apply `frac` in place."""
        return _each_into("frac_", frac, self, fractions=True)

    # --- operations that have no shorter way than to compute and copy

    def atan2_(self, other):
        """Apply `atan2` in place."""
        return _copied("atan2_", self, self.atan2(other))

    def lerp_(self, end, weight):
        """Apply `lerp` in place."""
        return _copied("lerp_", self, self.lerp(end, weight))

    def renorm_(self, p, dim, maxnorm):
        """Apply `renorm` in place."""
        return _copied("renorm_", self, self.renorm(p, dim, maxnorm))

    def cumsum_(self, dim):
        """Apply `cumsum` in place."""
        return _copied("cumsum_", self, self.cumsum(dim))

    def cumprod_(self, dim):
        """Apply `cumprod` in place."""
        return _copied("cumprod_", self, self.cumprod(dim))

    def tril_(self, k=0):
        """Apply `tril` in place."""
        return _copied("tril_", self, self.tril(k))

    def triu_(self, k=0):
        """Apply `triu` in place."""
        return _copied("triu_", self, self.triu(k))

    def eq_(self, other):
        """Apply `eq` in place; the result is 1 or 0 in this tensor's type."""
        return _copied("eq_", self, self.eq(other))

    def ne_(self, other):
        """Apply `ne` in place; the result is 1 or 0 in this tensor's type."""
        return _copied("ne_", self, self.ne(other))

    def lt_(self, other):
        """Apply `lt` in place; the result is 1 or 0 in this tensor's type."""
        return _copied("lt_", self, self.lt(other))

    def le_(self, other):
        """Apply `le` in place; the result is 1 or 0 in this tensor's type."""
        return _copied("le_", self, self.le(other))

    def gt_(self, other):
        """Apply `gt` in place; the result is 1 or 0 in this tensor's type."""
        return _copied("gt_", self, self.gt(other))

    def ge_(self, other):
        """Apply `ge` in place; the result is 1 or 0 in this tensor's type."""
        return _copied("ge_", self, self.ge(other))

    def addmm_(self, *arguments, beta=1, alpha=1):
        """Apply `addmm` in place."""
        return _copied("addmm_", self, self.addmm(*arguments, beta=beta, alpha=alpha))

    def addmv_(self, *arguments, beta=1, alpha=1):
        """Apply `addmv` in place."""
        return _copied("addmv_", self, self.addmv(*arguments, beta=beta, alpha=alpha))

    def addr_(self, *arguments, beta=1, alpha=1):
        """Apply `addr` in place."""
        return _copied("addr_", self, self.addr(*arguments, beta=beta, alpha=alpha))

    def addbmm_(self, *arguments, beta=1, alpha=1):
        """Apply `addbmm` in place."""
        return _copied("addbmm_", self, self.addbmm(*arguments, beta=beta, alpha=alpha))

    def baddbmm_(self, *arguments, beta=1, alpha=1):
        """Apply `baddbmm` in place."""
        return _copied("baddbmm_", self, self.baddbmm(*arguments, beta=beta, alpha=alpha))

    # --- a Python function

    def apply_(self, function):
        """Replace every element x by function(x). As slow as Python; for anything large use the other methods."""
        return self._mapped("apply_", function)

    def map_(self, tensor, function):
        """Replace every element x by function(x, y), y the element of `tensor` in the same place."""
        return self._mapped("map_", function, tensor)

    def map2_(self, x, y, function):
        """Replace every element by function(element, x's element, y's element)."""
        return self._mapped("map2_", function, x, y)

    def _mapped(self, name, function, *others):
        array = self.array
        for other in others:
            if not is_tensor(other) or other.array.size != array.size:
                raise ValueError(f"{name}: expected a Tensor of as many elements as {shown(self)}, got {shown(other)}")
        elements = [tensor.array.ravel().tolist() for tensor in (self, *others)]
        # The results first, all of them: a function that raises, or gives nonsense, must not leave half a tensor.
        numbers = [number_for(name, array, result) for result in map(function, *elements)]
        return self._put(name, numpy.array(numbers, array.dtype).reshape(array.shape))

    def _put(self, name, source, key=...):
        put(self.array, name, source, key)
        return self._wrote()


def _each_into(name, function, tensor, fractions=False):
    """Replace every element by `function` of it, which with `fractions` takes no integers."""
    array = tensor.array
    if fractions and array.dtype.kind != "f":
        raise refuses_integers(name, array)
    try:
        function(array, array)
    except ValueError:
        raise not_writable(name, array) from None
    return tensor._wrote()


def _copied(name, tensor, result):
    if result.array.shape != tensor.array.shape:
        raise does_not_fit(name, tensor.array.shape, result.array.shape, into=True)
    return tensor._put(name, result.array)


def put(array, name, source, key=...):
    """Write the array `source` into `array[key]`, as copy_ says; `name` is the operation, for the errors."""
    try:
        array[key] = source
    except (ValueError, TypeError):  # TypeError: of a mask and a source of several dimensions
        if not array.flags.writeable:
            raise not_writable(name, array) from None
        shape = array[key].shape
        if source.size != numpy.prod(shape, dtype=int):
            raise does_not_fit(name, shape, source.shape, into=True) from None
        array[key] = source.reshape(shape)


def writable(name, array):
    """Return `array`, if it may be written to; RuntimeError otherwise."""
    if not array.flags.writeable:
        raise not_writable(name, array)
    return array


def _scaled(name, tensor, value, other):
    """value * other as a Tensor of the type of `tensor`."""
    array = tensor_array(name, tensor.array, other)
    if is_tensor(value):
        raise TypeError(f"{name}: expected (number, tensor), got ({shown(value)}, {shown(other)})")
    # What is large lives for this one addition, and its memory is there for the next.
    return wrap(numpy.multiply(array, number_for(name, array, value), buffer_pool.like(array)))
