"""autograd.grad and autograd.backward, beside modern torch's."""

import gc
import weakref

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import ExecutionEngine, Function, Variable, backward, grad
from legacy_autograd.autograd.functions.blas import Mm

from .both import Modern, Ours, same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


# --- grad


def test_grad_of_leaves_and_of_intermediate_results():
    def program(t):
        x, w = t.variable([1.0, 2.0, 3.0]), t.variable([0.5, -1.0, 2.0])
        h = x * w
        k = h.exp() + h
        y = (k * x).sum()
        found = t.autograd.grad(y, [x, w, h, k, y], retain_graph=True)
        return found, w.grad is None or float(w.grad.data.abs().sum()) == 0

    same(program)


def test_grad_outputs_and_several_outputs():
    def program(t):
        x, w = t.variable([1.0, 2.0]), t.variable([3.0, -1.0])
        a, b = x * w, (x * x).sum()
        return [
            t.autograd.grad(a, x, t.tensor([2.0, 5.0]), retain_graph=True),
            t.autograd.grad(a, [x, w], [t.tensor([2.0, 5.0])], retain_graph=True),
            t.autograd.grad([a, b], [w, x], [t.tensor([1.0, -1.0]), None], retain_graph=True),
            t.autograd.grad((a, a, b), (x,), (t.tensor([1.0, 1.0]), t.tensor([0.5, 0.0]), None), retain_graph=True),
        ]

    same(program)


def test_an_output_may_be_an_input():
    def program(t):
        x = t.variable([1.0, 2.0])
        y = x * 3
        return [
            t.autograd.grad(x, x, t.tensor([4.0, 5.0])),
            t.autograd.grad([x, y], [x, y], [t.tensor([4.0, 5.0]), t.tensor([1.0, 1.0])], retain_graph=True),
            t.autograd.grad(y, [y, y], t.tensor([1.0, 2.0]), retain_graph=True),
        ]

    same(program)


def test_an_input_behind_another_input():
    def program(t):
        x = t.variable([1.0, 2.0])
        a = x * x
        b = a.exp()
        y = (b * a * x).sum()
        return t.autograd.grad(y, [b, a, x])

    same(program)


def test_unused_inputs():
    def program(t):
        x, z = t.variable([1.0, 2.0]), t.variable([[1.0]])
        y = (x * x).sum()
        grad = t.autograd.grad
        return [
            grad(y, [x, z], allow_unused=True, retain_graph=True)[1] is None,
            grad(y, [x, z], allow_unused=True, materialize_grads=True, retain_graph=True),
            grad(y, [x, z], materialize_grads=True, create_graph=True)[1],
            t.raised(lambda: grad(y, [x, z], retain_graph=True)),
            t.raised(lambda: grad(y, z, allow_unused=False, retain_graph=True)),
            t.raised(lambda: grad(y, z, allow_unused=False, materialize_grads=True)),
        ]

    same(program)


def test_batched_gradients():
    def program(t):
        x, z = t.variable([1.0, 2.0]), t.variable([1.0])
        y = x * x
        starts = t.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 3.0]])
        first = t.autograd.grad(y, [x, z], starts, is_grads_batched=True, retain_graph=True, allow_unused=True)
        (recorded,) = t.autograd.grad(y, x, starts, is_grads_batched=True, create_graph=True)
        return [first[0], first[1] is None, recorded, t.autograd.grad(recorded.sum(), x)]

    same(program)


def test_errors_of_grad():
    def program(t):
        grad = t.autograd.grad
        x = t.variable([1.0, 2.0])
        y = (x * x).sum()
        h = x * 2
        constant = t.variable([1.0, 2.0], requires_grad=False)
        return [
            t.raised(call)
            for call in (
                lambda: grad(y, constant),
                lambda: grad(constant.sum(), x),
                lambda: grad(h, x),
                lambda: grad(h, x, t.tensor([1.0, 2.0, 3.0])),
                lambda: grad(y, []),
                lambda: grad(3, x),
                lambda: grad(y, 3),
                lambda: grad([y, h], x, [None]),
                lambda: grad([y, h], x),
            )
        ]

    errors = same(program)
    assert errors == ["RuntimeError"] * 5 + ["TypeError"] * 2 + ["RuntimeError"] * 2


