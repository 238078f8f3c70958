"""Activations of a Variable; their Functions are in `functions/activation.py`, and nn calls the others."""

from __future__ import annotations

from ..functions.activation import LogSoftmax, Softmax
from ..variable import Variable
from ._attach import attach


class ActivationMethods:
    """Activations that are methods."""

    def softmax(self, dim: int | None = None) -> Variable:
        """Return e^x / Σ e^x, with the sum along `dim`.

        Args:
            dim: The dimension to sum along. Default, as in v0.1.x: 0 for 1 and 3 dimensions, 1 for 2 and 4.

        Raises:
            ValueError: If `dim` is missing and there are more than 4 dimensions.
            TypeError: For integers.

        Gradient:
            `r * (g - sum(g * r, dim, keepdims=True))`, where g is the gradient of the result r.
        """
        return Softmax(dim)(self)[0]

    def log_softmax(self, dim: int | None = None) -> Variable:
        """Return ln(e^x / Σ e^x), with the sum along `dim`.

        Args:
            dim: The dimension to sum along. Default, as in v0.1.x: 0 for 1 and 3 dimensions, 1 for 2 and 4.

        Raises:
            ValueError: If `dim` is missing and there are more than 4 dimensions.
            TypeError: For integers.

        Gradient:
            `g - exp(r) * sum(g, dim, keepdims=True)`, where g is the gradient of the result r.
        """
        return LogSoftmax(dim)(self)[0]


attach(ActivationMethods)
