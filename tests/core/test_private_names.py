"""Attributes of a user's own meet no bookkeeping of the package, which begins with an underscore.

A user's Function, Module, Variable subclass, hook and Optimizer get every name that the package's sources use as an
attribute, and train with it. Exempt are the public names of the same classes in PyTorch: a user's `self.forward = True`
replaces `forward` there too.
"""

import ast
import copy
import functools
import pathlib

import numpy
import pytest

import legacy_autograd
from legacy_autograd import drawing, nn, optim
from legacy_autograd.autograd import Function, Variable
from legacy_autograd.tensor import DoubleTensor

torch = pytest.importorskip("torch")

PACKAGE = pathlib.Path(legacy_autograd.__file__).parent


def public_names(tree):
    """The names of attributes that a source assigns, or reads of `self`, in any class or function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            if isinstance(node.ctx, ast.Store) or isinstance(node.value, ast.Name) and node.value.id == "self":
                yield node.attr
        elif isinstance(node, ast.ClassDef):
            for statement in node.body:
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement]
                yield from (getattr(target, "id", getattr(target, "name", "_")) for target in targets)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("getattr", "hasattr", "setattr"):
            if isinstance(node.args[1], ast.Constant):
                yield node.args[1].value


@functools.cache
def names_of_the_package():
    return {
        name
        for path in PACKAGE.rglob("*.py")
        if "templates" not in path.parts
        for name in public_names(ast.parse(path.read_text(encoding="utf-8")))
        if not name.startswith("_")
    }


VALUES = {"True": True, "a list": [], "a string": "x", "a function": lambda *arguments: 5}
X = numpy.linspace(-1, 1, 6).reshape(3, 2)


def inputs():
    return Variable(DoubleTensor(X), requires_grad=False)


def weight():
    return Variable(DoubleTensor([0.5, 2.0]))


def twice_differentiated(w, y):
    """The gradient of the squared gradient of y."""
    w.grad = None
    y.backward(create_graph=True)
    (w.grad * w.grad).sum().backward()
    return w.grad.data.array.copy()


def with_a_function(give):
    class Square(Function):
        def __init__(self):
            super().__init__()
            give(self)

        def forward(self, x):
            give(self)
            self.save_for_backward(x)
            return x * x

        def backward(self, g):
            (x,) = self.saved_tensors
            return g * x * 2

    w = weight()
    found = []
    for retain in (True, False):
        w.grad = None
        (y,) = Square()(inputs() * w)
        y.register_hook("gradient", lambda grad_input, grad_output: found.append(grad_output.array))
        y.register_hook(lambda grad: found.append(grad.array))
        loss = y.exp().sum()
        found.append(drawing.make_dot(loss).source)
        found.extend(step.text for step in drawing.trace_backward(loss))
        loss.backward(retain_variables=retain)
        w.data -= w.grad * 0.1
    return [*found, w.data.array, twice_differentiated(w, Square()(w)[0].sum())]


def with_a_module(give):
    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            give(self)
            self.inner = nn.Linear(2, 2)
            self.inner.weight.data.copy_(DoubleTensor([[0.3, 0.7], [0.1, -0.2]]))
            self.inner.bias.data.zero_()

        def forward(self, x):
            give(self)
            return self.inner(x).tanh()

    net, found = nn.Sequential(Layer(), nn.ReLU()), []
    net[0].register_forward_hook(lambda module, input, output: found.append(output.data.array))
    net[0].register_backward_hook(lambda module, grad_input, grad_output: found.append(grad_output[0].array))
    optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for train in (True, False):
        net.train(train)
        optimizer.zero_grad()
        loss = nn.MSELoss()(net(inputs()), inputs())
        loss.backward()
        optimizer.step()
    found.append(drawing.make_dot(loss).source)
    net.load_state_dict(net.state_dict())
    copied = copy.deepcopy(net.double())
    return [*found, repr(net), *[p.data.array for p in copied.parameters()]]


def with_a_variable(give):
    class Weight(Variable):
        def __init__(self, *arguments, **named):
            super().__init__(*arguments, **named)
            give(self)

    w = Weight(DoubleTensor([0.5, 2.0]))
    optimizer = optim.Adam([w], lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss = ((inputs() * w).exp() - w * 2).sum()
        loss.backward()
        optimizer.step()
    return [repr(w), drawing.make_dot(loss).source, w.data.array, twice_differentiated(w, (w * w * w).sum())]


def with_a_hook(give):
    class Hook:
        def __init__(self):
            give(self)

        def __call__(self, *gradients):
            found.extend(gradient.array for gradient in gradients if not isinstance(gradient, tuple))

    w, found = weight(), []
    w.register_hook("gradient", Hook())
    w.register_hook(Hook())
    (inputs() * w).exp().sum().backward()
    return [*found, w.grad.array]


def with_an_optimizer(give):
    class Descent(optim.SGD):
        def __init__(self, *arguments, **named):
            super().__init__(*arguments, **named)
            give(self)

    w = weight()
    optimizer = Descent([w], lr=0.1, momentum=0.9)
    for _ in range(2):
        optimizer.zero_grad()
        (inputs() * w).exp().sum().backward()
        optimizer.step()
    optimizer.load_state_dict(optimizer.state_dict())
    return [repr(optimizer), w.data.array]


# For each program what makes the objects of modern torch whose names are exempt, and names that modern torch lost.
PROGRAMS = {
    with_a_function: (
        lambda: [torch.autograd.Function, torch.ones(1, requires_grad=True).exp().grad_fn],
        {"previous_functions", "output_ids", "backward_hooks"},
    ),
    with_a_module: (lambda: [torch.nn.Module()], set()),
    # `array` is ours: formulas of gradients read it of Tensors and of Variables. Assigning to it is an AttributeError.
    with_a_variable: (lambda: [torch.ones(1)], {"creator", "volatile", "array", "backward_hooks"}),
    with_a_hook: (list, set()),
    with_an_optimizer: (lambda: [torch.optim.SGD([torch.ones(1)])], {"lr"}),
}


def difference(program, names, value):
    """What differs when `program` is run with the attributes `names`: None, or a sentence."""

    def give(owner):
        for name in names:
            setattr(owner, name, value)

    without = program(lambda owner: None)
    try:
        found = program(give)
    except Exception as error:
        return repr(error)
    equal = [type(a) is type(b) and numpy.array_equal(a, b) for a, b in zip(found, without)]
    return None if len(found) == len(without) and all(equal) else "other numbers"


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_users_attributes(program, value):
    owners, of_2016 = PROGRAMS[program]
    names = names_of_the_package() - of_2016 - {name for owner in owners() for name in dir(owner)}
    assert len(names) > 100
    if difference(program, names, VALUES[value]):
        alone = {name: difference(program, {name}, VALUES[value]) for name in sorted(names)}
        pytest.fail(f"collisions: { ({name: problem for name, problem in alone.items() if problem}) }")


def test_a_collision_is_noticed():
    for names in ({"creator"}, {"array"}):
        assert difference(with_a_variable, names, True)
    assert difference(with_a_function, {"previous_functions"}, [])
    assert difference(with_a_module, {"forward"}, lambda *arguments: 5)
