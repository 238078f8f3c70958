"""The common features of all optimizers: groups, the forms of step, state, and messages about incorrect input."""

import copy
import math
import pickle

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import conventions, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.compat import loss_closures
from legacy_autograd.optim import forms_of_2016

ALL = ["SGD", "Adam", "AdamW", "Adagrad", "RMSprop", "Adadelta", "Adamax", "ASGD", "Rprop", "LBFGS"]
OPTIONS = {
    "SGD": {"lr": 0.02, "momentum": 0.9, "dampening": 0},
    "Adam": {"amsgrad": True},
    "RMSprop": {"centered": True, "momentum": 0.5},
    "ASGD": {"t0": 2},
    "LBFGS": {"lr": 0.1, "max_iter": 3, "history_size": 2},
}


def leaf(*numbers):
    return Variable(torch.DoubleTensor(list(numbers)), requires_grad=True)


def make(name, params=None, **options):
    return getattr(optim, name)(params or [leaf(1.0, 2.0), leaf(3.0)], **{**OPTIONS.get(name, {}), **options})


def params_of(optimizer):
    return [p for group in optimizer.param_groups for p in group["params"]]


def square(optimizer, scale=1.0):
    """A closure: scale * the sum of all squares, with its gradients."""

    def closure():
        optimizer.zero_grad()
        loss = sum((p * p).sum() for p in params_of(optimizer)) * scale
        loss.backward()
        return loss

    return closure


def numbers(optimizer):
    return [p.data.tolist() for p in params_of(optimizer)]


class Scale:
    """A model as v0.1.1's optimizers need one: it is called, and has parameters."""

    def __init__(self, *weights):
        self.weight = leaf(*weights)

    def parameters(self):
        yield self.weight

    def __call__(self, x):
        return self.weight * x


def distance(output, target):
    return ((output - target) * (output - target)).sum()


# --- step


@pytest.mark.parametrize("name", ALL)
def test_a_step_lowers_the_loss_and_returns_it(name):
    optimizer = make(name)
    losses = [optimizer.step(square(optimizer)).data[0] for _ in range(5)]
    assert losses[0] == 14
    assert all(later < earlier for earlier, later in zip(losses, losses[1:]))


@pytest.mark.parametrize("name", ALL)
def test_a_step_counts_as_a_write(name):
    optimizer = make(name)
    before = [p.data._version for p in params_of(optimizer)]
    optimizer.step(square(optimizer))
    assert all(p.data._version > version for p, version in zip(params_of(optimizer), before))


@pytest.mark.parametrize("size", [3, 200_000])  # elements; from a megabyte on products go to memory that is used again
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_step_without_options_has_a_loop_of_its_own(dtype, size):
    start = numpy.linspace(-1, 1, size).astype(dtype)
    plain, other = [Variable(torch.from_numpy(start.copy()), requires_grad=True) for _ in range(2)]
    view, whole = plain.data.view(-1), Variable(plain.data.view(1, -1), requires_grad=True)
    for params, rate in (([plain, whole], 0.1), ([other], numpy.float64(0.1))):
        for p in params:
            p.grad = torch.from_numpy(start * 2).view(*p.size())
        optim.SGD(params, lr=rate).step()
    assert other.data._version == 1
    assert plain.data._version == view._version == 2  # of itself and of the view of it
    optim.SGD([other], lr=numpy.float64(0.1)).step()
    numpy.testing.assert_array_equal(plain.data.numpy(), other.data.numpy())


@pytest.mark.parametrize("name", ALL)
def test_a_step_leaves_gradients_and_the_memory_of_parameters_alone(name):
    optimizer = make(name)
    closure = square(optimizer)
    arrays = [p.data.numpy() for p in params_of(optimizer)]
    closure()
    gradients = [p.grad.clone() for p in params_of(optimizer)]
    optimizer.step(lambda: leaf(1.0)) if name == "LBFGS" else optimizer.step()
    for p, array, gradient in zip(params_of(optimizer), arrays, gradients):
        assert p.data.numpy() is array
        assert p.grad.equal(gradient)


