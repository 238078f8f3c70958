"""Convert tensors, modules and state dicts between legacy_autograd and modern torch.

Both share the memory of a numpy array, so no data is copied. A write on one side changes the other too, but the version
counters of saved tensors do not see it. 2016 had no counterpart.
"""

from collections import OrderedDict
from typing import Any

import numpy

from ..autograd.variable import Variable
from ..tensor import Tensor
from ..tensor.dtypes import supported
from ..tensor.wrapping import over_numpy
from ._torch import modern_torch


def to_torch(here: Any) -> Any:
    """Convert legacy_autograd objects to modern torch.

    Memory is shared. Numbers, strings and None are returned unchanged.

    Args:
        here: A Tensor, a leaf Variable, a module, or a list, tuple or dictionary of these.

    Returns:
        A tensor for a Tensor; a tensor with the same `requires_grad` and `grad` for a Variable; the state dict for a
        module; a collection with converted items for a collection.

    Raises:
        TorchMissing: If modern torch is not installed.
        TypeError: If `here` contains a Variable that is not a leaf, or an object of another type.
    """
    return _moved(here, {Variable: _variable_to_torch, Tensor: _tensor_to_torch}, "to_torch")


def from_torch(there: Any) -> Any:
    """Convert modern torch objects to legacy_autograd.

    Memory is shared if the tensor is on the CPU and has strides; otherwise it is copied. A tensor without dimensions
    gets the shape (1,), and a bool tensor becomes a ByteTensor. Numbers, strings and None are returned unchanged.

    Args:
        there: A tensor, a module, or a list, tuple or dictionary of these.

    Returns:
        A Tensor for a tensor; a leaf Variable for a tensor that requires a gradient, such as a Parameter; the state
        dict for a module; a collection with converted items for a collection.

    Raises:
        TorchMissing: If modern torch is not installed.
        TypeError: If legacy_autograd has no such tensor type, or `there` contains an object of another type.
    """
    return _moved(there, {modern_torch().Tensor: _tensor_from_torch}, "from_torch")


def _moved(item, ways, name):
    """Return `item` with all its contents converted by `ways` {class: function}; `name` is for the message."""
    for kind, move in ways.items():
        if isinstance(item, kind):
            return move(item)
    if isinstance(item, dict):
        return type(item)((key, _moved(value, ways, name)) for key, value in item.items())
    if isinstance(item, (list, tuple)):
        moved = [_moved(value, ways, name) for value in item]
        return type(item)(*moved) if hasattr(item, "_fields") else type(item)(moved)
    if callable(getattr(item, "state_dict", None)):
        return OrderedDict(_moved(dict(item.state_dict()), ways, name))
    if item is None or isinstance(item, (bool, int, float, complex, str, bytes, numpy.generic)):
        return item
    raise TypeError(f"{name} takes tensors, modules and collections of these, got {type(item).__name__}")


def _tensor_to_torch(tensor):
    torch = modern_torch()
    array = tensor.numpy()
    if not array.flags.writeable or any(stride < 0 for stride in array.strides):
        array = array.copy()  # torch supports neither read-only memory nor negative strides
    return torch.from_numpy(array)


def _variable_to_torch(variable):
    if not variable.is_leaf:
        raise TypeError(
            f"to_torch: this Variable is an output of {type(variable.creator).__name__}, and graphs cannot be "
            "converted; convert its data"
        )
    tensor = _tensor_to_torch(variable.data).requires_grad_(variable.requires_grad)
    if variable._grad is not None:
        tensor.grad = _tensor_to_torch(variable._grad.data)
    return tensor


def _tensor_from_torch(there):
    array = there.detach().cpu().resolve_conj().resolve_neg()
    try:
        tensor = over_numpy(supported(array.numpy()))
    except TypeError as error:
        raise TypeError(f"from_torch: legacy_autograd has no tensor type for {there.dtype}") from error
    if not there.requires_grad:
        return tensor
    variable = Variable(tensor, requires_grad=True)
    if there.grad is not None:
        variable.grad = _tensor_from_torch(there.grad.detach())
    return variable
