"""What a user's Function or a hook writes into a gradient is felt by the inputs of that Function alone.

Each test runs in the book and in its twin, and in both columns of conventions.py.
"""

import pytest
import torch as modern

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.autograd import Function, Variable, grad


@pytest.fixture(autouse=True, params=["0.1.1", "0.1.12"])
def era(request, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS[request.param])


def variable(*numbers):
    return Variable(torch.DoubleTensor(numbers), requires_grad=True)


def tensor(*numbers):
    return torch.DoubleTensor(numbers)


def call(function, *variables):
    output = function(*variables)
    return output[0] if isinstance(output, tuple) and len(output) == 1 else output


class Hundredfold(Function):
    """x. Its backward multiplies the gradient by 100, in place."""

    def forward(self, x):
        return x.clone()

    def backward(self, g):
        g.mul_(100)
        return g


class Keeping(Function):
    """x. Its backward returns what `answer` makes of the gradient, and keeps it."""

    def __init__(self, answer=lambda g: g):
        self.answer = answer

    def forward(self, x):
        return x.clone()

    def backward(self, g):
        self.kept = self.answer(g)
        return self.kept


ORDERS = [
    lambda x, y, f: x + f(y),
    lambda x, y, f: f(y) + x,
    lambda x, y, f: x * 1 + f(y),
    lambda x, y, f: f(y) + x * 1,
]


@pytest.mark.parametrize("order", ORDERS)
def test_a_function_that_writes_as_in_modern_torch(order):
    class Modern(modern.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g.mul(100)  # torch passes one tensor on to both, so what it does in place depends on the order

    x, y = modern.ones(1, requires_grad=True), modern.ones(1, requires_grad=True)
    order(x, y, Modern.apply).backward(modern.ones(1))
    ours, given = (variable(1), variable(1)), tensor(1)
    z = order(*ours, lambda y: call(Hundredfold(), y))
    for times in (1, 2):  # backward again over the same graph adds the same numbers
        z.backward(given)
        assert [v.grad.data.tolist() for v in ours] == [[times * x.grad.item()], [times * y.grad.item()]]
    assert given.tolist() == [1]


def named(z, x, y):
    z.creator.register_hook("h", lambda grad_input, grad_output: (grad_input[0].mul_(7), grad_output.mul_(1000)))


def lone(z, x, y):
    z.creator.register_hook(lambda grad_input, grad_output: (grad_input[0].mul_(7), grad_output[0].mul_(1000)) and None)


def on_a_leaf(z, x, y):
    x.register_hook(lambda g: (g.mul_(7), None)[1])


def named_on_a_leaf(z, x, y):
    if conventions.era.named_hook_takes_two:
        x.register_hook("h", lambda grad_input, grad_output: grad_input[0].mul_(7))
    else:
        x.register_hook("h", lambda grad: grad.mul_(7))


HOOKS = [named, lone, on_a_leaf, named_on_a_leaf]


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_that_writes(hook):
    x, y, given = variable(1), variable(1), tensor(1)
    z = x + y
    hook(z, x, y)
    for times in (1, 2):
        z.backward(given)
        assert (x.grad.data.tolist(), y.grad.data.tolist(), given.tolist()) == ([7 * times], [times], [1])


def test_a_prehook_and_a_hook_on_a_result_that_write():
    x, y, given = variable(1), variable(1), tensor(1)
    a, b = x * 1, y * 1
    a.register_hook(lambda g: (g.mul_(7), None)[1])
    a.creator.register_prehook(lambda grads: (grads[0].mul_(2), None)[1])
    (a + b).backward(given)
    assert (x.grad.data.tolist(), y.grad.data.tolist(), given.tolist()) == ([14], [1], [1])


def test_a_hook_writes_into_what_the_hook_before_it_returned():
    x, kept = variable(1), tensor(1)
    x.register_hook(lambda g: kept)
    x.register_hook(lambda g: (g.mul_(7), None)[1])
    (x * 2).backward()
    assert (x.grad.data.tolist(), kept.tolist()) == ([7], [1])


def test_a_functions_hook_writes_into_what_the_hook_before_it_returned():
    x, kept = variable(1), tensor(1)
    y = x * 2
    y.creator.register_hook(lambda grad_input, grad_output: (kept,))
    y.creator.register_hook(lambda grad_input, grad_output: (grad_input[0].mul_(7), None)[1])
    y.backward(tensor(1))
    assert (x.grad.data.tolist(), kept.tolist()) == ([7], [1])


def test_full_backward_hooks_that_write():
    module = torch.nn.Linear(1, 1)
    module.weight.data.fill_(3)

    def hook(module, grad_input, grad_output):
        grad_output[0].mul_(1000)
        grad_input[0].mul_(7)

    module.register_full_backward_hook(hook)
    x, y = [Variable(torch.ones(1, 1), requires_grad=True) for _ in range(2)]
    given = torch.ones(1, 1)
    (module(x) + y).backward(given)
    assert x.grad.data.tolist() == [[21]] and y.grad.data.tolist() == [[1]] and given.tolist() == [[1]]
    assert module.weight.grad.data.tolist() == [[1]]


def test_one_of_two_gradients_that_are_one_tensor():
    class Both(Function):
        def forward(self, x, y):
            return x.add(y)

        def backward(self, g):
            return g, g

    x, y = variable(1), variable(1)
    call(Both(), call(Hundredfold(), x), y).backward(tensor(1))
    assert (x.grad.data.tolist(), y.grad.data.tolist()) == ([100], [1])


ANSWERS = {
    "a tensor": lambda kept: lambda g: kept,
    "a view": lambda kept: lambda g: kept.view(2, 1).t().view(2),
    "a tensor over the same array": lambda kept: lambda g: torch.from_numpy(kept.numpy()),
    "a part": lambda kept: lambda g: kept[:2],
}


@pytest.mark.parametrize("name", ANSWERS)
def test_what_a_function_kept_is_not_written_to_by_the_next_one(name):
    kept = tensor(1, 1)
    x = variable(1, 1)
    y = call(Keeping(ANSWERS[name](kept)), call(Hundredfold(), x))
    for times in (1, 2):
        y.backward(tensor(1, 1))
        assert x.grad.data.tolist() == [100 * times, 100 * times]
    assert kept.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["a tensor", "a part"])
