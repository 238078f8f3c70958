"""tools/compare_models.py, on models of made-up programs."""

import pathlib
import runpy
import shutil
import subprocess

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = runpy.run_path(str(ROOT / "tools/compare_models.py"))

# A script of 2017: its classes run and its loop does not. Sums keep their dimension, and the package cv2 is missing.
SCRIPT = """
from __future__ import print_function
import cv2
import torch.nn as nn
import torch.nn.functional as F

hidden = 5

class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.layers = nn.Sequential()
        self.layers.add_module("a.dotted.name", nn.Linear(4, hidden, bias=False))
        self.layers.add_module("norm", nn.BatchNorm1d(hidden))
        self.layers.add_module("drop", nn.Dropout())

    def forward(self, x, words):
        y = F.dropout(F.tanh(self.layers(x)), training=True)
        return y * y.pow(2).sum(1).expand_as(y), x[:, 0:1] * words.type_as(x).sum(1)

raise SystemExit("this program trains")
"""
MODEL = {
    "name": "made up",
    "repository": "owner/name",
    "commit": "HEAD",
    "script": "train/main.py",
    "absent": ["cv2"],
    "code": "model = Net()",
    "inputs": [[6, 4], {"size": [6, 2], "below": 3}],
}


@pytest.fixture
def clones(tmp_path):
    """A folder with a clone of a repository of one program, and of a file that is no program."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    clone = tmp_path / "clones" / "owner+name"
    (clone / "train").mkdir(parents=True)
    (clone / "train" / "main.py").write_text(SCRIPT)
    (clone / "data.txt").write_text("numbers")
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "a program"]):
        command = ["git", "-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false", *arguments]
        subprocess.run(command, cwd=clone, check=True)
    return clone.parent


@pytest.mark.slow  # starts this package and modern torch in processes of their own
def test_a_model_of_a_script_agrees(clones, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    TOOL["write_files"](MODEL, clones, folder)
    assert [path.name for path in folder.rglob("*.*")] == ["main.py"]
    found = TOOL["compare"](MODEL, folder)
    assert found["float32"] < 1e-5 and found["float64"] < 1e-10
    names = set(numpy.load(folder / "modern.float64.npz"))
    # Three losses; in each step the gradient of x and of three parameters; then these and two buffers.
    assert len(names) == 3 + 3 * 4 + 5 and "gradient 2 input 0" in names
    ours, modern = TOOL["run"](MODEL, folder, "0.01")  # seconds of a step
    assert ours > 0 and modern > 0
    broken = {**MODEL, "code": "model = Net()\nif 'legacy_autograd' in sys.modules:\n    model.layers.norm.eps = 0.5"}
    broken["code"] = "import sys\n" + broken["code"]
    assert TOOL["compare"](broken, folder)["float64"] > 1e-3
    with pytest.raises(RuntimeError, match="legacy: .*NameError: name 'Missing' is not defined"):
        TOOL["compare"]({**MODEL, "code": "model = Missing()"}, folder)


@pytest.mark.parametrize(
    "ours, modern, expected",
    [
        ({"a": [1.0, 2.0]}, {"a": [1.0, 2.5]}, 0.2),  # 0.5 of 2.5
        ({"a": [0.0], "b": [3.0]}, {"a": [1e-6], "b": [3.0]}, 1e-3),  # 1e-6 of 0.001
        ({"a": [1.0]}, {"a": 1.0}, 0.0),  # a scalar of today has one dimension here
        ({"a": [numpy.nan]}, {"a": [1.0]}, numpy.inf),
        ({"a": numpy.zeros((0, 2))}, {"a": numpy.zeros((0, 2))}, 0.0),
    ],
)
def test_the_difference(ours, modern, expected, tmp_path):
    numpy.savez(tmp_path / "ours.npz", **ours)
    numpy.savez(tmp_path / "modern.npz", **modern)
    found = TOOL["difference"](tmp_path / "ours.npz", tmp_path / "modern.npz")
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    "modern, message",
    [({"b": [1.0, 2.0]}, "only one side has a, b"), ({"a": [[1.0], [2.0]]}, r"a: shape \(2,\), with torch \(2, 1\)")],
)
def test_other_names_and_shapes(modern, message, tmp_path):
    numpy.savez(tmp_path / "ours.npz", a=[1.0, 2.0])
    numpy.savez(tmp_path / "modern.npz", **modern)
    with pytest.raises(RuntimeError, match=message):
        TOOL["difference"](tmp_path / "ours.npz", tmp_path / "modern.npz")


def test_the_table():
    models = TOOL["tomllib"].loads(TOOL["TABLE"].read_text(encoding="utf-8"))["model"]
    assert len(models) == len({model["name"] for model in models})
    known = {"name", "repository", "commit", "era", "folder", "script", "code", "inputs", "call", "absent"}
    for model in models:
        assert (
            known | {"precisions", "seed", "reason"} >= set(model) >= {"name", "repository", "commit", "code", "inputs"}
        )
        assert model["name"].startswith(model["repository"])
        assert ("reason" in model) == ("precisions" in model or "seed" in model)
        compile(model["code"], model["name"], "exec")
    pages = (ROOT / "docs/programs.md").read_text(encoding="utf-8")
    repositories = len({model["repository"] for model in models})
    assert f"{len(models)} models of {repositories} repositories" in pages


def test_a_repository_that_is_not_there(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "none")
    name = "kuangliu/pytorch-cifar LeNet"
    assert TOOL["main"]([str(tmp_path), name]) == 1
    assert capsys.readouterr().out.endswith("0 of 1 models agree\n")
