"""Losses.

They take `size_average` (and `reduce`) or `reduction`; the former take precedence where they are given.
"""

from ... import conventions
from ...autograd.functions import loss
from ...autograd.variable import Variable
from ...tensor import Tensor
from ...tensor._helpers import naming, shown_size
from ._inputs import check_variables, constant, tensor_of
from .activation import log_softmax, relu, softplus


def reduction_of(name, size_average, reduce, reduction, allowed=loss.REDUCTIONS):
    """The two flags of v0.1.x and 0.2, None where they are not given, and today's word, as that word.

    Raises ValueError, with the `name` of the loss, for a word that is not `allowed`.
    """
    if size_average is None and reduce is None:
        if reduction in allowed:
            return reduction
        return loss.checked_reduction(name, reduction, allowed)
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """(input - target)²."""
    return _pointwise(loss.MSELoss(reduction_of("mse_loss", size_average, reduce, reduction)), input, target)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """|input - target|."""
    return _pointwise(loss.L1Loss(reduction_of("l1_loss", size_average, reduce, reduction)), input, target)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """The squared distance over 2 beta up to beta, the distance less beta / 2 beyond; l1_loss for a beta of 0."""
    if beta == 0:
        return l1_loss(input, target, size_average, reduce, reduction)
    return _pointwise(
        loss.SmoothL1Loss(reduction_of("smooth_l1_loss", size_average, reduce, reduction), beta), input, target
    )


def kl_div(input, target, size_average=None, reduce=None, reduction="mean"):
    """target (ln target - input); "mean" is that of all elements, "batchmean" the sum over N."""
    return _pointwise(
        loss.KLDivLoss(reduction_of("kl_div", size_average, reduce, reduction, loss.KLDivLoss.reductions)),
        input,
        target,
    )


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """-(target ln input + (1 - target) ln(1 - input))."""
    return _pointwise(
        loss.BCELoss(tensor_of(weight), reduction_of("binary_cross_entropy", size_average, reduce, reduction)),
        input,
        target,
    )


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    """binary_cross_entropy of sigmoid(input), without its loss of digits."""
    reduction = reduction_of("binary_cross_entropy_with_logits", size_average, reduce, reduction)
    return _pointwise(loss.BCEWithLogitsLoss(tensor_of(weight), reduction, tensor_of(pos_weight)), input, target)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """-weight[target] input[target], input (N, C, …), or (C) with one target, being logarithms of probabilities."""
    reduction = reduction_of("nll_loss", size_average, reduce, reduction)
    return loss.NLLLoss(tensor_of(weight), reduction, ignore_index)(input, constant(target))[0]


nll_loss2d = nll_loss


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """nll_loss of log_softmax(input, 1), or of log_softmax(input, 0) for one sample."""
    reduction = reduction_of("cross_entropy", size_average, reduce, reduction)
    classes = 1 if input.dim() > 1 else 0
    return nll_loss(log_softmax(input, classes), target, weight, None, ignore_index, reduction=reduction)


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """max(0, -target (input1 - input2) + margin), the target being 1 where input1 is to be larger, else -1."""
    target = constant(target)
    check_variables("margin_ranking_loss", input1, input2, target)
    with naming("margin_ranking_loss"):
        distance = target.mul(input2.sub(input1)).add(margin)
    return _reduced(distance.clamp(min=0), reduction_of("margin_ranking_loss", size_average, reduce, reduction))


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """input where the target is 1, max(0, margin - input) where it is -1, their sum where it is anything else."""
    target = constant(target)
    check_variables("hinge_embedding_loss", input, target)
    near, far = [target.data.ne(sign).type(input.data.type()) for sign in (-1, 1)]
    elements = input.mul(constant(near)).add(input.neg().add(margin).clamp(min=0).mul(constant(far)))
    return _reduced(elements, reduction_of("hinge_embedding_loss", size_average, reduce, reduction))


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """1 - cos of the rows of two (N, D) where the target is 1, max(0, cos - margin) where it is -1."""
    target = constant(target)
    check_variables("cosine_embedding_loss", input1, input2, target)
    if input1.dim() != 2 or input2.size() != input1.size() or target.size() != input1.size()[:1]:
        raise ValueError(
            "cosine_embedding_loss: expected two inputs (N, D) and N targets, got the sizes "
            f"{', '.join([shown_size(x.size()) for x in (input1, input2, target)])}"
        )
    products = [a.mul(b).sum(1, keepdim=False) for a, b in ((input1, input2), (input1, input1), (input2, input2))]
    # In v0.1.x, as today, the squares are increased by 1e-12, where cosine_similarity has a lower limit.
    cosine = products[0].div(products[1].add(1e-12).mul(products[2].add(1e-12)).sqrt())
    near, far = [target.data.eq(sign).type(cosine.data.type()) for sign in (1, -1)]
    elements = cosine.neg().add(1).mul(constant(near)).add(cosine.sub(margin).clamp(min=0).mul(constant(far)))
    return _reduced(elements, reduction_of("cosine_embedding_loss", size_average, reduce, reduction))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """ln(1 + e^(-target input)), the target being 1 or -1."""
    target = constant(target)
    check_variables("soft_margin_loss", input, target)
    elements = softplus(target.mul(input).neg())
    return _reduced(elements, reduction_of("soft_margin_loss", size_average, reduce, reduction))


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The mean over the classes of binary_cross_entropy_with_logits, input and target (…, C)."""
    elements = binary_cross_entropy_with_logits(input, target, weight, reduction="none").mean(-1, keepdim=False)
    return _reduced(elements, reduction_of("multilabel_soft_margin_loss", size_average, reduce, reduction))


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Σ of max(0, 1 - input[t] + input[d]) / C over the target classes t and the others d; input and target (N, C).

    Each row of `target` holds classes, up to the first -1.
    """
    reduction = reduction_of("multilabel_margin_loss", size_average, reduce, reduction)
    return loss.MultiLabelMarginLoss(reduction)(input, constant(target))[0]


def multi_margin_loss(input, target, p=1, margin=1, weight=None, size_average=None, reduce=None, reduction="mean"):
    """Σ over the classes j other than the target's y of weight[y] max(0, margin - input[y] + input[j])^p / C."""
    target = constant(target)
    check_variables("multi_margin_loss", input, target)
    if input.dim() == 1:  # one sample, as THNN takes it
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
    distance = relu(input.sub(right).add(margin))  # clamp has the gradient 1 at its limit
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
    anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"
):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin), d being pairwise_distance, of size (N).

    With `swap` the negative's distance is the smaller of those from the anchor and from the positive. Raises ValueError
    unless the margin is above 0.
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


def _pointwise(function, input, target):
    if isinstance(target, Tensor):
        target = constant(target)
    if not conventions.era.broadcast and isinstance(target, Variable) and target.size() != input.size():
        if target.numel() == input.numel():  # v0.1.x: taken point by point, whatever the sizes
            target = target.contiguous().view(*input.size())
    return function(input, target)[0]