def test_a_saved_tensor_that_is_returned_is_not_written_to(name):
    class Product(Function):
        def forward(self, x, w):
            self.save_for_backward(x, w)
            return x.mul(w)

        def backward(self, g):
            x, w = self.saved_tensors
            return (w, x) if name == "a tensor" else (w[:1], x[:1])  # right for g = 1

    x, w = variable(2), variable(3)
    y = call(Product(), call(Hundredfold(), x), w)
    for times in (1, 2):
        y.backward(tensor(1))
        assert (x.grad.data.tolist(), w.grad.data.tolist()) == ([300 * times], [2 * times])
    assert (x.data.tolist(), w.data.tolist()) == ([2], [3])


@pytest.mark.parametrize("answer", [lambda g: g, lambda g: g.mul(1), lambda g: g.view(1)])
def test_what_a_function_returned_is_not_written_to_while_it_waits(answer):
    keeping = Keeping(answer)

    class WritesElsewhere(Keeping):
        def backward(self, g):
            keeping.kept.fill_(1000)
            return g

    x = variable(1)
    a = x * 1
    (call(WritesElsewhere(), a) + call(keeping, a)).backward(tensor(1))  # the right one runs first, and `a` waits
    assert x.grad.data.tolist() == [2]


@pytest.mark.parametrize("by_a_hook", [False, True])
def test_a_tuple_of_gradients_may_be_kept(by_a_hook):
    kept = []

    class KeepingATuple(Function):
        def forward(self, x):
            return x.clone()

        def backward(self, g):
            kept.append((g.mul(1),))
            return kept[-1]

    class WritesElsewhere(Keeping):
        def backward(self, g):
            kept[0][0].fill_(1000)
            return g

    x = variable(1)
    a = x * 1
    b = a * 1 if by_a_hook else call(KeepingATuple(), a)
    if by_a_hook:
        b.creator.register_hook(lambda grad_input, grad_output: kept.append(grad_input))
    (call(WritesElsewhere(), a) + b).backward(tensor(1))  # `b` comes first, and `a` waits
    assert x.grad.data.tolist() == [2]


def test_the_numpy_array_of_a_gradient_may_be_kept():
    kept = []

    class KeepingTheArray(Keeping):
        def backward(self, g):
            kept.append(g.numpy())
            return g

    x = variable(1)
    call(KeepingTheArray(), call(Hundredfold(), x)).backward(tensor(1))
    assert x.grad.data.tolist() == [100] and kept[0].tolist() == [1]


def test_what_a_hook_kept_is_not_written_to_by_a_later_step_nor_felt_there():
    kept = []
    x, y = variable(1), variable(1)
    a = y * 1
    b = a + x
    b.register_hook(lambda g: kept.append(g))
    a.register_hook(lambda g: (kept[0].data.fill_(1000), None)[1])
    c = call(Hundredfold(), b)
    c.register_hook(lambda g: kept.append(g))
    c.backward(tensor(1))
    assert (x.grad.data.tolist(), y.grad.data.tolist()) == ([100], [100])
    assert [g.data.tolist() for g in kept] == [[1000], [100]]  # of c, which was written to, and of b


@pytest.mark.parametrize("create_graph", [False, True])
def test_results_of_grad_are_the_callers_alone(create_graph):
    x, y, given = variable(1), variable(1), tensor(1)
    a = x * 1
    z = a + call(Hundredfold(), y)
    results = grad(z, [x, y, a, z], given, create_graph=create_graph)
    for result, expected in zip(results, (1, 100, 1, 1)):
        assert result.data.tolist() == [expected]
        result.data.fill_(1000)
    assert given.tolist() == [1]


def test_retained_gradients_are_not_written_to():
    x = variable(1)
    y = x * 2
    z = call(Hundredfold(), y)
    z.retain_grad()
    y.retain_grad()
    y.creator.register_hook(lambda grad_input, grad_output: (grad_input[0].mul_(7), grad_output[0].mul_(1000)) and None)
    z.backward(tensor(1))
    assert (z.grad.data.tolist(), y.grad.data.tolist(), x.grad.data.tolist()) == ([1], [100], [1400])


def test_create_graph_too():
    x, y = variable(3), variable(1)
    z = x * x + call(Hundredfold(), y * y)
    z.backward(tensor(1), create_graph=True)
    assert (x.grad.data.tolist(), y.grad.data.tolist()) == ([6], [200])


def test_expanded_gradients_may_be_written_to():
    x = variable(1, 2)
    call(Hundredfold(), x).sum().backward()
    assert x.grad.data.tolist() == [100, 100]
