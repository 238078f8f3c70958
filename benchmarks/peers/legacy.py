"""The workloads in this package."""

import legacy_autograd as torch
from legacy_autograd import data
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional

from .torch_like import TorchLike


def leaf(array, requires_grad=True):
    return Variable(torch.from_numpy(array), requires_grad=requires_grad)


def update(parameters, rate):
    for parameter in parameters:
        parameter.data.add_(-rate, parameter.grad)
    gradients = [parameter.grad for parameter in parameters]
    for parameter in parameters:
        parameter.grad = None
    return gradients


def to_numpy(gradients):
    return [gradient.data.numpy() for gradient in gradients]


PEER = TorchLike(torch, functional, data, leaf, update, to_numpy)
