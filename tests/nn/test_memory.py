"""Memory that is used again is never used twice at a time, and does not grow without end."""

import gc
import threading

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.tensor import buffer_pool

from .agreement import tensor, variable

DOUBLE = numpy.dtype("float64")


def address(array):
    return array.__array_interface__["data"][0]


def test_memory_comes_back_when_the_last_view_is_gone():
    first = buffer_pool.empty((100, 200), DOUBLE)
    place, view = address(first), first[10:, 3]
    assert first.shape == (100, 200) and first.dtype is DOUBLE and first.flags.c_contiguous and first.flags.writeable
    del first
    assert address(buffer_pool.empty((100, 200), DOUBLE)) != place
    del view
    again = buffer_pool.empty((90, 200), DOUBLE)  # of the same class
    assert address(again) == place
    assert address(buffer_pool.empty((100, 200), DOUBLE)) != place


def test_small_and_huge_pieces_are_numpys():
    for shape in ((10,), (0, 3), (buffer_pool.KEPT + 8,)):
        array = buffer_pool.empty(shape, numpy.dtype("uint8"))
        assert array.shape == shape and array.base is None


def test_what_lies_ready_is_limited():
    arrays = [buffer_pool.empty((1 << 20,), DOUBLE) for _ in range(5)]
    del arrays
    assert all(len(free) * size <= buffer_pool.KEPT for size, free in buffer_pool._free.items())


def test_no_collector_is_needed():
    gc.disable()
    try:
        place = address(buffer_pool.empty((300, 300), DOUBLE))
        assert address(buffer_pool.empty((300, 300), DOUBLE)) == place
    finally:
        gc.enable()


def test_two_graphs_alive_at_once_keep_their_own_windows():
    layer = nn.Conv2d(2, 3, kernel_size=3)
    rng = numpy.random.default_rng(0)
    xs = [variable(rng.normal(size=(20, 2, 16, 16))) for _ in range(3)]
    grad = tensor(rng.normal(size=(20, 3, 14, 14)))
    alone = []
    for x in xs:
        layer.zero_grad(set_to_none=True)
        layer(x).backward(grad)
        alone.append(layer.weight.grad.array.copy())
    outputs = [layer(x) for x in xs]
    for output, expected in reversed(list(zip(outputs, alone))):
        layer.zero_grad(set_to_none=True)
        output.backward(grad)
        numpy.testing.assert_array_equal(layer.weight.grad.array, expected)


