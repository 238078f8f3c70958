"""Activations of neural networks (2016: `torch/nn/functions/thnn.py`, generated from the header of THNN, a C library).

The piecewise linear ones differ only in their slopes, which are constants. Their gradients are `Gate` and `Slope`.
"""

import math

import numpy

from ...tensor import Tensor, buffer_pool
from ...tensor.arguments import checked_number, dimension, number_for
from ...tensor.dtypes import HALF, wide
from ...tensor.elementwise import refuses_integers
from ...tensor.generators import generator
from ...tensor.messages import shown, shown_size
from ...tensor.wrapping import result_like, wrap, wrap_in_c_order
from ..function import Function
from ._masked import ZERO, chosen, cleared
from ._utils import call, in_floats, saves, sum_to_size

__all__ = ["LogSoftmax", "Softmax"]  # nn calls the others


class Rectifier(Function):
    """The base of activations, which refuse integers: integers have no slope.

    A subclass defines `values(array)` and `gradient(grad, x)`, or its own forward and backward.
    """

    def check(self, x):
        """Return the array of `x`.

        Args:
            x: The input.

        Raises:
            TypeError: If `x` holds integers.
        """
        if x.array.dtype.kind != "f":
            raise TypeError(f"{self._name}: expected floating-point numbers, got {shown(x)}")
        return x.array

    @saves(0)
    def forward(self, x):
        array = self.check(x)
        self.save_for_backward(x)
        return wrap_in_c_order(self.values(array))

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return self.gradient(grad_output, x)


class Threshold(Rectifier):
    """x where x > threshold, `value` elsewhere.

    Args:
        threshold: The threshold.
        value: The value at and below the threshold.

    Raises:
        TypeError: In the call, if x holds integers.

    Gradient:
        g where x > threshold, 0 elsewhere; g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/Threshold.c` (v0.1.1).
    """

    def __init__(self, threshold, value):
        self.threshold = threshold
        self.value = value

    def values(self, array):
        below = numpy.less_equal(array, number_for("threshold", array, self.threshold))
        return chosen(below, numpy.broadcast_to(number_for("value", array, self.value), array.shape), array)

    def gradient(self, grad, x):
        return call(Gate(self.threshold, math.inf), grad, x)


class ReLU(Threshold):
    """The rectifier max(x, 0).

    It saves the result and not x: the next Function saves the result too, so x can be freed.

    Raises:
        TypeError: In the call, if x holds integers.

    Gradient:
        g where x > 0, 0 elsewhere; g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/Threshold.c` (v0.1.1).
    """

    def __init__(self):
        self.threshold = 0
        self.value = 0

    @saves(-1)
    def forward(self, x):
        array = x.array
        if array.dtype.kind != "f":
            self.check(x)
        zero = ZERO[array.dtype]
        if array.nbytes < buffer_pool.SMALLEST:
            result = result_like(x, numpy.maximum(array, zero))
        else:  # clip is faster than maximum with a single number
            result = wrap(
                array.clip(zero, number_for("relu", array, math.inf), buffer_pool.empty(array.shape, array.dtype))
            )
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        if isinstance(grad_output, Tensor):  # `Gate(0, inf)`, in one step
            result = result.array
            return result_like(grad_output, cleared(grad_output.array, numpy.less_equal(result, ZERO[result.dtype])))
        return Gate(0, math.inf)(grad_output, result)[0]


class Hardtanh(Rectifier):
    """x, limited to the range from `min_value` to `max_value`.

    Args:
        min_value: The lower limit.
        max_value: The upper limit.

    Raises:
        TypeError: In the call, if x holds integers.
        ValueError: If `min_value` is not below `max_value`.

    Gradient:
        g where min_value < x < max_value, 0 elsewhere and at the limits; g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/HardTanh.c` (v0.1.1).
    """

    def __init__(self, min_value=-1, max_value=1):
        if not checked_number("hardtanh: min_value", min_value) < checked_number("hardtanh: max_value", max_value):
            raise ValueError(f"{self._name}: min_value must be below max_value, got {min_value} and {max_value}")
        self.min_value = min_value
        self.max_value = max_value

    def values(self, array):
        return array.clip(*[number_for("hardtanh", array, limit) for limit in (self.min_value, self.max_value)])

    def gradient(self, grad, x):
        return call(Gate(self.min_value, self.max_value), grad, x)


