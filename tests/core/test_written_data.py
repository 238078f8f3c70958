"""Writes through `data` between a forward and its backward: refused under `import`, v0.1.x's gradient under `run`."""

import pytest
import torch as modern

import legacy_autograd as torch
from legacy_autograd import conventions, nn, optim
from legacy_autograd.autograd import Variable, saved_tensors
from legacy_autograd.autograd.function import InplaceFunction


@pytest.fixture(params=["0.1.1", "0.1.5", "0.1.12"])
def era(request, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.column(request.param))
    monkeypatch.setattr(saved_tensors, "_warned", set())


def leaf(*numbers):
    return Variable(torch.DoubleTensor(numbers), requires_grad=True)


def same(gradient, expected):
    tensor = gradient.data if isinstance(gradient, Variable) else gradient
    assert tensor.numpy() == pytest.approx(expected.numpy(), rel=1e-12)


def copied(layer):
    result = modern.nn.Linear(2, 2).double()
    for theirs, ours in zip(result.parameters(), layer.parameters()):
        theirs.data.copy_(modern.from_numpy(ours.data.numpy()))
    return result


@pytest.mark.usefixtures("era")
def test_an_old_network_takes_the_state_of_the_new_one_before_backward():
    new, old = nn.Linear(2, 2).double(), nn.Linear(2, 2).double()
    theirs = copied(new), copied(old)
    x, y = leaf([1, 2]), modern.tensor([[1.0, 2.0]], dtype=modern.double, requires_grad=True)
    loss, reference = (new(x) / old(x)).sum(), (theirs[0](y) / theirs[1](y)).sum()
    old.load_state_dict(new.state_dict())
    for parameter, other in zip(theirs[1].parameters(), theirs[0].parameters()):
        parameter.data.copy_(other.data)
    with pytest.warns(UserWarning, match="through `data`.*mixes numbers.*before the write") as seen:
        loss.backward()
    assert [warning.filename for warning in seen] == [__file__]
    reference.backward()
    same(x.grad, y.grad)
    for ours, parameter in zip((*new.parameters(), *old.parameters()), (p for m in theirs for p in m.parameters())):
        same(ours.grad, parameter.grad)


WRITES = {
    "zero_": lambda w, h: h.data.zero_(),
    "clamp_": lambda w, h: w.data.clamp_(-0.5, 0.5),
    "normalise": lambda w, h: w.data.div_(w.data.norm()),
    "add_": lambda w, h: w.data.add_(1),
    "refill": lambda w, h: h.data.resize_(3).copy_(w.data),
}


@pytest.mark.usefixtures("era")
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_backward_computes_with_the_memory_as_it_is(write):
    w, v = leaf(1, -2, 3), modern.tensor([1.0, -2, 3], dtype=modern.double, requires_grad=True)
    h, g = w * w * w, v * v * v
    loss, reference = (h * h * w).sum(), (g * g * v).sum()
    write(w, h)
    if write is WRITES["refill"]:  # modern torch refuses to resize what requires a gradient
        g.data.copy_(v.data)
    else:
        write(v, g)
    with pytest.warns(UserWarning, match="mixes numbers"):
        loss.backward()
    reference.backward()
    same(w.grad, v.grad)


@pytest.mark.usefixtures("era")
def test_one_buffer_that_is_filled_again_in_a_loop():
    w, buffer, total = leaf(1, 2), torch.DoubleTensor(2), 0
    for number in (1, 2, 3):
        total = total + (w * Variable(buffer.fill_(number), requires_grad=False)).sum()
    with pytest.warns(UserWarning, match="Mul"):
        total.backward()
    assert total.data.tolist() == [3 + 6 + 9]
    same(w.grad, modern.tensor([9.0, 9.0]))  # three times the last filling


@pytest.mark.usefixtures("era")
def test_one_warning_for_each_place():
    x = leaf(1, 2)
    with pytest.warns(UserWarning) as seen:
        for losses in ((x * x * x, x * x), (x / x, x * x)):
            x.data.mul_(2)
            for loss in losses:
                loss.sum().backward()
        loss = (x * x).sum()
        x.data.mul_(2)
        loss.backward()
    lines = [warning.lineno for warning in seen]
    assert len(lines) == 2 and lines[1] - lines[0] == 3


@pytest.mark.usefixtures("era")
def test_an_optimizers_step_and_a_write_through_data():
    w = leaf(2)
    loss = w * w
    loss.backward()  # 4
    optim.SGD([w], lr=0.25).step()  # 2 - 0.25 * 4 = 1
    w.data.add_(4)
    with pytest.warns(UserWarning, match="through `data`"):
        loss.backward()  # 2 * 5
    same(w.grad, modern.tensor([14.0]))


@pytest.mark.usefixtures("era")
@pytest.mark.parametrize("also", [lambda x: None, lambda x: x.data.add_(1)], ids=["alone", "and through data"])
def test_an_operation_in_place_is_refused_in_every_era(also):
    w = leaf(2)
    x = w * 3
    y = x * x
    also(x)
    x.add_(1)
    with pytest.raises(RuntimeError, match="Mul: one of the variables.*is at version .; expected version 0"):
        y.backward()


class Doubled(InplaceFunction):
    def __init__(self, writes):
        self.writes = writes

    def forward(self, x):
        self.mark_dirty(x)
        if self.writes:
            x.mul_(2)
        self.save_for_backward(x)
        return x

    def backward(self, grad_output):
        return grad_output * self.saved_tensors[0]


@pytest.mark.usefixtures("era")
@pytest.mark.parametrize("writes", [True, False])
def test_what_a_users_function_marked_dirty_is_refused_to_those_before(writes):
    w = leaf(2)
    x = w * 1
    y = x * x
    Doubled(writes)(x)  # x is its output now
    with pytest.raises(RuntimeError, match="Mul: one of the variables"):
        y.backward()
    x.backward()
    same(w.grad, modern.tensor([4.0 if writes else 2.0]))


def test_under_import_every_write_is_refused():
    for write in WRITES.values():
        w = leaf(1, -2, 3)
        h = w * w * w
        loss = (h * h * w).sum()
        write(w, h)
        with pytest.raises(RuntimeError, match="Mul: one of the variables"):
            loss.backward()
