"""Types, numbers, empty tensors, nan and infinity, and indices, where they do not fit."""

import math

import numpy
import pytest

import legacy_autograd as torch
import legacy_autograd.nn.functional as F
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor import Tensor

from .misuse import gives, leaf, raises


def integers(*numbers):
    """Return a Variable of integers."""
    return Variable(torch.LongTensor(list(numbers)))


def mask(*numbers):
    """Return a Variable of bytes."""
    return Variable(torch.ByteTensor(list(numbers)))


def empty(*size):
    """Return a leaf of this size, which holds no element."""
    return Variable(Tensor(numpy.zeros(size)))


def check(error, *facts):
    """Return a function that runs `misuse` and expects this error."""
    return lambda misuse: raises(error, *facts)(misuse)()


# --- types


@raises(TypeError, "add", "torch.DoubleTensor", "torch.FloatTensor", ".type()")
def test_two_types_added():
    leaf(1.0) + leaf(1.0).float()


@raises(TypeError, "mm", "torch.DoubleTensor", "torch.FloatTensor")
def test_two_types_multiplied_as_matrices():
    leaf([1.0]).mm(leaf([1.0]).float())


@raises(TypeError, "cat", "torch.DoubleTensor", "torch.LongTensor")
def test_two_types_joined():
    torch.cat([leaf(1.0), integers(1)])


@raises(TypeError, "Stack", "argument 1", "DoubleTensor")
def test_a_tensor_among_variables():
    torch.stack([leaf(1.0), leaf(2.0).data])


@raises(TypeError, "MulConstant", "beside a Variable", "requires_grad=False")
def test_a_tensor_as_factor():
    leaf(1.0) * leaf(2.0).data


@raises(TypeError, "mul", "ndarray")
def test_an_ndarray_as_factor_on_the_left():
    numpy.array([1.0, 2.0]) * leaf(1.0, 2.0)


@pytest.mark.parametrize("operand", ["a", None, [1.0], 1j, {}], ids=repr)
def test_operands_that_are_no_numbers(operand):
    check(TypeError, "add", type(operand).__name__)(lambda: leaf(1.0) + operand)


@raises(TypeError, "add", "torch.LongTensor", "0.5", ".type()")
def test_a_fraction_and_integers():
    integers(1) + 0.5


@raises(TypeError, "sqrt", "torch.LongTensor", "fractions")
def test_the_root_of_integers():
    integers(4).sqrt()


@raises(TypeError, "mean", "torch.LongTensor", "fractions")
def test_the_mean_of_integers():
    integers(1, 2).mean()


@raises(TypeError, "'foo'", "torch.DoubleTensor")
def test_a_type_that_there_is_not():
    leaf(1.0).type("foo")


@raises(TypeError, "complex128", "float64")
def test_complex_numbers():
    torch.from_numpy(numpy.array([1j]))


@raises(TypeError, "not an array", ".data")
def test_a_variable_made_an_ndarray():
    numpy.array(leaf(1.0, 2.0))


@raises(TypeError, "Variable needs a Tensor", "Variable")
def test_a_variable_in_a_variable():
    Variable(leaf(1.0))


@raises(TypeError, "Tensor", "bool", fixed=True)
def test_a_bool_as_size():
    Tensor(True)


@raises(TypeError, "Tensor", "one length")
def test_rows_of_two_lengths():
    Tensor([[1], [2, 3]])


@raises(RuntimeError, "2 elements", "ambiguous")
def test_the_truth_of_two_numbers():
    bool(leaf(1.0, 2.0) > 1)


@raises(ValueError, "one element", "2")
def test_a_python_number_of_two():
    math.sqrt(leaf(4.0, 1.0))


@gives(2.0, 2.0, 3.0, 1.0, fixed=True)  # numpy's True is 1, as Python's is: 2 * 1, 1 * 2, 2 + 1, 2 == 1 + 1
def test_a_truth_value_of_numpy():
    x, true = leaf(2.0), numpy.bool_(True)
    return x * true, true * x, x + true, (x - true) == true


