"""`Parameter`: a Variable that a Module registers when it is assigned (v0.1.5, October 2016)."""

from ..autograd.variable import Variable
from ..tensor import Tensor


class Parameter(Variable):
    """A leaf Variable that is registered as a parameter when it is assigned to an attribute of a Module.

    It requires a gradient under all conventions, unless `requires_grad` is False.

    Args:
        data: The Tensor, or a Variable whose `data` is used.
        requires_grad: False freezes the parameter.

    Raises:
        TypeError: If `data` is neither a Tensor nor a Variable.

    Example:
        >>> layer = torch.nn.Module()
        >>> layer.weight = torch.nn.Parameter(torch.Tensor([1, 2]))
        >>> [name for name, _ in layer.named_parameters()]
        ['weight']
    """

    __slots__ = ("__dict__",)  # programs note the rate of a weight on it, as `weight.lr_scale`

    def __init__(self, data: Tensor | Variable, requires_grad: bool = True) -> None:
        if isinstance(data, Variable):
            data = data.data
        if not isinstance(data, Tensor):
            raise TypeError(f"Parameter needs a Tensor, got {type(data).__name__}")
        super().__init__(data, requires_grad=requires_grad)

    def __repr__(self):
        return f"Parameter containing:{self.data!r}"