@pytest.mark.parametrize("name", [name for name in ALL if name != "LBFGS"])
def test_a_parameter_whose_gradient_was_never_computed_is_passed_over(name):
    used, unused = leaf(1.0), leaf(2.0)
    optimizer = make(name, [used, unused])
    (used * used).backward()
    optimizer.step()
    assert unused.data.tolist() == [2.0]
    assert unused not in optimizer.state
    assert used.data.tolist() != [1.0]
    _ = unused.grad  # reads as zeros, and from then on takes part
    optimizer.step()
    assert unused in optimizer.state


def test_zero_grad_makes_zero_or_forgets():
    p = leaf(1.0)
    optimizer = optim.SGD([p], lr=0.1)
    (p * 3).backward()
    kept = p.grad
    optimizer.zero_grad()
    assert p.grad is kept and kept.tolist() == [0.0]
    optimizer.zero_grad(set_to_none=True)
    assert p._grad is None
    optimizer.zero_grad()  # of what was never computed
    assert p._grad is None


def test_a_float_parameter_stays_a_float():
    for name in ALL:
        p = Variable(torch.FloatTensor([1, 2]), requires_grad=True)
        optimizer = make(name, [p])
        for _ in range(3):
            optimizer.step(square(optimizer))
        assert p.data.type() == "torch.FloatTensor"
        for value in optimizer.state[p].values():
            for tensor in value if isinstance(value, list) else [value]:
                assert not isinstance(tensor, torch.Tensor) or tensor.type() == "torch.FloatTensor", name


# --- v0.1.1's forms, and those of v0.1.2 to v0.1.4


def test_an_optimizer_of_a_model_and_a_criterion_runs_all_of_a_step():
    model = Scale(2.0)
    optimizer = optim.SGD((model, distance), 0.1)
    x, y = Variable(torch.DoubleTensor([3])), Variable(torch.DoubleTensor([5]))
    loss = optimizer.step(x, y)
    assert loss == 1.0 and isinstance(loss, float)
    assert model.weight.grad.tolist() == [6.0]
    assert model.weight.data.tolist() == pytest.approx([1.4])
    optimizer.step(x, y)  # which does not make the gradients zero before: 6 + 2 * 3 * (4.2 - 5)
    assert model.weight.grad.tolist() == pytest.approx([1.2])


def test_an_optimizer_of_a_model_takes_its_output_as_the_loss():
    model = Scale(2.0)
    assert optim.SGD(model, 0.1).step(Variable(torch.DoubleTensor([3]))) == 6.0
    assert model.weight.data.tolist() == pytest.approx([1.7])


def test_an_optimizer_of_a_model_takes_a_closure_without_backward():
    model = Scale(2.0)
    optimizer = optim.SGD(model, lr=0.1)
    x = Variable(torch.DoubleTensor([3]))
    for expected in (2.0, 1.7, 1.4):
        assert model.weight.data.tolist() == pytest.approx([expected])
        assert optimizer.step(lambda: model(x)) == pytest.approx(3 * expected)
        assert model.weight.grad.tolist() == [3.0]


def test_lbfgs_of_a_model_and_a_criterion():
    model = Scale(2.0, -1.0)
    optimizer = optim.LBFGS((model, distance))
    x, y = Variable(torch.DoubleTensor([3, 2])), Variable(torch.DoubleTensor([5, 4]))
    optimizer.step(x, y)
    assert model.weight.data.tolist() == pytest.approx([5 / 3, 2])


def test_the_default_dampening_follows_the_era(monkeypatch):
    def second_step(**options):
        p = leaf(0.0)
        optimizer = optim.SGD([p], lr=1, momentum=0.5, **options)
        for _ in range(2):
            p.grad = torch.DoubleTensor([1])
            optimizer.step()
        return p.data[0]

    assert second_step() == -(1 + (0.5 + 0.5))
    assert second_step(dampening=0) == -(1 + (0.5 + 1))
    assert second_step(nesterov=True) == -(1.5 + (1 + 0.5 * 1.5))  # which needs 0, and came after v0.1.1
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    assert second_step() == -(1 + (0.5 + 1))
    assert second_step(dampening=0.5) == -(1 + (0.5 + 0.5))


