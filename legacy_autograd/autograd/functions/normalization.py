"""Normalization over a batch or over neighbouring channels (2016: THNN's `BatchNormalization`)."""

import math

import numpy

from ...tensor import buffer_pool
from ...tensor.arguments import number_for
from ...tensor.dtypes import wide
from ...tensor.errors import SizeError
from ...tensor.messages import shown, shown_size
from ...tensor.wrapping import wrap
from ..function import Function
from ..variable import Variable
from ._utils import in_floats, sum_to_size
from .im2col import check_images


class BatchNorm(Function):
    """(x - mean) / sqrt(var + eps) for each channel, then times w, plus b.

    A call takes x (N, C) or (N, C, …) and optionally w (C) and b (C). In training, mean and variance are those of the
    batch, over all dimensions but the second. The variance is divided by the number of elements m. The running averages
    then change by momentum (new - running), where the new variance is divided by m - 1.

    Args:
        running_mean: The running mean, a Tensor (C), or None.
        running_var: The running variance, a Tensor (C), or None.
        training: Whether mean and variance are those of the batch. Otherwise they are the running averages.
        momentum: The share of the batch in the running averages.
        eps: The number that is added to the variance.

    Raises:
        TypeError: In the call, if the types differ.
        ValueError: If one running average is missing, or both without `training`; in the call, if a shape does not fit,
            x holds integers, or training has only one value for each channel.

    Gradient:
        With x̂ for the normalized x and Σ over a channel: for b, Σ g; for w, Σ g x̂; for x, w / sqrt(var + eps) times
        (g - Σ g / m - x̂ Σ g x̂ / m) in training, and times g otherwise, where g is the gradient of the output.

    Source:
        `torch/nn/functions/thnn/batchnorm.py` (v0.1.5).
        `torch/lib/THNN/generic/BatchNormalization.c` (v0.1.1).
    """

    _saved_names = ("x", "mean", "1 / sqrt(var + eps)", "w")

    def __init__(self, running_mean=None, running_var=None, training=False, momentum=0.1, eps=1e-5):
        if (running_mean is None) != (running_var is None):
            raise ValueError(f"{self._name}: running_mean and running_var must be given together, got only one of them")
        if not training and running_mean is None:
            raise ValueError(f"{self._name}: training=False needs running_mean and running_var")
        self.running_mean = running_mean
        self.running_var = running_var
        self.training = training
        self.momentum = momentum
        self.eps = eps

    def forward(self, x, weight=None, bias=None):
        self._check(x, weight, bias)
        channels = x.array.shape[1]
        self.channel_size = (1, channels, *[1] * (x.array.ndim - 2))
        self.count = x.array.size // channels if channels else 0
        array = _in_rows(wide(x.array))
        if self.training:
            if self.count < 2:
                raise ValueError(
                    f"{self._name}: training needs more than one value for each channel, got an input of size "
                    f"{shown_size(x.array.shape)}"
                )
            mean = _sum(array) / array.dtype.type(self.count)
        else:
            mean = wide(self.running_mean.array).copy()  # a later training step changes it
        centered = numpy.subtract(array, mean[:, None], buffer_pool.empty(array.shape, array.dtype))
        if self.training:
            count, others = numpy.array([self.count, self.count - 1], array.dtype)
            variance = _dot(centered, centered) / count
            if self.running_mean is not None:
                self._move(self.running_mean, mean)
                self._move(self.running_var, variance * (count / others))
        else:
            variance = wide(self.running_var.array)
        scale = 1 / numpy.sqrt(variance + number_for(f"{self._name}: eps", array, self.eps))
        centered *= (scale if weight is None else scale * weight.array)[:, None]
        if bias is not None:
            centered += bias.array[:, None]
        saved = [wrap(numbers.reshape(self.channel_size)) for numbers in (mean, scale)]
        self.save_for_backward(x, *saved, *[] if weight is None else [weight])
        return wrap(centered.reshape(x.array.shape).astype(x.array.dtype, copy=False))

    def _move(self, running, new):
        array = running.array
        array += number_for(f"{self._name}: momentum", array, self.momentum) * (new.reshape(array.shape) - array)
        running._wrote()

    def backward(self, grad_output):
        x, mean, scale, *weight = self.saved_tensors
        slopes = self._slopes if isinstance(grad_output, Variable) else self._slopes_of_arrays
        grads = in_floats(slopes, grad_output, x, mean, scale, *weight)
        return grads[: len(self.needs_input_grad)]

    def _slopes_of_arrays(self, grad_output, x, mean, scale, *weight):
        """Return what `_slopes` returns, in two passes over x and g for the sums and two for the gradient of x."""
        needs = (*self.needs_input_grad, False, False)
        grad, array, mean, scale = _in_rows(grad_output.array), _in_rows(x.array), mean.array, scale.array.reshape(-1)
        centered = numpy.subtract(array, mean.reshape(-1, 1), buffer_pool.empty(array.shape, array.dtype))
        sum_of_grad, projection = _sum(grad), scale * _dot(grad, centered)
        grad_x = None
        if needs[0]:
            factor = scale * weight[0].array if weight else scale
            grad_x = numpy.multiply(grad, factor[:, None], buffer_pool.empty(grad.shape, grad.dtype))
            if self.training:
                factor = factor / grad.dtype.type(self.count)
                centered *= (factor * scale * projection)[:, None]
                centered += (factor * sum_of_grad)[:, None]
                grad_x -= centered
            grad_x = wrap(grad_x.reshape(x.array.shape))
        return grad_x, wrap(projection) if needs[1] else None, wrap(sum_of_grad) if needs[2] else None

    def _slopes(self, grad_output, x, mean, scale, *weight):
        needs = (*self.needs_input_grad, False, False)
        size, count = self.channel_size, self.count
        if self.training and isinstance(x, Variable):
            # Double backward needs them as functions of x, not as the numbers of forward.
            mean = sum_to_size(x, size).div(count)
            centered = x.sub(mean)
            scale = sum_to_size(centered.mul(centered), size).div(count).add(self.eps).rsqrt()
        grad_x = grad_weight = grad_bias = None
        if needs[2] or self.training:
            sum_of_grad = sum_to_size(grad_output, size)
            grad_bias = sum_of_grad.contiguous().view(-1) if needs[2] else None
        if needs[1] or self.training:
            normalized = x.sub(mean).mul(scale)
            projection = sum_to_size(grad_output.mul(normalized), size)
            grad_weight = projection.contiguous().view(-1) if needs[1] else None
        if needs[0]:
            grad_x = grad_output
            if self.training:
                grad_x = grad_x.sub(sum_of_grad.div(count)).sub(normalized.mul(projection.div(count)))
            grad_x = grad_x.mul(scale.mul(weight[0].contiguous().view(*size)) if weight else scale)
        return grad_x, grad_weight, grad_bias

    def _check(self, x, weight, bias):
        if x.array.ndim < 2 or x.array.dtype.kind != "f":
            raise ValueError(
                f"{self._name}: expected floating-point numbers in 2 dimensions or more, (N, C, …), got {shown(x)}"
            )
        expected = (x.array.shape[1],)
        given = zip(
            ("weight", "bias", "running_mean", "running_var"), (weight, bias, self.running_mean, self.running_var)
        )
        for what, tensor in given:
            if tensor is None:
                continue
            if tensor.array.shape != expected:
                raise SizeError(
                    f"{self._name}: an input with {expected[0]} channels needs a {what} of size {expected[0]}, "
                    f"got {shown(tensor)}; the input is {shown(x)}"
                )
            if tensor.array.dtype is not x.array.dtype:
                raise TypeError(
                    f"{self._name}: input and {what} must be of one type, got {shown(x)} and {shown(tensor)}"
                )


