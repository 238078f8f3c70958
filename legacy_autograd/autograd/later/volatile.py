"""`volatile`: Variables whose results are not recorded (v0.1.2, 24 August 2016; replaced by `no_grad` in 0.4.0).

The problem: a program that only needed a network's output still recorded a graph, and the graph kept every
intermediate result in memory. So a Variable could be made with `volatile=True`. One volatile input makes all outputs of
a call volatile, whatever the other inputs require. The property spreads from the data through a whole network, whose
parameters stay unchanged.

How the 2016 core makes room for it: a callback around every call (`callbacks.around_call`) replaces the outputs by
fresh leaves, so the Function that recorded the call is freed. It is registered while a volatile leaf is alive.
"""

from .. import callbacks
from ..function import Function
from ..leaf import Leaf
from ..variable import Variable
from .grad_mode import cut_off


def mark(leaf: Leaf) -> None:
    """Make the Variable of `leaf` volatile, for `Variable(tensor, volatile=True)`.

    Args:
        leaf: The Variable's creator.
    """
    leaf._volatile = True
    leaf.requires_grad = False
    _registration.add(leaf)


def is_volatile(variable: Variable) -> bool:
    """Whether operations on this Variable are left unrecorded (v0.1.2; since 0.4.0 `no_grad`).

    Settable on leaves. A leaf does not require a gradient while it is volatile.

    Args:
        variable: The Variable.
    """
    return variable.creator._volatile


def set_volatile(variable: Variable, volatile: bool) -> None:
    """Assign `variable.volatile = volatile`.

    Args:
        variable: A leaf.
        volatile: Whether it is volatile.

    Raises:
        RuntimeError: If `variable` is the output of an operation.
        TypeError: If `volatile` is not a bool.
    """
    if not isinstance(volatile, bool):
        raise TypeError(f"volatile must be a bool, got {type(volatile).__name__}")
    leaf = variable.creator
    if not isinstance(leaf, Leaf):
        raise RuntimeError(f"volatile can only be set on leaf variables; this one is an output of {leaf._name}")
    if volatile and not leaf._volatile:
        leaf._required_grad = leaf.requires_grad
        mark(leaf)
    elif leaf._volatile and not volatile:
        leaf._volatile, leaf.requires_grad = False, leaf._required_grad
        _registration.drop(leaf)


def _spread(function, proceed, *variables):
    output = proceed(*variables)
    if any([variable.volatile for variable in variables]):
        output = cut_off(function, variables, output)
        for variable in output:
            mark(variable.creator)
    else:
        _registration.rest()
    return output


_registration = callbacks.WhileNeeded(callbacks.around_call, _spread)
Function._volatile = False
Leaf._required_grad = False  # `requires_grad` before it became volatile
Leaf._make_volatile = mark
Variable.volatile = property(is_volatile, set_volatile)  # type: ignore[assignment]
