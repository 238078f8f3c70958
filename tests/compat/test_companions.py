"""Which torchvision and torchtext a program gets: those beside it, then that of compat, never those installed."""

import subprocess
import sys

ASK = "import torchvision\nprint(torchvision.__name__, getattr(torchvision, 'mine', None))\n"


def put(folder, package, content="mine = __file__\n"):
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text(content)


def test_without_one_it_is_that_of_early_2017(program):
    result = program(
        """
import torchvision, torchvision.models, pickle, sys
import torchvision.datasets as dset, torchvision.transforms as transforms
from torchvision.models.alexnet import model_urls
from torchvision.models import alexnet
from torchvision.utils import make_grid
from legacy_autograd.compat import torchvision as own
assert torchvision is own and dset is own.datasets and torchvision.models.alexnet is alexnet is own.models.alexnet
assert callable(alexnet) and "alexnet" in model_urls
assert pickle.loads(b"ctorchvision.models.resnet\\nResNet\\n.") is own.models.ResNet
assert not hasattr(torchvision, "ops") and "torch._C" not in sys.modules
print(make_grid(__import__("torch").ones(2, 1, 2, 2)).size())
"""
    )
    assert (result.stdout, result.stderr) == ("torch.Size([3, 6, 10])\n", "")


def test_one_beside_the_program_or_on_the_search_path_goes_first(program, program_folder, tmp_path):
    (program_folder / "torchvision").mkdir()  # a folder of data
    assert program(ASK).stdout == "legacy_autograd.compat.torchvision None\n"
    put(tmp_path / "elsewhere", "torchvision", "mine = 'path'\n")
    search_path = f"{tmp_path / 'elsewhere'}:{sys.path[0]}"
    import legacy_autograd

    root = legacy_autograd.__path__[0].rpartition("legacy_autograd")[0]
    assert program(ASK, PYTHONPATH=f"{root}:{search_path}").stdout == "torchvision path\n"
    (program_folder / "torchvision/__init__.py").write_text("mine = 'beside'\nfrom . import models\n")
    (program_folder / "torchvision/models.py").write_text("def model(async=1):\n    return async\n")
    assert program(ASK + "print(torchvision.models.model(async=2))").stdout == "torchvision beside\n2\n"


def test_an_installed_one_is_not_imported(program, tmp_path):
    for package in ("torchvision", "torchtext"):
        put(tmp_path / "lib/site-packages", package, "raise SystemExit('imported')\n")
    source = f"import sys\nsys.path.insert(0, {str(tmp_path / 'lib/site-packages')!r})\n"
    assert program(source + ASK).stdout == "legacy_autograd.compat.torchvision None\n"
    result = program(source + "import torchtext\n")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(
        "ModuleNotFoundError: torchtext is not part of legacy_autograd, and the one that is installed"
    )


def test_processes_that_the_program_starts_get_the_same(program):
    result = program(
        """
import os, subprocess, sys
import torch
started = "import torchvision.datasets, legacy_autograd.compat.torchvision as own; print(torchvision is own)"
print(subprocess.check_output([sys.executable, "-c", started], cwd=os.sep, text=True), end="")
"""
    )
    assert (result.stdout, result.stderr) == ("True\n", "")


def test_importing_the_package_leaves_torchvision_alone():
    subprocess.run(
        [sys.executable, "-c", "import sys, legacy_autograd.compat.runner; assert 'torchvision' not in sys.modules"],
        check=True,
    )
