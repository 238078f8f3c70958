"""Losses (2016: THNN's criterions `MSECriterion`, `ClassNLLCriterion` …).

v0.1.1 ignored the incoming gradient, so `(10 * loss).backward()` computed the gradient of `loss` (FIDELITY, G2).
legacy_autograd multiplies by it, as all Functions do.
"""

import numpy

from ... import conventions
from ...tensor import Tensor
from ...tensor.arguments import number_for
from ...tensor.dtypes import wide
from ...tensor.messages import shown, shown_size
from ...tensor.no_cuda import ignored
from ...tensor.wrapping import wrap, wrap_in_c_order
from ..function import Function
from ._masked import kept
from ._utils import call, saves
from .activation import Hardtanh, LogSigmoid

REDUCTIONS = ("mean", "sum", "none")
_FEW = 1 << 10  # up to this many products may be added up one after the other: the rounding errors stay small


def checked_reduction(name, reduction, allowed=REDUCTIONS):
    """Return `reduction`, checked.

    Args:
        name: The name of the loss, for messages.
        reduction: The reduction.
        allowed: The allowed reductions.

    Raises:
        ValueError: If `reduction` is not one of `allowed`.
    """
    if reduction not in allowed:
        raise ValueError(f"{name}: reduction must be one of {', '.join(allowed)}, got {reduction!r}")
    return reduction


class Loss(Function):
    """The base of losses of elements. A call takes the input and a target of its shape; both may require a gradient.

    A subclass computes the losses in `elements`, as an array, and their derivatives in `slopes`, with methods that
    Tensors and Variables share.

    Args:
        reduction: "mean" (of all elements), "sum", or "none" (the losses themselves, in the shape of the input).

    Raises:
        TypeError: In the call, if input and target do not have one floating-point type.
        ValueError: For an unknown reduction; in the call, if the shapes differ.

    Gradient:
        In the formulas of the losses, g is the gradient of the output, and m the divisor of the reduction: the number
        of elements for "mean", 1 for "sum" and "none".
    """

    reductions: tuple[str, ...] = REDUCTIONS
    factor = 1  # of all slopes

    def __init__(self, reduction="mean"):
        if reduction not in self.reductions:
            checked_reduction(self._name, reduction, self.reductions)
        self.reduction = reduction

    @saves(0, 1)
    def forward(self, x, target):
        self.check(x, target)
        self.save_for_backward(x, target, *self.weights())
        elements = self.elements(x.array, target.array)
        return self.reduced(elements, self.divisor(elements))

    def check(self, x, target):
        """Raise unless the input and the target have one floating-point type and one shape.

        Args:
            x: The input.
            target: The target.
        """
        if x.array.shape != target.array.shape:
            raise ValueError(
                f"{self._name}: input and target must have the same size, got {shown_size(x.array.shape)} and "
                f"{shown_size(target.array.shape)}"
            )
        if type(x) is not type(target) or x.array.dtype.kind != "f":
            raise TypeError(
                f"{self._name}: input and target must be of one floating-point type, got {shown(x)} and {shown(target)}"
            )

    def weights(self):
        """Return further Tensors that are passed to `slopes`."""
        return ()

    def reduced(self, elements, divisor):
        if self.reduction == "none":
            return wrap_in_c_order(elements)
        total = numpy.add.reduce(wide(elements), None)
        return wrap(numpy.array((total / total.dtype.type(divisor),), elements.dtype))

    def divisor(self, elements):
        """Return the number that the sum of the elements is divided by.

        Args:
            elements: The losses.
        """
        if self.reduction == "mean":
            return elements.size or numpy.nan  # as in torch, the mean of no elements is nan
        return 1

    def elements(self, x, target):
        """Return the loss of each element, as an array.

        Args:
            x: The input, an array.
            target: The target, an array.
        """
        raise NotImplementedError(f"{self._name} does not define elements")

    def slopes(self, x, target, *weights):
        """Return the derivatives of each element's loss by x and by the target; None if one is not needed.

        Args:
            x: The input, a Tensor or a Variable.
            target: The target, likewise.
            *weights: The Tensors of `weights`.
        """
        raise NotImplementedError(f"{self._name} does not define slopes")

    def backward(self, grad_output):
        saved = self.saved_tensors
        divisor = 1 if self.reduction == "none" else self.divisor(saved[0].data.array)
        if isinstance(grad_output, Tensor) and self.reduction != "none":
            # numpy multiplies by an array without dimensions faster than by one of shape (1,).
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
        """Return the slopes of a loss of x - target.

        Args:
            slope: The derivative by x.
        """
        return slope, slope.neg() if self.needs_input_grad[1] else None


