"""Losses as Modules (2016: the criterions of `torch/nn/modules/criterion.py`).

Each is called with the input and the target, which may be a Tensor or a Variable. `reduction` is "mean", "sum" or
"none"; `size_average` (v0.1.x: True for the mean, False for the sum) and `reduce` (0.2), where given, go before it.
"""

from ..autograd.functions import loss
from . import functional as F
from .functional._inputs import tensor_of
from .functional.loss import reduction_of
from .module import Module


def _assert_no_grad(variable):
    """Raise ValueError if the target `variable` requires a gradient; losses of programs call it as in v0.1.12."""
    if variable.requires_grad:
        raise ValueError("a loss computes no gradient of its target: make it a Variable with requires_grad=False")


class _Loss(Module):
    _reductions = loss.REDUCTIONS

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = reduction_of(self._name, size_average, reduce, reduction, self._reductions)

    def __setstate__(self, state):
        """Restore a pickled loss; one of PyTorch v0.1.x has `size_average` instead of a reduction."""
        state = dict(state)
        vars(self)["reduction"] = "mean" if state.pop("size_average", True) else "sum"
        vars(self).update(state)

    @property
    def size_average(self):
        """v0.1.x's word for a reduction to the mean."""
        return self.reduction == "mean"

    @size_average.setter
    def size_average(self, size_average):
        self.reduction = "mean" if size_average else "sum"

    def extra_repr(self):
        return "" if self.reduction == "mean" else f"reduction={self.reduction!r}"


class _WeightedLoss(_Loss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", tensor_of(weight))


class MSELoss(_Loss):
    """(x - t)²."""

    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    """|x - t|."""

    def forward(self, input, target):
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """The squared distance over 2 beta up to beta, the distance less beta / 2 beyond."""

    beta = 1.0  # of a loss that PyTorch v0.1.x pickled

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class KLDivLoss(_Loss):
    """t (ln t - x), where x are logarithms of probabilities; "batchmean" divides the sum by N."""

    _reductions = loss.KLDivLoss.reductions

    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction)


class BCELoss(_WeightedLoss):
    """-w (t ln x + (1 - t) ln(1 - x)); the weight is a Tensor that broadcasts to x."""

    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    """BCELoss of the sigmoid of x, without its loss of digits; `pos_weight` multiplies the part of t."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", tensor_of(pos_weight))

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )


class NLLLoss(_WeightedLoss):
    """-w[t] x[t], x (N, C, …) being logarithms of probabilities, t (N, …) the classes, a LongTensor from 0 on.

    One sample may be given as x (C) and t (1).

    The weight is a Tensor of C numbers. "mean" divides by the sum of the weights of the targets; targets of
    `ignore_index` do not count. Raises IndexError for a target that is no class.
    """

    ignore_index = -100  # of a loss that PyTorch v0.1.x pickled

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return F.nll_loss(input, target, self.weight, None, self.ignore_index, reduction=self.reduction)


class CrossEntropyLoss(NLLLoss):
    """NLLLoss of LogSoftmax along dimension 1."""

    def forward(self, input, target):
        return F.cross_entropy(input, target, self.weight, None, self.ignore_index, reduction=self.reduction)


class MarginRankingLoss(_Loss):
    """max(0, -t (x1 - x2) + margin), where t is 1 if x1 is to be larger, else -1."""

    def __init__(self, margin=0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1, input2, target):
        return F.margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """x where t is 1, max(0, margin - x) where it is -1."""

    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input, target):
        return F.hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(MarginRankingLoss):
    """1 - cos of the rows of two (N, D) where t is 1, max(0, cos - margin) where it is -1."""

    def forward(self, input1, input2, target):
        return F.cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """ln(1 + e^(-t x)), where t is 1 or -1."""

    def forward(self, input, target):
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The mean over the classes of BCEWithLogitsLoss, x and t (N, C)."""

    def forward(self, input, target):
        return F.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """Σ of max(0, 1 - x[t] + x[d]) / C over the target classes t and the others d, for each row of x (N, C).

    The target is a LongTensor (N, C): each row holds classes, up to the first -1.
    """

    def forward(self, input, target):
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """Σ over the classes j other than t of w[t] max(0, margin - x[t] + x[j])^p / C."""

    def __init__(self, p=1, margin=1, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)
        self.p = p
        self.margin = margin

    def forward(self, input, target):
        return F.multi_margin_loss(input, target, self.p, self.margin, self.weight, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin), d being the p-norm of the difference + eps."""

    def __init__(self, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, reduction=self.reduction
        )


class NLLLoss2d(NLLLoss):
    """`NLLLoss` of an image: x (N, C, H, W), t (N, H, W). NLLLoss takes these sizes itself since 0.2."""


# The names of August and September 2016.


class AbsCriterion(L1Loss):
    """`L1Loss`, by its name of 2016."""


class ClassNLLCriterion(NLLLoss):
    """`NLLLoss`, by its name of 2016."""


class MSECriterion(MSELoss):
    """`MSELoss`, by its name of 2016."""


class SmoothL1Criterion(SmoothL1Loss):
    """`SmoothL1Loss`, by its name of 2016."""


class BCECriterion(BCELoss):
    """`BCELoss`, by its name of 2016."""


class CrossEntropyCriterion(CrossEntropyLoss):
    """`CrossEntropyLoss`, by its name of 2016."""


class DistKLDivCriterion(KLDivLoss):
    """`KLDivLoss`, by its name of 2016."""
