"""Reductions over all elements or along one dimension (2016: TH's THTensorMath.c).

As in v0.1.x, a reduction over all elements returns a Python number. A reduction along one dimension keeps it, with size
1, unless `keepdim=False`.
"""

from __future__ import annotations

import math
from typing import Any, Self

import numpy

from .arguments import checked_number, dimension, number_for, sizes_of
from .arithmetic import power
from .backcompat import keeps
from .dtypes import HALF, TYPE_NAMES, wide
from .elementwise import combine, fractions_of
from .errors import RangeError, SizeError
from .messages import shown
from .sorting import Ordering
from .wrapping import TensorBase, from_result, is_tensor, wrap, wrap_in_c_order

_add: Any = numpy.add.reduce  # Any: numpy's hints refuse `keepdims` by position
_multiply: Any = numpy.multiply.reduce
_LONG = numpy.dtype("int64")
_BYTE = numpy.dtype("uint8")
# {dtype: that in which its numbers are added and multiplied}: int64 for integers on every platform, None for itself
_ADDED_IN = {dtype: None if dtype.kind == "f" else _LONG for dtype in TYPE_NAMES}
_BLOCK = 4096
_LEAST = 8  # elements from which on a product with ones is faster than a sum
_ONES = {dtype: numpy.ones(_BLOCK, dtype) for dtype in map(numpy.dtype, ("float64", "float32"))}
_ALREADY_WIDE = frozenset(map(numpy.dtype, ("float64", "float32", "float16", "int64")))


