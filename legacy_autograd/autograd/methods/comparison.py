"""Comparisons of a Variable; their Functions are in `functions/comparison.py`.

They have no derivative: the result requires no gradient.
"""

from __future__ import annotations

from ... import conventions
from ..functions.comparison import Eq, Ge, Gt, Le, Lt, Ne
from ..variable import Variable
from ._arguments import OPERANDS
from ._attach import attach


class ComparisonMethods:
    """Comparisons."""

    def eq(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x == other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return Eq()(self, other)[0] if isinstance(other, Variable) else Eq(other)(self)[0]

    def ne(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x != other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return Ne()(self, other)[0] if isinstance(other, Variable) else Ne(other)(self)[0]

    def lt(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x < other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return Lt()(self, other)[0] if isinstance(other, Variable) else Lt(other)(self)[0]

    def le(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x <= other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return Le()(self, other)[0] if isinstance(other, Variable) else Le(other)(self)[0]

    def gt(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x > other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return Gt()(self, other)[0] if isinstance(other, Variable) else Gt(other)(self)[0]

    def ge(self, other: Variable | float) -> Variable:
        """Return a ByteTensor Variable that is 1 where x >= other, else 0. It has no gradient.

        Args:
            other: The operand to compare with.
        """
        return Ge()(self, other)[0] if isinstance(other, Variable) else Ge(other)(self)[0]

    def __eq__(self, other):
        if conventions.era.equality_is_identity:
            return NotImplemented
        return self.eq(other) if isinstance(other, OPERANDS) else NotImplemented

    def __ne__(self, other):
        if conventions.era.equality_is_identity:
            return NotImplemented
        return self.ne(other) if isinstance(other, OPERANDS) else NotImplemented

    __hash__ = object.__hash__  # identity, so that Variables serve as keys although == compares their numbers

    def __lt__(self, other):
        return self.lt(other) if isinstance(other, OPERANDS) else NotImplemented

    def __le__(self, other):
        return self.le(other) if isinstance(other, OPERANDS) else NotImplemented

    def __gt__(self, other):
        return self.gt(other) if isinstance(other, OPERANDS) else NotImplemented

    def __ge__(self, other):
        return self.ge(other) if isinstance(other, OPERANDS) else NotImplemented


attach(ComparisonMethods)
