"""`run --digits`: a program that asks for MNIST trains on any machine, without a file."""

import pytest
from installed import needs

from legacy_autograd.compat import served_digits
from legacy_autograd.compat.torchvision import datasets

needs("sklearn")

# As the MNIST example of early 2017 does it: download=True, transforms, a loader with workers, nll_loss, volatile.
PROGRAM = """
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision import datasets, transforms
from torch.autograd import Variable

torch.manual_seed(1)
steps = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
train_loader = torch.utils.data.DataLoader(
    datasets.MNIST("../data", train=True, download=True, transform=steps), batch_size=64, shuffle=True, num_workers=1)
test_loader = torch.utils.data.DataLoader(
    datasets.MNIST("../data", train=False, transform=steps), batch_size=1000, shuffle=True)
model = nn.Sequential(nn.Linear(784, 50), nn.ReLU(), nn.Linear(50, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.5)
for epoch in range(3):
    for data, target in train_loader:
        data, target = Variable(data.view(-1, 784)), Variable(target)
        optimizer.zero_grad()
        loss = F.nll_loss(F.log_softmax(model(data)), target)
        loss.backward()
        optimizer.step()
correct = 0
for data, target in test_loader:
    output = model(Variable(data.view(-1, 784), volatile=True))
    correct += output.data.max(1)[1].eq(target.view(-1, 1) if output.data.max(1)[1].dim() == 2 else target).sum()
print(len(train_loader.dataset), len(test_loader.dataset), correct, tuple(data.size()), data.max() > 2)
"""
SAID = (
    "legacy_autograd run: --digits replaces MNIST by scikit-learn's 1,797 digits, enlarged to 28x28: "
    "1,500 for training and 297 for the test\n"
)


def test_a_program_trains_on_the_digits_and_the_run_says_so(program):
    result = program(PROGRAM, options=("--digits",))
    assert result.stderr == SAID
    train, test, correct, rest = result.stdout.split(maxsplit=3)
    assert (train, test, rest) == ("1500", "297", "(297, 1, 28, 28) True\n") and int(correct) > 0.8 * 297


def test_a_torchvision_beside_the_program_gives_them_too(program, program_folder):
    folder = program_folder / "torchvision/datasets"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("from torchvision import datasets\n")
    (folder / "__init__.py").write_text("from .mnist import MNIST\nmine = True\n")
    (folder / "mnist.py").write_text(
        "class MNIST(object):\n    def __init__(self, root):\n        self.train_data = []\n"
    )
    source = "from torchvision import datasets\nprint(datasets.mine, len(datasets.MNIST('data').train_data))\n"
    result = program(source, options=("--digits",))
    assert (result.stdout, result.stderr) == ("True 1500\n", SAID)


def test_fashion_mnist_is_not_replaced(monkeypatch):
    monkeypatch.setenv(served_digits._SERVED, "1")
    with pytest.raises(RuntimeError, match="FashionMNIST reads train-images"):
        datasets.FashionMNIST("data")
