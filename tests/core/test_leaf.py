"""Leaf: where a gradient ends (2016: torch/autograd/leaf.py)."""

import contextlib
import gc
import pickle

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Leaf, Variable

from .test_fast import the_book


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


# --- a gradient that is not as backward left it

RESIZED = {
    "resize_(4)": lambda grad: grad.resize_(4),
    "resize_(1)": lambda grad: grad.resize_(1),
    "resize_(2, 1)": lambda grad: grad.resize_(2, 1),
    "resize_(2, 2)": lambda grad: grad.resize_(2, 2),
    "set_()": lambda grad: grad.set_(),
    "set_(another)": lambda grad: grad.set_(torch.DoubleTensor([7, 8, 9])),
    "data =": lambda grad: setattr(grad, "data", torch.DoubleTensor([7, 8, 9])),
    "unsqueeze_": lambda grad: grad.unsqueeze_(0),
}


@pytest.mark.parametrize("by", ["the twin", "the book", "create_graph", "a retained output"])
@pytest.mark.parametrize("resize", RESIZED.values(), ids=RESIZED)
def test_a_gradient_that_was_resized_is_refused_and_kept(resize, by):
    """Modern torch refuses it too, but for shapes to which the new gradient can be broadcast."""
    with the_book() if by == "the book" else contextlib.nullcontext():
        x = variable(1.0, 1.0)
        y = x * 1
        y.retain_grad()
        (y * 3).sum().backward()
        of = y if by == "a retained output" else x
        resize(of._grad)
        kept = of._grad.tolist()
        with pytest.raises(RuntimeError, match=r"the accumulated gradient was resized: `grad` is .* size \(2,\)"):
            (of * 3).sum().backward(create_graph=by == "create_graph")
        assert of._grad.data.tolist() == kept
        of.grad = None
        (of * 3).sum().backward()
        assert of.grad.tolist() == [3, 3]


@pytest.mark.parametrize("create_graph", [False, True])
def test_data_of_another_shape_begins_a_new_gradient_each_time(create_graph):
    x = variable(1.0, 1.0)
    for size in (2, 3, 3, 1, 4, 2):
        same = x.data.size(0) == size
        before = x.grad.data.tolist() if same else [0.0] * size
        x.data = torch.ones(size).double()
        (x * 3).sum().backward(create_graph=create_graph)
        assert x.grad.data.tolist() == [number + 3 for number in before]
    x.grad.data.resize_(5)
    with pytest.raises(RuntimeError, match="the accumulated gradient"):
        (x * 3).sum().backward(create_graph=create_graph)


def test_a_gradient_that_was_assigned_to_new_data_is_added_to():
    x = variable(1.0, 1.0)
    x.data = torch.ones(3).double()
    x.grad = torch.DoubleTensor([1, 2, 3])
    (x * 3).sum().backward()
    assert x.grad.tolist() == [4, 5, 6]
    x.grad.resize_(4)
    with pytest.raises(RuntimeError, match="the accumulated gradient"):
        (x * 3).sum().backward()
