"""create_graph: derivatives of derivatives, what cannot be differentiated, and that nothing stays in memory."""

import gc
import threading
import weakref

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, grad
from legacy_autograd.autograd.later.double_backward import SavedVariable
from legacy_autograd.autograd.later.static_function import once_differentiable

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


def test_derivatives_of_every_order():
    def program(t):
        x = t.variable([0.3, -0.7])
        y, found = (x.sin() * x * x).exp(), []
        for _ in range(6):
            (y,) = t.autograd.grad(y.sum(), x, create_graph=True)
            found.append(y)
        return found

    same(program)


def network(t):
    """A small network with everything in it that has curvature; returns the loss and the parameters."""
    rng = numpy.random.default_rng(1)
    parameters = [t.variable(rng.standard_normal(size) * 0.5) for size in ((4, 6), (6,), (6, 3), (3,))]
    x, target = rng.standard_normal((5, 4)), rng.standard_normal((5, 3))
    a, b, c, d = parameters
    hidden = (t.variable(x, requires_grad=False).mm(a) + b).tanh()
    scores = (hidden.mm(c) + d).sigmoid()
    difference = scores - t.variable(target, requires_grad=False)
    return (difference * difference).mean() + 0.01 * (a * a).sum(), parameters


def hessian(t):
    loss, parameters = network(t)
    first = t.autograd.grad(loss, parameters, create_graph=True)
    flat = t.torch.cat([gradient.contiguous().view(-1) for gradient in first], 0)
    rows = []
    for i in range(flat.data.numel()):
        row = t.autograd.grad(flat[i], parameters, retain_graph=True)
        rows.append(numpy.concatenate([numpy.asarray(part.data).ravel() for part in row]))
    return numpy.stack(rows)


def test_the_hessian_of_a_network():
    from .both import Modern, Ours

    ours = hessian(Ours())
    assert ours.shape == (51, 51)
    numpy.testing.assert_allclose(ours, hessian(Modern()), rtol=0, atol=1e-8)
    numpy.testing.assert_allclose(ours, ours.T, rtol=0, atol=1e-12)


def test_a_penalty_on_the_gradient_trains():
    """The gradient penalty of Wasserstein networks: backward through a gradient, to all parameters."""

    def program(t):
        loss, parameters = network(t)
        gradients = t.autograd.grad(loss, parameters, create_graph=True)
        penalty = sum([(gradient * gradient).sum() for gradient in gradients])
        (loss + penalty).backward()
        return [parameter.grad for parameter in parameters]

    same(program)


def test_a_step_of_an_inner_optimization():
    """The outer gradient goes through the update of the inner one (MAML)."""

    def program(t):
        w, x = t.variable([0.5, -0.2]), t.variable([1.0, 2.0], requires_grad=False)
        fast = w
        for _ in range(3):
            inner = ((fast * x).exp()).sum()
            (gradient,) = t.autograd.grad(inner, fast, create_graph=True)
            fast = fast - 0.1 * gradient
        ((fast - x) * (fast - x)).sum().backward()
        return w.grad

    same(program)


def test_the_starting_gradient_takes_part():
    def program(t):
        x, v = t.variable([1.0, 2.0]), t.variable([3.0, -1.0])
        (gradient,) = t.autograd.grad(x * x * x, x, v, create_graph=True)
        return t.autograd.grad(gradient.sum(), [x, v])

    same(program)


def test_one_leaf_many_times():
    def program(t):
        x = t.variable([1.5])
        y = x * x + x * x * x + x.exp() * x
        first = t.autograd.grad(y, x, create_graph=True)
        return first, t.autograd.grad(first[0], x)

    same(program)


def test_leaves_that_are_gone():
    """The saved tensor stays part of the graph although the Variable it was saved from is no more."""

    def program(t):
        x = t.variable([1.0, 2.0])

        def inner():
            return (x * 2) * (x * 3)

        (gradient,) = t.autograd.grad(inner().sum(), x, create_graph=True)
        return t.autograd.grad(gradient.sum(), x)

    same(program)


def test_hooks_see_and_change_what_is_recorded():
    def program(t):
        x = t.variable([1.0, 2.0])
        h = x * x
        h.register_hook(lambda gradient: gradient * 10)
        y = (h * h).sum()
        (gradient,) = t.autograd.grad(y, x, create_graph=True)
        return gradient, t.autograd.grad(gradient.sum(), x)

    same(program)


