"""Dropout. `inplace=True` writes the result into the input, which under `import` keeps its numbers."""

from ...autograd.functions import linear as products
from ._inputs import in_place


def dropout(input, p=0.5, training=False, inplace=False):
    """Each element 0 with probability p, divided by 1 - p otherwise; a copy of the input without `training`.

    `training` has to be said: its default is v0.1.12's False (since 0.4.1 it is True). The copy is v0.1.12's
    (`torch/nn/_functions/dropout.py`): what is later written into it leaves the input alone. With `inplace` it is the
    input itself.
    """
    return _dropped(products.Dropout(p), input, training, inplace)


def dropout2d(input, p=0.5, training=False, inplace=False):
    """Dropout of whole channels of input (N, C, …); a copy of the input without `training`."""
    return _dropped(products.FeatureDropout(p), input, training, inplace)


def dropout3d(input, p=0.5, training=False, inplace=False):
    """dropout2d, which asks for no number of dimensions."""
    return dropout2d(input, p, training, inplace)


def _dropped(function, input, training, inplace):
    if training:
        return in_place(function, input) if inplace else function(input)[0]
    return input if inplace else input.clone()
