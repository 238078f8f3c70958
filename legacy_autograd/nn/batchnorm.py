"""Batch normalization and instance normalization (2016: `torch/nn/modules/batchnorm.py`)."""

import math

from ..tensor import Tensor
from ..tensor.messages import shown_size
from . import functional as F
from .functional._inputs import check_positive, check_variables
from .module import Module
from .parameter import Parameter

__all__ = [
    "BatchNorm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d",
]  # fmt: skip


class _BatchNorm(Module):
    """w (x - mean) / sqrt(var + eps) + b for each channel.

    In training, mean and variance are those of the batch, and the buffers `running_mean` and `running_var` move towards
    them. Otherwise the running ones are used. w is initialized from the uniform distribution on [0, 1), as in v0.1.x
    (since 1.0: 1), b with 0.

    Args:
        num_features: The number C of channels.
        eps: A number that keeps the divisor above 0.
        momentum: The weight of the batch in the update of the running mean and variance.
        affine: Whether there are w and b.

    Raises:
        ValueError: When called, for another number of dimensions or channels, or in training for a single value in a
            channel.

    Shape:
        Input (N, C, ...), output the same. `weight` w (C), `bias` b (C).

    Source:
        Ioffe and Szegedy, "Batch normalization", 2015. The name is v0.1.3's: programs derive layers from it.
    """

    expected: tuple[int, ...] = ()  # the numbers of dimensions; any from 2 on if there are none

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True) -> None:
        super().__init__()
        check_positive(self._name, num_features=num_features)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.register_parameter("weight", Parameter(Tensor(num_features)) if affine else None)
        self.register_parameter("bias", Parameter(Tensor(num_features)) if affine else None)
        self.register_buffer("running_mean", Tensor(num_features))
        self.register_buffer("running_var", Tensor(num_features))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the weights again, and set the running mean to 0 and the running variance to 1."""
        self.running_mean.zero_()
        self.running_var.fill_(1)
        if self.affine:
            self.weight.data.uniform_()
            self.bias.data.zero_()

    def _check_input_dim(self, input):
        check_variables(self._name, input)
        size = input.size()
        if len(size) not in self.expected if self.expected else len(size) < 2:
            dims = " or ".join(map(str, self.expected)) or "at least 2"
            raise ValueError(f"{self._name}: expected an input of {dims} dimensions, got the size {shown_size(size)}")
        if size[1] != self.num_features:
            raise ValueError(
                f"{self._name}: expected {self.num_features} channels, got {size[1]} in the size {shown_size(size)}"
            )

    def forward(self, input):
        self._check_input_dim(input)
        return self._normalized(input, self.running_mean, self.running_var, self.weight, self.bias)

    def _normalized(self, input, mean, var, weight, bias):
        return F.batch_norm(input, mean, var, weight, bias, self.training, self.momentum, self.eps)

    def extra_repr(self):
        return f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}"


class BatchNorm(_BatchNorm):
    """`BatchNorm1d` of vectors alone; the name is v0.1.1's.

    Shape:
        Input (N, C), output the same.
    """

    expected: tuple[int, ...] = (2,)


class BatchNorm1d(BatchNorm):
    """`BatchNorm` of vectors or sequences.

    Shape:
        Input (N, C) or (N, C, L), output the same.
    """

    expected = (2, 3)


class BatchNorm2d(BatchNorm):
    """`BatchNorm` of images.

    Shape:
        Input (N, C, H, W), output the same.
    """

    expected = (4,)


class BatchNorm3d(BatchNorm):
    """`BatchNorm` of volumes.

    Shape:
        Input (N, C, D, H, W), output the same.
    """

    expected = (5,)


class InstanceNorm1d(BatchNorm):
    """`BatchNorm` of each sample separately.

    As in v0.1.12 the running mean and variance are averages over the samples. They are used after `eval()` of a module
    that contains this one; `eval()` of this module alone has no effect.

    Args:
        num_features: The number C of channels.
        eps: A number that keeps the divisor above 0.
        momentum: The weight of a sample in the update of the running mean and variance.
        affine: Whether there are w and b.

    Shape:
        Input (N, C, L), output the same.
    """

    expected = (3,)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False) -> None:
        super().__init__(num_features, eps, momentum, affine)

    def eval(self):
        return self

    def forward(self, input):
        self._check_input_dim(input)
        n, channels, *spatial = input.size()
        if self.training and math.prod(spatial) < 2:
            raise ValueError(
                f"{self._name}: training needs more than one value for each channel of a sample, got an input of size "
                f"{shown_size(input.size())}"
            )
        mean, var = [running.repeat(n) for running in (self.running_mean, self.running_var)]
        weight, bias = [part.repeat(n) if self.affine else None for part in (self.weight, self.bias)]
        row = input.contiguous().view(1, n * channels, *spatial)
        result = self._normalized(row, mean, var, weight, bias)
        for running, each in ((self.running_mean, mean), (self.running_var, var)):
            running.copy_(each.view(n, channels).mean(0, True).view(channels))
        return result.view(*input.size())


class InstanceNorm2d(InstanceNorm1d):
    """`InstanceNorm1d` of images.

    Shape:
        Input (N, C, H, W), output the same.
    """

    expected = (4,)


class InstanceNorm3d(InstanceNorm1d):
    """`InstanceNorm1d` of volumes.

    Shape:
        Input (N, C, D, H, W), output the same.
    """

    expected = (5,)
