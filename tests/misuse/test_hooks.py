"""Hooks that return, remove, register or raise what they should not."""

import pytest
import torch as modern

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor import DoubleTensor

from .misuse import gives, leaf, raises


def row(*values):
    """Return a Variable of one row."""
    return leaf(*values).view(1, len(values))


# --- what a hook returns


@raises(RuntimeError, "MulConstant", "size (1,)", "has the size (2,)")
def test_hook_returns_a_gradient_of_another_size():
    y = leaf(2.0, 3.0) * 2
    y.register_hook(lambda grad: DoubleTensor([1.0]))
    y.backward(DoubleTensor([1.0, 1.0]))


@raises(TypeError, "MulConstant", "Tensor", "float")
def test_hook_returns_a_number():
    y = leaf(2.0) * 2
    y.register_hook(lambda grad: 3.0)
    y.backward()


@raises(RuntimeError, "a hook on an output of Leaf returned", "size (1,)", "has the size (2,)", fixed=True)
def test_hook_of_a_leaf_returns_another_size():
    x = leaf(2.0, 3.0)
    x.register_hook(lambda grad: DoubleTensor([1.0]))
    (x * 2).sum().backward()


@gives(6.0, fixed=True)  # the numbers of the Variable count: 3 * 2; `grad` stays a Tensor, as without create_graph
def test_hook_of_a_leaf_returns_a_variable():
    x = leaf(2.0)
    x.register_hook(lambda grad: Variable(grad) * 3)
    (x * 2).backward()
    assert isinstance(x.grad, DoubleTensor)
    return x.grad


@raises(TypeError, "DoubleTensor", "FloatTensor")
def test_hook_of_a_leaf_returns_another_type():
    x = leaf(2.0)
    x.register_hook(lambda grad: grad.float())
    (x * 2).backward()


@gives(2.0)  # the hooks of 2016 only look: 2 stays 2
def test_named_hook_returns_a_gradient():
    x = leaf(2.0)
    y = x * 2
    y.register_hook("louder", lambda grad_input, grad_output: (grad_input[0] * 100,))
    y.backward()
    return x.grad


@raises(RuntimeError, "hook", "Mul", "gradient tensors: 1", "2 inputs")
def test_hook_of_a_function_returns_one_gradient_of_two():
    x = leaf(2.0)
    y = x * x
    y.creator.register_hook(lambda grad_input, grad_output: (grad_input[0],))
    y.backward()


@gives(0.0)  # None is "no gradient": nothing is added to zero
def test_hook_of_a_function_returns_none_in_a_tuple():
    x = leaf(2.0)
    y = x * 2
    y.creator.register_hook(lambda grad_input, grad_output: (None,))
    y.backward()
    return x.grad


@raises(RuntimeError, "pre-hook", "returned a int", "output 0", "size (1,)", fixed=True)
def test_pre_hook_of_a_function_returns_a_number():
    y = leaf(2.0) * 2
    y.creator.register_prehook(lambda grad_output: 4)
    y.backward()


@raises(RuntimeError, "pre-hook", "0 gradients", "1 outputs")
def test_pre_hook_of_a_function_returns_nothing_in_a_tuple():
    y = leaf(2.0) * 2
    y.creator.register_prehook(lambda grad_output: ())
    y.backward()


@gives(2.0)  # what the hook returns is ignored, as in torch
def test_hook_after_the_accumulation_returns_a_gradient():
    x = leaf(2.0)
    x.register_post_accumulate_grad_hook(lambda variable: variable.grad * 100)
    (x * 2).backward()
    return x.grad


@gives(0.0)  # 2 is added and made zero, then 3 is added and made zero
def test_hook_after_the_accumulation_writes_to_the_gradient():
    x = leaf(2.0)
    x.register_post_accumulate_grad_hook(lambda variable: variable.grad.zero_())
    (x * 2).backward()
    (x * 3).backward()
    return x.grad


@raises(RuntimeError, "full backward hook", "Linear", "2 gradients", "1 inputs")
def test_full_backward_hook_of_a_module_returns_too_many():
    linear = nn.Linear(2, 1)
    linear.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0], grad_input[0]))
    linear(row(1.0, 1.0)).backward()


@raises(RuntimeError, "full backward hook", "Linear", "input 0", "float", fixed=True)
def test_full_backward_hook_of_a_module_returns_a_number():
    linear = nn.Linear(2, 1)
    linear.register_full_backward_hook(lambda module, grad_input, grad_output: 3.0)
    linear(row(1.0, 1.0)).backward()


@raises(
    RuntimeError,
    "full backward hook",
    "Linear",
    "input 0",
    "gradient of size (1, 1)",
    "input of size (1, 2)",
    fixed=True,
)
def test_full_backward_hook_of_a_module_returns_another_size():
    linear = nn.Linear(2, 1)
    linear.register_full_backward_hook(lambda module, grad_input, grad_output: grad_output)
    linear(row(1.0, 1.0)).backward()


