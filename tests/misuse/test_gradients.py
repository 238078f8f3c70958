"""Gradients that are given to backward and grad, and taken from them, in ways that cannot or should not work."""

import math

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Variable, backward, grad

from .misuse import gives, leaf, raises


def vector(*numbers):
    """Return a Tensor of these numbers."""
    return leaf(*numbers).data


# --- a gradient that does not fit


@raises(RuntimeError, "scalar", "size (2,)")
def test_none_for_several_elements():
    (leaf(1.0, 2.0) * 2).backward(None)


@raises(RuntimeError, "scalar", "size (0,)")
def test_none_for_no_element():
    leaf(1.0, 2.0)[5:].backward()


@raises(RuntimeError, "MulConstant", "size (1,);", "has the size (2,)")
def test_a_gradient_of_one_element_for_two():
    (leaf(1.0, 2.0) * 2).backward(vector(1.0))


@raises(RuntimeError, "Transpose", "(1, 2)", "(2, 1)")
def test_a_gradient_that_is_transposed():
    leaf([1.0, 2.0]).t().backward(vector([1.0, 2.0]))


@raises(TypeError, "torch.DoubleTensor", "torch.FloatTensor")
def test_a_gradient_of_another_type():
    (leaf(1.0, 2.0) * 2).backward(vector(1.0, 1.0).float())


@pytest.mark.parametrize("gradient", [numpy.ones(2), [1.0, 1.0], (1.0, 1.0), 1.0, True, "ones"], ids=repr)
def test_a_gradient_that_is_no_tensor(gradient):
    @raises(TypeError, "MulConstant", "not a Tensor", type(gradient).__name__)
    def backward_with_it():
        (leaf(1.0, 2.0) * 2).backward(gradient)

    backward_with_it()


@gives(0.0, 0.0, 2.0, 2.0)  # nothing was added by the refused call; the next one is whole
def test_a_refused_gradient_leaves_no_trace():
    x = leaf(1.0, 2.0)
    y = x * 2
    with pytest.raises(RuntimeError):
        y.backward(vector(1.0))
    before = x.grad.clone()
    y.backward(vector(1.0, 1.0))
    return before, x.grad


@gives(math.nan, math.inf)  # 1 * nan, 1 * inf: passed on as they are
def test_nan_and_infinity_as_gradients():
    x = leaf(1.0, 2.0)
    (x * 1).backward(vector(math.nan, math.inf))
    return x.grad


# --- whose memory it is


@gives(1.0, 1.0)  # grad is a copy, so the given tensor is free again
def test_a_given_gradient_changed_afterwards():
    x, gradient = leaf(1.0, 2.0), vector(1.0, 1.0)
    x.backward(gradient)
    gradient.fill_(7)
    return x.grad


@gives(1.0, 1.0, 2.0, 2.0)  # d(x + x)/dx = 2; the given ones stay 1
def test_a_given_gradient_is_not_added_to():
    x, gradient = leaf(1.0, 2.0), vector(1.0, 1.0)
    (x + x).backward(gradient)
    return gradient, x.grad


@gives(6.0, 6.0)  # 2 * 1, then 2 * (the grad of that, 2) on top: 2 + 4
def test_the_own_grad_as_gradient():
    x = leaf(1.0, 2.0)
    (x * 2).backward(vector(1.0, 1.0))
    (x * 2).backward(x.grad)
    return x.grad


@gives(4.0, 4.0)  # grad + grad = 2, then + (grad = 2): every backward reads the numbers before it adds
def test_the_grad_of_a_leaf_backward_to_itself():
    x = leaf(1.0, 2.0)
    x.backward(vector(1.0, 1.0))
    x.backward(x.grad)
    x.backward(x.grad)
    return x.grad


@gives(5.0, 1.0)  # an expanded gradient has one place for both numbers; grad has two
def test_an_expanded_gradient():
    x = leaf(1.0, 2.0)
    x.backward(vector(1.0).expand(2))
    x.grad[0] = 5
    return x.grad


@gives(1.0, 3.0, 2.0, 4.0)  # the elements in the order of the view, [[1, 3], [2, 4]]
def test_a_transposed_view_as_gradient():
    x = leaf([0.0, 0.0], [0.0, 0.0])
    x.backward(vector([1.0, 2.0], [3.0, 4.0]).t())
    return x.grad


