"""Reductions: many numbers to one, for the whole tensor or along one dimension (2016: TH's THTensorMath.c).

As in v0.1.x, the whole reduction of a Tensor is a Python number, and a reduction along one dimension keeps it, with
size 1, unless `keepdim=False`.
"""

import math

import numpy

from ._helpers import (
    checked_number,
    combine,
    dimension,
    from_result,
    is_tensor,
    number_for,
    shown,
    sizes_of,
    wrap,
    wrap_in_c_order,
)
from .arithmetic import power
from .dtypes import TYPE_NAMES
from .errors import RangeError, SizeError
from .pointwise import fractions_of
from .sorting import Ordering

_add = numpy.add.reduce
_LONG = numpy.dtype("int64")
_BYTE = numpy.dtype("uint8")
_HALF = numpy.dtype("float16")
_BLOCK = 4096
_ONES = {dtype: numpy.ones(_BLOCK, dtype) for dtype in map(numpy.dtype, ("float64", "float32"))}
_ALREADY_WIDE = frozenset(map(numpy.dtype, ("float64", "float32", "float16", "int64")))


class Reductions(Ordering):
    __slots__ = ()

    def sum(self, dim=None, keepdim=True):
        """Return the sum of all elements, or along `dim`.

        Integers keep their type. Raises OverflowError where the sums do not fit into it.
        """
        array = self.array
        if dim is None:
            return _add(array, None).item()
        sums = _sums("sum", array, dim, keepdim)
        return from_result(sums if array.dtype in _ALREADY_WIDE else _narrowed("sum", sums, array.dtype))

    def prod(self, dim=None, keepdim=True):
        """Return the product of all elements, or along `dim`; of integers as for `sum`."""
        array = self.array
        if dim is None:
            return numpy.multiply.reduce(array, None).item()
        dim = dimension("prod", array.shape, dim)
        products = numpy.multiply.reduce(array, dim, None, None, keepdim)
        return from_result(products if array.dtype in _ALREADY_WIDE else _narrowed("prod", products, array.dtype))

    def mean(self, dim=None, keepdim=True):
        """Return the mean of all elements, or along `dim`; nan if there are none. TypeError for integers."""
        array = fractions_of("mean", self)
        if dim is None:
            total = _add(array, None, numpy.float32 if array.dtype is _HALF else None).item()
            return total / array.size if array.size else math.nan
        sums = _sums("mean", array.astype(numpy.float32) if array.dtype is _HALF else array, dim, keepdim)
        return from_result((sums / sums.dtype.type(array.shape[dim])).astype(array.dtype, copy=False))

    def var(self, dim=None, unbiased=True, keepdim=True):
        """Return the variance of all elements, or along `dim`: of n divided by n - 1, or by n if not `unbiased`.

        nan where that is 0. TypeError for integers.
        """
        return self._variance("var", dim, unbiased, keepdim)

    def _variance(self, name, dim, unbiased, keepdim):
        array = fractions_of(name, self)
        if isinstance(dim, bool):  # modern torch's var(unbiased)
            dim, unbiased = None, dim
        if dim is None:
            count, mean = array.size, _add(array, None) / (array.size or math.nan)
        else:
            dim = dimension(name, array.shape, dim)
            count = array.shape[dim]
            mean = _sums(name, array, dim, True) / array.dtype.type(count or math.nan)
        deviation = numpy.subtract(array, mean)
        numpy.multiply(deviation, deviation, deviation)
        total = _add(deviation, None) if dim is None else _sums(name, deviation, dim, keepdim)
        free = count - bool(unbiased)
        return from_result(numpy.asarray(total / total.dtype.type(free if free > 0 else math.nan)))

    def std(self, dim=None, unbiased=True, keepdim=True):
        """Return the square root of `var`."""
        variance = self._variance("std", dim, unbiased, keepdim)
        return math.sqrt(variance) if type(variance) is float else variance.sqrt()

    def norm(self, p=2, dim=None, keepdim=True):
        """Return the p-norm (Σ |x|^p)^(1/p) of all elements, or along `dim`.

        p may be 0 (the number of elements that are not 0), inf or -inf.

        TypeError for integers.
        """
        array = fractions_of("norm", self)
        if dim is not None:
            dim = dimension("norm", array.shape, dim)
        p = number_for("norm", numpy.empty(0), p).item()
        return from_result(numpy.asarray(_norm(array, p, dim, dim is not None and keepdim)))

    def dist(self, other, p=2):
        """Return the p-norm of self - other, a Python number."""
        return combine("dist", numpy.subtract, self, other).norm(p)

    def renorm(self, p, dim, maxnorm):
        """Return a copy in which each part along `dim` whose p-norm is larger than `maxnorm` is scaled down to it."""
        array = fractions_of("renorm", self)
        dim = dimension("renorm", array.shape, dim)
        if array.ndim < 2:
            raise SizeError(f"renorm: expected 2 dimensions or more, got {shown(self)}")
        check_norms(p, maxnorm)
        others = tuple([d for d in range(array.ndim) if d != dim])
        norms = _norm(array, float(p), others, True)
        # The 1e-7 is torch's: it keeps the norm of the result from rounding to more than maxnorm.
        factors = numpy.where(norms > maxnorm, maxnorm / (norms + 1e-7), 1)
        return wrap((array * factors).astype(array.dtype, order="C", copy=False))

    def cumsum(self, dim):
        """Return the sums of the elements so far along `dim`; of integers as for `sum`."""
        return self._accumulated("cumsum", numpy.add, dim)

    def cumprod(self, dim):
        """Return the products of the elements so far along `dim`; of integers as for `sum`."""
        return self._accumulated("cumprod", numpy.multiply, dim)

    def _accumulated(self, name, ufunc, dim):
        array = self.array
        dim = dimension(name, array.shape, dim)
        # Fractions are summed in double, as torch does, so that errors do not pile up.
        wide = ufunc.accumulate(array, dim, numpy.float64 if array.dtype.kind == "f" else _LONG)
        is_safe = array.dtype in _ALREADY_WIDE
        return wrap_in_c_order(wide.astype(array.dtype, copy=False) if is_safe else _narrowed(name, wide, array.dtype))

    # --- the largest and the smallest

    def max(self, dim=None, keepdim=True):
        """Return the largest element, a Python number. nan if there is one, as in all of the following.

        `max(dim)`: the largest along `dim` and where they are (the first of equals), a Tensor and a LongTensor.
        `max(tensor)`: pointwise, the larger of the two, as `cmax`.
        """
        return self._extreme("max", numpy.maximum, numpy.argmax, dim, keepdim)

    def min(self, dim=None, keepdim=True):
        """Return the smallest element; `min(dim)` and `min(tensor)` as for `max`."""
        return self._extreme("min", numpy.minimum, numpy.argmin, dim, keepdim)

    def _extreme(self, name, ufunc, find, dim, keepdim):
        array = self.array
        if is_tensor(dim):
            return self.cmax(dim) if name == "max" else self.cmin(dim)
        dim = _filled_dimension(name, array, dim)
        if dim is None:
            return ufunc.reduce(array, None).item()
        values = ufunc.reduce(array, dim, None, None, keepdim)
        indices = find(array, dim, keepdims=keepdim)
        return from_result(values), from_result(indices.astype(_LONG, copy=False))

    def argmax(self, dim=None, keepdim=True):
        """Return where the largest element is (the first of equals): its number, or along `dim` a LongTensor."""
        return self._found("argmax", numpy.argmax, dim, keepdim)

    def argmin(self, dim=None, keepdim=True):
        """Return where the smallest element is, as for `argmax`."""
        return self._found("argmin", numpy.argmin, dim, keepdim)

    def _found(self, name, find, dim, keepdim):
        dim = _filled_dimension(name, self.array, dim)
        found = find(self.array, dim, keepdims=keepdim and dim is not None)
        return from_result(numpy.asarray(found, _LONG))

    # --- counting

    def all(self, dim=None, keepdim=True):
        """Return whether no element is 0, a bool; or that along `dim`, a ByteTensor."""
        return self._truth("all", numpy.logical_and.reduce, dim, keepdim)

    def any(self, dim=None, keepdim=True):
        """Return whether some element is not 0, a bool; or that along `dim`, a ByteTensor."""
        return self._truth("any", numpy.logical_or.reduce, dim, keepdim)

    def _truth(self, name, reduce, dim, keepdim):
        if dim is None:
            return bool(reduce(self.array, None))
        result = reduce(self.array, dimension(name, self.array.shape, dim), None, None, keepdim)
        return bool(result) if result.ndim == 0 else from_result(result.astype(_BYTE))

    def nonzero(self):
        """Return the positions of all elements that are not 0: a LongTensor of size (how many, dim())."""
        return wrap_in_c_order(numpy.argwhere(self.array).astype(_LONG, copy=False))

    def histc(self, bins=100, min=0, max=0):
        """Return the number of elements in each of `bins` equal intervals from `min` to `max`: `bins` numbers.

        Where min equals max, they are the smallest and the largest element. Elements outside are not counted.
        """
        array = self.array
        (bins,) = sizes_of("histc", (bins,))
        if bins <= 0 or not min <= max:
            raise SizeError(f"histc: expected a positive number of bins and min <= max, got {bins}, {min} and {max}")
        if min == max and array.size:
            min, max = array.min().item(), array.max().item()
        if min == max:
            min, max = min - 1, max + 1
        if not (math.isfinite(min) and math.isfinite(max)):
            raise SizeError(f"histc: the range from {min} to {max} is not finite")
        inside = array[(array >= min) & (array <= max)]
        inside = inside if array.dtype.kind == "f" else inside.astype(float)  # the difference may not fit into integers
        places = ((inside - min) * (bins / (max - min))).astype(_LONG)
        counts = numpy.bincount(numpy.minimum(places, bins - 1), minlength=bins)
        return wrap(_narrowed("histc", counts, array.dtype) if array.dtype.kind != "f" else counts.astype(array.dtype))


