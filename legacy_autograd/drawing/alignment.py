"""Align the steps of two traces: steps that are the same event get the same `time`, and a page shows them together."""

import difflib
import itertools


def align(steps, others, same=None, time=0):
    """Give the same `time` to the steps of both lists that are the same event.

    Returns {index of a step: the index of the same event in `others`}. `same` is {number of a Function of `steps`: its
    number in `others`}; by default they have the same numbers. The first step gets the time `time`.
    """
    same = same or {}
    keys = [[(s.event, same.get(s.function, s.function), same.get(s.by, s.by), s.input) for s in steps]]
    keys.append([(s.event, s.function, s.by, s.input) for s in others])
    pairs = {}
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


def align_turns(steps, others):
    """Give times to the steps of two walks of one graph: the first Functions that run are shown together, and so on."""
    if all(one == other for one, other in zip(*map(_run, (steps, others)))):
        align(steps, others)
        return
    time = 0
    for one, other in itertools.zip_longest(_turns(steps), _turns(others), fillvalue=[]):
        if one and other and one[0].function == other[0].function:
            align(one, other, time=time)
        else:
            for turn in (one, other):
                for place, step in enumerate(turn):
                    step.time = time + place
        time = 1 + max(step.time for step in [*one, *other])


def _run(steps):
    return [step.function for step in steps if step.event == "pop"]


def _turns(steps):
    """Return the steps in lists: those before the first Function runs, and those of each Function."""
    turns = [[]]
    for step in steps:
        if step.event in ("pop", "end", "raise"):
            turns.append([])
        turns[-1].append(step)
    return turns
