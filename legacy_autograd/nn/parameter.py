"""`Parameter`: a Variable that a Module registers when it is assigned (v0.1.5, October 2016)."""

from ..autograd.variable import Variable
from ..tensor import Tensor


class Parameter(Variable):
    """A leaf Variable that belongs to a model: `module.weight = Parameter(tensor)` makes it one of its parameters.

    It requires a gradient in every era, unless `requires_grad=False` freezes it. `data` is a Tensor, or a Variable
    whose data is taken. Raises TypeError for anything else.
    """

    __slots__ = ()

    def __init__(self, data, requires_grad=True):
        if isinstance(data, Variable):
            data = data.data
        if not isinstance(data, Tensor):
            raise TypeError(f"Parameter needs a Tensor, got {type(data).__name__}")
        super().__init__(data, requires_grad=requires_grad)

    def __repr__(self):
        return f"Parameter containing:{self.data!r}"