def test_sgd_has_its_learning_rate_where_v011_had_it():
    optimizer = optim.SGD([{"params": leaf(1.0)}, {"params": leaf(2.0), "lr": 5}], lr=0.1)
    assert optimizer.lr == 0.1
    optimizer.lr = 0.2
    assert [group["lr"] for group in optimizer.param_groups] == [0.2, 0.2]
    with pytest.raises(ValueError, match="lr.*-1"):
        optimizer.lr = -1
    assert optimizer.lr == 0.2


# --- state


@pytest.mark.parametrize("name", ALL)
def test_a_loaded_state_goes_on_to_the_bit(name):
    straight, broken = make(name), make(name)
    for _ in range(3):
        straight.step(square(straight))
        broken.step(square(broken))
    again = make(name, [leaf(*values) for values in numbers(broken)], **{"lr": 0.7})
    again.load_state_dict(broken.state_dict())
    for _ in range(4):
        straight.step(square(straight))
        again.step(square(again))
        broken.step(square(broken, 3.0))  # nothing that was loaded is shared
    assert numbers(again) == numbers(straight)
    assert again.param_groups[0]["lr"] == straight.param_groups[0]["lr"]


@pytest.mark.parametrize("name", ALL)
def test_an_optimizer_can_be_copied_with_its_parameters(name):
    optimizer = make(name)
    optimizer.step(square(optimizer))
    twin = copy.deepcopy(optimizer)
    assert not any(p is q for p, q in zip(params_of(optimizer), params_of(twin)))
    for one in (optimizer, twin):
        one.step(square(one))
        one.step(square(one))
    assert numbers(twin) == numbers(optimizer)


def test_the_state_is_numbered_through_all_groups():
    optimizer = optim.Adam([{"params": [leaf(1.0)], "lr": 0.5}, {"params": [leaf(2.0), leaf(3.0)]}])
    optimizer.step(square(optimizer))
    state = optimizer.state_dict()
    assert [group["params"] for group in state["param_groups"]] == [[0], [1, 2]]
    assert state["param_groups"][0]["lr"] == 0.5
    assert sorted(state["state"]) == [0, 1, 2]
    assert sorted(state["state"][0]) == ["exp_avg", "exp_avg_sq", "step"]
    assert state["state"][0]["step"] == 1


def test_a_state_of_modern_torch_can_be_taken_over():
    modern = pytest.importorskip("torch")
    theirs = modern.nn.Parameter(modern.tensor([1.0, 2.0], dtype=modern.float64))
    their_optimizer = modern.optim.Adam([theirs], lr=0.1)

    def their_step():
        their_optimizer.zero_grad()
        (theirs**2).sum().backward()
        their_optimizer.step()

    their_step()
    their_step()
    state = copy.deepcopy(their_optimizer.state_dict())
    for entry in state["state"].values():
        entry.update({key: torch.from_numpy(numpy.atleast_1d(value.numpy())) for key, value in entry.items()})
    p = Variable(torch.from_numpy(theirs.detach().numpy().copy()), requires_grad=True)
    optimizer = optim.Adam([p])
    optimizer.load_state_dict(state)
    assert optimizer.state[p]["step"] == 2
    optimizer.step(square(optimizer))
    their_step()
    assert p.data.tolist() == pytest.approx(theirs.tolist(), abs=1e-12)


