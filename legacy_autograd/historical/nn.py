"""The defective parts of v0.1.1's `torch.nn` and `torch.optim` (2016: `torch/nn/`)."""

from .. import nn, optim
from . import operations

Linear = nn.Linear


class Sequential(nn.Sequential):
    """Its parameters are those of the named modules; the others run but are not trained (G1)."""

    def __init__(self, *modules):
        super().__init__(*modules)
        self.module_set = {module for name, module in zip(modules, modules[1:]) if isinstance(name, str)}

    def parameters(self):
        for module in self.module_set:
            yield from module.parameters()


class AbsCriterion(nn.Module):
    """The mean of |x - target|. A target must not require a gradient, but does by default (G3)."""

    def forward(self, x, target):
        if target.creator.requires_grad:
            raise AssertionError("targets must not require gradients")
        return operations.AbsCriterion(target.data)(x)[0]


class SGD(optim.SGD):
    """A dampening of 0 is treated as missing, and replaced by the momentum (G7)."""

    def __init__(self, params, lr, momentum=0, dampening=None):
        super().__init__(params, lr, momentum=momentum, dampening=dampening or momentum)