# --- integers: overflow and division


@gives(-(2**63), 0)  # 2**63 - 1 + 1 and 2**62 * 4 keep their lowest 64 bits, as in torch
def test_integers_that_overflow():
    return integers(2**63 - 1) + 1, integers(2**62) * 4


@gives(4, 255)  # 250 + 10 = 260 and 2 - 3 = -1, modulo 256
def test_bytes_that_overflow():
    return mask(250) + 10, mask(2) - 3


@gives(-128, -(2**63))  # the smallest number of each type has no positive counterpart
def test_the_smallest_integers_negated():
    return -Variable(torch.CharTensor([-128])), integers(-(2**63)).abs()


@raises(OverflowError, "add", "torch.LongTensor", str(2**70))
def test_a_number_too_large_for_the_type():
    integers(1) + 2**70


@raises(OverflowError, "add", "300", "torch.ByteTensor")
def test_a_number_too_large_for_bytes():
    mask(250) + 300


@raises(OverflowError, "ByteTensor", "256", fixed=True)
def test_a_byte_of_256():
    torch.ByteTensor([256])


@raises(OverflowError, "IntTensor", str(2**40), fixed=True)
def test_an_ndarray_of_wider_integers():
    torch.IntTensor(numpy.array([2**40]))


@raises(OverflowError, "add", "nan", "torch.LongTensor")
def test_nan_added_to_integers():
    integers(1) + math.nan


@raises(ZeroDivisionError, "div", "integer")
def test_integers_divided_by_an_integer_zero():
    integers(7) / integers(0)


@raises(ZeroDivisionError, "remainder", "integer")
def test_the_remainder_of_integers_by_zero():
    integers(7) % 0


@raises(RuntimeError, "pow", "negative exponent")
def test_an_integer_to_a_negative_power():
    integers(2) ** -1


@gives(3, -3, 2, -2, -1)  # / cuts off; the remainder has the sign of the divisor, fmod that of the dividend
def test_signs_of_integer_division():
    return integers(7, -7) / 2, integers(-7) % 3, integers(7) % -3, integers(-7).fmod(3)


@gives(math.inf, -math.inf, math.nan, math.nan)  # IEEE 754
def test_fractions_divided_by_zero():
    return leaf(5.0, -5.0, 0.0) / 0, leaf(5.0) % 0


@gives(2.0**53, 2.0**24)  # the next number that each type holds is 2 further: a tie, to even
def test_one_added_beyond_the_precision():
    return leaf(2.0**53) + 1, leaf(2.0**24).float() + 1


@gives(math.inf, 10.0)  # 3e38 * 10 is larger than any float of 32 bits; its derivative is the factor
def test_a_float_that_overflows():
    x = Variable(torch.FloatTensor([3e38]))
    y = x * 10
    y.backward()
    return y, x.grad


# --- shapes


@raises(ValueError, "add", "sizes (2, 2) and (3,)")
def test_shapes_that_do_not_broadcast():
    leaf([1.0, 2.0], [3.0, 4.0]) + leaf(1.0, 2.0, 3.0)


@raises(ValueError, "mm", "n x k and k x m", "(1, 2) and (1, 2)")
def test_matrices_that_do_not_meet():
    leaf([1.0, 2.0]).mm(leaf([1.0, 2.0]))


@raises(ValueError, "bmm", "b x n x k", "(1, 1) and (1, 1, 1)")
def test_a_matrix_as_batch():
    torch.bmm(leaf([1.0]), leaf([[1.0]]))


@raises(ValueError, "addmm", "(1, 2)", "(1, 3)")
def test_a_sum_of_product_and_another_size():
    torch.addmm(leaf([1.0, 2.0, 3.0]), leaf([1.0, 2.0]), leaf([1.0, 2.0], [2.0, 4.0]))