def snapshot(optimizer):
    groups = [{**group, "params": list(map(id, group["params"]))} for group in optimizer.param_groups]
    return groups, len(optimizer.state)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda state: state["param_groups"].append({"params": [2]}), r"groups of \[2\] .*, got .* \[2, 1\]"),
        (lambda state: state["param_groups"][0]["params"].pop(), r"groups of \[2\] .*, got .* \[1\]"),
        (lambda state: state["param_groups"][0].pop("betas"), "has no betas"),
        (lambda state: state["param_groups"][0].update(lr=-1), "lr.*-1"),
        (lambda state: state["state"].update({7: {}}), "0 to 1, got .* parameter 7"),
        (
            lambda state: state["state"][0].update(exp_avg=torch.zeros(3)),
            r"exp_avg of parameter 0 must have its size \(2,\), got \(3,\)",
        ),
        (lambda state: state.pop("state"), "expected the result of an optimizer's state_dict"),
        (lambda state: state.update(state=[1]), "expected the result of an optimizer's state_dict"),
        (lambda state: state.update(param_groups=[3]), "expected the result of an optimizer's state_dict"),
    ],
)
def test_a_state_that_does_not_fit_is_refused(change, message):
    optimizer = optim.Adam([leaf(1.0, 2.0), leaf(3.0)])
    optimizer.step(square(optimizer))
    state = copy.deepcopy(optimizer.state_dict())
    change(state)
    before = snapshot(optimizer)
    with pytest.raises(ValueError, match=message):
        optimizer.load_state_dict(state)
    assert snapshot(optimizer) == before


def test_a_state_of_another_optimizer_is_refused():
    with pytest.raises(ValueError, match="SGD.*momentum"):
        optim.SGD([leaf(1.0)], lr=0.1).load_state_dict(optim.Adam([leaf(1.0)]).state_dict())
    lbfgs = make("LBFGS")
    lbfgs.step(square(lbfgs))
    with pytest.raises(ValueError, match="must have the size .*5.*, got .*[23]"):
        make("LBFGS", [leaf(1.0, 2.0, 3.0), leaf(1.0, 2.0)]).load_state_dict(lbfgs.state_dict())


# --- wrong input


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("lr", [-0.1, math.nan])
def test_a_learning_rate_below_zero_is_refused(name, lr):
    with pytest.raises(ValueError, match=f"{name}: lr.*{lr}"):
        make(name, lr=lr)


@pytest.mark.parametrize(
    "name, options, error, message",
    [
        ("SGD", {"lr": "0.1"}, TypeError, "lr.*str"),
        ("SGD", {"momentum": -1}, ValueError, "momentum.*-1"),
        ("SGD", {"weight_decay": -1}, ValueError, "weight_decay.*-1"),
        ("SGD", {"nesterov": True, "momentum": 0}, ValueError, "Nesterov"),
        ("SGD", {"nesterov": True, "dampening": 0.1}, ValueError, "Nesterov.*0.1"),
        ("Adam", {"betas": (0.9, 1.0)}, ValueError, r"betas\[1\].*1.0"),
        ("Adam", {"betas": 0.9}, TypeError, "betas.*0.9"),
        ("Adamax", {"betas": (-0.1, 0.9)}, ValueError, r"betas\[0\].*-0.1"),
        ("Adam", {"eps": -1}, ValueError, "eps.*-1"),
        ("Adagrad", {"lr_decay": -1}, ValueError, "lr_decay.*-1"),
        ("Adadelta", {"rho": 1.5}, ValueError, "rho.*1.5"),
        ("RMSprop", {"alpha": -1}, ValueError, "alpha.*-1"),
        ("Rprop", {"etas": (1.2, 0.5)}, ValueError, "etas.*1.2"),
        ("Rprop", {"step_sizes": 1}, TypeError, "step_sizes.*1"),
        ("LBFGS", {"line_search_fn": "armijo"}, ValueError, "armijo"),
    ],
)
def test_options_out_of_range_are_refused(name, options, error, message):
    with pytest.raises(error, match=message):
        make(name, **options)