@pytest.mark.parametrize(
    "call, error, message",
    [
        (
            lambda x, y: grad(y, variable(1.0)),
            RuntimeError,
            r"grad: input 0, of size \(1,\), was not used .*allow_unused",
        ),
        (lambda x, y: grad(y, []), RuntimeError, "grad: inputs is empty"),
        (lambda x, y: grad(y, x.data), TypeError, "inputs must be a Variable or a sequence of them, got DoubleTensor"),
        (lambda x, y: grad(y, [x, 3]), TypeError, r"grad: inputs\[1\] must be a Variable, got int"),
        (
            lambda x, y: grad(y, variable(1.0, requires_grad=False)),
            RuntimeError,
            r"inputs\[0\] does not require",
        ),
        (lambda x, y: grad(x * 2, x), RuntimeError, r"optional only for a scalar .*Variable 0 has the size \(2,\)"),
        (
            lambda x, y: grad(x * 2, x, torch.DoubleTensor([1.0])),
            RuntimeError,
            r"^grad: got a gradient of the size \(1,\); that output of MulConstant has the size \(2,\)$",
        ),
        (
            lambda x, y: grad(x * 2, x, torch.FloatTensor([1.0, 1.0])),
            TypeError,
            "DoubleTensor cannot be a torch.Float",
        ),
        (
            lambda x, y: grad(x * 2, x, [3]),
            TypeError,
            "^grad: got a int, not a Tensor, as gradient of an output of MulConstant$",
        ),
        (lambda x, y: grad(y, x, only_inputs=False), ValueError, "only_inputs=False"),
        (lambda x, y: backward(y, 3), TypeError, "backward: expected .* as starting gradients, got int"),
        (lambda x, y: backward([y, y], [None]), RuntimeError, "got 1 starting gradients for 2 Variables"),
        (lambda x, y: backward(y, inputs=[]), RuntimeError, "backward: inputs is empty"),
        (lambda x, y: backward(y, None, grad_tensors=None, grad_variables=[None]), TypeError, "multiple values"),
        (lambda x, y: y.backward(retain_grph=True), TypeError, "retain_grph"),
    ],
)
def test_messages(call, error, message):
    x = variable(1.0, 2.0)
    y = (x * x).sum()
    with pytest.raises(error, match=message):
        call(x, y)


def test_gradients_are_nobody_elses_memory():
    x, w = variable(1.0, 2.0), variable(3.0, 4.0)
    start = torch.DoubleTensor([1.0, 1.0])
    a, b = grad(x + w, [x, w], start)
    a.fill_(7)
    assert b.tolist() == start.tolist() == [1.0, 1.0]


def test_only_what_leads_to_the_inputs_is_run():
    ran = []

    class Named(Function):
        def __init__(self, name):
            self.name = name

        def forward(self, a):
            return a.clone()

        def backward(self, gradient):
            ran.append(self.name)
            return gradient

    x, w = variable(1.0), variable(2.0)
    h = Named("h")(x)[0]
    y = Named("above h")(h)[0] + Named("beside")(Named("to w")(w)[0])[0]
    grad(y, h)
    assert ran == ["above h"]
    ran.clear()
    grad(y, [h, x])
    assert sorted(ran) == ["above h", "h"]
    ran.clear()
    y.backward(inputs=[w])
    assert sorted(ran) == ["beside", "to w"]
    assert x._grad is None and w.grad.tolist() == [1.0]


def test_gradients_that_nobody_asked_for_are_not_even_added(monkeypatch):
    added = []
    plain_add = ExecutionEngine._add
    monkeypatch.setattr(ExecutionEngine, "_add", lambda self, *rest: added.append(rest[1]) or plain_add(self, *rest))
    x, w = variable(1.0), variable(2.0)
    h = x
    for _ in range(5):
        h = h * w
    grad(h, x)
    assert w.creator not in added and x.creator in added


@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_that_nobody_asked_for_are_not_computed(monkeypatch, create_graph):
    computed = []
    plain_backward = Mm.backward

    def noted(self, grad_output):
        grads = plain_backward(self, grad_output)
        computed.append([gradient is not None for gradient in grads])
        return grads

    monkeypatch.setattr(Mm, "backward", noted)
    x, w = variable([1.0, 2.0]), variable([3.0], [4.0])
    y = x.mm(w)
    (gradient,) = grad(y, x, create_graph=create_graph)
    assert computed == [[True, False]]
    assert gradient.data.tolist() == [[3.0, 4.0]]  # wᵀ
    assert y.creator.needs_input_grad == (True, True)  # of another walk, perhaps in another thread
    y.backward()
    assert computed == [[True, False], [True, True]]
    assert w.grad.tolist() == [[1.0], [2.0]]
    y.register_hook("shown", lambda grad_input, grad_output: computed.append(grad_input))  # a hook sees all of them
    grad(y, x)
    assert computed[-2] == [True, True] and computed[-1][1].tolist() == [[1.0], [2.0]]


def hooked(t):
    """Return the gradients of y = 2 x, asked for alone and with x, and then of z = 3 y, where a hook of y negates."""
    x = t.variable([1.0])
    y = x * 2
    y.register_hook(lambda grad: -grad)
    one = t.tensor([1.0])
    found = [t.autograd.grad([y], asked, [one], retain_graph=True) for asked in ([y], [y, x])]
    return [*found, t.autograd.grad([y * 3], [y, x], [one])]


