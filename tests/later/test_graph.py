"""Hooks on saved tensors."""

import gc
import os
import threading

import numpy
import pytest
from legacy_autograd.autograd.graph import (
    Node,
    disable_saved_tensors_hooks,
    save_on_cpu,
    save_on_disk,
    saved_tensors_hooks,
)  # fmt: skip

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, callbacks, grad

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


def test_pack_and_unpack():
    def program(t):
        x, w = t.variable([1.0, 2.0]), t.variable([3.0, 4.0])
        packed, unpacked = [], []

        def pack(tensor):
            packed.append(tensor.data.clone())
            return {"numbers": tensor.data * 4}

        def unpack(box):
            unpacked.append(sorted(box))
            return box["numbers"] / 4

        with t.autograd.graph.saved_tensors_hooks(pack, unpack):
            y = (x * w).exp()
        z = (y * x).sum()  # outside
        z.backward(retain_graph=True)
        z.backward()
        packed.sort(key=lambda tensor: float(tensor.sum()))  # torch begins with the last
        return packed, len(unpacked), x.grad, w.grad

    same(program)


def test_the_innermost_hooks_count():
    def program(t):
        hooks, seen = t.autograd.graph.saved_tensors_hooks, []
        x = t.variable([2.0])

        def named(name):
            return hooks(lambda tensor: seen.append(name) or tensor.data.clone(), lambda tensor: tensor)

        with named("outer"):
            a = x.exp()
            with named("inner"):
                b = a.exp()
            c = b.exp()
        d = c.exp()
        d.backward()
        return seen, x.grad

    same(program)


def test_only_what_is_recorded_is_packed():
    def program(t):
        x, constant, seen = t.variable([2.0]), t.variable([3.0], requires_grad=False), []
        with t.autograd.graph.saved_tensors_hooks(lambda tensor: seen.append(tensor) or tensor, lambda tensor: tensor):
            constant.exp()
            with t.torch.no_grad():
                x.exp()
            x + x
            x.exp()
        return seen

    same(program)


def test_differentiable_to_any_order():
    def program(t):
        x = t.variable([0.3, -0.5])
        to_list = t.autograd.graph.saved_tensors_hooks(
            lambda tensor: tensor.tolist(), lambda numbers: t.tensor(numbers)
        )
        with to_list:
            y = (x.sin() * x).exp()
            (first,) = t.autograd.grad(y.sum(), x, create_graph=True)
            (second,) = t.autograd.grad(first.sum(), x, create_graph=True)
        return y, first, second, t.autograd.grad(second.sum(), x)

    same(program)


