"""The parts of `gradcheck` that programs import from `torch.autograd.gradcheck` (0.1.12: the file of that name).

The problem: a program that checks a whole module, its parameters too, needs the two Jacobians and not a verdict.

How the 2016 core makes room for it: the numerical Jacobian changes `data` in place, which a Variable always allowed;
the analytical one calls `backward` once for each element of the output and reads `grad`.
"""

import numpy

from ...tensor import Tensor, zeros
from ...tensor.base import wrap
from ..variable import Variable


def iter_gradients(x):
    """Yield the gradient of every Variable in `x` that requires one, as a Tensor, or None where there is none yet."""
    if not isinstance(x, Variable):
        for element in x:
            yield from iter_gradients(element)
    elif x.requires_grad:
        yield None if x._grad is None else x._grad.data


def zero_gradients(i):
    """Set the gradients of all Variables in `i`, a Variable or nested tuples and lists, to zero in place."""
    for gradient in iter_gradients(i):
        if gradient is not None:
            gradient.zero_()


def make_jacobian(input, num_out):
    """Return zeros of the size (elements of the input, num_out) for every Tensor or Variable in `input`.

    The structure of nested tuples and lists is kept; Variables that require no gradient are left out.
    """
    if isinstance(input, Variable) and not input.requires_grad:
        return None
    if isinstance(input, (Tensor, Variable)):
        return zeros(input.numel(), num_out)
    parts = [make_jacobian(element, num_out) for element in input]
    return type(input)([part for part in parts if part is not None])


def iter_tensors(x, only_requiring_grad=False):
    """Yield every Tensor in `x`, that of a Variable too; optionally only of Variables that require a gradient."""
    if isinstance(x, Tensor):
        yield x
    elif isinstance(x, Variable):
        if x.requires_grad or not only_requiring_grad:
            yield x.data
    else:
        for element in x:
            yield from iter_tensors(element, only_requiring_grad)


def contiguous(input):
    """Return `input` with every Tensor and Variable contiguous; the structure of tuples and lists is kept."""
    if isinstance(input, (Tensor, Variable)):
        return input.contiguous()
    return type(input)([contiguous(element) for element in input])


def get_numerical_jacobian(fn, input, target, eps=1e-3):
    """Return the Jacobians of `fn(input)`, a Tensor, by differences of width 2 `eps`, in the structure of `target`.

    `target` is the part of the input, or any Variables and Tensors that `fn` reads, whose elements are changed one by
    one and restored. Row i of a Jacobian belongs to element i of its Tensor.
    """
    input = contiguous(input)
    jacobian = make_jacobian(target, fn(input).numel())
    for tensor, rows in zip(iter_tensors(target, True), iter_tensors(jacobian)):
        for row, index in enumerate(numpy.ndindex(tensor.array.shape)):
            original = tensor.array[index].copy()
            tensor.array[index] = original - eps
            below = fn(input).array.astype(numpy.float64)
            tensor.array[index] = original + eps
            above = fn(input).array.astype(numpy.float64)
            tensor.array[index] = original
            rows.array[row] = ((above - below) / (2 * eps)).ravel()
    return jacobian


def get_analytical_jacobian(input, output):
    """Return the Jacobians of the Variable `output` with respect to `input`, by one backward for each of its elements.

    The gradients that the inputs have accumulated are overwritten.
    """
    jacobian = make_jacobian(input, output.numel())
    start = numpy.zeros(output.data.array.shape, output.data.array.dtype)
    for column, index in enumerate(numpy.ndindex(start.shape)):
        zero_gradients(input)
        start[index] = 1
        output.backward(wrap(start.copy()), retain_variables=True)
        start[index] = 0
        for rows, gradient in zip(iter_tensors(jacobian), iter_gradients(input)):
            rows.array[:, column] = 0 if gradient is None else gradient.array.ravel()
    return jacobian