class _Dictionary(nn.Module):
    def forward(self, x):
        return {"doubled": x * 2}


@gives(2.0, 0, fixed=True)  # torch warns too, and does not call the hook; here it was shown None
def test_full_backward_hook_of_a_module_that_returns_a_dictionary():
    module, calls = _Dictionary(), []
    module.register_full_backward_hook(lambda module, grad_input, grad_output: calls.append(grad_output))
    x = leaf(1.0)
    with pytest.warns(UserWarning, match="_Dictionary: full backward hooks .* dict"):
        module(x)["doubled"].backward()
    return x.grad, len(calls)


class _PastItsOutput(nn.Module):
    def forward(self, x):
        self.aside = x * 2
        return x * 3


@gives(2.0, 0, fixed=True)  # as in torch, which calls no hook for a gradient that did not come through the output
def test_loss_computed_past_the_output_of_a_module_with_a_full_backward_hook():
    module, calls = _PastItsOutput(), []
    module.register_full_backward_hook(lambda module, grad_input, grad_output: calls.append(grad_output))
    x = leaf(1.0)
    module(x)
    module.aside.backward()
    return x.grad, len(calls)


@raises(TypeError, "Linear", "argument 0", "float", "Variables")
def test_forward_hook_returns_a_number_to_the_next_layer():
    first = nn.Linear(1, 1)
    first.register_forward_hook(lambda module, input, output: 3.0)
    nn.Sequential(first, nn.Linear(1, 1))(row(1.0))


@raises(TypeError, "forward()", "2 positional arguments", "3 were given")
def test_forward_pre_hook_returns_two_inputs_for_one():
    linear = nn.Linear(1, 1)
    linear.register_forward_pre_hook(lambda module, input: (input[0], input[0]))
    linear(row(1.0))


# --- what is registered, where and when


@raises(TypeError, "register_hook", "function", "int", fixed=True)
def test_hook_is_a_number():
    leaf(2.0).register_hook(5)


@raises(TypeError, "register_hook", "function", "str", fixed=True)
def test_name_without_a_hook():
    leaf(2.0).register_hook("a name")


@raises(ValueError, "MulConstant", "'seen'", "remove_hook")
def test_two_hooks_of_one_name():
    y = leaf(2.0) * 2
    y.register_hook("seen", lambda grad_input, grad_output: None)
    y.creator.register_hook("seen", lambda grad_input, grad_output: None)


@raises(RuntimeError, "register_hook", "requires no gradient")
def test_hook_on_a_leaf_without_gradient():
    Variable(DoubleTensor([1.0]), requires_grad=False).register_hook(lambda grad: grad)


@raises(RuntimeError, "register_post_accumulate_grad_hook", "leaves", "MulConstant", "register_hook")
def test_hook_after_the_accumulation_on_a_result():
    (leaf(2.0) * 2).register_post_accumulate_grad_hook(lambda variable: None)


@raises(ValueError, "Linear", "'seen'")
def test_two_hooks_of_one_name_on_a_module():
    linear = nn.Linear(1, 1)
    linear.register_forward_hook("seen", lambda module, input, output: None)
    linear.register_forward_hook("seen", lambda module, input, output: None)


@raises(TypeError, "Linear", "name", "string", "int")
def test_name_of_a_module_hook_is_a_number():
    nn.Linear(1, 1).register_forward_hook(3, lambda *arguments: None)


@gives(2.0)  # backward was over when the hook came
def test_hook_registered_after_backward():
    x = leaf(2.0)
    y = x * 2
    y.backward()
    y.register_hook(lambda grad: grad * 10)
    return x.grad


# Torch too runs the hooks that were there when the walk came to y: 2, then 2 + 2 * 10.
@gives(2.0, 22.0)
def test_hook_registers_another_on_the_same_variable():
    x = leaf(2.0)
    y = x * 2
    added = []
    y.register_hook(lambda grad: None if added else added.append(y.register_hook(lambda grad: grad * 10)))
    y.backward()
    first = x.grad.clone()
    y.backward()
    return first, x.grad


@gives(60.0)  # the walk has not come to y yet: 3 * 10 * 2
def test_hook_registers_another_further_back_in_the_graph():
    x = leaf(2.0)
    y = x * 2
    z = y * 3
    z.register_hook(lambda grad: y.register_hook(lambda grad: grad * 10) and None)
    z.backward()
    return x.grad


@gives(6.0)  # the walk is past z
def test_hook_registers_another_where_backward_was_already():
    x = leaf(2.0)
    y = x * 2
    z = y * 3
    y.register_hook(lambda grad: z.register_hook(lambda grad: grad * 10) and None)
    z.backward()
    return x.grad


@gives(42.0)  # the hook belongs to the Variable, not to its number: 2 * 7 * 3
def test_data_replaced_under_a_hook():
    x = leaf(2.0)
    x.register_hook(lambda grad: grad * 3)
    x.data = DoubleTensor([7.0])
    (x * x).backward()
    return x.grad


# --- removal


