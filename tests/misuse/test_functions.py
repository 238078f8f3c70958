"""Functions that users write, with the mistakes that they make in them."""

import copy
import math

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, grad
from legacy_autograd.tensor import Tensor

from .misuse import gives, leaf, raises


class Square(Function):
    """x ** 2, written as it should be."""

    def forward(self, x):
        self.save_for_backward(x)
        return x * x

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return grad_output * x * 2


def function(forward=None, backward=None):
    """Return a new class of Functions with these two methods, which are those of the identity if they are left out."""
    forward = forward or (lambda self, x: x.clone())
    backward = backward or (lambda self, grad_output: grad_output)
    return type("Mistaken", (Function,), {"forward": forward, "backward": backward})


def vector(*numbers):
    """Return a Tensor of these numbers."""
    return leaf(*numbers).data


# --- how many gradients backward returns


@raises(RuntimeError, "Mistaken.backward", "invalid number", "1, for 2 inputs")
def test_too_few_gradients():
    kind = function(lambda self, x, y: x + y)
    kind()(leaf(1.0), leaf(2.0))[0].backward()


@raises(RuntimeError, "Mistaken.backward", "invalid number", "2, for 1 inputs")
def test_too_many_gradients():
    kind = function(backward=lambda self, grad_output: (grad_output, grad_output))
    kind()(leaf(1.0))[0].backward()


@gives(1.0)  # None at the end, for an optional input that was not given, is passed over
def test_none_too_many():
    x = leaf(1.0)
    function(backward=lambda self, grad_output: (grad_output, None))()(x)[0].backward()
    return x.grad


@raises(RuntimeError, "Mistaken.backward", "0, for 1 inputs")
def test_an_empty_tuple_of_gradients():
    function(backward=lambda self, grad_output: ())()(leaf(1.0))[0].backward()


@gives(0.0)  # a backward without `return` gives None: the leaf gets nothing
def test_backward_without_return():
    x = leaf(1.0)
    function(backward=lambda self, grad_output: None)()(x)[0].backward()
    return x.grad


@gives(0.0, 3.0)  # None for x alone: x gets nothing, y its 3
def test_none_for_one_of_two():
    x, y = leaf(1.0), leaf(2.0)
    kind = function(lambda self, x, y: x + y * 3, lambda self, grad_output: (None, grad_output * 3))
    kind()(x, y)[0].backward()
    return x.grad, y.grad


@gives(5.0)  # the path through the Function is cut by None; d(5 x)/dx is left
def test_none_beside_another_path():
    x = leaf(1.0)
    (function(backward=lambda self, grad_output: None)()(x)[0] + x * 5).backward()
    return x.grad


@raises(TypeError, "gradient", "Tensor", "list")
def test_a_list_of_gradients():
    function(backward=lambda self, grad_output: [grad_output])()(leaf(1.0))[0].backward()


# --- which gradients backward returns


@raises(RuntimeError, "Leaf", "size (2,)", "has the size (3,)")
def test_a_gradient_of_another_size():
    function(backward=lambda self, grad_output: grad_output[:2])()(leaf(1.0, 2.0, 3.0))[0].sum().backward()


@raises(RuntimeError, "MulConstant", "size (1,);", "has the size (2,)")
def test_a_summed_gradient_for_a_result():
    kind = function(backward=lambda self, grad_output: vector(1.0))
    kind()(leaf(1.0, 2.0) * 2)[0].sum().backward()


@raises(TypeError, "torch.DoubleTensor", "torch.FloatTensor")
def test_a_gradient_of_another_type():
    x = leaf(1.0)
    function(backward=lambda self, grad_output: grad_output.float())()(x)[0].backward()


@raises(TypeError, "Leaf", "ndarray")
def test_an_ndarray_as_gradient():
    function(backward=lambda self, grad_output: grad_output.numpy())()(leaf(1.0))[0].backward()


@raises(TypeError, "Leaf", "float")
def test_a_number_as_gradient():
    function(backward=lambda self, grad_output: 1.0)()(leaf(1.0))[0].backward()


@gives(2.0)  # a Variable as gradient counts by its numbers
def test_a_variable_as_gradient():
    x = leaf(1.0)
    kind = function(lambda self, x: x * 2, lambda self, grad_output: Variable(grad_output) * 2)
    kind()(x)[0].backward()
    return x.grad


