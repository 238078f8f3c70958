"""The workloads in this package."""

import legacy_autograd as torch
import legacy_autograd.nn
import legacy_autograd.optim  # noqa: F401
from legacy_autograd.autograd import Variable

from .torch_like import TorchLike


class Legacy(TorchLike):
    def leaf(self, array, requires_grad=True):
        return Variable(torch.from_numpy(array), requires_grad=requires_grad)


PEER = Legacy(torch)