class Gate(Function):
    """The gradient of a clipped identity: g where low < x < high, 0 elsewhere. A call takes g and x.

    Args:
        low: The lower limit.
        high: The upper limit.

    Gradient:
        For g, the Gate of h, where h is the gradient of the output; for x, none.
    """

    def __init__(self, low, high):
        self.low = low
        self.high = high

    def forward(self, grad, x):
        array = x.array
        shut = numpy.less_equal(array, number_for("gate", array, self.low))
        if self.high != math.inf:
            shut |= numpy.greater_equal(array, number_for("gate", array, self.high))
        self.save_for_backward(x)
        return wrap_in_c_order(cleared(grad.array, shut))

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return call(Gate(self.low, self.high), grad_output, x), None


class LeakyReLU(Rectifier):
    """x where x > 0, negative_slope x elsewhere.

    Args:
        negative_slope: The slope below 0.

    Raises:
        TypeError: In the call, if x holds integers.

    Gradient:
        g where x > 0, negative_slope g elsewhere; g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/LeakyReLU.c` (v0.1.1).
    """

    def __init__(self, negative_slope=0.01):
        self.negative_slope = negative_slope

    def values(self, array):
        lower = numpy.multiply(array, number_for("slope", array, self.negative_slope), buffer_pool.like(array))
        if 0 < self.negative_slope <= 1:
            return numpy.maximum(array, lower, out=lower)
        return chosen(array > 0, array, lower)

    def gradient(self, grad, x):
        return call(Slope(self.negative_slope), grad, x)


class Slope(Function):
    """The gradient of LeakyReLU: g where x > 0, slope g elsewhere. A call takes g and x.

    Args:
        slope: The slope below 0.

    Gradient:
        For g, the Slope of h, where h is the gradient of the output; for x, none.
    """

    def __init__(self, slope):
        self.slope = slope

    def forward(self, grad, x):
        array = grad.array
        self.save_for_backward(x)
        slope = number_for("slope", array, self.slope)
        if not 0 < self.slope <= 1:
            return wrap_in_c_order(chosen(x.array > 0, array, array * slope))
        factor = buffer_pool.empty(array.shape, array.dtype)
        numpy.copyto(factor, x.array > 0)
        numpy.maximum(factor, slope, out=factor)
        return wrap(numpy.multiply(factor, array, factor))

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return call(Slope(self.slope), grad_output, x), None


class RReLU(Rectifier):
    """x where x > 0, s x elsewhere, with a random slope s.

    In training s is drawn for each element, uniformly between `lower` and `upper`; else it is their mean.

    Args:
        lower: The smallest slope.
        upper: The largest slope.
        training: Whether s is drawn.

    Raises:
        TypeError: In the call, if x holds integers.
        ValueError: If `lower` is above `upper`.

    Gradient:
        g where x > 0, s g elsewhere; g is the gradient of the output.

    Source:
        Xu et al., "Empirical evaluation of rectified activations in convolutional network", 2015.
        `torch/lib/THNN/generic/RReLU.c` (v0.1.1).
    """

    _saved_names = ("slopes",)

    def __init__(self, lower=1 / 8, upper=1 / 3, training=False):
        if not checked_number("rrelu: lower", lower) <= checked_number("rrelu: upper", upper):
            raise ValueError(f"{self._name}: lower must not be above upper, got {lower} and {upper}")
        self.lower = lower
        self.upper = upper
        self.training = training

    def forward(self, x):
        array = self.check(x)
        below = array <= 0
        if self.training:
            drawn = generator.uniform(self.lower, self.upper, numpy.count_nonzero(below))
        else:
            drawn = (self.lower + self.upper) / 2
        slopes = numpy.ones_like(array, order="C")
        slopes[below] = drawn
        slopes = wrap(slopes)
        self.save_for_backward(slopes)
        return x.mul(slopes)

    def backward(self, grad_output):
        (slopes,) = self.saved_tensors
        return grad_output.mul(slopes)


