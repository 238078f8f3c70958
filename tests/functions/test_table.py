"""Every case of the table: against numerical derivatives and modern torch, in both floating types, in odd layouts."""

import importlib
import pkgutil

import numpy
import pytest
import torch
from steps import every_step

import legacy_autograd.autograd.functions
from legacy_autograd import conventions
from legacy_autograd.autograd.function import Function
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.tensor.base import wrap

from .table import all_bases, all_cases, cases_by_function

# 1/0 is inf without a word: the package has a filter for numpy's warnings, which pytest sets aside.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def is_floating(array):
    return array.dtype.kind == "f"


def variables_of(arrays):
    return [Variable(wrap(array), requires_grad=is_floating(array)) for array in arrays]


def weights_for(outputs):
    """What each output is multiplied with to make one number: no two elements count the same."""
    return [0.3 + numpy.cos(numpy.arange(size, dtype=float)).reshape(shape) for shape, size in outputs]


def ours(case, arrays, weights=None):
    """Outputs and gradients, as arrays; `weights` are the gradients of the floating outputs."""
    variables = variables_of(arrays)
    outputs = case.call(*variables)
    differentiable = [out for out in outputs if is_floating(out.data.array)]
    if weights is None:
        weights = weights_for([(out.data.array.shape, out.numel()) for out in differentiable])
    gradients = [wrap(numpy.asarray(w, out.data.array.dtype)) for w, out in zip(weights, differentiable)]
    if len(differentiable) == 1 and differentiable[0].requires_grad:
        differentiable[0].backward(gradients[0])
    elif differentiable and differentiable[0].requires_grad:
        total = 0
        for out, gradient in zip(differentiable, gradients):
            total = total + (out * Variable(gradient, requires_grad=False)).sum()
        total.backward()
    return (
        [out.data.array for out in outputs],
        [v.grad.array if v.requires_grad else None for v in variables],
        weights,
    )


def tensors_of(arrays):
    """Modern torch's."""
    tensors = []
    for array in arrays:
        tensor = torch.from_numpy(numpy.array(array))
        tensors.append(tensor.bool() if array.dtype == numpy.uint8 else tensor.requires_grad_(is_floating(array)))
    return tensors


def theirs(case, arrays, weights):
    """The same from modern torch."""
    tensors = tensors_of(arrays)
    outputs = case.expected(*tensors)
    differentiable = [out for out in outputs if out.is_floating_point()]
    if any(out.requires_grad for out in differentiable):
        torch.autograd.backward(
            differentiable,
            [torch.tensor(w, dtype=out.dtype).reshape(out.shape) for w, out in zip(weights, differentiable)],
        )
    gradients = []
    for tensor in tensors:
        wanted = tensor.requires_grad
        gradients.append((torch.zeros_like(tensor) if tensor.grad is None else tensor.grad).numpy() if wanted else None)
    return [out.detach().numpy() for out in outputs], gradients


def agree(ours, theirs, rtol, what):
    if theirs is None:
        assert ours is None, what
        return
    theirs = theirs.reshape(1) if theirs.ndim == 0 else theirs  # v0.1.x has no zero-dimensional tensors
    theirs = theirs.astype(numpy.uint8) if theirs.dtype == bool else theirs
    assert ours.shape == theirs.shape, what
    assert ours.dtype == theirs.dtype, what
    scale = numpy.abs(theirs[numpy.isfinite(theirs)]).max(initial=1e-3)
    numpy.testing.assert_allclose(ours, theirs, rtol=rtol, atol=rtol * scale * 0.1, err_msg=what)


def compare(case, arrays, rtol, weights=None):
    outputs, gradients, weights = ours(case, arrays, weights)
    expected_outputs, expected_gradients = theirs(case, arrays, weights)
    assert len(outputs) == len(expected_outputs)
    for number, (output, expected) in enumerate(zip(outputs, expected_outputs)):
        agree(output, expected, rtol, f"output {number}")
    for number, (gradient, expected) in enumerate(zip(gradients, expected_gradients)):
        agree(gradient, expected, rtol, f"gradient of input {number}")
    return weights


def values_and_gradients_are_modern_torchs(case):
    compare(case, case.arrays(), rtol=1e-10)


def in_single_precision(case):
    arrays = [array.astype(numpy.float32) if is_floating(array) else array for array in case.arrays()]
    compare(case, arrays, rtol=2e-5)


