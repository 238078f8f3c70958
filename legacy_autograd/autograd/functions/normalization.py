"""Normalization over a batch or over neighbouring channels (2016: THNN's `BatchNormalization`)."""

import math

import numpy

from ...tensor.arguments import number_for
from ...tensor.dtypes import wide
from ...tensor.errors import SizeError
from ...tensor.messages import shown, shown_size
from ...tensor.wrapping import wrap, wrap_in_c_order
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
        array = wide(x.array)
        self.channel_size = (1, array.shape[1], *[1] * (array.ndim - 2))
        self.count = array.size // array.shape[1] if array.shape[1] else 0
        if self.training:
            mean, variance = self._of_batch(array)
        else:
            mean = wide(self.running_mean.array.reshape(self.channel_size).copy())  # a later training step changes them
            variance = wide(self.running_var.array.reshape(self.channel_size))
        scale = 1 / numpy.sqrt(variance + number_for(f"{self._name}: eps", array, self.eps))
        result = (array - mean) * (scale if weight is None else scale * weight.array.reshape(self.channel_size))
        if bias is not None:
            result += bias.array.reshape(self.channel_size)
        self.save_for_backward(x, wrap(mean), wrap(scale), *[] if weight is None else [weight])
        return wrap_in_c_order(result.astype(x.array.dtype, copy=False))

    def _of_batch(self, array):
        if self.count < 2:
            raise ValueError(
                f"{self._name}: training needs more than one value for each channel, got an input of size "
                f"{shown_size(array.shape)}"
            )
        size, (count, others) = self.channel_size, numpy.array([self.count, self.count - 1], array.dtype)
        mean = _channel_sum(array).reshape(size) / count
        centered = array - mean
        variance = _channel_sum(numpy.multiply(centered, centered, out=centered)).reshape(size) / count
        if self.running_mean is not None:
            self._move(self.running_mean, mean)
            self._move(self.running_var, variance * (count / others))
        return mean, variance

    def _move(self, running, new):
        array = running.array
        array += number_for(f"{self._name}: momentum", array, self.momentum) * (new.reshape(array.shape) - array)
        running._wrote()

    def backward(self, grad_output):
        x, mean, scale, *weight = self.saved_tensors
        grads = in_floats(self._slopes, grad_output, x, mean, scale, *weight)
        return grads[: len(self.needs_input_grad)]

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


def _channel_sum(array):
    """Return the sum over all dimensions but the second, first within each image, where numpy adds pairwise."""
    n, channels = array.shape[:2]
    return numpy.add.reduce(numpy.add.reduce(array.reshape(n, channels, math.prod(array.shape[2:])), 2), 0)
