"""autograd.functional beside modern torch's."""

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.autograd import Variable, functional, grad

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


RNG = numpy.random.default_rng(3)
A, B = RNG.standard_normal((2, 3)), RNG.standard_normal((3, 2))
VA, VB = RNG.standard_normal((2, 3)), RNG.standard_normal((3, 2))
U, S = RNG.standard_normal((2, 2)), RNG.standard_normal(1)


def two_by_two(x, y):
    return x.mm(y).tanh(), (x * x).sum()


def scalar(x, y):
    return (x.mm(y).tanh() * x.mm(y)).sum() + (x * x * x).sum()


def given(t, *arrays):
    return tuple([t.variable(array, requires_grad=False) for array in arrays])


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("strict", [False, True])
def test_all_of_them_with_several_inputs(create_graph, strict):
    def program(t):
        f, options = t.autograd.functional, {"create_graph": create_graph, "strict": strict}
        inputs = (t.variable(A), t.variable(B))
        v, u = given(t, VA, VB), given(t, U, S if not t.is_modern else S[0])
        results = {
            "vjp": f.vjp(lambda x, y: two_by_two(x, y), inputs, u, **options),
            "jvp": f.jvp(lambda x, y: (x.mm(y).tanh(), (x * x).sum() + (y * y * y).sum()), inputs, v, **options),
            "hessian": f.hessian(scalar, inputs, **options),
            "hvp": f.hvp(scalar, inputs, v, **options),
            "vhp": f.vhp(scalar, inputs, v, **options),
        }
        if not strict:
            results["jacobian"] = f.jacobian(two_by_two, inputs, **options)
        return results

    if strict:  # two_by_two's second output depends on one input only
        same(lambda t: [t.raised(lambda: t.autograd.functional.jacobian(two_by_two, given(t, A, B), strict=True))])
    same(program)


@pytest.mark.parametrize("version", sorted({**conventions.ERAS, **conventions.OTHERS}))
def test_the_derivatives_under_all_conventions(version, monkeypatch):
    """f = Σ x³: the gradient is 3 x², the Hessian 6 x on the diagonal."""
    monkeypatch.setattr(conventions, "era", conventions.column(version))
    x, v = variable(1.0, 2.0), torch.DoubleTensor([3.0, 5.0])
    assert functional.jacobian(lambda x: x**3, x).data.tolist() == [[3, 0], [0, 12]]
    assert functional.hessian(lambda x: (x**3).sum(), x).data.tolist() == [[6, 0], [0, 12]]
    assert functional.vjp(lambda x: x**3, x, v)[1].data.tolist() == [9, 60]
    assert functional.jvp(lambda x: x**3, x, v)[1].data.tolist() == [9, 60]
    assert functional.hvp(lambda x: (x**3).sum(), x, v)[1].data.tolist() == [18, 60]
    assert functional.vhp(lambda x: (x**3).sum(), x, v)[1].data.tolist() == [18, 60]
    assert x.grad is None or not x.grad.data.any()


def test_with_one_input():
    def program(t):
        f = t.autograd.functional
        x, v = t.variable(A), t.variable(VA, requires_grad=False)
        return [
            f.jacobian(lambda x: x.exp().t(), x),
            f.jacobian(lambda x: (x * x).sum(), x),
            f.jacobian(lambda x: (x.exp(), x[0]), x),
            f.hessian(lambda x: (x * x * x).sum(), x),
            f.vjp(lambda x: x * x, x, v),
            f.vjp(lambda x: (x * x).sum(), x),
            f.jvp(lambda x: x * x, x, v),
            f.jvp(lambda x: (x.exp(), x.sin()), (x,), (v,)),
            f.hvp(lambda x: (x * x * x).sum(), x, v),
            f.vhp(lambda x: (x * x * x).sum(), (x,), (v,)),
            f.jacobian(lambda x: x.exp(), x, vectorize=True),
        ]

    same(program)