def test_a_hook_of_what_is_asked_for_is_applied_wherever_the_walk_ends():
    # -1 for y, and the 2 of x negated; of z the 3.
    values = [[float(gradient.data[0]) for gradient in found] for found in hooked(Ours())]
    assert values == [[-1.0], [-1.0, -2.0], [-3.0, -6.0]]
    # torch takes the gradient before the hook where x is asked for as well.
    values = [[gradient.item() for gradient in found] for found in hooked(Modern())]
    assert values == [[-1.0], [1.0, -2.0], [3.0, -6.0]]


def test_retain_graph_false_frees_what_was_run():
    x, w = variable(1.0, 2.0), variable(3.0, 4.0)
    a, b = x * x, w * w
    y = (a + b).sum()
    grad(y, x, retain_graph=False)
    with pytest.raises(RuntimeError, match="Mul: the saved tensors were freed"):
        grad(y, x)
    assert grad(y, w)[0].tolist() == [6.0, 8.0]  # that part was not run before


def test_a_long_chain():
    x = variable(1.0)
    y = x
    for _ in range(20_000):
        y = y + x
    assert grad(y, x)[0].tolist() == [20_001.0]


# --- backward


def test_backward_of_several_roots():
    def program(t):
        x, w = t.variable([1.0, 2.0]), t.variable([3.0, 4.0])
        shared = x * w
        a, b = shared.sum(), (shared * shared).sum()
        t.autograd.backward([a, b, x], [None, None, t.tensor([10.0, 20.0])], retain_graph=True)
        first = (t.torch.autograd, x.grad.data.clone(), w.grad.data.clone())[1:]
        t.autograd.backward((a, b), retain_graph=True)
        a.backward(retain_graph=True)
        return first, x.grad, w.grad

    same(program)


def test_backward_with_inputs():
    def program(t):
        x, w = t.variable([1.0, 2.0]), t.variable([3.0, 4.0])
        h = x * w
        y = (h * h).sum()
        y.backward(inputs=[w], retain_graph=True)
        y.backward(inputs=[h, w], retain_graph=True)
        y.backward(inputs=h, retain_graph=True)
        return (
            w.grad,
            h.grad,
            x.grad is None if t.is_modern else x._grad is None,
            t.raised(lambda: y.backward(inputs=[])),
        )

    same(program)


def test_backward_arguments_of_every_year():
    x = variable(2.0)
    for named in ({"retain_variables": True}, {"retain_graph": True}, {"create_graph": True}, {"gradient": None}):
        x.grad = None
        (x * x).backward(**named)
        assert x.grad.data.tolist() == [4.0]
    y = x * x
    y.backward(retain_graph=False)
    with pytest.raises(RuntimeError, match="freed"):
        y.backward()
    y = x * x
    y.backward(None, False)
    with pytest.raises(RuntimeError, match="freed"):
        y.backward()


@pytest.mark.filterwarnings("ignore:Using backward")
def test_create_graph_makes_grad_a_variable():
    def program(t):
        x = t.variable([1.0, 2.0])
        y = (x * x * x).sum()
        y.backward(create_graph=True)
        first = x.grad
        y.backward(create_graph=True)
        second = x.grad
        results = [first, second, second.requires_grad, t.autograd.grad(second.sum(), x, retain_graph=True)]
        # An ordinary backward adds to the numbers, and leaves the history as it is.
        y.backward(retain_graph=True)
        results += [x.grad, x.grad.requires_grad, t.autograd.grad(x.grad.sum(), x)]
        return results

    same(program)


def test_a_tensor_in_grad_then_create_graph():
    def program(t):
        x = t.variable([1.0, 2.0])
        y = (x * x * x).sum()
        y.backward(retain_graph=True)
        y.backward(create_graph=True)
        return x.grad, x.grad.requires_grad, t.autograd.grad(x.grad.sum(), x)

    same(program)


def test_backward_of_nothing():
    assert backward([]) is None


@pytest.mark.parametrize("create_graph", [False, True])
def test_nothing_stays_behind(create_graph):
    gc.disable()
    try:
        x = variable(1.0, 2.0)
        y = (x * x).exp()
        found = grad([y.sum(), x], [x, y], [None, torch.DoubleTensor([1.0, 1.0])], create_graph=create_graph)
        backward([y.sum(), y.sum()], create_graph=create_graph)
        functions = [weakref.ref(y.creator), weakref.ref(x)]
        del x, y, found
        assert [reference() for reference in functions] == [None, None]
    finally:
        gc.enable()


def test_a_creator_named_by_hand():
    x = variable(1.0)
    y = x * 2
    stranger = Variable(torch.DoubleTensor([1.0]), creator=y.creator)
    for call in (
        lambda: grad(stranger, x),
        lambda: grad(y, stranger),
        lambda: stranger.output_nr,
        stranger.retain_grad,
    ):
        with pytest.raises(RuntimeError, match="this MulConstant is the creator of a Variable that it did not make"):
            call()
