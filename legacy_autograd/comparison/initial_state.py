"""Copy initial parameters: a module in modern torch gets those of its counterpart in legacy_autograd.

Modules are matched by the order of their construction and of calls of `reset_parameters`, their parameters by name.
"""

import contextlib
import functools

from .. import nn as nn_here
from ..drawing.replaced import replaced
from ..tensor import random
from ._torch import modern_torch


@contextlib.contextmanager
def modules_noted():
    """Within the block, record every module that the program constructs or resets, in the list that is yielded.

    An item is (name of its class, its state dict as arrays, state of the random generator afterwards).
    """
    modules = []

    def note(module):
        state = {name: tensor.array.copy() for name, tensor in module.state_dict().items()}
        modules.append((type(module).__name__, state, random.get_rng_state()))

    with _wrapped(_classes(nn_here, nn_here.Module), note):
        yield modules


def parameters_copied(modules_here, remarks):
    """Return a context in which every module of torch.nn with parameters gets those of the next of `modules_here`."""
    torch = modern_torch()
    waiting = list(modules_here)

    def copy(module):
        if not waiting:
            raise RuntimeError(
                f"the program constructs a {type(module).__name__} in modern torch but not in legacy_autograd; it must "
                "construct the same modules in both"
            )
        name, state, generator = waiting.pop(0)
        own = {key: tensor for key, tensor in module.state_dict(keep_vars=True).items() if key != "num_batches_tracked"}
        if set(own) != set(state) or any(tuple(own[key].shape) != state[key].shape for key in own):
            raise RuntimeError(
                f"legacy_autograd's {name} has the parameters {_shown(state)}; its counterpart in modern torch, "
                f"{type(module).__name__}, has {_shown(own)}; they must be equal"
            )
        with torch.no_grad():
            for key, tensor in own.items():
                tensor.copy_(torch.from_numpy(state[key]))
        random.set_rng_state(generator)
        remarks["a module's initial parameters are drawn differently; copied"] += 1

    return _wrapped(_classes(torch.nn, torch.nn.Module), copy)


def _classes(namespace, base):
    """Return the module classes in `namespace` and their base classes, without `base`."""
    modules = [c for c in vars(namespace).values() if isinstance(c, type) and issubclass(c, base)]
    return {cls for module in modules for cls in module.__mro__ if issubclass(cls, base) and cls is not base}


def _wrapped(classes, made):
    """Return a context that calls `made(module)` after a module of `classes` with parameters was constructed or reset.

    The constructor of a subclass calls that of its base class and `reset_parameters`, and some layers construct others;
    only the outermost call counts.
    """
    depth = 0

    def wrapper_of(original):
        @functools.wraps(original)
        def drawing(module, *arguments, **keywords):
            nonlocal depth
            depth += 1
            try:
                original(module, *arguments, **keywords)
            finally:
                depth -= 1
            if depth == 0 and any(p is not None for p in module._parameters.values()):
                made(module)

        return drawing

    own = [(cls, name) for cls in classes for name in ("__init__", "reset_parameters") if name in vars(cls)]
    return replaced({(cls, name): wrapper_of(vars(cls)[name]) for cls, name in own})


def _shown(state):
    return ", ".join(f"{name} {tuple(value.shape)}" for name, value in state.items()) or "none"
