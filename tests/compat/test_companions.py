"""Which torchvision and torchtext a program gets: those beside it, then that of compat, never those installed."""

import os
import pathlib

import legacy_autograd

ASK = "import torchvision\nprint(torchvision.__name__, getattr(torchvision, 'mine', None))\n"


def put(folder, package, content="mine = __file__\n"):
    (folder / package).mkdir(parents=True)
    (folder / package / "__init__.py").write_text(content)


def test_without_one_it_is_that_of_early_2017_in_all_processes(program):
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
print(make_grid(__import__("torch").ones(2, 1, 2, 2)).size(), flush=True)
import os, subprocess
started = "import torchvision.datasets, legacy_autograd.compat.torchvision as own; print(torchvision is own)"
subprocess.run([sys.executable, "-c", started], cwd=os.sep)
"""
    )
    assert (result.stdout, result.stderr) == ("torch.Size([3, 6, 10])\nTrue\n", "")


def test_one_beside_the_program_or_on_the_search_path_goes_first(program, program_folder, tmp_path):
    put(tmp_path / "elsewhere", "torchvision", "mine = 'path'\n")
    root = pathlib.Path(legacy_autograd.__file__).parents[1]
    (program_folder / "torchvision").mkdir()  # a folder of data
    search_path = os.pathsep.join([str(root), str(tmp_path / "elsewhere")])
    assert program(ASK, PYTHONPATH=search_path).stdout == "torchvision path\n"
    (program_folder / "torchvision/__init__.py").write_text("mine = 'beside'\nfrom . import models\n")
    (program_folder / "torchvision/models.py").write_text("def model(async=1):\n    return async\n")
    result = program(ASK + "print(torchvision.models.model(async=2))", PYTHONPATH=search_path)
    assert result.stdout == "torchvision beside\n2\n"


def test_an_installed_one_is_not_imported(program, program_folder, tmp_path):
    (program_folder / "torchvision").mkdir()  # a folder of data
    for package in ("torchvision", "torchtext"):
        put(tmp_path / "lib/site-packages", package, "raise SystemExit('imported')\n")
    source = f"import sys\nsys.path.insert(0, {str(tmp_path / 'lib/site-packages')!r})\n"
    result = program(source + ASK + "import torchtext\n")
    assert (result.returncode, result.stdout) == (1, "legacy_autograd.compat.torchvision None\n")
    assert result.stderr.splitlines()[-1].startswith(
        "ModuleNotFoundError: torchtext is not part of legacy_autograd, and an installed one needs modern torch"
    )
