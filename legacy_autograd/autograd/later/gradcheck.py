"""`gradcheck` (0.1.10, March 2017) and `gradgradcheck` (0.2.0, June 2017): tests of a backward formula.

The problem: an incorrect formula in a `backward` raises nothing. The network trains a little worse, or not at all, and
no error says why. Authors of Functions wrote their own loop over finite differences.

How the 2016 core makes room for it: it is that loop, and `grad` (backward_api.py). The Jacobian of every output with
respect to every input is computed twice: from the differences f(x + eps) - f(x - eps), one for each element of the
input, and from one backward pass for each element of the output. For the second derivative, the function that is
checked is the backward itself, recorded by `create_graph`.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...tensor.base import shown_size, wrap
from ...tensor.dtypes import FLOATING
from ..variable import Variable
from .backward_api import grad
from .jacobians import (  # noqa: F401  # programs import them from this module
    contiguous,
    get_analytical_jacobian,
    get_numerical_jacobian,
    iter_gradients,
    iter_tensors,
    make_jacobian,
    zero_gradients,
)


class GradcheckError(RuntimeError):
    """A backward is incorrect; the message shows both Jacobians."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Variable | Sequence[Any],
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    *,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the gradients of `func(*inputs)` with finite differences.

    Two numbers agree if they differ by at most `atol` + `rtol` times the numerical one.

    Args:
        func: The function to check. It returns a Variable or a tuple; outputs that are not floating are skipped.
        inputs: Its arguments. At least one is a Variable that requires a gradient; these should be double.
        eps: Half the width of the differences.
        atol: The absolute tolerance.
        rtol: The relative tolerance.
        raise_exception: Whether a mismatch raises instead of returning False.
        nondet_tol: By how much the gradients of two backward passes may differ.
        check_undefined_grad: Accepted and ignored: unused outputs always get zeros.
        check_grad_dtypes: Accepted and ignored: a gradient always has the type of its input.
        check_batched_grad: Accepted and ignored.
        check_batched_forward_grad: Only False is accepted.
        check_forward_ad: Only False is accepted.
        check_backward_ad: Whether the gradients are compared at all.
        fast_mode: Whether one random combination of each Jacobian's elements is compared instead of all elements.
        masked: Accepted and ignored.

    Returns:
        Whether all gradients agree.

    Raises:
        GradcheckError: If a gradient does not agree, or two backward passes differ by more than `nondet_tol`.
        NotImplementedError: If forward mode is requested.
        RuntimeError: If elements of an input share memory (after `expand`) or the memory is read-only.
        TypeError: If `func` returns something other than Variables.
        ValueError: If no input requires a gradient.

    Example:
        >>> x = Variable(torch.DoubleTensor([1, 2]))
        >>> torch.autograd.gradcheck(lambda x: x * x, x)
        True
    """
    if check_forward_ad or check_batched_forward_grad:
        raise NotImplementedError(
            "gradcheck: forward mode is not supported, so check_forward_ad and check_batched_forward_grad must be False"
        )
    inputs = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    try:
        _check_inputs(inputs)
        if check_backward_ad:
            _compare(func, inputs, eps, atol, rtol, nondet_tol, fast_mode)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Variable | Sequence[Any],
    grad_outputs: Variable | Sequence[Variable] | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compare the second derivatives of `func(*inputs)` with finite differences of its gradients.

    The gradients are checked as a function of the inputs and of the starting gradients.

    Args:
        func: The function to check, as in `gradcheck`.
        inputs: Its arguments, as in `gradcheck`.
        grad_outputs: The starting gradient for each differentiable output. Default: random numbers.
        eps: Half the width of the differences.
        atol: The absolute tolerance.
        rtol: The relative tolerance.
        gen_non_contig_grad_outputs: Whether the random `grad_outputs` are not contiguous.
        raise_exception: Whether a mismatch raises instead of returning False.
        nondet_tol: By how much the gradients of two backward passes may differ.
        check_undefined_grad: Accepted and ignored.
        check_grad_dtypes: Accepted and ignored.
        check_batched_grad: Accepted and ignored.
        check_fwd_over_rev: Only False is accepted.
        check_rev_over_rev: Whether anything is compared at all.
        fast_mode: As in `gradcheck`.
        masked: Accepted and ignored.

    Returns:
        Whether all second derivatives agree.

    Raises:
        NotImplementedError: If `check_fwd_over_rev` is True: there is no forward mode.
        GradcheckError: As in `gradcheck`, like the other errors.
    """
    if check_fwd_over_rev:
        raise NotImplementedError("gradgradcheck: forward mode is not supported, so check_fwd_over_rev must be False")
    if not check_rev_over_rev:
        return True
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    outputs = _outputs(func, inputs)
    if grad_outputs is None:
        rng, apart = numpy.random.default_rng(0), gen_non_contig_grad_outputs
        grad_outputs = [_random_gradient(rng, output, apart) for output in _differentiable(outputs)]
    starting = tuple(grad_outputs) if isinstance(grad_outputs, (tuple, list)) else (grad_outputs,)
    if len(starting) == len(outputs):  # in 0.2 they were for all outputs
        starting = tuple([start for start, output in zip(starting, outputs) if _differentiable([output])])

    def gradients(*arguments):
        variables, starts = arguments[: len(inputs)], arguments[len(inputs) :]
        outputs = _differentiable(_outputs(func, variables))
        wanted = _requiring(variables)
        if not outputs:
            return ()
        found = grad(outputs, wanted, starts, create_graph=True, allow_unused=True)
        return tuple([gradient for gradient in found if gradient is not None])

    return gradcheck(
        gradients, inputs + starting, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
        nondet_tol=nondet_tol, fast_mode=fast_mode,
    )  # fmt: skip


