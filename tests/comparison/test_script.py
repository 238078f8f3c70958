"""Scripts of the time, run in both worlds, and the command that does it."""

import argparse
import pathlib

import pytest

pytest.importorskip("torch", reason="the comparison needs modern torch")

from legacy_autograd.comparison import side_by_side  # noqa: E402

pytestmark = pytest.mark.usefixtures("forked_worlds")

SCRIPT = """
import sys
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import torch.utils.data
from torch.autograd import Variable, Function


class Twice(Function):
    def forward(self, x):
        return x * 2

    def backward(self, grad_output):
        return grad_output * 2


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(8, 5)
        self.fc2 = nn.Linear(5, 3)

    def forward(self, x):
        x = F.dropout(F.relu(self.fc1(x)), training=self.training)
        return F.log_softmax(Twice()(self.fc2(x)))


torch.manual_seed(int(sys.argv[1]))
model = Net()
optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
criterion = nn.NLLLoss()
criterion.size_average = False
x, y = torch.randn(60, 8), torch.LongTensor([i % 3 for i in range(60)])
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=10, shuffle=True)
for step, (data, target) in enumerate(loader):
    data, target = Variable(data), Variable(target)
    optimizer.zero_grad()
    loss = criterion(model(data), target) / 10
    loss.backward()
    optimizer.step()
    print(step, '%.4f' % loss.data[0])
model.eval()
output = model(Variable(x, volatile=True))
prediction = output.data.max(1)[1]
print('correct:', prediction.eq(y.view_as(prediction)).sum())
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def test_a_script_of_2017_runs_in_both_worlds(script):
    comparison = side_by_side(script, 3)
    assert comparison.agrees, str(comparison)
    assert comparison.tolerance == 1e-4  # FloatTensor is the default type of v0.1.12
    assert comparison.title == "train.py"
    operations = [(row.here, row.there) for row in comparison.rows if not row.is_leaf]
    assert ("Twice", "TwiceBackward") in operations and ("NLLLoss", "NllLossBackward0") in operations
    assert operations.count(("Twice", "TwiceBackward")) == 3  # only three backward passes are recorded
    assert {"model.fc1.weight", "loss", "output", "prediction"} <= set(comparison.results)
    printed = [run.printed.splitlines() for run in (comparison.here, comparison.there)]
    assert len(printed[0]) == 7 and printed[0][:-1] == printed[1][:-1]


def test_all_backward_passes_the_other_era_and_a_neighbour_that_sees_the_same_torch(tmp_path):
    pathlib.Path(tmp_path, "helper.py").write_text(
        "import torch\ndef weights():\n    return torch.Tensor(1, 2).fill_(3)\n", encoding="utf-8"
    )
    path = tmp_path / "early.py"
    path.write_text(
        "from helper import weights\n"
        "from torch.autograd import Variable\n"
        "W = Variable(weights())\n"
        "for step in range(5):\n"
        "    loss = (W * W).sum()\n"
        "    loss.backward()\n"
        "    W.data -= W.grad * 0.1\n"
        "    W.grad.zero_()\n",
        encoding="utf-8",
    )
    comparison = side_by_side(path, era="0.1.1", most_backwards=None)
    assert comparison.agrees and comparison.tolerance == 1e-10
    assert len(comparison.here.roots) == len(comparison.there.roots) == 5


@pytest.mark.parametrize("era, early", [("0.1.1", "zeros"), ("0.1.12", "None")])
def test_the_conventions_of_each_era_hold_in_both_worlds(tmp_path, era, early):
    path = tmp_path / "conventions.py"
    path.write_text(
        """
import torch
from torch.autograd import Function, Variable
class Reverse(Function):
    def forward(self, x):
        return x * 1
    def backward(self, grad_output):
        return grad_output * -1
reverse = Reverse()
w = Variable(torch.ones(2), requires_grad=True)
print("None" if w.grad is None else "zeros")
seen = []
for step in range(2):
    y = w * w
    y.register_hook("h", lambda *gradients: seen.append(len(gradients)))
    output = reverse(y)
    output = output[0] if isinstance(output, tuple) else output
    output.sum().backward()
    w.data -= 0.1 * w.grad.data
    w.grad.data.zero_()