@raises(ValueError, "mv", "matrix n x k", "(1, 2) and (3,)")
def test_a_vector_too_long_for_the_matrix():
    torch.mv(leaf([1.0, 2.0]), leaf(1.0, 2.0, 3.0))


@raises(ValueError, "dot", "(2,) and (3,)")
def test_the_dot_product_of_two_lengths():
    leaf(1.0, 2.0).dot(leaf(1.0, 2.0, 3.0))


@raises(TypeError, "Mm", "argument 1", "ndarray")
def test_an_ndarray_as_matrix():
    leaf([1.0, 2.0]).mm(numpy.ones((2, 1)))


@raises(ValueError, "cat", "(1, 1), (1, 2)", "dimension 0")
def test_joined_along_the_wrong_dimension():
    torch.cat([leaf([1.0]), leaf([1.0, 2.0])], 0)


@raises(ValueError, "cat", "empty")
def test_nothing_joined():
    torch.cat([])


@raises(RuntimeError, "view", "(2, 2)", "3 elements")
def test_a_view_of_more_elements():
    leaf(1.0, 2.0, 3.0).view(2, 2)


@raises(RuntimeError, "view", "(-1, -1)")
def test_a_view_with_two_open_sizes():
    leaf(1.0, 2.0, 3.0).view(-1, -1)


@raises(RuntimeError, "view", "not contiguous", ".contiguous()")
def test_a_view_of_a_transposed_matrix():
    leaf([1.0, 2.0], [3.0, 4.0]).t().view(4)


@raises(TypeError, "view", "integers", "LongTensor", fixed=True)
def test_a_tensor_as_size_of_a_view():
    leaf(1.0, 2.0).view(torch.LongTensor([2, 1]))


@raises(ValueError, "expand", "size 3", "only size 1 can be repeated")
def test_a_dimension_of_three_expanded():
    leaf(1.0, 2.0, 3.0).expand(3, 2)


@raises(ValueError, "expand", "must not be negative", "(-1, 2, 4)")
def test_an_open_size_for_a_new_dimension():
    leaf([1.0], [2.0]).expand(-1, 2, 4)


@raises(ValueError, "repeat", "2 or more", "(2,)")
def test_too_few_repetitions():
    leaf([1.0, 2.0]).repeat(2)


@raises(ValueError, "permute", "each of its dimensions once", "(0, 0)")
def test_a_dimension_permuted_twice():
    leaf([1.0, 2.0]).permute(0, 0)


@raises(IndexError, "unsqueeze", "dimension 3", "size (3,) takes -2 to 1", fixed=True)
def test_a_new_dimension_too_far():
    leaf(1.0, 2.0, 3.0).unsqueeze(3)


@raises(IndexError, "sum", "dimension -2", "-1 to 0")
def test_a_negative_dimension_too_far():
    leaf(1.0, 2.0).sum(-2)


@raises(TypeError, "sum", "dimension is an integer", "bool")
def test_keepdim_in_the_place_of_the_dimension():
    leaf(1.0, 2.0).sum(True)


@raises(ValueError, "chunk", "positive", "0")
def test_no_chunks():
    leaf(1.0, 2.0).chunk(0)


@raises(ValueError, "unfold", "windows of 4", "size (3,)")
def test_a_window_larger_than_the_dimension():
    leaf(1.0, 2.0, 3.0).unfold(0, 4, 1)


@pytest.mark.parametrize("name, arguments", [("lerp", (0.5,)), ("dist", ())])
@pytest.mark.parametrize("as_tensors", [False, True])
def test_sizes_that_do_not_fit_name_the_operation(name, arguments, as_tensors):
    x, y = leaf(1.0, 2.0, 3.0), leaf(1.0, 2.0)
    if as_tensors:
        x, y = x.data, y.data
    with pytest.raises(ValueError, match=f"^{name}: .*sizes"):
        getattr(x, name)(y, *arguments)