@pytest.mark.parametrize(
    "params, error, message",
    [
        ([], ValueError, "empty parameter list"),
        (iter([]), ValueError, "used up"),
        (torch.zeros(2), TypeError, "Tensor"),
        (leaf(1.0), TypeError, "Variable"),
        (3, TypeError, "int"),
        ([torch.zeros(2)], TypeError, "parameter 0 is a DoubleTensor"),
        ([leaf(1.0), leaf(1.0) * 2], ValueError, "parameter 1 is an output of MulConstant"),
        ([{"lr": 1}], ValueError, '"params"'),
        ([{"params": {leaf(1.0)}}], TypeError, "set"),
        ([{"params": leaf(1.0)}, leaf(1.0)], TypeError, "dict.*Variable"),
    ],
)
def test_wrong_parameters_are_refused(params, error, message):
    with pytest.raises(error, match=message):
        optim.SGD(params, lr=0.1)


def test_a_parameter_given_twice_is_refused():
    p = leaf(1.0, 2.0)
    with pytest.raises(ValueError, match=r"parameter 1, of size \(2,\), is given twice"):
        optim.SGD([p, p], lr=0.1)
    with pytest.raises(ValueError, match="twice"):
        optim.SGD([{"params": [p]}, {"params": [p]}], lr=0.1)


def test_adagrad_starts_each_group_from_its_own_accumulator():
    # Torch takes the constructor's for all groups. With 3 here: the step is lr g / sqrt(3 + g²) = 1 / 2 for g = 1.
    w = leaf(1.0)
    optimizer = optim.Adagrad([{"params": [w], "initial_accumulator_value": 3}], lr=1, eps=0)
    w.grad = torch.ones(1)
    optimizer.step()
    assert w.data[0] == 0.5


def test_an_option_without_default_has_to_be_said():
    with pytest.raises(ValueError, match="required option lr"):
        optim.SGD([leaf(1.0)])
    optim.SGD([{"params": leaf(1.0), "lr": 0.1}])


def test_a_refused_group_changes_nothing():
    optimizer = optim.SGD([leaf(1.0)], lr=0.1)
    group = {"params": [leaf(2.0)], "momentum": -1}
    with pytest.raises(ValueError, match="momentum"):
        optimizer.add_param_group(group)
    assert len(optimizer.param_groups) == 1
    assert sorted(group) == ["momentum", "params"]
    with pytest.raises(ValueError, match="one parameter group"):
        make("LBFGS").add_param_group({"params": leaf(1.0)})


def test_gradients_of_another_size_or_type_change_nothing():
    p, q = leaf(1.0, 2.0), leaf(3.0)
    optimizer = optim.SGD([p, q], lr=0.1)
    p.grad, q.grad = torch.DoubleTensor([1, 1]), torch.DoubleTensor([1])
    q.data = torch.DoubleTensor([1, 2, 3])
    with pytest.raises(
        RuntimeError, match=r"SGD: parameter 1 of group 0 is a torch.DoubleTensor of size \(3,\).*size \(1,\)"
    ):
        optimizer.step()
    q.data = torch.FloatTensor([1])
    with pytest.raises(RuntimeError, match="torch.FloatTensor.*torch.DoubleTensor"):
        optimizer.step()
    assert p.data.tolist() == [1.0, 2.0]
    assert not optimizer.state


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("result", ["a number", "a Variable without a history"])
def test_a_closure_that_computes_no_gradient_is_refused(name, result):
    optimizer = make(name)
    loss = 1.0 if result == "a number" else Variable(torch.DoubleTensor([1]), requires_grad=False)
    before = [p.data.tolist() for p in params_of(optimizer)]
    with pytest.raises(RuntimeError, match=f"{name}.step: the closure computed no gradient.*run backward"):
        optimizer.step(lambda: loss)
    assert [p.data.tolist() for p in params_of(optimizer)] == before


@pytest.fixture
def listening(monkeypatch):
    """Optimizers listen to closures, as under `run`."""
    monkeypatch.setattr(forms_of_2016, "_listen", loss_closures.listen)


