"""The older forms of `step`, in which the optimizer ran backward (2016: `Optimizer.step` and its subclasses).

==========================  ===========================================================================================
v0.1.1                      `step(*input)` of an optimizer made from a model, or from a model and a criterion
v0.1.2 to v0.1.4            `step(closure)` of such an optimizer; `closure()` computes the loss
October 2016                `step(closure)` of an optimizer made from parameters; `closure()` computes the loss
v0.1.5 and later            the same, but `closure()` also runs backward
==========================  ===========================================================================================

The optimizer's first argument identifies the first two. The closures of October 2016 and of today look alike.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from ..autograd.variable import Variable
from ..nn.module import Module
from ..tensor import Tensor

_listen: Callable | None = None


def tell_closures_apart(listen: Callable | None) -> None:
    """Let `step` recognize the closures of October 2016 by listening to them.

    Args:
        listen: `listen(closure)` returns the result of `closure()`, and whether the closure computed it, as
            compat/loss_closures.py does for programs from 2016–17. None: by the gradients alone.
    """
    global _listen
    _listen = listen


def model_and_parameters(optimizer: Any, params: Any) -> tuple[Module | None, Module | None, Iterator]:
    """Return (model, criterion, parameters) from an optimizer's first argument.

    Args:
        optimizer: The Optimizer, for the error message.
        params: A model, a pair (model, criterion), or as since v0.1.5 an iterable. The first two results are None for
            an iterable.

    Raises:
        TypeError: If `params` is none of these.
    """
    model, criterion = params if isinstance(params, tuple) and len(params) == 2 else (params, None)
    if hasattr(model, "parameters"):
        return model, criterion, model.parameters()
    if not isinstance(params, (Variable, Tensor)):
        with contextlib.suppress(TypeError):  # it is not iterable
            return None, None, iter(params)
    raise TypeError(
        f"{optimizer._name}: params must be an iterable of Variables or dicts, or a model, got {type(params).__name__}"
    )


def loss_of(optimizer: Any, input: tuple) -> Any:
    """Compute loss and gradients from the arguments of `step`, in any of the forms, and return the result of `step`.

    Args:
        optimizer: The Optimizer.
        input: The arguments.

    Raises:
        TypeError: If the arguments fit none of the forms.
        RuntimeError: If the closure computes no gradient.
    """
    closure = input[0] if len(input) == 1 and callable(input[0]) else None
    if optimizer.model is None:
        if closure is None:
            got = ", ".join(type(argument).__name__ for argument in input)
            raise TypeError(
                f"{optimizer._name}.step takes a closure or nothing, got ({got}); inputs need an optimizer made from "
                f"the model: {optimizer._name}((model, criterion), ...)"
            )
        return _loss_of_closure(optimizer, closure)
    if closure is not None:
        optimizer.zero_grad()
        loss = closure()
    elif optimizer.criterion is None:
        loss = optimizer.model(*input)
    elif len(input) == 2:
        loss = optimizer.criterion(optimizer.model(input[0]), input[1])
    else:
        raise TypeError(f"{optimizer._name}.step with a criterion takes (input, target), got {len(input)} arguments")
    loss.backward()
    return loss.data[0]


def _loss_of_closure(optimizer, closure):
    """Call `closure()`; if it is one of October 2016, set the gradients to zero and run backward from its loss.

    Such a closure leaves all gradients unchanged and returns a loss that it computed itself. Without listening, a
    closure counts as such if it leaves parameters without gradients, and so do all later ones of the same optimizer. If
    there are gradients from elsewhere they are used, as in torch.
    """
    before = _gradients(optimizer)
    if _listen is None:
        loss, is_new = closure(), optimizer._closures_compute_only_the_loss or all([g is None for g, _ in before])
    else:
        loss, is_new = _listen(closure)
    unchanged = all([g is h and n == m for (g, n), (h, m) in zip(before, _gradients(optimizer))])
    if is_new and unchanged and isinstance(loss, Variable) and loss.requires_grad:
        optimizer._closures_compute_only_the_loss = True
        optimizer.zero_grad()
        loss.backward()
    if all([gradient is None for gradient, _ in _gradients(optimizer)]):
        raise RuntimeError(
            f"{optimizer._name}.step: the closure computed no gradient of any parameter; it must run backward, or "
            "return a loss that it computed and that requires a gradient"
        )
    return loss


def _gradients(optimizer):
    """Return (gradient, number of writes to it) of each parameter."""
    gradients = [p._grad for group in optimizer.param_groups for p in group["params"]]
    return [(g, None if g is None else g.data._version) for g in gradients]
