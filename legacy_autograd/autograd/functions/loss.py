"""Losses (2016: THNN's criterions `MSECriterion`, `ClassNLLCriterion` …).

v0.1.1 ignored the gradient that comes in, so that `(10 * loss).backward()` gave that of `loss` (FIDELITY, G2); here it
is multiplied with, as everywhere. g stands for it, m for the number of elements of the loss.
"""

import numpy

from ... import conventions
from ...tensor import Tensor
from ...tensor._helpers import number_for, shown, wrap_in_c_order
from ...tensor.base import shown_size, wrap
from ...tensor.no_cuda import ignored
from ..function import Function
from ._masked import kept
from ._utils import call, saves
from .activation import Hardtanh, LogSigmoid

REDUCTIONS = ("mean", "sum", "none")


def checked_reduction(name, reduction, allowed=REDUCTIONS):
    """Return `reduction`. Raises ValueError, with the `name` of the loss, if it is not one of the words `allowed`."""
    if reduction not in allowed:
        raise ValueError(f"{name}: reduction must be one of {', '.join(allowed)}, got {reduction!r}")
    return reduction


class Loss(Function):
    """A loss of elements: called with the input and a target of its size; both may require a gradient.

    `reduction` is "mean" (of all elements), "sum" or "none" (the losses themselves, in the size of the input). A
    subclass gives the losses in `elements`, as an array, and in `slopes` their derivatives, written with methods that
    Tensors and Variables share.
    """

    reductions = REDUCTIONS
    factor = 1  # that all slopes have in common

    def __init__(self, reduction="mean"):
        if reduction not in self.reductions:
            checked_reduction(self._name, reduction, self.reductions)
        self.reduction = reduction

    @saves(0, 1)
    def forward(self, x, target):
        array, target_array = x.array, target.array
        if array.shape != target_array.shape:
            raise ValueError(
                f"{self._name}: input and target must have the same size, got {shown_size(x.array.shape)} and "
                f"{shown_size(target.array.shape)}"
            )
        if type(x) is not type(target) or array.dtype.kind != "f":
            raise TypeError(
                f"{self._name}: input and target must be of one floating-point type, got {shown(x)} and {shown(target)}"
            )
        self.save_for_backward(x, target, *self.weights())
        elements = self.elements(array, target_array)
        return self.reduced(elements, self.divisor(elements))

    def weights(self):
        """Further Tensors that `slopes` is given."""
        return ()

    def reduced(self, elements, divisor):
        if self.reduction == "none":
            return wrap_in_c_order(elements)
        return wrap(numpy.array((numpy.add.reduce(elements, None) / divisor,), elements.dtype))

    def divisor(self, elements):
        """What the sum of the elements is divided by."""
        if self.reduction == "mean":
            return elements.size or numpy.nan  # as in torch, the mean of nothing is nan
        return 1

    def elements(self, x, target):
        """The loss of each element: arrays in, an array out."""
        raise NotImplementedError(f"{self._name} does not define elements")

    def slopes(self, x, target, *weights):
        """The derivatives of each element's loss by x and by the target; None in place of one that is not wanted."""
        raise NotImplementedError(f"{self._name} does not define slopes")

    def backward(self, grad_output):
        saved = self.saved_tensors
        divisor = 1 if self.reduction == "none" else self.divisor(saved[0].data.array)
        if isinstance(grad_output, Tensor) and self.reduction != "none":
            # An array without dimensions multiplies others in a third of the time that one of size (1,) takes.
            scale = numpy.multiply(grad_output.array, self.factor / divisor).reshape(())
            return tuple(
                [
                    None if slope is None else wrap_in_c_order(numpy.multiply(slope.array, scale))
                    for slope in self.slopes(*saved)
                ]
            )
        if divisor != self.factor:
            grad_output = grad_output.mul(self.factor / divisor)
        return tuple([None if slope is None else slope.mul(grad_output) for slope in self.slopes(*saved)])

    def both(self, slope):
        """The slopes of a loss of x - target."""
        return slope, slope.neg() if self.needs_input_grad[1] else None