@gives(1.0, 1.0, 7.0, 7.0)  # one tensor for both inputs: each leaf has memory of its own
def test_one_tensor_as_both_gradients():
    x, y = leaf(1.0, 1.0), leaf(2.0, 2.0)
    kind = function(lambda self, x, y: x + y, lambda self, grad_output: (grad_output, grad_output))
    kind()(x, y)[0].sum().backward()
    y.grad.fill_(7)
    return x.grad, y.grad


@gives(2.0, 2.0)  # the constant that backward keeps is returned twice, and never added to: 1 + 1
def test_a_tensor_of_the_class_as_gradient():
    ones = vector(1.0, 1.0)
    kind = function(backward=lambda self, grad_output: ones)
    x = leaf(3.0, 4.0)
    (kind()(x)[0] + kind()(x)[0]).sum().backward()
    assert ones.tolist() == [1.0, 1.0]
    return x.grad


@gives(3.0, 3.0)  # an expanded gradient has one place for both numbers; grad has two
def test_an_expanded_gradient():
    x = leaf(1.0, 2.0)
    kind = function(lambda self, x: vector(x.sum()), lambda self, grad_output: grad_output.expand(2))
    kind()(x)[0].backward()
    x.grad.add_(2)
    return x.grad


@gives(4.0, 2.0)  # the column of factors arrives as the row that x is
def test_a_gradient_that_is_a_view():
    x = leaf([1.0, 2.0])
    kind = function(lambda self, x: x.t().contiguous(), lambda self, grad_output: grad_output.t())
    (kind()(x)[0] * Variable(vector([4.0], [2.0]))).sum().backward()
    return x.grad


# --- what forward returns


@raises(TypeError, "Mistaken.forward", "Tensor", "float")
def test_a_number_as_result():
    function(lambda self, x: x.sum())()(leaf(1.0, 2.0))


@raises(TypeError, "Mistaken.forward", "Tensor", "ndarray")
def test_an_ndarray_as_result():
    function(lambda self, x: x.numpy() * 2)()(leaf(1.0))


@raises(TypeError, "Mistaken.forward", "Tensor", "NoneType")
def test_forward_without_return():
    function(lambda self, x: None)()(leaf(1.0))


@raises(TypeError, "Mistaken.forward", "Tensor", "list")
def test_a_list_of_results():
    function(lambda self, x: [x.clone(), x.clone()])()(leaf(1.0))


@raises(TypeError, "Mistaken.forward", "Tensor", "Variable")
def test_a_variable_as_result():
    function(lambda self, x: Variable(x) * 2)()(leaf(1.0))


@raises(TypeError, "Mistaken.forward", "Tensor", "int")
def test_a_number_beside_a_result():
    function(lambda self, x: (x.clone(), 5))()(leaf(1.0))


@raises(NotImplementedError, "Forgetful", "forward")
def test_no_forward():
    type("Forgetful", (Function,), {})()(leaf(1.0))


@raises(NotImplementedError, "Forgetful", "backward")
def test_no_backward():
    type("Forgetful", (Function,), {"forward": lambda self, x: x * 2})()(leaf(1.0))[0].backward()


@gives(3.0, 2.0)  # the identity in the same memory: d(3 x)/dx through it, and the numbers of x stay
def test_the_input_returned():
    x = leaf(2.0)
    (function(lambda self, x: x)()(x)[0] * 3).backward()
    return x.grad, x


@gives(1.0, 0.0, 1.0)  # the middle one is left out by the view, and gets no gradient
def test_a_view_returned():
    x = leaf(1.0, 2.0, 3.0)

    def backward(self, grad_output):
        whole = vector(0.0, 0.0, 0.0)
        whole[::2] = grad_output
        return whole

    function(lambda self, x: x[::2], backward)()(x)[0].sum().backward()
    return x.grad


@gives(7.0)  # two outputs over one tensor: 3 through the first, 4 through the second
def test_one_tensor_as_both_results():
    x = leaf(2.0)

    def forward(self, x):
        y = x.clone()
        return y, y

    first, second = function(forward, lambda self, g, h: g + h)()(x)
    (first * 3 + second * 4).backward()
    return x.grad


