"""Comparisons of each element (in torch's autograd since v0.1.5: `torch/autograd/_functions/compare.py`).

The result is a ByteTensor, 1 where the comparison holds and 0 elsewhere. It has no derivative, so the returned Variable
requires no gradient.
"""

from .basic_ops import ConstantFunction

__all__ = ["Comparison", "Eq", "Ge", "Gt", "Le", "Lt", "Ne"]


class Comparison(ConstantFunction):
    """The base of comparisons: of two Variables, or of one with a number.

    A subclass defines `compare(a, b)`.

    Args:
        *number: The second operand, if it is a number.
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
    """1 where a == b.

    Gradient:
        None: the result requires no gradient.

    Source:
        `torch/autograd/_functions/compare.py` (v0.1.9).
    """

    def compare(self, a, b):
        return a.eq(b)


class Ne(Comparison):
    """1 where a != b.

    Gradient:
        None: the result requires no gradient.

    Source:
        `torch/autograd/_functions/compare.py` (v0.1.9).
    """

    def compare(self, a, b):
        return a.ne(b)


class Lt(Comparison):
    """1 where a < b.

    Gradient:
        None: the result requires no gradient.

    Source:
        `torch/autograd/_functions/compare.py` (v0.1.9).
    """

    def compare(self, a, b):
        return a.lt(b)


class Le(Comparison):
    """1 where a <= b.

    Gradient:
        None: the result requires no gradient.

    Source:
        `torch/autograd/_functions/compare.py` (v0.1.9).
    """

    def compare(self, a, b):
        return a.le(b)


class Gt(Comparison):
    """1 where a > b.

    Gradient:
        None: the result requires no gradient.

    Source:
        `torch/autograd/_functions/compare.py` (v0.1.9).
    """

    def compare(self, a, b):
        return a.gt(b)


class Ge(Comparison):
    """1 where a >= b.

    Gradient:
        None: the result requires no gradient.

    Source:
        `torch/autograd/_functions/compare.py` (v0.1.9).
    """

    def compare(self, a, b):
        return a.ge(b)