def test_what_does_not_depend_is_zero():
    def program(t):
        f = t.autograd.functional
        x, y = t.variable([1.0, 2.0]), t.variable([3.0])
        constant = t.variable([5.0, 6.0], requires_grad=False)
        v = t.variable([1.0, -1.0], requires_grad=False)

        def raised(name, function, *arguments):
            return t.raised(lambda: getattr(f, name)(function, x, *arguments, strict=True))

        return [
            f.jacobian(lambda a, b: a * a, (x, y)),
            f.hessian(lambda a, b: (a * a).sum(), (x, y)),
            f.hessian(lambda a: a.sum(), x),
            f.jacobian(lambda a: constant, x),
            f.vjp(lambda a: constant, x, v),
            f.jvp(lambda a: constant, x, v),
            f.vhp(lambda a: a.sum(), x, v),
            f.hvp(lambda a: a.sum(), x, v),
            raised("jacobian", lambda a: constant),
            raised("vjp", lambda a: constant, v),
            raised("jvp", lambda a: constant, v),
            raised("hessian", lambda a: a.sum()),
        ]

    same(program)


def test_recorded_results_can_be_differentiated():
    def program(t):
        f = t.autograd.functional
        x = t.variable([0.5, -0.3])
        v = t.variable([1.0, 2.0])
        results = []
        for result in (
            f.jacobian(lambda a: (a * a).sin(), x, create_graph=True),
            f.hessian(lambda a: (a * a).sin().sum(), x, create_graph=True),
            f.vjp(lambda a: (a * a).sin(), x, v, create_graph=True)[1],
            f.jvp(lambda a: (a * a).sin(), x, v, create_graph=True)[1],
            f.vhp(lambda a: (a * a).sin().sum(), x, v, create_graph=True)[1],
            f.hvp(lambda a: (a * a).sin().sum(), x, v, create_graph=True)[1],
        ):
            results.append(t.autograd.grad((result * result).sum(), [x, v], allow_unused=True))
        return [[gradient for gradient in pair if gradient is not None] for pair in results]

    same(program)


def test_nothing_is_left_on_the_inputs():
    x = variable(1.0, 2.0)
    functional.hessian(lambda a: (a * a * a).sum(), x)
    assert x._grad is None and x.is_leaf and x.requires_grad
    frozen = variable(1.0, requires_grad=False)
    result = functional.jacobian(lambda a: a * a, frozen, create_graph=True)
    assert result.data.tolist() == [[2.0]]
    assert not frozen.requires_grad


def test_tensors_in_and_tensors_out():
    x = torch.DoubleTensor([1.0, 2.0])
    result = functional.jacobian(lambda a: a * a, x)
    assert isinstance(result, torch.DoubleTensor) and result.tolist() == [[2.0, 0.0], [0.0, 4.0]]
    outputs, product = functional.vjp(lambda a: a * a, x, torch.DoubleTensor([1.0, 1.0]))
    assert isinstance(outputs, torch.DoubleTensor) and product.tolist() == [2.0, 4.0]


def test_a_single_number_counts_as_a_scalar():
    x = variable(1.0, 2.0)
    assert functional.jacobian(lambda a: (a * a).sum(), x).tolist() == [2.0, 4.0]
    assert functional.hessian(lambda a: (a * a).sum(), x).tolist() == [[2.0, 0.0], [0.0, 2.0]]
    assert functional.hessian(lambda a: a * a * a, variable(2.0)).tolist() == [[12.0]]


ONE_INPUT = {
    "the same size": lambda x: x * x,
    "a sum": lambda x: (x * x).sum(),
    "a column": lambda x: (x * x).view(-1, 1),
    "no input": lambda x: x.detach() * 2,
    "two outputs": lambda x: (x * x * x, (x * x).view(1, -1)),
    "a tuple of one": lambda x: (x.exp(),),
}
TWO_INPUTS = {
    "a product": lambda x, y: x * y,
    "two outputs": lambda x, y: (x * y, y * y + x),
    "one input only": lambda x, y: (y * y).view(-1, 1),
}


