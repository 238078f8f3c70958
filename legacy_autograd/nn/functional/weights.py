"""Products with a weight, and the look-up of its rows."""

from ...autograd.functions import linear as products
from ...autograd.variable import Variable
from ...tensor import Tensor
from ...tensor.arguments import checked_number
from ._inputs import constant, given

__all__ = ["bilinear", "embedding", "linear"]


def linear(input: Variable, weight: Variable, bias: Variable | None = None) -> Variable:
    """Return input · weightᵀ + bias, as (…, out).

    Args:
        input: A Variable (…, in).
        weight: A Variable (out, in).
        bias: A Variable (out). Default: none.
    """
    if bias is None:
        return products.Linear()(input, weight)[0]
    return products.Linear()(input, weight, bias)[0]


def bilinear(input1: Variable, input2: Variable, weight: Variable, bias: Variable | None = None) -> Variable:
    """Return input1ᵀ · weight[k] · input2 + bias[k] for each row and each k, as (N, out).

    Args:
        input1: A Variable (N, in1).
        input2: A Variable (N, in2).
        weight: A Variable (out, in1, in2).
        bias: A Variable (out). Default: none.
    """
    return products.Bilinear()(*given(input1, input2, weight, bias))[0]


def embedding(
    input: Variable | Tensor,
    weight: Variable,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Variable:
    """Return the rows of `weight` with the numbers `input`, as (…, dim).

    Args:
        input: A LongTensor (…), or a Variable of one.
        weight: A Variable (count, dim).
        padding_idx: A row that receives no gradient. Default: none.
        max_norm: The rows used are first scaled down to this norm, in place. Default: no limit.
        norm_type: The order of that norm.
        scale_grad_by_freq: Whether a row's gradient is divided by the number of times that the row is used.
        sparse: Accepted; the gradient is dense in any case.

    Raises:
        ValueError: If `padding_idx` is not a row of `weight`.
        IndexError: If `input` holds a number that is not a row.
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
    products.Embedding().forward(indices, weight)  # raises for an index that is not a row
    for row in sorted(set(indices.array.ravel().tolist())):
        norm = weight[row].norm(norm_type)
        if norm > max_norm:
            weight[row].mul_(max_norm / (norm + 1e-7))
