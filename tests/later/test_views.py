"""Views whose memory is changed in place: the gradients of modern torch, or a refusal where it refuses."""

import gc
import math
import weakref

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, grad, gradgradcheck, no_grad
from legacy_autograd.autograd.later.views import Viewers

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


VIEWS = {
    "view": lambda y: y.view(3, 2),
    "narrow": lambda y: y.narrow(1, 1, 2),
    "transpose": lambda y: y.transpose(0, 1),
    "t": lambda y: y.t(),
    "permute": lambda y: y.permute(1, 0),
    "select": lambda y: y.select(1, 2),
    "index": lambda y: y[1, ::2],
    "one element": lambda y: y[0].view(3)[1:2],
    "squeeze": lambda y: y[0:1].squeeze(0),
    "unsqueeze": lambda y: y.unsqueeze(1),
    "unfold": lambda y: y.unfold(1, 1, 2),
    "a chain": lambda y: y.t()[1:].unsqueeze(0)[0, :, 1],
}
CHANGES = {
    "the view": lambda y, v: v.mul_(5),
    "the base": lambda y, v: y.mul_(5),
    "both": lambda y, v: (v.mul_(5), y.add_(1).mul_(2), v.sin_()),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("view", VIEWS)
def test_every_entrance_knows_of_the_change(view, change):
    def program(t):
        def changed():
            x = t.variable([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
            y = x * 3
            v, beside = VIEWS[view](y), y[0:1]
            y.retain_grad()
            v.retain_grad()
            CHANGES[change](y, v)
            return x, y, v, beside

        found = []
        for choose in (lambda y, v, b: y, lambda y, v, b: v, lambda y, v, b: b, lambda y, v, b: b + y):
            x, y, v, beside = changed()
            _ = v.grad_fn  # torch moves what is retained when it is asked
            root = choose(y, v, beside)
            (root * root).sum().backward()
            found.append([x.grad, y.grad, v.grad, y, v, beside, y.is_leaf, v.is_leaf])
        x, y, v, beside = changed()
        t.autograd.backward([y, v], [y.detach() * 2, v.detach() + 1])
        found.append(x.grad)
        x, y, v, beside = changed()
        found.append(t.autograd.grad((v * v).sum() + beside.sum(), [x, y, v], allow_unused=True))
        x, y, v, beside = changed()
        (first,) = t.autograd.grad((y * y).sum() + (v * v * v).sum(), x, create_graph=True)
        return found, first, t.autograd.grad((first * first).sum(), x)

    same(program)


def test_second_derivatives():
    def f(x):
        y = x * x
        v, w = y[0:2], y.view(3, 1)
        v.mul_(x[1:])
        w.sin_()
        v[0] = y[2]
        return y * 1, v * 1, w * 1

    assert gradgradcheck(f, variable(0.5, -0.2, 0.7))


def test_a_number_of_a_vector_is_a_view_too():
    def program(t):
        x = t.variable([1.0, 2.0, 3.0])
        y, b = x * 3, t.variable([0.0, 0.0], requires_grad=False)
        y[1].mul_(5)
        y.select(0, 2).mul_(7)
        b[0].copy_(x[2])
        (y.sum() + b.sum()).backward()
        return x.grad, y, b

    same(program)


def test_a_base_that_required_no_gradient():
    def program(t):
        x, b = t.variable([1.0, 2.0, 3.0]), t.variable([[0.0] * 3] * 2, requires_grad=False)
        row, column = b[0], b[:, 1]
        row[0:2].copy_(x[1:])
        b[1] = x * x
        (b * b).sum().backward(retain_graph=True)
        (column * 2).sum().backward()
        return x.grad, b, [v.requires_grad for v in (b, row, column)], [v.is_leaf for v in (b, row, column)]

    same(program)


def test_a_base_that_is_gone():
    def program(t):
        x = t.variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        y = (x * 2).t()
        a, b = y[0:2], y[1:]
        del y
        a.mul_(x.t()[0:2])
        b.mul_(3)
        (a * a).sum().backward(retain_graph=True)
        (b * 2).sum().backward()
        return x.grad, a, b

    same(program)


def test_a_base_that_is_gone_and_saw_its_memory_in_another_order():
    class Turned(Function):
        def forward(self, x):
            return x.clone().t()

        def backward(self, g):
            return g.t()

    x = variable([1.0, 2.0], [3.0, 4.0])
    y = Turned()(x)[0]
    row, column = y[0], y[:, 0]  # (x00, x10), (x00, x01)
    del y
    row.mul_(5)
    (column * variable(1.0, 10.0, requires_grad=False)).sum().backward()
    assert column.data.tolist() == [5, 2] and x.grad.tolist() == [[5, 10], [0, 0]]


def test_changes_of_shape():
    def program(t):
        x = t.variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        y = x * 2
        row = y[0]
        y.t_()
        column = y[:, 1]
        row.mul_(x[1])
        y.unsqueeze_(0).mul_(3)
        column.unsqueeze_(0).mul_(x[0:1])
        (row * row).sum().backward(retain_graph=True)
        (y * y).sum().backward(retain_graph=True)
        column.sum().backward()
        return x.grad, y, row, column

    same(program)


def test_hooks_stay_with_the_numbers_before():
    def program(t):
        x, seen = t.variable([1.0, 2.0, 3.0]), []
        y = x * 3
        v = y[0:2]
        y.register_hook(lambda g: seen.append(("y before", g * 1)))
        v.mul_(5)
        v.register_hook(lambda g: seen.append(("v after", g * 1)))
        y.register_hook(lambda g: seen.append(("y after", g * 1)))
        (y.sum() + v.sum() * 2).backward()
        return sorted(seen, key=lambda entry: entry[0])

    same(program)


def test_gradients_that_torch_forgets():
    x = variable(1.0, 2.0, 3.0)
    y, seen = x * 3, []
    v = y[0:2]
    v.register_hook(lambda g: seen.append(g.tolist()))
    v.mul_(5)
    y.sum().backward()
    assert seen == [[5, 5]]  # torch: []
    y = x * 3
    v = y[0:2]
    w = v[0:1]
    with no_grad():
        y.mul_(2)
    assert grad(w.sum(), v)[0].tolist() == [1, 0]  # torch: v was not used


def test_a_result_that_the_change_of_a_view_saved_is_not_that_view():
    x = variable(2.0)
    y = x * 1
    y.view(1, 1).sigmoid_()
    (g,) = grad((y * y).sum(), x, create_graph=True)  # 2 y s (1 - s), with the saved s
    s = 1 / (1 + math.exp(-2))
    assert grad(g.sum(), y)[0].tolist() == pytest.approx([2 * s * (1 - s)])  # torch: + 2 y (1 - 2 s), since y is s
    second = grad(grad((y * y).sum(), x, create_graph=True)[0].sum(), x)[0]  # d/dx of 2 s^2 (1 - s): the same in both
    assert second.tolist() == pytest.approx([(4 * s - 6 * s**2) * s * (1 - s)])


def test_operands_are_read_before_the_write():
    x = variable(1.0, 2.0, 3.0)
    y = x * 3
    y[0:2].add_(y[1:3])
    assert y.data.tolist() == [9, 15, 9]
    y.mul_(y)  # 9 (x0 + x1)^2, 9 (x1 + x2)^2, 9 x2^2
    y.sum().backward()
    assert x.grad.tolist() == [54, 144, 144]


# --- what cannot have a new history


def test_refusals_are_torchs():
    def program(t):
        def attempt(make, change):
            x = t.variable([1.0, 2.0, 3.0])
            y = x * 3
            v = make(t, x, y)
            first = t.raised(change, x, y, v)
            return first, t.raised(lambda: v * 2), t.raised(lambda: (y * 2).sum().backward())

        def unrecorded(t, x, y):
            with t.torch.no_grad():
                return y[0:2].view(2, 1)

        def in_no_grad(x, y, v):
            with t.torch.no_grad():
                y.mul_(2)

        return [
            attempt(make, change)
            for make in (lambda t, x, y: y.split(2)[0], lambda t, x, y: y.chunk(2)[0].view(2, 1), unrecorded)
            for change in (
                lambda x, y, v: v.mul_(2),
                lambda x, y, v: v.mul_(x[0]),
                lambda x, y, v: y.mul_(2),
                lambda x, y, v: y[0:1].mul_(2),
                lambda x, y, v: y.detach().mul_(2),
                in_no_grad,
            )
        ]

    found = same(program)
    assert found[0] == ("RuntimeError", None, None) and found[2] == (None, "RuntimeError", None)


class Identity(Function):
    def forward(self, x):
        return x

    def backward(self, g):
        return g


class Beginning(Function):
    def forward(self, x):
        return x[0:2]

    def backward(self, g):
        return torch.cat([g, g.new(1).zero_()])


class Own(Function):
    def forward(self, x):
        return x.clone().view(3, 1)

    def backward(self, g):
        return g.contiguous().view(3)


class Two(Function):
    def forward(self, x):
        result = x.clone()
        return result, result.view(3, 1)

    def backward(self, g, h):
        return g + h.contiguous().view(3)


@pytest.mark.parametrize("make", [Identity, Beginning])
def test_a_function_that_returns_memory_of_its_input(make):
    function = make.__name__
    x = variable(1.0, 2.0, 3.0)
    y = make()(x)[0]
    with pytest.raises(RuntimeError, match="mul_: a view of a leaf Variable that requires grad"):
        y.mul_(3)
    assert x.data.tolist() == [1, 2, 3]
    h = x * 3
    y = make()(h)[0]
    z = y * 2
    with pytest.raises(RuntimeError, match=f"mul_: this Variable shares its memory with an input of {function}"):
        y.mul_(3)
    h.mul_(3)
    with pytest.raises(RuntimeError, match=f"shares its memory with an input of {function}.* was changed"):
        y.sum()
    (z.sum() + h.sum()).backward()
    assert x.grad.tolist() == [15, 15, 9 if make is Beginning else 15]


def test_a_function_over_memory_of_its_own():
    x = variable(1.0, 2.0, 3.0)
    y = Own()(x)[0]
    v = y[0:2]
    y.mul_(3)
    v.mul_(2)
    y.sum().backward()
    assert x.grad.tolist() == [6, 6, 3]
    a, b = Two()(x)
    with pytest.raises(RuntimeError, match="mul_: this Variable is a view that is one of several outputs of Two"):
        b.mul_(3)
    a.mul_(3)
    with pytest.raises(RuntimeError, match="one of several outputs of Two, and its memory was changed in place since"):
        b.sum()
    a.sum().backward()
    assert x.grad.tolist() == [9, 9, 6]


def test_a_static_function_that_returns_its_input():
    def program(t):
        class Static(t.autograd.Function):
            @staticmethod
            def forward(ctx, x, dirty):
                if dirty:
                    ctx.mark_dirty(x)
                    x.mul_(2)
                return x

            @staticmethod
            def backward(ctx, g):
                return g * 2, None

        x = t.variable([1.0, 2.0, 3.0])
        y = x * 3
        v = y[0:2]
        Static.apply(v, True)
        (y + 0).sum().backward(retain_graph=True)
        Static.apply(y, True).mul_(5)
        (v * v).sum().backward()
        return y, v, x.grad, t.raised(lambda: Static.apply(y, False).mul_(2)), t.raised(Static.apply, x, True)

    same(program)


def test_elements_that_share_a_place():
    y = variable(1.0, 2.0, 3.0) * 2
    for view in (y.expand(2, 3), y.unfold(0, 2, 1)):
        with pytest.raises(RuntimeError, match="mul_: several elements of this Variable share one place in memory"):
            view.mul_(2)
    y.unfold(0, 1, 2).mul_(2)
    assert y.data.tolist() == [4, 4, 12]


def test_a_volatile_operand_makes_all_volatile():
    x = variable(1.0, 2.0)
    y = x * 2
    v, w = y[0:1], y[1:]
    v.add_(variable(1.0, volatile=True))
    assert y.volatile and v.volatile and w.volatile and not (w * x).requires_grad


# --- what it costs


def test_dead_views_are_forgotten():
    gc.disable()
    try:
        w = variable(1.0, 2.0)
        alive = [w.view(2, 1) for _ in range(5)]
        for _ in range(1000):
            w.view(1, 2)
        assert len(w.data._viewers) <= 2 * (len(alive) + 1) + 2 * Viewers.limit
        gone = weakref.ref(alive[0].creator)
        del alive
        assert gone() is None
    finally:
        gc.enable()


def test_what_is_no_view_is_not_noted():
    x = variable(1.0, 2.0)
    with no_grad():
        y = x * 2
    for v in (x * 2, (x * x).sin_(), y, x.max(0)[0]):
        assert not hasattr(v.data, "_viewers") and not v.creator._viewed
