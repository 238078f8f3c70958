"""The modern view of the old graph: `grad_fn`, `next_functions`, `AccumulateGrad`, `output_nr` (0.2.0, May 2017).

The problem: `creator` and `previous_functions` are named by the forward pass, but are there for backward, where the
creator comes next. A leaf had a creator that had not created it, or, from v0.1.4 on, none. So the names were turned
round: the Function that will run in backward is the `grad_fn`, what it hands its gradients to its `next_functions`,
and what adds up a leaf's gradient an `AccumulateGrad`, which no `grad_fn` points to but the `next_functions` do.

How the 2016 core makes room for it: it need not. These are the same objects, read under their new names.
"""

from ..function import Function
from ..leaf import Leaf
from ..variable import Variable

AccumulateGrad = Leaf


def grad_fn(variable):
    """The Function that backward runs for this Variable: its `creator`; None for a leaf."""
    return None if variable.is_leaf else variable.creator


def output_nr(variable):
    """Which output of its Function this Variable is; 0 for a leaf."""
    return variable.output_number


def next_functions(function):
    """For each input the Function that its gradient goes to, and the number of that Function's output.

    The Function is None where the input requires no gradient. These are the `previous_functions`, whose second entry
    is the id of the input instead of its number.
    """
    return tuple(
        [(fn, fn.output_ids[arg_id]) if fn.requires_grad else (None, 0) for fn, arg_id in function.previous_functions]
    )


def name(function):
    """What torch calls it: the operation with Backward behind it (to which its own add a number), or AccumulateGrad."""
    if isinstance(function, Leaf):
        return "AccumulateGrad"
    name = type(function).__name__
    return name if name.endswith("Backward") else f"{name}Backward"


def metadata(function):
    """A dictionary in which anybody may note something about this Function; anomaly mode notes where it was called."""
    return vars(function).setdefault("_metadata", {})


Variable.grad_fn = property(grad_fn)
Variable.output_nr = property(output_nr)
Function.next_functions = property(next_functions)
Function.metadata = property(metadata)
Function.name = name