def test_outputs_nobody_used():
    class Pair(Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x.mul(x), x.exp()

        def backward(self, grad_square, grad_exp):
            (x,) = self.saved_tensors
            return grad_square * x * 2 + grad_exp * x.exp()

    x = variable(1.0, 2.0)
    square, _ = Pair()(x)
    (gradient,) = grad(square.sum(), x, create_graph=True)
    assert gradient.data.tolist() == [2.0, 4.0]
    assert grad(gradient.sum(), x)[0].tolist() == [2.0, 2.0]


# --- what cannot be differentiated again


class KeepsItsInput(Function):
    """As functions were written in 2016."""

    def forward(self, x):
        self.input = x
        return x.mul(x)

    def backward(self, gradient):
        return gradient * self.input * 2


def test_what_was_kept_on_self_raises():
    x = variable(1.0, 2.0)
    y = KeepsItsInput()(x)[0].sum()
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]
    with pytest.raises(RuntimeError, match="KeepsItsInput.backward cannot be recorded .* needs with save_for_backward"):
        grad(y, x, create_graph=True)
    assert grad(y, x)[0].tolist() == [2.0, 4.0]


def test_what_was_computed_with_numpy_raises():
    class WithNumpy(Function):
        def forward(self, x):
            self.save_for_backward(x)
            return torch.DoubleTensor(numpy.exp(x.numpy()))

        def backward(self, gradient):
            (x,) = self.saved_tensors
            return torch.DoubleTensor(gradient.array * numpy.exp(x.array))

    x = variable(1.0, 2.0)
    y = WithNumpy()(x)[0].sum()
    y.backward()
    with pytest.raises(RuntimeError, match="WithNumpy.backward cannot be recorded.*gradient of input 0 is a Double"):
        y.backward(create_graph=True)


def test_once_differentiable_gives_the_first_derivative_and_refuses_the_second():
    class Once(Function):
        def forward(self, x):
            self.save_for_backward(x)
            return torch.DoubleTensor(numpy.exp(x.numpy()))

        @once_differentiable
        def backward(self, gradient):
            (x,) = self.saved_tensors
            return torch.DoubleTensor(gradient.numpy() * numpy.exp(x.numpy()))

    x = variable(1.0, 2.0)
    y = Once()(x)[0].sum()
    (gradient,) = grad(y, x, create_graph=True)
    numpy.testing.assert_allclose(gradient.data.numpy(), numpy.exp([1.0, 2.0]))
    with pytest.raises(RuntimeError, match="trying to differentiate twice Once"):
        grad((gradient * x).sum(), x)
    y.backward()
    numpy.testing.assert_allclose(x.grad.numpy(), numpy.exp([1.0, 2.0]))


def test_two_variables_over_one_tensor():
    """x times itself as a constant: the derivative is x, not 2 x, and the second 0, not 2."""
    x = variable(1.0, 2.0)
    constant = Variable(x.data, requires_grad=False)
    for y in (x * constant, constant * x):
        (gradient,) = grad(y.sum(), x, create_graph=True)
        assert gradient.data.tolist() == [1.0, 2.0]
        assert not gradient.requires_grad or grad(gradient.sum(), x, allow_unused=True)[0] in (None, 0)

    class SavesOne(Function):
        def forward(self, a, b):
            self.save_for_backward(b)
            return a.mul(b)

        def backward(self, gradient):
            (b,) = self.saved_tensors
            return gradient * b, None

    with pytest.raises(RuntimeError, match="SavesOne: two of its inputs are different Variables over one torch.Double"):
        grad(SavesOne()(x, constant)[0].sum(), x, create_graph=True)
    assert grad(SavesOne()(x, x * 1)[0].sum(), x, create_graph=True)[0].data.tolist() == [1.0, 2.0]


def test_the_count_of_writes_is_checked():
    x = variable(1.0, 2.0)
    y = x.exp()
    z = (y * y).sum()
    y.data.fill_(3)
    with pytest.raises(RuntimeError, match="Mul: .*modified by an inplace operation.*output 0 of Exp.*at version 1"):
        grad(z, x, create_graph=True)


def test_create_graph_with_retain_graph_false():
    """The second derivative of x * x does not need the freed tensors, that of x * x * x does."""

    def program(t):
        x, answers = t.variable([1.0, 2.0]), []
        for y in ((x * x).sum(), (x * x * x).sum()):
            (gradient,) = t.autograd.grad(y, x, create_graph=True, retain_graph=False)
            answers.append(t.raised(lambda: t.autograd.grad(gradient.sum(), x, retain_graph=True)))  # noqa: B023
            answers.append(t.raised(lambda: t.autograd.grad(y, x)))  # noqa: B023
        return answers

    assert same(program) == [None, "RuntimeError", "RuntimeError", "RuntimeError"]