@raises(KeyError, "MulConstant", "'other'", "'seen'")
def test_removing_a_name_that_is_not_there():
    y = leaf(2.0) * 2
    y.register_hook("seen", lambda grad_input, grad_output: None)
    y.remove_hook("other")


@gives(6.0)  # only the hook of that handle went: 2 * 3
def test_handle_used_twice():
    x = leaf(2.0)
    handle = x.register_hook(lambda grad: grad * 5)
    x.register_hook(lambda grad: grad * 3)
    handle.remove()
    handle.remove()
    (x * 2).backward()
    return x.grad


@gives(26.0)  # (10 + 1) * 2, and without the first hook (1 + 1) * 2
def test_hook_removes_itself():
    x = leaf(2.0)
    y = x * 2

    def once(grad):
        handle.remove()
        return grad * 10

    handle = y.register_hook(once)
    y.register_hook(lambda grad: grad + 1)
    y.backward()
    y.backward()
    return x.grad


def _hook_that_removes_the_next(x, keep):
    y = x * 2
    handles = []
    y.register_hook(lambda grad: handles[0].remove())
    handles.append(y.register_hook(lambda grad: grad * 100))
    y.backward(**keep)
    y.backward()
    return x.grad


# In torch too the hooks that run are those of the moment when the walk comes to y: 2 * 100, then 2.
@gives(_hook_that_removes_the_next(modern.tensor([2.0], requires_grad=True), {"retain_graph": True}).item())
def test_hook_removes_the_next():
    return _hook_that_removes_the_next(leaf(2.0), {})


@gives(1, 4.0)  # the hook ran once; the second backward added its 2
def test_named_hook_removes_itself():
    x = leaf(2.0)
    y = x * 2
    calls = []

    def once(grad_input, grad_output):
        calls.append(grad_output)
        y.remove_hook("once")

    y.register_hook("once", once)
    y.backward()
    y.backward()
    return len(calls), x.grad


@gives(1)
def test_forward_hook_removes_itself():
    linear = nn.Linear(1, 1)
    calls = []

    def once(module, input, output):
        calls.append(output)
        handle.remove()

    handle = linear.register_forward_hook(once)
    linear(row(1.0))
    linear(row(1.0))
    return len(calls)


@gives(5.0)  # the Variable is gone and its handle has nothing to remove; another Variable is as ever
def test_handle_outlives_its_variable():
    x = leaf(2.0)
    handle = x.register_hook(lambda grad: grad)
    del x
    handle.remove()
    y = leaf(1.0)
    (y * 5).backward()
    return y.grad


@gives(2.0)  # the block is left by the exception, and the hook with it
def test_exception_in_the_block_of_a_handle():
    x = leaf(2.0)
    try:
        with x.register_hook(lambda grad: grad * 10):
            raise KeyError("in the block")
    except KeyError:
        pass
    (x * 2).backward()
    return x.grad


# --- exceptions


@gives(2.0)  # nothing came to x in the backward that ended, 2 in the next
def test_exception_in_a_hook_and_backward_again():
    x = leaf(2.0)
    y = x * 2
    handle = y.register_hook(lambda grad: 1 / 0)
    try:
        y.backward()
    except ZeroDivisionError:
        pass
    handle.remove()
    y.backward()
    return x.grad


@gives(4.0)  # the exception came after 2 was added: 2 + 2
def test_exception_after_the_accumulation():
    x = leaf(2.0)
    handle = x.register_post_accumulate_grad_hook(lambda variable: 1 / 0)
    try:
        (x * 2).backward()
    except ZeroDivisionError:
        pass
    handle.remove()
    (x * 2).backward()
    return x.grad


@gives(7.0)  # 2 * 3 + 1
def test_exception_in_a_forward_pre_hook_and_forward_again():
    linear = nn.Linear(1, 1)
    linear.weight.data.fill_(2)
    linear.bias.data.fill_(1)
    handle = linear.register_forward_pre_hook(lambda module, input: 1 / 0)
    try:
        linear(row(3.0))
    except ZeroDivisionError:
        pass
    handle.remove()
    return linear(row(3.0))


@gives(12.0)  # 2 of the backward outside, then 5 of each of the two inside
def test_hook_after_the_accumulation_runs_backward_on_the_same_leaf():
    x = leaf(2.0)
    counted = []

    def again(variable):
        counted.append(1)
        if len(counted) < 3:
            (variable * 5).backward()

    x.register_post_accumulate_grad_hook(again)
    (x * 2).backward()
    return x.grad


@gives(0, 1.0)  # the input requires no gradient, so that there is none of it to see; that of the output is 1
def test_full_backward_hook_without_a_gradient_of_the_input():
    seen = []
    linear = nn.Linear(2, 1)
    linear.register_full_backward_hook(lambda module, grad_input, grad_output: seen.append((grad_input, grad_output)))
    linear(Variable(torch.ones(1, 2), requires_grad=False)).backward()
    ((grad_input, (grad_output,)),) = seen
    return len(grad_input), grad_output
