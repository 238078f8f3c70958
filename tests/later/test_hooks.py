"""Hooks on Variables, Functions, the accumulation and Modules, and the order in which they run."""

import gc
import weakref

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


def test_the_order_of_the_articles():
    """For c = b b, b = 3 a with a hook on each: c, b, a; a Function's own hook before that of the leaf it feeds."""

    def program(t):
        order = []
        a = t.variable([2.0])
        b = a * 3
        c = b * b
        for name, v in (("a", a), ("b", b), ("c", c)):
            v.register_hook(lambda gradient, name=name: order.append((f"variable {name}", gradient)))
        for name, v in (("b", b), ("c", c)):
            v.grad_fn.register_prehook(lambda outputs, name=name: order.append((f"before {name}", outputs[0])))
            v.grad_fn.register_hook(lambda inputs, outputs, name=name: order.append((f"after {name}", outputs[0])))
        a.register_post_accumulate_grad_hook(lambda v: order.append(("accumulated a", v.grad)))
        c.backward()
        return [(name, float(gradient.data.sum())) for name, gradient in order]

    order = same(program)
    assert [name for name, _ in order] == [
        "variable c", "before c", "after c", "variable b", "before b", "after b", "variable a", "accumulated a",
    ]  # fmt: skip


def test_hooks_on_a_variable_replace_the_gradient_in_order():
    def program(t):
        x = t.variable([1.0, 2.0])
        h = x * x
        seen = []

        def doubles(gradient):
            seen.append(gradient)
            return gradient * 2

        def looks(gradient):
            seen.append(gradient)

        handles = [h.register_hook(hook) for hook in (doubles, looks, lambda gradient: gradient + 1)]
        h.retain_grad()
        h.register_hook(looks)
        y = (h * 3).sum()
        y.backward(retain_graph=True)
        results = [list(seen), h.grad.data.clone(), x.grad.data.clone()]
        handles[0].remove()
        handles[0].remove()
        y.backward(retain_graph=True)
        with h.register_hook(lambda gradient: gradient * 0):
            y.backward(retain_graph=True)
        return results, h.grad, x.grad

    same(program)


def test_the_hook_of_a_shared_result_sees_the_sum_once():
    def program(t):
        x, seen = t.variable([1.0]), []
        h = x * 2
        h.register_hook(lambda gradient: seen.append(gradient))
        (h * 3 + h * h + h).sum().backward()
        return seen

    assert len(same(program)) == 1


def test_hooks_on_a_leaf():
    def program(t):
        x, seen = t.variable([1.0]), []
        x.register_hook(lambda gradient: gradient * 10)
        x.register_hook(lambda gradient: seen.append(gradient))
        (x * 2 + x).sum().backward()
        gradients = t.autograd.grad((x * x).sum(), x)
        return seen, x.grad, gradients

    same(program)


def test_a_hook_that_assigns_outside():
    """An article's third way to an intermediate gradient failed because the hook assigned a name of its own."""
    x, found = variable(1.0, 2.0), []
    y = x * 2
    y.register_hook(found.append)
    (y**2).mean().backward()
    assert found[0].tolist() == [2.0, 4.0]


# --- on Functions


def test_function_hooks_are_given_tuples_and_may_replace():
    def program(t):
        x, w = t.variable([1.0, 2.0]), t.variable([3.0, 4.0])
        y, seen = x * w, []
        y.grad_fn.register_hook(lambda inputs, outputs: seen.append((inputs, outputs)))
        handle = y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 10, inputs[1]))
        y.sum().backward(retain_graph=True)
        handle.remove()
        y.sum().backward()
        return seen, x.grad, w.grad

    same(program)


def test_prehooks_of_a_function_of_several_outputs():
    class Pair(Function):
        def forward(self, x):
            return x.mul(2), x.mul(3)

        def backward(self, double, triple):
            return double.mul(2).add(triple.mul(3))

    x = variable(1.0)
    double, triple = Pair()(x)
    seen = []
    handle = double.grad_fn.register_prehook(lambda gradients: seen.append([g.tolist() for g in gradients]))
    double.grad_fn.register_prehook(lambda gradients: (gradients[0], gradients[1] + 100))
    double.backward()
    assert seen == [[[1.0], [0.0]]] and x.grad.tolist() == [302.0]
    handle.remove()
    double.backward()
    assert len(seen) == 1