class Reductions(Ordering):
    """The methods of Tensor that reduce it, and `cumsum`, `cumprod` and `renorm`."""

    __slots__ = ()

    def sum(self, dim: int | None = None, keepdim: bool | None = None) -> Self | float:
        """Return the sum of all elements, or the sums along one dimension.

        Integers keep their type along a dimension; the sum of all is a number of 64 bits.

        Args:
            dim: The dimension to reduce. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A number if `dim` is None, else a Tensor.

        Raises:
            OverflowError: If a sum of integers along a dimension does not fit into their type.
            IndexError: If there is no such dimension.

        Example:
            >>> x = torch.Tensor([[1, 2], [3, 4]])
            >>> x.sum(), x.sum(1).tolist(), x.sum(1, keepdim=False).tolist()
            (10.0, [[3.0], [7.0]], [3.0, 7.0])
        """
        array = self.array
        if dim is None:
            return sum_of_all(array).item() if array.dtype is HALF else _add(array, None, _ADDED_IN[array.dtype]).item()
        sums = _sums("sum", array, dim, keeps("sum", keepdim, array))
        return from_result(sums if array.dtype in _ALREADY_WIDE else _narrowed("sum", sums, array.dtype))

    def prod(self, dim: int | None = None, keepdim: bool | None = None) -> Self | float:
        """Return the product of all elements, or the products along one dimension.

        Integers keep their type along a dimension; the product of all is a number of 64 bits.

        Args:
            dim: The dimension to reduce. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A number if `dim` is None, else a Tensor.

        Raises:
            OverflowError: If a product of integers along a dimension does not fit into their type.
            IndexError: If there is no such dimension.
        """
        array = wide(self.array)
        if dim is None:
            product = _multiply(array, None, _ADDED_IN[array.dtype])
            return (HALF.type(product) if self.array.dtype is HALF else product).item()
        dim = dimension("prod", array.shape, dim)
        products = _multiply(array, dim, _ADDED_IN[array.dtype], None, keeps("prod", keepdim, array))
        if self.array.dtype is HALF:
            return from_result(numpy.asarray(products, HALF))
        return from_result(products if array.dtype in _ALREADY_WIDE else _narrowed("prod", products, array.dtype))

    def mean(self, dim: int | None = None, keepdim: bool | None = None) -> Self | float:
        """Return the mean of all elements, or the means along one dimension; nan if there are no elements.

        Args:
            dim: The dimension to reduce. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A number if `dim` is None, else a Tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        array = wide(fractions_of("mean", self))
        if dim is None:
            mean = _add(array, None).item() / array.size if array.size else math.nan
            return mean if self.array.dtype is not HALF else HALF.type(mean).item()
        sums = _sums("mean", array, dim, keeps("mean", keepdim, array))
        return from_result((sums / sums.dtype.type(array.shape[dim])).astype(self.array.dtype, copy=False))

    def var(self, dim: int | bool | None = None, unbiased: bool = True, keepdim: bool | None = None) -> Self | float:
        """Return the variance of all elements, or the variances along one dimension; nan for too few elements.

        Args:
            dim: The dimension to reduce. Default: all elements. A bool is taken as `unbiased`.
            unbiased: Whether the sum of squares of n elements is divided by n - 1, else by n.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A number if `dim` is None, else a Tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return self._variance("var", dim, unbiased, keepdim)

    def _variance(self, name, dim, unbiased, keepdim):
        array = wide(fractions_of(name, self))
        if isinstance(dim, bool):  # modern torch's var(unbiased)
            dim, unbiased = None, dim
        if dim is None:
            count, mean = array.size, _add(array, None) / array.dtype.type(array.size or math.nan)
        else:
            dim = dimension(name, array.shape, dim)
            count = array.shape[dim]
            mean = _sums(name, array, dim, True) / array.dtype.type(count or math.nan)
        deviation = numpy.subtract(array, mean)
        numpy.multiply(deviation, deviation, deviation)
        total = _add(deviation, None) if dim is None else _sums(name, deviation, dim, keeps(name, keepdim, array))
        free = count - bool(unbiased)
        variance = numpy.asarray(total / total.dtype.type(free if free > 0 else math.nan))
        result = variance if name == "var" else numpy.sqrt(variance, out=variance)
        return from_result(result.astype(self.array.dtype, copy=False))

    def std(self, dim: int | bool | None = None, unbiased: bool = True, keepdim: bool | None = None) -> Self | float:
        """Return the standard deviation, the square root of `var`.

        Args:
            dim: The dimension to reduce. Default: all elements. A bool is taken as `unbiased`.
            unbiased: Whether the sum of squares of n elements is divided by n - 1, else by n.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A number if `dim` is None, else a Tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return self._variance("std", dim, unbiased, keepdim)

    def norm(self, p: float = 2, dim: int | None = None, keepdim: bool | None = None) -> Self | float:
        """Return the p-norm (Σ |x|^p)^(1/p) of all elements, or the norms along one dimension.

        Args:
            p: The order: a number, inf, -inf, or 0 for the number of elements that are not 0.
            dim: The dimension to reduce. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A number if `dim` is None, else a Tensor.

        Raises:
            TypeError: If the tensor holds integers.
        """
        array = wide(fractions_of("norm", self))
        if dim is not None:
            dim = dimension("norm", array.shape, dim)
        p = number_for("norm", numpy.empty(0), p).item()
        norm = numpy.asarray(_norm(array, p, dim, dim is not None and keeps("norm", keepdim, array)))
        return from_result(norm.astype(self.array.dtype, copy=False))

    def dist(self, other: TensorBase | float, p: float = 2) -> float:
        """Return the p-norm of self - other.

        Args:
            other: A Tensor of the same type, or a number.
            p: The order of the norm, as for `norm`.

        Raises:
            TypeError: If the tensor holds integers.
        """
        return combine("dist", numpy.subtract, self, other).norm(p)

    def renorm(self, p: float, dim: int, maxnorm: float) -> Self:
        """Return a copy in which each part along `dim` whose p-norm is above `maxnorm` is scaled down to it.

        Args:
            p: The order of the norm.
            dim: The dimension along which the parts lie.
            maxnorm: The largest norm that a part keeps.

        Raises:
            ValueError: If the tensor has fewer than two dimensions, or `p` or `maxnorm` is out of range.
            TypeError: If the tensor holds integers.
        """
        array = wide(fractions_of("renorm", self))
        dim = dimension("renorm", array.shape, dim)
        if array.ndim < 2:
            raise SizeError(f"renorm: expected 2 dimensions or more, got {shown(self)}")
        check_norms(p, maxnorm)
        others = tuple([d for d in range(array.ndim) if d != dim])
        norms = _norm(array, float(p), others, True)
        # The 1e-7 is torch's: it keeps the norm of the result from rounding to more than maxnorm.
        factors = numpy.where(norms > maxnorm, maxnorm / (norms + 1e-7), norms.dtype.type(1))
        return wrap((array * factors).astype(self.array.dtype, order="C", copy=False))

    def cumsum(self, dim: int) -> Self:
        """Return the cumulative sums along one dimension.

        Args:
            dim: The dimension; negative ones count from the end.

        Raises:
            OverflowError: If a sum of integers does not fit into their type.
        """
        return self._accumulated("cumsum", numpy.add, dim)

    def cumprod(self, dim: int) -> Self:
        """Return the cumulative products along one dimension.

        Args:
            dim: The dimension; negative ones count from the end.

        Raises:
            OverflowError: If a product of integers does not fit into their type.
        """
        return self._accumulated("cumprod", numpy.multiply, dim)

    def _accumulated(self, name, ufunc, dim):
        array = self.array
        dim = dimension(name, array.shape, dim)
        # Fractions are summed in double, as torch does, so that errors do not pile up.
        wide = ufunc.accumulate(array, dim, numpy.float64 if array.dtype.kind == "f" else _LONG)
        is_safe = array.dtype in _ALREADY_WIDE
        return wrap_in_c_order(wide.astype(array.dtype, copy=False) if is_safe else _narrowed(name, wide, array.dtype))

    # --- the largest and the smallest

    def max(self, dim: int | TensorBase | None = None, keepdim: bool | None = None) -> Any:
        """Return the largest element, the largest ones along one dimension, or the larger of two tensors pointwise.

        The result is nan where an element is nan.

        Args:
            dim: The dimension to reduce, or a Tensor to compare with. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A number for no `dim`; for a dimension the values and a LongTensor of their indices (of equal ones the
            first); for a Tensor the result of `cmax`.

        Raises:
            ValueError: If the tensor is empty.
            IndexError: If there is no such dimension, or it has size 0.

        Example:
            >>> values, indices = torch.Tensor([[1, 5], [4, 2]]).max(1)
            >>> values.tolist(), indices.tolist()
            ([[5.0], [4.0]], [[1], [0]])
        """
        return self._extreme("max", numpy.maximum, numpy.argmax, dim, keepdim)

    def min(self, dim: int | TensorBase | None = None, keepdim: bool | None = None) -> Any:
        """Return the smallest element, the smallest ones along one dimension, or the smaller of two tensors pointwise.

        The result is nan where an element is nan.

        Args:
            dim: The dimension to reduce, or a Tensor to compare with. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A number for no `dim`; for a dimension the values and a LongTensor of their indices (of equal ones the
            first); for a Tensor the result of `cmin`.

        Raises:
            ValueError: If the tensor is empty.
            IndexError: If there is no such dimension, or it has size 0.
        """
        return self._extreme("min", numpy.minimum, numpy.argmin, dim, keepdim)

    def _extreme(self, name, ufunc, find, dim, keepdim):
        array = self.array
        if is_tensor(dim):
            return self.cmax(dim) if name == "max" else self.cmin(dim)
        dim = _filled_dimension(name, array, dim)
        if dim is None:
            return ufunc.reduce(array, None).item()
        keepdim = keeps(name, keepdim, array)
        values = ufunc.reduce(array, dim, None, None, keepdim)
        indices = find(array, dim, keepdims=keepdim)
        return from_result(values), from_result(indices.astype(_LONG, copy=False))

    def argmax(self, dim: int | None = None, keepdim: bool | None = None) -> Self | int:
        """Return the index of the largest element, or the indices along one dimension; of equal elements the first.

        Args:
            dim: The dimension to reduce. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            An integer, counted over all elements, if `dim` is None, else a LongTensor.

        Raises:
            ValueError: If the tensor is empty.
        """
        return self._found("argmax", numpy.argmax, dim, keepdim)

    def argmin(self, dim: int | None = None, keepdim: bool | None = None) -> Self | int:
        """Return the index of the smallest element, or the indices along one dimension; of equal elements the first.

        Args:
            dim: The dimension to reduce. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            An integer, counted over all elements, if `dim` is None, else a LongTensor.

        Raises:
            ValueError: If the tensor is empty.
        """
        return self._found("argmin", numpy.argmin, dim, keepdim)

    def _found(self, name, find, dim, keepdim):
        dim = _filled_dimension(name, self.array, dim)
        found = find(self.array, dim, keepdims=dim is not None and keeps(name, keepdim, self.array))
        return from_result(numpy.asarray(found, _LONG))

    # --- counting

    def all(self, dim: int | None = None, keepdim: bool | None = None) -> Self | bool:
        """Return whether no element is 0.

        Args:
            dim: The dimension to reduce. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A bool if `dim` is None, else a ByteTensor.
        """
        return self._truth("all", numpy.logical_and.reduce, dim, keepdim)

    def any(self, dim: int | None = None, keepdim: bool | None = None) -> Self | bool:
        """Return whether at least one element is not 0.

        Args:
            dim: The dimension to reduce. Default: all elements.
            keepdim: Whether the result keeps `dim`, with size 1.

        Returns:
            A bool if `dim` is None, else a ByteTensor.
        """
        return self._truth("any", numpy.logical_or.reduce, dim, keepdim)

    def _truth(self, name, reduce, dim, keepdim):
        if dim is None:
            return bool(reduce(self.array, None))
        keepdim = keeps(name, keepdim, self.array)
        result = reduce(self.array, dimension(name, self.array.shape, dim), None, None, keepdim)
        return bool(result) if result.ndim == 0 else from_result(result.astype(_BYTE))

    def nonzero(self) -> Self:
        """Return the positions of the elements that are not 0: a LongTensor with one row for each of them."""
        return wrap_in_c_order(numpy.argwhere(self.array).astype(_LONG, copy=False))

    def histc(self, bins: int = 100, min: float = 0, max: float = 0) -> Self:
        """Return the number of elements in each of `bins` equal intervals from `min` to `max`.

        Args:
            bins: The number of intervals.
            min: The lower end of the first interval.
            max: The upper end of the last interval. If it equals `min`, both become the extremes of the elements.

        Returns:
            A vector of `bins` numbers. Elements outside of the range are not counted.

        Raises:
            ValueError: If `bins` is not positive, `min` is above `max`, or the range is not finite.

        Example:
            >>> torch.Tensor([1, 2, 2, 3]).histc(2, 0, 4).tolist()
            [1.0, 3.0]
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
        places = ((inside - min) * (bins / (max - min))).astype(numpy.intp)
        counts = numpy.bincount(numpy.minimum(places, bins - 1), minlength=bins)
        return wrap(_narrowed("histc", counts, array.dtype) if array.dtype.kind != "f" else counts.astype(array.dtype))