@gives(5.0)  # one of two outputs is used: the gradient of the other is zeros, 0 + 5
def test_an_unused_result():
    x = leaf(2.0)
    kind = function(lambda self, x: (x * 1, x * 5), lambda self, g, h: g + h * 5)
    kind()(x)[1].backward()
    return x.grad


@raises(TypeError, "backward", "2 positional arguments but 3")
def test_backward_with_one_parameter_for_two_results():
    class Two(Square):
        def forward(self, x):
            return x * 1, x * 2

    first, second = Two()(leaf(1.0))
    (first + second).backward()


@raises(TypeError, "Mistaken.forward", "Tensor", "tuple")
def test_a_tuple_in_a_tuple():
    function(lambda self, x: ((x,),))()(leaf(1.0))


@raises(TypeError, "Mistaken.forward", "Tensor", "generator")
def test_forward_that_yields():
    def forward(self, x):
        yield x

    function(forward)()(leaf(1.0))


@raises(RuntimeError, "backward", "does not require a gradient")
def test_integers_as_result_and_gradient():
    x = leaf(1.0)
    function(lambda self, x: x.long())()(x)[0].backward(torch.LongTensor([1]))


@gives(2.0, fixed=True)  # floor(x) in integers has no derivative, as in modern torch: d(2 x)/dx is left
def test_integers_beside_a_result():
    x = leaf(1.5)
    y, whole = function(lambda self, x: (x * 2, x.long()), lambda self, g, none: g * 2)()(x)
    assert y.requires_grad and not whole.requires_grad
    y.backward()
    return x.grad


@gives(False, False, fixed=True)
def test_integers_as_the_one_result():
    whole = function(lambda self, x: x.long())()(leaf(1.5))[0]
    return whole.requires_grad, (whole * 2).requires_grad


@gives(3.0, 3.0)  # two numbers in three rows of one memory: each receives the gradients of its rows
def test_an_expanded_result():
    x = leaf(1.0, 2.0)
    kind = function(lambda self, x: x.expand(3, 2), lambda self, grad_output: grad_output.sum(0).view(2))
    kind()(x)[0].sum().backward()
    return x.grad


# --- the call


@raises(RuntimeError, "Square", "called before", "make another")
def test_an_instance_called_twice():
    square = Square()
    square(leaf(1.0))
    square(leaf(2.0))


@raises(TypeError, "Square", "argument 0", "DoubleTensor")
def test_a_tensor_as_argument():
    Square()(vector(1.0))


@raises(TypeError, "Mistaken", "argument 1", "float")
def test_a_number_as_argument():
    function(lambda self, x, factor: x * factor)()(leaf(1.0), 2.0)


@raises(TypeError, "Square", "argument 0", "list")
def test_a_list_of_variables_as_argument():
    Square()([leaf(1.0)])


@raises(TypeError, "forward", "argument")
def test_too_many_arguments():
    Square()(leaf(1.0), leaf(2.0))


@raises(AttributeError, "backward", "tuple")
def test_the_tuple_of_a_call_used_as_a_variable():
    Square()(leaf(1.0)).backward()


@gives(4.0)  # a call that failed before leaves the instance unused: d(x ** 2)/dx at 2
def test_an_instance_whose_first_call_failed():
    x, square = leaf(2.0), Square()
    with pytest.raises(TypeError):
        square(2.0)
    square(x)[0].backward()
    return x.grad


@pytest.mark.parametrize("creator", [5, True])
def test_a_number_as_creator(creator):
    with pytest.raises(TypeError, match=f"creator is a {type(creator).__name__}.* must be a Function"):
        Variable(vector(1.0), creator)


@pytest.mark.parametrize("data", [3.0, numpy.ones(2), None])
def test_data_that_is_no_tensor(data):
    x, y = leaf(1.0, 2.0), leaf(1.0, 2.0)
    x.data = data
    kind = f"a {type(data).__name__} as its `data`"
    for misuse, name, position in [
        (lambda: x * 2, "MulConstant", 0),
        (lambda: y * x, "Mul", 1),
        (lambda: torch.cat([y, y, x]), "Concat", 2),
        (lambda: function(lambda self, x: x)()(x), "Mistaken", 0),
    ]:
        with pytest.raises(TypeError, match=f"^{name}: argument {position} has {kind}"):
            misuse()


# --- state


