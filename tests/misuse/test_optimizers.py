"""Optimizers and schedulers with wrong parameters, options, closures, states and orders of calls."""

import numpy
import pytest
import torch as modern

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable
from legacy_autograd.optim import lr_scheduler
from legacy_autograd.tensor import DoubleTensor

from .misuse import gives, leaf, raises


def modern_leaf(*numbers):
    return modern.tensor(numbers, dtype=modern.double, requires_grad=True)


def sgd(x, lr=0.1, **options):
    return optim.SGD([x], lr=lr, **options)


# --- parameters


@raises(ValueError, "SGD", "empty parameter list", "used up")
def test_iterator_of_parameters_that_was_used_up():
    parameters = nn.Linear(1, 1).parameters()
    list(parameters)
    optim.SGD(parameters, lr=0.1)


@raises(ValueError, "SGD", "parameter 1", "size (1,)", "twice")
def test_one_parameter_twice():
    x = leaf(2.0)
    optim.SGD([x, x], lr=0.1)


@gives(1)  # the group that was refused is not there
def test_parameter_added_in_a_second_group():
    x = leaf(2.0)
    optimizer = sgd(x)
    with pytest.raises(ValueError, match=r"SGD: parameter 0, of size \(1,\), is given twice"):
        optimizer.add_param_group({"params": [x]})
    return len(optimizer.param_groups)


@raises(ValueError, "SGD", "non-leaf", "MulConstant")
def test_result_as_a_parameter():
    sgd(leaf(2.0) * 2)


@raises(TypeError, "SGD", "iterable", "Variable")
def test_variable_for_the_list_of_parameters():
    optim.SGD(leaf(2.0), lr=0.1)


@raises(TypeError, "SGD", "Variables", "parameter 0", "tuple")
def test_named_parameters():
    optim.SGD(nn.Linear(1, 1).named_parameters(), lr=0.1)


@raises(ValueError, "SGD", '"params"', "lr")
def test_group_without_parameters():
    optim.SGD([{"lr": 1.0}], lr=0.1)


@raises(TypeError, "SGD", "set", "order", "list")
def test_set_of_parameters():
    optim.SGD([{"params": {leaf(1.0)}}], lr=0.1)


# --- options


@raises(ValueError, "SGD", "lr", "-0.1")
def test_negative_learning_rate():
    sgd(leaf(2.0), lr=-0.1)


@raises(ValueError, "SGD", "lr", "nan")
def test_learning_rate_that_is_not_a_number():
    sgd(leaf(1.0), lr=float("nan"))


@raises(TypeError, "SGD", "lr", "number", "str")
def test_learning_rate_from_a_command_line():
    sgd(leaf(1.0), lr="0.1")


@raises(ValueError, "SGD", "group 1", "lr")
def test_second_group_without_a_learning_rate():
    optim.SGD([{"params": [leaf(1.0)], "lr": 0.1}, {"params": [leaf(2.0)]}])


@raises(ValueError, "Adam", "betas[0]", "1.0")
def test_average_that_never_moves():
    optim.Adam([leaf(2.0)], betas=(1.0, 0.9))


@raises(ValueError, "SGD", "Nesterov", "momentum 0")
def test_nesterov_without_momentum():
    sgd(leaf(2.0), nesterov=True)


@raises(ValueError, "Rprop", "etas", "2.0 and 0.5")
def test_etas_in_the_wrong_order():
    optim.Rprop([leaf(1.0)], etas=(2.0, 0.5))


# --- closures


@raises(TypeError, "LBFGS.step", "closure")
def test_lbfgs_without_a_closure():
    optim.LBFGS([leaf(1.0)]).step()


@raises(RuntimeError, "LBFGS.step", "closure", "no gradient", "run backward")
def test_lbfgs_with_a_closure_that_returns_none():
    optim.LBFGS([leaf(1.0)]).step(lambda: None)


@raises(ValueError, "LBFGS", "one parameter group")
def test_lbfgs_with_two_groups():
    optim.LBFGS([{"params": [leaf(1.0)]}, {"params": [leaf(1.0)]}])


