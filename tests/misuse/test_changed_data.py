"""Data that changes between forward and backward, by every route."""

import copy

import numpy

import legacy_autograd as torch
import legacy_autograd.nn.functional as F
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor import Tensor

from .misuse import gives, leaf, raises

CHANGED = "modified by an inplace operation"


def vector(*numbers):
    """Return a Tensor of these numbers."""
    return leaf(*numbers).data


# --- nothing of the old numbers is lost, so the gradient is that of forward


@gives(2.0)  # Add saves nothing: d(x + x)/dx is 2 whatever x is
def test_fill_where_nothing_was_saved():
    x = leaf(2.0)
    y = x + x
    x.data.fill_(5)
    y.backward()
    return x.grad


@gives(4.0)  # `data` is replaced, not written to: the graph keeps the tensor that forward saw, d(x * x)/dx at 2
def test_data_replaced_between_forward_and_backward():
    x = leaf(2.0)
    y = x * x
    x.data = Variable(x.data * 3).data
    y.backward()
    return x.grad


@gives(3.0)  # a number is saved as itself, x is not: d(3x)/dx
def test_fill_of_a_factor_whose_partner_is_a_number():
    x = leaf(2.0)
    y = x * 3
    x.data.fill_(5)
    y.backward()
    return x.grad


@gives(0.5, 0.25)  # log saves its input: d(log x)/dx at 2 and 4, whatever the output is by then
def test_output_changed_where_the_input_was_saved():
    x = leaf(2.0, 4.0)
    y = x.log()
    y.data.mul_(100)
    y.sum().backward()
    return x.grad


@gives(1.0, 0.0)  # relu saves its output: the sign of the input at forward decides
def test_input_changed_where_the_output_was_saved():
    x = leaf(1.0, -2.0)
    y = F.relu(x)
    x.data.fill_(3)
    y.sum().backward()
    return x.grad


@gives(4.0, 6.0)  # the copy has memory of its own: 2x at (2, 3)
def test_a_deep_copy_changed():
    x = leaf(2.0, 3.0)
    y = (x * x).sum()
    copy.deepcopy(x).data.fill_(9)
    y.backward()
    return x.grad


@gives(4.0, 6.0)  # `x.data * x.data` is the user's own tensor, not the saved one
def test_a_clone_of_the_data_changed():
    x = leaf(2.0, 3.0)
    y = (x * x).sum()
    x.data.clone().zero_()
    y.backward()
    return x.grad


@gives(4.0, 6.0)  # a moved memory holds the same numbers
def test_memory_shared_with_processes_between():
    x = leaf(2.0, 3.0)
    y = (x * x).sum()
    x.data.share_memory_()
    y.backward()
    return x.grad


@gives(4.0, 6.0)  # the wrapped ndarray had integers, so the Variable holds a copy in double
def test_an_ndarray_of_another_type_changed():
    array = numpy.array([2, 3])
    x = Variable(Tensor(array))
    y = (x * x).sum()
    array[:] = 100
    y.backward()
    return x.grad


@gives(1.0, 0.0)  # a list is read when the call is made
def test_a_list_of_indices_changed():
    x = leaf(2.0, 3.0)
    key = [0]
    y = x[key].sum()
    key[0] = 1
    y.backward()
    return x.grad


@gives(0.0, 1.0)  # an ndarray is copied when the call is made
def test_an_ndarray_of_indices_changed():
    x = leaf(2.0, 3.0)
    key = numpy.array([1])
    y = x[key].sum()
    key[0] = 0
    y.backward()
    return x.grad


@gives(3.0, 3.0, 3.0)  # d(x.sum() * 3)/dx: the sum saves the size alone
def test_a_write_to_what_sum_saw():
    x = leaf(1.0, 2.0, 3.0)
    y = x.sum() * 3
    x.data.index_fill_(0, torch.LongTensor([0, 2]), 7)
    y.backward()
    return x.grad


@gives(2.0, 4.0)  # grad is read by the step, never by backward: 2x at (1, 2)
def test_the_gradient_clipped_between():
    x = leaf(1.0, 2.0)
    x.grad = vector(30.0, 40.0)
    y = (x * x).sum()
    torch.nn.utils.clip_grad_norm([x], 1.0)
    x.grad = None
    y.backward()
    return x.grad


@gives(12.0)  # forward after the change sees 3 alone: 2 * x at 3 is 6, twice
def test_changed_before_forward_only():
    x = leaf(2.0)
    x.data.fill_(3)
    y = x * x
    y.backward()
    y.backward()
    return x.grad


@gives(4.0, 6.0)  # the gradient is accumulated and its Tensor is not what Mul saved
def test_the_gradient_tensor_of_an_earlier_backward_changed():
    x = leaf(2.0, 3.0)
    y = (x * x).sum()
    y.backward()
    x.grad.zero_()
    y.backward()
    return x.grad


