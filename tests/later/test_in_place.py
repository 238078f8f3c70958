"""In-place operations on Variables: numbers, gradients, and everything that is refused."""

import gc
import math
import weakref

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import conventions, nn
from legacy_autograd.autograd import Variable, callbacks, grad, gradcheck, gradgradcheck
from legacy_autograd.autograd.later.in_place import InplaceFunction, SetItem

from .both import same


def variable(*numbers, **named):
    return Variable(torch.DoubleTensor(list(numbers)), **named)


OPERATIONS = {
    "add_": lambda y, x: y.add_(x),
    "add_ a number": lambda y, x: y.add_(2.5),
    "add_ with alpha": lambda y, x: y.add_(x, alpha=-3),
    "sub_": lambda y, x: y.sub_(x),
    "mul_": lambda y, x: y.mul_(x),
    "mul_ by itself": lambda y, x: y.mul_(y),
    "div_": lambda y, x: y.div_(x),
    "pow_": lambda y, x: y.pow_(2),
    "exp_": lambda y, x: y.exp_(),
    "log_": lambda y, x: y.log_(),
    "sqrt_": lambda y, x: y.sqrt_(),
    "sigmoid_": lambda y, x: y.sigmoid_(),
    "tanh_": lambda y, x: y.tanh_(),
    "neg_": lambda y, x: y.neg_(),
    "clamp_": lambda y, x: y.clamp_(0.3, 1.0),
    "abs_": lambda y, x: y.abs_(),
    "zero_": lambda y, x: y.zero_(),
    "fill_": lambda y, x: y.fill_(3.0),
    "copy_": lambda y, x: y.copy_(x * x),
    "copy_ of one": lambda y, x: y.copy_(x[0:1] * 2),
    "cumsum_": lambda y, x: y.cumsum_(0),
    "addcmul_": lambda y, x: y.addcmul_(x, x),
    "masked_fill_": lambda y, x: y.masked_fill_(x > 1, 0.5),
    "unsqueeze_": lambda y, x: y.unsqueeze_(1),
    "several": lambda y, x: y.sin_().mul_(x).add_(1).tanh_(),
}


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "mul_ by itself"])  # torch refuses it
def test_numbers_and_gradients(name):
    operation = OPERATIONS[name]

    def program(t):
        x = t.variable([0.4, 1.3, 2.0])
        y = x * 0.7
        beside = y + 1  # does not need the numbers of y
        z = operation(y, x)
        (z * 3 + 1).sum().backward(retain_graph=True)
        beside.sum().backward()
        return z is y, y, x.grad

    same(program)


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "abs_"])
def test_second_derivatives(name):
    def f(x):
        y = x * 0.7
        return OPERATIONS[name](y, x) * 1, y + x

    x = variable(0.4, 1.3, 2.0)
    assert gradcheck(f, x)
    assert gradgradcheck(f, x)


