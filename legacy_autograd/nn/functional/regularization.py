"""Dropout as functions.

`inplace=True` writes the result into the input. Under the conventions of `import` the input keeps its values and the
result is a new Variable (conventions.py).
"""

from ...autograd.functions import linear as products
from ...autograd.variable import Variable
from ._inputs import applied

__all__ = ["dropout", "dropout2d", "dropout3d"]


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


def _dropped(function, input, training, inplace):
    if training:
        return applied(function, input, inplace)
    return input if inplace else input.clone()
