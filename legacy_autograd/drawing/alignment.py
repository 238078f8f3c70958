"""Align the steps of two traces: steps that are the same event get the same `time`, and a page shows them together."""

import difflib


def align(steps, others, same=None):
    """Give the same `time` to the steps of both lists that are the same event.

    Returns {index of a step: the index of the same event in `others`}. `same` is {number of a Function of `steps`: its number in `others`}; by default they have the same numbers.
    """
    same = same or {}
    keys = [[(s.event, same.get(s.function, s.function), same.get(s.by, s.by), s.input) for s in steps]]
    keys.append([(s.event, s.function, s.by, s.input) for s in others])
    pairs, time = {}, 0
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if kind == "equal":
            pairs |= zip(range(i1, i2), range(j1, j2))
            moments = [(steps[i], others[j]) for i, j in zip(range(i1, i2), range(j1, j2))]
        else:
            old, new = steps[i1:i2], others[j1:j2]
            moments = [(step,) for step in [*old, *new]]
            if old and new and new[0].event == "raise":  # the other run ends where this one goes on
                moments = [(old[0], new[0]), *((step,) for step in old[1:])]
        for together in moments:
            for step in together:
                step.time = time
            time += 1
    return pairs