@gives(1.7)  # 2 - 0.1 * 3: the gradient was there, and the closure's None is passed on
def test_closure_that_returns_none():
    x = leaf(2.0)
    (x * 3).backward()
    assert sgd(x).step(lambda: None) is None
    return x


# --- steps


def _step_before_backward(package, x):
    package.optim.Adam([x], lr=0.1).step()
    return x.data


@gives(lambda: _step_before_backward(modern, modern_leaf(2.0)).item())
def test_step_before_backward():
    return _step_before_backward(torch, leaf(2.0))


@raises(RuntimeError, "Mul", "modified by an inplace operation", "optimizer's step", "before the step")
def test_backward_after_the_step():
    x = leaf(2.0)
    y = x * x
    y.backward()
    sgd(x).step()
    y.backward()


@gives(numpy.nan, 2.9)  # nan spoils its own parameter alone; 3 - 0.1
def test_gradient_that_is_nan():
    x, y = leaf(2.0), leaf(3.0)
    x.grad, y.grad = DoubleTensor([numpy.nan]), DoubleTensor([1.0])
    optim.SGD([x, y], lr=0.1).step()
    return x, y


@raises(RuntimeError, "SGD", "parameter 0", "size (2,)", "gradient", "size (1,)")
def test_parameter_that_grew_after_backward():
    x = leaf(2.0)
    (x * 1).backward()
    x.data = DoubleTensor([1.0, 2.0])
    sgd(x).step()


def _grown_after_a_step(optimizer, x):
    (x * 1).backward()
    optimizer.step()
    x.data, x.grad = DoubleTensor([1.0, 2.0]), None
    (x * 1).backward(DoubleTensor([1.0, 1.0]))
    optimizer.step()


@raises(RuntimeError, "SGD", "size (2,)", "momentum_buffer", "has (1,)", "new optimizer", fixed=True)
def test_parameter_that_grew_after_a_step_with_momentum():
    x = leaf(2.0)
    _grown_after_a_step(sgd(x, momentum=0.9), x)


@gives(1.0, 2.0, fixed=True)  # the step that was refused changed neither
def test_parameter_that_grew_after_a_step_of_adam():
    x = leaf(2.0)
    with pytest.raises(RuntimeError, match=r"Adam: a parameter has the size \(2,\), but its exp_avg .* has \(1,\)"):
        _grown_after_a_step(optim.Adam([x], lr=0.1), x)
    return x


@gives(1.0, 1.0)  # the optimizer's own parameter has no gradient, the other is not its own
def test_step_of_another_models_optimizer():
    own, other = leaf(1.0), leaf(1.0)
    optimizer = sgd(own)
    (other * 2).backward()
    optimizer.step()
    return own, other


def _gradients_never_made_zero(package, x):
    optimizer = package.optim.SGD([x], lr=0.1)
    for _ in range(3):
        (x * 1).backward()
        optimizer.step()
    return x.data


@gives(lambda: _gradients_never_made_zero(modern, modern_leaf(1.0)).item())
def test_gradients_that_are_never_made_zero():
    return _gradients_never_made_zero(torch, leaf(1.0))


def _uphill(package, x):
    optimizer = package.optim.SGD([x], lr=0.1)
    optimizer.param_groups[0]["lr"] = -1.0
    (x * 1).backward()
    optimizer.step()
    return x.data


@gives(lambda: _uphill(modern, modern_leaf(1.0)).item())
def test_learning_rate_made_negative_later():
    return _uphill(torch, leaf(1.0))


# --- states


@raises(ValueError, "Adam.load_state_dict", "betas", "another optimizer")
def test_state_of_another_optimizer():
    optim.Adam([leaf(2.0)]).load_state_dict(sgd(leaf(1.0)).state_dict())


@raises(ValueError, "SGD.load_state_dict", "[2]", "[1]")
def test_state_of_more_parameters():
    sgd(leaf(2.0)).load_state_dict(optim.SGD([leaf(2.0), leaf(2.0)], lr=0.1).state_dict())