def check_norms(p, maxnorm):
    """Raise TypeError if an argument of `renorm` is no number, ValueError if it is nan, negative or a `p` of 0."""
    if not checked_number("renorm: p", p) > 0:
        raise SizeError(f"renorm: p must be above 0, got {p}")
    if not checked_number("renorm: maxnorm", maxnorm) >= 0:
        raise SizeError(f"renorm: maxnorm must not be negative, got {maxnorm}")


def _sums(name, array, dim, keepdim):
    """Return the sums along `dim`, an array, or a numpy number where a vector does not keep its dimension.

    For the first and the last dimension it is a product with ones, which takes a fraction of the time of numpy's sum
    and has smaller errors: numpy adds up rows one after the other.
    """
    shape = array.shape
    dim = dimension(name, shape, dim)
    ndim = len(shape)
    if array.size < 64 or array.dtype not in _ONES or ndim == 1:
        return _add(array, dim, None, None, keepdim)
    if ndim > 2 and (0 < dim < ndim - 1 or not array.flags.c_contiguous):
        return _add(array, dim, None, None, keepdim)
    if ndim == 2:
        sums = _product_with_ones(array.T if dim else array)
    else:
        sums = _product_with_ones(array.reshape(-1, shape[-1]).T if dim else array.reshape(shape[0], -1))
    if keepdim:
        return sums.reshape(*shape[:dim], 1, *shape[dim + 1 :])
    return sums.reshape(shape[:dim] + shape[dim + 1 :]) if ndim > 2 else sums


