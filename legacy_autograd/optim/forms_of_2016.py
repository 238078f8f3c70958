"""The forms of `step` before today's, in which the optimizer ran backward (2016: `Optimizer.step` and its subclasses).

==========================  ===========================================================================================
v0.1.1                      `step(*input)` of an optimizer made from a model, or from a model and a criterion
v0.1.2 to v0.1.4            `step(closure)` of such an optimizer; `closure()` computes the loss
October 2016                `step(closure)` of an optimizer made from parameters; `closure()` computes the loss
v0.1.5 and later            the same, but `closure()` also runs backward
==========================  ===========================================================================================

The first two are told by the optimizer's first argument. October 2016's closure and today's look alike.
"""

import contextlib

from ..autograd.variable import Variable
from ..tensor import Tensor

# listen(closure) returns what `closure()` returns, and whether that was computed in it. compat/loss_closures.py puts
# it here for programs of the time.
listen = None


def model_and_parameters(optimizer, params):
    """Return (model, criterion, parameters) of an optimizer's first argument; the first two are None since v0.1.5."""
    model, criterion = params if isinstance(params, tuple) and len(params) == 2 else (params, None)
    if hasattr(model, "parameters"):
        return model, criterion, model.parameters()
    if not isinstance(params, (Variable, Tensor)):
        with contextlib.suppress(TypeError):  # it is not iterable
            return None, None, iter(params)
    raise TypeError(
        f"{optimizer._name}: params must be an iterable of Variables or dicts, or a model, got {type(params).__name__}"
    )


def loss_of(optimizer, input):
    """Compute the loss and the gradients from the arguments of `step`, in any of the forms. Return what `step` does."""
    closure = input[0] if len(input) == 1 and callable(input[0]) else None
    if optimizer.model is None:
        if closure is None:
            got = ", ".join(type(argument).__name__ for argument in input)
            raise TypeError(
                f"{optimizer._name}.step takes a closure or nothing, got ({got}). Inputs are for an optimizer that "
                f"holds the model: {optimizer._name}((model, criterion), ...)"
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
    """Call `closure()`; if it is one of October 2016, make the gradients zero and run backward from its loss.

    That is a closure which leaves all gradients as they are and returns a loss that it computed itself. Without
    `listen`, a closure counts as such if it leaves parameters without gradients as they are, and so do all later ones
    of the same optimizer. If there are gradients from elsewhere, they are used, as in torch.
    """
    before = _gradients(optimizer)
    if listen is None:
        loss, is_new = closure(), optimizer._closures_compute_only_the_loss or all([g is None for g, _ in before])
    else:
        loss, is_new = listen(closure)
    unchanged = all([g is h and n == m for (g, n), (h, m) in zip(before, _gradients(optimizer))])
    if is_new and unchanged and isinstance(loss, Variable) and loss.requires_grad:
        optimizer._closures_compute_only_the_loss = True
        optimizer.zero_grad()
        loss.backward()
    if all([gradient is None for gradient, _ in _gradients(optimizer)]):
        raise RuntimeError(
            f"{optimizer._name}.step: the closure computed no gradient of any parameter; it has to run backward "
            "itself, or to compute and return the loss as a Variable that requires a gradient"
        )
    return loss


def _gradients(optimizer):
    """Return the gradient of each parameter, and how often it was written to."""
    gradients = [p._grad for group in optimizer.param_groups for p in group["params"]]
    return [(g, None if g is None else g.data._version) for g in gradients]
