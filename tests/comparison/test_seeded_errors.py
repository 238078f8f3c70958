"""A wrong number put into one operation on purpose is found, and found in that operation."""

import pytest

pytest.importorskip("torch", reason="the comparison needs modern torch")

from legacy_autograd.autograd import functions  # noqa: E402
from legacy_autograd.autograd.engine import ExecutionEngine  # noqa: E402
from legacy_autograd.autograd.functions import activation, conv, linear, loss, normalization, pooling, rnn  # noqa: E402
from legacy_autograd.comparison import side_by_side  # noqa: E402

from .programs import PROGRAMS  # noqa: E402

# (operation, a program that uses it)
SEEDS = [
    (functions.Mul, "diamond"),
    (functions.Exp, "diamond"),
    (functions.Sin, "diamond"),
    (functions.Mm, "linear_regression"),
    (functions.Abs, "linear_regression"),
    (functions.PowConstant, "polynomial"),
    (functions.Sigmoid, "lstm_by_hand"),
    (functions.Chunk, "parts"),
    (functions.Concat, "parts"),
    (functions.Sort, "maxima"),
    (functions.Index, "indexing"),
    (functions.Gather, "index_tensors"),
    (functions.Norm, "statistics"),
    (functions.Bmm, "products"),
    (functions.LogSoftmax, "embedded"),
    (conv.Conv2d, "lenet"),
    (pooling.MaxPool2d, "lenet"),
    (activation.ReLU, "lenet"),
    (linear.Linear, "lenet"),
    (linear.Embedding, "embedded"),
    (loss.NLLLoss, "embedded"),
    (normalization.BatchNorm, "normalized_and_dropped"),
    (rnn.LSTMGates, "lstm_over_five_steps"),
]


def slightly_wrong(method):
    """`method`, with every gradient that it returns 0.05 % too large."""

    def wrong(self, *gradients):
        result = method(self, *gradients)
        scaled = [None if g is None else g.mul(1.0005) for g in (result if isinstance(result, tuple) else (result,))]
        return tuple(scaled)

    return wrong


@pytest.mark.parametrize("operation, name", SEEDS, ids=[f"{op.__name__}-{name}" for op, name in SEEDS])
def test_a_wrong_backward_is_located(operation, name, monkeypatch):
    monkeypatch.setattr(operation, "backward", slightly_wrong(operation.backward))
    function, inputs = PROGRAMS[name]
    comparison = side_by_side(function, *inputs)
    assert not comparison.agrees and not comparison.gradients_agree
    row = comparison.rows[comparison.first_number - 1]
    assert row.here.split(" + ")[0] == operation.__name__, comparison.first_difference
    assert f"the backward of {operation.__name__} #{row.number}" in comparison.first_difference
    assert f"line {row.position[-1][1]}" in comparison.first_difference


@pytest.mark.parametrize("operation, name", [(functions.Tanh, "transcendental"), (linear.Linear, "lenet")])
def test_a_wrong_forward_is_located(operation, name, monkeypatch):
    right = operation.forward
    monkeypatch.setattr(operation, "forward", lambda self, *tensors: right(self, *tensors).mul(1.0005))
    function, inputs = PROGRAMS[name]
    comparison = side_by_side(function, *inputs)
    row = comparison.rows[comparison.first_number - 1]
    assert row.here == operation.__name__
    assert "in forward order, the value of the operation" in comparison.first_difference


def test_a_gradient_that_the_engine_loses_is_located(monkeypatch):
    def keep_the_first(self, gradients, fn, output_nr, grad):
        if gradients[output_nr] is None:
            gradients[output_nr] = grad

    monkeypatch.setattr(ExecutionEngine, "_add", keep_the_first)
    function, inputs = PROGRAMS["diamond"]
    comparison = side_by_side(function, *inputs)
    assert not comparison.gradients_agree
    # Every backward is right; the sum that reaches the Exp is not.
    assert comparison.first_difference.startswith("in backward order, the gradient of Exp #")


def test_an_error_far_below_the_tolerance_is_none(monkeypatch):
    right = functions.Exp.backward
    monkeypatch.setattr(functions.Exp, "backward", lambda self, grad: right(self, grad).mul(1 + 1e-13))
    function, inputs = PROGRAMS["diamond"]
    assert side_by_side(function, *inputs).agrees
    assert not side_by_side(function, *inputs, tolerance=1e-15).agrees