def test_threads_do_not_disturb_each_other():
    layer = nn.Conv2d(2, 3, kernel_size=3)
    rng = numpy.random.default_rng(0)
    inputs = [rng.normal(size=(20, 2, 16, 16)) for _ in range(4)]
    expected = [layer(variable(x)).data.array.copy() for x in inputs]
    wrong = []

    def work(x, result):
        for _ in range(20):
            if not numpy.array_equal(layer(variable(x)).data.array, result):
                wrong.append(x)

    threads = [threading.Thread(target=work, args=pair) for pair in zip(inputs, expected)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_large_results_use_memory_again():
    rng = numpy.random.default_rng(1)
    a, b = rng.normal(size=(400, 30)), rng.normal(size=(30, 400))
    first = tensor(a).mm(tensor(b))
    place = address(first.array)
    second = tensor(b.T.copy()).mm(tensor(a.T.copy()))  # while the first is alive
    numpy.testing.assert_allclose(first.array, a @ b, rtol=1e-12)
    numpy.testing.assert_allclose(second.array, (a @ b).T, rtol=1e-12)
    third = second.clone().add_(-0.5, first)
    numpy.testing.assert_allclose(third.array, (a @ b).T - 0.5 * (a @ b), rtol=1e-12)
    row = first.select(0, 3)
    del first
    assert address(tensor(a).mm(tensor(b)).array) != place  # a view of it is alive
    numpy.testing.assert_allclose(row.array, (a @ b)[3], rtol=1e-12)
    del row
    assert address(tensor(a).mm(tensor(b)).array) == place


LARGE_OPERATIONS = {
    "of equal size": lambda x, row, column: x * x - x,
    "with a row": lambda x, row, column: x / row,
    "a row with a matrix": lambda x, row, column: row - x,
    "with a column": lambda x, row, column: x * column,
    "larger than both": lambda x, row, column: column + row,
    "with numbers": lambda x, row, column: 2 - x * 3 + 1 / x,
    "powers": lambda x, row, column: 2**x + x**2,
    "remainders": lambda x, row, column: x % 0.25,
    "the larger of two": lambda x, row, column: x.cmax(1 - x) if hasattr(x, "cmax") else numpy.maximum(x, 1 - x),
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("operation", LARGE_OPERATIONS.values(), ids=LARGE_OPERATIONS)
def test_large_operations_are_numpys(operation, dtype):
    rng = numpy.random.default_rng(2)
    arrays = [rng.uniform(0.5, 2, size).astype(dtype) for size in ((900, 700), (700,), (900, 1))]
    result = operation(*[torch.from_numpy(array) for array in arrays])
    again = operation(*[torch.from_numpy(array) for array in arrays])
    assert result.array.dtype == dtype and not numpy.shares_memory(result.array, again.array)
    tolerance = {"float64": 1e-13, "float32": 1e-5, "float16": 2e-2}[dtype]
    numpy.testing.assert_allclose(result.array, operation(*arrays), rtol=tolerance)
    numpy.testing.assert_array_equal(result.array, again.array)


def test_large_integers_and_comparisons_keep_their_types():
    numbers = numpy.arange(-300_000, 300_000)
    x = torch.from_numpy(numbers)
    assert (x * x + 1).type() == "torch.LongTensor"
    numpy.testing.assert_array_equal((x * x + 1).array, numbers * numbers + 1)
    numpy.testing.assert_array_equal(x.div(7).array, numpy.trunc(numbers / 7))
    numpy.testing.assert_array_equal(x.abs().array, abs(numbers))
    mask = x.gt(x.neg())
    assert mask.type() == "torch.ByteTensor" and mask.array.tolist() == (numbers > 0).tolist()


def test_large_functions_are_numpys():
    numbers = numpy.random.default_rng(3).uniform(0.1, 0.9, (700, 300))
    x = torch.from_numpy(numbers)
    for name in ("exp", "log", "sqrt", "tanh", "abs", "neg", "reciprocal", "sin", "floor"):
        function = getattr(numpy, {"neg": "negative"}.get(name, name))
        numpy.testing.assert_allclose(getattr(x, name)().array, function(numbers), rtol=1e-13)
    numpy.testing.assert_array_equal(x.array, numbers)


def test_a_large_network_is_modern_torchs():
    modern = pytest.importorskip("torch")
    rng = numpy.random.default_rng(4)
    x, w, b = rng.normal(size=(600, 40)), rng.normal(size=(500, 40)), rng.normal(size=500)
    ours = [variable(array) for array in (x, w, b)]
    theirs = [modern.from_numpy(array.copy()).requires_grad_() for array in (x, w, b)]
    for _ in range(3):  # the memory of one step is used in the next
        for F, (x, w, b) in ((nn.functional, ours), (modern.nn.functional, theirs)):
            h = F.relu(F.linear(x, w, b))
            ((h * h).mean() + h.tanh().sum()).backward()
    for mine, other in zip(ours, theirs):
        numpy.testing.assert_allclose(mine.grad.array, other.grad.numpy(), rtol=1e-9, atol=1e-9)


def test_large_operations_on_transposed_tensors_are_numpys():
    numbers = numpy.random.default_rng(5).uniform(1, 2, (700, 300))
    x, y = torch.from_numpy(numbers).t(), torch.from_numpy(numbers.T.copy())
    for result in (x * y + x / 2, y * x + x / 2):
        numpy.testing.assert_allclose(result.array, numbers.T * numbers.T + numbers.T / 2, rtol=1e-13)
    numpy.testing.assert_allclose(x.exp().array, numpy.exp(numbers.T), rtol=1e-13)
    assert x.exp().view(-1).size() == (210_000,)
