"""`torch._thnn`: the C functions of THNN for each type of tensors, used by programs of v0.1.x (2016: the folder).

legacy_autograd has no C functions. `type2backend[type(tensor)]` exists, and using one of its functions raises
NotImplementedError. `torch.nn.functional` has the operations.
"""

from .tensor.dtypes import CLASSES, TYPE_NAMES


class _Library:
    """The C functions for one type of tensors."""

    library_state = None

    def __init__(self, tensor_type):
        self._tensor_type = tensor_type

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(
            f"{name} is a C function of THNN for {self._tensor_type}, which legacy_autograd does not have; use the "
            "function of torch.nn.functional"
        )


# The keys are the classes of tensors and their names, as in v0.1.x.
type2backend = {}
for _dtype, _name in TYPE_NAMES.items():
    type2backend[_name] = type2backend[CLASSES[_dtype]] = _Library(_name)