@raises(ValueError, "SGD.load_state_dict", "momentum_buffer", "size (1,)", "got (2,)")
def test_state_of_a_larger_parameter():
    y = leaf(1.0, 2.0)
    trained = sgd(y, momentum=0.9)
    y.backward(DoubleTensor([1.0, 1.0]))
    trained.step()
    sgd(leaf(2.0), momentum=0.9).load_state_dict(trained.state_dict())


@raises(ValueError, "SGD.load_state_dict", "an optimizer's state_dict()")
def test_state_of_a_model():
    sgd(leaf(2.0)).load_state_dict(nn.Linear(1, 1).state_dict())


_OF_OTHER_KINDS = {
    "a text for a tensor": (optim.Adam, "exp_avg", "zeros", "a Tensor"),
    "a number for a tensor": (optim.SGD, "momentum_buffer", 0.5, "a Tensor"),
    "nothing for a tensor": (optim.Adam, "exp_avg_sq", None, "a Tensor"),
    "a list for a tensor": (optim.Rprop, "prev", [DoubleTensor([1.0])], "a Tensor"),
    "a text for a number": (optim.Adam, "step", "3", "a number"),
    "a tensor for a number": (optim.ASGD, "eta", DoubleTensor([1.0, 2.0]), "a number"),
    "a tensor for a list": (optim.LBFGS, "old_dirs", DoubleTensor([1.0]), "a list"),
    "a text in a list": (optim.LBFGS, "ro", [1.0, "2"], "a list, each entry a number"),
}


@pytest.mark.parametrize("case", _OF_OTHER_KINDS)
def test_state_of_another_kind(case):  # was accepted, or failed in the next step
    kind, key, value, needed = _OF_OTHER_KINDS[case]
    x = leaf(2.0)
    optimizer = kind([x], lr=0.1)
    state_dict = optimizer.state_dict()
    state_dict["state"] = {0: {key: value}}
    state_dict["param_groups"][0]["lr"] = 0.7
    with pytest.raises(TypeError) as caught:
        optimizer.load_state_dict(state_dict)
    for fact in (f"{kind.__name__}.load_state_dict", f"{key} of parameter 0", needed):
        assert fact in str(caught.value)
    assert optimizer.param_groups[0]["lr"] == 0.1
    assert not optimizer.state[x]


@raises(TypeError, "Adam.load_state_dict", "parameter 0", "dict", "str", fixed=True)
def test_state_that_is_a_text():
    optimizer = optim.Adam([leaf(2.0)])
    optimizer.load_state_dict({**optimizer.state_dict(), "state": {0: "exp_avg"}})


@gives(1)  # modern torch writes None where SGD has no momentum
def test_state_without_a_momentum():
    optimizer = sgd(leaf(2.0), momentum=0.9)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": {0: {"momentum_buffer": None}}})
    return len(optimizer.state)


# --- schedulers


def rates(package, make, steps, x, lr=0.1):
    """Return the learning rates after each of `steps` steps of the scheduler that `make` returns."""
    optimizer = package.optim.SGD([x], lr=lr)
    scheduler = make(package.optim.lr_scheduler, optimizer)
    found = []
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        found.append(optimizer.param_groups[0]["lr"])
    return found


def _unsorted_milestones(schedulers, optimizer):
    return schedulers.MultiStepLR(optimizer, [5, 2])


@gives(lambda: rates(modern, _unsorted_milestones, 6, modern_leaf(1.0)))
def test_milestones_in_the_wrong_order():
    return rates(torch, _unsorted_milestones, 6, leaf(1.0))


def _one_milestone_twice(schedulers, optimizer):
    return schedulers.MultiStepLR(optimizer, [2, 2])


@gives(lambda: rates(modern, _one_milestone_twice, 3, modern_leaf(1.0)))
def test_one_milestone_twice():
    return rates(torch, _one_milestone_twice, 3, leaf(1.0))


def _negative_gamma(schedulers, optimizer):
    return schedulers.ExponentialLR(optimizer, -0.5)


