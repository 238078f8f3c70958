"""The parts of `gradcheck` that programs import from `torch.autograd.gradcheck` (0.1.12: the file of that name).

The problem: a program that checks a whole module, with its parameters, needs the two Jacobians and not a verdict.

How the 2016 core makes room for it: the numerical Jacobian changes `data` in place, which a Variable always allowed.
The analytical one calls `backward` once for each element of the output and reads `grad`.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy

from ...tensor import Tensor, zeros
from ...tensor.wrapping import wrap
from ..variable import Variable


def iter_gradients(x: Any) -> Iterator[Tensor | None]:
    """Yield the gradient of every Variable in `x` that requires one, as a Tensor, or None if it has none yet.

    Args:
        x: A Variable, or nested tuples and lists of Variables.
    """
    if not isinstance(x, Variable):
        for element in x:
            yield from iter_gradients(element)
    elif x.requires_grad:
        yield None if x._grad is None else x._grad.data


def zero_gradients(i: Any) -> None:
    """Set the gradients of all Variables in `i` to zero in place.

    Args:
        i: A Variable, or nested tuples and lists of Variables.
    """
    for gradient in iter_gradients(i):
        if gradient is not None:
            gradient.zero_()


def make_jacobian(input: Any, num_out: int) -> Any:
    """Return zeros of the shape (elements of the input, `num_out`) for every Tensor or Variable in `input`.

    The structure of nested tuples and lists is kept. Variables that require no gradient are left out.

    Args:
        input: A Tensor or Variable, or nested tuples and lists of them.
        num_out: The number of elements of the output.
    """
    if isinstance(input, Variable) and not input.requires_grad:
        return None
    if isinstance(input, (Tensor, Variable)):
        return zeros(input.numel(), num_out)
    parts = [make_jacobian(element, num_out) for element in input]
    return type(input)([part for part in parts if part is not None])


def iter_tensors(x: Any, only_requiring_grad: bool = False) -> Iterator[Tensor]:
    """Yield every Tensor in `x`, and the `data` of every Variable.

    Args:
        x: A Tensor or Variable, or nested tuples and lists of them.
        only_requiring_grad: Whether Variables that require no gradient are skipped.
    """
    if isinstance(x, Tensor):
        yield x
    elif isinstance(x, Variable):
        if x.requires_grad or not only_requiring_grad:
            yield x.data
    else:
        for element in x:
            yield from iter_tensors(element, only_requiring_grad)


def contiguous(input: Any) -> Any:
    """Return `input` with every Tensor and Variable contiguous; the structure of tuples and lists is kept.

    Args:
        input: A Tensor or Variable, or nested tuples and lists of them.
    """
    if isinstance(input, (Tensor, Variable)):
        return input.contiguous()
    return type(input)([contiguous(element) for element in input])


def get_numerical_jacobian(fn: Callable[[Any], Tensor], input: Any, target: Any, eps: float = 1e-3) -> Any:
    """Return the Jacobians of `fn(input)` from finite differences, in the structure of `target`.

    Row i of a Jacobian belongs to element i of its Tensor.

    Args:
        fn: The function; it returns a Tensor.
        input: Its argument.
        target: The part of `input`, or any Variables and Tensors that `fn` reads, whose elements are changed one by one
            and restored.
        eps: Half the width of the differences.
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


def get_analytical_jacobian(input: Any, output: Variable) -> Any:
    """Return the Jacobians of `output` with respect to `input`, from one backward pass for each element of the output.

    The accumulated gradients of the inputs are overwritten.

    Args:
        input: A Variable, or nested tuples and lists of Variables.
        output: The Variable that was computed from them.
    """
    jacobian = make_jacobian(input, output.numel())
    start = numpy.zeros(output.data.array.shape, output.data.array.dtype)
    for column, index in enumerate(numpy.ndindex(start.shape)):
        zero_gradients(input)
        start[index] = 1
        output.backward(wrap(start))
        start[index] = 0
        for rows, gradient in zip(iter_tensors(jacobian), iter_gradients(input)):
            rows.array[:, column] = 0 if gradient is None else gradient.array.ravel()
    return jacobian