@raises(ValueError, "baddbmm: ", "b x n x k", "(2, 3, 4) and (2, 5, 3)", fixed=True)
def test_batches_that_do_not_meet_and_are_added():
    torch.zeros(2, 3, 3).baddbmm(torch.zeros(2, 3, 4), torch.zeros(2, 5, 3))


@raises(IndexError, "std: ", "dimension 4", fixed=True)
def test_the_deviation_along_no_dimension():
    leaf(1.0, 2.0).std(4)


@raises(IndexError, "unbind: ", "dimension 5", fixed=True)
def test_unbind_along_no_dimension():
    torch.unbind(leaf(1.0, 2.0), 5)


@pytest.mark.parametrize("name", ["zeros", "ones", "rand", "randn", "Tensor", "eye", "arange"])
@pytest.mark.parametrize("size", [2**60, 2**70])
def test_more_elements_than_addresses(name, size):
    with pytest.raises(ValueError, match=rf"^{name}: .*size \({size},.*addresses"):
        getattr(torch, name)(size)


@pytest.mark.parametrize("name", ["repeat", "resize_"])
def test_a_tensor_made_larger_than_memory(name):
    with pytest.raises(ValueError, match=rf"^{name}: .*size \({2**60},.*addresses"):
        getattr(leaf(1.0).data, name)(2**60)


# --- indices


@raises(IndexError, "index -4", "size 3")
def test_a_negative_index_too_far():
    leaf(1.0, 2.0, 3.0)[-4]


@raises(IndexError, "2 indices", "too many", "size (3,)")
def test_too_many_indices():
    leaf(1.0, 2.0, 3.0)[0, 0]


@raises(TypeError, "key", "integers", "float")
def test_a_fraction_as_index():
    leaf(1.0, 2.0)[1.0]


@raises(ValueError, "step", "positive", "-1")
def test_a_slice_backwards():
    leaf(1.0, 2.0)[::-1]


@raises(IndexError, "mask of size (2,)", "size (3,)")
def test_a_mask_that_is_too_short():
    leaf(1.0, 2.0, 3.0)[mask(1, 0)]


@raises(TypeError, "masked_select", "ByteTensor", "torch.LongTensor")
def test_integers_as_a_mask():
    leaf(1.0, 2.0).masked_select(integers(1, 0))


@raises(IndexError, "index_select", "index -1", "size 3")
def test_a_negative_index_selected():
    leaf(1.0, 2.0, 3.0).index_select(0, integers(-1))


@raises(TypeError, "index_select", "one dimension", "(1, 2)")
def test_a_matrix_of_indices_selected():
    leaf(1.0, 2.0).index_select(0, integers([0, 1]))


@raises(IndexError, "gather", "index 2", "dimension 1 of size 2")
def test_gather_out_of_range():
    leaf([1.0, 2.0]).gather(1, integers([2]))


@raises(ValueError, "gather", "index of size (1, 3)", "(2, 2)")
def test_gather_of_too_many():
    leaf([1.0, 2.0], [3.0, 4.0]).gather(0, integers([0, 0, 0]))


@raises(ValueError, "scatter_", "(2, 2)", "(2, 1)")
def test_scatter_from_a_small_source():
    leaf([1.0, 2.0], [3.0, 4.0]).scatter(1, integers([1, 0], [0, 1]), leaf([5.0], [6.0]))


@raises(ValueError, "index_add_", "2 indices", "(2, 2)", "(1, 2)")
def test_fewer_rows_than_indices_added():
    leaf([1.0, 2.0]).index_add(0, integers(0, 0), leaf([1.0, 1.0]))


@raises(IndexError, "narrow", "size 3", "3 elements from 1")
def test_narrowed_beyond_the_end():
    leaf(1.0, 2.0, 3.0).narrow(0, 1, 3)


@raises(TypeError, "select", "slice", fixed=True)
def test_a_slice_selected():
    leaf([1.0, 2.0], [3.0, 4.0]).select(0, slice(0, 1))


