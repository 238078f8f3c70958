"""Padding at the ends of dimensions."""

from ...autograd.functions import cat
from ...autograd.variable import Variable
from ...tensor import LongTensor
from ._inputs import check_variables


def pad(input, pad, mode="constant", value=0):
    """`pad` elements more (fewer, where negative) at both ends of the last dimensions: (left, right, top, bottom, …).

    They are `value`, or by `mode` "reflect" the inner ones mirrored at the edge, which is not repeated, or by
    "replicate" the edge itself. ValueError for an odd number of elements or too many.
    """
    check_variables("pad", input)
    if len(pad) % 2 or len(pad) > 2 * input.dim():
        raise ValueError(f"pad: expected two numbers for each of up to {input.dim()} dimensions, got {tuple(pad)}")
    for number in range(len(pad) // 2):
        before, after = pad[2 * number : 2 * number + 2]
        if before or after:
            input = _padded(input, input.dim() - 1 - number, before, after, mode, value)
    return input


def _padded(input, dim, before, after, mode, value):
    length = input.size(dim)
    places = range(-before, length + after)
    if mode == "constant":
        kept = input.narrow(dim, max(0, -before), length + min(0, before) + min(0, after))
        ends = []
        for count in (before, after):
            size = [max(0, count) if d == dim else n for d, n in enumerate(input.size())]
            ends.append(Variable(input.data.new(*size).fill_(value), requires_grad=False))
        return cat([part for part in (ends[0], kept, ends[1]) if part is kept or part.size(dim)], dim)
    if mode == "replicate":
        indices = [min(max(place, 0), length - 1) for place in places]
    elif mode == "reflect":
        if max(before, after) >= length:
            raise ValueError(f"pad: {before} and {after} elements cannot be mirrored at the ends of {length}")
        indices = [length - 1 - abs(length - 1 - abs(place)) for place in places]
    else:
        raise ValueError(f"pad: mode is constant, reflect or replicate, got {mode!r}")
    return input.index_select(dim, Variable(LongTensor(indices), requires_grad=False))