class MSELoss(Loss):
    """The squared error (x - t)².

    Gradient:
        For x, 2 (x - t) g / m; for the target t, the negative. `Loss` explains g and m.

    Source:
        `torch/lib/THNN/generic/MSECriterion.c` (v0.1.1).
    """

    factor = 2

    @saves(0, 1)
    def forward(self, x, target):
        array, size = x.array, x.array.size
        if self.reduction == "none" or not 0 < size <= _FEW or array.itemsize < 4:
            return super().forward(x, target)
        self.check(x, target)
        self.save_for_backward(x, target)
        difference = numpy.subtract(array, target.array).ravel()
        loss = difference.dot(difference)  # less than half the time of squares and their sum
        if self.reduction == "mean":
            loss = loss / (size if array.itemsize == 8 else array.dtype.type(size))
        return wrap(numpy.array((loss,), array.dtype))

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
        factor = self.factor / self.divisor(grad)
        if grad.itemsize == 8:
            scale = grad_output.array.item() * factor
        else:  # rounded as the product of Tensors
            scale = numpy.multiply(grad_output.array, number_for("mse_loss", grad, factor)).reshape(())
        numpy.multiply(grad, scale, grad)
        by_x = wrap_in_c_order(grad)
        return by_x, by_x.neg() if self.needs_input_grad[1] else None


class L1Loss(Loss):
    """The absolute error |x - t|.

    Gradient:
        For x, sign(x - t) g / m, which is 0 where x = t (v0.1.1: g / m there); for the target t, the negative.
        `Loss` explains g and m.

    Source:
        `torch/lib/THNN/generic/AbsCriterion.c` (v0.1.1).
    """

    def elements(self, x, target):
        return numpy.abs(x - target)

    def slopes(self, x, target):
        return self.both(x.sub(target).sign())