class MSELoss(Loss):
    """(x - t)², averaged or summed. Gradients: of x, 2 (x - t) g / m; of the target, the negative."""

    factor = 2

    def elements(self, x, target):
        difference = x - target
        return numpy.multiply(difference, difference, out=difference)

    def slopes(self, x, target):
        return self.both(x.sub(target))

    def backward(self, grad_output):
        if self.reduction == "none" or not isinstance(grad_output, Tensor):
            return super().backward(grad_output)
        x, target = self.saved_tensors  # the same on the arrays
        grad = numpy.subtract(x.array, target.array)
        factor = number_for("mse_loss", grad, self.factor / self.divisor(grad))
        numpy.multiply(grad, numpy.multiply(grad_output.array, factor).reshape(()), grad)
        by_x = wrap_in_c_order(grad)
        return by_x, by_x.neg() if self.needs_input_grad[1] else None


class L1Loss(Loss):
    """|x - t|, averaged or summed. Gradients: of x, the sign of x - t times g / m; of the target, the negative.

    Where x = t the gradient is 0 (v0.1.1 had g / m there).
    """

    def elements(self, x, target):
        return numpy.abs(x - target)

    def slopes(self, x, target):
        return self.both(x.sub(target).sign())


class SmoothL1Loss(Loss):
    """d² / (2 beta) where |d| < beta, else |d| - beta / 2, with d = x - t, averaged or summed.

    Gradients: of x, d / beta but no less than -1 and no more than 1, times g / m; of the target, the negative.
    """

    def __init__(self, reduction="mean", beta=1.0):
        super().__init__(reduction)
        if not beta > 0:
            raise ValueError(f"{self._name}: beta must be above 0, got {beta}")
        self.beta = beta

    def elements(self, x, target):
        distance = numpy.abs(x - target)
        inner = numpy.minimum(distance, number_for("smooth_l1", x, self.beta))
        return inner * (distance - inner / 2) / number_for("smooth_l1", x, self.beta)

    def slopes(self, x, target):
        return self.both(call(Hardtanh(), x.sub(target).div(self.beta)))


class KLDivLoss(Loss):
    """t (ln t - x), 0 where t = 0; x are logarithms of probabilities. Averaged, summed, or "batchmean": Σ / N.

    Gradients: of x, -t g / m; of the target, (ln t + 1 - x) g / m.
    """

    reductions = (*REDUCTIONS, "batchmean")

    def elements(self, x, target):
        positive = target != 0
        logarithm = numpy.log(target, where=positive, out=numpy.zeros_like(target))
        return kept(target * (logarithm - x), positive)  # an x of -inf does no harm there

    def divisor(self, elements):
        if self.reduction == "batchmean":
            return elements.shape[0]
        return super().divisor(elements)

    def slopes(self, x, target):
        by_target = target.log().add(1).sub(x) if self.needs_input_grad[1] else None
        return target.neg(), by_target


class WeightedLoss(Loss):
    """A loss whose elements are multiplied with a Tensor `weight` that broadcasts to their size."""

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    def forward(self, x, target):
        self.check_weight("weight", self.weight, x)
        return super().forward(x, target)

    def weights(self):
        return () if self.weight is None else (self.weight,)

    def check_weight(self, what, weight, x):
        if weight is None:
            return
        if weight.array.dtype is not x.array.dtype:
            raise TypeError(f"{self._name}: input and {what} must be of one type, got {shown(x)} and {shown(weight)}")
        try:
            fits = numpy.broadcast_shapes(weight.array.shape, x.array.shape) == x.array.shape
        except ValueError:
            fits = False
        if not fits:
            raise ValueError(
                f"{self._name}: a {what} of size {shown_size(weight.array.shape)} does not fit an input of size "
                f"{shown_size(x.array.shape)}"
            )

    def weighted(self, elements):
        return elements if self.weight is None else elements * self.weight.array


