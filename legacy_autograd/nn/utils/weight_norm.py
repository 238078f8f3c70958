"""Weights as a length and a direction (0.2.0: `torch/nn/utils/weight_norm.py`).

Salimans and Kingma, "Weight normalization", 2016.
"""

from ...tensor._helpers import dimension
from ..parameter import Parameter


class WeightNorm:
    """The hook that makes a weight w = g v / |v| anew, from the parameters g and v, before each forward of a module."""

    def __init__(self, name, dim):
        self.name = name
        self.dim = dim

    def compute_weight(self, module):
        """Return the weight, a Variable through which `backward` reaches g and v."""
        g, v = getattr(module, f"{self.name}_g"), getattr(module, f"{self.name}_v")
        return v.mul(g.div(_norm(v, self.dim)).expand_as(v))

    def __call__(self, module, input):
        vars(module)[self.name] = self.compute_weight(module)


def weight_norm(module, name="weight", dim=0):
    """Replace the parameter `name` of `module` by two, `name`_g, its norms, and `name`_v, which has its direction.

    One norm is taken for each index of dimension `dim`, over all others; g has the weight's number of dimensions, with
    sizes of 1 but for `dim`. A `dim` of None means one norm of the whole weight. Returns the module; its attribute
    `name` is from here on a Variable that is no parameter.

    Raises ValueError if the module has no such parameter, IndexError for a `dim` that the weight does not have.
    """
    weight = module._parameters.get(name)
    if weight is None:
        known = ", ".join(module._parameters) or "none"
        raise ValueError(f"weight_norm: {type(module).__name__} has no parameter {name!r}; it has {known}")
    if dim is not None:
        dim = dimension("weight_norm", weight.data.array.shape, dim)
    hook = WeightNorm(name, dim)
    del module._parameters[name]
    module.register_parameter(f"{name}_g", Parameter(_norm(weight, dim).data))
    module.register_parameter(f"{name}_v", Parameter(weight.data))
    hook(module, ())
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module, name="weight"):
    """Make the weight `name` of `module` one parameter again, with the numbers of g v / |v|; returns the module.

    Raises ValueError where `weight_norm` was not applied to it.
    """
    for key, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, WeightNorm) and hook.name == name:
            weight = hook.compute_weight(module)
            del module._forward_pre_hooks[key]
            for part in (name, f"{name}_g", f"{name}_v"):
                delattr(module, part)
            module.register_parameter(name, Parameter(weight.data))
            return module
    raise ValueError(f"remove_weight_norm: {type(module).__name__} has no weight norm of {name!r}")


def _norm(weight, dim):
    """The norms of `weight`, a Variable, over all dimensions but `dim`, whose number of dimensions stays."""
    if dim is None:
        return weight.contiguous().view(-1).norm(2, 0)
    moved = weight.transpose(0, dim).contiguous()
    count, *others = moved.size()
    return moved.view(count, -1).norm(2, 1, True).view(count, *[1] * len(others)).transpose(0, dim)
