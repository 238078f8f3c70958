"""Weights as a norm and a direction (0.2.0: `torch/nn/utils/weight_norm.py`)."""

from ...autograd.variable import Variable
from ...tensor.arguments import dimension
from ..module import Module
from ..parameter import Parameter


class WeightNorm:
    """The hook that computes a weight w = g v / ‖v‖ from the parameters g and v before each forward of a module.

    Args:
        name: The name of the weight.
        dim: The dimension with one norm for each index; None for one norm of the whole weight.
    """

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = dim

    def compute_weight(self, module: Module) -> Variable:
        """Return the weight, as a Variable whose backward reaches g and v.

        Args:
            module: The Module with the parameters.
        """
        g, v = getattr(module, f"{self.name}_g"), getattr(module, f"{self.name}_v")
        return v.mul(g.div(_norm(v, self.dim)).expand_as(v))

    def __call__(self, module, input):
        vars(module)[self.name] = self.compute_weight(module)


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Replace a parameter w with two, g and v, such that w = g v / ‖v‖, and return the module.

    g is named `name`_g and holds the norms, v is named `name`_v. The attribute `name` becomes a Variable that is not a
    parameter.

    Args:
        module: The Module, changed in place.
        name: The name of the parameter.
        dim: There is one norm for each index of this dimension, over all other dimensions. g has the shape of w with
            all other sizes 1. None: one norm of the whole weight.

    Raises:
        ValueError: If the module has no such parameter.
        IndexError: If the weight has no such dimension.

    Source:
        Salimans and Kingma, "Weight normalization", 2016.
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


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Replace the parameters g and v with one, w = g v / ‖v‖, and return the module.

    Args:
        module: The Module, changed in place.
        name: The name of the parameter w.

    Raises:
        ValueError: If `weight_norm` was not applied to it.
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
    """Return the norms of `weight`, a Variable, over all dimensions but `dim`, with as many dimensions as `weight`."""
    if dim is None:
        return weight.contiguous().view(-1).norm(2, 0, True)
    moved = weight.transpose(0, dim).contiguous()
    count, *others = moved.size()
    return moved.view(count, -1).norm(2, 1, True).view(count, *[1] * len(others)).transpose(0, dim)
