"""Gradients that are Variables, under the conventions of v0.1.9 and v0.1.12 (autograd/later/variable_gradients.py)."""

import copy
import pickle
import threading

import pytest

import legacy_autograd as torch
from legacy_autograd import conventions, nn, optim
from legacy_autograd.autograd import Variable, grad
from legacy_autograd.autograd.leaf import Leaf


@pytest.fixture(autouse=True, params=["0.1.9", "0.1.12"])
def era(request, monkeypatch):
    monkeypatch.setattr(conventions, "era", {**conventions.ERAS, **conventions.OTHERS}[request.param])


def leaf(*numbers):
    return Variable(torch.DoubleTensor(numbers), requires_grad=True)


def with_gradient(*numbers):
    x = leaf(*numbers)
    (x * x).sum().backward()
    return x


def test_grad_is_one_volatile_variable_into_which_backward_adds():
    x = with_gradient(1, 2)
    first = x.grad
    assert type(first) is Variable and first.volatile and not first.requires_grad and first is x.grad
    (x * 3).sum().backward()
    assert x.grad is first and first.data.tolist() == [5, 7]
    first.data.zero_()
    (x * 3).sum().backward()
    assert x.grad.data.tolist() == [3, 3]


def test_a_thread_that_reads_a_gradient_takes_turns_with_backward():
    x, seen = with_gradient(1, 2), []
    thread = threading.Thread(target=lambda: seen.append(x.grad))
    with Leaf._lock:
        thread.start()
        thread.join(0.05)
        x._grad = torch.DoubleTensor([7, 8])  # as _accumulate does under the lock
        grad = x.grad
    thread.join(60)
    assert seen[0] is grad is x.grad and grad.data.tolist() == [7, 8]


def test_a_gradient_can_be_computed_with_and_slows_nothing_down():
    x = with_gradient(1, 2)
    assert torch.autograd.callbacks.around_call.callbacks == () and x.grad.volatile
    y = (x.grad * x).sum()
    assert not y.volatile and torch.autograd.callbacks.around_call.callbacks == ()
    y.backward()
    assert x.grad.data.tolist() == [4, 8]  # 2x + 2x: the gradient was a constant


def test_gradients_that_processes_share_train():
    local, shared = nn.Linear(2, 1).double(), nn.Linear(2, 1).double()
    inputs = Variable(torch.DoubleTensor([[1, 2]]))
    optimizer = optim.SGD(shared.parameters(), lr=1)
    before = shared.weight.data.clone()

    def ensure_shared_grads():
        for mine, theirs in zip(local.parameters(), shared.parameters()):
            if theirs.grad is not None:
                return
            theirs._grad = mine.grad

    for _ in range(2):
        local.zero_grad()
        local(inputs).sum().backward()
        if conventions.era.grad_begins_as_zeros:
            shared.weight._grad, shared.bias._grad = local.weight.grad, local.bias.grad
        else:
            ensure_shared_grads()
        assert shared.weight.grad is local.weight.grad
        optimizer.step()
    assert (before - shared.weight.data)[0].tolist() == pytest.approx([2, 4])


def test_copies_have_no_gradient():
    model = nn.Linear(2, 1)
    model(Variable(torch.ones(1, 2))).sum().backward()
    assert model.weight.grad.volatile
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other.weight._grad is None and other.weight.data.equal(model.weight.data)
        other(Variable(torch.ones(1, 2))).sum().backward()
        other.weight.grad.data.fill_(5)
        assert model.weight.grad.data.tolist() == [[1, 1]]
    assert torch.autograd.callbacks.around_call.callbacks == ()


def test_conversions_and_shared_memory_keep_the_variable():
    model = nn.Linear(2, 1)
    model(Variable(torch.ones(1, 2))).sum().backward()
    gradient = model.weight.grad
    model.double()
    assert model.weight.grad is gradient and gradient.data.type() == "torch.DoubleTensor"
    model.share_memory()
    assert model.weight.grad is gradient


def test_what_works_with_gradients():
    x = with_gradient(3, 4)
    nn.utils.clip_grad_norm([x], 5)
    assert x.grad.data.sub(torch.DoubleTensor([3, 4])).abs().max() < 1e-5  # the norm of (6, 8) is 10
    for method in (optim.SGD, optim.Adam, optim.RMSprop, optim.Adagrad, optim.Adadelta, optim.Adamax, optim.ASGD):
        before = x.data.clone()
        x.grad.data.fill_(1)
        optimizer = method([x], lr=0.1)
        optimizer.step()
        assert not x.data.equal(before)
        optimizer.zero_grad()
        assert x.grad.data.tolist() == [0, 0]


def test_what_may_be_assigned():
    x = leaf(1, 2)
    x.grad = Variable(torch.DoubleTensor([1, 1]))
    (x * 2).sum().backward()
    assert x.grad.data.tolist() == [3, 3]
    x.grad = torch.DoubleTensor([1, 1])
    assert type(x.grad) is Variable and x.grad.data.tolist() == [1, 1]
    x.grad = None
    assert x._grad is None


def test_a_gradient_that_can_be_differentiated():
    x = leaf(2)
    (x * x * x).backward(create_graph=True)
    assert not x.grad.volatile
    (second,) = grad(x.grad, x)
    assert second.data.tolist() == [12]


def test_hooks_may_keep_replace_and_write():
    x, kept = leaf(1, 2), []
    y = x * 2
    y.register_hook(kept.append)
    y.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: Variable(g.data + 1))
    y.creator.register_hook(lambda grad_input, grad_output: (grad_input[0].data.add_(1), None)[1])
    y.creator.register_hook(lambda grad_input, grad_output: (grad_input[0] * 2,))
    y.sum().backward()
    assert kept[0].data.tolist() == [1, 1] and x.grad.data.tolist() == [43, 43]  # (2 * 10 + 1) * 2 + 1


def test_a_hook_of_a_module():
    model, seen = nn.Linear(2, 1, bias=False), []
    model.weight.data.fill_(1)
    x = Variable(torch.ones(1, 2), requires_grad=True)

    def hook(module, grad_input, grad_output):
        seen.extend([type(part) for part in (*grad_input, *grad_output)])
        return tuple([part * 2 for part in grad_input])

    model.register_backward_hook(hook)
    model(x).backward(torch.ones(1, 1))
    assert {*seen} == {Variable} and x.grad.data.tolist() == [[2, 2]]


def test_the_dictionary_of_hooks():
    x = leaf(1, 2)
    y = x * 2
    handle = y.register_hook(lambda g: g * 10)
    y._backward_hooks[10**6] = lambda g: g * 3
    assert len(y._backward_hooks) == 2 and 10**6 in y._backward_hooks
    y.sum().backward()
    assert x.grad.data.tolist() == [60, 60]
    handle.remove()
    y._backward_hooks = None
    assert not y._backward_hooks
    x.grad.data.zero_()
    y.sum().backward()
    assert x.grad.data.tolist() == [2, 2]
    y._backward_hooks["own"] = lambda g: g + 1  # any object is a key
    y._backward_hooks[0] = lambda g: g * 4
    y._backward_hooks["own"] = lambda g: g * 2 + 1
    assert [*y._backward_hooks] == ["own", 0] and "other" not in y._backward_hooks
    x.grad.data.zero_()
    y.sum().backward()
    assert x.grad.data.tolist() == [24, 24]  # as they came: 2 * 4 * (2 * 1 + 1)
    del y._backward_hooks["own"]
    assert [*y._backward_hooks] == [0]
    with pytest.raises(KeyError):
        del y._backward_hooks[10**6]
