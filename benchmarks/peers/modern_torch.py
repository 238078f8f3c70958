"""The workloads in modern torch, on one thread."""

import numpy
import torch
from torch.nn import functional
from torch.utils import data

from .torch_like import TorchLike

torch.set_num_threads(1)


def leaf(array, requires_grad=True):
    return torch.from_numpy(numpy.ascontiguousarray(array)).requires_grad_(requires_grad)


def update(parameters, rate):
    with torch.no_grad():
        for parameter in parameters:
            parameter.add_(parameter.grad, alpha=-rate)
    gradients = [parameter.grad for parameter in parameters]
    for parameter in parameters:
        parameter.grad = None
    return gradients


def to_numpy(gradients):
    return [gradient.detach().numpy() for gradient in gradients]


PEER = TorchLike(torch, functional, data, leaf, update, to_numpy)
