"""Leaf: where a gradient ends (2016: torch/autograd/leaf.py)."""

import gc
import pickle

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Leaf, Variable


def variable(*numbers, **kwargs):
    return Variable(torch.DoubleTensor(list(numbers)), **kwargs)


def test_a_leaf_accumulates():
    x = variable(1.0)
    for expected in (2, 4, 6):
        (x * 2).backward()
        assert x.grad.tolist() == [expected]


def test_the_first_gradient_is_copied():
    x, y = variable(1.0, 1.0), variable(1.0, 1.0)
    gradient = torch.DoubleTensor([1, 2])
    (x + y).backward(gradient)
    assert x.grad is not gradient and y.grad is not gradient and x.grad is not y.grad
    (x + y).backward(gradient)
    assert gradient.tolist() == [1, 2]
    assert x.grad.tolist() == y.grad.tolist() == [2, 4]


def test_the_gradient_tensor_stays_the_same_object():
    x = variable(1.0)
    grad = x.grad
    (x * 2).backward()
    assert x.grad is grad and grad.tolist() == [2]


def test_a_root_that_is_a_leaf():
    x = variable(1.0, 2.0)
    x.backward(torch.DoubleTensor([3, 4]))
    assert x.grad.tolist() == [3, 4]


def test_a_leaf_cannot_be_called():
    x = variable(1.0)
    with pytest.raises(NotImplementedError, match="Leaf"):
        x.creator._do_forward(x)


def test_named_hooks_on_a_leaf_see_the_gradient_twice_as_tuples():
    seen = []
    x = variable(1.0)
    x.register_hook("h", lambda grad_input, grad_output: seen.append((grad_input, grad_output, x.grad.tolist())))
    (x * 2).backward()
    ((grad_input, grad_output, before),) = seen
    assert grad_input == grad_output and grad_output[0].tolist() == [2]
    assert before == [0]  # the hook runs before the gradient is added
    x.remove_hook("h")
    (x * 2).backward()
    assert len(seen) == 1


def test_a_lone_hook_on_a_leaf_replaces_what_is_added():
    x = variable(1.0)
    x.register_hook(lambda grad: grad.mul(-1))
    (x * 2).backward()
    assert x.grad.tolist() == [-2]


def test_a_variable_holds_its_leaf_and_not_the_other_way_round():
    x = variable(1.0)
    leaf = x.creator
    gc.disable()
    try:
        del x
        assert leaf.variable is None
    finally:
        gc.enable()


def test_a_leaf_whose_variable_is_gone_runs_its_hooks_and_drops_the_gradient():
    x, y = variable(1.0), variable(2.0)
    seen = []
    z = x * y
    x.register_hook(lambda grad: seen.append(grad.tolist()))
    del x
    z.backward()
    assert seen == [[2]]
    assert y.grad.tolist() == [1]


def test_a_leaf_alone_is_not_copied():
    with pytest.raises(TypeError, match="copy or pickle the Variable"):
        pickle.dumps(variable(1.0).creator)
    assert Leaf.__mro__[1].__name__ == "Function"
