"""What programs import from the module torch.autograd.gradcheck: Jacobians by hand and by nested inputs."""

import importlib

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Variable
from legacy_autograd.autograd.later import jacobians


def inputs():
    x = Variable(torch.DoubleTensor([[1, 2], [3, 4]]), requires_grad=True)
    constant = Variable(torch.DoubleTensor([5, 6]), requires_grad=False)
    return x, constant


def test_the_name_is_the_function_and_the_module_is_imported_by_it():
    module = importlib.import_module("legacy_autograd.autograd.gradcheck")
    assert torch.autograd.gradcheck is module.gradcheck
    assert module.get_numerical_jacobian is jacobians.get_numerical_jacobian
    x, _ = inputs()
    assert torch.autograd.gradcheck(lambda v: v * v, (x,), 1e-6, 1e-5, 1e-3)  # positional, as in v0.1.12


def test_both_jacobians_of_a_product_with_a_constant():
    x, constant = inputs()
    expected = torch.DoubleTensor([[5, 0], [6, 0], [0, 5], [0, 6]])
    numerical = jacobians.get_numerical_jacobian(lambda given: given[0].mv(given[1]).data, (x, constant), (x,), 1e-6)
    analytical = jacobians.get_analytical_jacobian((x,), x.mv(constant))
    assert abs(numerical[0].array - expected.array).max() < 1e-8
    assert (analytical[0].array == expected.array).all()
    assert x.data.array.tolist() == [[1, 2], [3, 4]]  # restored


def test_a_jacobian_of_an_input_that_is_not_used_is_zero():
    x, _ = inputs()
    unused = Variable(torch.ones(3), requires_grad=True)
    (_, zeros) = jacobians.get_analytical_jacobian([x, unused], x.sum())
    assert zeros.array.tolist() == [[0], [0], [0]]


def test_structures_are_kept_and_constants_are_left_out():
    x, constant = inputs()
    made = jacobians.make_jacobian([x, (constant, x)], 3)
    assert [made[0].size(), len(made[1]), made[1][0].size()] == [(4, 3), 1, (4, 3)]
    assert jacobians.make_jacobian(constant, 3) is None
    assert len(list(jacobians.iter_tensors([x, (constant, constant.data)]))) == 3
    assert list(jacobians.iter_tensors([x, constant], True)) == [x.data]
    turned = jacobians.contiguous([x.t(), constant.data])
    assert turned[0].data.is_contiguous() and turned[1] is constant.data


def test_gradients_of_all_that_require_one_are_set_to_zero():
    x, constant = inputs()
    jacobians.zero_gradients((x, constant))
    x.sum().backward()
    jacobians.zero_gradients((x, [constant]))
    assert [gradient.array.tolist() for gradient in jacobians.iter_gradients([x, constant])] == [[[0, 0], [0, 0]]]


def test_legacy_nn_is_importable_and_says_what_it_lacks():
    assert torch.legacy.nn is importlib.import_module("legacy_autograd.legacy.nn")
    with pytest.raises(AttributeError, match="torch.legacy.nn.Linear does not exist in legacy_autograd; use torch.nn"):
        torch.legacy.nn.Linear(2, 3)


def test_the_jacobian_of_a_function_that_passes_its_gradient_on():
    x, _ = inputs()
    for y in (x, x + 1, x.view(4)):
        assert jacobians.get_analytical_jacobian(x, y).tolist() == torch.eye(4).tolist()


def test_a_hook_may_keep_the_gradients_that_a_jacobian_starts_with():
    x, _ = inputs()
    y, kept = x * 2, []
    y.register_hook(kept.append)
    jacobians.get_analytical_jacobian(x, y)
    assert [list(gradient.data.view(4)) for gradient in kept] == torch.eye(4).tolist()