class BCELoss(WeightedLoss):
    """-w (t ln x + (1 - t) ln(1 - x)); x are probabilities. Averaged or summed.

    A logarithm is never less than -100, so the loss of a certain and wrong answer is finite. Gradients: of x,
    w (x - t) / (x (1 - x)) g / m with a divisor of at least 1e-12; of the target, w (ln(1 - x) - ln x) g / m.
    Raises ValueError for an x outside of [0, 1].
    """

    def elements(self, x, target):
        outside = ~((x >= 0) & (x <= 1))
        if outside.any():
            raise ValueError(f"{self._name}: the input must be probabilities, from 0 to 1; got {x[outside].flat[0]}")
        lowest = x.dtype.type(-100)
        yes, no = numpy.maximum(numpy.log(x), lowest), numpy.maximum(numpy.log1p(-x), lowest)
        return self.weighted((target - 1) * no - target * yes)

    def slopes(self, x, target, *weights):
        by_x = by_target = None
        rest = x.neg().add(1)
        if self.needs_input_grad[0]:
            by_x = x.sub(target).div(x.mul(rest).clamp(min=1e-12))
        if self.needs_input_grad[1]:
            by_target = rest.log().clamp(min=-100).sub(x.log().clamp(min=-100))
        for weight in weights:
            by_x = None if by_x is None else by_x.mul(weight)
            by_target = None if by_target is None else by_target.mul(weight)
        return by_x, by_target


class BCEWithLogitsLoss(WeightedLoss):
    """BCELoss of σ = 1 / (1 + e^-x), computed from x: w ((1 - t) x - (1 + (p - 1) t) ln σ). Averaged or summed.

    p is `pos_weight`, a Tensor that broadcasts to x, or 1. Gradients: of x, w (1 - t - (1 + (p - 1) t) (1 - σ)) g / m;
    of the target, -w (x + (p - 1) ln σ) g / m.
    """

    def __init__(self, weight=None, reduction="mean", pos_weight=None):
        super().__init__(weight, reduction)
        self.pos_weight = pos_weight

    def forward(self, x, target):
        self.check_weight("pos_weight", self.pos_weight, x)
        return super().forward(x, target)

    def weights(self):
        # Both or none: `slopes` has to know which is which. A weight of 1 changes nothing.
        if self.weight is None and self.pos_weight is None:
            return ()
        given = self.pos_weight if self.weight is None else self.weight
        one = wrap(numpy.ones(1, given.array.dtype))
        return (one if self.weight is None else self.weight, one if self.pos_weight is None else self.pos_weight)

    def elements(self, x, target):
        logarithm = numpy.logaddexp(x.dtype.type(0), -x)
        if self.pos_weight is not None:
            logarithm *= 1 + (self.pos_weight.array - 1) * target
        return self.weighted((1 - target) * x + logarithm)

    def slopes(self, x, target, weight=None, pos_weight=None):
        by_x = by_target = None
        if self.needs_input_grad[0]:
            by_x = x.sigmoid().sub(target)
            if weight is not None:
                share = target.mul(pos_weight.sub(1)).add(1)
                by_x = target.neg().add(1).sub(share.mul(x.neg().sigmoid())).mul(weight)
        if self.needs_input_grad[1]:
            by_target = x.neg()
            if weight is not None:
                by_target = by_target.sub(call(LogSigmoid(), x).mul(pos_weight.sub(1))).mul(weight)
        return by_x, by_target