@gives(4.0, 6.0)  # each instance keeps its own input: 2 x at 2 and at 3
def test_the_input_kept_on_self():
    class Kept(Function):
        def forward(self, x):
            self.input = x
            return x * x

        def backward(self, grad_output):
            return grad_output * self.input * 2

    x, y = leaf(2.0), leaf(3.0)
    (Kept()(x)[0] + Kept()(y)[0]).backward()
    return x.grad, y.grad


@gives(12.0)  # state of the class: the last forward saw 3, both backwards read 2 * 3
def test_the_input_kept_on_the_class():
    class Shared(Function):
        def forward(self, x):
            type(self).input = x
            return x * x

        def backward(self, grad_output):
            return grad_output * self.input * 2

    x = leaf(2.0)
    (Shared()(x)[0] + Shared()(x + 1)[0]).backward()
    return x.grad


@raises(AttributeError, "Mistaken", "factor")
def test_state_that_forward_did_not_set():
    function(backward=lambda self, grad_output: grad_output * self.factor)()(leaf(1.0))[0].backward()


@gives(8.0)  # two backwards through one graph: the factor grows from 3 to 5, and 3 + 5 is accumulated
def test_state_that_backward_changes():
    class Growing(Function):
        factor = 3

        def forward(self, x):
            return x * 1

        def backward(self, grad_output):
            factor, self.factor = self.factor, self.factor + 2
            return grad_output * factor

    x = leaf(2.0)
    (y,) = Growing()(x)
    y.backward()
    y.backward()
    return x.grad


@gives(6.0)  # a constructor that does not call the base's: d(3 x)/dx twice, once for each instance
def test_a_constructor_that_forgets_the_base():
    class Scaled(Function):
        def __init__(self, factor):
            self.factor = factor

        def forward(self, x):
            return x * self.factor

        def backward(self, grad_output):
            return grad_output * self.factor

    x = leaf(2.0)
    (Scaled(3)(x)[0] + Scaled(3)(x)[0]).backward()
    return x.grad


@gives(4.0)  # instances that count as false, or have slots, are Functions like others: 2 * 2
def test_an_instance_that_counts_as_false():
    class Empty(Function):
        __slots__ = ("anything",)

        def __len__(self):
            return 0

        def forward(self, x):
            return x * 2

        def backward(self, grad_output):
            return grad_output * 2

    x = leaf(1.0)
    Empty()(Empty()(x)[0])[0].backward()
    return x.grad


@gives(1.0)  # what forward writes to the record of the call is overwritten by the call
def test_the_record_of_the_call_set_inside_forward():
    def forward(self, x):
        self.previous_functions, self.requires_grad, self.needs_input_grad = "mine", False, (False,)
        self.output_ids = {}
        return x.clone()

    x = leaf(2.0)
    function(forward)()(x)[0].backward()
    return x.grad


@raises(RuntimeError, "output of Mistaken", "detach()")
def test_a_result_copied():
    copy.deepcopy(function()()(leaf(1.0))[0])


# --- exceptions


class Trouble(Exception):
    """What a user's Function raises."""


def trouble(self, *tensors):
    raise Trouble("in the user's Function")


@gives(4.0)  # forward raised: x is in no graph; d(x ** 2)/dx at 2
def test_an_exception_in_forward():
    x = leaf(2.0)
    with pytest.raises(Trouble):
        function(trouble)()(x)
    Square()(x)[0].backward()
    return x.grad


@gives(0.0, 0.0, 4.0, 3.0)  # backward raised before the leaves were reached; the next backward is whole
def test_an_exception_in_backward():
    x, y = leaf(2.0), leaf(3.0)
    (broken,) = function(backward=trouble)()(x * y)
    with pytest.raises(Trouble):
        broken.backward()
    before = x.grad.clone(), y.grad.clone()
    Square()(x)[0].backward()
    (y * 3).backward()
    return *before, x.grad, y.grad


@gives(4.0)  # a hook raised; without it the same graph gives 2 x
def test_an_exception_in_a_hook():
    x = leaf(2.0)
    (y,) = Square()(x)
    handle = y.register_hook(trouble)
    with pytest.raises(Trouble):
        y.backward()
    handle.remove()
    y.backward()
    return x.grad


