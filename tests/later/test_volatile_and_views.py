"""volatile, detach, requires_grad_, retain_grad, is_leaf, and the modern names of the graph."""

import gc
import weakref

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Leaf, Variable, callbacks
from legacy_autograd.autograd.functions import Sub
from legacy_autograd.autograd.later.node_api import AccumulateGrad

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


# --- volatile


def test_volatile_can_be_set_on_leaves():
    x, w = variable(1.0, 2.0), variable(3.0, 4.0)
    x.volatile = True
    assert x.volatile and not x.requires_grad and (x * w).volatile
    x.volatile = x.volatile
    x.volatile = False
    assert not x.volatile and x.requires_grad and not (x * w).volatile
    (x * w).sum().backward()
    assert x.grad.tolist() == [3, 4] and callbacks.around_call.callbacks == ()
    constant = variable(1.0, requires_grad=False)
    constant.volatile = True
    constant.volatile = False
    assert not constant.requires_grad
    with pytest.raises(RuntimeError, match="volatile can only be set on leaf variables; this one is an output of Mul"):
        (x * w).volatile = True
    with pytest.raises(TypeError, match="volatile must be a bool, got int"):
        x.volatile = 1


def test_one_volatile_input_is_enough():
    x, w = variable(1.0, 2.0, volatile=True), variable(3.0, 4.0)
    assert x.volatile and not x.requires_grad and x.is_leaf
    y = (x * w).exp()
    assert y.volatile and not y.requires_grad and y.is_leaf and y.creator.previous_functions == []
    assert not (w * w).volatile and (w * w).requires_grad
    values, index = y.max(0)
    assert values.volatile and index.volatile
    with pytest.raises(RuntimeError, match="does not require a gradient"):
        y.sum().backward()


def test_a_network_run_on_volatile_data_keeps_no_graph():
    gc.disable()
    try:
        network = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
        x = Variable(torch.DoubleTensor(2, 3), volatile=True)
        hidden = network[0](x)
        gone = weakref.ref(hidden.data)
        y = network[2](network[1](hidden))
        del hidden
        assert gone() is None and y.volatile
        assert all(p.requires_grad and not p.volatile for p in network.parameters())
    finally:
        gc.enable()


def test_volatile_spreads_through_detach_and_not_through_data():
    x = variable(1.0, volatile=True)
    assert x.detach().volatile and not Variable(x.data).volatile
    assert Variable(x.data).requires_grad


def test_nobody_listens_when_the_last_volatile_is_gone():
    x, w = variable(1.0, volatile=True), variable(2.0)
    y = x * w
    assert len(callbacks.around_call.callbacks) == 1
    del x, y
    assert (w * w).requires_grad and callbacks.around_call.callbacks == ()


def test_volatile_and_no_grad():
    x, w = variable(1.0, volatile=True), variable(2.0)
    with torch.no_grad():
        y = x * w
    assert y.volatile and not (w * y).requires_grad


def test_contradictions():
    for make in (
        lambda: variable(1.0, volatile=True, requires_grad=True),
        lambda: variable(1.0, volatile=True).requires_grad_(),
    ):
        with pytest.raises(ValueError, match="a volatile Variable cannot require a gradient"):
            make()


# --- detach and requires_grad_


def test_detach():
    def program(t):
        x = t.variable([1.0, 2.0])
        y = x * 3
        d = y.detach()
        (d * x + y).sum().backward()
        states = [d.requires_grad, d.is_leaf, d.grad_fn is None, x.grad]
        d.data.fill_(7)
        z = x * 2
        z.detach_()
        (z * x).sum().backward()
        return [*states, y, z.requires_grad, z.is_leaf, x.grad, t.raised(lambda: z.sum().backward())]

    same(program)


def test_a_detached_variable_shares_the_count_of_writes():
    def program(t):
        x = t.variable([1.0, 2.0])
        y = x * 1
        z = y * y
        y.detach().add_(1)
        return t.raised(lambda: z.sum().backward()), y

    same(program)


def test_detach_is_not_the_same_variable_in_a_second_derivative():
    def program(t):
        x = t.variable([2.0, 3.0])
        (first,) = t.autograd.grad((x * x.detach() * x).sum(), x, create_graph=True)
        return first, t.autograd.grad(first.sum(), x)

    same(program)


def test_requires_grad_():
    def program(t):
        x = t.variable([1.0], requires_grad=False)
        y = x * 2
        states = [x.requires_grad_() is x, x.requires_grad, y.requires_grad]
        (x * x).backward()
        x.requires_grad_(False)
        states += [x.requires_grad, (x * 2).requires_grad]
        z = t.variable([1.0]) * 2
        states += [z.requires_grad_() is z, t.raised(lambda: z.requires_grad_(False))]
        states += [y.is_leaf, y.requires_grad_().requires_grad, y.is_leaf]
        (y * y).backward()
        return states, x.grad, y.grad

    same(program)


def test_integers_cannot_require_a_gradient():
    with pytest.raises(RuntimeError, match="only floating-point Variables can require a gradient, not a torch.Long"):
        Variable(torch.LongTensor([1])).requires_grad_()