class SmoothL1Loss(Loss):
    """d² / (2 beta) where |d| < beta, else |d| - beta / 2, with d = x - t.

    Args:
        reduction: As in `Loss`.
        beta: Where the loss becomes linear.

    Raises:
        ValueError: If `beta` is not positive.

    Gradient:
        For x, d / beta, limited to the range from -1 to 1, times g / m; for the target t, the negative.
        `Loss` explains g and m.

    Source:
        `torch/lib/THNN/generic/SmoothL1Criterion.c` (v0.1.1).
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
    """The divergence t (ln t - x), 0 where t = 0; x are logarithms of probabilities.

    The further reduction "batchmean" divides the sum by the number of samples.

    Gradient:
        For x, -t g / m; for the target t, (ln t + 1 - x) g / m. `Loss` explains g and m.

    Source:
        `torch/lib/THNN/generic/DistKLDivCriterion.c` (v0.1.1).
    """

    reductions = (*REDUCTIONS, "batchmean")

    def elements(self, x, target):
        positive = target != 0
        logarithm = numpy.log(target, where=positive, out=numpy.zeros_like(target))
        return kept(target * (logarithm - x), positive)  # without a trace of an x of -inf

    def divisor(self, elements):
        if self.reduction == "batchmean":
            return elements.shape[0]
        return super().divisor(elements)

    def slopes(self, x, target):
        by_target = target.log().add(1).sub(x) if self.needs_input_grad[1] else None
        return target.neg(), by_target


class WeightedLoss(Loss):
    """The base of losses whose elements are multiplied by a weight.

    Args:
        weight: A Tensor that broadcasts to the shape of the input, or None.
        reduction: As in `Loss`.

    Raises:
        TypeError: In the call, if the types differ.
        ValueError: In the call, if a shape does not fit.
    """

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
        shape, size = weight.array.shape, x.array.shape
        if len(shape) > len(size) or not all([n in (1, m) for n, m in zip(reversed(shape), reversed(size))]):
            raise ValueError(
                f"{self._name}: a {what} of size {shown_size(shape)} does not fit an input of size {shown_size(size)}"
            )

    def weighted(self, elements):
        return elements if self.weight is None else elements * self.weight.array


class BCELoss(WeightedLoss):
    """The binary cross-entropy -w (t ln x + (1 - t) ln(1 - x)) of probabilities x.

    A logarithm is never less than -100, so the loss of a certain but incorrect prediction is finite.

    Raises:
        ValueError: In the call, if an x is outside [0, 1].

    Gradient:
        For x, w (x - t) / (x (1 - x)) g / m, with a divisor of at least 1e-12; for the target t, w (ln(1 - x) - ln x) g
        / m. `Loss` explains g and m.

    Source:
        `torch/nn/functions/thnn/loss.py` (v0.1.5).
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
    """BCELoss of σ = 1 / (1 + e^-x), computed from x: w ((1 - t) x - (1 + (p - 1) t) ln σ).

    Args:
        weight: The weight w of each element, a Tensor that broadcasts to x, or None.
        reduction: As in `Loss`.
        pos_weight: The weight p of the positive targets, a Tensor that broadcasts to x, or None.

    Raises:
        TypeError: In the call, if the types differ.
        ValueError: In the call, if a shape does not fit.

    Gradient:
        For x, w (1 - t - (1 + (p - 1) t) (1 - σ)) g / m; for the target t, -w (x + (p - 1) ln σ) g / m.
        `Loss` explains g and m.
    """

    def __init__(self, weight=None, reduction="mean", pos_weight=None):
        super().__init__(weight, reduction)
        self.pos_weight = pos_weight

    def forward(self, x, target):
        self.check_weight("pos_weight", self.pos_weight, x)
        return super().forward(x, target)

    def weights(self):
        # Both or none, so that `slopes` can tell them apart. A weight of 1 changes nothing.
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
    """Σ max(0, 1 - x[t] + x[d]) / C for each sample, over its targets t and the other classes d.

    A call takes x (N, C) or (C) and the targets, a LongTensor of that shape. Each row holds the classes of its sample,
    counted from 0, up to the first -1. "mean" divides the sum by N.

    Raises:
        IndexError: In the call, if a target is no class.
        TypeError: In the call, if the targets are not a LongTensor.
        ValueError: In the call, if the shapes do not fit or x holds integers.

    Gradient:
        For x, for each positive term: g / C to x[d], and -g / C to x[t], where g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/MultiLabelMarginCriterion.c` (v0.1.1).
    """

    _saved_names = ("slopes",)

    def forward(self, x, target):
        self._check(x, target)
        array = numpy.atleast_2d(x.array)
        samples, classes = array.shape
        counts = numpy.zeros((samples, classes), array.dtype)  # of each class among the targets
        rows = numpy.atleast_2d(target.array)
        ended = numpy.logical_or.accumulate(rows < 0, 1)
        numpy.add.at(counts, (numpy.nonzero(~ended)[0], rows[~ended]), 1)
        margins = 1 - array[:, :, None] + array[:, None, :]  # [n, t, d]
        pairs = counts[:, :, None] * (counts == 0)[:, None, :] / array.dtype.type(max(1, classes))
        pairs *= margins > 0
        slopes = (wide(pairs).sum(1) - wide(pairs).sum(2)).astype(array.dtype, copy=False)
        self.count = (samples or numpy.nan) if self.reduction == "mean" else 1
        self.input_size = x.array.shape
        self.save_for_backward(wrap(slopes))
        losses = kept(margins, pairs != 0)  # without a trace of an infinity elsewhere
        losses *= pairs
        return self.reduced(wide(losses).sum((1, 2)).astype(array.dtype, copy=False), self.count)

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
    """The negative log-likelihood -w[t] x[t] of each sample; x are logarithms of probabilities, t is the correct class.

    A call takes x (N, C) and targets (N), or x (N, C, …) and targets (N, …), a LongTensor counted from 0. One sample
    may be x (C) with a target of shape (1,). "mean" divides the sum by the sum of the weights. If all weights are 0,
    the mean is nan. Under `run` it is 0, since v0.1.x did not divide such a sum.

    Args:
        weight: A Tensor with a weight for each class, or None.
        reduction: As in `Loss`.
        ignore_index: A target that is not counted.

    Raises:
        IndexError: In the call, if a target is no class.
        TypeError: In the call, if the targets are not a LongTensor, or the types of x and `weight` differ.
        ValueError: In the call, if the shapes do not fit or x holds integers.

    Gradient:
        For x, -w[t] g at the targets, divided like the loss, and 0 elsewhere, where g is the gradient of the output.

    Source:
        `torch/lib/THNN/generic/ClassNLLCriterion.c` (v0.1.1).
    """

    may_ignore = True  # whether a target may be `ignore_index`; forward checks

    def __init__(self, weight=None, reduction="mean", ignore_index=-100):
        self.weight = weight
        super().__init__(reduction)
        self.ignore_index = ignore_index

    @saves(1)
    def forward(self, x, target):
        if ignored():
            target = target.long()  # on a GPU v0.1.1 took the classes as floating-point numbers
        self._check(x, target)
        self.save_for_backward(target)
        self.input_size = x.array.shape
        classes, weights, divisor = self.terms(target.array, x.array.dtype)
        losses = numpy.negative(_of_samples(x.array)[_places(classes)])
        if classes is not target.array:
            losses *= weights
            losses = kept(losses, target.array != self.ignore_index)  # without a trace of an ignored infinity
        return self.reduced(losses, divisor)

    def terms(self, target, dtype):
        """Return the class of each sample (0 if it is ignored), its weight, and the divisor of the sum.

        Args:
            target: The targets, an array.
            dtype: The dtype of the weights.
        """
        if self.weight is None and not self.may_ignore:  # the usual case
            return target, dtype.type(1), float(target.size if self.reduction == "mean" else 1)
        counted = target != self.ignore_index
        classes = target * counted
        weights = counted.astype(dtype)
        if self.weight is not None:
            weights *= self.weight.array[classes]
        divisor = wide(weights).sum().item() if self.reduction == "mean" else 1.0
        if divisor == 0 and conventions.era.mean_over_no_weight_is_zero:
            divisor = 1.0
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
        outside = array.view(numpy.uint64) >= classes  # negative ones too: they are large as unsigned integers
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
    """The gradient of NLLLoss. A call takes g and the targets.

    Args:
        loss: The NLLLoss.

    Gradient:
        NLLLoss of h, since it is linear, where h is the gradient of the output.
    """

    def __init__(self, loss):
        self.loss = loss

    def forward(self, grad, target):
        self.save_for_backward(target)
        array = grad.array
        classes, weights, divisor = self.loss.terms(target.array, array.dtype)
        result = numpy.zeros(self.loss.input_size, array.dtype)
        if classes is target.array and divisor:  # the usual case
            gradients = array * number_for("nll_loss", array, -1 / divisor)
        else:
            gradients = array * numpy.asarray(numpy.asarray(-weights, float) / divisor, array.dtype)
        if classes is not target.array:
            gradients = kept(gradients, target.array != self.loss.ignore_index)  # 0 / 0 if all are ignored
        _of_samples(result)[_places(classes)] = gradients
        return wrap(result)

    def backward(self, grad_output):
        (target,) = self.saved_tensors
        loss = self.loss
        return call(NLLLoss(loss.weight, loss.reduction, loss.ignore_index), grad_output, target), None


def _of_samples(array):
    """Return the array (N, C, …) itself, or a view (1, C) of the array (C) of one sample."""
    return array if array.ndim > 1 else array[numpy.newaxis]


def _places(classes):
    """Return the key of x[n, classes[n, …], …] for all samples."""
    if classes.ndim == 1:
        return numpy.arange(classes.size), classes
    sample, *others = numpy.ogrid[tuple([slice(length) for length in classes.shape])]
    return sample, classes, *others