x = Variable(torch.ones(2))
x.volatile = True
print(seen, (x * w).requires_grad)
""",
        encoding="utf-8",
    )
    comparison = side_by_side(path, era=era)
    printed = f"{early}\n{[2, 2] if era == '0.1.1' else [1, 1]} False\n"
    assert comparison.agrees and comparison.here.printed == comparison.there.printed == printed


def test_in_v020_a_reduction_drops_its_dimension_and_operands_are_broadcast_first(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        """
import torch
from torch.autograd import Variable
x = Variable(torch.Tensor([[1, 2, 3], [4, 5, 6], [7, 8, 10]]), requires_grad=True)
rows, columns = x.sum(1), x.max(0)[0]
print(tuple(rows.size()), tuple(x.sum(1, keepdim=True).size()))
row, column = x[:1], x[:, :1]
both = row * column
print(tuple(both.size()))
(both.sum() + (rows * columns).sum() + x[:, 0].contiguous().view(3, 1).add(x[0]).sum()).backward()
""",
        encoding="utf-8",
    )
    comparison = side_by_side(path, era="0.2.0")
    printed = "(3,) (3, 1)\n(3, 3)\n"
    assert comparison.agrees and comparison.here.printed == comparison.there.printed == printed


def test_the_command_prints_the_table_and_writes_the_page(script, command, tmp_path):
    result = command("compare", script, "3", "--html", "page.html")
    assert result.returncode == 0, result.stderr
    assert "All values and gradients agree" in result.stdout
    assert "The page with both graphs is page.html." in result.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8").count("<svg") == 2


def test_the_exit_code_says_that_gradients_disagree(tmp_path, compare):
    path = tmp_path / "wrong.py"
    path.write_text(  # its backward gives 2 here and 3 there, where Variable is a name that has no methods
        "import torch\n"
        "from torch.autograd import Variable, Function\n"
        "class Wrong(Function):\n"
        "    def forward(self, x):\n"
        "        return x * 2\n"
        "    def backward(self, grad_output):\n"
        "        return grad_output * (2 if hasattr(Variable, 'mm') else 3)\n"
        "x = Variable(torch.ones(2), requires_grad=True)\n"
        "Wrong()(x).sum().backward()\n",
        encoding="utf-8",
    )
    result = compare(path)
    assert result.returncode == 1, result.out + result.err
    assert "the backward of Wrong #2" in result.out


def test_a_script_that_fails_says_so(tmp_path, compare):
    path = tmp_path / "fails.py"
    path.write_text("import torch\nraise ValueError('on purpose')\n", encoding="utf-8")
    result = compare(path)
    assert result.returncode == 2
    assert "fails in legacy_autograd (exit code 1)" in result.err and "ValueError: on purpose" in result.err
    assert compare(tmp_path / "nowhere.py").returncode == 2


def test_options_and_arguments_on_either_side_of_the_script():
    from legacy_autograd.commands import compare

    def parsed(*arguments):
        parser = argparse.ArgumentParser()
        compare.configure(parser)
        options, rest = compare._behind_the_script(parser.parse_args(arguments))
        return options.html, options.backwards, rest

    assert parsed("--html", "p", "s.py", "3") == ("p", 3, ["3"])
    assert parsed("s.py", "3", "--html", "p", "--epochs", "1") == ("p", 3, ["3", "--epochs", "1"])
    assert parsed("--backwards", "5", "s.py", "--html", "p", "--", "--html", "q") == ("p", 5, ["--html", "q"])


def test_a_number_in_one_world_may_be_a_tensor_in_the_other(tmp_path):
    path = tmp_path / "counts.py"
    path.write_text(
        "import torch\nx = torch.Tensor([3, 1, 4])\ncorrect = (x > 2).sum()\nseconds = 1.5\n", encoding="utf-8"
    )
    comparison = side_by_side(path)
    assert comparison.agrees, str(comparison)
    assert comparison.results["correct"].agrees and "seconds" not in comparison.results


def test_a_difference_after_the_recorded_passes_says_how_to_find_it(tmp_path):
    path = tmp_path / "late.py"
    path.write_text(
        "import torch\n"
        "from torch.autograd import Variable\n"
        "w = Variable(torch.ones(2), requires_grad=True)\n"
        "for step in range(4):\n"
        "    (w * w).sum().backward()\n"
        "    w.data.mul_(0.5 if step < 3 or hasattr(torch, 'compile') else 0.4)\n",
        encoding="utf-8",
    )
    assert side_by_side(path).first_difference == (
        "the result w differs, but no operation of the first 3 backward passes (`--backwards 0` records all) does"
    )
    assert side_by_side(path, most_backwards=None).first_difference == "the result w differs, but no operation does"
