"""The table of differences between v0.1.1 and v0.1.12 (conventions.py), each line seen in a process of that era."""

import json
import os
import subprocess
import sys

import pytest

from legacy_autograd import conventions

PROGRAM = """
import json
import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable

class Twice(Function):
    def forward(self, x):
        return x.mul(2)
    def backward(self, grad_output):
        return grad_output.mul(2)

class Pair(Function):
    def forward(self, x):
        return x.mul(2), x.mul(3)

def gradients():
    column = Variable(torch.Tensor([[1], [2]]), requires_grad=True)
    row = Variable(torch.Tensor([10, 20]), requires_grad=True)
    (column - row).pow(2).sum().backward()
    return list((column - row).size()), column.grad.tolist(), row.grad.tolist()

x = Variable(torch.Tensor([1]))
print(json.dumps({
    "requires_grad": x.requires_grad,
    "explicit": Variable(torch.Tensor([1]), requires_grad=True).requires_grad,
    "type": x.data.type(),
    "call": type(Twice()(x)).__name__,
    "several": type(Pair()(x)).__name__,
    "own operations": type(x + x).__name__,
    "sizes": gradients(),
    "tensors": (torch.Tensor([[1], [2]]) + torch.Tensor([10, 20])).tolist(),
}))
"""

# (column - row)^2 with column (1, 2) and row (10, 20), by hand.
# Point by point: 2 (1 - 10) = -18, 2 (2 - 20) = -36. Broadcast: 2 (1-10 + 1-20) = -56, 2 (2-10 + 2-20) = -52 for the
# column, and for the row -2 (1-10 + 2-10) = 34, -2 (1-20 + 2-20) = 74.
EXPECTED = {
    "0.1.1": {
        "requires_grad": True,
        "explicit": True,
        "type": "torch.DoubleTensor",
        "call": "tuple",
        "several": "tuple",
        "own operations": "Variable",
        "sizes": [[2, 2], [[-56], [-52]], [34, 74]],
        "tensors": [[11, 21], [12, 22]],
    },
    "0.1.12": {
        "requires_grad": False,
        "explicit": True,
        "type": "torch.FloatTensor",
        "call": "Variable",
        "several": "tuple",
        "own operations": "Variable",
        "sizes": [[2, 1], [[-18], [-36]], [18, 36]],
        "tensors": [[11], [22]],
    },
}


@pytest.mark.parametrize("version", EXPECTED)
def test_every_line_of_the_table(version):
    environment = {**os.environ, conventions.ENVIRONMENT_VARIABLE: version}
    command = [sys.executable, "-c", PROGRAM]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(result.stdout) == EXPECTED[version]


def test_an_unknown_era_is_refused():
    with pytest.raises(ValueError, match="no era '0.3': the eras are 0.1.1, 0.1.12"):
        conventions.choose("0.3")
