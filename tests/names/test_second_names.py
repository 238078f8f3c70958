"""Second names of modules (names.py): one module object under each, in a fresh process and whatever comes first."""

import importlib
import subprocess
import sys

import pytest

import legacy_autograd as torch
from legacy_autograd.names import MODULES


@pytest.mark.parametrize("second", MODULES)
def test_a_module_is_the_same_under_both_names(second):
    module = importlib.import_module(f"legacy_autograd.{second}")
    assert module is importlib.import_module(f"legacy_autograd.{MODULES[second]}")
    parent, _, last = f"legacy_autograd.{second}".rpartition(".")
    found = getattr(importlib.import_module(parent), last)
    assert found is (torch.autograd.later.gradcheck.gradcheck if last == "gradcheck" else module)


@pytest.mark.parametrize(
    "program",
    [
        "from legacy_autograd.training import LeNet, Trainer; from legacy_autograd.demos import training_loop\n"
        "assert Trainer is training_loop.TrainingLoop and LeNet is training_loop.LeNet",
        "from legacy_autograd.training.trainer import Trainer; Trainer.fit",
        "from legacy_autograd.training.lenet import LeNet; LeNet(16)",
        "from legacy_autograd import datasets; assert datasets.load_norris()[0].shape == (36,)",
        "from legacy_autograd.datasets.digits import load_digits; load_digits.__call__",
        "import legacy_autograd.nn.modules.instancenorm as m; m.InstanceNorm2d(3)",
        "from legacy_autograd import training\nfrom legacy_autograd.utils import trainer\n"
        "assert trainer.Trainer is not training.Trainer",  # that of v0.1.5
    ],
)
def test_a_fresh_process_imports_by_a_second_name(program):
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_an_unknown_name_of_parallel_is_refused():
    with pytest.raises(AttributeError, match="module 'legacy_autograd.nn.parallel' has no attribute 'Distributed'"):
        torch.nn.parallel.Distributed  # noqa: B018
