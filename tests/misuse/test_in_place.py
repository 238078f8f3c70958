"""Operations in place on Variables and their views, where they should not be used."""

import math

import legacy_autograd as torch
from legacy_autograd.autograd import Variable

from .misuse import gives, leaf, raises


def constant(*numbers):
    """Return a Variable of these numbers that requires no gradient."""
    return Variable(leaf(*numbers).data, requires_grad=False)


def result(*numbers):
    """Return a leaf of these numbers, and a result of it that may be changed in place."""
    x = leaf(*numbers)
    return x, x * 1


def integers(*numbers):
    """Return a Variable of integers."""
    return Variable(torch.LongTensor(list(numbers)))


# --- leaves


@raises(RuntimeError, "add_", "leaf Variable", "no_grad")
def test_a_leaf():
    leaf(2.0).add_(1)


@raises(RuntimeError, "mul_", "a view of a leaf Variable")
def test_a_view_of_a_leaf():
    leaf(2.0, 3.0).view(2, 1).t().mul_(2)


@raises(RuntimeError, "sqrt_", "a view of a leaf Variable")
def test_an_expanded_leaf():
    leaf(2.0).expand(3).sqrt_()


@raises(RuntimeError, "assignment", "leaf Variable")
def test_assignment_to_an_element_of_a_leaf():
    x = leaf(2.0, 3.0)
    x[0] = 1


@raises(RuntimeError, "zero_", "leaf Variable")
def test_a_conversion_that_converts_nothing():
    leaf(2.0).double().zero_()  # the Variable itself, as in torch


@gives(2.0, 3.0)  # the refused operation has written nothing
def test_a_refused_operation_leaves_the_numbers():
    x = leaf(2.0, 3.0)
    try:
        x.exp_()
    except RuntimeError:
        return x


@gives(1.0, 2.0, 0.0, 1.0)  # indices select into new memory: x stays, and the gradient of the overwritten element is 0
def test_a_selection_is_no_view():
    x = leaf(1.0, 2.0)
    y = x[Variable(torch.LongTensor([0, 1]))]
    y[0] = 100
    y.sum().backward()
    return x, x.grad


@gives(6.0, 12.0)  # 2 * 3 = 6 before the graph begins, d(x * x)/dx = 12
def test_a_leaf_within_no_grad_before_forward():
    x = leaf(2.0)
    with torch.no_grad():
        x.mul_(3)
    (x * x).backward()
    return x, x.grad


@raises(RuntimeError, "Mul", "modified by an inplace operation")
def test_a_leaf_within_no_grad_after_forward():
    x = leaf(2.0)
    y = x * x
    with torch.no_grad():
        x.mul_(3)
    y.backward()


@gives(2.0, 3.0)  # `x += 1` binds the name to a new Variable; the leaf has its numbers
def test_plus_equals_on_a_leaf():
    x = old = leaf(2.0, 3.0)
    x += 1
    return old


# --- what becomes part of the graph


@gives(18.0, 12.0)  # c = 2 w w: at w = 3 it is 18, its derivative 4 w = 12
def test_a_constant_becomes_a_result():
    c, w = constant(2.0), leaf(3.0)
    c.mul_(w)
    c.mul_(w)
    c.backward()
    return c, w.grad


@gives(4.0, 4.0)  # y = x, then y = y y: 4, derivative 2 x = 4 (modern torch refuses)
def test_a_result_times_itself():
    x, y = result(2.0)
    y.mul_(y)
    y.backward()
    return y, x.grad


@gives(4.0, 4 * math.log(2) + 4)  # y ** y at 2: derivative y ** y * (log y + 1)
def test_a_result_to_the_power_of_itself():
    x, y = result(2.0)
    y.pow_(y)
    y.backward()
    return y, x.grad


@gives(14.0, 8.0)  # ((x + 1) 2 + 1) 2 + 1) 2 at 0 is 14, its derivative 2 ** 3
def test_a_chain_in_a_loop():
    x, y = result(0.0)
    for _ in range(3):
        y.add_(1).mul_(2)
    y.backward()
    return y, x.grad


@gives(0.0, 1.0)  # copy_ forgets x: its gradient is 0, and the whole gradient is that of w
def test_copy_over_a_result():
    x, y = result(2.0)
    w = leaf(5.0)
    y.copy_(w)
    y.backward()
    return x.grad, w.grad


@gives(3.0)  # one number copied into three places: its gradient is the sum
def test_copy_of_one_number_into_three():
    w, y = leaf(5.0), constant(0.0, 0.0, 0.0)
    y.copy_(w)
    y.sum().backward()
    return w.grad


