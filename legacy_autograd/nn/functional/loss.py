"""Losses as functions.

All take three parameters that say how the losses of the elements are reduced:

- `reduction`: "mean" (the default), "sum", or "none" for the losses themselves;
- `reduce` (0.2): False means "none";
- `size_average` (v0.1.x): True means "mean", False means "sum".

If one of the two flags is given, `reduction` is ignored. A target may be a Tensor, which is a constant, or a Variable.
"""

import math
from collections.abc import Sequence

from ... import conventions
from ...autograd.function import Function
from ...autograd.functions import loss
from ...autograd.functions._utils import in_floats
from ...autograd.variable import Variable
from ...tensor import Tensor
from ...tensor.messages import naming, shown_size
from ._inputs import check_variables, constant, tensor_of
from .activation import log_softmax, relu, softplus

__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding_loss", "cross_entropy",
    "hinge_embedding_loss", "kl_div", "l1_loss", "margin_ranking_loss", "mse_loss", "multi_margin_loss",
    "multilabel_margin_loss", "multilabel_soft_margin_loss", "nll_loss", "nll_loss2d", "poisson_nll_loss",
    "smooth_l1_loss", "soft_margin_loss", "triplet_margin_loss",
]  # fmt: skip


def reduction_of(
    name: str, size_average: bool | None, reduce: bool | None, reduction: str, allowed: Sequence[str] = loss.REDUCTIONS
) -> str:
    """Return the reduction that the two older flags or the word `reduction` choose.

    Args:
        name: The name of the loss, for the error message.
        size_average: The flag of v0.1.x, or None if it is not given.
        reduce: The flag of 0.2, or None if it is not given.
        reduction: The word that counts if neither flag is given.
        allowed: The words that this loss takes.

    Raises:
        ValueError: If `reduction` is not `allowed`.
    """
    if size_average is None and reduce is None:
        if reduction in allowed:
            return reduction
        return loss.checked_reduction(name, reduction, allowed)
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