class PReLU(Rectifier):
    """x where x > 0, w x elsewhere. A call takes x (N, C, …) and w, of shape (C,) or (1,).

    Raises:
        TypeError: In the call, if x holds integers.
        ValueError: In the call, if w has another shape or type.

    Gradient:
        For x, g where x > 0 and w g elsewhere; for w, the sum of x g where x <= 0; g is the gradient of the output.

    Source:
        `torch/nn/functions/thnn/activation.py` (v0.1.5).
    """

    def forward(self, x, weight):
        array, slopes = self.check(x), weight.array
        channels = array.shape[1] if array.ndim > 1 else 1
        if slopes.shape not in ((1,), (channels,)) or slopes.dtype is not array.dtype:
            raise ValueError(
                f"{self._name}: expected 1 or {channels} weights of the input's type, got {shown(weight)} and the "
                f"input {shown(x)}"
            )
        self.slopes_size = (1, -1, *[1] * (array.ndim - 2)) if array.ndim > 1 else (1,)
        self.save_for_backward(x, weight)
        return wrap_in_c_order(chosen(array > 0, array, array * slopes.reshape(self.slopes_size)))

    def backward(self, grad_output):
        x, weight = self.saved_tensors
        grad_x = grad_weight = None
        if self.needs_input_grad[0]:
            slopes = weight.contiguous().view(*self.slopes_size)
            grad_x = grad_output.masked_fill(x.le(0), 0).add(grad_output.mul(slopes).masked_fill(x.gt(0), 0))
        if self.needs_input_grad[1]:
            size = tuple([weight.numel() if n == -1 else n for n in self.slopes_size])
            grad_weight = sum_to_size(grad_output.mul(x).masked_fill(x.gt(0), 0), size).contiguous().view(-1)
        return grad_x, grad_weight


class ELU(Rectifier):
    """x where x > 0, alpha (e^x - 1) elsewhere.

    Args:
        alpha: The negative of the limit for large negative x.

    Raises:
        TypeError: In the call, if x holds integers.

    Gradient:
        g where x > 0, g alpha e^x elsewhere; g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/ELU.c` (v0.1.1).
    """

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def values(self, array):
        exponential = numpy.expm1(numpy.minimum(array, 0)) * number_for("elu", array, self.alpha)
        return chosen(array > 0, array, exponential)

    def gradient(self, grad, x):
        above = x.le(0).eq(0)  # with nan, as in torch
        # The second derivative at 0 is 0, as in torch, because masked_fill makes a constant of x there.
        return grad.mul(x.masked_fill(x.ge(0), 0).exp().mul(self.alpha).masked_fill(above, 1))


class SELU(ELU):
    """s x where x > 0, and s alpha (e^x - 1) elsewhere, where s = 1.0507 and alpha = 1.6733.

    Raises:
        TypeError: In the call, if x holds integers.

    Gradient:
        s times that of ELU.

    Source:
        `torch/nn/_functions/thnn/activation.py` (v0.2.0).
    """

    SCALE = 1.0507009873554805

    def __init__(self):
        super().__init__(1.6732632423543772)

    def values(self, array):
        return super().values(array) * number_for("selu", array, self.SCALE)

    def gradient(self, grad, x):
        return super().gradient(grad.mul(self.SCALE), x)


class Softplus(Rectifier):
    """ln(1 + e^(beta x)) / beta, and x itself where beta x > threshold, where both are equal up to rounding.

    Args:
        beta: The sharpness of the bend at 0.
        threshold: Where the function becomes x.

    Raises:
        TypeError: In the call, if x holds integers.

    Gradient:
        g / (1 + e^(-beta x)), and g where beta x > threshold; g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/SoftPlus.c` (v0.1.1).
    """

    def __init__(self, beta=1, threshold=20):
        self.beta = beta
        self.threshold = threshold

    def values(self, array):
        scaled = array * number_for("softplus", array, self.beta)
        logarithm = numpy.logaddexp(scaled.dtype.type(0), scaled) / number_for("softplus", array, self.beta)
        return chosen(scaled > number_for("softplus", array, self.threshold), array, logarithm)

    def gradient(self, grad, x):
        scaled = x.mul(self.beta)
        return grad.mul(scaled.sigmoid().masked_fill(scaled.gt(self.threshold), 1))


