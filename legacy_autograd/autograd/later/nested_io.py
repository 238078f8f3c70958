"""`NestedIOFunction` (v0.1.6): a Function whose inputs and outputs may be nested lists and tuples.

A Function takes and returns a flat sequence of Variables. Recurrent layers have states that are tuples, and a list of
weights for each layer. This class flattens them before `forward`, and restores the structure after it.
"""

from typing import Any

from ...tensor.messages import shown
from ...tensor.wrapping import is_tensor
from ..function import Function
from ..variable import Variable


class NestedIOFunction(Function):
    """A Function over nested inputs. A subclass defines `forward_extended` and `backward_extended`.

    A call returns the structure of `forward_extended`'s result, with Variables. `save_for_backward`, `saved_tensors`,
    `mark_dirty` and `mark_non_differentiable` accept nested parts as well.

    Raises:
        ValueError: In the call, if a part is not a Variable, a list, a tuple or None.
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

    def forward_extended(self, *input: Any) -> Any:
        """Compute the result; the forward pass of a subclass.

        Args:
            *input: The arguments of the call, with Tensors instead of Variables. None is a part without a tensor.

        Returns:
            Tensors, in one list or tuple or nested.
        """
        raise NotImplementedError(f"{self._name} does not define forward_extended")

    def backward_extended(self, *grad_output: Any) -> Any:
        """Compute the gradients of the inputs; the backward pass of a subclass.

        Args:
            *grad_output: A gradient for each output, in the structure of the outputs.

        Returns:
            The gradients of all inputs, nested or flat; None for an input without a gradient.
        """
        raise NotImplementedError(f"{self._name} does not define backward_extended")


def _flat(part, kind=None, keeps_none=False):
    """Return the Variables (`kind`), or by default the Tensors and Variables, in `part`."""
    if isinstance(part, kind) if kind else is_tensor(part) or isinstance(part, Variable):
        return [part]
    if part is None:
        return [None] if keeps_none else []
    if isinstance(part, (list, tuple)):
        return [leaf for inner in part for leaf in _flat(inner, kind, keeps_none)]
    raise ValueError(f"NestedIOFunction: parts must be Variables, lists, tuples or None, got {shown(part)}")


def _rebuilt(structure, leaves):
    """Return the nested `structure` with the next of `leaves` for each Variable or Tensor in it."""
    if structure is None:
        return None
    if isinstance(structure, (list, tuple)):
        return type(structure)([_rebuilt(part, leaves) for part in structure])
    return next(leaves)
