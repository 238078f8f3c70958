"""Parameters copied over: what a module of the program was made with here, its counterpart in modern torch gets too.

Modules are matched by the order in which the program makes them, their parameters by name.
"""

import contextlib
import functools

from .. import nn as nn_here
from ..drawing.replaced import replaced
from ..tensor import random
from ._torch import modern_torch


@contextlib.contextmanager
def modules_noted():
    """Within the block note every module that the program makes here, in the list that this gives.

    An item is (name of its class, its state dict as arrays, state of the random generator afterwards).
    """
    modules = []

    def note(module):
        state = {name: tensor.array.copy() for name, tensor in module.state_dict().items()}
        modules.append((type(module).__name__, state, random.get_rng_state()))

    with _wrapped(_classes(nn_here, nn_here.Module), note):
        yield modules


def parameters_copied(modules_here, remarks):
    """A context within which every module of torch.nn that has parameters gets those of the next of `modules_here`."""
    torch = modern_torch()
    waiting = list(modules_here)

    def copy(module):
        if not waiting:
            raise RuntimeError(
                f"the program made a {type(module).__name__} in modern torch that it did not make here: it has to make "
                "the same modules in both"
            )
        name, state, generator = waiting.pop(0)
        own = {key: tensor for key, tensor in module.state_dict(keep_vars=True).items() if key != "num_batches_tracked"}
        if set(own) != set(state) or any(tuple(own[key].shape) != state[key].shape for key in own):
            raise RuntimeError(
                f"the module {name} made here has the parameters {_shown(state)}; its counterpart in modern torch, "
                f"{type(module).__name__}, has {_shown(own)}"
            )
        with torch.no_grad():
            for key, tensor in own.items():
                tensor.copy_(torch.from_numpy(state[key]))
        random.set_rng_state(generator)
        remarks["a module's first parameters are drawn otherwise; copied over"] += 1

    return _wrapped(_classes(torch.nn, torch.nn.Module), copy)


def _classes(namespace, base):
    """The classes of modules in `namespace`, and those that they inherit from, with a constructor of their own."""
    modules = [c for c in vars(namespace).values() if isinstance(c, type) and issubclass(c, base)]
    return {
        cls
        for module in modules
        for cls in module.__mro__
        if issubclass(cls, base) and cls is not base and "__init__" in vars(cls)
    }


def _wrapped(classes, made):
    """A context within which `made(module)` is called when a module of `classes` with own parameters was constructed.

    The constructor of a subclass calls that of its base, and some layers make others: the outermost call counts.
    """
    depth = 0

    def wrapper_of(original):
        @functools.wraps(original)
        def init(module, *arguments, **keywords):
            nonlocal depth
            depth += 1
            try:
                original(module, *arguments, **keywords)
            finally:
                depth -= 1
            if depth == 0 and any(p is not None for p in module._parameters.values()):
                made(module)

        return init

    return replaced({(cls, "__init__"): wrapper_of(cls.__init__) for cls in classes})


def _shown(state):
    return ", ".join(f"{name} {tuple(value.shape)}" for name, value in state.items()) or "none"
