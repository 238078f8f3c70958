"""Functions with static methods and a ctx: the same classes, run by this package and by modern torch."""

import gc
import weakref

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, grad, gradcheck, gradgradcheck
from legacy_autograd.autograd.function import once_differentiable

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


def test_the_exponential_of_the_documentation():
    def program(t):
        class Exp(t.autograd.Function):
            @staticmethod
            def forward(ctx, i):
                result = i.exp()
                ctx.save_for_backward(result)
                return result

            @staticmethod
            def backward(ctx, grad_output):
                (result,) = ctx.saved_tensors
                return grad_output * result

        x = t.variable([0.5, -1.0])
        y = Exp.apply(x)
        (y * y).sum().backward(retain_graph=True)
        (first,) = t.autograd.grad(y.sum(), x, create_graph=True)
        second = t.autograd.grad((first * first).sum(), x)
        checked = t.autograd.gradcheck(Exp.apply, (x,)), t.autograd.gradgradcheck(Exp.apply, (x,))
        return y, x.grad, first, second, checked, y.grad_fn.name(), type(y.grad_fn).__name__

    same(program)


def test_constants_pass_through():
    """A coefficient on the gradient, as the articles have it."""

    def program(t):
        class GradCoeff(t.autograd.Function):
            @staticmethod
            def forward(ctx, x, coeff, name="n"):
                ctx.coeff, ctx.name_of_it = coeff, name
                return x * 1

            @staticmethod
            def backward(ctx, grad_output):
                return ctx.coeff * grad_output, None, None

        x = t.variable([1.0, 2.0])
        GradCoeff.apply(x, 3).sum().backward()
        GradCoeff.apply(x, -1.5, "other").sum().backward()
        return x.grad

    same(program)


def test_needs_input_grad():
    def program(t):
        seen = []

        class F(t.autograd.Function):
            @staticmethod
            def forward(ctx, a, number, b, c):
                seen.append(tuple(ctx.needs_input_grad))
                return a * b + c

            @staticmethod
            def backward(ctx, g):
                seen.append(tuple(ctx.needs_input_grad))
                return g if ctx.needs_input_grad[0] else None, None, g, g

        a, b = t.variable([1.0]), t.variable([2.0], requires_grad=False)
        F.apply(a, 5, b, t.variable([3.0])).backward()
        with t.torch.no_grad():
            result = F.apply(a, 5, b, b)
        return seen, a.grad, result.requires_grad

    same(program)


