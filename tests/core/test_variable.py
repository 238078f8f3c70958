"""Variable: what it holds, what it refuses (2016: torch/autograd/variable.py)."""

import copy
import pickle

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Leaf, Variable


def variable(*numbers, **kwargs):
    return Variable(torch.DoubleTensor(list(numbers)), **kwargs)


def test_a_variable_without_creator_gets_a_leaf():
    x = variable(1.0)
    assert isinstance(x.creator, Leaf)
    assert x.creator.variable is x
    assert x.creator.output_ids == {id(x): 0}
    assert x.creator.previous_functions == []
    assert x.is_leaf


def test_a_leaf_requires_a_gradient_unless_told_not_to():
    assert variable(1.0).requires_grad
    assert not variable(1.0, requires_grad=False).requires_grad


def test_integers_never_require_a_gradient():
    assert not Variable(torch.LongTensor([1])).requires_grad
    with pytest.raises(RuntimeError, match="floating-point.*LongTensor"):
        Variable(torch.LongTensor([1]), requires_grad=True)


def test_only_a_tensor_can_be_wrapped():
    with pytest.raises(TypeError, match="Tensor, got float"):
        Variable(1.0)
    with pytest.raises(TypeError, match="Tensor, got Variable"):
        Variable(variable(1.0))


def test_grad_reads_as_zeros_before_the_first_backward_and_is_one_object():
    x = variable(1.0, 2.0)
    assert x.grad.tolist() == [0, 0]
    assert x.grad is x.grad


def test_grad_without_requires_grad_is_none():
    assert variable(1.0, requires_grad=False).grad is None


def test_grad_of_an_intermediate_is_none():
    x = variable(2.0)
    y = x * x
    (y * y).backward()
    assert y.grad is None
    assert x.grad.tolist() == [32]  # x^4 at 2: 4 * 8


def test_grad_can_be_set_to_none_and_to_a_tensor_of_its_size():
    x = variable(1.0, 2.0)
    x.grad = torch.DoubleTensor([3, 4])
    assert x.grad.tolist() == [3, 4]
    x.grad = None
    assert x.grad.tolist() == [0, 0]
    with pytest.raises(RuntimeError, match=r"^grad: got .*size \(1,\); .*size \(2,\)"):
        x.grad = torch.DoubleTensor([3])


def test_requires_grad_can_be_changed_on_a_leaf_only():
    x = variable(1.0, requires_grad=False)
    x.requires_grad = True
    assert x.creator.requires_grad
    with pytest.raises(RuntimeError, match="leaves only.*Mul"):
        (x * x).requires_grad = False


def test_t_exchanges_the_first_two_dimensions_of_however_many():
    x = Variable(torch.DoubleTensor([[[1, 2], [3, 4]]]))
    y = x.t()
    assert y.size() == (2, 1, 2) and y.data.tolist() == [[[1, 2]], [[3, 4]]]
    y[1].sum().backward()
    assert x.grad.tolist() == [[[0, 0], [1, 1]]]
    with pytest.raises(IndexError, match="transpose"):
        variable(1.0).t()


def test_questions_fall_through_to_the_data():
    x = variable(1.0, 2.0)
    assert not x.is_cuda and x.is_signed() and x.is_same_size(variable(3.0, 4.0)) and x.is_set_to(x.data)
    assert not Variable(torch.ByteTensor([1])).is_signed()


def test_sizes_fall_through_to_the_data():
    x = Variable(torch.DoubleTensor(2, 3))
    assert x.size() == (2, 3) and x.size(1) == 3
    assert x.dim() == 2 and x.numel() == 6 and x.nElement() == 6
    with pytest.raises(AttributeError, match="'Variable'.*'no_such_name'"):
        x.no_such_name


def test_a_call_returns_a_tuple_and_the_operators_its_first_entry():
    from legacy_autograd.autograd.functions.basic_ops import Add

    x, y = variable(1.0), variable(2.0)
    result = Add()(x, y)
    assert isinstance(result, tuple) and len(result) == 1
    assert (x + y).data.tolist() == result[0].data.tolist() == [3]


@pytest.mark.parametrize(
    "program, value, gradient",  # at x = 3, by hand
    [
        (lambda x: x + 2, 5, 1),
        (lambda x: 2 + x, 5, 1),
        (lambda x: x - 2, 1, 1),
        (lambda x: 2 - x, -1, -1),
        (lambda x: x * 2, 6, 2),
        (lambda x: 2 * x, 6, 2),
        (lambda x: x / 2, 1.5, 0.5),
        (lambda x: 6 / x, 2, -6 / 9),
        (lambda x: x**2, 9, 6),
        (lambda x: 2**x, 8, 8 * 0.6931471805599453),
        (lambda x: -x, -3, -1),
        (lambda x: x - x, 0, 0),
        (lambda x: x / x, 1, 0),
        (lambda x: x**x, 27, 27 * (1 + 1.0986122886681098)),
        (lambda x: x**0, 1, 0),
    ],
)
def test_operators(program, value, gradient):
    x = variable(3.0)
    y = program(x)
    y.backward()
    assert y.data[0] == pytest.approx(value)
    assert x.grad[0] == pytest.approx(gradient, abs=1e-12)


