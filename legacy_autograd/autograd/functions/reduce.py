"""Reductions, whole and along one dimension (in torch's autograd since v0.1.3: `torch/autograd/_functions/reduce.py`).

A whole reduction gives a Variable of shape (1,). Along a dimension the result keeps it, with size 1, unless
`keepdim=False`. In the formulas, g is the gradient of the output, expanded to the shape of x, and r the result.
"""

import math

import numpy

from ... import conventions
from ...tensor import Tensor, buffer_pool
from ...tensor.arguments import dimension
from ...tensor.backcompat import keeps
from ...tensor.dtypes import HALF, wide
from ...tensor.reduce import sum_of_all
from ...tensor.wrapping import wrap, wrap_in_c_order
from ..function import Function
from ._utils import AlongDimension, as_tensor, call, full, in_floats, saves, total, zeros_like
from .indexing import Selection
from .tensor import Concat

__all__ = [
    "Cumprod", "Cumsum", "CumsumBackward", "Kthvalue", "Max", "Mean", "Median", "Min", "Mode", "Norm", "Prod",
    "Reduction", "Std", "Sum", "Var",
]  # fmt: skip


class Reduction(Function):
    """The base of reductions of all elements or along `dim`. `forward` records the `input_size`.

    Args:
        dim: The dimension. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.
    """

    def __init__(self, dim=None, keepdim=None):
        self.dim = dim
        if keepdim is None and dim is None:  # nothing is kept, so nothing is warned of
            self.keepdim = conventions.era.reductions_keep_dimension
        else:
            self.keepdim = keeps(type(self).__name__.lower(), keepdim)

    def save(self, x, reduced):
        """Save the input and its reduction for backward, and return the reduction as a Tensor.

        Args:
            x: The input.
            reduced: Its reduction, a Tensor or a number.
        """
        self.input_size = x.array.shape
        result = as_tensor(reduced, x)
        self.save_for_backward(x, result)
        return result

    def kept(self, reduced):
        """Return a result, or its gradient, with the reduced dimension restored with size 1, so that it broadcasts.

        Args:
            reduced: The result or gradient.
        """
        if self.dim is None or self.keepdim or len(self.input_size) == 1:
            return reduced
        return reduced.unsqueeze(self.dim)

    def spread(self, grad):
        """Return the gradient of the result, expanded to the shape of the input.

        Args:
            grad: The gradient.
        """
        if self.dim is None and isinstance(grad, Tensor):
            spread = numpy.empty(self.input_size, grad.array.dtype)
            if spread.nbytes < buffer_pool.SMALLEST:  # larger ones are expanded without a copy
                spread.fill(grad.array[0])
                return wrap(spread)
        return self.kept(grad).expand(*self.input_size)

    def sum(self, x):
        """Return the sum over the reduced elements, with the dimension kept.

        Args:
            x: The input.
        """
        return total(x) if self.dim is None else x.sum(self.dim, True)

    def count(self):
        """Return the number of elements that one result is computed from."""
        return math.prod(self.input_size) if self.dim is None else self.input_size[self.dim]


class Sum(Reduction):
    """The sum Σ x.

    Gradient:
        g, the gradient of the output.

    Source:
        `torch/autograd/functions/all_reduce.py` (v0.1.1).
    """

    @saves()
    def forward(self, x):
        array = x.array
        self.input_size = array.shape
        if self.dim is None and array.dtype.kind == "f":
            return wrap(numpy.array((sum_of_all(array),), array.dtype))
        return as_tensor(x.sum(self.dim, self.keepdim), x)

    def backward(self, grad_output):
        size = self.input_size
        if self.dim is None and isinstance(grad_output, Tensor) and math.prod(size) <= 1000:  # `spread`, written out
            grad = numpy.empty(size, grad_output.array.dtype)
            grad.fill(grad_output.array[0])
            return wrap(grad)
        return self.spread(grad_output)


class Mean(Reduction):
    """The mean Σ x / n.

    Gradient:
        g / n, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/all_reduce.py` (v0.1.1).
    """

    @saves()
    def forward(self, x):
        self.input_size = x.array.shape
        return as_tensor(x.mean(self.dim, self.keepdim), x)

    def backward(self, grad_output):
        return self.spread(grad_output.div(self.count() or 1))


class Prod(Reduction):
    """The product Π x.

    Gradient:
        g times the product of the other elements, which is g r / x where no element is 0; g is the gradient of the
        output.

    Source:
        `torch/autograd/functions/reduce.py` (v0.1.5).
    """

    def forward(self, x):
        return self.save(x, x.prod(self.dim, self.keepdim))

    def backward(self, grad_output):
        x, result = self.saved_tensors
        if x.data.array.all() and x.data.array.dtype is not HALF:  # the whole product of halves soon overflows
            return self.spread(grad_output.mul(result)).div(x)
        x, dim = (x.contiguous().view(-1), 0) if self.dim is None else (x, self.dim)
        others = in_floats(lambda x: _products_before(x, dim, 1).mul(_products_before(x, dim, -1)), x)
        return self.spread(grad_output).mul(others.view(*self.input_size))


