"""Every Function of the package can be differentiated twice: over the table in tests/functions.

That table is complete, which a test there sees to. It holds every Function to its first derivative.

Each case is compared with modern torch, which shows an error in any single element, and with differences along one
random direction in three layouts, which need no other library. The differences of each element by itself, whose time
grows with the square of the size, run in `make test-all`.
"""

import numpy
import pytest
import torch
from functions.table import cases_by_function
from functions.test_table import agree, is_floating, tensors_of, variables_of
from steps import every_step

from legacy_autograd.autograd import grad
from legacy_autograd.autograd.later.gradcheck import gradgradcheck
from legacy_autograd.autograd.leaf import Leaf
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.tensor.base import wrap

CASES = cases_by_function(lambda case: case.numerical)


def spread_out(array):
    """The same numbers with gaps between them."""
    wide = numpy.zeros([2 * size for size in array.shape] + [2], array.dtype)
    view = wide[(*[slice(None, None, 2)] * array.ndim, 1)]
    view[...] = array
    return view


LAYOUTS = (numpy.ascontiguousarray, numpy.asfortranarray, spread_out)


def random(values, seed):
    """Random numbers of the size of `values`, which are of either library."""
    return numpy.random.default_rng(seed).normal(size=tuple(values.size()))


def second_derivatives(grad, inputs, outputs, starts, weight):
    """The gradients of the weighted sum of all first derivatives by each of `inputs` and `starts`; None for zeros.

    `starts` are the gradients that the first backward begins with, one for each of `outputs`.
    """
    inputs = [x for x in inputs if x.requires_grad]
    wanted = [*inputs, *starts]
    roots = [(output, start) for output, start in zip(outputs, starts) if output.requires_grad]
    if not roots:
        return [None] * len(wanted)
    outputs, starts = zip(*roots)
    first = grad(outputs, inputs, starts, create_graph=True, allow_unused=True)
    assert all(g is None or g.size() == x.size() for g, x in zip(first, inputs))
    recorded = [(g, weight(g, 100 + number)) for number, g in enumerate(first) if g is not None and g.requires_grad]
    if not recorded:
        return [None] * len(wanted)
    first, weights = zip(*recorded)
    return grad(first, wanted, weights, allow_unused=True)


def ours(case):
    inputs = variables_of(case.arrays())
    outputs = [out for out in case.call(*inputs) if is_floating(out.data.array)]
    starts = [Variable(wrap(random(out, number)), requires_grad=True) for number, out in enumerate(outputs)]
    found = second_derivatives(grad, inputs, outputs, starts, lambda g, seed: wrap(random(g, seed)))
    return [None if g is None else g.array for g in found]


def theirs(case):
    inputs = tensors_of(case.arrays())
    outputs = [out for out in case.expected(*inputs) if out.is_floating_point()]
    starts = [torch.tensor(random(out, number), requires_grad=True) for number, out in enumerate(outputs)]
    found = second_derivatives(
        torch.autograd.grad, inputs, outputs, starts, lambda g, seed: torch.from_numpy(random(g, seed))
    )
    # A gradient of which torch knows that it is 0 has no memory that numpy could look at.
    return [None if g is None or g._is_zerotensor() else g.numpy() for g in found]


def is_differentiable(case):
    return any(out.requires_grad for out in case.call(*variables_of(case.arrays())))


def compare_with_modern_torch(case):
    once, again, expected = ours(case), ours(case), theirs(case)
    assert len(once) == len(expected)
    for number, (one, two, other) in enumerate(zip(once, again, expected)):
        numpy.testing.assert_equal(one, two, "run twice")
        if one is None and other is None:
            continue
        one, other = [
            numpy.zeros_like(pair[1]) if pair[0] is None else pair[0] for pair in ((one, other), (other, one))
        ]
        agree(one, other, 1e-9, f"second derivative {number}")


def recorded_gradients_depend_on_nothing_else(case):
    """A leaf that a backward makes for itself, for a constant, requires no gradient, which no program could read."""
    inputs = variables_of(case.arrays())
    outputs = [out for out in case.call(*inputs) if is_floating(out.data.array) and out.requires_grad]
    starts = [Variable(wrap(random(out, number)), requires_grad=True) for number, out in enumerate(outputs)]
    gradients = grad(outputs, [x for x in inputs if x.requires_grad], starts, create_graph=True, allow_unused=True)
    known = {x.creator for x in (*inputs, *starts)}
    found = {g.creator for g in gradients if g is not None}
    functions = list(found)
    for function in functions:
        new = {source for source, _ in function.previous_functions} - found
        found |= new
        functions += new
    assert not [f for f in found if isinstance(f, Leaf) and f.requires_grad and f not in known]


def compare_with_differences(case, layout, **options):
    variables = [Variable(wrap(layout(a)), requires_grad=is_floating(a)) for a in case.arrays()]
    assert gradgradcheck(case.call, variables, atol=1e-4, **options)


each_function = pytest.mark.parametrize("function", CASES)


@each_function
def test_second_derivative(function):
    with every_step() as step:
        for case in filter(is_differentiable, CASES[function]):
            with step(f"{case}, modern torch"):
                compare_with_modern_torch(case)
            with step(f"{case}, nothing else"):
                recorded_gradients_depend_on_nothing_else(case)
            for layout in LAYOUTS[: 1 if case.contiguous else 3]:
                with step(f"{case}, differences, {layout.__name__}"):
                    compare_with_differences(case, layout, fast_mode=True)


@pytest.mark.slow
@each_function
def test_second_derivative_by_every_element(function):
    with every_step() as step:
        for case in filter(is_differentiable, CASES[function]):
            with step(str(case)):
                compare_with_differences(case, numpy.ascontiguousarray)
