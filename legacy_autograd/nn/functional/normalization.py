"""Batch normalization."""

from ...autograd.functions import normalization
from ...autograd.variable import Variable
from ._inputs import given, tensor_of


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """input (N, C, …), normalized for each channel: by the batch's statistics in training, else by the running ones.

    running_mean and running_var are Tensors, changed in place by training, or None.
    """
    if bias is not None and weight is None:
        weight = Variable(bias.data.new(*bias.size()).fill_(1), requires_grad=False)
    function = normalization.BatchNorm(tensor_of(running_mean), tensor_of(running_var), training, momentum, eps)
    return function(*given(input, weight, bias))[0]
