"""Random modules, and parameters with their velocities: inputs of the short exercises of notebook 9."""

from ... import nn
from ...autograd.variable import Variable
from ...tensor import DoubleTensor
from .inputs import made


def module_text(draw, levels):
    """Return the text of a module: a layer, or a Sequential of so many levels, whose first part may be there twice."""
    a, b = draw.whole(1, 9), draw.whole(1, 9)
    if levels == 0:
        return draw.one_of([f"nn.Linear({a}, {b})", f"nn.Conv2d({a}, {b}, 2)", f"nn.BatchNorm2d({a})", "nn.Tanh()"])
    parts = [module_text(draw, draw.whole(0, levels - 1)) for _ in range(draw.whole(0, 3))]
    if parts and draw.chance(0.5):
        parts = [f"part{levels} := {parts[0]}", *parts[1:], f"part{levels}"]
    return f"nn.Sequential({', '.join(parts)})"


class Tied(nn.Module):
    """Two layers with one weight, and factors of its own, which are a part of a larger tensor."""

    def __init__(self, count):
        super().__init__()
        self.one, self.other = nn.Linear(count, count), nn.Linear(count, count)
        self.other.weight = self.one.weight
        self.factors = nn.Parameter(DoubleTensor(count, 2).fill_(1).select(1, 0))


class Parameters:
    """Parameters of these sizes with their velocities, which begin at zero."""

    def __init__(self, draw, kind, sizes):
        layouts = ("contiguous", "transposed", "strided", "part")
        self.parameters = [Variable(made(draw.tensor(kind, size, layouts))) for size in sizes]
        # In one of three the velocities of a matrix lie in memory column by column.
        turned = draw.chance(1 / 3)
        self.velocities = [parameter.data * 0 for parameter in self.parameters]
        if turned:
            self.velocities = [velocity.transpose(0, -1).contiguous().transpose(0, -1) for velocity in self.velocities]
        self.tensors = list(self.velocities)
        self._kind, self._sizes = kind, sizes

    def backward(self, draw):
        for parameter, size in zip(self.parameters, self._sizes):
            parameter.grad.zero_()
            (parameter * Variable(made(draw.tensor(self._kind, size)), requires_grad=False)).sum().backward()
