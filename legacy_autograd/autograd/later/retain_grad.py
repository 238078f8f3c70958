"""`retain_grad` (0.2.0, July 2017): the gradient of an intermediate result, kept.

The problem: only leaves get a `grad`, because keeping every gradient on the way would keep them all in memory. Who
wanted one of an intermediate result had to catch it in a hook, and to get it out of there.

How the 2016 core makes room for it: that hook, once and for all. It runs after all others on the Variable, and it
holds the Variable weakly, so that keeping a gradient does not keep the graph.
"""

import weakref

from ...utils.hooks import RemovableHandle
from .hooks import RETAINED, add_to_grad


def retain_grad(variable):
    """From here on every backward adds to `variable.grad`, though it is no leaf. Does nothing for a leaf.

    RuntimeError if `variable` requires no gradient.
    """
    if not variable.requires_grad:
        raise RuntimeError("retain_grad: this Variable does not require a gradient, there will be none to retain")
    if variable.is_leaf or variable.retains_grad:
        return
    reference = weakref.ref(variable)

    def retain(grad):
        variable = reference()
        if variable is not None:
            add_to_grad(variable, grad)

    number = variable.output_nr
    RemovableHandle.put(variable.creator, "_variable_hooks", (retain, number), RETAINED + number)


def retains_grad(variable):
    """Was `retain_grad` asked for?"""
    return not variable.is_leaf and RETAINED + variable.output_nr in variable.creator._variable_hooks