class LogSigmoid(Rectifier):
    """ln(1 / (1 + e^-x)).

    Raises:
        TypeError: In the call, if x holds integers.

    Gradient:
        g / (1 + e^x), where g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/LogSigmoid.c` (v0.1.1).
    """

    def values(self, array):
        return -numpy.logaddexp(array.dtype.type(0), -array)

    def gradient(self, grad, x):
        return grad.mul(x.neg().sigmoid())


_FEW = 1 << 13  # up to this many elements, sums of rows as products take no less time
_CHANNELS = {1: 0, 2: 1, 3: 0, 4: 1}  # the default of `dim`, by the number of dimensions


class Softmax(Function):
    """The softmax r = e^x / Σ e^x along a dimension.

    Args:
        dim: The dimension. Default, as in v0.1.x: 0 for one and three dimensions, 1 for two and four.

    Raises:
        TypeError: In the call, if x holds integers.
        ValueError: In the call, without `dim`, if x has more than four dimensions.

    Gradient:
        r (g - Σ g r), where g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/SoftMax.c` (v0.1.1).
    """

    def __init__(self, dim=None):
        self.dim = dim

    @saves(-1)
    def forward(self, x):
        result = self._shifted("softmax", wide(x.array))
        numpy.exp(result, result)
        result /= numpy.add.reduce(result, self.dim, keepdims=True)
        result = wrap(result.astype(x.array.dtype, copy=False))
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        if isinstance(grad_output, Tensor) and grad_output.array.dtype is not HALF:
            grad, result = grad_output.array, result.array
            product = grad * result
            return wrap_in_c_order((grad - numpy.add.reduce(product, self.dim, keepdims=True)) * result)
        return in_floats(lambda g, r: r.mul(g.sub(g.mul(r).sum(self.dim, True))), grad_output, result)

    def _shifted(self, name, array):
        """Return x - max x along `dim`: its exponential cannot overflow, and the quotient is the same.

        `dim` is checked, and counted from the front from now on; `array` must hold floating-point numbers.
        """
        if array.dtype.kind != "f":
            raise refuses_integers(name, array)
        if self.dim is None:
            self.dim = _CHANNELS.get(array.ndim)
            if self.dim is None:
                raise ValueError(f"{name}: a tensor of size {shown_size(array.shape)} has no default dim; give one")
        self.dim = dimension(name, array.shape, self.dim)
        largest = numpy.maximum.reduce(array, self.dim, keepdims=True, initial=-numpy.inf)
        return numpy.subtract(array, largest, order="C")


class LogSoftmax(Softmax):
    """The logarithm of the softmax, r = x - ln Σ e^x along a dimension.

    Args:
        dim: The dimension. Default: that of Softmax.

    Raises:
        TypeError: In the call, if x holds integers.
        ValueError: In the call, without `dim`, if x has more than four dimensions.

    Gradient:
        g - e^r Σ g, where g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/LogSoftMax.c` (v0.1.1).
    """

    @saves(-1)
    def forward(self, x):
        result = self._shifted("log_softmax", wide(x.array))
        powers = numpy.exp(result, buffer_pool.like(result))
        if powers.size <= _FEW:
            total = numpy.add.reduce(powers, self.dim, keepdims=True)
        else:
            total = wrap(powers).sum(self.dim, True).array
        result -= numpy.log(total, total)
        result = wrap(result.astype(x.array.dtype, copy=False))
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        (result,) = self.saved_tensors
        if isinstance(grad_output, Tensor) and result.array.size <= _FEW and result.array.dtype is not HALF:
            grad, powers = grad_output.array, numpy.exp(result.array)  # the same on the arrays
            powers *= numpy.add.reduce(grad, self.dim, keepdims=True)
            return wrap(numpy.subtract(grad, powers, powers))
        return in_floats(lambda g, r: g.sub(r.exp().mul(g.sum(self.dim, True))), grad_output, result)
