"""The local derivatives that a trace keeps for the page's free choice: the numbers, and when there are none."""

import numpy
import pytest

from legacy_autograd import drawing, nn
from legacy_autograd.autograd import Function, Variable
from legacy_autograd.autograd.engine import ExecutionEngine
from legacy_autograd.autograd.functions import cat
from legacy_autograd.autograd.later.graph import saved_tensors_hooks
from legacy_autograd.drawing import derivatives
from legacy_autograd.tensor import Tensor

from .graphs import diamond, variable

OPERATIONS = {
    "sub": (lambda a, b: a - b, [[2, 3], [4, 5]]),
    "broadcast": (lambda a, b: a * b, [[[2.0, 3], [4, 5]], [6, 7]]),
    "div": (lambda a, b: a / b, [[2, 3], [4, 5]]),
    "pow": (lambda a, b: a**b, [[2, 3], [1.5, 2]]),
    "sin": (lambda a: a.sin(), [[0.3, 1.2]]),
    "sum": (lambda a: a.sum(), [[1, 2, 3]]),
    "matrices": (lambda a, b: a.mm(b), [[[1, 2, 3], [4, 5, 6]], [[1, 2], [3, 4], [5, 6]]]),
    "transpose": (lambda a: a.t(), [[[1, 2, 3], [4, 5, 6]]]),
    "cat": (lambda a, b: cat([a, b], 0), [[1, 2], [3, 4, 5]]),
    "chunk": (lambda a: a.chunk(2, 0), [[1, 2, 3, 4]]),
    "softmax": (lambda a: nn.functional.softmax(a), [[[0.2, 1, -1]]]),
    "relu": (lambda a: nn.functional.relu(a), [[-1, 2, 3]]),
}


def numerical(operation, inputs, position, output_nr, step=1e-6):
    """The Jacobian of one output by one input, by central differences: a row for each element of the output."""
    columns = []
    for element in range(inputs[position].size):
        values = []
        for sign in (1, -1):
            changed = [array.copy() for array in inputs]
            changed[position].flat[element] += sign * step
            result = operation(*[Variable(Tensor(array)) for array in changed])
            result = result if isinstance(result, tuple) else (result,)
            values.append(result[output_nr].data.array.ravel())
        columns.append((values[0] - values[1]) / (2 * step))
    return numpy.array(columns).T


@pytest.mark.parametrize("name", OPERATIONS)
def test_jacobians_are_those_of_numerical_differentiation(name):
    operation, numbers = OPERATIONS[name]
    inputs = [numpy.array(values, dtype=float) for values in numbers]
    result = operation(*[Variable(Tensor(array)) for array in inputs])
    outputs = result if isinstance(result, tuple) else (result,)
    function = outputs[0].creator
    units = [derivatives.units(output.data.array.shape, float) for output in outputs]
    found = derivatives.jacobians(function, units, inputs, lambda source, gradient: gradient.array.ravel().tolist())
    assert len(found) == len(inputs)
    for position, by_output in enumerate(found):
        assert len(by_output) == len(outputs)
        for output_nr, rows in enumerate(by_output):
            expected = numerical(operation, inputs, position, output_nr)
            numpy.testing.assert_allclose(numpy.array(rows), expected, rtol=1e-6, atol=1e-8)


def test_of_the_diamond_worked_out_by_hand():
    x, y, z = diamond()  # x = 2, y = 3, z = x * y + (x + y)
    x.grad = Tensor([10.0])
    trace = drawing.trace_backward(z, Tensor([5.0]))
    assert trace.derivatives == {
        "root": 5,
        "recorded": {},
        "bases": {},
        "seed": [[5.0]],
        "held": {1: [10.0], 2: [0.0]},
        "jacobians": {3: [[[[3.0]]], [[[2.0]]]], 4: [[[[1.0]]], [[[1.0]]]], 5: [[[[1.0]]], [[[1.0]]]]},
    }
    assert type(trace).from_json(trace.to_json()).derivatives == trace.derivatives


def test_an_input_without_a_gradient_has_none():
    x, y = variable(2.0), variable(3.0, requires_grad=False)
    assert drawing.trace_backward(x * y).derivatives["jacobians"] == {3: [[[[3.0]]], None]}


