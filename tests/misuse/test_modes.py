"""Grad modes, volatile Variables, threads, checkpoint, saved-tensor hooks and anomaly mode against their rules."""

import threading

import numpy
import pytest
import torch as modern
from legacy_autograd.autograd.graph import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import (
    Function,
    Variable,
    detect_anomaly,
    enable_grad,
    grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
)
from legacy_autograd.tensor import DoubleTensor
from legacy_autograd.utils.checkpoint import checkpoint, checkpoint_sequential

from .misuse import gives, leaf, raises


def in_threads(*functions):
    """Run the functions in threads of their own, all at once, and wait for them."""
    threads = [threading.Thread(target=function) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# --- grad modes


@raises(RuntimeError, "backward", "does not require a gradient")
def test_backward_of_what_was_computed_under_no_grad():
    x = leaf(2.0)
    with no_grad():
        y = x * 2
    y.backward()


@gives(2.0)
def test_no_grad_left_by_an_exception():
    x = leaf(2.0)
    try:
        with no_grad():
            raise KeyError("within")
    except KeyError:
        pass
    (x * 2).backward()
    return x.grad


# y is recorded, d(x * x)/dx at 2 is 4; z = 5 y, outside of enable_grad again, requires no gradient
@gives(4.0, False)
def test_enable_grad_within_no_grad():
    x = leaf(2.0)
    with no_grad():
        with enable_grad():
            y = x * x
        z = y * 5
    y.backward()
    return x.grad, z.requires_grad


@gives(False, True)
def test_one_no_grad_entered_within_itself():
    x = leaf(2.0)
    mode = no_grad()
    with mode:
        with mode:
            pass
        inside = x * 2
    return inside.requires_grad, (x * 3).requires_grad


def _left_in_the_order_of_entering(package):
    first, second = package.no_grad(), package.enable_grad()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    between = package.is_grad_enabled()
    second.__exit__(None, None, None)
    after = package.is_grad_enabled()
    package.set_grad_enabled(True)
    return between, after


@gives(*_left_in_the_order_of_entering(modern))
def test_modes_left_in_the_order_of_entering():
    return _left_in_the_order_of_entering(torch)


@pytest.mark.parametrize("mode", [no_grad, inference_mode])
def test_mode_left_without_being_entered(mode):
    @raises(RuntimeError, mode.__name__, "without being entered", "with", fixed=True)  # was an IndexError
    def misuse():
        mode().__exit__(None, None, None)

    misuse()


@raises(TypeError, "set_grad_enabled", "True or False", "'no'", fixed=True)
def test_set_grad_enabled_of_a_word():
    set_grad_enabled("no")


@gives(False, True)  # the generator is suspended at its yield: its caller records
def test_no_grad_generator_suspended():
    x = leaf(2.0)

    @no_grad()
    def doubles():
        yield x * 2

    generator = doubles()
    inside = next(generator)
    return inside.requires_grad, (x * 3).requires_grad


@gives(4.0)  # backward does not depend on the mode that it is called in
def test_backward_called_under_no_grad():
    x = leaf(2.0)
    y = x * x
    with no_grad():
        y.backward()
    return x.grad


@raises(RuntimeError, "Mul", "inference_mode", "saved for backward", "clone()")
def test_inference_result_in_a_recorded_product():
    x = leaf(2.0)
    with inference_mode():
        y = x * 2
    y * x


@raises(RuntimeError, "mul_", "inference_mode", "clone")
def test_inference_result_changed_in_place_outside():
    with inference_mode():
        y = leaf(2.0) * 2
    y.mul_(3)


# --- volatile


@raises(RuntimeError, "backward", "does not require a gradient")
def test_one_volatile_operand():
    (leaf(2.0) * Variable(DoubleTensor([3.0]), volatile=True)).backward()


@raises(ValueError, "volatile", "cannot require a gradient")
def test_volatile_that_requires_a_gradient():
    Variable(DoubleTensor([3.0]), volatile=True, requires_grad=True)


@gives(False, True)
def test_enable_grad_around_a_volatile_operand():
    with enable_grad():
        y = leaf(2.0) * Variable(DoubleTensor([3.0]), volatile=True)
    return y.requires_grad, y.volatile


@raises(RuntimeError, "grad", "inputs[0]", "does not require a gradient")
def test_gradient_by_a_volatile_leaf():
    v = Variable(DoubleTensor([2.0]), volatile=True)
    grad(v * 2, v)


# --- threads


@gives(4.0)
def test_backward_in_another_thread_than_forward():
    x = leaf(2.0)
    y = x * x
    in_threads(y.backward)
    return x.grad


@gives(32.0)  # eight times 4
def test_eight_threads_run_backward_through_one_graph():
    x = leaf(2.0)
    y = x * x
    in_threads(*[y.backward] * 8)
    return x.grad


@gives(True)  # each thread has its own mode, as in torch
def test_no_grad_around_a_thread():
    x = leaf(2.0)
    found = []
    with no_grad():
        in_threads(lambda: found.append((x * 2).requires_grad))
    return found


@gives(True)
def test_mode_set_in_a_thread_and_left_so():
    in_threads(lambda: set_grad_enabled(False))
    return (leaf(2.0) * 2).requires_grad


@raises(RuntimeError, "Mul", "saved tensors were freed", "retain_variables=False")
def test_second_thread_comes_to_a_graph_that_the_first_has_freed():
    x = leaf(2.0)
    y = x * x
    in_threads(lambda: y.backward(retain_variables=False))
    y.backward()


# --- checkpoint


@raises(RuntimeError, "checkpoint", "modified by an inplace operation", "MulConstant", "version 1", fixed=True)
def test_checkpoint_changes_its_input_in_place():
    y = checkpoint(lambda h: h.mul_(2) * h, leaf(2.0) * 3)
    y.backward()


@raises(
    torch.utils.checkpoint.CheckpointError, "checkpoint", "modified by an inplace operation", "size (1,)", "version 1"
)
def test_input_of_a_checkpoint_changed_before_backward():
    h = leaf(2.0) * 3
    y = checkpoint(lambda h: h * h, h)
    h.data.fill_(9)
    y.backward()


@pytest.mark.filterwarnings("ignore:checkpoint")
@raises(RuntimeError, "backward", "does not require a gradient")
def test_reentrant_checkpoint_of_inputs_without_gradient():
    w = leaf(3.0)
    checkpoint(lambda h: h * w, Variable(DoubleTensor([2.0]), requires_grad=False), use_reentrant=True).backward()


@gives(2.0)  # without re-entrance the weight's gradient comes anyway: d(2 w)/dw
def test_checkpoint_of_inputs_without_gradient():
    w = leaf(3.0)
    checkpoint(lambda h: h * w, Variable(DoubleTensor([2.0]), requires_grad=False)).backward()
    return w.grad


@gives(5.0)
def test_checkpoint_with_a_number_and_none_among_its_arguments():
    x = leaf(2.0)
    checkpoint(lambda a, factor, nothing: a * factor if nothing is None else a, x, 5, None).backward()
    return x.grad


@raises(TypeError, "MulConstant", "DoubleTensor", "beside a Variable")
def test_checkpoint_with_a_tensor_for_a_variable():
    checkpoint(lambda a, b: a * b, leaf(2.0), DoubleTensor([5.0]))


@gives(24.0, 24.0)  # d(2 x³)/dx = 6 x² at 2
def test_checkpoint_within_a_checkpoint():
    gradients = []
    for reentrant in (False, True):
        x = leaf(2.0)

        def inner(a, reentrant=reentrant):
            return checkpoint(lambda b: b * b * b, a, use_reentrant=reentrant) * 2

        checkpoint(inner, x, use_reentrant=reentrant).backward()
        gradients.append(x.grad)
    return gradients


@gives(0.0)  # y = dropout(x) * x has the gradient 2 y at x = 1, if the same elements are dropped again
def test_checkpoint_of_dropout_with_numbers_drawn_before_backward():
    torch.manual_seed(1)
    x = Variable(torch.ones(50))
    dropout = nn.Dropout(0.5)
    y = checkpoint(lambda a: dropout(a) * a, x)
    torch.rand(5)
    y.sum().backward()
    return numpy.abs(x.grad.numpy() - 2 * y.data.numpy()).max()


@raises(torch.utils.checkpoint.CheckpointError, "2 tensors in its first run", "0 in its second")
def test_checkpoint_of_a_function_that_saves_less_the_second_time():
    calls = []
    checkpoint(lambda a: calls.append(a) or (a * a if len(calls) == 1 else a + a), leaf(2.0)).backward()


@raises(RuntimeError, "use_reentrant=True", "grad", "use_reentrant=False")
def test_grad_through_a_reentrant_checkpoint():
    x = leaf(2.0)
    grad(checkpoint(lambda a: a * a, x, use_reentrant=True), x)


@gives(4.0)  # nothing was added in the backward that ended
def test_checkpoint_whose_second_computation_raises_once():
    x = leaf(2.0)
    calls = []

    def part(a):
        calls.append(a)
        if len(calls) == 2:
            raise KeyError("second")
        return a * a

    y = checkpoint(part, x)
    try:
        y.backward()
    except KeyError:
        pass
    y.backward()
    return x.grad


@raises(RuntimeError, "register_hook", "requires no gradient")
def test_hook_registered_within_a_reentrant_checkpoint():  # its first computation is not recorded
    def part(a):
        squared = a * a
        squared.register_hook(lambda grad: grad * 10)
        return squared

    checkpoint(part, leaf(2.0), use_reentrant=True)


@raises(torch.utils.checkpoint.CheckpointError, "read in forward", "optimizer's step", "version 1")
def test_optimizer_steps_between_two_backwards_through_a_checkpoint():
    w = leaf(3.0)
    y = checkpoint(lambda a: a * w, leaf(2.0))
    y.backward()
    torch.optim.SGD([w], lr=0.1).step()
    y.backward()


@raises(ValueError, "checkpoint_sequential", "1 functions", "3 segments")
def test_more_segments_than_functions():
    checkpoint_sequential([nn.ReLU()], 3, leaf(2.0))


@raises(TypeError, "checkpoint", "function", "Variable")
def test_checkpoint_of_a_result():
    x = leaf(2.0)
    checkpoint(x * x, x)


# --- hooks on saved tensors


@raises(RuntimeError, "pack_hook", "must not change its tensor", "in place")
def test_pack_hook_changes_its_tensor():
    x = leaf(2.0)
    with saved_tensors_hooks(lambda tensor: tensor.mul_(2), lambda tensor: tensor):
        x * x


def _unpacked_ten_times_as_large(x, hooks):
    with hooks(lambda tensor: tensor, lambda tensor: tensor * 10):
        y = x * x
    y.backward()
    return x.grad


@gives(
    _unpacked_ten_times_as_large(
        modern.tensor([2.0], requires_grad=True), modern.autograd.graph.saved_tensors_hooks
    ).item()
)
def test_unpack_hook_returns_other_numbers():
    return _unpacked_ten_times_as_large(leaf(2.0), saved_tensors_hooks)


@raises(TypeError, "Mul", "unpack_hook", "DoubleTensor of size (1,)", "NoneType")
def test_unpack_hook_forgets_to_return():
    x = leaf(2.0)
    with saved_tensors_hooks(lambda tensor: tensor, lambda tensor: None):
        y = x * x
    y.backward()


@raises(RuntimeError, "Mul", "unpack_hook", "size (1,)", "size (2,)")
def test_unpack_hook_returns_another_size():
    x = leaf(2.0)
    with saved_tensors_hooks(lambda tensor: tensor, lambda tensor: DoubleTensor([1.0, 2.0])):
        y = x * x
    y.backward()


@raises(RuntimeError, "Mul", "unpack_hook", "DoubleTensor", "FloatTensor")
def test_hooks_that_keep_floats_and_do_not_convert_them_back():
    x = leaf(0.1)
    with saved_tensors_hooks(lambda tensor: tensor.float(), lambda tensor: tensor):
        y = x * x
    y.backward()


# torch gives 6 for 36: it checks nothing that went through hooks, also where they keep the tensor itself
@raises(RuntimeError, "Mul", "modified by an inplace operation", "version 1", fixed=True)
def test_hooks_that_keep_the_tensor_itself_which_is_then_changed():
    h = leaf(2.0) * 3
    with saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
        y = h * h
    h.data.fill_(1)
    y.backward()


@gives(36.0)  # d(3 x)²/dx = 18 x at 2: the copies kept the numbers of forward
def test_tensor_changed_that_was_copied_when_it_was_saved():
    x = leaf(2.0)
    h = x * 3
    with save_on_cpu():
        y = h * h
    h.data.fill_(1)
    y.backward()
    return x.grad


@raises(RuntimeError, "no hooks in this part")
def test_saved_tensor_hooks_where_they_are_disabled():
    with disable_saved_tensors_hooks("no hooks in this part"):
        with save_on_cpu():
            pass


@raises(RuntimeError, "Mul", "register_hooks", "hooks already")
def test_two_pairs_of_hooks_on_one_saved_tensor():
    x = leaf(2.0)
    saved = (x * x).creator._raw_saved_tensors[0]
    for _ in range(2):
        saved.register_hooks(lambda tensor: tensor, lambda tensor: tensor)


# --- anomaly mode


@pytest.mark.filterwarnings("ignore")  # that the mode is slow, and the traceback of forward
@raises(RuntimeError, "'DivBackward'", "nan", "1th output")
def test_anomaly_mode_finds_nan():
    x = leaf(0.0)
    with detect_anomaly():
        ((x * 0) / x).backward()


@pytest.mark.filterwarnings("ignore")
@gives(False)
def test_anomaly_mode_left_by_the_error_that_it_raised():
    try:
        with detect_anomaly():
            leaf(-1.0).sqrt().backward()
    except RuntimeError:
        pass
    return torch.is_anomaly_enabled()


class _Failing(Function):
    def forward(self, x):
        return x.clone()

    def backward(self, grad_output):
        raise ValueError("a backward of one's own")


@pytest.mark.filterwarnings("ignore")
@raises(ValueError, "a backward of one's own")  # the class is the program's; the traceback of forward is a warning
def test_anomaly_mode_around_a_backward_that_raises():
    with detect_anomaly():
        _Failing()(leaf(2.0))[0].backward()
