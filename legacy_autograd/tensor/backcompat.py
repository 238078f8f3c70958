"""What v0.2.0 changed about tensors: operands of different shapes, and the dimension that a reduction removes.

It broadcasts, and takes operands of equal count that cannot be broadcast point by point, with a warning. A reduction
drops its dimension unless `keepdim=True`. `torch.utils.backcompat` has a switch for each of the two: a warning where a
program's result differs from that of v0.1.12. `conventions.era` says which rules apply.
"""

import warnings

import numpy

from .. import conventions


class Warning:
    """The switch of a warning. It is off at first; `enabled = True` turns it on."""

    enabled = False

    def get_enabled(self) -> bool:
        """Return whether the warning is given."""
        return self.enabled

    def set_enabled(self, value: bool) -> None:
        """Set whether the warning is given.

        Args:
            value: Whether it is.
        """
        self.enabled = bool(value)


broadcast_warning = Warning()
keepdim_warning = Warning()


def keeps(name: str, keepdim: bool | None, array: numpy.ndarray | None = None) -> bool:
    """Return whether a reduction keeps its dimension, with size 1.

    Args:
        name: The name of the reduction.
        keepdim: The program's argument; None if it gives none.
        array: What is reduced, for a method of tensors.
    """
    kept = conventions.era.reductions_keep_dimension
    if keepdim is None:
        if keepdim_warning.enabled and not kept:
            _warn(f"{name}: keepdim is not given, and False; up to v0.1.12 the dimension was kept")
        keepdim = kept
    # In v0.2.0 every result is a tensor, so a vector keeps its only dimension.
    return bool(keepdim) or not kept and array is not None and array.ndim == 1


def paired(name: str, a: numpy.ndarray, b: numpy.ndarray, into: bool = False) -> numpy.ndarray:
    """Return the second operand in the shape in which it meets the first.

    Args:
        name: The name of the operation.
        a: The first operand.
        b: The second operand.
        into: Whether the result is written to `a`.
    """
    rule = conventions.era.broadcast
    if rule == "always" or a.size != b.size or a.shape == b.shape:
        return b
    if rule == "first":
        shapes = f"{name}: operands of sizes {a.shape} and {b.shape} have equally many elements"
        try:
            fits = numpy.broadcast_shapes(a.shape, b.shape) == a.shape or not into
        except ValueError:
            fits = False
        if fits:
            if broadcast_warning.enabled:
                _warn(f"{shapes} and are broadcastable: they are broadcast, not taken point by point as in v0.1.12")
            return b
        _warn(f"{shapes}, but are not broadcastable. Falling back to deprecated pointwise behavior")
    return b.reshape(a.shape)


def _warn(text):
    warnings.warn(text, UserWarning, stacklevel=2)
