"""Dropout as functions.

`inplace=True` writes the result into the input. Under the conventions of `import` the input keeps its values and the
result is a new Variable (conventions.py).
"""

from ...autograd.functions import linear as products
from ...autograd.variable import Variable
from ._inputs import applied

__all__ = ["alpha_dropout", "dropout", "dropout2d", "dropout3d"]


def dropout(input: Variable, p: float = 0.5, training: bool = False, inplace: bool = False) -> Variable:
    """Return `input` with each element set to 0 with probability p, and divided by 1 - p otherwise.

    Without `training` the result is a copy of `input`, so later writes into the result leave `input` as it is.

    Args:
        input: A Variable of any shape.
        p: The probability.
        training: Whether anything is dropped. The default is that of v0.1.12 (since 0.4.1: True).
        inplace: Whether the result is written into `input`. Without `training` the result then is `input` itself.

    Source:
        `torch/nn/_functions/dropout.py` (v0.1.12).
    """
    return _dropped(products.Dropout(p), input, training, inplace)


def dropout2d(input: Variable, p: float = 0.5, training: bool = False, inplace: bool = False) -> Variable:
    """Return `input` with each channel set to 0 with probability p, and divided by 1 - p otherwise.

    Args:
        input: A Variable (N, C, …).
        p: The probability.
        training: Whether anything is dropped. Otherwise the result is a copy of `input`.
        inplace: Whether the result is written into `input`.
    """
    return _dropped(products.FeatureDropout(p), input, training, inplace)


def dropout3d(input: Variable, p: float = 0.5, training: bool = False, inplace: bool = False) -> Variable:
    """Return `dropout2d`, which accepts any number of spatial dimensions.

    Args:
        input: A Variable (N, C, D, H, W).
        p: The probability.
        training: Whether anything is dropped. Otherwise the result is a copy of `input`.
        inplace: Whether the result is written into `input`.
    """
    return dropout2d(input, p, training, inplace)


def alpha_dropout(input: Variable, p: float = 0.5, training: bool = False) -> Variable:
    """Return `input` with each element set to the limit of `selu` at -∞ with probability p (0.2).

    The result is then scaled and shifted, so that a mean of 0 and a variance of 1 stay what they are.

    Args:
        input: A Variable of any shape.
        p: The probability.
        training: Whether anything is dropped. Otherwise the result is `input`.

    Source:
        Klambauer et al., "Self-normalizing neural networks", 2017.
    """
    if not 0 <= p <= 1:
        raise ValueError(f"alpha_dropout: p must be a probability between 0 and 1, got {p}")
    if not training or p == 0:
        return input
    if p == 1:
        return input.mul(0)
    limit = -1.7580993408473766
    dropped = Variable(input.data.new(*input.size()).bernoulli_(p).byte(), requires_grad=False)
    scale = ((1 - p) * (1 + p * limit**2)) ** -0.5
    return input.masked_fill(dropped, limit).mul(scale).add(-scale * limit * p)


def _dropped(function, input, training, inplace):
    if training:
        return applied(function, input, inplace)
    return input if inplace else input.clone()
