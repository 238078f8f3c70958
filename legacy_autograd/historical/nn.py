"""What was defective in v0.1.1's `torch.nn` and `torch.optim`, over the parts that were not (2016: `torch/nn/`)."""

from .. import nn, optim
from . import operations

Linear = nn.Linear


class Sequential(nn.Sequential):
    """Its parameters are those of the modules that were given a name; the others run, and are not trained (G1)."""

    def __init__(self, *modules):
        super().__init__(*modules)
        self.module_set = {module for name, module in zip(modules, modules[1:]) if isinstance(name, str)}

    def parameters(self):
        for module in self.module_set:
            yield from module.parameters()


class AbsCriterion(nn.Module):
    """The mean of |x - target|. A Variable that requires a gradient, as it does by default, is no target (G3)."""

    def forward(self, x, target):
        if target.creator.requires_grad:
            raise AssertionError("targets must not require gradients")
        return operations.AbsCriterion(target.data)(x)[0]


class SGD(optim.SGD):
    """A dampening of 0 is taken for one that was not given, and that is the momentum (G7)."""

    def __init__(self, params, lr, momentum=0, dampening=None):
        super().__init__(params, lr, momentum=momentum, dampening=dampening or momentum)
