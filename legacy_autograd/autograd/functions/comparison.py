"""Comparisons of every element (in torch's autograd since v0.1.5: `torch/autograd/_functions/compare.py`).

The answer is a ByteTensor, 1 where it is yes. It has no derivative: the Variable returned requires no gradient.
"""

from .basic_ops import ConstantFunction

__all__ = ["Comparison", "Eq", "Ge", "Gt", "Le", "Lt", "Ne"]


class Comparison(ConstantFunction):
    """Called with two Variables, or with one where the other is a number, an argument of the constructor.

    A subclass defines `compare(a, b)`.
    """

    def __init__(self, *number):
        if number:
            super().__init__(*number)
        self.number = number

    def forward(self, *operands):
        answer = self.compare(*operands, *self.number)
        self.mark_non_differentiable(answer)
        return answer


class Eq(Comparison):
    """1 where a == b. No gradient."""

    def compare(self, a, b):
        return a.eq(b)


class Ne(Comparison):
    """1 where a != b. No gradient."""

    def compare(self, a, b):
        return a.ne(b)


class Lt(Comparison):
    """1 where a < b. No gradient."""

    def compare(self, a, b):
        return a.lt(b)


class Le(Comparison):
    """1 where a <= b. No gradient."""

    def compare(self, a, b):
        return a.le(b)


class Gt(Comparison):
    """1 where a > b. No gradient."""

    def compare(self, a, b):
        return a.gt(b)


class Ge(Comparison):
    """1 where a >= b. No gradient."""

    def compare(self, a, b):
        return a.ge(b)
