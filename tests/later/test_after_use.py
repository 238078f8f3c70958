"""A program pays nothing for what it used of `later` and uses no more; torch's own names reach all of it."""

import pathlib
import subprocess
import sys

from legacy_autograd.autograd import later

ROOT = pathlib.Path(later.__file__).resolve().parents[3]

COUNT = """
import sys
import numpy
import legacy_autograd as torch
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor.base import wrap
from benchmarks.later import USE_ALL
exec(USE_ALL if sys.argv[1] == "after" else "")
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
print(len(calls))
"""


def test_not_one_call_more():
    """The clock says the same (benchmarks/later.py), but it says it less clearly."""
    counts = {}
    for name in ("without", "after"):
        command = [sys.executable, "-c", COUNT, name]
        result = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, cwd=ROOT)
        assert result.returncode == 0, result.stderr
        counts[name] = int(result.stdout)
    assert counts["after"] == counts["without"] > 1000


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