def check_norms(p: float, maxnorm: float) -> None:
    """Check the arguments of `renorm`.

    Args:
        p: The order of the norm.
        maxnorm: The largest norm.

    Raises:
        TypeError: If one of them is not a number.
        ValueError: If one is nan or negative, or `p` is 0.
    """
    if not checked_number("renorm: p", p) > 0:
        raise SizeError(f"renorm: p must be above 0, got {p}")
    if not checked_number("renorm: maxnorm", maxnorm) >= 0:
        raise SizeError(f"renorm: maxnorm must not be negative, got {maxnorm}")


def _sums(name, array, dim, keepdim):
    """Return the sums along `dim`: an array, or a numpy number for a vector that does not keep its dimension.

    For the first and the last dimension they are a product with ones. It is faster than numpy's sum and has smaller
    rounding errors, because numpy adds up rows one after the other.
    """
    if array.dtype is HALF:
        return _sums(name, wide(array), dim, keepdim).astype(HALF)
    shape = array.shape
    dim = dimension(name, shape, dim)
    ndim = len(shape)
    if array.size < _LEAST or array.dtype not in _ONES or ndim == 1:
        return _add(array, dim, _ADDED_IN[array.dtype], None, keepdim)
    if ndim > 2 and (0 < dim < ndim - 1 or not array.flags.c_contiguous):
        return _add(array, dim, None, None, keepdim)
    if ndim == 2:
        sums = _product_with_ones(array.T if dim else array)
    else:
        sums = _product_with_ones(array.reshape(-1, shape[-1]).T if dim else array.reshape(shape[0], -1))
    if keepdim:
        return sums.reshape(*shape[:dim], 1, *shape[dim + 1 :])
    return sums.reshape(shape[:dim] + shape[dim + 1 :]) if ndim > 2 else sums