def _random_gradient(rng, output, apart):
    shape = output.data.array.shape
    numbers = rng.standard_normal((*shape, 2))[..., 0] if apart else rng.standard_normal(shape)
    dtype = output.data.array.dtype
    return Variable(wrap(numbers if numbers.dtype == dtype else numbers.astype(dtype)), requires_grad=True)


def _requiring(arguments):
    return [argument for argument in arguments if isinstance(argument, Variable) and argument.requires_grad]


def _check_inputs(inputs):
    if not _requiring(inputs):
        raise ValueError("gradcheck: none of the inputs is a Variable that requires a gradient")
    for position, variable in enumerate(inputs):
        if not isinstance(variable, Variable) or not variable.requires_grad:
            continue
        array = variable.data.array
        if array.dtype != numpy.float64:
            warnings.warn(
                f"gradcheck: input {position} is a {variable.data.type()}; below double precision, differences are "
                "mostly rounding errors and will hardly agree with the gradient",
                stacklevel=4,
            )
        if array.size and any([stride == 0 and size > 1 for stride, size in zip(array.strides, array.shape)]):
            raise RuntimeError(
                f"gradcheck: several elements of input {position} share one place in memory and cannot be changed "
                "separately; call contiguous() on it first"
            )
        if not array.flags.writeable:
            raise RuntimeError(f"gradcheck: the memory of input {position} is read-only; clone it first")


def _outputs(func, inputs):
    outputs = func(*inputs)
    outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    for number, output in enumerate(outputs):
        if not isinstance(output, Variable):
            raise TypeError(f"gradcheck: func must return Variables, got {type(output).__name__} as output {number}")
    return outputs


def _differentiable(outputs):
    return [output for output in outputs if output.requires_grad and output.data.array.dtype in FLOATING]


def _values(func, inputs):
    """Return copies of the floating outputs: an output may be a view of the input that is about to change."""
    outputs = _outputs(func, inputs)
    return [numpy.array(out.data.array, numpy.float64) for out in outputs if out.data.array.dtype in FLOATING]


def _changes(func, inputs, array, index, step):
    """Return the change of each floating output when `array[index]`, of an input, goes from -`step` to +`step`."""
    before, step = array[index].copy(), array.dtype.type(step)
    array[index] = before + step
    above = _values(func, inputs)
    array[index] = before - step
    below = _values(func, inputs)
    array[index] = before
    return [a - b for a, b in zip(above, below)]


# --- the two Jacobians, of shape (elements of the input, elements of the output)


def _numerical(func, inputs, variable, eps):
    """Return one Jacobian for each floating output, from differences."""
    array = variable.data.array
    rows = []
    for index in numpy.ndindex(array.shape):
        rows.append([(change / (2 * eps)).ravel() for change in _changes(func, inputs, array, index, eps)])
    if not rows:
        return [numpy.zeros((0, value.size)) for value in _values(func, inputs)]
    return [numpy.stack(column) for column in zip(*rows)]


