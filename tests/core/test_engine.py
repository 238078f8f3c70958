"""ExecutionEngine: order, counts, and any graph (2016: torch/autograd/engine.py)."""

import gc
import threading

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import ExecutionEngine, Function, Variable
from legacy_autograd.autograd.functions.basic_ops import Add


def variable(*numbers, **kwargs):
    return Variable(torch.DoubleTensor(list(numbers)), **kwargs)


class Recorded(Function):
    """Adds its inputs up, and writes its name down when backward runs."""

    order = []

    def __init__(self, name):
        self.name = name

    def forward(self, *tensors):
        total = tensors[0].clone()
        for tensor in tensors[1:]:
            total = total.add(tensor)
        return total

    def backward(self, grad_output):
        self.order.append(self.name)
        return (grad_output,) * len(self.previous_functions)


def recorded(name, *variables):
    return Recorded(name)(*variables)[0]


@pytest.fixture(autouse=True)
def empty_order():
    Recorded.order.clear()


class Pair(Function):
    """(2 x, 3 x)."""

    def forward(self, x):
        return x.mul(2), x.mul(3)

    def backward(self, grad_double, grad_triple):
        self.received = [grad_double.tolist(), grad_triple.tolist()]
        return grad_double.mul(2).add(grad_triple.mul(3))


def test_dependencies_count_uses_for_each_output():
    x = variable(1.0)
    double, triple = Pair()(x)
    total = double + triple * double
    dependencies = ExecutionEngine()._compute_dependencies(total.creator)
    # `double` has two consumers, the sum and the product; `triple` has one.
    product = total.creator.previous_functions[1][0]
    assert dependencies[double.creator] == [{total.creator: 1, product: 1}, {product: 1}]
    assert dependencies[x.creator] == [{double.creator: 1}]
    assert total.creator not in dependencies


def test_dependencies_leave_out_what_requires_no_gradient():
    x, c = variable(1.0), variable(2.0, requires_grad=False)
    dependencies = ExecutionEngine()._compute_dependencies((x * c).creator)
    assert list(dependencies) == [x.creator]


def test_freeing_and_readiness():
    engine = ExecutionEngine()
    x = variable(1.0)
    y = x * x
    dependencies = engine._compute_dependencies(y.creator)
    assert not engine._is_ready_for_backward(dependencies, x.creator)
    for remaining in (1, 0):
        assert engine._free_backward_dependency(dependencies, x.creator, y.creator, id(x)) == 0
        assert sum(dependencies[x.creator][0].values()) == remaining
    assert engine._is_ready_for_backward(dependencies, x.creator)


def test_ready_is_a_stack_so_the_last_input_runs_first():
    x = variable(1.0)
    left = recorded("L2", recorded("L1", x))
    right = recorded("R2", recorded("R1", x))
    recorded("top", left, right).backward()
    assert Recorded.order == ["top", "R2", "R1", "L2", "L1"]


def test_a_diamond_runs_each_function_once():
    x = variable(1.0)
    bottom = recorded("bottom", x)
    top = recorded("top", recorded("left", bottom), recorded("right", bottom))
    top.backward()
    assert Recorded.order == ["top", "right", "left", "bottom"]
    assert x.grad.tolist() == [2]


def test_sixty_diamonds_in_a_row_are_not_two_to_the_sixty_paths():
    x = variable(1.0)
    y = x
    for _ in range(60):
        y = y + y
    y.backward()
    assert x.grad.tolist() == [2.0**60]


@pytest.mark.parametrize(
    "program, received, gradient",  # d = 2x, t = 3x
    [
        (lambda d, t: d, [[1], [0]], 2),
        (lambda d, t: t, [[0], [1]], 3),
        (lambda d, t: t * 5, [[0], [5]], 15),
        (lambda d, t: d * 5, [[5], [0]], 10),
        (lambda d, t: d * 7 + t * 5, [[7], [5]], 29),
    ],
)
def test_several_outputs_of_which_some_are_used(program, received, gradient):
    x = variable(1.0)
    double, triple = Pair()(x)
    program(double, triple).backward()
    assert double.creator.received == received
    assert x.grad.tolist() == [gradient]


def test_operands_that_require_no_gradient():
    x, c = variable(2.0), variable(3.0, requires_grad=False)
    ((x * c + c) * c).backward()
    assert x.grad.tolist() == [9]
    assert c.grad is None


def test_an_exception_in_the_middle_leaves_the_engine_usable():
    class Failing(Function):
        fail = True

        def forward(self, x):
            return x.clone()

        def backward(self, grad_output):
            if self.fail:
                raise ArithmeticError("on purpose")
            return grad_output

    x = variable(2.0)
    (y,) = Failing()(x * x)
    with pytest.raises(ArithmeticError, match="on purpose"):
        (y * 3).backward()
    assert x.grad.tolist() == [0]
    Failing.fail = False
    (y * 3).backward()
    assert x.grad.tolist() == [12]


def test_backward_inside_a_hook():
    x, w = variable(2.0), variable(5.0)
    y = x * x
    y.register_hook(lambda grad: (w * w).backward())
    (y * 3).backward()
    assert x.grad.tolist() == [12]
    assert w.grad.tolist() == [10]


def test_backward_from_an_intermediate_and_from_the_root():
    x = variable(2.0)
    y = x * x
    z = y * y
    y.backward()
    z.backward()
    assert x.grad.tolist() == [4 + 32]


def test_a_gradient_that_somebody_holds_is_never_written_to():
    held = []

    class Holding(Add):
        def backward(self, grad_output):
            held.append((grad_output, grad_output.tolist()))
            return grad_output, grad_output

    x, y = variable(1.0), variable(1.0)
    (a,) = Holding()(x, y)
    (b,) = Holding()(a, x)
    (c,) = Holding()(b, a)
    c.backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([3], [2])  # c = a + x + a = 3x + 2y
    assert all(tensor.tolist() == before for tensor, before in held)


def test_threads_do_not_disturb_each_other():
    shared = ExecutionEngine()
    results = [None] * 4

    def work(number):
        Variable._execution_engine = shared
        for _ in range(50):
            x = variable(float(number))
            y = x
            for _ in range(20):
                y = y + x * x
            y.backward()
            results[number] = x.grad.tolist()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[1 + 40 * number] for number in range(4)]


# Recursion fails long before the shorter length: Python's at 1,000 frames, that of a release when the C stack is full.
@pytest.mark.parametrize("length", [50_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_long_chain(length):
    x = variable(1.0)
    y = x
    for _ in range(length):
        y = y + 1
    y.backward()
    assert y.data.tolist() == [length + 1]
    assert x.grad.tolist() == [1]
    del y  # the release must not recurse either


def test_a_training_loop_needs_no_collector():
    w, x = variable(0.0), variable(2.0, requires_grad=False)

    def step():
        loss = (w * x - 6) ** 2
        loss.backward()
        w.data -= w.grad.data * 0.01
        w.grad.data.zero_()

    gc.collect()
    gc.disable()
    try:
        step()
        before = len(gc.get_objects())
        for _ in range(1_000):
            step()
        assert len(gc.get_objects()) <= before + 10
    finally:
        gc.enable()
    assert w.data[0] == pytest.approx(3)