class MultiLabelMarginLoss(Loss):
    """Σ over the targets t and the other classes d of max(0, 1 - x[t] + x[d]) / C, for each sample.

    Called with x (N, C) or (C) and the targets, a LongTensor of that size: each row holds the classes of its sample,
    counted from 0, up to the first -1. "mean" divides the sum by N.

    Gradient of x: g / C for each term that is above 0, to x[d]; the negative of that to x[t].

    Raises IndexError for a target that is no class, ValueError for sizes that do not fit. (THNN's
    `MultiLabelMarginCriterion`.)
    """

    _saved_names = ("slopes",)

    def forward(self, x, target):
        self._check(x, target)
        array = numpy.atleast_2d(x.array)
        samples, classes = array.shape
        counts = numpy.zeros((samples, classes), array.dtype)  # how often each class is a target
        rows = numpy.atleast_2d(target.array)
        ended = numpy.logical_or.accumulate(rows < 0, 1)
        numpy.add.at(counts, (numpy.nonzero(~ended)[0], rows[~ended]), 1)
        margins = 1 - array[:, :, None] + array[:, None, :]  # [n, t, d]
        pairs = counts[:, :, None] * (counts == 0)[:, None, :] / array.dtype.type(max(1, classes))
        pairs *= margins > 0
        slopes = pairs.sum(1) - pairs.sum(2)
        self.count = (samples or numpy.nan) if self.reduction == "mean" else 1
        self.input_size = x.array.shape
        self.save_for_backward(wrap(slopes))
        losses = kept(margins, pairs != 0)  # an infinity elsewhere does no harm
        losses *= pairs
        return self.reduced(losses.sum((1, 2)), self.count)

    def backward(self, grad_output):
        (slopes,) = self.saved_tensors
        by_sample = grad_output.contiguous().view(-1, 1)
        return slopes.mul(by_sample.div(self.count)).view(*self.input_size), None

    def _check(self, x, target):
        if x.array.ndim not in (1, 2) or x.array.dtype.kind != "f" or target.array.shape != x.array.shape:
            raise ValueError(
                f"{self._name}: expected floating-point numbers (N, C) or (C), and targets of that size, "
                f"got {shown(x)} and {shown(target)}"
            )
        if target.array.dtype != numpy.int64:
            raise TypeError(f"{self._name}: expected the targets as a torch.LongTensor, got {shown(target)}")
        wrong = target.array[(target.array < -1) | (target.array >= x.array.shape[-1])]
        if wrong.size:
            raise IndexError(
                f"{self._name}: target {wrong[0]} is out of range: the classes count from 0 to "
                f"{x.array.shape[-1] - 1}, and -1 ends a row"
            )


