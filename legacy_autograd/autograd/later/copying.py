"""Copying and pickling a leaf Variable (`__deepcopy__`: v0.1.3, September 2016).

The problem: v0.1.1 identified outputs by their `id`. A copy kept the id of the original, so backward through the copy
ended in a KeyError.

How the 2016 core makes room for it: a copy is made by the constructor and so gets its own Leaf. The output of an
operation belongs to its graph and is refused, except in pickles under v0.1.12's conventions, which turn it into a leaf.
A Function that was called is refused too. The gradient is copied too, as in v0.1.1 and since 0.4, but not under the
conventions of v0.1.12.
"""

import copy
from collections.abc import Callable
from typing import Any

from ... import conventions
from ...tensor import Tensor
from ..function import Function
from ..variable import Variable


def deep_copied(variable: Variable, memo: dict[int, Any]) -> Variable:
    """Return a deep copy of a leaf, for `__deepcopy__`.

    Args:
        variable: The leaf to copy.
        memo: The copies that `copy.deepcopy` has made so far.

    Raises:
        RuntimeError: If `variable` is the output of an operation.
    """
    _check_leaf(variable)
    function, arguments = reduced(variable)
    return function(*copy.deepcopy(arguments, memo))


def reduced(variable: Variable) -> tuple[Callable[..., Variable], tuple[Any, ...]]:
    """Return the callable and the arguments that restore a leaf, for `__reduce__`.

    Under v0.1.12's conventions the output of an operation is restored as a leaf.

    Args:
        variable: The Variable to pickle.

    Raises:
        RuntimeError: If `variable` is the output of an operation, under the other conventions.
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
            f"{type(variable.creator).__name__}. Copy its data, or detach() it first"
        )


def restored(
    cls: type[Variable],
    data: Tensor,
    grad: Tensor | Variable | None,
    requires_grad: bool,
    volatile: bool,
    name: str | None,
    attributes: dict[str, Any] | None,
) -> Variable:
    """Return the leaf that `reduced` described.

    Args:
        cls: Its class.
        data: Its `data`.
        grad: Its gradient.
        requires_grad: Whether it requires a gradient.
        volatile: Whether it is volatile.
        name: Its name.
        attributes: Further attributes that the program set on it.
    """
    variable = cls.__new__(cls)
    Variable.__init__(variable, data, requires_grad=requires_grad, volatile=volatile)
    variable._grad = grad
    if name is not None:
        variable.name = name
    if attributes:
        variable.__dict__.update(attributes)
    return variable


def set_state(variable: Variable, state: tuple[Any, ...]) -> None:
    """Apply a state that v0.1.x pickled.

    Args:
        variable: The leaf that receives the state.
        state: (requires_grad, volatile, hooks), or the older (data, grad, hooks, requires_grad, volatile) for a
            Variable that was made without data. The older form's gradient is ignored, as in v0.1.12.

    Raises:
        RuntimeError: If `variable` is the output of an operation.
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
    """Raise TypeError for a Function that was called: it refers to all Functions behind it and to ids in memory."""
    if function.previous_functions:
        raise TypeError(
            f"{type(function).__name__}: a Function that was called is a node of a graph and cannot be copied or "
            "pickled. Copy or pickle the data of its outputs, or an instance that was not called"
        )
    return object.__reduce_ex__(function, protocol)


Function.__reduce_ex__ = _reduce_ex
Variable.__deepcopy__ = deep_copied
Variable.__reduce__ = reduced
Variable.__setstate__ = set_state