def test_reassigning_operators_rebind_the_name_to_a_new_variable():
    x = variable(3.0)
    y = x
    y = y + 1
    assert x.data.tolist() == [3] and y.data.tolist() == [4]


def test_type_without_argument_names_the_type_and_with_one_converts():
    x = variable(1.5)
    assert x.type() == "torch.DoubleTensor"
    y = x.type("torch.FloatTensor")
    assert y.data.type() == "torch.FloatTensor"
    assert x.type(torch.DoubleTensor) is x
    y.backward()
    assert x.grad.type() == "torch.DoubleTensor" and x.grad.tolist() == [1]


def test_view_transpose_and_index_carry_gradients_back():
    x = Variable(torch.DoubleTensor([[1, 2, 3], [4, 5, 6]]))
    x.t().contiguous().view(6)[1].backward()  # columns first: the second is x[1, 0]
    assert x.grad.tolist() == [[0, 0, 0], [1, 0, 0]]


def test_index_with_two_numbers_is_one_element_of_size_one():
    x = Variable(torch.DoubleTensor([[1, 2, 3], [4, 5, 6]]))
    y = x[0, 2]
    assert y.data.tolist() == [3]
    y.backward()
    assert x.grad.tolist() == [[0, 0, 1], [0, 0, 0]]


def test_iterating_and_len():
    x = Variable(torch.DoubleTensor([[1, 2], [3, 4]]))
    assert len(x) == 2
    assert [row.data.tolist() for row in x] == [[1, 2], [3, 4]]


def test_an_array_index_that_repeats_sums_its_gradients():
    x = variable(1.0, 2.0)
    x[torch.LongTensor([0, 0, 1])].backward(torch.DoubleTensor([1, 10, 100]))
    assert x.grad.tolist() == [11, 100]


def test_a_leaf_can_be_copied_and_pickled_and_has_a_leaf_of_its_own():
    x = variable(2.0)
    x.name = "x"
    (x * 3).backward()
    for other in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert other.creator is not x.creator
        assert other.grad.tolist() == [3] and other.grad is not x.grad
        assert other.name == "x"
        (other * other).backward()
        assert other.grad.tolist() == [3 + 4]
    assert x.grad.tolist() == [3]


@pytest.mark.parametrize("requires_grad", [False, True])
@pytest.mark.parametrize("volatile", [False, True])
@pytest.mark.parametrize("with_data", [False, True])
def test_the_states_that_v0_1_x_pickled(requires_grad, volatile, with_data):
    x, seen = variable(2.0), []
    hooks = {7: seen.append} if requires_grad and not volatile else None
    if with_data:
        x.__setstate__((torch.DoubleTensor([3.0]), torch.DoubleTensor([9.0]), hooks, requires_grad, volatile))
    else:
        x.__setstate__((requires_grad, volatile, hooks))
    assert x.data.tolist() == [3 if with_data else 2] and x.volatile == volatile
    assert x.requires_grad == (requires_grad and not volatile)  # a volatile Variable never does
    if x.requires_grad:
        (x * 5).backward()
        assert x.grad.tolist() == [5] and [gradient.tolist() for gradient in seen] == [[5]]


def test_an_intermediate_cannot_be_copied_or_pickled():
    y = variable(2.0) * 2
    for duplicate in (copy.deepcopy, copy.copy, pickle.dumps):
        with pytest.raises(RuntimeError, match="leaf.*MulConstant"):
            duplicate(y)


def test_a_function_that_was_called_cannot_be_copied_or_pickled_however_deep_its_graph():
    y = variable(2.0)
    for _ in range(5000):
        y = y * 2
    for duplicate in (copy.deepcopy, copy.copy, pickle.dumps):
        for what in (y.creator, [y.creator], {"fn": y.creator}):
            if duplicate is not copy.copy or what is y.creator:
                with pytest.raises(TypeError, match="^MulConstant: a Function that was called is a node of a graph"):
                    duplicate(what)
        with pytest.raises(RuntimeError, match="only leaf Variables.*MulConstant"):
            duplicate(y)
    again = pickle.loads(pickle.dumps(type(y.creator)(3)))
    assert again(variable(2.0))[0].data.tolist() == copy.copy(type(y.creator)(3))(variable(2.0))[0].data.tolist() == [6]


