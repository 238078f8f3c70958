"""The order of results in memory: C order, whatever the order of the inputs, unless a result is a view of an input.

Operations on Tensors rely on it: they do not look at the order of a Tensor that is not a view.
"""

import numpy
import pytest

from legacy_autograd.autograd.variable import Variable
from legacy_autograd.tensor.wrapping import wrap_in_any_order

from .table import cases_by_function
from .test_table import is_floating

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

CASES = cases_by_function(lambda case: not case.contiguous and any(array.ndim > 1 for array in case.arrays()))


def in_fortran_order(array):
    return Variable(wrap_in_any_order(numpy.asfortranarray(array)), requires_grad=is_floating(array))


def check(tensor, operands, what):
    if tensor._base is None and not any(tensor is operand for operand in operands):
        assert tensor.array.flags.c_contiguous, what


@pytest.mark.parametrize("name", CASES)
def test_results_and_gradients_are_in_c_order(name):
    for case in CASES[name]:
        inputs = [in_fortran_order(array) for array in case.arrays()]
        outputs = case.call(*inputs)
        tensors = [variable.data for variable in inputs]
        for number, output in enumerate(outputs):
            check(output.data, tensors, f"{case}: output {number}")
        if all(not output.requires_grad for output in outputs):
            continue
        gradients = [in_fortran_order(numpy.ones(output.data.array.shape)).data for output in outputs]
        function = next(output.creator for output in outputs if output.requires_grad)
        for number, gradient in enumerate(function._do_backward(*gradients)):
            if gradient is not None:
                check(gradient, [*tensors, *gradients, *(function._saved or ())], f"{case}: gradient {number}")