# In halves torch rounds within these operations, so that large numbers overflow there and not here.
ROUNDED_WITHIN = {"Addbmm", "Addcdiv", "Bilinear", "CrossMapLRN2d", "Cumprod", "Prod"}


NO_HALVES = {"Inverse"}  # LAPACK has none
# Which kernel torch has for these in halves depends on the processor; some round within. So do the operations of
# torch that are compared with recurrent gates and layers. The expected values are torch's floats, rounded.
IN_FLOATS = {"Conv1d", "Conv2d", "Conv3d", "ConvTranspose", "ConvWeight"}
IN_FLOATS |= {"GRUGates", "GRULayer", "LSTMGates", "LSTMLayer", "RNNReLULayer", "RNNTanhLayer"}


def in_half_precision(case):
    """As they are and 300 times as large, where sums, squares and products overflow unless they are floats."""
    for scale in (1, 300):
        arrays = [(scale * array).astype(numpy.float16) if is_floating(array) else array for array in case.arrays()]
        if scale > 1 and case.function.__name__ in (ROUNDED_WITHIN | {"BCELoss"}):  # BCELoss takes 0 to 1
            continue
        outputs, gradients, weights = ours(case, arrays)
        try:
            in_floats = case.function.__name__ in IN_FLOATS
            given = [array.astype(numpy.float32) if in_floats and is_floating(array) else array for array in arrays]
            expected_outputs, expected_gradients = theirs(case, given, weights)
        except (RuntimeError, NotImplementedError) as error:
            assert "not implemented for 'Half'" in str(error) or "Half" in str(error), error
            return
        for ours_, theirs_ in zip([*outputs, *gradients], [*expected_outputs, *expected_gradients]):
            if in_floats and theirs_ is not None:
                with numpy.errstate(over="ignore"):
                    theirs_ = theirs_.astype(numpy.float16)
            agree(ours_, theirs_, 1e-2, f"in halves, times {scale}")


def scattered(array):
    """The same numbers, not side by side in memory."""
    if array.ndim > 1:
        return numpy.asfortranarray(array)
    spread = numpy.zeros(2 * array.size, array.dtype)
    spread[::2] = array
    return spread[::2]


def inputs_and_gradient_that_are_not_contiguous(case):
    arrays = [scattered(array) for array in case.arrays()]
    outputs = case.call(*variables_of(arrays))
    repeated = [numpy.broadcast_to(0.7, out.size()) for out in outputs if is_floating(out.data.array)]
    compare(case, arrays, rtol=1e-10, weights=repeated)


def two_directions(array):
    rng = numpy.random.default_rng(0)
    return [rng.choice([-1, 1], array.shape) * rng.uniform(0.5, 1, array.shape) for _ in range(2)]


def every_element(array):
    return numpy.eye(array.size).reshape(array.size, *array.shape)


def gradient_is_the_numerical_derivative(case, directions_of=two_directions):
    """Along two directions for each input, in which every element has its part: half its step or more."""
    arrays = case.arrays()
    _, gradients, weights = ours(case, arrays)

    def value():
        inputs = [Variable(wrap(array), requires_grad=False) for array in arrays]
        outputs = [out.data.array for out in case.call(*inputs) if is_floating(out.data.array)]
        return sum([float((output * weight).sum()) for output, weight in zip(outputs, weights)])

    for array, gradient in zip(arrays, gradients):
        if gradient is None or not gradient.size:
            continue
        for direction in directions_of(array):
            expected = derivative(value, array, direction)
            numpy.testing.assert_allclose(
                (gradient * direction).sum(), expected, rtol=1e-7, atol=1e-8 * size_of(gradient)
            )


def size_of(gradient):
    return numpy.abs(gradient).max(initial=1e-3)


def derivative(value, array, direction, step=1e-3):
    """The central difference of four points, whose error is of the order of step⁴."""
    start, differences = array.copy(), []
    for distance in (step, 2 * step):
        array[...] = start + distance * direction
        above = value()
        array[...] = start - distance * direction
        differences.append(above - value())
    array[...] = start
    return (8 * differences[0] - differences[1]) / (12 * step)


