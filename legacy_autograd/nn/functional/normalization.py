"""Batch normalization as a function."""

from ...autograd.functions import normalization
from ...autograd.variable import Variable
from ...tensor import Tensor
from ._inputs import given, tensor_of

__all__ = ["batch_norm"]


def batch_norm(
    input: Variable,
    running_mean: Variable | Tensor | None,
    running_var: Variable | Tensor | None,
    weight: Variable | None = None,
    bias: Variable | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Variable:
    """Return weight · (input - mean) / sqrt(var + eps) + bias, for each channel.

    Args:
        input: A Variable (N, C, …).
        running_mean: The running mean of each channel, (C). Training updates it in place.
        running_var: The running variance of each channel, (C). Training updates it in place.
        weight: A Variable (C). Default: 1.
        bias: A Variable (C). Default: 0.
        training: Whether mean and variance are those of the batch. Otherwise they are the running ones.
        momentum: The weight of the batch in the update of the running ones.
        eps: A number that keeps the divisor above 0.
    """
    if bias is not None and weight is None:
        weight = Variable(bias.data.new(*bias.size()).fill_(1), requires_grad=False)
    function = normalization.BatchNorm(tensor_of(running_mean), tensor_of(running_var), training, momentum, eps)
    return function(*given(input, weight, bias))[0]
