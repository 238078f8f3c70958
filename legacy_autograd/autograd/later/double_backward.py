"""Double backward, `create_graph=True` (0.2.0, August 2017): gradients that can be differentiated themselves.

The problem: backward returned plain tensors. Anything computed from a gradient (a penalty on its norm, a Hessian times
a vector, a step of an inner optimization) had no history, so its derivative had to be derived on paper.

How the 2016 core makes room for it: a `backward` is written with operations that Tensor and Variable share. The engine
below passes Variables as gradients, so every formula records itself. What a formula reads from `saved_tensors` must be
part of the graph too. `Function._unpack` returns Variables for it. A `SavedVariable` connects each of them to the
Function that it came from, because an input's own Variable may no longer exist. The new graph points to the old one and
never the reverse, so both are freed with the last Variable.

A Function of 2016's kind that keeps its input on `self` raises, since a Tensor has no history.
"""

import threading
from collections.abc import Callable
from typing import Any

import numpy

from ...tensor import Tensor
from ...tensor.base import shown_size, wrap
from ...tensor.dtypes import FLOATING, TYPE_NAMES
from ..callbacks import around_accumulate, around_call
from ..fast.walk import sources as sources_of
from ..function import Function
from ..leaf import Leaf
from ..saved_tensors import AMBIGUOUS
from ..variable import Variable
from .grad_mode import enable_grad
from .hooks import add_to_grad


class RecordingItself:
    """A mixin for engines: gradients are Variables, and backward is recorded as a graph of its own."""

    def run_backward(
        self, variable: Variable, grad: Variable | Tensor | None, retain_variables: bool | None = True
    ) -> None:
        """Run backward as the engine does, with recorded calls and Variables as gradients.

        Args:
            variable: The root.
            grad: The gradient to start from.
            retain_variables: Whether the saved tensors are kept.
        """
        with around_accumulate.within(_accumulate_recorded, innermost=True), enable_grad():
            super().run_backward(variable, grad, retain_variables)  # type: ignore[misc]  # of the engine

    def _run(self, fn, grad_output):
        return self._recorded(super()._run, fn, grad_output)

    def _run_without_hooks(self, fn, grad_output, backward):
        if not fn._saved and self._gives_constants(fn, grad_output):
            grad_input = super()._run_without_hooks(fn, [grad.data for grad in grad_output], backward)
            return [None if grad is None else as_gradient(grad) for grad in grad_input]
        return self._recorded(super()._run_without_hooks, fn, grad_output, backward)

    @staticmethod
    def _gives_constants(fn, grad_output):
        """Whether backward computes constants from constants, and no callback or user's code sees it."""
        for grad in grad_output:
            if grad is None or grad.creator.requires_grad:
                return False
        return not (fn._runs_user_code or fn._unpack or fn.backward_hooks or around_call.callbacks)

    def _recorded(self, run, fn, *arguments):
        unpack = fn._unpack  # read once: another thread may run this too
        if (fn._saved or unpack is not None) and not isinstance(unpack, AsVariables):
            fn._unpack = AsVariables(unpack)
        before, _state.function = _state.function, fn
        try:
            grad_input = run(fn, *arguments)
        except (TypeError, AttributeError) as error:
            if isinstance(fn, Leaf):
                raise
            raise RuntimeError(
                f"{fn._name}.backward cannot be recorded for create_graph=True: {error}. Keep the tensors that it "
                "needs with save_for_backward: tensors on self have no history"
            ) from error
        finally:
            _state.function = before
        for number, grad in enumerate(grad_input):
            if grad is not None and not isinstance(grad, Variable):
                raise RuntimeError(
                    f"{fn._name}.backward cannot be recorded for create_graph=True: the gradient of input {number} is "
                    f"a {type(grad).__name__}, not computed by operations on its arguments and saved_tensors. If "
                    "it needs no second derivative, mark it once_differentiable"
                )
        return grad_input

    def _zeros(self, size, like):
        return Variable(super()._zeros(size, like), requires_grad=False)


def _accumulate_recorded(leaf, proceed, variable, grad):
    if isinstance(grad, Variable):
        add_to_grad(variable, grad)
    else:
        proceed(variable, grad)


class _State(threading.local):
    function = None  # the Function whose backward this thread is recording


_state = _State()


def on_tensors(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return `function(*arguments)`, run with saved tensors that are Tensors although backward is being recorded.

    Args:
        function: The function to call.
        *arguments: Its arguments.
    """
    before, _state.function = _state.function, None
    try:
        return function(*arguments)
    finally:
        _state.function = before


class AsVariables:
    """A `Function._unpack` that returns Variables to the thread that records this backward, and Tensors to all others.

    Args:
        unpack: The `_unpack` that it replaces, or None.
    """

    def __init__(self, unpack: Callable[[Function], tuple[Tensor, ...]] | None) -> None:
        self.unpack = unpack

    def __call__(self, fn):
        if self.unpack is not None:
            tensors, positions = self.unpack(fn), self.unpack.positions
        else:
            tensors, positions = fn._checked(), None
        if _state.function is not fn:
            return tensors
        positions = fn._saved_positions if positions is None else positions
        sources = sources_of(fn)
        variables, before = [], None
        for tensor, position in zip(tensors, positions):
            source = (id(tensor), sources[position]) if isinstance(position, int) and position >= 0 else None
            if source is None or source != before:
                variable = _variable(fn, sources, tensor, position)
            variables.append(variable)  # the same one twice for x * x
            before = source
        return tuple(variables)


def _variable(fn, sources, tensor, position):
    """Return the saved `tensor` as a Variable of the graph; `position` is its number in `fn`'s inputs or outputs."""
    if position is AMBIGUOUS:
        raise RuntimeError(
            f"{fn._name}: two of its inputs are different Variables over one {TYPE_NAMES[tensor.array.dtype]} of size "
            f"{shown_size(tensor.array.shape)}, so it is ambiguous which of them was saved; clone one of them"
        )
    if position is None or tensor.array.dtype not in FLOATING:
        return Variable(tensor, requires_grad=False)
    function, number = sources[position] if position >= 0 else (fn, -1 - position)
    if not function.requires_grad:
        return Variable(tensor, requires_grad=False)
    if isinstance(function, Leaf):
        variable = function.variable
        if variable is not None and variable.data is tensor:
            return variable
    saved = SavedVariable()
    variable = Variable(tensor, saved)
    saved._link([(function, number)], variable)
    return variable


class SavedVariable(Function):
    """A saved tensor, connected to the graph again.

    Gradient:
        g, the gradient of the saved tensor, for the Function that it came from.
    """

    def backward(self, grad_output):
        return grad_output


def as_gradient(grad: Tensor | Variable) -> Variable:
    """Return `grad` as a gradient for a recording engine: a Variable itself, a Tensor as a constant.

    Args:
        grad: The gradient.
    """
    return Variable(grad, requires_grad=False) if isinstance(grad, Tensor) else grad


def one() -> Tensor:
    """Return a Tensor with the number 1, the starting gradient of a root that needs no particular one."""
    return wrap(numpy.ones(1))
