"""Tells closures of October 2016, which compute only the loss, from those that run backward too (v0.1.5).

Used while a program of the time runs: see `optim/forms_of_2016.py`.
"""

import weakref

from ..autograd import callbacks
from ..autograd.variable import Variable


def listen(closure):
    """Return what `closure()` returns, and whether it is a Variable that was computed in it."""
    made = weakref.WeakSet()

    def note(function, proceed, *variables):
        made.add(function)
        return proceed(*variables)

    callbacks.around_call.register(note)
    try:
        loss = closure()
    finally:
        callbacks.around_call.remove(note)
    return loss, isinstance(loss, Variable) and loss.creator in made
