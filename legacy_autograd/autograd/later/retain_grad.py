"""`retain_grad` (0.2.0, July 2017): keeps the gradient of an intermediate result.

The problem: only leaves get a `grad`, because keeping every gradient would hold all of them in memory. To read the
gradient of an intermediate result, a program had to store it from a hook.

How the 2016 core makes room for it: `retain_grad` registers that hook. It runs after all other hooks on the Variable,
and refers to the Variable weakly, so keeping a gradient does not keep the graph.
"""

import weakref

from ...utils.hooks import RemovableHandle
from ..variable import Variable
from .hooks import RETAINED, add_to_grad


def retain_grad(variable: Variable) -> None:
    """Let every later backward add to the `grad` of this non-leaf too (0.2.0). Do nothing for a leaf.

    Args:
        variable: The Variable.

    Raises:
        RuntimeError: If `variable` requires no gradient.

    Example:
        >>> x = Variable(torch.Tensor([3]))
        >>> y = x * x
        >>> y.retain_grad()
        >>> (2 * y).backward()
        >>> y.grad.tolist()
        [2.0]
    """
    if not variable.requires_grad:
        raise RuntimeError("retain_grad: this Variable does not require a gradient, so there is none to retain")
    if variable.is_leaf or variable.retains_grad:
        return
    reference = weakref.ref(variable)

    def retain(grad):
        variable = reference()
        if variable is not None:
            add_to_grad(variable, grad)

    number = variable.output_nr
    RemovableHandle.put(variable.creator, "_variable_hooks", (retain, number), RETAINED + number)


def retains_grad(variable: Variable) -> bool:
    """Whether `retain_grad` was called on this non-leaf; False for a leaf.

    Args:
        variable: The Variable.
    """
    return not variable.is_leaf and RETAINED + variable.output_nr in variable.creator._variable_hooks


Variable.retain_grad = retain_grad
Variable.retains_grad = property(retains_grad)  # type: ignore[assignment]
