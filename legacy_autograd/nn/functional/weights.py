"""Products with a weight, and the look-up of its rows."""

from ...autograd.functions import linear as products
from ...autograd.variable import Variable
from ...tensor import Tensor
from ...tensor.arguments import checked_number
from ._inputs import constant, given

__all__ = ["bilinear", "embedding", "embedding_bag", "linear"]


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


def embedding_bag(
    weight: Variable,
    indices: Variable | Tensor,
    offsets: Variable | Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
) -> Variable:
    """Return the sum or mean of the rows of `weight` in each bag, as (bags, dim) (0.2).

    Args:
        weight: A Variable (count, dim).
        indices: The numbers of rows: a LongTensor (bags, size), or (n) with `offsets`.
        offsets: Where each bag begins within `indices`, a LongTensor (bags). The first is 0.
        max_norm: The rows used are first scaled down to this norm, in place. Default: no limit.
        norm_type: The order of that norm.
        scale_grad_by_freq: Whether a row's gradient is divided by the number of times that the row is used.
        mode: "sum" or "mean".

    Raises:
        ValueError: If `mode` is another word, or the shapes of `indices` and `offsets` do not fit.
    """
    if mode not in ("sum", "mean"):
        raise ValueError(f"embedding_bag: mode must be sum or mean, got {mode!r}")
    indices = constant(indices)
    if indices.dim() != (2 if offsets is None else 1):
        raise ValueError(f"embedding_bag: indices have 2 dimensions, or 1 with offsets; got {indices.dim()}")
    count = indices.numel()
    starts = range(0, count, indices.size(1)) if offsets is None else constant(offsets).data.tolist()
    if not starts or starts[0] != 0 or starts[-1] > count or sorted(starts) != list(starts):
        raise ValueError(f"embedding_bag: offsets must rise from 0 to {count} or less, got {list(starts)}")
    sizes = [after - start for start, after in zip(starts, [*starts[1:], count])]
    bags = [bag for bag, size in enumerate(sizes) for _ in range(size)]
    rows = embedding(indices.contiguous().view(-1), weight, None, max_norm, norm_type, scale_grad_by_freq)
    result = Variable(weight.data.new(len(sizes), weight.size(1)).zero_(), requires_grad=False)
    result = result.index_add(0, Variable(indices.data.new(bags), requires_grad=False), rows)
    if mode == "sum":
        return result
    divisors = Variable(weight.data.new([[max(size, 1)] for size in sizes]), requires_grad=False)
    return result.div(divisors.expand(*result.size()))


def _scale_down(indices, weight, max_norm, norm_type):
    products.Embedding().forward(indices, weight)  # raises for an index that is not a row
    for row in sorted(set(indices.array.ravel().tolist())):
        norm = weight[row].norm(norm_type)
        if norm > max_norm:
            weight[row].mul_(max_norm / (norm + 1e-7))
