"""Helpers of several operations: one call for Tensors and Variables, and the gradients of broadcasting."""

import math

import numpy

from ... import conventions
from ...tensor.arguments import number_for
from ...tensor.dtypes import HALF
from ...tensor.wrapping import wrap
from ..function import Function
from ..variable import Variable

_NUMBERS = (float, int)


def saves(*positions, several=False):
    """Return a decorator that declares what `forward` passes to `save_for_backward`.

    n is input n, -1 - n is output n, None is another tensor. It declares as well that `forward` returns a single new
    Tensor, which may be a view, or with `several` a tuple of Tensors that own their memory. So the fast twin need not
    look at each call. Only where a call saves although nothing was declared, it looks (`Index` by a mask). A test
    compares the declarations with the calls.
    """

    def declare(forward):
        forward.saves, forward.several = positions, several
        return forward

    return declare


def call(function, *inputs):
    """Run `function` on Variables, recorded like any call, or only its `forward` on Tensors.

    A backward that needs an operation without a method calls it this way, and so is differentiable. Returns the output,
    or a tuple of several outputs.
    """
    if any([isinstance(input, Variable) for input in inputs]):
        output = function(*inputs)
        return output[0] if len(output) == 1 else output
    return function.forward(*inputs)


def in_floats(formula, *tensors):
    """Return `formula(*tensors)`. For HalfTensors it computes in floats and rounds its results once, as torch does.

    Sums, squares and products of halves soon exceed 65504 or fall below 6e-8.

    Args:
        formula: A function that returns one tensor or a tuple of tensors and None.
        *tensors: Tensors or Variables of one type, or None.
    """
    if tensors[0].data.array.dtype is not HALF:
        return formula(*tensors)
    results = formula(*[None if tensor is None else tensor.float() for tensor in tensors])
    if isinstance(results, tuple):
        return tuple([None if result is None else result.half() for result in results])
    return results.half()


def zeros_like(x):
    """Return zeros of the shape and type of `x`: a Tensor for a Tensor, a constant Variable for a Variable."""
    return constant(numpy.zeros_like(x.data.array, order="C"), x)


def full(size, value, like):
    """Return a tensor of `size` filled with `value`, of the type of `like`; for a Variable, a constant Variable."""
    return constant(numpy.full(size, value, like.data.array.dtype), like)


def constant(array, like):
    """Return a new array as a Tensor, or as a Variable that requires no gradient if `like` is a Variable."""
    tensor = wrap(array)
    return Variable(tensor, requires_grad=False) if isinstance(like, Variable) else tensor


def as_tensor(result, like):
    """Return a reduction's result as a Function's output: a Python number becomes a Tensor of shape (1,)."""
    if type(result) not in _NUMBERS:
        return result
    array = like.array
    if array.dtype.kind != "f":
        result = number_for("a result of one number", array, result)  # raises if it does not fit
    return wrap(numpy.array((result,), array.dtype))


def total(x):
    """Return the sum of all elements, of shape (1,), for Tensors and Variables alike."""
    return x.contiguous().view(-1).sum(0, True)


def sum_to_size(grad, size):
    """Return the gradient of a tensor of `size` that was broadcast to the shape of `grad`: the sum over repetitions."""
    shape, size = grad.array.shape, tuple(size)
    if shape == size:
        return grad
    if grad.array.size == math.prod(size):
        return grad.contiguous().view(*size)
    for _ in range(len(shape) - len(size)):
        grad = grad.sum(0, keepdim=False)
    if grad.array.shape != size:
        for dim, length in enumerate(size):
            if length == 1 and grad.array.shape[dim] != 1:
                grad = grad.sum(dim, keepdim=True)
    return grad


class AlongDimension(Function):
    """An operation along one dimension, its only constant."""

    def __init__(self, dim):
        self.dim = dim


class Broadcasting(Function):
    """A pointwise operation of two operands, which may have different shapes."""

    sizes = None  # the shapes of both operands, if they differ

    def note_sizes(self, a, b):
        """Record the shapes of the operands if they differ. `forward` calls it."""
        if a.array.shape != b.array.shape:
            self.sizes = (a.array.shape, b.array.shape)

    def fit(self, grad_a, grad_b):
        """Return the gradients, summed to the shapes of their operands; a gradient that is not needed may be None."""
        if self.sizes is None:
            return grad_a, grad_b
        size_a, size_b = self.sizes
        needs_a, needs_b = self.needs_input_grad
        return (sum_to_size(grad_a, size_a) if needs_a else None, sum_to_size(grad_b, size_b) if needs_b else None)


def follow_conventions():
    """Apply the conventions on the result of a call with one output to the Functions of programs.

    The package's own operations return a tuple under all conventions: `Sub()(a, b)[0]`.
    """
    queue = [Function]
    while queue:
        for operation in queue.pop().__subclasses__():
            queue.append(operation)
            if "forward" in vars(operation):
                operation._returns_tuple = True
    Function._returns_tuple = conventions.era.call_returns_tuple
