"""Dropout. `inplace=True` writes the result into the input, which under `import` keeps its numbers."""

from ...autograd.functions import linear as products
from ._inputs import applied


def dropout(input, p=0.5, training=False, inplace=False):
    """Each element 0 with probability p, divided by 1 - p otherwise; the input itself without `training`.

    `training` has to be said: its default is v0.1.12's False (since 0.4.1 it is True).
    """
    function = products.Dropout(p)
    return applied(function, input, inplace) if training else input


def dropout2d(input, p=0.5, training=False, inplace=False):
    """Dropout of whole channels of input (N, C, …); the input itself without `training`."""
    function = products.FeatureDropout(p)
    return applied(function, input, inplace) if training else input


def dropout3d(input, p=0.5, training=False, inplace=False):
    """dropout2d, which asks for no number of dimensions."""
    return dropout2d(input, p, training, inplace)