def _analytical(output, variables):
    """Return one Jacobian for each of `variables`, from one backward pass for each element of the output."""
    columns = [[] for _ in variables]
    for index in numpy.ndindex(output.data.array.shape):
        start = numpy.zeros(output.data.array.shape, output.data.array.dtype)
        start[index] = 1
        for column, gradient in zip(columns, _gradients(output, variables, start)):
            column.append(gradient.ravel())
    sizes = [variable.data.array.size for variable in variables]
    return [numpy.stack(column, 1) if column else numpy.zeros((size, 0)) for column, size in zip(columns, sizes)]


def _gradients(output, variables, start):
    if not output.requires_grad:
        return [numpy.zeros(variable.data.array.shape) for variable in variables]
    return [gradient.data.array for gradient in grad(output, variables, wrap(start), materialize_grads=True)]


def _compare(func, inputs, eps, atol, rtol, nondet_tol, fast_mode):
    variables = _requiring(inputs)
    outputs = [out for out in _outputs(func, inputs) if out.data.array.dtype in FLOATING]
    if fast_mode and _combinations_agree(func, inputs, variables, outputs, eps, atol, rtol):
        return
    numerical = [_numerical(func, inputs, variable, eps) for variable in variables]
    for number, output in enumerate(outputs):
        analytical, again = _analytical(output, variables), _analytical(output, variables)
        for position, variable in enumerate(variables):
            where = f"output {number} with respect to input {_position(inputs, variable)}"
            expected, found = numerical[position][number], analytical[position]
            if not _close(found, expected, atol, rtol):
                raise GradcheckError(_mismatch(where, expected, found))
            if not _close(again[position], found, nondet_tol, 0):
                raise GradcheckError(
                    f"Backward is not reentrant: two runs give Jacobians of {where} that differ by "
                    f"{abs(again[position] - found).max()}, more than nondet_tol={nondet_tol}"
                )


def _position(inputs, variable):
    return next(position for position, argument in enumerate(inputs) if argument is variable)


def _close(found, expected, atol, rtol):
    return bool(numpy.all(abs(found - expected) <= atol + rtol * abs(expected)))


def _mismatch(where, numerical, analytical):
    with numpy.errstate(invalid="ignore"):
        difference = numpy.nan_to_num(abs(numerical - analytical), nan=numpy.inf)
    row, column = numpy.unravel_index(difference.argmax(), difference.shape)
    return (
        f"Jacobian mismatch for {where},\n"
        f"numerical:{wrap(numerical)!r}\nanalytical:{wrap(numpy.asarray(analytical, numpy.float64))!r}\n"
        f"They differ most at element {row} of the input and {column} of the output: {numerical[row, column]} and "
        f"{analytical[row, column]} (both Jacobians have the size {shown_size(numerical.shape)}, inputs by outputs)."
    )


def _combinations_agree(func, inputs, variables, outputs, eps, atol, rtol):
    """Return whether uᵀJv is the same for both Jacobians, for every input and output, with random positive u and v.

    If not, the whole Jacobians are compared, which finds the elements and decides.
    """
    rng = numpy.random.default_rng(0)
    rights = [_direction(rng, output.data.array.shape) for output in outputs]
    lefts = [_direction(rng, variable.data.array.shape) for variable in variables]
    slopes = []
    for variable, left in zip(variables, lefts):
        changes = _changes(func, inputs, variable.data.array, ..., eps * left)
        slopes.append([(change / (2 * eps) * right).sum() for change, right in zip(changes, rights)])
    for number, (output, right) in enumerate(zip(outputs, rights)):
        gradients = _gradients(output, variables, right.astype(output.data.array.dtype))
        for position, (gradient, left) in enumerate(zip(gradients, lefts)):
            allowed = atol * left.sum() * right.sum()
            if not _close((gradient * left).sum(), slopes[position][number], allowed, rtol):
                return False
    return True


def _direction(rng, shape):
    numbers = rng.uniform(0.1, 1.0, shape)
    return numbers / max(numpy.sqrt((numbers**2).sum()), 1e-300)
