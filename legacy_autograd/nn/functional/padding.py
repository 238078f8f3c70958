"""Padding at the ends of dimensions."""

from collections.abc import Sequence

from ...autograd.functions import cat
from ...autograd.variable import Variable
from ...tensor import LongTensor
from ._inputs import check_variables

__all__ = ["pad"]


def pad(input: Variable, pad: Sequence[int], mode: str = "constant", value: float = 0) -> Variable:
    """Return `input` with elements added at both ends of its last dimensions.

    Args:
        input: A Variable. For "reflect" and "replicate", `pad` must name all dimensions after the channels.
        pad: How many elements are added: (left, right, top, bottom, …), the last dimension first. Negative numbers
            remove elements.
        mode: "constant" adds `value`, "replicate" repeats the element at the edge, "reflect" mirrors the elements at
            the edge without repeating it.
        value: The constant.

    Raises:
        ValueError: If `pad` does not fit the shape, or `mode` is another word.
    """
    check_variables("pad", input)
    if len(pad) % 2 or len(pad) > 2 * input.dim():
        raise ValueError(f"pad: expected two integers for each of at most {input.dim()} dimensions, got {tuple(pad)}")
    if mode not in ("constant", "reflect", "replicate"):
        raise ValueError(f"pad: mode must be constant, reflect or replicate, got {mode!r}")
    if mode != "constant" and input.dim() - len(pad) // 2 not in (1, 2):
        raise ValueError(
            f"pad: mode {mode!r} needs two integers for each dimension after the channels, got {tuple(pad)} for an "
            f"input of {input.dim()} dimensions"
        )
    for number in range(len(pad) // 2):
        before, after = pad[2 * number : 2 * number + 2]
        if before or after:
            input = _padded(input, input.dim() - 1 - number, before, after, mode, value)
    return input


def _padded(input, dim, before, after, mode, value):
    length = input.size(dim)
    places = range(-before, length + after)
    left = length + min(0, before) + min(0, after)
    if left < 0 if mode == "constant" else not places:
        raise ValueError(f"pad: the padding ({before}, {after}) leaves no element of the {length} in dimension {dim}")
    if mode == "constant":
        kept = input.narrow(dim, max(0, -before), left)
        ends = []
        for count in (before, after):
            size = [max(0, count) if d == dim else n for d, n in enumerate(input.size())]
            ends.append(Variable(input.data.new(*size).fill_(value), requires_grad=False))
        return cat([part for part in (ends[0], kept, ends[1]) if part is kept or part.size(dim)], dim)
    if mode == "replicate":
        indices = [min(max(place, 0), length - 1) for place in places]
    else:
        if max(before, after) >= length:
            raise ValueError(
                f"pad: the padding ({before}, {after}) must be smaller than the {length} elements to reflect"
            )
        indices = [length - 1 - abs(length - 1 - abs(place)) for place in places]
    return input.index_select(dim, Variable(LongTensor(indices), requires_grad=False))
