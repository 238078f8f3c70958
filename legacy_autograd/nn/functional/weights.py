"""The layers that multiply by a weight or look up its rows."""

from ...autograd.functions import linear as products
from ...tensor._helpers import checked_number
from ._inputs import constant, given


def linear(input, weight, bias=None):
    """input (…, in) times the transpose of weight (out, in), plus bias (out)."""
    if bias is None:
        return products.Linear()(input, weight)[0]
    return products.Linear()(input, weight, bias)[0]


def bilinear(input1, input2, weight, bias=None):
    """input1ᵀ weight[k] input2 + bias[k] for each k, as (N, out).

    The inputs are (N, in1) and (N, in2), weight (out, in1, in2), bias (out).
    """
    return products.Bilinear()(*given(input1, input2, weight, bias))[0]


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, sparse=False):
    """The rows of weight (count, dim) that the LongTensor `input` names, in its size with dim appended.

    With `max_norm` the rows that are named are first scaled down to that norm, in place. `sparse` is accepted; the
    gradient is dense all the same.
    """
    input = constant(input)
    if padding_idx is not None:
        count = weight.size(0)
        if not -count <= padding_idx < count:
            raise ValueError(f"embedding: padding_idx {padding_idx} is out of range for a weight of {count} rows")
    function = products.Embedding(padding_idx, scale_grad_by_freq)
    if max_norm is not None:
        checked_number("embedding: max_norm", max_norm)
        _scale_down(input.data, weight.data, max_norm, norm_type)
    return function(input, weight)[0]


def _scale_down(indices, weight, max_norm, norm_type):
    products.Embedding().forward(indices, weight)  # raises if an index is no row
    for row in sorted(set(indices.array.ravel().tolist())):
        norm = weight[row].norm(norm_type)
        if norm > max_norm:
            weight[row].mul_(max_norm / (norm + 1e-7))