def nothing_is_written_to(case):
    """Neither the inputs nor the gradient handed in, which is read-only; and a second backward gives the same again.

    The engine copies gradients for a user's Functions alone, because those of the package never write into one.
    """
    arrays = case.arrays()
    variables = variables_of(arrays)
    outputs = [out for out in case.call(*variables) if is_floating(out.data.array) and out.requires_grad]
    gradients = [wrap(numpy.ones(out.size(), out.data.array.dtype)) for out in outputs]
    for out, gradient in zip(outputs, gradients):
        gradient.array.flags.writeable = False
        out.backward(gradient)
    once = [v.grad.array.copy() for v in variables if v.requires_grad]
    for v in variables:
        if v.requires_grad:
            v.grad.zero_()  # three outputs' gradients added to those of before would be rounded differently
    for out, gradient in zip(outputs, gradients):
        out.backward(gradient)
        assert (gradient.array == 1).all()
    for array, unchanged in zip(arrays, case.arrays()):
        numpy.testing.assert_array_equal(array, unchanged)
    again = [v.grad.array for v in variables if v.requires_grad]
    for first, second in zip(once, again):
        numpy.testing.assert_array_equal(first, second)


VIEWS = {
    "Chunk", "Expand", "Index", "Narrow", "Permute", "Resize", "Select", "Split", "Squeeze", "Transpose", "Unfold",
    "Unsqueeze", "View",
}  # fmt: skip


def only_views_share_memory_with_the_inputs(case):
    """A view knows its base, so that a write to one counts for both. An input itself is no output."""
    variables = variables_of(case.arrays())
    for out in case.call(*variables):
        shared = [v.data for v in variables if numpy.shares_memory(out.data.array, v.data.array)]
        assert not shared or case.function.__name__ in VIEWS and out.data._base is shared[0], case


def steps_of(case):
    """The checks that a case runs; the fields of Case say which of them its Function cannot pass."""
    yield values_and_gradients_are_modern_torchs
    yield in_single_precision
    if case.function.__name__ not in NO_HALVES:
        yield in_half_precision
    if not case.contiguous:
        yield inputs_and_gradient_that_are_not_contiguous
    if case.numerical:
        yield gradient_is_the_numerical_derivative
    yield nothing_is_written_to
    yield only_views_share_memory_with_the_inputs


CASES = cases_by_function()


@pytest.mark.parametrize("function", CASES)
def test_function(function):
    with every_step() as step:
        for case in CASES[function]:
            for check in steps_of(case):
                with step(f"{case}, {check.__name__}"):
                    check(case)


@pytest.mark.slow
@pytest.mark.parametrize("function", CASES)
def test_every_element_of_the_gradient_is_the_numerical_derivative(function):
    with every_step() as step:
        for case in CASES[function]:
            if case.numerical:
                with step(str(case)):
                    gradient_is_the_numerical_derivative(case, every_element)


def test_every_function_has_a_case():
    package = legacy_autograd.autograd.functions
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
    functions, queue = set(), [Function]
    while queue:
        for function in queue.pop().__subclasses__():
            queue.append(function)
            if function.__module__.startswith(package.__name__ + "."):
                functions.add(function.__name__)
    assert sorted(functions - set(CASES) - all_bases()) == [], "Functions without a case in a table_*.py"
    assert not all_bases() & set(CASES)


def gradients(case):
    variables = variables_of(case.arrays())
    outputs = case.call(*variables)
    for out in outputs if isinstance(outputs, tuple) else (outputs,):
        if out.requires_grad and is_floating(out.data.array):
            out.backward(out.data.clone().fill_(1))
    grads = [variable.grad for variable in variables if variable.requires_grad]
    return [None if grad is None else getattr(grad, "data", grad).array for grad in grads]


@pytest.fixture(scope="module")
def known():
    """Pairs of a case and its gradients under `import`."""
    cases = [case for case in all_cases() if str(case) != "Stack(-1)-2x3 2x3"]  # where -1 is depends on conventions
    return [(case, gradients(case)) for case in cases if all(array.size for array in case.arrays())]


@pytest.mark.parametrize("version", sorted({**conventions.ERAS, **conventions.OTHERS}.keys() - {"import"}))
def test_gradients_are_the_same_under_all_conventions(version, known, monkeypatch):
    """Conventions change what a program's calls mean, and must not change what a Function computes with."""
    monkeypatch.setattr(conventions, "era", conventions.column(version))
    for case, wanted in known:
        for found, array in zip(gradients(case), wanted, strict=True):
            if found is not None and array is not None:  # what a comparison sends back is zeros or nothing
                numpy.testing.assert_array_equal(found, array, str(case))