@raises(IndexError, "select", "index 2", "dimension 1", "size (2, 2)", fixed=True)
def test_selected_beyond_the_end():
    leaf([1.0, 2.0], [3.0, 4.0]).select(1, 2)


@raises(ValueError, "topk", "size (3,)", "4 elements")
def test_more_largest_than_there_are():
    leaf(1.0, 2.0, 3.0).topk(4)


@raises(ValueError, "kthvalue", "0-th element", "counts from 1")
def test_the_zeroth_smallest():
    leaf(1.0, 2.0).kthvalue(0)


@gives(14.0, 16.0, 14.0, 16.0, 0.0, 0.0, 6.0, 8.0)  # the last row copied wins; both receive its gradient, as in torch
def test_two_rows_copied_to_one_place():
    x, rows = leaf([1.0, 2.0], [3.0, 4.0]), leaf([5.0, 6.0], [7.0, 8.0])
    y = x.index_copy(0, integers(0, 0), rows)
    (y * y).sum().backward()
    return rows.grad, x.grad


@gives(3.0, 1.0)  # one element chosen three times receives three gradients
def test_an_index_repeated():
    x = leaf(1.0, 2.0)
    x[integers(0, 0, 1, 0)].sum().backward()
    return x.grad


# --- nothing in it


@gives(0.0, 1.0, math.nan, 0.0)  # the neutral elements; 0 / 0; the root of 0
def test_reductions_of_no_element():
    nothing = empty(0)
    return nothing.sum(), nothing.prod(), nothing.mean(), nothing.norm()


@raises(ValueError, "max", "empty")
def test_the_largest_of_no_element():
    empty(0).max()


@raises(IndexError, "median", "no elements")
def test_the_median_of_no_element():
    empty(0).median()


@raises(IndexError, "max", "dimension 0 has size 0")
def test_the_largest_along_no_element():
    empty(0, 3).max(0)


@raises(RuntimeError, "view", "(0, -1)", "0 elements")
def test_an_open_size_of_no_element():
    empty(0, 3).view(0, -1)


@gives(*[0.0] * 6)  # a product over an inner dimension of size 0 is a sum of nothing
def test_a_product_of_empty_matrices():
    return empty(3, 0).mm(empty(0, 2))


@gives(0.0)  # broadcast to size 0: the gradient is the sum of nothing
def test_one_number_broadcast_to_none():
    x = leaf(1.0)
    (x + empty(0)).sum().backward()
    return x.grad


@gives(0.0, 0.0)  # no element is chosen
def test_a_slice_beyond_the_end():
    x = leaf(1.0, 2.0)
    x[5:].sum().backward()
    return x.grad


@gives(1.0, 1.0)  # an empty vector fits to every size, as in torch
def test_an_empty_vector_joined():
    x = leaf(1.0, 2.0)
    torch.cat([empty(0), x, empty(0)]).sum().backward()
    return x.grad


# --- nan, infinity, and points without a derivative


@gives(0.5, 0.0, 0.5)  # nan is the largest; the whole maximum shares its gradient among equals
def test_the_gradient_of_the_largest_with_nan():
    x = leaf(math.nan, 2.0, math.nan)
    x.max().backward()
    return x.grad


@gives(1.0, 3.0, math.nan, math.nan, 3.0)  # nan sorts last, and is among the largest
def test_nan_in_an_order():
    x = leaf(1.0, math.nan, 3.0)
    return x.sort()[0], x.topk(2)[0]


@gives(1.0, 0.0, 0.0, -1000.0)  # the largest is subtracted first, so that e ** 1000 does not occur
def test_softmax_of_large_numbers():
    x = leaf(1000.0, 0.0)
    return F.softmax(x, 0), F.log_softmax(x, 0)


@gives(math.nan, math.nan)  # -inf - -inf
def test_softmax_of_minus_infinity():
    return F.softmax(leaf(-math.inf, -math.inf), 0)