def sum_of_rows(matrix: numpy.ndarray) -> numpy.ndarray:
    """Return the sum of the rows of a matrix, a vector.

    Args:
        matrix: An array of two dimensions and a floating-point type.
    """
    if matrix.size < _LEAST or matrix.dtype not in _ONES:
        return _add(matrix, 0) if matrix.dtype is not HALF else sum_of_rows(wide(matrix)).astype(HALF)
    rows = matrix.shape[0]  # the most frequent case of `_product_with_ones`: 2 % of the step of a small network
    return _ONES[matrix.dtype][:rows].dot(matrix) if rows <= _BLOCK else _product_with_ones(matrix)


def sum_of_all(array: numpy.ndarray) -> Any:
    """Return the sum of all elements, a numpy number.

    Args:
        array: An array of a floating-point type.
    """
    size = array.size
    if _LEAST <= size <= _BLOCK and array.dtype in _ONES:
        return array.ravel().dot(_ONES[array.dtype][:size])
    return _add(array, None) if array.dtype is not HALF else HALF.type(_add(array, None, numpy.float32))


def _product_with_ones(matrix):
    rows = matrix.shape[0]  # the most frequent case of `_product_with_ones`: 2 % of the step of a small network
    ones = _ONES[matrix.dtype]
    if rows <= _BLOCK:
        return ones[:rows].dot(matrix)
    # The sums of blocks, then their sum: errors grow with the size of a block, not with that of the whole.
    starts = range(0, rows, _BLOCK)
    return _product_with_ones(
        numpy.array([ones[: rows - start].dot(matrix[start : start + _BLOCK]) for start in starts])
    )


def _narrowed(name, wide, dtype):
    """Return `wide`, which numpy widened to 64 bits, in `dtype`; a single number is returned unchanged."""
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
    """Return `dim` counted from the front, or None for all elements; refuse a reduction over no elements."""
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