@gives(1.0, 1.0)  # the sum saves the size alone, and the new data has that size
def test_data_replaced_by_the_same_size_of_zeros():
    x = leaf(2.0, 3.0)
    y = x.sum()
    x.data = vector(0.0, 0.0)
    y.backward()
    return x.grad


# --- the old numbers are lost: refused


@raises(RuntimeError, "Mul", CHANGED, "version 1", "expected version 0")
def test_fill_between_forward_and_backward():
    x = leaf(2.0)
    y = x * x
    x.data.fill_(5)
    y.backward()


@raises(RuntimeError, "Pow", CHANGED, "torch.DoubleTensor of size (2,)")
def test_index_assignment():
    x, n = leaf(2.0, 3.0), leaf(2.0, 2.0)
    y = (x**n).sum()
    x.data[1] = 7
    y.backward()


@raises(RuntimeError, "Mm", CHANGED, "output 0 of Transpose")
def test_a_row_of_a_transposed_view():
    x = leaf([1.0, 2.0])
    y = x.t().mm(x).sum()
    x.data.t()[0] = 5
    y.backward()


@raises(RuntimeError, "Div", CHANGED)
def test_a_write_through_the_storage():
    x, w = leaf(2.0, 3.0), leaf(1.0, 1.0)
    y = (w / x).sum()
    x.data.storage()[1] = 9
    y.backward()


@raises(RuntimeError, "Sigmoid", CHANGED, "output 0 of Sigmoid")
def test_another_tensor_set_into_the_output():
    x = leaf(2.0, 3.0)
    y = x.sigmoid()
    y.data.set_(vector(0.0, 0.0))
    y.sum().backward()


@raises(RuntimeError, "Sin", CHANGED)
def test_resize():
    x = leaf(2.0, 3.0)
    y = x.sin().sum()
    x.data.resize_(1)
    y.backward()


@raises(RuntimeError, "Mul", CHANGED)
def test_a_tensor_over_the_same_ndarray():
    array = numpy.array([2.0, 3.0])
    x = Variable(torch.from_numpy(array))
    y = (x * x).sum()
    torch.from_numpy(array[1:]).fill_(1)
    y.backward()


@raises(RuntimeError, "Mul", CHANGED, "optimizer's step")
def test_a_step_of_an_optimizer():
    x = leaf(2.0, 3.0)
    y = (x * x).sum()
    x.grad = vector(1.0, 1.0)
    torch.optim.Adam([x], lr=0.1).step()
    y.backward()


@raises(RuntimeError, "Linear", CHANGED, "torch.DoubleTensor of size (1, 2)")
def test_load_state_dict():
    layer = torch.nn.Linear(2, 1)
    y = layer(leaf([1.0, 2.0])).sum()
    layer.load_state_dict({name: tensor * 2 for name, tensor in layer.state_dict().items()})
    y.backward()


@raises(RuntimeError, "Mul", CHANGED)
def test_an_operation_in_place_on_a_detached_variable():
    x = leaf(2.0, 3.0)
    constant = x.detach()
    y = (x * x).sum()
    constant.mul_(2)
    y.backward()


@raises(RuntimeError, "Gather", CHANGED, "torch.LongTensor of size (1, 1)")
def test_indices_changed():
    x, index = leaf([2.0, 3.0]), Variable(torch.LongTensor([[0]]))
    y = x.gather(1, index).sum()
    index.data.fill_(1)
    y.backward()


@raises(RuntimeError, "Max", CHANGED, "torch.LongTensor")
def test_the_positions_that_max_returned_changed():
    x = leaf(1.0, 2.0)
    largest, position = x.max(0)
    position.data.zero_()
    largest.backward()


# --- refused, but by another check


@raises(RuntimeError, "Leaf", "size (2,)", "has the size (3,)")
def test_data_replaced_by_another_size():
    x = leaf(2.0, 3.0)
    y = (x * x).sum()
    x.data = vector(1.0, 2.0, 3.0)
    y.backward()


@raises(TypeError, "torch.FloatTensor", "torch.DoubleTensor")
def test_a_module_converted_to_another_type():
    layer = torch.nn.Linear(1, 1)
    y = layer(leaf([1.0])).sum()
    layer.float()
    y.backward()


@raises(RuntimeError, "fill_", "read-only", "expand")
def test_a_write_through_an_expanded_view():
    x = leaf(2.0, 3.0)
    y = (x * x).sum()
    x.data.expand(3, 2).fill_(1)
    y.backward()


@raises(RuntimeError, "Mul", CHANGED, "version 1", "expected version 0")
def test_a_result_written_to_the_data():
    x = leaf(2.0, 3.0)
    y = (x * x).sum()
    torch.add(x.data, x.data, out=x.data)
    y.backward()


@raises(TypeError, "fill_", "torch.LongTensor", "0.5")
def test_a_fraction_written_to_integers():
    Variable(torch.LongTensor([1, 2])).data.fill_(0.5)


@raises(ValueError, "copy_", "2", "3")
def test_too_many_numbers_copied_into_the_data():
    leaf(1.0, 2.0).data.copy_(vector(1.0, 2.0, 3.0))
