"""Double backward, `create_graph=True` (0.2.0, August 2017): a gradient that can be differentiated itself.

The problem: backward gave bare tensors. What is computed from a gradient (a penalty on its norm, a Hessian times a
vector, a step of an inner optimization) had no history, and whoever needed its derivative worked it out on paper.

How the 2016 core makes room for it: a `backward` is written with operations that a Tensor and a Variable both have. So
the engine below does nothing but hand out Variables as gradients, and every formula, run on them, records itself. What
a formula asks of `saved_tensors` has to be part of the graph too: `Function.unpack` answers Variables there, and puts
between them and the Functions they came from a `SavedVariable`, because an input's own Variable may be gone by then.
A new graph points to the old one and never the other way, so both go when the last Variable goes.

A Function of 2016's kind that keeps its input on `self` cannot take part, since a Tensor has no history; it raises.
"""

import threading

import numpy

from ..function import Function
from ..leaf import Leaf
from ..tensor import Tensor
from ..tensor.base import shown_size, wrap
from ..tensor.types import FLOATING, TYPE_NAMES
from ..variable import Variable
from .grad_mode import enable_grad
from .hooks import accumulate


class RecordingItself:
    """To be mixed into an engine: gradients are Variables, and backward leaves a graph of its own."""

    def run_backward(self, variable, grad, retain_variables=True):
        with enable_grad():
            super().run_backward(variable, grad, retain_variables)

    def _run(self, fn, grad_output):
        unpack = fn.unpack  # read once, for another thread may be here too
        if isinstance(fn, Leaf):
            fn.accumulate = accumulate
        elif (fn._saved or unpack is not None) and not isinstance(unpack, AsVariables):
            fn.unpack = AsVariables(unpack)
        before, _state.function = _state.function, fn
        try:
            grad_input = super()._run(fn, grad_output)
        except (TypeError, AttributeError) as error:
            if isinstance(fn, Leaf):
                raise
            raise RuntimeError(
                f"{fn._name}.backward cannot be recorded for create_graph=True: {error}. What it needs of forward has "
                "to be kept by save_for_backward, for what is kept on self has no history"
            ) from error
        finally:
            _state.function = before
        for number, grad in enumerate(grad_input):
            if grad is not None and not isinstance(grad, Variable):
                raise RuntimeError(
                    f"{fn._name}.backward cannot be recorded for create_graph=True: the gradient of input {number} is "
                    f"a {type(grad).__name__}, computed with something else than operations on the Variables it was "
                    "given and on saved_tensors. Mark it once_differentiable if it is to be differentiated no further"
                )
        return grad_input

    def _zeros(self, size, like):
        return Variable(super()._zeros(size, like), requires_grad=False)


class _State(threading.local):
    function = None  # the one that this thread is recording the backward of


_state = _State()


def on_tensors(function, *arguments):
    """`function(*arguments)`, in which the saved tensors are Tensors although backward is being recorded."""
    before, _state.function = _state.function, None
    try:
        return function(*arguments)
    finally:
        _state.function = before


class AsVariables:
    """An `unpack` that answers Variables to a thread that records this backward, and to all others what was there."""

    def __init__(self, unpack):
        self.unpack = unpack

    def __call__(self, fn):
        if self.unpack is not None:
            tensors, positions = self.unpack(fn), self.unpack.positions
        else:
            tensors, positions = fn.as_saved(), None
        if _state.function is not fn:
            return tensors
        positions = positions_of_saved(fn) if positions is None else positions
        return tuple([_variable(fn, tensor, position) for tensor, position in zip(tensors, positions)])


_AMBIGUOUS = object()


def positions_of_saved(fn):
    """For each tensor that `fn` saved: n if it is input n, -1 - n if it is output n, None if it is neither.

    Two inputs can be different Variables over one Tensor. They are told apart by the order in which they were saved.
    """
    if fn.saves is not None:
        return fn.saves
    inputs, outputs = fn._input_tensor_ids, fn._output_tensor_ids
    saved = [id(tensor) for tensor in fn._saved]
    positions = []
    for number, tensor_id in enumerate(saved):
        found = [n for n, input_id in enumerate(inputs) if input_id == tensor_id]
        if found:
            position = found[0]
            if len({fn.previous_functions[n] for n in found}) > 1:
                position = (
                    found[saved[:number].count(tensor_id)] if saved.count(tensor_id) == len(found) else _AMBIGUOUS
                )
        else:
            position = -1 - outputs.index(tensor_id) if tensor_id in outputs else None
        positions.append(position)
    return positions


def _variable(fn, tensor, position):
    """The saved `tensor` as a Variable that stands where it stood: `position` in the inputs or outputs of `fn`."""
    if position is _AMBIGUOUS:
        raise RuntimeError(
            f"{fn._name}: two of its inputs are different Variables over one {TYPE_NAMES[tensor.array.dtype]} of size "
            f"{shown_size(tensor.array.shape)}, and it cannot be told which of them was saved; clone one of them"
        )
    if position is None or tensor.array.dtype not in FLOATING:
        return Variable(tensor, requires_grad=False)
    if position >= 0:
        function, tensor_id = fn.previous_functions[position]
    else:
        function = fn
        tensor_id = next(i for i, number in fn.output_ids.items() if number == -1 - position)
    if not function.requires_grad:
        return Variable(tensor, requires_grad=False)
    if isinstance(function, Leaf):
        variable = function.variable
        if variable is not None and variable.data is tensor:
            return variable
    return SavedVariable.link(tensor, function, tensor_id)


class SavedVariable(Function):
    """A tensor that was saved, as part of the graph again. Gradient: g, to the Function that the tensor came from."""

    @classmethod
    def link(cls, tensor, function, tensor_id):
        """`tensor` as a Variable that is the output of `function` known there as `tensor_id`."""
        link = cls()
        variable = Variable(tensor, link)
        link.previous_functions = [(function, tensor_id)]
        link.output_ids = {id(variable): 0}
        link.output_sizes = (tensor.array.shape,)
        link.needs_input_grad, link.requires_grad = (True,), True
        return variable

    def backward(self, grad_output):
        return grad_output


def as_gradient(grad):
    """A gradient for an engine that records itself: `grad` if it is a Variable, a constant if it is a Tensor."""
    return Variable(grad, requires_grad=False) if isinstance(grad, Tensor) else grad


def one():
    """The gradient that starts a walk of which the root does not ask for any."""
    return wrap(numpy.ones(1))
