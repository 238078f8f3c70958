"""The modern view of the old graph: `grad_fn`, `next_functions`, `AccumulateGrad`, `output_nr` (0.2.0, May 2017).

The problem: `creator` and `previous_functions` are named by the forward pass but used in backward, where the creator
comes next. A leaf had a creator that had not created it, or, from v0.1.4 on, none. So the names were reversed. The
Function that backward runs next is the `grad_fn`, and the Functions that receive its gradients are its
`next_functions`. An `AccumulateGrad` adds up a leaf's gradient; `next_functions` lead to it, a `grad_fn` never does.

How the 2016 core makes room for it: it is the same objects under their new names.
"""

from collections.abc import Collection
from typing import Any

from ...tensor.messages import shown_size
from ..function import Function
from ..leaf import Leaf

AccumulateGrad = Leaf
_MOST_INPUTS = 6  # in a `repr`


def next_functions(function: Function) -> tuple[tuple[Function | None, int], ...]:
    """Return for each input the Function that receives its gradient, and the number of that Function's output.

    The Function is None where the input requires no gradient. `previous_functions` has the same entries, with the id of
    the input instead of the number.

    Args:
        function: The Function.
    """
    return tuple([(fn, number) if fn.requires_grad else (None, 0) for fn, number in function._sources()])


def name(function: Function) -> str:
    """Return torch's name of a Function: the operation followed by Backward, or AccumulateGrad for a Leaf.

    torch adds a number to the names of its own operations.

    Args:
        function: The Function.
    """
    if isinstance(function, Leaf):
        return "AccumulateGrad"
    name = type(function).__name__
    return name if name.endswith("Backward") else f"{name}Backward"


def metadata(function: Function) -> dict[Any, Any]:
    """Return a dictionary for notes about a Function; anomaly mode stores there where it was called.

    Args:
        function: The Function.
    """
    return vars(function).setdefault("_metadata", {})


def described(function: Function) -> str:
    """Return the `repr` of a Function: its class and those of its inputs, as in `<Sub ← MulConstant, Leaf>`.

    Args:
        function: The Function.
    """
    kind = type(function).__name__
    if not function._output_sizes:
        return f"<{kind}, not called>"
    inputs = [type(fn).__name__ for fn, _ in function._sources()]
    if len(inputs) > _MOST_INPUTS:
        inputs[_MOST_INPUTS:] = [f"{len(inputs) - _MOST_INPUTS} more"]
    return f"<{kind} ← {', '.join(inputs)}>" if inputs else f"<{kind}>"


def described_leaf(leaf: Leaf) -> str:
    """Return the `repr` of a Leaf: its Variable's type and shape, as in `<Leaf of a DoubleTensor of size (2, 3)>`.

    Args:
        leaf: The Leaf.
    """
    variable = leaf.variable
    if variable is None:
        return "<Leaf of a Variable that no longer exists>"
    kind = variable.data.type().rpartition(".")[2]
    requires = ", requires grad" if leaf.requires_grad else ""
    return f"<Leaf of a {kind} of size {shown_size(variable.data.array.shape)}{requires}>"


def shown_in_a_notebook(
    function: Function, include: Collection[str] | None = None, exclude: Collection[str] | None = None
) -> dict[str, Any]:
    """Return a notebook's display of a Function: a picture of the graph behind it, and its `repr`.

    Args:
        function: The Function.
        include: Accepted and ignored.
        exclude: Accepted and ignored.
    """
    from ...drawing.dot import bundle_of

    return bundle_of(function)


Function.next_functions = property(next_functions)  # type: ignore[assignment]
Function.metadata = property(metadata)  # type: ignore[assignment]
Function.name = name
Function.__repr__ = described  # type: ignore[assignment]
Function._repr_mimebundle_ = shown_in_a_notebook  # type: ignore[attr-defined]
Leaf.__repr__ = described_leaf  # type: ignore[assignment]