def sum_of_rows(matrix):
    """Return `sum(0, keepdim=False)` of an array of two dimensions and a floating-point type."""
    if matrix.size < 64 or matrix.dtype not in _ONES:
        return _add(matrix, 0)
    return _product_with_ones(matrix)


def _product_with_ones(matrix):
    rows = matrix.shape[0]
    ones = _ONES[matrix.dtype]
    if rows <= _BLOCK:
        return ones[:rows].dot(matrix)
    # The sums of blocks, then their sum: errors grow with the size of a block, not with that of the whole.
    starts = range(0, rows, _BLOCK)
    return _product_with_ones(
        numpy.array([ones[: rows - start].dot(matrix[start : start + _BLOCK]) for start in starts])
    )


def _narrowed(name, wide, dtype):
    """Return `wide`, which numpy widened to 64 bits, in `dtype`; a single number as it is."""
    if wide.ndim == 0:
        return wide
    limits = numpy.iinfo(dtype)
    if wide.size and (wide.min() < limits.min or wide.max() > limits.max):
        raise OverflowError(
            f"{name}: the result, from {wide.min()} to {wide.max()}, does not fit into a {TYPE_NAMES[dtype]}; "
            "convert the tensor with .long() first"
        )
    return wide.astype(dtype)


def _filled_dimension(name, array, dim):
    """Return `dim` counted from the front, or None for all elements. There must be elements to choose from."""
    if dim is None:
        if not array.size:
            raise SizeError(f"{name}: an empty tensor has no elements to choose from")
        return None
    dim = dimension(name, array.shape, dim)
    if not array.shape[dim]:
        raise RangeError(f"{name}: dimension {dim} has size 0, so there are no elements to choose from")
    return dim


def _norm(array, p, dims, keepdims):
    size = numpy.absolute(array)
    if p == math.inf:
        return numpy.maximum.reduce(size, dims, None, None, keepdims, 0)
    if p == -math.inf:
        return numpy.minimum.reduce(size, dims, None, None, keepdims, math.inf)
    if p == 0:
        terms = (size != 0).astype(array.dtype)
    else:
        terms = size if p == 1 else power(size, numpy.asarray(p, array.dtype), size)
    total = _sums("norm", terms, dims, keepdims) if type(dims) is int else _add(terms, dims, None, None, keepdims)
    return total if p in (0, 1) else power(numpy.asarray(total), numpy.asarray(1 / p, array.dtype))