@gives(0.0, 1.0)  # the gradient of a copied FloatTensor is one too; x is forgotten
def test_copy_from_another_type():
    x, y = result(2.0)
    w = Variable(torch.FloatTensor([1.0]))
    y.copy_(w)
    y.backward()
    assert w.grad.type() == "torch.FloatTensor"
    return x.grad, w.grad


@gives(1.0, 0.0, 0.0, 0.0)  # y < 2.5 written as numbers: no gradient goes back
def test_a_comparison_in_place():
    x, y = result(2.0, 3.0)
    y.lt_(2.5)
    y.sum().backward()
    return y, x.grad


@gives(math.nan, math.nan)  # 0 / 0 and g / 0 * 0 are nan, as in torch, with no error
def test_zero_divided_by_zero():
    x, y = result(2.0)
    y.mul_(0).div_(0)
    y.backward()
    return y, x.grad


@gives(20.0, 20.0)  # the hook of y before the change sees the gradient behind mul_: 2 * 10
def test_a_hook_registered_before_the_change():
    x, y = result(2.0, 3.0)
    y.register_hook(lambda grad: grad * 10)
    y.mul_(2)
    y.sum().backward()
    return x.grad


@gives(1.0, 1.0, 2.0, 2.0)  # retain_grad keeps the gradient of the Variable as it is last
def test_a_retained_gradient_before_the_change():
    x, y = result(2.0, 3.0)
    y.retain_grad()
    y.mul_(2)
    y.sum().backward()
    return y.grad, x.grad


# --- what was saved before


@raises(RuntimeError, "Mul", "output 0 of MulConstant", "version 1")
def test_an_operand_changed_after_its_use():
    x, y = result(2.0)
    z = y * y
    y.add_(1)
    z.backward()


@raises(RuntimeError, "Exp", "output 0 of Exp")
def test_an_output_that_its_own_function_saved():
    x = leaf(2.0)
    y = x.exp()
    y.mul_(2)
    y.backward()


@gives(3.0, 0.0)  # z = 3 x keeps its history; y forgets x: d(3x)/dx, then nothing more
def test_fill_after_an_unsaved_use():
    x, y = result(2.0)
    z = y * 3
    y.fill_(2)
    z.backward()
    first = float(x.grad[0])
    y.backward()
    return first, float(x.grad[0]) - first


@gives(12.0, 4.0)  # within no_grad y = x x is tripled to 12, and keeps its history: 2 x = 4
def test_a_result_within_no_grad():
    x = leaf(2.0)
    y = x * x
    with torch.no_grad():
        y.mul_(3)
    y.backward()
    return y, x.grad


@raises(RuntimeError, "backward", "does not require a gradient")
def test_detached_in_place_and_differentiated():
    x = leaf(2.0)
    y = x * x
    y.detach_()
    y.backward()


# --- views


@gives(20.0, 3.0, 10.0, 1.0)  # a write to the view is one to the whole: y = (10 x0, x1)
def test_a_view_changed_and_the_whole_used():
    x, y = result(2.0, 3.0)
    y[0].mul_(10)
    y.sum().backward()
    return y, x.grad


@gives(10.0, 0.0, fixed=True)  # the view made before sees the numbers of now: 10 x0
def test_the_whole_changed_and_an_older_view_used():
    x, y = result(2.0, 3.0)
    view = y[0:1]
    y.mul_(10)
    view.backward()
    return x.grad


@gives(6.0, 9.0, 36.0, 54.0)  # v = 3 x through a view of a view: (3 x) ** 2 has the derivative 18 x
def test_a_view_of_a_view_changed():
    x, y = result(2.0, 3.0)
    view = y.view(2, 1)
    view.t().mul_(3)
    (view * view).sum().backward()
    return view, x.grad


@gives(6.0, 3.0, 0.0)  # v = 3 x0, though the whole has no name any more
def test_a_view_whose_whole_is_gone():
    x, y = result(2.0, 3.0)
    view = y[0:1]
    del y
    view.mul_(3)
    view.backward()
    return view, x.grad


@gives(3.0, 1.0, 0.0, 1.0)  # c = (x1, 1): a constant becomes a result through its view
def test_a_view_of_a_constant_overwritten():
    x, c = leaf(2.0, 3.0), constant(1.0, 1.0)
    c[0:1].copy_(x[1:2])
    c.sum().backward()
    return c, x.grad


@raises(RuntimeError, "Mul", "output 0 of MulConstant", "version 1")
def test_a_view_of_what_was_saved_changed():
    _, y = result(2.0, 3.0)
    z = (y * y).sum()
    y[0:1].zero_()
    z.backward()


@raises(RuntimeError, "mul_", "several outputs of Chunk", "clone()")
def test_one_of_several_views_changed():
    result(2.0, 3.0)[1].chunk(2)[0].mul_(10)


@raises(RuntimeError, "mul_", "made within no_grad", "clone()")
def test_a_view_made_within_no_grad_changed():
    _, y = result(2.0)
    with torch.no_grad():
        view = y.view(1, 1)
    view.mul_(5)


