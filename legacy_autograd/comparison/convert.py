"""Moving over: tensors, modules and whole state dicts from this package to modern torch, and back.

Both share the memory of a numpy array, so nothing is copied: a change on one side is seen on the other, though not
counted by this package's check of saved tensors. 2016 had no counterpart.
"""

from collections import OrderedDict

import numpy

from ..autograd.variable import Variable
from ..tensor import Tensor
from ..tensor._helpers import over_numpy
from ..tensor.dtypes import supported
from ._torch import modern_torch


def to_torch(here):
    """What `here` is in modern torch: a Tensor as a tensor, a Variable as one that requires a gradient where it does,
    a Module as its state dict, lists, tuples and dictionaries of them with everything inside them moved.

    Memory is shared. Numbers, strings and None pass as they are. Raises TypeError for anything else.
    """
    return _moved(here, {Variable: _variable_to_torch, Tensor: _tensor_to_torch}, "to_torch")


def from_torch(there):
    """What `there`, of modern torch, is here: a tensor as a Tensor, one that requires a gradient (a Parameter for
    example) as a leaf Variable, a module as its state dict, lists, tuples and dictionaries with everything inside.

    Memory is shared where the tensor is a processor's and has strides (else copied). A tensor without dimensions gets
    the size (1,), a bool tensor becomes a ByteTensor. Raises TypeError for other types than this package has.
    """
    return _moved(there, {modern_torch().Tensor: _tensor_from_torch}, "from_torch")


def _moved(item, ways, name):
    """`item` with everything inside it moved by `ways` {class: function}; `name` is for the message."""
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
    raise TypeError(f"{name}: cannot move a {type(item).__name__}: only tensors, modules, and collections of them")


def _tensor_to_torch(tensor):
    torch = modern_torch()
    array = tensor.numpy()
    if not array.flags.writeable or any(stride < 0 for stride in array.strides):
        array = array.copy()  # torch has neither read-only memory nor negative strides
    return torch.from_numpy(array)


def _variable_to_torch(variable):
    if not variable.is_leaf:
        raise TypeError(
            f"to_torch: an output of {type(variable.creator).__name__} stands in its graph, which does not move with "
            "it: move its data"
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
        raise TypeError(f"from_torch: no tensor type here for {there.dtype}") from error
    if not there.requires_grad:
        return tensor
    variable = Variable(tensor, requires_grad=True)
    if there.grad is not None:
        variable.grad = _tensor_from_torch(there.grad.detach())
    return variable
