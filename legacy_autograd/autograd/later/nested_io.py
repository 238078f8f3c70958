"""`NestedIOFunction` (v0.1.6): a Function whose inputs and outputs may be lists and tuples, in one another.

A Function takes and returns flat rows of Variables. Recurrent layers have states that are tuples, and a list of
weights for each layer; this class flattens them before `forward`, and puts the parts back in their places after it.
"""

from ...tensor._helpers import is_tensor, shown
from .. import function as _function
from ..function import Function
from ..variable import Variable


class NestedIOFunction(Function):
    """A Function over nested inputs. A subclass defines `forward_extended` and `backward_extended`.

    `forward_extended(*inputs)` gets the structure of the call with Tensors for Variables, and returns Tensors, in one
    list or tuple or nested. A call returns the same structure of Variables. `backward_extended(*gradients)` gets a
    gradient for each output, in that structure, and returns the gradients of all inputs, nested or flat, None for what
    has none. None is a part without a tensor. `save_for_backward`, `saved_tensors`, `mark_dirty` and
    `mark_non_differentiable` work on nested parts as well.

    ValueError for parts of another kind.
    """

    def __call__(self, *input):
        self._nested_input = input
        result = super().__call__(*_flat(input, Variable))
        return _rebuilt(self._nested_output, iter(result if isinstance(result, tuple) else (result,)))

    def forward(self, *flat):
        result = self.forward_extended(*_rebuilt(self._nested_input, iter(flat)))
        del self._nested_input
        self._nested_output = result
        return tuple(_flat(result))

    def backward(self, *gradients):
        nested = _rebuilt(self._nested_output, iter(gradients))
        nested = nested if isinstance(nested, (list, tuple)) else (nested,)
        return tuple(_flat(self.backward_extended(*nested), keeps_none=True))

    def save_for_backward(self, *parts):
        super().save_for_backward(*_flat(parts))
        self._nested_saved = parts

    @property
    def saved_tensors(self):
        return _rebuilt(self._nested_saved, iter(super().saved_tensors))

    def mark_dirty(self, *parts):
        super().mark_dirty(*_flat(parts))

    def mark_non_differentiable(self, *parts):
        super().mark_non_differentiable(*_flat(parts))

    def forward_extended(self, *input):
        raise NotImplementedError(f"{self._name} does not define forward_extended")

    def backward_extended(self, *grad_output):
        raise NotImplementedError(f"{self._name} does not define backward_extended")


def _flat(part, kind=None, keeps_none=False):
    """The Variables (`kind`), or otherwise the Tensors or Variables, in `part`."""
    if isinstance(part, kind) if kind else is_tensor(part) or isinstance(part, Variable):
        return [part]
    if part is None:
        return [None] if keeps_none else []
    if isinstance(part, (list, tuple)):
        return [leaf for inner in part for leaf in _flat(inner, kind, keeps_none)]
    raise ValueError(f"NestedIOFunction: parts are Variables, lists, tuples and None, got {shown(part)}")


def _rebuilt(structure, leaves):
    """The nested `structure` with the next of `leaves` for each Variable or Tensor in it."""
    if structure is None:
        return None
    if isinstance(structure, (list, tuple)):
        return type(structure)([_rebuilt(part, leaves) for part in structure])
    return next(leaves)


_function.NestedIOFunction = NestedIOFunction  # programs import it from torch.autograd.function
