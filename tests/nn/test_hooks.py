"""Hooks on modules: v0.1.1's with names, v0.1.9's without, and those that see a whole module (today's)."""

import numpy
import pytest
import torch

from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor import Tensor

from .agreement import copy_parameters, modern, tensor, variable


def test_forward_hooks_of_2016_see_tuples():
    layer, seen = nn.Linear(3, 2), []
    layer.register_forward_hook("look", lambda *arguments: seen.append(arguments) or "ignored")
    x = variable(numpy.ones((1, 3)))
    y = layer(x)
    ((module, input, result),) = seen
    assert module is layer and input == (x,) and result == (y,)
    with pytest.raises(ValueError, match="Linear has a hook named 'look' already"):
        layer.register_forward_hook("look", print)
    layer.remove_forward_hook("look")
    layer(x)
    assert len(seen) == 1
    with pytest.raises(KeyError, match="no hook named 'look'; it has none"):
        layer.remove_forward_hook("look")
    with pytest.raises(TypeError, match="needs a function, got str"):
        layer.register_forward_hook("look")


def test_lone_forward_hooks_run_in_order_and_may_replace_the_result():
    layer = nn.Linear(3, 2)
    x = variable(numpy.ones((1, 3)))
    plain = layer(x)
    first = layer.register_forward_hook(lambda module, input, result: result * 2)
    second = layer.register_forward_hook(lambda module, input, result: result + 1)
    numpy.testing.assert_allclose(layer(x).data.array, 2 * plain.data.array + 1)
    first.remove()
    numpy.testing.assert_allclose(layer(x).data.array, plain.data.array + 1)
    with second:
        pass
    assert layer(x).data.equal(plain.data)


def test_pre_hooks_may_replace_the_input():
    layer = nn.Linear(3, 2)
    x = variable(numpy.ones((1, 3)))
    doubled = layer(x * 2)
    handle = layer.register_forward_pre_hook(lambda module, input: input[0] * 2)
    assert layer(x).data.equal(doubled.data)
    handle.remove()
    layer.register_forward_pre_hook(lambda module, input: None)
    assert not layer(x).data.equal(doubled.data)


def test_backward_hooks_of_2016():
    layer, seen = nn.Linear(3, 2), []
    layer.register_backward_hook("look", lambda *arguments: seen.append(arguments) or ("ignored",))
    x = variable(numpy.ones((1, 3)))
    layer(x).backward(tensor(numpy.ones((1, 2))))
    ((module, grad_input, grad_output),) = seen
    assert module is layer
    assert isinstance(grad_output, Tensor) and grad_output.size() == (1, 2)
    assert len(grad_input) == 3 and grad_input[0].size() == (1, 3)  # of x, weight and bias
    layer.remove_backward_hook("look")
    layer(x).backward(tensor(numpy.ones((1, 2))))
    assert len(seen) == 1


def test_two_modules_that_end_in_one_function():
    """In 2016 a module and its container could not have a hook of one name (G9)."""
    net, seen = nn.Sequential(nn.Linear(3, 2)), []
    for module in (net, net[0]):
        module.register_backward_hook("look", lambda module, *grads: seen.append(type(module).__name__))
    net(variable(numpy.ones((1, 3)))).sum().backward()
    assert sorted(seen) == ["Linear", "Sequential"]


def test_lone_backward_hooks():
    layer, seen = nn.Linear(3, 2), []

    def hook(module, grad_input, grad_output):
        seen.append(grad_output)
        return tuple([grad * 2 for grad in grad_input])

    handle = layer.register_backward_hook(hook)
    x = variable(numpy.ones((1, 3)))
    layer(x).backward(tensor(numpy.ones((1, 2))))
    assert isinstance(seen[0], tuple) and len(seen[0]) == 1
    numpy.testing.assert_allclose(layer.bias.grad.array, [2, 2])
    handle.remove()
    layer(x).backward(tensor(numpy.ones((1, 2))))
    numpy.testing.assert_allclose(layer.bias.grad.array, [3, 3])


def test_backward_hooks_where_nothing_requires_a_gradient():
    layer = nn.ReLU()
    layer.register_backward_hook(lambda *arguments: 1 / 0)
    layer(Variable(tensor(numpy.ones(2)), requires_grad=False))
    x = variable(numpy.ones(2))
    nn.Sequential()(x)  # the result is a leaf: it has no Function to hook


def plain(grad):
    return None if grad is None else getattr(grad, "data", grad).numpy().copy()


@pytest.mark.filterwarnings("ignore:Full backward hook is firing")
@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("input_requires", [False, True])
def test_full_backward_hooks_are_modern_torchs(replace, input_requires):
    class Two:
        def __init__(self):
            super().__init__()
            self.linear = self.linear_class(3, 2)

        def forward(self, x, y):
            return self.linear(x) * y, x.sum()

    class Ours(Two, nn.Module):
        linear_class = nn.Linear

    class Theirs(Two, torch.nn.Module):
        linear_class = torch.nn.Linear

    ours, theirs = Ours(), Theirs().double()
    copy_parameters(ours, theirs)
    results = []
    for module, make in ((ours, variable), (theirs, modern)):
        seen = []

        def hook(module, grad_input, grad_output, seen=seen):
            seen.append([plain(g) for g in (*grad_input, *grad_output)])
            if replace:
                return tuple([None if g is None else g * 3 for g in grad_input])
            return None

        module.register_full_backward_hook(hook)
        x, y = make(numpy.ones((1, 3))), make(numpy.full((1, 2), 2.0))
        for leaf in (x, y):
            leaf.requires_grad = input_requires
        a, b = module(x, y)
        (a.sum() + (b.sum() if input_requires else 0)).backward()
        grads = [v.grad for v in (x, y, module.linear.weight)]
        results.append((seen, [plain(g) for g in grads]))
    (own_seen, own_grads), (seen, grads) = results
    assert len(own_seen) == len(seen) == 1
    own_seen, seen = own_seen[0], seen[0]
    if not input_requires:
        # torch counts the inputs all the same; both tell that there is no gradient
        assert not any(g is not None for g in own_seen[:-2]) and not any(g is not None for g in seen[:-2])
        own_seen, seen = own_seen[-2:], seen[-2:]
    for a, b in zip([*own_seen, *own_grads], [*seen, *grads], strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            numpy.testing.assert_allclose(a.ravel(), b.ravel())


def test_a_full_backward_hook_with_the_wrong_number_of_gradients():
    layer = nn.Linear(3, 2)
    layer.register_full_backward_hook(lambda *arguments: (None, None))
    y = layer(variable(numpy.ones((1, 3))))
    with pytest.raises(RuntimeError, match="hook of Linear returned 2 gradients for 1 inputs"):
        y.sum().backward()


def test_a_backward_hook_that_returns_another_number_of_gradients_is_named():
    def one_too_many(module, grad_input, grad_output):
        return (*grad_input, None)

    layer = nn.Sigmoid()
    with layer.register_backward_hook(one_too_many):
        with pytest.raises(RuntimeError, match=r"Sigmoid: the backward hook one_too_many .* \(got 2, but expected 1\)"):
            layer(variable(numpy.ones(2))).sum().backward()