def test_assignment_to_parts():
    def program(t):
        x = t.variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        y = x * 1
        y[0] = x[1] * x[1]
        y[1, 2] = 7.0
        y[:, 0] = x[0, 1]
        y[1:, 1:2] = t.tensor([[9.0]])
        mask = t.tensor([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
        y[mask > 0] = -1.0
        (y * y).sum().backward()
        return y, x.grad

    same(program)


def test_assignment_differentiates_twice():
    def f(x):
        y = x * 3
        y[0] = x[1] * x[1]
        y[1:] = x[0]
        return y * y

    assert gradcheck(f, variable(0.5, -0.3, 1.2)) and gradgradcheck(f, variable(0.5, -0.3, 1.2))


def test_random_numbers_have_no_gradient():
    def program(t):
        x = t.variable([1.0, 2.0])
        y = x * 2
        y.normal_()
        (y + x).sum().backward()
        return x.grad, y.requires_grad

    same(program)


def test_what_does_not_require_a_gradient_may_start_to():
    def program(t):
        buffer, x = t.variable([0.0, 0.0], requires_grad=False), t.variable([1.0, 2.0])
        states = [(buffer.requires_grad, buffer.is_leaf)]
        buffer.add_(1)
        states.append((buffer.requires_grad, buffer.is_leaf))
        buffer.add_(x * x)
        states.append((buffer.requires_grad, buffer.is_leaf))
        buffer.mul_(2).sum().backward()
        return states, x.grad

    same(program)


def test_a_buffer_that_needs_no_gradient_grows_no_graph():
    average = variable(0.0, requires_grad=False)
    leaf = average.creator
    for _ in range(5):
        average.mul_(0.9).add_(0.1)
    assert average.creator is leaf


@pytest.mark.filterwarnings("ignore:__array__ implementation")
def test_within_no_grad_nothing_is_recorded():
    def program(t):
        w = t.variable([1.0, 2.0])
        (w * w).sum().backward()
        with t.torch.no_grad():
            w.sub_(t.variable(w.grad.data * 0.1, requires_grad=False))
        states = w.requires_grad, w.is_leaf
        y = w * 3
        with t.torch.no_grad():
            y.zero_()
        y.sum().backward()
        return w, w.grad, states, y

    same(program)


# --- the count of writes


def test_versions_are_counted():
    def program(t):
        x = t.variable([1.0, 2.0])
        y = x * 2
        versions = [y._version]
        y.add_(1)
        versions.append(y._version)
        view = y[0:1]
        view_version = view._version
        y.mul_(3).mul_(2)
        return [*versions, view_version, y._version, view._version, y.detach()._version]

    same(program)


@pytest.mark.parametrize("recorded", [True, False])
def test_every_change_counts_as_one_write(recorded):
    def program(t):
        x, counts = t.variable([0.4, 1.3, 2.0]), {}
        for name, operation in OPERATIONS.items():
            if name not in ("several", "unsqueeze_"):
                y = x * 0.7
                with t.torch.set_grad_enabled(recorded):
                    operation(y, x)
                counts[name] = y._version
        for name, key, value in (("a number", 0, 1.5), ("a Variable", slice(1, 3), x[:2]), ("a Tensor", 1, x.data[1])):
            y = x * 0.7
            with t.torch.set_grad_enabled(recorded):
                y[key] = value
            counts[name] = y._version
        return counts

    assert set(same(program).values()) == {1}


@pytest.mark.parametrize("arguments", [(0, 5.0), (0,)])
def test_the_function_of_an_assignment_leaves_its_input(arguments):
    x, value = variable(1.0, 2.0), variable(5.0)
    (y,) = SetItem(*arguments)(x, value) if len(arguments) == 1 else SetItem(*arguments)(x)
    assert y.data.tolist() == [5, 2] and x.data.tolist() == [1, 2] and x._version == 0


def test_what_was_needed_and_is_changed_raises():
    def program(t):
        def attempt(forward, change):
            x = t.variable([0.5, 1.0])
            y = x * 2
            z = forward(y)
            change(y, z)
            return t.raised(lambda: z.sum().backward())

        return [
            attempt(lambda y: y * y, lambda y, z: y.add_(1)),
            attempt(lambda y: y * 3, lambda y, z: y.add_(1)),
            attempt(lambda y: y.exp(), lambda y, z: y.add_(1)),
            attempt(lambda y: y.exp(), lambda y, z: z.add_(1)),
            attempt(lambda y: y.sin(), lambda y, z: y.add_(1)),
            attempt(lambda y: y.sin(), lambda y, z: z.add_(1)),
            attempt(lambda y: y + y, lambda y, z: y.add_(1)),
            attempt(lambda y: y * y, lambda y, z: y.detach().add_(1)),
            attempt(lambda y: y.exp_(), lambda y, z: z.mul_(2)),
            attempt(lambda y: y.sigmoid(), lambda y, z: z[0:1].fill_(1)),
        ]

    assert same(program)[0] == "RuntimeError"


def test_the_famous_message():
    x = variable(1.0, 2.0, 3.0)
    y = x.exp()
    z = y * y
    y.add_(1)
    with pytest.raises(
        RuntimeError,
        match="Mul: one of the variables needed for gradient computation has been modified by an inplace operation: "
        r"a torch.DoubleTensor of size \(3,\), which is output 0 of Exp, is at version 1; expected version 0 instead",
    ):
        z.sum().backward()


# --- refused


def test_leaves():
    def program(t):
        x = t.variable([1.0, 2.0])
        errors = [
            t.raised(operation)
            for operation in (
                lambda: x.add_(1),
                lambda: x.zero_(),
                lambda: x.normal_(),
                lambda: x.__setitem__(0, 3.0),
                lambda: x[0:1].mul_(2),
                lambda: x.view(2, 1).mul_(2),
                lambda: x.unsqueeze_(0),
                lambda: x.detach().mul_(2),
            )
        ]
        return errors, x

    errors, _ = same(program)
    assert errors == ["RuntimeError"] * 7 + [None]


@pytest.mark.parametrize(
    "operation, error, message",
    [
        (lambda x, y: x.add_(1), RuntimeError, "add_: a leaf Variable that requires grad has been used in an in-place"),
        (lambda x, y: x[0:1].add_(1), RuntimeError, "add_: a view of a leaf Variable that requires grad"),
        (
            lambda x, y: y[0:1].add_(x),
            RuntimeError,
            r"add_: the result has the size \(2,\) and does not fit .* of size \(1,\)",
        ),
        (lambda x, y: y.add_("1"), TypeError, "add"),
        (lambda x, y: y.no_such_(1), AttributeError, "'Variable' object has no attribute 'no_such_'"),
        (lambda x, y: y.mm_(x), AttributeError, "no attribute 'mm_'"),
        (lambda x, y: y.__setitem__(5, 1), IndexError, "5"),
    ],
)
def test_messages(operation, error, message):
    x = variable(1.0, 2.0)
    y = x * 2
    with pytest.raises(error, match=message):
        operation(x, y)
    assert y.data.tolist() == [2.0, 4.0]


def test_a_leaf_over_changed_memory_is_a_new_beginning():
    """`h = Variable(h.data)`, as recurrent networks cut their history off."""
    x = variable(1.0, 2.0)
    h = (x * 2).mul_(3)
    again = Variable(h.data, requires_grad=True)
    (again * again).sum().backward()
    assert again.grad.tolist() == [12.0, 24.0]


# --- the rest


def test_retain_grad_moves_along():
    def program(t):
        x = t.variable([1.0, 2.0])
        y = x * 2
        y.retain_grad()
        y.mul_(5)
        (y * y).sum().backward()
        return y.grad, x.grad, y.retains_grad

    same(program)


def test_plus_equals_is_a_new_variable_as_in_2016():
    x = variable(1.0)
    y = x
    y += 1
    assert y is not x and x.data.tolist() == [1.0]


def test_no_memory_is_kept_and_no_call_is_listened_to():
    x = variable(1.0, 2.0)
    gc.disable()
    try:
        y = (x * 2).mul_(3)
        view = y[0:1]
        view.mul_(2)
        assert callbacks.around_call.callbacks == ()
        gone = [weakref.ref(kept) for v in (y, view) for kept in (v, v.data, v.creator)]
        del y
        assert gone[0]() is None and gone[1]() is view.data._base
        del view
        assert [reference() for reference in gone] == [None] * 6
    finally:
        gc.enable()


def test_a_volatile_operand_makes_volatile():
    x, v = variable(1.0), variable(2.0, volatile=True)
    y = x * 2
    y.add_(v)
    assert y.volatile and not y.requires_grad and y.data.tolist() == [4.0]


def test_double_backward_past_a_change():
    x = variable(0.5, -0.2)
    y = (x * 2).sin_()
    y.mul_(x)
    (first,) = grad(y.sum(), x, create_graph=True)
    expected = [math.sin(2 * v) + 2 * v * math.cos(2 * v) for v in (0.5, -0.2)]
    assert first.data.tolist() == pytest.approx(expected)
    expected = [4 * math.cos(2 * v) - 4 * v * math.sin(2 * v) for v in (0.5, -0.2)]
    assert grad(first.sum(), x)[0].tolist() == pytest.approx(expected)


def test_inplace_functions_of_the_time():
    class Twice(InplaceFunction):
        def forward(self, x):
            return x.mul(2)

        def backward(self, g):
            return g.mul(2)

    assert Twice().inplace is False and Twice(inplace=True).inplace is True
    assert Twice(True)(variable(2.0))[0].data.tolist() == [4.0]


# --- x += y, under the conventions of v0.1.12


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])


