"""Hooks on Modules: with names (v0.1.1), without (v0.1.6), and for the gradients of a whole module (1.8)."""

import itertools
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from .. import conventions
from ..autograd.function import Function
from ..autograd.leaf import Leaf
from ..autograd.variable import Variable
from ..tensor import Tensor
from ..tensor.messages import shown_size
from ..tensor.wrapping import view_of
from ..utils.hooks import RemovableHandle


def register(module: Any, registry: str, name: str | Callable, hook: Callable | None) -> RemovableHandle:
    """Register a hook of `module`, and return a handle whose `remove()` removes it.

    Args:
        module: The Module.
        registry: The attribute of the module that holds its hooks of this kind.
        name: The name of `hook`; the hook itself if `hook` is None.
        hook: The hook that `name` names.

    Raises:
        TypeError: If the name is not a string.
        ValueError: If there is a hook of that name.
    """
    if hook is None:
        return RemovableHandle.put(module, registry, name)
    if not isinstance(name, str):
        raise TypeError(f"{type(module).__name__}: the name of a hook must be a string, got {type(name).__name__}")
    if name in getattr(module, registry):
        raise ValueError(f"{type(module).__name__} has a hook named {name!r} already; remove it first")
    return RemovableHandle.put(module, registry, hook, name)


def remove(module: Any, registry: str, name: str) -> None:
    """Remove the hook registered as `name`.

    Args:
        module: The Module.
        registry: The attribute of the module that holds its hooks of this kind.
        name: The name.

    Raises:
        KeyError: If there is no hook of that name.
    """
    registered = getattr(module, registry)
    if name not in registered:
        known = ", ".join([repr(key) for key in registered if isinstance(key, str)]) or "none"
        raise KeyError(f"{type(module).__name__} has no hook named {name!r}; it has {known}")
    del registered[name]


def run(module: Any, forward: Callable, input: tuple, named: dict[str, Any]) -> Any:
    """Return `forward(*input, **named)`, with the hooks of `module` called before and after it.

    Args:
        module: The Module.
        forward: Its forward method.
        input: The arguments.
        named: The keyword arguments.

    Raises:
        RuntimeError: If a forward hook returns a result under the conventions of v0.1.12.
    """
    for hook in list(module._forward_pre_hooks.values()):
        changed = hook(module, input)
        if changed is not None:
            input = changed if isinstance(changed, tuple) else (changed,)
    if module._full_backward_hooks:
        boundary = _Boundary(module)
        result = boundary.leave(forward(*boundary.enter(input), **named))
    else:
        result = forward(*input, **named)
    for key, hook in list(module._forward_hooks.items()):
        if isinstance(key, str):  # its result is ignored
            as_tuple = conventions.era.named_hooks_see_tuples and not isinstance(result, tuple)
            hook(module, input, (result,) if as_tuple else result)
        else:
            changed = hook(module, input, result)
            if changed is not None and not conventions.era.forward_hook_replaces:
                raise RuntimeError(
                    f"{type(module).__name__}: a forward hook must return None in v0.1.x, but {_name_of(hook)} didn't "
                    f"return None, it returned a {type(changed).__name__}"
                )
            result = result if changed is None else changed
    if module._backward_hooks:
        _watch_last_function(module, result)
    return result


def _watch_last_function(module, result):
    last = next(iter(variables_in(result)), None)
    if last is None or isinstance(last.creator, Leaf) or not last.requires_grad:
        return
    for key, hook in module._backward_hooks.items():
        # The hook has no name on the Function: in 2016, two modules with the same last Function could not both have
        # a hook of the same name (G9).
        last.creator.register_hook(_bound(module, hook, isinstance(key, str)))


def _bound(module, hook, as_in_2016):
    """Return a hook for a Function that calls the module's `hook`.

    A named hook of v0.1.1 receives a single gradient without its tuple.
    """

    def on_backward(grad_input, grad_output):
        if not as_in_2016:
            changed = hook(module, grad_input, grad_output)
            if isinstance(changed, tuple) and len(changed) != len(grad_input):
                raise RuntimeError(
                    f"{type(module).__name__}: the backward hook {_name_of(hook)} returned an incorrect number of "
                    f"gradients (got {len(changed)}, but expected {len(grad_input)})"
                )
            return changed
        alone = conventions.era.named_hooks_see_tuples and len(grad_output) == 1
        hook(module, grad_input, grad_output[0] if alone else grad_output)
        return None

    return on_backward