@pytest.fixture(params=["import", "run"])
def under(request):
    """The test runs as under `import` and as under `run`."""
    if request.param == "run":
        request.getfixturevalue("listening")


@pytest.mark.parametrize("name", ALL)
def test_a_closure_of_october_2016_leaves_backward_to_the_step(name, under):
    optimizer, other = make(name), make(name)
    for _ in range(3):  # the gradients of the last step are not to count in the next
        loss = optimizer.step(lambda: sum((p * p).sum() for p in params_of(optimizer)))
        assert loss.data.tolist() == other.step(square(other)).data.tolist()
    assert numbers(optimizer) == numbers(other)


def test_a_closure_of_october_2016_after_gradients_of_another_optimizer(listening):
    p, q = leaf(1.0), leaf(3.0)
    ours, others = optim.SGD([p], lr=0.1), optim.SGD([q], lr=0.1)
    others.step(lambda: (p * q).sum())
    assert p.grad.tolist() == [3.0] and q.data.tolist() == pytest.approx([2.9])
    ours.step(lambda: (p * 2).sum())
    assert p.grad.tolist() == [2.0] and p.data.tolist() == pytest.approx([0.8])


def test_gradients_from_before_the_closure_are_used(under):
    p = leaf(1.0)
    loss = (p * 2).sum()
    for _ in range(2):
        loss.backward()
    optim.SGD([p], lr=0.1).step(lambda: loss)
    assert p.data.tolist() == [0.6]


def test_gradients_that_a_closure_sets_by_hand_are_used(under):
    p = leaf(1.0)

    def closure():
        p.grad = torch.DoubleTensor([5])
        return (p * 2).sum()

    optim.SGD([p], lr=0.1).step(closure)
    assert p.data.tolist() == [0.5]


def test_inputs_without_a_model_are_refused():
    optimizer = optim.SGD([leaf(1.0)], lr=0.1)
    with pytest.raises(TypeError, match=r"Variable, Variable.*SGD\(\(model, criterion\)"):
        optimizer.step(leaf(1.0), leaf(1.0))
    with pytest.raises(TypeError, match="input, target"):
        optim.SGD((Scale(1.0), distance), 0.1).step(leaf(1.0))
    with pytest.raises(TypeError, match="closure"):
        make("LBFGS").step()


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs_puts_the_parameters_back_when_the_closure_raises(search):
    optimizer = make("LBFGS", line_search_fn=search, max_iter=20)
    closure = square(optimizer)
    calls = []

    def failing():
        calls.append(1)
        if len(calls) == 3:
            raise KeyError("out of data")
        return closure()

    with pytest.raises(KeyError, match="out of data"):
        optimizer.step(failing)
    assert numbers(optimizer) == [[1.0, 2.0], [3.0]]


# --- schedules


def test_schedules_refuse_what_they_cannot_use():
    optimizer = optim.SGD([leaf(1.0)], lr=0.1)
    schedule = optim.lr_scheduler
    for make_one, error, message in [
        (lambda: schedule.StepLR(0.1, 3), TypeError, "StepLR needs an Optimizer, got float"),
        (lambda: schedule.StepLR(optimizer, 0), ValueError, "step_size.*0"),
        (lambda: schedule.StepLR(optimizer, 3, last_epoch=2), KeyError, "initial_lr"),
        (
            lambda: schedule.LambdaLR(optimizer, [abs, abs]),
            ValueError,
            "expected functions for 1 parameter groups, got 2",
        ),
        (lambda: schedule.ReduceLROnPlateau(optimizer, factor=1.0), ValueError, "factor.*1.0"),
        (lambda: schedule.ReduceLROnPlateau(optimizer, mode="most"), ValueError, "most"),
        (
            lambda: schedule.ReduceLROnPlateau(optimizer, min_lr=[1, 2]),
            ValueError,
            "expected values of min_lr for 1 parameter groups, got 2",
        ),
    ]:
        with pytest.raises(error, match=message):
            make_one()
    assert optimizer.lr == 0.1