def test_an_ordinary_backward_after_a_recorded_one():
    x = variable(1.0, 2.0)
    y = (x * x).sum()
    grad(y, x, create_graph=True)
    kinds = []
    y.creator.previous_functions[0][0].register_hook(lambda inputs, outputs: kinds.append(type(inputs[0]).__name__))
    y.backward()
    grad(y, x, create_graph=True)
    y.backward()
    assert kinds == ["DoubleTensor", "Variable", "DoubleTensor"] and x.grad.tolist() == [4.0, 8.0]


def test_threads_record_and_do_not_record_one_graph():
    x = variable(*numpy.linspace(0.1, 1, 8))
    y = x
    for _ in range(20):
        y = (y * x).sin()
    expected = grad(y.sum(), x)[0].tolist()
    y, wrong = y.sum(), []

    def run(create_graph):
        for _ in range(15):
            (gradient,) = grad(y, x, create_graph=create_graph)
            if gradient.data.tolist() != expected or isinstance(gradient, Variable) != create_graph:
                wrong.append(gradient)

    threads = [threading.Thread(target=run, args=(create_graph,)) for create_graph in (True, False, True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong


def test_an_error_in_the_middle_leaves_everything_as_it_was():
    class Fails(Function):
        def forward(self, x):
            return x.clone()

        def backward(self, gradient):
            raise ZeroDivisionError("in the middle")

    x = variable(1.0, 2.0)
    a = x * x
    y = (a * Fails()(a)[0]).sum()
    with pytest.raises(ZeroDivisionError, match="in the middle"):
        grad(y, x, create_graph=True)
    assert grad(a.sum(), x)[0].tolist() == [2.0, 4.0]


# --- memory


@pytest.fixture
def without_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_recorded_graphs_go_with_the_last_reference(without_collector):
    x, w = variable(0.3, -0.2), variable(1.0, 2.0)
    y = ((x * w).exp() * x.tanh()).sum()
    (first,) = grad(y, x, create_graph=True)
    (second,) = grad(first.sum(), x, create_graph=True)
    seen = [weakref.ref(v) for v in (y, first, second)]
    seen += [weakref.ref(v.creator) for v in (y, first, second)]
    seen += [weakref.ref(v.data) for v in (y, first, second)]
    del y, first, second
    assert [reference() for reference in seen] == [None] * len(seen)


def test_a_gradient_with_a_history_in_grad_is_no_cycle(without_collector):
    """In torch it is one, against which its documentation warns: x -> x.grad -> its graph -> x."""
    x = variable(0.3, -0.2)
    (x * x * x).sum().backward(create_graph=True)
    gone = [weakref.ref(x), weakref.ref(x.grad), weakref.ref(x.grad.creator)]
    assert x.grad.requires_grad
    del x
    assert [reference() for reference in gone] == [None] * 3


def test_no_growth_over_many_steps(without_collector):
    def living():
        return sum([issubclass(type(thing), (Function, Variable)) for thing in gc.get_objects()])

    w = variable(0.5, -0.3)
    for step in range(6):
        if step == 2:
            before = living()
        (gradient,) = grad((w * w).exp().sum(), w, create_graph=True)
        (gradient * gradient).sum().backward()
        w.grad.data.zero_()
        del gradient
    assert living() == before


def test_saved_variables_link_to_what_was_saved():
    x = variable(2.0)
    h = x * 3
    y = h * h
    (gradient,) = grad(y, h, create_graph=True)
    assert any(isinstance(fn, SavedVariable) for fn, _ in reaches(gradient.creator))
    assert grad(gradient, x)[0].tolist() == [6.0]


def reaches(function):
    seen, queue = set(), [function]
    while queue:
        fn = queue.pop()
        for edge in fn.previous_functions:
            if edge not in seen:
                seen.add(edge)
                queue.append(edge[0])
    return seen


def test_deep_graphs_do_not_recurse():
    x = variable(1.0)
    y = x
    for _ in range(3000):
        y = y * 1.0001
    (gradient,) = grad(y * y, x, create_graph=True)
    assert grad(gradient, x)[0].tolist() == pytest.approx([2 * 1.0001**6000])