@gives(12.0, 2.0)  # an exception inside a nested backward does not stop the outer one: 3 * 2 x = 12; inner: 2
def test_an_exception_in_a_nested_backward():
    inner = leaf(1.0)

    def backward(self, grad_output):
        with pytest.raises(Trouble):
            function(backward=trouble)()(inner)[0].backward()
        (inner * 2).backward()
        return grad_output * 3

    x = leaf(2.0)
    function(backward=backward)()(x * x)[0].backward()
    return x.grad, inner.grad


@gives(0.0, 4.0)  # an interrupted backward leaves nothing behind: d(4 x)/dx
def test_an_interrupted_backward():
    def interrupted(self, grad_output):
        raise KeyboardInterrupt

    x = leaf(1.0)
    (y,) = function(backward=interrupted)()(x)
    with pytest.raises(KeyboardInterrupt):
        (y * x).backward()
    before = x.grad.clone()
    (x * 4).backward()
    return before, x.grad


# --- saving


@raises(TypeError, "Mistaken", "save_for_backward", "argument 0", "list")
def test_a_list_saved():
    def forward(self, x):
        self.save_for_backward([x])
        return x * 2

    function(forward)()(leaf(1.0))


@raises(RuntimeError, "Mul", "freed")
def test_a_part_of_the_graph_freed_inside_backward():
    x = leaf(1.0)
    y = x * x

    def backward(self, grad_output):
        (y * 1).backward(retain_variables=False)
        return grad_output

    function(backward=backward)()(y)[0].backward()


@raises(RuntimeError, "Mul", "modified by an inplace operation")
def test_a_leaf_changed_inside_backward():
    x = leaf(1.0)

    def backward(self, grad_output):
        x.data.fill_(100)
        return grad_output * 1

    function(backward=backward)()(x * x)[0].backward()


@raises(TypeError, "Mistaken", "save_for_backward", "argument 1", "float")
def test_a_number_saved():
    def forward(self, x):
        self.save_for_backward(x, 2.0)
        return x * 2

    function(forward)()(leaf(1.0))


@raises(TypeError, "Mistaken", "save_for_backward", "argument 0", "Variable")
def test_a_variable_saved():
    def forward(self, x):
        self.save_for_backward(Variable(x))
        return x * 2

    function(forward)()(leaf(1.0))


@raises(ValueError, "unpack")
def test_fewer_tensors_saved_than_read():
    class Fewer(Square):
        def backward(self, grad_output):
            x, y = self.saved_tensors
            return grad_output * x * y

    Fewer()(leaf(2.0))[0].backward()


@gives(5.0)  # the second call of save_for_backward replaces the first: 5 is saved, not 2
def test_saved_twice():
    def forward(self, x):
        self.save_for_backward(x)
        self.save_for_backward(vector(5.0))
        return x * 5

    x = leaf(2.0)
    function(forward, lambda self, grad_output: grad_output * self.saved_tensors[0])()(x)[0].backward()
    return x.grad


@raises(RuntimeError, "Mistaken", "modified by an inplace operation", "version 1")
def test_what_was_saved_changed_in_forward():
    def forward(self, x):
        y = x.clone()
        self.save_for_backward(y)
        y.mul_(2)
        return y.clone()

    kind = function(forward, lambda self, grad_output: grad_output * self.saved_tensors[0])
    kind()(leaf(2.0))[0].backward()


@raises(RuntimeError, "Mistaken", "modified by an inplace operation", "version 1")
def test_what_was_saved_changed_in_backward():
    def backward(self, grad_output):
        self.saved_tensors[0].mul_(2)
        return grad_output * self.saved_tensors[0]

    def forward(self, x):
        y = x.exp()
        self.save_for_backward(y)
        return y

    function(forward, backward)()(leaf(2.0))[0].backward()


@gives(1.0)  # nothing was saved, so there is nothing: an empty tuple
def test_nothing_saved():
    x = leaf(2.0)
    kind = function(backward=lambda self, grad_output: grad_output * (1 + len(self.saved_tensors)))
    kind()(x)[0].backward()
    return x.grad


# --- non-differentiable outputs


@raises(RuntimeError, "backward", "does not require a gradient")
def test_backward_from_what_is_marked():
    def forward(self, x):
        y = x.floor()
        self.mark_non_differentiable(y)
        return y

    function(forward)()(leaf(1.5))[0].backward()