def test_collecting_them_changes_nothing_and_works_where_saved_tensors_are_freed():
    x, y, z = diamond()
    trace = drawing.trace_backward(z, retain_variables=False)
    assert (x.grad.tolist(), y.grad.tolist()) == ([4.0], [3.0])
    assert len(trace.derivatives["jacobians"]) == 3


class Square(Function):
    calls = 0

    def forward(self, x):
        self.save_for_backward(x)
        return x.mul(x)

    def backward(self, grad):
        type(self).calls += 1
        (x,) = self.saved_tensors
        return grad.mul(x).mul(2)


def test_a_users_function_is_not_run_again_and_what_it_returned_is_kept():
    before = Square.calls
    (y,) = Square()(variable(3.0))
    found = drawing.trace_backward(y).derivatives
    assert (found["recorded"], found["jacobians"]) == ({2: [[6.0]]}, {}), "2 * 3"
    assert Square.calls == before + 1


def test_what_a_hook_made_of_a_gradient_is_kept():
    x = variable(3.0)
    y = x * 2
    y.register_hook(lambda grad: grad.mul(5))
    x.register_hook(lambda grad: grad.mul(7))
    found = drawing.trace_backward(y * 3).derivatives
    # y receives 3; its hook makes it 15, so x receives 30, and the hook of x makes that 210
    assert found["recorded"] == {1: [[210.0]], 2: [[30.0]]}
    assert found["jacobians"] == {3: [[[[3.0]]]]}


def test_saved_tensors_that_a_hook_unpacks_are_not_unpacked_again():
    calls = []
    with saved_tensors_hooks(lambda tensor: tensor, lambda tensor: calls.append(tensor) or tensor):
        y = variable(3.0) * variable(2.0)
    found = drawing.trace_backward(y).derivatives
    assert found["recorded"] == {3: [[2.0], [3.0]]} and len(calls) == 2


def test_a_larger_tensor_has_the_gradients_of_all_paths_as_its_basis():
    x = variable(*map(float, range(8)))
    z = (x * x + x).sum()  # three paths to x: with the gradients x, x and 1
    found = drawing.trace_backward(z).derivatives
    (basis,) = found["bases"][1]
    numbers = [vector["values"] for vector in basis["vectors"]]
    ones, own = [1.0] * 8, list(map(float, range(8)))
    assert sorted(numbers) == sorted([[0.0] * 8, ones, own, own]), "the first is x.grad before"
    assert basis["gram"] == (numpy.array(numbers) @ numpy.array(numbers).T).tolist()
    assert [vector["mean"] for vector in basis["vectors"]] == [sum(row) / 8 for row in numbers]
    assert sorted(found["jacobians"][2]) == sorted([[[[0, 0, 0, 1]]], [[[0, 0, 1, 0]]]])


def many_paths():
    y = variable(*[1.0] * 7)
    for _ in range(7):
        y = y + y
    return y.sum()


REFUSED = {
    "too_many_paths": (many_paths, {"label": "Leaf #1", "most": derivatives.MOST_PATHS}),
    "not_finite": (lambda: variable(3.0) / 0, {"label": "Leaf #1"}),
}


@pytest.mark.parametrize("why", REFUSED)
def test_the_reason_is_told_where_there_are_none(why):
    build, fields = REFUSED[why]
    assert drawing.trace_backward(build()).derivatives == {"refused": {"why": why, **fields}}


def test_gradients_of_another_engine_are_not_taken_for_correct_ones(monkeypatch):
    class Mine(ExecutionEngine):
        pass

    monkeypatch.setattr(Variable, "_execution_engine", Mine())
    (y,) = Square()(variable(3.0))
    assert drawing.trace_backward(y).derivatives == {"refused": {"why": "own_engine"}}
    assert "jacobians" in drawing.trace_backward(variable(3.0) * 2).derivatives


def test_a_graph_of_too_many_functions_has_none():
    y = variable(1.0)
    for _ in range(derivatives.MOST_FUNCTIONS):
        y = y * 2
    assert drawing.trace_backward(y).derivatives == {"refused": {"why": "too_many", "count": 61, "most": 60}}