def mse_loss(
    input: Variable,
    target: Variable | Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return (input - target)², reduced.

    Args:
        input: A Variable of any shape.
        target: The shape of `input`.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """
    return pointwise(loss.MSELoss(reduction_of("mse_loss", size_average, reduce, reduction)), input, target)


def l1_loss(
    input: Variable,
    target: Variable | Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return |input - target|, reduced.

    Args:
        input: A Variable of any shape.
        target: The shape of `input`.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """
    return pointwise(loss.L1Loss(reduction_of("l1_loss", size_average, reduce, reduction)), input, target)


def smooth_l1_loss(
    input: Variable,
    target: Variable | Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Variable:
    """Return d² / (2 beta) where d = |input - target| < beta, and d - beta / 2 elsewhere, reduced.

    Args:
        input: A Variable of any shape.
        target: The shape of `input`.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
        beta: Where the parabola meets the straight line. With 0 this is `l1_loss`.
    """
    if beta == 0:
        return l1_loss(input, target, size_average, reduce, reduction)
    return pointwise(
        loss.SmoothL1Loss(reduction_of("smooth_l1_loss", size_average, reduce, reduction), beta), input, target
    )


def kl_div(
    input: Variable,
    target: Variable | Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return target · (ln target - input), reduced.

    Args:
        input: Logarithms of probabilities, of any shape.
        target: Probabilities, in the shape of `input`.
        size_average, reduce, reduction: As in `nn.functional.loss`, or "batchmean" for the sum divided by N.
    """
    return pointwise(
        loss.KLDivLoss(reduction_of("kl_div", size_average, reduce, reduction, loss.KLDivLoss.reductions)),
        input,
        target,
    )


def binary_cross_entropy(
    input: Variable,
    target: Variable | Tensor,
    weight: Variable | Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return -weight · (target ln input + (1 - target) ln(1 - input)), reduced.

    Args:
        input: Probabilities, of any shape.
        target: Numbers from 0 to 1, in the shape of `input`.
        weight: A factor for each loss, a Tensor that broadcasts to `input`. Default: 1.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.

    Raises:
        ValueError: If an element of `input` is not between 0 and 1.
    """
    return pointwise(
        loss.BCELoss(tensor_of(weight), reduction_of("binary_cross_entropy", size_average, reduce, reduction)),
        input,
        target,
    )


def _check_one_size(name, input, target):
    if target.size() != input.size():
        raise ValueError(
            f"{name}: target and input must have one size, got {tuple(target.size())} and {tuple(input.size())}"
        )


def binary_cross_entropy_with_logits(
    input: Variable,
    target: Variable | Tensor,
    weight: Variable | Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Variable | Tensor | None = None,
) -> Variable:
    """Return `binary_cross_entropy` of sigmoid(input), computed from `input` without loss of precision.

    Args:
        input: A Variable of any shape.
        target: Numbers from 0 to 1, in the shape of `input`.
        weight: A factor for each loss, a Tensor that broadcasts to `input`. Default: 1.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
        pos_weight: A factor for the term of `target`, a Tensor that broadcasts to `input`. Default: 1.
    """
    _check_one_size("binary_cross_entropy_with_logits", input, target)
    reduction = reduction_of("binary_cross_entropy_with_logits", size_average, reduce, reduction)
    return pointwise(loss.BCEWithLogitsLoss(tensor_of(weight), reduction, tensor_of(pos_weight)), input, target)


def nll_loss(
    input: Variable,
    target: Variable | Tensor,
    weight: Variable | Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return -weight[target] · input[target] for each sample, reduced.

    Args:
        input: Logarithms of probabilities, (N, C, …), or (C) for one sample.
        target: Classes from 0 to C - 1, a LongTensor (N, …), or (1) for one sample.
        weight: A factor for each class, (C). "mean" divides by the sum of the targets' weights. Default: 1.
        ignore_index: Samples with this target have the loss 0 and do not count in the mean.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.

    Raises:
        IndexError: If a target is not a class.
    """
    reduction = reduction_of("nll_loss", size_average, reduce, reduction)
    return loss.NLLLoss(tensor_of(weight), reduction, ignore_index)(input, constant(target))[0]


nll_loss2d = nll_loss


def cross_entropy(
    input: Variable,
    target: Variable | Tensor,
    weight: Variable | Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return `nll_loss` of the log_softmax of `input` over the classes.

    Args:
        input: Scores, (N, C, …), or (C) for one sample.
        target: Classes from 0 to C - 1, a LongTensor (N, …), or (1) for one sample.
        weight: A factor for each class, (C). "mean" divides by the sum of the targets' weights. Default: 1.
        ignore_index: Samples with this target have the loss 0 and do not count in the mean.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.

    Raises:
        IndexError: If a target is not a class.
    """
    reduction = reduction_of("cross_entropy", size_average, reduce, reduction)
    classes = 1 if input.dim() > 1 else 0
    return nll_loss(log_softmax(input, classes), target, weight, None, ignore_index, reduction=reduction)


def margin_ranking_loss(
    input1: Variable,
    input2: Variable,
    target: Variable | Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return max(0, -target · (input1 - input2) + margin), reduced.

    Args:
        input1: A Variable of any shape.
        input2: The shape of `input1`.
        target: 1 where `input1` should be larger than `input2`, -1 where it should be smaller.
        margin: The difference at which the loss becomes 0.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """
    target = constant(target)
    check_variables("margin_ranking_loss", input1, input2, target)
    with naming("margin_ranking_loss"):
        distance = target.mul(input2.sub(input1)).add(margin)
    return _reduced(distance.clamp(min=0), reduction_of("margin_ranking_loss", size_average, reduce, reduction))


def hinge_embedding_loss(
    input: Variable,
    target: Variable | Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return `input` where the target is 1, and max(0, margin - input) where it is -1, reduced.

    Args:
        input: A Variable of any shape.
        target: 1 or -1, in the shape of `input`. For any other number the loss is the sum of the two.
        margin: The input at which the loss of a target -1 becomes 0.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """
    target = constant(target)
    check_variables("hinge_embedding_loss", input, target)
    near, far = [target.data.ne(sign).type(input.data.type()) for sign in (-1, 1)]
    elements = input.mul(constant(near)).add(input.neg().add(margin).clamp(min=0).mul(constant(far)))
    return _reduced(elements, reduction_of("hinge_embedding_loss", size_average, reduce, reduction))


def cosine_embedding_loss(
    input1: Variable,
    input2: Variable,
    target: Variable | Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return 1 - cos where the target is 1, and max(0, cos - margin) where it is -1, reduced.

    Args:
        input1: A Variable (N, D). cos is the cosine of the angle between a row of `input1` and one of `input2`.
        input2: A Variable (N, D).
        target: 1 or -1 for each row, (N).
        margin: The cosine at which the loss of a target -1 becomes 0.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.

    Raises:
        ValueError: If the shapes differ from these.
    """
    target = constant(target)
    check_variables("cosine_embedding_loss", input1, input2, target)
    if input1.dim() != 2 or input2.size() != input1.size() or target.size() != input1.size()[:1]:
        raise ValueError(
            "cosine_embedding_loss: expected two inputs (N, D) and N targets, got the sizes "
            f"{', '.join([shown_size(x.size()) for x in (input1, input2, target)])}"
        )

    def cosines(a, b):
        products = [a.mul(b).sum(1, keepdim=False), a.mul(a).sum(1, keepdim=False), b.mul(b).sum(1, keepdim=False)]
        # As in torch, 1e-12 is added to the squares; cosine_similarity limits the norms instead.
        return products[0].div(products[1].add(1e-12).mul(products[2].add(1e-12)).sqrt())

    cosine = in_floats(cosines, input1, input2)
    near, far = [target.data.eq(sign).type(cosine.data.type()) for sign in (1, -1)]
    elements = cosine.neg().add(1).mul(constant(near)).add(cosine.sub(margin).clamp(min=0).mul(constant(far)))
    return _reduced(elements, reduction_of("cosine_embedding_loss", size_average, reduce, reduction))


def soft_margin_loss(
    input: Variable,
    target: Variable | Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return ln(1 + e^(-target · input)), reduced.

    Args:
        input: A Variable of any shape.
        target: 1 or -1, in the shape of `input`.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """
    target = constant(target)
    check_variables("soft_margin_loss", input, target)
    elements = softplus(target.mul(input).neg())
    return _reduced(elements, reduction_of("soft_margin_loss", size_average, reduce, reduction))


def multilabel_soft_margin_loss(
    input: Variable,
    target: Variable | Tensor,
    weight: Variable | Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return the mean over the classes of `binary_cross_entropy_with_logits`, reduced.

    Args:
        input: A Variable (…, C).
        target: 1 for each class of a sample, 0 for the others, in the shape of `input`.
        weight: A factor for each loss, a Tensor that broadcasts to `input`. Default: 1.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """
    _check_one_size("multilabel_soft_margin_loss", input, target)
    elements = binary_cross_entropy_with_logits(input, target, weight, reduction="none").mean(-1, keepdim=False)
    return _reduced(elements, reduction_of("multilabel_soft_margin_loss", size_average, reduce, reduction))


def multilabel_margin_loss(
    input: Variable,
    target: Variable | Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return Σ max(0, 1 - input[t] + input[d]) / C over the target classes t and the other classes d, reduced.

    Args:
        input: A Variable (N, C).
        target: The classes of each sample, a LongTensor (N, C). What follows the first -1 of a row is ignored.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """
    reduction = reduction_of("multilabel_margin_loss", size_average, reduce, reduction)
    return loss.MultiLabelMarginLoss(reduction)(input, constant(target))[0]


def multi_margin_loss(
    input: Variable,
    target: Variable | Tensor,
    p: int = 1,
    margin: float = 1,
    weight: Variable | Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return Σ weight[t] · max(0, margin - input[t] + input[j])^p / C over the classes j ≠ t, reduced.

    Args:
        input: A Variable (N, C), or (C) for one sample.
        target: The class t of each sample, a LongTensor (N).
        p: The power, 1 or 2.
        margin: The difference at which the loss becomes 0.
        weight: A factor for each class, (C). Default: 1.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.

    Raises:
        ValueError: If `p` is neither 1 nor 2, or a shape differs from these.
    """
    target = constant(target)
    check_variables("multi_margin_loss", input, target)
    if input.dim() == 1:  # one sample, as in THNN
        input = input.contiguous().view(1, -1)
    if p not in (1, 2):
        raise ValueError(f"multi_margin_loss: p must be 1 or 2, got {p!r}")
    if input.dim() != 2 or target.size() != input.size()[:1]:
        raise ValueError(
            f"multi_margin_loss: expected an input (N, C) and N targets, got the sizes {shown_size(input.size())} and "
            f"{shown_size(target.size())}"
        )
    with naming("multi_margin_loss"):
        right = input.gather(1, target.contiguous().view(-1, 1)).expand(*input.size())
    distance = relu(input.sub(right).add(margin))  # not clamp, whose gradient is 1 at its limit
    if p != 1:
        distance = distance.pow(p)
    if weight is not None:
        if tensor_of(weight).size() != input.size()[1:]:
            raise ValueError(
                f"multi_margin_loss: expected a weight for each of the {input.size(1)} classes, got the size "
                f"{shown_size(weight.size())}"
            )
        factors = tensor_of(weight).index_select(0, target.data).view(-1, 1).expand(*input.size()).contiguous()
        distance = distance.mul(constant(factors))
    others = input.data.new(*input.size()).fill_(1).scatter_(1, target.data.contiguous().view(-1, 1), 0)
    elements = distance.mul(constant(others)).mean(1, keepdim=False)
    return _reduced(elements, reduction_of("multi_margin_loss", size_average, reduce, reduction))


def triplet_margin_loss(
    anchor: Variable,
    positive: Variable,
    negative: Variable,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return max(0, d(anchor, positive) - d(anchor, negative) + margin), reduced.

    Args:
        anchor: A Variable (N, D). d is the `pairwise_distance` of two rows; the losses have the shape (N).
        positive: A Variable (N, D).
        negative: A Variable (N, D).
        margin: The difference of distances at which the loss becomes 0.
        p: The order of the norm.
        eps: A number that is added to each difference.
        swap: Whether d(positive, negative) replaces d(anchor, negative) where it is smaller.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.

    Raises:
        ValueError: If `margin` is not above 0.
    """
    check_variables("triplet_margin_loss", anchor, positive, negative)
    if not margin > 0:
        raise ValueError(f"triplet_margin_loss: margin must be above 0, got {margin!r}")
    pairs = ((anchor, positive), (anchor, negative), (positive, negative))
    with naming("triplet_margin_loss"):
        near, far, *others = [a.sub(b).add(eps).norm(p, -1, False) for a, b in pairs[: 3 if swap else 2]]
    for other in others:
        far = far.cmin(other)
    return _reduced(
        near.sub(far).add(margin).clamp(min=0), reduction_of("triplet_margin_loss", size_average, reduce, reduction)
    )


def _reduced(elements, reduction):
    return elements if reduction == "none" else getattr(elements, reduction)()


def poisson_nll_loss(
    input: Variable,
    target: Variable | Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Variable:
    """Return e^input - target · input, the negative log-likelihood of counts with a Poisson distribution (0.2).

    Args:
        input: The logarithm of the expected counts; with `log_input=False` the counts.
        target: The counts, in the shape of `input`.
        log_input: Whether `input` is a logarithm.
        full: Whether Stirling's approximation of ln(target!) is added where the target is above 1.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """
    target = constant(target)
    losses = input.exp().sub(target.mul(input)) if log_input else input.sub(target.mul(input.log()))
    if full:
        stirling = target.mul(target.log()).sub(target).add(target.mul(2 * math.pi).log().mul(0.5))
        losses = losses.add(stirling.masked_fill(target.le(1), 0))
    return _reduced(losses, reduction_of("poisson_nll_loss", size_average, reduce, reduction))


def pointwise(function: Function, input: Variable, target: Variable | Tensor) -> Variable:
    """Call a loss of elements.

    Args:
        function: The loss.
        input: Its input.
        target: Its target; a Tensor is a constant.
    """
    if isinstance(target, Tensor):
        target = constant(target)
    if conventions.era.broadcast != "always" and isinstance(target, Variable) and target.size() != input.size():
        if target.numel() == input.numel():  # v0.1.x combines operands of equal count point by point
            target = target.contiguous().view(*input.size())
    return function(input, target)[0]