def test_hooks_and_static_functions_and_in_place():
    def program(t):
        class Exp(t.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                result = x.exp()
                ctx.save_for_backward(result, None)
                return result

            @staticmethod
            def backward(ctx, g):
                result, nothing = ctx.saved_tensors
                return g * result if nothing is None else None

        x = t.variable([0.3, -0.5])
        with t.autograd.graph.saved_tensors_hooks(lambda tensor: tensor.data.clone(), lambda tensor: tensor):
            y = Exp.apply(x)
            y.mul_(x)
        y.sum().backward()
        return x.grad

    same(program)


def test_errors():
    def program(t):
        hooks = t.autograd.graph.saved_tensors_hooks
        x = t.variable([1.0, 2.0])

        def run(pack, unpack):
            with hooks(pack, unpack):
                y = x.exp()
            y.sum().backward()

        def forbidden():
            with t.autograd.graph.disable_saved_tensors_hooks("not here"), hooks(lambda a: a, lambda a: a):
                pass

        return [
            t.raised(run, lambda tensor: tensor.mul_(2), lambda tensor: tensor),
            t.raised(run, lambda tensor: tensor, lambda tensor: 3),
            t.raised(forbidden),
        ]

    assert same(program) == ["RuntimeError", "TypeError", "RuntimeError"]


@pytest.mark.parametrize(
    "pack, unpack, error, message",
    [
        (
            lambda a: a,
            lambda a: a[0:1],
            RuntimeError,
            r"Exp: unpack_hook must return a torch.Double.* of size \(2,\), got",
        ),
        (lambda a: a, lambda a: a.float(), RuntimeError, r"got a torch.FloatTensor of size \(2,\)"),
        (lambda a: a, lambda a: None, TypeError, "Exp: unpack_hook must return a torch.DoubleTensor .* got NoneType"),
        (lambda a: a.zero_(), lambda a: a, RuntimeError, "pack_hook must not change its tensor in place"),
        (3, lambda a: a, TypeError, "saved_tensors_hooks needs two functions, got int"),
    ],
)
def test_messages(pack, unpack, error, message):
    x = variable(1.0, 2.0)
    with pytest.raises(error, match=message):
        with saved_tensors_hooks(pack, unpack):
            y = x.exp()
        y.sum().backward()


def test_an_exception_while_packing_leaves_no_hooks():
    def fails(tensor):
        raise OSError("disk full")

    x = variable(1.0)
    with pytest.raises(OSError, match="disk full"), saved_tensors_hooks(fails, fails):
        x.exp()
    assert callbacks.around_call.callbacks == ()
    x.exp().backward()
    assert x.grad.tolist() == [pytest.approx(numpy.e)]


def test_what_a_hook_computes_is_not_packed():
    calls = []

    def pack(tensor):
        calls.append(1)
        return (Variable(tensor) * 2).data

    x = variable(1.0)
    with saved_tensors_hooks(pack, lambda tensor: tensor / 2):
        x.exp().backward()
    assert calls == [1]


def test_hooks_are_of_one_thread():
    x, seen = variable(1.0), []
    with saved_tensors_hooks(lambda tensor: seen.append(1) or tensor, lambda tensor: tensor):
        thread = threading.Thread(target=lambda: x.exp().backward())
        thread.start()
        thread.join(60)
        assert not seen and x.grad.tolist() == [pytest.approx(numpy.e)]
        x.exp()
    assert seen == [1]


def test_disable():
    with saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
        with pytest.raises(RuntimeError, match="within saved_tensors_hooks: why"):
            disable_saved_tensors_hooks("why").__enter__()
    with disable_saved_tensors_hooks("why"):
        with pytest.raises(RuntimeError, match="^why$"):
            save_on_cpu().__enter__()
    with save_on_cpu():
        pass


# --- on disk


def test_self_deleting_files(tmp_path):
    gc.disable()
    try:
        x = Variable(torch.DoubleTensor(numpy.arange(12.0).reshape(3, 4).T / 10))  # not contiguous
        with save_on_disk(tmp_path):
            y = (x * x).exp()
        expected = (2 * x.data * (x.data * x.data).exp()).tolist()
        names = os.listdir(tmp_path)
        assert len(names) == 3 and y.creator._saved == ()
        y.sum().backward()
        y.sum().backward()  # the files are still there
        numpy.testing.assert_allclose(x.grad.numpy(), 2 * numpy.array(expected))
        (first,) = grad(y.sum(), x, create_graph=True)
        assert sorted(os.listdir(tmp_path)) == sorted(names)
        del y, first
        assert os.listdir(tmp_path) == []
    finally:
        gc.enable()


def test_files_go_when_backward_frees(tmp_path):
    x = variable(1.0)
    with save_on_disk(tmp_path):
        y = x.exp()
    y.backward(retain_graph=False)
    assert os.listdir(tmp_path) == []
    with pytest.raises(RuntimeError, match="Exp: the saved tensors were freed"):
        y.backward()


def test_save_on_cpu_keeps_copies():
    """In torch a tensor that is on the CPU already is not copied, and the gradient here is 0."""
    x = variable(1.0, 2.0)
    with save_on_cpu():
        y = x.exp()
    y.detach().zero_()
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx([numpy.e, numpy.e**2])


# --- one tensor of one Function


def test_register_hooks_on_one_saved_tensor():
    def program(t):
        x, w, seen = t.variable([2.0, 3.0]), t.variable([5.0, 7.0]), []
        y = x * w
        y.grad_fn._raw_saved_self.register_hooks(lambda tensor: tensor.tolist(), lambda numbers: t.tensor(numbers))
        y.grad_fn._raw_saved_other.register_hooks(
            lambda tensor: seen.append(tensor) or tensor.data.clone(), lambda tensor: tensor * 10
        )
        z = y.exp() * 1e-9
        z.grad_fn.next_functions[0][0]._raw_saved_result.register_hooks(
            lambda tensor: 1, lambda _: t.tensor([1.0, 1.0])
        )
        z.sum().backward(retain_graph=True)
        return [
            seen,
            x.grad,
            w.grad,
            y.grad_fn._saved_self,
            y.grad_fn._saved_other,
            t.raised(lambda: y.grad_fn._raw_saved_self.register_hooks(lambda a: a, lambda a: a)),
        ]

    same(program)


def test_raw_saved_tensors_of_a_function():
    def program(t):
        class Three(t.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x, x * 2)
                return x * 3

            @staticmethod
            def backward(ctx, g):
                x, double = ctx.saved_tensors
                return g * double

        x = t.variable([2.0])
        y = Three.apply(x)
        y.grad_fn._raw_saved_tensors[1].register_hooks(lambda tensor: tensor.tolist(), lambda a: t.tensor(a) * 100)
        y.backward()
        return len(y.grad_fn._raw_saved_tensors) if not t.is_modern else 2, x.grad

    same(program)


def test_refusals_of_single_hooks():
    x = variable(1.0, 2.0)
    y = x.exp()
    with pytest.raises(AttributeError, match="Exp saved no self"):
        y.creator._raw_saved_self.register_hooks(lambda a: a, lambda a: a)
    raw = y.creator._raw_saved_result
    y.sum().backward(retain_graph=False)
    with pytest.raises(RuntimeError, match="Exp: register_hooks on a saved tensor that was freed"):
        raw.register_hooks(lambda a: a, lambda a: a)
    y = x * x
    y.creator._raw_saved_self.register_hooks(lambda a: a.clone(), lambda a: a)
    x.data.fill_(3)
    with pytest.raises(RuntimeError, match="Mul: one of the variables .* is at version 1; expected version 0"):
        y.sum().backward()
    assert Node is Function


def test_an_old_function_keeps_what_it_keeps():
    class Old(Function):
        def forward(self, x):
            self.x = x
            return x.mul(x)

        def backward(self, g):
            return g.mul(self.x).mul(2)

    x, seen = variable(3.0), []
    with saved_tensors_hooks(lambda tensor: seen.append(tensor) or tensor, lambda tensor: tensor):
        Old()(x)[0].backward()
    assert not seen and x.grad.tolist() == [6.0]


def test_one_object_entered_twice():
    x, seen = variable(1.0), []
    hooks = saved_tensors_hooks(lambda tensor: seen.append(1) or tensor, lambda tensor: tensor)
    with hooks:
        with hooks:
            x.exp()
        x.exp()
    x.exp()
    assert seen == [1, 1]


def test_a_hook_that_uses_hooks():
    x, seen = variable(1.0), []

    def pack(tensor):
        with save_on_cpu():
            seen.append((Variable(tensor) * 2).data.tolist())
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        x.exp()
        x.exp()
    assert len(seen) == 2 and callbacks.around_call.callbacks == ()


def test_the_operands_of_a_square_have_a_position_each_whatever_listens():
    x = variable(3.0)
    plain = x * x
    with torch.autograd.set_detect_anomaly(True):
        watched = x * x
    for y in (plain, watched):
        assert y.grad_fn._saved_self is x.data and y.grad_fn._saved_other is x.data