def test_a_loaded_schedule_goes_on():
    def rates(schedule, optimizer, count):
        for _ in range(count):
            schedule.step()
            yield optimizer.lr

    def make_schedule():
        optimizer = optim.SGD([leaf(1.0)], lr=0.1)
        return optim.lr_scheduler.MultiStepLR(optimizer, [2, 5, 5]), optimizer

    straight = list(rates(*make_schedule(), 8))
    first, first_optimizer = make_schedule()
    begun = list(rates(first, first_optimizer, 3))
    second, second_optimizer = make_schedule()
    second_optimizer.load_state_dict(first_optimizer.state_dict())
    second.load_state_dict(first.state_dict())
    assert begun + list(rates(second, second_optimizer, 5)) == straight
    assert second.get_last_lr() == straight[-1:]
    with pytest.raises(ValueError, match="ExponentialLR.*gamma"):
        optim.lr_scheduler.ExponentialLR(second_optimizer, 0.5).load_state_dict(first.state_dict())


def test_schedules_of_2017(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    schedule = optim.lr_scheduler

    def rates(make, count=6):
        optimizer = optim.SGD([leaf(1.0)], lr=0.8)
        scheduler = make(optimizer)
        assert scheduler.last_epoch == -1
        seen = []
        for _ in range(count):
            scheduler.step()
            seen.append(optimizer.lr)
            assert scheduler.get_lr() == [optimizer.lr]
            optimizer.lr = 5.0  # does not count: the next rate is computed from the initial one
        return seen

    # The rates that the comments of torch 0.2's documentation give: those of epoch 0 after the first step.
    assert rates(lambda o: schedule.StepLR(o, 2, gamma=0.5)) == [0.8, 0.8, 0.4, 0.4, 0.2, 0.2]
    assert rates(lambda o: schedule.MultiStepLR(o, [1, 4], gamma=0.5)) == [0.8, 0.4, 0.4, 0.4, 0.2, 0.2]
    assert rates(lambda o: schedule.ExponentialLR(o, 0.5), 3) == [0.8, 0.4, 0.2]
    assert rates(lambda o: schedule.LambdaLR(o, lambda epoch: 1 / (1 + epoch)), 3) == [0.8, 0.4, 0.8 / 3]


@pytest.mark.parametrize("version", conventions.ERAS)
def test_a_schedule_can_be_set_to_an_epoch(version, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS[version])
    optimizer = optim.SGD([leaf(1.0)], lr=0.8)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    scheduler.step(5)
    assert (optimizer.lr, scheduler.last_epoch) == (0.2, 5)
    scheduler.step()
    assert (optimizer.lr, scheduler.last_epoch) == (0.1, 6)
    scheduler.step(0)
    assert optimizer.lr == 0.8


def test_reduce_lr_on_plateau_with_the_arguments_of_2017(monkeypatch, capsys):
    optimizer = optim.SGD([leaf(1.0)], lr=0.8)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", 0.5, 0, True, 0.0, "abs")
    for epoch, measure in enumerate([1, 1, 2, 2]):
        scheduler.step(measure, epoch)
    assert optimizer.lr == 0.2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Epoch     1: reducing learning rate of group 0 to 4.0000e-01." and len(lines) == 2
    with pytest.raises(TypeError, match="verbose, the argument after patience, must be a bool, got 0.01"):
        optim.lr_scheduler.ReduceLROnPlateau(optimizer, "min", 0.1, 10, 0.01)


@pytest.mark.parametrize("version, first", [("import", 1), ("0.1.12", 0)])
def test_the_numbers_of_the_epochs_of_reduce_lr_on_plateau(version, first, monkeypatch, capsys):
    """`step` closes an epoch, as in modern torch, or opens one, as in torch 0.2."""
    monkeypatch.setattr(conventions, "era", conventions.ERAS[version])
    optimizer = optim.SGD([leaf(1.0)], lr=0.8)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0, verbose=True)
    assert scheduler.last_epoch == first - 1
    for measure in (3, 2, 2):
        scheduler.step(measure)
    assert scheduler.last_epoch == first + 2
    assert capsys.readouterr().out.startswith(f"Epoch {first + 2:5d}: reducing learning rate")