def _name_of(hook):
    return getattr(hook, "__name__", repr(hook))


def variables_in(result: Any) -> Iterable[Variable]:
    """Return the Variables in a result of forward.

    Args:
        result: A Variable, or tuples, lists and dictionaries that may contain some.
    """
    if isinstance(result, Variable):
        return [result]
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, (tuple, list)) else ()
    return itertools.chain.from_iterable([variables_in(part) for part in parts])


class Passage(Function):
    """A Function that returns its inputs, and passes the gradients of all of them to one hook."""

    on_backward = None

    def forward(self, *inputs):
        return tuple([view_of(x, x.array) for x in inputs])

    def backward(self, *grad_output):
        changed = self.on_backward(grad_output) if self.on_backward is not None else None
        return grad_output if changed is None else changed


Passage._runs_user_code = True  # its hooks


class _Boundary:
    """One call of a module with full backward hooks: a Passage around its inputs, another around its outputs."""

    def __init__(self, module):
        self.module = module
        self.grad_output = None
        self.entered = False

    def enter(self, input):
        inner = _passed(input, lambda places, grads: self._run_hooks(len(input), places, grads))
        self.entered = inner is not input
        return inner

    def leave(self, result):
        if not isinstance(result, (Variable, tuple)):
            warnings.warn(
                f"{type(self.module).__name__}: full backward hooks need an output that is a Variable or a tuple of "
                f"Variables; for a {type(result).__name__} they are not called",
                stacklevel=5,
            )
            return result
        outputs = result if isinstance(result, tuple) else (result,)

        def arrived(places, grads):
            self.grad_output = _spread(len(outputs), places, grads)
            if not self.entered:
                self._run_hooks(0, [], ())

        outer = _passed(outputs, arrived)
        return outer if isinstance(result, tuple) else outer[0]

    def _run_hooks(self, count, places, grads):
        if self.grad_output is None:  # no gradient came through the output; torch calls no hook either
            return grads
        grad_input = _spread(count, places, grads)
        for hook in list(self.module._full_backward_hooks.values()):
            changed = hook(self.module, grad_input, self.grad_output)
            if changed is not None:
                grad_input = changed if isinstance(changed, tuple) else (changed,)
                if len(grad_input) != count:
                    raise RuntimeError(
                        f"a full backward hook of {type(self.module).__name__} returned {len(grad_input)} gradients "
                        f"for {count} inputs"
                    )
                for place, grad in zip(places, grads):
                    _check_returned(self.module, place, grad_input[place], grad)
        return tuple([grad_input[place] for place in places])


def _check_returned(module, place, returned, grad):
    """Raise RuntimeError unless a hook may replace the gradient `grad` of input number `place` with `returned`."""
    if not isinstance(returned, (Tensor, Variable, type(None))):
        what = f"a {type(returned).__name__}"
    elif returned is not None and grad is not None and returned.size() != grad.size():
        what = f"a gradient of size {shown_size(returned.size())} for an input of size {shown_size(grad.size())}"
    else:
        return
    raise RuntimeError(f"a full backward hook of {type(module).__name__} returned {what} (input {place})")


def _passed(values, on_backward):
    """Return `values`, with those that require a gradient passed through a Passage.

    Its backward calls `on_backward(places, gradients)`.
    """
    places = [i for i, x in enumerate(values) if isinstance(x, Variable) and x.requires_grad]
    if not places:
        return values
    passage = Passage()
    passage.on_backward = lambda grads: on_backward(places, grads)
    passed = list(values)
    for place, variable in zip(places, passage(*[values[i] for i in places])):
        passed[place] = variable
    return tuple(passed)


def _spread(count, places, grads):
    """Return a tuple of `count` entries that holds `grads` at `places`, and None elsewhere."""
    spread = [None] * count
    for place, grad in zip(places, grads):
        spread[place] = grad
    return tuple(spread)