@gives(6.0, 18.0)  # y = 3 x = 6 given as its own gradient: 3 * 6; y stays
def test_the_data_as_its_own_gradient():
    x = leaf(2.0)
    y = x * 3
    y.backward(y.data)
    return y.data, x.grad


@gives(2.0)  # the gradient of x by x is what was given: the data of then, 2
def test_the_data_of_the_leaf_as_gradient_and_changed():
    x = leaf(2.0)
    x.backward(x.data)
    x.data.fill_(9)
    return x.grad


@gives(2.0, 6.0, 0.0, 0.0)  # without create_graph a Variable counts by its numbers, and gets no gradient itself
def test_a_variable_as_gradient():
    x, gradient = leaf(1.0, 2.0), leaf(1.0, 3.0)
    (x * 2).backward(gradient)
    return x.grad, gradient.grad


@gives(4.0, 8.0)  # the gradient of x is 2 g, a Variable; half the sum of its squares, 2 g ** 2, has the derivative 4 g
def test_a_variable_as_gradient_under_create_graph():
    x, gradient = leaf(1.0, 2.0), leaf(1.0, 2.0)
    (by_x,) = grad([x * 2], [x], [gradient], create_graph=True)
    (by_gradient,) = grad([(by_x * by_x).sum() / 2], [gradient])
    return by_gradient


# --- twice


@raises(RuntimeError, "Mul", "freed", "retain_variables=False")
def test_backward_again_after_the_buffers_were_freed():
    x = leaf(2.0)
    y = x * x
    y.backward(retain_variables=False)
    y.backward()


@raises(RuntimeError, "Exp", "freed")
def test_a_part_of_a_graph_that_was_freed():
    x = leaf(2.0)
    y = x.exp()
    (y * 3).backward(retain_graph=False)
    (y * 5).backward()


@gives(4.0)  # Add saves nothing that could be freed: 2 + 2
def test_backward_again_where_nothing_was_saved():
    x = leaf(2.0)
    y = x + x
    y.backward(retain_variables=False)
    y.backward()
    return x.grad


@gives(8.0)  # retain_graph, where it is given, counts before retain_variables: 4 + 4
def test_both_names_for_keeping_the_graph():
    x = leaf(2.0)
    y = x * x
    y.backward(retain_variables=False, retain_graph=True)
    y.backward()
    return x.grad


# --- where no gradient can go


@raises(RuntimeError, "backward", "does not require a gradient")
def test_backward_through_integers():
    leaf(1.0, 2.0).long().double().sum().backward()


@raises(RuntimeError, "backward", "does not require a gradient")
def test_backward_from_positions():
    leaf(1.0, 2.0).max(0)[1].backward()


@raises(RuntimeError, "Variable 1", "does not require a gradient")
def test_one_of_several_roots_is_a_constant():
    backward([leaf(2.0) * 2, leaf(2.0).detach()])


@raises(RuntimeError, "grad", "input 0", "not used", "allow_unused")
def test_the_gradient_of_what_was_not_used():
    x, unused = leaf(2.0), leaf(3.0)
    grad([x * 2], [unused])


@gives(2.0, 0.0)  # zeros for the unused one, where they are asked for
def test_unused_and_materialized():
    x, unused = leaf(2.0), leaf(3.0)
    return grad([x * 2], [x, unused], materialize_grads=True)


@raises(ValueError, "materialize_grads", "allow_unused")
def test_zeros_for_unused_inputs_that_are_not_allowed():
    x = leaf(2.0)
    grad([x * 2], [x], allow_unused=False, materialize_grads=True)


@raises(RuntimeError, "requires_grad", "Mul", "detach")
def test_a_result_told_to_require_no_gradient():
    x = leaf(2.0)
    (x * x).requires_grad = False


@raises(RuntimeError, "floating-point", "torch.LongTensor")
def test_integers_told_to_require_a_gradient():
    Variable(torch.LongTensor([1])).requires_grad = True


# --- arguments of backward and grad


@raises(TypeError, "backward", "tensors[1]", "str")
def test_a_string_among_the_roots():
    backward([leaf(2.0) * 2, "y"])


@raises(TypeError, "backward", "NoneType")
def test_none_as_the_roots():
    backward(None)


