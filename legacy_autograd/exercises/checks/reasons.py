"""Mistakes that several exercises have in common."""

from ..model import agree

OVERWRITTEN = "the second gradient that arrives takes the place of the first; add them instead"
IN_PLACE = "a gradient was written into while other code still had to read it: use add, not add_"
AGAIN = "an earlier call is correct and a later one is not: keep nothing from one call to the next"


def later(expected, keys):
    """Return a function: whether an answer is right under one of these keys, and wrong under a later one."""

    def found(got):
        right = [agree(expected[key], got.get(key)) for key in keys]
        return False in right and any(right[: right.index(False)])

    return found