def test_outputs_of_all_kinds():
    def program(t):
        received = []

        class F(t.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(False)
                return x * 2, x * 3, "text", 7

            @staticmethod
            def backward(ctx, first, second, *rest):
                received.append((first, second is None, rest))
                return first * 2

        x = t.variable([1.0, 2.0])
        first, second, text, number = F.apply(x)
        first.sum().backward()
        return received, text, number, second, second.output_nr, x.grad

    same(program)


def test_materialized_gradients():
    def program(t):
        received = []

        class F(t.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2, x * 3

            @staticmethod
            def backward(ctx, first, second):
                received.append((first, second))
                return first + second

        x = t.variable([1.0, 2.0])
        F.apply(x)[1].sum().backward()
        return received, x.grad

    same(program)


def test_non_differentiable_outputs():
    def program(t):
        class Sort(t.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ordered, index = x.sort(0)
                mask = x * 0 + 1
                ctx.mark_non_differentiable(index, mask)
                ctx.save_for_backward(index)
                return ordered, index, mask

            @staticmethod
            def backward(ctx, g, g_index, g_mask):
                (index,) = ctx.saved_tensors
                return g * 0 + g[index.sort(0)[1]]

        x = t.variable([3.0, 1.0, 2.0])
        ordered, index, mask = Sort.apply(x)
        (ordered * t.variable([1.0, 10.0, 100.0], requires_grad=False)).sum().backward()
        return ordered, index.requires_grad, mask.requires_grad, x.grad

    same(program)


def test_saving_none():
    def program(t):
        saved = []

        class F(t.autograd.Function):
            @staticmethod
            def forward(ctx, x, bias):
                ctx.save_for_backward(None, x, bias, None)
                return x * x

            @staticmethod
            def backward(ctx, g):
                nothing, x, bias, end = ctx.saved_tensors
                saved.append((nothing is None, bias is None, end is None))
                return 2 * g * x, None

        x = t.variable([3.0])
        F.apply(x, None).backward()
        (first,) = t.autograd.grad(F.apply(x, None), x, create_graph=True)
        return saved, x.grad, t.autograd.grad(first, x)

    same(program)


def test_setup_context():
    def program(t):
        class F(t.autograd.Function):
            @staticmethod
            def forward(x, k):
                return x * k, x * x

            @staticmethod
            def setup_context(ctx, inputs, output):
                x, ctx.k = inputs
                ctx.save_for_backward(x)
                ctx.count = len(output)

            @staticmethod
            def backward(ctx, a, b):
                (x,) = ctx.saved_tensors
                return a * ctx.k + 2 * b * x, None

        x = t.variable([1.0, 2.0])
        a, b = F.apply(x, 3)
        (a + b).sum().backward()
        return a, b, x.grad

    same(program)


def test_vjp_is_another_name_of_backward():
    def program(t):
        class F(t.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def vjp(ctx, g):
                return g * 2

        x = t.variable([1.0])
        F.apply(x).backward()
        return x.grad

    same(program)


def test_mark_dirty():
    def program(t):
        class AddOne(t.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                x.add_(1)
                return x

            @staticmethod
            def backward(ctx, g):
                return g * 5

        class Forgets(AddOne):
            @staticmethod
            def forward(ctx, x):
                ctx.mark_dirty(x)
                return x * 2

        leaf = t.variable([1.0, 2.0])
        x = leaf * 2
        y = AddOne.apply(x)
        (y * y).sum().backward()
        return [
            y is x,
            y,
            leaf.grad,
            t.raised(lambda: AddOne.apply(leaf)),
            t.raised(lambda: Forgets.apply(leaf * 2)),
        ]

    same(program)


def test_a_saved_dirty_input_is_the_output():
    class Exp(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            x.exp_()
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx, g):
            (result,) = ctx.saved_tensors
            return g * result

    x = variable(0.5, -0.3)
    assert gradcheck(lambda x: Exp.apply(x * 2), x)
    assert gradgradcheck(lambda x: Exp.apply(x * 2), x)


def test_an_input_that_is_returned():
    def program(t):
        class Same(t.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x

            @staticmethod
            def backward(ctx, g):
                return g * 5

        leaf = t.variable([1.0])
        x = leaf * 2
        y = Same.apply(x)
        (y + x).sum().backward()
        return y is x, leaf.grad, y.grad_fn.name()

    same(program)


def test_errors():
    def program(t):
        F = t.autograd.Function

        def function(forward=None, backward=None):
            members = {
                "forward": staticmethod(forward or (lambda ctx, x, *rest: x * 2)),
                "backward": staticmethod(backward or (lambda ctx, g: g)),
            }
            return type("G", (F,), members)

        class Old(F):
            def forward(self, x):
                return x

            def backward(self, g):
                return g

        class Bare(F):
            @staticmethod
            def forward(ctx, x):
                return x * 2

        x = t.variable([1.0, 2.0])

        def run(function, *arguments):
            return t.raised(lambda: function.apply(*arguments).sum().backward())

        return [
            run(function(), x, 3),
            run(function(backward=lambda ctx, g: (g, g)), x, 3),
            run(function(backward=lambda ctx, g: (g, None, None)), x, 3),
            run(function(backward=lambda ctx, g: (g, g)), x),
            run(function(backward=lambda ctx, g: (g, None)), x),
            run(function(backward=lambda ctx, g: 3), x),
            run(function(backward=lambda ctx, g: g[0:1]), x),
            run(function(forward=lambda ctx, x: ctx.save_for_backward(3)), x),
            run(Old, x),
            run(Bare, x),
            t.raised(lambda: function().apply(x, keyword=1)),
        ]

    errors = same(program)
    assert errors[0] == errors[1] == "RuntimeError" and errors[8] is None


@pytest.mark.parametrize(
    "members, error, message",
    [
        (
            {"backward": lambda ctx, g: (g, g)},
            RuntimeError,
            "gradient for argument 1, which was not a Variable",
        ),
        ({"backward": lambda ctx, g: g}, RuntimeError, "incorrect number of gradients: 1, for 2 arguments"),
        ({"backward": lambda ctx, g: ("g", None)}, RuntimeError, "returned a str as gradient of argument 0"),
        ({"forward": lambda ctx, x, k: ctx.save_for_backward([x])}, TypeError, "argument 0 is a list"),
    ],
)
def test_messages(members, error, message):
    static = {"forward": lambda ctx, x, k: x * k, "backward": lambda ctx, g: (g, None)}
    F = type("F", (Function,), {name: staticmethod(method) for name, method in {**static, **members}.items()})
    with pytest.raises(error, match=message):
        F.apply(variable(1.0, 2.0), 3).sum().backward()


def test_once_differentiable():
    def program(t):
        class F(t.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            @t.autograd.function.once_differentiable
            def backward(ctx, g):
                return g * ctx.saved_tensors[0] * 2

        x = t.variable([1.0, 2.0])
        (first,) = t.autograd.grad((F.apply(x) * x).sum(), x, create_graph=True)
        return first, t.raised(lambda: first.sum().backward())

    same(program)


def test_a_gradient_of_once_differentiable_depends_on_the_gradients_that_its_backward_received():
    class TwoOutputs(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 3, x * 5

        @staticmethod
        @once_differentiable
        def backward(ctx, first, second):
            assert first is None or second is None
            return first * 3 if second is None else second * 5

    x, start = variable(1.0, 2.0), variable(4.0, 5.0)
    for number, expected in ((0, [12, 15]), (1, [20, 25])):  # the start times 3, and times 5
        (gradient,) = grad(TwoOutputs.apply(x)[number], x, start, create_graph=True)
        assert gradient.data.tolist() == expected
        # Nothing else leads to `start`.
        with pytest.raises(RuntimeError, match="trying to differentiate twice TwoOutputs"):
            grad(gradient.sum(), start)


def test_what_ctx_holds_of_the_call_goes():
    class Keeps(Function):
        @staticmethod
        def forward(ctx, x, payload):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2, None

    class Payload:
        pass

    payload, x = Payload(), variable(1.0)
    gone = weakref.ref(payload)
    gc.disable()
    try:
        y = Keeps.apply(x, payload)
        del payload
        assert gone() is None
        node = weakref.ref(y.creator)
        del y
        assert node() is None
    finally:
        gc.enable()


def test_both_styles_stand_side_by_side():
    class Old(Function):
        def __init__(self, k):
            self.k = k

        def forward(self, x):
            return x.mul(self.k)

        def backward(self, g):
            return g.mul(self.k)

    class New(Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.k = k
            return x.mul(k)

        @staticmethod
        def backward(ctx, g):
            return g.mul(ctx.k), None

    x = variable(1.0, 2.0)
    assert isinstance(Old(3)(x), tuple) and isinstance(New.apply(x, 3), Variable)
    y = Old(3)(New.apply(x, 4))[0]
    assert grad(y.sum(), x)[0].tolist() == [12.0, 12.0]
    assert isinstance(y.grad_fn.next_functions[0][0], New)