@pytest.mark.parametrize("size", [(1,), (1, 1), (3,), (2, 1), (1, 3), (2, 1, 2)])
@pytest.mark.parametrize("in_tuple", [False, True])
def test_sizes_are_those_of_modern_torch(size, in_tuple):
    numbers, others = RNG.standard_normal(size), RNG.standard_normal(size)

    def program(t):
        f, results = t.autograd.functional, {}
        x, y, v, w = [t.variable(array) for array in (numbers, others, others, numbers)]
        one = (x,) if in_tuple else x
        for on, func in ONE_INPUT.items():
            # A sum of one element has no dimensions in torch; (1,) and (1,) cannot tell it from a single element.
            if (on, size) != ("a sum", (1,)):
                results[f"jacobian, {on}"] = f.jacobian(func, one)
            results[f"jvp, {on}"] = f.jvp(func, one, (v,) if in_tuple else v)
            made = func(x)
            if isinstance(made, tuple):
                results[f"vjp, {on}"] = f.vjp(func, one, made)
            elif made.requires_grad:
                results[f"vjp, {on}"] = f.vjp(func, one, made.detach())
        for on, func in TWO_INPUTS.items():
            results[f"jacobian of two, {on}"] = f.jacobian(func, (x, y))
            results[f"jvp of two, {on}"] = f.jvp(func, (x, y), (v, w))

        def cubes(*inputs):
            total = (inputs[0] * inputs[0] * inputs[-1]).sum()
            return total if len(inputs) == 1 else total + (inputs[0] * inputs[1] * inputs[1]).sum()

        for on, inputs, vectors in (("one", one, (v,) if in_tuple else v), ("two", (x, y), (v, w))):
            results[f"hessian of {on}"] = f.hessian(cubes, inputs)
            results[f"hvp of {on}"] = f.hvp(cubes, inputs, vectors)
            results[f"vhp of {on}"] = f.vhp(cubes, inputs, vectors)
        if size == (1,):
            results["no v"] = [f.vjp(cubes, one), f.jvp(cubes, one), f.hvp(cubes, one), f.vhp(cubes, one)]
            results["hessian without a sum"] = f.hessian(lambda x: x * x * x, one)
        return results

    same(program)


def test_a_network():
    """The Hessian of a network by its weights, in one call, is that of two loops over grad."""
    rng = numpy.random.default_rng(0)
    x, w, v = rng.standard_normal((4, 3)), rng.standard_normal((3, 2)), rng.standard_normal((2, 1))

    def program(t):
        data = t.variable(x, requires_grad=False)

        def loss(w, v):
            out = data.mm(w).tanh().mm(v).sigmoid()
            return (out * out).mean()

        return t.autograd.functional.hessian(loss, (t.variable(w), t.variable(v)))

    same(program)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda x: functional.vjp(lambda a: a, x), RuntimeError, "vjp: v is optional only for a single output"),
        (lambda x: functional.jvp(lambda a: a, x), RuntimeError, "jvp: v is optional only for a single input"),
        (lambda x: functional.vhp(lambda a: a.sum(), x), RuntimeError, "vhp: v is optional"),
        (
            lambda x: functional.vjp(lambda a: a, x, variable(1.0)),
            RuntimeError,
            r"v has the sizes \(1,\), and the outputs \(2,\)",
        ),
        (lambda x: functional.hessian(lambda a: a, x), RuntimeError, r"single Variable with one element, got \(2,\)"),
        (lambda x: functional.hessian(lambda a: (a.sum(),), x), RuntimeError, "hessian: func must return a single"),
        (
            lambda x: functional.jacobian(lambda a: 3, x),
            TypeError,
            "result of func: output.* must be a Variable, got int",
        ),
        (
            lambda x: functional.jacobian(lambda a: a, (x, 3)),
            TypeError,
            r"jacobian: inputs\[1\] must be a Variable, got int",
        ),
        (
            lambda x: functional.jacobian(lambda a: a, x, strategy="forward-mode"),
            NotImplementedError,
            "forward mode is not supported",
        ),
        (lambda x: functional.jacobian(lambda a: a.detach(), x, strict=True), RuntimeError, "output 0 does not depend"),
    ],
)
def test_messages(call, error, message):
    with pytest.raises(error, match=message):
        call(variable(1.0, 2.0))


def test_ours_equals_grad():
    x = variable(0.3, 0.4)
    y = (x * x).exp().sum()
    (first,) = grad(y, x, create_graph=True)
    rows = [grad(first[i], x)[0].tolist() for i in range(2)]
    assert numpy.allclose(functional.hessian(lambda a: (a * a).exp().sum(), x).numpy(), rows)