@gives(1.0)  # what is marked but not returned changes nothing
def test_a_tensor_marked_that_is_no_output():
    def forward(self, x):
        self.mark_non_differentiable(x.floor())
        return x.clone()

    x = leaf(1.5)
    function(forward)()(x)[0].backward()
    return x.grad


@gives(2.0)  # the positions require no gradient, the values do: d(2 y)/dx
def test_one_of_two_outputs_marked():
    def forward(self, x):
        positions = torch.LongTensor([0])
        self.mark_non_differentiable(positions)
        return x.clone(), positions

    x = leaf(1.5)
    y, positions = function(forward, lambda self, g, h: g)()(x)
    assert not positions.requires_grad
    (y * 2).backward()
    return x.grad


@raises(TypeError, "Mistaken", "mark_non_differentiable", "list", fixed=True)
def test_a_list_marked():
    function(lambda self, x: self.mark_non_differentiable([x]) or x.clone())()(leaf(1.0))


@raises(TypeError, "Mistaken", "mark_non_differentiable", "str", fixed=True)
def test_a_name_marked():
    function(lambda self, x: self.mark_non_differentiable("x") or x.clone())()(leaf(1.0))


# --- Variables and backward inside


@gives(4.0)  # forward computed through Variables of its own, whose graph is not this one; backward says 2 x
def test_variables_inside_forward():
    def forward(self, x):
        self.save_for_backward(x)
        return (Variable(x) * Variable(x)).data

    x = leaf(2.0)
    function(forward, Square.backward)()(x)[0].backward()
    return x.grad


@gives(12.0)  # the derivative by a backward of its own graph: 3 x ** 2 at 2
def test_backward_inside_backward():
    def forward(self, x):
        self.save_for_backward(x)
        return x**3

    def backward(self, grad_output):
        x = Variable(self.saved_tensors[0].clone())
        (x * x * x).backward(grad_output)
        return x.grad

    x = leaf(2.0)
    function(forward, backward)()(x)[0].backward()
    return x.grad


@gives(3.0)  # a backward of the same root inside, twice: three walks, of which each adds 1
def test_backward_inside_backward_of_the_same_root():
    walks = []

    def backward(self, grad_output):
        walks.append(self)
        if len(walks) < 3:
            y.backward()
        return grad_output

    x = leaf(1.0)
    (y,) = function(backward=backward)()(x)
    y.backward()
    return x.grad


@gives(5.0)  # the outer gradient 4 and the inner one, 1, of a backward of the same leaf inside
def test_backward_inside_backward_to_the_same_leaf():
    x = leaf(2.0)

    def backward(self, grad_output):
        (x * 1).backward()
        return grad_output * 4

    function(lambda self, x: x * 4, backward)()(x)[0].backward()
    return x.grad


@gives(10.0)  # the gradient 1, squared by another Function inside of backward, times 10
def test_a_function_called_inside_backward():
    def backward(self, grad_output):
        (one,) = Square()(Variable(grad_output))
        return one.data * 10

    x = leaf(2.0)
    function(lambda self, x: x * 10, backward)()(x)[0].backward()
    return x.grad


# --- names and hooks


@gives(4.0)  # attributes named like those of other libraries or like plain words are the user's own
def test_attributes_with_everyday_names():
    class Named(Square):
        def forward(self, x):
            self.name = self.inputs = self.outputs = self.data = self.grad = self.versions = self.size = "mine"
            return super().forward(x)

        def backward(self, grad_output):
            assert self.name == self.inputs == self.data == self.size == "mine"
            return super().backward(grad_output)

    x = leaf(2.0)
    Named()(x)[0].backward()
    return x.grad


@gives(4.0, 1.0)  # a hook inside forward, on the Function itself: called once, and changes nothing
def test_a_hook_registered_inside_forward():
    calls = []

    class Hooked(Square):
        def forward(self, x):
            self.register_hook("count", lambda grad_input, grad_output: calls.append(grad_output))
            return super().forward(x)

    x = leaf(2.0)
    Hooked()(x)[0].backward()
    return x.grad, vector(float(len(calls)))


@raises(ValueError, "Square", "'name'", "already")
def test_two_hooks_of_one_name():
    (y,) = Square()(leaf(2.0))
    y.register_hook("name", print)
    y.register_hook("name", print)