@gives(4.0, 9.0, 4.0, 6.0)  # a new shape in place writes no number: the other view keeps d(x * x)/dx = 2 x
def test_another_shape_in_place_and_an_older_view():
    x = leaf(2.0, 3.0)
    y = x * x
    view = y.view(1, 2)
    y.unsqueeze_(0)
    view.sum().backward()
    return y, x.grad


# --- assignments to a part


@gives(0.0, 6.0, 14.0)  # y = (w, x1): y**2 has the gradients 2 w = 14, 2 x1 = 6, and none for x0
def test_a_leaf_assigned_to_an_element():
    x, y = result(2.0, 3.0)
    w = leaf(7.0)
    y[0] = w
    (y * y).sum().backward()
    return x.grad, w.grad


@gives(0.0, 12.0)  # y = (x1, x1): y0**2 + y1**2 = 2 x1**2, derivative 4 x1
def test_an_element_assigned_to_another():
    x, y = result(2.0, 3.0)
    y[0] = y[1]
    (y * y).sum().backward()
    return x.grad


@raises(RuntimeError, "Mul", "output 0 of Index")  # y[i] is a view: Mul saved it, and the assignment writes to it
def test_every_element_squared_in_a_loop():
    _, y = result(2.0, 3.0)
    for i in range(2):
        y[i] = y[i] * y[i]
    y.sum().backward()


@raises(IndexError, "x[key] = value", "index 5", "size 2")
def test_assignment_out_of_range():
    _, y = result(2.0, 3.0)
    y[5] = 1.0


@raises(ValueError, "x[key] = value", "sizes (1,) and (2,)")
def test_assignment_of_too_many_numbers():
    _, y = result(2.0, 3.0)
    y[0] = leaf(1.0, 2.0)


@raises(TypeError, "x[key] = value", "str")
def test_assignment_of_a_string():
    _, y = result(2.0, 3.0)
    y[0] = "a"


@gives(5.0, 3.0, 1.0, 1.0)  # an assignment that failed has changed neither numbers nor history
def test_a_failed_assignment_leaves_the_graph():
    x, y = result(5.0, 3.0)
    try:
        y[9] = 1.0
    except IndexError:
        y.sum().backward()
    return y, x.grad


# --- the result does not fit


@raises(RuntimeError, "add_", "(2, 2)", "size (2,)")
def test_a_result_of_more_dimensions():
    _, y = result(2.0, 3.0)
    y.add_(leaf([1.0, 2.0], [3.0, 4.0]))


@raises(ValueError, "copy_", "sizes (1,) and (2,)")
def test_copy_of_too_many_numbers():
    _, y = result(2.0)
    y.copy_(leaf(1.0, 2.0))


@raises(TypeError, "add", "torch.LongTensor", "0.5")
def test_a_fraction_added_to_integers():
    integers(1, 2).add_(0.5)


@raises(ZeroDivisionError, "div", "integer")
def test_integers_divided_by_zero():
    integers(1, 2).div_(0)


@raises(RuntimeError, "mul_", "one place in memory", "clone()")
def test_several_elements_in_one_place():
    _, y = result(2.0)
    y.expand(3).mul_(2)


@raises(RuntimeError, "resize", "3", "2 elements")
def test_resize_to_more_elements():
    _, y = result(2.0, 3.0)
    y.resize_(3)


@raises(ValueError, "addmm", "(2, 3)", "(2, 2)")
def test_a_product_of_another_size():
    _, y = result([1.0, 2.0], [3.0, 4.0])
    y.addmm_(leaf([1.0], [1.0]), leaf([1.0, 1.0, 1.0]))


@raises(ValueError, "masked_scatter_", "3 places", "1 elements")
def test_a_source_with_too_few_elements_for_the_mask():
    _, y = result([1.0, 2.0], [3.0, 4.0])
    y.masked_copy_(Variable(torch.ByteTensor([[1, 0], [1, 1]])), leaf(9.0))


@raises(TypeError, "Mm", "argument 1", "ndarray", fixed=True)
def test_an_operation_on_an_ndarray_while_a_changed_variable_lives():
    x, y = result([1.0, 2.0])
    y.add_(1)
    x.mm(y.data.numpy())


# --- impossible numbers to draw


@raises(ValueError, "bernoulli_", "probability", "7")
def test_a_probability_above_one():
    result(1.0)[1].bernoulli_(7)


@raises(ValueError, "uniform_", "1 and 0")
def test_limits_in_the_wrong_order():
    result(1.0)[1].uniform_(1, 0)


@raises(ValueError, "normal_", "standard deviation", "-1")
def test_a_negative_deviation():
    result(1.0)[1].normal_(0, -1)