class Var(Reduction):
    """The variance Σ (x - mean)² / (n - 1).

    If the divisor is 0, variance and gradient are nan.

    Args:
        dim: The dimension. Default: all elements. A bool is modern torch's `unbiased`.
        unbiased: False divides by n instead of n - 1.
        keepdim: Whether the result keeps `dim`, with size 1.

    Gradient:
        2 g (x - mean) / (n - 1), or / n, where g is the gradient of the output.
    """

    def __init__(self, dim=None, unbiased=True, keepdim=None):
        if isinstance(dim, bool):  # modern torch's var(unbiased)
            dim, unbiased = None, dim
        super().__init__(dim, keepdim)
        self.unbiased = unbiased

    def forward(self, x):
        self.input_size = x.array.shape
        self.save_for_backward(x)
        return as_tensor(x.var(self.dim, self.unbiased, self.keepdim), x)

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return self.by_variance(grad_output, x)

    def by_variance(self, grad, x):
        freedom = self.count() - bool(self.unbiased)
        mean = x.contiguous().view(-1).mean(0, True) if self.dim is None else x.mean(self.dim, True)
        return self.spread(grad.mul(2 / freedom if freedom > 0 else math.nan)).mul(x.sub(mean))


class Std(Var):
    """The standard deviation √variance.

    Gradient:
        The gradient of the variance over 2 r, and 0 where r is 0; g is the gradient of the output.
    """

    def forward(self, x):
        return self.save(x, x.std(self.dim, self.unbiased, self.keepdim))

    def backward(self, grad_output):
        x, result = self.saved_tensors
        return self.by_variance(grad_output.div(result.mul(2)).masked_fill(result.eq(0), 0), x)


class Norm(Reduction):
    """The norm r = (Σ |x|^p)^(1/p).

    p = 0 counts the elements that are not 0.

    Args:
        p: The exponent; infinities are allowed.
        dim: The dimension. Default: all elements.
        keepdim: Whether the result keeps `dim`, with size 1.

    Gradient:
        g sign(x) (|x| / r)^(p-1), and 0 where r is 0; g is the gradient of the output. For infinite p: g sign(x),
        divided evenly among the elements with |x| = r. For p = 0: 0. Where x is 0 and r is not: 0, also for p < 1.

    Source:
        `torch/autograd/functions/reduce.py` (v0.1.5).
    """

    def __init__(self, p=2, dim=None, keepdim=None):
        super().__init__(dim, keepdim)
        self.p = p

    def forward(self, x):
        return self.save(x, x.norm(self.p, self.dim, self.keepdim))

    def backward(self, grad_output):
        x, result = self.saved_tensors
        p = self.p
        if p == 0:
            return zeros_like(x)
        if p == 1:
            return self.spread(grad_output).mul(x.sign())
        grad, result = self.kept(grad_output), self.kept(result)
        if math.isinf(p):
            size = x.abs()
            chosen = size.eq(result).add(x.ne(x))
            count = self.sum(chosen.type_as(x))
            return x.sign().mul(grad.div(count)).masked_fill(chosen.eq(0), 0)
        if p == 2:
            return x.div(result).masked_fill(result.eq(0), 0).mul(grad)
        scale = grad.div(result.pow(p - 1)).masked_fill(result.eq(0), 0)
        if p > 2:
            return x.mul(x.abs().pow(p - 2)).mul(scale)
        # The masks keep x = 0 out of the power, whose exponent is negative.
        zero = x.eq(0)
        return x.sign().mul(x.abs().masked_fill(zero, 1).pow(p - 1)).mul(scale)


class Cumsum(AlongDimension):
    """The cumulative sum along `dim`.

    Args:
        dim: The dimension.

    Gradient:
        The cumulative sum of g from the end, where g is the gradient of the output.

    Source:
        `torch/autograd/_functions/tensor.py` (v0.1.12).
    """

    def forward(self, x):
        return x.cumsum(self.dim)

    def backward(self, grad_output):
        return call(CumsumBackward(self.dim), grad_output)


class CumsumBackward(AlongDimension):
    """The gradient of `Cumsum`: the cumulative sum along `dim` from the end.

    Args:
        dim: The dimension.

    Gradient:
        The cumulative sum of g, where g is the gradient of the output.
    """

    def forward(self, x):
        total = numpy.cumsum(numpy.flip(wide(x.array), self.dim), self.dim)
        return wrap_in_c_order(numpy.flip(total, self.dim).astype(x.array.dtype, copy=False))

    def backward(self, grad_output):
        return grad_output.cumsum(self.dim)


