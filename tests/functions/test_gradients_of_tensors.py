"""Some backwards compute on arrays where their gradient is a Tensor, and record operations where it is a Variable.

Both give the same numbers to the bit.
"""

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import Variable, grad

_random = numpy.random.default_rng(5)


def variable(*shape, dtype="float64"):
    return Variable(torch.from_numpy(_random.standard_normal(shape).astype(dtype)), requires_grad=True)


def linear(dtype, rows):
    x, w, b = variable(rows, 7, dtype=dtype), variable(5, 7, dtype=dtype), variable(5, dtype=dtype)
    return nn.functional.linear(x, w, b), [x, w, b]


def linear_of_batches(dtype, rows):
    x, w = variable(rows, 2, 7, dtype=dtype), variable(5, 7, dtype=dtype)
    return nn.functional.linear(x, w), [x, w]


def mm(dtype, rows):
    a, b = variable(rows, 6, dtype=dtype), variable(6, 4, dtype=dtype)
    return a.mm(b), [a, b]


def relu(dtype, rows):
    x = variable(rows, 9, dtype=dtype)
    x.data[0, 0], x.data[1, 1], x.data[2, 2] = float("nan"), 0.0, -0.0
    return nn.functional.relu(x), [x]


def total(dtype, rows):
    x = variable(rows, 9, dtype=dtype)
    return x.sum().mul(x.mean()), [x]


def loss(module):
    def of_module(dtype, rows):
        x, target = variable(rows, 9, dtype=dtype), variable(rows, 9, dtype=dtype)
        return module(x, target), [x, target]

    return of_module


PROGRAMS = {
    "Linear": linear,
    "Linear of batches": linear_of_batches,
    "Mm": mm,
    "ReLU": relu,
    "Sum": total,
    "MSELoss": loss(nn.MSELoss()),
    "MSELoss, sum": loss(nn.MSELoss(size_average=False)),
    "MSELoss, none": loss(nn.MSELoss(reduction="none")),
    "L1Loss": loss(nn.L1Loss()),
    "SmoothL1Loss": loss(nn.SmoothL1Loss()),
}


@pytest.mark.parametrize("rows", [4, 40, 5000])  # below and above the sizes from which memory is used again
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_tensors_and_variables_give_the_same_gradients(program, dtype, rows):
    output, inputs = PROGRAMS[program](dtype, rows)
    start = torch.from_numpy(_random.standard_normal(output.data.size()).astype(dtype))
    recorded = grad(output, inputs, start, create_graph=True)
    for plain, variable in zip(grad(output, inputs, start), recorded, strict=True):
        numpy.testing.assert_array_equal(plain.numpy(), variable.data.numpy())
        assert plain.numpy().flags.c_contiguous


def test_the_gradient_of_relu_passes_where_the_input_is_nan():
    # Modern torch: grad where not (result <= 0).
    x = Variable(torch.Tensor([float("nan"), -1.0, 0.0, 2.0]), requires_grad=True)
    (gradient,) = grad(nn.functional.relu(x), x, torch.Tensor([3.0, float("inf"), 5.0, 7.0]))
    assert gradient.tolist() == [3.0, 0.0, 0.0, 7.0]
