"""Losses as Modules (2016: the criterions of `torch/nn/modules/criterion.py`).

Each is called with the input x and the target t, a Tensor or a Variable of the same shape unless the class says
otherwise. All constructors take `size_average`, `reduce` and `reduction`, which `nn.functional.loss` describes.
"""

from ..autograd.functions import loss
from ..autograd.variable import Variable
from ..tensor import Tensor
from . import functional as F
from .functional._inputs import tensor_of
from .functional.loss import pointwise, reduction_of
from .module import Module

__all__ = [
    "AbsCriterion", "BCECriterion", "BCELoss", "BCEWithLogitsLoss", "ClassNLLCriterion", "CosineEmbeddingLoss",
    "CrossEntropyCriterion", "CrossEntropyLoss", "DistKLDivCriterion", "HingeEmbeddingLoss", "KLDivLoss", "L1Loss",
    "MSECriterion", "MSELoss", "MarginRankingLoss", "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss",
    "MultiMarginLoss", "NLLLoss", "NLLLoss2d", "PoissonNLLLoss", "SmoothL1Criterion", "SmoothL1Loss", "SoftMarginLoss",
    "TripletMarginLoss",
]  # fmt: skip


def _assert_no_grad(variable):
    """Raise ValueError if the target `variable` requires a gradient. Losses in programs call it, as in v0.1.12."""
    if variable.requires_grad:
        raise ValueError("a loss computes no gradient of its target; use a target with requires_grad=False")