@pytest.mark.parametrize("name", ["relu", "sigmoid", "sqrt", "clone"])
def test_augmented_assignments_write_and_keep_what_was_saved(run, name):
    x, w = variable(1.0, 4.0, requires_grad=True), variable(2.0, 3.0, requires_grad=True)
    y = alias = getattr(nn.functional if name == "relu" else torch.autograd.Variable, name)(x)
    y += w
    y *= w
    y -= 1
    assert y is alias
    y.sum().backward()
    a, b = x.data.numpy(), w.data.numpy()
    of_x = {"relu": a, "sigmoid": 1 / (1 + numpy.exp(-a)), "sqrt": numpy.sqrt(a), "clone": a}[name]
    slope = {"sigmoid": of_x * (1 - of_x), "sqrt": 0.5 / numpy.sqrt(a)}.get(name, 1)
    assert numpy.allclose(alias.data.numpy(), (of_x + b) * b - 1)
    assert numpy.allclose(x.grad.data.numpy(), b * slope) and numpy.allclose(w.grad.data.numpy(), of_x + 2 * b)


def test_augmented_assignments_of_what_others_saved_raise(run):
    x = variable(1.0, 4.0, requires_grad=True)
    y = x * 2
    z = y * y
    y += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        x += 1


def test_augmented_assignments_reach_the_tensor(run):
    tensor = torch.DoubleTensor([1, 2])
    total = Variable(tensor)
    total += Variable(torch.DoubleTensor([10, 20]))
    assert tensor.tolist() == [11, 22]