@gives(lambda: rates(modern, _negative_gamma, 3, modern_leaf(1.0)))
def test_negative_gamma():
    return rates(torch, _negative_gamma, 3, leaf(1.0))


@gives(1.99, 0.01)  # the first step has the second rate already: 2 - 0.01
def test_scheduler_stepped_before_the_optimizer():
    x = leaf(2.0)
    optimizer = sgd(x)
    scheduler = lr_scheduler.StepLR(optimizer, 1)
    scheduler.step()
    (x * 1).backward()
    optimizer.step()
    return x, optimizer.param_groups[0]["lr"]


def _two_at_once(schedulers, optimizer):
    first, second = schedulers.StepLR(optimizer, 1, gamma=0.5), schedulers.StepLR(optimizer, 1, gamma=0.1)
    optimizer.step()
    first.step()
    return second


@gives(lambda: rates(modern, _two_at_once, 2, modern_leaf(1.0)))
def test_two_schedulers_of_one_optimizer():
    return rates(torch, _two_at_once, 2, leaf(1.0))


@raises(ValueError, "StepLR", "step_size", "above 0", "got 0")
def test_steps_of_no_epoch():
    lr_scheduler.StepLR(sgd(leaf(1.0)), 0)


@raises(TypeError, "LambdaLR", "lr_lambda", "number", "NoneType", fixed=True)
def test_factor_that_the_function_does_not_return():
    lr_scheduler.LambdaLR(sgd(leaf(1.0)), lambda epoch: None)


@raises(TypeError, "LambdaLR", "lr_lambda", "function", "float", fixed=True)
def test_factor_for_the_function():
    lr_scheduler.LambdaLR(sgd(leaf(1.0)), 0.5)


@raises(TypeError, "StepLR", "gamma", "number", "NoneType", fixed=True)  # failed at the first change of the rate
def test_steps_without_a_factor():
    lr_scheduler.StepLR(sgd(leaf(1.0)), 1, gamma=None)


@raises(TypeError, "ExponentialLR", "gamma", "number", "str", fixed=True)
def test_exponent_as_a_word():
    lr_scheduler.ExponentialLR(sgd(leaf(1.0)), "0.5")


@raises(TypeError, "StepLR", "Optimizer", "Linear")
def test_scheduler_of_a_model():
    lr_scheduler.StepLR(nn.Linear(1, 1), 1)


@raises(ValueError, "LambdaLR", "functions", "1 parameter groups", "got 2")
def test_more_functions_than_groups():
    lr_scheduler.LambdaLR(sgd(leaf(1.0)), [lambda epoch: 1, lambda epoch: 1])


@raises(KeyError, "StepLR", "'initial_lr'", "last_epoch=3")
def test_scheduler_resumed_on_a_new_optimizer():
    lr_scheduler.StepLR(sgd(leaf(1.0)), 1, last_epoch=3)


@raises(ValueError, "StepLR.load_state_dict", "'step_size'", "'gamma'")
def test_state_of_another_scheduler():
    optimizer = sgd(leaf(1.0))
    other = lr_scheduler.ExponentialLR(optimizer, 0.5)
    lr_scheduler.StepLR(optimizer, 2).load_state_dict(other.state_dict())


@raises(ValueError, "ReduceLROnPlateau", "factor", "below 1", "1.5")
def test_plateau_that_raises_the_rate():
    lr_scheduler.ReduceLROnPlateau(sgd(leaf(1.0)), factor=1.5)


def _plateau_of_nan(package, x):
    optimizer = package.optim.SGD([x], lr=0.1)
    scheduler = package.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, factor=0.5)
    for _ in range(2):
        scheduler.step(float("nan"))
    return optimizer.param_groups[0]["lr"]


@gives(lambda: _plateau_of_nan(modern, modern_leaf(1.0)))
def test_plateau_of_losses_that_are_nan():
    return _plateau_of_nan(torch, leaf(1.0))


@raises(TypeError, "SGD", "parameter 0", "DoubleTensor")
def test_tensors_for_parameters():
    optim.SGD([Variable(torch.ones(1)).data], lr=0.1)
