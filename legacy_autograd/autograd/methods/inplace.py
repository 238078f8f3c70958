"""Operations in place (v0.1.2, `later/in_place.py`): the result is written into this Variable's memory.

The Variable replaces the result in the graph. The gradient is that of the operation. A result of another shape is
refused. `inplace_forms.py` has the operations that also return their result as a new Variable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...tensor import Tensor
from ..variable import Variable
from ._attach import attach


class InPlaceMethods:
    """Operations that replace the Variable by their result."""

    # Of Variable.
    _in_place: Callable[..., Variable]
    _written: Callable[..., Variable]

    def add_(self, other: Any, tensor: Variable | None = None, *, alpha: float = 1) -> Variable:
        """Add `other`, or alpha times it, in place, and return this Variable.

        Args:
            other: A Variable or a number.
            tensor: In v0.1.x's form `add_(alpha, tensor)`, the Variable to add.
            alpha: The factor of `other`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.

        Gradient:
            Those of `add`.
        """
        other, alpha = (other, alpha) if tensor is None else (tensor, other)
        return self._in_place("add", other if alpha == 1 else other * alpha)

    def sub_(self, other: Any, tensor: Variable | None = None, *, alpha: float = 1) -> Variable:
        """Subtract `other`, or alpha times it, in place, and return this Variable.

        Args:
            other: A Variable or a number.
            tensor: In v0.1.x's form `sub_(alpha, tensor)`, the Variable to subtract.
            alpha: The factor of `other`.

        Raises:
            RuntimeError: For a leaf that requires a gradient.

        Gradient:
            Those of `sub`.
        """
        other, alpha = (other, alpha) if tensor is None else (tensor, other)
        return self._in_place("sub", other if alpha == 1 else other * alpha)

    def mul_(self, other: Variable | float) -> Variable:
        """Apply `mul` in place and return this Variable.

        Args:
            other: A Variable or a number, the second operand.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("mul", other)

    def div_(self, other: Variable | float) -> Variable:
        """Apply `div` in place and return this Variable.

        Args:
            other: A Variable or a number, the second operand.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("div", other)

    def pow_(self, other: Variable | float) -> Variable:
        """Apply `pow` in place and return this Variable.

        Args:
            other: A Variable or a number, the second operand.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("pow", other)

    def t_(self) -> Variable:
        """Apply `t` in place and return this Variable.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("t")

    def transpose_(self, dim0: int, dim1: int) -> Variable:
        """Apply `transpose` in place and return this Variable.

        Args:
            dim0: One dimension.
            dim1: The dimension to exchange it with.

        Raises:
            RuntimeError: For a leaf that requires a gradient.
        """
        return self._in_place("transpose", dim0, dim1)

    def fill_(self, value: float) -> Variable:
        """Set every element to a number and return this Variable.

        Args:
            value: The number.

        Gradient:
            0 for the old x.
        """
        return self._written("fill_", value)

    def zero_(self) -> Variable:
        """Set every element to 0 and return this Variable.

        Gradient:
            0 for the old x.
        """
        return self._written("zero_")

    def uniform_(self, low: float = 0, high: float = 1) -> Variable:
        """Draw every element from [low, high) and return this Variable.

        Args:
            low: The lower limit, included.
            high: The upper limit, excluded.

        Gradient:
            0 for the old x.
        """
        return self._written("uniform_", low, high)

    def normal_(self, mean: float = 0, std: float = 1) -> Variable:
        """Draw every element from a normal distribution and return this Variable.

        Args:
            mean: The mean.
            std: The standard deviation.

        Gradient:
            0 for the old x.
        """
        return self._written("normal_", mean, std)

    def log_normal_(self, mean: float = 1, std: float = 2) -> Variable:
        """Draw every element from a log-normal distribution and return this Variable.

        Args:
            mean: The mean of the logarithms.
            std: The standard deviation of the logarithms.

        Gradient:
            0 for the old x.
        """
        return self._written("log_normal_", mean, std)

    def exponential_(self, lambd: float = 1) -> Variable:
        """Draw every element from an exponential distribution and return this Variable.

        Args:
            lambd: The rate.

        Gradient:
            0 for the old x.
        """
        return self._written("exponential_", lambd)

    def cauchy_(self, median: float = 0, sigma: float = 1) -> Variable:
        """Draw every element from a Cauchy distribution and return this Variable.

        Args:
            median: The median.
            sigma: The scale: half the distance between the quartiles.

        Gradient:
            0 for the old x.
        """
        return self._written("cauchy_", median, sigma)

    def geometric_(self, p: float) -> Variable:
        """Draw every element from a geometric distribution and return this Variable.

        Args:
            p: The probability of success. An element is the number of trials until the first success.

        Gradient:
            0 for the old x.
        """
        return self._written("geometric_", p)

    def bernoulli_(self, p: Tensor | float = 0.5) -> Variable:
        """Draw 1 or 0 in every element and return this Variable.

        Args:
            p: The probability of 1, or a Tensor with one for each element.

        Gradient:
            0 for the old x.
        """
        return self._written("bernoulli_", p)

    def random_(self, first: int | None = None, end: int | None = None) -> Variable:
        """Draw an integer in every element and return this Variable.

        Args:
            first: The smallest integer. Given alone, it is `end`. Default: 0.
            end: The largest integer, plus 1. Default: all integers that the type can hold.

        Gradient:
            0 for the old x.
        """
        return self._written("random_", first, end)


attach(InPlaceMethods)