@raises(KeyError, "Square", "'other'", "'name'")
def test_a_hook_removed_by_another_name():
    (y,) = Square()(leaf(2.0))
    y.register_hook("name", print)
    y.remove_hook("other")


@raises(RuntimeError, "register_hook", "requires no gradient")
def test_a_hook_on_a_constant():
    leaf(2.0).detach().register_hook(print)


@raises(RuntimeError, "Square", "size (2,)", "has the size (1,)")
def test_a_hook_that_returns_another_size():
    (y,) = Square()(leaf(2.0))
    y.register_hook(lambda grad: vector(1.0, 1.0))
    y.backward()


@raises(TypeError, "Square", "float")
def test_a_hook_that_returns_a_number():
    (y,) = Square()(leaf(2.0))
    y.register_hook(lambda grad: 1.0)
    y.backward()


@raises(RuntimeError, "hook of Square", "gradient tensors: 2", "1 inputs")
def test_a_hook_of_a_function_that_returns_too_many():
    (y,) = Square()(leaf(2.0))
    y.creator.register_hook(lambda grad_input, grad_output: (*grad_input, *grad_input))
    y.backward()


@gives(8.0, 4.0)  # a hook that removes itself runs once: 2 * 4, then 4
def test_a_hook_that_removes_itself():
    x = leaf(2.0)
    (y,) = Square()(x)

    def once(gradient):
        handle.remove()
        return gradient * 2

    handle = y.register_hook(once)
    y.backward()
    first = x.grad.clone()
    y.backward()
    return first, x.grad - first


# --- double backward


class Kept(Function):
    """x ** 2, whose input is kept on self."""

    def forward(self, x):
        self.input = x
        return x * x

    def backward(self, grad_output):
        return grad_output * self.wrapped() * 2

    def wrapped(self):
        return self.input


@raises(RuntimeError, "Kept.backward", "torch.DoubleTensor beside a Variable", "save_for_backward")
def test_double_backward_of_what_was_kept_on_self():
    x = leaf(2.0)
    grad([Kept()(x)[0]], [x], create_graph=True)


@raises(RuntimeError, "grad", "not used")  # the new Variable is another leaf: what is behind it does not lead to x
def test_double_backward_of_what_was_kept_and_wrapped():
    class Wrapped(Kept):
        def wrapped(self):
            return Variable(self.input)

    x = leaf(2.0)
    (by_x,) = grad([Wrapped()(x)[0]], [x], create_graph=True)
    grad([by_x], [x])


@gives(2.0)  # the second derivative of x ** 2, through the user's own backward
def test_double_backward_of_what_was_saved():
    x = leaf(2.0)
    (by_x,) = grad([Square()(x)[0]], [x], create_graph=True)
    return grad([by_x], [x])


# --- static Functions


def scale(*others):
    """Return x * factor in the style of 0.2.0, whose backward returns `others` behind the gradient of x."""

    class Scale(Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, grad_output):
            return (grad_output * ctx.factor, *others)

    return Scale


@raises(RuntimeError, "ScaleBackward", "1, for 2 arguments", "None")
def test_no_none_for_a_constant_of_apply():
    scale().apply(leaf(1.0), 3.0).backward()


@raises(RuntimeError, "ScaleBackward", "argument 1", "was not a Variable")
def test_a_gradient_for_a_constant_of_apply():
    scale(vector(1.0)).apply(leaf(1.0), 3.0).backward()


@raises(NotImplementedError, "Half", "backward")
def test_a_static_function_without_backward():
    class Half(Function):
        @staticmethod
        def forward(ctx, x):
            return x / 2

    Half.apply(leaf(1.0)).backward()


@raises(TypeError, "forward")
def test_static_methods_called_on_an_instance_of_the_old_kind():
    class Static(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    Static()(leaf(1.0))


@gives(math.exp(1.0), 1.0)  # an Exp of numpy: the result in memory of its own, the gradient g * e ** x
def test_numpy_inside():
    def forward(self, x):
        y = Tensor(numpy.exp(x.numpy()))
        self.save_for_backward(y)
        return y

    x = leaf(1.0)
    function(forward, lambda self, grad_output: grad_output * self.saved_tensors[0])()(x)[0].backward()
    return x.grad, x
