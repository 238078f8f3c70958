"""`notebooks/autograd_in_200_lines.py` computes what the package computes, on the articles' programs and on others."""

import ast
import importlib.util
import pathlib
import random

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import autograd

FILE = pathlib.Path(__file__).resolve().parents[2] / "notebooks" / "autograd_in_200_lines.py"


class Package:
    """The package, called with arrays as the one file is."""

    Function = autograd.Function

    @staticmethod
    def Variable(data, requires_grad=True):
        return autograd.Variable(torch.DoubleTensor(numpy.asarray(data, float)), requires_grad=requires_grad)

    @staticmethod
    def backward(variable, gradient=None):
        variable.backward(None if gradient is None else torch.DoubleTensor(numpy.asarray(gradient, float)))

    @staticmethod
    def add_hook(function, hook):
        function.register_hook("hook", hook)


@pytest.fixture(scope="module")
def one_file():
    spec = importlib.util.spec_from_file_location("autograd_in_200_lines", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.backward = module.Variable.backward
    module.add_hook = lambda function, hook: function.backward_hooks.update(hook=hook)
    return module


def array(value):
    return numpy.asarray(getattr(value, "array", value))


def test_it_is_short_and_needs_numpy_alone():
    source = FILE.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 200
    imported = {
        name.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for name in node.names
    } | {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    assert imported == {"collections", "numpy"}


def test_its_names_are_the_packages(one_file):
    for name in ("Variable", "Function", "Leaf", "ExecutionEngine"):
        there = getattr(autograd, name, None) or getattr(autograd.engine, name)
        for method, value in vars(getattr(one_file, name)).items():
            if callable(value) and not method.startswith("__"):
                assert hasattr(there, method) or method == "Leaf", (name, method)


# --- the programs of the articles; each returns its Variables, whose data and gradients are compared


def a_polynomial_with_a_gradient(t):
    a, b = t.Variable([2.0, 3.0]), t.Variable([6.0, 4.0])
    Q = 3 * a**3 - b**2
    t.backward(Q, [1.0, 10.0])
    return Q, a, b


def a_sum_times_a_difference(t):
    x, y = t.Variable([2.0]), t.Variable([3.0])
    z = (x + y) * (y - 2)
    t.backward(z)
    return z, x, y


def the_regression_of_v0_1_0(t):
    y = t.Variable([[3.0, 6.0, 9.0, 12.0]], requires_grad=False)
    x = t.Variable([[1.0, 2.0, 3.0, 4.0]], requires_grad=False)
    W = t.Variable([[0.0]])
    for _ in range(301):
        W.grad = None
        loss = (W.mm(x) - y).abs().sum()
        t.backward(loss)
        array(W.data)[...] -= array(W.grad) * 0.001
    return loss, W


def the_shared_gradient(t):
    x, y = t.Variable([2.0]), t.Variable([3.0])
    z = x * y + (x + y)
    t.backward(z)
    return z, x, y


def the_same_operand_twice(t):
    a = t.Variable([3.0])
    b = a + a
    c = b * b + b
    t.backward(c)
    t.backward(c)
    return c, a


def a_number_from_the_left(t):
    a = t.Variable([[1.0, 2.0]])
    t.backward((5 - 2 * a) ** 2, [[1.0, 1.0]])
    return (a,)


def a_bias_for_every_row(t):
    w, b = t.Variable([[1.0, 2.0], [3.0, 4.0]]), t.Variable([0.5, -0.5])
    x = t.Variable([[1.0, -1.0], [2.0, 0.0], [0.0, 1.0]], requires_grad=False)
    t.backward((x.mm(w) + b).sum())
    return w, b


def functions_as_they_were_written(t):
    class Sub(t.Function):
        def forward(self, a, b):
            return a - b

        def backward(self, grad_output):
            return grad_output, -grad_output

    class Div(t.Function):
        def forward(self, a, b):
            self.input = (a, b)
            return a / b

        def backward(self, grad_output):
            a, b = self.input
            return grad_output / b, -grad_output * a / b / b

    a, b = t.Variable([6.0]), t.Variable([2.0])
    z = Sub()(a * b, Div()(a, b)[0])[0]
    t.backward(z)
    return z, a, b


def two_outputs_of_which_one_is_used(t):
    class SumAndDifference(t.Function):
        def forward(self, a, b):
            return a + b, a - b

        def backward(self, of_sum, of_difference):
            return of_sum + of_difference, of_sum - of_difference

    a, b = t.Variable([6.0]), t.Variable([2.0])
    _, difference = SumAndDifference()(a, b)
    z = difference * a
    t.backward(z)
    return z, a, b


PROGRAMS = [
    a_polynomial_with_a_gradient, a_sum_times_a_difference, the_regression_of_v0_1_0, the_shared_gradient,
    the_same_operand_twice, a_number_from_the_left, a_bias_for_every_row, functions_as_they_were_written,
    two_outputs_of_which_one_is_used,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_programs_of_the_articles(one_file, program):
    for here, there in zip(program(one_file), program(Package), strict=True):
        assert here.data == pytest.approx(array(there.data).reshape(here.data.shape))
        assert here.grad is None or here.grad == pytest.approx(array(there.grad))
    assert any(here.grad is not None for here in program(one_file))


def random_program(t, seed):
    """Build a graph of up to 40 operations and run backward. Return the order of the walk and the leaves' gradients."""
    choose = random.Random(seed)
    leaves = [t.Variable([choose.uniform(0.5, 2)], requires_grad=choose.random() < 0.8) for _ in range(3)]
    values, order = list(leaves), []
    for number in range(choose.randrange(3, 40)):
        a, b = choose.choice(values), choose.choice(values)
        result = choose.choice([lambda a, b: a + b, lambda a, b: a * b * 0.5, lambda a, b: a**2, lambda a, b: -a])(a, b)
        t.add_hook(result.creator, lambda *_, number=number: order.append(number))
        values.append(result)
    if not values[-1].creator.requires_grad:
        return order, None
    t.backward(values[-1])
    gradients = [leaf.grad if leaf.creator.requires_grad else None for leaf in leaves]
    return order, [None if grad is None else array(grad).tolist() for grad in gradients]


def test_random_programs(one_file):
    for seed in range(200):
        order, gradients = random_program(one_file, seed)
        expected_order, expected = random_program(Package, seed)
        assert order == expected_order, f"seed {seed}"
        for here, there in zip(gradients or [], expected or []):
            assert (here or [0.0]) == pytest.approx(there or [0.0]), f"seed {seed}"


def test_hooks_of_a_leaf_see_each_gradient_that_arrives(one_file):
    x = one_file.Variable([3.0])
    seen = []
    x.creator.backward_hooks["print"] = lambda grad_input, grad_output: seen.append(grad_input[0].tolist())
    (x * x).backward()
    assert seen == [[6.0]] and x.grad.tolist() == [6.0]  # the sum of 3 and 3


def test_mistakes_are_named(one_file):
    class Bad(one_file.Function):
        def forward(self, a, b):
            return a + b

        def backward(self, grad_output):
            return grad_output

    x = one_file.Variable([1.0, 2.0])
    with pytest.raises(RuntimeError, match="Bad.backward returned 1 gradients, not 2"):
        Bad()(x, x)[0].backward([1.0, 1.0])
    with pytest.raises(RuntimeError, match=r"2 numbers needs a gradient of the shape \(2,\)"):
        x.backward()
