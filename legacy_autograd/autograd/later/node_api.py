"""The modern view of the old graph: `grad_fn`, `next_functions`, `AccumulateGrad`, `output_nr` (0.2.0, May 2017).

The problem: `creator` and `previous_functions` are named by the forward pass, but are there for backward, where the
creator comes next. A leaf had a creator that had not created it, or, from v0.1.4 on, none. So the names were turned
round: the Function that will run in backward is the `grad_fn`, what it hands its gradients to its `next_functions`,
and what adds up a leaf's gradient an `AccumulateGrad`, which no `grad_fn` points to but the `next_functions` do.

How the 2016 core makes room for it: it need not. These are the same objects, read under their new names.
"""

from ...tensor.base import shown_size
from ..function import Function
from ..leaf import Leaf

AccumulateGrad = Leaf
_MOST_INPUTS = 6  # that `repr` names


def next_functions(function):
    """For each input the Function that its gradient goes to, and the number of that Function's output.

    The Function is None where the input requires no gradient. These are the `previous_functions`, whose second entry
    is the id of the input instead of its number.
    """
    return tuple([(fn, number) if fn.requires_grad else (None, 0) for fn, number in function._sources()])


def name(function):
    """What torch calls it: the operation with Backward behind it (to which its own add a number), or AccumulateGrad."""
    if isinstance(function, Leaf):
        return "AccumulateGrad"
    name = type(function).__name__
    return name if name.endswith("Backward") else f"{name}Backward"


def metadata(function):
    """A dictionary in which anybody may note something about this Function; anomaly mode notes where it was called."""
    return vars(function).setdefault("_metadata", {})


def described(function):
    """Return the `repr` of a Function: its kind and those of its inputs, as in `<Sub ← MulConstant, Leaf>`."""
    kind = type(function).__name__
    if not function._output_sizes:
        return f"<{kind}, not called>"
    inputs = [type(fn).__name__ for fn, _ in function._sources()]
    if len(inputs) > _MOST_INPUTS:
        inputs[_MOST_INPUTS:] = [f"{len(inputs) - _MOST_INPUTS} more"]
    return f"<{kind} ← {', '.join(inputs)}>" if inputs else f"<{kind}>"


def described_leaf(leaf):
    """Return the `repr` of a Leaf: what its Variable holds, as in `<Leaf of a DoubleTensor of size 2x3>`."""
    variable = leaf.variable
    if variable is None:
        return "<Leaf of a Variable that no longer exists>"
    kind = variable.data.type().rpartition(".")[2]
    requires = ", requires grad" if leaf.requires_grad else ""
    return f"<Leaf of a {kind} of size {shown_size(variable.data.array.shape)}{requires}>"


def shown_in_a_notebook(function, include=None, exclude=None):
    """Return what a notebook shows of a Function: a picture of the graph behind it, and its `repr`."""
    from ...drawing.dot import bundle_of

    return bundle_of(function)


Function.next_functions = property(next_functions)
Function.metadata = property(metadata)
Function.name = name
Function.__repr__ = described
Function._repr_mimebundle_ = shown_in_a_notebook
Leaf.__repr__ = described_leaf