class Cumprod(AlongDimension):
    """The cumulative product along `dim`.

    Args:
        dim: The dimension.

    Gradient:
        The cumulative sum of g r from the end, over x, where no element is 0; g is the gradient of the output.
    """

    def forward(self, x):
        result = x.cumprod(self.dim)
        self.save_for_backward(x, result)
        return result

    def backward(self, grad_output):
        x, result = self.saved_tensors
        if x.data.array.all():
            return call(CumsumBackward(self.dim), grad_output.mul(result)).div(x)
        return _products_before(x, self.dim, 1).mul(_sums_of_products_after(grad_output, x, self.dim))


class Max(Reduction, Selection):
    """The maximum, or the maxima along `dim` and their indices (of equal ones the first).

    nan is the maximum. The indices are not differentiable.

    Gradient:
        g at the maximum, divided evenly among equal maxima, or along a dimension g at the index; 0 elsewhere, where g
        is the gradient of the output.

    Source:
        `torch/autograd/functions/reduce.py` (v0.1.5).
    """

    def select(self, x):
        return x.max() if self.dim is None else x.max(self.dim, self.keepdim)

    def forward(self, x):
        if self.dim is not None:
            return super().forward(x)
        return self.save(x, self.select(x))

    def backward(self, grad_output, *grad_indices):
        if self.dim is not None:
            return super().backward(grad_output, *grad_indices)
        x, result = self.saved_tensors
        chosen = x.eq(result).add(x.ne(x))  # nan differs from itself, and is the maximum if it occurs
        return self.spread(grad_output.div(total(chosen.type_as(x)))).masked_fill(chosen.eq(0), 0)


class Min(Max):
    """The minimum, or the minima along `dim` and their indices; see Max.

    Gradient:
        As in Max.

    Source:
        `torch/autograd/functions/reduce.py` (v0.1.5).
    """

    def select(self, x):
        return x.min() if self.dim is None else x.min(self.dim, self.keepdim)


class Median(Selection):
    """The median along `dim` (of two the lower one) and its index, which is not differentiable.

    Gradient:
        g at the index, 0 elsewhere, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/reduce.py` (v0.1.5).
    """

    def select(self, x):
        return x.median(self.dim, self.keepdim)


class Mode(Selection):
    """The most frequent element along `dim` and its index, which is not differentiable.

    Gradient:
        g at the index, 0 elsewhere, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/reduce.py` (v0.1.5).
    """

    def select(self, x):
        return x.mode(self.dim, self.keepdim)


class Kthvalue(Selection):
    """The k-th smallest element along `dim` and its index, which is not differentiable.

    Args:
        k: The rank, counted from 1.
        dim: The dimension.
        keepdim: Whether the result keeps `dim`, with size 1.

    Gradient:
        g at the index, 0 elsewhere, where g is the gradient of the output.

    Source:
        `torch/autograd/functions/reduce.py` (v0.1.5).
    """

    def __init__(self, k, dim=-1, keepdim=None):
        self.k = k
        super().__init__(dim, keepdim)

    def select(self, x):
        return x.kthvalue(self.k, self.dim, self.keepdim)


# --- products where an element is 0, so that division cannot remove a factor


def _products_before(x, dim, direction):
    """Return for every element the product of those before it along `dim`; with direction -1, of those after it.

    Each round doubles the distance that a product covers, so log n rounds are enough.
    """
    products = _shifted(x, dim, direction, 1)
    step = 1
    while step < x.size(dim):
        products = products.mul(_shifted(products, dim, direction * step, 1))
        step *= 2
    return products


def _sums_of_products_after(grad, x, dim):
    """Return s with s_i = grad_i + x_(i+1) s_(i+1) along `dim`, in log n rounds."""
    sums, factors = grad, _shifted(x, dim, -1, 0)
    step = 1
    while step < x.size(dim):
        sums = sums.add(factors.mul(_shifted(sums, dim, -step, 0)))
        factors = factors.mul(_shifted(factors, dim, -step, 0))
        step *= 2
    return sums


def _shifted(x, dim, by, fill):
    """Return `x` moved by `by` places along `dim`, with `fill` in the vacated places."""
    size = list(x.size())
    dim = dimension("shift", size, dim)
    length = size[dim]
    size[dim] = min(abs(by), length)
    edge, rest = full(size, fill, x), length - size[dim]
    if by > 0:
        return call(Concat(dim), edge, x.narrow(dim, 0, rest))
    return call(Concat(dim), x.narrow(dim, size[dim], rest), edge)