def test_freezing_a_part_of_a_network():
    first, second = torch.nn.Linear(2, 3), torch.nn.Linear(3, 1)
    for p in first.parameters():
        p.requires_grad_(False)
    second(first(Variable(torch.DoubleTensor([[1.0, 2.0]])))).backward()
    assert first.weight._grad is None and second.weight._grad is not None


def test_no_grad_as_v0_1_5_called_it():
    x = variable(1.0)
    y = (x * 2).no_grad()
    assert not y.requires_grad and y.data.tolist() == [2.0]


# --- is_leaf and retain_grad


def test_is_leaf():
    def program(t):
        x, constant = t.variable([1.0]), t.variable([1.0], requires_grad=False)
        with t.torch.no_grad():
            unrecorded = x * 2
        return [v.is_leaf for v in (x, constant, x * 2, constant * 2, x.detach(), unrecorded, x * constant)]

    same(program)


def test_retain_grad():
    def program(t):
        x = t.variable([1.0, 2.0])
        y = x * 2
        z = y * y
        before = y.retains_grad
        y.retain_grad()
        y.retain_grad()
        x.retain_grad()
        z.sum().backward(retain_graph=True)
        first = y.grad.data.clone()
        z.sum().backward(retain_graph=True)
        t.autograd.grad(z.sum(), x, retain_graph=True)
        second = y.grad.data.clone()
        y.grad = None
        t.autograd.grad(z.sum(), y, create_graph=True)
        constant = t.variable([1.0], requires_grad=False)
        return before, first, second, y.grad, y.retains_grad, x.retains_grad, t.raised(constant.retain_grad)

    same(program)


def test_gradients_that_nobody_retained_are_none():
    x = variable(1.0)
    y = x * 2
    (y * y).backward()
    assert y.grad is None and x.grad.tolist() == [8.0]


def test_the_three_ways_to_the_gradient_of_an_intermediate_result():
    """As the article lists them: retain_grad, autograd.grad, and a hook."""

    def program(t):
        x = t.variable([[1.0, 1.0], [1.0, 1.0]])
        y = x * 2
        y.retain_grad()
        caught = []
        handle = y.register_hook(caught.append)
        z = (y**2).mean()
        z.backward(retain_graph=True)
        handle.remove()
        (asked,) = t.autograd.grad(z, y, create_graph=True)
        return x.is_leaf, y.is_leaf, y.grad, caught, asked, x.grad

    same(program)


# --- the modern names


def test_the_modern_view():
    def program(t):
        x, w, constant = t.variable([2.0, 1.0]), t.variable([3.0, 1.0]), t.variable([1.0, 1.0], requires_grad=False)
        y = (x * w).exp() * constant

        def described(node):
            if node is None:
                return None
            name = node.name().removesuffix("0").removeprefix("torch::autograd::")
            return [name, [(described(next_node), number) for next_node, number in node.next_functions]]

        leaf = y.grad_fn.next_functions[0][0].next_functions[0][0].next_functions[0][0]
        values, _ = x.sort(0)
        y.grad_fn.metadata["note"] = 3
        return [
            described(y.grad_fn),
            leaf.variable is x,
            x.grad_fn is None,
            constant.grad_fn is None,
            values.output_nr,
            x.output_nr,
            y.grad_fn.metadata,
            w.split(1)[1].output_nr,
        ]

    found = same(program)
    assert found[0][0] == "MulBackward"


def test_they_are_the_same_objects():
    x = variable(2.0)
    y = x * x
    assert y.grad_fn is y.creator and AccumulateGrad is Leaf
    assert [fn for fn, _ in y.grad_fn.next_functions] == [fn for fn, _ in y.creator.previous_functions]
    assert y.grad_fn.next_functions[0][0] is x.creator


def test_the_repr_of_a_function_names_its_kind_and_its_inputs():
    x = variable([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    y = x * 2 - x**2
    assert repr(y.creator) == "<Sub ← MulConstant, PowConstant>"
    assert repr((x - y).creator) == "<Sub ← Leaf, Sub>"
    assert repr(Sub()) == "<Sub, not called>"
    assert repr(torch.cat([x] * 9).creator) == "<Concat ← Leaf, Leaf, Leaf, Leaf, Leaf, Leaf, 3 more>"
    y.sum().backward()  # the same after what a backward, and reading 2016's record, leave behind
    y.creator.previous_functions
    assert repr(y.creator) == "<Sub ← MulConstant, PowConstant>"


def test_the_repr_of_a_leaf_names_what_it_is_the_leaf_of():
    x = variable([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    assert repr(x.creator) == "<Leaf of a DoubleTensor of size (2, 3), requires grad>"
    x.requires_grad = False
    assert repr(x.creator) == "<Leaf of a DoubleTensor of size (2, 3)>"
    leaf = x.creator
    del x
    gc.collect()
    assert repr(leaf) == "<Leaf of a Variable that no longer exists>"
