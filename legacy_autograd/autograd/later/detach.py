"""`detach` (as `no_grad()` in v0.1.5, under this name since January 2017) and `requires_grad_` (0.4.0).

The problem: to use the result of a computation as a constant, one had to know that `Variable(y.data)` does it, and to
remember `requires_grad=False`. Freezing parameters took an assignment for each.

How the 2016 core makes room for it: a detached Variable is a new leaf over the same memory. It shares the count of
writes, so that writing through it is noticed by a backward that still needs the numbers.
"""

from ...tensor.base import view_of
from ..leaf import Leaf
from ..variable import Variable


def detach(variable):
    """A leaf with the same memory that requires no gradient: no gradient goes back through it."""
    detached = Variable(view_of(variable.data, variable.data.array), requires_grad=False, volatile=variable.volatile)
    if variable.creator._inference:  # what came out of inference_mode remains what it is
        from .grad_mode import mark_inference

        mark_inference(detached)
    return detached


def detach_(variable):
    """Cut `variable` off the graph that made it: it is a leaf from here on. What was computed from it before is not
    changed. Returns `variable`."""
    if isinstance(variable.creator, Leaf):
        variable.creator.requires_grad = False
    else:
        variable.creator = Leaf(variable, False)
    return variable


def requires_grad_(variable, requires_grad=True):
    """Set `variable.requires_grad`, and return `variable`. RuntimeError for an integer one; and for the output of an
    operation that is to require none, for which `detach()` is there."""
    if requires_grad and variable.creator._inference:
        raise RuntimeError("requires_grad_: a Variable computed in inference_mode cannot require a gradient; clone it")
    variable.requires_grad = requires_grad
    return variable