class _Loss(Module):
    _reductions: tuple[str, ...] = loss.REDUCTIONS

    def __init__(self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> None:
        """Choose the reduction.

        Args:
            size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
        """
        super().__init__()
        self.reduction = reduction_of(self._name, size_average, reduce, reduction, self._reductions)

    def __setstate__(self, state):
        """Restore a pickled loss; one of PyTorch v0.1.x has `size_average` instead of `reduction`."""
        state = dict(state)
        vars(self)["reduction"] = "mean" if state.pop("size_average", True) else "sum"
        vars(self).update(state)

    @property
    def size_average(self) -> bool:
        """Whether the reduction is the mean: the flag of v0.1.x."""
        return self.reduction == "mean"

    @size_average.setter
    def size_average(self, size_average: bool) -> None:
        self.reduction = "mean" if size_average else "sum"

    def extra_repr(self):
        return "" if self.reduction == "mean" else f"reduction={self.reduction!r}"


class _WeightedLoss(_Loss):
    def __init__(
        self,
        weight: Variable | Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", tensor_of(weight))


class MSELoss(_Loss):
    """The squared error (x - t)²."""

    def forward(self, input, target):
        return pointwise(loss.MSELoss(self.reduction), input, target)


class L1Loss(_Loss):
    """The absolute error |x - t|."""

    def forward(self, input, target):
        return pointwise(loss.L1Loss(self.reduction), input, target)


class SmoothL1Loss(_Loss):
    """The smooth absolute error: d² / (2 beta) where d = |x - t| < beta, and d - beta / 2 elsewhere.

    Args:
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
        beta: Where the parabola meets the straight line.
    """

    beta = 1.0  # for losses pickled by PyTorch v0.1.x

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean", beta: float = 1.0
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence t (ln t - x), where x are logarithms of probabilities.

    The reduction "batchmean" divides the sum by N.
    """

    _reductions = loss.KLDivLoss.reductions

    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction)


class PoissonNLLLoss(_Loss):
    """The negative log-likelihood e^x - t x of counts t with a Poisson distribution, x their expected logarithm (0.2).

    Args:
        log_input: Whether x is the logarithm of the expected counts, or else these: the loss is x - t ln x.
        full: Whether Stirling's approximation of ln(t!) is added where t > 1.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """

    def __init__(
        self, log_input: bool = True, full: bool = False, size_average: bool | None = None,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full

    def forward(self, input, target):
        return F.poisson_nll_loss(input, target, self.log_input, self.full, reduction=self.reduction)


class BCELoss(_WeightedLoss):
    """The binary cross-entropy -w (t ln x + (1 - t) ln(1 - x)), where x are probabilities.

    The constructor's `weight` w is a Tensor that broadcasts to x.
    """

    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    """`BCELoss` of sigmoid(x), computed from x without loss of precision.

    Args:
        weight: A factor for each loss, a Tensor that broadcasts to x. Default: 1.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
        pos_weight: A factor for the term of t, a Tensor that broadcasts to x. Default: 1.
    """

    def __init__(
        self,
        weight: Variable | Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        pos_weight: Variable | Tensor | None = None,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", tensor_of(pos_weight))

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )


class NLLLoss(_WeightedLoss):
    """The negative log-likelihood -w[t] x[t], where x are logarithms of probabilities and t are classes.

    Args:
        weight: A factor w for each class, a Tensor (C). "mean" divides by the sum of the targets' weights. Default: 1.
        ignore_index: Samples with this target have the loss 0 and do not count in the mean.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.

    Raises:
        IndexError: When called, if a target is not a class.

    Shape:
        Input (N, C, …), target (N, …), a LongTensor of classes from 0 on. Or one sample: input (C), target (1).
    """

    ignore_index = -100  # for losses pickled by PyTorch v0.1.x

    def __init__(
        self,
        weight: Variable | Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return F.nll_loss(input, target, self.weight, None, self.ignore_index, reduction=self.reduction)


class CrossEntropyLoss(NLLLoss):
    """The cross-entropy: `NLLLoss` of the log_softmax of x over the classes.

    Example:
        >>> loss = torch.nn.CrossEntropyLoss()
        >>> loss(Variable(torch.zeros(1, 2)), torch.LongTensor([0])).data.tolist()  # ln 2
        [0.6931471805599453]
    """

    def forward(self, input, target):
        return F.cross_entropy(input, target, self.weight, None, self.ignore_index, reduction=self.reduction)


class MarginRankingLoss(_Loss):
    """max(0, -t (x1 - x2) + margin), where t is 1 if x1 should be larger than x2, and -1 if it should be smaller.

    Args:
        margin: The difference at which the loss becomes 0.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """

    def __init__(
        self, margin: float = 0, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1, input2, target):
        return F.margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """x where t is 1, and max(0, margin - x) where it is -1.

    Args:
        margin: The x at which the loss of a target -1 becomes 0.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.
    """

    def __init__(
        self, margin: float = 1.0, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input, target):
        return F.hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(MarginRankingLoss):
    """1 - cos where t is 1, and max(0, cos - margin) where it is -1, with the cosine between rows of two inputs.

    Shape:
        Inputs (N, D) and (N, D), target (N).
    """

    def forward(self, input1, input2, target):
        return F.cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """ln(1 + e^(-t x)), where t is 1 or -1."""

    def forward(self, input, target):
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The mean over the classes of `BCEWithLogitsLoss`.

    Shape:
        Input (N, C), target (N, C).
    """

    def forward(self, input, target):
        return F.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """Σ max(0, 1 - x[t] + x[d]) / C over the target classes t and the other classes d of a sample.

    Shape:
        Input (N, C), target (N, C), a LongTensor. Each row holds the classes of its sample, and -1 after the last.
    """

    def forward(self, input, target):
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """Σ w[t] max(0, margin - x[t] + x[j])^p / C over the classes j ≠ t.

    Args:
        p: The power, 1 or 2.
        margin: The difference at which the loss becomes 0.
        weight: A factor w for each class, a Tensor (C). Default: 1.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.

    Shape:
        Input (N, C), target (N), a LongTensor of classes.
    """

    def __init__(
        self,
        p: int = 1,
        margin: float = 1,
        weight: Variable | Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.p = p
        self.margin = margin

    def forward(self, input, target):
        return F.multi_margin_loss(input, target, self.p, self.margin, self.weight, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin), where d is the p-norm of the difference + eps.

    Args:
        margin: The difference of distances at which the loss becomes 0.
        p: The order of the norm.
        eps: A number added to each difference.
        swap: Whether d(positive, negative) replaces d(anchor, negative) where it is smaller.
        size_average, reduce, reduction: "mean", "sum" or "none", or an older flag: see `nn.functional.loss`.

    Shape:
        Three inputs (N, D), losses (N).
    """

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
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
    """`NLLLoss` of an image. Since 0.2 NLLLoss takes these shapes itself.

    Shape:
        Input (N, C, H, W), target (N, H, W), a LongTensor of classes.
    """


# The names of August and September 2016.


class AbsCriterion(L1Loss):
    """`L1Loss` under its name of 2016."""


class ClassNLLCriterion(NLLLoss):
    """`NLLLoss` under its name of 2016."""


class MSECriterion(MSELoss):
    """`MSELoss` under its name of 2016."""


class SmoothL1Criterion(SmoothL1Loss):
    """`SmoothL1Loss` under its name of 2016."""


class BCECriterion(BCELoss):
    """`BCELoss` under its name of 2016."""


class CrossEntropyCriterion(CrossEntropyLoss):
    """`CrossEntropyLoss` under its name of 2016."""


class DistKLDivCriterion(KLDivLoss):
    """`KLDivLoss` under its name of 2016."""
