"""Copying and pickling a leaf Variable (`__deepcopy__`: v0.1.3, September 2016).

The problem: v0.1.1 knew outputs by their `id`, and a copy kept the id of the original, so that backward through the
copy ended in a KeyError.

How the 2016 core makes room for it: a copy is made by the constructor, and so gets a Leaf of its own. The output of an
operation is part of its graph and is refused, but for the pickles of v0.1.12, in which it is a leaf. A Function that
was called is refused too. The gradient is copied too, as in v0.1.1 and since 0.4, but not under the conventions of
v0.1.12.
"""

import copy

from ... import conventions
from ..function import Function
from ..variable import Variable


def deep_copied(variable, memo):
    """What `__deepcopy__` of a leaf returns. Raises RuntimeError for the output of an operation."""
    _check_leaf(variable)
    function, arguments = reduced(variable)
    return function(*copy.deepcopy(arguments, memo))


def reduced(variable):
    """What `__reduce__` of a leaf returns. Of the output of an operation, under the conventions of v0.1.12, a leaf.

    Otherwise an output raises RuntimeError.
    """
    if not conventions.era.outputs_pickle_as_leaves:
        _check_leaf(variable)
    attributes = getattr(variable, "__dict__", None)
    grad = variable._grad if conventions.era.copies_have_grad else None
    state = (variable.data, grad, variable.requires_grad, variable.volatile, variable.name, attributes)
    return restored, (type(variable), *state)


def _check_leaf(variable):
    if not variable.is_leaf:
        raise RuntimeError(
            "only leaf Variables can be copied or pickled; this one is an output of "
            f"{type(variable.creator).__name__}: copy its data, or detach() it first"
        )


def restored(cls, data, grad, requires_grad, volatile, name, attributes):
    """The Variable of class `cls` that `reduced` described."""
    variable = cls.__new__(cls)
    Variable.__init__(variable, data, requires_grad=requires_grad, volatile=volatile)
    variable._grad = grad
    if name is not None:
        variable.name = name
    if attributes:
        variable.__dict__.update(attributes)
    return variable


def set_state(variable, state):
    """Apply a state that v0.1.x pickled: (requires_grad, volatile, hooks).

    The older (data, grad, hooks, requires_grad, volatile) is for a Variable that was made without data. Raises
    RuntimeError for an output.
    """
    if len(state) == 5:
        data, _, hooks, requires_grad, volatile = state  # without the gradient, as in v0.1.12
        Variable.__init__(variable, data, requires_grad=requires_grad and not volatile, volatile=volatile)
    else:
        requires_grad, volatile, hooks = state
        if not variable.is_leaf:
            raise RuntimeError("__setstate__: only leaf Variables have a state; this one is an output")
        Variable.__init__(variable, variable.data, requires_grad=requires_grad and not volatile, volatile=volatile)
    for hook in (hooks or {}).values():
        variable.register_hook(hook)


def _reduce_ex(function, protocol):
    """Of a Function that was called, raise TypeError: with it go all Functions behind it, and a record of ids."""
    if function.previous_functions:
        raise TypeError(
            f"{type(function).__name__}: a Function that was called is a node of a graph, and cannot be copied or "
            "pickled: copy or pickle the data of its outputs, or an instance that was not called"
        )
    return object.__reduce_ex__(function, protocol)


Function.__reduce_ex__ = _reduce_ex