def test_lbfgs_compares_sums_in_2017(monkeypatch):
    def evaluations(*begin, **options):
        p, losses = leaf(*begin), []
        optimizer = optim.LBFGS([p], **options)

        def closure():
            optimizer.zero_grad()
            loss = (p * p).sum()
            loss.backward()
            losses.append(loss)
            return loss

        optimizer.step(closure)
        return len(losses)

    # g is twice p: the largest element is 0.2, their sum 0.4.
    assert evaluations(0.1, 0.1, tolerance_grad=0.3) == 1 < evaluations(0.1, 0.1, tolerance_grad=0.1)
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    assert evaluations(0.1, 0.1, tolerance_grad=0.4) == 1 < evaluations(0.1, 0.1, tolerance_grad=0.3)
    assert evaluations(2e-6, 2e-6, tolerance_change=0) == 1 < evaluations(3e-6, 3e-6, tolerance_change=0)
    # The first step has the length 1 in the sum, 1 / 2 in each element.
    assert evaluations(5.0, 5.0, tolerance_change=1.0) == 2 < evaluations(5.0, 5.0, tolerance_change=0.99)


# --- optimizers that programs of v0.1.x write, and what they saved


class Averaged(optim.Optimizer):
    """As programs of 2017 write theirs: a step of its own, options without lr, and a setting for older pickles."""

    def __init__(self, params, eta=optim.optimizer.required):
        super().__init__(params, dict(eta=eta))

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            group.setdefault("added", "later")

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["buffer"] = p.grad.new().resize_as_(p.grad).zero_()
                state["buffer"].add_(0.5, p.grad)
                p.data.add_(-group["eta"], state["buffer"])
        return loss


def test_an_optimizer_of_the_program():
    p = leaf(1.0)
    optimizer = Averaged([p], eta=2)
    p.grad = torch.DoubleTensor([1])
    optimizer.step()
    assert list(p.data) == [0.0] and "added" not in optimizer.param_groups[0]
    optimizer.load_state_dict(optimizer.state_dict())
    assert optimizer.param_groups[0]["added"] == "later"
    optimizer.step()
    assert list(p.data) == [-2.0]
    copied = pickle.loads(pickle.dumps(Averaged([leaf(1.0)], eta=2)))
    assert copied.param_groups[0]["eta"] == 2 and copied.param_groups[0]["added"] == "later"


V0_1_12 = {
    "SGD": (dict(lr=0.1, momentum=0.9, dampening=0, weight_decay=0), dict(momentum_buffer=[2.0])),
    "Adam": (dict(lr=0.1, betas=(0.9, 0.99), eps=1e-8, weight_decay=0), dict(step=3, exp_avg=[1.0], exp_avg_sq=[2.0])),
    "Adagrad": (dict(lr=0.1, lr_decay=0, weight_decay=0), dict(step=3, sum=[4.0])),
    "RMSprop": (dict(lr=0.1, alpha=0.9, eps=1e-8, weight_decay=0), dict(step=3, square_avg=[4.0])),
}


@pytest.mark.parametrize("name", V0_1_12)
def test_groups_that_were_saved_by_v0_1_x_have_no_later_options(name):
    options, state = V0_1_12[name]
    state = {key: torch.DoubleTensor(value) if isinstance(value, list) else value for key, value in state.items()}
    p, number = leaf(1.0), 140234  # parameters had the numbers that id() gave
    optimizer = getattr(optim, name)([p], lr=1)
    optimizer.load_state_dict({"state": {number: state}, "param_groups": [{**options, "params": [number]}]})
    p.grad = torch.DoubleTensor([1])
    optimizer.step()
    assert optimizer.param_groups[0]["lr"] == 0.1 and p.data[0] < 1
