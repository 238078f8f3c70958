"""Whoever uses only v0.1.1 never loads `later`, and whoever names one of its parts finds it without an import."""

import importlib
import pathlib
import subprocess
import sys

import pytest

from legacy_autograd import later, on_demand

ROOT = pathlib.Path(later.__file__).resolve().parents[2]

OF_2016 = """
import sys
import legacy_autograd as torch
from legacy_autograd.autograd import Variable, Function
import legacy_autograd.nn as nn
import legacy_autograd.optim as optim

class Twice(Function):
    def forward(self, x):
        self.input = x
        return x.mul(x)
    def backward(self, g):
        return g.mul(self.input).mul(2)

x = Variable(torch.DoubleTensor([[1, 2], [3, 4]]))
x.register_hook("name", lambda grad_input, grad_output: None)
y = Twice()(x)[0] + x * 2 - x.t() / 3
y.register_hook(lambda grad: grad * 2)
y.backward(torch.ones(2, 2))
y.backward(torch.ones(2, 2), retain_variables=False)
x.remove_hook("name")
network = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
step = optim.SGD(network.parameters(), lr=0.1, momentum=0.9)
for _ in range(3):
    step.zero_grad()
    loss = (network(Variable(torch.DoubleTensor([[1, 2]]))) ** 2).sum()
    loss.backward()
    step.step()
print(repr(x), len(x), x.grad, x.size(), x.is_leaf, y.is_leaf, x.volatile, x.name, list(x)[0])
loaded = [name for name in sys.modules if name.startswith("legacy_autograd.later")]
assert not loaded, loaded
from legacy_autograd import seams
assert not (seams.around_call or seams.around_backward or seams.around_module or seams.backward_ended)
"""

BY_NAME = """
import sys
import legacy_autograd as torch
from legacy_autograd.autograd import Variable
x = Variable(torch.DoubleTensor([1, 2]))
y = (x * 2).sin()
assert "legacy_autograd.later" not in sys.modules
assert not y.detach().requires_grad
assert not any(name.startswith("legacy_autograd.later.") and name[22:] not in ("detach",) for name in sys.modules)
assert y.grad_fn.next_functions[0][0] is not None
y.mul_(3)
y[0] = 1
y.retain_grad()
with torch.no_grad():
    assert not (x * 2).requires_grad
torch.autograd.grad(y.sum(), x)
import legacy_autograd.autograd.functional as F
from legacy_autograd.autograd import functional
assert F is functional is torch.autograd.functional
from legacy_autograd.autograd.function import once_differentiable
from legacy_autograd.utils.checkpoint import checkpoint
import legacy_autograd.utils.checkpoint
assert torch.utils.checkpoint.checkpoint is checkpoint
"""


PLACES = """
import sys
from legacy_autograd.autograd import Variable
from legacy_autograd.on_demand import OnDemand
places = [name for name, member in vars(Variable).items() if isinstance(member, OnDemand)]
assert {"detach", "grad_fn", "mul_", "copy_", "normal_"} <= set(places) <= set(dir(Variable)), places
assert "set_" not in places and "resizeAs_" not in places  # of Tensors only
assert "legacy_autograd.later" not in sys.modules
for name in places:
    getattr(Variable, name)
    assert not isinstance(vars(Variable)[name], OnDemand), name
"""


@pytest.mark.parametrize(
    "program", [OF_2016, BY_NAME, PLACES], ids=["a program of 2016", "found by name", "places in the class"]
)
def test_in_a_new_process(program):
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, cwd=ROOT)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", later.EXPORTS)
def test_every_name_is_found(name):
    found = later.export(name)
    assert found is not None
    path, _, last = name.rpartition(".")
    if path != "autograd.function":
        package = importlib.import_module("legacy_autograd")
        for part in name.split("."):
            package = getattr(package, part)
        assert package is found


@pytest.mark.parametrize("name", on_demand.LATER)
def test_every_attribute_is_found(name):
    from legacy_autograd import DoubleTensor
    from legacy_autograd.autograd import Variable

    assert hasattr(Variable(DoubleTensor([1.0])) * 2, name)


def test_names_that_do_not_exist():
    import legacy_autograd
    from legacy_autograd.autograd import Variable

    for thing, name in ((legacy_autograd, "vmap"), (legacy_autograd.autograd, "forward_ad")):
        with pytest.raises(AttributeError, match=name):
            getattr(thing, name)
    x = Variable(legacy_autograd.DoubleTensor([1.0]))
    for name in ("nothing", "nothing_", "_private", "__array_interface__"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(x, name)


COUNT = """
import sys
import legacy_autograd as torch
from legacy_autograd.autograd import Variable
from benchmarks.later import USE_ALL
import numpy
from legacy_autograd.tensor.base import wrap
exec(USE_ALL if sys.argv[1] == "with" else "")
calls = []
def program():
    x = Variable(torch.DoubleTensor([1, 2]))
    y = x
    for _ in range(50):
        y = (y * x + x).tanh()
    y.sum().backward()
    y.sum().backward()
program()
sys.setprofile(lambda frame, event, argument: calls.append(event) if event in ("call", "c_call") else None)
program()
sys.setprofile(None)
print(len(calls), any(name.startswith("legacy_autograd.later") for name in sys.modules))
"""


def test_an_ordinary_program_makes_not_one_call_more_once_all_of_later_was_used():
    """The clock says the same (benchmarks/later.py), but it says it less clearly."""
    counts = {}
    for name in ("without", "with"):
        command = [sys.executable, "-c", COUNT, name]
        result = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, cwd=ROOT)
        assert result.returncode == 0, result.stderr
        count, loaded = result.stdout.split()
        assert loaded == str(name == "with")
        counts[name] = int(count)
    assert counts["with"] == counts["without"] > 1000


AS_TORCH = """
import torch
import torch.autograd.profiler as profiler
from torch.autograd import Function, Variable, grad, gradcheck, backward
from torch.autograd.function import InplaceFunction, once_differentiable
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * g * x

x = Variable(torch.DoubleTensor([1, 2]), requires_grad=True)
with profiler.profile() as profile:
    y = checkpoint(Square.apply, x).sum()
    g, = grad(y, x, create_graph=True)
print(grad(g.sum(), x)[0].tolist(), gradcheck(Square.apply, (x,)), len(profile.key_averages()) > 2)
with torch.no_grad(), torch.autograd.set_detect_anomaly(True):
    print((x * x).requires_grad, torch.is_grad_enabled())
"""


def test_under_torchs_own_name(program):
    result = program(AS_TORCH)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "[2.0, 2.0] True True\nFalse False\n"
