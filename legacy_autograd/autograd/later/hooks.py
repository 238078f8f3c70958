"""Hooks before a Function's backward and after the accumulation of a gradient.

`register_prehook` came with 0.1.11 inside torch and with 2.0 (March 2023) for users;
`register_post_accumulate_grad_hook` with 2.1 (October 2023).

The problem: v0.1.1's hooks ran after a backward and could change nothing. From v0.1.6 on, a hook on a Variable could
replace its gradient. Two moments had no hook: before a Function with several outputs runs, and after the whole gradient
of a parameter is known. At the second moment an optimizer can update the parameter and free its gradient, before the
next gradient is computed.

How the 2016 core makes room for it: a pre-hook is one of the `_variable_hooks` that the engine runs before a Function.
Its key is larger than all others and it has no output number, so it runs last and sees all gradients. Hooks after the
accumulation are run by a callback around every accumulation, registered while a Leaf with such hooks is alive.
"""

import itertools
from collections.abc import Callable, MutableMapping
from typing import Any

from ... import conventions
from ...tensor.base import Tensor, shown_size
from ...utils.hooks import RemovableHandle, next_key
from ..callbacks import WhileNeeded, around_accumulate
from ..function import Function
from ..leaf import Leaf
from ..variable import Variable

# Keys of `_variable_hooks`. The engine runs the hooks in the order of their keys; a hook on a Variable has a small key.
RETAINED = 10**18  # plus the number of the output: `retain_grad`, which keeps a gradient after all hooks
_BEFORE_BACKWARD = itertools.count(2 * RETAINED)


class HooksOfVariable(MutableMapping):
    """The unnamed hooks on one Variable: {key: hook}, a view of what its creator stores (v0.1.9).

    The hooks run in the order of registration.

    Args:
        variable: The Variable.
    """

    def __init__(self, variable: Variable) -> None:
        self._creator, self._number = variable.creator, variable.output_nr

    def _places(self):
        hooks = self._creator._variable_hooks.items()
        return {getattr(place, "key", place): place for place, (_, number) in hooks if number == self._number}

    def __getitem__(self, key):
        return self._creator._variable_hooks[self._places()[key]][0]

    def __setitem__(self, key, hook):
        place = self._places().get(key)
        if place is None:
            place = _Place(next(next_key))
            place.key = key
        hook = self._creator._shown_variables(hook) if conventions.era.hooks_see_variables else hook
        RemovableHandle.put(self._creator, "_variable_hooks", (hook, self._number), place)

    def __delitem__(self, key):
        del self._creator._variable_hooks[self._places()[key]]

    def __iter__(self):
        return iter(self._places())

    def __len__(self):
        return len(self._places())


class _Place(int):
    """The place of a hook in the order, with the `key` that the hook was stored under."""

    key: Any


def register_prehook(function: Function, hook: Callable[[tuple[Any, ...]], Any]) -> RemovableHandle:
    """Register `hook(grad_outputs)`, called before each backward of `function`.

    It runs after the hooks on the Variables that `function` made.

    Args:
        function: The Function.
        hook: It receives a tuple of the outputs' gradients, with None where none arrived and none was filled in. It may
            return a new tuple.

    Returns:
        A handle whose `remove()` removes the hook.

    Raises:
        RuntimeError: In backward, if the hook returns another number of gradients or another shape.
        TypeError: If `hook` is not callable.
    """
    if not callable(hook):
        raise TypeError(f"register_prehook needs a function, got {type(hook).__name__}")

    whose = f"a pre-hook of {function._name}"

    def checked(grad_output):
        result = hook(grad_output)
        if result is None:
            return None
        result = result if isinstance(result, tuple) else (result,)
        if len(result) != len(grad_output):
            raise RuntimeError(f"{whose} returned {len(result)} gradients for {len(grad_output)} outputs")
        for number, (before, after) in enumerate(zip(grad_output, result)):
            known = isinstance(after, (Tensor, Variable))
            if before is not None and not (known and after.array.shape == before.array.shape):
                size = f"one of size {shown_size(after.array.shape)}" if known else f"a {type(after).__name__}"
                raise RuntimeError(
                    f"{whose} returned {size} as gradient of output {number}, "
                    f"which has the size {shown_size(before.array.shape)}"
                )
        return result

    return RemovableHandle.put(function, "_variable_hooks", (checked, None), next(_BEFORE_BACKWARD))


def register_post_accumulate_grad_hook(variable: Variable, hook: Callable[[Variable], object]) -> RemovableHandle:
    """Register a hook that runs after each accumulation into the `grad` of this leaf (2.1).

    Args:
        variable: A leaf that requires a gradient.
        hook: Called as `hook(variable)`; its result is ignored.

    Returns:
        A handle whose `remove()` removes the hook.

    Raises:
        RuntimeError: If `variable` is no leaf or requires no gradient.
        TypeError: If `hook` is not callable.
    """
    if not variable.requires_grad:
        raise RuntimeError("register_post_accumulate_grad_hook: this Variable does not require a gradient")
    if not variable.is_leaf:
        raise RuntimeError(
            "register_post_accumulate_grad_hook: gradients are accumulated only in leaves, and this Variable is an "
            f"output of {type(variable.creator).__name__}; use register_hook"
        )
    _registration.add(variable.creator)
    return RemovableHandle.put(variable.creator, "_post_accumulate_hooks", hook)


def _run_post_accumulate_hooks(leaf, proceed, variable, grad):
    proceed(variable, grad)
    for hook in list(leaf._post_accumulate_hooks.values()):
        hook(variable)
    _registration.rest()


def add_to_grad(variable: Variable, grad: Tensor | Variable) -> None:
    """Add a gradient to `variable.grad`.

    Args:
        variable: The Variable.
        grad: The gradient: a Tensor, or under `create_graph` a Variable.

    Raises:
        RuntimeError: If the gradient, or the `grad` that it is added to, has another shape than `variable`.
        TypeError: If it has another type.
    """
    with Leaf._lock:
        before, creator = variable._grad, variable.creator
        is_anew = isinstance(creator, Leaf) and before is not None and before.array.shape == creator._size
        if before is None or is_anew and before.array.shape != grad.array.shape:
            creator._check_gradient(grad, variable.output_nr, variable.data)
            variable._grad = grad.clone()
        else:
            creator._check_gradient(
                before, variable.output_nr, source="the accumulated gradient was resized: `grad` is"
            )
            if isinstance(grad, Variable):
                before = before if isinstance(before, Variable) else Variable(before, requires_grad=False)
                variable._grad = grad + before
            else:
                before.data.add_(grad)
        if isinstance(creator, Leaf):
            creator._size = grad.array.shape


def _set_hooks(variable, hooks):
    current = HooksOfVariable(variable)
    current.clear()
    current.update(hooks or {})


_registration = WhileNeeded(around_accumulate, _run_post_accumulate_hooks)
Leaf._post_accumulate_hooks = {}
Function.register_prehook = register_prehook
Variable.register_post_accumulate_grad_hook = register_post_accumulate_grad_hook
Variable._backward_hooks = property(HooksOfVariable, _set_hooks)  # type: ignore[assignment]
Variable.backward_hooks = Variable._backward_hooks  # their name up to v0.1.5
