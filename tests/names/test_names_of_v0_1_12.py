"""Every public name of v0.1.12 and of v0.2.0 is there under `run`, or in the list of those left out with a reason."""

import fnmatch
import functools
import json
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = tomllib.loads((ROOT / "tools" / "old_suites.toml").read_text(encoding="utf-8"))["names_left_out"]

PROGRAM = """
import importlib, json, sys
import torch

instances = {
    "torch.Tensor": torch.ones(2),
    "torch.Storage": torch.ones(2).storage(),
    "torch.Generator": torch.default_generator,
    "torch.autograd.Variable": torch.autograd.Variable(torch.ones(2)),
    "torch.autograd.Function": (torch.autograd.Variable(torch.ones(2), requires_grad=True) * 2).creator,
    "torch.nn.Module": torch.nn.Module(),
    "torch.optim.Optimizer": torch.optim.SGD([torch.autograd.Variable(torch.ones(2), requires_grad=True)], lr=1),
}

def missing(owner, names):
    try:
        found = instances[owner] if owner in instances else importlib.import_module(owner)
    except ImportError:
        found = None
    for name in names:
        try:
            getattr(found, name)
        except RuntimeError:
            pass  # there, but not of this object
        except AttributeError:
            try:
                importlib.import_module(f"{owner}.{name}")
            except ImportError:
                yield f"{owner}.{name}"

wanted = json.load(open(sys.argv[1]))
print(json.dumps([name for owner, names in wanted.items() for name in missing(owner, names)]))
"""


@functools.cache
def wanted(version):
    path = pathlib.Path(__file__).with_name(f"v{version.replace('.', '_')}.toml")
    names = {owner: names.split() for owner, names in tomllib.loads(path.read_text(encoding="utf-8")).items()}
    names["torch.multiprocessing"] = [*names["torch.multiprocessing"], *multiprocessing.__all__]
    return names


@functools.cache
def missing(version):
    """The names of a version that a run under its conventions does not have."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "wanted.json").write_text(json.dumps(wanted(version)), encoding="utf-8")
        (pathlib.Path(folder) / "program.py").write_text(PROGRAM, encoding="utf-8")
        command = [sys.executable, "-m", "legacy_autograd", "run", "--era", version, "program.py", "wanted.json"]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("version", ["0.1.12", "0.2.0"])
def test_every_name_is_there_or_left_out_with_a_reason(version):
    assert sum(map(len, wanted(version).values())) > 1700
    assert [name for name in missing(version) if not any(fnmatch.fnmatchcase(name, left) for left in LEFT_OUT)] == []


def test_every_name_that_is_left_out_is_missing():
    names = missing("0.1.12") | missing("0.2.0")
    assert [left for left in LEFT_OUT if not fnmatch.filter(names, left)] == []


def test_every_reason_is_a_sentence():
    for name, reason in LEFT_OUT.items():
        assert re.fullmatch(r"torch\.[\w.*\[\]]+", name) and len(reason.split()) > 3, name
