"""`cat`, `stack` and `unbind`, which take Tensors as well as Variables: `torch.cat` is this one."""

from ...tensor import creation
from ...tensor._helpers import dimension
from ..variable import Variable
from .tensor import Concat, Stack

__all__ = ["cat", "concat", "stack", "unbind"]


def cat(tensors, dim=0):
    """Return the Tensors or Variables of a sequence, concatenated along `dim`. Their other dimensions are equal.

    Gradient of each Variable: its part of g, the gradient of the result. Errors are those of Tensors.
    """
    if _any_variable(tensors):
        return Concat(dim)(*tensors)[0]
    return creation.cat(tensors, dim)


concat = cat


def stack(tensors, dim=0):
    """Return the Tensors or Variables of a sequence, all of one shape, side by side along a new dimension `dim`.

    Gradient of each Variable: its part of g, the gradient of the result. Errors are those of Tensors.
    """
    if _any_variable(tensors):
        return Stack(dim)(*tensors)[0]
    return creation.stack(tensors, dim)


def unbind(tensor, dim=0):
    """Return a tuple of the slices of a Tensor or Variable along `dim`, without that dimension.

    Gradient of a Variable: those of the slices, side by side.
    """
    dim = dimension("unbind", tuple(tensor.size()), dim)
    return tuple([tensor.select(dim, number) for number in range(tensor.size(dim))])


def _any_variable(tensors):
    return isinstance(tensors, (list, tuple)) and any([isinstance(tensor, Variable) for tensor in tensors])