@raises(TypeError, "grad", "inputs[0]", "DoubleTensor")
def test_the_data_instead_of_the_variable():
    x = leaf(2.0)
    grad([x * 2], [x.data])


@raises(RuntimeError, "grad", "inputs is empty")
def test_no_inputs():
    grad([leaf(2.0) * 2], [])


@raises(RuntimeError, "grad", "1 starting gradients", "2 Variables")
def test_fewer_gradients_than_roots():
    x = leaf(2.0, 3.0)
    grad([x * 2, x * 3], [x], [vector(1.0, 1.0)])


@raises(RuntimeError, "grad", "Variable 1", "size (2,)")
def test_none_for_a_root_of_several_elements():
    x = leaf(2.0, 3.0)
    grad([x * 2, x * 3], [x], [vector(1.0, 1.0), None])


@raises(RuntimeError, "grad_tensors", "grad_variables")
def test_gradients_under_two_names():
    backward([leaf(2.0) * 2], [vector(1.0)], grad_variables=[vector(1.0)])


@raises(TypeError, "backward", "float")
def test_a_number_as_all_gradients():
    backward([leaf(2.0) * 2], 1.0)


@raises(TypeError, "backward", "foo")
def test_an_argument_that_is_unknown():
    (leaf(2.0) * 2).backward(vector(1.0), foo=3)


@gives(4.0)  # both roots are y = 2 x: 2 + 2
def test_one_root_twice():
    x = leaf(2.0)
    y = x * 2
    return grad([y, y], [x])


@gives(4.0, 4.0)  # d(x x)/dx = 4, twice the same input
def test_one_input_twice():
    x = leaf(2.0)
    return grad([x * x], [x, x])


@gives(1.0)  # the derivative of x by itself
def test_root_and_input_are_one():
    x = leaf(2.0)
    return grad([x], [x])


@gives(8.0, 0.0)  # y y by y = 2 y = 8; backward with inputs adds to no leaf that is not among them
def test_a_result_as_the_only_input_of_backward():
    x = leaf(2.0)
    y = x * 2
    (y * y).backward(inputs=[y])
    return y.grad, x.grad


@gives(0.0)  # unused by the root: nothing is added
def test_an_unused_input_of_backward():
    x, unused = leaf(2.0), leaf(3.0)
    (x * 2).backward(inputs=[unused])
    return unused.grad


# --- grad, read and written


@raises(AttributeError, "backward", "Tensor has no graph")
def test_a_gradient_without_a_graph_differentiated():
    x = leaf(2.0)
    (by_x,) = grad([x * x], [x])
    by_x.backward()


@gives(6.0)  # x.grad = 2 x = 4 stays in the graph of x.grad.backward(), which adds its derivative 2
def test_the_grad_itself_differentiated():
    x = leaf(2.0)
    (x * x).backward(create_graph=True)
    x.grad.backward()
    return x.grad


@gives(8.0)  # 4 with a graph, and 4 without one
def test_backward_without_a_graph_onto_one_with():
    x = leaf(2.0)
    y = x * x
    y.backward(create_graph=True)
    y.backward()
    return x.grad


@raises(RuntimeError, "Leaf", "size (2,)", "has the size (1,)")
def test_grad_set_to_another_size():
    leaf(2.0).grad = vector(1.0, 2.0)


@raises(TypeError, "Leaf", "float")
def test_grad_set_to_a_number():
    leaf(2.0).grad = 1.0


@gives(5.0, 5.0)  # grad is the data itself: 2 + 3 is added there, as in torch
def test_grad_set_to_the_data():
    x = leaf(2.0)
    x.grad = x.data
    (x * 3).backward()
    return x.data, x.grad


@gives(3.0, 3.0)  # two leaves with one gradient share what is added: 1 + 2
def test_one_gradient_for_two_leaves():
    x, w = leaf(2.0), leaf(3.0)
    x.backward()
    w.grad = x.grad
    (w * 2).backward()
    return x.grad, w.grad


@gives(5.0)  # grad = None begins anew: only d(5 x)/dx counts
def test_grad_set_to_none_between():
    x = leaf(2.0)
    (x * 3).backward()
    x.grad = None
    (x * 5).backward()
    return x.grad