@pytest.mark.parametrize(
    "hook, error, message",
    [
        (lambda g: (g[0], g[0]), RuntimeError, "a pre-hook of Mul[A-Za-z]* returned 2 gradients for 1 outputs"),
        (lambda g: (None,), RuntimeError, r"^a pre-hook of Mul\w+ returned a NoneType .* output 0, .* the size \(1,\)"),
        (lambda g: g[0].expand(2), RuntimeError, r"returned one of size \(2,\) as gradient of output 0"),
        (3, TypeError, "register_prehook needs a function, got int"),
    ],
)
def test_wrong_prehooks(hook, error, message):
    x = variable(1.0)
    y = x * 2
    with pytest.raises(error, match=message):
        y.grad_fn.register_prehook(hook)
        y.backward()


# --- after the accumulation


def test_an_optimizer_in_the_accumulation():
    """A step for each parameter as soon as its gradient is there, and the gradient's memory freed (2.1)."""

    def program(t):
        x, w = t.variable([1.0, 2.0]), t.variable([3.0, 4.0])

        def step(parameter):
            parameter.data.add_(parameter.grad.data * -0.1)
            parameter.grad = None

        handles = [v.register_post_accumulate_grad_hook(step) for v in (x, w)]
        for _ in range(3):
            (x * w * w).sum().backward()
        for handle in handles:
            handle.remove()
        (x * w).sum().backward()
        return x, w, x.grad, w.grad

    same(program)


@pytest.mark.filterwarnings("ignore:Using backward")
def test_not_called_by_grad_nor_for_others():
    def program(t):
        x, w, seen = t.variable([1.0]), t.variable([2.0]), []
        x.register_post_accumulate_grad_hook(lambda v: seen.append(v.grad is not None))
        y = x * w
        t.autograd.grad(y, x, retain_graph=True)
        y.backward(inputs=[w], retain_graph=True)
        y.backward(inputs=[x], retain_graph=True)
        y.backward(create_graph=True)
        return seen, x.grad, w.grad

    same(program)


def test_where_it_is_refused():
    def program(t):
        x = t.variable([1.0])
        return [
            t.raised(lambda: (x * 2).register_post_accumulate_grad_hook(print)),
            t.raised(lambda: t.variable([1.0], requires_grad=False).register_post_accumulate_grad_hook(print)),
            t.raised(lambda: t.variable([1.0], requires_grad=False).register_hook(print)),
        ]

    same(program)
    with pytest.raises(RuntimeError, match="accumulated only in leaves, and this Variable is an output of MulConstant"):
        (variable(1.0) * 2).register_post_accumulate_grad_hook(print)


# --- on Modules


def test_full_backward_hooks_of_modules():
    """The order of a network's hooks: from the last module to the first, each after its own parameters' gradients."""

    def program(t):
        nn, order = t.torch.nn, []
        first, second = nn.Linear(2, 3), nn.Linear(3, 1)
        if t.is_modern:
            first, second = first.double(), second.double()
        for name, linear in (("first", first), ("second", second)):
            linear.weight.data.copy_(
                t.tensor([[0.1, -0.2], [0.3, 0.4], [0.5, 0.6]] if name == "first" else [[1, 2, 3]])
            )
            linear.bias.data.zero_()
        network = nn.Sequential(first, nn.Tanh(), second)

        def hook(module, grad_input, grad_output):
            order.append((type(module).__name__, [g for g in grad_input if g is not None], grad_output))

        for module in (*network.children(), network):
            module.register_full_backward_hook(hook)
        second.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 2,))
        x = t.variable([[1.0, 2.0]])
        network(x).sum().backward()
        return order, x.grad, first.weight.grad, second.weight.grad

    order, *_ = same(program)
    assert [name for name, *_ in order] == ["Linear", "Tanh", "Linear", "Sequential"]


# --- memory


def test_hooks_and_retained_gradients_keep_nothing_alive():
    gc.disable()
    try:
        x = variable(1.0)
        y = x * 2
        y.retain_grad()
        y.register_hook(lambda gradient: None)
        y.creator.register_prehook(lambda gradients: None)
        x.register_post_accumulate_grad_hook(lambda v: None)
        (y * y).backward()
        gone = [weakref.ref(thing) for thing in (x, y, y.creator, x.creator)]
        del x, y
        assert [reference() for reference in gone] == [None] * 4
    finally:
        gc.enable()


def test_a_hook_may_start_another_backward():
    x, w = variable(2.0), variable(3.0)
    h = x * x
    h.register_hook(lambda gradient: (w * w).backward())
    (h * 2).backward()
    assert x.grad.tolist() == [8.0] and w.grad.tolist() == [6.0]
