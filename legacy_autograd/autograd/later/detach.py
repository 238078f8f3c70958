"""`detach` (as `no_grad()` in v0.1.5, under this name since January 2017) and `requires_grad_` (0.4.0).

The problem: to use a result as a constant, a program wrote `Variable(y.data)` and had to remember
`requires_grad=False`. Freezing parameters took one assignment each.

How the 2016 core makes room for it: a detached Variable is a new leaf over the same memory. It shares the count of
writes, so a backward that still needs the old numbers detects a write through it.
"""

from ...tensor.wrapping import view_of
from ..leaf import Leaf
from ..variable import Variable


def detach(variable: Variable) -> Variable:
    """Return a leaf over the same memory that requires no gradient (January 2017). Gradients end at it.

    Args:
        variable: The Variable to detach.
    """
    detached = Variable(view_of(variable.data, variable.data.array), requires_grad=False, volatile=variable.volatile)
    if variable.creator._inference:  # a result of inference_mode remains one
        from .grad_mode import mark_inference

        mark_inference(detached)
    return detached


def no_grad(variable: Variable) -> Variable:
    """Return `detach()`, under its name of v0.1.5.

    Args:
        variable: The Variable to detach.
    """
    return variable.detach()


def detach_(variable: Variable) -> Variable:
    """Cut a Variable off the graph that made it, which makes it a leaf, and return it.

    Earlier results that used it stay linked.

    Args:
        variable: The Variable to detach.
    """
    if isinstance(variable.creator, Leaf):
        variable.creator.requires_grad = False
    else:
        variable.creator = Leaf(variable, False)
    return variable


def requires_grad_(variable: Variable, requires_grad: bool = True) -> Variable:
    """Set `requires_grad` and return the Variable (0.4.0).

    Args:
        variable: The Variable to change.
        requires_grad: Whether it requires a gradient.

    Raises:
        RuntimeError: For True, if `variable` holds integers or was computed in `inference_mode`; for False, if it is
            the output of an operation, which needs `detach()` instead.
    """
    if requires_grad and variable.creator._inference:
        raise RuntimeError(
            "requires_grad_: a Variable computed in inference_mode cannot require a gradient; use a clone() of it"
        )
    variable.requires_grad = requires_grad
    return variable


Variable.detach = detach
Variable.detach_ = detach_
Variable.no_grad = no_grad
Variable.requires_grad_ = requires_grad_
