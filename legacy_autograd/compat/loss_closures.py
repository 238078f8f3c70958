"""Tells closures of October 2016, which only compute the loss, from closures that also run backward (v0.1.5).

Used while a program from 2016 runs: see `optim/forms_of_2016.py`.
"""

import weakref

from ..autograd import callbacks
from ..autograd.variable import Variable


def listen(closure):
    """Return the result of `closure()`, and whether it is a Variable that the closure computed."""
    made = weakref.WeakSet()

    def note(function, proceed, *variables):
        made.add(function)
        return proceed(*variables)

    with callbacks.around_call.within(note):
        loss = closure()
    return loss, isinstance(loss, Variable) and loss.creator in made
