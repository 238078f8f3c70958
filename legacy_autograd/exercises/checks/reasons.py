"""Mistakes that several exercises have in common."""

from ..model import agree

OVERWRITTEN = "the second gradient that arrives takes the place of the first; add them instead"
IN_PLACE = "a gradient was written into while other code still had to read it: use add, not add_"
AGAIN = "an earlier call is correct and a later one is not: keep nothing from one call to the next"


def later(expected, keys, lists=()):
    """Return a function: whether an answer is right at first and wrong later, under these keys or within one list.

    `lists` are keys of lists with a result for each call.
    """

    def found(got):
        results = [([expected[key] for key in keys], [got.get(key) for key in keys])]
        results += [(expected[key], got.get(key, [])) for key in lists]
        right = [[agree(*pair) for pair in zip(*both)] for both in results]
        return any(False in turns and True in turns[: turns.index(False)] for turns in right)

    return found