class NLLLoss(Loss):
    """-w[t] x[t] for each sample, where x are logarithms of probabilities and the target t is the right class.

    Called with x (N, C) and targets (N), or x (N, C, …) and targets (N, …), a LongTensor that counts from 0. One
    sample may be x (C) and a target of size (1). `weight` is a Tensor with a number for each class, or None. "mean"
    divides the sum by the sum of the weights; a target of `ignore_index` counts nowhere. If all weights are 0, the
    mean is NaN, and 0 under `run`, where v0.1.x left such a sum undivided (THNN, `ClassNLLCriterion.c`). Gradient of
    x: -w[t] g at the targets, divided likewise, 0 elsewhere.

    Raises IndexError for a target that is no class, ValueError for sizes that do not fit.
    """

    may_ignore = True  # whether a target may be `ignore_index`; forward looks

    def __init__(self, weight=None, reduction="mean", ignore_index=-100):
        self.weight = weight
        super().__init__(reduction)
        self.ignore_index = ignore_index

    @saves(1)
    def forward(self, x, target):
        if ignored():
            target = target.long()  # on a graphics card v0.1.1 took the classes as floating-point numbers
        self._check(x, target)
        self.save_for_backward(target)
        self.input_size = x.array.shape
        classes, weights, divisor = self.terms(target.array, x.array.dtype)
        losses = _of_samples(x.array)[_places(classes)] * -weights
        if classes is not target.array:
            losses = kept(losses, target.array != self.ignore_index)  # an infinity there does no harm
        return self.reduced(losses, divisor)

    def terms(self, target, dtype):
        """The class of each sample (0 where it is ignored), its weight, and the divisor of their sum."""
        if self.weight is None and not self.may_ignore:  # the usual case; nothing to look up
            return target, dtype.type(1), dtype.type(target.size if self.reduction == "mean" else 1)
        counted = target != self.ignore_index
        classes = target * counted
        weights = counted.astype(dtype)
        if self.weight is not None:
            weights *= self.weight.array[classes]
        divisor = weights.sum() if self.reduction == "mean" else dtype.type(1)
        if divisor == 0 and conventions.era.mean_over_no_weight_is_zero:
            divisor = dtype.type(1)
        return classes, weights, divisor

    def backward(self, grad_output):
        (target,) = self.saved_tensors
        return call(NLLBackward(self), grad_output, target), None

    def _check(self, x, target):
        if x.array.ndim < 1 or x.array.dtype.kind != "f":
            raise ValueError(
                f"{self._name}: expected floating-point numbers (C) or in 2 dimensions or more, (N, C, …), "
                f"got {shown(x)}"
            )
        n, classes, *size = _of_samples(x.array).shape
        if target.array.shape != (n, *size):
            raise ValueError(
                f"{self._name}: an input of size {shown_size(x.array.shape)} needs targets of size "
                f"{shown_size((n, *size))}, got {shown_size(target.array.shape)}"
            )
        if target.array.dtype != numpy.int64:
            raise TypeError(f"{self._name}: expected the targets as a torch.LongTensor, got {shown(target)}")
        array = target.array
        outside = array.view(numpy.uint64) >= classes  # negative ones as well: they are large without the sign
        self.may_ignore = 0 <= self.ignore_index < classes
        if numpy.logical_or.reduce(outside, None):
            self.may_ignore = True
            wrong = array[outside & (array != self.ignore_index)]
            if wrong.size:
                raise IndexError(
                    f"{self._name}: target {wrong[0]} is out of range: the input has {classes} classes, which count "
                    f"from 0 to {classes - 1}"
                )
        if self.weight is not None:
            if self.weight.array.shape != (classes,):
                raise ValueError(
                    f"{self._name}: expected a weight for each of the {classes} classes, got {shown(self.weight)}"
                )
            if self.weight.array.dtype is not x.array.dtype:
                raise TypeError(
                    f"{self._name}: input and weight must be of one type, got {shown(x)} and {shown(self.weight)}"
                )


class NLLBackward(Function):
    """The gradient of NLLLoss, called with g and the targets. Gradient: NLLLoss itself, which is linear."""

    def __init__(self, loss):
        self.loss = loss

    def forward(self, grad, target):
        self.save_for_backward(target)
        array = grad.array
        classes, weights, divisor = self.loss.terms(target.array, array.dtype)
        result = numpy.zeros(self.loss.input_size, array.dtype)
        gradients = array * (-weights / divisor)
        if classes is not target.array:
            gradients = kept(gradients, target.array != self.loss.ignore_index)  # 0 / 0 if all are ignored
        _of_samples(result)[_places(classes)] = gradients
        return wrap(result)

    def backward(self, grad_output):
        (target,) = self.saved_tensors
        loss = self.loss
        return call(NLLLoss(loss.weight, loss.reduction, loss.ignore_index), grad_output, target), None


def _of_samples(array):
    """The array (N, C, …) itself, or a view (1, C) of the array (C) of one sample."""
    return array if array.ndim > 1 else array[numpy.newaxis]


def _places(classes):
    """The key of x[n, classes[n, …], …] for all samples."""
    if classes.ndim == 1:
        return numpy.arange(classes.size), classes
    sample, *others = numpy.ogrid[tuple([slice(length) for length in classes.shape])]
    return sample, classes, *others
