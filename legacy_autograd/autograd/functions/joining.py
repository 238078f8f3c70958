"""`cat`, `stack` and `unbind` for Tensors and Variables; `torch.cat` is the function of this file."""

import itertools
from collections.abc import Iterator

from ...tensor import creation
from ...tensor.arguments import dimension
from ...tensor.messages import shown
from ...tensor.results import takes_results, write
from ...tensor.wrapping import is_tensor
from ..variable import Variable
from .tensor import Concat, Stack

__all__ = ["cat", "concat", "stack", "unbind"]


def cat(tensors, dim=0, *others, out=None):
    """Return the Tensors or Variables of a sequence, concatenated along a dimension.

    v0.1.x's forms are accepted too: a generator; until v0.1.9 `cat(out, tensors, dim)`; in v0.1.1 two Tensors without a
    sequence, `cat(x, y, dim)` or `cat(out, x, y, dim)`.

    Args:
        tensors: The sequence. Its entries have equal shapes, except along `dim`.
        dim: The dimension.
        *others: The further arguments of v0.1.x's forms.
        out: A Tensor that receives the result and is resized, for Tensors alone.

    Raises:
        RuntimeError: If the shapes do not fit.
        TypeError: If the entries are no Tensors or Variables of one type.

    Gradient:
        For each Variable its part of g, where g is the gradient of the output.
    """
    if not isinstance(tensors, (list, tuple)) and isinstance(tensors, Iterator):
        tensors = list(tensors)
    if is_tensor(tensors):
        out, tensors, dim = _forms_of_2016(out, tensors, dim, *others)
    elif others:
        raise TypeError(f"cat: expected a sequence of Tensors and a dimension, got {len(others)} more")
    result = Concat(dim)(*tensors)[0] if _any_variable(tensors) else creation.cat(tensors, dim)
    return result if out is None else write("cat", out, result)


concat = cat


def _forms_of_2016(out, *arguments):
    """Return the result tensor or None, the sequence and the dimension of a call that begins with a Tensor."""
    given = list(itertools.takewhile(is_tensor, arguments))
    rest = arguments[len(given) :]
    if rest and isinstance(rest[0], (list, tuple)):
        sequence, rest = rest[0], rest[1:]
    else:
        given, sequence = given[:-2], given[-2:]
    if len(sequence) == 2 or given:
        if len(given) == 1 and out is None and len(rest) < 2:
            return given[0], sequence, *(rest or (0,))
        if not given and len(rest) < 2:
            return out, sequence, *(rest or (0,))
    raise TypeError(f"cat: expected a list or tuple of Tensors, got {', '.join(map(shown, arguments))}")


@takes_results(0)
def stack(tensors, dim=0):
    """Return the Tensors or Variables of a sequence, stacked along a new dimension.

    Args:
        tensors: The sequence. Its entries have equal shapes.
        dim: The new dimension.

    Raises:
        RuntimeError: If the shapes differ.
        TypeError: If the entries are no Tensors or Variables of one type.

    Gradient:
        For each Variable its part of g, where g is the gradient of the output.
    """
    if _any_variable(tensors):
        return Stack(dim)(*tensors)[0]
    return creation.stack(tensors, dim)


def unbind(tensor, dim=0):
    """Return a tuple of the slices of a Tensor or Variable along a dimension, without that dimension.

    Args:
        tensor: The Tensor or Variable.
        dim: The dimension.

    Gradient:
        The gradients of the slices, stacked.
    """
    dim = dimension("unbind", tuple(tensor.size()), dim)
    return tuple([tensor.select(dim, number) for number in range(tensor.size(dim))])


def _any_variable(tensors):
    return isinstance(tensors, (list, tuple)) and any([isinstance(tensor, Variable) for tensor in tensors])
