"""Gradients as Variables: the value of `grad`, and the arguments of hooks (v0.1.6 to v0.1.12, January 2017).

The problem: a gradient that is a Tensor cannot be differentiated again. On the way to `create_graph`, the gradients
that programs see became Variables. They were volatile unless a graph of them was made.

How the 2016 core makes room for it: it computes with Tensors as before. Under the conventions `grad_is_variable` and
`hooks_see_variables`, a gradient is wrapped in a Variable where a program reads it. The Variable shares its memory, and
the Leaf adds into that memory from then on.

Their `volatile` is True, as it was then, but does not spread: results computed from such a gradient are recorded like
results computed from a constant.
"""

import functools
from typing import Any

from ...tensor import Tensor
from ..function import Function
from ..leaf import Leaf
from ..variable import Variable


def of(variable: Variable) -> Variable | None:
    """Return `variable.grad` as a Variable, the same one each time; None if there is none.

    Args:
        variable: The Variable whose gradient is read.
    """
    grad = variable._grad
    if isinstance(grad, Tensor):
        with Leaf._lock:
            grad = variable._grad
            if isinstance(grad, Tensor):
                grad = variable._grad = _volatile(grad)
    return grad


def _volatile(gradient):
    if not isinstance(gradient, Tensor):
        return gradient
    variable = Variable(gradient, requires_grad=False)
    variable.creator._volatile = True  # not registered, so that it does not spread
    return variable


def shown_variables(hook: Any) -> Any:
    """Return a hook that calls `hook` with Variables instead of Tensors, and that may return Variables.

    Args:
        hook: A hook of one gradient, or of the tuples `grad_input` and `grad_output`. Anything that is not callable is
            returned unchanged.
    """
    if not callable(hook):
        return hook

    @functools.wraps(hook, updated=())
    def with_variables(*gradients):
        shown = [tuple(map(_volatile, part)) if isinstance(part, tuple) else _volatile(part) for part in gradients]
        result = hook(*shown)
        before = gradients[0] if isinstance(gradients[0], tuple) else gradients[:1]
        if isinstance(result, tuple) and not any([isinstance(gradient, Variable) for gradient in before]):
            return tuple([part.data if isinstance(part, Variable) else part for part in result])
        return result

    return with_variables


Function._shown_variables = staticmethod(shown_variables)
Variable._gradient_as_variable = of