class CrossMapLRN2d(Function):
    """x / (k + alpha / size Σ x²)^beta, where Σ goes over `size` neighbouring channels at the same place.

    A call takes x (N, C, H, W). The window of channel c reaches from c - (size - 1) / 2 to c + (size - 1) / 2, rounded
    down. As in v0.1.12 and in modern torch, a window never loses channel 0 again.

    Args:
        size: The number of channels.
        alpha: The factor of the mean square.
        beta: The exponent.
        k: The number that is added.

    Raises:
        TypeError: In the call, if x holds integers.
        ValueError: If `size` is not a positive integer; in the call, if x does not have 4 dimensions.

    Gradient:
        g s^-beta - 2 alpha beta / size x Σ g r / s, where g is the gradient of the output, s the sum in brackets, r the
        result, and Σ goes over the channels that have x in their window.

    Source:
        Krizhevsky et al., "ImageNet classification with deep convolutional neural networks", 2012.
        `torch/nn/functions/thnn/normalization.py` (v0.1.5).
    """

    def __init__(self, size, alpha=1e-4, beta=0.75, k=1):
        if not isinstance(size, int) or size < 1:
            raise ValueError(f"{self._name}: size must be a positive integer, got {size!r}")
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, x):
        check_images(self._name, x, 2)
        self.input_size = x.array.shape
        channels = numpy.arange(self.input_size[1])
        distance = channels - channels[:, None]  # of the column's channel from the row's
        reach = (self.size - 1) // 2
        window = (distance <= reach) & ((distance >= -reach) | (channels == 0))
        self.window = wrap(window.astype(x.array.dtype))
        self.save_for_backward(x)
        return in_floats(lambda x, window: x.mul(self._scale(x, window).pow(-self.beta)), x, self.window)

    def _over_channels(self, matrix, x):
        """Return the product of `matrix` (C, C) with the channels of x, at each place of each sample."""
        n, channels, *size = self.input_size
        return matrix.matmul(x.contiguous().view(n, channels, math.prod(size))).view(*self.input_size)

    def _scale(self, x, window):
        return self._over_channels(window, x.mul(x)).mul(self.alpha / self.size).add(self.k)

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        window = Variable(self.window, requires_grad=False) if isinstance(x, Variable) else self.window
        return in_floats(self._slopes, grad_output, x, window)

    def _slopes(self, grad_output, x, window):
        scale = self._scale(x, window)
        power = scale.pow(-self.beta)
        ratio = self._over_channels(window.t(), grad_output.mul(x).mul(power).div(scale))
        return grad_output.mul(power).sub(x.mul(ratio).mul(2 * self.alpha * self.beta / self.size))


def _in_rows(array):
    """Return `array` (N, C, …) as (N, C, S) in C order."""
    return numpy.ascontiguousarray(array).reshape(*array.shape[:2], math.prod(array.shape[2:]))


def _sum(array):
    """Return the sums of the channels of `array` (N, C, S). A product with ones is a fast sum."""
    n, channels, size = array.shape
    rows = array.reshape(n * channels, size).dot(numpy.ones(size, array.dtype)) if size != 1 else array
    return numpy.add.reduce(rows.reshape(n, channels), 0)


def _dot(a, b):
    """Return the sums of the channels of a b, both (N, C, S)."""
    if a.shape[2] == 1:
        return numpy.einsum("nc,nc->c", a[:, :, 0], b[:, :, 0])
    if a.shape[2] < 64:  # a product of each pair of rows is a call of BLAS
        return _sum(numpy.multiply(a, b, buffer_pool.empty(a.shape, a.dtype)))
    return numpy.add.reduce(numpy.matmul(a[..., None, :], b[..., None])[..., 0, 0], 0)