# --- Functions of a program that work in place


class AddInto(InplaceFunction):
    """a += b, and b + 2; the gradients are those of out-of-place operations."""

    def forward(self, a, b):
        if not self.inplace:
            return a.add(b), b.add(2)
        self.mark_dirty(a)
        return a.add_(b), b.add(2)

    def backward(self, grad_a, grad_b):
        return grad_a, grad_a + grad_b


@pytest.mark.parametrize("needs", [False, True])
def test_an_input_that_was_marked_dirty_is_the_output(needs):
    x, y, weights = variable(1.0, 2.0, requires_grad=needs), variable(3.0, 4.0), variable(5.0, 6.0, requires_grad=False)
    a = x * 1
    function = AddInto(True)
    q, p = function(a, y)
    assert q is a and a.creator is function and a.output_nr == 0 and a.data.tolist() == [4, 6]
    assert p.data.tolist() == [5, 6] and a.requires_grad
    (q * weights + p).sum().backward()
    assert y.grad.tolist() == [6, 7] and (not needs or x.grad.tolist() == [5, 6])
    assert AddInto(False)(a, y)[0] is not a


def test_what_saved_an_input_before_it_was_marked_dirty_raises():
    x, y = variable(1.0, 2.0), variable(3.0, 4.0)
    a = x * 1
    squared = a * a
    AddInto(True)(a, y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        squared.sum().backward()


def test_marks_that_are_refused():
    with pytest.raises(RuntimeError, match="AddInto: a leaf Variable that requires grad"):
        AddInto(True)(variable(1.0, 2.0), variable(3.0, 4.0))

    class Marks(torch.Function):
        def forward(self, x):
            self.mark_shared_storage((x, x))
            self.mark_dirty(x)

    with pytest.raises(RuntimeError, match="Marks: mark_dirty needs a subclass of InplaceFunction"):
        Marks()(variable(1.0))

    class Numbers(InplaceFunction):
        def forward(self, x):
            self.mark_dirty(1)

    with pytest.raises(TypeError, match="Numbers: mark_dirty takes input Tensors, got int"):
        Numbers()(variable(1.0))