def test_a_tensor_beside_a_variable_is_refused():
    x = variable(2.0)
    for operation in (lambda t: x + t, lambda t: x * t, lambda t: t * x, lambda t: x**t, lambda t: t - x):
        with pytest.raises(TypeError, match="Variable"):
            operation(torch.DoubleTensor([1]))


def test_different_types_in_one_operation_are_both_named():
    with pytest.raises(TypeError, match="DoubleTensor.*FloatTensor"):
        variable(1.0) + Variable(torch.FloatTensor([1]))


def test_hash_is_identity_so_variables_can_be_keys():
    x, y = variable(1.0), variable(1.0)
    assert {x: 1, y: 2}[y] == 2
    assert len({x, y, x}) == 2


def test_repr_says_variable_containing():
    assert repr(variable(1.0)).startswith("Variable containing:")


def test_backward_of_several_elements_needs_a_gradient():
    x = variable(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"only on a scalar \(i\.e\. 1-element tensor\).*size \(2,\)"):
        (x * 2).backward()


def test_backward_checks_the_gradient_it_is_given():
    y = variable(1.0, 2.0) * 2
    with pytest.raises(
        RuntimeError, match=r"^backward: got .* size \(3,\); that output of MulConstant has the size \(2,\)$"
    ):
        y.backward(torch.DoubleTensor([1, 1, 1]))
    with pytest.raises(TypeError, match="DoubleTensor cannot be a torch.FloatTensor"):
        y.backward(torch.FloatTensor([1, 1]))
    with pytest.raises(
        TypeError, match="^backward: got a float, not a Tensor, as gradient of an output of MulConstant$"
    ):
        y.backward(1.0)


def test_backward_where_nothing_requires_a_gradient():
    x = variable(1.0, requires_grad=False)
    for root in (x, x * 2):
        with pytest.raises(RuntimeError, match="does not require a gradient"):
            root.backward()


def test_backward_on_a_nan_gives_a_gradient_of_one():
    x = variable(float("nan"))
    (x * 2).backward()
    assert x.grad.tolist() == [2]


def test_replacing_data_by_another_size_starts_a_new_gradient():
    x = variable(1.0, 2.0)
    x.backward(torch.DoubleTensor([1, 1]))
    x.data = torch.DoubleTensor([1, 2, 3])
    (x * 2).backward(torch.DoubleTensor([1, 1, 1]))
    assert x.grad.tolist() == [2, 2, 2]


class Twice(Function):
    def forward(self, x):
        return x.mul(2)

    def backward(self, grad_output):
        return grad_output.mul(2)


def test_a_function_written_by_the_user_without_calling_the_constructor():
    x = variable(3.0)
    (y,) = Twice()(x)
    y.backward()
    assert x.grad.tolist() == [2]


def test_a_number_may_come_before_the_second_operand():
    x, y = variable(1.0), variable(10.0)
    (x.add(2, y) + x.sub(3, y)).backward()  # x + 2y + x - 3y
    assert (x.grad.tolist(), y.grad.tolist()) == ([2], [-1])
    assert torch.add(x, 2, y).data.tolist() == [21]


def test_the_result_of_an_operation_can_be_viewed_whatever_its_operands_layout():
    x, y = Variable(torch.DoubleTensor([[1, 2], [3, 4]])), Variable(torch.DoubleTensor([[10, 20], [30, 40]]))
    total = x.t() + y.t()
    assert total.view(4).data.tolist() == [11, 33, 22, 44]
    total.view(4)[1].backward()
    assert x.grad.tolist() == [[0, 0], [1, 0]]
    with pytest.raises(RuntimeError, match="contiguous"):
        x.t().view(4)  # a view of other memory


def test_viewing_does_not_cut_a_tensor_from_the_array_it_was_made_of():
    array = numpy.asfortranarray([[1.0, 2.0], [3.0, 4.0]])
    for make in (torch.from_numpy, torch.DoubleTensor):
        with pytest.raises(RuntimeError, match="contiguous"):
            make(array).view(4)


def test_a_creator_that_did_not_make_the_variable():
    y = variable(1.0) * 2
    stray = Variable(torch.DoubleTensor([2]), creator=y.creator)
    for use in (stray.backward, (stray * 3).backward, lambda: stray.register_hook(print)):
        with pytest.raises(RuntimeError, match="MulConstant is the creator of a Variable that it did not make"):
            use()


def test_the_tensor_may_be_given_under_its_later_name():
    tensor = torch.DoubleTensor([1, 2])
    assert Variable(data=tensor, requires_grad=False).data is tensor
    for wrong in ({}, {"data": 1}):
        with pytest.raises(TypeError, match="Variable needs a Tensor, got"):
            Variable(**wrong)