@gives(math.inf, math.nan)  # 1 / (2 * 0); inf * 2 * 0
def test_the_root_at_zero():
    x, y = leaf(0.0), leaf(0.0)
    x.sqrt().backward()
    (y**2).sqrt().backward()
    return x.grad, y.grad


@gives(0.0, 0.0, 0.0, 0.0)  # the subgradient of least norm
def test_the_norm_at_zero():
    x, y = leaf(0.0, 0.0), leaf(0.0, 0.0)
    x.norm().backward()
    y.norm(1).backward()
    return x.grad, y.grad


@gives(6.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # the product of the others: 3 * 2, 0, 0; with two zeros 0 everywhere
def test_the_product_with_zeros():
    x, y = leaf(0.0, 3.0, 2.0), leaf(0.0, 0.0, 2.0)
    x.prod().backward()
    y.prod().backward()
    return x.grad, y.grad


@gives(12.0, math.nan)  # 3 * 4; 8 * log(-2)
def test_the_power_of_a_negative_number():
    base, exponent = leaf(-2.0), leaf(3.0)
    (base**exponent).backward()
    return base.grad, exponent.grad


@gives(math.nan, math.nan)  # n - 1 is 0: the variance of one number is 0 / 0, and so is its derivative
def test_the_deviation_of_one_number():
    x = leaf(3.0)
    y = x.std()
    y.backward()
    return y, x.grad


@raises(ValueError, "clamp", "min", "max")
def test_clamp_without_limits():
    leaf(1.0).clamp()


@gives(1.0, 1.0, 0.0, 0.0)  # the upper limit wins where the limits are exchanged, and nothing depends on x
def test_clamp_with_limits_exchanged():
    x = leaf(2.0, 3.0)
    y = x.clamp(5, 1)
    y.sum().backward()
    return y, x.grad


@raises(ValueError, "renorm", "maxnorm", "-1", fixed=True)
def test_a_negative_norm_to_scale_to():
    leaf([1.0, 2.0]).renorm(2, 0, -1)


@pytest.mark.parametrize("of", [torch.ones, empty], ids=["tensor", "variable"])
def test_a_norm_to_scale_to_that_is_no_number(of):
    @raises(TypeError, "renorm", "maxnorm", "number", "NoneType", fixed=True)
    def misuse():
        of(2, 2).renorm(2, 0, None)

    misuse()


@raises(TypeError, "renorm", "p must be a number", "NoneType", fixed=True)
def test_the_order_of_a_norm_that_is_no_number():
    leaf([1.0, 2.0]).renorm(None, 0, 1)


_DISTRIBUTIONS = {
    "uniform_": ((0, None), "high"),
    "normal_": ((0, None), "std"),
    "log_normal_": ((0, None), "std"),
    "exponential_": ((None,), "lambd"),
    "cauchy_": ((0, None), "sigma"),
    "geometric_": ((None,), "p"),
    "bernoulli_": ((None,), "p"),
}


@pytest.mark.parametrize("name", _DISTRIBUTIONS)
def test_a_distribution_of_no_number(name):
    arguments, argument = _DISTRIBUTIONS[name]

    @raises(TypeError, f"{name}: {argument}", "number", "NoneType", fixed=True)
    def misuse():
        getattr(torch.ones(2), name)(*arguments)

    misuse()


@pytest.mark.parametrize("p", [0, -1])
@pytest.mark.parametrize("name", ["renorm", "renorm_"])
def test_a_norm_to_scale_by_that_is_none(name, p):
    with pytest.raises(ValueError, match=f"renorm: p must be above 0, got {p}"):
        getattr(leaf([1.0, 2.0]).data, name)(p, 0, 1)
    with pytest.raises(ValueError, match=f"renorm: p must be above 0, got {p}"):
        leaf([1.0, 2.0]).renorm(p, 0, 1)


@raises(ValueError, "int", "NaN")
def test_nan_as_an_integer():
    int(leaf(math.nan))
